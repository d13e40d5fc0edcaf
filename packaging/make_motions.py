"""Makes the motions that ship, `resources/motions/*.motion.toml`: `python packaging/make_motions.py`, from the root.

Walk and jump are made from where the pelvis and the feet shall be. A foot that carries weight turns about its heel,
lies flat, or turns about its ball while the toes stay flat; legs follow by least squares over their six hinges. The
other joints are sums of sines (walk) or keys (jump, wave) by eye. No captured data went into them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator
from scipy.optimize import least_squares

from engine.document import Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND, Extrapolation
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import SUFFIX, motion_text
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics

Array = NDArray[np.float64]
Curve = Callable[[float], float]

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "motions"
HUMAN = load_figure("human")
MODEL = compile_model(HUMAN)
LEG = ("hip_{}.flexion", "hip_{}.abduction", "hip_{}.rotation", "knee_{}.flexion", "ankle_{}.dorsiflexion",
       "ankle_{}.inversion")  # fmt: skip
DEGREE = math.pi / 180.0

ANKLE_HEIGHT = 0.0678  # [m] above the floor
# [m] What a foot turns about, the heel on the floor and the joint of the flat toes: forward of the ankle, height.
HEEL, BALL = (-0.052, 0.0), (0.132, 0.0158)
TOE_OUT = 6.0 * DEGREE

# The walk: one cycle is two steps.
PERIOD, STRIDE = 16.0 / 15.0, 1.24  # [s], [m]
STANCE, FLAT, HEEL_OFF = 0.62, 0.09, 0.33  # shares of the cycle
STRIKE, PUSH = -17.0 * DEGREE, 52.0 * DEGREE  # pitch of the foot, toes down
WALK_KEYS = 32


def frames(q: Mapping[str, float]) -> Array:
    """World transforms of the joints, shape [joint_count, 12]."""
    values, state = MODEL.rest.copy(), MODEL.new_state()
    for name, value in q.items():
        values[HUMAN.coordinate_index[name]] = value
    compute_forward_kinematics(MODEL.ints, MODEL.floats, values, state)
    return np.array(MODEL.transforms(state))


def solve_leg(q: dict[str, float], side: str, ankle: Array, pitch: float, start: Array) -> Array:
    """The leg's six hinges that bring its ankle to a place and its foot to a pitch and the usual toe-out; sets them."""
    names = [each.format(side) for each in LEG]
    limits = [(HUMAN.coordinate_dof[name].lower or 0.0, HUMAN.coordinate_dof[name].upper or 0.0) for name in names]
    row, yaw = HUMAN.joint_index[f"ankle_{side}"], TOE_OUT if side == "left" else -TOE_OUT
    c, s, cy, sy = math.cos(pitch), math.sin(pitch), math.cos(yaw), math.sin(yaw)
    wanted = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]]) @ [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]

    def missed(angles: Array) -> Array:
        at = frames(q | dict(zip(names, angles.tolist(), strict=True)))[row]
        return np.concatenate((10.0 * (at[9:] - ankle), (at[:9] - wanted.ravel()), 0.0005 * (angles - start)))

    low, high = (np.array(each) for each in zip(*limits, strict=True))
    found = least_squares(missed, np.clip(start, low + 1e-3, high - 1e-3), bounds=(low, high), xtol=1e-10).x
    q |= dict(zip(names, found.tolist(), strict=True))
    return np.asarray(found)


def rolled(pitch: float) -> tuple[float, float]:
    """Height and way forward of the ankle from its place over a flat foot, the foot turned about ball or heel."""
    pivot, floor = BALL if pitch > 0.0 else HEEL
    y, z = ANKLE_HEIGHT - floor, -pivot
    c, s = math.cos(pitch), math.sin(pitch)
    return floor + c * y - s * z, s * y + c * z + pivot


def foot_pitch() -> Curve:
    """Pitch over the cycle, from one strike to the next."""
    times = [0.0, FLAT, 0.2, HEEL_OFF, 0.5, STANCE, 0.68, 0.78, 0.88, 0.97, 1.0]
    values = [STRIKE, 0.0, 0.0, 0.0, 0.45 * PUSH, PUSH, 0.74 * PUSH, 0.32 * PUSH, 0.0, STRIKE, STRIKE]
    curve = PchipInterpolator(times, values)
    return lambda phase: float(curve(phase % 1.0))


