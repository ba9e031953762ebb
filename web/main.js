/* Puts it together: what comes goes to the picture, what hands do goes to the world. */

import {Renderer} from './draw.js';
import {Gallery} from './gallery.js';
import {Link} from './link.js';
import {add, clamp, cross, dot, length, mix, scale, sub, unit} from './math.js';
import {$, Knobs, Plot, drawLegend, say, slider, throttle, warmth} from './panel.js';
import {pickMatter, pickSource, pickWall} from './pick.js';
import {Quality} from './quality.js';
import {Tap} from './tap.js';

const state = {
    hello: null, frame: null, dirty: false, smooth: true, tool: 'hand', map: null, colour: 'material',
    range: null, pointers: new Map(), drag: null, pinch: null, hand: null, frames: 0, drawn: 0, rate: 0,
    camera: {target: [0, 0, 0], distance: 1, around: 0, above: 0.4, fov: 0.6},
    reach: 0.1, strength: 80, heat: 90, recorder: null, fresh: [], drawing: [],
};
const rest = 350; // ms without news
const canvas = $('view');
let renderer = null;

/* ---- Theme --------------------------------------------------------------------------------- */

const dark = matchMedia('(prefers-color-scheme: dark)');

function setTheme() {
    const wanted = $('theme').value, isDark = wanted === 'dark' || (wanted === 'auto' && dark.matches);
    document.documentElement.classList.toggle('dark', isDark);
    if (renderer)
        renderer.backdrop = isDark ? [0.078, 0.094, 0.122] : [0.902, 0.922, 0.949];
    state.dirty = true;
    try { localStorage.setItem('theme', wanted); } catch { /* not kept, then */ }
}

/* ---- The camera ---------------------------------------------------------------------------- */

function eye() {
    const {target, distance, around, above} = state.camera;
    return add(target, scale([Math.cos(above) * Math.cos(around), Math.cos(above) * Math.sin(around),
                              Math.sin(above)], distance));
}

function resetCamera() {
    const {from, look_at: target, fov} = state.hello.camera, way = sub(from, target);
    const tall = Math.max(1, 0.9 * innerHeight / innerWidth);
    Object.assign(state.camera, {target, fov, distance: length(way) * tall, around: Math.atan2(way[1], way[0]),
                                 above: Math.asin(clamp(way[2] / length(way), -1, 1))});
    state.dirty = true;
}

function turn(dx, dy) {
    state.camera.around -= dx;
    state.camera.above = clamp(state.camera.above + dy, -1.45, 1.5);
    state.dirty = true;
}

function zoom(factor) {
    state.camera.distance = clamp(state.camera.distance * factor, 2 * state.hello.spacing, 50 * renderer.reach);
    state.dirty = true;
}

function basis() {
    const ahead = unit(sub(state.camera.target, eye())), right = unit(cross(ahead, [0, 0, 1]));
    return {ahead, right, up: cross(right, ahead)};
}

function pan(dx, dy) {
    const {right, up} = basis(), s = 2 * state.camera.distance * Math.tan(state.camera.fov / 2) / innerHeight;
    state.camera.target = add(state.camera.target, add(scale(right, -dx * s), scale(up, dy * s)));
    state.dirty = true;
}

/* From the eye through a place of the window: {from, along}. */
function ray(x, y) {
    const {ahead, right, up} = basis(), open = Math.tan(state.camera.fov / 2);
    const u = (2 * x / innerWidth - 1) * open * innerWidth / innerHeight, v = (1 - 2 * y / innerHeight) * open;
    return {from: eye(), along: unit(add(ahead, add(scale(right, u), scale(up, v))))};
}

/* Where a ray meets the plane through a place that faces the eye. */
function onPlane(r, place) {
    const {ahead} = basis();
    return add(r.from, scale(r.along, dot(sub(place, r.from), ahead) / dot(r.along, ahead)));
}

/* ---- What is under the pointer ------------------------------------------------------------- */

