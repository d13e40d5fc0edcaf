"""A random example of each edit of layers, keys, ranges and figures, for any actor with a figure and a layer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from engine.document import (
    Actor,
    Attachment,
    Blob,
    Body,
    Box,
    Capsule,
    Document,
    Figure,
    Handle,
    Joint,
    Key,
    Layer,
    Samples,
    Skin,
    Span,
    SpeedRange,
    Track,
)
from engine.document.freedoms import JointKind, freedoms
from engine.document.motion import Interpolation
from engine.document.order import targets_of
from engine.document.segment import middle_of_segment
from engine.edits import Edit, edit
from engine.edits.ranges import copy_range
from engine.edits.several import FILLINGS
from tests.engine.edits.driven_examples import some_driven, some_following

SECOND = 705_600_000
Example = Callable[[Random, Actor, Layer], dict[str, Any] | None]


def example(random: Random, name: str, actor: Actor) -> Edit | None:
    """An edit of that name, or another where the actor has nothing that it could change; None for other edits."""
    make = EXAMPLES.get(name)
    if make is None:
        return None
    layer = random.choice(actor.layers)
    arguments = make(random, actor, layer)
    if arguments is None:
        return edit("rename_actor", actor=actor.id, name=f"Actor {random.randint(1, 9)}")
    return edit(name, **({} if {"chosen", "actors", "parts"} & arguments.keys() else {"actor": actor.id}), **arguments)


def attachment_edit(random: Random, name: str, document: Document) -> Edit:
    """An edit of attachments; actors hang on those listed before them, so that there is no ring."""
    hanging = [actor for actor in document.actors if actor.attachments]
    if name == "attach_actor" or not hanging:
        pairs = [(each, other) for place, each in enumerate(document.actors) for other in document.actors[:place]]
        actor, target = random.choice([each for each in pairs if not _hangs_on(document, each[1], each[0].id)])
        attachment = Attachment(
            id=new_id(random),
            joint=some_joint(random, actor),
            target=target.id,
            target_joint=some_joint(random, target),
            position=(random.random(), 0.0, -1.0),
            span=Span(start=0, end=3 * SECOND, ease_in=SECOND) if random.random() < 0.7 else None,
        )
        return edit("attach_actor", actor=actor.id, attachment=attachment)
    owner = random.choice(hanging)
    chosen = random.choice(owner.attachments).id
    if name == "detach_actor":
        return edit(name, actor=owner.id, attachment=chosen)
    if name == "place_attachment":
        where: dict[str, Any] = {"position": (random.random(), 0.0, 1.0), "rotation": (0.6, 0.0, 0.8, 0.0)}
        return edit(name, actor=owner.id, attachment=chosen, **where)
    return edit(name, actor=owner.id, attachment=chosen, **some_span(random))


def _hangs_on(document: Document, actor: Actor, other: str) -> bool:
    """Tell whether an actor waits for another, be it by what a part of it holds on to."""
    waits = [each for each in targets_of(actor) if each in document.actor_index]
    return other in waits or any(_hangs_on(document, document.actor(each), other) for each in waits)


def figure_of(actor: Actor) -> Figure:
    """The figure that the actor is known to have."""
    assert actor.figure is not None
    return actor.figure


def _skin(random: Random, actor: Actor) -> Skin:
    """One triangle on one or two joints."""
    joints = tuple(
        random.sample(tuple(figure_of(actor).joint_index), k=random.randint(1, min(2, len(figure_of(actor).joints))))
    )
    turns = [[[1.0, 0.0, 0.0, random.random()], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]] for _ in joints]
    return Skin(
        id=new_id(random),
        name="Patch",
        positions=Blob(np.eye(3, dtype="<f4")),
        triangles=Blob(np.array([[0, 1, 2]], dtype="<i4")),
        joints=joints,
        bind=Blob(turns),
        influences=Blob(np.zeros((3, 1), dtype="<i4")),
        weights=Blob(np.ones((3, 1), dtype="<f4")),
    )


def _weights(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    if not figure_of(actor).skins:
        return None
    skin = random.choice(figure_of(actor).skins)
    influences = [[random.randrange(len(skin.joints)), 0] for _ in range(3)]
    weights = [[0.75, 0.25] if random.random() < 0.5 else [1.0, 0.0] for _ in range(3)]
    return {
        "skin": skin.id,
        "influences": Blob(np.array(influences, dtype="<i4")),
        "weights": Blob(np.array(weights, dtype="<f4")),
    }


def new_id(random: Random) -> str:
    return f"{random.getrandbits(64):x}"


def _some(random: Random, actor: Actor) -> tuple[str, ...]:
    names = figure_of(actor).coordinates
    return tuple(random.sample(names, k=random.randint(1, min(4, len(names)))))


def _speed(random: Random, actor: Actor) -> SpeedRange:
    start = random.randint(-3, 3) * SECOND
    end = start + random.randint(1, 3) * SECOND
    return SpeedRange(start=start, end=end, coordinates=_some(random, actor), keys=(Key(start, 0.0), Key(end, 1.0)))


def some_samples(random: Random, actor: Actor) -> Samples:
    names = tuple(name for name in _some(random, actor) if "turn" not in name) or (figure_of(actor).dofs[0].id,)
    values = Blob([[random.uniform(-1.0, 1.0) for _ in names] for _ in range(random.randint(2, 6))])
    return Samples(coordinates=names, values=values, rate=(5, 1), start=random.randint(-2, 2) * SECOND)


def some_span(random: Random) -> dict[str, Any]:
    return {"start": 0, "end": random.randint(2, 5) * SECOND, "ease_in": SECOND} if random.random() < 0.7 else {}


def _chosen(random: Random, layer: Layer) -> tuple[tuple[str, tuple[int, ...]], ...] | None:
    """Some keys of one or two tracks."""
    tracks = random.sample(layer.tracks, k=min(2, len(layer.tracks)))
    return tuple((track.coordinate, (random.choice(track.keys).time,)) for track in tracks) or None


def _on_keys(**makers: Callable[[Random], Any]) -> Example:
    """Arguments for an edit of chosen keys."""

    def make(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
        keys = _chosen(random, layer)
        if keys is None:
            return None
        return {"layer": layer.id, "keys": keys, **{name: maker(random) for name, maker in makers.items()}}

    return make


def _on_chosen(**makers: Callable[[Random], Any]) -> Example:
    """Arguments for an edit of chosen keys of several layers."""

    def make(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
        keys = _chosen(random, layer)
        if keys is None:
            return None
        return {"chosen": ((actor.id, layer.id, keys),), **{name: maker(random) for name, maker in makers.items()}}

    return make


def _on_tracks(**makers: Callable[[Random], Any]) -> Example:
    """Arguments for an edit of the tracks of several layers."""

    def make(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
        keys = _chosen(random, layer)
        if keys is None:
            return None
        names = tuple(name for name, _ in keys)
        return {"chosen": ((actor.id, layer.id, names),), **{name: maker(random) for name, maker in makers.items()}}

    return make


def _inserted(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    found = _insertion(random, actor, layer)
    return found and {"chosen": ((actor.id, layer.id, found["coordinates"]),), "time": found["time"]}


def _reshaped(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    keys = _chosen(random, layer)
    if keys is None:
        return None
    made = tuple((name, _key(random)) for name, _ in keys)
    place = (actor.id, layer.id)
    return {"chosen": ((*place, keys),), "made": ((*place, made),), "speeds": ((*place, _speed(random, actor)),)}


def _key(random: Random) -> Key:
    return Key(random.randint(-3, 3) * SECOND, random.uniform(-1.0, 1.0), interpolation=_interpolation(random))


def _interpolation(random: Random) -> Interpolation:
    kinds: tuple[Interpolation, ...] = ("stepped", "linear", "cubic")
    return random.choice(kinds)


def _extrapolation(random: Random) -> str | None:
    return random.choice((None, "hold", "linear", "cycle", "cycle_offset"))


def _insertion(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    if not layer.tracks:
        return None
    track = random.choice(layer.tracks)
    time = random.randint(track.keys[0].time, track.keys[-1].time)
    return {"layer": layer.id, "time": time, "coordinates": (track.coordinate,)}


def _range(random: Random) -> dict[str, int]:
    start = random.randint(-3 * SECOND, 3 * SECOND)
    return {"start": start, "end": start + random.randint(1, 2 * SECOND)}


def _over_parts(random: Random, actor: Actor, layer: Layer, **more: object) -> dict[str, Any]:
    names = None if random.random() < 0.5 else tuple(_some(random, actor))
    return {"parts": ((actor.id, layer.id, names),), **_range(random), **more}


def _motion(random: Random, actor: Actor, layer: Layer) -> tuple[object, ...]:
    dofs = [dof for dof in figure_of(actor).dofs if dof.kind != "ball"] or list(figure_of(actor).dofs)
    names = random.choice(dofs).coordinates
    tracks = tuple(Track(coordinate=name, keys=(_key(random),)) for name in names) if random.random() < 0.7 else ()
    return actor.id, layer.id, names, tracks, None


def _paste(random: Random, actor: Actor, layer: Layer) -> dict[str, Any]:
    document = Document(actors=(actor,))
    ends = _range(random)
    clip = copy_range(document, actor.id, layer.id, ends["start"], ends["end"])
    mode = random.choice(("replace", "insert"))
    return {"layer": layer.id, "clip": clip, "time": random.randint(-2, 2) * SECOND, "mode": mode}


def some_joint(random: Random, actor: Actor) -> str:
    return random.choice(figure_of(actor).joints).id


def _limits(random: Random, actor: Actor) -> dict[str, Any] | None:
    """Limits of a degree of freedom that nothing drives."""
    free = [dof.id for dof in figure_of(actor).dofs if dof.kind != "ball" and not dof.driven]
    return {"dof": random.choice(free), "lower": -1.5, "upper": random.random()} if free else None


def _hinge(random: Random, actor: Actor) -> str:
    return random.choice([dof for dof in figure_of(actor).dofs if dof.kind != "ball"]).id


def _on_draft(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    drafted = [each for each in actor.layers if each.drafts]
    if not drafted:
        return None
    chosen = random.choice(drafted)
    return {"layer": chosen.id, "time": random.choice(chosen.drafts).time}


def _new_joint(random: Random, actor: Actor, layer: Layer) -> dict[str, Any]:
    id = new_id(random)
    dofs = freedoms(random.choice(("hinge", "slide", "ball")), id)
    shapes = (Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.2, 0.0), radius=0.02),)
    parent, offset = some_joint(random, actor), (random.random(), 0.0, 0.1)
    return {"joint": Joint(id=id, name="New", parent=parent, offset=offset, dofs=dofs, shapes=shapes)}


def _gone_joint(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    """A joint without which the figure still moves."""
    figure = figure_of(actor)
    branch = random.random() < 0.3
    chosen = random.choice(figure.joints).id
    gone = {chosen, *figure.below(chosen)} if branch else {chosen}
    left = [dof for joint in figure.joints if joint.id not in gone for dof in joint.dofs if dof.kind != "ball"]
    if figure.joint(chosen).parent is None or len(left) < 6:
        return None
    return {"joint": chosen, "branch": branch}


def _other_parent(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    figure = figure_of(actor)
    joint = random.choice(figure.joints)
    others = [each.id for each in figure.joints if each.id not in {joint.id, *figure.below(joint.id)}]
    return {"joint": joint.id, "parent": random.choice(others)} if joint.parent is not None and others else None


def _split(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    figure, joint = figure_of(actor), some_joint(random, actor)
    if max(map(abs, middle_of_segment(figure, joint))) < 1e-3 or len(figure.joints) > 30:
        return None
    return {"joint": joint, "share": random.uniform(0.1, 0.9), "id": new_id(random), "name": "Half"}


def _other_side(random: Random, actor: Actor, layer: Layer) -> dict[str, Any] | None:
    figure, joint = figure_of(actor), random.choice(figure_of(actor).joints)
    branch = [figure.joint(id) for id in (joint.id, *figure.below(joint.id))]
    if joint.parent is None or len(branch) > 6 or any(each.mirror for each in branch):
        return None
    names = {each.id for each in branch}
    return {
        "joint": joint.id,
        "joints": tuple((each.id, new_id(random)) for each in branch),
        "dofs": tuple((dof.id, new_id(random)) for each in branch for dof in each.dofs),
        "handles": tuple((each.id, new_id(random)) for each in figure.handles if each.joint in names),
    }


def _other_dofs(random: Random, actor: Actor, layer: Layer) -> dict[str, Any]:
    joint = random.choice(figure_of(actor).joints)
    kinds: tuple[JointKind, ...] = ("hinge", "universal", "ball", "slide")
    kind: JointKind = random.choice(kinds) if joint.parent is not None else "free"
    return {"joint": joint.id, "dofs": freedoms(kind, new_id(random), kept=joint.dofs)}


EXAMPLES: dict[str, Example] = {
    "add_layer": lambda random, actor, layer: {"layer": Layer(id=new_id(random)), "index": random.choice((None, 0))},
    "duplicate_layer": lambda random, actor, layer: {"layer": layer.id, "id": new_id(random)},
    "remove_layer": lambda random, actor, layer: {"layer": layer.id} if len(actor.layers) > 2 else None,
    "move_layer": lambda random, actor, layer: {"layer": layer.id, "index": random.randrange(len(actor.layers))},
    "rename_layer": lambda random, actor, layer: {"layer": layer.id, "name": random.choice(("Walk", "Wave"))},
    "set_layer_mode": lambda random, actor, layer: {"layer": layer.id, "mode": random.choice(("replace", "add"))},
    "set_layer_weight": lambda random, actor, layer: {"layer": layer.id, "weight": random.random()},
    "set_layer_span": lambda random, actor, layer: {"layer": layer.id, **some_span(random)},
    "set_layer_mask": lambda random, actor, layer: {
        "layer": layer.id,
        "mask": random.choice((None, _some(random, actor))),
    },
    "choose_layer": lambda random, actor, layer: {"layer": random.choice((None, layer.id))},
    "key_layer": lambda random, actor, layer: (
        {"layer": layer.id, "tracks": (Track(coordinate=_hinge(random, actor), keys=(Key(SECOND, 0.5),)),)}
        if layer.samples is not None
        else None
    ),
    "mute_layer": lambda random, actor, layer: {"layer": layer.id, "mute": random.random() < 0.5},
    "solo_layer": lambda random, actor, layer: {"layer": layer.id, "solo": random.random() < 0.5},
    "set_quaternions": lambda random, actor, layer: {
        "layer": layer.id,
        "joints": (),
        "mode": random.choice(("slerp", "spline")),
    },
    "set_speed": lambda random, actor, layer: {"layer": layer.id, "speed": _speed(random, actor)},
    "remove_speed": lambda random, actor, layer: next(
        ({"layer": each.id, "start": random.choice(each.speed).start} for each in actor.layers if each.speed), None
    ),
    "bake_layers": lambda random, actor, layer: {
        "layers": (layer.id,),
        "id": new_id(random),
        "samples": some_samples(random, actor),
    },
    "set_key": lambda random, actor, layer: {
        "layer": layer.id,
        "coordinate": random.choice(figure_of(actor).coordinates),
        "time": random.randint(-3, 3) * SECOND,
        "value": random.uniform(-1.0, 1.0),
        "interpolation": random.choice((None, "linear")),
        "slope_out": random.choice((None, 1.0)),
    },
    "set_keys": lambda random, actor, layer: {
        "layer": layer.id,
        "keys": tuple((name, _key(random)) for name in _some(random, actor)),
    },
    "key_pose": lambda random, actor, layer: {
        "layer": layer.id,
        "time": random.randint(-3, 3) * SECOND,
        "values": tuple((name, random.uniform(-1.0, 1.0)) for name in _some(random, actor)),
    },
    "set_draft": lambda random, actor, layer: {
        "layer": layer.id,
        "time": random.randint(-3, 3) * SECOND,
        "values": tuple((name, random.uniform(0.1, 1.0)) for name in _some(random, actor)),
    },
    "key_draft": _on_draft,
    "drop_draft": _on_draft,
    "insert_keys": _insertion,
    "remove_keys": _on_keys(),
    "move_keys": _on_keys(ticks=lambda random: random.randint(-SECOND, SECOND), value=lambda random: random.random()),
    "scale_keys": _on_keys(pivot=lambda random: 0, factor=lambda random: random.uniform(0.5, 2.0)),
    "copy_keys": _on_keys(ticks=lambda random: random.randint(-SECOND, SECOND)),
    "move_chosen": _on_chosen(ticks=lambda random: random.randint(-SECOND, SECOND)),
    "copy_chosen": _on_chosen(ticks=lambda random: random.randint(-SECOND, SECOND)),
    "scale_chosen": _on_chosen(pivot=lambda random: 0, factor=lambda random: random.uniform(0.5, 2.0)),
    "remove_chosen": _on_chosen(),
    "fill_chosen": _on_chosen(kind=lambda random: random.choice(FILLINGS)),
    "reshape_chosen": _reshaped,
    "insert_chosen": _inserted,
    "extend_chosen": _on_tracks(after=_extrapolation),
    "mute_chosen": _on_tracks(mute=lambda random: random.random() < 0.5),
    "unwrap_chosen": _on_tracks(),
    "paste_keys": lambda random, actor, layer: {
        "chosen": ((actor.id, layer.id, tuple((name, _key(random)) for name in _some(random, actor))),),
    },
    "set_tangent": _on_keys(tangent=lambda random: random.choice(("auto", "flat", "free"))),
    "set_kochanek_bartels": _on_keys(tension=lambda random: random.random()),
    "set_interpolation": _on_keys(interpolation=_interpolation),
    "set_extrapolation": lambda random, actor, layer: {
        "layer": layer.id,
        "before": _extrapolation(random),
        "after": _extrapolation(random),
    },
    "clear_tracks": lambda random, actor, layer: {"layer": layer.id, "coordinates": _some(random, actor)},
    "set_samples": lambda random, actor, layer: {
        "layer": layer.id,
        "samples": random.choice((None, some_samples(random, actor))),
    },
    "unwrap_angles": lambda random, actor, layer: {"layer": layer.id},
    "cut_range": lambda random, actor, layer: {"layer": layer.id, **_range(random)},
    "paste_range": _paste,
    "insert_time": lambda random, actor, layer: {
        "layer": layer.id,
        "time": random.randint(-SECOND, SECOND),
        "length": random.randint(1, SECOND),
    },
    "delete_time": lambda random, actor, layer: {"layer": layer.id, **_range(random)},
    "insert_everywhere": lambda random, actor, layer: {
        "actors": (actor.id,),
        "time": random.randint(-SECOND, SECOND),
        "length": random.randint(1, SECOND),
        "play": random.random() < 0.5,
    },
    "delete_everywhere": lambda random, actor, layer: {"actors": (actor.id,), **_range(random), "play": True},
    "stretch_range": lambda random, actor, layer: {
        "layer": layer.id,
        **_range(random),
        "length": random.randint(1, 2 * SECOND),
    },
    "slide_range": lambda random, actor, layer: {
        "layer": layer.id,
        **_range(random),
        "ticks": random.randint(-SECOND, SECOND),
    },
    "reverse_range": lambda random, actor, layer: {"layer": layer.id, **_range(random)},
    "loop_range": lambda random, actor, layer: {
        "layer": layer.id,
        **_range(random),
        "count": random.randint(1, 2),
        "offset": random.random() < 0.5,
    },
    "stretch_ranges": lambda random, actor, layer: _over_parts(
        random, actor, layer, length=random.randint(1, 2 * SECOND), shifts=random.random() < 0.5, play=True
    ),
    "slide_ranges": lambda random, actor, layer: _over_parts(
        random, actor, layer, ticks=random.randint(-SECOND, SECOND)
    ),
    "reverse_ranges": lambda random, actor, layer: _over_parts(random, actor, layer),
    "mirror_ranges": lambda random, actor, layer: _over_parts(random, actor, layer),
    "fill_ranges": lambda random, actor, layer: _over_parts(random, actor, layer),
    "put_motions": lambda random, actor, layer: {"parts": (_motion(random, actor, layer),)},
    "loop_ranges": lambda random, actor, layer: _over_parts(
        random,
        actor,
        layer,
        count=random.randint(1, 2),
        goes_on=random.choice(("none", "place", "all")),
        shifts=random.random() < 0.5,
    ),
    "rename_joint": lambda random, actor, layer: {"joint": some_joint(random, actor), "name": random.choice("ABC")},
    "set_limits": lambda random, actor, layer: _limits(random, actor),
    "set_stiffness": lambda random, actor, layer: {"dof": _hinge(random, actor), "stiffness": random.random()},
    "set_damping": lambda random, actor, layer: {"dof": _hinge(random, actor), "damping": random.random()},
    "set_spring": lambda random, actor, layer: {
        "dof": _hinge(random, actor),
        "spring": random.choice((0.0, 40.0 * random.random())),
        "neutral": random.choice((0.0, random.random())),
    },
    "set_driven": lambda random, actor, layer: some_driven(random, actor),
    "follow_joint": lambda random, actor, layer: some_following(random, actor),
    "set_body": lambda random, actor, layer: {
        "joint": some_joint(random, actor),
        "body": random.choice((None, Body(mass=random.random()))),
    },
    "set_shapes": lambda random, actor, layer: {
        "joint": some_joint(random, actor),
        "shapes": (Box(half=(random.uniform(0.1, 1.0), 0.1, 0.1)),),
    },
    "set_side": lambda random, actor, layer: {
        "joint": some_joint(random, actor),
        "side": random.choice(("left", "middle", "right")),
    },
    "set_mirror": lambda random, actor, layer: {
        "joint": some_joint(random, actor),
        "mirror": random.choice((None, some_joint(random, actor))),
    },
    "guess_sides": lambda random, actor, layer: {},
    "set_group": lambda random, actor, layer: {"joint": some_joint(random, actor), "group": random.choice(("", "Arm"))},
    "add_handle": lambda random, actor, layer: {
        "handle": Handle(
            id=new_id(random), name="Tip", joint=some_joint(random, actor), point=(random.random(), 0.0, 0.0)
        )
    },
    "remove_handle": lambda random, actor, layer: (
        {"handle": random.choice(figure_of(actor).handles).id} if figure_of(actor).handles else None
    ),
    "move_handle": lambda random, actor, layer: (
        {"handle": random.choice(figure_of(actor).handles).id, "point": (0.0, random.random(), 0.0)}
        if figure_of(actor).handles
        else None
    ),
    "rename_handle": lambda random, actor, layer: (
        {"handle": random.choice(figure_of(actor).handles).id, "name": random.choice("ABC")}
        if figure_of(actor).handles
        else None
    ),
    "add_joint": _new_joint,
    "remove_joint": _gone_joint,
    "reparent_joint": _other_parent,
    "set_joint_frame": lambda random, actor, layer: {
        "joint": some_joint(random, actor),
        "offset": (random.random(), 0.2, 0.0),
        "rest": (0.6, 0.0, 0.8, 0.0),
        "keep_children": random.random() < 0.5,
    },
    "set_dofs": _other_dofs,
    "split_joint": _split,
    "mirror_branch": _other_side,
    "add_skin": lambda random, actor, layer: {"skin": _skin(random, actor)},
    "remove_skin": lambda random, actor, layer: (
        {"skin": random.choice(figure_of(actor).skins).id} if figure_of(actor).skins else None
    ),
    "set_blending": lambda random, actor, layer: (
        {"skin": random.choice(figure_of(actor).skins).id, "blending": random.choice(("linear", "dual"))}
        if figure_of(actor).skins
        else None
    ),
    "set_weights": _weights,
    "reroot_figure": lambda random, actor, layer: {"joint": some_joint(random, actor), "layer": new_id(random)},
}
"""Arguments for each edit beside the actor; None where it has nothing to change."""
