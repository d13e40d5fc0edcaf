"""Contacts of a plan: forces of the ground on what stands, within friction; blows where it strikes.

Each point of a contact has a force, or a blow, along the world's y, which pushes only; each joint that stands has one
more along the ground, within friction of all of its points. A root that is held stays as a whole; of any other joint
the first point is held, and the others as far as they may turn about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.document import Actor
from engine.document.values import Vector3
from engine.spacetime.parts import SpacetimeContact, SpacetimeStage
from engine.spacetime.problem import Quantity, Representation
from engine.spacetime.spaces import UP, AskedDemand, MotionSpace, Place

_PUSH = Representation(kind="hat")
_APART = 0.1  # [m] from the root's middle, where blows hold what is nailed without contacts


@dataclass(frozen=True)
class AnchoredPoint:
    """Where a contact stands as a stage begins and ends, at which of these a pose has it there, and whether the stage
    before holds it there, too."""

    begin: Vector3
    end: Vector3
    posed: tuple[bool, bool]
    goes_on: bool


@dataclass(frozen=True)
class Pushing:
    """Where a force or blow acts, and which way."""

    place: Place
    direction: Vector3
    blow: bool


@dataclass
class PlanParts:
    """Gathers what a plan comes to, and by what names a person knows its forces."""

    demands: list[Any] = field(default_factory=list)
    forces: list[Any] = field(default_factory=list)
    blows: list[Any] = field(default_factory=list)
    cones: list[Any] = field(default_factory=list)
    labels: dict[str, str] = field(default_factory=dict)  # of functions
    pushing: dict[str, Pushing] = field(default_factory=dict)  # where forces and blows act
    points: dict[Place, int] = field(default_factory=dict)  # of contacts

    def number(self, place: Place) -> int:
        """Number a point of a contact, the same one on all stages."""
        return self.points.setdefault(place, len(self.points))


def support(
    space: MotionSpace,
    actor: Actor,
    stage: SpacetimeStage,
    made: PlanParts,
    coordinates: Mapping[str, Representation],
    way: int,
    places: Mapping[SpacetimeContact, AnchoredPoint | None],
) -> dict[str, Representation]:
    """Let the ground push what stands during a stage; `way` along the ground goes what slides. `places` are where
    contacts stand, where that is known."""
    found: dict[str, Representation] = {}
    for joint, contacts in _gathered(space, stage.contacts):
        held = (
            any(coordinates[name].kind == "held" for name in space.root[:1])
            and space.carrier(joint) == space.root_joint
        )
        points = [made.number((joint, each.point)) for each in contacts]
        normals = [f"push {number}" for number in points]
        tangents = [f"grip {points[0]}/{number}" for number in range(len(space.axes) - 1)]
        representation = _PUSH if held else Representation(kind="hermite")
        name = actor.figure.joint(joint).name
        for normal, contact in zip(normals, contacts, strict=True):
            _force(space, made, normal, (joint, contact.point), UP, f"the push of the ground at {name}", blow=False)
        for tangent, axis in zip(tangents, space.axes, strict=False):
            _force(space, made, tangent, (joint, contacts[0].point), axis, f"friction at {name}", blow=False)
        found |= dict.fromkeys((*normals, *tangents), representation)
        sliding = contacts[0].kind == "sliding"
        slides = -way if sliding else 0
        made.cones += space.cone(stage.id, normals, tangents, contacts[0].friction, slides)
        if held:
            continue
        anchored = places[contacts[0]] if space.apart else None
        if anchored is not None:
            _hold_in_place(space, stage, contacts[0], made, anchored)
        else:
            _hold(space, stage, joint, contacts, made)
    return found


def strike(
    space: MotionSpace, actor: Actor, stage: SpacetimeStage, after: SpacetimeStage, made: PlanParts
) -> dict[str, Representation]:
    """Let the ground strike, as a stage ends, where something stands in the next one that did not before: that, and
    what stood already and is pressed on it."""
    found: dict[str, Representation] = {}
    standing = {(each.joint, each.point) for each in stage.contacts}
    fresh = tuple(each for each in after.contacts if (each.joint, each.point) not in standing)
    hardest = float("inf") if stage.hardest is None else stage.hardest
    if not fresh and after.nailed and not stage.nailed:
        return _nail(space, actor, stage, made)
    for joint, contacts in _gathered(space, after.contacts if fresh else ()):
        name = actor.figure.joint(joint).name
        first = sum(name.startswith(f"blow {joint}/") and name.endswith(f" of {stage.id}") for name in found)
        normals = [f"blow {joint}/{first + number} of {stage.id}" for number in range(len(contacts))]
        tangents = [f"scrape {joint}/{2 * first + number} of {stage.id}" for number in range(len(space.axes) - 1)]
        middle = _middle(contacts)
        for normal, contact in zip(normals, contacts, strict=True):
            _force(space, made, normal, (joint, contact.point), UP, f"the blow at {name}", blow=True)
        for tangent, axis in zip(tangents, space.axes, strict=False):
            _force(space, made, tangent, (joint, middle), axis, f"the blow along the ground at {name}", blow=True)
        found |= dict.fromkeys(normals, Representation(kind="single", least=0.0, most=hardest))
        found |= dict.fromkeys(tangents, Representation(kind="single"))
        if not after.nailed:
            made.cones += space.cone(stage.id, normals, tangents, contacts[0].friction, 0)
    return found


def _gathered(space: MotionSpace, contacts: tuple[SpacetimeContact, ...]) -> list[tuple[str, list[SpacetimeContact]]]:
    """Gather contacts that share their friction: those of a joint in a plane, each for itself in space."""
    if space.apart:
        return [(each.joint, [each]) for each in contacts]
    return list(by_joint(contacts).items())


def by_joint(contacts: tuple[SpacetimeContact, ...]) -> dict[str, list[SpacetimeContact]]:
    """Gather contacts by the joint that stands."""
    found: dict[str, list[SpacetimeContact]] = {}
    for each in contacts:
        found.setdefault(each.joint, []).append(each)
    return found


def _nail(space: MotionSpace, actor: Actor, stage: SpacetimeStage, made: PlanParts) -> dict[str, Representation]:
    """Let what is nailed from then on be stopped by whatever blow that takes."""
    root = space.root_joint
    names = list[str]()
    for axis in space.axes:
        for side in (-1.0, 1.0):
            name = f"stop {root}/{len(names)} of {stage.id}"
            along = space.axes[0] if axis != space.axes[0] else space.axes[-1]
            place = (side * _APART * along[0], side * _APART * along[1], side * _APART * along[2])
            label = f"the blow that stops {actor.figure.joint(root).name}"
            _force(space, made, name, (root, place), axis, label, blow=True)
            names.append(name)
    return dict.fromkeys(names, Representation(kind="single"))


def _force(
    space: MotionSpace, made: PlanParts, name: str, place: Place, direction: Vector3, label: str, *, blow: bool
) -> None:
    make: Any = space.blow if blow else space.force
    if name in made.pushing:  # of another stage
        return
    (made.blows if blow else made.forces).append(make(name, place, direction))
    made.labels[name] = label
    made.pushing[name] = Pushing(place, direction, blow)


def _hold(
    space: MotionSpace, stage: SpacetimeStage, joint: str, contacts: list[SpacetimeContact], made: PlanParts
) -> None:
    """Let points of a joint that is not the root stand: no velocity at the ends and middles of pieces."""
    for number, contact in enumerate(contacts[:2]):
        ways = space.axes if number == 0 and contact.kind == "held" else (UP,)
        for axis in ways:
            made.demands.append(
                space.demand(AskedDemand(
                    stage=stage.id, quantity="point rate", place=(joint, contact.point), direction=axis, at=0.0,
                    until=1.0, least=0.0, most=0.0, key=f"contact {stage.id} {joint}", samples=2,
                ))
            )  # fmt: skip


def _hold_in_place(
    space: MotionSpace,
    stage: SpacetimeStage,
    contact: SpacetimeContact,
    made: PlanParts,
    anchored: AnchoredPoint,
) -> None:
    """Let a point stand where pieces meet, at the place where a pose has it, or slide at its height; where two poses
    differ a little, it goes evenly from one to the other. Velocities alone would leave it free to jump to and fro
    between pieces."""
    place = contact.joint, contact.point
    known = anchored.posed[0] or anchored.goes_on, anchored.posed[1]

    def demand(quantity: Quantity, axis: Vector3, at: float, value: float) -> None:
        made.demands.append(
            space.demand(AskedDemand(
                stage=stage.id, quantity=quantity, place=place, direction=axis, at=at, least=value, most=value,
                key=f"contact {stage.id} {place[0]}",
            ))
        )  # fmt: skip

    for axis in space.axes if contact.kind == "held" else (UP,):
        first, last = (sum(a * b for a, b in zip(axis, e, strict=True)) for e in (anchored.begin, anchored.end))
        for node in range(stage.pieces + 1):
            share = node / stage.pieces
            if node not in (0, stage.pieces) or not known[node > 0]:
                demand("point", axis, share, first + share * (last - first))
        for at, is_known in zip((0.0, 1.0), known, strict=True):
            if not is_known:
                demand("point rate", axis, at, 0.0)


def _middle(contacts: list[SpacetimeContact]) -> Vector3:
    count = len(contacts)
    x, y, z = (sum(each.point[k] for each in contacts) / count for k in range(3))
    return x, y, z
