/* Reads frames that vtp_write.c made; see vtp.h. The seal tells damaged files from whole ones, and
 * yet nothing is trusted after it: every block must start where the one before it ended, have
 * exactly the size that its array needs, and lie inside the file. */
#include "base/file.h"
#include "output/sink.h"
#include "output/vtp.h"
#include "output/vtp_format.h"
#include "output/xml.h"

#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *name; /* of the file */
    tl_xml xml;       /* the head */
    tl_xml_tag tag;   /* the last one read */
    const char *data; /* the appended blocks */
    size_t data_size, data_used;
    tl_frame *frame;
    tl_error *error;
} reader;

#define BAD(r, ...)                                                                                \
    tl_fail((r)->error, TL_BAD_INPUT, (r)->name, "write this frame again", __VA_ARGS__)

/* Splits the file into head, blocks and seal. */
static tl_status open_file(reader *r, const char *bytes, size_t size) {
    const size_t opening = sizeof TL_VTP_OPENING - 1, closing = sizeof TL_VTP_CLOSING - 1;
    const size_t appended = sizeof TL_VTP_APPENDED - 1;
    if (size < opening || memcmp(bytes, TL_VTP_OPENING, opening) != 0)
        return tl_fail(r->error, TL_BAD_INPUT, r->name, "name a .vtp file that Tallow wrote",
                       "this is not a frame of Tallow");
    const size_t tail = closing + TL_VTP_SEAL_SIZE;
    if (size < opening + tail ||
        memcmp(bytes + size - tail, TL_VTP_CLOSING "<!-- tallow seal", closing + 16) != 0)
        return BAD(r, "the file is cut short");
    char seal[TL_VTP_SEAL_SIZE + 1];
    snprintf(seal, sizeof seal, TL_VTP_SEAL, tl_sink_hash_of(bytes, size - TL_VTP_SEAL_SIZE));
    if (memcmp(bytes + size - TL_VTP_SEAL_SIZE, seal, TL_VTP_SEAL_SIZE) != 0)
        return BAD(r, "the file is damaged: its hash is not the one it was written with");
    const char *blocks = memmem(bytes, size - tail, TL_VTP_APPENDED, appended);
    if (!blocks)
        return BAD(r, "the file has no appended data");
    r->xml = (tl_xml){bytes + opening, blocks};
    r->data = blocks + appended;
    r->data_size = (size_t)(bytes + size - tail - r->data);
    return TL_OK;
}

static tl_status expect_tag(reader *r, const char *name) {
    if (!tl_xml_next(&r->xml, &r->tag) || !tl_xml_opens(&r->tag, name))
        return BAD(r, "<%s> is missing", name);
    return TL_OK;
}

static tl_status expect_end(reader *r, const char *name) {
    if (!tl_xml_next(&r->xml, &r->tag) || !tl_xml_closes(&r->tag, name))
        return BAD(r, "</%s> is missing", name);
    return TL_OK;
}

/* The next block, which is that of the tag just read and must have `bytes` bytes. NULL, with the
 * error filled, if it does not. */
static const char *take_block(reader *r, size_t bytes) {
    uint64_t offset, size;
    const size_t left = r->data_size - r->data_used;
    const char *block = r->data + r->data_used;
    if (!tl_slice_is(tl_xml_attribute(&r->tag, "format"), "appended") ||
        !tl_xml_number(&r->tag, "offset", &offset) || offset != r->data_used) {
        BAD(r, "an array is not where it should be, at byte %zu", r->data_used);
        return NULL;
    }
    if (left < sizeof size || left - sizeof size < bytes) {
        BAD(r, "the data end early, at byte %zu", r->data_size);
        return NULL;
    }
    memcpy(&size, block, sizeof size);
    if (size != bytes) {
        BAD(r, "an array has %" PRIu64 " bytes and should have %zu", size, bytes);
        return NULL;
    }
    r->data_used += sizeof size + bytes;
    return block + sizeof size;
}

/* The block of the tag that was read, which must be an array of this type and name. */
static tl_status take_plain(reader *r, const char *type, const char *name, size_t bytes,
                            void *out) {
    if (!tl_slice_is(tl_xml_attribute(&r->tag, "type"), type) ||
        !tl_slice_is(tl_xml_attribute(&r->tag, "Name"), name) || !r->tag.empty)
        return BAD(r, "array \"%s\" of type %s is missing", name, type);
    const char *block = take_block(r, bytes);
    if (!block)
        return TL_BAD_INPUT;
    if (out)
        memcpy(out, block, bytes);
    return TL_OK;
}

/* An array that is not one of the particles'. */
static tl_status read_plain(reader *r, const char *type, const char *name, size_t bytes,
                            void *out) {
    TL_TRY(expect_tag(r, "DataArray"));
    return take_plain(r, type, name, bytes, out);
}

/* How sources shine, if the frame has that, and the end of what is not the particles'. */
static tl_status read_flames(reader *r) {
    uint64_t count;
    if (!tl_xml_next(&r->xml, &r->tag))
        return BAD(r, "</FieldData> is missing");
    if (tl_xml_closes(&r->tag, "FieldData"))
        return TL_OK;
    if (!tl_xml_opens(&r->tag, "DataArray") || !tl_xml_number(&r->tag, "NumberOfTuples", &count) ||
        count > TL_FRAME_FLAMES)
        return BAD(r, "</FieldData> is missing");
    r->frame->flame_count = (size_t)count;
    TL_TRY(take_plain(r, "Float64", "flames", count * sizeof(tl_frame_flame), r->frame->flame));
    return expect_end(r, "FieldData");
}

