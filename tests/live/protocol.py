"""What `tallow live` lets in and what it does not: tests of its protocol, without a browser. Each
function is a claim. Run: protocol.py TALLOW SOURCE"""
import json, pathlib, re, socket, struct, subprocess, sys, time

from wire import TOKEN, Live, Viewer

TALLOW, SOURCE = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])


def book(viewer, frame, name):
    return frame.books[[b['name'] for b in viewer.hello['books']].index(name)]


def the_page_is_there_with_headers_that_keep_others_out():
    with Live(TALLOW) as live:
        for name in ('', 'index.html', 'main.js', 'draw.js', 'style.css', 'icon.svg'):
            answer = live.get(f'/{TOKEN}/{name}')
            head, _, body = answer.partition(b'\r\n\r\n')
            assert head.startswith(b'HTTP/1.1 200'), (name, head)
            assert body == (SOURCE / 'web' / (name or 'index.html')).read_bytes(), name
            for header in (b"content-security-policy: default-src 'none'", b'x-content-type-options: nosniff',
                           b'referrer-policy: no-referrer', b'cache-control: no-store'):
                assert header in head.lower(), header


def it_listens_on_loopback_alone():
    with Live(TALLOW) as live:
        port = f'{live.port:04X}'
        lines = pathlib.Path('/proc/net/tcp').read_text().split('\n')[1:]
        heard = [line.split()[1] for line in lines if line and line.split()[3] == '0A' and f':{port}' in line.split()[1]]
        assert heard == [f'0100007F:{port}'], heard


def whoever_has_no_token_gets_nothing():
    with Live(TALLOW) as live:
        for path in ('/', '/index.html', '//', '/x/', f'/{TOKEN[:-1]}/', f'/{TOKEN}x/', f'/{TOKEN[:-1]}y/', f'/{TOKEN}'):
            assert live.status(path) == 403, path
        for token in ('', 'x', TOKEN[:-1], TOKEN + 'x'):
            assert not live.handshake(token=token)[1], token
        live.viewer().frame()


def pages_of_others_are_not_let_in():
    with Live(TALLOW) as live:
        for origin in ('', 'null', 'http://example.com', f'https://127.0.0.1:{live.port}', 'http://127.0.0.1',
                       f'http://localhost:{live.port}', f'http://127.0.0.1:{live.port}.example.com'):
            assert not live.handshake(origin=origin)[1], origin
        for host in ('example.com', f'example.com:{live.port}', '127.0.0.1'):
            assert live.status(f'/{TOKEN}/', host=host) == 403, host
            assert not live.handshake(host=host, origin=f'http://{host}')[1], host
        assert not live.handshake(protocol=None)[1]
        assert not live.handshake(protocol='other')[1]
        live.viewer().frame()


def there_are_no_paths_to_other_files():
    with Live(TALLOW) as live:
        for path in ('../../etc/passwd', '..%2f..%2fetc%2fpasswd', '%2e%2e/%2e%2e/etc/passwd', '/etc/passwd',
                     'main.js/../../x', '....//etc/passwd', 'main.js%00', '\\..\\x', 'web/main.js', 'a' * 3000):
            answer = live.get(f'/{TOKEN}/{path}')
            assert b'root:' not in answer and not answer.startswith(b'HTTP/1.1 200'), path
        for method in ('POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'):
            assert live.status(f'/{TOKEN}/', method=method) != 200, method
        assert live.alive() and live.status(f'/{TOKEN}/') == 200


def messages_that_are_none_end_the_connection_and_nothing_else():
    bad = ['', 'x', 'play now', 'speed', 'speed x', 'speed -1', 'speed nan', 'colour', 'colour -1', 'colour 1e9',
           'PLAY', 'play\n', 'set\x00', '\x7f', 'x' * 300, 'x' * 70000, '{"a": 1}', 'fly 1 2 3', 'seen x', '\xff\xfe']
    with Live(TALLOW) as live:
        for words in bad:
            viewer = live.viewer()
            viewer.send(words)
            assert viewer.closes(), words
        for raw, opcode, final in ((b'play', 2, True), (b'pl', 1, False), (b'\xff\xfe\xfd', 1, True)):
            viewer = live.viewer()
            viewer.send(raw, opcode, final)
            if not final:
                viewer.send(b'ay', 0, True)
            assert viewer.closes(), raw
        with live.connect() as s: # no mask, reserved bits, a size that cannot be
            s.sendall(b'\x81\x04play' * 10)
        viewer = live.viewer()
        viewer.s.sendall(b'\xff\xff' + b'\xff' * 64)
        assert viewer.closes()
        assert live.alive()
        live.viewer().frame()


