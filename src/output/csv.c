/* See csv.h. */
#include "output/csv.h"

#include "output/sink.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_text(tl_sink *sink, const char *text) { tl_sink_put(sink, text, strlen(text)); }

static void put_header(tl_sink *sink, const tl_frame *frame) {
    for (size_t a = 0; a < frame->array_count; a++) {
        const tl_frame_array *array = &frame->array[a];
        for (int k = 0; k < array->components; k++) {
            char component[TL_COMPONENT_NAME];
            tl_component_name(array->components, k, component);
            put_text(sink, a + (size_t)k > 0 ? "," : "");
            put_text(sink, array->name);
            put_text(sink, component[0] ? "_" : "");
            put_text(sink, component);
            if (array->unit[0]) {
                put_text(sink, " [");
                put_text(sink, array->unit);
                put_text(sink, "]");
            }
        }
    }
    put_text(sink, "\n");
}

static void put_real(tl_sink *sink, int digits, double value) {
    char text[40];
    /* "-nan" is known to few readers. */
    snprintf(text, sizeof text, "%.*g", digits, isnan(value) ? (double)NAN : value);
    put_text(sink, text);
}

static void put_element(tl_sink *sink, const tl_frame_array *array, size_t i) {
    char text[40];
    switch (array->type) {
    case TL_F32: put_real(sink, 9, (double)((const float *)array->data)[i]); return;
    case TL_F64: put_real(sink, 17, ((const double *)array->data)[i]); return;
    case TL_U8:
        snprintf(text, sizeof text, "%u", (unsigned)((const uint8_t *)array->data)[i]);
        break;
    case TL_U32: snprintf(text, sizeof text, "%" PRIu32, ((const uint32_t *)array->data)[i]); break;
    case TL_U64: snprintf(text, sizeof text, "%" PRIu64, ((const uint64_t *)array->data)[i]); break;
    }
    put_text(sink, text);
}

static void put_row(tl_sink *sink, const tl_frame *frame, size_t i) {
    for (size_t a = 0; a < frame->array_count; a++) {
        const size_t components = (size_t)frame->array[a].components;
        for (size_t k = 0; k < components; k++) {
            put_text(sink, a + k > 0 ? "," : "");
            put_element(sink, &frame->array[a], i * components + k);
        }
    }
    put_text(sink, "\n");
}

tl_status tl_csv_write(const char *path, const tl_frame *frame, tl_error *error) {
    TL_TRY(tl_frame_check(frame, path, error));
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error));
    put_header(&sink, frame);
    for (size_t i = 0; i < frame->count && !sink.failure; i++)
        put_row(&sink, frame, i);
    return tl_sink_commit(&sink, error);
}