function pick(x, y) {
    const r = ray(x, y), f = state.frame, matter = pickMatter(r, f);
    const all = [pickSource(r, f, state.hello, renderer.reach), pickWall(r, f, state.hello, (k) => renderer.boundsOf(k)),
                 matter && {kind: 'matter', ...matter}].filter(Boolean);
    return all.sort((a, b) => a.distance - b.distance)[0] || null;
}

/* ---- Hands --------------------------------------------------------------------------------- */

const numbers = (place) => place.map((x) => x.toPrecision(7)).join(' ');
const carry = throttle(0.016, (place) => link.say('carry', numbers(place)));
const moveSource = throttle(0.03, (name, place) => link.say('source', name, numbers(place)));
const warm = throttle(0.1, (place) => link.say('warm', numbers(place), state.reach.toPrecision(4), state.heat));

function driveWall(drag, place) {
    const now = [...state.frame.poses.subarray(7 * drag.index, 7 * drag.index + 3)];
    const wanted = add(drag.shift, sub(place, drag.place));
    let v = scale(sub(wanted, now), 6);
    const fast = length(v);
    v = fast > 0.99 * drag.fastest ? scale(v, 0.99 * drag.fastest / fast) : v;
    link.say('wall', drag.name, numbers(v));
}

/* Again and again while it is held: what is poured heaps up. */
function pourAt(drag) {
    if (state.hello.fields[state.frame.field]?.name === 'temperature')
        state.tap.suggestHeat(state.frame.range[1]);
    const place = state.tap.placeAt(ray(...drag.pointer), state.frame, drag.place, basis().ahead);
    const words = state.tap.words(place);
    if (!words)
        return;
    link.say(...words);
    state.hand = place;
    state.dirty = true;
}

function beginPouring(x, y) {
    const {low, high, count, playing} = state.frame, target = state.camera.target;
    const drag = {kind: 'pour', pointer: [x, y], place: count ? scale(add(low, high), 0.5) : target};
    if (!playing)
        note('info', 'time stands still: play, and it pours');
    state.tap.shut();
    pourAt(drag);
    return drag;
}

function take(x, y) {
    if (state.hello.live && state.tool === 'pour')
        return beginPouring(x, y);
    const found = state.hello.live && state.tool !== 'look' ? pick(x, y) : null;
    if (!found)
        return null;
    if (found.kind === 'matter' && state.tool === 'warm') {
        warm(found.place);
        return {...found, kind: 'warm'};
    }
    if (found.kind === 'matter')
        link.say('grip', numbers(found.place), state.reach.toPrecision(4), state.strength);
    if (found.kind === 'matter')
        link.say('carry', numbers(found.place));
    state.hand = found.place;
    return found;
}

function pull(drag, x, y) {
    if (drag.kind === 'pour') {
        drag.pointer = [x, y];
        return;
    }
    const place = onPlane(ray(x, y), drag.place);
    state.hand = place;
    if (drag.kind === 'matter')
        carry(place);
    else if (drag.kind === 'source')
        moveSource(drag.name, place);
    else if (drag.kind === 'wall')
        driveWall(drag, place);
    else {
        const under = pickMatter(ray(x, y), state.frame);
        if (under)
            warm(under.place);
    }
    drag.at = place;
    state.dirty = true;
}

function letGo() {
    const drag = state.drag;
    state.drag = state.hand = null;
    canvas.classList.remove('held');
    if (drag && drag.kind === 'pour')
        link.say('shut');
    else if (drag && drag.kind === 'matter')
        setTimeout(() => link.say('release'), 20);
    else if (drag && drag.kind === 'wall')
        link.say('wall', drag.name, '0 0 0');
    state.dirty = true;
}

/* A wall follows as the pointer rests, too, and a tap rises with what it pours. */
setInterval(() => {
    if (state.drag && state.drag.kind === 'pour')
        pourAt(state.drag);
    else if (state.drag && state.drag.kind === 'wall' && state.drag.at)
        driveWall(state.drag, state.drag.at);
}, 60);

