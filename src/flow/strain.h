/* The rate of strain of the matter and the forces of its stress: what the implicit flow is made of.
 *
 * With d = x_j - x_i, every pair knows how fast it gets longer, p = d·(u_j - u_i): a number that no
 * rigid motion changes. The strain rate of particle i is the symmetric E that fits its pairs best,
 *
 *   E_i = argmin Σ_j ω_ij (p_ij - d·E d)²,   ω_ij = V_j |W'(r)| / r³
 *       = A_i⁻¹ b_i,   A_i = Σ ω m mᵀ,  b_i = Σ ω p m,  m = (dx² dy² dz² 2dxdy 2dxdz 2dydz),
 *
 * exact for linear flows in any packing, at free surfaces too. Stress σ_i does the work V_i
 * σ_i:E_i, so the force of all stresses is the gradient of that,
 *
 *   F_i = V_i Σ_j ω_ij (m·(T_i + T_j) + (ς_i + ς_j) p_ij) d,   T = A⁻¹ (σ - ς b):
 *
 * along the line of centres, equal and opposite: both momenta are kept. The terms with ς are the
 * work of what the fit leaves over, ½ ς Σ ω (p - d·E d)²; they brace motions that look like none
 * to the fit (hourglasses), and vanish for linear flows. They take energy only if p and b know
 * the same of curved paths: where a pair knows more or less of them than the fit, so must the b of
 * these terms (tl_fit). Plain pairwise viscosity, which is the case σ = 0 of this, is 0.6 of the
 * material's in shear on a lattice and 1.6 in stretch.
 *
 * Where viscosities differ much the flow has a kink (border.h). Pairs of particles at such a border
 * count in their two fits by weights of their own, ω a_ij and ω a_ji, but for pressure, which knows
 * no border.
 *
 * Walls: samples below no-slip surfaces continue the flow linearly through the surface, so
 * p = s d·(v_wall - u_i), s = 1 + depth / distance. All of a particle's wall pairs act through its
 * own velocity and stress only and are summed once a step into one link (boundary/links.h).
 * Friction of walls along which matter slips is a force of its own, η (tow - rub u) per volume.
 * Smooth planes may be mirrors instead, and matter has pairs with images of matter (mirror.h).
 *
 * Rigid bodies are such walls, whose velocity is not known: since d·(spin × d) = 0, all pairs of a
 * particle with a body know nothing but its velocity relative to the body's motion where it is,
 * and that stands for u_i in the link (rigid_modes.h). */
#ifndef TL_FLOW_STRAIN_H
#define TL_FLOW_STRAIN_H

#include "base/parallel.h"
#include "flow/mirror.h"
#include "flow/ties.h"
#include "math/fourths.h"
#include "math/kernels.h"
#include "neighbors/neighbors.h"
#include "particles/size.h"
#include "records/images.h"

#include <string.h>

/* Added to A, relative to itself in a round neighbourhood, so that it can be inverted for threads
 * and sheets: a fit sees no strain in directions in which it has no pairs. What this takes from
 * round fits is given back by a factor 1 + it; the terms with ς must do without that factor, or
 * they could become negative. */
#define TL_LEAST_ROUND 2e-3f

/* Of a record: what the sweeps read of a neighbour, first. */
typedef struct tl_motion {
    float x[3];   /* m: place */
    float brace;  /* Pa·s: ς */
    float u[3];   /* m/s: velocity, or the direction of a correction (iterate.c) */
    float volume; /* m³: V; 0 for what is held */
} tl_motion;
_Static_assert(sizeof(tl_motion) == 8 * sizeof(float), "gathered as floats");

/* And what few sweeps read. */
typedef struct tl_low {
    float u[3];  /* m/s: what single precision cuts off u; 0 between solves */
    float round; /* Pa: where viscosities differ, the round part of the stress */
} tl_low;
_Static_assert(sizeof(tl_low) == 4 * sizeof(float), "gathered as floats");

