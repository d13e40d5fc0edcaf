"""Si 2013, 4.1 and figure 4.3: lengths of muscles over swimming strokes, as signals that a learner is trained with.

As the source does it: key poses of a stroke; cubic B-splines through the joint angles by least squares, periodic here;
the length of each muscle along the motion; cubic B-splines through the lengths, whose coefficients give first and
second derivatives. Each signal is then scaled and shifted to -0.5 .. 0.5, and its period to 1 s. What a pattern
generator is to be driven by follows from it,

    f = y'' / W^2 - a (b (g - y) - y' / W),    a = 8, b = 2, g = 0, W = 2 pi,               (4.5)

of which figure 4.3's muscle, the left coracobrachialis, is drawn. The generator itself is no part of this. The source
measures the distance between a muscle's ends; here it is the length of its path, and both are set side by side.

The source's key poses are of a commercial program of 2007. These are our own, estimated, of four strokes of arms and
legs with the trunk held still: enough for the shape of the signals, not for a swimmer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.experiments.anatomy import anatomy, posed
from engine.experiments.chart_panels import ChartPanel, panel_chart
from engine.experiments.charts import Line
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.muscles.queries.crossed import muscle_groups
from engine.runtime.quick_dataclass import dataclass

MUSCLE = "coracobrachialis_left"
ALPHA, BETA, ANCHOR, OMEGA = 8.0, 2.0, 0.0, 2.0 * np.pi  # of the source
_SAMPLES, _PIECES = 200, 20  # of a period; of the splines through lengths
_POSED = 40  # times at which key poses are read for the angles' splines
_ANGLES = 8  # pieces of these
_CUBIC = np.array(((1, 4, 1, 0), (-3, 0, 3, 0), (3, -6, 3, 0), (-1, 3, -3, 1))) / 6.0  # of a piece, by powers

# Of each stroke the period [s], and at shares of it the coordinates [degrees] of arm and leg; the right side is half a
# period later where strokes alternate. Estimated.
_ARM = ("scapula.upward_rotation", "humerus.flexion", "humerus.abduction", "humerus.rotation", "ulna.flexion")
_LEG = ("femur.flexion", "femur.abduction", "tibia.flexion", "talus.dorsiflexion")
_Row = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class SwimStroke:
    """One cycle: rows of (share, coordinates in the order of `_ARM` or `_LEG`)."""

    name: str
    period: float  # [s]
    alternates: bool
    arm: tuple[_Row, ...]
    leg: tuple[_Row, ...]


_FLUTTER = (
    (0.0, 12, 0, 5, -30), (1 / 6, -8, 0, 15, -38), (1 / 3, 12, 0, 5, -30), (1 / 2, -8, 0, 15, -38),
    (2 / 3, 12, 0, 5, -30), (5 / 6, -8, 0, 15, -38),
)  # fmt: skip
STROKES = (
    SwimStroke(
        name="crawl", period=1.3, alternates=True, leg=_FLUTTER,
        arm=((0.0, 45, 150, 10, 0, 10), (0.2, 40, 110, 20, 30, 40), (0.35, 20, 60, 25, 40, 80),
             (0.5, 5, -15, 15, 10, 30), (0.65, 10, -40, 45, 0, 60), (0.82, 30, 60, 80, -10, 80)),
    ),
    SwimStroke(
        name="backstroke", period=1.5, alternates=True, leg=_FLUTTER,
        arm=((0.0, 45, 155, 25, -20, 5), (0.2, 35, 110, 70, 20, 60), (0.35, 20, 50, 60, 30, 90),
             (0.5, 5, 0, 10, 20, 10), (0.7, 15, 60, 5, 0, 5), (0.85, 35, 115, 8, -10, 5)),
    ),
    SwimStroke(
        name="breaststroke", period=1.6, alternates=False,
        arm=((0.0, 45, 150, 5, 0, 5), (0.25, 35, 120, 50, 20, 30), (0.42, 20, 80, 50, 45, 100),
             (0.55, 15, 60, 5, 30, 115), (0.75, 35, 120, 0, 10, 50)),
        leg=((0.0, 0, 5, 5, -35), (0.3, 10, 5, 30, -20), (0.5, 60, 25, 115, 15), (0.65, 50, 35, 110, 20),
             (0.8, 10, 20, 20, -20)),
    ),
    SwimStroke(
        name="butterfly", period=1.4, alternates=False,
        arm=((0.0, 45, 150, 15, 0, 10), (0.2, 35, 110, 35, 35, 50), (0.35, 20, 60, 30, 40, 85),
             (0.5, 5, -20, 15, 10, 20), (0.65, 15, -30, 70, 0, 15), (0.82, 35, 60, 105, -15, 15)),
        leg=((0.0, 15, 0, 20, -35), (0.25, -12, 0, 5, -30), (0.5, 20, 0, 45, -38), (0.75, -10, 0, 5, -30)),
    ),
)  # fmt: skip


def run(settings: Settings) -> Result:
    """The signals of all strokes."""
    strokes = STROKES[:1] if settings.quick else STROKES
    found = {stroke.name: signals_of(stroke) for stroke in strokes}
    place = anatomy().numbers[MUSCLE]
    rows = [
        (name, float(time), float(1e3 * lengths), float(1e3 * straight), *(float(each) for each in signal))
        for name, each in found.items()
        for time, lengths, straight, signal in zip(
            each.times, each.lengths[:, place], each.straight[:, place], each.signal(place), strict=True
        )
    ]
    columns = ("stroke", "time_s", "length_mm", "between_ends_mm", "y", "y_rate", "y_acceleration", "f")
    ranges = [
        (name, group, muscle_count, *(float(1e3 * each) for each in span))
        for name, each in found.items()
        for group, muscle_count, span in _groups(each)
    ]
    return Result(
        title="Lengths of muscles over strokes as training signals (Si 2013, figure 4.3)",
        tables=(
            Table(name="signals", columns=columns, rows=tuple(rows)),
            Table(
                name="groups",
                columns=("stroke", "group", "muscles", "median_change_mm", "most_change_mm"),
                rows=tuple(ranges),
            ),
        ),
        pictures=(
            ResultPlot(name="lengths", svg=_lengths_picture(found, place)),
            ResultPlot(name="training", svg=_training_picture(found, place)),
        ),
        claims=_claims(found, place),
        notes=("key poses of the strokes are our own, estimated; the source's are of a program that nobody here has",),
    )


@dataclass(frozen=True, eq=False)
class StrokeSignals:
    """Lengths of all muscles over one cycle; rows are times from 0 to before the period, shape [samples, muscles]."""

    period: float
    times: Array  # [s]
    lengths: Array  # [m], of paths
    straight: Array  # [m], between their ends
    coefficients: Array  # of the splines, shape [pieces, muscles]

    def spline(self, muscle: int, order: int, times: Array | None = None) -> Array:
        """Evaluate a length's spline [m], or its derivative of an order [m/s], [m/s2]."""
        at = self.times if times is None else times
        return np.asarray(_basis(at / self.period, _PIECES, order) @ self.coefficients[:, muscle] / self.period**order)

    def signal(self, muscle: int) -> Array:
        """Give y, y', y'' over a period of 1 s and f (4.5), shape [samples, 4]."""
        y, rate, acceleration = (self.spline(muscle, order) * self.period**order for order in range(3))
        size, middle = float(np.ptp(y)), 0.5 * float(y.max() + y.min())
        if size > 0.0:
            y, rate, acceleration = (y - middle) / size, rate / size, acceleration / size
        force = acceleration / OMEGA**2 - ALPHA * (BETA * (ANCHOR - y) - rate / OMEGA)
        return np.stack([y, rate, acceleration, force], axis=1)


