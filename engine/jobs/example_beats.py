"""Beats: keyed motion of a figure as whole poses at times, told in the words of somebody who directs a person.

A beat is a time and the coordinates that change there; the others go on as they were. Angles in degrees, lengths in
metres; arms and hands are told by their side, or both at once.

What takes kernels to find, corrections and the place of what is held, ships beside the examples as text
(`packaging/make_dances.py`), since none is needed to open a document.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from math import radians

from engine.document import Actor, Attachment, Document, Figure, Key, Layer, Track
from engine.document.correction import Correction
from engine.document.motion import TICKS_PER_SECOND
from engine.document.part_reader import decode
from engine.document.presets import Region, region_of
from engine.document.secondary import OwnGains
from engine.runtime.errors import InvalidDocument

CORRECTION = "correction"  # the id of the layer

Values = dict[str, float]  # [degrees or m] by coordinate
Beats = Sequence[tuple[float, Values]]  # [s]
SIDES = ("left", "right")
FEET = ("ankle_left", "ankle_right")
_SPINE = (("lower_spine", 0.4), ("middle_spine", 0.35), ("upper_spine", 0.25))
_HEAD = (("neck", 0.4), ("head", 0.6))
_FINGERS = {"index": 0.8, "middle": 1.0, "ring": 1.1, "little": 1.2}

_GAINS: dict[Region, OwnGains] = {
    "trunk": OwnGains(joint="", tension=4.0, damping=0.6),
    "head": OwnGains(joint="", tension=3.0, damping=0.8),
    "arm": OwnGains(joint="", tension=2.2, damping=0.55),
    "hand": OwnGains(joint="", exact=True),
    "leg": OwnGains(joint="", exact=True),
}
_FIRM = {
    "collar": OwnGains(joint="", tension=4.5, damping=0.7),
    "shoulder": OwnGains(joint="", tension=2.5, damping=0.5),
    "forearm": OwnGains(joint="", exact=True),
    "wrist": OwnGains(joint="", tension=3.5, damping=0.6),
}


def arm(side: str, *, out: float, bend: float, forward: float = 0.0, turn: float = 0.0, collar: float = 0.0) -> Values:
    """An arm: raised outwards and forwards, its elbow bent, turned about itself, the collarbone raised."""
    return {
        f"collar_{side}.elevation": collar,
        f"shoulder_{side}.flexion": forward,
        f"shoulder_{side}.abduction": out,
        f"shoulder_{side}.rotation": turn,
        f"elbow_{side}.flexion": bend,
    }


def arms(*, out: float, bend: float, forward: float = 0.0, turn: float = 0.0, collar: float = 0.0) -> Values:
    """Both arms alike."""
    both = (arm(side, out=out, bend=bend, forward=forward, turn=turn, collar=collar) for side in SIDES)
    return {name: value for each in both for name, value in each.items()}


def hand(side: str, curl: float, bend: float = 0.0, palm: float = 0.0) -> Values:
    """Fingers, each a little more than the one before it, the wrist bent to its palm, the palm turned backwards."""
    found = {f"{name}_{side}.flexion": curl * share for name, share in _FINGERS.items()}
    return {f"wrist_{side}.flexion": bend, f"forearm_{side}.pronation": palm, **found}


def weight(aside: float, down: float, forward: float = 0.0, *, roll: float = 0.0, turn: float = 0.0) -> Values:
    """The pelvis: to its left, lower, forwards [m], its left side raised, turned to its left."""
    return {
        "pelvis.move_x": aside,
        "pelvis.move_y": -down,
        "pelvis.move_z": forward,
        "pelvis.turn": turn,
        "pelvis.roll": roll,
    }


def trunk(bow: float, aside: float = 0.0, turn: float = 0.0) -> Values:
    """The spine: bowed, bent and turned to its left, each shared by three joints."""
    return _shared(_SPINE, bow, aside, turn)


def look(aside: float, down: float, tilt: float = 0.0) -> Values:
    """Head and neck: to the left, down, bent to the left."""
    return _shared(_HEAD, down, tilt, aside)


def _shared(joints: Sequence[tuple[str, float]], flexion: float, bend: float, rotation: float) -> Values:
    found: dict[str, float] = {}
    for joint, share in joints:
        found |= {
            f"{joint}.rotation": share * rotation,
            f"{joint}.flexion": share * flexion,
            f"{joint}.side_bend": share * bend,
        }
    return found


def standing(id: str, name: str, *, x: float = 0.0) -> Actor:
    """The human, both feet held where they stand, as wide apart as hips are."""
    from engine.jobs.examples import held, human

    made = held(human(id, name, x=x), FEET)
    pairs = zip(made.locks, SIDES, strict=True)
    feet = (replace(lock, id=f"foot_{side}", name=f"{side.capitalize()} foot") for lock, side in pairs)
    return replace(made, locks=tuple(feet))


def own_gains(figure: Figure, **firmer: OwnGains) -> tuple[OwnGains, ...]:
    """Loose arms on a body that stands: legs, which locks hold, and fingers, which hold, follow exactly. What is
    `firmer` is told by the first word of its id."""
    firm = _FIRM | firmer
    return tuple(
        replace(firm.get(joint.id.partition("_")[0], _GAINS[region_of(joint)]), joint=joint.id)
        for joint in figure.joints
        if joint.parent is not None
    )


def found(example: str) -> tuple[Correction, Attachment | None]:
    """The correction with which the targets of an example are met, and by what something hangs on the hand then."""
    text = files("resources").joinpath("examples", "dances.json").read_text(encoding="utf-8")
    kept = json.loads(text)[example]
    correction, attachment = decode(kept["correction"]), decode(kept["attachment"])
    if not isinstance(correction, Correction) or not isinstance(attachment, Attachment | None):
        value = (type(correction).__name__, type(attachment).__name__)
        raise InvalidDocument(what=f"what was found of {example}", value=value, allowed="a Correction, an Attachment")
    return correction, attachment


def corrected(document: Document, actor: str, correction: Correction) -> Document:
    """The document with a correction over the layers of an actor."""
    owner = document.actor(actor)
    layer = Layer(id=CORRECTION, name="Correction", mode="add", correction=correction)
    return document.with_actor(replace(owner, layers=(*owner.layers, layer)))


def tick(seconds: float) -> int:
    """The nearest of 1/120 s, on which frames and steps of simulations stand."""
    return round(120.0 * seconds) * (TICKS_PER_SECOND // 120)


def tracks_of(figure: Figure, beats: Beats) -> tuple[Track, ...]:
    """The keys of beats, in the order of the figure; a value that is not told twice running is one key less."""
    kinds = figure.coordinate_dof
    keys: dict[str, list[Key]] = {}
    for seconds, values in beats:
        for name, value in values.items():
            told = value if kinds[name].kind == "slide" else radians(value)
            keys.setdefault(name, []).append(Key(time=tick(seconds), value=kinds[name].clamp(told)))
    return tuple(Track(coordinate=name, keys=tuple(keys[name])) for name in kinds if name in keys)


def keyed(name: str, *points: tuple[float, float]) -> Track:
    """A track of times [s] and values as they are, flat at each key: what stands, then goes, then stands."""
    return Track(coordinate=name, keys=tuple(Key(time=tick(at), value=value, tangent="flat") for at, value in points))
