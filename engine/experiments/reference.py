"""The motion that goals are taken from: captured jumps fitted to the human figure, frame by frame.

The capture's joints, scaled by the length of the legs, are position goals for the figure's; each frame is solved from
the one before, limits on, the freedom left over drawn to the middle of the limits. The goals of the experiments are
then taken from the fitted figure, so that every one of them can be reached. Where no capture is at hand, the jump that
ships with Sinew takes its place.

The root may turn by several turns here, where the shipped figure's limit is half a turn to each side: the person in the
capture turns round, and a limit amid that would be one that no body has.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import ceil
from pathlib import Path

import numpy as np

from engine.commands.bring_in import read_contents
from engine.document import Figure
from engine.document.motion import TICKS_PER_SECOND
from engine.experiments.result import Settings
from engine.experiments.shared_data import shared_data
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.ik.goals import PositionGoal, Spot
from engine.ik.joint_map import guess_map, rest_places
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.ik.solver import THOROUGH, Budget, new_work, solve
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.motion import compile_motion
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

ACTOR = "human"
CAPTURE = ("mocap", "bvh", "cmu_01_01_forward_jumps.bvh")
_GRID = 20  # frames a second, or a multiple: 0.05, 0.7 and 1.0 s are whole numbers of them
_LONGEST = 1.0  # [s] between two goals of one run
_LIMBS = ("thigh", "knee", "ankle", "toes", "upper arm", "elbow", "wrist")
_TURNS = 20.0  # [rad]
_SKIPPED = 0.1  # [s] of a capture, whose first frame often is a pose of calibration


@dataclass(frozen=True, eq=False)
class ReferenceMotion:
    """A motion of the human figure and the spots that goals are set on."""

    name: str
    figure: Figure
    poses: Array  # shape [frame_count, coordinate_count]
    rate: int  # frames a second
    targets: Array  # where the spots are in each frame [m], shape [frame_count, spot_count, 3]
    misfit: float  # median distance of the fitted joints to the capture's [m]

    @property
    def names(self) -> tuple[str, ...]:
        """The spots in the order of the targets."""
        return tuple(name for name, _ in spots_of(self.figure))

    def runs(self, interval: float) -> list[range]:
        """Frames that are this far apart [s], one run for every phase offset."""
        stride = round(interval * self.rate)
        return [range(offset, len(self.poses), stride) for offset in range(min(stride, len(self.poses) - stride))]

    def problem(self, tolerance: float, without: tuple[str, ...] = (), preference: Preference | None = None) -> Problem:
        """The spots as position goals, less those named."""
        goals = [
            PositionGoal(spot=spot, target=(0.0, 0.0, 0.0))
            for name, spot in spots_of(self.figure)
            if name not in without
        ]
        participants = [Participant(actor=ACTOR, figure=self.figure)]
        return compile_problem(participants, goals, preference=preference or Preference(), tolerance=tolerance)


def spots_of(figure: Figure) -> list[tuple[str, Spot]]:
    """The figure's handles: hands, feet, head and pelvis."""
    return [(each.id, Spot(actor=ACTOR, joint=each.joint, point=each.point)) for each in figure.handles]


def load_reference(settings: Settings) -> ReferenceMotion:
    """The fitted capture, at as many frames a second as give 200 goals and more for the longest interval."""
    wanted = 6 if settings.quick else 200
    longest = 1.5 if settings.quick else None
    path = find_capture(settings.data)
    human = load_figure("human")
    if path is None:
        shipped = load_motion("jump")
        layers, figure, name = shipped.layers, human, "Sinew's own jump (the captured jumps are not here)"
        start, length = 0, max(key.time for track in layers[0].tracks for key in track.keys) / TICKS_PER_SECOND
    else:
        contents = read_contents(path)
        samples = contents.layers[0].samples if contents.layers else None
        if contents.figure is None or samples is None:
            raise InvalidArguments(what="--data", value=str(path), allowed="a captured motion with its figure")
        layers, figure, name = contents.layers, contents.figure, f"{path.name}, fitted to the human figure"
        start = samples.start + round(_SKIPPED * TICKS_PER_SECOND)
        length = (samples.time(samples.frame_count - 1) - start) / TICKS_PER_SECOND
    if length <= 1.2 * _LONGEST:
        raise InvalidArguments(
            what="the length of the motion [s]", value=length, allowed=f"more than {1.2 * _LONGEST:g}"
        )
    length = length if longest is None else min(length, longest)
    rate = _GRID * ceil(wanted / (_GRID * (length - _LONGEST)))
    times = start + (np.arange(int(length * rate)) + settings.seed % 7 / 7.0) * (TICKS_PER_SECOND / rate)
    poses = compile_motion(figure, tuple(layers)).at(times)[:, 0]
    free = turning_freely(human)
    fitted, misfit = (poses, 0.0) if path is None else _fit(figure, poses, free)
    model = compile_model(free)
    fitted = np.clip(fitted, model.lower, model.upper)
    targets = place_spots(free, fitted, [spot for _, spot in spots_of(free)])
    return ReferenceMotion(name=name, figure=free, poses=fitted, rate=rate, targets=targets, misfit=misfit)


