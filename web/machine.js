/* WebGL 2: programs, textures and targets, and how long a picture takes. */

export class Machine {
    constructor(canvas) {
        const gl = canvas.getContext('webgl2', {antialias: false, alpha: false, depth: false,
                                                powerPreference: 'high-performance'});
        if (!gl)
            throw new Error('this browser has no WebGL 2');
        this.gl = gl;
        this.floats = gl.getExtension('EXT_color_buffer_float') !== null;
        const facts = gl.getExtension('WEBGL_debug_renderer_info');
        this.name = facts ? gl.getParameter(facts.UNMASKED_RENDERER_WEBGL) : '';
        this.programs = new Map();
        this.fence = null;
    }

    /* Made when it is first used. */
    program(source) {
        const known = this.programs.get(source);
        if (known)
            return known;
        const gl = this.gl, program = gl.createProgram();
        for (const [type, text] of [[gl.VERTEX_SHADER, source.vertex], [gl.FRAGMENT_SHADER, source.fragment]]) {
            const shader = gl.createShader(type);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
                throw new Error(gl.getShaderInfoLog(shader));
            gl.attachShader(program, shader);
        }
        gl.linkProgram(program);
        if (!gl.getProgramParameter(program, gl.LINK_STATUS))
            throw new Error(gl.getProgramInfoLog(program));
        const places = {};
        for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
            const info = gl.getActiveUniform(program, k);
            places[info.name.replace('[0]', '')] = [gl.getUniformLocation(program, info.name), info.type];
        }
        this.programs.set(source, {program, places});
        return this.programs.get(source);
    }

    /* Sets uniforms by their names; textures take units in turn. */
    use(source, values) {
        const gl = this.gl, {program, places} = this.program(source);
        let unitNumber = 0;
        gl.useProgram(program);
        for (const [key, value] of Object.entries(values)) {
            const place = places[key];
            if (!place)
                continue;
            const [at, type] = place;
            if (type === gl.SAMPLER_2D) {
                gl.activeTexture(gl.TEXTURE0 + unitNumber);
                gl.bindTexture(gl.TEXTURE_2D, value);
                gl.uniform1i(at, unitNumber++);
            } else if (type === gl.FLOAT_MAT4) {
                gl.uniformMatrix4fv(at, false, value);
            } else if (type === gl.FLOAT_VEC3) {
                gl.uniform3fv(at, value);
            } else if (type === gl.FLOAT_VEC2) {
                gl.uniform2fv(at, value);
            } else if (type === gl.INT_VEC2) {
                gl.uniform2iv(at, value);
            } else if (type === gl.BOOL) {
                gl.uniform1i(at, value ? 1 : 0);
            } else {
                gl.uniform1f(at, value);
            }
        }
    }

    texture(form, width, height, format, type, data, filter) {
        const gl = this.gl, texture = gl.createTexture();
        gl.bindTexture(gl.TEXTURE_2D, texture);
        gl.texImage2D(gl.TEXTURE_2D, 0, form, width, height, 0, format, type, data);
        for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, filter], [gl.TEXTURE_MAG_FILTER, filter],
                                     [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]])
            gl.texParameteri(gl.TEXTURE_2D, name, value);
        return texture;
    }

    /* A texture, or none, to draw to, with depths that targets share. */
    target(texture, depths) {
        const gl = this.gl, target = gl.createFramebuffer();
        gl.bindFramebuffer(gl.FRAMEBUFFER, target);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depths);
        gl.bindFramebuffer(gl.FRAMEBUFFER, null);
        return target;
    }

    /* ---- Time ---- */

    begin() { this.began = performance.now(); }

    end() {
        this.gl.deleteSync(this.fence);
        this.fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        this.gl.flush();
    }

    /* ms that the last picture took once it is done, null while it is not, undefined: none is on its
     * way. */
    done() {
        const gl = this.gl;
        if (!this.fence)
            return undefined;
        if (gl.getSyncParameter(this.fence, gl.SYNC_STATUS) !== gl.SIGNALED && !gl.isContextLost())
            return null;
        gl.deleteSync(this.fence);
        this.fence = null;
        return performance.now() - this.began;
    }
}
