"""Regions that captures show, joint by motion: Engell-Norregard 2012, figure 17; and what they hold of other motions.

A region's shape in numbers: its volume beside that of the box around it, and how often the middle between two of its
nodes is outside of it, which in a convex region never happens. Pictures look along the third angle. Each clip is left
out once: fields of all others, and of what the other side of the body did in those, are measured by what they hold of
it.
"""

from __future__ import annotations

import numpy as np

from engine.document import Joint
from engine.experiments.clips import HANDS, Clips, load_clips
from engine.experiments.limiting import MARGIN, NODES, limit_of
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.experiments.svg import Point, SvgDrawing
from engine.limits.field import Field, compile_fields
from engine.limits.packed import pack_limits
from engine.limits.query import measure_pose
from engine.maths.arrays import Array

_NAMED = ("Arm", "ForeArm", "UpLeg", "Leg", "Foot", "Neck", "shoulder", "hip", "neck")
_SHOWN, _PAIRS = 6, 4000
_SIDE, _LEFT, _HEAD = 130.0, 110.0, 60.0
_OTHERS, _MIRRORED = "all other clips", "all other clips, mirrored too"
_WHOLE = "all at once but for hands"
_HELD = 0.95


def run(settings: Settings) -> Result:
    """Fields of every joint and clip, and of clips that leave one out."""
    clips, chance = load_clips(settings), np.random.default_rng(settings.seed)
    joints = clips.balls(8 if settings.quick else None)
    fields = {name: _fields(clips, joints, [[clips.angles(joint, name)] for joint in joints]) for name in clips.poses}
    rows = [
        (joint.name, name, *_shape(field, clips.angles(joint, name), chance))
        for name, mine in fields.items()
        for joint, field in zip(joints, mine, strict=True)
    ]
    held = [*_held_by_others(clips, joints), *_held_by_the_rest(clips, joints)]
    shape_columns = ("joint", "clip", "volume_rad3", "box_rad3", "share_of_box", "middles_outside")
    return Result(
        title="Regions of joints, joint by motion (Engell-Norregard 2012, figure 17)",
        tables=(
            Table(name="regions", columns=shape_columns, rows=tuple(rows)),
            Table(name="held", columns=("left_out", "fields_of", "joint", "held"), rows=tuple(held)),
        ),
        pictures=(_picture(clips, joints, fields),),
        claims=(*_shape_claims(rows), *_held_claims(held)),
        notes=(clips.note, f"margin {MARGIN} rad, {NODES} nodes along each axis"),
    )


def _fields(clips: Clips, joints: list[Joint], parts: list[list[Array]]) -> list[Field]:
    """Build fields around the whole turn: a clip may be anywhere."""
    limits, axes = [], []
    for joint, mine in zip(joints, parts, strict=True):
        limit = limit_of(joint, [dof.id for dof in joint.dofs], mine, whole=True)
        limits.append(limit)
        axes.append(np.array([dof.axis for dof in joint.dofs]))
    return compile_fields(limits, axes)


def _values(field: Field, points: Array) -> Array:
    """Signed distances [rad]."""
    packed = pack_limits([(field, range(points.shape[1]))])
    return np.array([measure_pose(packed.ints, packed.floats, point) for point in np.ascontiguousarray(points)])


def _shape(field: Field, angles: Array, chance: np.random.Generator) -> tuple[float, float, float, float]:
    """Volume, that of the box, their ratio, and how often a middle is outside."""
    box = float(np.prod(np.ptp(angles, axis=0) + 2.0 * MARGIN))
    nodes = np.argwhere(field.values <= 0.0)
    places = np.array(field.grid.lower) + nodes * np.array(field.grid.spacing)
    pairs = places[chance.integers(len(places), size=(_PAIRS, 2))]
    near = pairs[np.abs(pairs[:, 0] - pairs[:, 1]).max(axis=1) < np.pi]  # the short way is the straight one
    outside = float(np.mean(_values(field, near.mean(axis=1)) > 0.0))
    return field.volume, box, field.volume / box, outside


def _held_by_others(clips: Clips, joints: list[Joint]) -> list[tuple[str, str, str, float]]:
    """Measure the share of each clip that fields of all others hold, also with the other side's motion in those."""
    rows, mirrored = [], clips.mirrored()
    for left_out in clips.poses if len(clips.poses) > 1 else ():
        others = [name for name in clips.poses if name != left_out]
        for label, seen in ((_OTHERS, (clips,)), (_MIRRORED, (clips, mirrored))):
            parts = [[each.angles(joint, name) for each in seen for name in others] for joint in joints]
            rows += _shares(clips, joints, parts, {left_out: left_out}, label)
    return rows


def _held_by_the_rest(clips: Clips, joints: list[Joint]) -> list[tuple[str, str, str, float]]:
    """Measure the share of a third of the walk that fields of its rest and the other clips hold."""
    walk = next((name for name in clips.poses if "walk" in name), None)
    rows = []
    for third in range(3 if walk else 0):
        assert walk is not None
        parts = []
        for joint in joints:
            split = np.array_split(clips.angles(joint, walk), 3)
            rest = [part for each, part in enumerate(split) if each != third]
            parts.append([*(clips.angles(joint, name) for name in clips.poses if name != walk), *rest])
        rows += _shares(clips, joints, parts, {walk: f"third {third + 1} of {walk}"}, "all the rest", third)
    return rows