/* Two scalars of a particle whose means over its neighbours are found. */
typedef union tl_averaged {
    float scalar[2];
    struct {
        float compression, growth; /* e and dt tr H: in a solve */
    };
    struct {
        float density,
            bare; /* what is around, over what is known; 1 near free surfaces (crowd.c) */
    };
} tl_averaged;

/* The T of a particle, and what else the sweep at hand reads of a neighbour. */
typedef struct tl_traction {
    float T[6];
    union {
        tl_averaged averaged; /* for tl_strain_force and tl_strain_average */
        struct {
            float all, bulk; /* κ, and where viscosities differ the part of it that is the bulk's */
        } kappa;             /* for tl_strain_diagonal */
        float viscosity;     /* Pa·s: for tl_strain_least */
    };
} tl_traction;
_Static_assert(sizeof(tl_traction) == 8 * sizeof(float), "gathered as floats");

/* Where the neighbours of a particle are. */
typedef struct tl_around {
    float side[3]; /* Σ g d: where they crowd */
    float full;    /* S = Σ g r²: 3 in the continuum */
} tl_around;

/* Σ ω d d d, the ten that differ. */
typedef union tl_thirds {
    struct {
        float xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz;
    };
    float all[10];
} tl_thirds;
enum { TL_THIRDS = sizeof(tl_thirds) / sizeof(float) };

/* A symmetric 3x3 block of the operator: xx yy zz xy xz yz. */
typedef struct tl_block {
    float D[6], unused[2];
} tl_block;

/* Links a block of parallel work: each costs as much as a row of pairs or more, and there may be
 * few. */
enum { TL_LINK_BLOCK = 32 };

/* Sums over the wall samples, or the particles of one rigid body, near one particle, with weight ω.
 */
typedef struct tl_wall_link {
    uint32_t particle;
    uint32_t next; /* index + 1 of the particle's next link; 0: none. That to walls comes first */
    uint32_t body; /* index + 1 of a rigid body; 0: walls */
    float arm[3];  /* m: the particle seen from the centre of the body */
    float moments[TL_FOURTHS]; /* Σ d d d d */
    tl_thirds thirds;          /* Σ s d d d */
    float drive[6];            /* Σ s (d·v_wall) m */
    float drag[6];             /* Σ s² d d: xx yy zz xy xz yz */
    float pull[3];             /* Σ s² (d·v_wall) d */
    float stir;                /* Σ s² (d·v_wall)² */
    float rub[6];              /* 1/m²: friction over η, a tensor: xx yy zz xy xz yz */
    float tow[3];              /* 1/(m s): the same, times v_wall */
    float grind;               /* 1/s²: and times it again */
    float slick;               /* Pa·s: η of the particle where there is friction; else 0 */
    float bend[6];             /* Σ s² m: for the curvature of paths */
    float lift[3];             /* Σ s³ d: the same for ς */
    float loose;               /* part of ς that is artificial, and feels that curvature */
    float velocity[3];         /* of the wall, a mean */
    float fullness;            /* Σ r⁴ */
    float filling;             /* Σ V W */
    float reach2;              /* m²: distance from the wall, squared */
    bool slips;                /* some of the wall is slippery */
    bool rubs;                 /* and some of that has friction */
    bool tells_less;           /* what follows is there */
    float untold[6][6];        /* Σ m(t) mᵀ: what samples do not tell (wall_level.h) */
} tl_wall_link;

/* What a particle knows of the border of viscosities near it (border.h). */
typedef struct tl_border_side {
    float level[6];  /* l: what it grows by is l·b + Σ z p */
    float at_border; /* 1: l is not A⁻¹ 1, by another material of another viscosity or by walls */
    float viscosity; /* Pa·s, when pairs were made */
    float material;  /* its number */
    float crosses;   /* 1: viscosities differ much in its row; or 0 */
    float distance;  /* m: δ */
    float thinnest;  /* Pa·s: what its bulk may know of viscosity */
    float lever[3];  /* Σ ω (m·l) d, walls included */
    float rest;
} tl_border_side;
_Static_assert(sizeof(tl_border_side) == 16 * sizeof(float), "gathered as floats");

