"""PhysicsFollows: what becomes of torque curves where general edits change the time, the figure or its sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.document import Actor, Figure, Key, Track
from engine.edits.everywhere import goes, held_span
from engine.edits.follows import Follows
from engine.edits.keyed_numbers import keys_of, with_keys
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout
from engine.physics.parts import KEYED, Physics, TorqueCurves


class PhysicsFollows(Follows):
    """Torque curves go with their time, and the start of the simulation with them; a curve goes with its hinge."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with its torque curves, and the start of what they drive, in new time."""
        curves = actor.part(TorqueCurves)
        if curves is None:
            return actor
        if goes(curves.span, layout):
            return actor.without_part(TorqueCurves)
        tracks = (lay_out_track(each, layout) for each in curves.tracks)
        new = replace(
            curves,
            tracks=tuple(each for each in tracks if each is not None),
            span=held_span(curves.span, layout),
            launches=tuple((layout.image(time), rates) for time, rates in curves.launches),
        )
        physics = actor.part(Physics)
        if physics is not None and layout.image(physics.start) != physics.start:
            actor = actor.with_part(replace(physics, start=layout.image(physics.start)))
        return actor if new == curves else actor.with_part(new)

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without curves of degrees of freedom that another figure lacks."""
        return _kept(actor, content)

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """The actor without curves of degrees of freedom that went; a hinge that stays is pushed as it was, since its
        angle turns as it did."""
        return _kept(actor, content)

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        """The actor with the keys of torques of left and right exchanged; those of joints whose angles have to be
        solved for stay."""
        curves = actor.part(TorqueCurves)
        inside = {} if curves is None else {each.coordinate: _within(each.keys, start, end) for each in curves.tracks}
        if curves is None or not any(inside.values()):
            return actor
        from engine.motion.mirror_map import compile_mirror  # brings numpy

        found: dict[str, Track | None] = dict(curves.track_of)
        for name, each in compile_mirror(actor.figure).copied.items():
            own, source = curves.track_of.get(name), inside.get(each.source, ())
            if source or inside.get(name):
                outside = (key for key in keys_of(own) if not start <= key.time < end)
                found[name] = with_keys(own, name, (*outside, *(_signed(key, each.sign) for key in source)))
        curves = replace(curves, launches=tuple(each for each in curves.launches if not start <= each[0] < end))
        order = [dof.id for dof in actor.figure.dofs]
        return actor.with_part(
            curves.with_tracks(
                sorted(
                    (each for each in found.values() if each is not None), key=lambda each: order.index(each.coordinate)
                )
            )
        )


def _kept(actor: Actor, content: Figure) -> Actor:
    curves = actor.part(TorqueCurves)
    if curves is None:
        return actor
    kinds = {dof.id: dof.kind for dof in content.dofs}
    kept = tuple(each for each in curves.tracks if kinds.get(each.coordinate) in KEYED)
    return actor if len(kept) == len(curves.tracks) else actor.with_part(replace(curves, tracks=kept))


def _within(keys: tuple[Key, ...], start: int, end: int) -> tuple[Key, ...]:
    return tuple(key for key in keys if start <= key.time < end)


def _signed(key: Key, sign: float) -> Key:
    return replace(key, value=sign * key.value, slope_in=sign * key.slope_in, slope_out=sign * key.slope_out)
