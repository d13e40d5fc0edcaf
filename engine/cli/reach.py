"""The command `reach SCENE PART=X,Y,Z ...` of `python -m engine`: a figure posed by places of its parts.

It is posed as a drag in the window poses it. What is printed are the degrees of freedom that moved, as `pose --set`
takes them, and on standard error how near each part came.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.cli.command_line import as_set, open_scene
from engine.commands.reach import PullHandle, Reach, Reached
from engine.document import Actor, Document
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.ik.goals import PositionGoal
from engine.ik.methods import Terms
from engine.long.prepare import prepare
from engine.model.snapshot import Snapshot
from engine.queries.naming import actor_named, slug, spot_named, ticks_of
from engine.queries.needs import needs_of
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class ReachOptions:
    """How a figure is posed."""

    actor: str | None = None  # None: the only one
    held: Sequence[str] = ()
    natural: float | None = None  # None: as the scene says
    floor: bool | None = None
    time: float = 0.0  # [s]
    out: Path | None = None
    as_json: bool = False


def reach_lines(scene: str, goals: Sequence[str], chosen: ReachOptions) -> list[str]:
    """Pose a figure, write the scene where that is wanted, and list what moved."""
    document, time = open_scene(scene), ticks_of(chosen.time, "the time to pose at")
    owner = _owner(document, chosen.actor)
    natural = owner.natural if chosen.natural is None else chosen.natural
    floor = owner.floor if chosen.floor is None else chosen.floor
    request = PullHandle(
        drag="reach",
        actor=owner.id,
        goals=tuple(_goal(owner, each) for each in goals),
        held=tuple(spot_named(owner, name) for name in chosen.held),
        terms=Terms(iterations=1000, milliseconds=50.0),
    )
    asked = document.with_actor(replace(owner, natural=natural, floor=floor))
    prepare({"posing", *needs_of(asked), *request.needs})
    evaluator = Evaluator()
    before = _pose(evaluator.snapshot(asked, time, skins=False), owner)
    reached = Reach(evaluator).settle(asked, time, request)
    if chosen.out is not None:
        posed = replace(reached.snapshot.document.actor(owner.id), natural=owner.natural, floor=owner.floor)
        sinew.write(chosen.out, reached.snapshot.document.with_actor(posed))
    after = _pose(reached.snapshot, owner)
    moved = {name: value for name, value in after.items() if value != before[name]}
    return _lines(owner, reached, moved, as_json=chosen.as_json)


def _pose(picture: Snapshot, owner: Actor) -> dict[str, float]:
    """The coordinates that an actor has in a picture [rad or m]."""
    pose = next(each.pose for each in picture.bodies if each.owner == owner.id)
    assert pose is not None, "an evaluator gives it"
    return dict(zip(owner.figure.coordinates, pose.tolist(), strict=True))


def _owner(document: Document, name: str | None) -> Actor:
    if name is not None:
        return actor_named(document, name)
    if len(document.actors) != 1:
        names = ", ".join(slug(each.name) for each in document.actors)
        raise InvalidArguments(what="the actor to pose", value="not named", allowed=f"--actor with one of: {names}")
    return document.actors[0]


def _goal(owner: Actor, text: str) -> PositionGoal:
    name, _, place = text.partition("=")
    return PositionGoal(spot=spot_named(owner, name), target=_place(name, place))


def _place(name: str, text: str) -> Vector3:
    try:
        x, y, z = map(float, text.split(","))
    except ValueError:
        x = y = z = math.nan
    if not all(map(math.isfinite, (x, y, z))):
        allowed = "three numbers in metres, as in 0.3,1.2,0.4"
        raise InvalidArguments(what=f"the place of {name}", value=text, allowed=allowed)
    return x, y, z


def _lines(owner: Actor, reached: Reached, moved: dict[str, float], *, as_json: bool) -> list[str]:
    """List what moved, and say on standard error how near each part came."""
    report, goals = reached.outcome.report, reached.goals
    about = [(goals[each.goal], each.by) for each in report.missed]
    off = [(goal.spot.joint, by) for goal, by in about if isinstance(goal, PositionGoal)]
    if as_json:
        near = [{"joint": joint, "off": by} for joint, by in off]
        return [json.dumps({"state": report.state, "goals": near, "coordinates": moved}, allow_nan=False)]
    for joint, by in off:
        print(f"{joint}: {1e3 * by:.3f} mm off", file=sys.stderr)
    return [f"{slug(owner.name)}.{name}={as_set(owner.figure, name, value)}" for name, value in moved.items()]