def signals_of(stroke: SwimStroke) -> StrokeSignals:
    """Measure all muscles over a cycle of a stroke."""
    muscled = anatomy()
    shares = np.arange(_SAMPLES) / _SAMPLES
    poses = _poses(stroke, shares)
    lengths, straight = np.empty((_SAMPLES, muscled.paths.count)), np.empty((_SAMPLES, muscled.paths.count))
    for row, q in enumerate(poses):
        lengths[row] = muscled.lengths(q)
        points, starts = muscled.trace(q)
        straight[row] = np.linalg.norm(points[starts[1:] - 1] - points[starts[:-1]], axis=1)
    basis = _basis(shares, _PIECES, 0)
    coefficients = np.asarray(np.linalg.lstsq(basis, lengths, rcond=None)[0], dtype=np.float64)
    return StrokeSignals(stroke.period, shares * stroke.period, lengths, straight, coefficients)


def _poses(stroke: SwimStroke, shares: Array) -> Array:
    """Coordinates at shares of the period: splines through the angles of the key poses, by least squares."""
    asked = np.arange(_POSED) / _POSED
    fit, shown = _basis(asked, _ANGLES, 0), _basis(shares, _ANGLES, 0)
    curves: dict[str, Array] = {}
    for names, keys in ((_ARM, stroke.arm), (_LEG, stroke.leg)):
        for column, name in enumerate(names, start=1):
            bone, _, hinge = name.partition(".")
            for side in ("left", "right"):
                late = 0.5 if stroke.alternates and side == "right" else 0.0
                values = _between(keys, column, (asked - late) % 1.0)
                curves[f"{bone}_{side}.{hinge}"] = shown @ np.linalg.lstsq(fit, values, rcond=None)[0]
    return np.array([posed({name: float(curve[row]) for name, curve in curves.items()}) for row in range(len(shares))])


