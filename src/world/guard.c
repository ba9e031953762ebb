/* See guard.h. */
#include "world/guard.h"

#include "base/log.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>

/* Steps between two looks at energies and walls: these take time for each particle. */
enum { LOOK_EVERY = 100 };

/* Fewer steps, crowded or refused ones, or particles beside walls or at surfaces tell nothing. */
static const double least_steps = 20, least_crowded = 20, least_rejected = 10, least_near = 50;
static const double least_surface = 50;

/* ---- Rules -------------------------------------------------------------------------------------
 */

static double part_of(double some, double all) { return all > 0 ? some / all : 0; }

double tl_guard_value(tl_guard_rule rule, const tl_guard_view *v) {
    switch (rule) {
    case TL_GUARD_CROWDING: return v->crowded < least_crowded ? 0 : part_of(v->crowded, v->steps);
    case TL_GUARD_ENERGY: return v->moved < v->slight ? 0 : part_of(v->unexplained, v->moved);
    case TL_GUARD_WALLS: return v->near_wall < least_near ? 0 : part_of(v->too_near, v->near_wall);
    case TL_GUARD_REFUSALS:
        return v->steps < least_steps || v->rejected < least_rejected
                   ? 0
                   : part_of(v->rejected, v->steps + v->rejected);
    case TL_GUARD_SURFACE:
        return v->at_surface < least_surface ? 0 : part_of(v->lost, v->at_surface);
    case TL_GUARD_RULES: break;
    }
    return 0;
}

/* The edge of a flat drop on a plate is thin by right: a twentieth of its surface. */
double tl_guard_limit(tl_guard_rule rule) {
    return rule == TL_GUARD_SURFACE ? 0.15 : rule == TL_GUARD_REFUSALS ? 0.1 : 0.05;
}

static const char *const codes[TL_GUARD_RULES] = {"crowding", "energy", "walls", "refusals",
                                                  "surface"};

/* With the number in per cent. */
static void print_message(tl_guard_rule rule, double value, char *out, size_t size) {
    const double part = 100 * value;
    switch (rule) {
    case TL_GUARD_CROWDING:
        snprintf(out, size,
                 "in %.3g %% of the steps matter is compressed by a tenth or more; shorter "
                 "steps may help (flow.motion, flow.max_step)",
                 part);
        break;
    case TL_GUARD_ENERGY:
        snprintf(
            out, size,
            "%.3g %% of the energy that was moved is unexplained, or given by numerical terms; "
            "shorter steps or a smaller spacing may help",
            part);
        break;
    case TL_GUARD_WALLS:
        snprintf(out, size,
                 "%.3g %% of the particles beside walls and rigid bodies stand nearer than %g "
                 "spacings; shorter steps or a smaller spacing may help",
                 part, TL_GUARD_TOO_NEAR);
        break;
    case TL_GUARD_REFUSALS:
        snprintf(out, size,
                 "%.3g %% of the steps were refused, log.txt says why; shorter ones may help "
                 "(flow.motion, flow.max_step, flow.cfl)",
                 part);
        break;
    case TL_GUARD_SURFACE:
        snprintf(
            out, size,
            "%.3g %% of the particles at surfaces with tension are in sheets, threads or edges "
            "of fewer than four spacings, in which it is not known; a smaller spacing helps",
            part);
        break;
    case TL_GUARD_RULES: break;
    }
}

/* ---- What they look at -------------------------------------------------------------------------
 */

/* The exact distance of a linked particle from what it is linked to, m: links know no less than
 * their least. */
static double distance_of(const tl_world *w, const tl_wall_link *link) {
    const tl_vec3 x = tl_vec3_of(tl_position(w) + 3 * (size_t)link->particle);
    tl_vec3 normal;
    if (link->body > 0)
        return tl_shape_distance(&w->rigids.shapes.items[link->body - 1], x, &normal);
    double nearest = HUGE_VAL;
    for (size_t k = 0; k < w->shapes.count; k++)
        nearest = fmin(nearest, tl_shape_distance(&w->shapes.items[k], x, &normal));
    return nearest;
}

/* Part of a full neighbourhood that a layer of matter, one spacing thick, is to itself. */
static const double one_layer = 0.45;

/* How thick the matter around a particle is, in spacings, at most 1: spray, and films that have run
 * out to less than a layer, stand nearer to walls than half a spacing by right. */
static double thickness_of(const tl_world *w, size_t i) {
    const tl_strain *s = &w->solver.strain;
    double full = (double)tl_strain_around(s, i)->full;
    for (uint32_t l = s->link_of[i]; l; l = s->link[l - 1].next)
        full -= (double)s->link[l - 1].fullness;
    if (tl_mirrors_any(&s->mirrors, i))
        full -= (double)s->mirrors.full[i];
    return fmin(full / (3 * w->lattice.moment * one_layer), 1);
}

/* Whether the last step was crowded. Few are: then nobody is asked. */
static bool is_crowded(const tl_world *w) {
    if (!(w->state.density_error >= TL_GUARD_COMPRESSION))
        return false;
    double count = 0;
    for (size_t i = 0; i < w->fields.count; i++)
        count += tl_density(w)[i] >=
                 (1 + TL_GUARD_COMPRESSION) * w->fluids[tl_material_of(w)[i]].rest_density;
    return count >= fmax(3, TL_GUARD_CROWD * (double)w->fields.count);
}

