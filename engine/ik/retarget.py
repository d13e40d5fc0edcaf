"""Retargeting: a motion of one figure given to another of other proportions, its contacts kept.

Rotations are carried over joint by joint (`engine.ik.alignment`), angles brought into the limits over several of them,
the way of the hips is scaled by the length of the legs, and its height so that the lowest height of the ankles fits.
What then still slides or sinks is mended by inverse kinematics of the legs, and of the arms where hands touch the
floor: a point that stands still in the source (`engine.ik.contacts`) is held where it stands on average, on the floor,
and eased in and out. Where feet hardly ever stand on the floor of the whole clip, they are taken to stand where they
come down near that time, and are held at that height.

Contacts are found on the whole clip first; each frame is then solved from its own carried-over pose. A contact that the
target's limits cannot keep lets go where they cannot, and where limits make a joint go on from another side, it is led
there in a fifth of a second.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Figure, Layer, Samples
from engine.document.chains import chain
from engine.document.motion import Rate
from engine.ik.alignment import carry_over_gradually, find_alignment, lean
from engine.ik.contacts import Stillness, ease_contact, find_contacts
from engine.ik.goals import PositionGoal, Spot
from engine.ik.heels import OFF, at_limit, knee_bends, spans_without
from engine.ik.joint_map import JointMap, guess_map, rest_places
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.regions import pack_over
from engine.ik.rhythm import turns_of
from engine.ik.solver import Budget, new_work, solve
from engine.limits.query import project_pose
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import chain as hinge_chain
from engine.maths.rotation_arrays import rotation_vectors
from engine.model.compile import Model, compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.motion.leaps import spread_leaps
from engine.motion.mirror_frames import zero_rotations
from engine.motion.motion import compile_motion
from engine.motion.resample import frame_ticks
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish, within
from engine.runtime.quick_dataclass import dataclass

_LEGS = 0.85  # [m] of the legs that `Stillness` speaks of
_LOWEST = 2.0  # percentile of heights that counts as touching the floor
_TOLERANCE = 2e-4  # [m]
_STILL_THERE = 1e-9  # [m] from where it should be: nothing to solve
_PALM = 0.06  # [m]: how much higher than its lowest point a wrist may be when the hand touches
_HEAVY, _STIFF = 4.0, 30.0  # stiffness of the hips' slides and turns against the legs' hinges
_HURRY, _LEAST_STEP = 1.2, 0.02  # of the clip's largest turn in a frame: more is a leap; and what never is one [rad]
_LED = 0.2  # [s] in which a leap is led over
_LEAD, _BARELY = 0.1, 0.05  # [s] over which hips are led along with feet; how much these have to be held
_LYING = math.radians(40.0)  # of trunk and legs against the vertical: nobody stands so
_MISSED = 2e-3  # [m] from where a contact holds a spot: the target's limits do not let it be there
_TOGETHER = 100  # frames of one slice
_SELDOM = 0.2  # of the frames: where feet stand less than that, the floor is not level
_AROUND = 0.25  # [s] before and after, in which a foot comes down
_HASTY, _HIGH = 2.4, 1.7  # times as fast and high as on a level floor a foot may be that comes down there
_SEEN, _CARRIED, _TURNED = 0.05, 0.95, 0.9  # shares of the beginning
_FIRST, _AGAIN = 0.7, 4  # share of the work till every frame is solved once; how often some are again, at most
_FOOT = {"ball": "heel", "heel": "ball"}
_SOLVER = Levenberg(ease=0.0)  # each frame stays as near to what was carried as its contacts let it
_BUDGET = Budget(iterations=60, starts=0, milliseconds=math.inf)


@dataclass(frozen=True, kw_only=True)
class Retarget:
    """Options of retargeting."""

    joints: JointMap | None = None  # None: guessed
    still: Stillness = field(default_factory=Stillness)
    reference: int | None = None
    """The frame of the source that stands as the target does at rest; None: its own rest pose, or where that stands
    nowhere, with bones all along one axis, the frame that is most upright."""
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
        at_once: bool = True,
    ) -> None:
        """Of some layers of a figure, from `start` to `end` [ticks]; not `at_once`: it is begun by `begin`."""
        self._source, self._layers, self.target = source, tuple(layers), target
        self.rate, self.start, self._end, self.options = rate, start, end, options
        if at_once:
            finish(self.begin())

    def begin(self) -> Generator[float, None, None]:
        """Do what needs the whole clip, in slices; yields the share that is done."""
        source, target, rate, options = self._source, self.target, self.rate, self.options
        self.joints = guess_map(source, target) if options.joints is None else options.joints
        self.joints.check(source, target)
        times = frame_ticks(rate, self.start, self._end)
        moving, poses = compile_motion(source, self._layers), []
        for first in range(0, len(times), _TOGETHER):
            poses.append(moving.at(times[first : first + _TOGETHER])[:, 0])
            yield 0.0
        self.frame_count, self._hertz = len(times), rate[0] / rate[1]
        self._model = compile_model(target)
        self._mine = {role: a for role, a, _ in self.joints.roles}
        self._yours = {role: b for role, _, b in self.joints.roles}
        self._source_at = yield from within(
            _transforms_gradually(compile_model(source), np.concatenate(poses)), 0.0, _SEEN
        )
        self.carried = yield from within(self._carry(source), _SEEN, _CARRIED)
        self._spots = self._find_spots()
        rows = yield from within(_transforms_gradually(self._model, self.carried), _CARRIED, 1.0)
        self._points = self._spot_points(rows)
        self.contacts = tuple(self._find_contacts()) if options.keep_contacts else ()
        if self._lead_hips():
            rows = yield from within(_transforms_gradually(self._model, self.carried), 1.0, 1.0)
            self._points = self._spot_points(rows)
        yield 1.0
        self._kept = self._find_kept()
        self._targets = self._find_targets()
        self._problem = self._compile()
        self._work = None if self._problem is None else new_work(self._problem, _SOLVER)
        self._values: Array | None = None

    def frame(self, frame: int) -> Array:
        """The target's pose in a frame."""
        if not 0 <= frame < self.frame_count:
            raise InvalidArguments(what="the frame", value=frame, allowed=f"0 to {self.frame_count - 1}")
        return np.asarray(self.values[frame])

    @property
    def values(self) -> Array:
        """The target's pose in every frame, shape [frame_count, coordinate_count]."""
        return finish(self.steps())

    def steps(self) -> Generator[float, None, Array]:
        """Solve every frame, yielding the share that is done. Where the target's limits let a contact not be held, it
        lets go earlier, or takes hold later, and where they would bend a knee to keep its heel down, the heel rises;
        these frames are solved again."""
        if self._values is None:
            values = self.carried.copy()
            yield from within(self._solve_all(values, range(self.frame_count)), 0.0, _FIRST)
            for again in range(_AGAIN):
                done = [1.0 - (1.0 - _FIRST) * 0.5**each for each in (again, again + 1)]
                before, kept = self._targets, self.contacts
                rows = yield from within(_transforms_gradually(self._model, values), done[0], done[0])
                self.contacts = tuple(self._risen(rows, values, kept if again else self._loosened(rows)))
                self._targets = self._find_targets()
                changed = np.flatnonzero(np.abs(self._targets - before).max(axis=(1, 2), initial=0.0) > 0.0)
                if not len(changed):
                    break
                yield from within(self._solve_all(values, changed.tolist()), done[0], done[1])
            yield 1.0
            self._values = values
        return self._values

    def _solve_all(self, out_values: Array, frames: Sequence[int]) -> Generator[float, None, None]:
        for place, frame in enumerate(frames):
            out_values[frame] = self._solved(frame)
            yield place / len(frames)

    def _solved(self, frame: int) -> Array:
        """The pose of a frame; it depends on the clip and the frame alone."""
        pose: Array = self.carried[frame].copy()
        wanted, points = (each[frame, self._kept] for each in (self._targets, self._points))
        if self._problem is None or np.abs(wanted - points).max(initial=0.0) < _STILL_THERE:
            return pose
        self._problem.set_targets(wanted)
        answer = solve(self._problem, [pose], _SOLVER, budget=_BUDGET, work=self._work)
        return answer.poses[0]

    def _loosened(self, rows: Array) -> Iterator[ContactSpan]:
        """The contacts without the frames, up to the nearer end, in which the joints' places miss them."""
        shortest = self.options.still.shortest * self._hertz
        ease = round(0.5 * self.options.still.ease * self._hertz)
        missed = np.zeros(self.frame_count, bool)
        for each in self.contacts:
            row = rows[each.span[0] : each.span[1] + 1, self.target.joint_index[each.spot.joint]]
            points = row[:, :9].reshape(-1, 3, 3) @ np.array(each.spot.point) + row[:, 9:]
            missed[each.span[0] : each.span[1] + 1] |= np.linalg.norm(points - each.place, axis=1) > _MISSED
        for each in self.contacts:
            first, last = each.span
            bad = first + np.flatnonzero(missed[first : last + 1])
            if len(bad) and int(bad[-1]) - first < last - int(bad[0]):
                first = int(bad[-1]) + 1 + ease
            elif len(bad):
                last = int(bad[0]) - 1 - ease
            if last - first + 1 >= shortest:
                yield ContactSpan(each.spot, (first, last), each.place)

    def _risen(self, rows: Array, values: Array, contacts: Iterable[ContactSpan]) -> Iterator[ContactSpan]:
        """The contacts without the frames of heels in which the ankle's limit would bend the knee otherwise than the
        source does."""
        index, own = self._source.joint_index, self.target.joint_index
        source = {role: self._source_at[:, index[id], 9:] for role, id in self._mine.items()}
        target = {role: rows[:, own[id], 9:] for role, id in self._yours.items()}
        heels = {id(spot): role.removeprefix("heel ") for role, spot in self._spots if role.startswith("heel")}
        bad: dict[str, NDArray[np.bool_]] = {}
        for side in heels.values():
            bends = knee_bends(source, side), knee_bends(target, side)
            if bends[0] is not None and bends[1] is not None:
                stopped = at_limit(self.target, self._yours[f"ankle {side}"], values)
                bad[side] = stopped & (np.abs(bends[1] - bends[0]) > OFF)
        ease = round(0.5 * self.options.still.ease * self._hertz)
        for each in contacts:
            side = heels.get(id(each.spot), "")
            if side not in bad:
                yield each
                continue
            for span in spans_without(each.span, bad[side], ease):
                if span[1] - span[0] + 1 >= self.options.still.shortest * self._hertz:
                    yield ContactSpan(each.spot, span, each.place)

    def slip(self) -> tuple[float, float]:
        """Measure how far held spots slide along the floor, and how far those of feet sink below it [m]."""
        return finish(self.slip_gradually())

    def slip_gradually(self) -> Generator[float, None, tuple[float, float]]:
        """Measure that in slices."""
        rows, slide, sink = (yield from _transforms_gradually(self._model, self.values)), 0.0, 0.0
        for each in self.contacts:
            row = rows[each.span[0] : each.span[1] + 1, self.target.joint_index[each.spot.joint]]
            held = row[:, :9].reshape(-1, 3, 3) @ np.array(each.spot.point) + row[:, 9:]
            level = held[:, ::2] - held[:, ::2].mean(axis=0)
            slide, sink = max(slide, float(np.linalg.norm(level, axis=1).max())), max(sink, -float(held[:, 1].min()))
        return slide, sink

    def layer(self, *, id: str, name: str = "Retargeted") -> Layer:
        """The whole motion, ready to be added to an actor of the target."""
        values = self.values
        samples = Samples(coordinates=self.target.coordinates, values=Blob(values), rate=self.rate, start=self.start)
        return Layer(id=id, name=name, samples=samples)

    def _carry(self, source: Figure) -> Generator[float, None, Array]:
        """Carry rotations over, then the way of the hips."""
        index, reference = source.joint_index, self.options.reference
        if reference is not None and not 0 <= reference < self.frame_count:
            raise InvalidArguments(what="the frame", value=reference, allowed=f"0 to {self.frame_count - 1}")
        zero, rest = zero_rotations(source), rest_places(source)
        if reference is None and float(lean(self._mine, rest)) > _LYING:
            reference = int(np.argmin(lean(self._mine, {id: self._source_at[:, at, 9:] for id, at in index.items()})))
        self.reference = reference
        if reference is not None:
            rows = self._source_at[reference]
            zero = {joint.id: rows[index[joint.id], :9].reshape(3, 3) for joint in source.joints}
            rest = {joint.id: rows[index[joint.id], 9:] for joint in source.joints}
        turns = find_alignment(source, self.target, self.joints, rest)
        used = {a for a, _ in self.joints.pairs}
        used |= {id for each in self.joints.between for id in (each.lower, each.upper)}
        used |= {id for each in self.joints.rhythms for id in (each.thorax, each.arm)}
        used |= {id for each in self.joints.toes for id in (each.toes, each.foot)}
        turned: dict[str, Array] = {}
        for a in used:
            turned[a] = self._source_at[:, index[a], :9].reshape(-1, 3, 3) @ zero[a].T
            yield 0.0
        own = rest_places(self.target)
        going = {each.joint: turns_of(each, turned, rest, own, turns[each.joint]) for each in self.joints.rhythms}
        carrying = carry_over_gradually(self.target, self.joints, turns, turned, self.frame_count, going)
        values = yield from within(carrying, 0.0, _TURNED)
        if self.target.limits_on:
            pack = pack_over(self.target, self.target.limits_on, self.target.coordinates)
            for number, row in enumerate(values):
                if number % _TOGETHER == 0:
                    yield _TURNED
                project_pose(pack.ints, pack.floats, row, row)
        self.scale = self._leg(rest_places(self.target), self._yours) / self._leg(rest, self._mine)
        yield from within(self._spread_leaps(values, turned), _TURNED, 1.0)
        rows = yield from within(_transforms_gradually(self._model, values), 1.0, 1.0)
        self._move_hips(rows, values)
        return values

    def _spread_leaps(self, values: Array, turned: Mapping[str, Array]) -> Generator[float, None, None]:
        """Lead joints over a little time where limits let them go on only from another side."""
        fastest = 0.0
        for id, each in turned.items():
            # A knee turns faster against its thigh than either does in the world.
            above = turned.get(self._source.joint(id).parent or "")
            for way in (each,) if above is None else (each, np.swapaxes(above, 1, 2) @ each):
                fastest = max(fastest, float(np.abs(rotation_vectors(_steps(way))).max(initial=0.0)))
            yield 0.0
        step = max(_HURRY * fastest, _LEAST_STEP)
        for number, joint in enumerate(self.target.joints):
            yield number / len(self.target.joints)
            hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
            columns = [self.target.coordinate_index[dof.id] for dof in hinges]
            if hinges:
                own = hinge_chain(np.array([dof.axis for dof in hinges]), values[:, columns])
                steps = np.linalg.norm(rotation_vectors(_steps(own)), axis=1)
                values[:, columns] = spread_leaps(values[:, columns], steps, step, round(_LED * self._hertz))

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

    def _move_hips(self, rows: Array, out_values: Array) -> None:
        """Find slides of the root that bring the middle of the hips to its scaled place; `rows` are where the joints
        are before."""
        root = next(joint for joint in self.target.joints if joint.parent is None)
        slides = [dof for dof in root.dofs if dof.kind == "slide"]
        roles, index = self._hips(), self._source.joint_index
        if not slides or any(role not in self._yours or role not in self._mine for role in roles):
            return
        wanted = np.mean([self._source_at[:, index[self._mine[role]], 9:] for role in roles], axis=0) * self.scale
        low, own = self._ankle_heights()
        wanted[:, 1] += own - self.scale * low
        now = np.mean([rows[:, self.target.joint_index[self._yours[role]], 9:] for role in roles], axis=0)
        out_values[:, [self.target.coordinate_index[dof.id] for dof in slides]] = 0.0
        self._slide(wanted - now, out_values)

    def _slide(self, way: Array, out_values: Array) -> None:
        """Move the figure by slides of its root [m], shape [frame_count, 3], within their limits."""
        root = next(joint for joint in self.target.joints if joint.parent is None)
        slides = [dof for dof in root.dofs if dof.kind == "slide"]
        axes = zero_rotations(self.target)[root.id] @ np.array([dof.axis for dof in slides]).reshape(-1, 3).T
        found = np.linalg.lstsq(axes, way.T, rcond=None)[0]
        for dof, value in zip(slides, found, strict=True):
            column = self.target.coordinate_index[dof.id]
            lower = -np.inf if dof.lower is None else dof.lower
            upper = np.inf if dof.upper is None else dof.upper
            out_values[:, column] = np.clip(out_values[:, column] + value, lower, upper)

    def _lead_hips(self) -> bool:
        """Move the whole figure as far, on average and smoothly, as its feet have to go to where they are held: what is
        left for legs to do is little, and those that swing go along. Tell whether it moves."""
        feet = [place for place, (role, _) in enumerate(self._spots) if not role.startswith("wrist")]
        weights, change = self._find_changes()
        held = weights[:, feet].sum(axis=1)
        known = np.flatnonzero(held > _BARELY)
        if not len(known):
            return False
        mean = np.einsum("fs,fsi->fi", weights[known][:, feet], change[known][:, feet]) / held[known, None]
        frames = np.arange(self.frame_count)
        way = np.stack([np.interp(frames, known, column) for column in mean.T], axis=1)
        self._slide(_smoothed(way, _LEAD * self._hertz), self.carried)
        return True

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

    def _spot_points(self, rows: Array) -> Array:
        """The spots as they were carried over [m], shape [frame_count, spot_count, 3]; `rows` are those of joints."""
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
        self._is_level, still = self._stands(spans) >= _SELDOM, self.options.still
        still = replace(still, speed=min(_HASTY * still.speed, 5.0), height=min(_HIGH * still.height, 1.0))
        for role, floors in {} if self._is_level else self._floors_around(spans).items():
            points = self._source_point(role)
            assert points is not None, "it has a floor"
            spans[role] = find_contacts(points, floors, self._hertz, grown, still)
        found = [ContactSpan(dict(self._spots)[role], span, place) for role, span, place in self._placed(spans)]
        order = [id(spot) for _, spot in self._spots]
        return sorted(found, key=lambda each: (order.index(id(each.spot)), each.span))

    def _stands(self, spans: Mapping[str, Sequence[tuple[int, int]]]) -> float:
        """The share of the frames in which a foot is held; all of them without feet."""
        held = np.zeros(self.frame_count, bool)
        for role, every in spans.items():
            for first, last in every if not role.startswith("wrist") else ():
                held[first : last + 1] = True
        return float(held.mean()) if any(not role.startswith("wrist") for role in spans) else 1.0

    def _floors_around(self, roles: Iterable[str]) -> dict[str, Array]:
        """Find the floor of each foot in each frame [m]: the lowest that heels, or balls, of both feet come to near
        that time. Suits without cameras let it rise and fall."""
        reach, found = round(_AROUND * self._hertz), dict[str, Array]()
        feet = [role for role in roles if not role.startswith("wrist")]
        for role in feet:
            kind = role.partition(" ")[0]
            same = (self._source_point(each) for each in feet if each.startswith(kind))
            lowest = np.min([points[:, 1] for points in same if points is not None], axis=0)
            padded = np.pad(lowest, reach, mode="edge")
            found[role] = np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).min(axis=1)
        return found

    def _placed(self, spans: dict[str, list[tuple[int, int]]]) -> Iterator[tuple[str, tuple[int, int], Array]]:
        """Compute the places where spots are held: the mean over the span, on the floor. A heel or a ball that comes
        down while the other one is held does so at the foot's length from there."""
        spots, columns = dict(self._spots), {role: place for place, (role, _) in enumerate(self._spots)}
        known: dict[str, tuple[tuple[int, int], Array]] = {}  # the latest of each role
        for span, role in sorted((span, role) for role, every in spans.items() for span in every):
            frames = slice(span[0], span[1] + 1)
            points = self._points[frames, columns[role]]
            place = points.mean(axis=0)
            name, _, side = role.rpartition(" ")
            if name != "wrist":
                other = f"{_FOOT[name]} {side}"
                held = known.get(other)
                if held is not None and held[0][1] >= span[0]:
                    way = (points - self._points[frames, columns[other]]).mean(axis=0)
                    way *= (1.0, 0.0 if self._is_level else 1.0, 1.0)
                    length = float(np.linalg.norm(np.subtract(spots[role].point, spots[other].point)))
                    place = held[1] + way * (length / max(float(np.linalg.norm(way)), 1e-9))
                place[1] = 0.0 if self._is_level else max(float(place[1]), 0.0)
            known[role] = span, place
            yield role, span, place

    def _find_changes(self) -> tuple[Array, Array]:
        """How much each spot is held in each frame, and how far that is from where it is carried [m]."""
        weights, change = np.zeros(self._points.shape[:2]), np.zeros_like(self._points)
        for place, (_, spot) in enumerate(self._spots):
            own = [each for each in self.contacts if each.spot is spot]
            if own:
                weights[:, place], change[:, place] = self._eased(own, self._points[:, place])
        return weights, change

    def _find_targets(self) -> Array:
        """Compute the target positions of the spots [m], shape [frame_count, spot_count, 3]."""
        targets = self._points.copy()
        if not self.options.keep_contacts:
            return targets
        weights, change = self._find_changes()
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

    def _eased(self, contacts: Sequence[ContactSpan], points: Array) -> tuple[Array, Array]:
        """How much a spot is held in each frame, and how far from where it is carried [m]: within the span of a contact
        by that one alone, before and after it as far as at its ends. So a foot that leaves is not drawn back."""
        ease, frames = self.options.still.ease, np.arange(self.frame_count)
        shares = np.array([ease_contact(each.span, self.frame_count, self._hertz, ease) for each in contacts])
        free = np.array([np.prod(1.0 - np.delete(shares, place, axis=0), axis=0) for place in range(len(shares))])
        alone = shares * free
        whole = np.maximum(alone.sum(axis=0), 1e-300)
        moved = np.array([each.place - points[frames.clip(*each.span)] for each in contacts])
        return 1.0 - np.prod(1.0 - shares, axis=0), np.einsum("cf,cfi->fi", alone / whole, moved)

    def _other(self, role: str) -> int | None:
        """The heel of a ball of the foot, and the other way round."""
        name, _, side = role.rpartition(" ")
        partner = f"{_FOOT[name]} {side}" if name in _FOOT else None
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

    def _find_kept(self) -> list[int]:
        """Find which spots have goals: all of the feet, and hands that touch."""
        touching = {id(contact.spot) for contact in self.contacts}
        return [
            place
            for place, (role, spot) in enumerate(self._spots)
            if self.options.keep_contacts and (not role.startswith("wrist") or id(spot) in touching)
        ]

    def _compile(self) -> Problem | None:
        """Goals for those spots; what may move are their limbs and the hips."""
        if not self._kept:
            return None
        spots = [self._spots[place][1] for place in self._kept]
        movable: set[str] = set()
        for role, joint in self._yours.items():
            name, _, side = role.rpartition(" ")
            top = self._yours.get(f"thigh {side}" if name == "ankle" else f"upper arm {side}")
            if top is not None and joint in {spot.joint for spot in spots}:
                movable |= chain(self.target, joint, "joint", up_to=top)
        root = next(joint for joint in self.target.joints if joint.parent is None)
        moved = {dof.id: _HEAVY if dof.kind == "slide" else _STIFF for dof in root.dofs if dof.kind != "ball"}
        participant = Participant(
            actor="target", figure=self.target, movable=frozenset(movable | set(moved)), stiffness=moved
        )
        goals = [PositionGoal(spot=spot, target=(0.0, 0.0, 0.0)) for spot in spots]
        return compile_problem([participant], goals, tolerance=_TOLERANCE)


def _transforms_gradually(model: Model, poses: Array) -> Generator[float, None, Array]:
    """Compute world transforms of the joints in each frame, shape [frame_count, joint_count, 12], in slices."""
    state = model.new_state()
    out = np.empty((len(poses), model.joint_count, 12))
    for frame, pose in enumerate(np.ascontiguousarray(poses)):
        if frame % _TOGETHER == 0:
            yield frame / len(poses)
        compute_forward_kinematics(model.ints, model.floats, pose, state)
        out[frame] = model.transforms(state)
    return out


def _smoothed(way: Array, frames: float) -> Array:
    """A path [frame_count, 3] without what is faster than so many frames, by a bell of that width; ends held."""
    reach = math.ceil(3.0 * frames)
    bell = np.exp(-0.5 * (np.arange(-reach, reach + 1) / max(frames, 1e-9)) ** 2)
    padded = np.pad(way, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(column, bell / bell.sum(), mode="valid") for column in padded.T], axis=1)


def _steps(turns: Array) -> Array:
    """The turn of each frame after the one before."""
    return np.asarray(np.swapaxes(turns[:-1], 1, 2) @ turns[1:])