static bool find_type(tl_slice word, tl_type *out) {
    for (int t = 0; t <= TL_U64; t++)
        if (tl_slice_is(word, tl_vtp_types[t])) {
            *out = (tl_type)t;
            return true;
        }
    return false;
}

static tl_status read_unit(reader *r, const char **out) {
    TL_TRY(expect_tag(r, "InformationKey"));
    if (r->tag.empty)
        return BAD(r, "an array has no unit");
    *out = tl_xml_decode(tl_xml_text(&r->xml), &r->frame->memory);
    return expect_end(r, "InformationKey");
}

static void copy_elements(const tl_frame_array *array, const char *block, size_t bytes, void *out) {
    const size_t size = tl_type_size(array->type);
    if (bytes && array->components != 6)
        memcpy(out, block, bytes);
    for (size_t i = 0; array->components == 6 && i < bytes / size; i++)
        memcpy((char *)out + tl_vtp_place(i, 6) * size, block + i * size, size);
}

/* Appends the array whose <DataArray> tag was just read. */
static tl_status read_array(reader *r) {
    tl_frame *frame = r->frame;
    tl_frame_array array = {0};
    uint64_t components;
    if (frame->array_count == TL_MAX_FIELDS)
        return BAD(r, "more than %d arrays", TL_MAX_FIELDS);
    if (!find_type(tl_xml_attribute(&r->tag, "type"), &array.type) || r->tag.empty ||
        !tl_xml_number(&r->tag, "NumberOfComponents", &components) || components < 1 ||
        components > 1024)
        return BAD(r, "array %zu has a strange type or number of components", frame->array_count);
    array.components = (int)components;
    const size_t bytes = frame->count * components * tl_type_size(array.type);
    const char *block = take_block(r, bytes);
    if (!block)
        return TL_BAD_INPUT;
    array.name = tl_xml_decode(tl_xml_attribute(&r->tag, "Name"), &frame->memory);
    array.doc = tl_xml_decode(tl_xml_attribute(&r->tag, "doc"), &frame->memory);
    TL_TRY(read_unit(r, &array.unit));
    TL_TRY(expect_end(r, "DataArray"));
    void *data = tl_arena_allocate(&frame->memory, bytes, 1); /* aligned, unlike the file */
    if (!array.name || !array.doc || !array.unit || !data)
        return tl_fail_memory(r->error, bytes, 1);
    copy_elements(&array, block, bytes, data);
    array.data = data;
    frame->array[frame->array_count++] = array;
    return TL_OK;
}

static tl_status read_piece(reader *r) {
    uint64_t count;
    TL_TRY(expect_tag(r, "Piece"));
    if (!tl_xml_number(&r->tag, "NumberOfPoints", &count) || count >= UINT32_MAX / 2)
        return BAD(r, "the number of points is missing or absurd");
    r->frame->count = (size_t)count;
    TL_TRY(expect_tag(r, "Points"));
    TL_TRY(expect_tag(r, "DataArray"));
    TL_TRY(read_array(r));
    TL_TRY(expect_end(r, "Points"));
    TL_TRY(expect_tag(r, "Verts"));
    TL_TRY(read_plain(r, "Int32", "connectivity", count * sizeof(int32_t), NULL));
    TL_TRY(read_plain(r, "Int32", "offsets", count * sizeof(int32_t), NULL));
    TL_TRY(expect_end(r, "Verts"));
    TL_TRY(expect_tag(r, "PointData"));
    for (;;) {
        const bool good = tl_xml_next(&r->xml, &r->tag);
        if (good && tl_xml_closes(&r->tag, "PointData"))
            return expect_end(r, "Piece");
        if (!good || !tl_xml_opens(&r->tag, "DataArray"))
            return BAD(r, "</PointData> is missing");
        TL_TRY(read_array(r));
    }
}

static tl_status read_frame(reader *r, const char *bytes, size_t size) {
    TL_TRY(open_file(r, bytes, size));
    TL_TRY(expect_tag(r, "FieldData"));
    TL_TRY(read_plain(r, "Float64", "TimeValue", sizeof r->frame->time, &r->frame->time));
    TL_TRY(read_plain(r, "UInt64", "step", sizeof r->frame->step, &r->frame->step));
    TL_TRY(read_flames(r));
    TL_TRY(read_piece(r));
    TL_TRY(expect_end(r, "PolyData"));
    if (r->data_used != r->data_size)
        return BAD(r, "%zu bytes of data belong to no array", r->data_size - r->data_used);
    return tl_frame_check(r->frame, r->name, r->error);
}

tl_status tl_vtp_read_memory(const char *bytes, size_t size, const char *name, tl_frame *out,
                             tl_error *error) {
    *out = (tl_frame){0};
    reader r = {.name = name, .frame = out, .error = error};
    const tl_status status = read_frame(&r, bytes, size);
    if (status != TL_OK)
        tl_frame_free(out);
    return status;
}

tl_status tl_vtp_read(const char *path, tl_frame *out, tl_error *error) {
    char *bytes;
    size_t size;
    *out = (tl_frame){0};
    /* The arrays are copied out of the file, so that it may take half of what there is. */
    TL_TRY(tl_file_read(path, tl_available_memory() / 2, &bytes, &size, error));
    const tl_status status = tl_vtp_read_memory(bytes, size, path, out, error);
    free(bytes);
    return status;
}
