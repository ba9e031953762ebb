/* What yields of a stress in a step, and how a particle that yields answers. */
#include "materials/yield.h"

#include "base/random.h"
#include "materials/elastic.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static void is_near(double found, double expected, double relative, const char *what) {
    cr_expect_float_eq(found, expected, relative * fabs(expected), "%s: %.10g, not %.10g", what,
                       found, expected);
}

/* ---- One stress --------------------------------------------------------------------------------
 */

Test(yield, nothing_flows_below_the_yield_stress) {
    const tl_yield at_once = {100, 0, HUGE_VAL}, slowly = {100, 20, 0.3}, never = {HUGE_VAL, 0, 1};
    for (double q = 0; q <= 100; q += 9) {
        cr_expect_eq(tl_yield_end(&at_once, 1e3, 40, q), q);
        cr_expect_eq(tl_yield_end(&slowly, 1e3, 90, q), q);
        cr_expect_eq(tl_yield_end(&never, 1e3, 40, 1e9 * q), 1e9 * q);
    }
}

Test(yield, without_a_time_all_that_exceeds_it_flows) {
    const tl_yield y = {100, 0, HUGE_VAL};
    cr_expect_eq(tl_yield_end(&y, 1e3, 0, 100.001), 100);
    cr_expect_eq(tl_yield_end(&y, 1e3, 100, 1e7), 100);
}

/* ds/dt = G γ̇ - (s - τ)/λ by many small steps; s begins below τ, at it and above it. */
Test(yield, what_exceeds_it_flows_off_as_its_law_says) {
    static const double starts[] = {100, 130, 300}, driven[] = {0, 50, 400};
    for (double x = 0.01; x < 20; x *= 3)
        for (int k = 0; k < 9; k++) {
            const tl_yield y = {100, 0, x};
            const double start = starts[k / 3], more = driven[k % 3];
            double s = start;
            enum { PARTS = 100000 };
            for (int n = 0; n < PARTS; n++)
                s += (more - x * (s - 100)) / PARTS;
            is_near(tl_yield_end(&y, 1e3, start, start + more), s, 1e-3, "end");
        }
}

/* Steady flow at τ + G λγ̇, in steps of any length. */
Test(yield, steady_flow_does_not_depend_on_the_step) {
    for (double dt = 1e-4; dt < 10; dt *= 4) {
        const double G = 1e3, lambda = 0.02, rate = 3;
        const tl_yield y = {100, 0, dt / lambda};
        double s = 0;
        for (double t = 0; t < fmax(1, 20 * dt); t += dt)
            s = tl_yield_end(&y, G, s, s + G * rate * dt);
        is_near(s, 100 + G * lambda * rate, 1e-6, "plateau");
    }
}

/* τ grows by H (q - s)/G, with what flows in the same step; not below 0, and no faster than 0.9. */
Test(yield, hardening_and_softening_are_found_with_the_step) {
    static const double slopes[] = {500, 100, -100, -800, -5000};
    for (int k = 0; k < 5; k++)
        for (double q = 101; q < 300; q += 13) {
            const tl_yield y = {100, slopes[k], HUGE_VAL};
            const double H = fmax(slopes[k], -900), G = 1e3, s = tl_yield_end(&y, G, 90, q);
            is_near(s, fmax(0, 100 + H * (q - s) / G), 1e-9, "yield stress");
            cr_expect(s >= 0 && s < q);
        }
}

/* The end grows with the trial stress, unless matter softens, and nowhere jumps. */
Test(yield, the_end_grows_with_the_trial_stress) {
    for (size_t k = 0; k < 200; k++) {
        const tl_yield y = {100, 300 * tl_random_uniform(1, k),
                            pow(10, 4 * tl_random_uniform(2, k) - 2)};
        const double start = 200 * tl_random_uniform(3, k);
        double last = tl_yield_end(&y, 1e3, start, 0);
        for (double q = 0; q < 500; q += 0.5) {
            const double now = tl_yield_end(&y, 1e3, start, q);
            cr_assert(now >= last - 1e-9 && now <= last + 0.5001, "%zu, %g: %g after %g", k, q, now,
                      last);
            last = now;
        }
    }
}

/* ---- A particle --------------------------------------------------------------------------------
 */

typedef struct particle {
    float stress[6], rate[6], modulus, shape[6], flowed;
} particle;

/* Asks a particle at the strain rate e. */
static void ask(particle *p, const tl_elastic *elastic, const float e[6], double dt,
                unsigned wanted, float stress[6], float *viscosity, tl_slack *slack) {
    const float rate = 0, T = 20;
    float tensor[1][6] = {{0}};
    void *memory[TL_MEMORIES] = {[TL_ELASTIC_STRESS] = p->stress,
                                 [TL_ELASTIC_RATE] = p->rate,
                                 [TL_ELASTIC_MODULUS] = &p->modulus,
                                 [TL_ELASTIC_SHAPE] = p->shape,
                                 [TL_ELASTIC_PLASTIC] = &p->flowed};
    const tl_strained in = {
        .rate = &rate, .strain = (const float(*)[6])(const void *)e, .temperature = &T, .dt = dt};
    tl_elastic_recall(elastic, &in, 1000, memory, wanted,
                      &(tl_response){.viscosity = viscosity, .tensor = tensor, .slack = slack}, 1);
    memcpy(stress, tensor[0], sizeof tensor[0]);
}

