/* See lamp.h. Here: the light of a lamp at points, as many at a time as there are lanes. */
#include "math/exponential.h"
#include "render/lamp.h"

enum { TAPS = 16, FEW = TAPS / 2 };

/* Vogel's spiral: even over the disc, and so are its first. */
static const float taps[TAPS][2] = {
    {0.177f, 0.000f},   {-0.226f, 0.207f}, {0.035f, -0.394f}, {0.284f, 0.371f},
    {-0.522f, -0.092f}, {0.495f, -0.315f}, {-0.166f, 0.615f}, {-0.315f, -0.608f},
    {0.684f, 0.250f},   {-0.713f, 0.294f}, {0.343f, -0.734f}, {0.254f, 0.809f},
    {-0.764f, -0.444f}, {0.897f, -0.196f}, {-0.548f, 0.779f}, {-0.122f, -0.976f}};

tl_wide3 tl_lamp_towards(const tl_lamp *lamp, tl_wide3 point, tl_wide3 *strength) {
    *strength = tl_wide3_splat(lamp->light);
    if (!lamp->is_near)
        return tl_wide3_splat(lamp->at);
    const tl_wide3 away = tl_wide3_sub(tl_wide3_splat(lamp->at), point);
    const tl_wide square = tl_wide3_dot(away, away) + 1e-30f;
    *strength = tl_wide3_scale(*strength, 1 / (square + lamp->soft * lamp->soft));
    return tl_wide3_scale(away, 1 / tl_sqrt(square));
}

/* Points on a map. */
typedef struct spots {
    const tl_light_map *map;
    tl_wide x, y, depth; /* texels, m */
    tl_wide_int face;    /* its first texel */
    tl_wide texels;      /* a m there */
    tl_wide length;      /* of a way with depth 1 */
    tl_wide least;       /* m, depth of matter around; infinite: the map says nothing, it is lit */
} spots;

/* a[i] where number i is chosen: by `first` < `second` the 0th, else the 1st; but by `third` <
 * `fourth` the 2nd. */
typedef struct choice {
    tl_wide first, second, third, fourth;
} choice;

static tl_wide pick(const choice *c, tl_wide a, tl_wide b, tl_wide otherwise) {
    return tl_select_less(c->third, c->fourth, tl_select_less(c->first, c->second, a, b),
                          otherwise);
}

/* Places on the face of a cube that a point is seen through: that of the axis it is farthest along.
 * v: from the eye, along the axes. Returns the number of the face. */
static tl_wide turn_to_face(tl_wide3 *v) {
    const tl_wide ax = tl_wide_abs(v->x), ay = tl_wide_abs(v->y), az = tl_wide_abs(v->z);
    const choice c = {ay, ax, az, tl_max(ax, ay)};
    const tl_wide along = pick(&c, v->x, v->y, v->z), none = tl_splat(0);
    const tl_wide number = pick(&c, none, tl_splat(2), tl_splat(4));
    const tl_wide3 turned = {pick(&c, v->y, v->z, v->x), pick(&c, v->z, v->x, v->y),
                             tl_wide_abs(along)};
    *v = turned;
    return tl_select_less(along, none, number + 1, number);
}

static tl_wide clamp(tl_wide x, float low, float high) {
    return tl_min(tl_max(x, tl_splat(low)), tl_splat(high));
}

static spots find_spots(const tl_light_map *map, tl_wide3 point) {
    const tl_wide3 from_eye = tl_wide3_sub(point, tl_wide3_splat(map->eye));
    tl_wide3 v = {tl_wide3_dot(from_eye, tl_wide3_splat(map->axes[0])),
                  tl_wide3_dot(from_eye, tl_wide3_splat(map->axes[1])),
                  tl_wide3_dot(from_eye, tl_wide3_splat(map->axes[2]))};
    spots s = {.map = map, .texels = tl_splat(map->scale), .length = tl_splat(1)};
    const int blocks = map->size / TL_MAP_BLOCK;
    tl_wide_int face = tl_to_int(tl_splat(0));
    if (map->is_cube) {
        face = tl_to_int(turn_to_face(&v));
        s.length = tl_sqrt(tl_wide3_dot(v, v)) / v.z;
        s.texels = map->scale / v.z;
    }
    const float last = (float)map->size - 1;
    const tl_wide x = map->x0 + v.x * s.texels, y = map->y0 + v.y * s.texels;
    s.depth = v.z;
    s.x = clamp(x, 0, last), s.y = clamp(y, 0, last);
    s.face = face * (map->size * map->size);
    s.least = tl_gather(map->least, face * (blocks * blocks) +
                                        tl_to_int(s.y * (1.0f / TL_MAP_BLOCK)) * blocks +
                                        tl_to_int(s.x * (1.0f / TL_MAP_BLOCK)));
    /* Points beyond the map, and those that are none. */
    const tl_wide nothing = tl_splat(INFINITY);
    const tl_wide off = tl_max(tl_wide_abs(x - 0.5f * last), tl_wide_abs(y - 0.5f * last));
    s.least = tl_select_less(off, tl_splat(0.5f * last - 1), s.least, nothing);
    return s;
}