def words_that_cannot_be_done_are_told_and_change_nothing():
    with Live(TALLOW, '--paused') as live:
        viewer = live.viewer()
        before = viewer.frame()
        for words in ('set materials.syrup.density 1', 'set bodies.0.mesh /etc/passwd', 'gravity 1 2', 'gravity nan 0 0',
                      'wall floor 0 0 1', 'wall ram 9 9 9', 'source lamb 0 0 0', 'grip 0 0 0 -1 1', 'pour water' + STREAM[10:] + '9', 'pour syrup 0 0 0 1', 'back'):
            viewer.send(words)
            assert viewer.note()['kind'] == 'error', words
        viewer.send('pause')
        assert viewer.frame().hash == before.hash
        code, out, err = live.end()
        assert code == 0 and not live.record.exists(), (code, out, err)


def one_who_does_not_read_does_not_stop_the_others():
    with Live(TALLOW) as live:
        slow = live.viewer(receive=4096)
        for _ in range(300): # it says that it has drawn what it has not
            slow.send('seen 1')
        viewer = live.viewer()
        viewer.send('speed 0')
        start = viewer.frame()
        later = viewer.frame_when(lambda f: f.step > start.step + 60)
        assert later.time > start.time
        memory = int(re.search(r'VmRSS:\s+(\d+)', pathlib.Path(f'/proc/{live.process.pid}/status').read_text())[1])
        assert memory < 400_000, f'{memory} kB'


def whoever_sends_too_much_is_sent_away():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        try:
            for _ in range(3000):
                viewer.send('speed 1')
            assert viewer.closes()
        except (BrokenPipeError, ConnectionError):
            pass
        live.viewer().frame()


def a_thousand_connects_do_no_harm():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        first = viewer.frame()
        open_ = []
        for k in range(1000):
            try:
                s = socket.create_connection(('127.0.0.1', live.port), timeout=2)
            except OSError:
                continue
            if k % 3 == 0:
                s.sendall(b'GET / HTTP/1.1\r\n')
            if k % 10 == 0:
                s.close()
            else:
                open_.append(s)
        viewer.frame_when(lambda f: f.step > first.step)
        for s in open_:
            s.close()
        assert live.alive()
        for _ in range(50):
            if live.status(f'/{TOKEN}/') == 200:
                break
            time.sleep(0.2)
        else:
            raise AssertionError('nobody gets in any more')


def there_are_sixteen_viewers_at_most():
    with Live(TALLOW, '--paused') as live:
        viewers = [live.viewer() for _ in range(16)]
        assert all(v.frame().sequence for v in viewers)
        assert not live.handshake()[1]
        viewers.pop().close()
        for _ in range(50):
            s, fine = live.handshake()
            if fine:
                break
            time.sleep(0.1)
        assert fine


def pausing_holds_the_state_and_playing_goes_on():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        viewer.frame_when(lambda f: f.step > 3)
        viewer.send('pause')
        paused = viewer.frame_when(lambda f: not f.playing)
        assert paused.hash
        time.sleep(0.5)
        other = live.viewer() # a second viewer sees the same
        same = other.frame()
        assert same.hash == paused.hash and same.step == paused.step
        viewer.send('step')
        assert viewer.frame_when(lambda f: f.step != paused.step).step == paused.step + 1
        viewer.send('play')
        viewer.frame_when(lambda f: f.playing and f.step > paused.step + 3)


def a_hand_lifts_and_its_work_is_booked():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        viewer.send('speed 0')
        before = viewer.frame()
        viewer.send('grip 0.1 0.1 0.1 1 100')
        viewer.send('carry 0.1 0.1 0.3')
        lifted = viewer.frame_when(lambda f: f.middle(2) > before.middle(2) + 0.15)
        assert lifted.holds and book(viewer, lifted, 'field_work') > 5
        viewer.send('release')
        viewer.frame_when(lambda f: not f.holds and f.middle(2) < lifted.middle(2) - 0.05)


STREAM = 'pour syrup 0.5 0.1 0.4 0 0 -1 0.05 20 '


def matter_is_poured_and_the_world_fills_up_no_further_than_it_may():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        viewer.send('speed 0')
        before = len(viewer.frame().places)
        assert viewer.hello['materials'][0]['pours']
        viewer.send(STREAM + '600')
        poured = viewer.frame_when(lambda f: len(f.places) > before + 30)
        assert poured.pours and max(p[0] for p in poured.places) > 0.4
        full = viewer.frame_when(lambda f: f.blocked)
        assert before + 30 < len(full.places) <= 600
        assert any('no more are poured' in n['words'] for n in viewer.notes) or 'no more' in viewer.note()['words']
        viewer.send('shut')
        viewer.frame_when(lambda f: not f.pours)


def what_somebody_holds_who_goes_away_is_let_go():
    with Live(TALLOW) as live:
        stays, goes = live.viewer(), live.viewer()
        goes.send('grip 0.1 0.1 0.1 1 50')
        goes.send(STREAM + '5000')
        stays.frame_when(lambda f: f.holds and f.pours)
        goes.close()
        stays.frame_when(lambda f: not f.holds and not f.pours)


