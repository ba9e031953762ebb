/* What is drawn, in GLSL. Matter is balls: drawn as such, or as a surface through them, made in the
 * space of the screen: depths of balls, smoothed within a narrow range [Truong & Yuksel 2018], then
 * normals, light, shadow and what shines through. Lengths in m, the eye looks along -z. What is drawn
 * in a rich and in a lean way is {rich, lean}: lean asks less often. */

export const shadowSize = 1024;

const head = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
`;

/* `count` places in a disc, evenly spread, as a list of numbers in GLSL. */
const spread = (count, radius) => Array.from({length: count}, (_, k) => {
    const a = k * 2.39996, r = radius * Math.sqrt((k + 0.5) / count);
    return `vec2(${(r * Math.cos(a)).toFixed(4)}, ${(r * Math.sin(a)).toFixed(4)})`;
}).join(', ');

/* Light: a sun with a shadow map, a sky above and the ground below. */
const light = (taps) => `
uniform sampler2D shadowMap;
uniform mat4 toShadow;
uniform vec3 sun;          // towards it, in the world
uniform float shadowDepth; // m, that the map covers
uniform float shadowBias;  // m
vec3 linear(vec3 c) { return c * c * (c * 0.305306 + 0.682171) + c * 0.012523; }
vec3 screen(vec3 c) {
    c = max(c, vec3(0.0));
    c = (c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14);
    vec3 root = sqrt(c);
    return root * (1.25 - 0.25 * sqrt(root)); // nearly the power 1 / 2.2
}
// The part of the sun's light that comes to a place, and how far it goes through matter on its way.
float shadow(vec3 place, out float through) {
    const vec2 aside[${taps}] = vec2[](${spread(taps, taps > 2 ? 2.7 : 1)});
    vec3 p = (toShadow * vec4(place, 1.0)).xyz * 0.5 + 0.5;
    float lit = 1.0;
    through = 0.0;
    if (all(greaterThan(p, vec3(0.004))) && all(lessThan(p, vec3(0.996, 0.996, 1.0)))) {
        lit = 0.0;
        ivec2 at = ivec2(p.xy * ${shadowSize}.0);
        for (int k = 0; k < ${taps}; k++) {
            float d = max((p.z - texelFetch(shadowMap, at + ivec2(round(aside[k])), 0).r) * shadowDepth - shadowBias, 0.0);
            lit += d > 0.0 ? 0.0 : ${(1 / taps).toFixed(4)};
            through += d * ${(1 / taps).toFixed(4)};
        }
    }
    return lit;
}
// A power of 64.
float shine(float x) {
    x *= x, x *= x, x *= x, x *= x, x *= x;
    return x * x;
}
vec3 sky(float up) { return mix(vec3(0.30, 0.28, 0.26), vec3(0.62, 0.68, 0.78), 0.5 + 0.5 * up); }
`;

const colouring = `
uniform sampler2D ramp;
uniform vec3 materialColour[8];
uniform bool byMaterial;
uniform vec2 range;       // of the legend
uniform vec2 frameRange;  // of the numbers in the frame
vec3 colourOf(float value, float material) {
    if (byMaterial)
        return materialColour[int(clamp(material, 0.0, 7.0))];
    if (value > 0.99999)
        return vec3(0.5);
    float v = mix(frameRange.x, frameRange.y, value * (65535.0 / 65534.0));
    return texture(ramp, vec2(clamp((v - range.x) / max(range.y - range.x, 1e-30), 0.002, 0.998), 0.5)).rgb;
}
`;

const ball = `
layout(location = 0) in vec4 four;
layout(location = 1) in float material;
layout(location = 2) in float size;
uniform vec3 low, span;
uniform mat4 view, projection;
uniform float radius, pixels; // m; px: of a length of 1 at a distance of 1
uniform bool sized;
float radiusOf() { return sized ? radius * exp2((size - 128.0) / 32.0) : radius; }
`;

const ballVertex = `${head}${ball}${colouring}
out vec3 eye;
flat out float r;
flat out vec3 colour;
void main() {
    r = radiusOf();
    eye = (view * vec4(low + four.xyz * span, 1.0)).xyz;
    colour = colourOf(four.w, material);
    gl_Position = projection * vec4(eye, 1.0);
    gl_PointSize = max(2.0 * r * pixels / max(-eye.z, 1e-6), 1.5);
}`;

export const balls = {
    vertex: ballVertex,
    fragment: `${head}${light(1)}
