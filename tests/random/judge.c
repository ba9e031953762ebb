/* See judge.h. */
#include "judge.h"

#include "scene/scene.h"
#include "world/guard.h"
#include "world/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *const verdict_names[VERDICTS] = {"fine", "said", "crawled", "failed", "invalid"};

/* Steps between two looks. */
enum { LOOK_EVERY = 25 };

/* Particles may be so many spacings deep in a wall by rounding, and while a corner pushes them. */
static const double deepest = 0.1;

/* Two particles nearer than the first, in spacings, are clumped; this part of all may be. */
static const double clumped = 0.15, most_clumped = 0.05;

/* A particle may be so many times as fast as anything it could have got its speed from. */
static const double fastest = 5;

/* Of the largest energy exchanged; the guard warns from 0.05 on. */
static const double most_unexplained = 0.06;

/* Of the heat moved, and kelvin beyond what there was. */
static const double most_heat_lost = 1e-6, most_beyond = 0.5;

typedef struct trial {
    tl_scene *scene;
    tl_world *world;
    judgement *out;
    double mass;      /* kg at the start */
    double speed;     /* m/s that anything may have */
    double cold, hot; /* °C that there are */
    bool bounded;     /* nothing makes heat but what has a temperature */
} trial;

static void say(judgement *j, verdict found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The worst is kept, and of equals the first. */
static void say(judgement *j, verdict found, const char *format, ...) {
    if (found <= j->verdict)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(j->why, sizeof j->why, format, arguments);
    va_end(arguments);
    j->verdict = found;
}

static bool is_warned(const tl_world *w, const char *code) {
    tl_warning warnings[TL_MOST_WARNINGS];
    const size_t count = tl_world_warnings(w, warnings, TL_MOST_WARNINGS);
    for (size_t k = 0; k < count; k++)
        if (!code || strcmp(warnings[k].code, code) == 0)
            return true;
    return false;
}

/* ---- What is looked at -------------------------------------------------------------------------
 */

static void look_for_nan(trial *t) {
    tl_field_view v;
    for (size_t f = 0; tl_world_field_at(t->world, f, &v); f++)
        for (size_t k = 0; k < v.count * (size_t)v.components; k++) {
            const double value = v.type == TL_F32   ? (double)((const float *)v.data)[k]
                                 : v.type == TL_F64 ? ((const double *)v.data)[k]
                                                    : 0;
            if (!isfinite(value)) {
                say(t->out, FAILED, "%s of a particle is %g", v.name, value);
                return;
            }
        }
}

static bool is_led(const tl_world *w, size_t i) {
    return w->handle.nozzle >= 0 &&
           ((const uint8_t *)tl_field_data(&w->fields, w->handle.nozzle))[i] > 0;
}

static void look_at_walls(trial *t) {
    const tl_world *w = t->world;
    tl_vec3 normal;
    double deep = 0;
    size_t inside = 0, wall = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        for (size_t s = 0; s < w->shapes.count && !is_led(w, i); s++) {
            const double distance =
                tl_shape_distance(&w->shapes.items[s], tl_vec3_of(tl_position(w) + 3 * i), &normal);
            if (distance > -deepest * w->def.spacing)
                continue;
            inside++;
            wall = -distance > deep ? w->shapes.items[s].wall : wall;
            deep = fmax(deep, -distance);
        }
    if (inside > 0 && !is_warned(w, "walls"))
        say(t->out, FAILED, "silent: %zu particles up to %.2g spacings deep in wall \"%s\"", inside,
            deep / w->def.spacing, w->def.walls[wall].name);
}

static void look_at_speed(trial *t) {
    tl_ledger l;
    tl_world_ledger(t->world, &l);
    if (l.max_speed > fastest * t->speed && !is_warned(t->world, NULL))
        say(t->out, FAILED, "silent: a particle has %.3g m/s, %.3g times what anything gives it",
            l.max_speed, l.max_speed / t->speed);
}

/* Pairs that stand in nearly the same place. */
static void look_for_clumps(trial *t) {
    const tl_world *w = t->world;
    const double least = clumped * w->def.spacing;
    size_t count = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        for (size_t j = 0; j < w->fields.count; j++) {
            const tl_vec3 d =
                tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), tl_vec3_of(tl_position(w) + 3 * j));
            if (j == i || tl_vec3_length(d) > least)
                continue;
            count++;
            break;
        }
    if ((double)count > most_clumped * (double)w->fields.count && !is_warned(w, NULL))
        say(t->out, FAILED, "silent: %zu particles stand within %g spacings of another", count,
            clumped);
}

