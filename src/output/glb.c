/* See glb.h. A file is a header, a chunk of JSON and a chunk of raw arrays, one after the other:
 * indices, then one array an attribute. All arrays start at a multiple of four bytes. */
#include "output/glb.h"

#include "base/text.h"
#include "output/sink.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x46546C67, JSON_CHUNK = 0x4E4F534A, BINARY_CHUNK = 0x004E4942 };
enum { FLOAT = 5126, SHORT = 5123, INDEX = 5125, VERTEX_TARGET = 34962, INDEX_TARGET = 34963 };

/* An array of the binary chunk. */
typedef struct view {
    char name[64]; /* of the attribute */
    const char *type;
    int component;
    size_t count, bytes;
    const tl_frame_array *from; /* NULL: indices or colours */
} view;

typedef struct layout {
    view views[TL_MAX_FIELDS + 2];
    size_t count, bytes;
} layout;

static const char *type_of(int components) {
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    return components <= 4 ? types[components - 1] : NULL;
}

static view *add_view(layout *l, const char *name, const char *type, int component, size_t count,
                      size_t size) {
    view *v = &l->views[l->count++];
    *v = (view){.type = type, .component = component, .count = count, .bytes = count * size};
    snprintf(v->name, sizeof v->name, "%s", name);
    l->bytes += v->bytes;
    return v;
}

/* POSITION, NORMAL, or the application's own in capitals after an underscore. */
static void name_attribute(const char *field, char out[64]) {
    if (strcmp(field, "position") == 0 || strcmp(field, "normal") == 0)
        snprintf(out, 64, "%s", field);
    else
        snprintf(out, 64, "_%s", field);
    for (char *c = out; *c; c++)
        *c = (char)toupper((unsigned char)*c);
}

