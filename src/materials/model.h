/* What a rheological model is to the response (respond.h). Private to this room; what the file of a
 * model is made with is in model_lanes.h. */
#ifndef TL_MATERIALS_MODEL_H
#define TL_MATERIALS_MODEL_H

#include "materials/respond.h"

/* Pa·s: stands in for none where a logarithm is taken. */
#define TL_LEAST_VISCOSITY 1e-30

typedef struct tl_model {
    /* η of particles [0, n) of one material: all that a law without memory has to give. */
    void (*viscosities)(const tl_rheology *r, const float *rate, const float *temperature,
                        float *out, size_t n);
    double (*at)(const tl_rheology *r, double rate, double temperature);
    /* The largest viscosity at any rate; NULL: it is at one of the ends. */
    double (*largest)(const tl_rheology *r, double temperature);
    /* What its particles remember, TL_MEMORIES fields at most. */
    const struct tl_field_desc *memory;
    size_t memories;
    /* Of a law with memory, else NULL: `out` has what matter of its viscosities would answer
     * without one, η in any case; it sets what of that is wanted to its own answer. Where
     * TL_RESPOND_REMEMBER is wanted it brings memory[k], its k-th field of these particles, from
     * the start to the end of a step; else it leaves memories as they are. */
    void (*recall)(const tl_rheology *r, const tl_strained *in, void *const *memory,
                   unsigned wanted, const tl_response *out, size_t n);
} tl_model;

/* The law of a material. */
const tl_model *tl_model_of(const tl_material *material);

/* Whether a phase has a viscosity of its own. */
bool tl_has_phases(const tl_material *material);

extern const tl_model tl_model_newtonian, tl_model_jump, tl_model_power_law, tl_model_bingham,
    tl_model_herschel_bulkley, tl_model_casson, tl_model_cross, tl_model_carreau;

/* The words for the models, in order, NULL-terminated. */
extern const char *const tl_rheology_names[];

/* Viscosities that follow a law of the temperature alone. */
void tl_newtonian_viscosities(const tl_law *law, const float *temperature, float *out, size_t n);

/* Where the fields of the law of a material have particle i. */
void tl_memory_at(const tl_memory *memory, const tl_material *materials, size_t material, size_t i,
                  void *out[TL_MEMORIES]);

#endif
