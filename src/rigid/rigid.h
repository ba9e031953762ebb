/* Rigid bodies: matter whose particles keep their distances. They are particles like all others, so
 * pressure, viscosity, buoyancy and heat reach them as they reach anything; mass, centre and
 * inertia are those of their shapes. The implicit flow solves for their motion with its own, and
 * feels them as walls that move (flow/rigid_modes.h). In the explicit one a body gets the momenta
 * that its particles got, so action equals reaction (Carlson et al. 2004, Rigid fluid). Particles
 * are placed anew from the body's pose, so its shape stays what it was. Bodies meet walls and each
 * other by impulses at points of their surfaces. What a step does with them is in world/rigid.c. */
#ifndef TL_RIGID_RIGID_H
#define TL_RIGID_RIGID_H

#include "boundary/shapes.h"
#include "flow/body_force.h"
#include "math/kernels.h"
#include "mesh/rings.h"
#include "neighbors/neighbors.h"
#include "particles/fields.h"
#include "particles/size.h"
#include "records/images.h"

/* What a body needs to be rigid. */
typedef struct tl_rigid_def {
    uint32_t body;                /* index of the scene's body */
    const tl_mesh *mesh;          /* closed; its surface */
    const tl_solid *solid;        /* of the mesh */
    tl_mesh_moments moments;      /* of what the mesh stands for; no volume: of the mesh */
    double friction, bounce;      /* Coulomb's coefficient; part of the speed kept in a collision */
    tl_ring rings[TL_MOST_RINGS]; /* what is round of it */
    size_t ring_count;
} tl_rigid_def;

typedef struct tl_rigid {
    const tl_rigid_def *def;
    double mass;              /* kg; equal parts of it are in its particles */
    double part;              /* volume of its particles, of spacing³ */
    double inertia[3][3];     /* kg m², in its frame, about its centre of mass */
    double inverse[3][3];     /* of the inertia */
    tl_vec3 start;            /* m: where its centre of mass was at the start */
    tl_pose pose;             /* of its frame: that of the world at the start, about the centre */
    tl_vec3 velocity, spin;   /* m/s, rad/s */
    tl_vec3 angular_momentum; /* kg m²/s, about the centre */
    tl_vec3 pull, torque;     /* m/s², N m: by forces from afar besides gravity, in this step */
    tl_vec3 middle;           /* m: of its particles, from the centre, while these are found */
    tl_vec3 *points;          /* m, in its frame: where it meets walls and other bodies */
    size_t point_count;
} tl_rigid;

/* Scalars of a rigid body that are state. */
enum { TL_RIGID_STATE = 16 };

/* A point where two bodies, or a body and a wall, are about to meet. */
typedef struct tl_rigid_contact {
    uint32_t a, b;         /* bodies; b = a: a wall */
    tl_vec3 point, normal; /* the normal points into a */
    tl_vec3 wall;          /* velocity of the wall there */
    double gap;            /* m */
    double friction, bounce;
    double target;   /* m/s: least speed at which they part */
    double give;     /* m/s per N s: see settle.c */
    double bound;    /* N s: the most that friction can do */
    tl_vec3 impulse; /* N s, on a */
} tl_rigid_contact;

/* The system of all contacts: velocities and spins of bodies that touch something, six rows each. A
 * row of the matrix is kept from its first entry to the diagonal. settle.c */
typedef struct tl_settling {
    uint32_t *block; /* [bodies] index of its six rows + 1; 0: it touches nothing */
    uint32_t *order; /* [blocks] the body of a block */
    size_t blocks;
    size_t *first, *begin; /* [rows + 1] first column of a row, and where it is kept */
    double *matrix;
    double *start, *now, *slope, *step; /* [rows] q before contacts, q, gradient, Newton's step */
    double *vectors;                    /* that hold these */
} tl_settling;

typedef struct tl_rigids {
    tl_rigid *items;
    size_t count;
    tl_rigid *kept;    /* [count] before the step, for a rejection */
    uint32_t *of_body; /* [bodies] index + 1; 0: not rigid */
    size_t body_count;
    tl_shapes shapes; /* surfaces that other particles do not pass */
    tl_rigid_contact *contacts;
    size_t contact_count;
    size_t exact_count; /* the first of them: with what is round */
    tl_settling settling;
    uint32_t *near_first, *near; /* [n + 1], pairs with particles of other bodies (touching.c) */
    bool *near_touches;          /* [pairs] as the first of them sees it */
    tl_neighbor_list touching;   /* rows of particles that conduct heat to another body */
    int frame_place, depth; /* fields: place in the frame of the body, depth below its surface */
} tl_rigids;

/* Work and impulses of contacts in one step. */
typedef struct tl_contact_books {
    double wall_work, loss; /* J: by walls that move, and what became heat */
    double wall_impulse[3]; /* N s */
} tl_contact_books;

/* All particles as bodies see them; arrays belong to the fields. */
typedef struct tl_rigid_matter {
    size_t count;
    const uint32_t *body;        /* [n] the scene's body */
    double *position, *velocity; /* [3n] m, m/s */
    float *mass;                 /* [n] kg */
    double *frame_place;         /* [3n] of the fields below */
    float *depth;                /* [n] */
    float *moved;                /* [3n] m: in the last step */
    tl_sizes sizes;              /* of particles */
    double spacing;              /* m: of the scene */
    tl_body_force force;         /* from afar */
} tl_rigid_matter;

