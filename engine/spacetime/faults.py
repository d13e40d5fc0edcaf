"""Plans that cannot be met, in words: which constraint, when, by how much, and where in the world.

Before a search: what is asked for beyond bounds, twice, or where nothing can be changed. After one: the demands that
are met least.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.document import Dof
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.maths.arrays import Array
from engine.optimise.program import violations
from engine.optimise.rank import find_dependent
from engine.optimise.report import WORST
from engine.spacetime.parts import Spacetime, SpacetimeConstraint
from engine.spacetime.spatial.tree import freedom_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.spacetime.compile import PlanProblem

MOST_EQUATIONS = 900  # of which the rank is worked out, in a fraction of a second
_SAME = 1e-6
_FAR = 1e-2  # of what is large for an equation
_ASIDE = 1e-4  # of what is large for a variable, where the rank is looked at
_UNITS = {
    "point": "m",
    "centre": "m",
    "point_velocity": "m/s",
    "centre_velocity": "m/s",
    "torque": "N m",
    "impulse": "N s",
}


@dataclass(frozen=True, kw_only=True)
class PlanFault:
    """Something that a plan says and that cannot be, or is better said otherwise."""

    words: str
    constraints: tuple[str, ...] = ()  # ids
    stages: tuple[str, ...] = ()
    time: int | None = None  # [ticks]
    fatal: bool = True

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, kw_only=True)
class WorstDemand:
    """A demand that is missed: whose it is, when, by how much, and where."""

    constraint: str | None  # id; None where the figure, a stage or a contact asks for it
    name: str
    stage: str
    seconds: float  # from the begin of the plan
    time: int  # [ticks]
    amount: float
    unit: str
    position: Vector3  # in the world

    def __str__(self) -> str:
        amount, unit = (math.degrees(self.amount), "°") if self.unit == "rad" else (self.amount, f" {self.unit}")
        return f"{self.name} at {self.seconds:.3f} s: missed by {amount:.3g}{unit}"


def worst_demands(source: PlanProblem, search: Any, x: Array, *, tolerance: float) -> tuple[WorstDemand, ...]:
    """List the demands that variables miss most, beside what is large for each; one line for each demand."""
    program = search.program
    amounts = violations(program.shape, program.evaluate(x).constraints)
    found: dict[Any, WorstDemand] = {}
    for at in np.argsort(-amounts / program.shape.constraint_scale, kind="stable").tolist():
        if len(found) == WORST:
            break
        if amounts[at] > tolerance:
            origin = program.origin(at)
            owner = origin.key or (origin.kind, origin.of)
            if owner not in found:
                found[owner] = describe_unmet(source, search, x, at, float(amounts[at]))
    return tuple(found.values())


def describe_unmet(source: PlanProblem, search: Any, x: Array, constraint: int, amount: float) -> WorstDemand:
    """Say whose a constraint of a program is, and where."""
    program, plan, motion = search.program, source.plan, search.motion(x)
    stage, share = program.moment(constraint)
    origin = program.origin(constraint)
    begins = np.concatenate([[0.0], np.cumsum(motion.lengths)])
    seconds = float(begins[stage] + share * motion.lengths[stage])
    owner = next((each for each in plan.constraints if each.id == origin.key), None)
    q = motion.coordinates(seconds, before=share == 1.0)
    return WorstDemand(
        constraint=None if owner is None else owner.id,
        name=_name(source, origin, owner),
        stage=plan.stages[stage].id,
        seconds=seconds,
        time=plan.start + round(seconds * TICKS_PER_SECOND),
        amount=amount,
        unit=_unit(source, origin, owner),
        position=source.space.point_at(q, _place(source, origin, owner)),
    )


def _name(source: PlanProblem, origin: Any, owner: SpacetimeConstraint | None) -> str:
    of = function_words(source, origin.of)
    if owner is not None:
        return f"{owner.name} ({of})" if owner.quantity == "pose" and of else owner.name
    if origin.key.startswith("contact "):
        _, stage, joint = origin.key.split(" ", 2)
        return f"{source.actor.figure.joint(joint).name} stands in {source.plan.stage(stage).name}"
    words = {
        "equation": f"the motion of {of}{'' if _is_driven(source, origin.of) else ', which no muscle drives'}",
        "bounds": f"the bounds of {of}",
        "path": f"{of}, which goes on from stage to stage",
        "momentum": f"the momentum of {of} from stage to stage",
        "cone": f"{of}, within the friction cone",
        "whole": "the length of all stages together",
        "demand": of,
    }
    return words[origin.kind]


def _is_driven(source: PlanProblem, name: str) -> bool:
    """True if a coordinate of the problem has a muscle."""
    driven = {each.dof for each in source.plan.muscles}
    return any(each == name and dof in driven for dof, each in source.space.moved.items())


def function_words(source: PlanProblem, name: str) -> str:
    """Name a function of the problem as a person knows it."""
    if name in source.labels:
        return source.labels[name]
    turned = name.removeprefix("torque of ")
    dof = next((dof for dof, each in source.space.moved.items() if each == turned), None)
    words = turned if dof is None else dof_words(source, dof)
    return f"the torque of {words}" if turned != name else words


def dof_words(source: PlanProblem, dof: str) -> str:
    """Name a degree of freedom with its joint."""
    joint = source.actor.figure.dof_joint[freedom_of(dof)]
    return joint.name if len(joint.dofs) == 1 else f"{joint.name} {_freedom(source, dof).name}"


def _freedom(source: PlanProblem, dof: str) -> Dof:
    """The degree of freedom itself; of a hinge in place of a ball, the ball."""
    id = freedom_of(dof)
    return next(each for each in source.actor.figure.dofs if each.id == id)


def _unit(source: PlanProblem, origin: Any, owner: SpacetimeConstraint | None) -> str:
    if owner is not None and owner.quantity in _UNITS:
        return _UNITS[owner.quantity]
    dof = next((dof for dof, each in source.space.moved.items() if each == origin.of), None)
    slides = dof is not None and _freedom(source, dof).kind == "slide"
    slides = slides or (dof is None and origin.of in source.space.root[:2])
    if origin.kind in ("equation", "momentum") or (owner is not None and owner.quantity == "momentum"):
        return "N s" if slides else "N m s"
    if origin.kind == "whole":
        return "s"
    if origin.kind == "cone":
        return "N s" if source.pushing[origin.of].blow else "N"
    if origin.key.startswith("contact "):
        return "m" if origin.quantity == "point" else "m/s"
    rate = origin.quantity == "rate"
    return ("m/s" if rate else "m") if slides else ("rad/s" if rate else "rad")


def _place(source: PlanProblem, origin: Any, owner: SpacetimeConstraint | None) -> tuple[str, Vector3]:
    """Where a demand is shown: at its point, or at the joint that it is of."""
    if owner is not None and owner.joint is not None:
        return owner.joint, owner.point
    if origin.of in source.pushing:
        return source.pushing[origin.of].place
    turned = origin.of.removeprefix("torque of ")
    dof = next((dof for dof, each in source.space.moved.items() if each == turned), None)
    joint = source.space.root_joint if dof is None else source.actor.figure.dof_joint[freedom_of(dof)].id
    return joint, (0.0, 0.0, 0.0)


def check_plan(source: PlanProblem, search: Callable[[], Any]) -> tuple[PlanFault, ...]:
    """List what is wrong with a plan, what cannot be first; `search` gives what searches it, where that is asked."""
    found = [
        *_outside_bounds(source), *_contradicting(source), *_of_another_length(source.plan), *_out_of_plane(source),
        *_without_end(source),
    ]  # fmt: skip
    if not any(each.fatal for each in found):
        found += _dependent(source, search())
    return tuple(sorted(found, key=lambda each: not each.fatal))


def _asked(plan: Spacetime) -> Iterator[tuple[SpacetimeConstraint, str, float]]:
    """Yield degrees of freedom with the values that they are asked to have."""
    for each in plan.constraints:
        if not each.on:
            continue
        if each.quantity == "pose":
            yield from ((each, dof, value) for dof, value in each.values)
        elif each.quantity == "value" and each.least is not None and each.least == each.most:
            yield each, each.of, each.least


def _outside_bounds(source: PlanProblem) -> Iterator[PlanFault]:
    plan = source.plan
    for each, dof, value in _asked(plan):
        stage = plan.stage(each.stage)
        own = next((one for one in stage.curves if (one.what, one.of) == ("coordinate", dof)), None)
        limits = _freedom(source, dof)
        least = limits.lower if own is None or own.least is None else own.least
        most = limits.upper if own is None or own.most is None else own.most
        if least is not None and value < least - _SAME:
            beyond = least
        elif most is not None and value > most + _SAME:
            beyond = most
        else:
            continue
        angle = limits.kind == "hinge"
        words = (
            f"{each.name} ({stage.name} at {_seconds(plan, each):.3f} s) asks {dof_words(source, dof)} to be at "
            f"{_number(value, angle)}, beyond its bound of {_number(beyond, angle)}"
        )
        yield PlanFault(words=words, constraints=(each.id,), stages=(stage.id,), time=plan.time(each.stage, each.at))


def _contradicting(source: PlanProblem) -> Iterator[PlanFault]:
    """Find two constraints that want one degree of freedom to be at two places at once."""
    plan = source.plan
    seen: dict[tuple[int, str], tuple[SpacetimeConstraint, float]] = {}
    for each, dof, value in _asked(plan):
        if each.until is not None:
            continue
        time = plan.time(each.stage, each.at)
        first = seen.setdefault((time, dof), (each, value))
        if abs(first[1] - value) <= _SAME:
            continue
        angle = _freedom(source, dof).kind != "slide"
        words = (
            f"{first[0].name} and {each.name} ask {dof_words(source, dof)} to be at {_number(first[1], angle)} and "
            f"at {_number(value, angle)}, both at {_seconds(plan, each):.3f} s"
        )
        yield PlanFault(words=words, constraints=(first[0].id, each.id), stages=(each.stage,), time=time)


def _out_of_plane(source: PlanProblem) -> Iterator[PlanFault]:
    """Find what is asked of degrees of freedom that do not move in the plane."""
    plan, held = source.plan, source.space.held
    for each, dof, value in _asked(plan):
        known = dof in source.space.moved or dof not in source.actor.figure.coordinate_index
        if not known and abs(held.get(dof, value) - value) > _SAME:
            words = (
                f"{each.name} asks for another {dof_words(source, dof)} than the motion begins with, "
                "but that does not move in its plane"
            )
            yield PlanFault(words=words, constraints=(each.id,), time=plan.time(each.stage, each.at), fatal=False)


def _of_another_length(plan: Spacetime) -> Iterator[PlanFault]:
    """Find a whole length that the stages cannot have together."""
    least, most = (math.fsum(each.lengths[end] for each in plan.stages) for end in (0, 1))
    if plan.whole > 0.0 and not least - _SAME <= plan.whole <= most + _SAME:
        last = f"{least:.3g} s" if most - least < _SAME else f"{least:.3g} to {most:.3g} s"
        words = f"All stages together are to last {plan.whole:.3g} s (Whole length), but each as it is they last {last}"
        yield PlanFault(words=words, stages=tuple(each.id for each in plan.stages), time=plan.start)


def _without_end(source: PlanProblem) -> Iterator[PlanFault]:
    """Find free lengths that nothing ends (4.4.1), and figures that nothing drives."""
    plan = source.plan
    if source.problem.gravity <= 0.0:
        for at, stage in enumerate(plan.stages):
            if stage.is_free:
                words = (
                    f"{stage.name} has a free length and there is no gravity: the slower the motion the less it costs, "
                    f"so it will last as long as it may, {stage.lengths[1]:g} s"
                )
                yield PlanFault(words=words, stages=(stage.id,), time=plan.borders[at], fatal=False)
    asks_end = any(each.on and plan.time(each.stage, each.at) > plan.start for each in plan.constraints)
    if not plan.muscles and not plan.forces and asks_end:
        last = max((each for each in plan.constraints if each.on), key=lambda each: plan.time(each.stage, each.at))
        words = (
            f"No muscle drives {source.actor.name}: it can only fall and swing, and {last.name} "
            f"({_seconds(plan, last):.3f} s) is met only where that happens to lead there"
        )
        yield PlanFault(
            words=words, constraints=(last.id,), stages=(last.stage,), time=plan.time(last.stage, last.at), fatal=False
        )


def _dependent(source: PlanProblem, search: Any) -> Iterator[PlanFault]:
    """Find equations that follow from others or contradict them, by the rank of their rows."""
    program, plan = search.program, source.plan
    if int(program.shape.equal.sum()) > MOST_EQUATIONS:
        return
    named = set[tuple[str, ...]]()
    for each in find_dependent(program, search.straight_line(), moved=_ASIDE):
        origins = [program.origin(number) for number in (each.constraint, *each.others)]
        keys = [one.key for one in origins]
        owners = tuple(dict.fromkeys(one.id for key in keys for one in plan.constraints if one.id == key))
        if not owners or (not each.contradictory and len(owners) < 2) or owners in named:
            continue
        if not (each.contradictory or all(key in owners for key in keys)):
            continue  # what stands says so, too
        if each.contradictory and each.amount < _FAR * program.shape.constraint_scale[each.constraint]:
            continue  # as equations that are not linear differ a little beside a solution
        named.add(owners)
        stage, share = program.moment(each.constraint)
        time = plan.time(plan.stages[stage].id, share)
        in_order = sorted(map(plan.constraint, owners), key=lambda one: plan.time(one.stage, one.at))
        names = [one.name for one in in_order]
        listed = " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]
        verb = {1: "cannot be met", 2: "cannot both be met"}.get(len(names), "cannot all be met together")
        if not each.contradictory:
            verb = "say the same thing twice"
        seconds = (time - plan.start) / TICKS_PER_SECOND
        yield PlanFault(
            words=f"{listed} {verb} ({plan.stages[stage].name} at {seconds:.3f} s)",
            constraints=owners, stages=(plan.stages[stage].id,), time=time, fatal=each.contradictory,
        )  # fmt: skip


def _seconds(plan: Spacetime, each: SpacetimeConstraint) -> float:
    return (plan.time(each.stage, each.at) - plan.start) / TICKS_PER_SECOND


def _number(value: float, angle: bool) -> str:
    return f"{math.degrees(value):.4g}°" if angle else f"{value:.4g} m"
