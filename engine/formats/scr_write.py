"""Writing `.scr` from any figure: joints, groups, offsets, orientations, hinges and slides, masses, mirrors.

Where a joint has several children, all but the last stand in groups, for the joint after a group hangs on the joint
before it; so does one whose group is another than that above it. A ball is written as three hinges about x, y and z,
and the root without the three slides that every reader gives it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.document.values import IDENTITY
from engine.formats.conventions import laid_back, unit_of
from engine.formats.format import Contents, Options
from engine.formats.frames import figure_of
from engine.formats.losses import figure_losses, listed
from engine.formats.names import Names
from engine.formats.scr_text import USUAL_UNIT, side_of
from engine.formats.text import write_text
from engine.maths.quaternions import AXES
from engine.maths.rotation_arrays import euler_angles, rotation_matrix
from engine.runtime.quick_dataclass import dataclass

_DEGREES = 180.0 / math.pi
_IN_QUOTES = str.maketrans({'"': "'", "\u201c": "'", "\u201d": "'", "\u201e": "'", "\u2212": "-", "\u2013": "-"})
_DEEPEST_INDENT = 40


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the skeleton, then a definition of each joint."""
    figure, unit = laid_back(figure_of(path, contents), options), unit_of(options, USUAL_UNIT)
    names = Names()
    written = {joint.id: names.take(_text(joint.name) or joint.id) for joint in figure.joints}
    base = names.take("base")
    lines = [f'define skeleton "{_text(figure.name) or "figure"}"']
    for place in _places(figure):
        if place.joint is None:
            lines.append(f"{_indent(place.depth)}end group" if place.depth else f'  joint "{base}"')
            continue
        if place.opens:
            lines.append(f'{_indent(place.depth)}group "{place.group}"')
        lines.append(f'{_indent(place.depth + place.opens)}joint "{written[place.joint.id]}"')
    lines.append("end skeleton")
    if _is_many(figure):
        lines += ["", f'define joint "{base}"', "end joint"]
    for joint in figure.joints:
        lines += ["", f'define joint "{written[joint.id]}"', *_definition(figure, joint, written, unit), "end joint"]
    write_text(path, "\n".join(lines) + "\n")


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a skeleton text cannot say of these contents."""
    lost = ["motion"] if contents.layers else []
    figure = contents.figure
    if figure is None:
        return tuple(lost)
    lost += figure_losses(figure, contents.surfaces, keeps_names=True)
    if any(joint.side != side_of(_text(joint.name)) for joint in figure.joints):
        lost.append("sides that the names of joints do not say")
    if any(place.joint is not None and place.group != place.joint.group for place in _places(figure)):
        lost.append("groups as they are: one begins at each branch, and takes in all below its joint")
    if _is_many(figure):
        lost.append("several roots, put under one")
    elif _own_dofs(figure, figure.joints[0]) == figure.joints[0].dofs:
        lost.append("that the root stays at its place: every reader gives it a translation")
    if any(dof.kind == "ball" for dof in figure.dofs):
        lost.append("ball joints, written as three hinges")
    half = [dof.id for dof in figure.dofs if (dof.lower is None) != (dof.upper is None)]
    if half:
        lost.append(f"limits on one side alone: {listed(half)}")
    if figure.limits:
        lost.append("joint limits over several angles")
    bodies = [joint.body for joint in figure.joints if joint.body is not None]
    if any(body.centre != (0.0, 0.0, 0.0) or any(body.inertia) for body in bodies):
        lost.append("centres of mass and moments of inertia")
    if figure.handles:
        lost.append("handles")
    return tuple(lost)


@dataclass(frozen=True)
class _Place:
    """A joint in the order of the text with its innermost group, or, without a joint, the end of a group."""

    joint: Joint | None
    depth: int
    group: str = ""
    opens: bool = False


def _places(figure: Figure) -> Iterator[_Place]:
    """Yield the joints, each the child of the one before it or of the one before the group that ended."""
    children: dict[str | None, list[Joint]] = {}
    for joint in figure.joints:
        children.setdefault(joint.parent, []).append(joint)
    many = _is_many(figure)
    if many:
        yield _Place(None, 0)
    waiting = _below(children[None], 1, "")
    while waiting:
        place = waiting.pop()
        yield place
        if place.joint is not None:
            waiting += _below(children.get(place.joint.id, ()), place.depth + place.opens, place.group)


def _below(children: Sequence[Joint], depth: int, group: str) -> list[_Place]:
    """Return what hangs on one joint, the first last."""
    found: list[_Place] = []
    for child in children:
        own = _text(child.group)
        if child is children[-1] and own in ("", group):
            found.append(_Place(child, depth, group))
        else:
            found += (
                _Place(child, depth, own or group or _text(child.name) or child.id, opens=True),
                _Place(None, depth),
            )
    return found[::-1]


def _is_many(figure: Figure) -> bool:
    return sum(joint.parent is None for joint in figure.joints) > 1


def _own_dofs(figure: Figure, joint: Joint) -> tuple[Dof, ...]:
    """Return the degrees of freedom without the three slides that every reader gives the one root."""
    first = joint.dofs[:3]
    if joint.parent is not None or _is_many(figure) or any(dof.kind != "slide" for dof in first):
        return joint.dofs
    free = all(dof.lower is None and dof.upper is None for dof in first)
    return joint.dofs[3:] if free and tuple(dof.axis for dof in first) == AXES else joint.dofs


def _definition(figure: Figure, joint: Joint, written: dict[str, str], unit: float) -> Iterator[str]:
    yield f"  offset {_numbers(joint.offset, 1.0 / unit)}"
    if joint.rest != IDENTITY:
        turns = euler_angles(rotation_matrix(np.array(joint.rest))[None], (0, 1, 2))[0]
        yield f"  orientation {_numbers(turns.tolist(), _DEGREES)}"
    for dof in _own_dofs(figure, joint):
        if dof.kind == "ball":
            yield from (f"  hinge {letter}" for letter in "xyz")
            continue
        factor = _DEGREES if dof.kind == "hinge" else 1.0 / unit
        limits = "" if dof.lower is None or dof.upper is None else f" {_numbers((dof.lower, dof.upper), factor)}"
        axis = "xyz"[AXES.index(dof.axis)] if dof.axis in AXES else _numbers(dof.axis, 1.0)
        yield f"  {dof.kind} {axis}{limits}"
    if joint.body is not None:
        yield f"  mass {_numbers((joint.body.mass,), 1.0)}"
    if joint.mirror is not None:
        yield f'  mirror "{written[joint.mirror]}"'


def _numbers(values: Sequence[float], factor: float) -> str:
    return " ".join(f"{each * factor + 0.0:.15g}" for each in values)


def _text(name: str) -> str:
    """Return a name as it can stand in quotes."""
    return " ".join(name.translate(_IN_QUOTES).split())


def _indent(depth: int) -> str:
    return "  " * min(depth, _DEEPEST_INDENT)
