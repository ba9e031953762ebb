/* What the scenes of heat and flow show, on coarser particles than their films. */
#include "stage.h"

#include "world/world.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- What is measured --------------------------------------------------------------------------
 */

/* A set of particles by id, so that it can be found again after sorting. */
typedef struct crowd {
    bool *in; /* [count] by id */
    size_t size;
} crowd;

typedef bool choose_fn(const double x[3], float temperature);

static crowd choose(stage *s, choose_fn *chosen) {
    crowd c = {calloc(s->count, sizeof *c.in), 0};
    cr_assert_not_null(c.in);
    for (size_t i = 0; i < s->count; i++) {
        cr_assert_lt(stage_ids(s)[i], s->count);
        if (!chosen(stage_positions(s) + 3 * i, stage_temperatures(s)[i]))
            continue;
        c.in[stage_ids(s)[i]] = true;
        c.size++;
    }
    cr_assert_gt(c.size, 10);
    return c;
}

static double mean_temperature(stage *s, const crowd *c) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        if (c->in[stage_ids(s)[i]])
            sum += (double)stage_temperatures(s)[i];
    return sum / (double)c->size;
}

static double mean_along(stage *s, const crowd *c, int axis) {
    double sum = 0;
    for (size_t i = 0; i < s->count; i++)
        if (c->in[stage_ids(s)[i]])
            sum += stage_positions(s)[3 * i + (size_t)axis];
    return sum / (double)c->size;
}

static double hottest(stage *s) {
    double hot = -274;
    for (size_t i = 0; i < s->count; i++)
        hot = fmax(hot, (double)stage_temperatures(s)[i]);
    return hot;
}

static double lowest_temperature(stage *s) {
    double cold = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++)
        cold = fmin(cold, (double)stage_temperatures(s)[i]);
    return cold;
}

static double stage_mass(stage *s) {
    tl_ledger l;
    tl_world_ledger(s->world, &l);
    return l.mass;
}

/* Mass is kept, and so is heat: what the channels do not explain is nothing beside what they
 * moved. */
static void expect_books_close(stage *s, double mass) {
    tl_ledger l;
    tl_world_ledger(s->world, &l);
    const double moved = fabs(l.conducted_heat) + fabs(l.radiated_heat) + fabs(l.lost_radiation) +
                         fabs(l.lost_convection);
    cr_log_info("heat error %.2g J of %.4g J that moved; %.0f steps, %.0f refused", l.heat_error,
                moved, l.steps, l.rejected);
    cr_expect_gt(moved, 0);
    cr_expect_lt(fabs(l.heat_error), 1e-6 * moved, "%g J of %g J", l.heat_error, moved);
    cr_expect_float_eq(l.mass, mass, 1e-12 * mass);
}

/* The heights (m) of the topmost particles in columns two spacings wide whose axes are nearer than
 * `radius` to that of the scene: their mean, their spread as a standard deviation, their number. */
typedef struct surface {
    double mean, spread;
    int columns;
} surface;

static surface surface_within(stage *s, double radius) {
    enum { ACROSS = 21 };
    const double wide = 2 * tl_scene_spacing(s->scene);
    double top[ACROSS][ACROSS] = {{0}}, sum = 0, squares = 0;
    surface out = {0};
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        const long a = lround(x[0] / wide) + ACROSS / 2, b = lround(x[1] / wide) + ACROSS / 2;
        if (a < 0 || b < 0 || a >= ACROSS || b >= ACROSS)
            continue;
        top[a][b] = fmax(top[a][b], x[2]);
    }
    for (int a = 0; a < ACROSS; a++)
        for (int b = 0; b < ACROSS; b++)
            if (top[a][b] > 0 && hypot(wide * (a - ACROSS / 2), wide * (b - ACROSS / 2)) < radius) {
                sum += top[a][b];
                squares += top[a][b] * top[a][b];
                out.columns++;
            }
    cr_assert_gt(out.columns, 8);
    out.mean = sum / out.columns;
    out.spread = sqrt(fmax(squares / out.columns - out.mean * out.mean, 0));
    return out;
}

/* ---- The melting figure: PPLT06 fig. 2 ---------------------------------------------------------
 */

static bool is_ear(const double x[3], float temperature) {
    (void)temperature;
    return x[2] > 0.165;
}

static bool is_body(const double x[3], float temperature) {
    (void)temperature;
    return x[2] < 0.14;
}

