/* Emitters: nozzles that matter comes out of. New particles appear layer by layer at the mouth's
 * back, a disc, a rectangle or a flat mesh, and are led through a short nozzle at the speed of the
 * flow, which pushes what is before them; then they are free. */
#ifndef TL_BOUNDARY_EMITTER_H
#define TL_BOUNDARY_EMITTER_H

#include "base/memory.h"
#include "base/schedule.h"
#include "math/vec3.h"
#include "mesh/form.h"

#include <stdint.h>

typedef struct tl_disc_def {
    double center[3], direction[3], radius; /* m; the direction has any length */
} tl_disc_def;

/* A rectangle; its width is level where that is possible. */
typedef struct tl_rectangle_def {
    double center[3], direction[3], width, height; /* m */
} tl_rectangle_def;

/* One emitter as the scene gives it: one of disc, rectangle and mesh, one of speed and flow rate.
 */
typedef struct tl_emitter_def {
    char *name;
    char *material; /* a name in materials */
    tl_disc_def disc;
    tl_rectangle_def rectangle;
    bool has_disc, has_rectangle;
    tl_form_def form;  /* a mesh: the sides that its triangles face are where matter comes out */
    tl_mesh mesh;      /* of the form, placed; owned by the scene */
    tl_schedule speed; /* m/s */
    tl_schedule flow_rate; /* m³/s */
    bool has_speed, has_flow_rate;
    tl_schedule temperature; /* °C: of what comes out */
    double from, until;      /* s */
    double limit;            /* m³ */
    double length;           /* m, of the nozzle */
    double velocity[3];      /* m/s, of the nozzle */
    bool has_until, has_limit, has_length;
    bool hidden; /* in pictures: its spout */
    /* What follows from the scene. */
    uint32_t material_index, body; /* of its particles */
} tl_emitter_def;

extern const tl_param_table tl_disc_table;
extern const tl_param_table tl_rectangle_table;
extern const tl_param_table tl_emitter_table;

/* A layer of an emitter, made ready: particles of the volume spacing³, on rings in a round mouth
 * and else on a lattice, that fill the mouth exactly, so that the flow rate is right whatever its
 * shape. */
typedef struct tl_nozzle {
    tl_vec3 center;        /* at time 0 */
    tl_vec3 direction;     /* unit */
    tl_vec3 across, along; /* unit, in the mouth */
    tl_vec3 velocity;      /* m/s */
    double reach;          /* m: from the centre to the farthest point of the mouth */
    double area;           /* m² */
    double length;         /* m */
    double layer;          /* m: the flow advances by this from layer to layer */
    double (*sites)[2];    /* m: places in the mouth */
    size_t count;
} tl_nozzle;

/* The nozzle of an emitter; free it. TL_BAD_INPUT when it has no direction or no size. */
tl_status tl_nozzle_make(const tl_emitter_def *emitter, double spacing, tl_nozzle *out,
                         tl_error *error);
void tl_nozzle_free(tl_nozzle *nozzle);

/* m: how far `x` is along the nozzle at a time (s). */
double tl_nozzle_depth(const tl_nozzle *nozzle, double time, tl_vec3 x);

/* Where particle `site` of a layer is that has come so far along the nozzle at a time. */
tl_vec3 tl_nozzle_place(const tl_nozzle *nozzle, double time, double depth, size_t site);

/* The corners of the box along the axes around the nozzle at a time. */
void tl_nozzle_bounds(const tl_nozzle *nozzle, double time, double low[3], double high[3]);

/* The mouth as a whole, at time 0. */
typedef struct tl_mouth {
    tl_vec3 center;
    tl_vec3 direction; /* of any length; zero: none */
    double area;       /* m² */
    double reach;      /* m: from the centre to the farthest point of the mouth */
} tl_mouth;
tl_mouth tl_emitter_mouth(const tl_emitter_def *emitter);

/* m²: of the mouth. */
double tl_emitter_area(const tl_emitter_def *emitter);

/* m: how far the flow in an emitter with a mouth of `area` advances from one time to another. */
double tl_emitter_way(const tl_emitter_def *emitter, double area, double from, double to);

/* m/s: the largest speed of the flow. */
double tl_emitter_peak(const tl_emitter_def *emitter, double area);

#endif
