/* What a world holds. Private to this room. */
#ifndef TL_WORLD_STATE_H
#define TL_WORLD_STATE_H

#include "base/groups.h"
#include "boundary/extrapolate.h"
#include "boundary/links.h"
#include "cohesion/cohesive.h"
#include "flow/momentum.h"
#include "flow/solve.h"
#include "flow/stress.h"
#include "heat/exchange.h"
#include "heat/radiation.h"
#include "materials/memory.h"
#include "tension/tension.h"
#include "world/dynamics.h"
#include "world/world.h"

/* Handles of the fields every world has; declare.c declares them. */
typedef struct tl_world_handles {
    int id, position, velocity, density, mass, material, body, pressure, strain_rate, temperature,
        viscosity, acceleration, shift;
    int list_position;                          /* place at the last neighbour build */
    int last_move, kept_velocity, kept_density; /* what a rejected step goes back by */
    int enthalpy, liquid_fraction, phase;       /* with heat only; else -1 */
    int exposed_area, lit_part;                 /* with a surface (surface.c) only; else -1 */
    int held;                                   /* if a material is held while solid; else -1 */
    int nozzle;                                 /* with emitters only; else -1 */
    int body_force;                             /* if something acts besides gravity; else -1 */
    int strain;                                 /* if a law remembers; else -1 */
    int way, apart, forgotten;                  /* if matter is elastic; else -1 */
    int size;                                   /* if particles differ in size; else -1 */
    int whole;                                  /* if they are refined as it runs; else -1 */
    int sides;                                  /* with gates only; else -1 */
    int caught, in_hand;                        /* if the world is steered; else -1 */
} tl_world_handles;

/* Scalars that are part of the state: all are doubles, all are saved. */
typedef struct tl_world_state {
#define BOOKED(name, unit, doc)  double name;
#define BOOKED3(name, unit, doc) double name[3];
#define COUNTED(name, unit, doc) double name;
#define KEPT(name, doc)          double name;
#define KEPT3(name, doc)         double name[3];
#define KEPT_COUNT(name, doc)    double name;
#include "world/books.def"
} tl_world_state;

/* An emitter at work. emit.c */
typedef struct tl_world_emitter {
    tl_nozzle nozzle;
    double advance;     /* m: of the flow since the last layer; state */
    double particles;   /* that have come out; state */
    double way;         /* m: by which the flow advances in this step */
    double velocity[3]; /* m/s: of what is in the nozzle, in this step */
    bool blocked;       /* and that has been told */
} tl_world_emitter;

/* A source, as it burns and as it was when light was last found: all doubles, all are saved. */
typedef struct tl_flame {
    double top,
        whole;      /* m: from the foot of the wick to its tip; and what stood out at the start */
    double level;   /* m: from the foot to the surface of the matter, as the wick notices it */
    double fuel;    /* kg: in the wick */
    double power;   /* W: set free in this exchange */
    double out;     /* 1: it burns no more */
    double seen[3]; /* m: where the source was when light was found */
    double share;   /* of all power, that it had then */
} tl_flame;

/* What is open to the air and to sources of radiation. surface.c; flames: wick.c */
typedef struct tl_world_surface {
    bool wanted;      /* the scene loses heat to the air or has sources */
    bool burns;       /* some of these are flames on wicks */
    tl_flame *flames; /* [sources] */
    tl_exposed exposed;
    tl_radiation radiation;
    double *parts;  /* [n] */
    double *warmed; /* [n] W: that comes down wicks, in this exchange */
    double power;   /* W: of all sources, in this exchange */
    double ambient; /* °C, in this exchange */
} tl_world_surface;

/* Heat, as far as a world has it. heat.c */
typedef struct tl_world_heat {
    tl_heat_exchange exchange;
    tl_caloric *calorics; /* [materials] */
    tl_heat_wall *walls;  /* [walls]; the temperatures of those with a capacity are state */
    float *conductivity;  /* [n] */
    float *share;         /* [n] of the viscous heating */
    bool *rigid;          /* [particles] of rigid bodies, where there are any */
    double friction;      /* W: of viscous heating, in this exchange */
    bool fitted;          /* pairs and fits are those of the present places and lists */
} tl_world_heat;
#define TL_HEAT_ARRAYS(h) (h)->conductivity, (h)->share, (h)->rigid

