/* Contact with walls that have a temperature. The temperature of the matter goes on linearly
 * through the wall's surface: a sample at `depth` below it, seen from a particle at `distance`
 * above, has
 *
 *   T_s - T_i = s (T_w - T_i),   s = (1 + depth / distance) / (1 + k / (h distance)),
 *
 * where h is the conductance of the interface (infinite: perfect contact, the surface has T_w). A
 * linear temperature meets the wall exactly. All of a particle's pairs with one surface are summed
 * into one link, P_i = H (T_w - T_i), H = Σ 2 k V_i ω (d·C_i d) s (conduction.h).
 *
 * Rigid bodies have no samples in their rows: for them a cubic lattice behind the wall's surface
 * stands for these. */
#ifndef TL_HEAT_CONTACT_H
#define TL_HEAT_CONTACT_H

#include "boundary/samples.h"
#include "heat/conduction.h"

typedef struct tl_heat_link {
    uint32_t particle, wall;
    float conductance; /* W/K */
} tl_heat_link;

/* How a wall takes part in the exchange of heat. */
typedef struct tl_heat_wall {
    bool open;          /* it has a temperature; others are insulating */
    double conductance; /* W/(m²·K): of its interface; 0: perfect contact */
    double capacity;    /* J/K; 0: the temperature is given */
    double temperature; /* °C */
    double heat;        /* J: given to the matter in the last exchange */
} tl_heat_wall;

typedef struct tl_heat_contact {
    tl_heat_link *link; /* in the order of particles */
    uint32_t *first;    /* [particles + 1] the links of a particle */
    size_t count;
} tl_heat_contact;

/* Where things are: what both steps below need. */
typedef struct tl_heat_place {
    const tl_neighbor_list *list;
    const tl_shapes *shapes;
    const tl_samples *samples;
    const tl_heat_wall *walls; /* by index of the scene's wall */
    tl_vec3 origin;            /* of the records' coordinates */
    double spacing;            /* m: of the scene, for wall samples */
    const bool *rigid;         /* [particles] of rigid bodies; NULL: none */
} tl_heat_place;

/* Finds the links, and adds the moments of the samples to the conduction: between
 * tl_conduction_begin and tl_conduction_fit. */
tl_status tl_heat_contact_find(tl_heat_contact *contact, tl_conduction *c,
                               const tl_heat_place *place, tl_error *error);

/* The conductances of the links, after tl_conduction_weigh. */
void tl_heat_contact_weigh(tl_heat_contact *contact, tl_conduction *c, const tl_heat_place *place);

void tl_heat_contact_free(tl_heat_contact *contact);

#endif
