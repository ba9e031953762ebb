/* See records.h. */
#include "records/records.h"

/* So far that every kernel vanishes, so near that its square is finite. */
static const float far_away = 1e15f;

tl_status tl_records_reserve(tl_records *records, tl_error *error) {
    const size_t total = tl_records_total(records), wanted = total + 1;
    const size_t room = tl_array_capacity(records->a), kept = room < wanted ? room : wanted;
    TL_TRY(TL_ARRAY_RESERVE(records->a, kept, wanted, error));
    TL_TRY(TL_ARRAY_RESERVE(records->b, 0, wanted, error));
    if (records->tensors != TL_TENSORS_NONE) {
        TL_TRY(TL_ARRAY_RESERVE(records->c, 0, wanted, error));
        records->c[total] = (tl_tensor){{0}};
    }
    records->a[total] = (tl_record){.x = {far_away, far_away, far_away}, .inverse_density = 1};
    records->b[total] = (tl_stress){0};
    return TL_OK;
}

#define ARRAYS(r) (r)->a, (r)->b, (r)->c, (r)->image_source, (r)->image_shift

size_t tl_records_bytes(const tl_records *records) { return TL_ARRAYS_BYTES(ARRAYS(records)); }

void tl_records_free(tl_records *records) {
    TL_ARRAYS_FREE(ARRAYS(records));
    *records = (tl_records){0};
}
