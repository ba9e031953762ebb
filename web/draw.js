/* Draws a frame: matter as a smooth surface or as balls, then walls where they are nearer, with one
 * sun and its shadows. */

import {add, clamp, cross, dot, length, lookAt, multiply, orthographic, perspective, poseMatrix,
        rigidInverse, scale, sub, unit} from './math.js';
import {Machine} from './machine.js';
import * as glsl from './shaders.js';
import {visible} from './visible.js';

const ramps = {
    viridis: '440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725',
    inferno: '000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4',
    turbo: '30123b 4662d7 36aaf9 1ae4b6 72fe5e c7ef34 faba39 f66b19 cb2a04 7a0403',
    heat: '3f5573 6d6684 a66c82 d96f63 f59a4c fbcf6b fff3c4',
    ice: '0b1026 18306b 2559a4 3a86c8 62b0da 95d1e5 c2e7ef e7f6f8',
};

/* The colours of a map as 256 times rgb. */
export function rampOf(name) {
    const stops = ramps[name].split(' ').map((s) => [0, 2, 4].map((k) => parseInt(s.slice(k, k + 2), 16)));
    const out = new Uint8Array(3 * 256);
    for (let i = 0; i < 256; i++) {
        const x = i / 255 * (stops.length - 1), k = Math.min(Math.floor(x), stops.length - 2);
        for (let c = 0; c < 3; c++)
            out[3 * i + c] = stops[k][c] + (stops[k + 1][c] - stops[k][c]) * (x - k);
    }
    return out;
}

const sun = unit([0.35, -0.55, 0.95]), {shadowSize} = glsl;

