/* The parsed, checked and complete scene. Immutable once loaded; everything in it is owned by its
 * arena. The tables that fill it are beside the structs of each room; those of this room are in
 * tables.c. */
#ifndef TL_SCENE_SCENE_H
#define TL_SCENE_SCENE_H

#include "base/memory.h"
#include "base/param.h"
#include "boundary/drain.h"
#include "boundary/emitter.h"
#include "boundary/wall.h"
#include "flow/params.h"
#include "materials/material.h"
#include "measure/params.h"
#include "mesh/form.h"
#include "mesh/solid.h"
#include "resample/refine.h"
#include "world/world.h"

/* What moves the matter. */
typedef enum tl_dynamics_kind { TL_DYNAMICS_FLOW, TL_DYNAMICS_COHESIVE } tl_dynamics_kind;

/* Automatic becomes cubic for boxes and among thermal particles, else conforming. */
typedef enum tl_fill {
    TL_FILL_AUTOMATIC,
    TL_FILL_CUBIC,
    TL_FILL_HEXAGONAL,
    TL_FILL_JITTERED,
    TL_FILL_RELAXED,
    TL_FILL_CONFORMING,
} tl_fill;

/* A limb of a figure: what two balls and everything between them cover. */
typedef struct tl_limb_def {
    double from[3], to[3];     /* m; `to` is `from` when the file does not give it */
    double radius, end_radius; /* m, at `from` and at `to`; the same unless given */
    bool has_to, has_end_radius;
} tl_limb_def;

/* Two legs that lean against each other (gable.h). */
typedef struct tl_gable_def {
    double foot[3];              /* m: the middle between the soles */
    int64_t rows, width, layers; /* particles */
    double distance;             /* m, of neighbours; follows from the spacing */
} tl_gable_def;

/* Temperature at the start: the same everywhere, linear along an axis over the body's extent, with
 * the distance from a point, or with a colour of the mesh; or falling from a heat source. */
typedef struct tl_temperature_def {
    double value;                /* °C */
    int along;                   /* 0: nowhere; 1 + axis */
    int colour;                  /* 0: none; 1 + channel of the nearest point of the surface */
    double radius;               /* m: where `to` is reached */
    double center[3];            /* m; the middle of the body unless given */
    char *source;                /* the name of one of the scene; NULL: none */
    const tl_source_def *heater; /* the same */
    double from, to; /* °C, at the low and at the high end; in the centre and at the radius; nearest
                        to the source and far from it */
    bool has_value, has_radius, has_center, has_from, has_to;
} tl_temperature_def;

/* A body of particles: exactly one of the shapes. */
typedef struct tl_body_def {
    char *name;
    char *material;      /* a name in materials */
    tl_param_list limbs; /* tl_limb_def: one body, limbs may overlap */
    tl_form_def form;
    char *on;        /* a wall that a form stands on; NULL: none */
    tl_mesh mesh;    /* of the form, placed and closed; owned by the scene */
    tl_solid *solid; /* the same, to be asked; rigid bodies have both as well */
    tl_box_def box;
    tl_sphere_def sphere;
    tl_cylinder_def cylinder;
    tl_gable_def gable;
    bool has_box, has_sphere, has_cylinder, has_limbs, has_gable;
    double volume;           /* m³, of the mesh */
    bool overlaps;           /* parts of the mesh lie in each other; its volume counts them once */
    int fill;                /* tl_fill */
    double spacing;          /* m, of its particles */
    bool has_spacing;        /* or else they have the scene's */
    int64_t particles;       /* of a form; 0: as many as its volume asks for */
    double jitter;           /* of the spacing, for the jittered fill */
    double velocity[3];      /* m/s */
    double spin[3];          /* rad/s, about the middle of the box around it */
    bool rigid;              /* keeps its shape */
    double friction, bounce; /* of a rigid body */
    tl_temperature_def temperature;
} tl_body_def;

/* Axes along which the world repeats itself. */
typedef struct tl_periodic_def {
    tl_box_def box;
    bool x, y, z;
} tl_periodic_def;

/* Where the camera is at a time. What a key leaves out is as in the key before it. */
typedef struct tl_camera_key_def {
    double at;                  /* s */
    double from[3], look_at[3]; /* m */
    double field_of_view;       /* rad */
    bool has_from, has_look_at, has_field_of_view;
} tl_camera_key_def;

typedef struct tl_camera_def {
    double from[3], look_at[3]; /* m; equal: chosen so that the whole action is in view */
    double field_of_view;       /* rad, vertical */
    double turn;                /* rad/s, about the vertical through what it looks at */
    tl_param_list path;         /* tl_camera_key_def, in order; none: the camera stays */
} tl_camera_def;