/* Weights of eight pairs of a row at a border: ω a_ij and ω a_ji, and the z of both. */
typedef struct tl_across {
    float own[TL_LANES], other[TL_LANES], own_rest[TL_LANES], other_rest[TL_LANES];
} tl_across;

typedef struct tl_strain {
    const tl_parallel *parallel;
    const tl_records *records; /* for the images */
    tl_kernel kernel;
    bool graded;   /* particles differ in size: a pair has ½ (h_i + h_j) for its support */
    float support; /* m: of all pairs, unless they are graded */
    size_t particles, total;
    bool holds; /* some particles are held */

    tl_motion *motion;     /* [total + 1] */
    tl_low *low;           /* [total + 1] */
    tl_traction *traction; /* [total + 1] */

    /* Pairs of matter, without skin: rows as in the neighbour list, but shorter, and with ties if
     * there are any. */
    const size_t *begin;
    size_t *longer;      /* [n] begins of rows with ties */
    const tl_ties *ties; /* NULL: none */
    tl_mirrors mirrors;
    uint32_t *size, *index; /* sizes are padded */
    float *weight;          /* ω */

    bool contrast;        /* viscosities differ much somewhere */
    bool uneven;          /* so they do, or walls need levels, and what follows is there */
    tl_border_side *side; /* [total + 1] */
    tl_low *pressed;      /* [total + 1] its `round` alone: others read `low` while it is found */
    size_t *border;       /* [n] index + 1 of the first of its groups; 0: at no border */
    tl_across *across;    /* groups of pairs, for rows at borders */

    /* Of each particle. */
    float *inverse;    /* [lanes of particles][TL_SYM6][TL_LANES] A⁻¹ */
    tl_around *around; /* [n] */
    tl_around *own;    /* [n] the same by its own support, if graded: no change of size shows */
    float *spread;     /* [n] |h_j - h_i| / h_i in the mean of the neighbours, if graded */
    float *trace;      /* [n] S of what the fit counts */
    float *trace_then; /* [n] the same of a solid's ties as they were, if there are any */
    float *filling;    /* [n] Σ V W, by its own support, its own included: 1 in the continuum */
    float *affine; /* [n] 1; down to 0 beside matter of another viscosity, along which it slides */
    tl_thirds *thirds; /* [n] of matter and walls */

    tl_wall_link *link;
    size_t link_count;
    uint32_t *link_of; /* [n] index + 1 of the first; 0: no wall or body near */

    const uint32_t *body_of;        /* [n] index + 1 of its rigid body; NULL: there are none */
    const double (*body_motion)[6]; /* velocities and spins of bodies, for the sweep at hand */

    tl_sizes sizes; /* of particles */
} tl_strain;

/* What the sweep finds for a particle before stress is known. */
typedef struct tl_fit {
    float b[6];
    float brace[3]; /* Σ ω (ς_i + ς_j) p d, walls included: force per volume */
    float growth;   /* Σ z p, at a border */
    float rest[2];
    float unbraced[6]; /* of b, if exact: what the force of ς does not know of curved paths */
    float end[2];
} tl_fit;
_Static_assert(sizeof(tl_fit) == 20 * sizeof(float), "gathered as floats");

/* What follows up to tl_strain_make are steps of tl_pairs_make (boundary/pairs.h), which calls them
 * in their order. First: room for all arrays, and motion records with places and volumes. */
tl_status tl_strain_begin(tl_strain *s, const tl_parallel *parallel, const tl_records *records,
                          const tl_neighbor_list *list, const tl_ties *ties, tl_kernel kernel,
                          tl_sizes sizes, tl_error *error);

/* Holds the particles that are marked: they keep their velocity and have no pairs, and what flows
 * beside them feels them as it feels a wall (boundary/links.h). */