/* Elastic matter, in the step at work. elastic.c */
typedef struct tl_world_springs {
    float *stiffness; /* [n] Pa: of springs against hourglasses */
    float *lag;       /* [n] s: how far they are behind */
    float *pace;      /* [n] 1/s: at which they forget */
    float (*turn)[3]; /* [n] rad: by which matter turns */
    float *kept;      /* [n] what is left of memories; NULL: nothing yields or is unevenly warm */
    double energy;    /* J: of the springs, at the start of the step */
    bool tied;        /* some of it is solid, and what follows is there */
    tl_tied *places;  /* [total + 1] */
    tl_neighbor_list list;
    tl_ties ties;
    float *pull; /* [n] Pa: with which solids would pull at others that they touch */
    float *near; /* [n] m: how near those are; HUGE_VAL: nobody is */
} tl_world_springs;
#define TL_SPRING_ARRAYS(s)                                                                        \
    (s)->stiffness, (s)->lag, (s)->pace, (s)->turn, (s)->kept, (s)->places, (s)->pull, (s)->near

/* Surface tension, in the step at work. tension.c */
typedef struct tl_world_tension {
    bool wanted, bears; /* some of the matter has surface tension; or bears a pull of itself */
    float *gamma;       /* [n] N/m */
    float *cosine;      /* [n] of its contact angle */
    tl_tension surface;
    bool parted;     /* some liquids have tension between them (interfaces.c) */
    double *between; /* [materials * materials] N/m */
    tl_tension border;
} tl_world_tension;
#define TL_TENSION_ARRAYS(t) (t)->gamma, (t)->cosine

/* What is counted for measures. gauges.c */
typedef struct tl_world_gauges {
    tl_gate_def *defs;    /* [gates] */
    tl_gate *gates;       /* [gates]; state */
    tl_wall_books *walls; /* [walls]; NULL: nobody asks; state */
    tl_wall_books *kept;  /* [walls] before the step, for a rejection */
    double (*push)[3];    /* [n] N: of walls on each particle, in the last solve */
    double (*first)[3];   /* [n] the same, in the first part of a solve in two */
    double (*thrust)[3];  /* [samples] N: of explicit walls on the matter */
} tl_world_gauges;
#define TL_GAUGE_ARRAYS(g) (g)->push, (g)->first, (g)->thrust

/* A tap that is held in a hand, all doubles. tap.c */
typedef struct tl_tap {
    double open;        /* 1; else 0 */
    double place[3];    /* m: of the middle of its mouth */
    double velocity[3]; /* m/s: of what comes out */
    double radius;      /* m */
    double temperature; /* °C */
    double material;    /* its number */
    double most;        /* particles in the world: with more, nothing comes */
    double advance;     /* m: of the flow since the last layer */
} tl_tap;

/* What was told a world that is steered; all doubles, and state. steer.c, hand.c */
typedef struct tl_steered {
    double gravity[3]; /* m/s² */
    double holds;      /* 1: a hand holds something; else 0 */
    double place[3];   /* m: of the hand */
    double strength;   /* m/s² */
    tl_tap tap;
} tl_steered;

enum { TL_STEERED_STATE = sizeof(tl_steered) / sizeof(double) };

typedef enum tl_stage {
    TL_STAGE_MOVE,
    TL_STAGE_NEIGHBORS,
    TL_STAGE_WALLS,
    TL_STAGE_STRESS,
    TL_STAGE_FORCES,
    TL_STAGE_PAIRS,
    TL_STAGE_SOLVE,
    TL_STAGE_HEAT,
    TL_STAGE_COUNT
} tl_stage;

typedef struct tl_lump tl_lump;

struct tl_world {
    tl_world_def def; /* its arrays belong to the scene */
    tl_parallel parallel;
    tl_log log;
    tl_fields fields;
    tl_world_handles handle;
    tl_world_state state;