/* The outer half of the ear that leans back. */
static bool is_tip(const double x[3], float temperature) {
    (void)temperature;
    return x[2] > 0.165 && x[0] > 0 && x[1] > 0.02;
}

/* Those of `from` that are nearer than `reach` (m) to any of `to`. */
static crowd touching(stage *s, const crowd *from, const crowd *to, double reach) {
    crowd c = {calloc(s->count, sizeof *c.in), 0};
    cr_assert_not_null(c.in);
    const double *x = stage_positions(s);
    for (size_t i = 0; i < s->count; i++)
        for (size_t j = 0; from->in[stage_ids(s)[i]] && j < s->count; j++) {
            const double *a = x + 3 * i, *b = x + 3 * j;
            if (!to->in[stage_ids(s)[j]] ||
                hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) > reach)
                continue;
            c.in[stage_ids(s)[i]] = true;
            c.size++;
            break;
        }
    return c;
}

Test(melting_figure, thin_ears_melt_first_and_an_ear_that_touches_the_body_gets_colder) {
    stage s = stage_open("melting-figure", SET("spacing=7mm"));
    const double mass = stage_mass(&s);
    crowd ears = choose(&s, is_ear), body = choose(&s, is_body), tip = choose(&s, is_tip);
    const double height = mean_along(&s, &ears, 2), foot = mean_along(&s, &body, 2);
    double now = 0;
    while (hottest(&s) < 50)
        stage_run(&s, now += 0.25);
    const double warm_ears = mean_temperature(&s, &ears), cold = mean_temperature(&s, &body);
    cr_log_info("first melt at %.2f s: ears %.1f °C, body %.1f °C", now, warm_ears, cold);
    cr_expect_gt(warm_ears, cold + 8, "ears %g °C, body %g °C", warm_ears, cold);
    crowd met = touching(&s, &tip, &body, 0.009);
    while (met.size < 5 && now < 22) {
        stage_run(&s, now += 0.5);
        free(met.in);
        met = touching(&s, &tip, &body, 0.009);
    }
    cr_assert_geq(met.size, 5, "no ear touches the body within %g s", now);
    const double before = mean_temperature(&s, &met), around = mean_temperature(&s, &body);
    stage_run(&s, 26); /* to the end of the scene */
    const double after = mean_temperature(&s, &met), warmed = mean_temperature(&s, &body);
    cr_log_info("%zu particles touch at %.2f s: %.2f °C, at the end %.2f °C; body %.2f, %.2f °C",
                met.size, now, before, after, around, warmed);
    cr_expect_lt(after, before - 0.5, "an ear that touches cools: %g °C, %g °C", before, after);
    cr_expect_lt(after, 57, "below the air of 57 °C, so by touch: %g °C", after);
    cr_expect_gt(warmed, around, "and warms the body: %g °C, %g °C", around, warmed);
    const double sunk = mean_along(&s, &ears, 2) / height, stands = mean_along(&s, &body, 2) / foot;
    cr_log_info("mean heights: ears %.3f, body %.3f of the first", sunk, stands);
    cr_expect_lt(sunk, 0.8, "ears sag: %g", sunk);
    cr_expect_gt(stands, 0.98, "the body stands: %g", stands);
    expect_books_close(&s, mass);
    free(met.in), free(tip.in), free(body.in), free(ears.in);
    stage_close(&s);
}

/* ---- The candle --------------------------------------------------------------------------------
 */

static bool is_foot(const double x[3], float temperature) {
    (void)temperature;
    return x[2] < 0.01;
}

Test(candle_top, a_level_pool_forms_under_the_flame_inside_a_solid_rim) {
    stage s = stage_open("candle-top", SET("spacing=1.5mm"));
    const double mass = stage_mass(&s);
    crowd foot = choose(&s, is_foot);
    const surface first = surface_within(&s, 0.007);
    stage_run(&s, 16);
    const surface last = surface_within(&s, 0.007);
    cr_log_info("surface %.1f ± %.2f mm, then %.1f ± %.2f mm; hottest %.0f °C, foot %.1f °C",
                1e3 * first.mean, 1e3 * first.spread, 1e3 * last.mean, 1e3 * last.spread,
                hottest(&s), mean_temperature(&s, &foot));
    cr_expect_gt(hottest(&s), 66, "there is a pool: %g °C", hottest(&s));
    cr_expect_lt(last.spread, 0.00075, "it is level to half a spacing: %g m", last.spread);
    cr_expect_gt(first.spread, 2 * last.spread, "as the lump was not: %g m", first.spread);
    cr_expect_lt(mean_temperature(&s, &foot), 50, "the foot is solid");
    expect_books_close(&s, mass);
    free(foot.in);
    stage_close(&s);
}

