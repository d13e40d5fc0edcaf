"""A virtual screen as a person sees it, by Xlib alone: which windows there are, how large, their titles, a picture."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

Handle = ctypes.c_void_p
Number = ctypes.c_ulong
_Ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
ZPIXMAP, ALL_PLANES, CLIENT_MESSAGE, ANY_TYPE = 2, 0xFFFFFFFF, 33, 0


class OpenWindow(NamedTuple):
    """A window on the screen."""

    id: int
    title: str
    width: int
    height: int


class _Picture(ctypes.Structure):
    _fields_ = (
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("offset", ctypes.c_int),
        ("format", ctypes.c_int),
        ("data", ctypes.POINTER(ctypes.c_char)),
        ("order", ctypes.c_int),
        ("unit", ctypes.c_int),
        ("bit_order", ctypes.c_int),
        ("pad", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("bytes_per_line", ctypes.c_int),
    )


class _Message(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", Number),
        ("sent", ctypes.c_int),
        ("display", Handle),
        ("window", Number),
        ("message", Number),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("room", ctypes.c_long * 24),  # an XEvent is a union of that size
    )


class Screen:
    """The screen that DISPLAY names."""

    def __init__(self, name: str) -> None:
        self._x: Any = ctypes.CDLL("libX11.so.6")
        for function, kind in (("XOpenDisplay", Handle), ("XDefaultRootWindow", Number), ("XInternAtom", Number)):
            getattr(self._x, function).restype = kind
        self._x.XGetImage.restype = ctypes.POINTER(_Picture)
        self._ignore = _Ignore(lambda _display, _error: 0)  # a window may be gone before it is asked
        self._x.XSetErrorHandler(self._ignore)
        self._display = Handle(self._x.XOpenDisplay(name.encode()))
        if not self._display.value:
            raise RuntimeError(f"the screen {name} does not answer")
        self._root = Number(self._x.XDefaultRootWindow(self._display))

    def windows(self) -> list[OpenWindow]:
        """The windows that have a title, the largest first."""
        found = []
        for window in self._children():
            title, (_, _, width, height) = self._title(window), self._geometry(window)
            if title:
                found.append(OpenWindow(window, title, width, height))
        return sorted(found, key=lambda each: -each.width * each.height)

    def content(self) -> bytes:
        """The whole screen as X has it, to tell one picture from another."""
        _, _, width, height = self._geometry(self._root.value)
        image = self._x.XGetImage(self._display, self._root, 0, 0, width, height, Number(ALL_PLANES), ZPIXMAP)
        if not image:
            raise RuntimeError("the screen gives no picture")
        raw = ctypes.string_at(image.contents.data, image.contents.bytes_per_line * height)
        self._x.XDestroyImage(image)
        return raw

    def picture(self) -> tuple[int, int, bytes]:
        """Width, height and the pixels of the whole screen: red, green and blue of each."""
        _, _, width, height = self._geometry(self._root.value)
        raw, pixels = self.content(), bytearray(width * height * 3)
        for channel in range(3):
            pixels[channel::3] = raw[2 - channel :: 4]
        return width, height, bytes(pixels)

    def close(self, window: int) -> None:
        """Ask a window to close, as the button of its frame does."""
        message = _Message(type=CLIENT_MESSAGE, window=window, message=self._atom("WM_PROTOCOLS"), format=32)
        message.data[0] = self._atom("WM_DELETE_WINDOW")
        self._x.XSendEvent(self._display, Number(window), 0, ctypes.c_long(0), ctypes.byref(message))
        self._x.XSync(self._display, 0)

    def _children(self) -> Iterator[int]:
        root, parent, children, count = Number(), Number(), ctypes.POINTER(Number)(), ctypes.c_uint()
        places = [ctypes.byref(each) for each in (root, parent, children, count)]
        if self._x.XQueryTree(self._display, self._root, *places):
            yield from (int(children[each]) for each in range(count.value))
            if count.value:
                self._x.XFree(children)

    def _title(self, window: int) -> str:
        kind, unit, count, left = Number(), ctypes.c_int(), Number(), Number()
        content = ctypes.POINTER(ctypes.c_char)()
        places = [ctypes.byref(each) for each in (kind, unit, count, left, content)]
        name = Number(self._atom("_NET_WM_NAME"))
        asked = [Number(window), name, ctypes.c_long(0), ctypes.c_long(256), 0, Number(ANY_TYPE)]
        if self._x.XGetWindowProperty(self._display, *asked, *places) or not content:
            return ""
        text = ctypes.string_at(content, count.value).decode("utf-8", "replace")
        self._x.XFree(content)
        return text

    def _geometry(self, window: int) -> tuple[int, int, int, int]:
        root, x, y = Number(), ctypes.c_int(), ctypes.c_int()
        sizes = [ctypes.c_uint() for _ in range(4)]
        self._x.XGetGeometry(self._display, Number(window), *(ctypes.byref(each) for each in (root, x, y, *sizes)))
        return x.value, y.value, sizes[0].value, sizes[1].value

    def _atom(self, name: str) -> int:
        return int(self._x.XInternAtom(self._display, name.encode(), 0))


def write_png(path: Path, width: int, height: int, pixels: bytes) -> None:
    """Write a picture."""
    rows = b"".join(b"\0" + pixels[row * width * 3 : (row + 1) * width * 3] for row in range(height))

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + parts)


def colours(pixels: bytes) -> int:
    """How many colours a picture has, by every seventh pixel."""
    return len({pixels[at : at + 3] for at in range(0, len(pixels) - 2, 21)})
