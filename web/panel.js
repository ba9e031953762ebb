/* Sliders made from the tables of parameters, plots of the ledger, the legend. */

import {rampOf} from './draw.js';
import {clamp, mix} from './math.js';

export const $ = (id) => document.getElementById(id);

/* A number for people, with no more digits than they read. */
export function say(x, digits = 3) {
    if (x === 0)
        return '0';
    const a = Math.abs(x);
    return a >= 1e5 || a < 1e-3 ? x.toExponential(digits - 1) : String(+x.toPrecision(digits));
}

/* With its unit; small lengths in mm. */
function sayWith(x, {unit, whole}) {
    if (whole)
        return Math.round(x).toLocaleString('en');
    return unit === 'm' && Math.abs(x) < 0.1 ? `${say(1000 * x)} mm` : `${say(x)} ${unit || ''}`.trim();
}

/* °C: finer where most things melt. */
export const warmth = {to: (t) => -20 + 1320 * t * t, from: (x) => Math.sqrt((x + 20) / 1320)};

/* From the slider, 0 to 1, to a number and back: by factors where numbers are all positive and may
 * be of any size, evenly else. */
function scaleOf(knob) {
    const bounded = knob.min !== 0 || knob.max !== 0;
    const factors = knob.unit !== '°C' && knob.value > 0 && (!bounded || knob.min >= 0) && !(knob.max > 0 && knob.max <= 10);
    if (factors) {
        const low = Math.max(knob.value / 300, knob.min > 0 ? knob.min : 0);
        const high = bounded && knob.max > 0 ? Math.min(knob.value * 300, knob.max) : knob.value * 300;
        const span = Math.log(high / low);
        return {to: (t) => low * Math.exp(t * span), from: (x) => Math.log(x / low) / span};
    }
    let low = bounded ? knob.min : -1, high = bounded ? knob.max : 1;
    if (knob.unit === '°C') {
        low = Math.max(low, Math.min(knob.value - 100, 0));
        high = Math.min(high, knob.value + 200);
    } else if (high - low > 1000 * Math.max(Math.abs(knob.value), 1)) {
        low = Math.max(low, -100);
        high = Math.min(high, 100);
    }
    return {to: (t) => mix(low, high, t), from: (x) => (x - low) / (high - low)};
}

/* A slider with its name, number and unit; `told` gets the number while it is moved. */
export function slider(knob, told) {
    const scale = knob.scale || scaleOf(knob), label = document.createElement('label');
    const name = document.createElement('span'), number = document.createElement('output');
    const input = document.createElement('input');
    name.textContent = knob.name;
    label.title = knob.doc || '';
    input.type = 'range';
    input.min = 0;
    input.max = 1;
    input.step = 'any';
    input.value = clamp(scale.from(knob.value), 0, 1);
    input.setAttribute('aria-label', knob.name);
    input.dataset.key = knob.key || '';
    const show = (x) => { number.textContent = sayWith(x, knob); };
    show(knob.value);
    input.addEventListener('input', () => {
        const x = +scale.to(+input.value).toPrecision(4);
        show(x);
        told(x);
    });
    label.append(name, number, input);
    return {label, input, set: (x) => {
        input.value = clamp(scale.from(x), 0, 1);
        show(x);
    }};
}

/* At most so often, and the last one always. */
export function throttle(seconds, act) {
    let waiting = null, last = 0, values;
    return (...given) => {
        values = given;
        if (waiting !== null)
            return;
        const left = Math.max(0, last + 1000 * seconds - performance.now());
        waiting = setTimeout(() => {
            waiting = null;
            last = performance.now();
            act(...values);
        }, left);
    };
}

const lastWords = (key) => key.split('.').slice(-2).join(' ').replaceAll('_', ' ');

/* What matters first: matter, heat and walls; how it is solved comes last, folded. */
export class Knobs {
    constructor(parent, tell) {
        this.parent = parent;
        this.tell = tell;
        this.sliders = new Map();
        this.held = null;
    }

    set(knobs, gravity) {
        const keys = knobs.map((k) => k.key).join();
        if (keys === this.keys) {
            for (const knob of knobs)
                if (this.held !== knob.key)
                    this.sliders.get(knob.key).set(knob.value);
            this.gravity.forEach((s, k) => this.held === `gravity${k}` || s.set(gravity[k]));
            return;
        }
        this.keys = keys;
        this.parent.replaceChildren();
        this.sliders.clear();
        const now = [...gravity], first = document.createElement('div');
        const solver = document.createElement('details'), summary = document.createElement('summary');
        summary.textContent = 'How it is solved';
        solver.append(summary);
        const send = throttle(0.04, () => this.tell('gravity', ...now));
        const even = {to: (t) => 20 * (2 * t - 1), from: (x) => (x / 20 + 1) / 2};
        this.gravity = ['x', 'y', 'z'].map((axis, k) => {
            const s = slider({name: `gravity ${axis}`, value: gravity[k], unit: 'm/s²', scale: even, key: `gravity${k}`,
                              doc: 'Acceleration by gravity'}, (x) => {
                now[k] = x;
                send();
            });
            this.watch(s.input, `gravity${k}`);
            first.append(s.label);
            return s;
        });
        for (const knob of knobs) {
            const told = throttle(0.12, (x) => this.tell('set', knob.key, x));
            const s = slider({...knob, name: lastWords(knob.key)}, told);
            this.watch(s.input, knob.key);
            this.sliders.set(knob.key, s);
            (/^flow\.|^heat\.(tolerance|accuracy|max_step)/.test(knob.key) ? solver : first).append(s.label);
        }
        this.parent.append(first, solver);
    }

