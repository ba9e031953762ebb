/* Matter that yields against what plasticity says: shear and squeezing reach the stress at which
 * it flows and stay there in steps of any length, it hardens as it should, springs back by what is
 * elastic of its strain and keeps the rest; and what flows is heat. */
#include "boundary/move.h"
#include "build.h"

#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>

static const double modulus = 1e4, yield_stress = 500;

static setup yielding_setup(double dx, double step) {
    setup s = setup_make(dx);
    setup_implicit(&s, step);
    s.material.viscosity.value = 0;
    s.material.elastic = (tl_elastic){
        .modulus.value = modulus, .yield_stress.value = yield_stress, .has_yield_stress = true};
    s.material.has_elastic = true;
    s.def.flow.tolerance = 0.01;
    return s;
}

static const float *field(tl_world *w, const char *name) {
    tl_field_view view;
    cr_assert(tl_world_field(w, name, &view), "no %s", name);
    return view.data;
}

static double mean_stress(tl_world *w, int component) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += (double)field(w, "elastic_stress")[6 * i + (size_t)component];
    return sum / (double)tl_world_count(w);
}

static double mean_plastic(tl_world *w) {
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += (double)field(w, "plastic_strain")[i];
    return sum / (double)tl_world_count(w);
}

static void expect_near(double found, double expected, double relative, const char *what) {
    cr_expect_float_eq(found, expected, relative * fabs(expected), "%s: %.5g, not %.5g", what,
                       found, expected);
}

/* The energy that no column explains, over what has become heat. */
static void expect_energy_closes(tl_world *w, const char *what) {
    const tl_ledger l = books(w);
    cr_expect_lt(fabs(l.energy_error), 0.01 * fmax(l.viscous_heat, 1e-12), "%s: %g of %g J", what,
                 l.energy_error, l.viscous_heat);
}

/* ---- Shear -------------------------------------------------------------------------------------
 */

enum { LAYERS = 10 };

/* Between belts, of which one moves as `moves` say; without inertia. */
static setup between_belts(double step, tl_move_def *moves, size_t count) {
    const double dx = 0.01, H = LAYERS * dx, L = 5 * dx;
    setup s = yielding_setup(dx, step);
    s.material.density = 1e-3 * modulus * step * step / (H * H);
    s.def.flow.pulls = true;
    setup_periodic(&s, 0, 0, L);
    setup_periodic(&s, 1, 0, L);
    setup_add_box(&s, 0, 0, 0, L, L, H);
    for (size_t i = 0; i < s.count; i++)
        s.seeds[i].velocity[0] = moves->speed / H * s.seeds[i].position[2];
    setup_add_plane(&s, TL_SIDE_Z, 0);
    setup_add_plane(&s, TL_SIDE_MINUS_Z, H)->motion = (tl_param_list){moves, count};
    return s;
}

/* Largest strain of a layer over the mean, by how fast its particles move. */
static double unevenness(tl_world *w, double rate) {
    double speed[LAYERS] = {0}, count[LAYERS] = {0}, most = 0;
    for (size_t i = 0; i < tl_world_count(w); i++) {
        const int layer = (int)(positions(w)[3 * i + 2] / 0.01);
        cr_assert(layer >= 0 && layer < LAYERS);
        speed[layer] += velocities(w)[3 * i];
        count[layer]++;
    }
    for (int k = 1; k < LAYERS; k++)
        most = fmax(most, fabs((speed[k] / count[k] - speed[k - 1] / count[k - 1]) / 0.01 / rate));
    return most;
}

