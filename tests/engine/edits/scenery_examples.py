"""A random example of each edit of selection sets and references, and of what is shown and frozen."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from engine.document import Blob, Document, Reference, SelectionSet
from engine.document.references import FixedCamera, Video
from engine.document.selection_sets import Chosen
from engine.document.sound import Sound
from engine.edits import Edit, edit

SCENERY_EDITS = (
    "freeze_actor",
    "isolate_actors",
    "show_all_actors",
    "add_selection_set",
    "set_selection_set",
    "rename_selection_set",
    "remove_selection_set",
    "add_reference",
    "set_reference",
    "remove_reference",
    "set_sound",
    "change_sound",
    "remove_sound",
)


def scenery_edit(random: Random, name: str, document: Document) -> Edit:
    """An edit of that name, or one that adds what it needs."""
    actor = random.choice(document.actors)
    if name == "freeze_actor":
        return edit(name, actor=actor.id, frozen=random.random() < 0.5)
    if name == "isolate_actors":
        return edit(name, actors=(actor.id,))
    if name == "show_all_actors":
        return edit(name)
    if "sound" in name:
        return _sound_edit(random, name, document)
    return _set_edit(random, name, document) if "selection" in name else _reference_edit(random, name, document)


def reference(random: Random) -> Reference:
    """A picture that no one could read, which no edit minds."""
    data = Blob(np.frombuffer(random.randbytes(12), dtype="|u1"))
    return Reference(id=f"{random.getrandbits(64):x}", name="Picture", image=data, width=3, height=4)


def _sound_edit(random: Random, name: str, document: Document) -> Edit:
    if name == "set_sound" or document.sound is None:
        data = Blob(np.frombuffer(random.randbytes(12), dtype="|u1"))
        return edit("set_sound", sound=Sound(name="Noise", data=data, seconds=random.random()))
    if name == "change_sound":
        return edit(name, start=random.randrange(-(10**9), 10**9), gain=random.random(), mute=random.random() < 0.5)
    return edit(name)


def _camera(random: Random) -> FixedCamera:
    return FixedCamera(target=(0.0, 1.0, random.random()), distance=3.0, azimuth=0.5, elevation=0.1, fov=0.6)


def _video(random: Random) -> Video:
    return Video(path="walk.mp4", file_digest="0" * 64, rate=(30000, 1001), count=90, start=random.randrange(10**9))


def _set_edit(random: Random, name: str, document: Document) -> Edit:
    if name == "add_selection_set" or not document.selection_sets:
        made = SelectionSet(id=f"{random.getrandbits(64):x}", name="Some", items=_items(random, document))
        return edit("add_selection_set", selection_set=made)
    chosen = random.choice(document.selection_sets).id
    if name == "set_selection_set":
        return edit(name, selection_set=chosen, items=_items(random, document))
    return edit(name, selection_set=chosen, **({"name": random.choice("AB")} if name.startswith("rename") else {}))


def _items(random: Random, document: Document) -> tuple[Chosen, ...]:
    every: list[Chosen] = [(actor.id, None) for actor in document.actors]
    every += [(actor.id, joint) for actor in document.actors for joint in actor.figure.joint_index]
    return tuple(random.sample(every, k=random.randint(1, min(4, len(every)))))


def _reference_edit(random: Random, name: str, document: Document) -> Edit:
    if name == "add_reference" or not document.references:
        return edit("add_reference", reference=reference(random))
    chosen = random.choice(document.references).id
    if name == "remove_reference":
        return edit(name, reference=chosen)
    changes: tuple[tuple[str, Any], ...] = (
        ("facing", random.choice(("left", "perspective"))),
        ("size", 0.5 + random.random()),
        ("centre", (random.random(), -1.0)),
        ("opacity", random.random()),
        ("in_front", random.random() < 0.5),
        ("camera", _camera(random)),
        ("depth", 1.0 + random.random()),
        ("video", _video(random)),
    )
    return edit(name, reference=chosen, changes=tuple(random.sample(changes, k=2)))