def _shares(
    clips: Clips, joints: list[Joint], parts: list[list[Array]], left: dict[str, str], of: str, third: int | None = None
) -> list[tuple[str, str, str, float]]:
    [(clip, label)] = left.items()
    rows, every = [], []
    for joint, field in zip(joints, _fields(clips, joints, parts), strict=True):
        angles = clips.angles(joint, clip)
        inside = _values(field, angles if third is None else np.array_split(angles, 3)[third]) <= 0.0
        if not any(each in joint.name for each in HANDS):
            every.append(inside)
        rows.append((label, of, joint.name, float(inside.mean())))
    return [*rows, (label, of, _WHOLE, float(np.all(every, axis=0).mean()))]


def _shape_claims(rows: list[tuple[str, str, float, float, float, float]]) -> list[Claim]:
    outside, shares = np.array([row[5] for row in rows]), np.array([row[4] for row in rows])
    bent = float(np.mean(outside > 0.01))
    return [
        Claim(
            source="regions of captured joints have a complex geometry: they are not convex (figure 17)",
            ours=f"of {len(rows)} regions {100.0 * bent:.0f}% have more than 1% of middles outside, at most "
            f"{100.0 * outside.max():.0f}%",
            agrees=bent > 0.5,
        ),
        Claim(
            source="boxes fit loosely (section 13)",
            ours=f"a region fills {100.0 * np.median(shares):.0f}% of the box around it (median), "
            f"{100.0 * shares.min():.0f}% at least",
            agrees=float(np.median(shares)) < 0.75,
        ),
    ]


def _held_claims(held: list[tuple[str, str, str, float]]) -> list[Claim]:
    claims = []
    for label, of in dict.fromkeys((row[0], row[1]) for row in held if "walk" in row[0]):
        mine = {row[2]: row[3] for row in held if row[:2] == (label, of)}
        whole = mine.pop(_WHOLE)
        mine = {joint: share for joint, share in mine.items() if not any(each in joint for each in HANDS)}
        mean, worst = float(np.mean(list(mine.values()))), min(mine, key=lambda joint: mine[joint])
        claims.append(
            Claim(
                source="(ours) fields of other clips hold at least 95% of a held-out walk's poses at 0.2 rad",
                ours=f"{label}, fields of {of}: {100.0 * mean:.1f}% joint by joint, least {worst} with "
                f"{100.0 * mine[worst]:.1f}%; {100.0 * whole:.1f}% of whole poses (hands left out)",
                agrees=mean >= _HELD,
            )
        )
    return claims


def _picture(clips: Clips, joints: list[Joint], fields: dict[str, list[Field]]) -> ResultPlot:
    """A row of each joint, a column of each clip."""
    shown = [
        each for each, joint in enumerate(joints) if joint.name.removeprefix("Right").removeprefix("right") in _NAMED
    ]
    shown = (shown or list(range(len(joints))))[:_SHOWN]
    title = "Regions at 0.2 rad, seen along the third angle; ±180° each way"
    drawing = SvgDrawing(max(460.0, _LEFT + len(fields) * _SIDE + 20.0), _HEAD + len(shown) * _SIDE, title)
    drawing.text((16.0, 22.0), title, bold=True)
    for column, (name, mine) in enumerate(fields.items()):
        drawing.text((_LEFT + (column + 0.5) * _SIDE, 48.0), name.removeprefix("cmu_"), anchor="middle", colour="#666")
        for row, each in enumerate(shown):
            corner = (_LEFT + column * _SIDE + 4.0, _HEAD + row * _SIDE)
            _draw_region(drawing, corner, mine[each], clips.angles(joints[each], name))
    for row, each in enumerate(shown):
        drawing.text((_LEFT - 8.0, _HEAD + (row + 0.5) * _SIDE), joints[each].name, anchor="right")
    return ResultPlot(name="regions", svg=drawing.finish())


def _draw_region(drawing: SvgDrawing, corner: Point, field: Field, angles: Array) -> None:
    side = _SIDE - 8.0
    cell = side / NODES
    drawing.box(corner, (side, side), "#fafafa", "#e4e4e4")
    for column, inside in enumerate(np.asarray(field.values.min(axis=2) <= 0.0)):
        ends = np.flatnonzero(np.diff(np.concatenate(([False], inside, [False])).astype(int)))
        for first, last in ends.reshape(-1, 2).tolist():
            place = (corner[0] + column * cell, corner[1] + side - last * cell)
            drawing.box(place, (cell, (last - first) * cell), "#bcd5ec")
    kept = angles[:: max(1, len(angles) // 200), :2]
    across = corner[0] + ((kept[:, 0] + np.pi) / np.pi / 2.0 * NODES + 0.5) * cell
    up = corner[1] + side - ((kept[:, 1] + np.pi) / np.pi / 2.0 * NODES + 0.5) * cell
    drawing.dots(list(zip(across.tolist(), up.tolist(), strict=True)), 0.8, "#c23b22")