/* Particles that ran over the rim of a candle of radius 8 mm, and are solid well below it. */
static size_t count_frozen_drips(stage *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *x = stage_positions(s) + 3 * i;
        count += hypot(x[0], x[1]) > 0.010 && x[2] < 0.020 && stage_temperatures(s)[i] < 54;
    }
    return count;
}

Test(candle, burns_down_as_fast_as_a_real_one_and_its_wax_runs_down_and_freezes) {
    stage s = stage_open("candle", SET("spacing=2mm", "refine.0.levels=1"));
    const double mass = stage_mass(&s), minutes = 15 * 17 / 60.0;
    tl_vec3 first, last;
    double power;
    tl_ledger l;
    cr_assert(tl_world_flame(s.world, 0, &first, &power));
    stage_run(&s, 17);
    cr_assert(tl_world_flame(s.world, 0, &last, &power));
    tl_world_ledger(s.world, &l);
    const double burnt = l.flame_heat / 43e6, moved = l.radiated_heat + l.wick_heat;
    cr_log_info("%.3f g a minute; flame %.1f mm lower, %.0f W; %zu frozen drips; heat error %.2g J "
                "of %.4g J",
                1e3 * burnt / minutes, 1e3 * (first.z - last.z), power, count_frozen_drips(&s),
                l.heat_error, moved);
    cr_expect(burnt > 0.7e-4 * minutes && burnt < 1.1e-4 * minutes, "%g kg", burnt);
    cr_expect_gt(power, 10, "it burns on");
    cr_expect_gt(first.z - last.z, 0.001, "and has come down: %g m", first.z - last.z);
    cr_expect_gt(count_frozen_drips(&s), 5, "wax has run down and is solid");
    cr_expect_float_eq(l.mass + l.soaked_mass, mass, 1e-6 * mass);
    cr_expect_lt(fabs(l.heat_error), 1e-6 * moved, "%g J of %g J", l.heat_error, moved);
    stage_close(&s);
}

/* The mean volume of particles that are so warm and so low, over that of the scene's spacing. */
static double volume_where(stage *s, double warm, double low, double spacing) {
    tl_field_view view;
    cr_assert(tl_world_field(s->world, "size", &view));
    double sum = 0, count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double T = (double)stage_temperatures(s)[i], z = stage_positions(s)[3 * i + 2];
        if (T < warm || z > low)
            continue;
        sum += pow((double)((const float *)view.data)[i] / spacing, 3);
        count++;
    }
    return count > 0 ? sum / count : 0;
}

Test(candle_fine, is_fine_where_it_melts_and_coarse_at_its_foot) {
    const double dx = 0.0026;
    stage s = stage_open("candle-fine", SET("spacing=2.6mm"));
    const double mass = stage_mass(&s), before = (double)s.count;
    stage_run(&s, 3);
    const double molten = volume_where(&s, 58, 1, dx), foot = volume_where(&s, -300, 0.008, dx);
    cr_log_info("%.0f particles, then %zu; volumes of what is molten %.3f, of the foot %.3f",
                before, s.count, molten, foot);
    cr_expect(molten > 0 && molten < 0.2, "what is molten is fine: %g", molten);
    cr_expect_gt(foot, 0.9, "the foot is not: %g", foot);
    cr_expect_lt((double)s.count, 2 * before, "that takes few more: %zu", s.count);
    expect_books_close(&s, mass);
    stage_close(&s);
}

/* ---- Drips -------------------------------------------------------------------------------------
 */

static bool is_shaft(const double x[3], float temperature) {
    return x[2] < 0.025 && temperature < 50;
}

static bool is_melt(const double x[3], float temperature) {
    (void)x;
    return temperature > 50;
}

