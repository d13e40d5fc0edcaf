"""Material: the base colour of a surface, and where on its triangles a texture lies.

Colours are given for the corners of triangles and not for vertices, so that the seam of a texture splits no vertex: a
surface keeps its triangles, in their order, whatever colours it. Base colour after the glTF 2.0 specification, 3.9.2:
factor times texture times vertex colour. A texture file's own bytes are kept, so that nothing is lost when it goes.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from engine.document.blobs import Blob, check_form, check_range
from engine.document.parts import Part
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

Alpha = Literal["opaque", "mask", "blend"]
ALPHAS: tuple[Alpha, ...] = get_args(Alpha)
Colour = tuple[float, float, float, float]
WHITE: Colour = (1.0, 1.0, 1.0, 1.0)
MOST_SIDE = 16_384  # [px] of a texture
MOST_PIXELS = 2**26  # of a texture, so that it can be unpacked
MOST_MATERIALS = 1_000  # of a surface
FARTHEST = 1e6  # of a texture's coordinates, in widths and heights of it


@dataclass(frozen=True, kw_only=True)
class TextureImage(Part):
    """A PNG or JPEG picture that is laid on triangles and repeats itself beyond its edges."""

    name: str
    data: Blob  # the file's bytes, shape [byte_count]
    width: int  # [px]
    height: int

    def __post_init__(self) -> None:
        if (self.data.type, len(self.data.shape)) != ("|u1", 1):
            raise InvalidDocument(what=f"the texture {self.name}", value=self.data, allowed="the bytes of a picture")
        sides = (self.width, self.height)
        if not 1 <= min(sides) <= max(sides) <= MOST_SIDE or self.width * self.height > MOST_PIXELS:
            allowed = f"1 to {MOST_SIDE:,} pixels, {MOST_PIXELS:,} in all"
            raise InvalidDocument(what=f"width and height of the texture {self.name}", value=sides, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class Material(Part):
    """Paint of a surface: its base colour, and how much is seen through it."""

    name: str
    colour: Colour = WHITE  # base colour factor: red, green, blue (linear), opacity; 0 to 1
    texture: TextureImage | None = None  # that the factor is multiplied by
    alpha: Alpha = "opaque"  # whether opacity is heeded: not; all or nothing; as a share
    cutoff: float = 0.5  # of a mask: an opacity below it is nothing
    two_sided: bool = False  # whether triangles are seen from behind

    def __post_init__(self) -> None:
        what = f"of material {self.name}"
        if len(self.colour) != 4:
            raise InvalidDocument(what=f"the colour {what}", value=self.colour, allowed="red, green, blue, opacity")
        red, green, blue, opacity = (_share(f"the colour {what}", each) for each in self.colour)
        object.__setattr__(self, "colour", (red, green, blue, opacity))
        object.__setattr__(self, "cutoff", _share(f"the cutoff {what}", self.cutoff))
        if self.alpha not in ALPHAS:
            raise InvalidDocument(what=f"the opacity {what}", value=self.alpha, allowed=", ".join(ALPHAS))


@dataclass(frozen=True, kw_only=True)
class Colouring(Part):
    """The materials of a surface's triangles, and what their corners say of texture and colour."""

    materials: tuple[Material, ...]
    of_triangles: Blob | None = None  # places in `materials`, int32, shape [triangle_count]; None: all the first
    coordinates: Blob | None = None
    """Place of each corner on the texture, in its widths from the left and heights from the top, float32, shape
    [triangle_count, 3, 2]."""
    colours: Blob | None = None  # red, green, blue (linear), opacity of 255, uint8, shape [triangle_count, 3, 4]

    def __post_init__(self) -> None:
        if not 1 <= len(self.materials) <= MOST_MATERIALS:
            value, allowed = len(self.materials), f"1 to {MOST_MATERIALS:,}"
            raise InvalidDocument(what="the number of materials of a surface", value=value, allowed=allowed)
        if self.of_triangles is not None:
            self.of_triangles.check(partial(check_range, "a material of a triangle", 0, len(self.materials) - 1))
        if self.coordinates is not None:
            self.coordinates.check(partial(check_range, "the coordinates of a texture", -FARTHEST, FARTHEST))

    def check(self, surface: str, triangle_count: int) -> None:
        """Refuse it on a surface of so many triangles that it was not made for."""
        forms = {
            "of_triangles": ("<i4", (triangle_count,)),
            "coordinates": ("<f4", (triangle_count, 3, 2)),
            "colours": ("|u1", (triangle_count, 3, 4)),
        }
        for name, form in forms.items():
            blob: Blob | None = getattr(self, name)
            if blob is not None:
                words = {"of_triangles": "materials of triangles", "coordinates": "coordinates of the texture"}
                check_form(f"the {words.get(name, name)} of {surface}", blob, *form)

    def chosen(self, places: NDArray[Any]) -> Colouring:
        """Keep some triangles, which may have their corners in another order: numbers of corners, shape [count, 3],
        counted through all triangles."""
        return Colouring(
            materials=self.materials,
            of_triangles=_taken(self.of_triangles, places[:, 0] // 3, 1),
            coordinates=_taken(self.coordinates, places, 2),
            colours=_taken(self.colours, places, 2),
        )

    def turned(self) -> Colouring:
        """Follow triangles whose second and third corners have changed places."""
        order = (slice(None), [0, 2, 1])
        coordinates = None if self.coordinates is None else Blob(self.coordinates.array[order])
        colours = None if self.colours is None else Blob(self.colours.array[order])
        return Colouring(
            materials=self.materials, of_triangles=self.of_triangles, coordinates=coordinates, colours=colours
        )


def _taken(blob: Blob | None, places: NDArray[Any], axes: int) -> Blob | None:
    """Some of an array's rows, whose first axes are counted through as one."""
    if blob is None:
        return None
    rows = blob.array if axes == 1 else blob.array.reshape(-1, blob.shape[-1])
    return Blob(rows[places])


def _share(what: str, value: float) -> float:
    number = finite(what, value)
    if not 0.0 <= number <= 1.0:
        raise InvalidDocument(what=what, value=value, allowed="0 to 1")
    return number