in vec3 eye;
flat in float r;
flat in vec3 colour;
uniform mat4 projection, toWorld;
out vec4 result;
void main() {
    vec2 c = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
    float square = dot(c, c);
    if (square > 1.0)
        discard;
    vec3 n = vec3(c, sqrt(1.0 - square)), place = eye + r * n;
    vec4 p = projection * vec4(place, 1.0);
    gl_FragDepth = 0.5 * p.z / p.w + 0.5;
    vec3 normal = mat3(toWorld) * n, world = (toWorld * vec4(place, 1.0)).xyz;
    float through, lit = shadow(world + normal * r, through);
    float facing = max(dot(normal, sun), 0.0);
    vec3 half_ = normalize(sun + normalize(-(mat3(toWorld) * place)));
    vec3 base = linear(colour);
    vec3 c3 = base * (1.15 * facing * lit + 0.62 * sky(normal.z)) +
              0.18 * lit * shine(max(dot(normal, half_), 0.0));
    result = vec4(screen(c3), 1.0);
}`,
};

/* Of the nearest ball: its colour, and how far from the eye it is. */
export const nearest = {
    vertex: ballVertex,
    fragment: `${head}
in vec3 eye;
flat in float r;
flat in vec3 colour;
uniform mat4 projection;
out vec4 nearest;
void main() {
    vec2 c = 2.0 * gl_PointCoord - 1.0;
    float square = dot(c, c);
    if (square > 1.0)
        discard;
    float z = eye.z + r * sqrt(1.0 - square);
    vec4 p = projection * vec4(eye.xy, z, 1.0);
    gl_FragDepth = 0.5 * p.z / p.w + 0.5;
    nearest = vec4(colour, -z);
}`,
};

export const shadows = {
    vertex: `${head}${ball}
void main() {
    gl_Position = projection * (view * vec4(low + four.xyz * span, 1.0));
    gl_PointSize = max(2.0 * radiusOf() * pixels, 1.0);
}`,
    fragment: `${head}
void main() {
    vec2 c = 2.0 * gl_PointCoord - 1.0;
    if (dot(c, c) > 1.0)
        discard;
}`,
};

/* All of the screen, behind everything: with the depth test the other way round it is drawn where
 * there is matter. */
const whole = `${head}
out vec2 at;
void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
    gl_Position = vec4(2.0 * at - 1.0, 0.99999, 1.0);
}`;

/* A bell of finite width, along a line. */
const smoothed = (most) => ({
    vertex: whole,
    fragment: `${head}
uniform sampler2D matter; // colour, and m from the eye
uniform ivec2 along;      // texels
uniform float reach, range, pixels; // m, m; as for balls
out vec4 result;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(matter, here, 0);
    float z = sum.a;
    int n = int(clamp(ceil(reach * pixels / z), 1.0, ${most}.0));
    float weights = 1.0, near = z - range, far = z + 0.3 * range, narrow = 1.0 / float((n + 1) * (n + 1));
    for (int k = 1; k <= n; k++) {
        vec4 a = texelFetch(matter, here + k * along, 0), b = texelFetch(matter, here - k * along, 0);
        float closest = min(a.a, b.a), w = 1.0 - float(k * k) * narrow;
        // What is in front of it is something else, on either side alike.
        if (closest <= 0.0 || closest < near)
            continue;
        w *= w;
        sum += w * vec4(a.rgb + b.rgb, min(a.a, far) + min(b.a, far));
        weights += 2.0 * w;
        near = min(near, closest - range);
    }
    result = sum / weights;
}`,
});

/* In one pass, where few places have to do. */
const smoothedAtOnce = {
    vertex: whole,
    fragment: `${head}