static void look_at_books(trial *t) {
    const tl_world *w = t->world;
    const tl_world_state *s = &w->state;
    tl_ledger l;
    tl_world_ledger(w, &l);
    const double unexplained = fabs(l.energy_error) + fmax(0, -l.numerical_heat);
    const double dx = w->def.spacing, g = tl_vec3_length(tl_vec3_of(w->def.gravity));
    const double slight = l.mass * (g * dx + 0.5 * dx * dx / (s->time * s->time));
    if (s->moved_energy > slight && unexplained > most_unexplained * s->moved_energy &&
        !is_warned(w, "energy"))
        say(t->out, FAILED, "silent: %.3g J of %.3g J are unexplained", unexplained,
            s->moved_energy);
    const double expected =
        t->mass + l.emitted_mass - l.drained_mass - l.boiled_mass - l.soaked_mass;
    if (fabs(l.mass - expected) > 1e-5 * (t->mass + l.emitted_mass))
        say(t->out, FAILED, "silent: mass is %.6g kg, and should be %.6g kg", l.mass, expected);
    const double heat = fabs(l.conducted_heat) + fabs(l.thermal_energy) + fabs(l.radiated_heat) +
                        fabs(l.lost_radiation) + fabs(l.lost_convection) + fabs(l.emitted_heat) +
                        fabs(l.drained_heat) + fabs(l.boiled_energy) + fabs(l.volumetric_heat);
    if (w->def.with_heat && fabs(l.heat_error) > most_heat_lost * heat)
        say(t->out, FAILED, "silent: %.3g J of heat are unexplained, of %.3g J", l.heat_error,
            heat);
    if (w->def.with_heat && t->bounded && l.particles > 0 &&
        (l.temperature_min < t->cold - most_beyond || l.temperature_max > t->hot + most_beyond))
        say(t->out, FAILED, "silent: temperatures %.4g to %.4g °C, beyond %.4g to %.4g °C",
            l.temperature_min, l.temperature_max, t->cold, t->hot);
    if (s->rejected > 0.12 * (s->steps + s->rejected) && s->rejected >= 12 && s->steps >= 25 &&
        !is_warned(w, "refusals"))
        say(t->out, FAILED, "silent: %g steps of %g refused", s->rejected, s->steps + s->rejected);
}

static void look(trial *t) {
    look_for_nan(t);
    look_at_walls(t);
    look_at_speed(t);
}

/* ---- What there is at the start ----------------------------------------------------------------
 */

static void add_temperature(trial *t, const tl_schedule *s) {
    const double(*points)[2] = s->points.items;
    for (size_t k = 0; k <= s->points.count; k++) {
        const double value = k < s->points.count ? points[k][1] : tl_schedule_at(s, 0);
        t->cold = fmin(t->cold, value);
        t->hot = fmax(t->hot, value);
    }
}

static void find_temperatures(trial *t) {
    const tl_world_def *def = &t->world->def;
    tl_ledger l;
    tl_world_ledger(t->world, &l);
    t->cold = l.particles > 0 ? l.temperature_min : HUGE_VAL;
    t->hot = l.particles > 0 ? l.temperature_max : -HUGE_VAL;
    t->bounded = def->source_count == 0 && !def->heat.viscous_heating && !def->thermal_particles;
    for (size_t m = 0; m < def->material_count; m++)
        t->bounded = t->bounded && def->materials[m].heating == 0;
    for (size_t k = 0; k < def->wall_count; k++)
        if (def->walls[k].has_temperature)
            add_temperature(t, &def->walls[k].temperature);
    for (size_t k = 0; k < def->emitter_count; k++)
        add_temperature(t, &def->emitters[k].temperature);
    if (def->heat.has_ambient)
        add_temperature(t, &def->heat.ambient);
}

/* What anything can get by falling, by being thrown, and from walls and emitters. */
static void find_speeds(trial *t) {
    const tl_world_def *def = &t->world->def;
    const tl_extent extent = tl_world_extent(t->world);
    double thrown = 0, size2 = 0;
    for (size_t i = 0; i < def->seed_count; i++)
        thrown = fmax(thrown, tl_vec3_length(tl_vec3_of(def->seeds[i].velocity)));
    for (int k = 0; k < 3; k++)
        size2 += (extent.high[k] - extent.low[k]) * (extent.high[k] - extent.low[k]);
    const double duration = t->scene->duration, size = sqrt(size2) + 30 * def->spacing;
    const double fall = tl_vec3_length(tl_vec3_of(def->gravity)) * duration;
    const double drop = sqrt(2 * tl_vec3_length(tl_vec3_of(def->gravity)) * size);
    t->speed = thrown + fmin(fall, drop) + 40 * def->spacing / duration +
               2 * M_PI * 4 * size / duration * 0.4;
}