    /* Constants derived from the definition. */
    tl_vec3 origin;                  /* of the records' coordinates */
    double period[3];                /* lengths, 0 where the world does not repeat */
    tl_sizes sizes;                  /* of particles */
    double skin;                     /* m */
    float *radii;                    /* [records] m: of the search, where particles differ */
    double sound_speed;              /* m/s, of the densest liquid */
    bool layered;                    /* several liquids have different densities */
    double fastest_sound, stiffness; /* m/s, of the lightest; Pa, of all */
    tl_choice choice;
    const tl_dynamics *dynamics; /* what the choice comes to */
    tl_lattice lattice;
    tl_fluid *fluids;       /* [materials] */
    tl_material *materials; /* [materials]; their texts and tables belong to the scene */
    tl_memory memory;       /* the fields of their laws */
    tl_shapes shapes;

    /* Working memory, rebuilt from the state. */
    tl_records records;
    tl_samples samples;
    tl_search *search;
    tl_neighbor_list list;
    tl_scratch scratch; /* for phases of a step, in turn */
    tl_solver solver;
    tl_world_heat heat;
    tl_world_surface surface;
    tl_cohesive cohesive;
    tl_rigids rigids;
    tl_world_springs springs;
    tl_world_tension tension;
    tl_world_gauges gauges;
    bool is_steered;
    tl_steered steered;         /* state where it is */
    tl_material *own_materials; /* [materials] what def points to where worlds are steered: */
    tl_wall_def *own_walls;     /* live parameters may differ from the scene's */
    tl_source_def *own_sources; /* and places, which are state */
    tl_emitter_def *own_emitters;
    bool *flows;                /* [materials] from the start; where worlds are steered */
    double field_work;          /* J: of body_force; state where there is that field (force.c) */
    float *even;                /* [n] 1/s: what diffusion of density must not see (layers.c) */
    tl_world_emitter *emitters; /* [emitters] */
    tl_nozzle tap;              /* of the one in a hand, if it is open */
    tl_pouring pouring;         /* what it did last */
    uint32_t body_count;        /* of the scene, emitters included; the next is what is poured */
    bool list_valid;
    void *partial; /* per-block results of the loop that runs */

    float *kept_flow; /* [2 n] strain rates and viscosities, which an implicit solve changes */

    tl_member *lump_of; /* [n] lumps of matter that touch nothing (fall.c) */
    tl_lump *lumps;

    double stop;        /* s: the next step ends no later */
    double stiffest;    /* m²/s: η/ρ0 is no larger in the implicit step at work */
    double response_dt; /* s: the step that matter responds to */
    char refusal[128];  /* why the last implicit attempt was not fine */
    tl_stage_time stages[TL_STAGE_COUNT];
};

/* Declares the fields of a world. */
tl_status tl_world_declare_fields(tl_world *world, tl_error *error);

/* Of what there is at the start and of where more comes from, m. prospect.c */
typedef struct tl_extent {
    double low[3], high[3];
} tl_extent;
tl_extent tl_world_extent(const tl_world *world);

/* Whether a body of the scene is rigid. */
bool tl_world_def_is_rigid(const tl_world_def *def, uint32_t body);

/* Sets the speed of sound, the scheme and the form of the explicit scheme's viscosity from the
 * definition, the shapes and the emitters. */
void tl_world_choose(tl_world *world);

/* The box around all particles; low > high when there are none. */
void tl_world_bounds(const tl_world *world, tl_vec3 *low, tl_vec3 *high);

/* Working memory for per-block results of `size` bytes over `count` items. */
tl_status tl_world_partials(tl_world *world, size_t count, size_t size, tl_error *error);

/* Fills the records from the fields and sees to valid neighbour lists. *broken is set when a place
 * is not finite (or so far off that it might as well not be); *worst names the particle.
 * neighborhood.c */
tl_status tl_world_find_neighbors(tl_world *world, bool *broken, size_t *worst, tl_error *error);