def _between(keys: Sequence[_Row], column: int, shares: Array) -> Array:
    """Go straight between key poses, round and round."""
    at = np.array([key[0] for key in keys])
    values = np.array([key[column] for key in keys], dtype=np.float64)
    return np.interp(shares, np.append(at, 1.0), np.append(values, values[0]))


def _basis(shares: Array, pieces: int, order: int) -> Array:
    """Periodic cubic B-splines on even knots, or their derivatives, shape [shares, pieces]."""
    at = (np.asarray(shares) % 1.0) * pieces
    piece = np.minimum(np.floor(at), pieces - 1).astype(np.int64)
    powers = (at - piece)[:, None] ** np.arange(4 - order)
    factors = np.prod([np.arange(order - k, 4 - k) for k in range(order)], axis=0) if order else 1.0
    weights = (powers * factors) @ _CUBIC[order:] * float(pieces) ** order
    found = np.zeros((len(at), pieces))
    for k in range(4):
        np.add.at(found, (np.arange(len(at)), (piece + k) % pieces), weights[:, k])
    return found


def _groups(each: StrokeSignals) -> list[tuple[str, int, tuple[float, float]]]:
    """By how much the muscles of each group of figure 4.2 change their lengths [m]: the median, and the most."""
    muscled = anatomy()
    changes = np.ptp(each.lengths, axis=0)
    found = []
    for group in muscle_groups(muscled.model.figure, muscled.muscles):
        if group.kind == "body":
            own = changes[[muscled.numbers[id] for id in group.muscles]]
            found.append((group.name, len(own), (float(np.median(own)), float(own.max()))))
    return found


def _lengths_picture(found: Mapping[str, StrokeSignals], place: int) -> str:
    names = ("path", "between its ends", "its spline")
    panels = []
    for name, each in found.items():
        x = each.times.tolist()
        curves = (each.lengths[:, place], each.straight[:, place], each.spline(place, 0))
        panels.append(
            ChartPanel(
                title=f"{name}, length [mm] over time [s]",
                lines=[
                    Line(name=label, x=x, y=(1e3 * curve).tolist(), dashed=label == names[2])
                    for label, curve in zip(names, curves, strict=True)
                ],
            )
        )
    return panel_chart("The left coracobrachialis over one stroke", panels, names)


