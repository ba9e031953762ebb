/* See bins.h. A counting sort: each block of things counts its tiles, the counts become offsets in
 * the order (tile, block), and each block writes to its own places. */
#include "render/bins.h"

typedef struct bin_job {
    const tl_rect *rects;
    size_t *places; /* [block][tile]: how many, then where to write next */
    uint32_t *items;
    size_t tiles, grain;
    size_t tiles_x;
} bin_job;

/* Steps the place of every tile that the things of a block touch; once there are items, writes them
 * there too. */
static void visit_tiles(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const bin_job *job = context;
    size_t *places = job->places + begin / job->grain * job->tiles;
    for (size_t i = begin; i < end; i++) {
        const tl_rect r = job->rects[i];
        if (r.x0 >= r.x1)
            continue;
        for (size_t y = r.y0 / TL_TILE; y * TL_TILE < r.y1; y++)
            for (size_t x = r.x0 / TL_TILE; x * TL_TILE < r.x1; x++) {
                const size_t place = places[y * job->tiles_x + x]++;
                if (job->items)
                    job->items[place] = (uint32_t)i;
            }
    }
}

tl_status tl_bins_build(const tl_parallel *parallel, tl_arena *arena, const tl_rect *rects,
                        size_t count, int tiles_x, int tiles_y, tl_bins *out, tl_error *error) {
    const size_t tiles = (size_t)tiles_x * (size_t)tiles_y;
    /* Few blocks, so that the table of counts stays small beside the things themselves. */
    const size_t grain = count / 64 > 4096 ? count / 64 : 4096;
    const size_t blocks = tl_block_count(count, grain);
    bin_job job = {.rects = rects, .tiles = tiles, .grain = grain, .tiles_x = (size_t)tiles_x};
    *out = (tl_bins){.tiles_x = tiles_x, .tiles_y = tiles_y};
    out->start = tl_arena_allocate(arena, tiles + 1, sizeof *out->start);
    job.places = tl_arena_allocate(arena, tiles * blocks, sizeof *job.places);
    if (!out->start || !job.places)
        return tl_fail_memory(error, tiles * (blocks + 1), sizeof *job.places);

    tl_parallel_for(parallel, count, grain, visit_tiles, &job);
    size_t total = 0;
    for (size_t t = 0; t < tiles; t++) {
        out->start[t] = total;
        for (size_t b = 0; b < blocks; b++) {
            size_t *place = &job.places[b * tiles + t];
            const size_t number = *place;
            *place = total;
            total += number;
        }
    }
    out->start[tiles] = total;
    job.items = out->items = tl_arena_allocate(arena, total, sizeof *out->items);
    if (!job.items)
        return tl_fail_memory(error, total, sizeof *job.items);
    tl_parallel_for(parallel, count, grain, visit_tiles, &job);
    return TL_OK;
}
