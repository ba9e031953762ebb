/* How fast the page draws, at 1280 × 720 without a graphics card: live.mjs PLAYWRIGHT CHROMIUM ADDRESS. See live.py.
 * The camera turns all the time, so each picture is a new one. */
import {readFileSync, readdirSync} from 'node:fs';

const [,, library, executablePath, address] = process.argv;
const {chromium} = await import(library);
const browser = await chromium.launch({executablePath, args: [
    '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']});
const page = await browser.newPage({viewport: {width: 1280, height: 720}});
await page.goto(address);
await page.waitForFunction(() => tallow.state.frame && tallow.state.hello, null, {timeout: 60000});

/* s of processor that the browser's processes that draw had so far. */
function processor() {
    let ticks = 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
            const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
            if (!/--type=(gpu-process|renderer)/.test(command))
                continue;
            const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').pop().split(' ');
            ticks += +fields[11] + +fields[12];
        } catch { /* it has gone */ }
    }
    return ticks / 100;
}

await page.evaluate(() => {
    setInterval(() => {
        tallow.state.camera.around += 0.01;
        tallow.state.dirty = true;
    }, 10);
    const {draw} = Object.getPrototypeOf(tallow.renderer());
    tallow.pictures = 0;
    tallow.renderer().draw = function (...all) {
        tallow.pictures++;
        return draw.apply(this, all);
    };
});
await page.waitForTimeout(6000); // it finds out how fast it is
const count = () => page.evaluate(() => tallow.pictures);
const before = [await count(), processor(), Date.now()];
await page.waitForTimeout(10000);
const pictures = await count() - before[0], used = processor() - before[1], passed = (Date.now() - before[2]) / 1000;
const facts = await page.evaluate(() => [tallow.state.frame.count, tallow.renderer().seen, tallow.quality.lean, tallow.quality.scale,
                                         tallow.state.frame.playing, tallow.renderer().canvas.width]);
console.log(`${facts[0]} particles (${facts[1]} drawn), ${facts[4] ? 'simulated beside' : 'paused'}: ${(pictures / passed).toFixed(1)} pictures a second ` +
            `of ${facts[5]} pixels across, ${facts[2] ? 'lean' : 'rich'}, at ${(used / passed).toFixed(2)} processors: ` +
            `${(1000 * used / pictures).toFixed(0)} ms of processor a picture`);
await browser.close();
