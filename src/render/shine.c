/* See shine.h. */
#include "render/shine.h"

tl_status tl_air_make(const tl_parallel *parallel, tl_arena *arena, const tl_view *view,
                      tl_air *out, tl_error *error) {
    const tl_preview_scene *scene = view->skin->scene;
    const tl_vec3 z = {0, 0, 1};
    const tl_float3 sky = {0.40f, 0.45f, 0.54f}, earth = {0.22f, 0.20f, 0.19f};
    *out = (tl_air){.view = view, .up = tl_float3_of(tl_view_turn(view, z))};
    out->sky = tl_float3_scale(sky, scene->daylight);
    out->earth = tl_float3_scale(earth, scene->daylight);
    out->horizon = tl_float3_scale(tl_linear(scene->background_bottom), scene->daylight);
    for (int k = 0; k < TL_TURNS; k++) {
        const double angle = 2 * M_PI * k / TL_TURNS;
        out->turns[k][0] = (float)cos(angle), out->turns[k][1] = (float)sin(angle);
    }
    return tl_lamps_make(parallel, arena, view, &out->lamps, error);
}

/* A bright band lies over the horizon, and a soft white light above: what gloss is seen by. */
tl_float3 tl_air_sky(const tl_air *air, tl_float3 direction) {
    const float height = tl_float3_dot(direction, air->up);
    const tl_float3 low =
        tl_float3_mix(air->earth, air->horizon, tl_smoothstep(-0.15f, 0.1f, height));
    return tl_float3_mix(low, air->sky, tl_smoothstep(0.1f, 0.75f, height));
}

static float fifth(float x) { return x * x * x * x * x; }

/* D V of GGX, times π: the light of a lamp is given as a white sheet would show it. */
static float ggx(float nh, float nl, float nv, float alpha) {
    const float a2 = alpha * alpha, d = nh * nh * (a2 - 1) + 1;
    const float v = nl * (nv * (1 - alpha) + alpha) + nv * (nl * (1 - alpha) + alpha);
    return a2 / (d * d) * 0.5f / fmaxf(v, 1e-4f);
}

typedef struct facing {
    tl_float3 n, toward; /* towards the eye */
    float nv, alpha;
    tl_float3 straight; /* reflection at right angles */
    const float *turn;  /* see lamp.h */
} facing;

static tl_float3 fresnel(tl_float3 straight, float cosine) {
    const tl_float3 white = {1, 1, 1};
    return tl_float3_mix(straight, white, fifth(1 - tl_clamp01(cosine)));
}

/* How far each colour goes: what comes from deep inside has more of the matter's own. */
static tl_float3 length_of(const tl_substance *s) {
    const tl_float3 some = {0.35f, 0.35f, 0.35f};
    return tl_float3_scale(tl_float3_add(s->colour, some), s->translucency);
}

/* The light of a lamp on matter; *direct is what falls straight on it. Wax lets light in and out at
 * places that are not the same: its shading is softer, and its back is lit through it. */
static tl_float3 enter(const tl_lamp *lamp, const tl_surface *surface, const facing *f,
                       const tl_substance *s, float nl, float lit, float open, float *direct) {
    tl_float3 through;
    *direct = lit * tl_lamp_enters(lamp, surface->position, 0.35f * lamp->grain * nl, length_of(s),
                                   f->turn, &through);
    *direct = nl > 0 ? *direct : 0;
    const float plain = *direct * tl_clamp01(nl) * (0.7f + 0.3f * open);
    const tl_float3 diffuse = {plain, plain, plain};
    if (!(s->translucency > 0))
        return diffuse;
    through = tl_float3_scale(through, lit * (1 + 0.6f * nl) / 1.6f);
    return tl_float3_mix(diffuse, through, 0.6f);
}

static void add_lamp(const tl_air *air, const tl_lamp *lamp, const tl_surface *surface,
                     const facing *f, const tl_substance *s, float open, tl_shine *out) {
    const tl_shadow_map *walls = &air->view->shadows;
    tl_float3 light, diffuse;
    const tl_float3 l = tl_lamp_towards(lamp, surface->position, &light);
    const float nl = tl_float3_dot(f->n, l);
    float lit = 1, direct = 0;
    if (nl <= 0 && !(s->translucency > 0 && s->is_matter))
        return;
    if (lamp->is_key && walls->size)
        lit = tl_shadow_light(walls, tl_float3_mad(surface->position, walls->bias, f->n));
    if (s->is_matter) {
        diffuse = enter(lamp, surface, f, s, nl, lit, open, &direct);
    } else {
        const tl_float3 outside = tl_float3_mad(surface->position, 0.35f * lamp->grain, f->n);
        direct = lit * tl_lamp_reaches(lamp, outside, f->turn);
        const float plain = direct * tl_clamp01(nl) * (0.7f + 0.3f * open);
        diffuse = (tl_float3){plain, plain, plain};
    }
    out->body = tl_float3_add(out->body, tl_float3_times(light, diffuse));
    if (!(direct > 0))
        return;
    const tl_float3 h = tl_float3_unit(tl_float3_add(f->toward, l));
    const float shine = ggx(tl_clamp01(tl_float3_dot(f->n, h)), nl, f->nv, f->alpha) * nl * direct;
    const tl_float3 back = fresnel(f->straight, tl_float3_dot(h, l));
    /* A mirror of a lamp is blinding; a picture shows no more than some times white. */
    out->mirror = tl_float3_mad(out->mirror, fminf(shine, 12), tl_float3_times(back, light));
}

