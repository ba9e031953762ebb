/* See respond.h. */
#include "materials/respond.h"

#include "materials/law_wide.h"
#include "materials/material.h"
#include "materials/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Step of the rate, relative, that tells how stress grows with it. */
static const float slower = 0.1f;

/* Particles that are answered for at a time. */
enum { CHUNK = 256 };

/* ---- Parts of what is asked --------------------------------------------------------------------
 */

/* The same from particle `by` on. */
static tl_strained strained_from(const tl_strained *in, size_t by) {
    tl_strained out = *in;
    out.rate = in->rate + by;
    out.strain = in->strain ? in->strain + by : NULL;
    out.turn = in->turn ? in->turn + by : NULL;
    out.volume = in->volume ? in->volume + by : NULL;
    out.material = in->material ? in->material + by : NULL;
    out.temperature = in->temperature ? in->temperature + by : NULL;
    out.molten = in->molten ? in->molten + by : NULL;
    out.first = in->first + by;
    return out;
}

static tl_response response_from(const tl_response *out, size_t by) {
    return (tl_response){.viscosity = out->viscosity ? out->viscosity + by : NULL,
                         .tangent = out->tangent ? out->tangent + by : NULL,
                         .stress = out->stress ? out->stress + by : NULL,
                         .tensor = out->tensor ? out->tensor + by : NULL,
                         .heat = out->heat ? out->heat + by : NULL,
                         .slack = out->slack ? out->slack + by : NULL};
}

/* The end of those from `begin` on that are of one material. */
static size_t run_end(const uint8_t *material, size_t begin, size_t n) {
    size_t end = begin + 1;
    while (end < n && material[end] == material[begin])
        end++;
    return end;
}

/* ---- Viscosities -------------------------------------------------------------------------------
 */

static tl_wide blend(tl_wide solid, tl_wide liquid, tl_wide molten) {
    const tl_wide zero = tl_splat(0.0f), one = tl_splat(1.0f);
    const tl_wide least = tl_splat((float)TL_LEAST_VISCOSITY);
    const tl_wide mixed = tl_exp((one - molten) * tl_log(tl_max(solid, least)) +
                                 molten * tl_log(tl_max(liquid, least)));
    return tl_select_less(zero, molten, tl_select_less(molten, one, mixed, liquid), solid);
}

/* Changes viscosities of the rheology to those of the phases. `molten` may be NULL. */
static void mix_phases(const tl_material *m, const float *temperature, const float *molten,
                       float *viscosity, size_t n) {
    for (size_t i = 0; i < n; i += TL_LANES) {
        const size_t count = n - i < TL_LANES ? n - i : TL_LANES;
        float lanes[3][TL_LANES] = {{0}};
        memcpy(lanes[0], temperature + i, count * sizeof *temperature);
        memcpy(lanes[2], viscosity + i, count * sizeof *viscosity);
        for (size_t l = 0; l < count; l++)
            lanes[1][l] = molten ? molten[i + l] : (float)tl_molten_at(m, (double)lanes[0][l]);
        const tl_wide T = tl_load(lanes[0]), own = tl_load(lanes[2]);
        const tl_wide solid = m->has_solid_viscosity ? tl_law_wide(&m->solid_viscosity, T) : own;
        const tl_wide liquid = m->has_liquid_viscosity ? tl_law_wide(&m->liquid_viscosity, T) : own;
        tl_store(lanes[2], blend(solid, liquid, tl_load(lanes[1])));
        memcpy(viscosity + i, lanes[2], count * sizeof *viscosity);
    }
}

/* η at rates that need not be those of `in`. */
static void find_viscosities(const tl_strained *in, const float *rate, float *viscosity, size_t n) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = run_end(in->material, begin, n);
        const tl_material *m = &in->materials[in->material[begin]];
        const float *temperature = in->temperature + begin;
        float *out = viscosity + begin;
        if (m->has_rheology)
            tl_model_of(m)->viscosities(&m->rheology, rate + begin, temperature, out, end - begin);
        else
            tl_newtonian_viscosities(&m->viscosity, temperature, out, end - begin);
        if (tl_has_phases(m))
            mix_phases(m, temperature, in->molten ? in->molten + begin : NULL, out, end - begin);
        const double most = in->stiffest * m->density;
        for (size_t i = 0; i < end - begin && most > 0; i++)
            out[i] = (float)fmin((double)out[i], most);
    }
}

