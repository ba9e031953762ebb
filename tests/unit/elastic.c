/* Springs of elastic matter: their limits, and what particles remember of stress. */
#include "materials/elastic.h"

#include "base/random.h"
#include "materials/material.h"
#include "materials/memory.h"
#include "math/pi.h"
#include "scene/scene.h"
#include "scratch_folder.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

TestSuite(elastic, .init = scratch_make, .fini = scratch_remove);

static double between(double low, double high, uint64_t seed, size_t i) {
    return low + (high - low) * tl_random_uniform(seed, i);
}

static void is_near(double found, double expected, double relative, const char *what) {
    cr_expect_float_eq(found, expected, relative * fabs(expected), "%s: %.10g, not %.10g", what,
                       found, expected);
}

/* The mean of the stress over a step is (1 - a) S + a S⁺ with this a. */
static double share_of(const tl_spring *s, double dt) { return 1 - s->age / dt; }

/* ---- Springs -----------------------------------------------------------------------------------
 */

Test(elastic, springs_that_never_relax_are_of_hooke) {
    const tl_spring s = tl_spring_of(500, 0, 0, 1, 0.01, 0);
    cr_expect_eq(s.modulus, 500);
    cr_expect_eq(s.keeps, 1);
    is_near(s.viscosity, 500 * 0.01, 1e-15, "G dt");
    is_near(share_of(&s, 0.01), 0.5, 1e-15, "share");
}

Test(elastic, steps_much_shorter_than_the_relaxation_time_are_of_hooke_too) {
    for (double x = 1e-3; x > 1e-14; x /= 10) {
        const tl_spring s = tl_spring_of(500, 1 / x, 0, 1, 1, 0),
                        never = tl_spring_of(500, 0, 0, 1, 1, 0);
        is_near(s.keeps, 1 - x, x * x + 1e-15, "keeps");
        is_near(s.viscosity, 500 * (1 - x / 2), x * x + 1e-8, "viscosity");
        is_near(s.now, never.now, 2 * x, "now");
        is_near(s.last, never.last, 2 * x, "last");
        is_near(share_of(&s, 1), 0.5, x, "share");
    }
}

Test(elastic, steps_much_longer_than_the_relaxation_time_are_viscous) {
    const tl_spring s = tl_spring_of(500, 1e-6, 0, 1, 0.1, 0);
    is_near(s.viscosity, 500 * 1e-6, 1e-12, "Gλ");
    cr_expect_lt(s.keeps, 1e-300);
    is_near(s.now, 1, 1e-12, "now");
    cr_expect_lt(s.last, 1e-12);
    cr_expect_gt(share_of(&s, 0.1), 0.99);
    cr_expect_leq(share_of(&s, 0.1), 1);
}

/* All is smooth in between, and weights are such that steps are stable: β₁ >= ½, β₂ < β₁. */
Test(elastic, springs_change_smoothly_with_the_step) {
    tl_spring last = tl_spring_of(1, 1, 0.3, 1, 1e-12, 0);
    double share = share_of(&last, 1e-12);
    for (double dt = 1e-12; dt < 1e4; dt *= 1.1) {
        const tl_spring s = tl_spring_of(1, 1, 0.3, 1, dt, 0);
        const double now = share_of(&s, dt);
        cr_assert(s.keeps <= last.keeps && s.viscosity >= last.viscosity * (1 - 1e-14), "%g", dt);
        cr_assert(s.viscosity <= fmin(dt, 1) * (1 + 1e-15), "%g", dt);
        cr_assert(now >= share - 1e-9 && now <= 1, "%g: %.12g after %.12g", dt, now, share);
        cr_assert(now < share + 0.05, "%g: %g after %g", dt, now, share);
        cr_assert(s.now >= 0.5 && s.last < s.now, "%g", dt);
        last = s;
        share = now;
    }
}

