/* See spots.h. The lattice starts at the low corner of the bounds, so that a box has whole cells
 * there. A cell that the surface cuts counts with the part of it that is inside, taken from the
 * distance of its middle as if the surface were plane. */
#include "boundary/spots.h"

#include "base/random.h"

#include <stdlib.h>

typedef struct lattice {
    const tl_shell *shell;
    double step;
    tl_vec3 origin; /* of the point with index 0 */
    long size[3];
    tl_spots *planes; /* [size[2]] */
    bool *failed;     /* [size[2]] */
} lattice;

/* The unit gradient of the signed distance; of a sheet, away from it. */
static tl_vec3 gradient(const tl_nearest *near, tl_vec3 x) {
    return near->distance == 0 ? near->normal
                               : tl_vec3_scale(tl_vec3_sub(x, near->point), 1 / near->distance);
}

/* On the way to the surface the nearest point stays the same; on the way down it does until another
 * part of the surface is nearer. */
bool tl_shell_settle(const tl_shell *shell, double depth, tl_vec3 *x, tl_nearest *near) {
    const double close = 1e-6 * shell->spacing;
    for (int k = 0; k < 8; k++) {
        const double before = near->distance;
        *x = tl_vec3_mad(*x, -depth - before, gradient(near, *x));
        if (-depth < before &&
            tl_solid_nearest_from(shell->solid, *x, depth - close, near->triangle, near))
            continue;
        near->distance = -depth;
        return true;
    }
    return fabs(near->distance + depth) < 0.05 * shell->spacing;
}

/* The part of a cube of edge `step` that is on the low side of a plane at `height` above its
 * middle: linear between the plane that only touches it and the other. */
static double part_below(double height, double step, tl_vec3 normal) {
    const double extent = step * (fabs(normal.x) + fabs(normal.y) + fabs(normal.z));
    return fmin(fmax(0.5 + height / extent, 0), 1);
}

static void keep(float out[3], tl_vec3 v) {
    out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z;
}

/* A column of the coarse lattice through a face across an axis. */
static bool is_on_lattice(const long at[3], tl_vec3 n) {
    const double along[3] = {fabs(n.x), fabs(n.y), fabs(n.z)};
    for (int k = 0; k < 3; k++)
        if (along[k] > 1 - 1e-9)
            return at[(k + 1) % 3] % TL_FINE == TL_FINE / 2 &&
                   at[(k + 2) % 3] % TL_FINE == TL_FINE / 2;
    return false;
}

static uint64_t order_of(const lattice *l, const long at[3], tl_spot_rank rank) {
    const uint64_t index = (uint64_t)((at[2] * l->size[1] + at[1]) * l->size[0] + at[0]);
    return (uint64_t)rank << 62 | tl_random_bits(1, index) >> 2;
}

static double share_of(const tl_shell *shell, double depth, double step, tl_vec3 normal) {
    if (shell->sheet) /* a band around it, weighted so that a unit of area has a share of one */
        return step * fmax(step + depth, 0);
    return step * step * step * part_below(depth, step, normal) *
           part_below(shell->depth - depth, step, normal);
}

/* From a place with this nearest point as deep as it gets, up to `depth`; outside, from the surface
 * on. Returns how deep that is. */
static double sink(const tl_shell *shell, const tl_nearest *near, double depth, tl_vec3 *x) {
    const tl_vec3 out = gradient(near, *x);
    const double start = fmax(-near->distance, 0), close = 1e-6 * shell->spacing;
    double low = 0, high = depth - start;
    if (near->distance > 0)
        *x = near->point;
    for (int k = 0; k < 12; k++) {
        const double middle = (low + high) / 2;
        tl_nearest other;
        if (tl_solid_nearest(shell->solid, tl_vec3_mad(*x, -middle, out),
                             fmax(start + middle - close, 0), &other))
            high = middle;
        else
            low = middle;
    }
    *x = tl_vec3_mad(*x, -low, out);
    return start + low;
}

/* The spot of a place whose nearest point is `near`; false if it has no share of the shell. */
static bool make_spot(const lattice *l, const long at[3], tl_vec3 place, tl_nearest near,
                      tl_spot *out) {
    const tl_shell *shell = l->shell;
    const tl_nearest here = near;
    tl_vec3 normal = gradient(&near, place), x = place;
    const double share = share_of(shell, -near.distance, l->step, normal);
    if (share <= 0)
        return false;
    const double layer = fmin(fmax(floor(-near.distance / shell->spacing), 0), shell->layers - 1);
    double depth = shell->sheet ? 0 : (layer + 0.5) * shell->spacing;
    const bool settled = tl_shell_settle(shell, depth, &x, &near);
    if (!settled) {
        x = place;
        depth = sink(shell, &here, depth, &x);
    } else if (!shell->sheet) {
        normal = gradient(&near, x);
    }
    const bool column = is_on_lattice(at, normal);
    const tl_spot_rank rank = settled  ? column ? TL_SPOT_LATTICE : TL_SPOT_LAYER
                              : column ? TL_SPOT_COLUMN
                                       : TL_SPOT_MIDDLE;
    *out = (tl_spot){.depth = (float)depth,
                     .share = (float)share,
                     .order = order_of(l, at, rank),
                     .layer = (uint32_t)layer};
    keep(out->position, x);
    if (!shell->sheet)
        keep(out->normal, normal);
    return true;
}

