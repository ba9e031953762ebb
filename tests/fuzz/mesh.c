/* Any bytes as an OBJ file and as an image: what is read is repaired, inspected and scanned, and a
 * mesh that calls itself closed has as many sides one way as the other. */
#include "mesh/edges.h"
#include "mesh/holes.h"
#include "mesh/inspect.h"
#include "mesh/load.h"
#include "mesh/repair.h"
#include "mesh/scan.h"
#include "mesh/terrain.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_finite(const tl_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count; i++)
        if (!tl_vec3_finite(mesh->vertices[i]) || fabs(mesh->vertices[i].x) > 1e30 ||
            fabs(mesh->vertices[i].y) > 1e30 || fabs(mesh->vertices[i].z) > 1e30)
            return false;
    return true;
}

static void expect_balance(const tl_mesh *mesh) {
    tl_mesh_side *sides;
    if (tl_mesh_sides(mesh, &sides, NULL) != TL_OK)
        return;
    const size_t count = 3 * mesh->triangle_count;
    for (size_t i = 0, end; i < count; i = end) {
        int balance = 0;
        end = tl_mesh_edge_end(sides, count, i);
        for (size_t s = i; s < end; s++)
            balance += sides[s].falls ? 1 : -1;
        if (mesh->closed && balance != 0)
            abort();
    }
    free(sides);
}

static void scan(const tl_mesh *mesh) {
    static uint8_t inside[6 * 7 * 8];
    tl_vec3 low, high;
    tl_mesh_bounds(mesh, &low, &high);
    const double from[3] = {low.x, low.y, low.z}, to[3] = {high.x, high.y, high.z};
    tl_lattice lattice = {.n = {6, 7, 8}};
    for (int k = 0; k < 3; k++) {
        lattice.step[k] = fmax((to[k] - from[k]) / 6, 1e-30);
        lattice.start[k] = from[k] - lattice.step[k] / 2;
    }
    (void)tl_mesh_scan(mesh, &lattice, &(tl_parallel){.threads = 1}, inside, NULL);
}

static void read_image(const uint8_t *data, size_t size) {
    tl_heights heights = {0};
    if (tl_read_pgm((const char *)data, size, "fuzz", &heights, NULL) == TL_OK)
        free(heights.values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    tl_mesh mesh = {0};
    tl_mesh_findings findings;
    if (tl_mesh_read_obj(text, "fuzz", &mesh, NULL) == TL_OK && is_finite(&mesh) &&
        mesh.triangle_count > 0 && tl_mesh_repair(&mesh, NULL, NULL) == TL_OK) {
        expect_balance(&mesh);
        (void)tl_mesh_inspect(&mesh, &findings, NULL);
        scan(&mesh);
        size_t holes;
        if (tl_mesh_close_holes(&mesh, &holes, NULL) == TL_OK &&
            tl_mesh_repair(&mesh, NULL, NULL) == TL_OK)
            expect_balance(&mesh);
    }
    tl_mesh_free(&mesh);
    free(text);
    read_image(data, size);
    return 0;
}