void tl_strain_hold(tl_strain *s, const uint8_t *held);

static inline bool tl_strain_is_held(const tl_strain *s, size_t i) {
    return !(s->motion[i].volume > 0);
}

/* The rigid body of record j, index + 1, if it is a particle or the image of one; 0: none. */
static inline uint32_t tl_strain_body_of(const tl_strain *s, size_t j) {
    if (!s->body_of || !tl_records_is_matter(s->records, j))
        return 0;
    return s->body_of[tl_source_of(s->records, j)];
}

/* What pairs count by, beside places (border.h, wall_level.h). */
typedef struct tl_strain_matter {
    const float *viscosity;              /* [n] Pa·s */
    const uint8_t *material;             /* [n]; NULL: all is one */
    const struct tl_material *materials; /* which of them are elastic; NULL: none */
    double dt; /* s: of a step as long as it might be; 0: no viscosity is known yet */
} tl_strain_matter;

/* Pairs, weights and fits for the places in the motion records. NULL: matter is all alike, and
 * walls need no levels. */
tl_status tl_strain_make(tl_strain *s, const tl_neighbor_list *list, const tl_strain_matter *matter,
                         tl_error *error);

/* Receives the fits of particles [begin, end), a block of at most TL_BLOCK. */
typedef void tl_fit_fn(void *context, const tl_fit *fits, size_t begin, size_t end);

/* First sweep. `exact` uses the low parts of the velocities too, moving walls, and adds
 * `curve`·|u_j - u_i|² to p (curve = ½ dt: the pair's true change of length, see solve.h), where
 * the motion is affine: what slides along a solid would seem to swell. */
void tl_strain_fit(const tl_strain *s, bool exact, float curve, tl_fit_fn *finish, void *context);

/* The velocity of the particle of a link, relative to what the link is to if that is a body: its
 * way over the step, which is an arc. `exact` and `curve` are those of tl_strain_fit. */
void tl_link_speed(const tl_strain *s, const tl_wall_link *link, bool exact, float curve,
                   float out[3]);

/* What `curve` adds to b and to the force of ς through a link, the latter over ς. */
void tl_link_bend(const tl_strain *s, const tl_wall_link *link, float curve, float b[6],
                  float lift[3]);

/* Adds the friction of a link at velocity u, per volume; unless `exact`, of walls at rest. */
void tl_link_rub(const tl_wall_link *link, bool exact, const float u[3], float out[3]);

/* Force per volume on the particle of a link, through it: unless `exact` without curvature, and
 * without what walls do by themselves. */
void tl_link_force(const tl_strain *s, const tl_wall_link *link, bool exact, float curve,
                   float out[3]);

/* Second sweep: per particle Σ ω m·(T_i + T_j) d, walls included: force per volume. Unless `means`
 * is NULL, it gets the means of tl_strain_average with `enough` on the way. [n] */
typedef void tl_force_fn(void *context, const float (*force)[4], size_t begin, size_t end);
void tl_strain_force(const tl_strain *s, tl_averaged *means, float enough, tl_force_fn *finish,
                     void *context);

/* Diagonal 3x3 blocks of the operator per volume, less the part of the particle's own fit:
 * Σ ω (ς_i + ς_j) d d + Σ ω² r⁴ κ_j d d over matter, with the κ of the tractions. [n] */
void tl_strain_diagonal(const tl_strain *s, tl_block *out);

/* Means over the neighbours, weighted with g = ω r², of what the tractions have to be averaged.
 * Where the S of the neighbours is less than `enough`, a particle's own values stand for those that
 * lack. out: [n] */
void tl_strain_average(const tl_strain *s, float enough, tl_averaged *out);

/* The least viscosity of the tractions in each neighbourhood. out: [n] */
void tl_strain_least(const tl_strain *s, float *out);

/* Radius of the kernel of particle i, and between it and record j; samples have none of their own.
 */
