/* The page in a browser: page.mjs PLAYWRIGHT CHROMIUM ADDRESS [FOLDER FOR PICTURES]. Each check is a
 * claim; page.py starts the simulation, and starts it anew when this says so. */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {createInterface} from 'node:readline';

const [,, library, executablePath, address, pictures] = process.argv;
const {chromium} = await import(library);
const browser = await chromium.launch({executablePath, args: [
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']});
const context = await browser.newContext({viewport: {width: 640, height: 400}});
const errors = [];

async function open(where = context) {
    const page = await where.newPage();
    page.setDefaultTimeout(60000);
    page.on('pageerror', (e) => errors.push(e.message));
    page.on('console', (m) => m.type() === 'error' && errors.push(m.text()));
    await page.goto(address);
    await page.waitForFunction(() => tallow.state.frame && tallow.state.hello);
    return page;
}

const state = (page) => page.evaluate(() => {
    const {time, step, hash, playing, count, low, high, particles, range} = tallow.state.frame;
    let middle = 0;
    for (let i = 0; i < count; i++)
        middle += low[2] + particles[4 * i + 2] / 65535 * (high[2] - low[2]);
    return {time, step, hash, playing, count, top: high[2], right: high[0], middle: middle / count, range};
});
const until = (page, test, argument) => page.waitForFunction(test, argument, {polling: 50, timeout: 60000});
const shoot = async (page, name) => { if (pictures) await page.screenshot({path: `${pictures}/${name}.png`}); };

async function claim(words, act) {
    const began = Date.now();
    await act();
    console.log(`ok     ${words} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

/* Where a place of the world is in the window. */
const project = (page, place) => page.evaluate((p) => {
    const r = tallow.renderer();
    tallow.draw();
    const apply = (m, v) => [0, 1, 2, 3].map((k) => m[k] * v[0] + m[4 + k] * v[1] + m[8 + k] * v[2] + m[12 + k] * v[3]);
    const c = apply(r.projection, apply(r.view, [...p, 1]));
    return [(c[0] / c[3] + 1) / 2 * innerWidth, (1 - c[1] / c[3]) / 2 * innerHeight];
}, place);

const drag = async (page, from, to, hold) => {
    await page.mouse.move(...from);
    await page.mouse.down();
    for (let k = 1; k <= 6; k++) {
        await page.mouse.move(from[0] + (to[0] - from[0]) * k / 6, from[1] + (to[1] - from[1]) * k / 6);
        await page.waitForTimeout(20);
    }
    await hold();
    await page.mouse.up();
};

const press = (page, key) => page.evaluate((k) => dispatchEvent(new KeyboardEvent('keydown', {key: k})), key);
const pause = async (page) => {
    await page.evaluate(() => tallow.say('pause'));
    await until(page, () => !tallow.state.frame.playing);
};
const reset = async (page) => {
    await pause(page);
    await page.evaluate(() => tallow.say('reset'));
    await until(page, () => tallow.state.frame.step === 0);
};
const play = (page) => page.evaluate(() => tallow.say('play'));

let page = await open();

await claim('the page shows matter that moves', async () => {
    await until(page, () => tallow.state.frame.step > 5);
    const shot = await page.evaluate(() => {
        tallow.draw();
        const gl = tallow.renderer().gl, bytes = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
        gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
        return new Set(Array.from({length: bytes.length / 4}, (_, k) => bytes[4 * k] << 8 | bytes[4 * k + 1])).size;
    });
    assert.ok(shot > 200, `${shot} colours`);
    await shoot(page, 'moves');
});

await claim('pause holds the hash, and play goes on', async () => {
    await pause(page);
    const before = await state(page);
    assert.notEqual(before.hash, '0000000000000000');
    await page.waitForTimeout(600);
    const after = await state(page);
    assert.equal(after.hash, before.hash);
    assert.equal(after.step, before.step);
    await press(page, ' ');
    await until(page, (s) => tallow.state.frame.step > s, before.step);
});

await claim('two viewers see the same', async () => {
    const other = await open();
    await pause(page);
    await until(other, () => !tallow.state.frame.playing);
    assert.equal((await state(other)).hash, (await state(page)).hash);
    await other.close();
});

await claim('dragging moves matter, and it is let go', async () => {
    await reset(page);
    const top = await project(page, [0.1, 0.0, 0.18]), up = [top[0], top[1] - 90];
    const before = await state(page);
    assert.equal(await page.evaluate(([x, y]) => tallow.pick(x, y)?.kind, top), 'matter');
    await drag(page, top, up, async () => { // time stands still until then, however slow the machine is
        await play(page);
        await until(page, (t) => tallow.state.frame.high[2] > t + 0.03 && tallow.state.frame.holds, before.top);
    });
    await shoot(page, 'dragged');
    await until(page, () => !tallow.state.frame.holds);
});

await claim('a lamp that is dragged near warms what is there', async () => {
    await page.evaluate(() => {
        const c = document.getElementById('colour');
        c.value = 'temperature';
        c.dispatchEvent(new Event('change'));
        tallow.say('set sources.lamp.power 1e6'); /* 11 kg of it: some 50 K/s on top */
    });
    const lamp = await page.evaluate(() => [...tallow.state.frame.sources]);
    const from = await project(page, lamp), to = await project(page, [0.1, 0.1, 0.3]);
    assert.equal(await page.evaluate(([x, y]) => tallow.pick(x, y)?.kind, from), 'source');
    const before = await page.evaluate(() => tallow.state.frame.range[1]);
    await drag(page, from, to, () => until(page, (z) => tallow.state.frame.sources[2] < z - 0.1, lamp[2]));
    await play(page);
    await until(page, (t) => tallow.state.frame.range[1] > t + 5, before);
});

await claim('the tool Warm warms what it touches', async () => {
    await reset(page);
    await page.keyboard.press('2');
    const at = await project(page, [0.1, 0.0, 0.1]);
    await drag(page, at, [at[0] + 4, at[1]], () => until(page, () => tallow.state.frame.range[1] > 70));
    await page.keyboard.press('1');
});

await claim('matter is poured where the pointer is held', async () => {
    await reset(page);
    const before = await state(page), at = await project(page, [0.45, 0.0, 0.25]);
    await page.keyboard.press('3');
    assert.equal(await page.evaluate(() => tallow.state.tool), 'pour');
    await drag(page, at, [at[0] + 12, at[1]], async () => {
        await play(page);
        await until(page, (n) => tallow.state.frame.count > n + 40, before.count);
    });
    await shoot(page, 'poured');
    await until(page, () => !tallow.state.frame.pours);
    const after = await state(page);
    assert.ok(after.right > before.right + 0.05, `${after.right} m`);
    await page.keyboard.press('1');
});

await claim('a wall is driven by dragging it', async () => {
    await reset(page);
    const at = await project(page, [-0.2, 0, 0.1]), to = await project(page, [-0.1, 0, 0.1]);
    assert.equal(await page.evaluate(([x, y]) => tallow.pick(x, y)?.kind, at), 'wall');
    await drag(page, at, to, async () => {
        await play(page);
        await until(page, () => tallow.state.frame.poses[7] > 0.05);
    });
});

await claim('a slider makes it thinner, and it falls faster', async () => {
    const fall = async (viscosity) => {
        await reset(page);
        await page.evaluate((v) => {
            const slider = document.querySelector('input[data-key="materials.syrup.viscosity"]');
            slider.value = v;
            slider.dispatchEvent(new Event('input'));
        }, viscosity);
        await page.waitForTimeout(400);
        for (let k = 0; k < 6; k++)
            await page.evaluate(() => tallow.say('frame'));
        await until(page, () => tallow.state.frame.time > 0.119);
        return (await state(page)).middle;
    };
    const thick = await fall(0.5), thin = await fall(0.05);
    assert.ok(thin < thick - 0.002, `${thin} m after ${thick} m`);
});

/* The bytes of what a click makes the browser save, and its name. */
const saved = async (page, act) => {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    return [await readFile(await download.path()), download.suggestedFilename()];
};

await claim('pictures and films are saved, and are what they say', async () => {
    const [picture, name] = await saved(page, () => page.click('#picture'));
    assert.ok(name.endsWith('s.png') && picture.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n');
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [640, 400]);
    assert.ok(picture.length > 5000, `${picture.length} bytes: nothing is in it`);
    await play(page);
    await page.click('#film');
    await page.waitForTimeout(1200);
    const [film, title] = await saved(page, () => page.click('#film'));
    assert.ok(title.endsWith('.webm') && film.readUInt32BE(0) === 0x1A45DFA3); // Matroska
    assert.ok(film.includes('webm') && film.length > 2000, `${film.length} bytes`);
    if (pictures)
        await writeFile(`${pictures}/film.webm`, film);
});

await claim('keys do what buttons do', async () => {
    await pause(page);
    const {step, time} = await state(page);
    await press(page, '.');
    await until(page, (s) => tallow.state.frame.step === s + 1, step);
    await press(page, 'm');
    await press(page, 'f');
    await until(page, (t) => tallow.state.frame.time > t + 0.005, time);
    await press(page, 'b');
    await until(page, (s) => tallow.state.frame.step === s + 1, step);
    const seen = () => page.evaluate(() => JSON.stringify([tallow.state.camera, tallow.state.smooth, document.getElementById('panel').className]));
    for (const key of ['ArrowLeft', 'ArrowUp', '+', '-', 'c', 's', 's', 'o', 'o']) {
        const before = await seen();
        await press(page, key);
        assert.notEqual(await seen(), before, key);
    }
    await press(page, 'x');
    await until(page, () => document.getElementById('notes').textContent.includes('.vtp'));
});

await claim('fingers turn, bring nearer and drag', async () => {
    const touching = await browser.newContext({viewport: {width: 390, height: 780}, hasTouch: true, isMobile: true});
    const phone = await open(touching), input = await touching.newCDPSession(phone);
    const touch = (type, ...points) => input.send('Input.dispatchTouchEvent', {type, touchPoints: points.map(([x, y]) => ({x, y}))});
    const camera = () => phone.evaluate(() => ({...tallow.state.camera}));
    await reset(phone);
    const before = await camera();
    await touch('touchStart', [30, 560]);
    await touch('touchMove', [90, 560]);
    await touch('touchEnd');
    const turned = await camera();
    assert.ok(turned.around < before.around - 0.2 && turned.distance === before.distance, JSON.stringify(turned));
    await touch('touchStart', [150, 400], [200, 400]);
    await touch('touchMove', [100, 400], [250, 400]);
    await touch('touchEnd');
    assert.ok((await camera()).distance < 0.5 * before.distance, JSON.stringify(await camera()));
    await press(phone, 'c');
    const at = await project(phone, [0.1, 0, 0.15]);
    await touch('touchStart', at);
    await touch('touchMove', [at[0], at[1] - 60]);
    await until(phone, () => tallow.state.frame.holds);
    await touch('touchEnd');
    await until(phone, () => !tallow.state.frame.holds);
    await shoot(phone, 'touched');
    await touching.close();
});

await claim('curves, legend and small screens are there', async () => {
    await page.evaluate(() => document.getElementById('panel').classList.add('open'));
    await play(page);
    await until(page, () => tallow.plot.times.length > 3 && !document.getElementById('legend').hidden);
    await shoot(page, 'panel');
    await page.setViewportSize({width: 390, height: 780});
    await page.waitForTimeout(800);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} px`);
    await shoot(page, 'phone');
    await page.setViewportSize({width: 640, height: 400});
});

await claim('another scene is started from the list', async () => {
    await page.keyboard.press('g');
    assert.ok(await page.evaluate(() => document.querySelectorAll('#scenes li').length > 5));
    await page.keyboard.type('cup anoth');
    await shoot(page, 'gallery');
    await page.keyboard.press('Enter');
    await until(page, () => tallow.state.hello.scene === 'another' && tallow.state.frame && document.getElementById('gallery').hidden);
    assert.equal(await page.evaluate(() => tallow.renderer().meshes.size), 2);
    const drawn = await page.evaluate(() => { // a rigid body is drawn as such; a field colours its particles
        const seen = (colour) => {
            const c = document.getElementById('colour');
            c.value = colour;
            c.dispatchEvent(new Event('change'));
            tallow.draw();
            return tallow.renderer().seen;
        };
        return [tallow.state.frame.count - seen('material'), [...tallow.state.frame.bodies].filter((b) => b).length];
    });
    assert.equal(drawn[0], drawn[1]);
    await play(page);
    await until(page, () => tallow.state.frame.time > 0.05);
    await shoot(page, 'another');
});

await claim('it comes back when the simulation was started anew', async () => {
    const before = await page.evaluate(() => tallow.link().received);
    console.log('restart');
    await new Promise((done) => createInterface({input: process.stdin}).once('line', done));
    await until(page, (n) => tallow.link().received > n + 3 && !document.body.classList.contains('cut'), before);
});

await browser.close();
/* What the browser says of the socket that was cut off is no fault. */
const faults = errors.filter((e) => !/WebSocket connection|net::ERR_/.test(e));
assert.deepEqual(faults, []);
console.log('all claims hold');
process.exit(0);