static double product(const double a[6], const double b[6]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += (k < 3 ? 1 : 2) * a[k] * b[k];
    return sum;
}

/* A particle of stress 80 to 120 % of the yield stress and a strain rate, both without trace. */
static particle make(const tl_elastic *law, size_t seed, float e[6]) {
    particle p = {.modulus = (float)law->modulus.value};
    for (int k = 0; k < 6; k++) {
        p.shape[k] = (float)(0.06 * (tl_random_uniform(seed, (uint64_t)k) - 0.5));
        e[k] = (float)(10 * (tl_random_uniform(seed, 6 + (uint64_t)k) - 0.5));
    }
    p.shape[2] = -p.shape[0] - p.shape[1];
    e[2] = -e[0] - e[1];
    for (int k = 0; k < 6; k++)
        p.stress[k] = (float)law->modulus.value * p.shape[k];
    return p;
}

/* dσ = 2 (η - loss) de - N (N:de) along the stress that is tried, where the direction of flow does
 * not turn; and what it says is positive for any de. */
Test(yield, the_slack_is_how_stress_changes) {
    for (int kind = 0; kind < 4; kind++)
        for (size_t seed = 1; seed < 40; seed++) {
            const tl_elastic law = {.law = kind % 2,
                                    .modulus.value = 1000,
                                    .yield_stress.value = 20,
                                    .has_yield_stress = true,
                                    .relaxation_time.value = 0.02,
                                    .has_relaxation_time = kind / 2 == 1};
            float e[6], more[6], before[6], after[6], eta = 0;
            particle p = make(&law, seed, e);
            tl_slack slack = {0};
            ask(&p, &law, e, 0.01, TL_RESPOND_VISCOSITY | TL_RESPOND_TENSOR, before, &eta, &slack);
            ask(&p, &law, e, 0.01, TL_RESPOND_HELD | TL_RESPOND_SLACK, after, &eta, &slack);
            double N[6], n2;
            for (int k = 0; k < 6; k++)
                N[k] = (double)slack.direction[k];
            n2 = product(N, N);
            const double left = 2 * (double)(eta - slack.loss);
            cr_assert_gt(left, 0);
            cr_assert_lt(n2, left, "%d, %zu: %g of %g is left", kind, seed, left - n2, left);
            if (!(n2 > 0))
                continue;
            const double change = 0.01 / sqrt(n2);
            for (int k = 0; k < 6; k++)
                more[k] = e[k] + (float)(change * N[k]);
            ask(&p, &law, more, 0.01, TL_RESPOND_HELD | TL_RESPOND_TENSOR, after, &eta, &slack);
            double rise = 0;
            for (int k = 0; k < 6; k++)
                rise += (k < 3 ? 1 : 2) * (double)(after[k] - before[k]) * N[k] / (change * n2);
            /* A hundredth is always left, for the sake of the solve. */
            cr_assert_float_eq(fmax(rise, 0.01 * left), left - n2, 0.03 * left,
                               "%d, %zu: %g, not %g of %g", kind, seed, rise, left - n2, left);
        }
}

/* Strained for long it has the yield stress, all flows, and no more is stored than that. */
Test(yield, a_particle_that_flows_keeps_its_yield_stress_and_counts_what_has_flowed) {
    for (int law = TL_ELASTIC_CONVECTED; law <= TL_ELASTIC_COROTATIONAL; law++) {
        const tl_elastic matter = {
            .law = law, .modulus.value = 1000, .yield_stress.value = 20, .has_yield_stress = true};
        const float e[6] = {1, -0.5f, -0.5f, 0, 0, 0};
        float stress[6], eta = 0;
        particle p = {.modulus = 1000};
        tl_slack slack;
        double last = 0;
        for (int k = 0; k < 200; k++) {
            eta = 0;
            ask(&p, &matter, e, 0.002,
                TL_RESPOND_VISCOSITY | TL_RESPOND_TENSOR | TL_RESPOND_REMEMBER, stress, &eta,
                &slack);
            cr_assert_geq((double)p.flowed, last);
            last = (double)p.flowed;
        }
        is_near((double)(p.stress[0] - p.stress[1]), sqrt(3) * 20, 1e-4, "tension");
        is_near((double)(stress[0] - stress[1]), sqrt(3) * 20, 1e-3, "what the solve takes");
        is_near((double)p.flowed, sqrt(3) * 0.4 - 0.02, 2e-3, "what has flowed");
    }
}

Test(yield, the_yield_stress_follows_its_law_of_the_temperature) {
    const tl_elastic matter = {
        .law = TL_ELASTIC_COROTATIONAL,
        .modulus.value = 1000,
        .yield_stress = {.kind = TL_LAW_EXPONENTIAL, .slope = -0.05, .offset = 2}, /* 10 at 20 °C */
        .has_yield_stress = true};
    const float e[6] = {0, 0, 0, 0.5f, 0, 0};
    float stress[6], eta = 0;
    particle p = {.modulus = 1000};
    tl_slack slack;
    for (int k = 0; k < 100; k++)
        ask(&p, &matter, e, 0.01, TL_RESPOND_VISCOSITY | TL_RESPOND_REMEMBER, stress, &eta, &slack);
    is_near((double)p.stress[3], 10, 1e-4, "stress");
}
