/* See shine.h. */
#include "render/shine.h"

#include "math/exponential.h"
#include "math/pi.h"

/* An ordered dither over 4 × 4 pixels. */
static void set_turns(tl_air *air) {
    static const unsigned char order[TL_TURNS][TL_TURNS] = {
        {15, 7, 13, 5}, {3, 11, 1, 9}, {12, 4, 14, 6}, {0, 8, 2, 10}};
    for (int y = 0; y < TL_TURNS; y++)
        for (int x = 0; x < TL_TURNS_WIDE; x++) {
            const double angle = 2 * TL_PI * order[y][x % TL_TURNS] / (TL_TURNS * TL_TURNS);
            air->turns[0][y][x] = (float)cos(angle), air->turns[1][y][x] = (float)sin(angle);
        }
}

/* The light that a floor throws up, where what is looked at stands on it, without shadows. */
static tl_float3 light_of_floor(const tl_air *air, const tl_view_plane *floor) {
    const tl_float3 focus = {0, 0, air->view->focus};
    const float above = tl_float3_dot(floor->normal, focus) - floor->offset;
    const tl_wide3 normal = tl_wide3_splat(floor->normal);
    const tl_wide3 point = tl_wide3_splat(tl_float3_mad(focus, -above, floor->normal));
    tl_wide3 sum = tl_wide3_splat(air->sky), light;
    float out[3][TL_LANES];
    for (size_t i = 0; i < air->lamps.count; i++) {
        const tl_wide3 l = tl_lamp_towards(&air->lamps.items[i], point, &light);
        sum = tl_wide3_mad(sum, tl_positive(tl_wide3_dot(normal, l)), light);
    }
    tl_wide3_store(out, tl_wide3_times(sum, tl_wide3_splat(floor->colour)));
    return (tl_float3){out[0][0], out[1][0], out[2][0]};
}

/* What is mirrored below the horizon: the first floor without end, or the earth. */
static tl_float3 ground_of(const tl_air *air) {
    const tl_view *view = air->view;
    for (size_t i = 0; i < view->plane_count; i++)
        if (view->planes[i].endless && tl_float3_dot(view->planes[i].normal, air->up) > 0.7f)
            return light_of_floor(air, &view->planes[i]);
    return air->earth;
}

tl_status tl_air_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                      tl_air *out, tl_error *error) {
    const tl_preview_scene *scene = view->skin->scene;
    const tl_vec3 z = {0, 0, 1};
    const tl_float3 sky = {0.40f, 0.45f, 0.54f}, earth = {0.22f, 0.20f, 0.19f};
    *out = (tl_air){.view = view, .up = tl_float3_of(tl_view_turn(view, z))};
    out->sky = tl_float3_scale(sky, scene->daylight);
    out->earth = tl_float3_scale(earth, scene->daylight);
    out->horizon = tl_float3_scale(tl_linear(scene->background_bottom), scene->daylight);
    set_turns(out);
    TL_TRY(tl_lamps_make(parallel, arena, view, &out->lamps, error));
    out->ground = ground_of(out);
    return TL_OK;
}

/* Light from a direction, where nothing is: the ground, which fades into a bright band over the
 * horizon, and a soft white light above: what gloss is seen by. */
static tl_wide3 sky_at(const tl_air *air, tl_wide3 direction) {
    const tl_wide height = tl_wide3_dot(direction, tl_wide3_splat(air->up));
    const tl_wide3 low = tl_wide3_mix(tl_wide3_splat(air->ground), tl_wide3_splat(air->horizon),
                                      tl_wide_smoothstep(-0.4f, 0.1f, height));
    return tl_wide3_mix(low, tl_wide3_splat(air->sky), tl_wide_smoothstep(0.1f, 0.75f, height));
}

/* Light of the sky on a surface. */
static tl_wide3 sky_on(const tl_air *air, const tl_surfaces *s) {
    const tl_wide upward = 0.5f + 0.5f * tl_wide3_dot(s->normal, tl_wide3_splat(air->up));
    return tl_wide3_scale(
        tl_wide3_mix(tl_wide3_splat(air->earth), tl_wide3_splat(air->sky), upward), s->open);
}

