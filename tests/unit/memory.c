/* What laws remember: a toy law, a dashpot behind a spring, has fields of its own that are resized,
 * sorted, saved and restored like all others, and are handed to it. */
#include "materials/memory.h"
#include "materials/model.h"
#include "scratch_folder.h"
#include "world/state.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

TestSuite(memory, .init = scratch_make, .fini = scratch_remove);

static const double modulus = 400, dashpot = 20; /* Pa, Pa·s */

/* ---- The toy law -------------------------------------------------------------------------------
 */

static const tl_field_desc toy_memory[] = {
    {"elastic_stress", TL_F32, 6, "Pa", "Stress of the springs", TL_FIELD_SAVED | TL_FIELD_SHOWN},
    {"remembered", TL_F64, 1, "s", "Time over which it has been asked", TL_FIELD_SAVED},
};

static void toy_viscosities(const tl_rheology *r, const float *rate, const float *temperature,
                            float *out, size_t n) {
    (void)r, (void)rate, (void)temperature;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)dashpot;
}

static double toy_at(const tl_rheology *r, double rate, double temperature) {
    (void)r, (void)rate, (void)temperature;
    return dashpot;
}

/* σ after a step of dt: (σ + 2 G dt e) λ / (λ + dt), λ = η/G. */
static double pulled(double before, double strain, double dt) {
    const double time = dashpot / modulus;
    return (before + 2 * modulus * dt * strain) * time / (time + dt);
}

static void toy_recall(const tl_rheology *r, const tl_strained *in, void *const *memory,
                       unsigned wanted, const tl_response *out, size_t n) {
    (void)r;
    float(*stress)[6] = memory[0];
    double *remembered = memory[1];
    const double time = dashpot / modulus;
    for (size_t i = 0; i < n; i++) {
        if (wanted & TL_RESPOND_VISCOSITY)
            out->viscosity[i] *= (float)(in->dt / (time + in->dt));
        for (int k = 0; k < 6; k++) {
            const double strain = in->strain ? (double)in->strain[i][k] : 0;
            const float now = (float)pulled((double)stress[i][k], strain, in->dt);
            if (wanted & TL_RESPOND_TENSOR)
                out->tensor[i][k] = now;
            if (wanted & TL_RESPOND_REMEMBER)
                stress[i][k] = now;
        }
        if (wanted & TL_RESPOND_REMEMBER)
            remembered[i] += in->dt;
    }
}

static const tl_model toy_law = {.viscosities = toy_viscosities,
                                 .at = toy_at,
                                 .memory = toy_memory,
                                 .memories = 2,
                                 .recall = toy_recall};

/* Water, and jelly of the toy law. */
static const tl_material matter[2] = {
    {.density = 1000, .viscosity.value = 5, .has_viscosity = true},
    {.density = 1000, .has_rheology = true, .rheology.own = &toy_law}};

/* ---- Fields ------------------------------------------------------------------------------------
 */

static float (*stresses(const tl_fields *fields))[6] {
    return tl_field_data(fields, tl_fields_find(fields, "elastic_stress"));
}

Test(memory, nobody_remembers_unless_a_law_does) {
    tl_fields fields = {0};
    tl_memory memory;
    cr_assert_eq(tl_memory_declare(&memory, &fields, matter, 1, NULL), TL_OK);
    cr_assert(memory.handle == NULL && fields.field_count == 0);
    tl_memory_free(&memory);
}

Test(memory, is_handed_to_the_law_that_it_belongs_to) {
    enum { COUNT = 300 };
    static float rate[COUNT], T[COUNT], strain[COUNT][6], tensor[COUNT][6], viscosity[COUNT];
    static uint8_t material[COUNT];
    tl_fields fields = {0};
    tl_memory memory;
    cr_assert_eq(tl_memory_declare(&memory, &fields, matter, 2, NULL), TL_OK);
    cr_assert_eq(tl_fields_resize(&fields, COUNT + 5, NULL), TL_OK);
    for (int i = 0; i < COUNT; i++) {
        material[i] = i % 7 < 3;
        strain[i][3] = 0.5f * (rate[i] = (float)i);
        stresses(&fields)[i + 5][3] = (float)(1000 + i);
    }
    const tl_strained in = {.rate = rate,
                            .strain = (const float(*)[6])strain,
                            .materials = matter,
                            .material = material,
                            .temperature = T,
                            .memory = &memory,
                            .first = 5,
                            .dt = 0.01};
    tl_respond(&in, TL_RESPOND_VISCOSITY | TL_RESPOND_TENSOR | TL_RESPOND_REMEMBER,
               &(tl_response){.viscosity = viscosity, .tensor = tensor}, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const double before = 1000 + i, now = pulled(before, 0.5 * i, 0.01);
        const double expected = material[i] ? now : 5 * i;
        cr_assert_float_eq((double)tensor[i][3], expected, 1e-6 * expected, "%d", i);
        cr_assert_float_eq((double)stresses(&fields)[i + 5][3], material[i] ? now : before, 1e-3);
        cr_assert_float_eq((double)viscosity[i], material[i] ? dashpot / 6 : 5, 1e-5);
    }
    tl_memory_free(&memory);
    tl_fields_free(&fields);
}

/* ---- Worlds ------------------------------------------------------------------------------------
 */

enum { N = 6, BLOCK = N * N * N };

/* A block whose lower half is water and whose upper half is jelly slumps on a floor; its particles
 * do not stand in the order in which they are sorted. */
