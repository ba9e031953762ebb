/* Contacts of rigid bodies in the implicit solve: what lies on a wall, or on another body, must be
 * held up while the flow is found, or matter and body would fall together in the solve and the body
 * alone be stopped after it.
 *
 * A contact is a stiff spring of speeds: the impulse that pushes two bodies apart is
 *
 *   J = κ (target - n·v) >= 0,   v = N_a q_a - N_b q_b,
 *
 * with κ so large that the error of the speed, J/κ, does not matter; along the surface it is -κ
 * v_t, or as much less as brings it into Coulomb's cone. Who pushes, and how much friction resists,
 * is found anew with each outer iteration. Bodies that hold each other up are preconditioned
 * together, by the factors of all their blocks with their contacts. */
#ifndef TL_FLOW_RIGID_CONTACTS_H
#define TL_FLOW_RIGID_CONTACTS_H

#include "flow/rigid_modes.h"

/* Adds a contact. */
tl_status tl_contacts_add(tl_rigid_modes *modes, const tl_mode_contact *contact, tl_error *error);

/* κ for matter of the given mass, once all contacts are there. */
void tl_contacts_stiffen(tl_rigid_modes *modes, double mass);

/* Finds which bodies rest on walls, by themselves or through others. */
void tl_contacts_find_carried(tl_rigid_modes *modes, const double gravity[3]);

/* Finds who pushes and who sticks at q, and adds the impulses to the residuals. True when that is
 * not as it was. */
bool tl_contacts_balance(tl_rigid_modes *modes, double dt, tl_modes_sums *sums);

/* Whether something pushes body k. */
bool tl_contacts_push(const tl_rigid_modes *modes, size_t k);

/* Adds what contacts do to q = A p. */
void tl_contacts_apply(tl_rigid_modes *modes);

/* Factors of all diagonal blocks with the contacts, and of the inertia with them. The blocks are
 * those of tl_modes_add_block, not yet factored. */
tl_status tl_contacts_factor(tl_rigid_modes *modes, tl_error *error);

/* out = part block⁻¹ r for all bodies. [count][6] */
void tl_contacts_solve(const tl_rigid_modes *modes, double part, double (*out)[6]);

/* Momenta to the motions that they make of bodies held by their contacts, in place. [count][6] */
void tl_contacts_move(const tl_rigid_modes *modes, double (*momentum)[6]);

#endif
