/* Holes that are closed: with the vertices around them, looking the way their neighbours do. */
#include "mesh/edges.h"
#include "mesh/holes.h"
#include "mesh/inspect.h"
#include "mesh/repair.h"
#include "meshes.h"

#include <stdlib.h>
#include <string.h>

static double volume_of(const tl_mesh *m) { return tl_mesh_find_moments(m).volume; }

static void take_triangle(tl_mesh *m, size_t t) {
    memcpy(m->triangles[t], m->triangles[--m->triangle_count], sizeof *m->triangles);
}

/* Closes so many holes, after which the mesh is closed and nothing passes through anything. */
static void closes(tl_mesh *m, size_t holes) {
    tl_error error = {0};
    tl_mesh_findings findings;
    size_t found;
    cr_assert_eq(tl_mesh_repair(m, NULL, &error), TL_OK);
    cr_assert_not(m->closed);
    cr_assert_eq(tl_mesh_close_holes(m, &found, &error), TL_OK, "%s", error.what);
    cr_assert_eq(found, holes, "%zu holes", found);
    cr_assert_eq(tl_mesh_repair(m, NULL, &error), TL_OK);
    cr_assert(m->closed);
    cr_assert_eq(tl_mesh_inspect(m, &findings, &error), TL_OK);
    cr_assert_eq(findings.open_edges + findings.crowded_edges + findings.twisted_edges, 0);
    cr_assert_eq(findings.crossings, 0);
}

Test(holes, a_box_gets_its_sides_back) {
    for (size_t missing = 0; missing < 6; missing++) {
        tl_mesh m = mesh_of_box((tl_vec3){0, 0, 0}, (tl_vec3){1, 2, 3});
        memmove(m.triangles[2 * missing], m.triangles[2 * missing + 2],
                (10 - 2 * missing) * sizeof *m.triangles);
        m.triangle_count -= 2;
        closes(&m, 1);
        cr_assert_eq(m.triangle_count, 12);
        cr_assert_float_eq(volume_of(&m), 6, 1e-12);
        cr_assert_float_eq(tl_mesh_area(&m), 22, 1e-12);
        tl_mesh_free(&m);
    }
}

/* The cover must not use the edge that the two triangles share. */
Test(holes, an_edge_of_the_mesh_is_not_used_again) {
    tl_mesh m = {0};
    put_vertex(&m, (tl_vec3){0, 0, 0});
    put_vertex(&m, (tl_vec3){0.1, 0, 0});
    put_vertex(&m, (tl_vec3){0, 1, 0});
    put_vertex(&m, (tl_vec3){0, 0, 1});
    put_triangle(&m, 0, 2, 1);
    put_triangle(&m, 0, 1, 3);
    closes(&m, 1);
    cr_assert_float_eq(volume_of(&m), 0.1 / 6, 1e-12);
    tl_mesh_free(&m);
}

/* A prism over a star of so many tips, without its lid. */
static tl_mesh open_star(uint32_t tips, double inner) {
    tl_mesh m = {0};
    const uint32_t n = 2 * tips;
    for (uint32_t layer = 0; layer < 2; layer++)
        for (uint32_t k = 0; k < n; k++) {
            const double r = k % 2 ? inner : 1, a = 2 * M_PI * k / n;
            put_vertex(&m, (tl_vec3){r * cos(a), r * sin(a), layer});
        }
    const uint32_t middle = put_vertex(&m, (tl_vec3){0, 0, 0});
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t next = (k + 1) % n;
        put_quad(&m, k, next, n + next, n + k);
        put_triangle(&m, middle, next, k);
    }
    return m;
}

/* Area tells a lid that stays within its outline. */
Test(holes, lids_stay_within_outlines_that_are_not_convex) {
    for (uint32_t tips = 3; tips < 200; tips *= 2) {
        const double inner = 0.2, side = sin(M_PI / tips), base = tips * inner * side;
        tl_mesh m = open_star(tips, inner);
        const double open_area = tl_mesh_area(&m);
        closes(&m, 1);
        cr_assert_float_eq(tl_mesh_area(&m) - open_area, base, 1e-9 * base, "%u tips", tips);
        cr_assert_float_eq(volume_of(&m), base, 1e-9 * base, "%u tips", tips);
        tl_mesh_free(&m);
    }
}