def walk_foot(pitch: Curve) -> Callable[[float], tuple[float, float]]:
    """Height of the ankle and its place forward [m], from the middle of the body's way at phase 0."""
    first = 0.5 * STANCE * STRIDE - 0.03  # how far before the body the foot is planted

    def planted(phase: float) -> tuple[float, float]:
        height, forward = rolled(pitch(phase))
        return height, first + forward * math.cos(TOE_OUT)

    off, strike, step = planted(STANCE), planted(0.0), 1e-4
    leave = (np.array(off) - planted(STANCE - step)) / step
    arrive = (np.array(planted(step)) - strike) / step
    times = [STANCE, 0.5 * (STANCE + 1.0), 1.0]
    height = CubicHermiteSpline(times, [off[0], 0.150, strike[0]], [2.2 * leave[0], -0.35, arrive[0]])
    forward = CubicHermiteSpline(
        times, [off[1], 0.54 * (strike[1] + STRIDE) + 0.46 * off[1], strike[1] + STRIDE],
        [leave[1], 1.5 * STRIDE / (1.0 - STANCE), arrive[1]],
    )  # fmt: skip

    def place(phase: float) -> tuple[float, float]:
        cycles = math.floor(phase)
        part = phase - cycles
        found = planted(part) if part <= STANCE else (float(height(part)), float(forward(part)))
        return found[0], found[1] + cycles * STRIDE

    return place


def walk() -> Layer:
    """One cycle that walks on: the way forward is cycled with its offset."""
    pitch = foot_pitch()
    foot = walk_foot(pitch)
    rows: list[dict[str, float]] = []
    start = {side: np.array([0.2, 0.0, 0.0, 0.3, 0.0, 0.0]) for side in ("left", "right")}
    for count in range(2 * WALK_KEYS + 1):  # twice around, so that the first pose is found as from the last
        phase = (count % WALK_KEYS if count < 2 * WALK_KEYS else WALK_KEYS) / WALK_KEYS
        q = walk_body(phase)
        for side, ahead in (("left", 0.0), ("right", 0.5)):
            height, forward = foot(phase + ahead)
            sign = 1.0 if side == "left" else -1.0
            roll = pitch(phase + ahead)
            aside = 0.072 + math.sin(TOE_OUT) * rolled(roll)[1]
            ankle = np.array([sign * aside, height, forward - ahead * STRIDE])
            start[side] = solve_leg(q, side, ankle, roll, start[side])
            q[f"toes_{side}.flexion"] = -max(roll, 0.0)
        rows.append(q)
    times = [PERIOD * each / WALK_KEYS for each in range(WALK_KEYS + 1)]
    return layer("Walk", times, rows[WALK_KEYS:], "cycle")


def walk_body(phase: float) -> dict[str, float]:
    """Pelvis, trunk and arms; the left foot strikes at phase 0."""
    turn = 2.0 * math.pi * phase
    sway, swing = math.cos(turn), math.cos(turn - 0.25)
    lead = math.cos(turn - 2.0 * math.pi * 0.31)  # 1 while the left leg carries
    q = {
        "pelvis.move_x": 0.020 * lead,
        "pelvis.move_y": -0.037 - 0.017 * math.cos(2.0 * turn - 0.15),
        "pelvis.move_z": STRIDE * phase,
        "pelvis.turn": -5.0 * sway,
        "pelvis.tilt": 3.0 + 0.8 * math.cos(2.0 * turn),
        "pelvis.roll": -3.5 * math.cos(turn - 2.0 * math.pi * 0.20),
        "lower_spine.side_bend": 1.5 * math.cos(turn - 2.0 * math.pi * 0.20),
        "middle_spine.side_bend": 1.5 * math.cos(turn - 2.0 * math.pi * 0.20),
        "lower_spine.rotation": 2.0 * sway,
        "middle_spine.rotation": 3.5 * sway,
        "upper_spine.rotation": 4.5 * sway,
        "neck.rotation": -2.5 * sway,
        "head.rotation": -2.5 * sway,
        "upper_spine.flexion": 2.0,
        "neck.flexion": -2.0,
        "head.flexion": -2.0 - 0.8 * math.cos(2.0 * turn),
    }
    for side, sign in (("left", -1.0), ("right", 1.0)):
        q[f"shoulder_{side}.flexion"] = -2.0 + sign * 21.0 * swing
        q[f"shoulder_{side}.abduction"] = -4.0
        q[f"shoulder_{side}.rotation"] = 12.0
        q[f"elbow_{side}.flexion"] = 12.0 + sign * 12.0 * math.cos(turn - 0.55)
        q[f"forearm_{side}.pronation"] = 15.0
        q[f"wrist_{side}.deviation"] = -sign * 3.0 * math.cos(turn - 0.9)
    return {name: value if "move" in name else value * DEGREE for name, value in q.items()}


