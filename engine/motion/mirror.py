"""Mirroring of poses and motions across a figure's plane x = 0: left becomes right, and what goes left goes right.

`engine.motion.mirror_map` says how. Where each coordinate is its partner's times a sign, values, samples, keys and
slopes are mirrored exactly, and twice is the identity. The coordinates of a joint that has to be solved are exact at
poses, samples and keys, with the slopes there; between keys its curves are new cubics, and twice gives the same
rotations, by the smaller angles. Joints that cannot take their partner's rotation come as near as they can:
`Mirror.inexact` names them. Values are not clamped to limits.

Constants that an added layer holds are changes: they take the sign but no shift.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from engine.document import Blob, Correction, Figure, Key, Layer, Samples, Track
from engine.maths.arrays import Array
from engine.motion.curves import evaluate_track
from engine.motion.mirror_map import Copied, Mirror, Solved, compile_mirror
from engine.motion.unwrap import unwrap_tracks, unwrap_values
from engine.runtime.errors import InvalidDocument, UnknownPart

Values = tuple[tuple[str, float], ...]

_STEP = 1e-4  # [rad or m] along a joint's movement, for the slopes of solved keys


def mirror_pose(figure: Figure, values: Values) -> Values:
    """The mirrored values of some coordinates; those not named are not touched, or at rest where a joint is solved."""
    return _mirror_values(_compiled(figure, tuple(name for name, _ in values)), values)


def mirror_rows(figure: Figure, poses: Array) -> Array:
    """Poses of a motion mirrored, shape [frame_count, coordinate_count]; not a number where what it needs is not."""
    mirror, place = compile_mirror(figure), figure.coordinate_index
    found = np.empty_like(poses)
    for name, each in mirror.copied.items():
        found[:, place[name]] = each.sign * poses[:, place[each.source]] + each.shift
    for joint in mirror.solved:
        rows = poses[:, [place[name] for name in joint.inputs]]
        known = np.isfinite(rows).all()
        found[:, [place[name] for name in joint.outputs]] = (
            unwrap_values(mirror.figure, joint.outputs, joint.apply(rows)) if known else np.nan
        )
    return found


def mirror_layer(figure: Figure, layer: Layer) -> Layer:
    """A layer mirrored."""
    mirror = _compiled(figure, _names(layer))
    if layer.mode == "add":
        mirror = _without_shifts(mirror)
    partners = {joint.id: joint.mirror or joint.id for joint in figure.joints}
    quaternions = tuple(partners[joint] for joint in layer.quaternions)
    if set(quaternions) == set(layer.quaternions):
        quaternions = layer.quaternions
    return replace(
        layer,
        values=_mirror_values(mirror, layer.values),
        samples=None if layer.samples is None else _mirror_samples(mirror, layer.samples),
        tracks=_mirror_tracks(mirror, layer),
        correction=_mirror_correction(mirror, layer.correction),
        mask=None if layer.mask is None else mirror.names(layer.mask),
        quaternions=quaternions,
        speed=tuple(replace(each, coordinates=mirror.names(each.coordinates)) for each in layer.speed),
    )


def _compiled(figure: Figure, names: tuple[str, ...]) -> Mirror:
    for name in names:
        if name not in figure.coordinate_index:
            raise UnknownPart(kind="coordinate", id=name, known=figure.coordinates)
    return compile_mirror(figure)


def _without_shifts(mirror: Mirror) -> Mirror:
    copied = {name: Copied(each.source, each.sign) for name, each in mirror.copied.items()}
    solved = tuple(replace(each, residue=np.zeros(3)) for each in mirror.solved)
    return replace(mirror, copied=copied, solved=solved)


def _names(layer: Layer) -> tuple[str, ...]:
    sampled = layer.samples.coordinates if layer.samples is not None else ()
    speeds = (name for speed in layer.speed for name in speed.coordinates)
    keyed = (track.coordinate for track in layer.tracks)
    return tuple(dict.fromkeys((*(name for name, _ in layer.values), *sampled, *keyed, *(layer.mask or ()), *speeds)))


def _mirror_correction(mirror: Mirror, correction: Correction | None) -> Correction | None:
    """The correction of the partners; refused where angles have to be solved, since what is added to them has none."""
    if correction is None:
        return None
    target = {each.source: (name, each.sign) for name, each in mirror.copied.items()}
    for name in correction.coordinates:
        if name not in target:
            allowed = "one whose axes are mirror images; bake the layer first"
            raise InvalidDocument(what="a coordinate of a correction to mirror", value=name, allowed=allowed)

    def mirrored(given: Values) -> Values:
        made = ((target[name][0], 0.0 + target[name][1] * number) for name, number in given)
        return tuple(sorted(made, key=lambda item: mirror.figure.coordinate_index[item[0]]))

    terms = (replace(t, amplitudes=mirrored(t.amplitudes), wiggles=mirrored(t.wiggles)) for t in correction.terms)
    return Correction(terms=tuple(terms))


def _mirror_values(mirror: Mirror, values: Values) -> Values:
    given = dict(values)
    found = {
        name: 0.0 + each.sign * given[each.source] + each.shift
        for name, each in mirror.copied.items()
        if each.source in given
    }
    for joint in mirror.solved:
        if any(name in given for name in joint.inputs):
            row = [given.get(name, rest) for name, rest in zip(joint.inputs, joint.rest, strict=True)]
            found.update(zip(joint.outputs, joint.apply(np.array([row]))[0].tolist(), strict=True))
    return tuple((name, found[name]) for name in mirror.names(tuple(given)))


def _mirror_samples(mirror: Mirror, samples: Samples) -> Samples:
    coordinates, old = samples.coordinates, samples.values.array
    names = mirror.names(coordinates)
    column = {name: place for place, name in enumerate(coordinates)}
    values = np.empty((len(old), len(names)))
    for joint in mirror.solved:
        if any(name in column for name in joint.inputs):
            rows = np.array(np.broadcast_to(joint.rest, (len(old), len(joint.rest))))
            for place, name in enumerate(joint.inputs):
                if name in column:
                    rows[:, place] = old[:, column[name]]
            values[:, [names.index(name) for name in joint.outputs]] = unwrap_values(
                mirror.figure, joint.outputs, joint.apply(rows)
            )
    for place, name in enumerate(names):
        each = mirror.copied.get(name)
        if each is not None:
            values[:, place] = 0.0 + each.sign * old[:, column[each.source]] + each.shift
    return replace(samples, coordinates=names, values=Blob(values))


def _mirror_tracks(mirror: Mirror, layer: Layer) -> tuple[Track, ...]:
    order = tuple(track.coordinate for track in layer.tracks)
    found = {track.coordinate: track for track in _mirrored_tracks(mirror, layer) if track.keys}
    if set(found) == set(order):
        return tuple(found[name] for name in order)
    return tuple(found[name] for name in mirror.figure.coordinates if name in found)


def _mirrored_tracks(mirror: Mirror, layer: Layer) -> Iterator[Track]:
    for name, each in mirror.copied.items():
        track = layer.track_of.get(each.source)
        if track is not None:
            keys = tuple(_copied_key(each, key) for key in track.keys)
            yield Track(coordinate=name, keys=keys, before=track.before, after=track.after)
    for joint in mirror.solved:
        if any(name in layer.track_of for name in joint.inputs):
            yield from _solved_tracks(mirror, joint, layer)


def _copied_key(copied: Copied, key: Key) -> Key:
    slopes = 0.0 + copied.sign * key.slope_in, 0.0 + copied.sign * key.slope_out
    return replace(key, value=0.0 + copied.sign * key.value + copied.shift, slope_in=slopes[0], slope_out=slopes[1])


def _solved_tracks(mirror: Mirror, joint: Solved, layer: Layer) -> tuple[Track, ...]:
    """Keys with free tangents wherever one of the partner's tracks has a key."""
    tracks = [layer.track_of[name] for name in joint.inputs if name in layer.track_of]
    kinds = {key.time: key.interpolation for track in reversed(tracks) for key in track.keys}
    marked = {key.time for track in tracks for key in track.keys if key.mark}
    times = np.array(sorted(kinds), dtype=np.float64)
    if not len(times):
        return ()
    rows = np.empty((3, len(times), len(joint.inputs)))
    for place, (name, rest) in enumerate(zip(joint.inputs, joint.rest, strict=True)):
        track = layer.track_of.get(name)
        if track is None:
            rows[0, :, place], rows[1:, :, place] = layer.by_coordinate.get(name, rest), 0.0
            continue
        rows[0, :, place] = evaluate_track(track, times)[:, 0]
        # Half a tick away, where a slope that changes at the key has taken its value of that side.
        rows[1, :, place] = evaluate_track(track, times - 0.5)[:, 1]
        rows[2, :, place] = evaluate_track(track, times + 0.5)[:, 1]
    values = unwrap_values(mirror.figure, joint.outputs, joint.apply(rows[0]))
    arriving, leaving = (_slopes(joint, rows[0], rates, values) for rates in rows[1:])
    made = tuple(
        Track(
            coordinate=name,
            keys=tuple(
                Key(
                    time=int(time),
                    value=float(values[frame, place]),
                    interpolation=kinds[int(time)],
                    tangent="free",
                    slope_in=float(arriving[frame, place]),
                    slope_out=float(leaving[frame, place]),
                    mark=int(time) in marked,
                )
                for frame, time in enumerate(times)
            ),
            before=tracks[0].before,
            after=tracks[0].after,
        )
        for place, name in enumerate(joint.outputs)
    )
    return unwrap_tracks(mirror.figure, made)


def _slopes(joint: Solved, values: Array, rates: Array, solution: Array) -> Array:
    """Differentiate the solution while the partner moves with some rates [unit/s], by fourth-order differences."""
    speed = np.abs(rates).max(axis=1, keepdims=True)
    step = _STEP / np.maximum(speed, 1e-9)
    ahead = [joint.apply(values + reach * step * rates, solution) for reach in (-2.0, -1.0, 1.0, 2.0)]
    return np.asarray((ahead[0] - 8.0 * ahead[1] + 8.0 * ahead[2] - ahead[3]) / (12.0 * step))
