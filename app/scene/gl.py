"""The few OpenGL objects that the visuals need, typed: the only module that touches vispy.

vispy's binding (`vispy.gloo.gl`, an OpenGL ES 2 subset over desktop OpenGL) is used without `vispy.app`, whose canvas
swallows exceptions, drops mouse moves, opens a second context and takes over Qt's message handler. Everything here
needs the canvas's context to be current. Shaders are GLSL 1.20.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy.gloo import gl as _vispy_gl

gl: Any = _vispy_gl

Floats = NDArray[np.float32] | NDArray[np.float64]
Value = float | Sequence[float] | Floats

RGBA8, RGBA16F, RGBA32F = 0x8058, 0x881A, 0x8814
DEPTH_COMPONENT24 = 0x81A6
_MAX = 0x8008  # GL_MAX of glBlendEquation, which OpenGL ES 2 lacks


class Unusable(Exception):
    """This OpenGL cannot do what the viewport needs; the text says what."""


class Program:
    """A linked pair of shaders."""

    def __init__(self, vertex: str, fragment: str) -> None:
        self.handle = gl.glCreateProgram()
        for kind, source in ((gl.GL_VERTEX_SHADER, vertex), (gl.GL_FRAGMENT_SHADER, fragment)):
            shader = gl.glCreateShader(kind)
            gl.glShaderSource(shader, "#version 120\n" + source)
            gl.glCompileShader(shader)
            if not gl.glGetShaderParameter(shader, gl.GL_COMPILE_STATUS):
                raise Unusable(f"a shader does not compile: {gl.glGetShaderInfoLog(shader)}")
            gl.glAttachShader(self.handle, shader)
            gl.glDeleteShader(shader)  # which it is once its program is
        gl.glLinkProgram(self.handle)
        if not gl.glGetProgramParameter(self.handle, gl.GL_LINK_STATUS):
            raise Unusable(f"a shader program does not link: {gl.glGetProgramInfoLog(self.handle)}")
        self._uniforms: dict[str, int] = {}
        self._attributes: dict[str, int] = {}

    def use(self, **values: Value) -> None:
        """Make this the program that draws, and set uniforms: numbers, vectors or 4 x 4 matrices."""
        gl.glUseProgram(self.handle)
        for name, value in values.items():
            location = self._uniforms.get(name)
            if location is None:
                location = self._uniforms[name] = gl.glGetUniformLocation(self.handle, name)
            if isinstance(value, np.ndarray) and value.ndim == 2:
                gl.glUniformMatrix4fv(location, 1, False, np.ascontiguousarray(value.T, dtype=np.float32))
            elif isinstance(value, int | float):
                gl.glUniform1f(location, value)
            else:
                (gl.glUniform2f, gl.glUniform3f, gl.glUniform4f)[len(value) - 2](location, *map(float, value))

    def sample(self, name: str, texture: Texture, unit: int = 0) -> None:
        """Read `texture` under the uniform `name`."""
        gl.glActiveTexture(gl.GL_TEXTURE0 + unit)
        gl.glBindTexture(gl.GL_TEXTURE_2D, texture.handle)
        location = self._uniforms.get(name)
        if location is None:
            location = self._uniforms[name] = gl.glGetUniformLocation(self.handle, name)
        gl.glUniform1i(location, unit)

    def attribute(self, name: str) -> int:
        """Location of a vertex attribute; -1 if the shader does not use it."""
        location = self._attributes.get(name)
        if location is None:
            location = self._attributes[name] = gl.glGetAttribLocation(self.handle, name)
        return location

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteProgram(self.handle)

    def draw(self, vertices: Vertices, indices: Indices | None = None, mode: str = "TRIANGLES") -> None:
        """Draw all vertices, or those that `indices` name."""
        used = vertices.bind(self)
        if indices is None:
            gl.glDrawArrays(getattr(gl, f"GL_{mode}"), 0, vertices.count)
        else:
            gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, indices.handle)
            gl.glDrawElements(getattr(gl, f"GL_{mode}"), indices.count, gl.GL_UNSIGNED_INT, None)
        for location in used:
            gl.glDisableVertexAttribArray(location)


class Vertices:
    """Rows of float32, each the named fields one after the other."""

    def __init__(self, data: NDArray[np.float32], fields: tuple[tuple[str, int], ...]) -> None:
        if data.shape[1] != sum(length for _, length in fields):
            raise ValueError(f"rows of {data.shape[1]} numbers for fields {fields}")
        self.handle = gl.glCreateBuffer()
        self.count = len(data)
        self._fields = fields
        self._stride = 4 * data.shape[1]
        self.write(data)

    def write(self, data: NDArray[np.float32]) -> None:
        """Replace all rows."""
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self.handle)
        gl.glBufferData(gl.GL_ARRAY_BUFFER, np.ascontiguousarray(data, dtype=np.float32), gl.GL_STATIC_DRAW)

    def bind(self, program: Program) -> list[int]:
        """Give the program its attributes; the locations that were switched on."""
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, self.handle)
        used, start = [], 0
        for name, length in self._fields:
            location = program.attribute(name)
            if location >= 0:
                gl.glEnableVertexAttribArray(location)
                gl.glVertexAttribPointer(location, length, gl.GL_FLOAT, False, self._stride, start)
                used.append(location)
            start += 4 * length
        return used

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteBuffer(self.handle)


class Indices:
    """Vertex numbers, three to a triangle."""

    def __init__(self, data: NDArray[np.uint32]) -> None:
        self.handle = gl.glCreateBuffer()
        self.count = int(data.size)
        gl.glBindBuffer(gl.GL_ELEMENT_ARRAY_BUFFER, self.handle)
        gl.glBufferData(gl.GL_ELEMENT_ARRAY_BUFFER, np.ascontiguousarray(data, dtype=np.uint32), gl.GL_STATIC_DRAW)

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteBuffer(self.handle)


class Texture:
    """Four channels of bytes or floats; clamped at its edges."""

    def __init__(self, width: int, height: int, *, kind: int = RGBA8, smooth: bool = False) -> None:
        self.handle = gl.glCreateTexture()
        self.width, self.height, self.kind = width, height, kind
        self._type = gl.GL_UNSIGNED_BYTE if kind == RGBA8 else gl.GL_FLOAT
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.handle)
        choice = gl.GL_LINEAR if smooth else gl.GL_NEAREST
        for name, value in (
            (gl.GL_TEXTURE_MIN_FILTER, choice),
            (gl.GL_TEXTURE_MAG_FILTER, choice),
            (gl.GL_TEXTURE_WRAP_S, gl.GL_CLAMP_TO_EDGE),
            (gl.GL_TEXTURE_WRAP_T, gl.GL_CLAMP_TO_EDGE),
        ):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, name, value)
        gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, kind, gl.GL_RGBA, self._type, (height, width))

    def write(self, data: NDArray[np.uint8] | NDArray[np.float32], x: int = 0, y: int = 0) -> None:
        """Replace a rectangle, shape [height, width, 4]; row 0 is the lowest, or the highest for who reads it so."""
        gl.glActiveTexture(gl.GL_TEXTURE0)
        gl.glBindTexture(gl.GL_TEXTURE_2D, self.handle)
        gl.glPixelStorei(gl.GL_UNPACK_ALIGNMENT, 1)
        gl.glTexSubImage2D(gl.GL_TEXTURE_2D, 0, x, y, gl.GL_RGBA, self._type, np.ascontiguousarray(data))

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteTexture(self.handle)


class Target:
    """A picture off the screen that can be drawn into and read: a texture, with depth where it is wanted."""

    def __init__(self, width: int, height: int, *, kind: int = RGBA8, depth: bool = True, smooth: bool = False) -> None:
        self.texture = Texture(width, height, kind=kind, smooth=smooth)
        self.width, self.height = width, height
        self.handle = gl.glCreateFramebuffer()
        self._depth = gl.glCreateRenderbuffer() if depth else None
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.handle)
        gl.glFramebufferTexture2D(gl.GL_FRAMEBUFFER, gl.GL_COLOR_ATTACHMENT0, gl.GL_TEXTURE_2D, self.texture.handle, 0)
        if self._depth is not None:
            gl.glBindRenderbuffer(gl.GL_RENDERBUFFER, self._depth)
            gl.glRenderbufferStorage(gl.GL_RENDERBUFFER, DEPTH_COMPONENT24, width, height)
            gl.glFramebufferRenderbuffer(gl.GL_FRAMEBUFFER, gl.GL_DEPTH_ATTACHMENT, gl.GL_RENDERBUFFER, self._depth)
        if gl.glCheckFramebufferStatus(gl.GL_FRAMEBUFFER) != gl.GL_FRAMEBUFFER_COMPLETE:
            raise Unusable(f"a picture of {width} x {height} pixels off the screen cannot be made")

    def read(self) -> NDArray[np.uint8]:
        """The pixels, shape [height, width, 4], row 0 the highest."""
        return np.frombuffer(self.read_bytes(), dtype=np.uint8).reshape(self.height, self.width, 4)[::-1]

    def read_bytes(self) -> bytes:
        """The same as they lie in memory, row 0 the lowest."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.handle)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        data: bytes = gl.glReadPixels(0, 0, self.width, self.height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE)
        return data

    def delete(self) -> None:
        """Give the memory back."""
        gl.glDeleteFramebuffer(self.handle)
        if self._depth is not None:
            gl.glDeleteRenderbuffer(self._depth)
        self.texture.delete()


