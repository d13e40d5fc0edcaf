"""Rerooting: a figure hung up at another joint, its pose and motion unchanged.

`reroot_tree` turns the tree about; all values, tracks and samples below the root stay valid as they are. What the
root itself does has to be found anew, since the new root moves with all joints between the old one and it: the layers
are evaluated together, and the new root's coordinates are solved from its place in space.

Where all that moves the new root stands still, they are constants. Where it comes from samples of one layer only,
they are samples on the same frames. Otherwise they are keys on every key and sample of the actor, and on every frame
of the document between these: there the motion is the old one to rounding; between them it follows cubics of the same
slopes and, in a ball, the quaternion spline, and beyond them the old root's extrapolation. Turned joints whose keys a
layer joins by quaternion splines get keys at these times too.

They stand in the actor's layer, if it has only one and that one replaces all; else in a new layer on top, and the
old root's go from every layer, muted ones included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Document, Draft, Figure, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame
from engine.edits.find import find_figure
from engine.edits.fitting import fitted_layer, undriven
from engine.edits.follows import followers
from engine.edits.reroot_limits import turned_limits
from engine.edits.reroot_tree import chain_to, reroot_tree
from engine.edits.selection_sets import drop_missing
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.motion.tangents import catmull_rom
from engine.runtime.errors import InvalidDocument

_FRAMES = 1_000_000
_STEP = TICKS_PER_SECOND // 10_000  # between the places at which slopes are measured


def reroot_figure(document: Document, *, actor: str, joint: str, layer: str) -> Document:
    """Make a joint the root of its tree; `layer` is the id of the layer for its path, where one is needed.

    Runs kernels: on the engine's thread.
    """
    owner, figure = find_figure(document, actor)
    chain = chain_to(figure, joint)
    if len(chain) == 1:
        return document
    if any(each.id == layer for each in owner.layers):
        raise InvalidDocument(what="the id of the new layer", value=layer, allowed="an id that is not yet in use")
    content = reroot_tree(figure, joint, _held_joints(document, actor))
    joints = tuple(undriven(each, figure, content) for each in content.joints)
    content = replace(content, joints=joints, limits=turned_limits(figure, content, chain))
    times = _times(owner.layers, document.rate)
    path = replace(_path(owner, chain, content, times), drafts=_drafts(owner, chain, content))
    layers = tuple(_unjoined(figure, chain, each, times) for each in owner.layers)
    made = _layers(layers, figure, chain, content, path, layer)
    changed = owner
    for each in followers():
        changed = each.rerooted(changed, content)
    changed = replace(changed, figure=content, layers=made)
    return drop_missing(document.with_actor(changed))


def _held_joints(document: Document, actor: str) -> set[str]:
    """The joints of an actor that attachments name, from either side, and parts of systems."""
    found = {each.joint for each in document.actor(actor).attachments}
    for other in document.actors:
        found.update(each.target_joint for each in other.attachments if each.target == actor)
    return found.union(*(each.named(document, actor) for each in followers()))


def _path(owner: Actor, chain: tuple[Joint, ...], content: Figure, times: list[int]) -> Layer:
    """A layer that holds the new root's coordinates and nothing else."""
    from engine.motion.motion import active_layers

    moving = {name for joint in chain for dof in joint.dofs for name in dof.coordinates}
    layers = active_layers(owner.layers)
    tracks = [track for layer in layers for track in layer.tracks]
    corrected = {name for layer in layers if layer.correction is not None for name in layer.correction.coordinates}
    sampled = [layer.samples for layer in layers if layer.samples is not None]
    relevant = [track for track in tracks if track.coordinate in moving]
    still = not relevant and not any(moving.intersection(samples.coordinates) for samples in sampled)
    still = still and moving.isdisjoint(corrected)
    spans = any(layer.span for layer in layers)
    names = tuple(name for dof in content.joint(chain[-1].id).dofs for name in dof.coordinates)
    if still and not spans:
        values = _solve(owner, chain, content, [0])[0].tolist()
        return Layer(id="path", name="Root", values=tuple(zip(names, values, strict=True)))
    if len(sampled) == 1 and not tracks and not spans and not corrected:
        only = sampled[0]
        times = [only.time(frame) for frame in range(only.frame_count)]
        values = Blob(_solve(owner, chain, content, times))
        return Layer(id="path", name="Root", samples=replace(only, coordinates=names, values=values))
    rows = _solve(owner, chain, content, (time + step * _STEP for time in times for step in range(-3, 3)))
    beside = rows.reshape(len(times), 6, len(names))
    ends = _ends(chain[0], relevant)
    made = [_with_slopes(name, times, beside[:, :, place], ends) for place, name in enumerate(names)]
    marked = {key.time for track in relevant for key in track.keys if key.mark}
    return Layer(id="path", name="Root", tracks=tuple(_marked(track, marked) for track in made))


