"""All muscles of the anatomy figure, as tables of its file, and the page that says where each is from.

What is authored stands in `anatomy_muscles_*.py`, the left side and the middle. Here ends of authored lines are put on
their bones, points are added where a line would run through a bone at rest, and lengths are taken of the finished
paths: the fibres of a muscle have the authored share of its path at rest, its tendon the rest, so that its fibres are
strongest there or at a stated share of it, unless the source gives both. `anatomy_reach.py` then has no fibre stretched
too far at the ends of joints. Its force is the area of its fibres times one tension of its region.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from anatomy_lines import Line, Move, PassedWrap, Region, Solid, Spot, Wrap
from anatomy_muscles_arm import arm
from anatomy_muscles_chest import chest
from anatomy_muscles_legs import legs
from anatomy_muscles_lumbar import lumbar
from anatomy_muscles_neck import neck
from anatomy_muscles_shoulder import shoulder
from anatomy_reach import GIVES, LONGEST, MOST
from anatomy_solids import Point, gradient_of

from engine.document import Figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics

# [N/cm2] of each region, estimated, within what models take (22 to 100): one for all muscles of a region.
TENSIONS = {
    "Jaw and hyoid": 35.0,
    "Neck": 40.0,
    "Shoulder blade": 50.0,
    "Upper arm and chest": 65.0,
    "Elbow, wrist and fingers": 65.0,
    "Hand": 50.0,
    "Transversus and diaphragm": 50.0,
    "Thoracic back": 50.0,
    "Ribs": 50.0,
    "Legs": 35.0,
    "Feet": 35.0,
}
DEEP, CLEAR = 0.0030, 0.0010  # [m] below a bone's surface that a line may run; above it that a point is put
MOST_ADDED = 5  # points to a line


def regions() -> tuple[Region, ...]:
    """All that is authored."""
    return (neck(), shoulder(), arm(), lumbar(), chest(), legs())


def lines() -> list[Line]:
    """All muscles of the left side and the middle."""
    return [line for region in regions() for line in region.lines]


class Resting:
    """The bones at rest: where they stand, and as solids."""

    def __init__(self, figure: Figure, solids: Mapping[str, Solid]) -> None:
        model = compile_model(figure)
        state = model.new_state()
        compute_forward_kinematics(model.ints, model.floats, model.rest, state)
        rows = model.transforms(state)
        self._worlds = {joint.id: rows[index] for index, joint in enumerate(figure.joints)}
        self.solids = solids

    def world(self, bone: str) -> tuple[Array, Array]:
        """The axes and the origin of a bone of the left or the middle [m]."""
        row = self._worlds.get(f"{bone}_left", self._worlds.get(bone))
        assert row is not None, bone
        return row[:9].reshape(3, 3), row[9:]

    def eased(self, lines: Sequence[Line]) -> list[Line]:
        """Lines whose ends lie on their bones, and that go round others where no wrap does."""
        found, wrapped = [[*line.points] for line in lines], [line.wraps for line in lines]
        ends = [(k, end) for k, line in enumerate(lines) if line.eased for end in (0, len(line.points) - 1)]
        for (k, end), spot in zip(ends, self._pushed([found[k][end] for k, end in ends], 0.0), strict=True):
            found[k][end] = spot
        within = [(k, end) for k, line in enumerate(lines) if not line.eased for end in range(len(line.points))]
        for (k, end), spot in zip(within, self._pushed([found[k][end] for k, end in within], 0.0, DEEP), strict=True):
            found[k][end] = spot
        bones = {wrap.id: wrap.bone for wrap in wraps()}
        passed = [{bones[each if isinstance(each, str) else each[0]] for each in line.wraps} for line in lines]
        open_lines = [k for k, line in enumerate(lines) if line.added]
        for _ in range(MOST_ADDED):
            deepest = self._deepest([found[k] for k in open_lines], [passed[k] for k in open_lines])
            open_lines = [open_lines[row] for row in deepest]
            spots = self._pushed([(bone, at) for _, bone, at in deepest.values()], CLEAR)
            for k, (before, *_), spot in zip(open_lines, deepest.values(), spots, strict=True):
                found[k].insert(before + 1, spot)
                wrapped[k] = tuple(_shifted(each, before + 1) for each in wrapped[k])
        rows = zip(lines, found, wrapped, strict=True)
        return [replace(line, points=tuple(points), wraps=each) for line, points, each in rows]

    def _pushed(self, spots: Sequence[Spot], to: float, deeper: float = -1.0) -> list[Spot]:
        """Points moved to that distance from the surfaces of their bones: those that are within 19 mm, and where it
        is said only those that lie deeper."""
        found = list(spots)
        for bone in {bone for bone, _ in spots}:
            rows = [row for row, spot in enumerate(spots) if spot[0] == bone]
            at, solid = np.array([spots[row][1] for row in rows]), self.solids[bone]
            first = -solid.distance(at) > deeper
            for _ in range(5):
                distance = solid.distance(at)
                near = (np.abs(distance) < 0.0195) & first
                way = gradient_of(solid.distance, at)
                at = at + np.where(near, to - distance, 0.0)[:, None] * way
            for row, (x, y, z) in zip(rows, at.tolist(), strict=True):
                found[row] = bone, (x, y, z)
        return found

    def _deepest(
        self, paths: Sequence[Sequence[Spot]], passed: Sequence[set[str]]
    ) -> dict[int, tuple[int, str, Point]]:
        """Where paths run too deep through a bone, by their numbers: the point before, the bone, and the place in its
        frame; 4 mm at the ends of a path do not count, nor bones that wraps lead it round, nor those that it has left
        by then or has not come from yet: a path that returned to a bone would zigzag as they move."""
        samples, owners = [], []
        for row, points in enumerate(paths):
            places = [self.world(bone)[0] @ np.array(point) + self.world(bone)[1] for bone, point in points]
            for k, (a, b) in enumerate(pairwise(places)):
                length = float(np.linalg.norm(b - a))
                first, last = 0.004 if k == 0 else 0.001, 0.004 if k == len(places) - 2 else 0.001
                along = np.arange(first, length - last, 0.002)
                samples.append(a + (along / max(length, 1e-9))[:, None] * (b - a))
                owners += [(row, k)] * len(along)
        at, found = np.concatenate(samples), {}
        depth = dict.fromkeys(range(len(paths)), -DEEP)
        for bone, solid in self.solids.items():
            turn, origin = self.world(bone)
            local = (at - origin) @ turn
            inside = np.flatnonzero(((local > solid.low) & (local < solid.high)).all(axis=1))
            if not len(inside):
                continue
            for number, distance in zip(inside.tolist(), solid.distance(local[inside]).tolist(), strict=True):
                row, before = owners[number]
                if distance < depth[row] and bone not in passed[row] and not _returns(paths[row], before, bone):
                    x, y, z = local[number].tolist()
                    depth[row], found[row] = distance, (before, bone, (x, y, z))
        return found


def _returns(points: Sequence[Spot], before: int, bone: str) -> bool:
    """Tell whether a path with a point on a bone after one of its points would go back to that bone."""
    near, far = points[before][0], points[before + 1][0]
    return bone not in (near, far) and any(bone == each for each, _ in points)


def _shifted(wrap: PassedWrap, added: int) -> PassedWrap:
    """A wrap that is minded between the same points after one was added."""
    if isinstance(wrap, str):
        return wrap
    return wrap[0], wrap[1] + (added <= wrap[1]), wrap[2] + (added <= wrap[2])


def force_of(line: Line) -> float:
    """The greatest force of a muscle [N]."""
    return line.force or line.area * TENSIONS[line.region]


def text_of(line: Line, fibre: float, tendon: float) -> str:
    """A muscle as a table of the file."""
    force = force_of(line)
    rows = ["[[muscle]]", f'id = "{line.id}"']
    if line.name:
        rows.append(f'name = "{line.name}"')
    if line.both:
        rows.append('sides = "both"')
    rows += [f'region = "{line.region}"', f"force = {force:.4g}", f"fibre = {fibre:.4g}", f"tendon = {tendon:.4g}"]
    if line.pennation:
        rows.append(f"pennation = {line.pennation:g}")
    rows.append("points = [")
    for number, (bone, at) in enumerate(line.points):
        moves = ", ".join(_move(each) for place, each in line.moves if place == number)
        moving = f", moves = [{moves}]" if moves else ""
        rows.append(f'  {{ joint = "{bone}", at = {numbers(at)}{moving} }},')
    rows.append("]")
    if line.wraps:
        rows.append(f"wraps = [{', '.join(map(_path_wrap, line.wraps))}]")
    return "\n".join([*rows, ""])


def _move(move: Move) -> str:
    axis, dof, knots = move
    pairs = ", ".join(numbers(knot) for knot in knots)
    return f'{{ axis = "{axis}", dof = "{dof}", knots = [{pairs}] }}'


def _path_wrap(wrap: PassedWrap) -> str:
    if isinstance(wrap, str):
        return f'"{wrap}"'
    return f'{{ wrap = "{wrap[0]}", first = {wrap[1]}, last = {wrap[2]} }}'


def wrap_text(wrap: Wrap) -> str:
    """A wrap as a table of the file."""
    rows = ["[[wrap]]", f'id = "{wrap.id}"', 'sides = "both"', f'joint = "{wrap.bone}"', f'shape = "{wrap.shape}"']
    rows.append(f"radii = {numbers(wrap.radii)}")
    if wrap.length is not None:
        rows.append(f"length = {wrap.length:g}")
    rows.append(f"centre = {numbers(wrap.centre)}")
    if wrap.rotation is not None:
        rows.append(f"rest = {numbers(wrap.rotation, 7)}")
    elif wrap.turns:
        turns = [f'["{axis}", {angle:g}]' for axis, angle in wrap.turns]
        rows.append(f"rest = [{', '.join(turns)}]")
    if wrap.side is not None:
        rows.append(f"side = {numbers(wrap.side)}")
    return "\n".join([*rows, ""])


def numbers(found: Sequence[float], digits: int = 4) -> str:
    """Numbers as a list of the file."""
    return f"[{', '.join(f'{round(each, digits) + 0.0:.{max(digits, 6)}g}' for each in found)}]"


def wraps() -> list[Wrap]:
    """All bodies that paths go round."""
    return [wrap for region in regions() for wrap in region.wraps]


SOURCES = {
    "Rajagopal2016": "path and lengths of the shared table `Rajagopal2016` (opensim-models, MIT), 35/60 of its"
    " force, half of it below the knee",
    "gait2392": "path, force and lengths of the shared table `gait2392_millard2012muscle` (opensim-models, CC BY 3.0)",
    "Bruno": "path of the shared table `torso_and_legs` (after Bruno 2015, MIT), 1.5 times its force, each end on the"
    " bone that it names; share of fibres estimated",
    "arm26": "lengths of fibres of the shared table `arm26` (opensim-models, CC BY 3.0); path from landmarks, area"
    " estimated",
    "landmarks": "path from landmarks on our bones; area and share of fibres estimated",
    "placed": "estimated throughout: it ends where no bone is, in the frame of one nearby",
}


PAGE = """# Muscles of the skeleton

