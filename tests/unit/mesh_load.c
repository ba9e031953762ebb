/* Mesh files: what is read, mended, and found wrong. */
#include "base/text.h"
#include "mesh/inspect.h"
#include "mesh/load.h"
#include "mesh/repair.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tl_mesh read_obj(const char *text) {
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_mesh_read_obj(text, "test.obj", &mesh, &error), TL_OK, "%s", error.what);
    return mesh;
}

static tl_mesh_repairs repair(tl_mesh *mesh) {
    tl_mesh_repairs repairs;
    tl_error error = {0};
    cr_assert_eq(tl_mesh_repair(mesh, &repairs, &error), TL_OK, "%s", error.what);
    return repairs;
}

static tl_mesh_findings inspect(const tl_mesh *mesh) {
    tl_mesh_findings findings;
    tl_error error = {0};
    cr_assert_eq(tl_mesh_inspect(mesh, &findings, &error), TL_OK, "%s", error.what);
    return findings;
}

/* A box from corners of `side`; `inwards` turns every triangle. */
static void add_box(tl_mesh *m, tl_vec3 at, double side, bool inwards) {
    static const uint32_t faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                          {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                          {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    const uint32_t first = (uint32_t)m->vertex_count;
    for (int k = 0; k < 8; k++)
        tl_mesh_add_vertex(m,
                           (tl_vec3){at.x + side * (k & 1), at.y + side * (k >> 1 & 1),
                                     at.z + side * (k >> 2 & 1)},
                           NULL);
    for (int t = 0; t < 12; t++)
        tl_mesh_add_triangle(m, first + faces[t][0], first + faces[t][inwards ? 2 : 1],
                             first + faces[t][inwards ? 1 : 2], NULL);
}

static double volume_of(const tl_mesh *m) { return tl_mesh_find_moments(m).volume; }

/* ---- Reading ---- */

static const char pyramid[] = "# a pyramid\n"
                              "o thing\n"
                              "v 0 0 0\nv 1 0 0\r\nv 1 1 0 1.0\n  v 0 1 0\nv\t0.5 0.5 1e0\n"
                              "vn 0 0 1\nvt 0 0\n"
                              "f 4 3 2 1\n"
                              "f 1/1 2/2 5/3\nf 2//1 3//1 5//1\nf 3/1/1 4/1/1 5/1/1 # last\n"
                              "f -2 -5 -1";

Test(obj, faces_of_all_notations_make_a_closed_mesh) {
    tl_mesh mesh = read_obj(pyramid);
    cr_assert_eq(mesh.vertex_count, 5);
    cr_assert_eq(mesh.triangle_count, 6);
    cr_assert_null(mesh.colours);
    const tl_mesh_repairs repairs = repair(&mesh);
    cr_assert(mesh.closed);
    cr_assert_eq(repairs.welded + repairs.flat + repairs.repeated + repairs.turned, 0);
    cr_assert_eq(repairs.shells, 1);
    cr_assert_float_eq(volume_of(&mesh), 1.0 / 3, 1e-12);
    tl_mesh_free(&mesh);
}

Test(obj, colours_stand_behind_the_coordinates) {
    tl_mesh mesh = read_obj("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 0.5\nf 1 2 3\n");
    cr_assert_eq(mesh.colours[0][0], 1);
    cr_assert_eq(mesh.colours[2][2], 0.5f);
    tl_mesh_free(&mesh);
    mesh = read_obj("v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    cr_assert_null(mesh.colours, "not all have one");
    tl_mesh_free(&mesh);
}

Test(obj, what_is_wrong_is_told_with_its_line) {
    static const struct {
        const char *text, *what;
    } wrong[] = {{"v 0 0\n", "line 1: a vertex has three"},
                 {"v 0 0 0\nv 0 zero 1\n", "line 2: a vertex has three"},
                 {"v 0 0 0\n\nf 1 1\n", "line 3: a face has at least three"},
                 {"v 0 0 0\nf 1 1 2\n", "line 2: a face has a vertex that is not there"},
                 {"v 0 0 0\nf 1 1 0\n", "line 2: a face has a vertex that is not there"},
                 {"v 0 0 0\nf 1 1 -2\n", "line 2: a face has a vertex that is not there"},
                 {"v 0 0 0\nf 1 1 99999999999999999999\n", "that is not there"},
                 {"v 0 0 0\nf 1 a 1\n", "a face is a list of numbers"},
                 {"v 0 0 0\nf 1 /1 1\n", "a face is a list of numbers"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        tl_mesh mesh = {0};
        tl_error error = {0};
        cr_assert_eq(tl_mesh_read_obj(wrong[i].text, "test.obj", &mesh, &error), TL_BAD_INPUT);
        cr_assert(strstr(error.what, wrong[i].what), "%s", error.what);
        tl_mesh_free(&mesh);
    }
}

static char *write_file(const char *ending, const char *text) {
    static char path[64];
    snprintf(path, sizeof path, P_tmpdir "/tallow-mesh-XXXXXX%s", ending);
    const int file = mkstemps(path, (int)strlen(ending));
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}

static void refuses(const char *ending, const char *text, const char *what) {
    const char *path = write_file(ending, text);
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_mesh_load(path, &mesh, &error), TL_BAD_INPUT);
    cr_assert(strstr(error.what, what), "%s", error.what);
    unlink(path);
    tl_mesh_free(&mesh);
}

Test(load, files_that_are_no_meshes_are_refused) {
    refuses(".obj", "v 0 0 nan\nv 1 inf 0\nv 1 0 0\nf 1 2 3\n", "2 of the 3 vertices");
    refuses(".obj", "v 0 0 0\n", "no triangles");
    refuses(".stl", "this is no mesh", tl_mesh_has_assimp() ? "is not a mesh" : "OBJ files only");
}

/* Sparse files tell a size without having it. */
Test(load, a_file_that_would_not_fit_is_refused_before_it_is_read) {
    const char *path = write_file(".obj", "v 0 0 0\n");
    cr_assert_eq(truncate(path, (off_t)1 << 40), 0);
    tl_mesh mesh = {0};
    tl_error error = {0};
    const tl_status status = tl_mesh_load(path, &mesh, &error);
    unlink(path);
    cr_assert_eq(status, TL_NO_MEMORY);
    cr_assert(strstr(error.what, "needs about 8.19e+03 GiB of memory"), "%s", error.what);
}

Test(load, stl_and_ply_give_the_box_that_they_hold) {
    if (!tl_mesh_has_assimp())
        return;
    tl_text text = {0};
    tl_mesh box = {0};
    add_box(&box, (tl_vec3){1, 2, 3}, 2, false);
    tl_text_print(&text, "solid box\n");
    for (size_t t = 0; t < 12; t++) {
        tl_text_print(&text, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const tl_vec3 v = tl_mesh_corner(&box, t, k);
            tl_text_print(&text, "vertex %g %g %g\n", v.x, v.y, v.z);
        }
        tl_text_print(&text, "endloop\nendfacet\n");
    }
    tl_text_print(&text, "endsolid box\n");
    const char *path = write_file(".stl", text.bytes);
    tl_mesh mesh = {0};
    tl_error error = {0};
    cr_assert_eq(tl_mesh_load(path, &mesh, &error), TL_OK, "%s", error.what);
    unlink(path);
    const tl_mesh_repairs repairs = repair(&mesh);
    cr_assert_eq(repairs.welded, 36 - 8);
    cr_assert(mesh.closed);
    cr_assert_float_eq(volume_of(&mesh), 8, 1e-6);
    tl_mesh_free(&mesh);
    tl_mesh_free(&box);
    free(text.bytes);
}

/* ---- Repairs ---- */

Test(repair, triangles_that_disagree_are_turned) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    for (size_t t = 0; t < 12; t += 5) {
        const uint32_t swapped = m.triangles[t][0];
        m.triangles[t][0] = m.triangles[t][1];
        m.triangles[t][1] = swapped;
    }
    repair(&m);
    cr_assert(m.closed);
    cr_assert_float_eq(volume_of(&m), 1, 1e-12);
    cr_assert_eq(inspect(&m).twisted_edges, 0);
    tl_mesh_free(&m);
}

Test(repair, shells_look_outwards_but_hollows_inwards) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){5, 0, 0}, 1, true); /* inside out */
    add_box(&m, (tl_vec3){0, 0, 0}, 3, false);
    add_box(&m, (tl_vec3){1, 1, 1}, 1, true); /* a hollow */
    const tl_mesh_repairs repairs = repair(&m);
    cr_assert_eq(repairs.shells, 3);
    cr_assert_eq(repairs.turned, 12);
    cr_assert_float_eq(volume_of(&m), 27 - 1 + 1, 1e-12);
    tl_mesh_free(&m);
    add_box(&m, (tl_vec3){0, 0, 0}, 3, true); /* all of it inside out */
    add_box(&m, (tl_vec3){1, 1, 1}, 1, false);
    repair(&m);
    cr_assert_float_eq(volume_of(&m), 27 - 1, 1e-12);
    tl_mesh_free(&m);
}

