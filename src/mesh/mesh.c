/* See mesh.h. Moments are sums over the tetrahedra that the triangles span with a point near them
 * (Eberly, Polyhedral mass properties, 2002): exact, and signed so that what lies outside cancels.
 */
#include "mesh/mesh.h"

tl_status tl_mesh_add_vertex(tl_mesh *m, tl_vec3 vertex, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(m->vertices, m->vertex_count, m->vertex_count + 1, error));
    m->vertices[m->vertex_count++] = vertex;
    return TL_OK;
}

tl_status tl_mesh_add_triangle(tl_mesh *m, uint32_t a, uint32_t b, uint32_t c, tl_error *error) {
    TL_TRY(TL_ARRAY_RESERVE(m->triangles, m->triangle_count, m->triangle_count + 1, error));
    uint32_t *corner = m->triangles[m->triangle_count++];
    corner[0] = a, corner[1] = b, corner[2] = c;
    return TL_OK;
}

void tl_mesh_bounds(const tl_mesh *m, tl_vec3 *low, tl_vec3 *high) {
    *low = (tl_vec3){HUGE_VAL, HUGE_VAL, HUGE_VAL};
    *high = (tl_vec3){-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < m->vertex_count; i++) {
        const tl_vec3 v = m->vertices[i];
        *low = (tl_vec3){fmin(low->x, v.x), fmin(low->y, v.y), fmin(low->z, v.z)};
        *high = (tl_vec3){fmax(high->x, v.x), fmax(high->y, v.y), fmax(high->z, v.z)};
    }
}

double tl_mesh_area(const tl_mesh *m) {
    double area = 0;
    for (size_t t = 0; t < m->triangle_count; t++) {
        const tl_vec3 a = tl_mesh_corner(m, t, 0);
        area += tl_vec3_length(tl_vec3_cross(tl_vec3_sub(tl_mesh_corner(m, t, 1), a),
                                             tl_vec3_sub(tl_mesh_corner(m, t, 2), a)));
    }
    return area / 2;
}

/* ∫ x_k x_l over the tetrahedron of the origin and three corners is its volume times
 * (Σ_ab a_k b_l + Σ_a a_k a_l) / 20. */
static void add_tetrahedron(const double corner[3][3], double volume, double first[3],
                            double second[3][3]) {
    for (int k = 0; k < 3; k++) {
        const double sum_k = corner[0][k] + corner[1][k] + corner[2][k];
        first[k] += volume * sum_k / 4;
        for (int l = 0; l < 3; l++) {
            const double sum_l = corner[0][l] + corner[1][l] + corner[2][l];
            double own = 0;
            for (int a = 0; a < 3; a++)
                own += corner[a][k] * corner[a][l];
            second[k][l] += volume * (sum_k * sum_l + own) / 20;
        }
    }
}

tl_mesh_moments tl_mesh_find_moments(const tl_mesh *m) {
    tl_mesh_moments out = {0};
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    const tl_vec3 middle = tl_vec3_scale(tl_vec3_add(low, high), 0.5);
    double first[3] = {0}, second[3][3] = {{0}};
    for (size_t t = 0; t < m->triangle_count; t++) {
        tl_vec3 v[3];
        double corner[3][3];
        for (int k = 0; k < 3; k++) {
            v[k] = tl_vec3_sub(tl_mesh_corner(m, t, k), middle);
            corner[k][0] = v[k].x, corner[k][1] = v[k].y, corner[k][2] = v[k].z;
        }
        const double volume = tl_vec3_dot(v[0], tl_vec3_cross(v[1], v[2])) / 6;
        out.volume += volume;
        add_tetrahedron(corner, volume, first, second);
    }
    if (out.volume == 0)
        return out;
    for (int k = 0; k < 3; k++)
        first[k] /= out.volume;
    out.centroid = tl_vec3_add(middle, tl_vec3_of(first));
    double central[3][3], trace = 0;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            central[k][l] = second[k][l] - out.volume * first[k] * first[l];
        trace += central[k][k];
    }
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            out.inertia[k][l] = (k == l ? trace : 0) - central[k][l];
    return out;
}

void tl_mesh_free(tl_mesh *m) {
    TL_ARRAYS_FREE(m->vertices, m->triangles, m->colours);
    *m = (tl_mesh){0};
}
