"""A browser's side of `tallow live`, by hand: requests and sockets, well-formed or not."""
import base64, json, os, pathlib, re, signal, socket, struct, subprocess, tempfile

SCENE = """spacing: 2.5 cm
frame_rate: 50
duration: 10 s
materials: {syrup: {density: 1400, viscosity: 20, conductivity: 1, specific_heat: 2000, absorptivity: 0.9}}
bodies: [{material: syrup, temperature: 20, box: {from: [0, 0, 0], to: [0.2, 0.2, 0.2]}}]
walls:
  - {name: floor, plane: z, at: 0, temperature: 20}
  - {name: ram, box: {from: [-0.3, 0, 0], to: [-0.1, 0.2, 0.2]}, outside: true, driven: 1 m/s}
sources: [{name: lamp, position: [0.1, 0.1, 0.6], power: 10}]
"""
OTHER = """title: "Another: a ball in a cup"
spacing: 2 cm
materials: {honey: {density: 1400, viscosity: 10}, oil: {density: 900, viscosity: 1}}
bodies:
  - {material: honey, sphere: {center: [0, 0, 0.2], radius: 6 cm}}
  - {name: die, material: oil, rigid: true, box: {from: [0.3, -0.04, 0.1], to: [0.38, 0.04, 0.18]}}
walls:
  - {name: floor, plane: z, at: 0}
  - {name: cup, cylinder: {from: [0, 0, 0.02], to: [0, 0, 0.1], radius: 10 cm}, hollow: true}
"""
TOKEN = 'a-token-for-the-tests'


