/* See images.h. */
#include "records/images.h"

#include <string.h>

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

tl_status tl_images_make(tl_records *records, const double period[3], const double low[3],
                         double reach, tl_error *error) {
    tl_images_clear(records);
    if (period[0] <= 0 && period[1] <= 0 && period[2] <= 0)
        return tl_records_reserve(records, error);
    for (size_t i = 0; i < tl_images_begin(records); i++)
        TL_TRY(add_images(records, i, period, low, reach, error));
    TL_TRY(tl_records_reserve(records, error));
    tl_images_update_a(records);
    return TL_OK;
}

void tl_images_clear(tl_records *records) { records->particle_images = records->sample_images = 0; }

void tl_images_update_a(tl_records *records) {
    tl_images_share_all(records, TL_SHARED(records->a));
    tl_images_move(records, (float *)records->a, TL_RECORD);
}

void tl_images_update_b(tl_records *records) {
    tl_images_share_all(records, TL_SHARED(records->b));
    if (records->c)
        tl_images_share_all(records, TL_SHARED(records->c));
}

/* ---- Values ------------------------------------------------------------------------------------
 */

static void share(const tl_records *r, size_t count, tl_shared v) {
    char *items = (char *)v.items + v.offset, *image = items + tl_images_begin(r) * v.stride;
    for (size_t k = 0; k < count; k++, image += v.stride)
        memcpy(image, items + r->image_source[k] * v.stride, v.size);
}

void tl_images_share(const tl_records *records, tl_shared values) {
    share(records, records->particle_images, values);
}

void tl_images_share_all(const tl_records *records, tl_shared values) {
    share(records, tl_records_images(records), values);
}

void tl_images_move(const tl_records *records, float *places, size_t stride) {
    for (size_t j = tl_images_begin(records); j < tl_images_end(records); j++)
        for (size_t k = 0; k < 3; k++)
            places[j * stride + k] += tl_image_shift(records, j)[k];
}
