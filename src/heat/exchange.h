/* One exchange of heat: enthalpies a time dt later, from conduction, contact and sources,
 *
 *   m_i de_i/dt = Σ_j G_ij (T_j - T_i) + Σ_w H_iw (T_w - T_i) + P_i(T_i),   T = T(e)
 *
 * Explicit is forward Euler in equal sub-steps, so short that new temperatures are means of old
 * ones; implicit steps choose their length (implicit.h), however stiff; automatic is explicit as
 * long as that takes few sub-steps.
 *
 * Both are monotone: without sources no temperature leaves the range of the old ones (implicit: by
 * more than the tolerance). The new enthalpies are the old ones plus the very fluxes that the books
 * get, so that energy is kept to rounding whatever the tolerance. */
#ifndef TL_HEAT_EXCHANGE_H
#define TL_HEAT_EXCHANGE_H

#include "base/scratch.h"
#include "heat/conduction.h"
#include "heat/contact.h"
#include "heat/params.h"
#include "heat/sources.h"
#include "materials/enthalpy.h"

/* What is exchanged. */
typedef struct tl_heat_task {
    double dt;
    const tl_heat_params *params;
    const float *mass;          /* [n] kg */
    const uint8_t *material;    /* [n] */
    const tl_caloric *calorics; /* [materials] */
    double *enthalpy;           /* [n] J/kg */
    tl_heat_wall *walls;        /* `temperature` of those with a capacity changes; `heat` is set */
    size_t wall_count;
    tl_heat_sources *sources; /* `energy` is set */
} tl_heat_task;

typedef struct tl_heat_report {
    int substeps;     /* explicit */
    int outer;        /* Newton steps */
    int iterations;   /* of conjugate gradients */
    int steps;        /* implicit, accepted */
    int failures;     /* implicit steps for which Newton found no enthalpies */
    double residual;  /* of the last Newton step, relative */
    double stable_dt; /* s: the longest explicit sub-step */
} tl_heat_report;

/* The exchange and its working memory. Zero-initialise. */
typedef struct tl_heat_exchange {
    tl_conduction conduction;
    tl_heat_contact contact;
    tl_scratch *scratch; /* the owner's: to be set at first */
    double *temperature; /* [total] °C; images included */
    double *rate;        /* [n] W: of the last evaluation */
    double *slope;       /* [n] W/K: of the sources */
    double *start;       /* [n] J/kg: before the exchange */
    double *block;       /* [blocks * (2 + sources)] partial sums */
    /* From the scratch, for the time of an implicit exchange (newton.c). */
    double *residual, *change, *direction, *product, *diagonal;
    double *wall; /* [6 walls, and block sums] */
} tl_heat_exchange;

/* Exchanges heat over task->dt. Conduction and contact must be weighed. */
tl_status tl_heat_exchange_run(tl_heat_exchange *x, const tl_heat_task *task,
                               tl_heat_report *report, tl_error *error);

/* Temperatures from enthalpies, images included. */
void tl_heat_find_temperatures(tl_heat_exchange *x, const tl_heat_task *task);

/* Rates (W) and slopes of all particles at x->temperature; block sums of the sources' powers. */
void tl_heat_find_rates(tl_heat_exchange *x, const tl_heat_task *task);

/* Adds dt times the powers of the last evaluation to the books of walls and sources. */
void tl_heat_book(tl_heat_exchange *x, const tl_heat_task *task, double dt);

/* Power that a wall gets from the matter at the present temperatures (W), and its Σ H (W/K). */
double tl_heat_wall_power(const tl_heat_exchange *x, const tl_heat_task *task, size_t wall,
                          double *conductance);

size_t tl_heat_exchange_bytes(const tl_heat_exchange *x);
void tl_heat_exchange_free(tl_heat_exchange *x);

#endif
