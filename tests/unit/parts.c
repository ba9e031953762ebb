/* Particles split and merge without losing what they have. */
#include "resample/parts.h"
#include "resample/refine.h"

#include "base/random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACED = TL_FIELD_SAVED | TL_FIELD_PLACE, SHARED = TL_FIELD_SAVED | TL_FIELD_SHARED };

static const tl_field_desc id = {"id", TL_U64, 1, "", "", TL_FIELD_SAVED},
                           position = {"position", TL_F64, 3, "m", "", PLACED},
                           velocity = {"velocity", TL_F64, 3, "m/s", "", TL_FIELD_SAVED},
                           mass = {"mass", TL_F32, 1, "kg", "", SHARED},
                           density = {"density", TL_F64, 1, "kg/m³", "", TL_FIELD_SAVED},
                           size = {"size", TL_F32, 1, "m", "", TL_FIELD_SAVED},
                           enthalpy = {"enthalpy", TL_F64, 1, "J/kg", "", TL_FIELD_SAVED},
                           stress = {"stress", TL_F32, 6, "Pa", "", TL_FIELD_SAVED},
                           listed = {"listed", TL_F32, 3, "m", "", PLACED},
                           material = {"material", TL_U8, 1, "", "", TL_FIELD_SAVED};

enum { ID, POSITION, VELOCITY, MASS, DENSITY, SIZE, ENTHALPY, STRESS, LISTED, MATERIAL };

static const double DX = 0.01, RHO = 1000;

typedef struct matter {
    tl_fields fields;
    double next;
    tl_parts parts;
} matter;

static double *reals(const matter *m, int handle) { return tl_field_data(&m->fields, handle); }
static float *floats(const matter *m, int handle) { return tl_field_data(&m->fields, handle); }

/* A cube of edge³ particles in disorder, all moving differently. */
static void make(matter *m, int edge) {
    const tl_field_desc *all[] = {&id,   &position, &velocity, &mass,   &density,
                                  &size, &enthalpy, &stress,   &listed, &material};
    *m = (matter){0};
    for (int f = 0; f < 10; f++)
        cr_assert_eq(tl_fields_declare(&m->fields, all[f]), f);
    const size_t n = (size_t)(edge * edge * edge);
    cr_assert_eq(tl_fields_resize(&m->fields, n, NULL), TL_OK);
    for (size_t i = 0; i < n; i++) {
        const int at[3] = {(int)i % edge, (int)i / edge % edge, (int)i / edge / edge};
        ((uint64_t *)tl_field_data(&m->fields, ID))[i] = i;
        reals(m, DENSITY)[i] = RHO * (1 + 0.01 * tl_random_uniform(3, i));
        floats(m, MASS)[i] = (float)(RHO * DX * DX * DX);
        floats(m, SIZE)[i] = (float)DX;
        reals(m, ENTHALPY)[i] = 1e5 * tl_random_uniform(4, i);
        for (size_t k = 0; k < 3; k++) {
            reals(m, POSITION)[3 * i + k] = DX * (at[k] + 0.3 * tl_random_uniform(1, 3 * i + k));
            reals(m, VELOCITY)[3 * i + k] = tl_random_uniform(2, 3 * i + k) - 0.3;
            floats(m, LISTED)[3 * i + k] = (float)reals(m, POSITION)[3 * i + k];
        }
        for (size_t k = 0; k < 6; k++)
            floats(m, STRESS)[6 * i + k] = (float)tl_random_uniform(5, 6 * i + k);
    }
    m->next = (double)n;
    m->parts = (tl_parts){&m->fields, ID, POSITION, VELOCITY, MASS, DENSITY, SIZE, &m->next};
}

typedef struct sums {
    double mass, volume, cubes, heat, kinetic, momentum[3], spin[3], center[3], size_of_spin;
} sums;

static sums add_up(const matter *m) {
    sums s = {0};
    for (size_t i = 0; i < m->fields.count; i++) {
        const double w = (double)floats(m, MASS)[i], *x = reals(m, POSITION) + 3 * i,
                     *v = reals(m, VELOCITY) + 3 * i;
        double L[3];
        tl_cross(x, v, L);
        s.mass += w;
        s.volume += w / reals(m, DENSITY)[i];
        s.cubes += w > 0 ? pow((double)floats(m, SIZE)[i], 3) : 0;
        s.heat += w * reals(m, ENTHALPY)[i];
        for (int k = 0; k < 3; k++) {
            s.kinetic += 0.5 * w * v[k] * v[k];
            s.momentum[k] += w * v[k];
            s.spin[k] += w * L[k];
            s.center[k] += w * x[k];
            s.size_of_spin += fabs(w * L[k]);
        }
    }
    return s;
}