Test(candle_drips, run_down_a_held_candle_and_freeze_on_it) {
    stage s = stage_open("candle-drips", SET("spacing=1.8mm"));
    const double mass = stage_mass(&s);
    crowd shaft = choose(&s, is_shaft), melt = choose(&s, is_melt);
    double start[3], end[3];
    for (int k = 0; k < 3; k++)
        start[k] = mean_along(&s, &shaft, k);
    stage_run(&s, 10);
    for (int k = 0; k < 3; k++)
        end[k] = mean_along(&s, &shaft, k);
    tl_field_view held;
    cr_assert(tl_world_field(s.world, "held", &held));
    size_t frozen = 0, beside = 0, low = 0;
    for (size_t i = 0; i < s.count; i++) {
        const double *x = stage_positions(&s) + 3 * i;
        if (!melt.in[stage_ids(&s)[i]])
            continue;
        frozen += ((const uint8_t *)held.data)[i];
        beside += x[2] < 0.034 && hypot(x[0], x[1]) < 0.014;
        low += x[2] < 0.012;
    }
    tl_ledger l;
    tl_world_ledger(s.world, &l);
    cr_log_info(
        "%zu of %zu of the melt are held, %zu beside the shaft, %zu at its foot; fastest %.2g "
        "m/s; energy error %.2g J",
        frozen, melt.size, beside, low, l.max_speed, l.energy_error);
    cr_expect_gt(frozen, 0.95 * (double)melt.size, "the melt is frozen and held: %zu", frozen);
    cr_expect_gt(beside, 0.5 * (double)melt.size, "it has run down the side: %zu", beside);
    cr_expect_gt(low, 20, "some as far as the foot: %zu", low);
    for (int k = 0; k < 3; k++)
        cr_expect_float_eq(end[k], start[k], 1e-9, "the shaft stands");
    expect_books_close(&s, mass);
    free(shaft.in), free(melt.in);
    stage_close(&s);
}

/* How far down (m) from the candle's top the lowest ten of the melt in a body are. */
static double run_down(stage *s, uint32_t body) {
    enum { LOWEST = 10 };
    double low[LOWEST];
    for (int k = 0; k < LOWEST; k++)
        low[k] = HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        double z = stage_positions(s)[3 * i + 2];
        for (int k = 0; stage_bodies(s)[i] == body && k < LOWEST; k++)
            if (z < low[k]) {
                const double next = low[k];
                low[k] = z;
                z = next;
            }
    }
    double sum = 0;
    for (int k = 0; k < LOWEST; k++)
        sum += low[k];
    return 0.06 - sum / LOWEST;
}

/* What of a body is farther than 2.5 mm from the candle's side, and below its top. */
static size_t count_apart(stage *s, uint32_t body, double x) {
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        const double *at = stage_positions(s) + 3 * i;
        count += stage_bodies(s)[i] == body && at[2] < 0.045 && hypot(at[0] - x, at[1]) > 0.0125;
    }
    return count;
}

/* Chao12 fig. 4.1 to 4.3. */
Test(sticky_wax, runs_the_farther_the_less_it_sticks_and_stays_on_the_candle) {
    stage s = stage_open("sticky-wax", SET("spacing=1.6mm"));
    const double mass = stage_mass(&s), times[] = {0.4, 3};
    for (int k = 0; k < 2; k++) {
        stage_run(&s, times[k]);
        const double a = run_down(&s, 3), b = run_down(&s, 4), c = run_down(&s, 5);
        cr_log_info("%g s: melt has run down by %.1f, %.1f, %.1f mm", times[k], 1e3 * a, 1e3 * b,
                    1e3 * c);
        cr_expect(b > a + 0.001 && c > b + 0.004, "%g, %g, %g m", a, b, c);
        for (uint32_t m = 0; m < 3; m++)
            cr_expect_eq(count_apart(&s, 3 + m, 0.03 * (m - 1.0)), 0, "candle %u", m);
    }
    expect_books_close(&s, mass);
    stage_close(&s);
}

/* ---- The ice cube ------------------------------------------------------------------------------
 */

Test(ice_cube, becomes_a_level_puddle_in_its_dish) {
    stage s = stage_open("ice-cube", SET("spacing=2mm"));
    const double mass = stage_mass(&s);
    stage_run(&s, 6);
    const double early = lowest_temperature(&s), warm = hottest(&s);
    cr_log_info("after 6 s: %.2f to %.2f °C", early, warm);
    cr_expect_lt(early, -1, "its core is ice: %g °C", early);
    cr_expect_gt(warm, 1, "water runs from its edges: %g °C", warm);
    stage_run(&s, 36);
    const surface puddle = surface_within(&s, 0.019);
    /* 8 cm³ on 16 cm² */
    cr_log_info("surface %.2f ± %.2f mm over %d columns", 1e3 * puddle.mean, 1e3 * puddle.spread,
                puddle.columns);
    cr_expect_float_eq(puddle.mean, 0.005, 0.001, "%g m", puddle.mean);
    cr_expect_lt(puddle.spread, 0.001, "%g m", puddle.spread);
    expect_books_close(&s, mass);
    stage_close(&s);
}

