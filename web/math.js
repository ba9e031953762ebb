/* Vectors as arrays of three, matrices as arrays of sixteen by columns, as WebGL has them. */

export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => scale(a, 1 / (length(a) || 1));
export const mix = (a, b, t) => a + (b - a) * t;
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

export function multiply(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++)
        for (let r = 0; r < 4; r++)
            for (let k = 0; k < 4; k++)
                out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
    return out;
}

export function lookAt(eye, target, up) {
    const z = unit(sub(eye, target)), x = unit(cross(up, z)), y = cross(z, x);
    return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
                             -dot(x, eye), -dot(y, eye), -dot(z, eye), 1]);
}

export function perspective(fov, aspect, near, far) {
    const f = 1 / Math.tan(fov / 2), d = near - far;
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1,
                             0, 0, 2 * far * near / d, 0]);
}

export function orthographic(reach, near, far) {
    const d = near - far;
    return new Float32Array([1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, 2 / d, 0,
                             0, 0, (far + near) / d, 1]);
}

/* The inverse of a matrix that turns and shifts. */
export function rigidInverse(m) {
    const t = [m[12], m[13], m[14]];
    const shift = (k) => -(m[4 * k] * t[0] + m[4 * k + 1] * t[1] + m[4 * k + 2] * t[2]);
    return new Float32Array([m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0,
                             shift(0), shift(1), shift(2), 1]);
}

/* The matrix of a place and a unit quaternion w x y z. */
export function poseMatrix(p) {
    const [px, py, pz, w, x, y, z] = p;
    return new Float32Array([
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0,
        2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
        2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0, px, py, pz, 1]);
}

export function transform(m, v) {
    return [m[0] * v[0] + m[4] * v[1] + m[8] * v[2] + m[12],
            m[1] * v[0] + m[5] * v[1] + m[9] * v[2] + m[13],
            m[2] * v[0] + m[6] * v[1] + m[10] * v[2] + m[14]];
}
