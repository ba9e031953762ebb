/* Periodic images: as many as there are faces near, where they belong, and true to their source. */
#include "records/images.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const double period[3] = {1, 2, 4}, low[3] = {-0.5, 0, 10};
static const double reach = 0.25;

/* Records of particles, then of samples, at these places; the rest of a record tells whose it is.
 */
static tl_records make(const float (*places)[3], size_t particles, size_t samples,
                       const double periods[3]) {
    tl_records r = {.particles = particles, .samples = samples, .tensors = TL_TENSORS_SYMMETRIC};
    cr_assert_eq(tl_records_reserve(&r, NULL), TL_OK);
    for (size_t i = 0; i < particles + samples; i++) {
        const float own = (float)(10 * i);
        r.a[i] = (tl_record){{0}, own + 3, {own + 4, own + 5, own + 6}, own + 7};
        memcpy(r.a[i].x, places[i], sizeof r.a[i].x);
    }
    cr_assert_eq(tl_images_make(&r, periods, low, reach, NULL), TL_OK);
    return r;
}

/* Number of records, other than the dummy, at a place. */
static size_t count_at(const tl_records *r, float x, float y, float z) {
    size_t count = 0;
    for (size_t j = 0; j < tl_records_total(r); j++) {
        const float *a = r->a[j].x;
        count += fabsf(a[0] - x) < 1e-5f && fabsf(a[1] - y) < 1e-5f && fabsf(a[2] - z) < 1e-5f;
    }
    return count;
}

Test(records, a_particle_in_the_middle_has_no_image) {
    tl_records r = make((const float[][3]){{0, 1, 12}}, 1, 0, period);
    cr_assert_eq(tl_records_images(&r), 0);
    cr_assert_eq(tl_records_total(&r), 1);
    tl_records_free(&r);
}

Test(records, a_particle_at_a_face_has_one_image_beyond_the_other_face) {
    tl_records r = make((const float[][3]){{-0.4f, 1, 12}, {0, 1.9f, 12}}, 2, 0, period);
    cr_assert_eq(tl_records_images(&r), 2);
    cr_assert_eq(count_at(&r, 0.6f, 1, 12), 1);
    cr_assert_eq(count_at(&r, 0, -0.1f, 12), 1);
    tl_records_free(&r);
}

Test(records, a_particle_at_an_edge_has_three_images) {
    tl_records r = make((const float[][3]){{-0.4f, 1, 13.9f}}, 1, 0, period);
    cr_assert_eq(tl_records_images(&r), 3);
    for (int c = 0; c < 4; c++)
        cr_assert_eq(count_at(&r, c & 1 ? 0.6f : -0.4f, 1, c & 2 ? 9.9f : 13.9f), 1);
    tl_records_free(&r);
}

Test(records, a_particle_in_a_corner_has_seven_images) {
    tl_records r = make((const float[][3]){{0.4f, 0.1f, 10.1f}}, 1, 0, period);
    cr_assert_eq(tl_records_images(&r), 7);
    for (int c = 0; c < 8; c++)
        cr_assert_eq(count_at(&r, c & 1 ? -0.6f : 0.4f, c & 2 ? 2.1f : 0.1f, c & 4 ? 14.1f : 10.1f),
                     1);
    tl_records_free(&r);
}

Test(records, the_reach_decides_to_the_bit_who_is_near_a_face) {
    const float inside = nextafterf(-0.25f, -1);
    tl_records r =
        make((const float[][3]){{inside, 1, 12}, {-0.25f, 1, 12}, {0.25f, 1, 12}}, 3, 0, period);
    cr_assert_eq(tl_records_images(&r), 2);
    cr_assert(r.image_source[0] == 0 && r.image_source[1] == 2);
    tl_records_free(&r);
}

Test(records, in_a_narrow_world_a_particle_has_images_on_both_sides) {
    const double narrow[3] = {0.4, 0, 0};
    tl_records r = make((const float[][3]){{-0.3f, 1, 12}}, 1, 0, narrow);
    cr_assert_eq(tl_records_images(&r), 2);
    cr_assert(count_at(&r, 0.1f, 1, 12) == 1 && count_at(&r, -0.7f, 1, 12) == 1);
    tl_records_free(&r);
}

Test(records, axes_that_do_not_repeat_make_no_images) {
    const double none[3] = {0}, along_y[3] = {0, 2, 0};
    const float corner[][3] = {{0.4f, 0.1f, 10.1f}};
    tl_records r = make(corner, 1, 0, none);
    cr_assert_eq(tl_records_images(&r), 0);
    tl_records_free(&r);
    r = make(corner, 1, 0, along_y);
    cr_assert_eq(tl_records_images(&r), 1);
    cr_assert_eq(count_at(&r, 0.4f, 2.1f, 10.1f), 1);
    tl_records_free(&r);
}

/* Particles and samples, some with images. */
static tl_records make_mixture(void) {
    return make(
        (const float[][3]){
            {0.4f, 0.1f, 10.1f}, {0, 1, 12}, {0, 1, 13.9f}, {0.4f, 1, 12}, {0.45f, 0.05f, 12}},
        3, 2, period);
}

