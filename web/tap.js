/* The tap in a hand: where it is held, and what comes out of it. */

import {add, dot, length, scale, sub, unit} from './math.js';
import {warmth} from './panel.js';
import {pickMatter} from './pick.js';

const above = 3;          // spacings: from what it pours on
const enough = 0.2;       // spacings that it moves before it is told
const mostEver = 1000000; // particles

export class Tap {
    /* What can be poured in a scene; sizes follow from its reach (m). */
    constructor(hello, reach) {
        this.hello = hello;
        this.materials = hello.materials.filter((m) => m.pours).map((m) => m.name.includes(' ') ? String(hello.materials.indexOf(m)) : m.name);
        this.material = this.materials[0];
        this.reach = reach;
        this.radius = Math.max(2 * hello.spacing, 0.06 * reach);
        this.speed = Math.max(Math.sqrt(0.4 * length(hello.gravity) * reach), 0.05);
        this.heat = 20;
        this.most = 100000;
        this.last = null;
    }

    get usable() { return this.materials.length > 0; }

    get down() {
        const g = this.hello.gravity;
        return length(g) > 1e-6 ? unit(g) : [0, 0, -1];
    }

    /* Over what lies under the pointer; where nothing does, on the plane through `base` that faces
     * the eye, but not in a floor. */
    placeAt(ray, frame, base, ahead) {
        const lift = above * this.hello.spacing, under = pickMatter(ray, frame);
        if (under)
            return add(under.place, scale(this.down, -lift));
        let place = add(ray.from, scale(ray.along, dot(sub(base, ray.from), ahead) / dot(ray.along, ahead)));
        for (const wall of this.hello.walls) {
            if (wall.kind !== 'plane' || wall.hidden)
                continue;
            const n = unit(wall.normal), room = dot(n, sub(place, wall.point));
            if (room < lift)
                place = add(place, scale(n, lift - room));
        }
        return place;
    }

    /* Words for the world; null: it has been told. */
    words(place) {
        const far = this.last && length(sub(place, this.last)) > enough * this.hello.spacing;
        if (this.last && !far)
            return null;
        this.last = place;
        const numbers = [...place, ...scale(this.down, this.speed), this.radius, this.heat].map((x) => x.toPrecision(6));
        return ['pour', this.material, ...numbers, this.most];
    }

    shut() { this.last = null; }

    /* Unless somebody chose, as warm as the warmest there is. */
    suggestHeat(warmest) {
        if (this.heated || !this.showHeat)
            return;
        this.heat = +warmest.toPrecision(3);
        this.heated = true;
        this.last = null;
        this.showHeat(this.heat);
    }

    /* Sliders, made by `slider`. */
    sliders(slider, warms) {
        const by = (low, high) => ({to: (t) => low * (high / low) ** t, from: (x) => Math.log(x / low) / Math.log(high / low)});
        const {spacing} = this.hello, all = [
            [{name: 'stream', unit: 'm', value: this.radius, doc: 'Radius of what is poured',
              scale: by(spacing, Math.max(0.4 * this.reach, 4 * spacing))}, (x) => { this.radius = x; }],
            [{name: 'its speed', unit: 'm/s', value: this.speed, doc: 'How fast it comes out',
              scale: by(this.speed / 10, this.speed * 5)}, (x) => { this.speed = x; }],
            [{name: 'particles at most', whole: true, value: this.most, doc: 'With more than these in the world nothing more is poured',
              scale: by(1000, mostEver)}, (x) => { this.most = Math.round(x); }]];
        if (warms)
            all.splice(2, 0, [{name: 'poured at', unit: '°C', value: this.heat, doc: 'Temperature of what is poured',
                               scale: warmth}, (x) => { this.heat = x; this.heated = true; }]);
        return all.map(([knob, told]) => {
            const made = slider(knob, (x) => {
                told(x);
                this.last = null;
            });
            if (knob.scale === warmth)
                this.showHeat = made.set;
            return made.label;
        });
    }
}