Test(repair, what_is_there_twice_is_dropped) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    add_box(&m, (tl_vec3){1e-9, 0, 0}, 1, false);
    tl_mesh_add_triangle(&m, 1, 1, 5, NULL);
    const tl_mesh_repairs repairs = repair(&m);
    cr_assert_eq(repairs.welded, 8);
    cr_assert_eq(repairs.repeated, 12);
    cr_assert_eq(repairs.flat, 1);
    cr_assert_eq(m.triangle_count, 12);
    cr_assert(m.closed);
    tl_mesh_free(&m);
}

/* Corners on an edge that only one side of it has, with triangles without area between: dropping
 * them would open a slit. */
Test(repair, flat_triangles_go_without_opening_the_mesh) {
    for (uint32_t corners = 1; corners <= 3; corners++) {
        tl_mesh m = {0};
        uint32_t chain[5] = {0};
        add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
        for (uint32_t k = 1; k <= corners; k++) {
            chain[k] = (uint32_t)m.vertex_count;
            tl_mesh_add_vertex(&m, (tl_vec3){(double)k / (corners + 1), 0, 0}, NULL);
        }
        chain[corners + 1] = 1;
        size_t t = 0;
        while (!(m.triangles[t][0] == 0 && m.triangles[t][1] == 1))
            t++;
        const uint32_t tip = m.triangles[t][2];
        m.triangles[t][1] = chain[1];
        for (uint32_t k = 1; k <= corners; k++) {
            tl_mesh_add_triangle(&m, chain[k], chain[k + 1], tip, NULL);
            tl_mesh_add_triangle(&m, 0, chain[k + 1], chain[k], NULL);
        }
        const tl_mesh_repairs repairs = repair(&m);
        cr_assert_eq(repairs.flat, corners, "%zu of %u", repairs.flat, corners);
        cr_assert(m.closed, "%u corners", corners);
        cr_assert_float_eq(volume_of(&m), 1, 1e-12);
        cr_assert_eq(m.triangle_count, 12 + 2 * corners);
        tl_mesh_free(&m);
    }
}

