/* One step of backward Euler for heat: find e with F_i = m_i (e_i - eⁿ_i) - dt rate_i(T(e)) = 0,
 * and the same for walls with a heat capacity.
 *
 * Newton's method on enthalpies. With D = dT/de the linear system in the change of temperature,
 *
 *   (m / D - dt dP/dT) δT + dt (Σ G + Σ H) δT - ... = -F,
 *
 * is symmetric and positive; conjugate gradients with the diagonal for a preconditioner solve it.
 * Where latent heat is taken up D = 0: the temperature is held and δe follows from the fluxes. An
 * enthalpy that would pass a corner of T(e) stops there: the next Newton step goes on from it with
 * the slope beyond. */
#ifndef TL_HEAT_NEWTON_H
#define TL_HEAT_NEWTON_H

#include "heat/exchange.h"

/* Bytes of scratch that the steps of an exchange need; and takes them, zeroed. */
size_t tl_heat_newton_room(const tl_heat_exchange *x, const tl_heat_task *task);
void tl_heat_newton_take(tl_heat_exchange *x, const tl_heat_task *task);

/* What errors are relative to (J/kg): the range of temperatures, or what the sources bring in dt.
 * The temperatures and powers must be those of the enthalpies. */
double tl_heat_newton_scale(const tl_heat_exchange *x, const tl_heat_task *task, double dt);

/* Advances task->enthalpy by dt and adds to the books. False when no enthalpies are found: then
 * nothing has changed. */
bool tl_heat_newton_step(tl_heat_exchange *x, const tl_heat_task *task, double dt,
                         tl_heat_report *report);

#endif