/* To be called once sizes, or the number of particles, have changed: sets what follows from the
 * field of sizes, if there is one. sizes.c */
void tl_world_measure_sizes(tl_world *world);

/* m: of the lattice of wall samples, fine enough for the smallest particles. */
double tl_world_sample_spacing(const tl_world *world);

/* Builds samples, images and lists from the places in list_position, without sorting, and forgets
 * what was found with the lists before: what a resumed world needs to go on with the very lists it
 * was saved with. */
tl_status tl_world_rebuild_lists(tl_world *world, tl_error *error);

/* To be called once particles have come or gone: all that was known by their numbers is forgotten
 * or found anew, as a resumed world would find it. */
tl_status tl_world_matter_changed(tl_world *world, tl_error *error);

/* Evaluates density, stress and acceleration at the present place and velocity; the density is
 * advanced by dt. *broken is set when something is not finite; *worst names the particle.
 * evaluate.c */
tl_status tl_world_evaluate(tl_world *world, double dt, bool *broken, size_t *worst,
                            tl_error *error);

/* Puts the walls where they are at a time, at the end of a step of dt. */
void tl_world_place_walls(tl_world *world, double time, double dt);

/* Moves every particle, keeping the velocities `before` the step and what else a rejection needs.
 * *worst is the fastest particle, or the first whose speed is not finite. motion.c */
tl_status tl_world_move(tl_world *world, const double *before, double dt, bool *broken,
                        size_t *worst, tl_error *error);

/* Takes the state before an attempt back, for the dynamics; and m/s of particle i. step.c */
void tl_world_return_to(tl_world *world, const tl_world_state *kept);
double tl_world_speed_of(const tl_world *world, size_t i);

/* Whether the velocities that a solve over dt has found may be taken, the fastest of which goes
 * `way` (m); otherwise w->refusal says why not. accept.c */
bool tl_world_accepts(tl_world *world, const tl_solve_report *report, double dt, double way);

/* Forces from afar (force.c). Makes room for what acts on each particle besides gravity, zero at
 * first: the field body_force. */
tl_status tl_world_want_body_force(tl_world *world, tl_error *error);

/* What acts on each particle. Valid until particles are sorted, come or go. */
tl_body_force tl_world_body_force(const tl_world *world);

/* Adds the work of what acts besides gravity, in the step of dt that was accepted, to field_work.
 */
void tl_world_book_force(tl_world *world, double dt);

/* Steering (steer.c, hand.c). Gives the world materials, walls and sources of its own, which may
 * change; and the fields of hands. */
tl_status tl_world_begin_steering(tl_world *world, tl_error *error);
tl_status tl_world_declare_hand(tl_world *world, tl_error *error);
void tl_world_free_steering(tl_world *world);

/* After the state was replaced: whether what was told may be told, and what follows from it. */
bool tl_world_steering_is_good(const tl_world *world);
tl_status tl_world_resume_steering(tl_world *world, tl_error *error);

/* Before a step: what the hand does to what it holds. */
void tl_world_use_hand(tl_world *world);

/* m/s²: its mean over all matter; gravity itself where nothing else acts. */
tl_vec3 tl_world_mean_force(const tl_world *world);

/* Gives the velocities, a first guess for a step of dt from solver.start, the momenta that they
 * must have where matter touches nothing, and turns what is stiff. fall.c */
tl_status tl_world_guess_fall(tl_world *world, double dt, tl_error *error);

/* Heat (heat.c). Makes the curves of the materials, the walls, enthalpies from temperatures and
 * what follows from them. */
tl_status tl_world_begin_heat(tl_world *world, tl_error *error);

/* Exchanges heat over no time, which finds the longest sub-step. */
tl_status tl_world_first_exchange(tl_world *world, tl_error *error);

/* Exchanges heat over the step of dt that was just made, or later together with the next ones: as
 * often as motion and conduction ask for, and when a stop time is reached. */
tl_status tl_world_exchange_heat(tl_world *world, double dt, tl_error *error);