/* A tube whose ends are waves. */
Test(holes, loops_that_are_not_flat_are_covered_narrowly) {
    enum { AROUND = 60 };
    tl_mesh m = {0};
    for (uint32_t end = 0; end < 2; end++)
        for (uint32_t k = 0; k < AROUND; k++) {
            const double a = 2 * M_PI * k / AROUND;
            put_vertex(&m, (tl_vec3){cos(a), sin(a), 2 * end + 0.3 * sin(2 * a)});
        }
    for (uint32_t k = 0; k < AROUND; k++) {
        const uint32_t next = (k + 1) % AROUND;
        put_quad(&m, k, next, AROUND + next, AROUND + k);
    }
    const double open_area = tl_mesh_area(&m);
    closes(&m, 2);
    cr_assert_float_eq(volume_of(&m) / (AROUND * sin(2 * M_PI / AROUND)), 1, 0.03);
    cr_assert_lt(tl_mesh_area(&m) - open_area, 2 * M_PI * 1.2);
    tl_mesh_free(&m);
}

Test(holes, a_ball_with_many_holes_keeps_its_volume) {
    tl_mesh m = mesh_of_ball(1, 40, 0, 1);
    const double volume = volume_of(&m);
    bool used[4000] = {false};
    size_t holes = 0;
    for (size_t t = 0; t < m.triangle_count; t += 17) {
        const uint32_t *c = m.triangles[t];
        if (used[c[0]] || used[c[1]] || used[c[2]])
            continue;
        used[c[0]] = used[c[1]] = used[c[2]] = true;
        take_triangle(&m, t);
        holes++;
    }
    cr_assert_gt(holes, 100);
    closes(&m, holes);
    cr_assert_float_eq(volume_of(&m), volume, 1e-12);
    tl_mesh_free(&m);
}

static void refuses(tl_mesh *m, const char *what) {
    tl_error error = {0};
    size_t holes;
    cr_assert_eq(tl_mesh_repair(m, NULL, &error), TL_OK);
    const size_t before = m->triangle_count;
    cr_assert_eq(tl_mesh_close_holes(m, &holes, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, what), "%s", error.what);
    cr_assert_eq(m->triangle_count, before);
    cr_assert_eq(holes, 0);
    tl_mesh_free(m);
}

Test(holes, holes_that_meet_are_refused_with_counts) {
    tl_mesh m = mesh_of_ball(1, 10, 0, 1);
    const uint32_t tip = m.triangles[0][0];
    size_t taken = 0;
    for (size_t t = 0; t < m.triangle_count && taken < 2; t++)
        for (int k = 0; k < 3; k++)
            if (m.triangles[t][k] == tip && (taken == 0 || t > 20)) {
                take_triangle(&m, t);
                taken++;
                break;
            }
    cr_assert_eq(taken, 2);
    refuses(&m, "the 6 open edges of the mesh are not closed loops: at 1 vertices");
}

/* A Möbius strip has one edge and no sides that agree. */
Test(holes, a_strip_with_one_side_is_refused) {
    enum { LENGTH = 20 };
    tl_mesh m = {0};
    for (uint32_t k = 0; k < LENGTH; k++)
        for (int s = -1; s <= 1; s += 2) {
            const double a = 2 * M_PI * k / LENGTH, r = 1 + 0.3 * s * cos(a / 2);
            put_vertex(&m, (tl_vec3){r * cos(a), r * sin(a), 0.3 * s * sin(a / 2)});
        }
    for (uint32_t k = 0; k + 1 < LENGTH; k++)
        put_quad(&m, 2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2);
    put_quad(&m, 2 * LENGTH - 2, 2 * LENGTH - 1, 0, 1);
    refuses(&m, "the 40 open edges of the mesh are not closed loops");
}