/* The sky as a rough surface mirrors it (Karis 2014, after Lazarov 2013). */
static tl_float3 mirror_sky(const tl_air *air, const facing *f, float roughness, float open,
                            float *thrown) {
    const float smooth = 1 - roughness, edge = exp2f(-9.28f * f->nv);
    const float a = fminf(smooth * smooth, edge) * smooth + 0.0425f - 0.0275f * roughness;
    const float scale = -1.04f * a + 1.04f - 0.572f * roughness;
    const float offset = 1.04f * a + 0.022f * roughness - 0.04f;
    const float nv = 2 * tl_float3_dot(f->n, f->toward);
    const tl_float3 r = tl_float3_sub(tl_float3_scale(f->n, nv), f->toward);
    const tl_float3 blurred = tl_float3_unit(tl_float3_mix(r, f->n, roughness * roughness));
    const tl_float3 part = {fmaxf(f->straight.x * scale + offset, 0),
                            fmaxf(f->straight.y * scale + offset, 0),
                            fmaxf(f->straight.z * scale + offset, 0)};
    *thrown = part.y;
    return tl_float3_scale(tl_float3_times(tl_air_sky(air, blurred), part), open);
}

/* Which of the turns a pixel takes: an ordered dither over 4 × 4 of them. */
static const float *turn_of(const tl_air *air, const tl_surface *s) {
    static const unsigned char order[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const float scale = 1 / (s->depth * air->view->pixel);
    const float x = s->position.x * scale, y = s->position.y * scale;
    if (!(fabsf(x) < 1e6f && fabsf(y) < 1e6f))
        return air->turns[0];
    return air->turns[order[(int)floorf(y) & 3][(int)floorf(x) & 3]];
}

tl_float3 tl_shine_matte(const tl_air *air, const tl_surface *s, tl_float3 colour, float open) {
    const tl_shadow_map *walls = &air->view->shadows;
    const float upward = 0.5f + 0.5f * tl_float3_dot(s->normal, air->up);
    const float *turn = turn_of(air, s);
    tl_float3 sum = tl_float3_scale(tl_float3_mix(air->earth, air->sky, upward), open);
    for (size_t i = 0; i < air->lamps.count; i++) {
        const tl_lamp *lamp = &air->lamps.items[i];
        tl_float3 light;
        const tl_float3 l = tl_lamp_towards(lamp, s->position, &light);
        float lit = tl_float3_dot(s->normal, l) * (0.7f + 0.3f * open);
        if (!(lit > 0))
            continue;
        if (lamp->is_key && walls->size)
            lit *= tl_shadow_light(walls, tl_float3_mad(s->position, walls->bias, s->normal));
        const tl_float3 outside = tl_float3_mad(s->position, 0.35f * lamp->grain, s->normal);
        sum = tl_float3_mad(sum, lit * tl_lamp_reaches(lamp, outside, turn), light);
    }
    return tl_float3_times(sum, colour);
}

tl_shine tl_shine_at(const tl_air *air, const tl_surface *surface, const tl_substance *s,
                     float open) {
    const tl_float3 white = {1, 1, 1}, reflection = tl_float3_scale(white, s->reflection);
    facing f = {.n = surface->normal, .turn = turn_of(air, surface)};
    f.toward = tl_float3_unit(tl_float3_scale(surface->position, -1));
    f.nv = fmaxf(tl_float3_dot(f.n, f.toward), 0.02f);
    f.alpha = fmaxf(s->roughness * s->roughness, 0.03f);
    f.straight = tl_float3_mix(reflection, s->colour, s->metal);
    tl_shine out = {.body = {0, 0, 0}};
    const float upward = 0.5f + 0.5f * tl_float3_dot(f.n, air->up);
    out.body = tl_float3_scale(tl_float3_mix(air->earth, air->sky, upward), open);
    out.mirror = mirror_sky(air, &f, s->roughness, open, &out.thrown);
    for (size_t i = 0; i < air->lamps.count; i++)
        add_lamp(air, &air->lamps.items[i], surface, &f, s, open, &out);
    out.body =
        tl_float3_scale(tl_float3_times(out.body, s->colour), (1 - s->metal) * (1 - out.thrown));
    return out;
}