/* Temperatures, liquid fractions and phases anew from enthalpies. */
void tl_world_refresh_heat(tl_world *world);

/* The step of a world whose matter does not move. */
double tl_world_heat_step_size(const tl_world *world);

/* J: enthalpy of all matter. */
double tl_world_enthalpy(const tl_world *world);

void tl_world_free_heat(tl_world *world);

/* Solids that are held (held.c): finds them anew, from liquid fractions and the lists at hand. What
 * comes to rest by it is booked, unless the run has not begun. */
tl_status tl_world_find_held(tl_world *world, tl_error *error);

/* How full the neighbourhoods are, in means over neighbours (a lattice is 1, disorder hardly
 * changes the mean), and which part of the neighbours are near a free surface. out: [n]; crowd.c */
void tl_world_find_fullness(tl_world *world, double dt, tl_averaged *out);

/* The compression of a particle at the start of a step. The flow's divergence alone does not see
 * all ways in which particles can crowd or thin out: what the neighbourhood holds more or less
 * than a lattice does counts as compression too, little by little. Near free surfaces only what is
 * too much is known. Spray has none. `around` is what tl_world_find_fullness has found. */
float tl_world_compression_of(const tl_world *world, size_t i, tl_averaged around, double rest,
                              double dt);

/* ν dt / dx², at most 1: from there on particles keep their neighbours and what order they have. */
double tl_world_thickness(const tl_world *world, size_t i, double dt);

/* m/s: by which the motion of particle i is to differ from its velocity, after a solve over dt.
 * shift.c */
void tl_world_find_shift(const tl_world *world, size_t i, double dt, float out[3]);

/* The part of what a step lets out of compressions that one of dt lets out: 1 unless it is hasty.
 * crowd.c */
double tl_world_leisure(const tl_world *world, double dt);

/* From now on matter responds to an implicit step of dt: sets the largest η/ρ0 that it tells from
 * that of a rigid body. viscosity.c */
void tl_world_aim_response(tl_world *world, double dt);

/* The response of the matter, a tl_respond_fn; the context is the world. */
void tl_world_respond(void *context, const tl_strained *flow, unsigned wanted,
                      const tl_response *out, size_t begin, size_t end);

/* The viscosities of particles [begin, end), at the rates of strain in the fields. */
void tl_world_renew_viscosities(tl_world *world, size_t begin, size_t end);

/* After a step of dt that was accepted: particles remember what their laws ask for. */
tl_status tl_world_remember(tl_world *world, double dt, tl_error *error);

/* Elastic matter (elastic.c). Whether particle i is of it; and the energy that its stress stores,
 * J.
 */
bool tl_world_is_elastic(const tl_world *world, size_t i);
double tl_world_strain_energy(const tl_world *world, size_t i);

/* Its springs, for the step of response_dt whose pairs are made, with viscosities that know them.
 */
tl_status tl_world_aim_springs(tl_world *world, tl_error *error);

/* Surface tension (tension.c). Whether there is any to find, once materials are known; its force in
 * a step, once pairs are made; and the books of a step of dt that was accepted. */
tl_status tl_world_begin_tension(tl_world *world, tl_error *error);
tl_status tl_world_aim_tension(tl_world *world, tl_error *error);
void tl_world_book_tension(tl_world *world, double dt);

/* The same between liquids, added to that of surfaces; N/m: the most that particle i may meet. */
tl_status tl_world_begin_interfaces(tl_world *world, tl_error *error);
tl_status tl_world_aim_interfaces(tl_world *world, tl_error *error);
double tl_world_parting_tension(const tl_world *world, size_t i);

/* Pa: pressure that tension makes, at most; m: how far it reaches. 0 without tension. */
double tl_world_tension_pressure(const tl_world *world);
double tl_world_tension_depth(const tl_world *world);

/* The longest step in which surfaces stay smooth. */
double tl_world_tension_step(const tl_world *world);

/* Pa: of what presses particle i, what surface tension may balance. */
double tl_world_balanced_pressure(const tl_world *world, size_t i);