/* a with ∫ S dt / dt = (1 - a) S + a S⁺ at a steady rate of strain. */
Test(elastic, the_share_gives_the_mean_of_the_stress) {
    for (double x = 1e-6; x < 100; x *= 3) {
        const tl_spring s = tl_spring_of(1, 1 / x, 0, 1, 1, 0);
        enum { PARTS = 20000 };
        const double start = 0.7, driven = 2 / x; /* S → 2Gλe */
        double mean = 0;
        for (int k = 0; k < PARTS; k++)
            mean += (driven + (start - driven) * exp(-x * (k + 0.5) / PARTS)) / PARTS;
        const double end = s.keeps * start + 2 * s.viscosity, a = share_of(&s, 1);
        is_near((1 - a) * start + a * end, mean, 1e-6 + 1e-9 / x, "mean");
    }
}

Test(elastic, the_stiffest_bounds_the_modulus) {
    is_near(tl_spring_of(1e9, 0, 0, 1, 0.01, 50).modulus, 5000, 1e-12, "G");
    is_near(tl_spring_of(1e9, 0, 0, 1, 0.01, 50).viscosity, 50, 1e-12, "η");
    cr_expect_eq(tl_spring_of(1e3, 0, 0, 1, 0.01, 50).modulus, 1e3);
}

Test(elastic, the_energy_of_stress_is_that_of_its_strain) {
    const tl_elastic turning = {.law = TL_ELASTIC_COROTATIONAL}, convected = {.law = 0};
    float S[6] = {3, -1, -2, 4, 0, -5}, c[6] = {3, 0, -0.5f, 0, 0, 0}, G = 10; /* 4, 1, ½ */
    void *memory[TL_MEMORIES] = {
        [TL_ELASTIC_STRESS] = S, [TL_ELASTIC_MODULUS] = &G, [TL_ELASTIC_SHAPE] = c};
    is_near(tl_elastic_energy(&turning, memory), (9 + 1 + 4 + 2 * (16 + 25)) / 40.0, 1e-7,
            "S:S/4G");
    is_near(tl_elastic_energy(&convected, memory), 5 * (2.5 - log(2)), 1e-7, "neo-Hooke");
    G = 0;
    cr_expect_eq(tl_elastic_energy(&turning, memory), 0);
}

/* ---- Memory ------------------------------------------------------------------------------------
 */

/* One particle that remembers. */
typedef struct particle {
    float stress[6], rate[6], modulus, shape[6];
} particle;

