/* See field.h. A block gathers the blobs that reach it and adds them up row by row: the eight
 * points of a row along x are the lanes. Places come from the numbers of points in the whole grid,
 * and blobs come in one order, so that blocks agree on the points they share. Blocks in the midst
 * of matter, where every particle around is deep and none is missing, are passed over; should the
 * level lead into one of them after all, everything is evaluated. */
#include "surface/field.h"

#include "math/kernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2048 /* blocks evaluated before those that are kept are copied */, SIDE = 8 };
_Static_assert((int)SIDE == (int)TL_BLOCK_SIDE && SIDE % TL_LANES == 0,
               "a row is a whole number of wides");

/* ---- Which blocks -------------------------------------------------------------------------- */

/* A set of blocks: open addressing, half empty at least. */
typedef struct block_set {
    int32_t (*slot)[3];
    bool *is_used;
    size_t size, count;
} block_set;

static size_t slot_of(const block_set *set, const int32_t at[3]) {
    uint64_t h = (uint64_t)(uint32_t)at[0] * 0x9E3779B97F4A7C15u;
    h = (h ^ (uint32_t)at[1]) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (uint32_t)at[2]) * 0x94D049BB133111EBu;
    size_t i = (size_t)(h ^ h >> 29) & (set->size - 1);
    while (set->is_used[i] && memcmp(set->slot[i], at, sizeof set->slot[i]) != 0)
        i = (i + 1) & (set->size - 1);
    return i;
}

static void free_set(block_set *set) {
    free(set->slot);
    free(set->is_used);
}

static tl_status grow_set(block_set *set, tl_error *error) {
    block_set larger = {.size = set->size ? 2 * set->size : 1024, .count = set->count};
    larger.slot = tl_allocate(larger.size, sizeof *larger.slot);
    larger.is_used = tl_allocate(larger.size, sizeof *larger.is_used);
    if (!larger.slot || !larger.is_used) {
        free_set(&larger);
        return tl_fail_memory(error, larger.size, sizeof *larger.slot);
    }
    for (size_t i = 0; i < set->size; i++)
        if (set->is_used[i]) {
            const size_t to = slot_of(&larger, set->slot[i]);
            memcpy(larger.slot[to], set->slot[i], sizeof *larger.slot);
            larger.is_used[to] = true;
        }
    free_set(set);
    *set = larger;
    return TL_OK;
}

static tl_status add_block(block_set *set, const int32_t at[3], tl_error *error) {
    if (2 * (set->count + 1) > set->size)
        TL_TRY(grow_set(set, error));
    const size_t i = slot_of(set, at);
    set->count += !set->is_used[i];
    set->is_used[i] = true;
    memcpy(set->slot[i], at, sizeof set->slot[i]);
    return TL_OK;
}

/* Points that a blob reaches along an axis: numbers in the whole grid. */
static void reach_points(const tl_blob *b, int k, float cell, int32_t *first, int32_t *last) {
    *first = (int32_t)ceilf((b->x[k] - b->reach[k]) / cell);
    *last = (int32_t)floorf((b->x[k] + b->reach[k]) / cell);
}

static int32_t divide_down(int32_t a, int32_t b) { return a / b - (a % b < 0); }

/* All blocks that a blob reaches, in order. */
static tl_status list_blocks(const tl_blobs *blobs, float cell, block_set *set, tl_error *error) {
    int32_t before[6] = {0}, at[3];
    for (size_t i = 0; i < blobs->count; i++) {
        int32_t range[6]; /* first and last block along each axis */
        for (int k = 0; k < 3; k++) {
            int32_t first, last;
            reach_points(&blobs->blob[i], k, cell, &first, &last);
            range[2 * k] = divide_down(first - 1, TL_BLOCK_CELLS);
            range[2 * k + 1] = divide_down(last, TL_BLOCK_CELLS);
        }
        if (i > 0 && memcmp(range, before, sizeof range) == 0)
            continue;
        memcpy(before, range, sizeof range);
        for (at[2] = range[4]; at[2] <= range[5]; at[2]++)
            for (at[1] = range[2]; at[1] <= range[3]; at[1]++)
                for (at[0] = range[0]; at[0] <= range[1]; at[0]++)
                    TL_TRY(add_block(set, at, error));
    }
    return TL_OK;
}

static int compare_blocks(const void *a, const void *b) { return tl_block_compare(a, b); }