    /* What somebody holds is not moved under his fingers. */
    watch(input, key) {
        input.addEventListener('pointerdown', () => { this.held = key; });
        input.addEventListener('pointerup', () => { this.held = null; });
        input.addEventListener('change', () => { this.held = null; });
    }
}

/* A column over time. Twice as many points as are drawn are kept, then every other one goes. */
export class Plot {
    constructor(canvas, most = 1200) {
        this.canvas = canvas;
        this.most = most;
        this.clear();
    }

    clear() {
        this.times = [];
        this.rows = [];
        this.every = 0;
    }

    add(frame) {
        const last = this.times[this.times.length - 1];
        if (frame.books.length === 0 || (last !== undefined && frame.time - last < this.every && frame.time > last))
            return;
        if (last !== undefined && frame.time <= last) {
            if (frame.time < last)
                while (this.times.length && this.times[this.times.length - 1] >= frame.time)
                    this.times.pop(), this.rows.pop();
            else
                return;
        }
        this.times.push(frame.time);
        this.rows.push(frame.books.slice());
        if (this.times.length > this.most) {
            this.times = this.times.filter((_, k) => k % 2 === 0);
            this.rows = this.rows.filter((_, k) => k % 2 === 0);
            this.every = (this.times[this.times.length - 1] - this.times[0]) / this.times.length;
        }
    }

    draw(column, unit) {
        const canvas = this.canvas, c = canvas.getContext('2d'), {width, height} = canvas;
        const style = getComputedStyle(document.documentElement), left = 8, bottom = 34, top = 30;
        c.clearRect(0, 0, width, height);
        const values = this.rows.map((r) => r[column]).filter(Number.isFinite);
        if (values.length < 2)
            return;
        let low = Math.min(...values), high = Math.max(...values);
        if (!(high > low)) {
            low -= Math.abs(low) * 0.01 + 1e-12;
            high += Math.abs(high) * 0.01 + 1e-12;
        }
        const t0 = this.times[0], t1 = this.times[this.times.length - 1];
        c.strokeStyle = style.getPropertyValue('--line');
        c.lineWidth = 1.5;
        for (let k = 0; k <= 3; k++) {
            const y = mix(height - bottom, top, k / 3);
            c.beginPath();
            c.moveTo(left, y);
            c.lineTo(width - 8, y);
            c.stroke();
        }
        c.strokeStyle = style.getPropertyValue('--accent');
        c.lineWidth = 3.5;
        c.lineJoin = 'round';
        c.beginPath();
        this.rows.forEach((row, k) => {
            const x = mix(left, width - 8, (this.times[k] - t0) / (t1 - t0 || 1));
            const y = mix(height - bottom, top, (row[column] - low) / (high - low));
            k ? c.lineTo(x, y) : c.moveTo(x, y);
        });
        c.stroke();
        c.fillStyle = style.getPropertyValue('--soft');
        c.font = '22px system-ui, sans-serif';
        c.fillText(`${say(high)} ${unit}`, left, top - 8);
        c.fillText(`${say(low)} ${unit}`, left, height - bottom + 24);
        c.textAlign = 'right';
        c.fillText(`${say(t1)} s`, width - 8, height - bottom + 24);
        c.textAlign = 'left';
    }
}

export function drawLegend(map, range, field) {
    const c = $('ramp').getContext('2d'), bytes = rampOf(map), image = c.createImageData(256, 1);
    for (let i = 0; i < 256; i++)
        image.data.set([bytes[3 * i], bytes[3 * i + 1], bytes[3 * i + 2], 255], 4 * i);
    c.putImageData(image, 0, 0);
    const cell = (tag, text) => Object.assign(document.createElement(tag), {textContent: text});
    const digits = say(range[0]) === say(range[1]) ? 6 : 3;
    $('ticks').replaceChildren(cell('span', say(range[0], digits)),
                               cell('b', `${field.name.replaceAll('_', ' ')} ${field.unit ? `[${field.unit}]` : ''}`),
                               cell('span', say(range[1], digits)));
}