def find_capture(given: Path | None) -> Path | None:
    """Load the motion that was chosen, or the captured jumps of the shared data, where these are."""
    if given is not None:
        return given
    return shared_data(*CAPTURE)


def place_spots(figure: Figure, poses: Array, spots: list[Spot]) -> Array:
    """Compute the positions of spots [m], shape [frame_count, spot_count, 3]."""
    model = compile_model(figure)
    state, joints = model.new_state(), [figure.joint_index[spot.joint] for spot in spots]
    points = np.array([spot.point for spot in spots])
    out = np.empty((len(poses), len(spots), 3))
    for frame, pose in enumerate(np.ascontiguousarray(poses)):
        compute_forward_kinematics(model.ints, model.floats, pose, state)
        rows = model.transforms(state)[joints]
        out[frame] = np.einsum("sij,sj->si", rows[:, :9].reshape(-1, 3, 3), points) + rows[:, 9:]
    return out


def turning_freely(figure: Figure) -> Figure:
    """Widen the limits of the root to several turns."""
    root, *others = figure.joints
    dofs = tuple(replace(dof, lower=-_TURNS, upper=_TURNS) if dof.kind == "hinge" else dof for dof in root.dofs)
    return replace(figure, joints=(replace(root, dofs=dofs), *others))


def _fit(source: Figure, poses: Array, target: Figure) -> tuple[Array, float]:
    """Poses of the target, and the median misfit [m]."""
    roles = [
        (mine, yours)
        for role, mine, yours in guess_map(source, target).roles
        if role == "head" or role.removesuffix(" left").removesuffix(" right") in _LIMBS
    ]
    legs = {role: (mine, yours) for role, mine, yours in guess_map(source, target).roles}
    chain = [legs[f"{part} left"] for part in ("thigh", "knee", "ankle")]
    scale = _length([b for _, b in chain], target) / _length([a for a, _ in chain], source)
    wanted = scale * place_spots(source, poses, [Spot(actor=ACTOR, joint=mine) for mine, _ in roles])
    goals = [PositionGoal(spot=Spot(actor=ACTOR, joint=yours), target=(0.0, 0.0, 0.0)) for _, yours in roles]
    comfort = Preference(comfort=1.0, gain=0.05)
    problem = compile_problem([Participant(actor=ACTOR, figure=target)], goals, preference=comfort, tolerance=1e-4)
    problem.set_targets(wanted[0])
    pose = solve(problem, [compile_model(target).rest], Levenberg(ease=0.0), budget=THOROUGH).poses[0]
    work, fitted, misses = new_work(problem, Levenberg(ease=0.0)), [], []
    for places in wanted:
        problem.set_targets(places)
        budget = Budget(iterations=60, starts=0, milliseconds=2000.0)
        answer = solve(problem, [pose], Levenberg(ease=0.0), budget=budget, work=work)
        pose = answer.poses[0]
        fitted.append(pose)
        misses.append(answer.errors)
    return np.array(fitted), float(np.median(misses))


def _length(joints: list[str], figure: Figure) -> float:
    """The way along joints at rest [m]."""
    places = rest_places(figure)
    return sum(float(np.linalg.norm(np.subtract(places[b], places[a]))) for a, b in pairwise(joints))
