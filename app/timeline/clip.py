"""KeyClip: copied keys, with the names by which another figure finds their coordinates; and their pasting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.timeline.changes import parts_of
from engine.document import Actor, Document, Key, Layer, Track
from engine.document.keyed_part import KeyedPart
from engine.document.pose import Name, names_of, partners
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.timeline.keys import Picked
    from engine.edits.several import NewKeys

Keys = tuple[tuple[str, Key], ...]


@dataclass(frozen=True, kw_only=True)
class CopiedKeys:
    """Keys of one layer, or of what else has keys."""

    actor: str
    holder: str
    kind: str  # of that, in a word; empty where its name says it
    name: str | None  # where it is no layer
    keys: Keys


@dataclass(frozen=True, kw_only=True)
class KeyClip:
    """Copied keys, the first at 0."""

    parts: tuple[CopiedKeys, ...]
    names: Mapping[str, tuple[Name, ...]]  # of each actor's coordinates

    @property
    def actors(self) -> tuple[str, ...]:
        """The actors whose keys they are."""
        return tuple(dict.fromkeys(part.actor for part in self.parts))


def copied(document: Document, picked: Picked) -> KeyClip:
    """Copy the chosen keys."""
    first = min((min(times) for times in picked.values() if times), default=0)
    parts = []
    for id, holder, chosen in parts_of(picked):
        of_tracks = [(name, frozenset(times)) for name, times in chosen]
        actor = document.actor(id)
        found, tracks = actor.holder(holder), tracks_of(actor, holder)
        name = None if found is None or isinstance(found, Layer) else found.name
        kind = "" if isinstance(found, KeyedPart) else type(found).__name__.lower()
        keys = tuple(
            (name, replace(key, time=key.time - first))
            for name, times in of_tracks
            for key in tracks[name].keys
            if key.time in times
        )
        parts.append(CopiedKeys(actor=id, holder=holder, kind=kind, name=name, keys=keys))
    names = {id: names_of(document.actor(id).figure) for id in dict.fromkeys(part.actor for part in parts)}
    return KeyClip(parts=tuple(parts), names=names)


def pasted(
    document: Document, clip: KeyClip, time: int, *, onto: str | None = None, into: str | None = None
) -> tuple[NewKeys, tuple[str, ...]]:
    """Return the keys as `paste_keys` takes them, the first on a tick, and the names of what has no place there.

    Keys of one actor go `onto` another where one is named, else each back to its own; `into` a layer, or what else has
    keys, of that actor, else into those that they came from, else into the layer that keys go to.
    """
    made: list[tuple[str, str, Keys]] = []
    missing: list[str] = []
    for part in clip.parts:
        id = onto if onto is not None and len(clip.actors) == 1 else part.actor
        if id not in document.actor_index:
            missing.append("keys of an actor that has gone")
            continue
        actor = document.actor(id)
        holder = _holder(actor, part, into, time)
        if holder is None:
            whose = "a layer" if part.name is None else " ".join(filter(None, (part.kind, part.name)))
            missing.append(f"keys of {whose}")
            continue
        of_joints = part.name is None or isinstance(actor.holder(holder), KeyedPart)
        keys, left = (part.keys, ()) if not of_joints else _fitted(actor, part.keys, clip.names[part.actor])
        missing += left
        if keys:
            made.append((id, holder, tuple((name, replace(key, time=key.time + time)) for name, key in keys)))
    return tuple(made), tuple(dict.fromkeys(missing))


def tracks_of(actor: Actor, holder: str) -> Mapping[str, Track]:
    """Return the keyed tracks of a holder of keys by coordinate; none of one that is not there."""
    found = actor.holder(holder)
    return {} if found is None else found.track_of


def _holder(actor: Actor, part: CopiedKeys, into: str | None, time: int) -> str | None:
    """Return the layer, or what else has keys, of an actor that takes the copied keys."""
    alike = [each for each in actor.holders if isinstance(each, Layer) == (part.name is None)]
    receiver = actor.layer_for(time) if part.name is None else None
    same = receiver.id if receiver is not None else next((each.id for each in alike if each.name == part.name), None)
    holders = tuple(each.id for each in alike)
    if into in holders:
        return into
    return part.holder if part.holder in holders else same


def _fitted(actor: Actor, keys: Keys, names: tuple[Name, ...]) -> tuple[Keys, tuple[str, ...]]:
    """Return keys in the actor's own coordinates, and the names of those without a place."""
    partner = partners(actor.figure, names)
    known = {name: f"{joint}: {dof}" for name, joint, dof in names}
    fitting = tuple((partner[name], key) for name, key in keys if name in partner)
    return fitting, tuple(dict.fromkeys(known[name] for name, _ in keys if name not in partner))