def jump() -> Layer:
    """A jump on the spot, 0.3 m high: down, up on the toes, free fall, and a soft landing."""
    off, height = 0.80, 0.30
    speed = math.sqrt(2.0 * 9.81 * height)
    land = off + 2.0 * speed / 9.81
    rise = 0.075  # of the pelvis over its rest, when the toes leave the floor
    low, low_again, end = 0.48, land + 0.22, land + 0.95
    ground = CubicHermiteSpline(
        [0.0, 0.08, low, off], [0.0, -0.004, -0.22, rise], [0.0, -0.1, 0.0, speed]
    )  # fmt: skip
    after = CubicHermiteSpline([land, low_again, end], [rise, -0.15, 0.0], [-speed, 0.0, 0.0])
    pitch = PchipInterpolator(
        [0.0, 0.15, 0.34, low, 0.66, off, 0.5 * (off + land), land, land + 0.08, low_again, end - 0.3, end],
        [0.0, 0.0, 9.0, 14.0, 24.0, 52.0, 44.0, 36.0, 12.0, 9.0, 0.0, 0.0],
    )
    tuck = PchipInterpolator([off, 0.5 * (off + land), land], [0.0, 0.07, 0.0])
    body = {
        "pelvis.move_z": [(0, 0), (low, -0.10), (off, 0.0), (land, 0.0), (low_again, -0.08), (end, 0)],
        "pelvis.tilt": [(0, 0), (low, 30), (off, 1), (land, 6), (low_again, 24), (end, 0)],
        "middle_spine.flexion": [(0, 0), (low, 12), (off, -4), (land, 3), (low_again, 9), (end, 0)],
        "upper_spine.flexion": [(0, 0), (low, 8), (off, -4), (land, 2), (low_again, 6), (end, 0)],
        "neck.flexion": [(0, 0), (low, -14), (off, -3), (land, 2), (low_again, -12), (end, 0)],
        "head.flexion": [(0, 0), (low, -10), (off, -4), (land, 3), (low_again, -8), (end, 0)],
        "shoulder_{}.flexion": [(0, 0), (0.42, -52), (off + 0.02, 125), (land, 70), (low_again, 22), (end, 0)],
        "shoulder_{}.abduction": [(0, 0), (0.42, 8), (off, 14), (land, 18), (low_again, 12), (end, 0)],
        "elbow_{}.flexion": [(0, 0), (0.42, 12), (0.66, 45), (off, 22), (land, 30), (low_again, 32), (end, 0)],
    }
    curves = {name: PchipInterpolator(*np.array(keys, dtype=float).T) for name, keys in body.items()}
    times = sorted({*np.round(np.arange(0.0, end, 1.0 / 30.0), 6).tolist(), off, land, end})
    start = {side: np.array([0.05, 0.0, 0.0, 0.1, 0.0, 0.0]) for side in ("left", "right")}
    rows = []
    for time in times:
        flight = off < time < land
        fallen = time - off
        move_y = (
            rise + speed * fallen - 4.905 * fallen**2 if flight else float((ground if time <= off else after)(time))
        )
        q = {"pelvis.move_y": move_y}
        for name, curve in curves.items():
            for side in ("left", "right") if "{}" in name else ("",):
                q[name.format(side)] = float(curve(time)) * (1.0 if "move" in name else DEGREE)
        roll = float(pitch(time)) * DEGREE
        up, forward = rolled(roll)
        if flight:
            share = fallen / (land - off)
            ends = [rolled(float(pitch(each)) * DEGREE) for each in (off, land)]
            up = (1.0 - share) * ends[0][0] + share * ends[1][0] + move_y - rise + float(tuck(time))
            forward = (1.0 - share) * ends[0][1] + share * ends[1][1]
        for side, sign in (("left", 1.0), ("right", -1.0)):
            aside = 0.098 + math.sin(TOE_OUT) * forward
            ankle = np.array([sign * aside, up, math.cos(TOE_OUT) * forward - 0.014])
            start[side] = solve_leg(q, side, ankle, roll, start[side])
            q[f"toes_{side}.flexion"] = -max(roll, 0.0) * (1.0 - 0.6 * math.sin(math.pi * share) if flight else 1.0)
        rows.append(q)
    return layer("Jump", times, rows, "hold")


