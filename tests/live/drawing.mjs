/* What the page leaves out of pictures, and how finely it draws: drawing.mjs WEB. Without a browser. */
import assert from 'node:assert/strict';

const {visible} = await import(`${process.argv[2]}/visible.js`);
const {Quality} = await import(`${process.argv[2]}/quality.js`);

/* n³ particles on a lattice, each shifted by a part of the spacing. */
function block(n, shift, more = []) {
    const places = [...more];
    let seed = 7;
    const random = () => (seed = seed * 16807 % 2147483647) / 2147483647 - 0.5;
    for (let i = 0; i < n ** 3; i++)
        places.push([i % n, Math.floor(i / n) % n, Math.floor(i / n / n)].map((x) => x + shift * random()));
    const low = [0, 1, 2].map((k) => Math.min(...places.map((p) => p[k])));
    const high = [0, 1, 2].map((k) => Math.max(...places.map((p) => p[k])));
    const particles = new Uint16Array(4 * places.length);
    places.forEach((p, i) => {
        for (let k = 0; k < 3; k++)
            particles[4 * i + k] = Math.round(65535 * (p[k] - low[k]) / (high[k] - low[k]));
        particles[4 * i + 3] = i % 65535;
    });
    return {count: places.length, low, high, spacing: 1, particles, materials: null, sizes: null};
}

const layer = (n, i) => Math.min(...[i % n, Math.floor(i / n) % n, Math.floor(i / n / n)].map((x) => Math.min(x, n - 1 - x)));

for (const shift of [0, 0.3]) { // the skin is whole, and what is inside is gone
    const n = 24, all = block(n, shift), seen = visible(all), kept = new Set();
    for (let i = 0; i < seen.count; i++)
        kept.add(seen.particles[4 * i + 3]);
    for (let i = 0; i < all.count; i++) {
        assert.ok(layer(n, i) > 0 || kept.has(i), `${i} of the skin`);
        assert.ok(layer(n, i) < 6 || !kept.has(i), `${i} inside`);
    }
    assert.ok(seen.count < 0.75 * all.count, `${seen.count} of ${all.count}`);
}
{ // sizes and materials go with their particles
    const all = block(24, 0.1);
    all.materials = Uint8Array.from({length: all.count}, (_, i) => i % 200);
    all.sizes = new Uint8Array(all.count).fill(128);
    const seen = visible(all);
    for (let i = 0; i < seen.count; i++)
        assert.equal(seen.materials[i], seen.particles[4 * i + 3] % 200);
    assert.equal(seen.sizes.length, seen.count);
    all.sizes.fill(96); // of half the spacing, they fill an eighth: one looks through
    assert.equal(visible(all).count, all.count);
}
{ // a few, and a cloud with a straggler far away, which must not cost memory
    assert.equal(visible(block(10, 0)).count, 1000);
    const seen = visible(block(24, 0, [[1e6, 1e6, 1e6]]));
    assert.equal(seen.count, 24 ** 3 + 1);
}

/* A machine that takes `fixed` ms and so many more for a million pixels. */
function settle(fixed, lean, rich, pictures = 400) {
    const q = new Quality(), pixels = 0.9216;
    let total = 0, changes = 0, before = '';
    for (let k = 0; k < pictures; k++) {
        const {lean: isLean, scale} = q.next(pixels), own = pixels * scale * scale;
        const ms = fixed + own * (isLean ? lean : rich);
        q.took(ms, own, isLean);
        changes += k > pictures / 2 && before !== `${isLean}${scale}`;
        before = `${isLean}${scale}`;
        total = ms;
    }
    return {ms: total, lean: q.lean, scale: q.scale, changes};
}
{ // fast machines draw richly, slow ones in fewer pixels, and none goes to and fro
    const fast = settle(1, 1, 5);
    assert.ok(!fast.lean && fast.scale === 1, JSON.stringify(fast));
    for (const [fixed, lean, rich] of [[5, 20, 500], [10, 60, 900], [8, 150, 2000]]) {
        const slow = settle(fixed, lean, rich);
        assert.ok(slow.lean && slow.ms < 45 && slow.changes === 0, JSON.stringify(slow));
    }
    const hopeless = settle(100, 1000, 9000);
    assert.ok(hopeless.lean && hopeless.scale >= 0.4);
}
console.log('all claims hold');