def lamps_and_walls_go_where_they_are_told():
    with Live(TALLOW) as live:
        viewer = live.viewer()
        viewer.frame()
        viewer.send('source lamp 0.5 0.25 0.75')
        viewer.frame_when(lambda f: f.sources[0] == (0.5, 0.25, 0.75))
        viewer.send('wall ram 0.2 0 0')
        viewer.frame_when(lambda f: f.poses[1][0] > 0.05)
        viewer.send('wall ram 0 0 0')


def a_thinner_liquid_falls_faster_and_going_back_takes_it_back():
    with Live(TALLOW, '--paused') as live:
        viewer = live.viewer()
        start = viewer.frame()

        def fall():
            viewer.send('mark')
            viewer.note()
            for _ in range(6):
                viewer.send('frame')
            f = viewer.frame_when(lambda f: f.time >= start.time + 0.119)
            viewer.send('back')
            viewer.frame_when(lambda g: g.time < f.time)
            return f.middle(2), f.hash
        thick, thick_hash = fall()
        viewer.send('set materials.syrup.viscosity 1')
        thin, _ = fall()
        assert thin < thick - 0.002, (thin, thick)
        viewer.send('set materials.syrup.viscosity 20')
        again, again_hash = fall()
        assert (again, again_hash) == (thick, thick_hash)