The figure *Anatomy* has {total} muscles: what is written of the left is mirrored{middle}.
This page is made with the figure, by `packaging/make_anatomy.py`; what is authored stands in
`packaging/anatomy_muscles_*.py`.

| region | muscles | tension |
| --- | ---: | ---: |"""
FORCES = """
Where no table gives a force, it is the area of the fibres across them times the tension of the region, one for all of
its muscles. Tensions, and the shares that are taken of the tables' forces, were chosen with an eye on what people's
knees, ankles, elbows, shoulders and backs do, a number for a whole region; areas of shoulder, upper arm and elbow
were raised by some half once, since they came out weak beside the volumes of living young men. No muscle was fitted
to a joint of its own. No number is from a paper itself: what is called estimated is of the size that textbooks of
anatomy give, without one source. Fibres whose length no table gives are strongest at rest, but those of the deltoid,
the benders and the stretchers of the elbow, and the rhomboids, which rest at 0.75 to 1.25 times that length
(estimated).

At the ends of joints, each alone, hips bent by 90° over straight knees and further over bent ones, all of a spine or
of a finger at once, no relaxed fibre pulls with more than {most:.0%} of its greatest force, that is, none is stretched
beyond {longest:.2f} times its best length. Where a table's lengths would stretch it further, its tendon is longer, by
{gives:.0%} at most: tables' tendons stretch by as much at the greatest force, ours do not stretch. Where that is not
enough, and with all authored lengths, fibres are longer than the table or the share says; those of the rhomboids rest
at 0.42 to 0.48. A relaxed ankle, knee and hip are then held about as people's are, which a test compares.
"""
WRAPS = """
Paths go round {count} wraps of each side: {taken} cylinders of the table `Rajagopal2016`; the others are estimated, of
the radius of the bone there.

