/* See frame.h. */
#include "output/frame.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void add_field(tl_frame *frame, const tl_field *field) {
    const tl_field_desc *desc = field->desc;
    frame->array[frame->array_count++] = (tl_frame_array){
        desc->name, desc->unit, desc->doc, desc->type, desc->components, field->data};
}

void tl_frame_of_fields(const tl_fields *fields, double time, uint64_t step, tl_frame *out) {
    *out = (tl_frame){.time = time, .step = step, .count = fields->count};
    const int position = tl_fields_find(fields, "position");
    assert(position >= 0);
    if (position >= 0)
        add_field(out, &fields->field[position]);
    for (size_t f = 0; f < fields->field_count; f++)
        if ((int)f != position && (fields->field[f].desc->flags & TL_FIELD_SHOWN))
            add_field(out, &fields->field[f]);
}

const tl_frame_array *tl_frame_find(const tl_frame *frame, const char *name) {
    for (size_t a = 0; a < frame->array_count; a++)
        if (strcmp(frame->array[a].name, name) == 0)
            return &frame->array[a];
    return NULL;
}

double tl_frame_number(const tl_frame_array *array, size_t i) {
    switch (array->type) {
    case TL_F32: return (double)((const float *)array->data)[i];
    case TL_F64: return ((const double *)array->data)[i];
    case TL_U8: return ((const uint8_t *)array->data)[i];
    case TL_U32: return ((const uint32_t *)array->data)[i];
    case TL_U64: return (double)((const uint64_t *)array->data)[i];
    }
    return 0;
}

static void copy_numbers(const tl_frame_array *from, tl_type type, size_t count, void *out) {
    if (from->type == type)
        memcpy(out, from->data, count * tl_type_size(type));
    else
        for (size_t i = 0; i < count; i++)
            ((float *)out)[i] = (float)((const double *)from->data)[i];
}

tl_status tl_frame_copy(const tl_frame *from, tl_doubles doubles, tl_frame *out, tl_error *error) {
    *out = *from;
    out->memory = (tl_arena){0};
    for (size_t a = 0; a < from->array_count; a++) {
        tl_frame_array *array = &out->array[a];
        const size_t count = from->count * (size_t)array->components;
        array->type = tl_stored_type(from->array[a].type, doubles);
        void *data = tl_arena_allocate(&out->memory, count + 1, tl_type_size(array->type));
        if (!data) {
            tl_frame_free(out);
            return tl_fail_memory(error, count, tl_type_size(array->type));
        }
        if (count > 0)
            copy_numbers(&from->array[a], array->type, count, data);
        array->data = data;
    }
    return TL_OK;
}

tl_status tl_frame_check(const tl_frame *frame, const char *path, tl_error *error) {
    const tl_frame_array *position = frame->array;
    if (frame->array_count == 0 || strcmp(position->name, "position") != 0 ||
        position->components != 3 || (position->type != TL_F32 && position->type != TL_F64))
        return tl_fail(error, TL_BAD_INPUT, path, NULL,
                       "a frame must start with \"position\", three floats or doubles");
    if (frame->count >= UINT32_MAX / 2)
        return tl_fail(error, TL_BAD_INPUT, path, NULL, "%zu particles are more than a frame holds",
                       frame->count);
    for (size_t a = 0; a < frame->array_count; a++) {
        const tl_frame_array *array = &frame->array[a];
        if (array->name[0] == 0 || array->components < 1 || array->components > 1024)
            return tl_fail(error, TL_BAD_INPUT, path, NULL,
                           "array \"%s\" of the frame has no name or %d components", array->name,
                           array->components);
        if (tl_frame_find(frame, array->name) != array)
            return tl_fail(error, TL_BAD_INPUT, path, NULL, "the frame has two arrays \"%s\"",
                           array->name);
    }
    return TL_OK;
}

void tl_frame_free(tl_frame *frame) {
    tl_arena_free(&frame->memory);
    *frame = (tl_frame){0};
}

void tl_component_name(int components, int index, char out[TL_COMPONENT_NAME]) {
    static const char *const vector[] = {"x", "y", "z"};
    static const char *const symmetric[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    static const char *const matrix[] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
    switch (components) {
    case 1: snprintf(out, TL_COMPONENT_NAME, "%s", ""); break;
    case 2:
    case 3: snprintf(out, TL_COMPONENT_NAME, "%s", vector[index]); break;
    case 6: snprintf(out, TL_COMPONENT_NAME, "%s", symmetric[index]); break;
    case 9: snprintf(out, TL_COMPONENT_NAME, "%s", matrix[index]); break;
    default: snprintf(out, TL_COMPONENT_NAME, "%d", index);
    }
}
