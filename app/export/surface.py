"""Surface: OpenGL off the screen, apart from any window.

Beside a window, or on a virtual screen, it comes from Qt; without any screen from EGL, which Mesa and most makers'
drivers bring. A card is preferred to the processor. What is made in a surface goes with it.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtGui import QOffscreenSurface, QOpenGLContext

from app.scene.probe import Graphics, judge
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.scene.gl import Context

REMEDY = (
    "Install OpenGL's libraries (on Debian and Ubuntu: sudo apt-get install libegl1 libgl1 libgl1-mesa-dri), or use a "
    "virtual screen: xvfb-run -a sinew render"
)
_DEVICE, _SURFACELESS = 0x313F, 0x31DD  # EGL_PLATFORM_DEVICE_EXT, EGL_PLATFORM_SURFACELESS_MESA
_OPENGL = 0x30A2  # EGL_OPENGL_API
_CONFIG = (0x3033, 0x0001, 0x3040, 0x0008, 0x3038)  # pbuffers, OpenGL
_NO_SURFACE_NEEDED = (0x3033, 0x0000, 0x3040, 0x0008, 0x3038)
_MOST_DEVICES = 16
_NAMES = 0x1F00, 0x1F01, 0x1F02  # of the maker, of what draws, of the version


class NoOpenGL(EngineError):
    """The lack of an OpenGL that can draw here; the text says why and what to do."""

    def __init__(self, why: str) -> None:
        super().__init__(f"no picture can be drawn: {why}. {REMEDY}")
        self.why = why


class OffscreenSurface(Protocol):
    """An OpenGL context of its own."""

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make its context the current one within the block."""
        yield

    def close(self) -> None:
        """Free everything that was made in it."""


class QtSurface:
    """A surface of the window system in use; made, used and closed by the window's thread."""

    def __init__(self) -> None:
        self._context, self._surface = QOpenGLContext(), QOffscreenSurface()
        if not self._context.create():
            raise NoOpenGL("the graphics driver gave no OpenGL context")
        self._surface.setFormat(self._context.format())
        self._surface.create()
        if not self._surface.isValid():
            raise NoOpenGL("the graphics driver gave no surface off the screen")
        self._gloo = _gloo()
        with self.current():
            _judge()

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make its context the current one within the block."""
        if not self._context.makeCurrent(self._surface):
            raise NoOpenGL("the graphics driver gave an OpenGL context that cannot be used")
        try:
            with self._gloo.entered():
                yield
        finally:
            self._context.doneCurrent()

    def close(self) -> None:
        """Free everything that was made in it."""
        self._surface.destroy()
        del self._context


class EglSurface:
    """A surface without any screen."""

    def __init__(self) -> None:
        if not sys.platform.startswith("linux"):
            raise NoOpenGL("without a screen it is drawn on Linux alone")
        try:
            self._egl = egl = ctypes.CDLL("libEGL.so.1")
        except OSError as problem:
            raise NoOpenGL(f"the library EGL cannot be loaded ({problem})") from problem
        egl.eglGetProcAddress.restype = ctypes.c_void_p
        for each in (egl.eglCreateContext, egl.eglGetCurrentContext):
            each.restype = ctypes.c_void_p
        self._display, self._context = self._open()
        self._gloo = _gloo()
        with self.current():
            _judge()

    @contextmanager
    def current(self) -> Iterator[None]:
        """Make its context the current one within the block."""
        if not self._egl.eglMakeCurrent(self._display, None, None, self._context):
            raise NoOpenGL("EGL gave an OpenGL context that cannot be used")
        try:
            with self._gloo.entered():
                yield
        finally:
            self._egl.eglMakeCurrent(self._display, None, None, None)

    def close(self) -> None:
        """Free everything that was made in it."""
        self._egl.eglDestroyContext(self._display, self._context)
        self._egl.eglTerminate(self._display)

    def _open(self) -> tuple[Any, Any]:
        """Open the first display that gives desktop OpenGL, and its context."""
        for display in self._displays():
            if not display or not self._egl.eglInitialize(ctypes.c_void_p(display), None, None):
                continue
            context = self._context_of(ctypes.c_void_p(display))
            if context is not None:
                return ctypes.c_void_p(display), context
            self._egl.eglTerminate(ctypes.c_void_p(display))
        raise NoOpenGL("EGL found neither a graphics card nor a driver that draws by the processor")

    def _displays(self) -> Iterator[int | None]:
        """Yield the displays of graphics cards, then the one without any."""
        open_display = self._function("eglGetPlatformDisplayEXT", ctypes.c_void_p, 3)
        if open_display is None:
            return
        query = self._function("eglQueryDevicesEXT", ctypes.c_uint, 3)
        if query is not None:
            devices, count = (ctypes.c_void_p * _MOST_DEVICES)(), ctypes.c_int()
            if query(_MOST_DEVICES, ctypes.cast(devices, ctypes.c_void_p), ctypes.addressof(count)):
                for device in devices[: count.value]:
                    yield open_display(_DEVICE, device, None)
        yield open_display(_SURFACELESS, None, None)

    def _context_of(self, display: ctypes.c_void_p) -> ctypes.c_void_p | None:
        egl, config, count = self._egl, ctypes.c_void_p(), ctypes.c_int()
        if not egl.eglBindAPI(_OPENGL):
            return None
        for wanted in (_CONFIG, _NO_SURFACE_NEEDED):
            listed = (ctypes.c_int * len(wanted))(*wanted)
            if egl.eglChooseConfig(display, listed, ctypes.byref(config), 1, ctypes.byref(count)) and count.value:
                break
        else:
            return None
        context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, None))
        if not context or not egl.eglMakeCurrent(display, None, None, context):
            return None
        egl.eglMakeCurrent(display, None, None, None)
        return context

    def _function(self, name: str, result: Any, count: int) -> Any:
        """Return one of EGL's extensions; None where it is not there."""
        address = self._egl.eglGetProcAddress(name.encode())
        if not address:
            return None
        kinds: list[Any] = [ctypes.c_void_p] * count
        kinds[0] = ctypes.c_uint
        return ctypes.CFUNCTYPE(result, *kinds)(address)


def _gloo() -> Context:
    """Make gloo's object for a context."""
    try:
        from app.scene.gl import Context
    except (ImportError, OSError, RuntimeError) as problem:
        raise NoOpenGL(f"the library OpenGL cannot be loaded ({problem})") from problem
    return Context()


def _judge() -> None:
    """Refuse an OpenGL that is not enough."""
    from app.scene.gl import names

    found = judge(Graphics(*names()))
    if isinstance(found, str):
        raise NoOpenGL(found.rstrip("."))
