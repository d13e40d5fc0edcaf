"""Strokes: points, lines and arrows of a picture, drawn over the bodies, as wide on the screen wherever they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from app.scene.gl import Program, mode
from app.scene.look import Look, rgb
from app.scene.visuals.eye import Eye
from app.scene.visuals.trails import DOT, FRAGMENT, VERTEX, Floats, Quads, quads, use_colour
from engine.model.snapshot import Arrows, LineSet, Points, Role, Snapshot

Stroke = Points | LineSet | Arrows
STRENGTH = 1.9  # opacity, in shares of a trail's
WIDTH = 0.8  # [logical px] half width of a line
HEAD, SPREAD = 0.22, 0.09  # of an arrow: length of its head and half of its width, in shares of the arrow


def strokes_in(snapshot: Snapshot) -> tuple[Stroke, ...]:
    """Return the points, lines and arrows of a snapshot."""
    return tuple(each for each in snapshot.items if isinstance(each, Points | LineSet | Arrows))


class StrokesVisual:
    """Draws points, lines and arrows, those of one role in one call."""

    _program = cached_property(lambda _: Program(VERTEX, FRAGMENT))  # made when something is first drawn

    def __init__(self) -> None:
        self._quads: dict[Role, Quads] = {}
        self._shown: Sequence[Stroke] = ()

    def show(self, items: Sequence[Stroke]) -> None:
        """Take over those of a picture; the same ones are not uploaded again."""
        if len(items) == len(self._shown) and all(map(lambda one, two: one is two, items, self._shown)):
            return
        self._shown = items
        for role in self._quads.keys() | {each.role for each in items}:
            rows = [strokes_of(each) for each in items if each.role == role and each.visible]
            self._quads.setdefault(role, Quads()).show(rows)

    def draw(self, eye: Eye, look: Look) -> None:
        """Draw all of them."""
        if not self._shown:
            return
        mode(blend="over")
        colours: Mapping[str, str] = {
            "force": look.future,
            "measured": look.future,
            "constraint": look.future,
            "handle": look.accent,
            "ghost": look.text_quiet,
            "flow": look.accent,
            "tank": look.text_quiet,
            "pseudo": look.future,
        }
        for role, each in self._quads.items():
            if role in look.hidden:
                continue
            use_colour(self._program, eye, look, rgb(colours.get(role, look.text)), WIDTH)
            each.draw(self._program)


def strokes_of(item: Stroke) -> Floats:
    """Return the vertices of an item."""
    if isinstance(item, Points):
        return _rows(item.positions, item.positions, DOT)
    if isinstance(item, LineSet):
        return _rows(item.positions[item.ends[:, 0]], item.positions[item.ends[:, 1]], 0.0)
    tips, length = item.starts + item.vectors, np.linalg.norm(item.vectors, axis=1, keepdims=True)
    along = item.vectors / np.maximum(length, 1e-9)
    least = np.eye(3, dtype=np.float32)[np.argmin(np.abs(along), axis=1)]
    across = np.cross(along, least)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    back = tips - HEAD * length * along
    sides = (across, np.cross(along, across))
    barbs = [back + sign * SPREAD * length * side for side in sides for sign in (-1.0, 1.0)]
    starts = np.concatenate((item.starts, *(tips for _ in barbs)))
    return _rows(starts, np.concatenate((tips, *barbs)), 0.0)


def _rows(starts: Floats, ends: Floats, size: float) -> Floats:
    count = len(starts)
    return quads(starts, ends, size, np.zeros(count), np.full(count, STRENGTH))