/* The longest step of matter that hardly moves, by its last pressures (calm.c). */
double tl_world_calm_step(const tl_world *world);

/* Particles at surfaces that have tension, and how many of these have no surface that can be found:
 * sheets and threads are too thin, edges too sharp. Of the last step. */
void tl_world_count_surface(const tl_world *world, double *surface, double *lost);

/* Finds lumps of matter, lump_of, and returns their number; not in worlds that repeat. fall.c */
tl_status tl_world_find_lumps(tl_world *world, size_t *count, tl_error *error);

/* Ties of elastic solids, for lists that are new; and those there are, or NULL. */
tl_status tl_world_build_ties(tl_world *world, tl_error *error);
const tl_ties *tl_world_ties(const tl_world *world);

/* Where ties pull at strangers and how near these are, at the present places; and whether particle
 * i of a solid is pressed on one. touch.c */
tl_status tl_world_find_touch(tl_world *world, tl_error *error);
bool tl_world_touches(const tl_world *world, size_t i);

/* After a step, around the change of memories: finds how far matter has turned, and books what
 * became of the work of its stress. */
tl_status tl_world_turn_matter(tl_world *world, double dt, tl_error *error);
void tl_world_book_strain(tl_world *world);

/* s: steps that see how elastic matter bounces. */
double tl_world_wave_step(const tl_world *world);

/* Brings viscosities up to date for implicit steps: with the rates of the last solve before an
 * exchange of heat, so that what changes from there is the heat's doing; and after one over `due`
 * seconds, noting how fast they changed. */
void tl_world_settle_viscosities(tl_world *world);
tl_status tl_world_follow_heat(tl_world *world, double due, tl_error *error);

/* The surface of the matter (surface.c): finds it anew when matter or sources have moved, and sets
 * what the channels below need for an exchange whose middle is at `time`. */
tl_status tl_world_find_surface(tl_world *world, double time, tl_error *error);

/* Whether the scene needs its surface, from the definition alone. */
bool tl_world_wants_surface(const tl_world_def *def);

/* Channels of heat at the surface, for tl_heat_sources; the context is the world. */
tl_heat_source_fn tl_world_add_radiation, tl_world_add_lost_radiation, tl_world_add_lost_convection;

void tl_world_free_surface(tl_world *world);

/* Flames on wicks (wick.c). Makes what is known of sources, from the matter at the start. */
tl_status tl_world_begin_flames(tl_world *world, tl_error *error);

/* Before an exchange over dt (s of heat) whose middle is at `time`: finds what each flame sets
 * free, and burns what that takes. And the channel of what comes down wicks. */
tl_status tl_world_burn(tl_world *world, double time, double dt, tl_error *error);
tl_heat_source_fn tl_world_add_wick_heat;

/* After it: takes away what wicks soak up. */
tl_status tl_world_soak_wicks(tl_world *world, tl_error *error);

/* Whether the numbers of a source are such as a run can have. */
bool tl_world_flame_is_good(const tl_world *world, size_t source);

/* Emitters (emit.c). Makes the nozzles. */
tl_status tl_world_begin_emitters(tl_world *world, tl_error *error);
void tl_world_free_emitters(tl_world *world);

/* The longest step in which no layer is skipped. */
double tl_world_emitter_step_size(const tl_world *world);

/* Sets how far the flow in each nozzle comes in a step of dt from now. */
void tl_world_aim_emitters(tl_world *world, double dt);

/* The velocity of particle i in this step if it is in a nozzle, else NULL. */
const double *tl_world_led_velocity(const tl_world *world, size_t i);

/* Sees to it that the explicit motion gives those in nozzles their velocity, and keeps books. */
void tl_world_lead_explicit(tl_world *world, double dt);

/* After a step of dt: lets go what has left its nozzle, and adds the layers that are due. */
tl_status tl_world_emit(tl_world *world, double dt, tl_error *error);

/* What a new particle is, beside its place. birth.c */
typedef struct tl_newborn {
    const double *velocity; /* m/s */
    double temperature;     /* °C */
    uint32_t material, body;
    size_t nozzle; /* the number of the emitter that leads it; 0: it is free */
} tl_newborn;

