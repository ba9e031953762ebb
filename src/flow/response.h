/* What an implicit solve asks of the matter (materials/respond.h), TL_LANES particles from `first`
 * on at a time. */
#ifndef TL_FLOW_RESPONSE_H
#define TL_FLOW_RESPONSE_H

#include "flow/solve.h"

/* Stress (Pa) and heat (W) at the rates of strain, with viscosities that are renewed or held. */
void tl_response_find(const tl_solver *solver, const tl_solve_task *task, bool renew, size_t first,
                      size_t count, float *stress, float *heat);

/* η_t/η of particles [begin, end), a block of them. */
void tl_response_tangent(const tl_solve_task *task, size_t begin, size_t end, float *tangent);

/* For matter that remembers, where the task has room for strains. Keeps dev H, before anything is
 * asked. */
TL_INLINE void tl_response_keep(const tl_solve_task *t, size_t first, size_t count,
                                const tl_wide H[6]) {
    const tl_wide third = (1.0f / 3) * (H[0] + H[1] + H[2]);
    for (int k = 0; k < 6; k++) {
        float lanes[TL_LANES];
        tl_store(lanes, k < 3 ? H[k] - third : H[k]);
        for (size_t l = 0; l < count; l++)
            t->strain[first + l][k] = lanes[l];
    }
}

/* How its stress changes with the rate of strain, where solver->slack has room for it. */
void tl_response_slacken(const tl_solver *solver, const tl_solve_task *task, size_t first,
                         size_t count);

/* The same matter's stress, as tl_stress_of gives it for what remembers nothing. */
void tl_response_recall(const tl_solve_task *task, size_t first, size_t count, tl_wide stress[6]);

#endif
