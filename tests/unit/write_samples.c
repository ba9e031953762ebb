/* Writes one file of every kind into the folder named, for programs that are not ours to read. */
#include "output/csv.h"
#include "output/glb.h"
#include "output/obj.h"
#include "output/ply.h"
#include "output/png.h"
#include "output/pvd.h"
#include "output/vtp.h"
#include "sample_fields.h"
#include "world/snapshot_file.h"

#include <stdio.h>

enum { WIDTH = 37, HEIGHT = 150 };

static const char *in(const char *folder, const char *name) {
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static tl_status write_frames(const char *folder, tl_error *error) {
    static const size_t counts[] = {0, 1, 1000};
    tl_pvd list = {0};
    for (int i = 0; i < 3; i++) {
        char name[64];
        tl_fields fields = sample_fields(counts[i]);
        tl_frame frame;
        tl_frame_of_fields(&fields, 0.1 * i, 100 + (uint64_t)i, &frame);
        snprintf(name, sizeof name, "floats_%zu.vtp", counts[i]);
        TL_TRY(tl_vtp_write(in(folder, name), &frame, TL_DOUBLES_AS_FLOATS, error));
        TL_TRY(tl_pvd_add(&list, frame.time, name, error));
        snprintf(name, sizeof name, "doubles_%zu.vtp", counts[i]);
        TL_TRY(tl_vtp_write(in(folder, name), &frame, TL_DOUBLES_KEPT, error));
        snprintf(name, sizeof name, "doubles_%zu.ply", counts[i]);
        TL_TRY(tl_ply_write(in(folder, name), &frame, TL_DOUBLES_KEPT, error));
        snprintf(name, sizeof name, "floats_%zu.ply", counts[i]);
        TL_TRY(tl_ply_write(in(folder, name), &frame, TL_DOUBLES_AS_FLOATS, error));
        snprintf(name, sizeof name, "frame_%zu.csv", counts[i]);
        TL_TRY(tl_csv_write(in(folder, name), &frame, error));
        tl_fields_free(&fields);
    }
    TL_TRY(tl_pvd_write(in(folder, "frames.pvd"), &list, error));
    tl_pvd_free(&list);
    return TL_OK;
}

/* A strip of triangles over the particles: i, i + 1, i + 2. */
static tl_status write_mesh(const char *folder, size_t count, tl_error *error) {
    static uint32_t triangles[1000][3];
    static float normal[1000][3], colours[1000][3];
    const size_t triangle_count = count > 2 ? count - 2 : 0;
    char name[64];
    for (uint32_t i = 0; i < 1000; i++)
        for (uint32_t k = 0; k < 3; k++) {
            triangles[i][k] = i + k;
            normal[i][k] = i % 3 == k;
            colours[i][k] = (float)((i + k) % 5) / 4;
        }
    tl_fields fields = sample_fields(count);
    tl_frame frame;
    tl_frame_of_fields(&fields, 0.5, 7, &frame);
    frame.array[frame.array_count++] =
        (tl_frame_array){"normal", "", "Unit vector", TL_F32, 3, normal};
    const uint32_t(*list)[3] = (const uint32_t(*)[3])triangles;
    const float(*rgb)[3] = (const float(*)[3])colours;
    snprintf(name, sizeof name, "mesh_%zu.ply", count);
    TL_TRY(tl_ply_write_mesh(in(folder, name), &frame, list, triangle_count, TL_DOUBLES_AS_FLOATS,
                             error));
    snprintf(name, sizeof name, "mesh_%zu.vtp", count);
    TL_TRY(tl_vtp_write_mesh(in(folder, name), &frame, list, triangle_count, TL_DOUBLES_AS_FLOATS,
                             error));
    snprintf(name, sizeof name, "mesh_%zu.obj", count);
    TL_TRY(tl_obj_write(in(folder, name), &frame, list, triangle_count, rgb, error));
    snprintf(name, sizeof name, "mesh_%zu.glb", count);
    TL_TRY(tl_glb_write(in(folder, name), &frame, list, triangle_count, rgb, error));
    tl_fields_free(&fields);
    return TL_OK;
}

static tl_status write_picture(const char *folder, tl_error *error) {
    static uint8_t rgb[HEIGHT * WIDTH * 3];
    for (size_t i = 0; i < sizeof rgb; i++)
        rgb[i] = (uint8_t)(i * i / 7 + i % 3 * 50);
    const tl_parallel parallel = tl_parallel_create(2);
    return tl_png_write(in(folder, "picture.png"), rgb, WIDTH, HEIGHT, &parallel, error);
}

static tl_status write_snapshots(const char *folder, tl_error *error) {
    static const size_t counts[] = {0, 1, 1000};
    const tl_snapshot_value values[] = {{"time", TL_F64, {.f64 = 0.125}},
                                        {"step", TL_U64, {.u64 = 812}},
                                        {"scene_hash", TL_U64, {.u64 = UINT64_MAX - 5}}};
    for (int i = 0; i < 3; i++) {
        char name[64];
        tl_fields fields = sample_fields(counts[i]);
        snprintf(name, sizeof name, "snapshot_%zu.h5", counts[i]);
        TL_TRY(tl_snapshot_write(in(folder, name), &fields, values, 3, error));
        tl_fields_free(&fields);
    }
    return TL_OK;
}

int main(int count, char **arguments) {
    tl_error error;
    if (count != 2)
        return 2;
    if (write_frames(arguments[1], &error) || write_mesh(arguments[1], 0, &error) ||
        write_mesh(arguments[1], 1000, &error) || write_picture(arguments[1], &error) ||
        write_snapshots(arguments[1], &error)) {
        fprintf(stderr, "%s: %s\n", error.where, error.what);
        return 1;
    }
    return 0;
}
