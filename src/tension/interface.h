/* Tension between liquids. Each of the two sees the other as outside: with the curvature κ of the
 * surface of liquid A, found from A alone as that of a free surface is,
 *
 *   F_i = ½ V_i γ_i κ_i G_i,   G_i = Σ_j ω_ij m·(a_i l_i + a_j l_j) d,   a = 1 in A, else 0,
 *
 * and the same once more for B; but all of it from the one that the other surrounds. Where γκ is
 * uniform, a pressure of A by γκ higher balances it particle by particle, on both sides. γ_i is
 * that of the pairs in which A and another liquid meet. What touches the air has none of it: three
 * surfaces that meet in a line find their angles by chance. At walls the angle is 90°.
 *
 * Where A touches neither walls nor the air (and the world does not repeat itself), errors of κ
 * must not leave a net force and torque: they are taken off, in proportion to area. */
#ifndef TL_TENSION_INTERFACE_H
#define TL_TENSION_INTERFACE_H

#include "tension/tension.h"

/* Materials are told by a byte. */
enum { TL_INTERFACE_LIQUIDS = 256 };

typedef struct tl_interface_task {
    const uint8_t *material;
    size_t materials;
    const double *gamma; /* [materials * materials] N/m; 0: none */
    const tl_shapes *shapes;
    const tl_neighbor_list *list;
    const tl_samples *samples;
    double filling, full; /* Σ V W and S on a lattice */
} tl_interface_task;

/* Adds the force on each particle per volume, N/m³. See tl_tension_find. */
tl_status tl_interfaces_find(tl_tension *tension, tl_solver *solver, const tl_interface_task *task,
                             float (*force)[3], tl_error *error);

#endif