/* What both keep; angular momentum relative to the sum of its sizes. */
static void expect_kept(const sums *a, const sums *b, double exact) {
    cr_expect_float_eq(a->mass, b->mass, exact * a->mass);
    cr_expect_float_eq(a->heat, b->heat, exact * a->heat, "heat %g", b->heat / a->heat - 1);
    cr_expect_float_eq(a->volume, b->volume, exact * a->volume);
    cr_expect_float_eq(a->cubes, b->cubes, 1e-6 * a->cubes);
    for (int k = 0; k < 3; k++) {
        cr_expect_float_eq(a->momentum[k], b->momentum[k], exact * a->mass);
        cr_expect_float_eq(a->center[k], b->center[k], exact * a->mass * DX * 10);
        cr_expect_float_eq(a->spin[k], b->spin[k], fmax(exact, 1e-14) * a->size_of_spin, "spin %g",
                           (b->spin[k] - a->spin[k]) / a->size_of_spin);
    }
}

static tl_vec3 direction_of(size_t i) {
    return (tl_vec3){tl_random_uniform(6, 3 * i) - 0.5, tl_random_uniform(6, 3 * i + 1) - 0.5,
                     tl_random_uniform(6, 3 * i + 2) - 0.5};
}

/* A sum of a thousand terms rounds by some 1e-15 of itself. */
Test(parts, a_thousand_splits_keep_everything) {
    const tl_pattern patterns[] = {TL_PATTERN_PAIR, TL_PATTERN_TETRAHEDRON, TL_PATTERN_CUBE};
    for (int p = 0; p < 3; p++) {
        matter m;
        make(&m, 10);
        const sums before = add_up(&m);
        const size_t n = m.fields.count, parts = tl_pattern_count(patterns[p]);
        for (size_t i = 0; i < n; i++)
            cr_assert_eq(tl_parts_split(&m.parts, i, patterns[p], direction_of(i), DX, NULL),
                         TL_OK);
        const sums after = add_up(&m);
        cr_assert_eq(m.fields.count, parts * n);
        expect_kept(&before, &after, 1e-14);
        cr_expect_float_eq(before.kinetic, after.kinetic, 1e-14 * before.kinetic);
        for (size_t i = 0; i < m.fields.count; i++) {
            const uint64_t name = ((uint64_t *)tl_field_data(&m.fields, ID))[i];
            cr_expect_geq(name, n);
            cr_expect_eq(floats(&m, MASS)[i] * (float)parts, (float)(RHO * DX * DX * DX));
        }
        tl_fields_free(&m.fields);
    }
}

/* Copies, and places that move along. */
Test(parts, all_other_fields_go_with_the_parts) {
    matter m;
    make(&m, 2);
    const float before = floats(&m, STRESS)[6 * 3 + 4];
    double x[3];
    memcpy(x, reals(&m, POSITION) + 9, sizeof x);
    cr_assert_eq(tl_parts_split(&m.parts, 3, TL_PATTERN_PAIR, (tl_vec3){0, 0, 2}, DX, NULL), TL_OK);
    cr_expect_eq(floats(&m, STRESS)[6 * 3 + 4], before);
    cr_expect_eq(floats(&m, STRESS)[6 * 8 + 4], before);
    cr_expect_float_eq(reals(&m, POSITION)[11], x[2] + 0.5 * DX, 1e-17);
    cr_expect_float_eq(reals(&m, POSITION)[26], x[2] - 0.5 * DX, 1e-17);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq((double)floats(&m, LISTED)[24 + k], reals(&m, POSITION)[24 + k], 1e-8);
    tl_fields_free(&m.fields);
}