export class Renderer {
    constructor(canvas) {
        this.canvas = canvas;
        const machine = this.machine = new Machine(canvas), gl = this.gl = machine.gl;
        this.canSmooth = machine.floats;
        this.empty = gl.createVertexArray();
        this.matter = gl.createVertexArray();
        this.buffers = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
        this.meshes = new Map();
        this.shapes = [];
        this.ramp = machine.texture(gl.RGB8, 256, 1, gl.RGB, gl.UNSIGNED_BYTE, rampOf('viridis'), gl.LINEAR);
        this.shadowMap = machine.texture(gl.DEPTH_COMPONENT24, shadowSize, shadowSize, gl.DEPTH_COMPONENT,
                                         gl.UNSIGNED_INT, null, gl.NEAREST);
        this.shadowTarget = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowMap, 0);
        gl.drawBuffers([gl.NONE]);
        gl.readBuffer(gl.NONE);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        this.backdrop = [0.9, 0.92, 0.95];
        this.range = [0, 1];
        this.byMaterial = false;
        this.materials = [];
        this.frame = null;
    }

    use(source, values) { this.machine.use(source, values); }

    /* Where the picture is made, and two targets for matter; depths are those of all of them. */
    resize(width, height) {
        const gl = this.gl, machine = this.machine;
        if (this.canvas.width === width && this.canvas.height === height && this.targets)
            return;
        this.canvas.width = width;
        this.canvas.height = height;
        for (const t of this.targets || []) {
            gl.deleteTexture(t.texture);
            gl.deleteFramebuffer(t.frame);
        }
        gl.deleteRenderbuffer(this.depths || null);
        this.depths = gl.createRenderbuffer();
        gl.bindRenderbuffer(gl.RENDERBUFFER, this.depths);
        gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
        const make = (form, type) => {
            const texture = machine.texture(form, width, height, gl.RGBA, type, null, gl.NEAREST);
            return {texture, frame: machine.target(texture, this.depths)};
        };
        this.targets = [make(gl.RGBA8, gl.UNSIGNED_BYTE)];
        if (this.canSmooth)
            this.targets.push(make(gl.RGBA32F, gl.FLOAT), make(gl.RGBA32F, gl.FLOAT));
    }

    setRamp(name) {
        const gl = this.gl;
        gl.bindTexture(gl.TEXTURE_2D, this.ramp);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, rampOf(name));
    }

    /* ---- What there is ---- */

    setScene(hello) {
        this.hello = hello;
        this.shadows = this.frame = null;
        this.meshes.clear();
        this.materials = hello.materials;
        this.shapes = hello.walls.map((w) => this.shapeOf(w));
        this.shapes.push(...hello.rigids.map((r) => ({wall: {...r, kind: 'mesh', opacity: 1, rigid: true}})));
        const {from, to} = hello.extent;
        this.middle = scale(add(from, to), 0.5);
        this.reach = Math.max(0.5 * length(sub(to, from)), 4 * hello.spacing);
        this.grid = [1, 2, 5].map((m) => m * 10 ** Math.floor(Math.log10(this.reach / 8)))
            .find((g) => g >= this.reach / 20) || this.reach / 8;
    }

    /* Triangles and edges of a wall that is no mesh. */
    shapeOf(wall) {
        if (wall.hidden)
            return null;
        if (wall.kind === 'plane')
            return {wall, plane: true};
        if (wall.kind === 'box')
            return {wall, ...this.solid(...boxOf(wall.from, wall.to)), edges: this.edges(wall.from, wall.to)};
        if (wall.kind === 'ball')
            return {wall, ...this.solid(...ballOf(wall.center, wall.radius))};
        return {wall};
    }

    setMesh(mesh) {
        this.shadows = null;
        const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
        mesh.vertices.forEach((x, k) => {
            low[k % 3] = Math.min(low[k % 3], x);
            high[k % 3] = Math.max(high[k % 3], x);
        });
        this.meshes.set(mesh.wall, {...this.solid(mesh.vertices, mesh.triangles), opacity: mesh.opacity,
                                    bounds: [low, high]});
    }

    /* Low and high corner of a mesh; nothing while it has not come. */
    boundsOf(wall) { return this.meshes.get(wall)?.bounds; }

    solid(vertices, triangles) {
        const gl = this.gl, array = gl.createVertexArray();
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(vertices), gl.STATIC_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(triangles), gl.STATIC_DRAW);
        gl.bindVertexArray(null);
        return {array, count: triangles.length};
    }

    edges(from, to) {
        const [corners] = boxOf(from, to);
        const pairs = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];
        return this.solid(corners, pairs);
    }

    /* Rigid bodies are drawn as such, unless a field colours their particles. */
    setFrame(frame) {
        const gl = this.gl, seen = visible(frame, this.byMaterial);
        this.frame = frame;
        this.bodiesShown = this.byMaterial;
        this.shadows = null;
        this.seen = seen.count;
        gl.bindVertexArray(this.matter);
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0]);
        gl.bufferData(gl.ARRAY_BUFFER, seen.particles, gl.STREAM_DRAW);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 4, gl.UNSIGNED_SHORT, true, 8, 0);
        [seen.materials, seen.sizes].forEach((bytes, k) => {
            gl.disableVertexAttribArray(k + 1);
            gl.vertexAttrib1f(k + 1, k ? 128 : 0);
            if (!bytes)
                return;
            gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[k + 1]);
            gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STREAM_DRAW);
            gl.enableVertexAttribArray(k + 1);
            gl.vertexAttribPointer(k + 1, 1, gl.UNSIGNED_BYTE, false, 1, 0);
        });
        gl.bindVertexArray(null);
    }

    /* ---- A picture ---- */

    /* camera: {from, target, fov}; look: {smooth: a surface, not balls; lean: in less time; fine: with a little more of it}. */
    draw(camera, look, extras) {
        const gl = this.gl, {width, height} = this.canvas, frame = this.frame;
        if (frame && frame.bodies && this.bodiesShown !== this.byMaterial)
            this.setFrame(frame);
        const distance = length(sub(camera.from, camera.target));
        const view = lookAt(camera.from, camera.target, [0, 0, 1]);
        const far = distance + 4 * this.reach, near = Math.max(distance - 3 * this.reach, 0.02 * distance);
        const projection = perspective(camera.fov, width / height, near, far);
        this.way = look.lean ? 'lean' : 'rich';
        this.machine.begin();
        const common = {
            view, projection, toWorld: rigidInverse(view), camera: camera.from, backdrop: this.backdrop,
            pixels: 0.5 * height / Math.tan(camera.fov / 2), sun, shadowMap: this.shadowMap,
            ...this.drawShadows(frame), ...this.matterOf(frame),
        };
        this.view = view;
        this.projection = projection;
        gl.viewport(0, 0, width, height);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.targets[0].frame);
        gl.clearColor(...this.backdrop, 1);
        gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
        gl.enable(gl.DEPTH_TEST);
        if (frame && frame.count > 0 && this.canSmooth)
            this.drawMatter(common, width, height, camera, look);
        else if (frame && frame.count > 0)
            this.drawBalls(glsl.balls, {...common, radius: 0.55 * frame.spacing});
        this.drawWalls(common, frame, false);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
        gl.depthMask(false);
        this.drawWalls(common, frame, true);
        this.drawGlows(common, frame, extras);
        gl.depthMask(true);
        gl.disable(gl.BLEND);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.targets[0].frame);
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
        gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        this.machine.end();
    }

    matterOf(frame) {
        if (!frame)
            return {};
        const colours = new Float32Array(24);
        this.materials.slice(0, 8).forEach((m, k) => colours.set(m.colour, 3 * k));
        return {
            low: frame.low, span: sub(frame.high, frame.low), sized: frame.sizes !== null, ramp: this.ramp,
            materialColour: colours, byMaterial: this.byMaterial, range: this.range, frameRange: frame.range,
        };
    }

    drawBalls(source, values) {
        const gl = this.gl;
        this.use(source, values);
        gl.bindVertexArray(this.matter);
        gl.drawArrays(gl.POINTS, 0, this.seen);
        gl.bindVertexArray(null);
    }

    /* From the sun: the depths of balls and of walls that are solid. They stand while nothing moves. */
    drawShadows(frame) {
        const gl = this.gl;
        if (this.shadows)
            return this.shadows;
        const from = frame && frame.count ? frame.low : sub(this.middle, [1, 1, 1]);
        const to = frame && frame.count ? frame.high : add(this.middle, [1, 1, 1]);
        const middle = scale(add(from, to), 0.5);
        const reach = Math.min(0.5 * length(sub(to, from)) + 4 * this.hello.spacing, 1.5 * this.reach);
        const view = lookAt(add(middle, scale(sun, 2 * reach)), middle, [0, 0, 1]);
        const projection = orthographic(reach, 0.2 * reach, 4.2 * reach);
        gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
        gl.viewport(0, 0, shadowSize, shadowSize);
        gl.enable(gl.DEPTH_TEST);
        gl.clear(gl.DEPTH_BUFFER_BIT);
        const values = {view, projection, pixels: 0.5 * shadowSize / reach};
        if (frame && frame.count)
            this.drawBalls(glsl.shadows, {...values, ...this.matterOf(frame), radius: 0.62 * frame.spacing});
        this.eachSolid(frame, (shape, pose, wall) => {
            if ((wall.kind === 'box' && !wall.filled) || (shape.opacity ?? wall.opacity) < 1)
                return;
            this.use(glsl.lines, {...values, pose, colour: [0, 0, 0], opacity: 1});
            gl.bindVertexArray(shape.array);
            gl.drawElements(gl.TRIANGLES, shape.count, gl.UNSIGNED_INT, 0);
        });
        this.shadows = {toShadow: multiply(projection, view), shadowDepth: 4 * reach,
                        shadowBias: 0.9 * this.hello.spacing + 4 * reach / shadowSize};
        return this.shadows;
    }

    /* Balls, smoothed if they are to be a surface, then lit. After the first pass depths say where
     * there is matter, and nothing is asked elsewhere. */
    drawMatter(common, width, height, camera, {smooth, fine}) {
        const gl = this.gl, dx = this.frame.spacing, [picture, ...matter] = this.targets;
        gl.bindFramebuffer(gl.FRAMEBUFFER, matter[0].frame);
        gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
        this.drawBalls(glsl.nearest, {...common, radius: (smooth ? 0.77 : 0.55) * dx});
        gl.depthFunc(gl.GREATER);
        gl.depthMask(false);
        gl.bindVertexArray(this.empty);
        let from = 0;
        const passes = !smooth ? [] : this.way === 'lean' ? (fine ? [[2.2, [1, 1]], [1, [1, 1]]] : [[1.8, [1, 1]]])
            : [2.2, 1.2, 0.5].flatMap((reach) => [[reach, [1, 0]], [reach, [0, 1]]]);
        for (const [reach, along] of passes) {
            gl.bindFramebuffer(gl.FRAMEBUFFER, matter[1 - from].frame);
            if (from === 0)
                gl.clearBufferfv(gl.COLOR, 0, [0, 0, 0, 0]);
            this.use(glsl.smooth[this.way], {...common, matter: matter[from].texture, along, reach: reach * dx,
                                             range: 2.5 * dx});
            gl.drawArrays(gl.TRIANGLES, 0, 3);
            from = 1 - from;
        }
        const look = this.materials[0] || {}, open = Math.tan(camera.fov / 2);
        gl.bindFramebuffer(gl.FRAMEBUFFER, picture.frame);
        this.use(glsl.surface[this.way], {...common, matter: matter[from].texture, open: [open * width / height, open],
                                          occlusion: 7 * dx,
                                          translucency: Math.min(look.translucency || 0, this.reach),
                                          gloss: clamp(1.1 - (look.roughness ?? 0.4), 0.1, 1)});
        gl.drawArrays(gl.TRIANGLES, 0, 3);
        gl.bindVertexArray(null);
        gl.depthFunc(gl.LESS);
        gl.depthMask(true);
    }

    poseOf(frame, k) {
        return poseMatrix(frame && frame.poses.length >= 7 * (k + 1) ? frame.poses.subarray(7 * k, 7 * k + 7)
                                                                     : [0, 0, 0, 1, 0, 0, 0]);
    }

    eachSolid(frame, act) {
        this.shapes.forEach((shape, k) => {
            const solid = shape && (shape.array ? shape : this.meshes.get(k));
            if (solid && (!shape.wall.rigid || this.byMaterial))
                act(solid, this.poseOf(frame, k), shape.wall);
        });
    }

    /* Glass is for last. */
    drawWalls(common, frame, clear) {
        const gl = this.gl;
        if (!clear)
            this.drawPlanes(common);
        this.eachSolid(frame, (solid, pose, wall) => {
            const vessel = wall.kind === 'box' && !wall.filled;
            const opacity = vessel ? 0.03 : solid.opacity ?? wall.opacity;
            if ((opacity < 1) !== clear)
                return;
            this.use(vessel ? glsl.lines : glsl.solids[this.way],
                     {...common, pose, colour: wall.colour, opacity, grid: 0, fade: 0, axis: [0, 0, 1],
                      middle: this.middle});
            gl.bindVertexArray(solid.array);
            gl.drawElements(gl.TRIANGLES, solid.count, gl.UNSIGNED_INT, 0);
            if (!vessel)
                return;
            const ink = this.backdrop[0] > 0.5 ? [0.35, 0.4, 0.47] : [0.55, 0.6, 0.68];
            this.use(glsl.lines, {...common, pose, colour: ink, opacity: 0.7});
            gl.bindVertexArray(solid.edges.array);
            gl.drawElements(gl.LINES, solid.edges.count, gl.UNSIGNED_INT, 0);
        });
        gl.bindVertexArray(null);
    }

    /* Seen from their fronts alone. A scene without a floor gets one, for the shadow. */
    drawPlanes(common) {
        const planes = this.shapes.filter((s) => s && s.plane).map((s) => s.wall);
        if (!planes.some((p) => p.normal[2] > 0.9))
            planes.push({point: [0, 0, this.hello.extent.from[2] - 1e-3 * this.reach], normal: [0, 0, 1],
                         colour: [0.72, 0.73, 0.75]});
        for (const plane of planes) {
            const n = unit(plane.normal);
            if (dot(n, sub(common.camera, plane.point)) <= 0)
                continue;
            const middle = add(this.middle, scale(n, -dot(n, sub(this.middle, plane.point))));
            const u = unit(cross(Math.abs(n[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1], n)), v = cross(n, u);
            const r = 3 * this.reach;
            if (!plane.solid || plane.at !== middle[0]) {
                const corner = (a, b) => add(middle, add(scale(u, a * r), scale(v, b * r)));
                plane.solid = this.solid([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)].flat(),
                                         [0, 1, 2, 0, 2, 3]);
                plane.at = middle[0];
            }
            this.use(glsl.solids[this.way], {...common, pose: poseMatrix([0, 0, 0, 1, 0, 0, 0]), colour: plane.colour, opacity: 1,
                                grid: this.grid, fade: r, axis: n, middle});
            this.gl.bindVertexArray(plane.solid.array);
            this.gl.drawElements(this.gl.TRIANGLES, 6, this.gl.UNSIGNED_INT, 0);
        }
        this.gl.bindVertexArray(null);
    }

    drawGlows(common, frame, extras) {
        const gl = this.gl, all = [...(extras || [])];
        for (let k = 0; frame && k < frame.sources.length / 3; k++)
            all.push({place: [...frame.sources.subarray(3 * k, 3 * k + 3)], radius: 0.06 * this.reach,
                      colour: [1, 0.62, 0.18], ring: false});
        gl.bindVertexArray(this.empty);
        for (const g of all) {
            if (g.ring)
                gl.disable(gl.DEPTH_TEST);
            this.use(glsl.glow, {...common, ...g});
            gl.drawArrays(gl.POINTS, 0, 1);
            gl.enable(gl.DEPTH_TEST);
        }
        gl.bindVertexArray(null);
    }
}

function boxOf(a, b) {
    const corners = [];
    for (let k = 0; k < 8; k++)
        corners.push(k & 1 ? b[0] : a[0], k & 2 ? b[1] : a[1], k & 4 ? b[2] : a[2]);
    return [corners, [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6,
                      1, 3, 5, 3, 7, 5]];
}

function ballOf(center, radius) {
    const vertices = [], triangles = [], n = 24, m = 48;
    for (let i = 0; i <= n; i++)
        for (let j = 0; j <= m; j++) {
            const a = Math.PI * i / n, b = 2 * Math.PI * j / m;
            vertices.push(center[0] + radius * Math.sin(a) * Math.cos(b), center[1] + radius * Math.sin(a) * Math.sin(b),
                          center[2] + radius * Math.cos(a));
            if (i < n && j < m) {
                const k = i * (m + 1) + j;
                triangles.push(k, k + m + 1, k + 1, k + 1, k + m + 1, k + m + 2);
            }
        }
    return [vertices, triangles];
}
