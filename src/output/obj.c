/* See obj.h. */
#include "output/obj.h"

#include "output/sink.h"

#include <inttypes.h>
#include <string.h>

static void put_line(tl_sink *sink, const char *text, int length) {
    tl_sink_put(sink, text, (size_t)length);
}

static double position_of(const tl_frame *frame, size_t i) {
    const tl_frame_array *a = &frame->array[0];
    return a->type == TL_F32 ? (double)((const float *)a->data)[i] : ((const double *)a->data)[i];
}

static void put_places(tl_sink *sink, const tl_frame *vertices, const float (*colours)[3]) {
    char line[200];
    for (size_t i = 0; i < vertices->count && !sink->failure; i++) {
        int n = snprintf(line, sizeof line, "v %.8g %.8g %.8g", position_of(vertices, 3 * i),
                         position_of(vertices, 3 * i + 1), position_of(vertices, 3 * i + 2));
        if (colours)
            n += snprintf(line + n, sizeof line - (size_t)n, " %.4g %.4g %.4g",
                          (double)colours[i][0], (double)colours[i][1], (double)colours[i][2]);
        line[n++] = '\n';
        put_line(sink, line, n);
    }
}

static void put_normals(tl_sink *sink, const tl_frame_array *normal, size_t count) {
    char line[120];
    for (size_t i = 0; i < count && !sink->failure; i++) {
        const float *v = (const float *)normal->data + 3 * i;
        put_line(sink, line,
                 snprintf(line, sizeof line, "vn %.5g %.5g %.5g\n", (double)v[0], (double)v[1],
                          (double)v[2]));
    }
}

/* Numbers start at 1. */
static void put_triangles(tl_sink *sink, const uint32_t (*triangles)[3], size_t count,
                          bool has_normals) {
    char line[160];
    for (size_t t = 0; t < count && !sink->failure; t++) {
        const uint64_t a = triangles[t][0] + 1ull, b = triangles[t][1] + 1ull,
                       c = triangles[t][2] + 1ull;
        int n;
        if (has_normals)
            n = snprintf(line, sizeof line,
                         "f %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64 " %" PRIu64 "//%" PRIu64
                         "\n",
                         a, a, b, b, c, c);
        else
            n = snprintf(line, sizeof line, "f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", a, b, c);
        put_line(sink, line, n);
    }
}

tl_status tl_obj_write(const char *path, const tl_frame *vertices, const uint32_t (*triangles)[3],
                       size_t count, const float (*colours)[3], tl_error *error) {
    const tl_frame_array *normal = tl_frame_find(vertices, "normal");
    char line[160];
    TL_TRY(tl_frame_check(vertices, path, error));
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error));
    put_line(&sink, line,
             snprintf(line, sizeof line, "# Tallow %s, time %.17g s, step %" PRIu64 "\n",
                      TL_VERSION, vertices->time, vertices->step));
    put_places(&sink, vertices, colours);
    if (normal)
        put_normals(&sink, normal, vertices->count);
    put_triangles(&sink, triangles, count, normal != NULL);
    return tl_sink_commit(&sink, error);
}