/* Index + 1 of the rigid body that is, or that a particle belongs to; 0: none. */
static inline uint32_t tl_rigid_of_body(const tl_rigids *all, uint32_t body) {
    return body < all->body_count ? all->of_body[body] : 0;
}
static inline uint32_t tl_rigid_owner(const tl_rigids *all, const tl_rigid_matter *m, size_t i) {
    return tl_rigid_of_body(all, m->body[i]);
}

/* Declares frame_place and depth, once. Then makes the bodies from the particles that they are
 * filled with, which get their masses. make.c */
tl_status tl_rigids_declare(tl_rigids *rigids, tl_fields *fields, tl_error *error);
tl_status tl_rigids_make(tl_rigids *rigids, const tl_rigid_def *defs, size_t count,
                         const tl_rigid_matter *matter, tl_error *error);
size_t tl_rigids_bytes(const tl_rigids *rigids);
void tl_rigids_free(tl_rigids *rigids);

/* ---- A step. motion.c ------------------------------------------------------------------------ */

/* Keeps the bodies as they are before a step, and goes back to that. */
void tl_rigids_keep(tl_rigids *rigids);
void tl_rigids_take_back(tl_rigids *rigids);

/* Finds what forces from afar do to the bodies besides gravity. As gravity does, one that is the
 * same everywhere acts at the centre, which need not be that of the particles. */
void tl_rigids_feel(tl_rigids *rigids, const tl_rigid_matter *matter);

/* Gives the bodies the momenta that their particles get in dt, by their accelerations [3n] and by
 * filters of velocities. Gravity acts at the centre, which need not be that of the particles.
 * Energy of motion that is not rigid is lost. Explicit forces within a body do no work on it, and
 * what they would do is in no book. */
void tl_rigids_gather(tl_rigids *rigids, const tl_rigid_matter *matter, const float *acceleration,
                      double dt);

/* What an explicit step loses under forces that are known before it: bodies go on with the speed
 * at its end, while the mean of both ends does the work (J). */
double tl_rigids_kick_loss(const tl_rigids *rigids, const double gravity[3], double dt);

/* The power of forces from afar on all bodies (W), and the work of those besides gravity in the
 * step of dt that was done last (J). */
double tl_rigids_weight_power(const tl_rigids *rigids, const double gravity[3]);
double tl_rigids_pull_work(const tl_rigids *rigids, double dt);

/* Moves the bodies, and their surfaces, by the velocities that they have. */
void tl_rigids_advance(tl_rigids *rigids, double dt);

/* Puts the particles where their bodies are. Returns the square of the largest speed. */
double tl_rigids_place(const tl_rigids *rigids, const tl_rigid_matter *matter);

/* ---- Contacts -------------------------------------------------------------------------------- */

/* What bodies may meet in a step of dt. */
typedef struct tl_meeting {
    const tl_shapes *walls;
    double spacing, dt;
    double slow; /* m/s: nothing that is slower bounces */
} tl_meeting;

/* Finds contacts at the present places and velocities. contact.c */
tl_status tl_rigids_find_contacts(tl_rigids *rigids, const tl_meeting *meeting, tl_error *error);

/* Finds them, and changes velocities and angular momenta so that nothing enters anything. */
tl_status tl_rigids_meet(tl_rigids *rigids, const tl_meeting *meeting, tl_contact_books *books,
                         tl_error *error);

/* Finds the impulses of all contacts. settle.c */
tl_status tl_rigids_settle(tl_rigids *rigids, tl_error *error);
size_t tl_settling_bytes(const tl_settling *settling);
void tl_settling_free(tl_settling *settling);

/* ---- Pairs of particles ---------------------------------------------------------------------- */

/* Takes walls and other bodies out of the rows of their particles; keeps_near: what was of other
 * bodies is known afterwards, for touching. rows.c */
tl_status tl_rigids_cut_rows(tl_rigids *rigids, const tl_rigid_matter *matter,
                             const tl_records *records, tl_neighbor_list *list, bool keeps_near,
                             tl_error *error);

/* Makes `touching`, the rows of particles that conduct heat to another body; they are padded with
 * `dummy`. touching.c */
tl_status tl_rigids_find_touching(tl_rigids *rigids, const tl_rigid_matter *matter,
                                  const tl_parallel *parallel, const tl_neighbor_list *list,
                                  uint32_t dummy, tl_error *error);

/* Adds what explicit diffusion of density must not see to even[n], 1/s. volume.c */
typedef struct tl_rigid_pass {
    const tl_records *records;
    const tl_neighbor_list *list;
    tl_kernel kernel;
    float unit; /* of the diffusion and of the slope of W */
} tl_rigid_pass;
void tl_rigids_even(const tl_rigids *rigids, const tl_rigid_matter *matter,
                    const tl_rigid_pass *pass, float *even);

/* ---- One body. body.c ------------------------------------------------------------------------ */

/* The spin that goes with the angular momentum in a pose. */
tl_vec3 tl_rigid_spin(const tl_rigid *r, tl_turn turn);

/* What an impulse at an arm from the centre changes the spin by, and the other way round. */
tl_vec3 tl_rigid_twist(const tl_rigid *r, tl_vec3 moment);
tl_vec3 tl_rigid_moment(const tl_rigid *r, tl_vec3 spin);

/* The pose of the surface, which is given in the world as it was at the start. */
tl_pose tl_rigid_surface(const tl_rigid *r);

/* As numbers, for snapshots. */
void tl_rigid_save(const tl_rigid *rigid, double out[TL_RIGID_STATE]);
void tl_rigid_load(tl_rigid *rigid, const double in[TL_RIGID_STATE]);

#endif