def wave() -> Layer:
    """The right arm rises and the forearm waves three times, a glance and a shift of weight with it."""
    up, first, step, count = 0.7, 0.85, 0.26, 6
    down, end = first + step * count + 0.1, first + step * count + 0.9
    waving = [(first + step * each, 96.0 + (20.0 if each % 2 else -20.0)) for each in range(count + 1)]
    body: dict[str, Sequence[tuple[float, float]]] = {
        "shoulder_right.abduction": [(0, 0), (up, 72), (down, 72), (end, 0)],
        "shoulder_right.flexion": [(0, 0), (up, 16), (down, 16), (end, 0)],
        "shoulder_right.rotation": [(0, 0), (up, -72), (down, -72), (end, 0)],
        "collar_right.elevation": [(0, 0), (up, 12), (down, 12), (end, 0)],
        "elbow_right.flexion": [(0, 0), (0.35, 40), *waving, (end - 0.15, 14), (end, 0)],
        "forearm_right.pronation": [(0, 0), (up, 55), (down, 55), (end, 0)],
        "wrist_right.deviation": [(0, 0), *((time + 0.05, 10.0 if value < 96.0 else -10.0) for time, value in waving),
                                  (end, 0)],
        "head.rotation": [(0, 0), (up, -8), (down, -8), (end, 0)],
        "head.side_bend": [(0, 0), (up, -6), (down, -6), (end, 0)],
        "neck.rotation": [(0, 0), (up, -4), (down, -4), (end, 0)],
        "upper_spine.side_bend": [(0, 0), (up, 4), (down, 4), (end, 0)],
        "middle_spine.side_bend": [(0, 0), (up, 3), (down, 3), (end, 0)],
        "shoulder_left.abduction": [(0, 0), (up, 3), (down, 3), (end, 0)],
        "elbow_left.flexion": [(0, 0), (up, 6), (down, 6), (end, 0)],
    }  # fmt: skip
    tracks = [
        Track(coordinate=name, keys=tuple(key(time, value, name) for time, value in sorted(keys)))
        for name, keys in body.items()
    ]
    return Layer(id="motion", name="Wave", tracks=tuple(tracks))


def layer(name: str, times: Sequence[float], rows: Sequence[Mapping[str, float]], end: Extrapolation) -> Layer:
    """Tracks of keys at these times; coordinates that never leave their rest are left out."""
    tracks = []
    for coordinate in HUMAN.coordinates:
        values = [row.get(coordinate, 0.0) for row in rows]
        if max(map(abs, values)) < 1e-4:
            continue
        unit = 1.0 if "move" in coordinate else 1.0 / DEGREE
        after: Extrapolation = "cycle_offset" if end == "cycle" and coordinate == "pelvis.move_z" else end
        if end == "cycle" and coordinate != "pelvis.move_z":
            values[-1] = values[0]
        keys = tuple(key(time, value * unit, coordinate) for time, value in zip(times, values, strict=True))
        tracks.append(Track(coordinate=coordinate, keys=keys, before=after, after=after))
    return Layer(id="motion", name=name, tracks=tuple(tracks))


def key(time: float, value: float, coordinate: str) -> Key:
    """A key, its value rounded to 0.01 mm or 0.001 degrees: what is coarser lets feet tremble."""
    slide = "move" in coordinate
    dof = HUMAN.coordinate_dof[coordinate]
    angle = round(value, 5) if slide else round(value, 3) * DEGREE
    return Key(round(time * TICKS_PER_SECOND), dof.clamp(angle))


def main() -> None:
    """Write all."""
    FOLDER.mkdir(exist_ok=True)
    for name, made in (("walk", walk()), ("jump", jump()), ("wave", wave())):
        about = f"# {made.name}: made by packaging/make_motions.py; our own work, no captured data.\n\n"
        (FOLDER / (name + SUFFIX)).write_text(about + motion_text(HUMAN, made, "human"), encoding="utf-8")


if __name__ == "__main__":
    main()