/* How far a place with this distance from the surface is from all that has a share. */
static double away_from(const tl_shell *shell, double distance, double step) {
    const double depth = shell->sheet ? 0 : shell->depth;
    return fmax(distance, -distance - depth) - step;
}

static tl_status fill_row(const lattice *l, long at[3], tl_spots *plane) {
    const tl_shell *shell = l->shell;
    const double step = l->step, look = 2 * (shell->depth + step);
    double reach = look;
    uint32_t guess = 0;
    for (at[0] = 0; at[0] < l->size[0]; at[0]++) {
        const tl_vec3 place = {l->origin.x + (double)at[0] * step,
                               l->origin.y + (double)at[1] * step,
                               l->origin.z + (double)at[2] * step};
        tl_nearest near = {.distance = -look}; /* inside, if it is not found: the safe guess */
        tl_spot spot;
        const bool found =
            tl_solid_nearest_from(shell->solid, place, fmin(reach, look), guess, &near);
        if (found && make_spot(l, at, place, near, &spot)) {
            TL_TRY(TL_ARRAY_RESERVE(plane->items, plane->count, plane->count + 1, NULL));
            plane->items[plane->count++] = spot;
        }
        guess = found ? near.triangle : guess;
        /* Distances change by no more than the way: leap, and look no farther than needed. */
        const long leap = (long)fmax(away_from(shell, near.distance, step) / step, 0);
        at[0] += leap;
        reach = fabs(near.distance) + ((double)leap + 1.001) * step;
    }
    return TL_OK;
}

static void fill_planes(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const lattice *l = context;
    for (size_t z = begin; z < end; z++) {
        long at[3] = {0, 0, (long)z};
        for (at[1] = 0; at[1] < l->size[1] && !l->failed[z]; at[1]++)
            l->failed[z] = fill_row(l, at, &l->planes[z]) != TL_OK;
    }
}

static tl_status join_planes(const lattice *l, tl_spots *out, tl_error *error) {
    const size_t planes = (size_t)l->size[2];
    size_t count = 0;
    for (size_t z = 0; z < planes; z++) {
        count += l->planes[z].count;
        if (l->failed[z])
            return tl_fail_memory(error, count, sizeof *out->items);
    }
    TL_TRY(TL_ARRAY_RESERVE(out->items, 0, count, error));
    for (size_t z = 0; z < planes; z++)
        for (size_t i = 0; i < l->planes[z].count; i++)
            out->items[out->count++] = l->planes[z].items[i];
    return TL_OK;
}

static tl_status choose_lattice(lattice *l, tl_error *error) {
    tl_vec3 low, high;
    tl_solid_bounds(l->shell->solid, &low, &high);
    l->step = l->shell->spacing / TL_FINE;
    const double extent[3] = {high.x - low.x, high.y - low.y, high.z - low.z};
    /* The solid side of a vessel is outside of its bounds. */
    const double margin = TL_FINE * ceil(l->shell->depth / l->shell->spacing + 1);
    double points = 1;
    for (int k = 0; k < 3; k++) {
        const double size = ceil(extent[k] / l->step) + 2 * margin;
        points *= size;
        l->size[k] = size < 1e9 ? (long)size : 1000000000;
    }
    if (!(points < 1e11))
        return tl_fail(error, TL_BAD_INPUT, "mesh", "use a coarser spacing or a smaller mesh",
                       "%g spacings across are too many to cover",
                       fmax(extent[0], fmax(extent[1], extent[2])) / l->shell->spacing);
    const double first = (0.5 - margin) * l->step;
    l->origin = (tl_vec3){low.x + first, low.y + first, low.z + first};
    return TL_OK;
}

tl_status tl_spots_make(const tl_shell *shell, const tl_parallel *parallel, tl_spots *out,
                        tl_error *error) {
    lattice l = {.shell = shell};
    TL_TRY(choose_lattice(&l, error));
    const size_t planes = (size_t)l.size[2];
    l.planes = tl_allocate(planes, sizeof *l.planes);
    l.failed = tl_allocate(planes, sizeof *l.failed);
    tl_status status = TL_OK;
    if (l.planes && l.failed) {
        tl_parallel_for(parallel, planes, 1, fill_planes, &l);
        status = join_planes(&l, out, error);
        for (size_t z = 0; z < planes; z++)
            tl_array_free(l.planes[z].items);
    } else {
        status = tl_fail_memory(error, planes, sizeof *l.planes);
    }
    free(l.planes);
    free(l.failed);
    return status;
}
