"""bring_in: read a file of any format and make an actor of the figure and the motion that it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.command import AtOnce, Gradual
from engine.document import Actor, Document, Layer, prop
from engine.document.conformance import check_values
from engine.document.motion import Rate
from engine.document.values import Vector3, new_id
from engine.formats.conventions import first_box, likely_unit, likely_up
from engine.formats.format import Contents, FileMesh, Format, Options, Up
from engine.formats.mesh_shapes import shapes_of, with_rigid
from engine.formats.meshes import USUAL_UNIT
from engine.formats.skins import with_skins
from engine.formats.table import by_suffix, readers
from engine.motion.sides import pair_sides
from engine.runtime import progress
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable
from engine.runtime.quick_dataclass import dataclass
from engine.systems import load, systems

_READ, _UPRIGHT = 0.4, 0.5  # of the work, till a file is read; till it is read again, where it was on its side
_AGAIN = 0.3  # of what is left then, till a mesh is read again
HUGE = 20.0  # [m] a thing longer than this was more likely meant in millimetres
_UNSOUND = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError)


@dataclass(frozen=True)
class Taken:
    """The unit, axis and rate assumed where a file is silent; None where it says them, or holds nothing that they
    matter for."""

    unit: float | None  # metres per unit of length of the file
    up: Up | None
    rate: Rate | None
    sides: Vector3  # of the box around the first frame, in the file's unit and axes if these were taken, else [m]

    @property
    def all_said(self) -> bool:
        """True if nothing was left to guess."""
        return self.unit is None and self.up is None and self.rate is None

    def height(self, unit: float | None, up: Up | None) -> float:
        """Measure the height of the figure [m] with another unit and upward axis."""
        return self.sides["xyz".index(up or "y")] * (unit or 1.0)


@dataclass(frozen=True)
class BroughtIn:
    """The content of a file: a whole document, or an actor for the present one; and what the reader found odd."""

    document: Document | None
    actor: Actor | None
    rate: Rate | None
    notes: tuple[str, ...]
    taken: Taken | None = None  # of an actor
    props: tuple[Actor, ...] = ()  # meshes beside the actor that hang on none of its joints, and cameras


def read_contents(path: Path, options: Options | None = None) -> Contents:
    """Read a file by its suffix. A rate in the options counts only where the file states none."""
    options = options or Options()
    read = _reader_of(path).read
    assert read is not None, "chosen among the readers"
    with _refusing(path):
        contents = _with_rate(read(path, replace(options, rate=None)), options)
        for each in (contents.document, contents.figure, *contents.layers, *contents.parts):
            if each is not None:
                check_values(each)
    return contents


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """Name the file where what a reader made of it can be no part of a document."""
    try:
        yield
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct it where the file was made.") from error
    except _UNSOUND as error:
        found = f"content that is not sound ({type(error).__name__}: {error})"
        raise UnreadableFile(path=path, found=found, remedy="Get the whole file, or make it again.") from error


def _with_rate(contents: Contents, options: Options) -> Contents:
    """Read contents again at the rate of the options, if they need one and can take it."""
    silent = options.rate is not None and contents.rate is None and contents.layers
    return contents.again(options) if silent and contents.again is not None else contents


def taken_by(document: Document, path: Path) -> AtOnce | Gradual | None:
    """Find the command that puts what a file holds on an actor that is there; None: it joins as an actor of its own."""
    for system in systems():
        found: AtOnce | Gradual | None = None if system.takes is None else load(system.takes)(document, path)
        if found is not None:
            return found
    return None


def bring_in(path: Path, options: Options | None = None) -> BroughtIn:
    """Read a file by its suffix; where it is silent, its figure is taken so that it stands upright and in scale."""
    options = options or Options()
    with progress.part(0.0, _READ):
        contents = read_contents(path, options)
    with progress.part(_READ, _UPRIGHT):
        contents, up = _upright(path, contents, options)
    with progress.part(_UPRIGHT, 1.0):
        return _brought(path, contents, up, options)


def _brought(path: Path, contents: Contents, up: Up | None, options: Options) -> BroughtIn:
    if contents.document is not None:
        return BroughtIn(contents.document, None, contents.rate, contents.notes)
    cameras = tuple(load(each.films)(camera) for each in systems() if each.films for camera in contents.cameras)
    if contents.figure is None and contents.surfaces:
        thing = _thing(path, contents, options)
        return replace(thing, props=(*thing.props, *cameras))
    if contents.figure is None and cameras:
        return BroughtIn(None, cameras[0], contents.rate, contents.notes, None, cameras[1:])
    loose = [surface for surface in contents.surfaces if not surface.joints]
    props = (_prop(path, loose),) if loose else ()
    return BroughtIn(
        None, _actor(path, contents), contents.rate, contents.notes, _taken(contents, up), (*props, *cameras)
    )


def _reader_of(path: Path) -> Format:
    format = by_suffix(path)
    if format is None or format.read is None:
        known = ", ".join(each.suffixes[0] for each in readers())
        found = f"no format that Sinew reads ends in {path.suffix or 'nothing'!r}"
        raise UnreadableFile(path=path, found=found, remedy=f"It reads {known}.")
    return format


def _upright(path: Path, contents: Contents, options: Options) -> tuple[Contents, Up | None]:
    """Read contents again with a likely unit and upward axis, where the file is silent and a person would lie or be a
    giant; also returns the axis that was taken as up."""
    figure = contents.figure
    if contents.assumed_up is not None:
        return contents, contents.assumed_up
    if figure is None or contents.assumed_unit is None or contents.again is None:
        return contents, None
    unit = options.unit or likely_unit(figure, contents.assumed_unit)
    up = options.up or likely_up(figure)
    if (unit, up) == (contents.assumed_unit, options.up or "y"):
        return contents, up
    with _refusing(path):
        again = contents.again(replace(options, rate=None, unit=unit, up=up))
    note = f"the file does not say it, so taken: a unit of {unit:.6g} m, {up} is up"
    return replace(again, notes=(*again.notes, note)), up


def _taken(contents: Contents, up: Up | None) -> Taken:
    figure, unit = contents.figure, contents.assumed_unit
    assert figure is not None, "an actor was made of it"
    samples = [layer.samples for layer in contents.layers if layer.samples is not None]
    rate = samples[0].rate if samples and contents.rate is None else None
    sides = first_box(figure, samples[0] if samples else None)
    if unit is None or up is None:
        return Taken(None, None, rate, sides)
    return _in_file(unit, up, rate, sides)


def _in_file(unit: float, up: Up, rate: Rate | None, sides: Vector3) -> Taken:
    """Record what was assumed, with sides [m] as they stand in the file."""
    x, y, z = (side / unit for side in sides)
    in_file: dict[Up, Vector3] = {"x": (y, x, z), "y": (x, y, z), "z": (x, z, y)}
    return Taken(unit, up, rate, in_file[up])


def _actor(path: Path, contents: Contents) -> Actor:
    if contents.figure is None:
        remedy = "Choose a file with a skeleton or a mesh."
        raise UnreadableFile(path=path, found="neither a figure nor a mesh", remedy=remedy)
    name = printable(path.name).split(".")[0] or contents.figure.name
    layers = contents.layers
    if not any(not layer.tracks and layer.samples is None for layer in layers):
        layers = (*layers, Layer(id=new_id("pose")))
    figure = with_rigid(path, pair_sides(contents.figure), contents.surfaces)
    figure = with_skins(figure, contents.surfaces)
    return Actor(id=new_id("figure"), name=name, figure=figure, layers=layers, parts=contents.parts)


def _thing(path: Path, contents: Contents, options: Options) -> BroughtIn:
    """Meshes without a figure, as one prop. Mesh files state no unit: what is huge in metres is in millimetres."""
    sides, unit, notes = _sides(contents.surfaces), options.unit or USUAL_UNIT, contents.notes
    if _reader_of(path).kind != "mesh":
        return BroughtIn(None, _prop(path, contents.surfaces), contents.rate, notes)
    if options.unit is None and max(sides) > HUGE and contents.again is not None:
        unit = 0.001
        notes = (*notes, f"{max(sides):.6g} long and without a unit, so taken as millimetres")
        with progress.part(0.0, _AGAIN):
            contents = contents.again(replace(options, rate=None, unit=unit))
        sides = _sides(contents.surfaces)
    taken = _in_file(unit, options.up or "y", None, sides)
    with progress.part(_AGAIN, 1.0):
        return BroughtIn(None, _prop(path, contents.surfaces), None, notes, taken)


def _sides(surfaces: Sequence[FileMesh]) -> Vector3:
    """Measure the sides of the box around surfaces [m]."""
    corners = np.array([(each.positions.min(axis=0), each.positions.max(axis=0)) for each in surfaces])
    x, y, z = (corners[:, 1].max(axis=0) - corners[:, 0].min(axis=0)).tolist()
    return (x, y, z)


def _prop(path: Path, surfaces: Sequence[FileMesh]) -> Actor:
    name = printable(path.name).split(".")[0]
    figure = prop(name, shapes_of(path, surfaces))
    return Actor(id=new_id("prop"), name=name, figure=figure, layers=(Layer(id="pose"),))
