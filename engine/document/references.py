"""Reference: a picture that stands in the views to be posed after; it changes no result.

It hangs in the views that look along an axis of the world, as large as `size` says in metres, or it is glued to the
views with perspective, where `size` is a share of the view's height and `centre` counts in heights from its middle.
The file's own bytes are kept, so that nothing is lost when the file goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from engine.document.blobs import Blob
from engine.document.parts import Part
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument

Facing = Literal["front", "back", "right", "left", "top", "bottom", "perspective"]
FACINGS: tuple[Facing, ...] = get_args(Facing)


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
        right, up = (finite(f"the centre {what}", each) for each in self.centre)
        object.__setattr__(self, "centre", (right, up))
        self._check("size", 1e-3, 1e3)
        self._check("opacity", 0.0, 1.0)

    def _check(self, name: str, least: float, most: float) -> None:
        what = f"the {name} of reference {self.name}"
        value = finite(what, getattr(self, name))
        if not least <= value <= most:
            raise InvalidDocument(what=what, value=value, allowed=f"{least:g} to {most:g}")
        object.__setattr__(self, name, value)