def what_was_told_makes_the_same_run_again():
    with Live(TALLOW, '--paused') as live:
        viewer = live.viewer()
        viewer.frame()
        for words in ('gravity 0 0 -5', 'step', 'step', 'grip 0.2 0.1 0.2 0.1 60', 'carry 0.3 0.1 0.3', 'frame', 'step',
                      'set materials.syrup.viscosity 3', 'wall ram 0.3 0 0', 'frame', 'frame', 'release',
                      STREAM + '2000', 'warm 0 0 0 0.1 55', 'frame', 'frame'):
            viewer.send(words)
        last = viewer.frame_when(lambda f: f.time > 0.0999)
        assert len(last.places) > 512
        code, out, err = live.end()
        assert code == 0 and live.record.exists(), (code, out, err)
        run = subprocess.run([TALLOW, 'run', 'syrup.yaml', '--replay', str(live.record), '--until', '0.1', '--no-film',
                              '--no-plots', '--json', '-o', 'again'], cwd=live.folder.name, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        end = json.loads(run.stdout.strip().split('\n')[-1])
        assert int(end['hash'], 16) == last.hash, (end, last.hash)


def frames_and_states_are_kept_as_files():
    with Live(TALLOW, '--paused') as live:
        viewer = live.viewer()
        viewer.frame()
        viewer.send('frame')
        viewer.send('export')
        frame = pathlib.Path(live.folder.name) / viewer.note()['words'].split(' is in ')[1]
        viewer.send('save')
        state = pathlib.Path(live.folder.name) / viewer.note()['words'].split(' is in ')[1]
        assert frame.parent == state.parent == live.record.with_suffix("") and frame.name.startswith("frame-0"), (frame, state)
        assert b'PolyData' in frame.read_bytes()[:200] and len(frame.read_bytes()) > 4000, len(frame.read_bytes())
        assert state.read_bytes().startswith(b'Tallow snapshot') and b'\x89HDF' in state.read_bytes()[:600]


def a_run_that_is_done_is_played():
    with Live(TALLOW) as live:
        subprocess.run([TALLOW, 'run', 'syrup.yaml', '--until', '0.1', '--no-film', '--no-plots', '-q', '-o', 'done'],
                       cwd=live.folder.name, check=True)
        name = str(pathlib.Path(live.folder.name) / 'done')
        with Live(TALLOW, name=name) as played:
            viewer = played.viewer()
            first = viewer.frame()
            assert not viewer.hello['live'] and len(first.places) == 512
            viewer.frame_when(lambda f: f.time > 0.0999)
            viewer.send('gravity 0 0 0')
            assert viewer.note()['kind'] == 'error'
            viewer.send('save')
            assert viewer.note()['kind'] == 'error'


def scenes_are_started_from_the_page_by_their_names():
    with Live(TALLOW, name='') as live:
        viewer = live.viewer()
        while viewer.gallery is None:
            kind, data = viewer.message()
            viewer.gallery = json.loads(data)['scenes']
        titles = {s['name']: s['title'] for s in viewer.gallery}
        assert titles['another'] == 'Another: a ball in a cup' and 'dam-break' in titles
        viewer.send('play') # of nothing
        viewer.send('open another')
        first = viewer.frame()
        assert viewer.hello['scene'] == 'another' and len(viewer.meshes) == 2 # the cup and the die
        count, number = len(first.places), viewer.hello['number']
        viewer.send('open broken') # and the other one stays
        assert 'broken' in viewer.note()['words']
        viewer.send('open no-such-scene')
        assert 'no scene' in viewer.note()['words']
        assert len(viewer.frame().places) == count
        late = live.viewer() # a second viewer gets it as well
        assert len(late.frame().places) == count and len(late.meshes) == 2
        viewer.send('gravity 0 0 -1')
        viewer.send('open another')
        viewer.frame_when(lambda f: viewer.hello['number'] > number)
        assert viewer.hello['gravity'][2] < -9 and len(viewer.meshes) == 4
        late.frame_when(lambda f: late.hello['number'] > number)
        code, out, err = live.end()
        record = pathlib.Path(live.folder.name) / 'another-live.txt'
        assert code == 0 and 'gravity 0 0 -1' in record.read_text(), (code, out, err)


def the_names_of_scenes_are_no_paths():
    with Live(TALLOW, '--paused') as live:
        for name in ('../syrup', '/etc/passwd', 'scenes/another', '..', '.hidden', 'syrup.yaml/..', '', 'a b', '%2e%2e',
                     'another\\..', '~', '$HOME', 'another;x'):
            viewer = live.viewer()
            viewer.send(f'open {name}')
            assert viewer.closes(), name
        viewer = live.viewer()
        for name in ('syrup', 'syrup.yaml', 'another.yaml', 'scenes', 'record.txt'): # files, but none of the list
            viewer.send(f'open {name}')
            assert viewer.note()['kind'] == 'error', name
        assert viewer.hello['scene'] == 'syrup.yaml' and live.alive()


def rigid_bodies_have_meshes_and_poses_and_their_particles_say_so():
    with Live(TALLOW, name='another') as live:
        viewer = live.viewer()
        first = viewer.frame()
        assert [r['name'] for r in viewer.hello['rigids']] == ['die'] and len(first.poses) == 3
        die = [struct.unpack_from('<I', m, 4)[0] for m in viewer.meshes]
        assert die == [1, 2] # after the walls, of which one has a mesh
        count, = struct.unpack_from('<I', viewer.meshes[1], 8)
        places = struct.unpack_from(f'<{3 * count}f', viewer.meshes[1], 32)
        assert abs(min(places[2::3]) - 0.1) < 1e-6 and abs(max(places[0::3]) - 0.38) < 1e-6
        own = [p for p, b in zip(first.places, first.bodies) if b == 1]
        assert len(own) == 64 and all(0.3 < x < 0.38 for x, _, _ in own)
        fallen = viewer.frame_when(lambda f: f.time > 0.08) # half of g t²
        assert abs(fallen.poses[2][2] + 0.5 * 9.81 * fallen.time ** 2) < 0.005, (fallen.poses[2], fallen.time)
        lowest = min(p[2] for p, b in zip(fallen.places, fallen.bodies) if b == 1)
        assert abs(lowest - min(p[2] for p in own) - fallen.poses[2][2]) < 0.001
        assert abs(sum(x * x for x in fallen.poses[2][3:]) - 1) < 1e-5
        viewer.send('speed 0')
        viewer.send('grip 0.34 0 %g 0.1 200' % (0.14 + fallen.poses[2][2])) # by hand: its particles are the handle
        viewer.send('carry 0.34 0 0.4')
        lifted = viewer.frame_when(lambda f: f.poses[2][2] > 0.15)
        assert lifted.holds


def ctrl_c_ends_it_with_viewers_there():
    with Live(TALLOW) as live:
        viewers = [live.viewer() for _ in range(3)]
        viewers[0].frame()
        code, out, err = live.end()
        assert code == 0 and err == '', (code, out, err)


def bad_options_are_refused():
    for options in (['--host', 'nowhere'], ['--port', '70000'], ['--token', 'short'], ['--token', 'x' * 17 + '/']):
        done = subprocess.run([TALLOW, 'live', 'dam-break', *options], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2 and done.stderr, options
    done = subprocess.run([TALLOW, 'live', 'no-such-scene'], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and 'no-such-scene' in done.stderr


if __name__ == '__main__':
    wanted = sys.argv[3:]
    claims = [f for name, f in list(globals().items()) if callable(f) and getattr(f, '__module__', '') == '__main__'
              and name not in ('book',) and (not wanted or name in wanted)]
    failed = 0
    for claim in claims:
        began = time.time()
        try:
            claim()
            print(f'ok     {claim.__name__} ({time.time() - began:.1f} s)', flush=True)
        except Exception as error: # noqa: BLE001: the others are told as well
            failed += 1
            print(f'FAILED {claim.__name__}: {type(error).__name__}: {error}', flush=True)
    print(f'{len(claims) - failed} passed, {failed} failed')
    sys.exit(failed > 0)