/* D V of GGX, times π: the light of a lamp is given as a white sheet would show it. */
static tl_wide ggx(tl_wide nh, tl_wide nl, tl_wide nv, tl_wide alpha) {
    const tl_wide a2 = alpha * alpha, d = nh * nh * (a2 - 1) + 1;
    const tl_wide v = nl * (nv * (1 - alpha) + alpha) + nv * (nl * (1 - alpha) + alpha);
    return 0.5f * a2 / (d * d * tl_max(v, tl_splat(1e-4f)));
}

typedef struct facing {
    tl_wide3 toward; /* towards the eye */
    tl_wide nv, alpha;
    tl_wide3 straight; /* reflection at right angles */
} facing;

static tl_wide3 fresnel(tl_wide3 straight, tl_wide cosine) {
    const tl_wide one = tl_splat(1), t = 1 - tl_wide_part(cosine), square = t * t;
    return tl_wide3_mix(straight, (tl_wide3){one, one, one}, square * square * t);
}

/* How far each colour goes: what comes from deep inside has more of the matter's own. */
static tl_wide3 length_of(const tl_surfaces *s, const tl_substances *m) {
    const tl_float3 some = {0.35f, 0.35f, 0.35f};
    return tl_wide3_scale(tl_wide3_add(s->colour, tl_wide3_splat(some)), m->translucency);
}

/* The part of the light that walls let through. */
static tl_wide past_walls(const tl_air *air, const tl_lamp *lamp, const tl_surfaces *s) {
    const tl_shadow_map *walls = &air->view->shadows;
    float at[3][TL_LANES], lit[TL_LANES];
    if (!lamp->is_key || !walls->size)
        return tl_splat(1);
    tl_wide3_store(at, tl_wide3_mad(s->position, tl_splat(walls->bias), s->normal));
    for (int l = 0; l < TL_LANES; l++)
        lit[l] = tl_shadow_light(walls, (tl_float3){at[0][l], at[1][l], at[2][l]});
    return tl_load(lit);
}

/* A light of some size: corners see less of it. */
static tl_wide plain_light(const tl_surfaces *s, tl_wide nl) {
    return tl_positive(nl) * (0.7f + 0.3f * s->open);
}

/* The light of a lamp on matter; *direct is what falls straight on it. Wax lets light in and out at
 * places that are not the same: its shading is softer, and its back is lit through it. */
static tl_wide3 enter(const tl_lamp *lamp, const tl_surfaces *s, const tl_substances *m, tl_wide nl,
                      tl_wide lit, tl_wide *direct) {
    const tl_wide none = tl_splat(0);
    tl_wide3 through;
    const tl_wide reached = tl_lamp_enters(lamp, s->position, 0.35f * lamp->grain * nl,
                                           length_of(s, m), s->turn, &through);
    *direct = tl_select_less(none, nl, lit * reached, none);
    const tl_wide plain = *direct * plain_light(s, nl);
    through = tl_wide3_scale(through, lit * (1 + 0.6f * nl) * (1 / 1.6f));
    return tl_wide3_mix((tl_wide3){plain, plain, plain}, through,
                        tl_select_less(none, m->translucency, tl_splat(0.6f), none));
}

/* The light of a lamp on what is no matter. */
static tl_wide reach(const tl_lamp *lamp, const tl_surfaces *s) {
    return tl_lamp_reaches(
        lamp, tl_wide3_mad(s->position, tl_splat(0.35f * lamp->grain), s->normal), s->turn);
}