def draw_into(handle: int, x: int, y: int, width: int, height: int) -> None:
    """Let drawing go to a rectangle (from the lower left) of a framebuffer, and nowhere else."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, handle)
    gl.glViewport(x, y, width, height)
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(x, y, width, height)


def clear(colour: Sequence[float], *, depth: bool = True) -> None:
    """Fill what is drawn into."""
    gl.glDepthMask(True)
    gl.glClearColor(*colour)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | (gl.GL_DEPTH_BUFFER_BIT if depth else 0))


def mode(
    *,
    depth: bool = False,
    write_depth: bool = False,
    behind: bool = False,
    blend: str | None = None,
    cull: str | None = None,
) -> None:
    """Set how fragments are treated. `blend`: "over" (premultiplied), "most" (the greater value of each channel),
    "fade" (by the constant that `fade_by` set). `cull`: "back" or "front" faces are left out. `behind`: only what lies
    behind what is there is drawn.
    """
    (gl.glEnable if depth else gl.glDisable)(gl.GL_DEPTH_TEST)
    gl.glDepthFunc(gl.GL_GREATER if behind else gl.GL_LEQUAL)
    gl.glDepthMask(write_depth)
    (gl.glEnable if blend else gl.glDisable)(gl.GL_BLEND)
    if blend:
        gl.glBlendEquation(_MAX if blend == "most" else gl.GL_FUNC_ADD)
        first, second = {
            "over": (gl.GL_ONE, gl.GL_ONE_MINUS_SRC_ALPHA),
            "most": (gl.GL_ONE, gl.GL_ONE),
            "fade": (gl.GL_CONSTANT_ALPHA, gl.GL_ONE_MINUS_CONSTANT_ALPHA),
        }[blend]
        gl.glBlendFunc(first, second)
    (gl.glEnable if cull else gl.glDisable)(gl.GL_CULL_FACE)
    if cull:
        gl.glCullFace(gl.GL_BACK if cull == "back" else gl.GL_FRONT)


def fade_by(share: float) -> None:
    """The share of the new picture in the blend "fade"."""
    gl.glBlendColor(0.0, 0.0, 0.0, share)


def quad() -> Vertices:
    """A rectangle over all that is drawn into: field `corner`, -1 to 1, drawn as TRIANGLE_STRIP."""
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], dtype=np.float32)
    return Vertices(corners, (("corner", 2),))


def names() -> tuple[str, str, str]:
    """The maker, what draws, and the version of OpenGL."""
    maker, renderer, version = (str(gl.glGetParameter(each)) for each in (gl.GL_VENDOR, gl.GL_RENDERER, gl.GL_VERSION))
    return maker, renderer, version


def largest_side() -> int:
    """The most pixels that a picture off the screen can have across and down."""
    return min(int(gl.glGetParameter(each)) for each in (gl.GL_MAX_TEXTURE_SIZE, gl.GL_MAX_RENDERBUFFER_SIZE))


def finish() -> None:
    """Wait until everything is drawn."""
    gl.glFinish()


def check() -> None:
    """Raise if OpenGL has complained since the last time."""
    error = gl.glGetError()
    if error:
        raise RuntimeError(f"OpenGL error {int(error):#06x}")
