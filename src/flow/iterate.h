/* Conjugate gradients for the correction of an implicit solve (solve.h), in single precision,
 * preconditioned by 3x3 blocks and background grids. */
#ifndef TL_FLOW_ITERATE_H
#define TL_FLOW_ITERATE_H

#include "flow/solve.h"

/* Makes the preconditioner for the present η, bulk stiffness and ς. The grids must be placed. */
tl_status tl_iterate_prepare(tl_solver *solver, const tl_solve_task *task, tl_error *error);

/* Takes z and q from the scratch, for tl_iterate. */
void tl_iterate_take(tl_solver *solver);

/* Solves A w = r, from w = 0, until |r| <= target. Returns the iterations; r·w, of the r it began
 * with, is `gain`. */
int tl_iterate(tl_solver *solver, const tl_solve_task *task, double target, double *gain);

#endif
