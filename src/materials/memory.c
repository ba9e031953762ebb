/* See memory.h. */
#include "materials/memory.h"

#include "materials/material.h"
#include "materials/model.h"

#include <stdlib.h>

tl_status tl_memory_declare(tl_memory *memory, tl_fields *fields, const tl_material *materials,
                            size_t count, tl_error *error) {
    size_t remembering = 0;
    for (size_t m = 0; m < count; m++)
        remembering += tl_model_of(&materials[m])->recall != NULL;
    *memory = (tl_memory){.fields = fields};
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
    }
    return TL_OK;
}

void tl_memory_at(const tl_memory *memory, const tl_material *materials, size_t material, size_t i,
                  void *out[TL_MEMORIES]) {
    const tl_model *model = tl_model_of(&materials[material]);
    for (size_t k = 0; k < model->memories; k++) {
        const tl_field_desc *desc = &model->memory[k];
        const size_t bytes = tl_type_size(desc->type) * (size_t)desc->components;
        out[k] = (char *)tl_field_data(memory->fields, memory->handle[material][k]) + i * bytes;
    }
}

void tl_memory_free(tl_memory *memory) {
    free(memory->handle);
    *memory = (tl_memory){0};
}
