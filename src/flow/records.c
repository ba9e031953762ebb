/* See records.h. */
#include "flow/records.h"

#include <stdlib.h>
#include <string.h>

/* So far that every kernel vanishes, so near that its square is finite. */
static const float far_away = 1e15f;

tl_status tl_records_reserve(tl_records *records, tl_error *error) {
    const size_t total = tl_records_total(records), floats = (total + 1) * TL_RECORD;
    const size_t kept = records->a_capacity < floats ? records->a_capacity : floats;
    TL_TRY(TL_RESERVE(records->a, records->a_capacity, kept, floats, error));
    TL_TRY(TL_RESERVE(records->b, records->b_capacity, 0, (total + 1) * TL_STRESS, error));
    if (records->tensors != TL_TENSORS_NONE) {
        TL_TRY(TL_RESERVE(records->c, records->c_capacity, 0, (total + 1) * TL_TENSOR, error));
        memset(records->c + total * TL_TENSOR, 0, TL_TENSOR * sizeof *records->c);
    }
    const float dummy[TL_RECORD] = {far_away, far_away, far_away, 0, 0, 0, 0, 1};
    memcpy(records->a + total * TL_RECORD, dummy, sizeof dummy);
    memset(records->b + total * TL_STRESS, 0, TL_STRESS * sizeof *records->b);
    return TL_OK;
}

static tl_status add_image(tl_records *r, size_t source, const float shift[3], tl_error *error) {
    const size_t image = tl_records_images(r);
    TL_TRY(TL_RESERVE(r->image_source, r->source_capacity, image, image + 1, error));
    TL_TRY(TL_RESERVE(r->image_shift, r->shift_capacity, 3 * image, 3 * image + 3, error));
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
    const float *x = r->a + i * TL_RECORD;
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
    float *image = records->a + (records->particles + records->samples) * TL_RECORD;
    for (size_t i = 0; i < tl_records_images(records); i++, image += TL_RECORD) {
        memcpy(image, records->a + (size_t)records->image_source[i] * TL_RECORD,
               TL_RECORD * sizeof *image);
        for (int k = 0; k < 3; k++)
            image[k] += records->image_shift[3 * i + (size_t)k];
    }
}

/* Copies records of `size` floats as they are. */
static void copy_to_images(const tl_records *records, float *values, size_t size) {
    float *image = values + (records->particles + records->samples) * size;
    for (size_t i = 0; i < tl_records_images(records); i++, image += size)
        memcpy(image, values + (size_t)records->image_source[i] * size, size * sizeof *image);
}

void tl_records_update_images_b(tl_records *records) {
    copy_to_images(records, records->b, TL_STRESS);
    if (records->c)
        copy_to_images(records, records->c, TL_TENSOR);
}

size_t tl_records_bytes(const tl_records *r) {
    return sizeof(float) * (r->a_capacity + r->b_capacity + r->c_capacity + r->shift_capacity) +
           sizeof(uint32_t) * r->source_capacity;
}

void tl_records_free(tl_records *records) {
    free(records->a);
    free(records->b);
    free(records->c);
    free(records->image_source);
    free(records->image_shift);
    *records = (tl_records){0};
}
