/* A hand in a steered world. What it holds is marked, particle by particle, and follows it as one:
 * all is accelerated alike, but for less at the edge, by a spring between the middle of what is
 * held and the hand that is damped critically,
 *
 *   a = (p + d - x) / τ² - 2 v / τ - g,     |a| at most its strength,
 *
 * with the middle x of what is held, its velocity v, the hand's place p and d = x - p when it took
 * hold. τ is a twentieth of a second, or more where steps are long: a step sees the force of its
 * start. */
#include "world/state.h"

#include <math.h>
#include <string.h>

static const tl_field_desc field_caught = {
    "caught", TL_U8, 1, "", "How firmly a hand holds it, to 255", TL_FIELD_SAVED};

/* s: how fast things follow; and at least so many steps. */
static const double quickest = 0.05, steps_to_follow = 4;

tl_status tl_world_declare_hand(tl_world *w, tl_error *error) {
    if (!w->is_steered)
        return TL_OK;
    TL_TRY(tl_world_want_body_force(w, error));
    w->handle.caught = tl_fields_declare(&w->fields, &field_caught);
    return w->handle.caught < 0 ? tl_fail_memory(error, w->fields.count, 1) : TL_OK;
}

static uint8_t *caught(const tl_world *w) { return tl_field_data(&w->fields, w->handle.caught); }

/* The middle of what is held and its velocity, by mass and firmness. False when there is nothing.
 */
static bool find_middle(const tl_world *w, tl_vec3 *place, tl_vec3 *velocity) {
    double mass = 0;
    *place = *velocity = (tl_vec3){0};
    for (size_t i = 0; i < w->fields.count; i++) {
        if (!caught(w)[i])
            continue;
        const double part = (double)tl_mass(w)[i] * caught(w)[i];
        mass += part;
        *place = tl_vec3_mad(*place, part, tl_vec3_of(tl_position(w) + 3 * i));
        *velocity = tl_vec3_mad(*velocity, part, tl_vec3_of(tl_velocity(w) + 3 * i));
    }
    if (!(mass > 0))
        return false;
    *place = tl_vec3_scale(*place, 1 / mass);
    *velocity = tl_vec3_scale(*velocity, 1 / mass);
    return true;
}

static tl_status check(const tl_world *w, const double place[3], tl_error *error) {
    if (!w->is_steered)
        return tl_fail(error, TL_BAD_INPUT, "world",
                       "set steered in the options when the world is made",
                       "no hand is let into this world");
    if (!tl_vec3_finite(tl_vec3_of(place)))
        return tl_fail(error, TL_BAD_INPUT, "hand", "give a place in m",
                       "the hand is to be at (%g, %g, %g) m", place[0], place[1], place[2]);
    return TL_OK;
}

tl_status tl_world_grip(tl_world *w, const double place[3], double radius, double strength,
                        size_t *count, tl_error *error) {
    TL_TRY(check(w, place, error));
    if (!(radius > 0) || !isfinite(radius) || !(strength >= 0) || !isfinite(strength))
        return tl_fail(error, TL_BAD_INPUT, "hand", "give a radius in m and a strength in m/s²",
                       "a hand with a radius of %g m and a strength of %g m/s²", radius, strength);
    size_t held = 0;
    for (size_t i = 0; i < w->fields.count; i++) {
        const tl_vec3 way = tl_vec3_sub(tl_vec3_of(tl_position(w) + 3 * i), tl_vec3_of(place));
        const double q = tl_vec3_length(way) / radius;
        caught(w)[i] = q < 1 ? (uint8_t)ceil(255 * (1 - q * q)) : 0;
        held += caught(w)[i] > 0;
    }
    tl_vec3 middle, velocity;
    w->steered.holds = find_middle(w, &middle, &velocity);
    w->steered.strength = strength;
    memcpy(w->steered.place, place, sizeof w->steered.place);
    middle = w->steered.holds ? tl_vec3_sub(middle, tl_vec3_of(place)) : (tl_vec3){0};
    memcpy(w->steered.offset, (double[]){middle.x, middle.y, middle.z}, sizeof w->steered.offset);
    if (count)
        *count = held;
    return TL_OK;
}

tl_status tl_world_carry(tl_world *w, const double place[3], tl_error *error) {
    TL_TRY(check(w, place, error));
    memcpy(w->steered.place, place, sizeof w->steered.place);
    return TL_OK;
}

void tl_world_let_go(tl_world *w) {
    if (!w->is_steered || !w->steered.holds)
        return;
    memset(caught(w), 0, w->fields.count);
    w->steered.holds = 0;
}

static tl_vec3 pull_of(const tl_world *w, tl_vec3 middle, tl_vec3 velocity) {
    const tl_steered *s = &w->steered;
    const double follow = fmax(quickest, steps_to_follow * w->state.dt);
    const tl_vec3 target = tl_vec3_add(tl_vec3_of(s->place), tl_vec3_of(s->offset));
    tl_vec3 a = tl_vec3_scale(tl_vec3_sub(target, middle), 1 / (follow * follow));
    a = tl_vec3_mad(a, -2 / follow, velocity);
    a = tl_vec3_mad(a, -1, tl_vec3_of(w->def.gravity));
    const double size = tl_vec3_length(a);
    return size > s->strength ? tl_vec3_scale(a, s->strength / size) : a;
}

void tl_world_use_hand(tl_world *w) {
    if (!w->is_steered)
        return;
    float *force = tl_field_data(&w->fields, w->handle.body_force);
    tl_vec3 middle, velocity, pull = {0};
    if (w->steered.holds && find_middle(w, &middle, &velocity))
        pull = pull_of(w, middle, velocity);
    for (size_t i = 0; i < w->fields.count; i++) {
        const double part = caught(w)[i] / 255.0;
        force[3 * i] = (float)(part * pull.x);
        force[3 * i + 1] = (float)(part * pull.y);
        force[3 * i + 2] = (float)(part * pull.z);
    }
}