/* ---- The hot ball ------------------------------------------------------------------------------
 */

static bool is_steel(const double x[3], float temperature) {
    (void)x;
    return temperature > 100;
}

static double width(stage *s, const crowd *c, int axis) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        const double x = stage_positions(s)[3 * i + (size_t)axis];
        if (c->in[stage_ids(s)[i]]) {
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    return high - low;
}

Test(hot_ball, melts_the_butter_and_sinks_into_it) {
    stage s = stage_open("hot-ball", SET("spacing=3.3333333mm"));
    const double mass = stage_mass(&s);
    crowd ball = choose(&s, is_steel);
    const double first = mean_along(&s, &ball, 2), wide = width(&s, &ball, 0);
    const double hot = mean_temperature(&s, &ball);
    stage_run(&s, 10);
    const double last = mean_along(&s, &ball, 2);
    cr_log_info("ball at %.1f mm, then %.1f mm; %.0f °C, then %.0f °C; %.1f mm wide, then %.1f, "
                "%.1f high",
                1e3 * first, 1e3 * last, hot, mean_temperature(&s, &ball), 1e3 * wide,
                1e3 * width(&s, &ball, 0), 1e3 * width(&s, &ball, 2));
    cr_expect_lt(last, 0.03, "its middle is below the surface: %g m", last);
    cr_expect_float_eq(width(&s, &ball, 0), wide, 0.1 * wide);
    cr_expect_float_eq(width(&s, &ball, 2), wide, 0.1 * wide);
    cr_expect_lt(mean_temperature(&s, &ball), hot - 20);
    expect_books_close(&s, mass);
    free(ball.in);
    stage_close(&s);
}

/* ---- Lava --------------------------------------------------------------------------------------
 */

/* How far down the slope the matter reaches: the mean of the foremost 30 particles (m). */
static double front(stage *s) {
    double far[30];
    for (size_t k = 0; k < 30; k++)
        far[k] = -HUGE_VAL;
    for (size_t i = 0; i < s->count; i++) {
        double x = stage_positions(s)[3 * i];
        for (size_t k = 0; k < 30; k++)
            if (x > far[k]) {
                const double less = far[k];
                far[k] = x;
                x = less;
            }
    }
    double sum = 0;
    for (size_t k = 0; k < 30; k++)
        sum += far[k];
    return sum / 30;
}

/* Mean temperature (°C) of particles with an exposed area above (or below) a half of a spacing's
 * square. */
static double skin_temperature(stage *s, bool outside) {
    tl_field_view area;
    cr_assert(tl_world_field(s->world, "exposed_area", &area));
    cr_assert_eq(area.type, TL_F32);
    const double dx = tl_scene_spacing(s->scene);
    double sum = 0, n = 0;
    for (size_t i = 0; i < s->count; i++)
        if (((double)((const float *)area.data)[i] > 0.5 * dx * dx) == outside) {
            sum += (double)stage_temperatures(s)[i];
            n++;
        }
    cr_assert_gt(n, 50);
    return sum / n;
}

Test(lava_crust, stops_below_a_crust_while_its_core_is_hot) {
    stage s = stage_open("lava-crust", SET("spacing=1.8cm"));
    const double mass = stage_mass(&s);
    const double start = front(&s);
    stage_run(&s, 3);
    const double early = front(&s);
    stage_run(&s, 24);
    const double late = front(&s);
    stage_run(&s, 28);
    const double last = front(&s), crust = skin_temperature(&s, true),
                 core = skin_temperature(&s, false);
    cr_log_info(
        "front %.3f m, %.3f at 3 s, %.3f at 24 s, %.3f at 28 s; crust %.0f °C, core %.0f °C", start,
        early, late, last, crust, core);
    const double speed = (early - start) / 3, creep = (last - late) / 4;
    cr_expect_gt(late - start, 0.15, "it flows: %g m", late - start);
    cr_expect_lt(creep, 0.01 * speed, "it stops: %g m/s, then %g m/s", speed, creep);
    cr_expect_gt(1150 - crust, 1.5 * (1150 - core), "crust %g °C, core %g °C", crust, core);
    expect_books_close(&s, mass);
    stage_close(&s);
}