uniform sampler2D matter;
uniform float reach, range, pixels;
out vec4 result;
void main() {
    const vec2 around[6] = vec2[](${spread(6, 1)});
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 sum = texelFetch(matter, here, 0);
    float z = sum.a, r = clamp(reach * pixels / z, 1.0, 12.0), weights = 1.0;
    for (int k = 0; k < 6; k++) {
        ivec2 aside = ivec2(round(r * around[k]));
        vec4 a = texelFetch(matter, here + aside, 0), b = texelFetch(matter, here - aside, 0);
        // On a slope one is nearer by as much as the other is farther: an edge is something else.
        float w = min(a.a, b.a) > 0.0 && abs(a.a + b.a - 2.0 * z) < 2.0 * range ? 1.0 : 0.0;
        sum += w * (a + b);
        weights += 2.0 * w;
    }
    result = sum / weights;
}`,
};

export const smooth = {rich: smoothed(18), lean: smoothedAtOnce};

const surfaceOf = (taps, looks, mirrors) => ({
    vertex: whole,
    fragment: `${head}${light(taps)}
uniform sampler2D matter; // colour, and m from the eye
uniform mat4 toWorld;
uniform vec2 open;         // of the view, at a distance of 1
uniform float occlusion;   // m: how far it looks for what stands in the light
uniform float translucency; // m
uniform float gloss;
uniform float pixels;
uniform vec3 backdrop;
in vec2 at;
out vec4 result;
vec3 placeAt(vec2 p, float z) { return vec3((2.0 * p - 1.0) * open * z, -z); }
// The flatter of the two ways to a neighbour.
vec3 slope(vec2 step, vec3 here) {
    float a = texture(matter, at + step).a, b = texture(matter, at - step).a;
    vec3 on = placeAt(at + step, a) - here, back = here - placeAt(at - step, b);
    if (a <= 0.0)
        return back;
    if (b <= 0.0)
        return on;
    return abs(on.z) < abs(back.z) ? on : back;
}
float openness(vec3 here, vec3 n, vec2 texel) {
    const vec2 around[${looks}] = vec2[](${spread(looks, 1)});
    float r = clamp(occlusion * pixels / -here.z, 3.0, 90.0), hidden = 0.0;
    float a = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    mat2 turn = r * mat2(cos(a), sin(a), -sin(a), cos(a));
    for (int k = 0; k < ${looks}; k++) {
        vec2 p = at + turn * around[k] * texel;
        float z = texture(matter, p).a;
        vec3 v = placeAt(p, z) - here;
        float square = max(dot(v, v), 1e-18);
        hidden += z <= 0.0 ? 0.0 : max(dot(n, v) * inversesqrt(square) - 0.12, 0.0) / (1.0 + square / (occlusion * occlusion));
    }
    return clamp(1.0 - 1.6 * hidden / ${looks}.0, 0.0, 1.0);
}
void main() {
    vec4 own = texture(matter, at);
    float z = own.a;
    vec2 texel = 1.0 / vec2(textureSize(matter, 0));
    vec3 here = placeAt(at, z);
    vec3 n = normalize(cross(slope(vec2(texel.x, 0.0), here), slope(vec2(0.0, texel.y), here)));
    if (n.z < 0.0)
        n = -n;
    vec3 normal = mat3(toWorld) * n, world = (toWorld * vec4(here, 1.0)).xyz;
    vec3 eye = normalize(-(mat3(toWorld) * here)), half_ = normalize(sun + eye);
    float through, lit = shadow(world + normal * shadowBias, through);
    float wrap = translucency > 0.0 ? 0.35 : 0.0;
    float facing = max((dot(normal, sun) + wrap) / (1.0 + wrap), 0.0);
    vec3 base = linear(own.rgb);
    float ao = openness(here, n, texel);
    // Light that has gone through matter takes on its colour, the more the farther.
    vec3 inside = translucency > 0.0
        ? sqrt(base) / (1.0 + through / translucency * (1.4 - base)) * (0.55 + 0.45 * facing) : vec3(0.0);
    vec3 direct = mix(inside, vec3(facing) * base, lit);
    float side = 1.0 - max(dot(normal, eye), 0.0), edge = 0.04 + 0.96 * side * side * side * side * side;
    vec3 around = mix(backdrop * 0.6, sky(reflect(-eye, normal).z), 0.7) * (0.4 + 0.6 * ao);
    vec3 c = 1.15 * direct + 0.62 * base * sky(normal.z) * ao * mix(vec3(1.0), base, 1.0 - ao) +
             ${mirrors ? 'gloss * (edge * around + 0.9 * lit * shine(max(dot(normal, half_), 0.0)))' : '0.03 * gloss * lit * facing'};
    result = vec4(screen(c), 1.0);
}`,});

export const surface = {rich: surfaceOf(8, 12, true), lean: surfaceOf(1, 3, false)};

const solidVertex = `${head}
layout(location = 0) in vec3 vertex;
uniform mat4 view, projection, pose;
out vec3 world;
void main() {
    vec4 p = pose * vec4(vertex, 1.0);
    world = p.xyz;
    gl_Position = projection * (view * p);
}`;

const solidOf = (taps) => ({
    vertex: solidVertex,
    fragment: `${head}${light(taps)}
