/* The parameters of forms, and their meshes. See form.h. */
#include "mesh/form.h"

#include "mesh/holes.h"
#include "mesh/letters.h"
#include "mesh/load.h"
#include "mesh/repair.h"
#include "mesh/round.h"
#include "mesh/terrain.h"

#include <stdio.h>

/* Deviation of round forms from their triangles, in spacings. */
static const double finest = 0.02;

#define POINT(owner, member)                                                                       \
    .type = TL_PARAM_VECTOR, .offset = offsetof(owner, member), .unit = TL_UNIT_LENGTH
#define WIDTH(owner, member)                                                                       \
    .type = TL_PARAM_NUMBER, .offset = offsetof(owner, member), .unit = TL_UNIT_LENGTH, .min = 0,  \
    .max = 1e6

static const tl_param mesh_file_params[] = {
    {.name = "file",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_mesh_file_def, file),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_IDLE,
     .doc = "A file beside the scene, or in meshes of $TALLOW_PATH and of known packages; a name "
            "alone means this"},
    {.name = "close_holes",
     .type = TL_PARAM_SWITCH,
     .offset = offsetof(tl_mesh_file_def, close_holes),
     .default_value = "false",
     .doc = "Covers holes with triangles between the vertices around them"},
};

const tl_param_table tl_mesh_table = TL_PARAM_TABLE(
    tl_mesh_file_def, "mesh", "A mesh from a file: OBJ, PLY, STL, glTF, 3DS", mesh_file_params);

