"""The command `info FILE` of `python -m engine` for a file of any format, and what such commands share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from engine.commands.bring_in import read_contents
from engine.document import Figure, Layer
from engine.document.motion import Rate
from engine.formats.conventions import rest_size
from engine.formats.format import Options
from engine.formats.losses import listed
from engine.formats.table import by_suffix
from engine.formats.text import counted
from engine.model.inertia import total_mass


def file_lines(path: Path, options: Options | None = None) -> Iterator[str]:
    """Describe a figure, motion, mesh or file of curves in lines."""
    contents = read_contents(path, options)
    format = by_suffix(path)
    yield f"{path}: {format.name if format else path.suffix}"
    if contents.figure is not None:
        yield from _figure_lines(contents.figure)
    yield from (f"  {words}" for part in contents.parts if (words := part.summary()))
    for layer in contents.layers:
        yield from _layer_lines(layer)
    if contents.rate is not None:
        yield f"  rate: {contents.rate[0] / contents.rate[1]:.6g} frames a second"
    for surface in contents.surfaces:
        counts = f"{counted(len(surface.positions), 'point')}, {counted(len(surface.triangles), 'triangle')}"
        yield f"  surface {surface.name}: {counts}"
    for note in contents.notes:
        yield f"  note: {note}"


def _figure_lines(figure: Figure) -> Iterator[str]:
    limits = sum((dof.lower is not None) + (dof.upper is not None) for dof in figure.dofs)
    dofs = f"{counted(sum(not dof.driven for dof in figure.dofs), 'degree')} of freedom"
    yield f"  figure {figure.name}: {counted(len(figure.joints), 'joint')}, {dofs}, {counted(limits, 'limit')}"
    yield f"  longest side at rest: {rest_size(figure):.4g} m"
    own = sum(len(joint.dofs) for joint in figure.joints if joint.parent is None)
    if not figure.is_prop and own:
        free = sum(not dof.driven for dof in figure.dofs)
        besides = f"{counted(free - own, 'degree')} of freedom, besides {own} of the root"
        besides += f" and {counted(len(figure.driven), 'driven coordinate')}" if figure.driven else ""
        yield f"  skeleton: {counted(len(figure.joints), 'bone')}, {besides}"
    mass = total_mass(figure)
    if mass > 0.0:
        yield f"  mass: {mass:.4g} kg"
    if figure.handles:
        yield f"  handles: {listed([handle.id for handle in figure.handles])}"
    roots = [joint.id for joint in figure.joints if joint.parent is None]
    if len(roots) > 1:
        yield f"  roots: {listed(roots)}"


def _layer_lines(layer: Layer) -> Iterator[str]:
    counts = [counted(len(layer.values), "value")] if layer.values else []
    if layer.tracks:
        keys = sum(len(track.keys) for track in layer.tracks)
        counts.append(f"{counted(len(layer.tracks), 'track')} of {counted(keys, 'key')}")
    if layer.samples is not None:
        samples = layer.samples
        length = (samples.frame_count - 1) * samples.rate[1] / samples.rate[0]
        frames = counted(samples.frame_count, "frame")
        counts.append(f"{frames} of {counted(len(samples.coordinates), 'coordinate')}, {length:.6g} s")
    yield f"  motion {layer.name}: {', '.join(counts) or 'empty'}"


def rate_from(text: str) -> Rate:
    """A rate written as `30`, `29.97` or `30000/1001`; `ValueError` if it is none."""
    frames, _, seconds = text.partition("/")
    if seconds:
        rate = (int(frames), int(seconds))
    else:
        value = float(frames)
        if not 1e-3 <= value <= 1e6:
            raise ValueError(text)
        near = round(value * 1.001)
        exact = Fraction(value).limit_denominator(1000)
        ntsc = abs(value - near / 1.001) < 0.006 and not value.is_integer()
        rate = (near * 1000, 1001) if ntsc else (exact.numerator, exact.denominator)
    if min(rate) < 1 or max(rate) > 10**9:
        raise ValueError(text)
    return rate