/* Closes the set up to a sorted list in its first slots. */
static void sort_set(block_set *set) {
    size_t count = 0;
    for (size_t i = 0; i < set->size; i++)
        if (set->is_used[i])
            memmove(set->slot[count++], set->slot[i], sizeof set->slot[i]);
    if (count > 0)
        qsort(set->slot, count, sizeof *set->slot, compare_blocks);
}

/* ---- What is in them ----------------------------------------------------------------------- */

typedef struct job {
    const tl_cloud *cloud;
    const tl_blobs *blobs;
    tl_field_options options;
    const int32_t (*at)[3];
    float (*value)[TL_BLOCK_POINTS];
    bool *is_kept;
} job;

/* Adds a blob to a block whose first point has the numbers `origin`. */
static void add_blob(const tl_blob *b, const int32_t origin[3], float cell, const tl_wide x[],
                     float *value) {
    int32_t first[3], last[3];
    for (int k = 0; k < 3; k++) {
        reach_points(b, k, cell, &first[k], &last[k]);
        first[k] = first[k] > origin[k] ? first[k] : origin[k];
        last[k] = last[k] < origin[k] + SIDE - 1 ? last[k] : origin[k] + SIDE - 1;
        if (first[k] > last[k])
            return;
    }
    const tl_wide centre = tl_splat(b->x[0]), M0 = tl_splat(b->M[0]), weight = tl_splat(b->weight);
    for (int32_t z = first[2]; z <= last[2]; z++)
        for (int32_t y = first[1]; y <= last[1]; y++) {
            const float dy = (float)y * cell - b->x[1], dz = (float)z * cell - b->x[2];
            const float linear = 2 * (b->M[3] * dy + b->M[5] * dz);
            const float rest = b->M[1] * dy * dy + 2 * b->M[4] * dy * dz + b->M[2] * dz * dz;
            if (rest - linear * linear / (4 * b->M[0]) >= 1)
                continue;
            float *row = value + ((z - origin[2]) * SIDE + (y - origin[1])) * SIDE;
            for (int l = 0; l < SIDE / TL_LANES; l++) {
                const tl_wide dx = x[l] - centre;
                const tl_wide q2 = (M0 * dx + tl_splat(linear)) * dx + tl_splat(rest);
                const tl_wide w = tl_kernel_shape(TL_KERNEL_WENDLAND, tl_sqrt(tl_positive(q2)));
                tl_store(row + l * TL_LANES, tl_load(row + l * TL_LANES) + weight * w);
            }
        }
}

/* How far inside the level a value of φ is, in supports, if it were that of one blob: the inverse
 * of w to 0.01. It is nearly linear across a surface where φ is not, so that interpolation between
 * points of the grid finds the level where it is. */
static float depth_of(float phi) {
    const float s = sqrtf(fmaxf(1 - sqrtf(sqrtf(phi)), 0));
    return -s * (0.64f + 0.36f * s);
}

/* Deep particles all around, and about as many within as there is room for. */
static bool is_deep(const job *j, const tl_stretch *runs, size_t count, const float low[3],
                    const float high[3]) {
    float within = 0; /* volume */
    for (size_t r = 0; r < count; r++)
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++) {
            const tl_blob *b = &j->blobs->blob[i];
            bool is_around = true, is_within = true;
            for (int k = 0; k < 3; k++) {
                is_around = is_around && b->x[k] > low[k] - TL_BLOB_BULK &&
                            b->x[k] < high[k] + TL_BLOB_BULK;
                is_within = is_within && b->x[k] > low[k] && b->x[k] < high[k];
            }
            if (is_around && !b->is_deep)
                return false;
            const float size = tl_cloud_size(j->cloud, i);
            within += is_within ? size * size * size : 0;
        }
    const float room = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    return within > 0.7f * room;
}