TL_INLINE float tl_strain_own_support(const tl_strain *s, size_t i) {
    return s->graded ? (float)tl_support_of(&s->sizes, i) : s->support;
}
TL_INLINE float tl_strain_support(const tl_strain *s, size_t i, size_t j) {
    if (!s->graded || !tl_records_is_matter(s->records, j))
        return tl_strain_own_support(s, i);
    return 0.5f *
           (tl_strain_own_support(s, i) + tl_strain_own_support(s, tl_source_of(s->records, j)));
}

/* Where the neighbours of a particle are, whatever their sizes. */
TL_INLINE const tl_around *tl_strain_around(const tl_strain *s, size_t i) {
    return s->graded ? &s->own[i] : &s->around[i];
}

/* V W of what lies at the distance r, r² at hand. */
TL_INLINE float tl_strain_filling(const tl_strain *s, float support, float volume, float r2) {
    const tl_wide q = tl_splat(__builtin_sqrtf(r2) / support);
    const float unit = (float)tl_kernel_norm(s->kernel) / (support * support * support);
    return unit * volume * tl_lane(tl_kernel_shape(s->kernel, q), 0);
}

/* Σ ω m d of particle i as a 6x3 matrix, from its thirds. */
TL_INLINE void tl_strain_lever(const tl_thirds *t, float out[6][3]) {
    const float rows[6][3] = {
        {t->xxx, t->xxy, t->xxz},
        {t->yyx, t->yyy, t->yyz},
        {t->zzx, t->zzy, t->zzz},
        {2 * t->xxy, 2 * t->yyx, 2 * t->xyz},
        {2 * t->xxz, 2 * t->xyz, 2 * t->zzx},
        {2 * t->xyz, 2 * t->yyz, 2 * t->zzy},
    };
    memcpy(out, rows, sizeof rows);
}

/* D u of the symmetric D = xx yy zz xy xz yz: with the drag of a link, Σ s² d (d·u). */
TL_INLINE void tl_link_drag(const float D[6], const float u[3], float out[3]) {
    out[0] = D[0] * u[0] + D[3] * u[1] + D[4] * u[2];
    out[1] = D[3] * u[0] + D[1] * u[1] + D[5] * u[2];
    out[2] = D[4] * u[0] + D[5] * u[1] + D[2] * u[2];
}

/* The S by which ς and springs of particle i are measured. */
static inline float tl_strain_brace_trace(const tl_strain *s, size_t i) {
    return tl_ties_has(s->ties, i) ? s->trace_then[i] : s->trace[i];
}

/* Eight ties of particle i: where they were, Y, and the ω of then; those to others have none. */
TL_INLINE tl_wide tl_ties_load(const tl_strain *s, size_t i, const uint32_t *index, tl_wide Y[3]) {
    const tl_tied *own = &s->ties->places[i];
    const float R = s->support, unit = (float)tl_kernel_norm(s->kernel) / (R * R * R * R * R);
    tl_wide y[4], u[4], r2 = tl_splat(0.0f);
    TL_GATHER4(s->motion, u, index, u);
    tl_gather4((const float *)s->ties->places, 4, index, y);
    for (int a = 0; a < 3; a++) {
        Y[a] = y[a] - own->y[a];
        r2 += Y[a] * Y[a];
    }
    const tl_wide other = y[3] - own->body, none = tl_splat(0.0f);
    const tl_wide slope = -tl_kernel_slope(s->kernel, tl_sqrt(r2) * (1 / R));
    const tl_wide volume = tl_select_less(other * other, tl_splat(0.25f), u[3], none);
    return tl_select_less(tl_splat(1e-12f * R * R), r2, unit * volume * slope / r2, none);
}

/* Copies what changes in a solve to the images. */
void tl_strain_share_motion(const tl_strain *s);
void tl_strain_share_traction(const tl_strain *s);

size_t tl_strain_bytes(const tl_strain *s);
void tl_strain_free(tl_strain *s);

#endif