canvas.addEventListener('pointerdown', (e) => {
    if (!state.hello || !state.frame)
        return;
    canvas.setPointerCapture(e.pointerId);
    state.pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (state.pointers.size === 2) {
        letGo();
        state.pinch = spread();
    } else if (e.button === 0 && state.pointers.size === 1) {
        state.drag = take(e.clientX, e.clientY);
    }
    canvas.classList.add('held');
});

canvas.addEventListener('pointermove', (e) => {
    const before = state.pointers.get(e.pointerId);
    if (!before)
        return;
    const [dx, dy] = [e.clientX - before[0], e.clientY - before[1]];
    state.pointers.set(e.pointerId, [e.clientX, e.clientY]);
    if (state.pinch) {
        const now = spread();
        zoom(state.pinch.size / Math.max(now.size, 1));
        pan(now.x - state.pinch.x, now.y - state.pinch.y);
        state.pinch = now;
    } else if (state.drag) {
        pull(state.drag, e.clientX, e.clientY);
    } else if (e.shiftKey || e.buttons === 4) {
        pan(dx, dy);
    } else {
        turn(0.006 * dx, 0.006 * dy);
    }
});

function spread() {
    const [a, b] = [...state.pointers.values()];
    return {x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, size: Math.hypot(a[0] - b[0], a[1] - b[1])};
}

for (const end of ['pointerup', 'pointercancel'])
    canvas.addEventListener(end, (e) => {
        state.pointers.delete(e.pointerId);
        state.pinch = null;
        if (state.pointers.size === 0)
            letGo();
    });
canvas.addEventListener('contextmenu', (e) => e.preventDefault());
canvas.addEventListener('wheel', (e) => {
    e.preventDefault();
    zoom(Math.exp(0.0012 * e.deltaY));
}, {passive: false});

/* ---- Buttons and keys ---------------------------------------------------------------------- */

function setTool(name) {
    state.tool = name;
    document.querySelectorAll('#tools button').forEach((b) => b.classList.toggle('on', b.dataset.tool === name));
}

function save(blob, name) {
    const a = document.createElement('a');
    a.href = URL.createObjectURL(blob);
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

const fileName = (end) => `${(state.hello.scene || 'tallow').split('/').pop()}-${state.frame ? state.frame.time.toFixed(3) : 0}s.${end}`;

function takePicture() {
    draw({lean: false, scale: 1});
    canvas.toBlob((blob) => save(blob, fileName('png')));
}

function toggleFilm() {
    if (state.recorder) {
        state.recorder.stop();
        return;
    }
    if (!window.MediaRecorder) {
        note('error', 'this browser records no films');
        return;
    }
    const parts = [], recorder = new MediaRecorder(canvas.captureStream(30), {videoBitsPerSecond: 12e6});
    recorder.ondataavailable = (e) => parts.push(e.data);
    recorder.onstop = () => {
        state.recorder = null;
        $('film').classList.remove('on');
        save(new Blob(parts, {type: recorder.mimeType}), fileName('webm'));
    };
    state.filmed = quality.forFilm(millions(size(), 1));
    recorder.start();
    state.recorder = recorder;
    $('film').classList.add('on');
}

function toggleLook() {
    $('look').value = state.smooth ? 'balls' : 'smooth';
    $('look').dispatchEvent(new Event('change'));
}

const acts = {
    play: () => link.say(state.frame && state.frame.playing ? 'pause' : 'play'),
    step: () => link.say('step'),
    frame: () => link.say('frame'),
    reset: () => { plot.clear(); link.say('reset'); },
    mark: () => link.say('mark'),
    back: () => link.say('back'),
    export: () => link.say('export'),
    save: () => link.say('save'),
    picture: takePicture,
    film: toggleFilm,
    choose: () => gallery.open(true),
    more: () => {
        const open = $('panel').classList.toggle('open');
        $('more').setAttribute('aria-expanded', open);
    },
};
for (const name of ['play', 'step', 'reset', 'mark', 'back', 'export', 'save', 'picture', 'film', 'choose', 'more'])
    $(name).addEventListener('click', acts[name]);
document.querySelectorAll('#tools button').forEach((b) => b.addEventListener('click', () => setTool(b.dataset.tool)));

const keys = {
    ' ': acts.play, '.': acts.step, f: acts.frame, r: acts.reset, m: acts.mark, b: acts.back, p: takePicture,
    v: toggleFilm, x: acts.export, h: acts.save, g: acts.choose, o: acts.more, s: toggleLook, c: resetCamera, 1: () => setTool('hand'), 2: () => setTool('warm'),
    3: () => state.tap.usable && setTool('pour'), 4: () => setTool('look'), '+': () => zoom(0.9), '=': () => zoom(0.9), '-': () => zoom(1.1),
    ArrowLeft: () => turn(0.08, 0), ArrowRight: () => turn(-0.08, 0), ArrowUp: () => turn(0, 0.06),
    ArrowDown: () => turn(0, -0.06),
};
addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT)$/.test(e.target.tagName) || !state.hello)
        return;
    if (e.target.tagName === 'BUTTON' && (e.key === ' ' || e.key === 'Enter'))
        return;
    if (keys[e.key]) {
        e.preventDefault();
        keys[e.key]();
    }
});

