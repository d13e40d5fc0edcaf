"""SoftFollows: what becomes of soft bodies where general edits change the time or take figures away."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.document import Actor, Document, Span
from engine.edits.everywhere import goes, held_span
from engine.edits.follows import Follows
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout
from engine.soft.goals import SoftKeyframe, SoftPlan
from engine.soft.nodal import laid_out
from engine.soft.parts import ActivationSpline, SoftBody
from engine.soft.pulls import SoftPull
from engine.soft.uses import soft_body


class SoftFollows(Follows):
    """Keys of activations, nodal forces, keyframes and spans of attachments go with their time; an attachment goes with
    what it holds on to."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with its start, keys and spans in new time; a bake keeps its frames and goes with its start."""
        actor, body = _planned(actor, layout), soft_body(actor)
        if body is None:
            return actor
        attachments = tuple(
            replace(each, span=held_span(each.span, layout)) for each in body.attachments if not goes(each.span, layout)
        )
        bake = body.bake
        new = replace(
            body,
            stepped=body.stepped if attachments else "from_start",
            start=layout.image(body.start),
            splines=tuple(_laid_out(each, layout) for each in body.splines),
            attachments=attachments,
            pulls=tuple(found for each in body.pulls if (found := _pulled(each, layout)) is not None),
            bake=None if bake is None else replace(bake, start=layout.image(bake.start)),
            forces=tuple(laid_out(each, {time: layout.image(time) for time in each.times}) for each in body.forces),
        )
        return _with(actor, body, new)

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        """The actor without attachments to what is not there."""
        body = soft_body(actor)
        if body is None:
            return actor
        kept = tuple(each for each in body.attachments if is_there(each.target, each.joint))
        stepped = body.stepped if kept else "from_start"
        return _with(actor, body, replace(body, attachments=kept, stepped=stepped))

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints of an actor that soft bodies are attached to."""
        for other in document.actors:
            body = soft_body(other)
            yield from (each.joint for each in (() if body is None else body.attachments) if each.target == actor)


def _laid_out(spline: ActivationSpline, layout: Layout) -> ActivationSpline:
    if spline.track is None:
        return spline
    track = lay_out_track(spline.track, layout)
    kind = "constant" if track is None and spline.activation == "keys" else spline.activation
    return replace(spline, track=track, activation=kind)


def _planned(actor: Actor, layout: Layout) -> Actor:
    """The actor with keyframes in new time, but for those whose time has gone."""
    plan = actor.part(SoftPlan)
    if plan is None:
        return actor
    moved = dict[int, SoftKeyframe]()
    for each in plan.keyframes:
        if not goes(Span(start=each.time, end=each.time + 1), layout):
            time = layout.image(each.time)
            moved[time] = replace(each, time=time)
    start = None if plan.start is None else layout.image(plan.start)
    new = replace(plan, keyframes=tuple(moved.values()), start=start)
    return actor if new == plan else actor.with_part(new)


def _pulled(pull: SoftPull, layout: Layout) -> SoftPull | None:
    """The pull in new time; None where no time is left of it."""
    end = layout.image(pull.end)
    moved = {layout.image(time): place for time, place in zip(pull.times, pull.places, strict=True)}
    rising = sorted((time, place) for time, place in moved.items() if time < end)
    if not rising:
        return None
    return replace(pull, times=tuple(time for time, _ in rising), places=tuple(place for _, place in rising), end=end)


def _with(actor: Actor, old: SoftBody, new: SoftBody) -> Actor:
    return actor if new == old else actor.with_part(new)
