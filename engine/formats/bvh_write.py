"""Writing BVH from any figure.

A joint whose degrees of freedom are slides and then hinges along x, y or z, and that has no rest orientation, keeps
its channels as they are. Any other is written with Z, X and Y rotations (and three positions if it moves) computed from
its local transform in every frame, so that every joint's world transform is kept; what its angles meant is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.document import Figure, Handle, Joint
from engine.document.values import IDENTITY, Vector3
from engine.formats.conventions import laid_back, unit_of
from engine.formats.format import Contents, Options
from engine.formats.frames import EVALUATED, figure_of, frames_of
from engine.formats.losses import figure_losses, listed, motion_losses
from engine.formats.names import Names
from engine.formats.text import write_text
from engine.formats.turns import motion_of, plain_dofs
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import euler_angles
from engine.runtime import progress

USUAL_UNIT = 0.01  # [m]

_DEEPEST_INDENT = 40
_ZXY = (2, 0, 1)


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the figure and its motion; one frame of the rest pose where there is none."""
    figure = laid_back(figure_of(path, contents), options)
    unit = unit_of(options, USUAL_UNIT)
    frames = frames_of(path, figure, contents, options)
    order = depth_first(figure)
    channels = {joint.id: _channels(joint, frames.q[:, _columns(figure, joint)], unit) for joint, _ in order}
    head = [*_hierarchy(figure, order, channels, unit), "MOTION", f"Frames: {len(frames.q)}"]
    head.append(f"Frame Time: {frames.rate[1] / frames.rate[0]!r}")
    table = np.concatenate([channels[joint.id][1] for joint, _ in order], axis=1) + 0.0
    row = " ".join(["%.12g"] * table.shape[1])
    with progress.part(EVALUATED, 1.0):
        rows = [row % tuple(numbers) for numbers in progress.each(table.tolist())]
    write_text(path, "\n".join((*head, *rows)) + "\n")


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a BVH file cannot say of these contents."""
    if contents.figure is None:
        return ()
    figure = contents.figure
    resampled = [joint.name for joint in figure.joints if _plain(joint) is None]
    lost = [*figure_losses(figure, contents.surfaces), *motion_losses(contents)]
    if figure.limits or any(dof.lower is not None or dof.upper is not None for dof in figure.dofs):
        lost.append("limits of degrees of freedom")
    if any(joint.body is not None for joint in figure.joints):
        lost.append("masses")
    if resampled:
        lost.append(f"axes and rest orientations, written as Z, X, Y angles in each frame: {listed(resampled)}")
    if any(not handle.name.startswith(f"{figure.joint(handle.joint).name} end") for handle in figure.handles):
        lost.append("names of handles")
    return tuple(lost)


def depth_first(figure: Figure) -> list[tuple[Joint, int]]:
    """The joints as a nested text lists them, with their depth."""
    children: dict[str | None, list[Joint]] = {}
    for joint in figure.joints:
        children.setdefault(joint.parent, []).append(joint)
    found: list[tuple[Joint, int]] = []
    waiting = [(joint, 0) for joint in reversed(children[None])]
    while waiting:
        joint, depth = waiting.pop()
        found.append((joint, depth))
        waiting += [(child, depth + 1) for child in reversed(children.get(joint.id, []))]
    return found


def _plain(joint: Joint) -> list[tuple[bool, int, float]] | None:
    """Return for each channel if it is a position, its axis and its sign; None if the joint must be computed."""
    found = plain_dofs(joint) if joint.rest == IDENTITY else None
    return None if found is None else [(dof.kind == "slide", axis, sign) for dof, axis, sign in found]


def _columns(figure: Figure, joint: Joint) -> list[int]:
    return [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]


def _channels(joint: Joint, q: Array, unit: float) -> tuple[list[str], Array]:
    """The names of the joint's channels and their numbers, shape [frames, channels]."""
    plain = _plain(joint)
    if plain is not None:
        names = [f"{'XYZ'[axis]}{'position' if slides else 'rotation'}" for slides, axis, _ in plain]
        scale = [sign / unit if slides else sign * 180.0 / math.pi for slides, _, sign in plain]
        shift = [joint.offset[axis] / unit if slides else 0.0 for slides, axis, _ in plain]
        return names, q * scale + shift
    way, rotation = motion_of(joint, q, rest=True)
    turns = np.degrees(euler_angles(rotation, _ZXY))
    names = ["Zrotation", "Xrotation", "Yrotation"]
    if all(dof.kind == "hinge" for dof in joint.dofs):
        return names, turns
    places = (way + np.array(joint.offset)) / unit
    return ["Xposition", "Yposition", "Zposition", *names], np.concatenate((places, turns), axis=1)


def _hierarchy(
    figure: Figure, order: list[tuple[Joint, int]], channels: dict[str, tuple[list[str], Array]], unit: float
) -> Iterator[str]:
    names = Names()
    handles: dict[str, list[Handle]] = {}
    for handle in figure.handles:
        handles.setdefault(handle.joint, []).append(handle)
    yield "HIERARCHY"
    depths = [depth for _, depth in order]
    for (joint, depth), following in zip(order, [*depths[1:], 0], strict=True):
        indent = _indent(depth)
        yield f"{indent}{'JOINT' if depth else 'ROOT'} {names.take(written_name(joint.name))}"
        yield f"{indent}{{"
        yield f"{_indent(depth + 1)}OFFSET {_numbers(joint.offset, unit)}"
        words = channels[joint.id][0]
        yield " ".join((f"{_indent(depth + 1)}CHANNELS {len(words)}", *words))
        for handle in handles.get(joint.id, []):
            inner = _indent(depth + 1)
            yield from (
                f"{inner}End Site",
                f"{inner}{{",
                f"{inner}\tOFFSET {_numbers(handle.point, unit)}",
                f"{inner}}}",
            )
        for closed in range(depth, following - 1, -1):
            yield f"{_indent(closed)}}}"


def written_name(name: str) -> str:
    """A name as one word without braces."""
    return "_".join(name.replace("{", " ").replace("}", " ").split()) or "joint"


def _indent(depth: int) -> str:
    return "\t" * min(depth, _DEEPEST_INDENT)


def _numbers(vector: Vector3, unit: float) -> str:
    return " ".join(f"{each / unit + 0.0:.12g}" for each in vector)