static tl_world *slump(int scheme, const tl_material *materials) {
    static const tl_wall_def floor = {.name = (char *)"floor", .plane = TL_SIDE_Z};
    static tl_seed seeds[BLOCK];
    const double dx = 0.01;
    for (size_t i = 0; i < BLOCK; i++) {
        const size_t j = i * 5 % BLOCK; /* each of them once */
        const size_t at[3] = {j % N, j / N % N, j / N / N};
        for (size_t k = 0; k < 3; k++)
            seeds[i].position[k] = dx * ((double)at[k] + 0.5);
        seeds[i].velocity[0] = 3 * seeds[i].position[2];
        seeds[i].material = at[2] >= N / 2;
    }
    const tl_world_def def = {.spacing = dx,
                              .gravity = {0, 0, -9.81},
                              .flow = {.scheme = scheme,
                                       .motion = 0.4,
                                       .cfl = 0.4,
                                       .tolerance = 0.05,
                                       .max_iterations = 200,
                                       .stabilization = 1,
                                       .skin = 0.1},
                              .materials = materials,
                              .material_count = 2,
                              .walls = &floor,
                              .wall_count = 1,
                              .seeds = seeds,
                              .seed_count = BLOCK};
    tl_world *world;
    tl_error error = {0};
    cr_assert_eq(tl_world_make(&def, &(tl_world_options){.threads = 1}, &world, &error), TL_OK,
                 "%s: %s", error.where, error.what);
    return world;
}

static void step(tl_world *w, int count) {
    tl_error error = {0};
    for (int k = 0; k < count; k++)
        cr_assert_eq(tl_world_step(w, NULL, &error), TL_OK, "%s: %s", error.where, error.what);
}

static const int schemes[] = {TL_SCHEME_COUPLED, TL_SCHEME_SPLIT, TL_SCHEME_EXPLICIT};

Test(memory, goes_with_its_particle) {
    for (int k = 0; k < 3; k++) {
        tl_world *w = slump(schemes[k], matter);
        step(w, 40);
        const uint64_t *id = tl_field_data(&w->fields, w->handle.id);
        size_t moved = 0;
        const double *remembered =
            tl_field_data(&w->fields, tl_fields_find(&w->fields, "remembered"));
        for (size_t i = 0; i < w->fields.count; i++) {
            const double expected = tl_material_of(w)[i] ? w->state.time : 0;
            cr_assert_float_eq(remembered[i], expected, 1e-12, "scheme %d", schemes[k]);
            cr_assert_eq(stresses(&w->fields)[i][4] != 0, expected > 0);
            moved += id[i] != i;
        }
        cr_expect_gt(moved, BLOCK / 2, "it is not sorted");
        tl_world_destroy(w);
    }
}

Test(memory, is_saved_and_goes_on_with_the_same_bits) {
    for (int k = 0; k < 3; k++) {
        tl_world *w = slump(schemes[k], matter), *again = slump(schemes[k], matter);
        tl_error error = {0};
        step(w, 7);
        cr_assert_eq(tl_world_save(w, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
        cr_assert_eq(tl_world_restore(again, in_scratch("s.h5"), &error), TL_OK, "%s", error.what);
        cr_assert_arr_eq(stresses(&again->fields), stresses(&w->fields), BLOCK * sizeof(float[6]));
        step(w, 7);
        step(again, 7);
        cr_expect_eq(tl_world_hash(again), tl_world_hash(w), "scheme %d", schemes[k]);
        tl_world_destroy(w);
        tl_world_destroy(again);
    }
}

/* Newtonian matter, but for a memory that it never makes use of. */
static void no_recall(const tl_rheology *r, const tl_strained *in, void *const *memory,
                      unsigned wanted, const tl_response *out, size_t n) {
    (void)r, (void)in, (void)memory, (void)wanted, (void)out, (void)n;
}

static const tl_model idle_law = {.viscosities = toy_viscosities,
                                  .at = toy_at,
                                  .memory = toy_memory,
                                  .memories = 1,
                                  .recall = no_recall};

Test(memory, that_says_nothing_leaves_the_flow_as_it_is) {
    tl_material idle[2] = {matter[0], {.density = 1000, .has_rheology = true}}, plain[2];
    idle[1].rheology.own = &idle_law;
    plain[0] = plain[1] = matter[0];
    plain[1].viscosity.value = dashpot;
    tl_world *a = slump(TL_SCHEME_COUPLED, idle), *b = slump(TL_SCHEME_COUPLED, plain);
    step(a, 1);
    step(b, 1);
    cr_assert_eq(a->state.dt, b->state.dt);
    for (size_t i = 0; i < 3 * BLOCK; i++)
        cr_assert_float_eq(tl_velocity(a)[i], tl_velocity(b)[i], 1e-3);
    tl_world_destroy(a);
    tl_world_destroy(b);
}

/* What a spring remembers pulls: jelly that has been sheared springs back. */
Test(memory, of_stress_moves_the_matter) {
    tl_material jelly[2] = {matter[1], matter[1]};
    tl_world *w = slump(TL_SCHEME_COUPLED, jelly);
    memset(tl_velocity(w), 0, 3 * BLOCK * sizeof(double));
    for (size_t i = 0; i < BLOCK; i++)
        stresses(&w->fields)[i][4] = 200; /* xz: it was sheared along x */
    step(w, 1);
    double momentum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        momentum += (double)tl_mass(w)[i] * tl_velocity(w)[3 * i];
    cr_expect_lt(momentum, 0, "%g", momentum);
    tl_world_destroy(w);
}