$('speed').addEventListener('change', () => link.say('speed', $('speed').value));
$('theme').addEventListener('change', setTheme);
$('look').addEventListener('change', () => {
    state.smooth = $('look').value === 'smooth';
    state.dirty = true;
});
$('map').addEventListener('change', () => {
    state.map = $('map').value;
    renderer.setRamp(state.map);
    state.dirty = true;
});
$('colour').addEventListener('change', () => setColour($('colour').value));
dark.addEventListener('change', setTheme);
addEventListener('resize', () => { state.dirty = true; });

/* ---- What comes ---------------------------------------------------------------------------- */

const plot = new Plot($('plot'));
const gallery = new Gallery((name) => link.say('open', name));
const knobs = new Knobs($('sliders'), (...words) => link.say(...words));

function note(kind, words) {
    const div = Object.assign(document.createElement('div'), {className: kind, textContent: words});
    $('notes').append(div);
    setTimeout(() => div.remove(), kind === 'error' ? 9000 : 4000);
    while ($('notes').children.length > 4)
        $('notes').firstChild.remove();
}

function setColour(name) {
    state.colour = name;
    state.range = null;
    const index = state.hello.fields.findIndex((f) => f.name === name);
    if (index >= 0)
        link.say('colour', index);
    if (!state.mapChosen) {
        state.map = name === 'temperature' ? 'heat' : 'viridis';
        $('map').value = state.map;
        renderer.setRamp(state.map);
    }
    state.dirty = true;
}

function fill(select, options, chosen) {
    select.replaceChildren(...options.map(([value, text]) => {
        const o = document.createElement('option');
        o.value = value;
        o.textContent = text;
        return o;
    }));
    select.value = chosen;
}

function hello(message) {
    const first = !state.hello || state.hello.scene !== message.scene || state.hello.number !== message.number;
    state.hello = message;
    $('title').textContent = message.title || message.scene;
    document.title = `${message.title || message.scene} · Tallow`;
    knobs.set(message.knobs, message.gravity);
    for (const id of ['tools', 'touch', 'knobs', 'mark', 'back', 'save', 'ledger'])
        $(id).hidden = !message.live;
    if (!first) {
        state.tap.hello = message;
        return;
    }
    state.frame = state.drag = state.hand = null;
    plot.clear();
    gallery.started();
    renderer.setScene(message);
    resetCamera();
    const shown = message.fields.filter((f) => !['position', 'id', 'body', 'material'].includes(f.name));
    state.colour = 'material';
    fill($('colour'), [['material', 'material'], ...shown.map((f) => [f.name, f.name.replaceAll('_', ' ')])], 'material');
    fill($('book'), message.books.map((b, k) => [k, b.name.replaceAll('_', ' ')]),
         String(Math.max(message.books.findIndex((b) => b.name === 'kinetic_energy'), 0)));
    const warms = message.fields.some((f) => f.name === 'enthalpy');
    setColour(warms ? 'temperature' : 'material');
    $('colour').value = state.colour;
    state.tap = new Tap(message, renderer.reach);
    makeTouch();
    makeTap(warms);
}

