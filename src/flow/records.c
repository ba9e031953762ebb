/* See records.h. */
#include "flow/records.h"

#include <string.h>

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

static tl_status add_image(tl_records *r, size_t source, const float shift[3], tl_error *error) {
    const size_t image = tl_records_images(r);
    TL_TRY(TL_ARRAY_RESERVE(r->image_source, image, image + 1, error));
    TL_TRY(TL_ARRAY_RESERVE(r->image_shift, 3 * image, 3 * image + 3, error));
    r->image_source[image] = (uint32_t)source;
    memcpy(r->image_shift + 3 * image, shift, 3 * sizeof *shift);
    if (source < r->particles)
        r->particle_images++;
    else
        r->sample_images++;
    return TL_OK;
}

/* The images of one record in all (up to seven) directions in which it lies near a face. */
static tl_status add_images(tl_records *r, size_t i, const double period[3], const double low[3],
                            double reach, tl_error *error) {
    const float *x = r->a[i].x;
    float steps[3][2]; /* shifts along each axis besides none */
    int count[3];
    for (int k = 0; k < 3; k++) {
        count[k] = 0;
        if (period[k] <= 0)
            continue;
        if ((double)x[k] < low[k] + reach)
            steps[k][count[k]++] = (float)period[k];
        if ((double)x[k] >= low[k] + period[k] - reach)
            steps[k][count[k]++] = (float)-period[k];
    }
    for (int cz = 0; cz <= count[2]; cz++)
        for (int cy = 0; cy <= count[1]; cy++)
            for (int cx = 0; cx <= count[0]; cx++) {
                if (cx + cy + cz == 0)
                    continue;
                const float shift[3] = {cx ? steps[0][cx - 1] : 0, cy ? steps[1][cy - 1] : 0,
                                        cz ? steps[2][cz - 1] : 0};
                TL_TRY(add_image(r, i, shift, error));
            }
    return TL_OK;
}

tl_status tl_records_make_images(tl_records *records, const double period[3], const double low[3],
                                 double reach, tl_error *error) {
    records->particle_images = records->sample_images = 0;
    if (period[0] <= 0 && period[1] <= 0 && period[2] <= 0)
        return tl_records_reserve(records, error);
    for (size_t i = 0; i < records->particles + records->samples; i++)
        TL_TRY(add_images(records, i, period, low, reach, error));
    TL_TRY(tl_records_reserve(records, error));
    tl_records_update_images_a(records);
    return TL_OK;
}

void tl_records_update_images_a(tl_records *records) {
    tl_record *image = records->a + records->particles + records->samples;
    for (size_t i = 0; i < tl_records_images(records); i++, image++) {
        *image = records->a[records->image_source[i]];
        for (size_t k = 0; k < 3; k++)
            image->x[k] += records->image_shift[3 * i + k];
    }
}

void tl_records_update_images_b(tl_records *records) {
    const size_t first = records->particles + records->samples;
    for (size_t i = 0; i < tl_records_images(records); i++)
        records->b[first + i] = records->b[records->image_source[i]];
    for (size_t i = 0; records->c && i < tl_records_images(records); i++)
        records->c[first + i] = records->c[records->image_source[i]];
}

#define ARRAYS(r) (r)->a, (r)->b, (r)->c, (r)->image_source, (r)->image_shift

size_t tl_records_bytes(const tl_records *records) { return TL_ARRAYS_BYTES(ARRAYS(records)); }

void tl_records_free(tl_records *records) {
    TL_ARRAYS_FREE(ARRAYS(records));
    *records = (tl_records){0};
}
