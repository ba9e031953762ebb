/* See cover.h. Samples are chosen among the spots of the shell (spots.h), the lattice first and
 * then at random, each with a least distance from the others of its layer, such that there is one a
 * spacing² when no more fit. Then they move a few times to the middle of the spots that are nearest
 * to them (Lloyd 1982), and take the volume of these. */
#include "boundary/cover.h"

#include "boundary/spots.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 4, NOBODY = 0 };
static const double least_distance = 0.785; /* of the spacing */

/* Samples in cells of one spacing, by a hash of the cell. */
typedef struct cells {
    double size;
    uint32_t *first; /* [mask + 1] index of a sample + 1; 0: none */
    uint32_t *next;  /* [samples] the same */
    uint64_t mask;
} cells;

typedef struct choice {
    tl_shell shell;
    const tl_parallel *parallel;
    tl_spots spots;
    uint32_t *owner; /* [spots] nearest sample + 1 */
    tl_spot *samples;
    size_t count;
    double (*sum)[4]; /* [samples] Σ share, Σ share x */
    cells cells;
} choice;

/* ---- Samples near a place -------------------------------------------------------------------- */

static void cell_of(const cells *c, const float x[3], long at[3]) {
    for (int k = 0; k < 3; k++)
        at[k] = lround(floor((double)x[k] / c->size));
}

/* The hash of Teschner et al. 2003. */
static uint32_t *first_in(const cells *c, long x, long y, long z) {
    const uint64_t hash =
        (uint64_t)x * 73856093u ^ (uint64_t)y * 19349663u ^ (uint64_t)z * 83492791u;
    return &c->first[hash & c->mask];
}

static void put_into_cell(choice *c, uint32_t i) {
    long at[3];
    cell_of(&c->cells, c->samples[i].position, at);
    uint32_t *first = first_in(&c->cells, at[0], at[1], at[2]);
    c->cells.next[i] = *first;
    *first = i + 1;
}

static double square_distance(const float a[3], const float b[3]) {
    const double u = (double)a[0] - (double)b[0], v = (double)a[1] - (double)b[1],
                 w = (double)a[2] - (double)b[2];
    return u * u + v * v + w * w;
}

