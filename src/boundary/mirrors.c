/* See mirrors.h. */
#include "boundary/mirrors.h"

#include "boundary/links.h"

static bool is_plane(const tl_shape *shape) {
    return !shape->is_box && !shape->is_ball && !shape->solid;
}

bool tl_is_mirror(const tl_shape *shape) {
    return is_plane(shape) && shape->slip >= 1 && !shape->moves && !isfinite(shape->stickiness);
}

/* What stands before a mirror would have to have images too. */
static bool are_planes(const tl_shapes *walls) {
    for (size_t k = 0; k < walls->count; k++)
        if (!is_plane(&walls->items[k]))
            return false;
    return true;
}

void tl_mirrors_choose(tl_mirrors *m, const tl_shapes *walls, tl_vec3 origin) {
    m->plane_count = 0;
    if (!walls || !are_planes(walls))
        return;
    for (size_t k = 0; k < walls->count && m->plane_count < TL_MOST_MIRROR_PLANES; k++) {
        const tl_shape *shape = &walls->items[k];
        if (!tl_is_mirror(shape))
            continue;
        const tl_vec3 n = shape->normal;
        m->plane[m->plane_count++] = (tl_mirror_plane){
            {(float)n.x, (float)n.y, (float)n.z}, (float)(shape->offset - tl_vec3_dot(n, origin))};
    }
}

/* The wall stands as far in front of the image as the particle in front of the wall: s = 2. */
static void add_image(const tl_strain *s, float unit, const tl_mirror *m, tl_wall_link *link) {
    static const float rest[3] = {0};
    const tl_motion *self = &s->motion[link->particle];
    float d[3], r2 = 0;
    for (int r = 0; r < 3; r++) {
        d[r] = m->Q[r][3] - self->x[r];
        for (int c = 0; c < 3; c++)
            d[r] += m->Q[r][c] * self->x[c];
        r2 += d[r] * d[r];
    }
    const tl_wide q = tl_splat(__builtin_sqrtf(r2) / s->support);
    const float w = -unit * self->volume * tl_lane(tl_kernel_slope(s->kernel, q), 0) / r2;
    if (!(w > 0))
        return;
    tl_link_add_across(link, d, w, 2, rest);
    link->fullness += w * r2 * r2;
    link->filling += tl_strain_filling(s, s->support, self->volume, r2);
}

void tl_mirrors_link(const tl_strain *s, float unit, tl_wall_link *link) {
    const tl_motion *self = &s->motion[link->particle];
    uint32_t near[TL_MOST_MIRRORS];
    const size_t count = tl_mirrors_near(&s->mirrors, self->x, s->support, near);
    for (size_t k = 0; k < count; k++)
        add_image(s, unit, &s->mirrors.items[near[k]], link);
}
