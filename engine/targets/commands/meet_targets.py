"""MeetTargets: the correction with which an actor's secondary motion meets its targets, as a layer (Rahgoshay 2011, 4).

The edit carries the correction that was found, never the request. The report says of each target what is seen with that
layer, locks kept: met, or by how much it is missed and why. From scratch the correction depends on the keyed motion and
the targets alone; while a target is dragged it goes on from the one that is there, with a coarse budget, and where a
person has edited that layer, so that as much of it stays as the targets let (the null space of section 8.1).

Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document, Secondary, Target
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit, both, edit
from engine.kinodynamics.queries.find_touching import listed, touching_at
from engine.runtime.amounts import amount_text
from engine.runtime.errors import NothingThere
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.targets.actor_targets import ActorTargets
    from engine.targets.equations import Residual
    from engine.targets.meeting import Met
    from engine.targets.options import Effort

_QUICK, _FITTED = 0.25, 0.7  # shares that are done after the first searches for targets at every frame
_LEAP = math.pi / 3.0  # [rad] from one step of the simulation to the next: 100 rad/s at 10 ms


@dataclass(frozen=True)
class TargetMet:
    """The result for one target."""

    target: str  # its id; that of one that stands for many, @ and its tick
    time: int
    met: bool
    missed: float  # the largest of its misses
    unit: str  # of that: m, rad, m/s or rad/s
    text: str  # for a person; empty where it is met

    @property
    def amount(self) -> str:
        """The size of the miss, for a person."""
        return amount_text(self.missed, self.unit)


@dataclass(frozen=True, eq=False)
class TargetsMet:
    """The edit, and what it comes to."""

    edit: Edit
    actor: str
    targets: tuple[TargetMet, ...]  # in order of time
    iterations: int
    simulations: int
    curve: tuple[float, ...]  # the error after each iteration, in parts of what is allowed; 1 and less: met
    coarse: bool
    note: str = ""  # what a person should know of it, met or not

    @property
    def met(self) -> bool:
        """True if every target is met."""
        return all(each.met for each in self.targets)

    @property
    def missed(self) -> tuple[TargetMet, ...]:
        """The targets that are not."""
        return tuple(each for each in self.targets if not each.met)

    @property
    def text(self) -> str:
        """The result, for a person, in a sentence."""
        count, missed = len(self.targets), len(self.missed)
        if not count:
            return "There is no target to meet"
        whole = f"{count} target" + ("" if count == 1 else "s")
        if not missed:
            steps = "1 iteration" if self.iterations == 1 else f"{self.iterations} iterations"
            line = f"{whole} met after {steps}" if self.iterations else f"{whole} met without a search"
            return f"{line}. {self.note}" if self.note else line
        first = self.missed[0]
        at = f"{first.time / TICKS_PER_SECOND:.2f} s"
        return f"{missed} of {whole} missed; that at {at} by {first.amount}. {first.text} {self.note}".rstrip()


@dataclass(frozen=True, kw_only=True)
class MeetTargets(Gradual):
    """The command to meet every target of an actor, or to miss it by as little as can be."""

    uses = ("secondary", "targets")

    actor: str
    id: str  # of the layer, where there is none yet
    moved: Target | None = None  # one that is dragged: it takes the place of the one of that id, or is new
    coarse: bool = False  # a short search from the correction that is there

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        if self.moved is not None:
            return edit("place_target", actor=self.actor).label(document)
        return f"Meet targets of {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, TargetsMet]:
        """The edit and what it comes to; yields the share that is done."""
        from engine.targets.actor_targets import compile_targets, correction_layer
        from engine.targets.meeting import meet_gradually

        if self.moved is not None:
            document = edit("place_target", actor=self.actor, target=self.moved).apply(document)
        actor_targets = compile_targets(evaluator, document, self.actor)
        if not actor_targets.targets and not actor_targets.null_space_edits and actor_targets.layer is None:
            remedy = "Set one at a key or at a time of its own, or let one count again, then meet them"
            raise NothingThere(f"{actor_targets.actor.name} has no target that counts", remedy=remedy)
        layer = correction_layer(document.actor(self.actor))
        known = None if layer is None or not self.coarse else layer.correction
        fitted = None if self.coarse or self.moved is not None else _fitted(actor_targets)
        if fitted is None:
            found = yield from meet_gradually(evaluator, actor_targets, start=known, coarse=self.coarse)
            change = self._edit(document, actor_targets, found)
            return report(evaluator, change, actor_targets, found, coarse=self.coarse)
        return (yield from self._at_every_frame(evaluator, document, actor_targets, fitted))

    def _at_every_frame(
        self, evaluator: Evaluation, document: Document, actor_targets: ActorTargets, fitted: Secondary
    ) -> Generator[float, None, TargetsMet]:
        """Meet poses at every frame one after the other with the step and window that are set; where that meets few,
        with those that fit; where that is no better, all at once with those that are set. What meets most is kept."""
        from engine.targets.actor_targets import compile_targets
        from engine.targets.meeting import meet_gradually

        found = yield from within(meet_gradually(evaluator, actor_targets, hasty=True), 0.0, _QUICK)
        if not found.settled:
            owner = document.actor(self.actor)
            others = compile_targets(evaluator, document.with_actor(replace(owner, secondary=fitted)), self.actor)
            better = yield from within(meet_gradually(evaluator, others, hasty=True), _QUICK, _FITTED)
            if not better.settled or _met_count(better) <= _met_count(found):
                found = yield from within(meet_gradually(evaluator, actor_targets), _FITTED, 1.0)
            if _met_count(better) > _met_count(found):
                change = edit("set_secondary", actor=self.actor, step=fitted.step, window=fitted.window)
                whole = both(change, self._edit(document, others, better))
                return report(evaluator, whole, others, better, fitted=fitted)
        return report(evaluator, self._edit(document, actor_targets, found), actor_targets, found)

    def _edit(self, document: Document, actor_targets: ActorTargets, found: Met) -> Edit:
        secondary = document.actor(self.actor).secondary
        if self.moved is not None and secondary is not None:
            layer = self.id if actor_targets.layer is None else actor_targets.layer.id
            given = {"targets": secondary.targets, "layer": layer, "correction": found.correction}
            return edit("place_targets", actor=self.actor, **given)
        if actor_targets.layer is None and found.correction is None:
            return edit("set_secondary", actor=self.actor)  # all is met as it is keyed: nothing changes
        id = self.id if actor_targets.layer is None else actor_targets.layer.id
        return edit("set_correction", actor=self.actor, layer=id, correction=found.correction)


def _fitted(actor_targets: ActorTargets) -> Secondary | None:
    """The secondary motion with a step and a window for poses at every frame, where poses are all that is asked for."""
    from engine.targets.equations import PoseEquation
    from engine.targets.frame_steps import fit_steps

    goals, secondary = actor_targets.goals, actor_targets.actor.secondary
    poses = all(isinstance(equation, PoseEquation) for goal in goals for equation in goal.equations)
    if not poses or secondary is None or secondary.contact or actor_targets.null_space_edits:
        return None
    return fit_steps(secondary, actor_targets.actor.figure, [goal.bell.time for goal in goals])


def _met_count(found: Met) -> int:
    """Count the targets that are met on screen."""
    from engine.targets.meeting import is_met
    from engine.targets.options import Effort

    return sum(is_met(residuals, Effort()) for residuals in found.residuals)


def report(
    evaluator: Evaluation,
    change: Edit,
    actor_targets: ActorTargets,
    found: Met,
    *,
    coarse: bool = False,
    fitted: Secondary | None = None,
) -> TargetsMet:
    """Report an edit that meets targets; `fitted`: with another step and window."""
    from engine.targets.meeting import COARSE
    from engine.targets.options import Effort

    reports = tuple(_reports(actor_targets, found, COARSE if coarse else Effort()))
    note, curve = f"{_refitted(fitted)} {_note(evaluator, actor_targets, found)}".strip(), tuple(found.curve)
    return TargetsMet(change, actor_targets.actor.id, reports, found.iterations, found.simulations, curve, coarse, note)


def _reports(actor_targets: ActorTargets, found: Met, effort: Effort) -> Iterator[TargetMet]:
    from engine.targets.meeting import is_met
    from engine.targets.search_state import part_of

    for target, residuals, why in zip(actor_targets.targets, found.residuals, found.reasons, strict=True):
        worst = max(residuals, key=lambda residual: part_of(residual, effort))
        met = is_met(residuals, effort)
        text = "" if met else _sentence(actor_targets, target, worst, why)
        yield TargetMet(target.id, target.time, met, worst.size, worst.unit, text)


def _note(evaluator: Evaluation, actor_targets: ActorTargets, found: Met) -> str:
    """Write notes for a person, in sentences."""
    return " ".join(filter(None, (_narrowed(found), _widened(found), _touching(evaluator, actor_targets, found))))


def _refitted(fitted: Secondary | None) -> str:
    """Report that the step and the window of the simulation are others than they were set."""
    if fitted is None:
        return ""
    window, step = (1000.0 * ticks / TICKS_PER_SECOND for ticks in (fitted.window, fitted.step))
    return (
        f"The window of the simulation is now {window:.0f} ms and its step {step:.3g} ms: with those that were set,"
        " windows of neighbouring frames differ too much for targets at every frame."
    )


def _narrowed(found: Met) -> str:
    """Report that the eases of targets at every frame are narrower than they were set."""
    if not found.narrowed:
        return ""
    ease = 1000.0 * found.ease / TICKS_PER_SECOND
    return f"The eases of {found.narrowed} targets that are close together are narrowed to {ease:.0f} ms or less."


def _widened(found: Met) -> str:
    """Report that eases are longer than they were set."""
    if not found.widened:
        return ""
    which = "The ease of a target is" if found.widened == 1 else f"The eases of {found.widened} targets are"
    ease = 1000.0 * found.wide / TICKS_PER_SECOND
    return f"{which} longer than set, up to {ease:.0f} ms: over a shorter time joints would be thrown about."


def _touching(evaluator: Evaluation, actor_targets: ActorTargets, found: Met) -> str:
    """Name the bodies that touch something as the window of a target begins: a motion with a history would differ
    there."""
    times = [each.time for each in actor_targets.targets]
    for time, names in zip(
        times,
        touching_at(evaluator, actor_targets.corrected(found.correction), actor_targets.actor.id, times),
        strict=True,
    ):
        if names:
            at, touch = f"{time / TICKS_PER_SECOND:.2f} s", "touches" if len(names) == 1 else "touch"
            return f"{listed(names)} {touch} something as the window to {at} begins: what came before would matter."
    return ""


def _sentence(actor_targets: ActorTargets, target: Target, worst: Residual, why: str) -> str:
    """Explain to a person why a target is missed."""
    others = [each for each in actor_targets.targets if each.time == target.time and each is not target]
    if any(each.asks_like(target) for each in others):
        return "Another target at this time asks for something else of the same; what is found lies between."
    if actor_targets.first is not None and target.time < actor_targets.first:
        at = actor_targets.first / TICKS_PER_SECOND
        return (
            f"It is before the first key, at {at:.3g} s, where the motion is held. Let it run in, or move the target."
        )
    if why:
        return " ".join(
            filter(None, (why.format(amount_text(worst.size, worst.unit)), _leap(actor_targets, target.time)))
        )
    return f"{_what_holds(actor_targets)} it {amount_text(worst.size, worst.unit)} away."


def _leap(actor_targets: ActorTargets, time: int) -> str:
    """Name an angle that swings and whose keys jump within the window before a time, as captured angles do beyond a
    half turn: what swings is pulled all the way round."""
    import numpy as np  # here, for the window is painted before it is loaded

    times = actor_targets.kino.samples(np.array([float(time)])).ravel()
    steps, figure = np.abs(np.diff(actor_targets.keyed(times)[:, 0], axis=0)), actor_targets.kino.mechanics.model.figure
    for place in np.argsort(-steps.max(axis=0)).tolist():
        dof = figure.coordinate_dof[figure.coordinates[place]]
        if steps[:, place].max() <= _LEAP:
            break
        if dof.kind == "hinge" and not actor_targets.kino.gains.exact[figure.rate_index[dof.rates[0]]]:
            at = times[int(steps[:, place].argmax()) + 1] / TICKS_PER_SECOND
            joint = next(each for each in figure.joints if dof in each.dofs)
            return (
                f"The keys of {joint.name}, {dof.name}, leap at {at:.2f} s, in the window before it: take the leap "
                "out, or set the target later."
            )
    return ""


def _what_holds(actor_targets: ActorTargets) -> str:
    """Name what changes poses after the simulation, unknown to the solver."""
    held = any(each.is_constrained for each in actor_targets.document.actors)
    found = ["joint limits over several angles"] if actor_targets.actor.figure.limits_on else []
    found += ["locks"] if held else []
    if actor_targets.layer is not None and actor_targets.actor.layers[-1].id != actor_targets.layer.id:
        found.append("layers above the correction")
    text = listed(tuple(found)) if found else "what comes after the simulation"
    return f"{text[0].upper()}{text[1:]} {'keep' if found else 'keeps'}"
