"""Where the feet of the walking skeleton are over a cycle: rolling over the heel, flat, rolling over the ball,
swinging.

A phase is a share of the cycle, from contact to contact of the left heel. While it carries, a foot does not slide: it
turns about a heel whose lowest place stays on the floor, or about the joint of its flat toes. Timings are those
commonly reported of walking: a foot carries for 62 % of the cycle.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicHermiteSpline, CubicSpline, PchipInterpolator

from engine.document import Figure
from engine.maths.arrays import Array
from engine.model.compile import Model
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.quick_dataclass import dataclass

STANCE, FLAT, HEEL_OFF = 0.62, 0.09, 0.34  # shares of the cycle
TOE_OUT = math.radians(6.0)
ROLLS = 0.3  # of its pitch that a foot rolls outwards on its ball, as the axis of its toes is oblique
FINE = 512  # places of a smoothed curve
SOFT, SMOOTH = 0.018, 0.022  # of the cycle: how widely a foot's way and its pitch are smoothed
SWINGS = 0.70, 0.80, 0.90  # phases early, in the middle and late in the swing
WAVES = 4  # that may be added to a swing
NEAR = 0.035  # of the cycle around contact and lift, where its way is smoothed

Curve = Callable[[float], float]


@dataclass(frozen=True, kw_only=True)
class Steps:
    """How feet are set."""

    stride: float  # [m] of a cycle
    aside: float  # [m] of a heel from the middle
    ahead: float  # [m] of a standing heel beyond half its way
    middle: float  # [rad] pitch as the other foot comes down, toes down
    push: float  # [rad] pitch as it leaves the ground
    trail: float  # [rad] pitch early in its swing
    reach: float  # [rad] pitch late in its swing
    strike: float  # [rad] pitch as it comes down
    high_early: float  # [m] of the heel in its swing, beyond its height in standing
    high_middle: float
    high_late: float
    on_early: float  # share of its way from lift to contact that a heel has gone then
    on_middle: float
    on_late: float


class StandingFoot:
    """A foot of the figure at rest: places of its bones, and what it turns about [m]."""

    def __init__(self, model: Model, side: str) -> None:
        figure: Figure = model.figure
        self.sign = 1.0 if side == "left" else -1.0
        state = model.new_state()
        compute_forward_kinematics(model.ints, model.floats, model.rest.copy(), state)
        rows = model.transforms(state)

        def placed(name: str) -> Array:
            row, joint = rows[figure.joint_index[f"{name}_{side}"]], figure.joint(f"{name}_{side}")
            points = [np.asarray(shape.positions.array, dtype=np.float64) for shape in joint.shapes]  # type: ignore[union-attr]
            found: Array = np.concatenate(points) @ row[:9].reshape(3, 3).T + row[9:]
            return found

        heel, toes = (rows[figure.joint_index[f"{name}_{side}"]] for name in ("calcaneus", "toes"))
        self.turn, self.place, self.ball = heel[:9].reshape(3, 3).copy(), heel[9:].copy(), toes[9:].copy()
        self.sole = np.concatenate((placed("calcaneus"), placed("midfoot")))
        self.low = min(float(self.sole[:, 1].min()), float(placed("toes")[:, 1].min()))
        back = self.sole[self.sole[:, 1] < self.low + 0.004]
        self.heel: Array = np.array([self.place[0], self.low, back[:, 2].min()])
        self.toe_axis: Array = np.array(figure.joint(f"toes_{side}").dofs[0].axis)


class FootPath:
    """The way of one foot: turn and place of its heel bone, and the angle of its toes, at any phase."""

    def __init__(self, foot: StandingFoot, steps: Steps) -> None:
        self._foot, self._steps = foot, steps
        self._pitch = _pitch(steps)
        self._first = 0.5 * STANCE * steps.stride + steps.ahead
        off, strike, step = self._planted(STANCE), self._planted(0.0), 1e-4
        leave = (off - self._planted(STANCE - step)) / step
        arrive = (self._planted(step) - strike) / step
        base, land = foot.place[1] - foot.low, strike + np.array([0.0, 0.0, steps.stride])
        heights = [base + each for each in (steps.high_early, steps.high_middle, steps.high_late)]
        on = [off[2] + each * (land[2] - off[2]) for each in (steps.on_early, steps.on_middle, steps.on_late)]

        def swing(axis: int, between: list[float]) -> CubicSpline:
            ends = (1, float(leave[axis])), (1, float(arrive[axis]))
            return CubicSpline([STANCE, *SWINGS, 1.0], [off[axis], *between, land[axis]], bc_type=ends)

        height, forward = swing(1, heights), swing(2, on)
        across = CubicHermiteSpline([STANCE, 1.0], [off[0], strike[0]], [leave[0], arrive[0]])
        phases = np.arange(FINE) / FINE
        raw = np.array([
            self._planted(at) if at <= STANCE else np.array([float(across(at)), float(height(at)), float(forward(at))])
            for at in phases.tolist()
        ])  # fmt: skip
        drift = np.outer(phases, [0.0, 0.0, steps.stride])
        near = sum(np.exp(-0.5 * ((np.abs((phases - at + 0.5) % 1.0 - 0.5)) / NEAR) ** 4) for at in (STANCE, 0.0))
        even = raw - drift
        even += np.clip(near, 0.0, 1.0)[:, None] * (_smoothed(even, SOFT) - even)
        self._way = CubicSpline(np.arange(FINE + 1) / FINE, np.vstack((even, even[:1])), bc_type="periodic")

    def at(self, phase: float) -> tuple[Array, Array]:
        """Turn and place [m] of the heel bone."""
        place = self._way(phase % 1.0) + np.array([0.0, 0.0, phase * self._steps.stride])
        return self._turned(phase) @ self._foot.turn, place

    def toes(self, phase: float) -> float:
        """The angle of the toes that leaves them most flat [rad]."""
        lean = np.array([1.0, 0.0, -ROLLS * self._foot.sign])
        return -max(self._pitch(phase % 1.0), 0.0) * float(lean @ self._foot.toe_axis)

    def _turned(self, phase: float) -> Array:
        pitch = self._pitch(phase % 1.0)
        lean = np.array([1.0, 0.0, -ROLLS * self._foot.sign if pitch > 0.0 else 0.0])
        out = rotation(np.array([0.0, 1.0, 0.0]), TOE_OUT * self._foot.sign)
        return out @ rotation(lean, pitch * float(np.linalg.norm(lean)))

    def _planted(self, phase: float) -> Array:
        foot, steps, turn = self._foot, self._steps, self._turned(phase)
        on_ball = self._pitch(phase % 1.0) > 0.0
        pivot = foot.ball if on_ball else foot.heel
        out = rotation(np.array([0.0, 1.0, 0.0]), TOE_OUT * foot.sign)
        below = foot.place * np.array([1.0, 0.0, 1.0])
        place = out @ (pivot - below) + turn @ (foot.place - pivot)
        place = place + np.array([foot.sign * steps.aside, -foot.low, self._first])
        if not on_ball:
            place[1] = -float(((foot.sole - foot.place) @ turn.T)[:, 1].min())
        return np.asarray(place)


def swung(foot: tuple[Array, Array], phases: Array, numbers: Array) -> tuple[Array, Array]:
    """Turns and places of a heel bone with waves added to its swing: of its height and way [m], of its pitch [rad]."""
    turns, places = foot
    share = np.clip((phases % 1.0 - STANCE) / (1.0 - STANCE), 0.0, 1.0)
    waves = np.array([np.sin(np.pi * each * share) for each in range(1, WAVES + 1)]) * np.sin(np.pi * share) ** 2
    up, ahead, pitch = (each @ waves for each in numbers.reshape(3, WAVES))
    moved = places + np.stack((0.0 * up, up, ahead), axis=1)
    tips = np.array([rotation(np.array([1.0, 0.0, 0.0]), float(each)) for each in pitch])
    return tips @ turns, moved


def rotation(axis: Array, angle: float) -> Array:
    """The matrix of a turn."""
    x, y, z = (axis / np.linalg.norm(axis)).tolist()
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    found: Array = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return found


def _pitch(steps: Steps) -> Curve:
    """Pitch of the foot over the cycle [rad]."""
    push, strike = steps.push, steps.strike
    times = [0.0, FLAT, 0.2, HEEL_OFF, 0.5, STANCE, 0.69, 0.77, 0.85, 0.91, 0.97, 1.0]
    values = [strike, 0.0, 0.0, 0.0, steps.middle, push, push, steps.trail, steps.reach, 0.4 * strike, strike, strike]
    rough = PchipInterpolator(times, values)
    smooth = _smoothed(rough(np.arange(FINE) / FINE), SMOOTH)
    curve = CubicSpline(np.arange(FINE + 1) / FINE, np.append(smooth, smooth[0]), bc_type="periodic")
    return lambda phase: float(curve(phase))


def _smoothed(values: Array, width: float) -> Array:
    """Periodic values under a bell of that width, a share of the cycle."""
    parts = np.fft.rfft(values, axis=0)
    weights = np.exp(-2.0 * (np.pi * np.arange(len(parts)) * width) ** 2)
    found: Array = np.fft.irfft(parts * weights.reshape(-1, *([1] * (values.ndim - 1))), len(values), axis=0)
    return found