/* ---- Findings ---- */

Test(inspect, holes_are_counted) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    m.triangle_count = 10;                                         /* one side is open */
    memcpy(m.triangles[2], m.triangles[9], sizeof m.triangles[2]); /* and half of another */
    m.triangle_count = 9;
    repair(&m);
    cr_assert_not(m.closed);
    const tl_mesh_findings f = inspect(&m);
    cr_assert_eq(f.open_edges, 7);
    cr_assert_eq(f.crowded_edges, 0);
    cr_assert_eq(f.crossings, 0);
    tl_mesh_free(&m);
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    m.triangle_count--;
    add_box(&m, (tl_vec3){2, 0, 0}, 1, false);
    m.triangle_count--;
    repair(&m);
    cr_assert_eq(inspect(&m).open_edges, 6);
    cr_assert_eq(inspect(&m).holes, 2);
    tl_mesh_free(&m);
}

Test(inspect, boxes_that_share_an_edge_have_a_crowded_edge) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    add_box(&m, (tl_vec3){1, 1, 0}, 1, false);
    repair(&m);
    cr_assert_eq(inspect(&m).crowded_edges, 1);
    cr_assert(m.closed);
    cr_assert_float_eq(volume_of(&m), 2, 1e-12);
    tl_mesh_free(&m);
}

Test(inspect, shells_that_pass_through_each_other_are_counted) {
    tl_mesh m = {0};
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    add_box(&m, (tl_vec3){2, 0, 0}, 1, false);
    repair(&m);
    cr_assert_eq(inspect(&m).crossings, 0);
    tl_mesh_free(&m);
    /* A needle through two sides of a box: each side of the needle meets what it pierces. */
    add_box(&m, (tl_vec3){0, 0, 0}, 1, false);
    tl_mesh_add_vertex(&m, (tl_vec3){0.3, 0.2, -1}, NULL);
    tl_mesh_add_vertex(&m, (tl_vec3){0.31, 0.2, -1}, NULL);
    tl_mesh_add_vertex(&m, (tl_vec3){0.3, 0.21, 2}, NULL);
    tl_mesh_add_triangle(&m, 8, 9, 10, NULL);
    tl_error error = {0};
    size_t count;
    bool more;
    cr_assert_eq(tl_mesh_count_crossings(&m, &count, &more, &error), TL_OK);
    cr_assert_eq(count, 2);
    cr_assert_not(more);
    tl_mesh_free(&m);
}