/* All that a particle lies among, but itself and the other. */
static size_t find_around(const matter *m, size_t i, size_t j, uint32_t *out) {
    size_t count = 0;
    for (size_t k = 0; k < m->fields.count; k++) {
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(reals(m, POSITION) + 3 * k),
                                      tl_vec3_of(reals(m, POSITION) + 3 * i));
        if (k != i && k != j && floats(m, MASS)[k] > 0 && tl_vec3_length(d) < 2 * DX)
            out[count++] = (uint32_t)k;
    }
    return count;
}

/* Masses are floats, but sums of equal ones are exact for a while; means in float are the error. */
Test(parts, a_thousand_merges_keep_all_but_energy_and_tell_that) {
    matter m;
    make(&m, 13);
    sums before = add_up(&m);
    uint32_t around[2197];
    double lost = 0;
    size_t merges = 0;
    for (size_t i = 0; i + 1 < m.fields.count && merges < 1000; i += 2) {
        const double *x = reals(&m, POSITION) + 3 * i;
        double energy;
        if (fabs(x[3] - x[0]) < 2 * DX && /* else in another row */
            tl_parts_merge(&m.parts, i, i + 1, around, find_around(&m, i, i + 1, around),
                           &energy)) {
            lost += energy;
            merges++;
        }
    }
    cr_expect_eq(merges, 1000);
    const sums after = add_up(&m);
    expect_kept(&before, &after, 1e-13);
    cr_expect_float_eq(before.kinetic, after.kinetic + lost, 1e-13 * before.kinetic);
    cr_expect_gt(lost, 0);
    tl_fields_free(&m.fields);
}

Test(parts, what_was_split_and_merged_is_as_it_was) {
    matter m;
    make(&m, 4);
    const sums before = add_up(&m);
    const double h = reals(&m, ENTHALPY)[20], x = reals(&m, POSITION)[61];
    uint32_t around[128];
    double lost;
    cr_assert_eq(tl_parts_split(&m.parts, 20, TL_PATTERN_PAIR, direction_of(1), DX, NULL), TL_OK);
    cr_assert(tl_parts_merge(&m.parts, 20, 64, around, find_around(&m, 20, 64, around), &lost));
    const sums after = add_up(&m);
    expect_kept(&before, &after, 1e-15);
    cr_expect_float_eq(lost, 0, 1e-15 * before.kinetic);
    cr_expect_eq(reals(&m, ENTHALPY)[20], h);
    cr_expect_float_eq(reals(&m, POSITION)[61], x, 1e-17);
    cr_expect_eq(floats(&m, MASS)[20], (float)(RHO * DX * DX * DX));
    cr_expect_eq(floats(&m, SIZE)[20], (float)DX);
    tl_fields_free(&m.fields);
}

Test(parts, nobody_merges_who_cannot_hand_on_the_spin) {
    matter m;
    make(&m, 4);
    const sums before = add_up(&m);
    for (size_t k = 0; k < 4; k++)
        for (size_t c = 0; c < 3; c++)
            reals(&m, POSITION)[3 * (30 + k) + c] = (double)k * DX;
    const sums moved = add_up(&m);
    const uint32_t line[] = {30, 31, 32, 33};
    double lost;
    cr_expect_not(tl_parts_merge(&m.parts, 0, 1, line, 4, &lost));
    cr_expect_not(tl_parts_merge(&m.parts, 0, 1, line, 0, &lost));
    const sums after = add_up(&m);
    cr_expect_eq(before.mass, after.mass);
    cr_expect_eq(moved.kinetic, after.kinetic);
    tl_fields_free(&m.fields);
}

/* What those give who are within two spacings of x: floats of their masses can be less by that. */
static size_t choose_gifts(const matter *m, tl_vec3 x, uint32_t *givers, double *gifts) {
    const double unit = ldexp(1, -33); /* masses are about 1e-3 kg, just below 2^-9 */
    size_t count = 0;
    for (size_t k = 0; k < m->fields.count; k++) {
        const tl_vec3 d = tl_vec3_sub(tl_vec3_of(reals(m, POSITION) + 3 * k), x);
        const double q = tl_vec3_length(d) / (2 * DX);
        if (q > 1 || floats(m, MASS)[k] < 2e-4f)
            continue;
        givers[count] = (uint32_t)k;
        gifts[count++] = round(2e-5 * (1 - 0.8 * q) / unit) * unit;
    }
    return count;
}