static void lay_out(layout *l, const tl_frame *vertices, size_t triangles, bool has_colours) {
    *l = (layout){0};
    add_view(l, "", "SCALAR", INDEX, 3 * triangles, sizeof(uint32_t));
    for (size_t a = 0; a < vertices->array_count; a++) {
        const tl_frame_array *array = &vertices->array[a];
        char name[64];
        if (!type_of(array->components))
            continue;
        name_attribute(array->name, name);
        add_view(l, name, type_of(array->components), FLOAT, vertices->count,
                 (size_t)array->components * sizeof(float))
            ->from = array;
    }
    if (has_colours)
        add_view(l, "COLOR_0", "VEC4", SHORT, vertices->count, 4 * sizeof(uint16_t));
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* glTF wants the box of the places, in the floats that are written. */
static void print_bounds(tl_text *json, const view *v) {
    const char *const words[] = {"min", "max"};
    for (int side = 0; side < 2; side++) {
        tl_text_print(json, ",\"%s\":[", words[side]);
        for (size_t k = 0; k < 3; k++) {
            float bound = (float)tl_frame_number(v->from, k);
            for (size_t i = 1; i < v->count; i++) {
                const float x = (float)tl_frame_number(v->from, 3 * i + k);
                bound = side ? fmaxf(bound, x) : fminf(bound, x);
            }
            tl_text_print(json, "%s%.9g", k ? "," : "", (double)bound);
        }
        tl_text_print(json, "]");
    }
}

static void print_views(tl_text *json, const layout *l) {
    size_t offset = 0;
    tl_text_print(json, ",\"accessors\":[");
    for (size_t i = 0; i < l->count; i++) {
        const view *v = &l->views[i];
        tl_text_print(json,
                      "%s{\"bufferView\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"",
                      i ? "," : "", i, v->component, v->count, v->type);
        if (v->component == SHORT)
            tl_text_print(json, ",\"normalized\":true");
        if (strcmp(v->name, "POSITION") == 0)
            print_bounds(json, v);
        tl_text_print(json, "}");
    }
    tl_text_print(json, "],\"bufferViews\":[");
    for (size_t i = 0; i < l->count; i++) {
        const view *v = &l->views[i];
        tl_text_print(json, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu,\"target\":%d}",
                      i ? "," : "", offset, v->bytes, i ? VERTEX_TARGET : INDEX_TARGET);
        offset += v->bytes;
    }
    tl_text_print(json, "],\"buffers\":[{\"byteLength\":%zu}]", l->bytes);
}

static void print_json(tl_text *json, const layout *l, const tl_frame *vertices, bool is_empty) {
    tl_text_print(json,
                  "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Tallow %s\",\"extras\":"
                  "{\"time\":%.17g}},\"scene\":0",
                  TL_VERSION, vertices->time);
    if (is_empty) {
        tl_text_print(json, ",\"scenes\":[{}]}");
    } else {
        tl_text_print(json,
                      ",\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"rotation\":"
                      "[-0.70710678,0,0,0.70710678]}],\"materials\":[{\"pbrMetallicRoughness\":"
                      "{\"metallicFactor\":0,\"roughnessFactor\":0.4}}],"
                      "\"meshes\":[{\"primitives\":[{\"indices\":0,\"material\":0,"
                      "\"attributes\":{");
        for (size_t i = 1; i < l->count; i++)
            tl_text_print(json, "%s\"%s\":%zu", i > 1 ? "," : "", l->views[i].name, i);
        tl_text_print(json, "}}]}]");
        print_views(json, l);
        tl_text_print(json, "}");
    }
    while (json->length % 4 != 0 && !json->failed)
        tl_text_add(json, " ", 1);
}

/* ---- Bytes --------------------------------------------------------------------------------- */

/* Colours of vertices are linear. */
static uint16_t linear_short(float srgb) {
    const double c = fmin(fmax((double)srgb, 0), 1);
    return (uint16_t)lround(65535 * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
}

static void put_colours(tl_sink *sink, const float (*colours)[3], size_t count) {
    for (size_t i = 0; i < count && !sink->failure; i++) {
        const uint16_t rgba[4] = {linear_short(colours[i][0]), linear_short(colours[i][1]),
                                  linear_short(colours[i][2]), UINT16_MAX};
        tl_sink_put(sink, rgba, sizeof rgba);
    }
}

static void put_array(tl_sink *sink, const view *v) {
    const size_t total = v->bytes / sizeof(float);
    for (size_t i = 0; i < total && !sink->failure; i++) {
        const float x = (float)tl_frame_number(v->from, i);
        tl_sink_put(sink, &x, sizeof x);
    }
}

static void put_words(tl_sink *sink, uint32_t a, uint32_t b) {
    tl_sink_put(sink, &a, sizeof a);
    tl_sink_put(sink, &b, sizeof b);
}

static void put_file(tl_sink *sink, const layout *l, const tl_text *json,
                     const uint32_t (*triangles)[3], const float (*colours)[3], bool is_empty) {
    const size_t total = 12 + 8 + json->length + (is_empty ? 0 : 8 + l->bytes);
    put_words(sink, MAGIC, 2);
    put_words(sink, (uint32_t)total, (uint32_t)json->length);
    const uint32_t kind = JSON_CHUNK;
    tl_sink_put(sink, &kind, sizeof kind);
    tl_sink_put(sink, json->bytes, json->length);
    if (is_empty)
        return;
    put_words(sink, (uint32_t)l->bytes, BINARY_CHUNK);
    tl_sink_put(sink, triangles, l->views[0].bytes);
    for (size_t i = 1; i < l->count; i++)
        if (l->views[i].from)
            put_array(sink, &l->views[i]);
        else
            put_colours(sink, colours, l->views[i].count);
}

tl_status tl_glb_write(const char *path, const tl_frame *vertices, const uint32_t (*triangles)[3],
                       size_t count, const float (*colours)[3], tl_error *error) {
    TL_TRY(tl_frame_check(vertices, path, error));
    layout l;
    lay_out(&l, vertices, count, colours != NULL);
    if (l.bytes >= UINT32_MAX - (1 << 20))
        return tl_fail(error, TL_BAD_INPUT, path, "write it as PLY or choose larger cells",
                       "a mesh of %zu triangles is more than a .glb file holds", count);
    tl_sink sink;
    TL_TRY(tl_sink_begin(&sink, path, error)); /* first: numbers are printed in its locale */
    tl_text json = {0};
    print_json(&json, &l, vertices, count == 0);
    tl_status status;
    if (json.failed) {
        tl_sink_discard(&sink);
        status = tl_fail_memory(error, json.length, 1);
    } else {
        put_file(&sink, &l, &json, triangles, colours, count == 0);
        status = tl_sink_commit(&sink, error);
    }
    free(json.bytes);
    return status;
}
