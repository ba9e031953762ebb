/* Which particles can be seen. Those with matter all around them cannot: leaving them out spares
 * pictures of a heap most of their work. */

const least = 4000;    // particles: fewer are drawn as they are
const edge = 1.5;      // spacings: of a cell
const full = 0.28;     // part of a cell that is filled when nobody looks through it: by one particle
const mostCells = 1 << 22;

let filled = new Float32Array(0), inner = new Uint8Array(0), line = new Uint8Array(0), cellOf = new Int32Array(0);

function reserve(cells, particles, longest) {
    if (filled.length < cells) {
        filled = new Float32Array(cells);
        inner = new Uint8Array(cells);
    }
    if (cellOf.length < particles)
        cellOf = new Int32Array(particles);
    if (line.length < longest)
        line = new Uint8Array(longest);
    filled.fill(0, 0, cells);
}

/* One cell wider than the matter on each side, so that its border is empty. */
function gridOf(frame) {
    let h = edge * frame.spacing;
    const span = [0, 1, 2].map((k) => frame.high[k] - frame.low[k]);
    const dims = () => span.map((s) => Math.floor(s / h) + 3);
    while (dims().reduce((a, b) => a * b, 1) > mostCells)
        h *= 1.5;
    return {h, dims: dims(), step: span.map((s) => s / h / 65535)};
}

function fill(frame, {h, dims, step}) {
    const p = frame.particles, [nx, ny] = dims, one = (frame.spacing / h) ** 3;
    for (let i = 0; i < frame.count; i++) {
        const x = 1 + Math.floor(p[4 * i] * step[0]), y = 1 + Math.floor(p[4 * i + 1] * step[1]);
        const cell = x + nx * (y + ny * (1 + Math.floor(p[4 * i + 2] * step[2])));
        cellOf[i] = cell;
        filled[cell] += frame.sizes ? one * 2 ** (3 * (frame.sizes[i] - 128) / 32) : one;
    }
}

/* Leaves those marked that have marked ones on both sides, along lines of cells `apart`. */
function erode(count, apart, starts) {
    for (const start of starts) {
        for (let k = 0, c = start; k < count; k++, c += apart)
            line[k] = inner[c];
        for (let k = 0, c = start; k < count; k++, c += apart)
            inner[c] = k > 0 && k + 1 < count ? line[k - 1] & line[k] & line[k + 1] : 0;
    }
}

function* lines(a, na, b, nb) {
    for (let i = 0; i < na; i++)
        for (let j = 0; j < nb; j++)
            yield i * a + j * b;
}

/* What is deep in a heap gets a mark in `inner`, by cells. */
function markInner(frame) {
    const grid = gridOf(frame), [nx, ny, nz] = grid.dims, cells = nx * ny * nz;
    reserve(cells, frame.count, Math.max(nx, ny, nz));
    fill(frame, grid);
    for (let c = 0; c < cells; c++)
        inner[c] = filled[c] >= full ? 1 : 0;
    erode(nx, 1, lines(nx, ny, nx * ny, nz));
    erode(ny, nx, lines(1, nx, nx * ny, nz));
    erode(nz, nx * ny, lines(1, nx, nx, ny));
}

/* {count, particles, materials, sizes} of what is to be drawn of a frame; particles of rigid bodies
 * are not, if these are drawn instead. */
export function visible(frame, withoutBodies = false) {
    const heap = frame.count >= least && frame.spacing > 0, bodies = withoutBodies && frame.bodies;
    if (!heap && !bodies)
        return frame;
    if (heap)
        markInner(frame);
    let n = 0;
    const particles = new Uint16Array(4 * frame.count), bytes = () => new Uint8Array(frame.count);
    const materials = frame.materials && bytes(), sizes = frame.sizes && bytes();
    for (let i = 0; i < frame.count; i++) {
        if ((heap && inner[cellOf[i]]) || (bodies && bodies[i]))
            continue;
        for (let k = 0; k < 4; k++)
            particles[4 * n + k] = frame.particles[4 * i + k];
        if (materials)
            materials[n] = frame.materials[i];
        if (sizes)
            sizes[n] = frame.sizes[i];
        n++;
    }
    return {count: n, particles: particles.subarray(0, 4 * n), materials: materials && materials.subarray(0, n),
            sizes: sizes && sizes.subarray(0, n)};
}
