"""Edits of muscles' activations: constants, keys, how keys go on, expressions. An activation stays within 0 to 1. What
sets keys takes an expression away, that the keys count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.document import Actor, Document, Key, Track
from engine.document.conformance import given_fields
from engine.document.motion import Extrapolation
from engine.edits.keyed_numbers import draw_keys, keys_of, move_keys, put_keys, remove_keys, with_keys
from engine.muscles.edits import muscle_of, of_actor
from engine.muscles.parts import ACTIVATION, MuscleActivation, MuscleActivations, check_activation
from engine.muscles.uses import activations_of, muscles_of, with_activations
from engine.runtime.errors import UnknownPart

_OF = "an activation"


def set_muscle_activation(document: Document, *, actor: str, muscle: str, value: float) -> Document:
    """Set how much a muscle is activated where it is not keyed."""
    old = _activation(document, actor, muscle)
    return _with(document, actor, replace(old, value=check_activation(f"the activation of {muscle}", value)))


def set_muscle_keys(document: Document, *, actor: str, muscle: str, keys: tuple[Key, ...]) -> Document:
    """Set keys of a muscle's activation, each as it is given and in place of one on its tick."""
    old = _activation(document, actor, muscle)
    return _with_keys(document, actor, replace(old, expression=""), put_keys(keys_of(old.track), keys))


def draw_muscle_activation(
    document: Document, *, actor: str, muscle: str, start: int, end: int, keys: tuple[Key, ...]
) -> Document:
    """Put drawn or recorded keys of a muscle's activation in place of all that it has from one tick up to another."""
    old = replace(_activation(document, actor, muscle), expression="")
    return _with_keys(document, actor, old, draw_keys(keys_of(old.track), keys, start=start, end=end))


def set_muscle_expression(document: Document, *, actor: str, muscles: tuple[str, ...], expression: str) -> Document:
    """Let an expression in the time t [s] tell the activations of some muscles; an empty one leaves them to their keys
    or constants."""
    return _each(document, actor, muscles, lambda old: replace(old, expression=expression))


def key_muscles(document: Document, *, actor: str, keys: tuple[tuple[str, Key], ...]) -> Document:
    """Set a key of the activation of each of some muscles, in place of one on its tick."""
    own: dict[str, list[Key]] = {}
    for muscle, key in keys:
        own.setdefault(muscle, []).append(key)

    def keyed(old: MuscleActivation) -> MuscleActivation:
        found = put_keys(keys_of(old.track), own[old.muscle])
        return replace(old, track=with_keys(old.track, ACTIVATION, found), expression="")

    return _each(document, actor, own, keyed)


def move_keys_of_muscles(
    document: Document,
    *,
    actor: str,
    times: tuple[tuple[str, tuple[int, ...]], ...],
    ticks: int = 0,
    value: float = 0.0,
) -> Document:
    """Move keys of the activations of some muscles in time and value together, each muscle with the ticks of those that
    move, as `move_muscle_keys` does it."""
    given = dict(times)

    def moved(old: MuscleActivation) -> MuscleActivation:
        found = move_keys(keys_of(old.track), given[old.muscle], ticks=ticks, value=value, least=0.0, most=1.0)
        return replace(old, track=with_keys(old.track, ACTIVATION, found))

    return _each(document, actor, given, moved)


def put_muscle_activations(
    document: Document, *, actor: str, start: int, end: int, keys: tuple[tuple[str, tuple[Key, ...]], ...]
) -> Document:
    """Put keys that were found for some muscles in place of all that they have from one tick up to another; one
    without any is relaxed there."""
    owner = document.actor(actor)
    old = {each.muscle: each for each in activations_of(owner).activations}
    muscles = muscles_of(owner)
    known = () if muscles is None else {each.id for each in muscles.muscles}
    new = dict(old)
    for id, given in keys:
        if id not in known:
            raise UnknownPart(kind="muscle", id=id, known=tuple(known))
        before = old.get(id) or MuscleActivation(muscle=id)
        found = draw_keys(keys_of(before.track), given, start=start, end=end)
        if found and not given:
            found += [Key(time, 0.0, "linear") for time in (start, end)]
        new[id] = MuscleActivation(muscle=id, track=with_keys(before.track, ACTIVATION, found))
    kept = tuple(each for each in new.values() if not each.is_relaxed)
    return _put(document, owner, replace(activations_of(owner), activations=kept))


def move_muscle_keys(
    document: Document, *, actor: str, muscle: str, times: tuple[int, ...], ticks: int = 0, value: float = 0.0
) -> Document:
    """Move keys of a muscle's activation in time and value together; a moved key takes the place of one that it lands
    on, and no value leaves 0 to 1."""
    old = _activation(document, actor, muscle)
    found = move_keys(keys_of(old.track), times, ticks=ticks, value=value, least=0.0, most=1.0)
    return _with_keys(document, actor, old, found)


def remove_muscle_keys(
    document: Document, *, actor: str, muscle: str, times: tuple[int, ...] | None = None
) -> Document:
    """Take keys of a muscle's activation away, those of some ticks or (None) all; its constant counts where none is
    left."""
    old = _activation(document, actor, muscle)
    return _with_keys(document, actor, old, remove_keys(keys_of(old.track), times))


def extend_muscle_activation(
    document: Document,
    *,
    actor: str,
    muscle: str,
    before: Extrapolation | None = None,
    after: Extrapolation | None = None,
) -> Document:
    """Set how a muscle's keyed activation goes on before its first key and after its last."""
    old = _activation(document, actor, muscle)
    if old.track is None:
        return document
    given = given_fields(Track, of=_OF, before=before, after=after)
    return _with(document, actor, replace(old, track=replace(old.track, **given)))


def set_excitation_keys(document: Document, *, actor: str, excited: bool) -> Document:
    """Say whether what is keyed of an actor's muscles are excitations, which activations follow, or activations."""
    of_actor(document, actor)
    owner = document.actor(actor)
    return _put(document, owner, replace(activations_of(owner), excited=excited))


def _activation(document: Document, actor: str, muscle: str) -> MuscleActivation:
    muscle_of(document, actor, muscle)
    return activations_of(document.actor(actor)).of(muscle) or MuscleActivation(muscle=muscle)


def _each(
    document: Document, actor: str, muscles: Iterable[str], change: Callable[[MuscleActivation], MuscleActivation]
) -> Document:
    """The document with the activation of each of some muscles changed; an unknown muscle is refused."""
    owner = document.actor(actor)
    old = activations_of(owner)
    new, known = (
        {each.muscle: each for each in old.activations},
        {each.id for each in of_actor(document, actor).muscles},
    )
    for id in muscles:
        if id not in known:
            raise UnknownPart(kind="muscle", id=id, known=tuple(known))
        new[id] = change(new.get(id) or MuscleActivation(muscle=id))
    kept = tuple(each for each in new.values() if not each.is_relaxed)
    return _put(document, owner, replace(old, activations=kept))


def _with_keys(document: Document, actor: str, old: MuscleActivation, keys: Iterable[Key]) -> Document:
    return _with(document, actor, replace(old, track=with_keys(old.track, ACTIVATION, keys)))


def _with(document: Document, actor: str, new: MuscleActivation) -> Document:
    """The document with one activation changed; the identical one where it is the same."""
    owner = document.actor(actor)
    return _put(document, owner, activations_of(owner).having(new))


def _put(document: Document, owner: Actor, new: MuscleActivations) -> Document:
    return document if new == activations_of(owner) else document.with_actor(with_activations(owner, new))