| muscle | region | force [N] | fibre [cm] | tendon [cm] | from |
| --- | --- | ---: | ---: | ---: | --- |"""


def page(rows: Sequence[tuple[Line, float, float, float]], wrapped: Sequence[Wrap]) -> str:
    """The page that says where each muscle is from."""
    counts: Counter[str] = Counter()
    for line, *_ in rows:
        counts[line.region] += 2 if line.both else 1
    total = sum(counts.values())
    middle = ", one line of the middle is its own mirror image" if any(not line.both for line, *_ in rows) else ""
    taken = sum(each.source == "Rajagopal2016" for each in wrapped)
    used = {line.source for line, *_ in rows}
    out = [
        PAGE.format(total=total, middle=middle),
        *(
            f"| {region} | {count} | {f'{TENSIONS[region]:.0f} N/cm²' if region in TENSIONS else 'of the table'} |"
            for region, count in counts.items()
        ),
        FORCES.format(most=MOST, longest=LONGEST, gives=GIVES),
        *(f"- **{key}**: {text}." for key, text in SOURCES.items() if key in used),
        WRAPS.format(count=len(wrapped), taken=taken),
        *(
            f"| {line.id.replace('_', ' ')} | {line.region} | {force:.0f} | {100 * fibre:.1f} | {100 * tendon:.1f} |"
            f" {line.source} |"
            for line, force, fibre, tendon in rows
        ),
        "",
    ]
    return "\n".join(out)