/* Shears to a strain of 2; returns the largest error of the plateau, from 0.5 on. */
static double plateau(int law, double lambda, double step) {
    const double rate = 1, flows = yield_stress + modulus * lambda * rate;
    tl_move_def belt = {.along = TL_SIDE_X, .has_speed = true, .speed = rate * 0.1};
    setup s = between_belts(step, &belt, 1);
    s.material.elastic.law = law;
    s.material.elastic.relaxation_time.value = lambda;
    s.material.elastic.has_relaxation_time = lambda > 0;
    tl_world *w = setup_world(&s, 1);
    double error = 0, uneven = 0;
    for (int k = 1; k <= 4; k++) {
        run_to(w, 0.5 * k / rate);
        error = fmax(error, fabs(mean_stress(w, 4) / flows - 1));
        uneven = fmax(uneven, unevenness(w, rate));
    }
    const tl_ledger l = books(w);
    cr_log_info("law %d, λ %g s, %g ms: error %.2f %%, fastest layer %.2f of the mean, plastic "
                "strain %.3f; %.1f iterations a step, %g refused; heat %.4g, numerical %.3g, "
                "unexplained %.2g J",
                law, lambda, 1e3 * step, 100 * error, uneven, mean_plastic(w),
                l.iterations / l.steps, l.rejected, l.viscous_heat, l.numerical_heat,
                l.energy_error);
    expect_near(mean_plastic(w), 2 * 1 - flows / modulus, 0.02, "plastic strain");
    expect_energy_closes(w, "shear");
    tl_world_destroy(w);
    return error;
}

Test(yield, sheared_matter_flows_at_its_yield_stress_in_steps_of_any_length) {
    const struct {
        int law;
        double lambda, step;
    } cases[] = {{TL_ELASTIC_CONVECTED, 0, 0.005},    {TL_ELASTIC_CONVECTED, 0, 0.02},
                 {TL_ELASTIC_CONVECTED, 0.05, 0.005}, {TL_ELASTIC_CONVECTED, 0.05, 0.02},
                 {TL_ELASTIC_COROTATIONAL, 0, 0.02},  {TL_ELASTIC_COROTATIONAL, 0.01, 0.005}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double error = plateau(cases[k].law, cases[k].lambda, cases[k].step);
        cr_expect_lt(error, 0.02, "law %d, λ %g, %g s: %g", cases[k].law, cases[k].lambda,
                     cases[k].step, error);
    }
}

/* By dτ/dγ = G H/(G + H), for what is elastic of the strain grows too. */
Test(yield, matter_hardens_as_it_flows) {
    const double H = 1000, slope = modulus * H / (modulus + H);
    tl_move_def belt = {.along = TL_SIDE_X, .has_speed = true, .speed = 0.1};
    setup s = between_belts(0.01, &belt, 1);
    s.material.elastic.hardening = H;
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.2);
    const double before = mean_stress(w, 4);
    run_to(w, 1);
    const double after = mean_stress(w, 4), exact = yield_stress + slope * (1 - 0.05);
    cr_log_info("from %.1f to %.1f Pa (%.1f), slope %.1f of %.1f Pa; fastest layer %.2f of the "
                "mean",
                before, after, exact, (after - before) / 0.8, slope, unevenness(w, 1));
    expect_near(after, exact, 0.02, "stress");
    expect_near((after - before) / 0.8, slope, 0.03, "slope");
    expect_energy_closes(w, "hardening");
    tl_world_destroy(w);
}

/* Sheared to 0.5 and back: the stress falls by G, and nothing flows, until it has turned round. */
Test(yield, matter_that_is_let_go_springs_back_and_keeps_what_has_flowed) {
    tl_move_def moves[] = {
        {.along = TL_SIDE_X, .has_speed = true, .speed = 0.1, .has_until = true, .until = 0.5},
        {.along = TL_SIDE_X, .has_speed = true, .speed = -0.1, .from = 0.5}};
    setup s = between_belts(0.01, moves, 2);
    tl_world *w = setup_world(&s, 1);
    run_to(w, 0.5);
    const double stress = mean_stress(w, 4), flowed = mean_plastic(w);
    run_to(w, 0.54);
    const double back = mean_stress(w, 4), still = mean_plastic(w);
    run_to(w, 0.8);
    const double end = mean_stress(w, 4), more = mean_plastic(w);
    cr_log_info("stress %.1f, then %.1f, then %.1f Pa; flowed %.4f, %.4f, %.4f", stress, back, end,
                flowed, still, more);
    expect_near(stress - back, modulus * 0.04, 0.02, "what springs back");
    expect_near(still, flowed, 1e-4, "what has flowed");
    expect_near(end, -yield_stress, 0.02, "it yields the other way");
    expect_near(more - flowed, 0.3 - 2 * yield_stress / modulus, 0.02, "and flows that way");
    expect_energy_closes(w, "there and back");
    tl_world_destroy(w);
}

