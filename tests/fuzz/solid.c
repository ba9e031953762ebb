/* Feeds solids with any vertices and triangles, and then asks: nearest points, sides, sweeps and
 * moves must come to an end and keep what they promise. The first byte chooses how the rest is
 * read: vertices as any doubles at all, or as small whole numbers, which meet and line up often. */
#include "base/random.h"
#include "mesh/predicates.h"
#include "mesh/sweep.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLIGHTS = 12 };

static double coordinate(const uint8_t *bytes, bool whole, double unit) {
    double value;
    memcpy(&value, bytes, sizeof value);
    return whole ? unit * (double)(bytes[0] % 8) : value;
}

static bool read_mesh(tl_mesh *m, const uint8_t *data, size_t size) {
    const bool whole = data[0] & 1;
    const double unit = data[0] & 2 ? 0.1 : 1;
    const size_t vertex = whole ? 3 : 3 * sizeof(double), vertices = data[1] % 64,
                 width = whole ? 1 : sizeof(double);
    m->closed = data[0] & 4;
    data += 2, size -= 2;
    for (size_t v = 0; v < vertices && size >= vertex + sizeof(double); v++) {
        const double x = coordinate(data, whole, unit), y = coordinate(data + width, whole, unit),
                     z = coordinate(data + 2 * width, whole, unit);
        if (tl_mesh_add_vertex(m, (tl_vec3){x, y, z}, NULL) != TL_OK)
            return false;
        data += vertex, size -= vertex;
    }
    for (; size >= 3; data += 3, size -= 3)
        if (tl_mesh_add_triangle(m, data[0] % 65, data[1] % 65, data[2] % 65, NULL) != TL_OK)
            return false;
    return true;
}

/* Somewhere in a box twice as large as the bounds. */
static tl_vec3 place_in(tl_vec3 low, tl_vec3 high, uint64_t k) {
    const double u = 2 * tl_random_uniform(1, 3 * k) - 0.5,
                 v = 2 * tl_random_uniform(1, 3 * k + 1) - 0.5,
                 w = 2 * tl_random_uniform(1, 3 * k + 2) - 0.5;
    return (tl_vec3){low.x + u * (high.x - low.x), low.y + v * (high.y - low.y),
                     low.z + w * (high.z - low.z)};
}

static void ask(const tl_solid *solid, const tl_mesh *m) {
    tl_vec3 low, high;
    tl_solid_bounds(solid, &low, &high);
    const double size = tl_vec3_length(tl_vec3_sub(high, low));
    for (uint64_t k = 0; k < FLIGHTS; k++) {
        tl_vec3 from = place_in(low, high, 2 * k);
        const tl_vec3 to = place_in(low, high, 2 * k + 1);
        if (k % 4 == 3)
            from = tl_mesh_corner(m, k % m->triangle_count, 0);
        tl_nearest near;
        if (!tl_solid_nearest(solid, from, HUGE_VAL, &near) || !(fabs(near.distance) <= 4 * size))
            abort();
        (void)tl_solid_inside(solid, from);
        const tl_slide slide =
            tl_solid_move(solid, from, to, k % 3 ? 0.01 * size : 0, k % 2, k % 5 / 4.0);
        for (size_t t = 0; t < m->triangle_count; t++)
            if (k % 4 != 3 && slide.touches == 0 &&
                tl_segment_meets(slide.start, slide.end, tl_mesh_corner(m, t, 0),
                                 tl_mesh_corner(m, t, 1), tl_mesh_corner(m, t, 2)) &&
                memcmp(&slide.start, &slide.end, sizeof slide.start) != 0)
                abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tl_mesh mesh = {0};
    tl_solid *solid = NULL;
    tl_error error = {0};
    if (size > 2 && read_mesh(&mesh, data, size)) {
        const tl_status status = tl_solid_make(&mesh, &solid, &error);
        if (status == TL_OK ? !solid : error.what[0] == 0)
            abort();
        if (status == TL_OK && mesh.triangle_count > 0)
            ask(solid, &mesh);
    }
    tl_solid_free(solid);
    tl_mesh_free(&mesh);
    return 0;
}