function makeTap(warms) {
    const section = $('pouring'), label = document.createElement('label'), select = document.createElement('select');
    document.querySelector('[data-tool=pour]').hidden = section.hidden = !state.hello.live || !state.tap.usable;
    if (!state.tap.usable && state.tool === 'pour')
        setTool('hand');
    fill(select, state.tap.materials.map((name) => [name, name]), state.tap.material);
    select.addEventListener('change', () => { state.tap.material = select.value; });
    label.append('Material ', select);
    section.replaceChildren(section.firstElementChild, label, ...state.tap.sliders(slider, warms));
}

function makeTouch() {
    const reach = renderer.reach, section = $('touch'), title = section.firstElementChild;
    state.reach = Math.max(0.16 * reach, 3 * state.hello.spacing);
    section.replaceChildren(title,
        slider({name: 'reach', unit: 'm', value: state.reach, doc: 'How far the hand reaches around the place it takes hold of',
                scale: {to: (t) => reach * 0.03 * Math.exp(t * 3.5), from: (x) => Math.log(x / (0.03 * reach)) / 3.5}},
               (x) => { state.reach = x; }).label,
        slider({name: 'strength', unit: 'm/s²', value: state.strength, doc: 'The most that it accelerates what it holds',
                scale: {to: (t) => 5 * Math.exp(t * 5), from: (x) => Math.log(x / 5) / 5}},
               (x) => { state.strength = x; }).label,
        slider({name: 'warms to', unit: '°C', value: state.heat, doc: 'The temperature that the tool Warm gives',
                scale: warmth}, (x) => { state.heat = x; }).label);
}

function frameCame(frame) {
    if (!state.hello)
        return;
    if (state.frame && frame.time < state.frame.time)
        state.range = null;
    state.frame = frame;
    state.fresh.push(frame.sequence);
    state.frames++;
    renderer.setFrame(frame);
    plot.add(frame);
    state.dirty = true;
}

/* The ends of the legend grow at once and shrink slowly: colours do not flicker. */
function followRange() {
    const f = state.frame;
    if (!f || state.hello.fields[f.field]?.name !== state.colour)
        return;
    let [a, b] = f.range;
    const least = Math.max(1e-4 * Math.abs(a + b), state.colour === 'temperature' ? 1 : 1e-12);
    if (b - a < least)
        [a, b] = [(a + b - least) / 2, (a + b + least) / 2]; // rounding is no pattern
    if (!state.range)
        state.range = [a, b];
    state.range = [a < state.range[0] ? a : mix(state.range[0], a, 0.01), b > state.range[1] ? b : mix(state.range[1], b, 0.01)];
}

/* ---- Pictures ------------------------------------------------------------------------------ */

const quality = new Quality();

/* Of a whole picture. */
function size() {
    const density = Math.min(devicePixelRatio || 1, 2);
    return [Math.max(canvas.clientWidth * density, 1), Math.max(canvas.clientHeight * density, 1)];
}

const millions = ([width, height], scale) => width * height * scale * scale / 1e6;

/* look: {lean, fine, scale}, as Quality has it. */
function draw(look) {
    const whole = size();
    followRange();
    renderer.resize(...whole.map((x) => Math.max(Math.round(x * look.scale), 1)));
    renderer.byMaterial = state.colour === 'material' || !state.range;
    renderer.range = state.range || [0, 1];
    const pours = state.drag && state.drag.kind === 'pour';
    const extras = state.hand && state.drag && state.drag.kind !== 'source'
        ? [{place: state.hand, radius: pours ? state.tap.radius : state.reach, ring: true,
            colour: pours && state.frame.blocked ? [0.9, 0.25, 0.2] : [1, 0.75, 0.35]}] : [];
    renderer.draw({from: eye(), target: state.camera.target, fov: state.camera.fov},
                  {smooth: state.smooth, lean: look.lean, fine: look.fine}, extras);
    state.drawn++;
    state.shown = {lean: look.lean, pixels: millions(whole, look.scale)};
    state.drawing.push(...state.fresh.splice(0));
}

