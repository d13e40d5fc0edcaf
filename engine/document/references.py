"""Reference: a picture that stands in the views to be posed after; it changes no result.

It hangs in the views that look along an axis of the world, as large as `size` says in metres, or it is glued to the
views with perspective, where `size` is a share of the view's height and `centre` counts in heights from its middle.
Behind a fixed camera it stands in the world: across what that camera sees, `depth` metres in front of it, so large that
from there it looks as if it were glued.
A picture file's own bytes are kept, so that nothing is lost when the file goes. Of a video only its first picture is;
the others are read from the file while it is where it was and what it was; of one that was packed for others, from the
bytes that the document holds.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

from engine.document.blobs import Blob
from engine.document.motion import TICKS_PER_SECOND, Rate, ticks
from engine.document.parts import Part
from engine.document.ticks import check_rate
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

Facing = Literal["front", "back", "right", "left", "top", "bottom", "perspective", "camera"]
FACINGS: tuple[Facing, ...] = get_args(Facing)


@dataclass(frozen=True, kw_only=True)
class FixedCamera(Part):
    """A camera with perspective that stays where it is: its eye is `distance` from `target`, Y is up."""

    target: tuple[float, float, float]  # [m]
    distance: float  # [m]
    azimuth: float  # from +Z towards +X [rad]
    elevation: float  # [rad]
    fov: float  # vertical [rad]

    def __post_init__(self) -> None:
        for each in (*self.target, self.azimuth):
            finite("a number of a reference's camera", each)
        _within("the distance of a reference's camera", self.distance, 1e-3, 1e5)
        _within("the elevation of a reference's camera", self.elevation, -math.pi / 2, math.pi / 2)
        _within("the field of view of a reference's camera", self.fov, 0.01, 3.0)


@dataclass(frozen=True, kw_only=True)
class Video(Part):
    """A video file that stays outside of the document, and how its pictures lie in time."""

    path: str
    file_digest: str  # of the file's length and its first and last megabyte
    rate: Rate  # pictures in so many seconds
    count: int  # of pictures
    start: int = 0  # when the first one is seen [ticks]
    data: Blob | None = None  # the file's own bytes, shape [byte_count], where it was packed

    def __post_init__(self) -> None:
        if not self.path:
            raise InvalidDocument(what="the file of a video", value=self.path, allowed="a path")
        check_rate("the rate of a video", self.rate)
        if self.count < 1:
            raise InvalidDocument(what="the number of pictures of a video", value=self.count, allowed="1 or more")
        ticks("the start of a video", self.start)
        if self.data is not None and (self.data.type, len(self.data.shape)) != ("|u1", 1):
            raise InvalidDocument(what="the bytes of a video", value=self.data, allowed="those of a video file")

    def picture_at(self, time: int) -> int:
        """The number of the picture that is seen at a time [ticks]: the first one before the video, the last after."""
        number = (time - self.start) * self.rate[0] // (TICKS_PER_SECOND * self.rate[1])
        return min(max(number, 0), self.count - 1)


@dataclass(frozen=True, kw_only=True)
class Reference(Part):
    """A picture in the views of one direction."""

    id: str
    name: str
    image: Blob  # a picture file's bytes, shape [byte_count]
    width: int  # [px]
    height: int
    facing: Facing = "front"
    size: float = 2.0  # height: [m], or a share of the view's height
    centre: tuple[float, float] = (0.0, 1.0)  # right and up as the view shows it: [m], or heights of the view
    opacity: float = 0.6  # 0 to 1
    in_front: bool = False  # of the bodies
    visible: bool = True
    camera: FixedCamera | None = None  # that it stands behind, where it faces "camera"
    depth: float = 10.0  # in front of that camera [m]
    video: Video | None = None  # whose first picture `image` is

    def __post_init__(self) -> None:
        what = f"of reference {self.name}"
        if not self.name.strip():
            raise InvalidDocument(what="the name of a reference", value=self.name, allowed="some text")
        if (self.image.type, len(self.image.shape)) != ("|u1", 1):
            raise InvalidDocument(what=f"the image {what}", value=self.image, allowed="the bytes of a picture file")
        if min(self.width, self.height) < 1:
            pixels = (self.width, self.height)
            raise InvalidDocument(what=f"width and height {what}", value=pixels, allowed="1 pixel or more")
        if self.facing not in FACINGS:
            raise InvalidDocument(what=f"the view {what}", value=self.facing, allowed=", ".join(FACINGS))
        if self.facing == "camera" and self.camera is None:
            raise InvalidDocument(what=f"the camera {what}", value=None, allowed="a camera to stand behind")
        right, up = (finite(f"the centre {what}", each) for each in self.centre)
        object.__setattr__(self, "centre", (right, up))
        for name, least, most in (("size", 1e-3, 1e3), ("opacity", 0.0, 1.0), ("depth", 1e-2, 1e5)):
            object.__setattr__(self, name, _within(f"the {name} {what}", getattr(self, name), least, most))


def first_place(facing: Facing) -> tuple[float, tuple[float, float]]:
    """Size and centre of a picture that is new in a view."""
    if facing in ("perspective", "camera"):
        return 1.0, (0.0, 0.0)
    return 2.0, (0.0, 0.0) if facing in ("top", "bottom") else (0.0, 1.0)


def _within(what: str, value: float, least: float, most: float) -> float:
    number = finite(what, value)
    if not least <= number <= most:
        raise InvalidDocument(what=what, value=value, allowed=f"{least:g} to {most:g}")
    return number