uniform vec3 colour, camera, middle, backdrop;
uniform float opacity, grid, fade; // m between lines, 0: none; m: where it is gone
uniform vec3 axis;                 // of a plane: its normal
in vec3 world;
out vec4 result;
float lines(vec2 p) {
    vec2 w = fwidth(p) * 1.2, d = abs(fract(p - 0.5) - 0.5);
    vec2 l = 1.0 - smoothstep(vec2(0.0), w, d);
    return max(l.x, l.y) * clamp(0.35 / max(w.x, w.y) - 0.4, 0.0, 1.0);
}
void main() {
    vec3 n = normalize(cross(dFdx(world), dFdy(world)));
    vec3 eye = normalize(camera - world);
    n = dot(n, eye) < 0.0 ? -n : n;
    float through, lit = shadow(world + n * shadowBias, through);
    vec3 base = linear(colour);
    if (grid > 0.0) {
        vec3 a = abs(axis);
        vec2 p = (a.z > 0.5 ? world.xy : a.y > 0.5 ? world.xz : world.yz) / grid;
        base *= 1.0 - 0.16 * lines(p) - 0.12 * lines(p / 5.0);
    }
    vec3 c = screen(base * (1.05 * max(dot(n, sun), 0.0) * lit + 0.62 * sky(n.z) * mix(0.75, 1.0, lit)));
    float gone = fade > 0.0 ? smoothstep(0.45 * fade, fade, length(world - middle)) : 0.0;
    result = vec4(mix(c, backdrop, gone), opacity);
}`,
});

export const solids = {rich: solidOf(8), lean: solidOf(1)};

export const lines = {
    vertex: solidVertex,
    fragment: `${head}
uniform vec3 colour;
uniform float opacity;
in vec3 world;
out vec4 result;
void main() { result = vec4(colour, opacity); }`,
};

/* A lamp, or where the hand is: a disc that faces the eye. */
export const glow = {
    vertex: `${head}
uniform vec3 place;
uniform float radius, pixels;
uniform mat4 view, projection;
void main() {
    vec4 eye = view * vec4(place, 1.0);
    gl_Position = projection * eye;
    gl_PointSize = clamp(2.0 * radius * pixels / max(-eye.z, 1e-6), 14.0, 400.0);
}`,
    fragment: `${head}
uniform vec3 colour;
uniform bool ring;
out vec4 result;
void main() {
    float r = length(2.0 * gl_PointCoord - 1.0);
    if (r > 1.0)
        discard;
    float a = ring ? smoothstep(0.86, 0.92, r) * 0.8 : exp(-5.0 * r * r) + 0.9 * smoothstep(0.3, 0.22, r);
    result = vec4(mix(colour, vec3(1.0), ring ? 0.0 : smoothstep(0.35, 0.0, r)), min(a, 1.0));
}`,
};