def _marked(track: Track, times: set[int]) -> Track:
    """The track with marks on its keys at some ticks."""
    return replace(track, keys=tuple(replace(key, mark=True) if key.time in times else key for key in track.keys))


def _drafts(owner: Actor, chain: tuple[Joint, ...], content: Figure) -> tuple[Draft, ...]:
    """Compute the new root's pose at the drafts of all layers."""
    from engine.motion.drafts import at_draft

    names = tuple(name for dof in content.joint(chain[-1].id).dofs for name in dof.coordinates)
    made = []
    for time in sorted({draft.time for layer in owner.layers for draft in layer.drafts}):
        shown = replace(owner, layers=at_draft(owner.figure, owner.layers, time))
        row = _solve(shown, chain, content, [time])[0].tolist()
        made.append(Draft(time=time, values=tuple(zip(names, row, strict=True))))
    return tuple(made)


def _with_slopes(name: str, times: list[int], beside: Array, ends: Track) -> Track:
    """Keys with the values and slopes of a path that is known from three steps before each time to two after it.

    One-sided differences of second order, which do not look across a jump or a bend.
    """
    seconds = 2.0 * _STEP / TICKS_PER_SECOND
    arriving = (3.0 * beside[:, 0] - 8.0 * beside[:, 1] + 5.0 * beside[:, 2]) / seconds
    leaving = (4.0 * beside[:, 4] - 3.0 * beside[:, 3] - beside[:, 5]) / seconds
    numbers = zip(times, beside[:, 3].tolist(), arriving.tolist(), leaving.tolist(), strict=True)
    keys = tuple(Key(time, value, "cubic", "free", slope_in, slope_out) for time, value, slope_in, slope_out in numbers)
    return Track(coordinate=name, keys=keys, before=ends.before, after=ends.after)


def _through(name: str, times: list[int], values: Array, ends: Track) -> Track:
    keys = tuple(Key(time, value) for time, value in zip(times, values.tolist(), strict=True))
    return Track(coordinate=name, keys=catmull_rom(keys), before=ends.before, after=ends.after)


def _ends(root: Joint, tracks: list[Track]) -> Track:
    """The track whose extrapolation the path takes: the old root's first, else the first of all, or one that holds."""
    own = {name for dof in root.dofs for name in dof.coordinates}
    found = [track for track in tracks if track.coordinate in own] or tracks
    return found[0] if found else Track(coordinate="none", keys=(Key(0, 0.0),))


def _times(layers: Iterable[Layer], rate: Rate) -> list[int]:
    """Every key, sample, middle and end of a bell, end of a span, and every frame of the document between them."""
    found: set[int] = set()
    for layer in layers:
        found.update(key.time for track in layer.tracks for key in track.keys)
        found.update((layer.span.start, layer.span.end) if layer.span is not None else ())
        if layer.correction is not None:
            bells = [term.bell for term in layer.correction.terms]
            found.update(time for bell in bells for time in (bell.start, bell.time, bell.end))
        if layer.samples is not None:
            found.update(layer.samples.time(frame) for frame in range(layer.samples.frame_count))
    if not found:
        return [0]
    first, last = min(found), max(found)
    length = ticks_per_frame(rate)
    if (last - first) / length > _FRAMES:
        raise InvalidDocument(what="the frames of the root's path", value=last - first, allowed=f"at most {_FRAMES}")
    frames = range(int(np.ceil(first / length)), int(np.floor(last / length)) + 1)
    found.update(time for time in (frame_time(frame, rate) for frame in frames) if first < time < last)
    return sorted(found)


def _unjoined(figure: Figure, chain: tuple[Joint, ...], layer: Layer, times: list[int]) -> Layer:
    """The layer with keys at all times for the turned joints whose keys it joins by splines.

    The inverse of a quaternion spline is not the spline of the inverses; that of a slerp is.
    """
    from engine.motion.motion import compile_motion

    joined = [joint for joint in chain[1:] if joint.id in layer.quaternions]
    names = [dof.id for joint in joined for dof in joint.dofs if dof.id in layer.track_of and dof.kind == "hinge"]
    if layer.quaternion_mode == "slerp" or not names:
        return layer
    plain = replace(layer, mode="replace", weight=1.0, span=None, mask=None, mute=False, solo=False, speed=())
    plain = replace(plain, correction=None)
    rows = compile_motion(figure, (plain,)).at(np.array(times, dtype=np.float64))[:, 0]
    columns = [figure.coordinate_index[name] for name in names]
    values = _unwrapped(figure, names, rows[:, columns])
    made = {name: _through(name, times, values[:, place], layer.track_of[name]) for place, name in enumerate(names)}
    left = tuple(id for id in layer.quaternions if all(joint.id != id for joint in joined))
    tracks = tuple(made.get(track.coordinate, track) for track in layer.tracks)
    return replace(layer, tracks=tracks, quaternions=left)


