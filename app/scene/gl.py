"""vispy's gloo, typed and sent at once: the only module that touches vispy.

Programs, buffers, textures and framebuffers are gloo's. What nobody holds any longer is given back by gloo itself, as
the next thing is drawn or at the end of `Context.entered`. How fragments are treated, where they go and what is read
back are calls of OpenGL, for gloo would queue them. `vispy.app` is not loaded: its canvas swallows exceptions, drops
mouse moves, opens a second context and takes over Qt's message handler. Everything here needs an entered `Context`.
Shaders are GLSL 1.20. Figures: docs/decisions/drawing.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vispy import gloo
from vispy.gloo import gl as _vispy_gl
from vispy.gloo.context import FakeCanvas, set_current_canvas
from vispy.gloo.glir import GlirParser

gl: Any = _vispy_gl

Floats = NDArray[np.float32] | NDArray[np.float64]

_DEPTH_COMPONENT24 = 0x81A6
_KINDS_OF_ERRORS = 8
_SAMPLES = 0x80A9
_MAX = 0x8008  # GL_MAX of glBlendEquation, which OpenGL ES 2 lacks


class Unusable(Exception):
    """This OpenGL cannot do what the viewport needs; the text says what."""


class _Parser(GlirParser):
    """gloo's own, except that it does not look through all objects for deleted ones each time that something is
    drawn."""

    def __init__(self) -> None:
        super().__init__()
        self._gone: list[int] = []

    def parse(self, commands: list[Any]) -> None:
        """Do what was queued; what was deleted the last time is forgotten."""
        for number in self._gone:
            self._objects.pop(number, None)
        self._gone = [each[1] for each in commands if each[0] == "DELETE"]
        for each in commands:
            self._parse(each)


class Context(FakeCanvas):
    """gloo's queue of one OpenGL context; what was made in the context is forgotten with it."""

    def __init__(self) -> None:
        super().__init__()
        self.context.shared.parser = _Parser()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Make this the context of gloo's objects within the block; its OpenGL context must be current."""
        set_current_canvas(self)
        self.flush()  # which binds a framebuffer: before anything else does
        yield
        self.flush()


class Program(gloo.Program):
    """A linked pair of shaders."""

    def __init__(self, vertex: str, fragment: str) -> None:
        super().__init__(vertex, fragment)
        self._sent: dict[str, Any] = {}
        self._bound: Vertices | None = None
        _send(self, "a shader program cannot be made")

    def use(self, **values: float | Sequence[float] | Floats | Texture) -> None:
        """Set uniforms: numbers, vectors, 4 x 4 matrices or textures. What is there already is not sent again."""
        for name, value in values.items():
            new: Any = value
            if isinstance(value, np.ndarray):
                value = np.ascontiguousarray(value.T, dtype=np.float32)
                new = value.tobytes()
            if self._sent.get(name) != new:
                self._sent[name] = new
                self[name] = value

    def draw(self, vertices: Vertices, indices: Indices | None = None, mode: str = "triangles") -> None:
        """Draw all vertices, or those that `indices` name."""
        if vertices is not self._bound:
            self._bound = vertices
            self.bind(vertices)
        super().draw(mode, indices)


class Vertices(gloo.VertexBuffer):
    """Rows of float32, each the named fields one after the other."""

    def __init__(self, data: NDArray[np.float32], fields: tuple[tuple[str, int], ...]) -> None:
        super().__init__(_rows(data, np.dtype([(name, np.float32, (length,)) for name, length in fields])))
        _send(self)

    def write(self, data: NDArray[np.float32]) -> None:
        """Replace all rows by as many others."""
        self.set_subdata(_rows(data, self.dtype))
        _send(self)


class Indices(gloo.IndexBuffer):
    """Vertex numbers, three to a triangle."""

    def __init__(self, data: NDArray[np.uint32]) -> None:
        super().__init__(np.ascontiguousarray(data, dtype=np.uint32).ravel())
        _send(self)


class Texture(gloo.Texture2D):
    """Four channels of bytes or floats, as gloo names their format; clamped at its edges."""

    def __init__(self, width: int, height: int, *, kind: str = "rgba8", smooth: bool = False) -> None:
        super().__init__((height, width, 4), interpolation="linear" if smooth else "nearest", internalformat=kind)
        _send(self)

    def write(self, data: NDArray[np.uint8] | NDArray[np.float32], x: int = 0, y: int = 0) -> None:
        """Replace a rectangle, shape [height, width, 4]; row 0 is the lowest, or the highest for who reads it so."""
        self.set_data(data, offset=(y, x))
        _send(self)


