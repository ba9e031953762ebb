/* See edges.h. */
#include "mesh/edges.h"

#include <stdlib.h>

static int compare_sides(const void *a, const void *b) {
    const tl_mesh_side *s = a, *t = b;
    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    if (s->high != t->high)
        return s->high < t->high ? -1 : 1;
    return (s->side > t->side) - (s->side < t->side);
}

tl_status tl_mesh_sides(const tl_mesh *m, tl_mesh_side **out, tl_error *error) {
    const size_t count = 3 * m->triangle_count;
    tl_mesh_side *sides = tl_allocate(count, sizeof *sides);
    if (!sides)
        return tl_fail_memory(error, count, sizeof *sides);
    for (size_t i = 0; i < count; i++) {
        const uint32_t *corner = m->triangles[i / 3];
        const uint32_t a = corner[i % 3], b = corner[(i + 1) % 3];
        sides[i] = (tl_mesh_side){a < b ? a : b, a < b ? b : a, (uint32_t)i, a > b};
    }
    if (count)
        qsort(sides, count, sizeof *sides, compare_sides);
    *out = sides;
    return TL_OK;
}