/* ---- Running -----------------------------------------------------------------------------------
 */

static double processor_time(void) { return (double)clock() / CLOCKS_PER_SEC; }

static bool is_beyond(const trial *t, const limits *l, double began) {
    return (l->steps > 0 && tl_world_steps(t->world) >= l->steps) ||
           (l->seconds > 0 && processor_time() - began > l->seconds);
}

static void describe_crawl(trial *t) {
    const tl_world_state *s = &t->world->state;
    say(t->out, CRAWLED,
        "at %.3g of the duration after %.0f steps (%.0f refused); the last was %.3g s and moved "
        "matter by %.3g spacings at most%s%s",
        t->out->reached, s->steps, s->rejected, s->dt, s->dt * s->max_speed / t->world->def.spacing,
        t->world->refusal[0] ? ": " : "", t->world->refusal);
}

/* From frame to frame, as a run does. */
static void run(trial *t, const limits *l) {
    const double duration = t->scene->duration, rate = t->scene->frame_rate,
                 began = processor_time();
    tl_error error = {0};
    uint64_t looked = 0;
    for (double frame = 1; tl_world_time(t->world) < duration; frame++) {
        const double stop = fmin(frame / rate, duration);
        tl_world_set_stop(t->world, stop);
        while (tl_world_time(t->world) < stop) {
            if (tl_world_step(t->world, NULL, &error) != TL_OK) {
                say(t->out, FAILED, "%s: %s (%s)", tl_status_name(error.status), error.what,
                    error.where);
                return;
            }
            if (tl_world_steps(t->world) >= looked + LOOK_EVERY) {
                looked = tl_world_steps(t->world);
                look(t);
            }
            t->out->reached = tl_world_time(t->world) / duration;
            if (is_beyond(t, l, began)) {
                describe_crawl(t);
                return;
            }
        }
        look(t);
        look_at_books(t);
    }
}

static void add_warnings(trial *t) {
    tl_warning warnings[TL_MOST_WARNINGS];
    const size_t count = tl_world_warnings(t->world, warnings, TL_MOST_WARNINGS);
    char all[400] = "";
    for (size_t k = 0, at = 0; k < count && at < sizeof all; k++)
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s %.3g", k ? ", " : "",
                               warnings[k].code, warnings[k].worst);
    if (count > 0)
        say(t->out, SAID, "%s", all);
}

static void judge_world(trial *t, const limits *l) {
    static const char *const schemes[] = {"automatic",   "coupled",  "split",
                                          "incremental", "explicit", "none"};
    tl_ledger ledger;
    tl_world_ledger(t->world, &ledger);
    t->mass = ledger.mass;
    t->out->scheme = t->world->def.thermal_particles ? "bonds" : schemes[t->world->def.flow.scheme];
    t->out->particles = tl_world_count(t->world);
    find_temperatures(t);
    find_speeds(t);
    run(t, l);
    if (t->out->verdict == FINE)
        look_for_clumps(t);
    add_warnings(t);
    t->out->steps = tl_world_steps(t->world);
    t->out->rejected = (uint64_t)t->world->state.rejected;
    t->out->particles =
        t->out->particles > tl_world_count(t->world) ? t->out->particles : tl_world_count(t->world);
}

judgement judge(const char *text, size_t size, const char *name, const limits *l) {
    judgement out = {.scheme = "-"};
    trial t = {.out = &out};
    tl_error error = {0};
    const tl_world_options one = {.threads = 1};
    if (tl_scene_load_memory(text, size, name, NULL, &t.scene, &error) != TL_OK)
        say(&out, INVALID, "%s: %s", error.where, error.what);
    else if (tl_world_create(t.scene, &one, &t.world, &error) != TL_OK)
        say(&out, error.status == TL_BAD_INPUT ? INVALID : FAILED, "%s: %s", error.where,
            error.what);
    else
        judge_world(&t, l);
    tl_world_destroy(t.world);
    tl_scene_destroy(t.scene);
    return out;
}
