/* How finely a picture may be drawn: what pictures take, by measurement, decides, and not the name
 * of the machine. There are two ways to draw, rich and lean, and lean pictures may have fewer
 * pixels than the window. */

import {clamp, mix} from './math.js';

const aim = 36;            // ms a picture may take
const coarsest = 0.4;      // of the pixels along an edge
const patience = 400;      // ms that a picture at rest may take
const film = 250;          // ms that a picture of a film may take
const guess = 8;           // times lean: what rich takes, before it is known
const settled = 6;         // pictures before rich is tried

export class Quality {
    constructor() {
        this.lean = true;
        this.scale = 0.5;
        this.cost = {lean: 0, rich: 0}; // ms a million pixels; 0: not known
        this.drawn = 0;
    }

    predicted(way, pixels) {
        return pixels * (this.cost[way] || (way === 'rich' ? guess * this.cost.lean : 0));
    }

    /* {lean, scale} of the next picture, of so many million pixels when it is whole. */
    next(pixels) {
        if (this.drawn < settled)
            return this;
        const rich = this.predicted('rich', pixels);
        this.lean = rich > (this.lean ? 0.6 : 1) * aim;
        const wanted = this.lean ? clamp(Math.sqrt(aim / this.predicted('lean', pixels)), coarsest, 1) : 1;
        /* No new size for every whim. */
        if (wanted === 1 ? this.scale !== 1 : Math.abs(wanted / this.scale - 1) > 0.12)
            this.scale = wanted;
        return this;
    }

    /* How pictures of a film are drawn, which all have one size: nobody waits for them. */
    forFilm(pixels) {
        const scale = this.cost.lean ? clamp(Math.sqrt(film / this.predicted('lean', pixels)), coarsest, 1) : 1;
        return {lean: this.lean, fine: true, scale};
    }

    /* How a picture at rest is drawn; null: it is as fine as it can be. */
    atRest(pixels) {
        if ((!this.lean && this.scale === 1) || !this.cost.lean)
            return null;
        if (this.predicted('rich', pixels) < patience)
            return {lean: false, scale: 1};
        const scale = Math.min(Math.sqrt(patience / this.predicted('lean', pixels)), 1);
        return {lean: true, fine: true, scale: scale > 1.2 * this.scale ? scale : this.scale};
    }

    /* A picture of so many million pixels took so many ms. The first ones stand for nothing: programs
     * are made for the machine then. */
    took(ms, pixels, lean) {
        const way = lean ? 'lean' : 'rich', cost = ms / Math.max(pixels, 1e-3);
        this.drawn++;
        if (this.drawn > 2)
            this.cost[way] = this.cost[way] ? mix(this.cost[way], cost, 0.2) : cost;
    }
}