def _unwrapped(figure: Figure, names: list[str], values: Array) -> Array:
    """Values with continuous angles and quaternions."""
    from engine.motion.unwrap import unwrap_values

    return unwrap_values(figure, names, values)


def _solve(owner: Actor, chain: tuple[Joint, ...], content: Figure, times: Iterable[int]) -> Array:
    """The new root's coordinates at some times, one row for each."""
    from engine.motion.mirror_map import joint_coordinates, joint_motion
    from engine.motion.motion import compile_motion

    figure = owner.figure
    rows = compile_motion(figure, owner.layers).at(np.array(list(times), dtype=np.float64))[:, 0]
    rotation, position = np.broadcast_to(np.eye(3), (len(rows), 3, 3)), np.zeros((len(rows), 3))
    for joint in chain:
        position = position + rotation @ np.array(joint.offset)
        rotation = rotation @ rotation_matrix(joint.rest)
        columns = [figure.coordinate_index[name] for dof in joint.dofs for name in dof.coordinates]
        turned, moved = joint_motion(joint, rows[:, columns])
        position = position + np.einsum("fij,fj->fi", rotation, moved)
        rotation = rotation @ turned
    new = content.joint(chain[-1].id)
    rest = rotation_matrix(new.rest)
    values = joint_coordinates(new, rest.T @ rotation, (position - np.array(new.offset)) @ rest, None)
    return _unwrapped(content, [name for dof in new.dofs for name in dof.coordinates], values)


def _layers(
    layers: tuple[Layer, ...],
    figure: Figure,
    chain: tuple[Joint, ...],
    content: Figure,
    path: Layer,
    id: str,
) -> tuple[Layer, ...]:
    """The layers without what the old root did, and with the path of the new one."""
    gone = frozenset(name for dof in chain[0].dofs for name in dof.coordinates)
    kept = tuple(fitted_layer(layer, figure, content, gone) for layer in layers)
    if (
        len(kept) == 1
        and _plain(kept[0])
        and (kept[0].samples is None or path.samples is None or _alike(kept[0], path))
    ):
        return (_merged(kept[0], path, content),)
    return (*kept, replace(path, id=id, solo=any(layer.solo for layer in layers)))


def _plain(layer: Layer) -> bool:
    free = layer.mode == "replace" and layer.weight == 1.0 and not layer.mute and not layer.speed
    return free and layer.span is None and layer.mask is None


def _alike(layer: Layer, path: Layer) -> bool:
    """Tell whether the samples of both stand on the same frames, where both have some."""
    first, second = layer.samples, path.samples
    if first is None or second is None:
        return True
    return (first.rate, first.start, first.frame_count, first.before, first.after) == (
        second.rate,
        second.start,
        second.frame_count,
        second.before,
        second.after,
    )


def _merged(layer: Layer, path: Layer, content: Figure) -> Layer:
    order = content.coordinate_index
    samples, own = path.samples, layer.samples
    if samples is None:
        samples = own
    elif own is not None:
        blob = Blob(np.hstack((samples.values.array, own.values.array)))
        samples = replace(samples, coordinates=samples.coordinates + own.coordinates, values=blob)
    return replace(
        layer,
        values=tuple(sorted((*layer.values, *path.values), key=lambda item: order[item[0]])),
        tracks=tuple(sorted((*layer.tracks, *path.tracks), key=lambda track: order[track.coordinate])),
        samples=samples,
        drafts=_drafts_merged(layer.drafts, path.drafts, order),
    )


def _drafts_merged(own: tuple[Draft, ...], root: tuple[Draft, ...], order: Mapping[str, int]) -> tuple[Draft, ...]:
    """The drafts of a layer and of the root's path, one for each tick."""
    found: dict[int, dict[str, float]] = {}
    for draft in (*own, *root):
        found.setdefault(draft.time, {}).update(draft.values)
    return tuple(
        Draft(time=time, values=tuple(sorted(found[time].items(), key=lambda item: order[item[0]])))
        for time in sorted(found)
    )
