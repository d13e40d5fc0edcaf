"""Curves: the motion of a figure as columns of numbers, each with its coordinate, unit and joint; for CSV and NPZ.

Read without a figure, they get one of bare joints at the origin, which carries names and units and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from engine.document import Blob, Dof, Figure, Joint, Layer, Samples
from engine.document.figure import DofKind
from engine.document.motion import Rate
from engine.document.validation import validate_figure
from engine.formats.figure_files import figure_in
from engine.formats.format import Contents, Options
from engine.formats.frames import figure_of, frames_of
from engine.formats.losses import listed, motion_losses
from engine.formats.names import Names
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable
from engine.runtime.quick_dataclass import dataclass

UNITS = {"hinge": "rad", "slide": "m", "ball": "1"}


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves of coordinates over time, as both formats hold them."""

    coordinates: tuple[str, ...]
    units: tuple[str, ...]  # rad, m, or 1 for the numbers of a quaternion
    joints: tuple[str, ...]
    values: Array  # shape [frame_count, len(coordinates)]
    rate: Rate
    start: int  # tick of the first frame


def curves_of(path: Path, contents: Contents, options: Options) -> Curves:
    """The coordinates that the layers name, frame by frame; all of them at rest where there is no layer."""
    figure = figure_of(path, contents)
    frames = frames_of(path, figure, contents, options)
    named = _named(contents.layers) or set(figure.coordinates)
    whole = {name for dof in figure.dofs if named.intersection(dof.coordinates) for name in dof.coordinates}
    columns = [index for index, name in enumerate(figure.coordinates) if name in whole]
    coordinates = tuple(figure.coordinates[index] for index in columns)
    owner = {name: joint.name for joint in figure.joints for dof in joint.dofs for name in dof.coordinates}
    return Curves(
        coordinates=coordinates,
        units=tuple(UNITS[figure.coordinate_dof[name].kind] for name in coordinates),
        joints=tuple(owner[name] for name in coordinates),
        values=np.ascontiguousarray(frames.q[:, columns]),
        rate=frames.rate,
        start=frames.start,
    )


def contents_of(path: Path, curves: Curves, options: Options, notes: Sequence[str]) -> Contents:
    """One layer of samples, for the figure of the options or a bare one."""
    rate, said = options.rate or curves.rate, tuple(notes)
    try:
        samples = Samples(coordinates=curves.coordinates, values=Blob(curves.values), rate=rate, start=curves.start)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the numbers named.") from error
    layer = Layer(id="motion", name=printable(path.name).split(".")[0] or "Curves", samples=samples)
    if options.figure is not None:
        figure = figure_in(options.figure)
        _check(path, figure, curves)
    else:
        figure = _bare_figure(path, curves)
        said = (*said, "no figure was given: joints without lengths stand for it")
    return Contents(
        figure=figure, layers=(layer,), rate=rate, notes=said, again=partial(contents_of, path, curves, notes=notes)
    )


def omits(contents: Contents) -> tuple[str, ...]:
    """List what curves lose."""
    lost = ["the figure itself: give its file when the curves are read"] if contents.figure is not None else []
    return (*lost, *(["surfaces"] if contents.surfaces else []), *motion_losses(contents, keeps_start=True))


def _bare_figure(path: Path, curves: Curves) -> Figure:
    """One root for each joint that is named, with hinges, slides and balls by the units."""
    names, dofs = Names(), dict[str, dict[str, Dof]]()
    for name, unit, joint in zip(curves.coordinates, curves.units, curves.joints, strict=True):
        id = name if unit != "1" else name.rpartition(".")[0]
        kind: DofKind = "hinge" if unit == "rad" else "slide" if unit == "m" else "ball"
        row = dofs.setdefault(joint if joint.strip() else name.rpartition(".")[0] or name, {})
        row[id] = Dof(id=id, name=id, kind=kind)
    joints = (Joint(id=names.take(name), name=name, dofs=tuple(row.values())) for name, row in dofs.items())
    try:
        figure = Figure(name=printable(path.name).split(".")[0] or "Curves", joints=tuple(joints))
        validate_figure(figure)
    except InvalidDocument as error:
        raise UnreadableFile(path=path, found=str(error), remedy="Correct the columns named.") from error
    if set(figure.coordinates) != set(curves.coordinates):
        missing = sorted(set(figure.coordinates) ^ set(curves.coordinates))
        remedy = "Give all four numbers of a quaternion: .w, .x, .y and .z, with the unit 1."
        raise UnreadableFile(path=path, found=f"a quaternion in part: {listed(missing)}", remedy=remedy)
    return figure


def _check(path: Path, figure: Figure, curves: Curves) -> None:
    strange = [name for name in curves.coordinates if name not in figure.coordinate_index]
    if strange:
        found = f"curves of coordinates that {figure.name} does not have: {listed(strange)}"
        raise UnreadableFile(path=path, found=found, remedy="Give the figure that the curves were written from.")
    for name, unit in zip(curves.coordinates, curves.units, strict=True):
        wanted = UNITS[figure.coordinate_dof[name].kind]
        if unit != wanted:
            raise UnreadableFile(path=path, found=f"{name} in {unit}", remedy=f"In {figure.name} it is in {wanted}.")


def _named(layers: Sequence[Layer]) -> set[str]:
    found: set[str] = set()
    for layer in layers:
        found.update(name for name, _ in layer.values)
        found.update(track.coordinate for track in layer.tracks)
        found.update(layer.samples.coordinates if layer.samples is not None else ())
    return found
