"""Plan: the frames and settings of an export of pictures, as one frozen value that is sound by itself.

What depends on the disk, such as a folder that is not there, is found when the export begins.
"""

from __future__ import annotations

import math
import os
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal, NoReturn

from app.scene.camera import Camera, wrap
from app.scene.displays import SKINNED, Display
from app.scene.look import Look, rgb
from engine.document import Document
from engine.document.drafts import without_drafts
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.measure import Quantity
from engine.queries.stills import StillsWanted
from engine.queries.trails import Wanted
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

Codec = Literal["png", "h264", "vp9", "av1", "gif"]
SAMPLES = (1, 2, 4, 8, 16, 32)
MOST_FRAMES = 200_000
FASTEST_GIF = 50  # frames a second: a GIF counts hundredths, and viewers slow down those of one hundredth
COPIES = 6  # of a frame that are held at once: drawn, in the queue, in the encoder's own
MEMORY = 4 << 30  # [bytes] where a machine does not say
FULL_HEIGHT = 1080  # [px] up to which a line that is one pixel wide on screen is one pixel wide


@dataclass(frozen=True, kw_only=True)
class CodecKind:
    """The abilities and limits of a codec."""

    label: str
    suffixes: tuple[str, ...]
    largest: int  # [px] of a side
    even: bool = False  # sides are even numbers
    sound: bool = False


KINDS: dict[Codec, CodecKind] = {
    "h264": CodecKind(label="H.264 video", suffixes=(".mp4",), largest=8192, even=True, sound=True),
    "vp9": CodecKind(label="VP9 video", suffixes=(".webm", ".mp4"), largest=16384, even=True, sound=True),
    "av1": CodecKind(label="AV1 video", suffixes=(".webm", ".mp4"), largest=8192, even=True, sound=True),
    "gif": CodecKind(label="GIF", suffixes=(".gif",), largest=8192),
    "png": CodecKind(label="PNG pictures", suffixes=(".png",), largest=32768),
}


@dataclass(frozen=True, kw_only=True)
class Turntable:
    """A camera that goes round its target while the frames pass."""

    turns: float = 1.0
    seconds: float = 0.0  # that it takes while time stands still; 0: it goes with the motion


@dataclass(frozen=True, kw_only=True)
class Caption:
    """The text and curves on each frame."""

    title: str = ""
    time: bool = True
    quantities: tuple[Quantity, ...] = ()
    curves: bool = False  # the quantities against time, too