class WrappedTexture(Texture):
    """A picture that repeats itself beyond its edges, and is seen from afar by smaller ones of it."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        super().__init__(pixels.shape[1], pixels.shape[0], smooth=True)
        self.wrapping = "repeat"
        self.write(pixels)
        gl.glBindTexture(gl.GL_TEXTURE_2D, handle_of(self))
        gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
        gl.glTexParameterf(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR)


def handle_of(thing: Any) -> int:
    """OpenGL's number of something of gloo's that was sent."""
    return int(gloo.get_current_canvas().context.shared.parser.get_object(thing.id).handle)


class RenderTarget(gloo.FrameBuffer):
    """A picture off the screen that can be drawn into and read: a texture, with depth where it is wanted."""

    def __init__(
        self, width: int, height: int, *, kind: str = "rgba8", depth: bool = True, smooth: bool = False
    ) -> None:
        self.texture = Texture(width, height, kind=kind, smooth=smooth)
        self.width, self.height = width, height
        super().__init__(self.texture, gloo.RenderBuffer((height, width), _DEPTH_COMPONENT24) if depth else None)
        self.activate()
        try:
            _send(self, f"a picture of {width} x {height} pixels off the screen cannot be made")
        finally:
            self.deactivate()  # else gloo takes the next framebuffer, which may get its number, to be bound already
            _send(self)
        self.handle = handle_of(self)

    def read(self) -> NDArray[np.uint8]:
        """Read the pixels, shape [height, width, 4], row 0 the highest."""
        return np.frombuffer(self.read_bytes(), dtype=np.uint8).reshape(self.height, self.width, 4)[::-1]

    def read_bytes(self) -> bytes:
        """Read the pixels as they lie in memory, row 0 the lowest."""
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, self.handle)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        data: bytes = gl.glReadPixels(0, 0, self.width, self.height, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE)
        return data


def _send(thing: Any, problem: str = "OpenGL refuses what is to be drawn") -> None:
    """Send at once what gloo would hold back until the next draw: the array may be another one by then."""
    context = gloo.get_current_canvas().context
    context.glir.associate(thing.glir)
    try:
        context.flush_commands()
    except RuntimeError as found:
        _forget_errors()  # else the next picture would be blamed
        raise Unusable(f"{problem}: {found}") from found


def _forget_errors() -> None:
    """Read the errors that OpenGL notes, each kind once; without a context it notes them for ever."""
    for _ in range(_KINDS_OF_ERRORS):
        if gl.glGetError() == gl.GL_NO_ERROR:
            return


def _rows(data: NDArray[np.float32], row: np.dtype[np.void]) -> NDArray[np.void]:
    """Return one record of fields for each row."""
    return np.ascontiguousarray(data, dtype=np.float32).view(row).reshape(len(data))


def draw_into(handle: int, x: int, y: int, width: int, height: int) -> None:
    """Let drawing go to a rectangle (from the lower left) of a framebuffer, and nowhere else."""
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, handle)
    gl.glViewport(x, y, width, height)
    gl.glEnable(gl.GL_SCISSOR_TEST)
    gl.glScissor(x, y, width, height)


def keep_to(x: int, y: int, width: int, height: int) -> None:
    """Let drawing change a part alone of the rectangle that `draw_into` set, until the next one is set."""
    gl.glScissor(x, y, width, height)


def clear(colour: Sequence[float], *, depth: bool = True) -> None:
    """Fill the current framebuffer."""
    gl.glDepthMask(True)
    gl.glClearColor(*colour)
    gl.glClear(gl.GL_COLOR_BUFFER_BIT | (gl.GL_DEPTH_BUFFER_BIT if depth else 0))


def clear_depth() -> None:
    """Let what is drawn from now on be before all that is there."""
    gl.glDepthMask(True)
    gl.glClear(gl.GL_DEPTH_BUFFER_BIT)


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
    """Set the share of the new picture in the blend "fade"."""
    gl.glBlendColor(0.0, 0.0, 0.0, share)


def quad() -> Vertices:
    """Return a rectangle over the whole framebuffer: field `corner`, -1 to 1, drawn as TRIANGLE_STRIP."""
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], dtype=np.float32)
    return Vertices(corners, (("corner", 2),))


def names() -> tuple[str, str, str]:
    """Return vendor, renderer and version of OpenGL."""
    maker, renderer, version = (str(gl.glGetParameter(each)) for each in (gl.GL_VENDOR, gl.GL_RENDERER, gl.GL_VERSION))
    return maker, renderer, version


def largest_side() -> int:
    """Return the largest side of a framebuffer [px]."""
    return min(int(gl.glGetParameter(each)) for each in (gl.GL_MAX_TEXTURE_SIZE, gl.GL_MAX_RENDERBUFFER_SIZE))


def samples() -> int:
    """Return how many samples a pixel of the current framebuffer has; 0 or 1 where there is no multisampling."""
    return int(gl.glGetParameter(_SAMPLES))


def flush() -> None:
    """Have what was asked for drawn from now on, beside what is asked for next."""
    gl.glFlush()


def finish() -> None:
    """Wait until everything is drawn."""
    gl.glFinish()


def check() -> None:
    """Raise if OpenGL has reported an error since the last time."""
    error = gl.glGetError()
    if error:
        raise RuntimeError(f"OpenGL error {int(error):#06x}")