/* Without a solve there are no links, and matter keeps off walls by itself. */
static void look_at_walls(const tl_world *w, tl_guard_view *view) {
    const tl_strain *s = &w->solver.strain;
    if (!w->dynamics->solves || s->particles != w->fields.count)
        return;
    for (size_t k = 0; k < s->link_count; k++) {
        const double reach2 = (double)s->link[k].reach2;
        const double dx = tl_spacing_of(&w->sizes, s->link[k].particle), least_link = 0.21 * dx;
        if (!(s->link[k].fullness > 0) || reach2 > TL_GUARD_NEAR * TL_GUARD_NEAR * dx * dx)
            continue;
        view->near_wall++;
        view->too_near += reach2 < least_link * least_link &&
                          distance_of(w, &s->link[k]) <
                              TL_GUARD_TOO_NEAR * dx * thickness_of(w, s->link[k].particle);
    }
}

/* Numerical damping that has given energy, on the whole, explains nothing. */
static void look_at_energy(tl_world *w, tl_guard_view *view) {
    tl_ledger l;
    tl_world_ledger(w, &l);
    tl_world_state *s = &w->state;
    const double released = s->initial_potential + s->emitted_energy - s->drained_energy +
                            s->returned_energy - l.potential_energy;
    const double exchanged[] = {l.kinetic_energy,   fabs(released),         l.elastic_energy,
                                l.viscous_heat,     fabs(l.wall_work),      fabs(l.emitter_work),
                                l.damping_loss,     fabs(l.softening_work), fabs(l.contact_energy),
                                fabs(l.field_work), fabs(l.tension_work)};
    for (size_t k = 0; k < sizeof exchanged / sizeof *exchanged; k++)
        s->moved_energy = fmax(s->moved_energy, exchanged[k]);
    view->moved = s->moved_energy;
    view->unexplained = fabs(l.energy_error) + fmax(0, -l.numerical_heat);
    /* What lifts all matter by a spacing, or moves it so far in the time that has passed. */
    const double speed = s->time > 0 ? w->def.spacing / s->time : 0;
    const double lift = tl_vec3_length(tl_world_mean_force(w)) * w->def.spacing;
    view->slight = l.mass * (lift + 0.5 * speed * speed);
}

/* ---- Watching ----------------------------------------------------------------------------------
 */

/* Where the state keeps a rule's first time, worst value and count. */
static double *memory_of(tl_world_state *s, tl_guard_rule rule) {
    double *const all[TL_GUARD_RULES] = {s->warned_crowding, s->warned_energy, s->warned_walls,
                                         s->warned_refusals, s->warned_surface};
    return all[rule];
}

static void apply(tl_world *w, tl_guard_rule rule, const tl_guard_view *view) {
    double *memory = memory_of(&w->state, rule);
    const double value = tl_guard_value(rule, view);
    if (!(value > tl_guard_limit(rule)))
        return;
    memory[1] = fmax(memory[1], value);
    if (memory[2]++ > 0)
        return;
    memory[0] = w->state.time;
    char message[sizeof(((tl_warning *)0)->message)];
    print_message(rule, value, message, sizeof message);
    tl_log_message(&w->log, TL_LOG_WARNING, "%s at %.4g s: %s", codes[rule], w->state.time,
                   message);
}

void tl_world_watch(tl_world *w) {
    tl_world_state *s = &w->state;
    if (!w->dynamics->moves)
        return;
    s->crowded_steps += is_crowded(w);
    tl_guard_view view = {.steps = s->steps, .rejected = s->rejected, .crowded = s->crowded_steps};
    apply(w, TL_GUARD_CROWDING, &view);
    apply(w, TL_GUARD_REFUSALS, &view);
    if (fmod(s->steps, LOOK_EVERY) != 0 && s->time != w->stop)
        return;
    look_at_energy(w, &view);
    look_at_walls(w, &view);
    apply(w, TL_GUARD_ENERGY, &view);
    tl_world_count_surface(w, &view.at_surface, &view.lost);
    apply(w, TL_GUARD_WALLS, &view);
    apply(w, TL_GUARD_SURFACE, &view);
}

size_t tl_world_warnings(const tl_world *w, tl_warning *out, size_t room) {
    tl_world_state state = w->state;
    size_t count = 0;
    for (int rule = 0; rule < TL_GUARD_RULES; rule++) {
        const double *memory = memory_of(&state, (tl_guard_rule)rule);
        if (!(memory[2] > 0))
            continue;
        if (count < room) {
            tl_warning *warning = &out[count];
            *warning = (tl_warning){.first_time = memory[0],
                                    .worst = memory[1],
                                    .limit = tl_guard_limit((tl_guard_rule)rule),
                                    .count = (uint64_t)memory[2]};
            snprintf(warning->code, sizeof warning->code, "%s", codes[rule]);
            print_message((tl_guard_rule)rule, memory[1], warning->message,
                          sizeof warning->message);
        }
        count++;
    }
    return count;
}