static void evaluate_block(const job *j, size_t block) {
    const float cell = j->options.cell, farthest = TL_BLOB_REACH;
    float low[3], high[3], wide_low[3], wide_high[3], *value = j->value[block];
    int32_t origin[3];
    tl_stretch runs[TL_CLOUD_RUNS];
    for (int k = 0; k < 3; k++) {
        origin[k] = TL_BLOCK_CELLS * j->at[block][k];
        low[k] = (float)origin[k] * cell, high[k] = (float)(origin[k] + SIDE - 1) * cell;
        wide_low[k] = low[k] - farthest, wide_high[k] = high[k] + farthest;
    }
    const size_t count = tl_cloud_runs(j->cloud, wide_low, wide_high, runs);
    j->is_kept[block] = false;
    if (!j->options.everywhere && is_deep(j, runs, count, low, high))
        return;
    tl_wide x[SIDE / TL_LANES];
    for (int l = 0; l < SIDE / TL_LANES; l++) {
        float place[TL_LANES];
        for (int i = 0; i < TL_LANES; i++)
            place[i] = (float)(origin[0] + l * TL_LANES + i) * cell;
        x[l] = tl_load(place);
    }
    memset(value, 0, TL_BLOCK_POINTS * sizeof *value);
    for (size_t r = 0; r < count; r++)
        for (uint32_t i = runs[r].begin; i < runs[r].end; i++)
            add_blob(&j->blobs->blob[i], origin, cell, x, value);
    const float level = depth_of(TL_BLOB_LEVEL);
    for (size_t i = 0; i < TL_BLOCK_POINTS; i++)
        value[i] = depth_of(value[i]) - level;
    j->is_kept[block] = tl_block_is_mixed(value);
}

static void evaluate_blocks(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    for (size_t b = begin; b < end; b++)
        evaluate_block(context, b);
}

static tl_status evaluate(job *j, size_t count, const tl_parallel *parallel, tl_blocks *out,
                          tl_error *error) {
    const int32_t(*all)[3] = j->at;
    for (size_t begin = 0; begin < count; begin += BATCH) {
        const size_t n = count - begin < BATCH ? count - begin : BATCH;
        j->at = all + begin;
        tl_parallel_for(parallel, n, 4, evaluate_blocks, j);
        for (size_t b = 0; b < n; b++)
            if (j->is_kept[b])
                TL_TRY(tl_blocks_add(out, j->at[b], j->value[b], error));
    }
    return TL_OK;
}

/* ---- What was passed over ------------------------------------------------------------------ */

/* Whether some of the points that a block shares with the one beside it are inside and some not. */
static bool is_cut_towards(const float *value, const int32_t to[3]) {
    int first[3], last[3], inside = 0, count = 0;
    for (int k = 0; k < 3; k++) {
        first[k] = to[k] > 0 ? SIDE - 1 : 0;
        last[k] = to[k] < 0 ? 0 : SIDE - 1;
    }
    for (int z = first[2]; z <= last[2]; z++)
        for (int y = first[1]; y <= last[1]; y++)
            for (int x = first[0]; x <= last[0]; x++, count++)
                inside += value[(z * SIDE + y) * SIDE + x] >= 0;
    return inside > 0 && inside < count;
}

/* False when the level goes on into a block that is not there: one was passed over wrongly. */
static bool is_whole(const tl_blocks *b) {
    for (size_t i = 0; i < b->count; i++)
        for (int d = 0; d < 27; d++) {
            const int32_t to[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
            const int32_t at[3] = {b->at[i][0] + to[0], b->at[i][1] + to[1], b->at[i][2] + to[2]};
            if (is_cut_towards(b->value[i], to) && tl_blocks_find(b, at) == SIZE_MAX)
                return false;
        }
    return true;
}

tl_status tl_field_make(const tl_cloud *cloud, const tl_blobs *blobs,
                        const tl_field_options *options, const tl_parallel *parallel,
                        tl_blocks *out, tl_error *error) {
    block_set set = {0};
    float(*value)[TL_BLOCK_POINTS] = tl_allocate(BATCH, sizeof *value);
    bool *is_kept = tl_allocate(BATCH, sizeof *is_kept);
    tl_status status = value && is_kept ? TL_OK : tl_fail_memory(error, BATCH, sizeof *value);
    memcpy(out->origin, cloud->middle, sizeof out->origin);
    out->cell = (double)options->cell * cloud->spacing;
    if (status == TL_OK)
        status = list_blocks(blobs, options->cell, &set, error);
    if (status == TL_OK) {
        sort_set(&set);
        job j = {cloud, blobs, *options, (const int32_t(*)[3])set.slot, value, is_kept};
        status = evaluate(&j, set.count, parallel, out, error);
        if (status == TL_OK && !options->everywhere && !is_whole(out)) {
            out->count = 0;
            j.at = (const int32_t(*)[3])set.slot;
            j.options.everywhere = true;
            status = evaluate(&j, set.count, parallel, out, error);
        }
    }
    free_set(&set);
    free(value);
    free(is_kept);
    return status;
}
