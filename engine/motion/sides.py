"""Pairs of left and right joints of a figure, by their ids, for files that do not say.

Two joints are a pair where one id becomes the other by exchanging "left" and "right" in any case, or the letters l and
r that begin it, end it, or stand between punctuation, and where their parents are a pair too or the same joint. What a
figure says already stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.document import Figure, Joint
from engine.document.figure import Side

_OTHER = {"left": "right", "right": "left", "l": "r", "r": "l"}
_PATTERNS = (
    re.compile(r"left|right", re.IGNORECASE),
    re.compile(r"(?<![a-z])[lr](?![a-z])", re.IGNORECASE),
    re.compile(r"^[lr]", re.IGNORECASE),
    re.compile(r"[LR]$|(?<=[a-z0-9])[lr]$"),
)


def pair_sides(figure: Figure) -> Figure:
    """The figure with sides and mirror partners; the identical object where there is nothing to add."""
    partners = {joint.id: joint.mirror for joint in figure.joints if joint.mirror is not None}
    sides: dict[str, Side] = {}
    for joint in figure.joints:
        if joint.id in partners:
            continue
        for side, other in _readings(joint.id):
            partner = figure.joint_index.get(other)
            if partner is not None and other not in partners and _answer(joint, figure.joints[partner], partners):
                partners[joint.id], partners[other] = other, joint.id
                sides[joint.id], sides[other] = side, "right" if side == "left" else "left"
                break
    if not sides:
        return figure
    joints = (
        replace(joint, mirror=partners[joint.id], side=sides[joint.id]) if joint.id in sides else joint
        for joint in figure.joints
    )
    return replace(figure, joints=tuple(joints))


def side_of(name: str) -> Side:
    """The side that a name speaks of; the middle if it speaks of none."""
    found = _spoken(name)
    return "middle" if found is None else found[0]


def other_side(name: str) -> str:
    """The name with the other side in it; the same one if it speaks of none."""
    found = _spoken(name)
    return name if found is None else found[1]


def _spoken(name: str) -> tuple[Side, str] | None:
    """Read the side that a name for people gives: words, or the letters between punctuation; "lamp" is no left one."""
    return next(_readings(name, _PATTERNS[:2]), None)


def _answer(joint: Joint, other: Joint, partners: dict[str, str]) -> bool:
    if other is joint or joint.parent is None or other.parent is None:
        return False
    return partners.get(joint.parent, joint.parent) == other.parent


def _readings(id: str, patterns: Sequence[re.Pattern[str]] = _PATTERNS) -> Iterator[tuple[Side, str]]:
    """The side that an id speaks of and the id of the other side, for each way of reading it."""
    for pattern in patterns:
        found = pattern.search(id)
        if found is not None:
            word = found.group()
            swapped = _OTHER[word.lower()]
            swapped = swapped.upper() if word.isupper() else swapped.capitalize() if word[0].isupper() else swapped
            yield "left" if word[0] in "lL" else "right", id[: found.start()] + swapped + id[found.end() :]