/* ---- The rest ----------------------------------------------------------------------------------
 */

/* η_t/η by the stress at a rate that is a little slower. It holds for phases and for the stiffest
 * as well, of which laws know nothing. */
static void find_tangents(const tl_strained *in, const float *viscosity, float *tangent, size_t n) {
    float rate[CHUNK], before[CHUNK];
    for (size_t i = 0; i < n; i++)
        rate[i] = (1 - slower) * in->rate[i];
    find_viscosities(in, rate, before, n);
    for (size_t i = 0; i < n; i++)
        tangent[i] = viscosity[i] > 0 ? (1 - (1 - slower) * before[i] / viscosity[i]) / slower : 1;
}

static void find_stresses(const tl_strained *in, const float *viscosity, float *stress, size_t n) {
    for (size_t i = 0; i < n; i++)
        stress[i] = viscosity[i] * in->rate[i];
}

static void find_tensors(const tl_strained *in, const float *viscosity, float (*tensor)[6],
                         size_t n) {
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < 6; k++)
            tensor[i][k] = 2 * viscosity[i] * in->strain[i][k];
}

static void find_heat(const tl_strained *in, const float *viscosity, float *heat, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const double volume = in->volume ? in->volume[i] : 1;
        heat[i] = (float)(volume * (double)viscosity[i]) * in->rate[i] * in->rate[i];
    }
}

/* Laws with memory have the last word, and what is elastic beside any law. */
static void recall(const tl_strained *in, unsigned wanted, const tl_response *out, size_t n) {
    for (size_t begin = 0, end; begin < n; begin = end) {
        end = run_end(in->material, begin, n);
        const size_t material = in->material[begin];
        const tl_material *m = &in->materials[material];
        const tl_model *model = tl_model_of(m);
        void *memory[TL_MEMORIES];
        const tl_strained some = strained_from(in, begin);
        const tl_response answer = response_from(out, begin);
        if (model->recall) {
            tl_memory_at(in->memory, in->materials, material, some.first, memory);
            model->recall(&m->rheology, &some, memory, wanted, &answer, end - begin);
        }
        if (m->has_elastic) {
            tl_memory_of_elastic(in->memory, some.first, memory);
            tl_elastic_recall(&m->elastic, &some, m->density, memory, wanted, &answer, end - begin);
        }
    }
}

static void respond_some(const tl_strained *in, unsigned wanted, tl_response out, size_t n) {
    float own[CHUNK];
    if (!(wanted & (TL_RESPOND_VISCOSITY | TL_RESPOND_HELD)))
        out.viscosity = own;
    if (!(wanted & TL_RESPOND_HELD))
        find_viscosities(in, in->rate, out.viscosity, n);
    if (wanted & TL_RESPOND_TANGENT)
        find_tangents(in, out.viscosity, out.tangent, n);
    if (wanted & TL_RESPOND_STRESS)
        find_stresses(in, out.viscosity, out.stress, n);
    if (wanted & TL_RESPOND_TENSOR)
        find_tensors(in, out.viscosity, out.tensor, n);
    if (wanted & TL_RESPOND_HEAT)
        find_heat(in, out.viscosity, out.heat, n);
    if (wanted & TL_RESPOND_SLACK)
        memset(out.slack, 0, n * sizeof *out.slack);
    if (in->memory)
        recall(in, wanted, &out, n);
}

void tl_respond(const tl_strained *in, unsigned wanted, const tl_response *out, size_t n) {
    /* A secant that is held does not tell how the law goes on from it. */
    assert(!(wanted & TL_RESPOND_HELD) || !(wanted & TL_RESPOND_TANGENT));
    for (size_t begin = 0; begin < n; begin += CHUNK) {
        const tl_strained some = strained_from(in, begin);
        const size_t count = n - begin < CHUNK ? n - begin : CHUNK;
        respond_some(&some, wanted, response_from(out, begin), count);
    }
}
