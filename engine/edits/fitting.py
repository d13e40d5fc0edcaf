"""Fitting: a scene made to fit an actor's changed figure, so that nothing names a joint or coordinate that has gone.

Values, keys, samples and masks of coordinates that are still there stay. What held, hung on or named a joint that has
gone goes with it: handles, locks, attachments, gains, targets, items of selection sets, limits over a hinge that has
gone, what it drove; a lock of the centre of mass, which a joint only shows, goes to the joint's heir. Surfaces of skins
do not move: at rest, each vertex stays where it was, and follows the heir of a joint that has gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import dist

from engine.document import (
    Blob,
    Document,
    DrivenBy,
    Figure,
    Joint,
    Layer,
    Samples,
    Skin,
)
from engine.document.correction import restricted
from engine.document.frames import Frame, rest_frames
from engine.document.validation import validate_actor
from engine.edits.attachments import let_go
from engine.edits.find import find_figure
from engine.edits.follows import followers
from engine.edits.layers import turns_every_way
from engine.edits.limits import kept_limits
from engine.edits.selection_sets import drop_missing

_SAME = 1e-12  # [m], and between quaternions


def with_figure(document: Document, actor: str, content: Figure, heirs: Mapping[str, str] | None = None) -> Document:
    """The document with another figure for an actor; `heirs` says which joint takes over from each that has gone."""
    heirs = heirs or {}
    owner, figure = find_figure(document, actor)
    if content == figure:
        return document
    content = _fitted_figure(figure, content, heirs)
    changed = replace(
        owner,
        figure=content,
        layers=tuple(fitted_layer(layer, figure, content) for layer in owner.layers),
        attachments=tuple(each for each in owner.attachments if each.joint in content.joint_index),
    )
    for each in followers():
        changed = each.fitted(changed, content, heirs)
    validate_actor(changed)
    document = let_go(document.with_actor(changed), lambda other, joint: other != actor or joint in content.joint_index)
    return drop_missing(document)


def fitted_layer(layer: Layer, figure: Figure, content: Figure, gone: frozenset[str] = frozenset()) -> Layer:
    """The layer without coordinates that the new figure lacks or that are said to have `gone`, in its order."""
    there = content.coordinate_index
    known = {name: place for name, place in there.items() if name not in gone}

    def ordered(values: tuple[tuple[str, float], ...]) -> tuple[tuple[str, float], ...]:
        return tuple(sorted((item for item in values if item[0] in known), key=lambda item: known[item[0]]))

    tracks = (track for track in layer.tracks if track.coordinate in known)
    speeds = (
        (each, tuple(name for name in each.coordinates if name in content.coordinate_index)) for each in layer.speed
    )
    drafts = ((draft, ordered(draft.values)) for draft in layer.drafts)
    mask = None if layer.mask is None else tuple(name for name in there if name in set(layer.mask))
    fitted = replace(
        layer,
        values=ordered(layer.values),
        tracks=tuple(sorted(tracks, key=lambda track: known[track.coordinate])),
        samples=None if layer.samples is None else _fitted_samples(layer.samples, known),
        mask=mask,
        quaternions=_joined(layer.quaternions, figure, content),
        speed=tuple(replace(each, coordinates=names) for each, names in speeds if names),
        drafts=tuple(replace(draft, values=values) for draft, values in drafts if values),
        correction=restricted(layer.correction, known),
    )
    return layer if fitted == layer else fitted


def _fitted_samples(samples: Samples, known: Mapping[str, int]) -> Samples | None:
    places = [place for place, name in enumerate(samples.coordinates) if name in known]
    if len(places) == len(samples.coordinates):
        return samples
    coordinates = tuple(samples.coordinates[place] for place in places)
    return replace(samples, coordinates=coordinates, values=Blob(samples.values.array[:, places])) if places else None


def _joined(joints: tuple[str, ...], figure: Figure, content: Figure) -> tuple[str, ...]:
    """The joints that now carry the hinges of joints whose keys are joined as rotations."""
    carrier = {dof.id: joint for joint in content.joints for dof in joint.dofs}
    hinges = (next((dof.id for dof in figure.joint(id).dofs if dof.kind == "hinge"), "") for id in joints)
    found = (carrier[dof] for dof in hinges if dof in carrier)
    return tuple(dict.fromkeys(joint.id for joint in found if turns_every_way(joint)))


def _fitted_figure(figure: Figure, content: Figure, heirs: Mapping[str, str]) -> Figure:
    """The new figure with its handles, mirror partners, skins and limits put right."""
    known = content.joint_index
    joints = (
        replace(joint, mirror=None) if joint.mirror is not None and joint.mirror not in known else joint
        for joint in content.joints
    )
    content = replace(content, joints=tuple(undriven(joint, figure, content) for joint in joints))
    frames = (rest_frames(figure), rest_frames(content)) if content.skins else ({}, {})
    return replace(
        content,
        handles=tuple(handle for handle in content.handles if handle.joint in known),
        skins=tuple(_rebound(skin, *frames, heirs) for skin in content.skins),
        limits=kept_limits(content, figure),
    )


def undriven(joint: Joint, figure: Figure, content: Figure) -> Joint:
    """The joint without drivers that the old figure had and the new one has not, or that are driven themselves now."""
    known, before = content.coordinate_dof, figure.coordinate_dof

    def drives(each: DrivenBy) -> bool:
        return not known[each.dof].driven if each.dof in known else each.dof not in before

    if all(map(drives, (each for dof in joint.dofs for each in dof.driven))):
        return joint
    return replace(joint, dofs=tuple(replace(dof, driven=tuple(filter(drives, dof.driven))) for dof in joint.dofs))


def _rebound(skin: Skin, old: Mapping[str, Frame], new: Mapping[str, Frame], heirs: Mapping[str, str]) -> Skin:
    """The skin with its surface where it was at rest: a bind B becomes X'^-1 X B, X' of the new joint or its heir."""
    joints = tuple(heirs.get(id, id) for id in skin.joints)
    moves = [new[after].seeing(old[before]) for before, after in zip(skin.joints, joints, strict=True)]
    if joints == skin.joints and all(_is_nothing(move) for move in moves):
        return skin
    from engine.maths.rotation_arrays import rotation_matrix  # here: few figures have skins, and numpy comes with it

    bind = skin.bind.array.copy()
    for place, move in enumerate(moves):
        if joints[place] != skin.joints[place] or not _is_nothing(move):
            bind[place] = rotation_matrix(move.rotation) @ bind[place]
            bind[place, :, 3] += move.position
    return replace(skin, joints=joints, bind=Blob(bind))


def _is_nothing(move: Frame) -> bool:
    return dist(move.position, (0.0, 0.0, 0.0)) < _SAME and max(map(abs, move.rotation[1:])) < _SAME
