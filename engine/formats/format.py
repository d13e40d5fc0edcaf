"""The interface of file formats, and the contents of a file.

A reader gives `Contents` in metres, radians and seconds, Y up, and says in `notes` what it found odd and how it took
it; a file that cannot be taken raises one `UnreadableFile` and changes nothing. A writer gets the same `Contents`;
`omits` lists, before anything is written, what the format cannot express.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.document import Colouring, Document, Figure, Layer
from engine.document.parts import Part
from engine.formats.scene import Scene, check_range
from engine.runtime.quick_dataclass import dataclass

Kind = Literal["document", "figure", "motion", "mesh", "curves"]
Up = Literal["x", "y", "z"]
Option = Literal["unit", "up", "rate", "figure", "start", "end"]  # the fields of `Options`


@dataclass(frozen=True, kw_only=True, eq=False)
class FileMesh:
    """A triangle mesh, and how it hangs on the joints of the figure if it does."""

    name: str
    positions: NDArray[np.float64]  # [m], in the rest pose, shape [vertex_count, 3]
    triangles: NDArray[np.int32]  # shape [triangle_count, 3]
    normals: NDArray[np.float64] | None = None
    joints: tuple[str, ...] = ()  # ids of the joints that `weights` is about
    weights: NDArray[np.float64] | None = None  # rows sum to 1, shape [vertex_count, len(joints)]
    bind: NDArray[np.float64] | None = None  # joint from mesh at rest, shape [len(joints), 3, 4]
    frames: NDArray[np.float32] | None = None  # [m] of every vertex in each frame, shape [frame_count, vertex_count, 3]
    times: NDArray[np.float64] | None = None  # [s] of the frames
    colouring: Colouring | None = None  # of its triangles


@dataclass(frozen=True, eq=False)
class FileCamera:
    """A camera that looks along the -Z of its frame, +Y up, through a lens onto a film."""

    name: str
    frames: NDArray[np.float64]  # world from eye: rotation and place [m], shape [frame_count, 3, 4]; one: it stands
    rate: tuple[int, int] | None  # of the frames
    start: int  # when the first one is [ticks]
    focal: float  # [m]
    film_width: float  # [m]
    near: float  # [m] in front of the eye, nearer than which nothing is seen
    keyed_lens: bool = False  # whether the lens changes


@dataclass(frozen=True, kw_only=True, eq=False)
class Contents:
    """Contents of a file; each reader fills what its format has."""

    document: Document | None = None
    figure: Figure | None = None
    layers: tuple[Layer, ...] = ()  # motion of the figure, by its coordinates
    parts: tuple[Part, ...] = ()  # of systems, beside the figure: its muscles
    surfaces: tuple[FileMesh, ...] = ()
    cameras: tuple[FileCamera, ...] = ()
    scene: Scene | None = None  # actors as they are seen, for formats that take whole scenes
    rate: tuple[int, int] | None = None  # frames in so many seconds, where the file states one
    span: tuple[int, int] | None = None  # from when to when it is to be written [ticks]; None: all that moves
    assumed_unit: float | None = None  # metres per unit of length that the reader took because the file does not say
    assumed_up: Up | None = None  # the axis that the reader took as up by what it found, because the file does not say
    notes: tuple[str, ...] = ()
    again: Callable[[Options], Contents] | None = None
    """The same file with other options, without reading it again; of formats that leave something open."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options that say what a file leaves open. None: the format's usual value, named in its module."""

    unit: float | None = None  # metres per unit of length of the file
    up: Up | None = None
    rate: tuple[int, int] | None = None
    figure: Path | Figure | None = None  # that of a motion which is kept apart from it, or the file of it
    start: int | None = None  # from when motion is written [ticks]; None: from the start of what is played
    end: int | None = None  # until when, likewise

    def span_of(self, usual: tuple[int, int]) -> tuple[int, int]:
        """Return from when to when to write [ticks], where nothing else is said the usual; refused where it ends before
        it begins."""
        first, last = usual[0] if self.start is None else self.start, usual[1] if self.end is None else self.end
        check_range(first, last)
        return first, last


@dataclass(frozen=True, kw_only=True)
class Format:
    """One file format. `read` or `write` is None where Sinew does not offer it."""

    name: str
    suffixes: tuple[str, ...]  # lower case, with the dot, the usual one first
    kind: Kind
    read: Callable[[Path, Options], Contents] | None = None
    write: Callable[[Path, Contents, Options], None] | None = None
    gradually: Callable[[Path, Contents, Options], Iterator[float]] | None = None
    """The same as `write`, in slices: yields the share that is done. Closed between them it leaves nothing behind."""
    moves_surfaces: bool = False  # whether it writes the frames of surfaces
    takes_cameras: bool = False  # whether it writes cameras as such
    takes_scene: bool = False  # whether it writes a `Scene`, all actors in one, and wants nothing else
    omits: Callable[[Contents], tuple[str, ...]] | None = None
    about: str = ""  # what it carries and what it does not, for the help page
    limits: str = ""  # how large a file may be, likewise
    read_options: tuple[Option, ...] = ()  # what a reader heeds
    write_options: tuple[Option, ...] = ()  # what a writer heeds