static const tl_param cone_params[] = {
    {.name = "from",
     POINT(tl_cone_def, from),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Middle of one end"},
    {.name = "to",
     POINT(tl_cone_def, to),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Middle of the other end; the tip, unless there is an end_radius"},
    {.name = "radius", WIDTH(tl_cone_def, radius), .flags = TL_PARAM_REQUIRED, .doc = "At from"},
    {.name = "end_radius", WIDTH(tl_cone_def, end_radius), .default_value = "0", .doc = "At to"},
};

const tl_param_table tl_cone_table =
    TL_PARAM_TABLE(tl_cone_def, "cone", "A cone between two points, whole or cut off", cone_params);

static const tl_param capsule_params[] = {
    {.name = "from",
     POINT(tl_capsule_def, from),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Centre of the ball at one end"},
    {.name = "to",
     POINT(tl_capsule_def, to),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Centre of the ball at the other end"},
    {.name = "radius",
     WIDTH(tl_capsule_def, radius),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Radius"},
};

const tl_param_table tl_capsule_table =
    TL_PARAM_TABLE(tl_capsule_def, "capsule",
                   "A cylinder with round ends; a ball when they are one", capsule_params);

static const tl_param torus_params[] = {
    {.name = "center", POINT(tl_torus_def, center), .default_value = "[0, 0, 0]", .doc = "Centre"},
    {.name = "axis",
     .type = TL_PARAM_VECTOR,
     .offset = offsetof(tl_torus_def, axis),
     .default_value = "[0, 0, 1]",
     .doc = "What it runs around; any length"},
    {.name = "radius",
     WIDTH(tl_torus_def, radius),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "From the centre to the middle of the tube"},
    {.name = "tube_radius",
     WIDTH(tl_torus_def, tube_radius),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Of the tube"},
};

const tl_param_table tl_torus_table =
    TL_PARAM_TABLE(tl_torus_def, "torus", "A ring with a round section", torus_params);

static const tl_param rounded_box_params[] = {
    {.name = "from",
     POINT(tl_rounded_box_def, from),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Lowest corner of the box around it"},
    {.name = "to",
     POINT(tl_rounded_box_def, to),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Highest corner"},
    {.name = "radius",
     WIDTH(tl_rounded_box_def, radius),
     .flags = TL_PARAM_REQUIRED | TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Of its edges"},
};

const tl_param_table tl_rounded_box_table = TL_PARAM_TABLE(
    tl_rounded_box_def, "rounded_box", "A box with round edges and corners", rounded_box_params);

static const tl_param letters_params[] = {
    {.name = "text",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_letters_def, text),
     .flags = TL_PARAM_REQUIRED,
     .doc = "What they say; a text alone means this"},
    {.name = "font",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_letters_def, font),
     .default_value = "DejaVuSans-Bold.ttf",
     .flags = TL_PARAM_IDLE,
     .doc = "A file beside the scene, or in fonts of $TALLOW_PATH and of known packages"},
    {.name = "height",
     WIDTH(tl_letters_def, height),
     .default_value = "5 cm",
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Of a capital letter"},
    {.name = "depth",
     WIDTH(tl_letters_def, depth),
     .default_value = "2 cm",
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Thickness, along y"},
};

const tl_param_table tl_text_table =
    TL_PARAM_TABLE(tl_letters_def, "text", "Text that stands upright, along x", letters_params);

static const tl_param terrain_params[] = {
    {.name = "from",
     POINT(tl_terrain_def, from),
     .flags = TL_PARAM_REQUIRED,
     .doc = "Lowest corner of the box around its surface"},
    {.name = "to", POINT(tl_terrain_def, to), .flags = TL_PARAM_REQUIRED, .doc = "Highest corner"},
    {.name = "thickness",
     WIDTH(tl_terrain_def, thickness),
     .default_value = "1 cm",
     .flags = TL_PARAM_MIN_EXCLUSIVE,
     .doc = "Of the slab under its lowest point"},
    {.name = "image",
     .type = TL_PARAM_TEXT,
     .offset = offsetof(tl_terrain_def, image),
     .flags = TL_PARAM_IDLE,
     .doc = "Heights from a PNG or PGM image, black to white; without one they are noise"},
    {.name = "hill",
     WIDTH(tl_terrain_def, hill),
     .default_value = "0",
     .doc = "Width of the largest hills of noise; 0: a quarter of the longer side"},
    {.name = "roughness",
     .type = TL_PARAM_NUMBER,
     .offset = offsetof(tl_terrain_def, roughness),
     .default_value = "0.4",
     .min = 0,
     .max = 1,
     .doc = "Height of hills against that of hills twice as wide"},
    {.name = "seed",
     .type = TL_PARAM_INTEGER,
     .offset = offsetof(tl_terrain_def, seed),
     .default_value = "1",
     .min = 0,
     .max = 9007199254740992,
     .doc = "Start of the noise"},
};

const tl_param_table tl_terrain_table =
    TL_PARAM_TABLE(tl_terrain_def, "terrain", "A slab with hills on it", terrain_params);

/* The key of form k, if it is given; NULL past the last one. */
static const char *word_at(const tl_form_def *f, int k, bool *given) {
    const struct {
        const char *word;
        bool given;
    } forms[] = {{"mesh", f->has_mesh},
                 {"cone", f->has_cone},
                 {"capsule", f->has_capsule},
                 {"torus", f->has_torus},
                 {"rounded_box", f->has_rounded_box},
                 {"text", f->has_text},
                 {"terrain", f->has_terrain},
                 {NULL, false}};
    *given = forms[k].given;
    return forms[k].word;
}

int tl_form_count(const tl_form_def *f) {
    int count = 0;
    bool given;
    for (int k = 0; word_at(f, k, &given); k++)
        count += given;
    return count;
}

const char *tl_form_word(const tl_form_def *f) {
    const char *word;
    bool given = false;
    for (int k = 0; (word = word_at(f, k, &given)) && !given; k++)
        ;
    return word;
}

char **tl_form_file(tl_form_def *f, const char **kind) {
    *kind = f->has_mesh ? "meshes" : f->has_text ? "fonts" : "images";
    if (f->has_mesh)
        return &f->mesh.file;
    if (f->has_text)
        return &f->text.font;
    return f->has_terrain && f->terrain.image ? &f->terrain.image : NULL;
}

/* The mesh where its own coordinates put it. */
static tl_status make_shape(const tl_form_def *f, double deviation, tl_mesh *out, tl_error *error) {
    if (f->has_cone)
        return tl_cone_mesh(&f->cone, deviation, out, error);
    if (f->has_capsule)
        return tl_capsule_mesh(&f->capsule, deviation, out, error);
    if (f->has_torus)
        return tl_torus_mesh(&f->torus, deviation, out, error);
    if (f->has_rounded_box)
        return tl_rounded_box_mesh(&f->rounded_box, deviation, out, error);
    if (f->has_terrain)
        return tl_terrain_mesh(&f->terrain, deviation / finest, out, error);
    if (f->has_text)
        return tl_letters_mesh(&f->text, deviation, out, error);
    const tl_status status = tl_mesh_load(f->mesh.file, out, error);
    if (status != TL_OK && error)
        snprintf(error->where, sizeof error->where, "mesh.file");
    return status;
}

/* R = Rz Ry Rx. */
static void make_rotation(const double angle[3], tl_vec3 row[3]) {
    const double cx = cos(angle[0]), sx = sin(angle[0]), cy = cos(angle[1]), sy = sin(angle[1]),
                 cz = cos(angle[2]), sz = sin(angle[2]);
    row[0] = (tl_vec3){cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx};
    row[1] = (tl_vec3){sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx};
    row[2] = (tl_vec3){-sy, cy * sx, cy * cx};
}

static tl_vec3 middle_of(const tl_mesh *m) {
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    return tl_vec3_scale(tl_vec3_add(low, high), 0.5);
}

/* x → place + factor (x - pivot) */
static void move(tl_mesh *m, tl_vec3 pivot, double factor, tl_vec3 place) {
    for (size_t i = 0; i < m->vertex_count; i++)
        m->vertices[i] = tl_vec3_mad(place, factor, tl_vec3_sub(m->vertices[i], pivot));
}

static void turn(tl_mesh *m, const double angle[3]) {
    if (angle[0] == 0 && angle[1] == 0 && angle[2] == 0)
        return;
    const tl_vec3 pivot = middle_of(m);
    tl_vec3 row[3];
    make_rotation(angle, row);
    for (size_t i = 0; i < m->vertex_count; i++) {
        const tl_vec3 d = tl_vec3_sub(m->vertices[i], pivot);
        m->vertices[i] =
            tl_vec3_add(pivot, (tl_vec3){tl_vec3_dot(row[0], d), tl_vec3_dot(row[1], d),
                                         tl_vec3_dot(row[2], d)});
    }
}

/* How much larger the turned mesh is to be. */
static tl_status find_factor(const tl_form_def *f, const tl_mesh *turned, double *factor,
                             tl_error *error) {
    tl_vec3 low, high;
    tl_mesh_bounds(turned, &low, &high);
    *factor = f->has_height ? f->height / (high.z - low.z) : f->scale;
    if (isfinite(*factor))
        return TL_OK;
    return tl_fail(error, TL_BAD_INPUT, "height", "give a scale instead",
                   "the form has no height of its own");
}

static void place(const tl_form_def *f, double factor, tl_mesh *m) {
    const tl_vec3 middle = middle_of(m);
    if (factor != 1)
        move(m, middle, factor, middle);
    if (!f->has_foot)
        return;
    tl_vec3 low, high;
    tl_mesh_bounds(m, &low, &high);
    move(m, (tl_vec3){(low.x + high.x) / 2, (low.y + high.y) / 2, low.z}, 1, tl_vec3_of(f->foot));
}

static tl_status mend(const tl_form_def *f, tl_mesh *m, tl_error *error) {
    TL_TRY(tl_mesh_repair(m, NULL, error));
    if (!f->has_mesh || !f->mesh.close_holes || m->closed)
        return TL_OK;
    TL_TRY(tl_mesh_close_holes(m, &m->closed_holes, error));
    return tl_mesh_repair(m, NULL, error);
}

tl_status tl_form_make(const tl_form_def *form, double spacing, tl_mesh *out, tl_error *error) {
    tl_mesh made = {0};
    double factor = form->scale, used;
    tl_status status;
    do { /* what is round must be fine enough once it is scaled to its height */
        tl_mesh_free(&made);
        used = factor;
        status = make_shape(form, finest * spacing / used, &made, error);
        turn(&made, form->rotate);
        if (status == TL_OK)
            status = find_factor(form, &made, &factor, error);
    } while (status == TL_OK && !form->has_mesh && factor > 1.05 * used);
    if (status == TL_OK) {
        place(form, factor, &made);
        status = mend(form, &made, error);
    }
    if (status != TL_OK) {
        tl_mesh_free(&made);
        return status;
    }
    *out = made;
    return TL_OK;
}

/* Least cosine between the axis of a vessel and the side that is open. */
static const double most_oblique = 0.1;

/* Which end of the line between two points lies towards `open`: 1 the last, -1 the first, 0 neither
 * or both. */
static int end_towards(const double from[3], const double to[3], tl_vec3 open) {
    const tl_vec3 along = tl_vec3_unit(tl_vec3_sub(tl_vec3_of(to), tl_vec3_of(from)));
    const double cosine = tl_vec3_dot(along, open);
    return cosine > most_oblique ? 1 : cosine < -most_oblique ? -1 : 0;
}

static void swap_ends(double from[3], double to[3]) {
    for (int k = 0; k < 3; k++) {
        const double swapped = from[k];
        from[k] = to[k];
        to[k] = swapped;
    }
}

static tl_status make_vessel(const tl_form_def *form, tl_vec3 open, double thickness,
                             double deviation, tl_mesh *out, tl_error *error) {
    tl_cone_def cone = form->cone;
    tl_capsule_def capsule = form->capsule;
    const int end = form->has_cone ? end_towards(cone.from, cone.to, open)
                                   : end_towards(capsule.from, capsule.to, open);
    const bool ball = form->has_capsule && capsule.from[0] == capsule.to[0] &&
                      capsule.from[1] == capsule.to[1] && capsule.from[2] == capsule.to[2];
    if (end == 0 && !ball)
        return tl_fail(error, TL_BAD_INPUT, "open", "open it along its axis",
                       "the vessel has no end on the side that is to be open");
    if (end < 0 && form->has_cone) {
        swap_ends(cone.from, cone.to);
        cone.radius = form->cone.end_radius;
        cone.end_radius = form->cone.radius;
    } else if (end < 0) {
        swap_ends(capsule.from, capsule.to);
    }
    return form->has_cone ? tl_cone_vessel(&cone, thickness, deviation, out, error)
                          : tl_capsule_vessel(&capsule, open, thickness, deviation, out, error);
}

tl_status tl_form_vessel(const tl_form_def *form, tl_vec3 open, double thickness, double spacing,
                         tl_mesh *out, tl_error *error) {
    if (!form->has_cone && !form->has_capsule)
        return tl_fail(error, TL_BAD_INPUT, "open",
                       "use a box, cylinder, sphere, cone or capsule, or a mesh with an opening",
                       "a %s cannot be opened", tl_form_word(form));
    if (form->has_scale || form->has_height || form->has_rotate || form->has_foot)
        return tl_fail(error, TL_BAD_INPUT, "open", "say where its ends are instead",
                       "an open %s cannot be turned, scaled or moved by its foot",
                       tl_form_word(form));
    tl_mesh made = {0};
    tl_status status = make_vessel(form, open, thickness, finest * spacing, &made, error);
    if (status == TL_OK)
        status = tl_mesh_repair(&made, NULL, error);
    if (status != TL_OK)
        tl_mesh_free(&made);
    else
        *out = made;
    return status;
}