/* The depth at a place in a disc around each spot; c and d: its radius times cosine and sine. */
TL_INLINE tl_wide read_tap(const spots *s, tl_wide c, tl_wide d, int k) {
    const float last = (float)s->map->size - 1, u = taps[k][0], v = taps[k][1];
    const tl_wide_int x = tl_to_int(clamp(s->x + c * u - d * v, 0, last));
    const tl_wide_int y = tl_to_int(clamp(s->y + d * u + c * v, 0, last));
    return tl_gather(s->map->depth, s->face + y * s->map->size + x);
}

/* The width of the penumbra in m: that of the light, seen through what is between. Nothing is
 * between where it is negative. */
static tl_wide penumbra(const tl_lamp *lamp, const spots *s, const tl_wide turn[2], tl_wide limit) {
    const tl_wide radius = clamp(2.8f * lamp->grain * s->texels, 1.5f, TL_WIDEST);
    const tl_wide c = radius * turn[0], d = radius * turn[1], none = tl_splat(0);
    tl_wide sum = none, number = none;
    for (int k = 0; k < FEW; k++) {
        const tl_wide at = read_tap(s, c, d, k), between = s->depth - at;
        const tl_wide gap = lamp->is_near ? between / tl_max(at, tl_splat(1e-6f)) : between;
        sum += tl_select_less(at, limit, gap, none);
        number += tl_select_less(at, limit, tl_splat(1), none);
    }
    return tl_select_less(none, number, lamp->size * sum / number, tl_splat(-1));
}

static tl_wide reaches(const tl_lamp *lamp, const tl_light_map *map, tl_wide3 point,
                       const tl_wide turn[2]) {
    const tl_wide one = tl_splat(1), none = tl_splat(0);
    if (!map->size)
        return one;
    const spots s = find_spots(map, point);
    const tl_wide limit = s.depth - 0.3f * lamp->grain;
    if (!tl_mask_less(s.least, limit))
        return one;
    const tl_wide shadow = penumbra(lamp, &s, turn, limit);
    const tl_wide wide = tl_max(shadow, tl_splat(0.3f * lamp->grain));
    const tl_wide radius = clamp(wide * s.texels, 1.5f, TL_WIDEST);
    const tl_wide c = radius * turn[0], d = radius * turn[1];
    const tl_wide sharpness = 2 / (lamp->grain + wide);
    tl_wide sum = none;
    for (int k = 0; k < TAPS; k++)
        sum += tl_wide_part(1 + (read_tap(&s, c, d, k) - limit) * sharpness);
    return tl_select_less(s.least, limit, sum * (1.0f / TAPS), one);
}

tl_wide tl_lamp_reaches(const tl_lamp *lamp, tl_wide3 point, const tl_wide turn[2]) {
    const tl_wide clear = reaches(lamp, &lamp->clear, point, turn);
    return reaches(lamp, &lamp->solid, point, turn) * (0.6f + 0.4f * clear);
}

tl_wide tl_lamp_enters(const tl_lamp *lamp, tl_wide3 point, tl_wide shift, tl_wide3 length,
                       const tl_wide turn[2], tl_wide3 *through) {
    const tl_wide clear = 0.6f + 0.4f * reaches(lamp, &lamp->clear, point, turn);
    const tl_wide one = tl_splat(1), none = tl_splat(0), nothing = tl_splat(INFINITY);
    *through = (tl_wide3){one, one, one};
    if (!lamp->solid.size)
        return clear;
    const spots s = find_spots(&lamp->solid, point);
    if (!tl_mask_less(s.least, nothing))
        return clear;
    /* Light spreads on its way: the wider, the farther it goes. */
    const tl_wide radius =
        clamp((0.3f * length.x + 0.5f * lamp->grain) * s.texels, 1.5f, TL_WIDEST);
    const tl_wide c = radius * turn[0], d = radius * turn[1];
    const float sharpness = 1 / (0.7f * lamp->grain);
    const tl_wide limit = s.depth - shift - 0.3f * lamp->grain;
    const tl_wide inside = s.depth + shift, tiny = tl_splat(1e-30f);
    const tl_wide3 fade = {-s.length / tl_max(length.x, tiny), -s.length / tl_max(length.y, tiny),
                           -s.length / tl_max(length.z, tiny)};
    const bool is_translucent = tl_mask_less(none, length.x) != 0;
    tl_wide lit = none;
    tl_wide3 left = {none, none, none};
    for (int k = 0; k < TAPS; k++) {
        const tl_wide at = read_tap(&s, c, d, k), way = tl_positive(inside - at);
        lit += tl_wide_part(1 + (at - limit) * sharpness);
        if (is_translucent)
            left = tl_wide3_add(
                left, (tl_wide3){tl_exp(way * fade.x), tl_exp(way * fade.y), tl_exp(way * fade.z)});
    }
    left = tl_wide3_scale(left, tl_splat(1.0f / TAPS));
    if (is_translucent)
        *through = (tl_wide3){tl_select_less(s.least, nothing, left.x, one),
                              tl_select_less(s.least, nothing, left.y, one),
                              tl_select_less(s.least, nothing, left.z, one)};
    return clear * tl_select_less(s.least, nothing, lit * (1.0f / TAPS), one);
}
