/* Forms: the shapes that become triangle meshes, be they matter or walls. Their parameters are
 * declared here once; a struct with a tl_form_def lists them all with TL_FORM_PARAMS.
 *
 * A form lies where its own coordinates put it. It is turned and scaled about the middle of the box
 * around it, and then, when `foot` is given, moved so that the middle of its foot stands there. */
#ifndef TL_MESH_FORM_H
#define TL_MESH_FORM_H

#include "base/param.h"
#include "mesh/mesh.h"

typedef struct tl_mesh_file_def {
    char *file; /* a path once the scene has found it */
    bool close_holes;
} tl_mesh_file_def;

/* A cone, whole or cut off. */
typedef struct tl_cone_def {
    double from[3], to[3];     /* m: the middles of its ends */
    double radius, end_radius; /* m, at `from` and at `to` */
} tl_cone_def;

/* All balls with the centre between two points. */
typedef struct tl_capsule_def {
    double from[3], to[3], radius; /* m */
} tl_capsule_def;

typedef struct tl_torus_def {
    double center[3], axis[3];  /* m; any length */
    double radius, tube_radius; /* m: of the ring in the middle of the tube, and of the tube */
} tl_torus_def;

typedef struct tl_rounded_box_def {
    double from[3], to[3], radius; /* m: corners of the box, and radius of its edges */
} tl_rounded_box_def;

/* Letters that stand upright in x and z. */
typedef struct tl_letters_def {
    char *text, *font;    /* the font is a path once the scene has found it */
    double height, depth; /* m: of a capital, and along y */
} tl_letters_def;

/* Ground with hills: heights from an image, or noise. */
typedef struct tl_terrain_def {
    double from[3], to[3]; /* m: lowest and highest corner of its surface */
    double thickness;      /* m, below the lowest point */
    char *image;           /* NULL: noise; a path once the scene has found it */
    double hill;           /* m: width of the largest hills; 0: a quarter of the longer side */
    double roughness;      /* height of hills half as wide */
    int64_t seed;
} tl_terrain_def;

typedef struct tl_form_def {
    tl_mesh_file_def mesh;
    tl_cone_def cone;
    tl_capsule_def capsule;
    tl_torus_def torus;
    tl_rounded_box_def rounded_box;
    tl_letters_def text;
    tl_terrain_def terrain;
    bool has_mesh, has_cone, has_capsule, has_torus, has_rounded_box, has_text, has_terrain;
    double scale;
    double height;    /* m: scaled so that this is its extent along z, after turning */
    double rotate[3]; /* rad, about x, then y, then z */
    double foot[3];   /* m */
    bool has_scale, has_height, has_rotate, has_foot;
} tl_form_def;

extern const tl_param_table tl_mesh_table, tl_cone_table, tl_capsule_table, tl_torus_table,
    tl_rounded_box_table, tl_text_table, tl_terrain_table;

/* How many forms are given (one is right), and the key of the first of them; NULL: none. */
int tl_form_count(const tl_form_def *form);
const char *tl_form_word(const tl_form_def *form);
static inline bool tl_form_given(const tl_form_def *form) { return tl_form_count(form) > 0; }

/* The file that the form reads, or NULL; *kind is the folder of such files: "meshes", "fonts" or
 * "images". */
char **tl_form_file(tl_form_def *form, const char **kind);

/* Makes the placed mesh of a form: repaired, with the triangles looking outwards if it is closed.
 * Round forms deviate from it by less than 2 % of `spacing`. The `where` of an error is the key
 * that is to blame, such as "cone.radius". */
tl_status tl_form_make(const tl_form_def *form, double spacing, tl_mesh *out, tl_error *error);

/* Makes a vessel whose inside is the form, with a wall of that thickness outside of it, and without
 * the end that lies towards `open` (unit); a ball becomes a bowl. TL_BAD_INPUT for all but cones
 * and capsules, and for those that are turned, scaled or moved. */
tl_status tl_form_vessel(const tl_form_def *form, tl_vec3 open, double thickness, double spacing,
                         tl_mesh *out, tl_error *error);

/* The entries for parameter tables of `owner`, whose member `member` is a tl_form_def. */
#define TL_FORM_SECTION(owner, member, key, plain_, doc_)                                          \
    {                                                                                              \
        .name = #key, .type = TL_PARAM_SECTION, .offset = offsetof(owner, member.key),             \
        .flags = TL_PARAM_OPTIONAL, .table = &tl_##key##_table, .plain = plain_,                   \
        .present = offsetof(owner, member.has_##key), .doc = doc_                                  \
    }
#define TL_FORM_PARAMS(owner, member)                                                              \
    TL_FORM_SECTION(owner, member, mesh, "file", "A mesh from a file"),                            \
        TL_FORM_SECTION(owner, member, cone, NULL, "A cone, whole or cut off"),                    \
        TL_FORM_SECTION(owner, member, capsule, NULL, "A cylinder with round ends; a ball"),       \
        TL_FORM_SECTION(owner, member, torus, NULL, "A ring"),                                     \
        TL_FORM_SECTION(owner, member, rounded_box, NULL, "A box with round edges"),               \
        TL_FORM_SECTION(owner, member, text, "text", "Letters of a font, drawn out into solids"),  \
        TL_FORM_SECTION(owner, member, terrain, NULL, "Ground with hills"),                        \
        TL_FORM_PLACE_PARAMS(owner, member)

/* Those that say where a form is. */
#define TL_FORM_PLACE_PARAMS(owner, member)                                                        \
    {.name = "scale",                                                                              \
     .type = TL_PARAM_NUMBER,                                                                      \
     .offset = offsetof(owner, member.scale),                                                      \
     .default_value = "1",                                                                         \
     .min = 0,                                                                                     \
     .max = 1e9,                                                                                   \
     .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,                                          \
     .present = offsetof(owner, member.has_scale),                                                 \
     .doc = "Size of the form against that of its file or section"},                               \
        {.name = "height",                                                                         \
         .type = TL_PARAM_NUMBER,                                                                  \
         .offset = offsetof(owner, member.height),                                                 \
         .unit = TL_UNIT_LENGTH,                                                                   \
         .min = 0,                                                                                 \
         .max = 1e6,                                                                               \
         .flags = TL_PARAM_OPTIONAL | TL_PARAM_MIN_EXCLUSIVE,                                      \
         .present = offsetof(owner, member.has_height),                                            \
         .doc = "Extent of the form along z, instead of a scale"},                                 \
        {.name = "rotate",                                                                         \
         .type = TL_PARAM_VECTOR,                                                                  \
         .offset = offsetof(owner, member.rotate),                                                 \
         .unit = TL_UNIT_ANGLE,                                                                    \
         .default_value = "[0, 0, 0]",                                                             \
         .flags = TL_PARAM_OPTIONAL,                                                               \
         .present = offsetof(owner, member.has_rotate),                                            \
         .doc = "Turns the form about x, then about y, then about z"},                             \
    {                                                                                              \
        .name = "foot", .type = TL_PARAM_VECTOR, .offset = offsetof(owner, member.foot),           \
        .unit = TL_UNIT_LENGTH, .flags = TL_PARAM_OPTIONAL,                                        \
        .present = offsetof(owner, member.has_foot),                                               \
        .doc = "Where the middle of the form's foot stands; without it the form lies where its "   \
               "own coordinates put it"                                                            \
    }

#endif
