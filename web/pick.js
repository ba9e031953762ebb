/* What is under the pointer: a ray {from, along} and what it meets. */

import {add, dot, length, scale, sub} from './math.js';

/* The nearest particle: {distance, place}; null: none. */
export function pickMatter(r, f) {
    if (!f || !f.count)
        return null;
    const size = sub(f.high, f.low), p = f.particles, near = (0.75 * f.spacing) ** 2;
    let best = Infinity;
    for (let i = 0; i < f.count; i++) {
        const x = f.low[0] + p[4 * i] / 65535 * size[0] - r.from[0];
        const y = f.low[1] + p[4 * i + 1] / 65535 * size[1] - r.from[1];
        const z = f.low[2] + p[4 * i + 2] / 65535 * size[2] - r.from[2];
        const t = x * r.along[0] + y * r.along[1] + z * r.along[2];
        if (t > 0 && t < best && x * x + y * y + z * z - t * t < near)
            best = t;
    }
    return best < Infinity ? {distance: best, place: add(r.from, scale(r.along, best))} : null;
}

export function pickSource(r, f, hello, reach) {
    let best = null;
    for (let k = 0; f && k < f.sources.length / 3; k++) {
        const place = [...f.sources.subarray(3 * k, 3 * k + 3)], way = sub(place, r.from), t = dot(way, r.along);
        const off = length(sub(way, scale(r.along, t)));
        if (t > 0 && off < Math.max(0.07 * reach, 0.02 * t))
            best = {kind: 'source', distance: 0.9 * t, place, name: hello.sources[k].name || String(k)};
    }
    return best;
}

/* A ray and the box around a wall that may be driven, where it is now. */
export function pickWall(r, f, hello, boundsOf) {
    let best = null;
    hello.walls.forEach((wall, k) => {
        if (!(wall.driven > 0) || !wall.name || wall.name.includes(' '))
            return;
        const shift = [...f.poses.subarray(7 * k, 7 * k + 3)];
        const [low, high] = wall.kind === 'box' ? [wall.from, wall.to]
            : wall.kind === 'ball' ? [-1, 1].map((s) => add(wall.center, [s, s, s].map((c) => c * wall.radius)))
            : boundsOf(k) || [[0, 0, 0], [0, 0, 0]];
        let t0 = 0, t1 = Infinity;
        for (let a = 0; a < 3; a++) {
            const near = (low[a] + shift[a] - r.from[a]) / r.along[a], far = (high[a] + shift[a] - r.from[a]) / r.along[a];
            t0 = Math.max(t0, Math.min(near, far));
            t1 = Math.min(t1, Math.max(near, far));
        }
        if (t0 <= t1 && (!best || t0 < best.distance))
            best = {kind: 'wall', index: k, name: wall.name, fastest: wall.driven, distance: t0,
                    place: add(r.from, scale(r.along, t0)), shift};
    });
    return best;
}
