/* A world: all that changes during a run. It is made from a definition that the scene room fills
 * (src/scene/build.c) and refers to it: the definition's arrays must outlive the world, but for the
 * seeds, which become particles. */
#ifndef TL_WORLD_WORLD_H
#define TL_WORLD_WORLD_H

#include "boundary/drain.h"
#include "boundary/emitter.h"
#include "boundary/wall.h"
#include "cohesion/params.h"
#include "flow/params.h"
#include "heat/params.h"
#include "heat/source.h"
#include "materials/material.h"
#include "particles/fields.h"
#include "resample/params.h"
#include "resample/refine.h"
#include "rigid/rigid.h"
#include "tension/params.h"
#include "world/choice.h"
#include "world/gauges.h"
#include "world/ledger.h"

/* A particle to be. Its volume is size³ and its mass follows from the material. */
typedef struct tl_seed {
    double position[3], velocity[3];
    double size;             /* m; 0: the world's spacing */
    double whole;            /* m: size of what it was cut from; 0: of nothing */
    float temperature;       /* °C */
    uint32_t material, body; /* indices */
} tl_seed;

/* What a world is made from. */
typedef struct tl_world_def {
    uint64_t scene;               /* hash of its parameters but those of flow; 0: of no scene */
    uint64_t asked_flow;          /* hash of those of flow, as the scene asks for them */
    double spacing;               /* m */
    double least_size, most_size; /* m: sizes that particles may have; 0: all have the spacing */
    double duration, stop_every;  /* s, for the choice of a scheme alone; 0: not known */
    double gravity[3];            /* m/s² */
    /* m: copies of the world continue it along axis k where period_to[k] > period_from[k]. */
    double period_from[3], period_to[3];
    tl_flow_params flow;
    tl_heat_params heat;
    tl_cohesive_params cohesive;
    tl_resample_params resample; /* by default particles neither split nor merge */
    const tl_refine_def *refine; /* where particles are split and merged, as long as it runs */
    size_t refine_count;
    bool thermal_particles; /* instead of flow */
    bool with_heat;         /* temperatures change; else they stay as they were at the start */
    const tl_source_def *sources; /* of radiation */
    size_t source_count;
    const tl_material *materials;
    size_t material_count;
    const tl_wall_def *walls;
    size_t wall_count;
    const tl_rigid_def *rigids; /* bodies that keep their shape */
    size_t rigid_count;
    const tl_emitter_def *emitters;
    size_t emitter_count; /* 255 at most */
    const tl_drain_def *drains;
    size_t drain_count;
    const tl_interface_def *interfaces; /* tension where liquids meet */
    size_t interface_count;
    const tl_gate_def *gates; /* where passing matter is counted; TL_MOST_GATES at most */
    size_t gate_count;
    bool books_walls; /* what each wall feels is booked */
    const tl_seed *seeds;
    size_t seed_count;
} tl_world_def;

/* Makes a world from a definition and finds forces, or neighbours, and heat at the start. */
tl_status tl_world_make(const tl_world_def *def, const tl_world_options *options, tl_world **out,
                        tl_error *error);

/* Gives a world the live parameters of a definition that differs from its own in nothing else;
 * TL_BAD_INPUT when it does. steer.c */
tl_status tl_world_take_live(tl_world *world, const tl_world_def *def, tl_error *error);

/* For tests: from now on its loops are shared however small they are (tl_parallel_adverse). */
void tl_world_make_adverse(tl_world *world);

/* Replaces the state of a world by that of a snapshot of the same scene. */
tl_status tl_world_restore(tl_world *world, const char *path, tl_error *error);

/* All fields, for writers. */
const tl_fields *tl_world_fields(const tl_world *world);

/* The books of the world as they stand now. */
void tl_world_ledger(const tl_world *world, tl_ledger *out);

/* How the surface of a rigid body stands, by its number, from where it was at the start. rigid.c */
tl_pose tl_world_rigid_pose(const tl_world *world, size_t rigid);

/* Whether a material of the scene, by its number, may be poured by hand. tap.c */
bool tl_world_may_pour(const tl_world *world, size_t material);

/* What it was made from; without the seeds. */
const tl_world_def *tl_world_definition(const tl_world *world);

/* What has passed a gate, and what a wall has felt; NULL where walls are not booked. */
const tl_gate *tl_world_gate(const tl_world *world, size_t gate);
const tl_wall_books *tl_world_wall_books(const tl_world *world, size_t wall);

/* How many faces of a wall are nearer to a place than `reach` (m), as the wall is now. */
size_t tl_world_faces_near(const tl_world *world, size_t wall, tl_vec3 place, double reach);

/* °C: of a wall as it is now; NAN of one that has none. */
double tl_world_wall_temperature(const tl_world *world, size_t wall);

/* m: how far kernels reach. */
double tl_world_support(const tl_world *world);

/* How its flow is solved, and why so. */
const tl_choice *tl_world_choice(const tl_world *world);

/* How a source burns now: where its middle is, and its power (W; of a flame on a wick all that it
 * sets free). False where no source has a wick: the scene tells all then. */
bool tl_world_flame(const tl_world *world, size_t source, tl_vec3 *place, double *power);

/* Bytes a world of `count` particles will need, all in. */
size_t tl_world_bytes_needed(size_t count, const tl_flow_params *flow, bool with_heat);

/* Bytes this world holds. */
size_t tl_world_bytes(const tl_world *world);

/* Wall seconds spent in each stage of the step since the world was made. */
typedef struct tl_stage_time {
    const char *name;
    double seconds;
} tl_stage_time;
size_t tl_world_stages(const tl_world *world, const tl_stage_time **out);

#endif
