/* The OBJ reader. See load.h. */
#include "mesh/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    const char *at, *name;
    size_t line;
    tl_mesh *mesh;
    size_t coloured; /* vertices with a colour */
    tl_error *error;
} reader;

static void skip_spaces(reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')
        r->at++;
}

static bool at_end_of_line(const reader *r) { return *r->at == '\n' || *r->at == 0; }

static tl_status refuse(const reader *r, const char *fix, const char *what) {
    return tl_fail(r->error, TL_BAD_INPUT, NULL, fix, "%s, line %zu: %s", r->name, r->line, what);
}

/* The next number of the line; false at its end or at something else. */
static bool read_number(reader *r, double *out) {
    char *end;
    skip_spaces(r);
    if (at_end_of_line(r))
        return false;
    *out = strtod(r->at, &end);
    const bool read = end != r->at;
    r->at = end;
    return read;
}

static tl_status read_vertex(reader *r) {
    double number[7];
    size_t count = 0;
    while (count < 7 && read_number(r, &number[count]))
        count++;
    if (count < 3)
        return refuse(r, NULL, "a vertex has three coordinates");
    tl_mesh *m = r->mesh;
    TL_TRY(tl_mesh_add_vertex(m, tl_vec3_of(number), r->error));
    if (count < 6) /* a fourth number is a weight */
        return TL_OK;
    TL_TRY(TL_ARRAY_RESERVE(m->colours, r->coloured, m->vertex_count, r->error));
    for (int k = 0; k < 3; k++)
        m->colours[m->vertex_count - 1][k] = (float)number[count - 3 + (size_t)k];
    r->coloured = m->vertex_count;
    return TL_OK;
}

/* A corner "7", "7/1", "7//3" or "-2/..": counted from 1, or backwards from the last vertex. */
static tl_status read_corner(reader *r, uint32_t *out) {
    char *end;
    const long long index = strtoll(r->at, &end, 10);
    if (end == r->at)
        return refuse(r, NULL, "a face is a list of numbers of vertices");
    const long long count = (long long)r->mesh->vertex_count;
    const long long place = index > 0 ? index - 1 : count + index;
    if (index == 0 || place < 0 || place >= count)
        return refuse(r, "vertices stand before the faces that use them, and count from 1",
                      "a face has a vertex that is not there");
    for (r->at = end; *r->at && !isspace((unsigned char)*r->at);)
        r->at++;
    *out = (uint32_t)place;
    return TL_OK;
}

static tl_status read_face(reader *r) {
    uint32_t first = 0, before = 0, corner = 0;
    size_t count = 0;
    for (skip_spaces(r); !at_end_of_line(r) && *r->at != '#'; skip_spaces(r)) {
        TL_TRY(read_corner(r, &corner));
        if (count == 0)
            first = corner;
        if (count >= 2)
            TL_TRY(tl_mesh_add_triangle(r->mesh, first, before, corner, r->error));
        before = corner;
        count++;
    }
    return count >= 3 ? TL_OK : refuse(r, NULL, "a face has at least three corners");
}

/* Colours that only some vertices have are of no use. */
static void drop_partial_colours(reader *r) {
    if (r->coloured == r->mesh->vertex_count && r->coloured > 0)
        return;
    tl_array_free(r->mesh->colours);
    r->mesh->colours = NULL;
}

tl_status tl_mesh_read_obj(const char *text, const char *name, tl_mesh *out, tl_error *error) {
    reader r = {.at = text, .name = name, .line = 1, .mesh = out, .error = error};
    for (; *r.at; r.line++) {
        skip_spaces(&r);
        const bool spaced = r.at[0] && (r.at[1] == ' ' || r.at[1] == '\t');
        const char kind = spaced ? *r.at++ : 0;
        if (kind == 'v')
            TL_TRY(read_vertex(&r));
        else if (kind == 'f')
            TL_TRY(read_face(&r));
        while (!at_end_of_line(&r))
            r.at++;
        r.at += *r.at == '\n';
        if (out->vertex_count > UINT32_MAX / 4 || out->triangle_count > UINT32_MAX / 4)
            return tl_fail(error, TL_BAD_INPUT, NULL, "use a coarser mesh",
                           "%s has more than %u vertices or triangles", name, UINT32_MAX / 4);
    }
    drop_partial_colours(&r);
    return TL_OK;
}
