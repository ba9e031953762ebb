/* Writes frames as VTK XML PolyData; see vtp.h. The head lists arrays with their offsets into the
 * appended data, where each block is its size in bytes (UInt64) and then the raw numbers. */
#include "base/text.h"
#include "output/sink.h"
#include "output/vtp.h"
#include "output/vtp_format.h"
#include "output/xml.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const tl_vtp_types[] = {[TL_F32] = "Float32",
                                    [TL_F64] = "Float64",
                                    [TL_U8] = "UInt8",
                                    [TL_U32] = "UInt32",
                                    [TL_U64] = "UInt64"};

static size_t stored_bytes(const tl_frame *frame, const tl_frame_array *array, tl_doubles doubles) {
    return frame->count * (size_t)array->components *
           tl_type_size(tl_stored_type(array->type, doubles));
}

static size_t flame_bytes(const tl_frame *frame) {
    return frame->flame_count * sizeof(tl_frame_flame);
}

/* Prints the place of a block and moves on to the next one. */
static void print_offset(tl_text *head, uint64_t *offset, uint64_t bytes) {
    tl_text_print(head, " format=\"appended\" offset=\"%" PRIu64 "\"", *offset);
    *offset += sizeof(uint64_t) + bytes;
}

static void print_array(tl_text *head, const tl_frame *frame, const tl_frame_array *array,
                        tl_doubles doubles, uint64_t *offset) {
    tl_text_print(head, "    <DataArray type=\"%s\" Name=\"",
                  tl_vtp_types[tl_stored_type(array->type, doubles)]);
    tl_xml_encode(head, array->name);
    tl_text_print(head, "\" NumberOfComponents=\"%d\"", array->components);
    for (int k = 0; array->components > 1 && array->components <= 9 && k < array->components; k++) {
        char name[TL_COMPONENT_NAME];
        tl_component_name(array->components, (int)tl_vtp_place((size_t)k, array->components), name);
        tl_text_print(head, " ComponentName%d=\"%s\"", k, name);
    }
    tl_text_print(head, " doc=\"");
    tl_xml_encode(head, array->doc);
    tl_text_print(head, "\"");
    print_offset(head, offset, stored_bytes(frame, array, doubles));
    tl_text_print(head, "><InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
    tl_xml_encode(head, array->unit);
    tl_text_print(head, "</InformationKey></DataArray>\n");
}

/* One row of the head that is no array of the frame. */
static void print_plain(tl_text *head, const char *type, const char *name, const char *more,
                        uint64_t bytes, uint64_t *offset) {
    tl_text_print(head, "    <DataArray type=\"%s\" Name=\"%s\"%s", type, name, more);
    print_offset(head, offset, bytes);
    tl_text_print(head, "/>\n");
}

/* Cells of a file: a vertex a particle, or triangles. */
typedef struct cells {
    const uint32_t (*triangles)[3]; /* NULL: particles */
    size_t count;
} cells;

static void print_head(tl_text *head, const tl_frame *frame, const cells *c, tl_doubles doubles) {
    const uint64_t corners = c->triangles ? 3 : 1;
    const char *kind = c->triangles ? "Polys" : "Verts";
    uint64_t offset = 0;
    tl_text_print(head, "%s  <FieldData>\n", TL_VTP_OPENING);
    print_plain(head, "Float64", "TimeValue", " NumberOfTuples=\"1\"", sizeof(double), &offset);
    print_plain(head, "UInt64", "step", " NumberOfTuples=\"1\"", sizeof(uint64_t), &offset);
    if (frame->flame_count > 0) {
        char more[64];
        snprintf(more, sizeof more, " NumberOfComponents=\"4\" NumberOfTuples=\"%zu\"",
                 frame->flame_count);
        print_plain(head, "Float64", "flames", more, flame_bytes(frame), &offset);
    }
    tl_text_print(head,
                  "  </FieldData>\n"
                  "  <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\""
                  " NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n   <Points>\n",
                  frame->count, c->triangles ? 0 : c->count, c->triangles ? c->count : 0);
    print_array(head, frame, &frame->array[0], doubles, &offset);
    tl_text_print(head, "   </Points>\n   <%s>\n", kind);
    print_plain(head, "Int32", "connectivity", "", corners * c->count * sizeof(int32_t), &offset);
    print_plain(head, "Int32", "offsets", "", c->count * sizeof(int32_t), &offset);
    tl_text_print(head, "   </%s>\n   <PointData>\n", kind);
    for (size_t a = 1; a < frame->array_count; a++)
        print_array(head, frame, &frame->array[a], doubles, &offset);
    tl_text_print(head, "   </PointData>\n  </Piece>\n </PolyData>\n%s", TL_VTP_APPENDED);
}

static void put_size(tl_sink *sink, uint64_t bytes) { tl_sink_put(sink, &bytes, sizeof bytes); }

static void put_array(tl_sink *sink, const tl_frame *frame, const tl_frame_array *array,
                      tl_doubles doubles) {
    const size_t bytes = stored_bytes(frame, array, doubles), size = tl_type_size(array->type);
    const bool as_it_is = tl_stored_type(array->type, doubles) == array->type;
    put_size(sink, bytes);
    if (as_it_is && array->components != 6) {
        tl_sink_put(sink, array->data, bytes);
        return;
    }
    const size_t total = frame->count * (size_t)array->components;
    for (size_t i = 0; i < total; i++) {
        const char *from = (const char *)array->data + tl_vtp_place(i, array->components) * size;
        const float rounded = as_it_is ? 0 : (float)*(const double *)(const void *)from;
        tl_sink_put(sink, as_it_is ? (const void *)from : &rounded,
                    as_it_is ? size : sizeof rounded);
    }
}

/* first, first + step, ... */
static void put_counting(tl_sink *sink, int32_t first, int32_t step, size_t count) {
    enum { PIECE = 1024 };
    put_size(sink, count * sizeof(int32_t));
    for (size_t begin = 0; begin < count; begin += PIECE) {
        int32_t piece[PIECE];
        const size_t n = count - begin < PIECE ? count - begin : PIECE;
        for (size_t i = 0; i < n; i++)
            piece[i] = first + step * (int32_t)(begin + i);
        tl_sink_put(sink, piece, n * sizeof *piece);
    }
}

/* In the order of the head. */
static void put_blocks(tl_sink *sink, const tl_frame *frame, const cells *c, tl_doubles doubles) {
    put_size(sink, sizeof frame->time);
    tl_sink_put(sink, &frame->time, sizeof frame->time);
    put_size(sink, sizeof frame->step);
    tl_sink_put(sink, &frame->step, sizeof frame->step);
    if (frame->flame_count > 0) {
        put_size(sink, flame_bytes(frame));
        tl_sink_put(sink, frame->flame, flame_bytes(frame));
    }
    put_array(sink, frame, &frame->array[0], doubles);
    if (c->triangles) { /* indices below 2^31 are the same in both signs */
        put_size(sink, c->count * sizeof *c->triangles);
        tl_sink_put(sink, c->triangles, c->count * sizeof *c->triangles);
        put_counting(sink, 3, 3, c->count);
    } else {
        put_counting(sink, 0, 1, c->count);
        put_counting(sink, 1, 1, c->count);
    }
    for (size_t a = 1; a < frame->array_count; a++)
        put_array(sink, frame, &frame->array[a], doubles);
}

static tl_status write_file(const char *path, const tl_frame *frame, const cells *c,
                            tl_doubles doubles, tl_error *error) {
    TL_TRY(tl_frame_check(frame, path, error));
    tl_text head = {0};
    print_head(&head, frame, c, doubles);
    if (head.failed) {
        free(head.bytes);
        return tl_fail_memory(error, head.length, 1);
    }
    tl_sink sink;
    tl_status status = tl_sink_begin(&sink, path, error);
    if (status == TL_OK) {
        char seal[TL_VTP_SEAL_SIZE + 1];
        tl_sink_put(&sink, head.bytes, head.length);
        put_blocks(&sink, frame, c, doubles);
        tl_sink_put(&sink, TL_VTP_CLOSING, sizeof TL_VTP_CLOSING - 1);
        snprintf(seal, sizeof seal, TL_VTP_SEAL, tl_sink_hash(&sink));
        tl_sink_put(&sink, seal, TL_VTP_SEAL_SIZE);
        status = tl_sink_commit(&sink, error);
    }
    free(head.bytes);
    return status;
}

tl_status tl_vtp_write(const char *path, const tl_frame *frame, tl_doubles doubles,
                       tl_error *error) {
    return write_file(path, frame, &(cells){NULL, frame->count}, doubles, error);
}

tl_status tl_vtp_write_mesh(const char *path, const tl_frame *vertices,
                            const uint32_t (*triangles)[3], size_t count, tl_doubles doubles,
                            tl_error *error) {
    static const uint32_t none[1][3];
    return write_file(path, vertices, &(cells){triangles ? triangles : none, count}, doubles,
                      error);
}