class Live:
    """A `tallow live` that is at work, in a folder of its own. With the name '' it waits for a scene."""

    def __init__(self, tallow, *options, scene=SCENE, name=None):
        self.folder = tempfile.TemporaryDirectory(prefix='tallow-live-')
        path = pathlib.Path(self.folder.name)
        (path / 'syrup.yaml').write_text(scene)
        (path / 'scenes').mkdir()
        (path / 'scenes/another.yaml').write_text(OTHER)
        (path / 'scenes/broken.yaml').write_text('title: Nothing in it\nspacing: 1 cm\n')
        self.record = path / 'record.txt'
        self.tallow = tallow
        self.process = subprocess.Popen(
            [tallow, 'live', *([] if name == '' else [name or 'syrup.yaml']), '--json', '--threads', '1', '--token',
             TOKEN, '--record', str(self.record), *options], cwd=path, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=os.environ | {'TALLOW_PATH': str(path)})
        line = self.process.stdout.readline()
        assert line, self.process.communicate()
        self.address = json.loads(line)['address']
        self.port = int(re.match(r'http://127\.0\.0\.1:(\d+)/', self.address)[1])

    def alive(self):
        return self.process.poll() is None

    def end(self):
        """Ends it as Ctrl-C does, and returns its exit code and what it said."""
        self.process.send_signal(signal.SIGINT)
        said = self.process.communicate(timeout=60)
        return self.process.returncode, *said

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.alive():
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()

    # ---- Requests

    def connect(self, timeout=10):
        return socket.create_connection(('127.0.0.1', self.port), timeout=timeout)

    def ask(self, request):
        """Sends bytes and returns all that comes until the other side has done."""
        with self.connect() as s:
            s.sendall(request)
            answer = b''
            try:
                while chunk := s.recv(65536):
                    answer += chunk
                    head, _, body = answer.partition(b'\r\n\r\n')
                    size = re.search(rb'content-length: *(\d+)', head, re.I)
                    if size and len(body) >= int(size[1]):
                        break
            except (ConnectionError, TimeoutError):
                pass
            return answer

    def get(self, path, host=None, method='GET'):
        host = host or f'127.0.0.1:{self.port}'
        return self.ask(f'{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n'.encode())

    def status(self, path, **more):
        answer = self.get(path, **more)
        found = re.match(rb'HTTP/1\.[01] (\d+)', answer)
        return int(found[1]) if found else 0

    # ---- Sockets

    def handshake(self, token=TOKEN, origin=None, host=None, protocol='tallow-live', receive=None):
        s = socket.socket()
        if receive:
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        s.settimeout(20)
        s.connect(('127.0.0.1', self.port))
        own = f'127.0.0.1:{self.port}'
        lines = [f'GET /{token}/socket HTTP/1.1', f'Host: {host or own}', 'Upgrade: websocket', 'Connection: Upgrade',
                 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: ' + base64.b64encode(os.urandom(16)).decode()]
        if protocol:
            lines.append(f'Sec-WebSocket-Protocol: {protocol}')
        if origin != '':
            lines.append(f'Origin: {origin or "http://" + own}')
        s.sendall(('\r\n'.join(lines) + '\r\n\r\n').encode())
        answer = b''
        try:
            while not answer.endswith(b'\r\n\r\n'):
                byte = s.recv(1)
                if not byte:
                    break
                answer += byte
        except ConnectionError:
            pass
        return s, answer.startswith(b'HTTP/1.1 101')

    def viewer(self, **more):
        s, fine = self.handshake(**more)
        assert fine
        return Viewer(s)


class Viewer:
    def __init__(self, s):
        self.s = s
        self.hello = None
        self.gallery = None
        self.notes = []
        self.meshes = []

    def send(self, words, opcode=1, final=True):
        data = words.encode() if isinstance(words, str) else words
        mask = os.urandom(4)
        size = len(data)
        head = bytes([(0x80 if final else 0) | opcode])
        head += bytes([0x80 | size]) if size < 126 else (
            bytes([0xFE]) + struct.pack('>H', size) if size < 65536 else bytes([0xFF]) + struct.pack('>Q', size))
        self.s.sendall(head + mask + bytes(b ^ mask[k % 4] for k, b in enumerate(data)))

    def take(self, size):
        data = b''
        while len(data) < size:
            chunk = self.s.recv(size - len(data))
            if not chunk:
                raise ConnectionError('closed')
            data += chunk
        return data

    def message(self):
        """The next message: (opcode, bytes)."""
        whole = b''
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack('>H', self.take(2))[0]
            elif size == 127:
                size = struct.unpack('>Q', self.take(8))[0]
            whole += self.take(size)
            kind = first & 0x0F or kind
            if first & 0x80:
                return kind, whole

    def frame(self, acknowledge=True):
        """The next frame."""
        while True:
            kind, data = self.message()
            if kind == 8:
                raise ConnectionError('closed')
            if kind == 1:
                said = json.loads(data)
                if said['type'] == 'hello':
                    self.hello = said
                elif said['type'] == 'gallery':
                    self.gallery = said['scenes']
                else:
                    self.notes.append(said)
            elif data[:4] == b'TLF1':
                frame = Frame(data)
                if acknowledge:
                    self.send(f'seen {frame.sequence}')
                return frame
            else:
                self.meshes.append(data)

    def bare(self):
        """The next frame, of which nothing is read but its head: for many particles."""
        while True:
            kind, data = self.message()
            if kind == 2 and data[:4] == b'TLF1':
                head = Head(data)
                self.send(f'seen {head.sequence}')
                return head

    def frame_when(self, test, most=400):
        for _ in range(most):
            frame = self.frame()
            if test(frame):
                return frame
        raise AssertionError('it never came')

    def note(self):
        """The next note."""
        count = len(self.notes)
        while len(self.notes) == count:
            self.frame()
        return self.notes[-1]

    def closes(self):
        """Whether the other side ends it."""
        try:
            while self.message()[0] != 8:
                pass
        except (ConnectionError, TimeoutError) as e:
            return not isinstance(e, TimeoutError)
        return True

    def close(self):
        self.s.close()


class Head:
    def __init__(self, data):
        self.sequence, self.time, self.step = struct.unpack_from('<4xIdd', data)
        self.count, = struct.unpack_from('<I', data, 64)
        self.size = len(data)


class Frame:
    """docs/live-protocol.md, read by somebody else than the page."""

    def __init__(self, data):
        (mark, self.sequence, self.time, self.step, self.hash, *rest) = struct.unpack_from('<IIddQ8f', data)
        assert mark == 0x31464C54
        self.low, self.high, self.range = rest[:3], rest[3:6], rest[6:8]
        count, packed, books, walls, sources = struct.unpack_from('<5I', data, 64)
        self.speed, self.spacing = struct.unpack_from('<2f', data, 84)
        self.field, flags = packed & 0xFFFF, packed >> 16
        self.playing, self.holds = bool(flags & 1), bool(flags & 8)
        self.pours, self.blocked = bool(flags & 32), bool(flags & 64)
        at = 96
        self.books = struct.unpack_from(f'<{books}d', data, at)
        at += 8 * books
        bodies, = struct.unpack_from('<I', data, 92)
        self.poses = [struct.unpack_from('<7f', data, at + 28 * k) for k in range(walls + bodies)]
        at += 28 * (walls + bodies)
        self.sources = [struct.unpack_from('<3f', data, at + 12 * k) for k in range(sources)]
        at += 12 * sources
        raw = struct.unpack_from(f'<{4 * count}H', data, at)
        at += 8 * count
        span = [h - l for l, h in zip(self.low, self.high)]
        self.places = [[self.low[k] + raw[4 * i + k] / 65535 * span[k] for k in range(3)] for i in range(count)]
        self.values = [None if raw[4 * i + 3] == 65535 else
                       self.range[0] + raw[4 * i + 3] / 65534 * (self.range[1] - self.range[0]) for i in range(count)]
        self.size = len(data)
        at += count if flags & 2 else 0
        at += count if flags & 4 else 0
        self.bodies = data[at:at + count] if flags & 128 else bytes(count)
        at += count if flags & 128 else 0
        assert at == len(data)

    def middle(self, axis):
        return sum(p[axis] for p in self.places) / len(self.places)