@dataclass(frozen=True, kw_only=True)
class Plan:
    """One video, or frames in files of their own, or one picture."""

    document: Document
    out: Path  # of frames: walk.png becomes walk_0001.png and so on, but for a single one
    camera: Camera
    start: int  # [ticks] the first frame
    end: int  # the last one, or shortly before this
    rate: Rate  # frames in so many seconds
    codec: Codec = "h264"
    size: tuple[int, int] = (1280, 720)
    samples: int = 8  # pictures of which each frame is the mean
    display: Display = "mannequin"
    look: Look = field(default_factory=Look)
    background: str = ""  # a colour '#rrggbb', "transparent", or as the views have it
    sound: bool = True  # where the document and the codec have one
    turntable: Turntable | None = None
    trails: Wanted | None = None  # trails and onion skins
    around: int | None = None  # frames of a trail on each side of the present
    signs: bool = False  # of locks, and by how much one is missed
    caption: Caption | None = None
    seen_by: str = ""  # id of a camera of the scene that sees each frame, in place of `camera`
    shadows: bool = True

    def __post_init__(self) -> None:
        kind = KINDS.get(self.codec)
        if kind is None:
            _refuse("the codec", self.codec, ", ".join(KINDS))
        if self.out.suffix.lower() not in kind.suffixes:
            _refuse("the file's ending", self.out.suffix, f"{' or '.join(kind.suffixes)} for {kind.label}")
        if self.samples not in SAMPLES:
            _refuse("the number of samples", self.samples, ", ".join(map(str, SAMPLES)))
        self._check_size(kind)
        self._check_times()
        self._check_picture()

    @property
    def kind(self) -> CodecKind:
        """The abilities of its codec."""
        return KINDS[self.codec]

    @property
    def frame_size(self) -> tuple[int, int]:
        """Width and height as they are drawn: the given ones, or the next even ones."""
        return _even(self.size) if self.kind.even else self.size

    @property
    def pixel_ratio(self) -> float:
        """The width in pixels of a line of one pixel, so that large pictures do not have hairlines."""
        return max(self.size[1] / FULL_HEIGHT, 1.0)

    @property
    def transparent(self) -> bool:
        """True if nothing is behind the bodies."""
        return self.background == "transparent"

    @property
    def still(self) -> bool:
        """True if time stands still."""
        return self.turntable is not None and self.turntable.seconds > 0.0

    @cached_property
    def count(self) -> int:
        """The number of frames."""
        if self.still and self.turntable is not None:
            return max(round(self.turntable.seconds * self.rate[0] / self.rate[1]), 1)
        return (self.end - self.start) * self.rate[0] // (TICKS_PER_SECOND * self.rate[1]) + 1

    @property
    def names(self) -> tuple[Path, ...]:
        """The files that it writes."""
        return tuple(self.name(number) for number in range(1, self.count + 1)) if self.is_numbered else (self.out,)

    @property
    def is_numbered(self) -> bool:
        """True if each frame has a file of its own."""
        return self.codec == "png" and self.count > 1

    @property
    def has_sound(self) -> bool:
        """True if the video has sound."""
        sound = self.document.sound
        return self.sound and self.kind.sound and not self.still and sound is not None and not sound.mute

    @property
    def span(self) -> tuple[int, int]:
        """The time from the first frame to the end of the last one [ticks]."""
        return self.start, self.start + round(self.count * TICKS_PER_SECOND * self.rate[1] / self.rate[0])

    @property
    def wanted(self) -> StillsWanted:
        """The request to the engine. Drafts are poses without motion: one picture alone shows them."""
        return StillsWanted(
            document=self.document if self.count == 1 or self.still else without_drafts(self.document),
            skins=self.display in SKINNED,
            balance=self.look.show_balance or self.look.show_contacts,
            trails=self.trails,
            around=self.around,
            quantities=self.caption.quantities if self.caption is not None else (),
            curves=self._curves_span() if self.caption is not None and self.caption.curves else None,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Differences between the result and the request."""
        found = []
        if self.frame_size != self.size:
            (width, height), (wider, higher) = self.size, self.frame_size
            found.append(f"{self.kind.label} has even sides: {width} x {height} becomes {wider} x {higher}")
        sound = self.document.sound
        if self.sound and sound is not None and not sound.mute and not self.has_sound:
            why = "time stands still" if self.still else f"{self.kind.label} has none"
            found.append(f"the sound {sound.name} is left out: {why}")
        return tuple(found)

    def time(self, number: int) -> int:
        """Return the tick of a frame, counted from 0."""
        if self.still:
            return self.start
        return self.start + round(number * TICKS_PER_SECOND * self.rate[1] / self.rate[0])

    def name(self, number: int) -> Path:
        """Return the file of a frame, counted from 1."""
        if not self.is_numbered:
            return self.out
        return self.out.with_name(f"{self.out.stem}_{number:0{max(4, len(str(self.count)))}}{self.out.suffix}")

    def meets(self, other: Plan) -> bool:
        """Return True if both would write the same file."""
        return self._writes(other.name(1)) or other._writes(self.name(1))

    def camera_at(self, number: int) -> Camera:
        """Return the camera of a frame."""
        if self.turntable is None:
            return self.camera
        turn = 2.0 * math.pi * self.turntable.turns * number / self.count
        return replace(self.camera, azimuth=wrap(self.camera.azimuth + turn))

    def look_drawn(self) -> Look:
        """Return the look with its background and shadows. Light on the floor would need something behind it."""
        look = replace(self.look, shadows="full" if self.shadows else "off")
        if self.transparent:
            return replace(look, show_backdrop=False, pool_strength=0.0)
        if self.background:
            return replace(look, view_top=self.background, view_bottom=self.background, own_ground=True)
        return look

    def _writes(self, path: Path) -> bool:
        if not self.is_numbered:
            return path == self.out
        number = path.stem.removeprefix(f"{self.out.stem}_")
        return number.isdecimal() and 1 <= int(number) <= self.count and path == self.name(int(number))

    def _curves_span(self) -> tuple[int, int]:
        """Return the time of the curves: that of the frames, or of one picture alone all that is played."""
        return (self.start, self.end) if self.end > self.start else play_extent(self.document)

    def _check_size(self, kind: CodecKind) -> None:
        if not all(type(side) is int and side >= 1 for side in self.size):
            _refuse("the size", self.size, "two whole numbers of pixels above 0")
        width, height = self.size
        if max(self.frame_size) > kind.largest:
            _refuse("the size", f"{width} x {height}", f"sides of at most {kind.largest} pixels for {kind.label}")
        needed, there = 4 * width * height * COPIES, _memory()
        if needed > there / 2:
            most = there / (8 * COPIES)
            allowed = f"at most {most / 1e6:.0f} million pixels, which is what this machine's memory holds"
            _refuse("the size", f"{width} x {height}", allowed)

    def _check_times(self) -> None:
        if min(self.rate) < 1:
            _refuse("the rate", self.rate, "two whole numbers above 0")
        if self.codec == "gif" and self.rate[0] > FASTEST_GIF * self.rate[1]:
            _refuse("the rate", f"{self.rate[0] / self.rate[1]:g}", f"at most {FASTEST_GIF} frames a second for a GIF")
        if self.end < self.start:
            first, last = self.start / TICKS_PER_SECOND, self.end / TICKS_PER_SECOND
            _refuse("the end of the range", f"{last:g} s", f"at or after its start, {first:g} s")
        if self.turntable is not None:
            for name in ("turns", "seconds"):
                number = getattr(self.turntable, name)
                if not math.isfinite(number) or (name == "seconds" and number < 0.0):
                    _refuse(f"the {name} of the turntable", number, "a number" + (", 0 or more" * (name == "seconds")))
        if self.count > MOST_FRAMES:
            _refuse("the number of frames", self.count, f"at most {MOST_FRAMES}: a shorter range or a lower rate")

    def _check_picture(self) -> None:
        if self.seen_by and self.turntable is not None:
            _refuse("the camera", self.seen_by, "one that stands outside of the scene, where it is to go round")
        if not self.camera.is_sound:
            _refuse("the camera", self.camera, "finite numbers, a distance of 0.02 to 2000 m")
        if self.transparent and self.codec != "png":
            _refuse("the background", "transparent", f"a colour for {self.kind.label}; PNG pictures can be transparent")
        if self.background and not self.transparent:
            try:
                rgb(self.background)
            except ValueError:
                _refuse("the background", self.background, "a colour such as '#202224', or transparent")


def _refuse(what: str, value: object, allowed: str) -> NoReturn:
    raise InvalidArguments(what=what, value=value, allowed=allowed)


def _even(size: tuple[int, int]) -> tuple[int, int]:
    return size[0] + size[0] % 2, size[1] + size[1] % 2


def _memory() -> int:
    """Return the memory of this machine [bytes]."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return MEMORY