/* Gives particle i, which has a place and is all zero else, what it has to have, and books what it
 * brings in. */
void tl_world_bear(tl_world *world, size_t i, const tl_newborn *born);

/* A tap that is held in a hand (tap.c). The longest step in which no layer is skipped; HUGE_VAL
 * while it is shut. */
double tl_world_tap_step_size(const tl_world *world);

/* After a step of dt: adds the layers that are due. */
tl_status tl_world_run_tap(tl_world *world, double dt, tl_error *error);

/* After the state was replaced: whether it is one that a tap can have, and what follows from it. */
bool tl_world_tap_is_good(const tl_world *world);
tl_status tl_world_resume_tap(tl_world *world, tl_error *error);

/* Whether matter of a material flows, by what there is at the start. world.c */
bool tl_world_def_flows(const tl_world_def *def, size_t material);

/* Particles that split and merge (resample.c): gives a definition the sizes that parts may have;
 * and after a step, splits and merges whoever is due. */
void tl_world_size_parts(tl_world_def *def);
tl_status tl_world_resample(tl_world *world, tl_error *error);

/* Particles that split and merge where `refine` says so (refine.c): what particle i, which is new
 * and of one piece of the size `whole` (m), begins with; and after a step, whoever is due. */
void tl_world_begin_whole(tl_world *world, size_t i, double whole);
tl_status tl_world_refine(tl_world *world, tl_error *error);

/* Drains (drain.c): takes away what is in them after a step of dt. */
tl_status tl_world_drain(tl_world *world, double dt, tl_error *error);

/* What follows from the temperature of a particle that was born. heat.c */
void tl_world_warm_newborn(tl_world *world, size_t i);

/* J: enthalpy of particle i; 0 without heat. */
double tl_world_heat_of(const tl_world *world, size_t i);

/* Adds mass, momentum and energies of the matter as it stands, or of one particle. ledger.c */
void tl_world_add_energies(const tl_world *world, tl_ledger *out);
void tl_world_add_particle(const tl_world *world, size_t i, tl_ledger *out);

/* Rigid bodies (rigid.c). Makes them from the seeds. */
tl_status tl_world_begin_rigids(tl_world *world, tl_error *error);

/* Makes `even`, what explicit diffusion of density must not see; rigid bodies' part of it. layers.c
 */
tl_status tl_world_even_densities(tl_world *world, tl_error *error);
void tl_world_even_rigids(tl_world *world, float unit);

/* Pa·s: what bodies show in explicit flow, where pairs have the mean of two viscosities: the least
 * of the matter there is. Viscosity of their own would brake their spin. */
float tl_world_rigid_viscosity(const tl_world *world);

/* Moves the bodies, with their contacts, and places their particles. `before` are the velocities
 * before the step. *fastest2  square of the largest speed */
tl_status tl_world_move_rigids(tl_world *world, const double *before, double dt, double *fastest2,
                               tl_error *error);

/* Tells the implicit solve where the bodies are and how they move. */
tl_status tl_world_show_rigids(tl_world *world, tl_error *error);

/* Tells it what holds up the bodies that matter moves, in a step of dt, once their links are made.
 */
tl_status tl_world_show_contacts(tl_world *world, double dt, tl_error *error);

/* Takes walls and other bodies out of the rows of their particles. */
tl_status tl_world_cut_rigid_rows(tl_world *world, tl_error *error);

/* Makes rigids.touching, the rows of particles that conduct heat to another body. */
tl_status tl_world_find_touching(tl_world *world, tl_error *error);

/* Gauges (gauges.c). Makes them, and notes on which side of the gates matter is. */
tl_status tl_world_begin_gauges(tl_world *world, tl_error *error);
void tl_world_free_gauges(tl_world *world);

/* Around the attempts of a step: keeps what walls have felt, goes back to it, and finds the forces
 * of the step of dt that was accepted. */
void tl_world_keep_gauges(tl_world *world);
void tl_world_return_gauges(tl_world *world);
void tl_world_settle_gauges(tl_world *world, double dt);

