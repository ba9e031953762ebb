/* See response.h. */
#include "flow/response.h"

void tl_response_find(const tl_solver *s, const tl_solve_task *t, bool renew, size_t first,
                      size_t count, float *stress, float *heat) {
    double volume[TL_LANES];
    for (size_t l = 0; l < count; l++)
        volume[l] = (double)s->strain.motion[first + l].volume;
    const tl_strained in = {.rate = t->strain_rate + first, .volume = volume};
    const tl_response out = {.viscosity = t->viscosity + first, .stress = stress, .heat = heat};
    const unsigned viscosity = renew ? TL_RESPOND_VISCOSITY : TL_RESPOND_HELD;
    t->respond(t->respond_context, &in, viscosity | TL_RESPOND_STRESS | TL_RESPOND_HEAT, &out,
               first, first + count);
}

void tl_response_tangent(const tl_solve_task *t, size_t begin, size_t end, float *tangent) {
    const tl_strained in = {.rate = t->strain_rate + begin};
    const tl_response out = {.tangent = tangent};
    t->respond(t->respond_context, &in, TL_RESPOND_TANGENT, &out, begin, end);
}

void tl_response_slacken(const tl_solver *s, const tl_solve_task *t, size_t first, size_t count) {
    const tl_strained in = {.rate = t->strain_rate + first};
    const tl_response out = {.viscosity = t->viscosity + first, .slack = s->slack + first};
    t->respond(t->respond_context, &in, TL_RESPOND_HELD | TL_RESPOND_SLACK, &out, first,
               first + count);
    for (size_t i = first; i < first + count; i++)
        for (int k = 3; k < 6; k++)
            s->slack[i].direction[k] *= 2;
}

void tl_response_recall(const tl_solve_task *t, size_t first, size_t count, tl_wide stress[6]) {
    float tensor[TL_LANES][6], lanes[TL_LANES] = {0};
    const tl_strained in = {.rate = t->strain_rate + first};
    const tl_response out = {.viscosity = t->viscosity + first, .tensor = tensor};
    t->respond(t->respond_context, &in, TL_RESPOND_HELD | TL_RESPOND_TENSOR, &out, first,
               first + count);
    /* Sweeps take each of xy, xz and yz once. */
    for (int k = 0; k < 6; k++) {
        for (size_t l = 0; l < count; l++)
            lanes[l] = k < 3 ? tensor[l][k] : 2 * tensor[l][k];
        stress[k] = tl_load(lanes);
    }
}