function writeFacts() {
    const f = state.frame;
    if (!f)
        return;
    $('clock').textContent = `${f.time.toFixed(3)} s`;
    $('play').classList.toggle('playing', f.playing);
    $('play').setAttribute('aria-label', f.playing ? 'Pause' : 'Play');
    $('facts').textContent = document.body.classList.contains('cut') ? 'cut off; trying again'
        : `${f.count.toLocaleString('en')} particles · ${state.rate.toFixed(0)} pictures/s` +
          (f.playing ? ` · ${say(f.speed, 2)} × real time` : ' · paused') + (state.hello.live ? '' : ' · recorded');
    $('legend').hidden = renderer.byMaterial;
    const field = state.hello.fields.find((x) => x.name === state.colour);
    if (!renderer.byMaterial && field)
        drawLegend(state.map, renderer.range, field);
    const book = +$('book').value;
    if ($('panel').classList.contains('open') && state.hello.books[book])
        plot.draw(book, state.hello.books[book].unit);
}

/* The picture before this one is done: its frame was seen, and so were those that it came instead
 * of; and it says how long the next may take. */
function finish(ms) {
    quality.took(ms, state.shown.pixels, state.shown.lean);
    state.drawing.splice(0).forEach((sequence) => link.seen(sequence));
    state.rested = performance.now();
}

/* Draws when something is new and the machine has done with what it was told before; what is at rest
 * is drawn once more, as finely as can be. A film keeps its size. */
function loop() {
    const ms = renderer.machine.done();
    if (typeof ms === 'number')
        finish(ms);
    if (state.hello && ms !== null && state.dirty) {
        state.dirty = false;
        draw(state.recorder ? state.filmed : quality.next(millions(size(), 1)));
        state.refined = false;
    } else if (state.hello && ms === undefined && !state.refined && !state.recorder && performance.now() - state.rested > rest) {
        const look = quality.atRest(millions(size(), 1));
        state.refined = true;
        if (look)
            draw(look);
    }
    requestAnimationFrame(loop);
}

let link = {say() {}, seen() {}};
try {
    renderer = new Renderer(canvas);
    if (!renderer.canSmooth)
        $('look').value = 'balls';
    state.smooth = renderer.canSmooth;
    try { $('theme').value = localStorage.getItem('theme') || 'auto'; } catch { /* as the system */ }
    setTheme();
    setTool('hand');
    $('map').addEventListener('change', () => { state.mapChosen = true; });
    if (innerWidth > 1000)
        acts.more();
    link = new Link({
        hello, frame: frameCame, mesh: (m) => { renderer.setMesh(m); state.dirty = true; },
        note: (m) => {
            gallery.failed();
            note(m.kind, m.words);
        },
        gallery: (m) => {
            gallery.set(m.scenes);
            setTimeout(() => state.hello || gallery.open(false), 400);
        },
        state: (open) => {
            document.body.classList.toggle('cut', !open);
            [state.fresh, state.drawing] = [[], []]; // they were of another socket
            if (open)
                link.say('speed', $('speed').value);
            writeFacts();
        },
    });
    setInterval(() => {
        state.rate = mix(state.rate, state.drawn / 0.25, 0.5);
        state.drawn = 0;
        writeFacts();
    }, 250);
    requestAnimationFrame(loop);
} catch (error) {
    note('error', error.message);
}

/* For tests. */
window.tallow = {state, plot, knobs, say: (...words) => link.say(...words), link: () => link, draw: () => draw({lean: false, scale: 1}), quality, pick, renderer: () => renderer};