/* ---- Free blocks -------------------------------------------------------------------------------
 */

/* The mean square of how far particles are from the middle across z, m². */
static double spread(tl_world *w) {
    const double x = mean_of(w, 0), y = mean_of(w, 1);
    double sum = 0;
    for (size_t i = 0; i < tl_world_count(w); i++)
        sum += pow(positions(w)[3 * i] - x, 2) + pow(positions(w)[3 * i + 1] - y, 2);
    return sum / (double)tl_world_count(w);
}

/* Between slippery plates that come nearer it has σ = √3 τ, by its own stress and by their work,
 * and a shear of √3 of its strain. When they go away it springs back by what is elastic of that,
 * and stays as wide as what has flowed says. */
Test(yield, a_block_that_is_squeezed_flows_at_root_three_and_keeps_its_form) {
    const double dx = 0.01, L = 6 * dx, speed = 0.01, turn = 0.24 * L / speed;
    setup s = yielding_setup(dx, 0.02);
    s.material.viscosity.value = 20;
    setup_add_box(&s, 0, 0, 0, L, L, L);
    setup_add_plane(&s, TL_SIDE_Z, 0)->contact = TL_CONTACT_FREE_SLIP;
    tl_wall_def *plate = setup_add_plane(&s, TL_SIDE_MINUS_Z, L);
    tl_move_def moves[] = {
        {.along = TL_SIDE_Z, .has_speed = true, .speed = -speed, .has_until = true, .until = turn},
        {.along = TL_SIDE_Z, .has_speed = true, .speed = 4 * speed, .from = turn}};
    plate->contact = TL_CONTACT_FREE_SLIP;
    plate->has_stickiness = true;
    plate->motion = (tl_param_list){moves, 2};
    tl_world *w = setup_world(&s, 1);
    const double narrow = spread(w), plateau = sqrt(3) * yield_stress;
    for (int k = 1; k <= 3; k++) {
        const double before = books(w).wall_work, end = 1 - 0.08 * k;
        run_to(w, (1 - end) * L / speed);
        const double tension = mean_stress(w, 0) - mean_stress(w, 2);
        const double work = (books(w).wall_work - before) / (L * L * L * log(1 + 0.08 / end));
        cr_log_info("squeezed to %.2f: %.1f Pa, work says %.1f, of %.1f; flowed %.4f of %.4f; %g "
                    "refused",
                    end, tension, work, plateau, mean_plastic(w),
                    sqrt(3) * log(spread(w) / narrow) - yield_stress / modulus, books(w).rejected);
        expect_near(tension, plateau, 0.02, "stress");
        if (k > 1)
            expect_near(work, plateau, 0.05, "work");
    }
    const double wide = log(spread(w) / narrow), flowed = mean_plastic(w);
    expect_near(flowed, sqrt(3) * wide - yield_stress / modulus, 0.03, "what has flowed");
    run_to(w, turn + 0.5);
    const double left = log(spread(w) / narrow);
    cr_log_info("let go: shorter by %.4f, then %.4f, flowed %.4f; stress left %.1f Pa", wide, left,
                mean_plastic(w) / sqrt(3), mean_stress(w, 0) - mean_stress(w, 2));
    expect_near(left, flowed / sqrt(3), 0.03, "what is left of its strain");
    expect_near(mean_plastic(w), flowed, 1e-3, "what has flowed");
    expect_near(wide - left, yield_stress / modulus / sqrt(3), 0.1, "what springs back");
    expect_energy_closes(w, "squeezed block");
    tl_world_destroy(w);
}
