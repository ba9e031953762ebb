/* A hand in a steered world. What it holds is marked, particle by particle, with its place in the
 * hand, and is accelerated towards that by a spring that is damped critically,
 *
 *   a = (p + d - x) / τ² - 2 v / τ - g,     |a| at most its strength,
 *
 * with the hand's place p and d = x - p when it took hold; at the edge by less. τ is a twentieth of
 * a second, or more where steps are long: a step sees the force of its start. */
#include "world/state.h"

#include <math.h>
#include <string.h>

static const tl_field_desc field_caught = {
    "caught", TL_U8, 1, "", "How firmly a hand holds it, to 255", TL_FIELD_SAVED};
static const tl_field_desc field_in_hand = {
    "in_hand", TL_F32, 3, "m", "Its place from that of the hand", TL_FIELD_SAVED};

/* s: how fast things follow; and at least so many steps. */
static const double quickest = 0.05, steps_to_follow = 4;

tl_status tl_world_declare_hand(tl_world *w, tl_error *error) {
    if (!w->is_steered)
        return TL_OK;
    TL_TRY(tl_world_want_body_force(w, error));
    w->handle.caught = tl_fields_declare(&w->fields, &field_caught);
    w->handle.in_hand = tl_fields_declare(&w->fields, &field_in_hand);
    return w->handle.caught < 0 || w->handle.in_hand < 0
               ? tl_fail_memory(error, w->fields.count, 13)
               : TL_OK;
}

static uint8_t *caught(const tl_world *w) { return tl_field_data(&w->fields, w->handle.caught); }

static float *in_hand(const tl_world *w) { return tl_field_data(&w->fields, w->handle.in_hand); }

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
        const double q = tl_vec3_length(way) / radius, all[3] = {way.x, way.y, way.z};
        caught(w)[i] = q < 1 ? (uint8_t)ceil(255 * (1 - q * q)) : 0;
        for (size_t k = 0; k < 3; k++)
            in_hand(w)[3 * i + k] = q < 1 ? (float)all[k] : 0;
        held += caught(w)[i] > 0;
    }
    w->steered.holds = held > 0;
    w->steered.strength = strength;
    memcpy(w->steered.place, place, sizeof w->steered.place);
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
    memset(in_hand(w), 0, w->fields.count * 3 * sizeof(float));
    w->steered.holds = 0;
}

/* On particle i, which is held. */
static tl_vec3 pull_on(const tl_world *w, size_t i, double follow) {
    const tl_steered *s = &w->steered;
    const float *d = in_hand(w) + 3 * i;
    const tl_vec3 target = {s->place[0] + (double)d[0], s->place[1] + (double)d[1],
                            s->place[2] + (double)d[2]};
    const tl_vec3 way = tl_vec3_sub(target, tl_vec3_of(tl_position(w) + 3 * i));
    tl_vec3 a = tl_vec3_scale(way, 1 / (follow * follow));
    a = tl_vec3_mad(a, -2 / follow, tl_vec3_of(tl_velocity(w) + 3 * i));
    a = tl_vec3_mad(a, -1, tl_vec3_of(w->def.gravity));
    const double size = tl_vec3_length(a);
    return size > s->strength ? tl_vec3_scale(a, s->strength / size) : a;
}

void tl_world_use_hand(tl_world *w) {
    if (!w->is_steered)
        return;
    float *force = tl_field_data(&w->fields, w->handle.body_force);
    const double follow = fmax(quickest, steps_to_follow * w->state.dt);
    memset(force, 0, w->fields.count * 3 * sizeof *force);
    for (size_t i = 0; w->steered.holds && i < w->fields.count; i++) {
        if (!caught(w)[i])
            continue;
        const tl_vec3 pull = tl_vec3_scale(pull_on(w, i, follow), caught(w)[i] / 255.0);
        force[3 * i] = (float)pull.x;
        force[3 * i + 1] = (float)pull.y;
        force[3 * i + 2] = (float)pull.z;
    }
}