Test(records, matter_is_particles_and_their_images_only) {
    tl_records r = make_mixture();
    cr_assert(r.particle_images == 8 && r.sample_images == 4);
    const size_t images = r.particles + r.samples, dummy = tl_records_total(&r);
    for (size_t j = 0; j < dummy; j++) {
        const size_t source = j < images ? j : r.image_source[j - images];
        cr_assert_eq(tl_source_of(&r, j), source);
        cr_assert_eq(tl_is_image(&r, j), j >= images);
        cr_assert_eq(tl_records_is_matter(&r, j), source < r.particles, "record %zu", j);
        cr_assert_eq(tl_records_is_sample(&r, j), source >= r.particles, "record %zu", j);
    }
    cr_assert(!tl_records_is_matter(&r, dummy) && !tl_records_is_sample(&r, dummy));
    cr_assert_eq(tl_source_of(&r, dummy), dummy);
    tl_records_free(&r);
}

Test(records, images_follow_their_sources) {
    tl_records r = make_mixture();
    const size_t own = r.particles + r.samples;
    for (size_t i = 0; i < own; i++) {
        const float all = (float)(100 * i);
        for (size_t k = 0; k < 3; k++) {
            r.a[i].x[k] += 0.125f * (float)(i + k);
            r.a[i].v[k] += 0.125f * (float)(i + 4 + k);
        }
        r.a[i].mass += 0.125f * (float)(i + 3);
        r.a[i].inverse_density += 0.125f * (float)(i + 7);
        r.b[i] = (tl_stress){all, all + 1, all + 2, all + 3};
        for (size_t k = 0; k < TL_TENSOR; k++)
            r.c[i].s[k] = (float)(200 * i + k);
    }
    tl_images_update_a(&r);
    tl_images_update_b(&r);
    for (size_t i = 0; i < tl_records_images(&r); i++) {
        const size_t source = r.image_source[i];
        const tl_record *from = &r.a[source], *to = &r.a[own + i];
        for (size_t k = 0; k < 3; k++)
            cr_assert_eq(to->x[k], from->x[k] + r.image_shift[3 * i + k]);
        cr_assert_eq(memcmp(&to->mass, &from->mass, sizeof *to - offsetof(tl_record, mass)), 0);
        cr_assert_eq(memcmp(&r.b[own + i], &r.b[source], sizeof *r.b), 0);
        cr_assert_eq(memcmp(&r.c[own + i], &r.c[source], sizeof *r.c), 0);
    }
    tl_records_free(&r);
}

Test(records, made_again_there_are_no_more_of_them) {
    tl_records r = make_mixture();
    const size_t before = tl_records_total(&r), bytes = tl_records_bytes(&r);
    for (int again = 0; again < 3; again++)
        cr_assert_eq(tl_images_make(&r, period, low, reach, NULL), TL_OK);
    cr_assert_eq(tl_records_total(&r), before);
    cr_assert_eq(tl_records_bytes(&r), bytes);
    tl_records_free(&r);
    cr_assert_eq(tl_records_bytes(&r), 0);
}

Test(records, values_are_shared_with_images_of_particles_and_the_rest_of_an_item_is_left) {
    typedef struct item {
        float kept, given;
    } item;
    tl_records r = make_mixture();
    item items[32];
    const size_t total = tl_records_total(&r);
    cr_assert_lt(total, 32);
    for (size_t j = 0; j <= total; j++)
        items[j] = (item){(float)j, (float)(100 + j)};
    tl_images_share(&r, TL_SHARED_MEMBER(items, item, given));
    for (size_t j = 0; j <= total; j++) {
        const size_t from = tl_records_is_matter(&r, j) ? tl_source_of(&r, j) : j;
        cr_assert_eq(items[j].kept, (float)j);
        cr_assert_eq(items[j].given, (float)(100 + from), "record %zu", j);
    }
    tl_records_free(&r);
}

Test(records, the_dummy_is_after_all_others_far_away_and_weightless) {
    tl_records r = make_mixture();
    const size_t last = tl_records_total(&r);
    const float *dummy = r.a[last].x;
    for (int k = 0; k < 3; k++)
        cr_assert(dummy[k] > 1e12f && isfinite(dummy[k] * dummy[k]));
    cr_assert_eq(r.a[last].mass, 0);
    cr_assert_eq(memcmp(&r.b[last], &(tl_stress){0}, sizeof *r.b), 0);
    for (int k = 0; k < TL_TENSOR; k++)
        cr_assert_eq(r.c[last].s[k], 0);
    tl_records_free(&r);
}

Test(records, tensors_take_no_memory_unless_asked_for) {
    tl_records with = {.particles = 1000, .tensors = TL_TENSORS_SYMMETRIC};
    tl_records without = {.particles = 1000};
    cr_assert_eq(tl_records_reserve(&with, NULL), TL_OK);
    cr_assert_eq(tl_records_reserve(&without, NULL), TL_OK);
    cr_assert_null(without.c);
    cr_assert_geq(tl_records_bytes(&with),
                  tl_records_bytes(&without) + 1001 * TL_TENSOR * sizeof(float));
    tl_records_free(&with);
    tl_records_free(&without);
}
