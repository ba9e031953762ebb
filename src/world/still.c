/* Matter that does not move: heat alone. */
#include "world/state.h"

static tl_status begin(tl_world *w, bool *broken, tl_error *error) {
    size_t worst;
    return tl_world_find_neighbors(w, broken, &worst, error);
}

static tl_status attempt(tl_world *w, double dt, bool *fine, size_t *worst, tl_error *error) {
    (void)w, (void)dt, (void)worst, (void)error;
    *fine = true;
    return TL_OK;
}

const tl_dynamics tl_still_dynamics = {
    .begin = begin,
    .step_size = tl_world_heat_step_size,
    .attempt = attempt,
};
