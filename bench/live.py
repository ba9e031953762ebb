"""What `tallow live` takes: bytes a particle, frames from a drag to its effect, steps and pictures, in time and in
processor time, which a busy machine does not change. Nothing is asserted. The table of docs/live.md was made by it.
Run: live.py TALLOW SOURCE; pictures need chromium, node and playwright-core (scripts/setup --tests)."""
import os, pathlib, re, shutil, subprocess, sys, time

sys.path[:0] = [str(pathlib.Path(__file__).parent.parent / 'tests/live')]
from page import playwright
from wire import Live

TALLOW, HERE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(__file__).parent
TICKS = os.sysconf('SC_CLK_TCK')


def heap(count, spacing=0.01):
    """A scene of so many particles, which collapse."""
    edge = spacing * round((count / 2) ** (1 / 3))
    return f"""spacing: {spacing}
frame_rate: 50
duration: 60 s
materials: {{oil: {{density: 900, viscosity: 1}}}}
bodies: [{{material: oil, box: {{from: [0, 0, 0], to: [{2 * edge}, {edge}, {edge}]}}}}]
walls: [{{name: floor, plane: z, at: 0}}]
"""


def processor(pid):
    """s: of a process so far."""
    fields = pathlib.Path(f'/proc/{pid}/stat').read_text().rsplit(') ', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def frames(count, seconds=15):
    """Whoever takes each frame at once: steps and frames."""
    with Live(TALLOW, '--threads', str(os.cpu_count()), scene=heap(count)) as live:
        viewer = live.viewer()
        viewer.send('speed 0')
        viewer.bare()
        began, first, used = time.time(), viewer.bare(), processor(live.process.pid)
        shown = 1
        while time.time() - began < seconds:
            last = viewer.bare()
            shown += 1
        passed, used, steps = time.time() - began, processor(live.process.pid) - used, last.step - first.step
        print(f'{last.count} particles: {last.size} bytes a frame, {last.size / last.count:.2f} a particle; '
              f'{steps / passed:.1f} steps and {shown / passed:.1f} frames a second at {used / passed:.2f} processors: '
              f'{used / steps:.3f} s of processor a step')


def latency(tries=20):
    """Frames that come after something was told and do not yet show it: two may be on their way."""
    with Live(TALLOW) as live:
        viewer, late = live.viewer(), []
        viewer.send('speed 1')
        for _ in range(tries):
            viewer.send('grip 0.1 0.1 0.1 1 50')
            late.append(next(k for k in range(99) if viewer.frame().holds))
            viewer.send('release')
            while viewer.frame().holds:
                pass
        print(f'a grip is seen after {max(late)} frames at most that do not show it, {sum(late) / tries:.2f} on average')


def pictures(count, *more):
    library, node, chromium = playwright(), shutil.which('node'), shutil.which('chromium')
    if not (library and node and chromium):
        print('no pictures: there is no browser, or nothing to drive it')
        return
    with Live(TALLOW, *more, scene=heap(count)) as live:
        out = subprocess.run([node, str(HERE / 'live.mjs'), str(library), chromium, live.address], capture_output=True, text=True)
        print(out.stdout.strip() or out.stderr)


if __name__ == '__main__':
    model = re.search(r'model name\s*: (.*)', pathlib.Path('/proc/cpuinfo').read_text())[1]
    print(f'{model}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}')
    latency()
    for n in (50_000, 100_000):
        frames(n)
    pictures(50_000)
    pictures(50_000, '--paused')