static double size_of(const float S[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += (k < 3 ? 1 : 2) * (double)S[k] * (double)S[k];
    return sqrt(sum / 2);
}

static double third_of(const float S[6]) {
    const double x = (double)S[0], y = (double)S[1], z = (double)S[2], xy = (double)S[3],
                 xz = (double)S[4], yz = (double)S[5];
    return x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
}

/* A step in which it is strained at the rate e and turns; the stress that the solve takes is
 * returned in `solved` unless that is NULL. */
static void step(particle *p, const tl_elastic *elastic, const float e[6], const float turn[3],
                 double temperature, double dt, float solved[6]) {
    const float rate = 0, T = (float)temperature;
    float viscosity = 0, tensor[1][6];
    void *memory[TL_MEMORIES] = {[TL_ELASTIC_STRESS] = p->stress,
                                 [TL_ELASTIC_RATE] = p->rate,
                                 [TL_ELASTIC_MODULUS] = &p->modulus,
                                 [TL_ELASTIC_SHAPE] = p->shape};
    const tl_strained in = {.rate = &rate,
                            .strain = (const float(*)[6])(const void *)e,
                            .turn = (const float(*)[3])(const void *)turn,
                            .temperature = &T,
                            .dt = dt};
    tl_elastic_recall(elastic, &in, 1000, memory,
                      TL_RESPOND_VISCOSITY | TL_RESPOND_TENSOR | TL_RESPOND_REMEMBER,
                      &(tl_response){.viscosity = &viscosity, .tensor = tensor}, 1);
    if (solved)
        memcpy(solved, tensor[0], sizeof tensor[0]);
}

static const float none[6], sheared[6] = {0, 0, 0, 0.5f, 0, 0};

static tl_elastic jelly(double modulus, double time) {
    return (tl_elastic){.law = TL_ELASTIC_COROTATIONAL,
                        .modulus.value = modulus,
                        .relaxation_time.value = time,
                        .has_relaxation_time = time > 0};
}

Test(elastic, a_strain_that_is_held_is_forgotten_exponentially_over_any_steps) {
    static const double steps[] = {1e-3, 0.04, 0.5, 2};
    for (size_t k = 0; k < 4; k++) {
        const tl_elastic e = jelly(500, 0.8);
        particle p = {.stress = {30, -10, -20, 5, 0, 7}, .modulus = 500};
        const particle start = p;
        for (int left = (int)lround(2 / steps[k]); left > 0; left--)
            step(&p, &e, none, NULL, 20, steps[k], NULL);
        for (int c = 0; c < 6; c++)
            cr_expect_float_eq((double)p.stress[c], (double)start.stress[c] * exp(-2 / 0.8), 1e-3,
                               "steps of %g", steps[k]);
    }
}

Test(elastic, a_solid_forgets_nothing) {
    const tl_elastic e = jelly(500, 0);
    particle p = {.stress = {30, -10, -20, 5, 0, 7}, .modulus = 500};
    const particle start = p;
    for (int k = 0; k < 10000; k++)
        step(&p, &e, none, NULL, 20, 0.01, NULL);
    cr_expect_arr_eq(p.stress, start.stress, sizeof p.stress);
}

/* 2 G λ e (1 - exp(-t/λ)) over any steps; then all that the solve takes is steady. */
Test(elastic, a_steady_strain_starts_up_as_maxwell_says_over_any_steps) {
    static const double steps[] = {1e-3, 0.04, 0.5, 2};
    for (size_t k = 0; k < 4; k++) {
        const tl_elastic e = jelly(500, 0.8);
        particle p = {.modulus = 500};
        float solved[6];
        for (int left = (int)lround(2 / steps[k]); left > 0; left--)
            step(&p, &e, sheared, NULL, 20, steps[k], NULL);
        is_near((double)p.stress[3], 500 * 0.8 * (1 - exp(-2 / 0.8)), 1e-4, "start-up");
        for (double t = 0; t < 20; t += steps[k])
            step(&p, &e, sheared, NULL, 20, steps[k], solved);
        is_near((double)p.stress[3], 500 * 0.8, 1e-4, "steady");
        is_near((double)solved[3], 500 * 0.8, 1e-4, "what the solve takes");
    }
}

Test(elastic, stress_that_turns_keeps_its_invariants) {
    const tl_elastic e = jelly(500, 0);
    particle p = {.stress = {30, -10, -20, 5, 12, 7}, .rate = {1, 2, -3, 4, 5, 6}, .modulus = 500};
    const double size = size_of(p.stress), third = third_of(p.stress);
    for (size_t k = 0; k < 500; k++) {
        const float turn[3] = {(float)between(-1, 1, 1, 3 * k), (float)between(-1, 1, 1, 3 * k + 1),
                               (float)between(-1, 1, 1, 3 * k + 2)};
        step(&p, &e, none, turn, 20, 0.01, NULL);
    }
    is_near(size_of(p.stress), size, 1e-5, "size");
    is_near(third_of(p.stress), third, 3e-5, "third invariant");
    cr_expect_lt(fabs((double)(p.stress[0] + p.stress[1] + p.stress[2])), 1e-3);
}

/* A quarter turn about z: xx is yy, xz is yz. */
Test(elastic, stress_turns_with_the_matter) {
    const tl_elastic e = jelly(500, 0);
    particle p = {.stress = {30, -10, -20, 5, 12, 7}, .modulus = 500};
    const float quarter[3] = {0, 0, (float)(TL_PI / 2)}, expected[6] = {-10, 30, -20, -5, -7, 12};
    step(&p, &e, none, quarter, 20, 0.01, NULL);
    for (int k = 0; k < 6; k++)
        cr_expect_float_eq((double)p.stress[k], (double)expected[k], 1e-4, "%d: %g", k,
                           (double)p.stress[k]);
}

static double energy_of(const particle *p) {
    const tl_elastic turning = {.law = TL_ELASTIC_COROTATIONAL};
    particle copy = *p;
    void *memory[TL_MEMORIES] = {[TL_ELASTIC_STRESS] = copy.stress,
                                 [TL_ELASTIC_MODULUS] = &copy.modulus,
                                 [TL_ELASTIC_SHAPE] = copy.shape};
    return tl_elastic_energy(&turning, memory);
}

Test(elastic, heat_that_softens_or_hardens_gives_no_energy) {
    const double T[] = {20, 80, 20, 50, 49.9, 50.1, 10, 90, 20};
    const tl_elastic laws[] = {
        {.law = TL_ELASTIC_COROTATIONAL,
         .modulus = {.kind = TL_LAW_EXPONENTIAL, .slope = -0.05, .offset = 4}},
        {.law = TL_ELASTIC_COROTATIONAL,
         .modulus = {.kind = TL_LAW_EXPONENTIAL, .slope = 0.03, .offset = 2}}};
    for (size_t l = 0; l < 2; l++) {
        particle p = {.stress = {30, -10, -20, 5, 12, 7},
                      .modulus = (float)tl_law_at(&laws[l].modulus, T[0])};
        double energy = energy_of(&p);
        for (size_t k = 0; k < sizeof T / sizeof T[0]; k++) {
            step(&p, &laws[l], none, NULL, T[k], 0.01, NULL);
            cr_expect_leq(energy_of(&p), energy * (1 + 1e-5), "law %zu, %g °C: %g after %g", l,
                          T[k], energy_of(&p), energy);
            energy = energy_of(&p);
        }
        cr_expect_lt(energy, 1.0, "law %zu: %g", l, energy);
    }
}

/* Where it softens it keeps its strain. */
Test(elastic, what_softens_has_less_stress_and_what_hardens_no_more) {
    const tl_elastic e = {.law = TL_ELASTIC_COROTATIONAL,
                          .modulus = {.kind = TL_LAW_EXPONENTIAL, .slope = -0.1, .offset = 4}};
    particle p = {.stress = {0, 0, 0, 10, 0, 0}, .modulus = 100}; /* at 20 °C */
    step(&p, &e, none, NULL, 30, 0.01, NULL);
    is_near((double)p.stress[3], 1, 1e-4, "softened");
    is_near((double)p.modulus, 10, 1e-4, "modulus");
    step(&p, &e, none, NULL, 20, 0.01, NULL);
    is_near((double)p.stress[3], 1, 1e-4, "hardened");
    is_near((double)p.modulus, 100, 1e-4, "modulus");
}

/* A solve holds η of flow and spring together, and asks again. */
Test(elastic, what_is_held_answers_the_same) {
    const tl_elastic e = jelly(500, 0.05);
    float S[6] = {30, -10, -20, 5, 12, 7}, C[6] = {1, 2, -3, 4, 5, 6}, G = 500;
    const float rate = 3, T = 20, strain[1][6] = {{1, -0.5f, -0.5f, 0.3f, 0, 0.2f}};
    float c[6] = {0};
    void *memory[TL_MEMORIES] = {[TL_ELASTIC_STRESS] = S,
                                 [TL_ELASTIC_RATE] = C,
                                 [TL_ELASTIC_MODULUS] = &G,
                                 [TL_ELASTIC_SHAPE] = c};
    const tl_strained in = {.rate = &rate, .strain = strain, .temperature = &T, .dt = 0.01};
    float viscosity[2] = {7, 0}, tensor[2][6], heat[2];
    const unsigned parts = TL_RESPOND_TENSOR | TL_RESPOND_HEAT;
    tl_elastic_recall(&e, &in, 1000, memory, TL_RESPOND_VISCOSITY | parts,
                      &(tl_response){.viscosity = viscosity, .tensor = tensor, .heat = heat}, 1);
    viscosity[1] = viscosity[0];
    tl_elastic_recall(
        &e, &in, 1000, memory, TL_RESPOND_HELD | parts,
        &(tl_response){.viscosity = viscosity + 1, .tensor = tensor + 1, .heat = heat + 1}, 1);
    cr_expect_eq(viscosity[1], viscosity[0]);
    is_near((double)heat[0], 7 * 9, 1e-5, "heat");
    is_near((double)heat[1], 7 * 9, 1e-5, "heat, held");
    for (int k = 0; k < 6; k++)
        cr_expect_float_eq((double)tensor[1][k], (double)tensor[0][k], 1e-4, "%d", k);
}

/* ---- The convected law -------------------------------------------------------------------------
 */

/* The strain rate over dt, and the turn, of a simple shear: e as the flow finds it, in the frame of
 * the start. */
static void shear_step(double rate, double dt, float e[6], float turn[3]) {
    const double g = rate * dt, angle = -atan(g / 2), half = asinh(g / 2);
    /* U of F = R U has the stretch exp(half) along an axis at 45° - angle/2 from x to z. */
    const double axis = TL_PI / 4 - angle / 2, along = half / dt;
    memset(e, 0, 6 * sizeof *e);
    e[0] = (float)(along * cos(2 * axis));
    e[2] = -e[0];
    e[4] = (float)(along * sin(2 * axis));
    turn[0] = turn[2] = 0;
    turn[1] = (float)-angle;
}

/* Oldroyd's liquid B in simple shear, over steps shorter and longer than it remembers. */
Test(elastic, convected_matter_starts_up_as_oldroyd_says) {
    static const double steps[] = {0.002, 0.02, 0.1};
    const double rate = 3, lambda = 0.8, modulus = 500, weissenberg = rate * lambda;
    for (size_t k = 0; k < 3; k++) {
        const tl_elastic law = {
            .modulus.value = modulus, .relaxation_time.value = lambda, .has_relaxation_time = true};
        particle p = {.modulus = (float)modulus};
        float e[6], turn[3];
        shear_step(rate, steps[k], e, turn);
        for (int left = (int)lround(2 / steps[k]); left > 0; left--)
            step(&p, &law, e, turn, 20, steps[k], NULL);
        const double left = exp(-2 / lambda), tolerance = 1e-3 + 0.3 * steps[k];
        is_near((double)p.stress[4], modulus * weissenberg * (1 - left), tolerance, "S_xz");
        is_near((double)(p.stress[0] - p.stress[2]),
                2 * modulus * weissenberg * weissenberg * (1 - left * (1 + 2 / lambda)), tolerance,
                "N1");
        cr_expect_lt(fabs((double)(p.stress[2] - p.stress[1])), 0.02 * modulus, "N2: %g",
                     (double)(p.stress[2] - p.stress[1]));
    }
}

/* Steps of many relaxation times. */
Test(elastic, convected_matter_that_soon_forgets_is_viscous_and_has_normal_stress) {
    const double rate = 10, lambda = 1e-3, dt = 0.02, modulus = 500, weissenberg = rate * lambda;
    const tl_elastic law = {
        .modulus.value = modulus, .relaxation_time.value = lambda, .has_relaxation_time = true};
    particle p = {.modulus = (float)modulus};
    float e[6], turn[3];
    shear_step(rate, dt, e, turn);
    for (int k = 0; k < 5; k++)
        step(&p, &law, e, turn, 20, dt, NULL);
    is_near((double)p.stress[4], modulus * weissenberg, 0.01, "S_xz");
    is_near((double)(p.stress[0] - p.stress[2]), 2 * modulus * weissenberg * weissenberg, 0.03,
            "N1");
}

/* A solid that is drawn to twice its length, turned about on the way. */
Test(elastic, convected_solids_are_neo_hookean) {
    const tl_elastic law = {.modulus.value = 500};
    particle p = {.modulus = 500};
    const float along[6] = {(float)log(2), (float)(-log(2) / 2), (float)(-log(2) / 2), 0, 0, 0};
    for (int k = 0; k < 1000; k++)
        step(&p, &law, along, NULL, 20, 1e-3, NULL);
    is_near((double)p.shape[0], 4 - 1, 1e-4, "c_xx - 1");
    is_near((double)p.shape[1], 0.5 - 1, 1e-4, "c_yy - 1");
    is_near((double)(p.stress[0] - p.stress[1]), 500 * (4 - 0.5), 1e-4, "stress");
    const float quarter[3] = {0, 0, (float)(TL_PI / 2)};
    step(&p, &law, none, quarter, 20, 1e-3, NULL);
    is_near((double)(p.stress[1] - p.stress[0]), 500 * (4 - 0.5), 1e-4, "stress that has turned");
}

/* ---- Many particles ----------------------------------------------------------------------------
 */

/* Water, jelly, and jelly of another kind at random, asked in one go and one by one. */
Test(elastic, matter_among_other_matter_answers_for_itself) {
    enum { COUNT = 300, FIRST = 5 };
    static float rate[COUNT], T[COUNT], strain[COUNT][6], turn[COUNT][3], tensor[COUNT][6],
        viscosity[COUNT], heat[COUNT], tangent[COUNT];
    static uint8_t material[COUNT];
    static particle alone[COUNT];
    tl_material matter[3] = {{.density = 1000, .viscosity.value = 5, .has_viscosity = true},
                             {.density = 1000, .viscosity.value = 2, .has_viscosity = true},
                             {.density = 1000, .viscosity.value = 0, .has_viscosity = true}};
    matter[1].has_elastic = matter[2].has_elastic = true;
    matter[1].elastic = jelly(500, 0.05);
    matter[2].elastic =
        (tl_elastic){.law = TL_ELASTIC_COROTATIONAL,
                     .modulus = {.kind = TL_LAW_EXPONENTIAL, .slope = -0.01, .offset = 3}};
    tl_fields fields = {0};
    tl_memory memory;
    cr_assert_eq(tl_memory_declare(&memory, &fields, matter, 3, NULL), TL_OK);
    cr_assert_eq(tl_fields_resize(&fields, COUNT + FIRST, NULL), TL_OK);
    void *at[TL_MEMORIES];
    tl_memory_of_elastic(&memory, FIRST, at);
    float(*stress)[6] = at[TL_ELASTIC_STRESS];
    for (size_t i = 0; i < COUNT; i++) {
        material[i] = (uint8_t)(3 * tl_random_uniform(1, i / 4));
        T[i] = (float)between(10, 60, 2, i);
        for (size_t k = 0; k < 6; k++) {
            strain[i][k] = (float)between(-2, 2, 3, 6 * i + k);
            stress[i][k] = alone[i].stress[k] = (float)between(-90, 90, 4, 6 * i + k);
        }
        for (size_t k = 0; k < 3; k++)
            turn[i][k] = (float)between(-0.5, 0.5, 5, 3 * i + k);
        rate[i] = (float)(2 * size_of(strain[i]));
    }
    const tl_strained in = {.rate = rate,
                            .strain = (const float(*)[6])strain,
                            .turn = (const float(*)[3])turn,
                            .materials = matter,
                            .material = material,
                            .temperature = T,
                            .memory = &memory,
                            .first = FIRST,
                            .dt = 0.01};
    tl_respond(
        &in,
        TL_RESPOND_VISCOSITY | TL_RESPOND_TANGENT | TL_RESPOND_TENSOR | TL_RESPOND_HEAT |
            TL_RESPOND_REMEMBER,
        &(tl_response){.viscosity = viscosity, .tangent = tangent, .tensor = tensor, .heat = heat},
        COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const tl_material *m = &matter[material[i]];
        const double eta = m->viscosity.value, g = (double)rate[i];
        float solved[6] = {0};
        const particle before = alone[i];
        if (m->has_elastic)
            step(&alone[i], &m->elastic, strain[i], turn[i], (double)T[i], 0.01, solved);
        cr_assert_float_eq((double)heat[i], eta * g * g, 1e-4 * (1 + eta * g * g), "%zu", i);
        cr_assert_float_eq((double)tangent[i], 1, 1e-3, "%zu", i);
        for (int k = 0; k < 6; k++) {
            const double flows = 2 * eta * (double)strain[i][k];
            cr_assert_float_eq((double)tensor[i][k], (double)solved[k] + flows, 1e-3, "%zu", i);
            cr_assert_float_eq((double)stress[i][k], (double)alone[i].stress[k], 1e-4, "%zu", i);
        }
        if (m->has_elastic) {
            const double modulus = tl_law_at(&m->elastic.modulus, (double)T[i]);
            const tl_spring s = tl_spring_of(modulus, m->elastic.relaxation_time.value,
                                             size_of(before.stress) / modulus, 1, 0.01, 0);
            is_near((double)viscosity[i], eta + s.now * s.viscosity, 1e-4, "viscosity");
        } else {
            is_near((double)viscosity[i], eta, 1e-6, "viscosity");
        }
    }
    tl_memory_free(&memory);
    tl_fields_free(&fields);
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

static tl_world *world_of(const char *text, int threads, tl_scene **scene) {
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_scene_load_memory(text, strlen(text), "test", NULL, scene, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    cr_assert_eq(tl_world_create(*scene, &(tl_world_options){.threads = threads}, &world, &error),
                 TL_OK, "%s", error.what);
    tl_world_make_adverse(world);
    return world;
}

/* Jelly that forgets, jelly that does not and clay fall on a floor, beside water. */
static tl_world *fall(int threads, tl_scene **scene) {
    static const char text[] =
        "spacing: 5 mm\nmaterials: {jelly: {density: 1000, viscosity: 1, elastic: {modulus: 500, "
        "relaxation_time: 0.1 s}}, solid: {density: 1000, viscosity: 1, elastic: {modulus: "
        "500}}, clay: {density: 1000, viscosity: 1, elastic: {modulus: 2000, yield_stress: "
        "50}}}\nbodies:\n"
        "  - {name: a, material: jelly, box: {from: [0, 0, 1 cm], to: [4 cm, 4 cm, 5 cm]}}\n"
        "  - {name: b, material: water, box: {from: [4 cm, 0, 0], to: [6 cm, 4 cm, 3 cm]}}\n"
        "  - {name: c, material: solid, box: {from: [-5 cm, 0, 2 mm], to: [-1 cm, 4 cm, 3.2 cm]}}\n"
        "  - {name: d, material: clay, box: {from: [0, 5 cm, 2 mm], to: [3 cm, 8 cm, 4.2 cm]}}\n"
        "walls: [{plane: z, at: 0}]\n";
    return world_of(text, threads, scene);
}

static void go_on(tl_world *w, int steps) {
    tl_error error = {0};
    for (int k = 0; k < steps; k++)
        cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
}

static double most_flowed(const tl_world *w) {
    const int handle = tl_fields_find(&w->fields, "plastic_strain");
    cr_assert_geq(handle, 0);
    const float *strain = tl_field_data(&w->fields, handle);
    double most = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        most = fmax(most, (double)strain[i]);
    return most;
}

Test(elastic, threads_do_not_change_what_is_remembered) {
    tl_scene *scenes[2];
    tl_world *one = fall(1, &scenes[0]), *three = fall(3, &scenes[1]);
    go_on(one, 25);
    go_on(three, 25);
    cr_expect_gt(one->state.spring_energy, 0);
    cr_expect_gt(most_flowed(one), 0.01, "the clay does not yield");
    cr_expect_eq(tl_world_hash(one), tl_world_hash(three));
    tl_world_destroy(one);
    tl_world_destroy(three);
    tl_scene_destroy(scenes[0]);
    tl_scene_destroy(scenes[1]);
}

Test(elastic, what_is_remembered_is_saved_and_goes_on_with_the_same_bits) {
    tl_scene *scenes[2];
    tl_world *w = fall(1, &scenes[0]), *again = fall(1, &scenes[1]);
    tl_error error = {0};
    go_on(w, 15);
    cr_assert_eq(tl_world_save(w, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
    cr_assert_eq(tl_world_restore(again, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
    cr_expect_eq(tl_world_hash(again), tl_world_hash(w));
    go_on(w, 10);
    go_on(again, 10);
    cr_expect_eq(tl_world_hash(again), tl_world_hash(w));
    tl_world_destroy(w);
    tl_world_destroy(again);
    tl_scene_destroy(scenes[0]);
    tl_scene_destroy(scenes[1]);
}

Test(elastic, what_is_never_strained_remembers_nothing) {
    static const char text[] =
        "spacing: 5 mm\nflow: {scheme: %s}\nmaterials: {jelly: {density: 1000, viscosity: 1, "
        "elastic: {modulus: 500}}, gum: {like: jelly}}\nbodies:\n"
        "  - {name: a, rigid: true, material: jelly, box: {from: [0, 0, 0], to: [3 cm, 3 cm, 3 "
        "cm]}}\n"
        "  - {name: b, material: water, box: {from: [4 cm, 0, 0], to: [6 cm, 3 cm, 3 cm]}}\n"
        "walls: [{plane: z, at: 0}]\n";
    static const char *const schemes[] = {"explicit", "coupled"};
    for (int k = 0; k < 2; k++) {
        char scene_text[600];
        snprintf(scene_text, sizeof scene_text, text, schemes[k]);
        tl_scene *scene;
        tl_world *w = world_of(scene_text, 1, &scene);
        cr_expect_lt(tl_fields_find(&w->fields, "elastic_stress"), 0, "%s", schemes[k]);
        go_on(w, 3);
        tl_world_destroy(w);
        tl_scene_destroy(scene);
    }
}

/* What was far from each other when it was strained has no springs between. */
Test(elastic, bodies_that_meet_have_no_more_energy_than_before) {
    static const char text[] =
        "spacing: 5 mm\nmaterials: {jelly: {density: 1000, viscosity: 1, elastic: {modulus: 1 "
        "kPa}}}\nbodies:\n"
        "  - {name: a, material: jelly, box: {from: [0, 0, 0], to: [4 cm, 4 cm, 2 cm]}}\n"
        "  - {name: b, material: jelly, box: {from: [0, 0, 8 cm], to: [4 cm, 4 cm, 10 cm]}}\n"
        "walls: [{plane: z, at: 0}]\n";
    const double fall = 32e-6 * 1000 * 9.81 * 0.06; /* J */
    tl_scene *scene;
    tl_world *w = world_of(text, 1, &scene);
    double least = 0, most = 0;
    while (w->state.time < 0.15) {
        tl_ledger books;
        go_on(w, 1);
        tl_world_ledger(w, &books);
        least = fmin(least, books.viscous_heat + books.numerical_heat);
        most = fmax(most, books.elastic_energy);
    }
    cr_expect_gt(least, -0.02 * fall, "%g J of %g were made", -least, fall);
    cr_expect_lt(most, 1.5 * fall, "%g J of %g", most, fall); /* falling, and sagging */
    tl_world_destroy(w);
    tl_scene_destroy(scene);
}
