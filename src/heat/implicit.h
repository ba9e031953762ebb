/* Implicit steps of heat that choose their length. A step is taken once as a whole and once as two
 * halves, all backward Euler (newton.h). What both make differently, as a part of the heat that
 * moves, tells the error: a step beyond heat.accuracy is halved, and its first half is the whole of
 * the next attempt. What is accepted is extrapolated (Richardson), e = e_2 + θ (e_2 - e_1), which
 * is of second order for θ = 1. θ is one number for all particles and books, so that energy is
 * kept, and so small that no temperature leaves the range of those found: monotone as backward
 * Euler is. Runge-Kutta methods of second order overshoot by a fifth in long steps. */
#ifndef TL_HEAT_IMPLICIT_H
#define TL_HEAT_IMPLICIT_H

#include "heat/exchange.h"

/* Advances task->enthalpy by task->dt and keeps the books. */
tl_status tl_heat_run_implicit(tl_heat_exchange *x, const tl_heat_task *task,
                               tl_heat_report *report, tl_error *error);

#endif