static void add_lamp(const tl_air *air, const tl_lamp *lamp, const tl_surfaces *s,
                     const tl_substances *m, const facing *f, tl_shines *out) {
    const tl_wide none = tl_splat(0);
    tl_wide3 light, diffuse;
    const tl_wide3 l = tl_lamp_towards(lamp, s->position, &light);
    const tl_wide nl = tl_wide3_dot(s->normal, l);
    tl_wide direct;
    if (!tl_mask_less(none, m->is_matter ? tl_max(nl, m->translucency) : nl))
        return;
    const tl_wide lit = past_walls(air, lamp, s);
    if (m->is_matter) {
        diffuse = enter(lamp, s, m, nl, lit, &direct);
    } else {
        direct = tl_select_less(none, nl, lit * reach(lamp, s), none);
        const tl_wide plain = direct * plain_light(s, nl);
        diffuse = (tl_wide3){plain, plain, plain};
    }
    out->body = tl_wide3_add(out->body, tl_wide3_times(light, diffuse));
    if (!tl_mask_less(none, direct))
        return;
    const tl_wide3 h = tl_wide3_unit(tl_wide3_add(f->toward, l));
    const tl_wide nh = tl_wide_part(tl_wide3_dot(s->normal, h)), front = tl_positive(nl);
    const tl_wide shine = ggx(nh, front, f->nv, f->alpha) * front * direct;
    const tl_wide3 back = fresnel(f->straight, tl_wide3_dot(h, l));
    /* A mirror of a lamp is blinding; a picture shows no more than some times white. */
    out->mirror =
        tl_wide3_mad(out->mirror, tl_min(shine, tl_splat(12)), tl_wide3_times(back, light));
}

/* The sky as a rough surface mirrors it (Karis 2014, after Lazarov 2013). */
static tl_wide3 mirror_sky(const tl_air *air, const tl_surfaces *s, const facing *f,
                           tl_wide roughness, tl_wide *thrown) {
    const tl_wide smooth = 1 - roughness, edge = tl_exp(-6.4324059f * f->nv); /* 2^(-9.28 nv) */
    const tl_wide a = tl_min(smooth * smooth, edge) * smooth + 0.0425f - 0.0275f * roughness;
    const tl_wide scale = -1.04f * a + 1.04f - 0.572f * roughness;
    const tl_wide offset = 1.04f * a + 0.022f * roughness - 0.04f;
    const tl_wide nv = 2 * tl_wide3_dot(s->normal, f->toward);
    const tl_wide3 r = tl_wide3_sub(tl_wide3_scale(s->normal, nv), f->toward);
    const tl_wide3 blurred = tl_wide3_unit(tl_wide3_mix(r, s->normal, roughness * roughness));
    const tl_wide3 part = {tl_positive(f->straight.x * scale + offset),
                           tl_positive(f->straight.y * scale + offset),
                           tl_positive(f->straight.z * scale + offset)};
    *thrown = part.y;
    return tl_wide3_scale(tl_wide3_times(sky_at(air, blurred), part), s->open);
}

tl_wide3 tl_shine_matte(const tl_air *air, const tl_surfaces *s) {
    const tl_wide none = tl_splat(0);
    tl_wide3 sum = sky_on(air, s);
    for (size_t i = 0; i < air->lamps.count; i++) {
        const tl_lamp *lamp = &air->lamps.items[i];
        tl_wide3 light;
        const tl_wide3 l = tl_lamp_towards(lamp, s->position, &light);
        const tl_wide nl = tl_wide3_dot(s->normal, l);
        if (!tl_mask_less(none, nl))
            continue;
        const tl_wide lit = plain_light(s, nl) * past_walls(air, lamp, s) * reach(lamp, s);
        sum = tl_wide3_mad(sum, lit, light);
    }
    return tl_wide3_times(sum, s->colour);
}

tl_shines tl_shine_at(const tl_air *air, const tl_surfaces *s, const tl_substances *m) {
    facing f = {.alpha = tl_max(m->roughness * m->roughness, tl_splat(0.03f))};
    f.toward = tl_wide3_unit(tl_wide3_scale(s->position, tl_splat(-1)));
    f.nv = tl_max(tl_wide3_dot(s->normal, f.toward), tl_splat(0.02f));
    f.straight =
        tl_wide3_mix((tl_wide3){m->reflection, m->reflection, m->reflection}, s->colour, m->metal);
    tl_shines out = {.body = sky_on(air, s)};
    out.mirror = mirror_sky(air, s, &f, m->roughness, &out.thrown);
    for (size_t i = 0; i < air->lamps.count; i++)
        add_lamp(air, &air->lamps.items[i], s, m, &f, &out);
    out.body =
        tl_wide3_scale(tl_wide3_times(out.body, s->colour), (1 - m->metal) * (1 - out.thrown));
    return out;
}
