/* See scatter.h. */
#include "trace/scatter.h"

static float largest(tl_float3 a) { return fmaxf(a.x, fmaxf(a.y, a.z)); }

static tl_float3 grey(float x) { return (tl_float3){x, x, x}; }

static tl_float3 metal_fresnel(tl_float3 colour, float cosine) {
    return (tl_float3){tl_fresnel_metal(cosine, colour.x), tl_fresnel_metal(cosine, colour.y),
                       tl_fresnel_metal(cosine, colour.z)};
}

tl_scatter tl_scatter_make(const tl_substance *m, tl_float3 colour, tl_float3 out, int side,
                           float choice) {
    tl_scatter s = {.substance = m, .side = side, .colour = colour, .out = out};
    s.kind = choice < m->metal                                 ? TL_SCATTER_METAL
             : choice < m->metal + (1 - m->metal) * m->clarity ? TL_SCATTER_CLEAR
                                                               : TL_SCATTER_BODY;
    if (side == 1)
        s.kind = TL_SCATTER_CLEAR; /* or the light would not be here */
    s.boundary = tl_substance_reflects(m, side, out.z);
    const float rest = 1 - s.boundary;
    if (s.kind == TL_SCATTER_METAL)
        s.choice = 1;
    else
        s.choice = s.boundary / (s.boundary + rest * fmaxf(largest(colour), 0.05f) + 1e-6f);
    return s;
}

tl_scatter tl_scatter_leaving(const tl_substance *m) {
    return (tl_scatter){
        .substance = m, .kind = TL_SCATTER_LEAVES, .colour = {1, 1, 1}, .out = {0, 0, 1}};
}

/* The body's share of light that comes or goes at a cosine. */
static float leaves(const tl_substance *m, float cosine) {
    return (1 - tl_substance_reflects(m, 0, cosine)) / (1 - m->mean_reflected);
}

/* 1 / what facets of clear matter do not lose. */
static float clear_gain(const tl_scatter *s) {
    const tl_substance *m = s->substance;
    if (m->alpha == 0 || s->kind != TL_SCATTER_CLEAR)
        return 1;
    return 1 / fmaxf(tl_albedo_at(&m->whole[s->side], s->out.z), 0.1f);
}

static float boundary_fresnel(const tl_scatter *s, float cosine) {
    return tl_fresnel(cosine, s->side ? 1 / s->substance->index : s->substance->index);
}

/* F of the facet, with what is given back for the light that facets lose. */
static tl_float3 boundary_colour(const tl_scatter *s, float cosine) {
    const tl_substance *m = s->substance;
    if (s->kind != TL_SCATTER_METAL)
        return grey(clear_gain(s) * boundary_fresnel(s, cosine));
    const tl_float3 f = metal_fresnel(s->colour, cosine);
    if (m->alpha == 0)
        return f;
    const float lost = 1 / fmaxf(tl_albedo_at(&m->mirror, s->out.z), 0.1f) - 1;
    return tl_float3_times(f, tl_float3_mad((tl_float3){1, 1, 1}, lost, s->colour));
}

static tl_float3 facets_value(const tl_scatter *s, tl_float3 in, float *density) {
    const float alpha = s->substance->alpha;
    const tl_float3 h = tl_float3_unit(tl_float3_add(s->out, in));
    const float lambda = tl_facet_lambda(s->out, alpha);
    const float d = tl_facet_density(h, alpha) / (4 * s->out.z);
    const float cosine = tl_float3_dot(s->out, h);
    const float chance = s->kind == TL_SCATTER_CLEAR ? boundary_fresnel(s, cosine) : s->choice;
    *density = chance * d / (1 + lambda);
    return tl_float3_scale(boundary_colour(s, cosine),
                           d / (1 + lambda + tl_facet_lambda(in, alpha)));
}

/* The body at one point: opaque matter, or light that comes out. */
static tl_float3 body_value(const tl_scatter *s, tl_float3 in, float *density) {
    const float enters = s->kind == TL_SCATTER_LEAVES ? 1 : 1 - s->boundary;
    *density = in.z / TL_PI_F;
    return tl_float3_scale(s->colour, enters * leaves(s->substance, in.z) * in.z / TL_PI_F);
}

static bool is_opaque(const tl_scatter *s) {
    return s->kind == TL_SCATTER_LEAVES || (s->kind == TL_SCATTER_BODY && s->substance->path <= 0);
}

tl_float3 tl_scatter_value(const tl_scatter *s, tl_float3 in, float *density) {
    tl_float3 value = {0, 0, 0};
    *density = 0;
    if (!(in.z > 0) || !(s->out.z > 0))
        return value;
    if (s->kind != TL_SCATTER_LEAVES && s->substance->alpha > 0) {
        float d;
        value = facets_value(s, in, &d);
        *density += d;
    }
    if (is_opaque(s)) {
        float d;
        value = tl_float3_add(value, body_value(s, in, &d));
        *density += (1 - s->choice) * d;
    }
    return value;
}

static bool reflect(const tl_scatter *s, tl_float2 u, tl_scattered *r) {
    const float alpha = s->substance->alpha;
    r->way = TL_WAY_REFLECTED;
    if (alpha == 0) {
        r->in = (tl_float3){-s->out.x, -s->out.y, s->out.z};
        r->weight = tl_float3_scale(boundary_colour(s, s->out.z), 1 / s->choice);
        r->density = 0;
        return true;
    }
    r->in = tl_reflect(s->out, tl_facet_sample(s->out, alpha, u));
    if (!(r->in.z > 0))
        return false;
    const tl_float3 value = tl_scatter_value(s, r->in, &r->density);
    r->weight = tl_float3_scale(value, 1 / r->density);
    return true;
}

/* Clear matter: a facet reflects or lets pass, by its own angle. */
static bool meet_facet(const tl_scatter *s, float choice, tl_float2 u, tl_scattered *r) {
    const tl_substance *m = s->substance;
    const float eta = s->side ? 1 / m->index : m->index, lambda = tl_facet_lambda(s->out, m->alpha);
    const bool is_smooth = m->alpha == 0;
    const tl_float3 h = is_smooth ? (tl_float3){0, 0, 1} : tl_facet_sample(s->out, m->alpha, u);
    const bool passes = choice >= tl_fresnel(tl_float3_dot(s->out, h), eta);
    r->way = passes ? TL_WAY_PASSED : TL_WAY_REFLECTED;
    r->density = 0;
    if (!passes)
        r->in = tl_reflect(s->out, h);
    else if (!tl_refract(s->out, h, eta, &r->in))
        return false;
    if ((r->in.z < 0) != passes)
        return false;
    const float other = tl_facet_lambda(r->in, m->alpha);
    r->weight = grey(clear_gain(s) / (passes ? 1 + other : 1 + other / (1 + lambda)));
    if (!passes && !is_smooth)
        tl_scatter_value(s, r->in, &r->density);
    return true;
}

bool tl_scatter_sample(const tl_scatter *s, float choice, tl_float2 u, tl_scattered *r) {
    if (s->kind == TL_SCATTER_CLEAR)
        return meet_facet(s, choice, u, r);
    if (choice < s->choice)
        return reflect(s, u, r);
    if (!is_opaque(s)) {
        *r = (tl_scattered){.way = TL_WAY_INTO_BODY,
                            .weight = grey((1 - s->boundary) / (1 - s->choice))};
        return true;
    }
    r->way = TL_WAY_REFLECTED;
    r->in = tl_cosine_sample(u);
    const tl_float3 value = tl_scatter_value(s, r->in, &r->density);
    r->weight = tl_float3_scale(value, 1 / r->density);
    return true;
}
