/* See memory.h. */
#include "materials/memory.h"

#include "materials/material.h"
#include "materials/model.h"

#include <stdlib.h>

static const tl_field_desc elastic_memory[TL_ELASTIC_MEMORIES] = {
    [TL_ELASTIC_STRESS] = {"elastic_stress", TL_F32, 6, "Pa",
                           "Stress of what springs back: xx yy zz xy xz yz",
                           TL_FIELD_SAVED | TL_FIELD_SHOWN},
    [TL_ELASTIC_RATE] = {"elastic_rate", TL_F32, 6, "Pa/s", "How fast it grew in the last step",
                         TL_FIELD_SAVED},
    [TL_ELASTIC_SHAPE] = {"elastic_strain", TL_F32, 6, "",
                          "By how much what springs back is stretched: c - 1, xx yy zz xy xz yz",
                          TL_FIELD_SAVED | TL_FIELD_SHOWN},
    [TL_ELASTIC_MODULUS] = {"elastic_modulus", TL_F32, 1, "Pa", "Shear modulus",
                            TL_FIELD_SAVED | TL_FIELD_SHOWN},
    [TL_ELASTIC_PLASTIC] = {"plastic_strain", TL_F32, 1, "",
                            "What has flowed of matter that yields, as a shear",
                            TL_FIELD_SAVED | TL_FIELD_SHOWN},
};

/* Whether particles of a material remember their k-th elastic field. */
static bool has_memory(const tl_material *m, size_t k) {
    return m->has_elastic && (k != TL_ELASTIC_PLASTIC || m->elastic.has_yield_stress);
}

tl_status tl_memory_declare(tl_memory *memory, tl_fields *fields, const tl_material *materials,
                            size_t count, tl_error *error) {
    size_t remembering = 0;
    for (size_t m = 0; m < count; m++)
        remembering += tl_model_of(&materials[m])->recall || materials[m].has_elastic;
    *memory = (tl_memory){.fields = fields, .elastic[TL_ELASTIC_PLASTIC] = -1};
    if (remembering == 0)
        return TL_OK;
    memory->handle = tl_allocate(count, sizeof *memory->handle);
    if (!memory->handle)
        return tl_fail_memory(error, count, sizeof *memory->handle);
    for (size_t m = 0; m < count; m++) {
        const tl_model *model = tl_model_of(&materials[m]);
        for (size_t k = 0; k < model->memories; k++) {
            const int handle = tl_fields_declare(fields, &model->memory[k]);
            if (handle < 0)
                return tl_fail_memory(error, fields->count, sizeof(float));
            memory->handle[m][k] = handle;
        }
        for (size_t k = 0; k < TL_ELASTIC_MEMORIES; k++) {
            if (!has_memory(&materials[m], k))
                continue;
            memory->elastic[k] = tl_fields_declare(fields, &elastic_memory[k]);
            if (memory->elastic[k] < 0)
                return tl_fail_memory(error, fields->count, sizeof(float));
        }
    }
    return TL_OK;
}

/* The data of a field from particle i on. */
static void *data_at(const tl_fields *fields, int handle, const tl_field_desc *desc, size_t i) {
    const size_t bytes = tl_type_size(desc->type) * (size_t)desc->components;
    return (char *)tl_field_data(fields, handle) + i * bytes;
}

void tl_memory_at(const tl_memory *memory, const tl_material *materials, size_t material, size_t i,
                  void *out[TL_MEMORIES]) {
    const tl_model *model = tl_model_of(&materials[material]);
    for (size_t k = 0; k < model->memories; k++)
        out[k] = data_at(memory->fields, memory->handle[material][k], &model->memory[k], i);
}

void tl_memory_of_elastic(const tl_memory *memory, size_t i, void *out[TL_MEMORIES]) {
    for (size_t k = 0; k < TL_ELASTIC_MEMORIES; k++)
        out[k] = memory->elastic[k] < 0
                     ? NULL
                     : data_at(memory->fields, memory->elastic[k], &elastic_memory[k], i);
}

void tl_memory_free(tl_memory *memory) {
    free(memory->handle);
    *memory = (tl_memory){0};
}
