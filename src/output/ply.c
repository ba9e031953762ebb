/* See ply.h. */
#include "output/ply.h"

#include "base/text.h"
#include "output/sink.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *type_name(tl_type type, tl_doubles doubles) {
    switch (tl_stored_type(type, doubles)) {
    case TL_F32: return "float";
    case TL_F64: return "double";
    case TL_U8: return "uchar";
    case TL_U32: return "uint";
    case TL_U64: return "double";
    }
    return "";
}

/* One line: a break would end the comment. */
static void print_line(tl_text *head, const char *text) {
    for (; *text; text++)
        tl_text_add(head, (unsigned char)*text < 32 ? " " : text, 1);
}

static void print_comments(tl_text *head, const tl_frame *frame) {
    tl_text_print(head, "comment Tallow %s\ncomment time %.17g s\ncomment step %" PRIu64 "\n",
                  TL_VERSION, frame->time, frame->step);
    for (size_t a = 0; a < frame->array_count; a++) {
        const tl_frame_array *array = &frame->array[a];
        tl_text_print(head, "comment ");
        print_line(head, array->name);
        tl_text_print(head, " [");
        print_line(head, array->unit);
        tl_text_print(head, "] ");
        print_line(head, array->doc);
        tl_text_print(head, "\n");
    }
}

static void print_head(tl_text *head, const tl_frame *frame, const size_t *face_count,
                       tl_doubles doubles) {
    tl_text_print(head, "ply\nformat binary_little_endian 1.0\n");
    print_comments(head, frame);
    tl_text_print(head, "element vertex %zu\n", frame->count);
    for (size_t a = 0; a < frame->array_count; a++) {
        const tl_frame_array *array = &frame->array[a];
        for (int k = 0; k < array->components; k++) {
            char component[TL_COMPONENT_NAME];
            tl_component_name(array->components, k, component);
            tl_text_print(head, "property %s ", type_name(array->type, doubles));
            if (strcmp(array->name, "normal") == 0 && array->components == 3) {
                tl_text_print(head, "n"); /* as other programs know them */
            } else if (a > 0) {           /* position is plain x, y, z */
                print_line(head, array->name);
                tl_text_print(head, "%s", component[0] ? "_" : "");
            }
            tl_text_print(head, "%s\n", component);
        }
    }
    if (face_count)
        tl_text_print(head, "element face %zu\nproperty list uchar uint vertex_indices\n",
                      *face_count);
    tl_text_print(head, "end_header\n");
}

/* All components of particle i. */
static void put_element(tl_sink *sink, const tl_frame_array *array, tl_doubles doubles, size_t i) {
    const size_t n = (size_t)array->components, size = tl_type_size(array->type);
    if (array->type == TL_U64) {
        for (size_t k = 0; k < n; k++) {
            const double value = (double)((const uint64_t *)array->data)[i * n + k];
            tl_sink_put(sink, &value, sizeof value);
        }
    } else if (tl_stored_type(array->type, doubles) != array->type) {
        for (size_t k = 0; k < n; k++) {
            const float value = (float)((const double *)array->data)[i * n + k];
            tl_sink_put(sink, &value, sizeof value);
        }
    } else {
        tl_sink_put(sink, (const char *)array->data + i * n * size, n * size);
    }
}

static void put_triangles(tl_sink *sink, const uint32_t (*triangles)[3], size_t count) {
    const uint8_t corners = 3;
    for (size_t t = 0; t < count && !sink->failure; t++) {
        tl_sink_put(sink, &corners, 1);
        tl_sink_put(sink, triangles[t], sizeof triangles[t]);
    }
}

/* `face_count` is NULL for particles. */
static tl_status write_file(const char *path, const tl_frame *frame, const uint32_t (*triangles)[3],
                            const size_t *face_count, tl_doubles doubles, tl_error *error) {
    TL_TRY(tl_frame_check(frame, path, error));
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error)); /* first: numbers are printed in its locale */
    tl_text head = {0};
    print_head(&head, frame, face_count, doubles);
    if (head.failed) {
        free(head.bytes);
        tl_sink_discard(&sink);
        return tl_fail_memory(error, head.length, 1);
    }
    tl_sink_put(&sink, head.bytes, head.length);
    free(head.bytes);
    for (size_t i = 0; i < frame->count && !sink.failure; i++)
        for (size_t a = 0; a < frame->array_count; a++)
            put_element(&sink, &frame->array[a], doubles, i);
    if (face_count)
        put_triangles(&sink, triangles, *face_count);
    return tl_sink_commit(&sink, error);
}

tl_status tl_ply_write(const char *path, const tl_frame *frame, tl_doubles doubles,
                       tl_error *error) {
    return write_file(path, frame, NULL, NULL, doubles, error);
}

tl_status tl_ply_write_mesh(const char *path, const tl_frame *vertices,
                            const uint32_t (*triangles)[3], size_t count, tl_doubles doubles,
                            tl_error *error) {
    return write_file(path, vertices, triangles, &count, doubles, error);
}
