"""Retargeting: a motion of one figure given to another of other proportions, its contacts kept.

Rotations are carried over joint by joint (`engine.ik.alignment`), angles brought into the limits over several of them,
the way of the hips is scaled by the length of the legs, and its height so that the lowest height of the ankles fits.
What then still slides or sinks is mended by inverse kinematics of the legs, and of the arms where hands touch the
floor: a point that stands still in the source (`engine.ik.contacts`) is held where it stands on average, on the floor,
and eased in and out.

Contacts are found on the whole clip first; each frame is then solved from its own carried-over pose, so that frame k
alone equals frame k in sequence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.document import Blob, Figure, Layer, Samples
from engine.document.chains import chain
from engine.document.motion import Rate
from engine.ik.alignment import carry_over, find_alignment
from engine.ik.contacts import Stillness, ease_contact, find_contacts
from engine.ik.goals import PositionGoal, Spot
from engine.ik.joint_map import JointMap, guess_map, rest_places
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.regions import pack_over
from engine.ik.solver import Budget, new_work, solve
from engine.limits.query import project_pose
from engine.maths.arrays import Array
from engine.model.compile import Model, compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.mirror_frames import zero_rotations
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.runtime.errors import InvalidArguments

_LEGS = 0.85  # [m] of the legs that `Stillness` speaks of
_LOWEST = 2.0  # percentile of heights that counts as touching the floor
_TOLERANCE = 2e-4  # [m]
_STILL_THERE = 1e-9  # [m] from where it should be: nothing to solve
_PALM = 0.06  # [m]: how much higher than its lowest point a wrist may be when the hand touches
_HEAVY = 4.0  # stiffness of the hips' slides against the legs' hinges
_SOLVER = Levenberg(ease=0.0)  # each frame stays as near to what was carried as its contacts let it
_BUDGET = Budget(iterations=60, starts=0, milliseconds=math.inf)


@dataclass(frozen=True, kw_only=True)
class Retarget:
    """Options of retargeting."""

    joints: JointMap | None = None  # None: guessed
    still: Stillness = field(default_factory=Stillness)
    reference: int | None = None  # frame of the source that stands as the target does at rest; None: its own rest pose
    keep_contacts: bool = True


@dataclass(frozen=True, eq=False)
class ContactSpan:
    """A span of frames in which a spot of the target is held."""

    spot: Spot
    span: tuple[int, int]
    place: Array  # [m], shape [3]


class Retargeting:
    """One clip on its way to another figure. Everything that needs the whole clip is done at the start."""

    def __init__(
        self,
        source: Figure,
        layers: Sequence[Layer],
        target: Figure,
        *,
        rate: Rate,
        start: int,
        end: int,
        options: Retarget = Retarget(),
    ) -> None:
        self.target, self.rate, self.start, self.options = target, rate, start, options
        self.joints = guess_map(source, target) if options.joints is None else options.joints
        self.joints.check(source, target)
        times = frame_ticks(rate, start, end)
        poses = compile_motion(source, tuple(layers)).at(times)[:, 0]
        self.frame_count, self._hertz = len(times), rate[0] / rate[1]
        self._model = compile_model(target)
        self._mine = {role: a for role, a, _ in self.joints.roles}
        self._yours = {role: b for role, _, b in self.joints.roles}
        self._source_at = _transforms(compile_model(source), poses)
        self._source = source
        self.carried = self._carry(source)
        self._spots = self._find_spots()
        self._points = self._spot_points()
        self.contacts = tuple(self._find_contacts()) if options.keep_contacts else ()
        self._targets = self._find_targets()
        self._problem = self._compile()
        self._work = None if self._problem is None else new_work(self._problem, _SOLVER)

    def frame(self, frame: int) -> Array:
        """The target's pose in a frame; it depends on the clip and the frame alone."""
        if not 0 <= frame < self.frame_count:
            raise InvalidArguments(what="the frame", value=frame, allowed=f"0 to {self.frame_count - 1}")
        pose: Array = self.carried[frame].copy()
        wanted = self._targets[frame]
        if self._problem is None or np.abs(wanted - self._points[frame]).max(initial=0.0) < _STILL_THERE:
            return pose
        self._problem.set_targets(wanted)
        answer = solve(self._problem, [pose], _SOLVER, budget=_BUDGET, work=self._work)
        return answer.poses[0]

    def layer(self, *, id: str, name: str = "Retargeted") -> Layer:
        """The whole motion, ready to be added to an actor of the target."""
        values = np.array([self.frame(frame) for frame in range(self.frame_count)])
        samples = Samples(coordinates=self.target.coordinates, values=Blob(values), rate=self.rate, start=self.start)
        return Layer(id=id, name=name, samples=samples)

    def _carry(self, source: Figure) -> Array:
        """Rotations, then the way of the hips."""
        index, reference = source.joint_index, self.options.reference
        if reference is not None and not 0 <= reference < self.frame_count:
            raise InvalidArguments(what="the frame", value=reference, allowed=f"0 to {self.frame_count - 1}")
        zero, rest = zero_rotations(source), rest_places(source)
        if reference is not None:
            rows = self._source_at[reference]
            zero = {joint.id: rows[index[joint.id], :9].reshape(3, 3) for joint in source.joints}
            rest = {joint.id: rows[index[joint.id], 9:] for joint in source.joints}
        turns = find_alignment(source, self.target, self.joints, rest)
        used = {a for a, _ in self.joints.pairs}
        turned = {a: self._source_at[:, index[a], :9].reshape(-1, 3, 3) @ zero[a].T for a in used}
        values = carry_over(self.target, self.joints, turns, turned, self.frame_count)
        if self.target.limits_on:
            pack = pack_over(self.target, self.target.limits_on, self.target.coordinates)
            for row in values:
                project_pose(pack.ints, pack.floats, row, row)
        self.scale = self._leg(rest_places(self.target), self._yours) / self._leg(rest, self._mine)
        self._move_hips(values)
        return values

    def _leg(self, places: dict[str, Array], roles: dict[str, str]) -> float:
        """Thigh and shank [m]; without legs, upper arm and forearm."""
        for limb in (("thigh", "knee", "ankle"), ("upper arm", "elbow", "wrist")):
            for side in ("left", "right"):
                names = [f"{role} {side}" for role in limb]
                if all(name in self._mine and name in self._yours for name in names):
                    a, b, c = (places[roles[name]] for name in names)
                    return float(np.linalg.norm(b - a) + np.linalg.norm(c - b))
        return 1.0

    def _hips(self) -> list[str]:
        sides = [f"thigh {side}" for side in ("left", "right")]
        return sides if all(each in self._yours and each in self._mine for each in sides) else ["pelvis"]

    def _move_hips(self, out_values: Array) -> None:
        """Slides of the root that bring the middle of the hips to its scaled place."""
        root = next(joint for joint in self.target.joints if joint.parent is None)
        slides = [dof for dof in root.dofs if dof.kind == "slide"]
        roles, index = self._hips(), self._source.joint_index
        if not slides or any(role not in self._yours or role not in self._mine for role in roles):
            return
        wanted = np.mean([self._source_at[:, index[self._mine[role]], 9:] for role in roles], axis=0) * self.scale
        low, own = self._ankle_heights()
        wanted[:, 1] += own - self.scale * low
        rows = _transforms(self._model, out_values)
        now = np.mean([rows[:, self.target.joint_index[self._yours[role]], 9:] for role in roles], axis=0)
        axes = zero_rotations(self.target)[root.id] @ np.array([dof.axis for dof in slides]).T
        found = np.linalg.lstsq(axes, (wanted - now).T, rcond=None)[0]
        for dof, value in zip(slides, found, strict=True):
            lower = -np.inf if dof.lower is None else dof.lower
            value = np.clip(value, lower, np.inf if dof.upper is None else dof.upper)
            out_values[:, self.target.coordinate_index[dof.id]] = value

    def _ankle_heights(self) -> tuple[float, float]:
        """Heights of the ankles where they are lowest in the source, and on the floor in the target [m]."""
        roles = [role for role in ("ankle left", "ankle right") if role in self._mine and role in self._yours]
        if not roles:
            return 0.0, 0.0
        index, rest = self._source.joint_index, rest_places(self.target)
        low = min(float(np.percentile(self._source_at[:, index[self._mine[role]], 10], _LOWEST)) for role in roles)
        return low, min(float(rest[self._yours[role]][1]) for role in roles) - self._sole()

    def _sole(self) -> float:
        """Height of the floor under the target at rest: 0, unless joints or handles lie below it or far above."""
        rest, zero = rest_places(self.target), zero_rotations(self.target)
        heights = [float(place[1]) for place in rest.values()]
        heights += [float((rest[each.joint] + zero[each.joint] @ each.point)[1]) for each in self.target.handles]
        lowest = min(heights)
        return 0.0 if -0.01 <= lowest <= 0.15 else lowest

    def _find_spots(self) -> list[tuple[str, Spot]]:
        """Find the points that may touch the floor: for each foot the ball and the heel, on the sole; for each hand the
        wrist."""
        rest, zero, sole = rest_places(self.target), zero_rotations(self.target), self._sole()
        found = []
        for side in ("left", "right"):
            ankle = f"ankle {side}"
            if ankle in self._yours and ankle in self._mine:
                joint = self._yours[ankle]
                heel = np.array(rest[joint])
                ball = heel + 0.15 * self._leg(rest, self._yours) * zero[self._yours["pelvis"]][:, 2]
                if f"toes {side}" in self._yours:
                    ball = np.array(rest[self._yours[f"toes {side}"]])
                for role, place in ((f"ball {side}", ball), (f"heel {side}", heel)):
                    place[1] = sole
                    x, y, z = (zero[joint].T @ (place - rest[joint])).tolist()
                    found.append((role, Spot(actor="target", joint=joint, point=(x, y, z))))
            if f"wrist {side}" in self._yours and f"wrist {side}" in self._mine:
                found.append((f"wrist {side}", Spot(actor="target", joint=self._yours[f"wrist {side}"])))
        return found

    def _spot_points(self) -> Array:
        """The spots as they were carried over [m], shape [frame_count, spot_count, 3]."""
        rows = _transforms(self._model, self.carried)
        points = np.zeros((self.frame_count, len(self._spots), 3))
        for place, (_, spot) in enumerate(self._spots):
            row = rows[:, self.target.joint_index[spot.joint]]
            points[:, place] = row[:, :9].reshape(-1, 3, 3) @ np.array(spot.point) + row[:, 9:]
        return points

    def _source_point(self, role: str) -> Array | None:
        """Return the positions of the joint in the source that answers to a point: toes for the ball of the foot, ankle
        for the heel."""
        name, _, side = role.rpartition(" ")
        joint = self._mine.get(f"toes {side}" if name == "ball" else f"ankle {side}" if name == "heel" else role)
        if joint is None and name == "ball":
            joint = self._mine.get(f"ankle {side}")
        return None if joint is None else self._source_at[:, self._source.joint_index[joint], 9:]

    def _find_contacts(self) -> list[ContactSpan]:
        grown = self._leg(rest_places(self._source), self._mine) / _LEGS
        spans: dict[str, list[tuple[int, int]]] = {}
        for role, _ in self._spots:
            points = self._source_point(role)
            if points is None:
                continue
            floor = float(np.percentile(points[:, 1], _LOWEST))
            if role.startswith("wrist"):
                low, _ = self._ankle_heights()
                floor = max(min(floor, low), low - _PALM * grown)
            spans[role] = find_contacts(points, floor, self._hertz, grown, self.options.still)
        places = {role: place for place, (role, _) in enumerate(self._spots)}
        found = []
        for role, spot in self._spots:
            for span in spans.get(role, ()):
                found.append(ContactSpan(spot, span, self._place(role, span, spans, places)))
        return found

    def _place(
        self, role: str, span: tuple[int, int], spans: dict[str, list[tuple[int, int]]], places: dict[str, int]
    ) -> Array:
        """Compute the place where a spot is held: its mean over the span, on the floor; a heel at its distance from the
        held ball."""
        frames = slice(span[0], span[1] + 1)
        mean = self._points[frames, places[role]].mean(axis=0)
        name, _, side = role.rpartition(" ")
        if name == "wrist":
            return np.asarray(mean)
        ball = f"ball {side}"
        shared = [each for each in spans.get(ball, ()) if each[0] <= span[1] and each[1] >= span[0]]
        if name == "heel" and shared:
            other = self._points[shared[0][0] : shared[0][1] + 1, places[ball]].mean(axis=0)
            way = (self._points[frames, places[role]] - self._points[frames, places[ball]]).mean(axis=0)
            way[1] = 0.0
            spots = dict(self._spots)
            length = float(np.linalg.norm(np.subtract(spots[role].point, spots[ball].point)))
            mean = other + way * (length / max(float(np.linalg.norm(way)), 1e-9))
        mean[1] = 0.0
        return np.asarray(mean)

    def _find_targets(self) -> Array:
        """Compute the target positions of the spots [m], shape [frame_count, spot_count, 3]."""
        targets = self._points.copy()
        if not self.options.keep_contacts:
            return targets
        weights = np.zeros(targets.shape[:2])
        places = {id(spot): place for place, (_, spot) in enumerate(self._spots)}
        change = np.zeros_like(targets)
        for contact in self.contacts:
            place = places[id(contact.spot)]
            share = ease_contact(contact.span, self.frame_count, self._hertz, self.options.still.ease)
            weights[:, place] += share
            change[:, place] += share[:, None] * (contact.place - self._points[:, place])
        change /= np.maximum(weights, 1e-9)[:, :, None]
        weights = np.minimum(weights, 1.0)
        for place, (role, _) in enumerate(self._spots):
            targets[:, place] += weights[:, place, None] * change[:, place]
            other = self._other(role)
            if other is not None:
                share = (1.0 - weights[:, place]) * weights[:, other]
                targets[:, place] += share[:, None] * change[:, other]
            if not role.startswith("wrist"):
                targets[:, place, 1] = np.maximum(targets[:, place, 1], 0.0)
        self._keep_lengths(targets, weights)
        return targets

    def _other(self, role: str) -> int | None:
        """The heel of a ball of the foot, and the other way round."""
        name, _, side = role.rpartition(" ")
        partner = {"ball": f"heel {side}", "heel": f"ball {side}"}.get(name)
        return next((place for place, (each, _) in enumerate(self._spots) if each == partner), None)

    def _keep_lengths(self, targets: Array, weights: Array) -> None:
        """Move the spot of each foot that is held less to where the other leaves it, since a foot is rigid."""
        for place, (role, spot) in enumerate(self._spots):
            other = self._other(role)
            if other is None:
                continue
            length = float(np.linalg.norm(np.subtract(spot.point, self._spots[other][1].point)))
            way = targets[:, place] - targets[:, other]
            led = targets[:, other] + way * (length / np.maximum(np.linalg.norm(way, axis=1), 1e-9))[:, None]
            less = weights[:, place] < weights[:, other]
            if role.startswith("heel"):
                less |= weights[:, place] == weights[:, other]
            targets[less, place] = led[less]

    def _compile(self) -> Problem | None:
        """Goals for all spots of the feet, and for hands that touch; what may move are their limbs and the hips."""
        touching = {id(contact.spot) for contact in self.contacts}
        kept = [
            place
            for place, (role, spot) in enumerate(self._spots)
            if self.options.keep_contacts and (not role.startswith("wrist") or id(spot) in touching)
        ]
        if not kept:
            return None
        self._targets, self._points = self._targets[:, kept], self._points[:, kept]
        spots = [self._spots[place][1] for place in kept]
        movable: set[str] = set()
        for role, joint in self._yours.items():
            name, _, side = role.rpartition(" ")
            top = self._yours.get(f"thigh {side}" if name == "ankle" else f"upper arm {side}")
            if top is not None and joint in {spot.joint for spot in spots}:
                movable |= chain(self.target, joint, "joint", up_to=top)
        root = next(joint for joint in self.target.joints if joint.parent is None)
        slides = [dof.id for dof in root.dofs if dof.kind == "slide"]
        participant = Participant(
            actor="target",
            figure=self.target,
            movable=frozenset(movable | set(slides)),
            stiffness=dict.fromkeys(slides, _HEAVY),
        )
        goals = [PositionGoal(spot=spot, target=(0.0, 0.0, 0.0)) for spot in spots]
        return compile_problem([participant], goals, tolerance=_TOLERANCE)


def _transforms(model: Model, poses: Array) -> Array:
    """World transforms of the joints in each frame, shape [frame_count, joint_count, 12]."""
    state = model.new_state()
    out = np.empty((len(poses), model.joint_count, 12))
    for frame, pose in enumerate(np.ascontiguousarray(poses)):
        compute_forward_kinematics(model.ints, model.floats, pose, state)
        out[frame] = model.transforms(state)
    return out
