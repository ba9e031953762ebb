/* Heat between rigid bodies: where they touch, their particles are pairs like those of other matter
 * (heat/conduction.h), so what one gets the other gives. Elsewhere the air between them insulates.
 * A particle sees its body touch another one if the point of the other that is nearest to it lies
 * on its own body; a pair conducts if both see that. */
#include "rigid/rigid.h"

#include <string.h>

/* Bodies that are nearer than this touch, in spacings. Meshes of round bodies are as much as a
 * fiftieth inside of them, and contacts leave less. */
static const double widest_gap = 0.1;

typedef struct touch_context {
    tl_rigids *all;
    const tl_rigid_matter *matter;
} touch_context;

/* From the frame of one body to the place in the mesh of another. */
static tl_vec3 place_in(const tl_rigid *from, const tl_rigid *to, tl_vec3 x) {
    return tl_vec3_add(tl_pose_back(&to->pose, tl_pose_apply(&from->pose, x)), to->start);
}

static bool sees_touch(const tl_rigid_matter *m, size_t i, const tl_rigid *own,
                       const tl_rigid *other) {
    tl_nearest there, here;
    const tl_vec3 x = place_in(own, other, tl_vec3_of(m->frame_place + 3 * i));
    if (!tl_solid_nearest(other->def->solid, x, tl_support_of(&m->sizes, i), &there))
        return false;
    const tl_vec3 back = place_in(other, own, tl_vec3_sub(there.point, other->start));
    return tl_solid_nearest(own->def->solid, back, m->spacing, &here) &&
           here.distance < widest_gap * m->spacing;
}

static void see_range(void *context, size_t begin, size_t end, int thread) {
    (void)thread;
    const touch_context *c = context;
    const tl_rigid_matter *m = c->matter;
    tl_rigids *all = c->all;
    for (size_t i = begin; i < end; i++) {
        uint32_t last = 0;
        bool touches = false;
        for (uint32_t p = all->near_first[i]; p < all->near_first[i + 1]; p++) {
            const uint32_t body = tl_rigid_owner(all, m, all->near[p]);
            if (body != last)
                touches = sees_touch(m, i, &all->items[tl_rigid_owner(all, m, i) - 1],
                                     &all->items[body - 1]);
            last = body;
            all->near_touches[p] = touches;
        }
    }
}

/* What particle i sees of a body. */
static bool touches_body(const tl_rigids *all, const tl_rigid_matter *m, size_t i, uint32_t body) {
    for (uint32_t p = all->near_first[i]; p < all->near_first[i + 1]; p++)
        if (tl_rigid_owner(all, m, all->near[p]) == body)
            return all->near_touches[p];
    return false;
}

/* The row of particle i with those of other bodies that it conducts to; empty without any. */
static tl_status join_row(tl_rigids *all, const tl_rigid_matter *m, const tl_neighbor_list *list,
                          size_t i, uint32_t dummy, tl_error *error) {
    tl_neighbor_list *t = &all->touching;
    const uint32_t first = all->near_first[i], last = all->near_first[i + 1];
    size_t size;
    const uint32_t *row = tl_neighbor_row(list, i, &size);
    t->begin[i] = t->index_count;
    t->size[i] = 0;
    if (first == last)
        return TL_OK;
    const size_t most = tl_pad_lanes(size + last - first);
    TL_TRY(TL_ARRAY_RESERVE(t->index, t->index_count, t->index_count + most, error));
    uint32_t *joined = t->index + t->index_count, count = (uint32_t)size;
    for (uint32_t p = first; p < last; p++)
        if (all->near_touches[p] && touches_body(all, m, all->near[p], tl_rigid_owner(all, m, i)))
            joined[count++] = all->near[p];
    if (count == size)
        return TL_OK;
    memcpy(joined, row, size * sizeof *row);
    for (size_t k = count; k < tl_pad_lanes(count); k++)
        joined[k] = dummy;
    t->size[i] = count;
    t->index_count += tl_pad_lanes(count);
    return TL_OK;
}

tl_status tl_rigids_find_touching(tl_rigids *all, const tl_rigid_matter *m,
                                  const tl_parallel *parallel, const tl_neighbor_list *list,
                                  uint32_t dummy, tl_error *error) {
    tl_neighbor_list *t = &all->touching;
    touch_context c = {all, m};
    const size_t n = m->count;
    TL_TRY(TL_ARRAY_RESERVE(all->near_touches, 0, all->near_first[n], error));
    tl_parallel_for(parallel, n, TL_BLOCK, see_range, &c);
    TL_TRY(TL_ARRAY_RESERVE(t->begin, 0, n, error));
    TL_TRY(TL_ARRAY_RESERVE(t->size, 0, n, error));
    t->row_count = n;
    t->index_count = 0;
    for (size_t i = 0; i < n; i++)
        TL_TRY(join_row(all, m, list, i, dummy, error));
    return TL_OK;
}
