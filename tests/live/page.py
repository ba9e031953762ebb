"""Runs page.mjs, the test of the page in a browser. Skipped (77) where there is no chromium, node or
playwright-core. Run: page.py TALLOW SOURCE [PICTURES]"""
import os, pathlib, shutil, subprocess, sys

from wire import TOKEN, Live

TALLOW = str(pathlib.Path(sys.argv[1]).resolve())
HERE = pathlib.Path(__file__).parent


def playwright():
    """Where playwright-core is: $TALLOW_PLAYWRIGHT, or where scripts/setup --tests puts it."""
    places = [os.environ.get('TALLOW_PLAYWRIGHT', ''), str(pathlib.Path(sys.argv[2]) / 'build-tools'),
              '/usr/share/nodejs', '/usr/lib/node_modules', '/usr/local/lib/node_modules']
    for place in filter(None, places):
        for found in (pathlib.Path(place) / 'playwright-core', pathlib.Path(place) / 'node_modules/playwright-core'):
            if (found / 'index.mjs').exists():
                return found / 'index.mjs'
    return None


def main():
    node, chromium, library = shutil.which('node'), shutil.which('chromium'), playwright()
    if not (node and chromium and library):
        print(f'skipped: node {node}, chromium {chromium}, playwright-core {library}')
        return 77
    with Live(TALLOW) as live:
        command = [node, str(HERE / 'page.mjs'), str(library), chromium, live.address, *sys.argv[3:4]]
        test = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for line in test.stdout:
            if line.strip() != 'restart':
                print(line, end='', flush=True)
                continue
            live.end() # and another one at the same address
            with Live(TALLOW, '--port', str(live.port)) as again:
                test.stdin.write('restarted\n')
                test.stdin.flush()
                rest = test.stdout.read()
                print(rest, end='')
                assert again.alive()
        return test.wait()


if __name__ == '__main__':
    assert TOKEN
    sys.exit(main())