def _training_picture(found: Mapping[str, StrokeSignals], place: int) -> str:
    names = ("y", "y' / 2π", "y'' / 4π²", "f / 16")
    panels = []
    for name, each in found.items():
        y, rate, acceleration, force = each.signal(place).T
        curves = (y, rate / OMEGA, acceleration / OMEGA**2, force / (ALPHA * BETA))
        panels.append(
            ChartPanel(
                title=f"{name}, over a period of 1 s",
                lines=[
                    Line(name=label, x=(each.times / each.period).tolist(), y=curve.tolist())
                    for label, curve in zip(names, curves, strict=True)
                ],
            )
        )
    return panel_chart("Training signals of the left coracobrachialis", panels, names)


def _claims(found: Mapping[str, StrokeSignals], place: int) -> tuple[Claim, ...]:
    muscles = anatomy().muscles.muscles
    left = np.max([np.abs(_residuals(each)).max(axis=0) for each in found.values()], axis=0)
    far = [muscles[number].id for number in np.flatnonzero(left >= 2e-3)]
    seams = {name: _seam(each, place) for name, each in found.items()}
    signals = {name: each.signal(place)[:, 0] for name, each in found.items()}
    straight = {
        name: float(np.abs(each.lengths[:, place] - each.straight[:, place]).max()) for name, each in found.items()
    }
    changes = {name: float(np.ptp(each.lengths[:, place])) for name, each in found.items()}
    moved = {name: float((np.ptp(each.lengths, axis=0) > 1e-3).mean()) for name, each in found.items()}
    return (
        Claim(
            source="4.1: splines through the lengths have first and second derivatives everywhere",
            ours="at the seam of the cycle value, rate and acceleration go on within "
            + "; ".join(f"{name} {off:.0e}" for name, off in seams.items())
            + " of their range",
            agrees=all(off < 1e-6 for off in seams.values()),
        ),
        Claim(
            source="figure 4.3: the signal of the left coracobrachialis is a smooth wave of one period",
            ours="; ".join(f"{name}: {1e3 * change:.0f} mm" for name, change in changes.items()),
            agrees=all(change > 5e-3 for change in changes.values()),
        ),
        Claim(
            source="4.1: lengths are distances between the two ends",
            ours="paths are longer by at most "
            + "; ".join(f"{name} {1e3 * off:.1f} mm" for name, off in straight.items()),
            agrees=all(off < 1e-3 for off in straight.values()),
        ),
        Claim(
            source="4.2: signals are scaled and shifted to -0.5 .. 0.5",
            ours="; ".join(f"{name}: {y.min():.3f} to {y.max():.3f}" for name, y in signals.items()),
            agrees=all(abs(y.min() + 0.5) < 1e-9 and abs(y.max() - 0.5) < 1e-9 for y in signals.values()),
        ),
        Claim(
            source="splines of 20 pieces are within 2 mm of the length of each muscle",
            ours=f"of {len(muscles) - len(far)} of {len(muscles)}"
            + (f"; {1e3 * left.max():.0f} mm at {muscles[int(left.argmax())].id}" if far else ""),
            agrees=not far,
        ),
        Claim(
            source="each muscle has a signal",
            ours="those that change by 1 mm or more: "
            + "; ".join(f"{name} {100 * share:.0f}%" for name, share in moved.items())
            + " of 823, for the trunk is held still",
            agrees=all(share > 0.99 for share in moved.values()),
        ),
    )


def _residuals(each: StrokeSignals) -> Array:
    """Return the lengths less those of the splines [m]."""
    return np.asarray(_basis(each.times / each.period, _PIECES, 0) @ each.coefficients - each.lengths)


def _seam(each: StrokeSignals, place: int) -> float:
    """How far value, rate and acceleration jump where the cycle begins anew, as shares of their ranges."""
    close, worst = 1e-9 * each.period, 0.0
    for order in range(3):
        before, after = each.spline(place, order, np.array([each.period - close, close]))
        worst = max(worst, abs(float(after - before)) / float(np.ptp(each.spline(place, order))))
    return worst