/* The sample nearest to x within `reach` cells, + 1; of one layer, or of any if it is negative. */
static uint32_t nearest_sample(const choice *c, const float x[3], long layer, long reach,
                               double *best) {
    long at[3];
    uint32_t found = NOBODY;
    cell_of(&c->cells, x, at);
    for (long k = at[2] - reach; k <= at[2] + reach; k++)
        for (long j = at[1] - reach; j <= at[1] + reach; j++)
            for (long i = at[0] - reach; i <= at[0] + reach; i++)
                for (uint32_t s = *first_in(&c->cells, i, j, k); s; s = c->cells.next[s - 1]) {
                    const tl_spot *sample = &c->samples[s - 1];
                    const double d2 = square_distance(sample->position, x);
                    /* Of equals the first, whatever the order in the cells. */
                    if ((layer < 0 || sample->layer == (uint32_t)layer) &&
                        (d2 < *best || (d2 == *best && s < found))) {
                        *best = d2;
                        found = s;
                    }
                }
    return found;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

typedef struct turn {
    uint64_t order;
    uint32_t spot;
} turn;

static int compare_turns(const void *a, const void *b) {
    const turn *s = a, *t = b;
    if (s->order != t->order)
        return s->order < t->order ? -1 : 1;
    return s->spot < t->spot ? -1 : s->spot > t->spot;
}

static tl_spot_rank rank_of(const tl_spot *spot) { return (tl_spot_rank)(spot->order >> 62); }

static void choose_samples(choice *c, turn *turns) {
    const double least = least_distance * c->shell.spacing;
    for (size_t i = 0; i < c->spots.count; i++)
        turns[i] = (turn){c->spots.items[i].order, (uint32_t)i};
    qsort(turns, c->spots.count, sizeof *turns, compare_turns);
    for (size_t i = 0; i < c->spots.count; i++) {
        const tl_spot *spot = &c->spots.items[turns[i].spot];
        const long layer = rank_of(spot) >= TL_SPOT_COLUMN ? -1 : (long)spot->layer;
        double best = least * least;
        if (nearest_sample(c, spot->position, layer, 1, &best))
            continue;
        c->samples[c->count] = *spot;
        put_into_cell(c, (uint32_t)c->count++);
    }
}

/* ---- Sharing and evening out ----------------------------------------------------------------- */

static void find_owners(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const choice *c = context;
    for (size_t i = begin; i < end; i++) {
        const tl_spot *spot = &c->spots.items[i];
        double best = HUGE_VAL;
        c->owner[i] = nearest_sample(c, spot->position, (long)spot->layer, 1, &best);
        if (c->owner[i] == NOBODY)
            c->owner[i] = nearest_sample(c, spot->position, -1, 2, &best);
    }
}

static void share_spots(choice *c) {
    memset(c->cells.first, 0, (c->cells.mask + 1) * sizeof *c->cells.first);
    for (size_t s = 0; s < c->count; s++)
        put_into_cell(c, (uint32_t)s);
    tl_parallel_for(c->parallel, c->spots.count, TL_BLOCK, find_owners, c);
    memset(c->sum, 0, c->count * sizeof *c->sum);
    for (size_t i = 0; i < c->spots.count; i++) {
        const tl_spot *spot = &c->spots.items[i];
        if (c->owner[i] == NOBODY)
            continue;
        double *sum = c->sum[c->owner[i] - 1];
        sum[0] += (double)spot->share;
        for (int k = 0; k < 3; k++)
            sum[1 + k] += (double)spot->share * (double)spot->position[k];
    }
}

/* To the middle of its spots, and back onto its layer. */
static void move_samples(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const choice *c = context;
    for (size_t s = begin; s < end; s++) {
        tl_spot *sample = &c->samples[s];
        const double *sum = c->sum[s];
        if (rank_of(sample) != TL_SPOT_LAYER || !(sum[0] > 0))
            continue;
        tl_vec3 x = {sum[1] / sum[0], sum[2] / sum[0], sum[3] / sum[0]};
        const double depth = c->shell.sheet ? 0 : (sample->layer + 0.5) * c->shell.spacing;
        tl_nearest near;
        if (!tl_solid_nearest(c->shell.solid, x, 2 * c->shell.depth, &near) ||
            !tl_shell_settle(&c->shell, depth, &x, &near))
            continue;
        const double position[3] = {x.x, x.y, x.z},
                     from[3] = {near.point.x, near.point.y, near.point.z};
        for (int k = 0; k < 3; k++) {
            sample->position[k] = (float)position[k];
            if (!c->shell.sheet)
                sample->normal[k] = (float)((position[k] - from[k]) / near.distance);
        }
        sample->depth = (float)-near.distance;
    }
}

static tl_status allocate(choice *c, turn **turns, tl_error *error) {
    const size_t n = c->spots.count;
    for (c->cells.mask = 1023; c->cells.mask < n / 8; c->cells.mask = 2 * c->cells.mask + 1)
        ;
    c->cells.size = c->shell.spacing;
    c->cells.first = tl_allocate(c->cells.mask + 1, sizeof *c->cells.first);
    c->cells.next = tl_allocate(n, sizeof *c->cells.next);
    c->owner = tl_allocate(n, sizeof *c->owner);
    c->samples = tl_allocate(n, sizeof *c->samples);
    *turns = tl_allocate(n, sizeof **turns);
    if (!c->cells.first || !c->cells.next || !c->owner || !c->samples || !*turns)
        return tl_fail_memory(error, n, sizeof *c->samples);
    return TL_OK;
}

static tl_status choose(choice *c, tl_error *error) {
    turn *turns = NULL;
    TL_TRY(tl_spots_make(&c->shell, c->parallel, &c->spots, error));
    if (c->spots.count == 0)
        return TL_OK;
    if (c->spots.count >= UINT32_MAX)
        return tl_fail(error, TL_BAD_INPUT, "mesh", "use a coarser spacing or a smaller mesh",
                       "too many samples would cover it");
    const tl_status status = allocate(c, &turns, error);
    if (status == TL_OK)
        choose_samples(c, turns);
    free(turns);
    TL_TRY(status);
    c->sum = tl_allocate(c->count, sizeof *c->sum);
    if (!c->sum)
        return tl_fail_memory(error, c->count, sizeof *c->sum);
    share_spots(c);
    for (int k = 0; k < ROUNDS; k++) {
        tl_parallel_for(c->parallel, c->count, TL_BLOCK, move_samples, c);
        share_spots(c);
    }
    return TL_OK;
}

/* ---- The cover ------------------------------------------------------------------------------- */

static tl_status keep_samples(const choice *c, tl_cover *out, tl_error *error) {
    double shares = 0;
    for (size_t s = 0; s < c->count; s++)
        shares += c->sum[s][0];
    /* Beyond the rim of a sheet there are spots that are not above it: its area is known. */
    const double scale =
        c->shell.sheet ? tl_solid_area(c->shell.solid) / shares * c->shell.spacing : 1;
    TL_TRY(TL_ARRAY_RESERVE(out->items, 0, c->count, error));
    for (size_t s = 0; s < c->count; s++) {
        const tl_spot *from = &c->samples[s];
        if (!(c->sum[s][0] > 0))
            continue;
        tl_cover_sample *to = &out->items[out->count++];
        memcpy(to->position, from->position, sizeof to->position);
        memcpy(to->normal, from->normal, sizeof to->normal);
        to->depth = from->depth;
        to->volume = (float)(scale * c->sum[s][0]);
    }
    return TL_OK;
}

tl_status tl_cover_make(const tl_solid *solid, double spacing, double depth,
                        const tl_parallel *parallel, tl_cover *out, tl_error *error) {
    *out = (tl_cover){0};
    tl_vec3 low, high;
    tl_solid_bounds(solid, &low, &high);
    if (!(low.x <= high.x))
        return TL_OK;
    const double layers = fmax(ceil(depth / spacing - 0.5), 1);
    choice c = {.shell = {solid, spacing, depth, (uint32_t)layers, !tl_solid_is_closed(solid)},
                .parallel = parallel};
    tl_status status = choose(&c, error);
    if (status == TL_OK && c.count > 0)
        status = keep_samples(&c, out, error);
    tl_array_free(c.spots.items);
    free(c.owner);
    free(c.samples);
    free(c.sum);
    free(c.cells.first);
    free(c.cells.next);
    if (status != TL_OK)
        tl_cover_free(out);
    return status;
}

void tl_cover_free(tl_cover *cover) {
    tl_array_free(cover->items);
    *cover = (tl_cover){0};
}
