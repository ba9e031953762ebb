/* The socket to the simulation: docs/live-protocol.md. Comes back by itself when it was cut off. */

const frameMark = 0x31464C54, meshMark = 0x314D4C54, frameHead = 96, meshHead = 32;

/* Views into the message: nothing is copied. Null when it is not as it should be. */
export function readFrame(buffer) {
    const v = new DataView(buffer);
    if (buffer.byteLength < frameHead || v.getUint32(0, true) !== frameMark)
        return null;
    const three = (at) => [v.getFloat32(at, true), v.getFloat32(at + 4, true), v.getFloat32(at + 8, true)];
    const packed = v.getUint32(68, true), flags = packed >>> 16;
    const frame = {
        sequence: v.getUint32(4, true), time: v.getFloat64(8, true), step: v.getFloat64(16, true),
        hash: v.getBigUint64(24, true).toString(16).padStart(16, '0'),
        low: three(32), high: three(44), range: [v.getFloat32(56, true), v.getFloat32(60, true)],
        count: v.getUint32(64, true), field: packed & 0xFFFF, playing: (flags & 1) !== 0,
        holds: (flags & 8) !== 0, recorded: (flags & 16) !== 0, pours: (flags & 32) !== 0, blocked: (flags & 64) !== 0,
        speed: v.getFloat32(84, true), spacing: v.getFloat32(88, true),
    };
    const books = v.getUint32(72, true), walls = v.getUint32(76, true), sources = v.getUint32(80, true);
    const poses = walls + v.getUint32(92, true);
    let at = frameHead;
    const size = at + 8 * books + 28 * poses + 12 * sources + 8 * frame.count +
        [2, 4, 128].filter((f) => flags & f).length * frame.count;
    if (size !== buffer.byteLength)
        return null;
    frame.books = new Float64Array(buffer, at, books);
    at += 8 * books;
    frame.poses = new Float32Array(buffer, at, 7 * poses);
    at += 28 * poses;
    frame.sources = new Float32Array(buffer, at, 3 * sources);
    at += 12 * sources;
    frame.particles = new Uint16Array(buffer, at, 4 * frame.count);
    at += 8 * frame.count;
    frame.materials = flags & 2 ? new Uint8Array(buffer, at, frame.count) : null;
    at += flags & 2 ? frame.count : 0;
    frame.sizes = flags & 4 ? new Uint8Array(buffer, at, frame.count) : null;
    at += flags & 4 ? frame.count : 0;
    frame.bodies = flags & 128 ? new Uint8Array(buffer, at, frame.count) : null;
    return frame;
}

export function readMesh(buffer) {
    const v = new DataView(buffer);
    if (buffer.byteLength < meshHead || v.getUint32(0, true) !== meshMark)
        return null;
    const vertices = v.getUint32(8, true), triangles = v.getUint32(12, true);
    if (buffer.byteLength !== meshHead + 12 * (vertices + triangles))
        return null;
    return {
        wall: v.getUint32(4, true),
        colour: [v.getFloat32(16, true), v.getFloat32(20, true), v.getFloat32(24, true)],
        opacity: v.getFloat32(28, true),
        vertices: new Float32Array(buffer, meshHead, 3 * vertices),
        triangles: new Uint32Array(buffer, meshHead + 12 * vertices, 3 * triangles),
    };
}

export class Link {
    /* on: {hello, frame, mesh, note, gallery, state}; each is called with what came. */
    constructor(on) {
        this.on = on;
        this.received = 0;
        this.wait = 250;
        this.open();
    }

    open() {
        const address = new URL('socket', location.href);
        address.protocol = 'ws:';
        address.hash = address.search = '';
        this.socket = new WebSocket(address.href, 'tallow-live');
        this.socket.binaryType = 'arraybuffer';
        this.socket.onopen = () => {
            this.wait = 250;
            this.on.state(true);
        };
        this.socket.onclose = () => {
            this.on.state(false);
            setTimeout(() => this.open(), this.wait);
            this.wait = Math.min(2 * this.wait, 4000);
        };
        this.socket.onmessage = (event) => this.receive(event.data);
    }

    receive(data) {
        if (typeof data === 'string') {
            const message = JSON.parse(data);
            if (message.type === 'hello')
                this.on.hello(message);
            else if (message.type === 'gallery')
                this.on.gallery(message);
            else if (message.type === 'note')
                this.on.note(message);
            return;
        }
        const mesh = readMesh(data);
        if (mesh) {
            this.on.mesh(mesh);
            return;
        }
        const frame = readFrame(data);
        if (frame) {
            this.received++;
            this.bytes = data.byteLength;
            this.on.frame(frame);
        }
    }

    say(...words) {
        if (this.socket.readyState === WebSocket.OPEN)
            this.socket.send(words.join(' '));
    }

    /* The frame is on the screen: the next may come. */
    seen(sequence) { this.say('seen', sequence); }
}
