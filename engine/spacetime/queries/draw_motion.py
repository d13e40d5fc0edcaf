"""DrawMotion: a motion that a search has come to, as it is drawn beside the figure: where it has the figure, where
demands are wanted, and what pushes it.

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from time import perf_counter
from typing import TYPE_CHECKING

from engine.document import Actor, Document
from engine.document.values import Vector3
from engine.maths.quaternions import turned
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import IN_SPACE, SpacetimeConstraint, SpacetimeMeeting
from engine.spacetime.queries.drawn_plan import (
    KICK,
    LEAST_MASS,
    WEIGHT,
    ForceMark,
    GhostPoint,
    MotionWay,
    draw_way,
    force_marks,
    ghost_points,
    shift_of,
)
from engine.spacetime.queries.posed_motion import MotionPoses, Posed, triple
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.model.trails import Onion
    from engine.spacetime.planned import Push
    from engine.spacetime.queries.seen_motion import MotionMiss, SeenMotion

SLICE = 0.004  # [s] of a step
ALONG = 0.22  # [s] between skins along a motion, about
MOST_ALONG = 9
SAME = 1e-6  # [s]
TOLD = 0.01  # share of the hardest push below which others are not drawn
SPEED = 0.1  # [s] that the arrow of a velocity reaches ahead
LONGEST, CONE = 1.2, 0.35  # of the figure's size, of any arrow and of the edges of a cone of friction
MOST_LABELS = 3  # of the demands that are missed most


@dataclass(frozen=True, kw_only=True)
class DemandMark:
    """A constraint as it is drawn: where it is wanted, and where the motion has it."""

    constraint: str  # id; empty: of the laws of motion, or a bound
    name: str
    part: str  # id of the joint that it is about
    time: int  # [ticks]
    place: Vector3  # [m] in the world
    at: Vector3 | None = None  # [m] where the motion has it then
    movable: bool = False  # whether a hand can lead it elsewhere
    velocity: Vector3 | None = None  # [m/s] that is wanted
    slides: tuple[tuple[str, Vector3], ...] = ()
    """Of a pose: the degrees of freedom by which its root is moved, each along a direction of the world."""
    missed: str = ""


@dataclass(frozen=True, kw_only=True)
class PushArrow:
    """A force on the figure at the present [N], or a blow at its time [N s]."""

    name: str
    part: str  # id of the joint that is pushed
    time: int  # [ticks]
    place: Vector3  # [m] in the world
    push: Vector3
    blow: bool
    length: float  # [m] that it is drawn with


@dataclass(frozen=True, kw_only=True)
class StandMark:
    """A point that stands on the ground in the stage that is chosen, and the edges of its cone of friction."""

    part: str  # id of the joint
    place: Vector3  # [m] in the world
    edges: tuple[Vector3, ...]  # [m] in the world, where they end


@dataclass(frozen=True, eq=False)
class MotionDrawn:
    """A motion as it is drawn, at a present."""

    document: Document
    motion: SeenMotion | None
    actor: Actor
    time: int
    onions: tuple[Onion, ...]
    marks: tuple[DemandMark, ...]
    arrows: tuple[PushArrow, ...]
    stands: tuple[StandMark, ...]
    ways: tuple[MotionWay, ...]  # the other minima
    points: tuple[GhostPoint, ...]
    forces: tuple[ForceMark, ...]
    posed: Mapping[int, Posed]  # the figure in the motion, by tick, for the next time that it is drawn


def draw_motion(
    evaluator: Evaluation,
    document: Document,
    actor: str,
    motion: SeenMotion | None,
    time: int,
    *,
    ways: tuple[SeenMotion, ...] = (),
    chosen: str | None = None,
    torques: bool = False,
    before: MotionDrawn | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Generator[MotionDrawn | None, None, None]:
    """Draw a motion of an actor at a present [ticks], or (None) what is demanded of one alone.

    Of the minima in `ways` those that are not the motion stand beside it, in their order. What is `chosen` is drawn,
    too: the pose that is demanded, or where the figure stands in a stage. `before` is what was drawn last, whose bodies
    are taken over where they are the same. With `torques` those of the motion are worked out as well
    (`SeenMotion.known_torques`). None between steps."""
    drawing = _Drawing(evaluator, document, document.actor(actor), motion, chosen, before)
    began = clock()
    if torques and motion is not None and motion.torques:
        yield None
    for tick in drawing.ticks_needed(time):
        drawing.look(tick)
        if clock() - began >= SLICE:
            yield None
            began = clock()
    beside = []
    for number, way in enumerate(ways, start=1):
        if motion in ways and way is not motion and way.actor == actor:
            yield None
            beside.append(drawing.way(way, number, time, len(beside) + 1))
    yield drawing.done(time, tuple(beside))


class _Drawing:
    """One motion, while it is drawn."""

    def __init__(
        self,
        evaluator: Evaluation,
        document: Document,
        owner: Actor,
        motion: SeenMotion | None,
        chosen: str | None,
        before: MotionDrawn | None,
    ) -> None:
        self._document, self._owner, self._chosen = document, owner, chosen
        self._evaluator, self._before = evaluator, before
        self._motion = motion if motion is not None and motion.actor == owner.id else None
        kept = before is not None and before.motion is motion and _stands_alike(before.actor, owner)
        known = before.posed if before is not None and kept else {}
        self._poses = MotionPoses(evaluator, document, owner, self._motion, known)
        self._plan = self._poses.plan

    def ticks_needed(self, time: int) -> list[int]:
        """The ticks at which the figure is looked at."""
        demanded = [*map(self._when, self._shown_constraints()), *map(self._when, self._met())]
        return demanded if self._motion is None else [self._within(time), *self._along(), *demanded]

    def look(self, tick: int) -> None:
        """Have the figure stand at a tick."""
        self._poses.pose(tick)

    def way(self, way: SeenMotion, number: int, time: int, slots: int) -> MotionWay:
        """Draw another minimum so many places beside the motion, or take it over as it was drawn last."""
        tick, before = min(max(time, way.start), way.end), self._before
        shift = shift_of(self._poses, self._plan, self._along(), slots)
        if before is not None and _stands_alike(before.actor, self._owner):
            for each in before.ways:
                if (each.number, each.time, each.shift) == (number, tick, shift) and each.motion is way:
                    return each
        return draw_way(self._evaluator, self._document, self._owner, way, number, time, shift)

    def done(self, time: int, ways: tuple[MotionWay, ...] = ()) -> MotionDrawn:
        """All that is drawn."""
        motion = self._motion
        taken = motion is not None and motion.start <= time <= motion.end
        return MotionDrawn(
            document=self._document,
            motion=self._motion,
            actor=self._owner,
            time=time,
            onions=(*self._demanded_pose(), *(each.onion for each in ways), *self._onions(time)),
            marks=tuple(self._marks()),
            arrows=tuple(self._arrows(time)),
            stands=tuple(self._stands(time)),
            ways=ways,
            points=tuple(ghost_points(self._poses, self._plan, time)) if taken else (),
            forces=tuple(force_marks(self._poses, self._plan, time, self._chosen)),
            posed=self._poses.known(set(self.ticks_needed(time))),
        )

    # The figure

    def _onions(self, time: int) -> tuple[Onion, ...]:
        from engine.model.trails import Onion

        if self._motion is None:
            return ()
        now = self._within(time)
        others = sorted(
            (tick for tick in dict.fromkeys(self._along()) if tick != now), key=lambda each: abs(each - now)
        )
        numbered = [(now, 0), *((tick, -place if tick < now else place) for place, tick in enumerate(others, start=1))]
        return tuple(
            Onion(time=tick, number=number, bodies=posed.bodies, skins=posed.skins, fresh=True, planned=True)
            for tick, number, posed in ((tick, number, self._poses.pose(tick)) for tick, number in reversed(numbered))
        )

    def _demanded_pose(self) -> tuple[Onion, ...]:
        """The pose that is demanded, where that is what is chosen."""
        from engine.model.trails import Onion

        found = next((each for each in self._plan.constraints if each.id == self._chosen), None)
        if found is None or found.quantity != "pose" or not found.values:
            return ()
        tick = self._when(found)
        bodies, skins = self._poses.made(tick, {**self._poses.values(tick), **dict(found.values)})
        return (Onion(time=tick, number=1, bodies=bodies, skins=skins, fresh=True),)

    def _along(self) -> list[int]:
        """Ticks of the skins along the motion: the ends of its stages, and some between."""
        assert self._motion is not None, "along one"
        ticks = [self._motion.start]
        room = max(MOST_ALONG - len(self._motion.stages) - 1, 0)
        for stage in self._motion.stages:
            between = min(max(round(stage.length / ALONG) - 1, 0), room)
            room -= between
            steps = between + 1
            ticks += [self._motion.tick(stage.begins + stage.length * step / steps) for step in range(1, steps + 1)]
        return ticks

    def _within(self, time: int) -> int:
        assert self._motion is not None, "within one"
        return min(max(time, self._motion.start), self._motion.end)

    # What pushes

    def _arrows(self, time: int) -> Iterator[PushArrow]:
        """Yield all blows, and forces at the present, where the motion has one, over them."""
        motion = self._motion
        if motion is None:
            return
        within = motion.start <= time <= motion.end
        forces = motion.compiled.pushes(motion.planned, motion.seconds(time)) if within else ()
        for pushes in (self._blows(motion), forces):
            sizes = [math.hypot(*each.vector) for each in pushes]
            for push, size in zip(pushes, sizes, strict=True):
                if size > TOLD * max(sizes):
                    yield self._arrow(motion, push, size)

    def _blows(self, motion: SeenMotion) -> list[Push]:
        """The blows of a motion; those that stop what is nailed from then on are one, in their middle, and so are the
        parts of one that another actor gives."""
        found: list[Push] = []
        stops: dict[float, list[Push]] = {}
        given: dict[tuple[str, float], list[Push]] = {}
        meetings = self._blow_names()
        for each in motion.compiled.blows(motion.planned):
            if each.name in meetings:
                given.setdefault((each.name, each.seconds), []).append(each)
                continue
            after = next((at for at, span in enumerate(motion.stages) if span.begins > each.seconds - SAME), None)
            nailed = after is not None and motion.compiled.plan.stages[after].nailed
            (stops.setdefault(each.seconds, []) if nailed else found).append(each)
        return found + [_together(each) for each in (*stops.values(), *given.values())]

    def _blow_names(self) -> set[str]:
        """Names of the meetings in which actors push each other."""
        plans = (spacetime_of(each) for each in self._document.actors)
        return {each.name for plan in plans if plan is not None for each in plan.meetings if each.blow}

    def _stands(self, time: int) -> Iterator[StandMark]:
        """Yield where the figure stands in the stage that is chosen, at the present or as near to it as that stage is.
        Edges of a cone are in the plane of the motion; in space there are four."""
        stage = next((each for each in self._plan.stages if each.id == self._chosen), None)
        if stage is None:
            return
        first, last = (self._poses.tick(stage.id, share) for share in (0.0, 1.0))
        tick = min(max(time, first), last)
        for contact in stage.contacts:
            place = self._poses.place(tick, contact.joint, contact.point)
            yield StandMark(part=contact.joint, place=place, edges=self._cone(tick, place, contact.friction))

    def _cone(self, tick: int, place: Vector3, friction: float) -> tuple[Vector3, ...]:
        import numpy as np

        ways = np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)])
        if self._plan.plane is not None:
            across = np.cross((0.0, 1.0, 0.0), turned(self._poses.stands(tick).rotation, self._plan.plane))
            size = float(np.linalg.norm(across))
            ways = np.array([across / size, -across / size]) if size > 1e-6 else ways
        leans = friction * ways + (0.0, 1.0, 0.0)
        leans *= CONE * self._poses.reach / np.linalg.norm(leans, axis=1, keepdims=True)
        return tuple(triple(np.array(place) + lean) for lean in leans)

    def _arrow(self, motion: SeenMotion, push: Push, size: float) -> PushArrow:
        mass = max(float(self._poses.weighed[:, 0].sum()), LEAST_MASS)
        length = KICK * size / mass if push.blow else WEIGHT * size / (9.81 * mass)
        return PushArrow(
            name=push.name[:1].upper() + push.name[1:],
            part=self._owner.figure.joints[0].id,
            time=motion.tick(push.seconds),
            place=push.position,
            push=push.vector,
            blow=push.blow,
            length=self._poses.reach * min(length, LONGEST),
        )

    # What is demanded

    def _shown_constraints(self) -> list[SpacetimeConstraint]:
        return [each for each in self._plan.constraints if each.on and (_has_place(each) or _slides(self._owner, each))]

    def _met(self) -> list[SpacetimeMeeting]:
        return [each for each in self._plan.meetings if each.on and each.quantity != "time"]

    def _when(self, constraint: SpacetimeConstraint | SpacetimeMeeting) -> int:
        share = constraint.at if constraint.until is None else 0.5 * (constraint.at + constraint.until)
        return self._poses.tick(constraint.stage, share)

    def _marks(self) -> Iterator[DemandMark]:
        """Yield all demands that have a place, and the worst of those that have none."""
        motion = self._motion
        worst = motion.misses[:MOST_LABELS] if motion is not None and motion.state != "solved" else ()
        missed = {each.constraint: _amount(each) for each in reversed(worst)}
        shown = self._shown_constraints()
        for constraint in shown:
            yield self._mark(constraint, missed.get(constraint.id, ""))
        met = self._met()
        drawn = {*(each.id for each in shown), *(each.id for each in met)}
        for meeting in met:
            yield self._mark_of_meeting(meeting, missed.get(meeting.id, ""))
        for miss in worst:
            if motion is not None and miss.constraint not in drawn:
                yield self._mark_of_miss(motion, miss)

    def _mark_of_miss(self, motion: SeenMotion, miss: MotionMiss) -> DemandMark:
        names = [each.name for each in self._plan.constraints if each.id == miss.constraint]
        motion = motion.together.get(miss.actor, motion)
        tick, root = motion.tick(miss.seconds), self._owner.figure.joints[0].id
        return DemandMark(
            constraint=miss.constraint,
            name=names[0] if names else miss.words.partition(" at ")[0],
            part=root,
            time=tick,
            place=miss.place or self._poses.place(tick, root, (0.0, 0.0, 0.0)),
            missed=_amount(miss),
        )

    def _mark_of_pose(self, constraint: SpacetimeConstraint, missed: str) -> DemandMark:
        """Mark a pose at its root."""
        tick, root = self._when(constraint), self._owner.figure.joints[0].id
        posed = self._poses.made(tick, {**self._poses.values(tick), **dict(constraint.values)})
        rotation = self._poses.stands(tick).rotation
        return DemandMark(
            constraint=constraint.id,
            name=constraint.name,
            part=root,
            time=tick,
            place=triple(posed.bodies.transforms[0, :, 3].astype(float)),
            at=None if self._motion is None else self._poses.place(tick, root, (0.0, 0.0, 0.0)),
            movable=True,
            slides=tuple((dof, turned(rotation, axis)) for dof, axis in _slides(self._owner, constraint)),
            missed=missed,
        )

    def _mark_of_meeting(self, meeting: SpacetimeMeeting, missed: str) -> DemandMark:
        """Mark a meeting at the point of this actor."""
        tick = self._when(meeting)
        at = self._poses.place(tick, meeting.joint, meeting.point)
        return DemandMark(
            constraint=meeting.id,
            name=meeting.name,
            part=meeting.joint,
            time=tick,
            place=at,
            at=None if self._motion is None else at,
            missed=missed,
        )

    def _mark(self, constraint: SpacetimeConstraint, missed: str) -> DemandMark:
        if constraint.quantity == "pose":
            return self._mark_of_pose(constraint, missed)
        joint, tick = constraint.joint, self._when(constraint)
        part = joint if joint is not None else self._owner.figure.joints[0].id
        at = self._poses.place(tick, joint, constraint.point)
        moves = constraint.quantity in ("point", "centre")
        return DemandMark(
            constraint=constraint.id,
            name=constraint.name,
            part=part,
            time=tick,
            place=(constraint.position or at) if moves else at,
            at=None if self._motion is None else at,
            movable=moves and constraint.position is not None,
            velocity=None if moves else constraint.position,
            missed=missed,
        )


def _together(pushes: list[Push]) -> Push:
    """Their sum, in their middle."""
    count = len(pushes)
    x, y, z = (sum(each) / count for each in zip(*(push.position for push in pushes), strict=True))
    i, j, k = (sum(each) for each in zip(*(push.vector for push in pushes), strict=True))
    return replace(pushes[0], position=(x, y, z), vector=(i, j, k))


def _amount(miss: MotionMiss) -> str:
    """By how much it is missed, in words."""
    return miss.words.rpartition(": ")[2]


def _has_place(constraint: SpacetimeConstraint) -> bool:
    """True of what is drawn where it is wanted: places and velocities of points and of the centre of mass."""
    return constraint.position is not None and constraint.quantity in IN_SPACE


def _slides(owner: Actor, constraint: SpacetimeConstraint) -> tuple[tuple[str, Vector3], ...]:
    """The degrees of freedom that a pose has of the root and that move it as a whole, with their axes."""
    given = {dof for dof, _ in constraint.values} if constraint.quantity == "pose" else set()
    before = takewhile(lambda dof: dof.kind == "slide", owner.figure.joints[0].dofs)
    return tuple((dof.id, dof.axis) for dof in before if dof.id in given)


def _stands_alike(one: Actor, other: Actor) -> bool:
    """True if what a motion leaves open is the same for both."""
    return (
        one.figure is other.figure
        and one.layers == other.layers
        and one.placement == other.placement
        and one.attachments == other.attachments
    )