/* A light in pictures: far away in a direction, or at a place. Heat comes from sources. */
typedef struct tl_light_def {
    double direction[3];              /* from the scene towards it; any length */
    double position[3];               /* m */
    bool has_direction, has_position; /* exactly one of them */
    float colour[3];
    double strength; /* 1: a white sheet that faces it is white in the picture; from a position, at
                        the distance of what the camera looks at */
    double size; /* rad, the angle it is seen under, from a direction; m, its radius, at a place */
} tl_light_def;

typedef struct tl_output_def {
    bool frames;                   /* write frames/NNNNN.vtp */
    int64_t last_frame;            /* where a run stops for now; 0: at the end */
    int64_t snapshot_every;        /* frames; 0: only at the end and when interrupted */
    int64_t keep_snapshots;        /* the newest so many; 0: all */
    bool film;                     /* draw pictures and make a film of them */
    bool keep_pictures;            /* when there is a film of them */
    bool plots;                    /* draw plots/overview.* of the ledger at the end */
    bool surface;                  /* write surface/NNNNN.ply */
    int64_t width, height;         /* pixels of the pictures */
    char *colour_by;               /* a field's name, or "material" */
    double colour_from, colour_to; /* SI: the ends of the colour bar; equal: of each frame's own */
    int colour_map;                /* of tl_colour_map_names */
    int look;                      /* of tl_look_names */
    int film_format;               /* of tl_film_names */
    double film_rate;              /* 1/s, pictures a second of the film; 0: see scene/pace.h */
    double slow;                   /* seconds of the film that a second takes; 0: the same */
} tl_output_def;

struct tl_scene {
    char *title;
    double spacing;    /* m */
    double duration;   /* s */
    double frame_rate; /* 1/s */
    int64_t seed;      /* of everything random */
    double gravity[3]; /* m/s² */
    tl_periodic_def periodic;
    bool has_periodic;
    int dynamics; /* tl_dynamics_kind */
    tl_flow_params flow;
    tl_cohesive_params cohesive;
    tl_resample_params resample;
    bool has_resample;
    bool has_thermal;
    tl_heat_params heat;
    bool has_heat;            /* the file has the section, or a wall or a material asks for it */
    tl_param_list materials;  /* tl_material */
    tl_param_list interfaces; /* tl_interface_def */
    tl_param_list bodies;     /* tl_body_def */
    tl_param_list refine;     /* tl_refine_def */
    tl_param_list walls;      /* tl_wall_def */
    tl_param_list sources;    /* tl_source_def */
    tl_param_list emitters;   /* tl_emitter_def */
    tl_param_list drains;     /* tl_drain_def */
    tl_param_list measures;   /* tl_measure_def */
    double measure_rate;      /* 1/s: rows of measures beside those of frames; 0: none */
    tl_param_list lights;     /* tl_light_def; none: the pictures choose */
    tl_camera_def camera;
    tl_output_def output;

    tl_rigid_def *rigids; /* of the rigid bodies */
    size_t rigid_count;

    tl_arena arena; /* owns all of the above but meshes, which forms.h frees */
};

extern const tl_param_table tl_scene_table;

/* m: of the particles of a body, before they are refined. */
static inline double tl_body_spacing(const tl_scene *scene, const tl_body_def *body) {
    return body->has_spacing ? body->spacing : scene->spacing;
}

/* The least of them. refine.c */
double tl_scene_least_spacing(const tl_scene *scene);

/* Whether particles split and merge where `refine` says so, while it runs. refine.c */
bool tl_scene_refines(const tl_scene *scene);

/* Whether its particles may differ in size. refine.c */
bool tl_scene_sizes_differ(const tl_scene *scene);

/* A hash of what may not change when a run goes on: all parameters but those that are idle, or
 * live. build.c */
uint64_t tl_scene_hash(const tl_scene *scene);

/* Particles that emitters are expected to add while the scene lasts. build.c */
double tl_scene_emitted(const tl_scene *scene);

/* Its parts that tell of pictures. tables_pictures.c */
extern const tl_param_table tl_camera_table, tl_camera_key_table, tl_light_table, tl_output_table;

/* The words for what later rooms can do, NULL-terminated: how pictures look, their colour
 * maps, and the formats of films. */
extern const char *const tl_look_names[], *const tl_colour_map_names[], *const tl_film_names[];

/* The words for no axis and the three, NULL-terminated. */
extern const char *const tl_axis_names[];

#endif