Test(parts, a_thousand_births_keep_all_but_energy_and_tell_that) {
    matter m;
    make(&m, 10);
    const sums before = add_up(&m);
    uint32_t givers[512];
    double gifts[512], lost = 0;
    size_t births = 0;
    for (size_t i = 0; births < 1000 && i < 4000; i++) {
        const tl_vec3 x = {DX * 10 * tl_random_uniform(7, 3 * i),
                           DX * 10 * tl_random_uniform(7, 3 * i + 1),
                           DX * 10 * tl_random_uniform(7, 3 * i + 2)};
        const size_t count = choose_gifts(&m, x, givers, gifts);
        double energy;
        bool born = false;
        if (count < 4)
            continue;
        cr_assert_eq(tl_parts_insert(&m.parts, givers, gifts, count, &born, &energy, NULL), TL_OK);
        births += born;
        lost += born ? energy : 0;
    }
    cr_expect_eq(births, 1000);
    cr_expect_eq(m.fields.count, 2000);
    const sums after = add_up(&m);
    cr_expect_eq(before.mass, after.mass);
    expect_kept(&before, &after, 1e-13);
    cr_expect_float_eq(before.kinetic, after.kinetic + lost, 1e-13 * before.kinetic);
    cr_expect_gt(lost, 0);
    for (size_t i = 1000; i < 2000; i++)
        cr_expect_eq(((uint64_t *)tl_field_data(&m.fields, ID))[i], i);
    tl_fields_free(&m.fields);
}

Test(parts, nobody_is_born_whose_spin_cannot_be_handed_on) {
    matter m;
    make(&m, 4);
    const uint32_t line[] = {30, 31, 32, 33};
    const double gifts[] = {ldexp(1, -13), ldexp(1, -13), ldexp(1, -13), ldexp(1, -13)};
    for (size_t k = 0; k < 4; k++)
        for (size_t c = 0; c < 3; c++)
            reals(&m, POSITION)[3 * (30 + k) + c] = (double)k * DX;
    const sums before = add_up(&m);
    bool born = true;
    double lost;
    cr_assert_eq(tl_parts_insert(&m.parts, line, gifts, 4, &born, &lost, NULL), TL_OK);
    cr_expect_not(born);
    cr_expect_eq(m.fields.count, 64);
    const sums after = add_up(&m);
    cr_expect_eq(before.mass, after.mass);
    cr_expect_eq(before.kinetic, after.kinetic);
    tl_fields_free(&m.fields);
}

/* ---- Where they are to be fine -----------------------------------------------------------------
 */

static int level_at(const tl_refine_def *r, double x, double temperature, bool stays) {
    const tl_refine_view view = {.place = {x, 0, 0},
                                 .temperature = temperature,
                                 .surface = HUGE_VAL,
                                 .spacing = DX,
                                 .stays = stays};
    return tl_refine_level(r, 1, &view);
}

Test(refine, levels_fall_by_one_every_two_spacings_and_who_is_fine_stays_so_a_spacing_longer) {
    const tl_refine_def r = {.has_sphere = true, .sphere = {{0, 0, 0}, 0.1}, .levels = 3};
    for (int stays = 0; stays < 2; stays++) {
        const double border = 0.1 + (stays ? DX : 0);
        cr_expect_eq(level_at(&r, border - 1e-6, 20, stays), 3);
        for (int k = 0; k < 4; k++)
            cr_expect_eq(level_at(&r, border + (2 * k + 1) * DX, 20, stays), k < 3 ? 2 - k : 0);
    }
}

Test(refine, what_is_warm_is_fine_until_it_is_colder_than_it_was) {
    tl_refine_def r = {.warmer = 50, .has_warmer = true, .levels = 2};
    cr_expect(tl_refine_follows(&r, 1));
    cr_expect_eq(level_at(&r, 0, 49.9, false), 0);
    cr_expect_eq(level_at(&r, 0, 50, false), 2);
    cr_expect_eq(level_at(&r, 0, 45, true), 2);
    cr_expect_eq(level_at(&r, 0, 44.9, true), 0);
    r.has_until = true, r.until = 30;
    cr_expect_eq(level_at(&r, 0, 30, true), 2);
    cr_expect_eq(level_at(&r, 0, 29.9, true), 0);
    r.body_at = 2; /* the view is of body 0 */
    cr_expect_eq(level_at(&r, 0, 80, true), 0);
}