/* Counts what has passed gates since; and notes where those are that were born since. */
void tl_world_count_gates(tl_world *world);
void tl_world_mark_sides(tl_world *world);

/* What follows is for walls, and does nothing where they are not booked. An impulse of walls on the
 * matter at a place (N s): divided among the walls near it by their normals. */
void tl_world_book_push(tl_world *world, tl_vec3 place, tl_vec3 impulse);

/* Of a solve over dt that was accepted, of rigid bodies in it and then in contacts. */
void tl_world_book_solve(tl_world *world, double dt);
void tl_world_book_contacts(tl_world *world);

/* Of explicit walls: notes what acts now, and books a step of dt under that. */
void tl_world_note_thrusts(tl_world *world);
void tl_world_book_thrusts(tl_world *world, double dt);

/* Of walls around thermal particles: what acts now, the mean of which and of before is booked. */
void tl_world_book_obstacles(tl_world *world, double dt);

/* Room for what walls do to each of `count` particles or samples; *out stays NULL when nobody asks.
 */
tl_status tl_world_want_pushes(tl_world *world, double (**array)[3], size_t count,
                               double (**out)[3], tl_error *error);

/* Whether a driven wall is where it can have got to, as fast as it may be driven. drive.c */
bool tl_world_drive_is_good(const tl_world *world, size_t wall);

/* A hash of what must be equal for a snapshot to fit a world. fingerprint.c */
uint64_t tl_world_fingerprint(const tl_world *world);

/* Adds the wall seconds since *since to a stage, and sets *since to now. */
void tl_world_lap(tl_world *world, tl_stage stage, double *since);

static inline double *tl_position(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.position);
}
static inline double *tl_velocity(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.velocity);
}
static inline double *tl_density(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.density);
}
static inline float *tl_mass(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.mass);
}
/* Sizes of particles; NULL where all are alike. */
static inline float *tl_size_of(const tl_world *w) {
    return w->handle.size < 0 ? NULL : tl_field_data(&w->fields, w->handle.size);
}
/* kg: of what particles were cut from; NULL where they are not refined as it runs. */
static inline float *tl_whole_of(const tl_world *w) {
    return w->handle.whole < 0 ? NULL : tl_field_data(&w->fields, w->handle.whole);
}
static inline float *tl_temperature(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.temperature);
}
/* Liquid fractions; NULL without heat. */
static inline const float *tl_molten(const tl_world *w) {
    return w->handle.liquid_fraction < 0 ? NULL
                                         : tl_field_data(&w->fields, w->handle.liquid_fraction);
}
/* What is held, 0 or 1; NULL where nothing ever is. */
static inline uint8_t *tl_held(const tl_world *w) {
    return w->handle.held < 0 ? NULL : tl_field_data(&w->fields, w->handle.held);
}
/* What the matter remembers; NULL where no law asks for it. */
static inline const tl_memory *tl_memory_of(const tl_world *w) {
    return w->memory.handle ? &w->memory : NULL;
}
/* Rates of strain without their traces; NULL where no law remembers. */
static inline float (*tl_strain_of(const tl_world *w))[6] {
    return w->handle.strain < 0 ? NULL : tl_field_data(&w->fields, w->handle.strain);
}
static inline uint8_t *tl_material_of(const tl_world *w) {
    return tl_field_data(&w->fields, w->handle.material);
}

/* Index + 1 of the rigid body that a particle belongs to; 0: none. */
static inline uint32_t tl_rigid_of(const tl_world *w, size_t i) {
    if (w->rigids.count == 0)
        return 0;
    const uint32_t *body = tl_field_data(&w->fields, w->handle.body);
    return tl_rigid_of_body(&w->rigids, body[i]);
}

/* True for a wall whose temperature follows the heat it gets: that is state. */
static inline bool tl_world_wall_warms(const tl_world *w, size_t wall) {
    return w->def.with_heat && w->heat.walls[wall].open && w->heat.walls[wall].capacity > 0;
}

#endif
