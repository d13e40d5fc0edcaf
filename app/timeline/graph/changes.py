"""Changes of chosen keys of curves by drags and commands, each as one edit: the keys as they come to be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.timeline.changes import parts_of
from engine.document import Key, SpeedRange
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve, GraphCurves
    from app.timeline.keys import Channel, Picked
    from engine.edits.curves import Tracks
    from engine.queries.outline import Outline

NewKey = Callable[["Outline", int], Key]
"""What becomes of the key at one place of an outline."""


@dataclass(frozen=True, kw_only=True)
class Shift:
    """Keys moved in time [ticks], and up by an amount of the shown value."""

    ticks: int = 0
    up: float = 0.0

    def key(self, curve: Curve, key: Key) -> Key:
        """Return a key of a curve, moved."""
        return replace(key, time=key.time + self.ticks, value=key.value + self.up / curve.gain)

    def picked(self, curves: GraphCurves, picked: Picked) -> dict[Channel, frozenset[int]]:
        """Return the moved keys at their new times."""
        found = {}
        for channel, times in picked.items():
            curve = curves.find(channel)
            if curve is not None and curve.speed is not None:
                found[channel] = frozenset(key.time for key in _moved_speed(curve, times, self)[1])
            else:
                found[channel] = frozenset(time + self.ticks for time in times)
        return found


def shifted(curves: GraphCurves, picked: Picked, shift: Shift) -> Edit:
    """Return the edit that moves keys. Those of a speed curve stay between their neighbours, its ends where they
    are."""
    made, speeds = {}, []
    for curve, times in _chosen(curves, picked):
        track = curve.track
        assert track is not None, "it has keys"
        if curve.speed is not None:
            speeds.append((curve, _moved_speed(curve, times, shift)[0]))
        else:
            made[curve.channel] = tuple(shift.key(curve, key) for key in track.keys if key.time in times)
    return _edit(picked, made, speeds)


def reshaped(curves: GraphCurves, picked: Picked, new: NewKey) -> Edit:
    """Return the edit that gives chosen keys other tangents or another interpolation; they stay where they are."""
    made, speeds = {}, []
    for curve, times in _chosen(curves, picked):
        outline = curve.outline
        assert outline is not None, "it has keys"
        keys = outline.track.keys
        changed = tuple(new(outline, place) if key.time in times else key for place, key in enumerate(keys))
        if curve.speed is not None:
            speeds.append((curve, replace(curve.speed, keys=changed)))
        else:
            made[curve.channel] = tuple(key for key in changed if key.time in times)
    return _edit(picked, made, speeds)


def typed(curves: GraphCurves, picked: Picked, value: float) -> Edit:
    """Return the edit that gives chosen keys a value; those of speed curves keep theirs."""

    def valued(outline: Outline, place: int) -> Key:
        return replace(outline.track.keys[place], value=value)

    plain = {channel: times for channel, times in picked.items() if not _is_speed(curves, channel)}
    return reshaped(curves, plain, valued)


def removed(curves: GraphCurves, picked: Picked) -> Edit:
    """Return the edit that deletes chosen keys; the ends of a speed curve stay."""
    speeds = []
    for curve, times in _chosen(curves, picked):
        if curve.speed is not None:
            keys = curve.speed.keys
            kept = tuple(key for key in keys[1:-1] if key.time not in times)
            speeds.append((curve, replace(curve.speed, keys=(keys[0], *kept, keys[-1]))))
    return _edit(picked, {}, speeds)


def added_to_speed(curve: Curve, time: int) -> Edit:
    """Return the edit that sets a key on a speed curve at a time between its ends, and keeps it from falling."""
    assert curve.speed is not None, "asked for speed curves only"
    low = max(key.value for key in curve.speed.keys if key.time < time)
    high = min(key.value for key in curve.speed.keys if key.time > time)
    value = min(max(curve.value_at(time), low), high)
    keys = {key.time: key for key in (*curve.speed.keys, Key(time, value))}
    speed = replace(curve.speed, keys=tuple(keys[each] for each in sorted(keys)))
    return _edit({}, {}, [(curve, speed)])


def added_to_turning(curve: Curve, time: int) -> Edit:
    """Return the edit that sets keys of all curves that turn as one rotation, at a time."""
    assert curve.turning is not None, "asked for such curves only"
    return edit("paste_keys", chosen=((curve.channel.actor, curve.channel.layer, curve.turning.keys_at(time)),))


def inserted(curves: Iterable[Curve], time: int) -> Edit:
    """Return the edit that inserts keys of curves in layers at a time, and keeps their shape."""
    plain: list[Channel] = []
    made: dict[tuple[str, str], dict[str, Key]] = {}
    for curve in curves:
        if curve.turning is None:
            plain.append(curve.channel)
        else:
            made.setdefault((curve.channel.actor, curve.channel.layer), {}).update(curve.turning.keys_at(time))
    new = tuple((actor, layer, tuple(keys.items())) for (actor, layer), keys in made.items())
    return edit("insert_chosen", chosen=tracks_of(plain), time=time, made=new)


def tracks_of(channels: Iterable[Channel]) -> Tracks:
    """Return channels as edits name them: by actor and layer."""
    found: dict[tuple[str, str], list[str]] = {}
    for channel in sorted(set(channels)):
        found.setdefault((channel.actor, channel.layer), []).append(channel.coordinate)
    return tuple((actor, layer, tuple(names)) for (actor, layer), names in found.items())


def _chosen(curves: GraphCurves, picked: Picked) -> Iterator[tuple[Curve, frozenset[int]]]:
    for channel, times in picked.items():
        curve = curves.find(channel)
        if curve is not None and curve.outline is not None and times:
            yield curve, times


def _is_speed(curves: GraphCurves, channel: Channel) -> bool:
    curve = curves.find(channel)
    return curve is not None and curve.speed is not None


def _edit(picked: Picked, made: Mapping[Channel, tuple[Key, ...]], speeds: list[tuple[Curve, SpeedRange]]) -> Edit:
    of_speeds = {curve.channel for curve, _ in speeds}
    chosen = parts_of({channel: times for channel, times in picked.items() if channel not in of_speeds})
    found: dict[tuple[str, str], list[tuple[str, Key]]] = {}
    for channel, keys in sorted(made.items()):
        found.setdefault((channel.actor, channel.layer), []).extend((channel.coordinate, key) for key in keys)
    new = tuple((actor, layer, tuple(keys)) for (actor, layer), keys in found.items())
    ranges = tuple((curve.channel.actor, curve.channel.layer, speed) for curve, speed in speeds)
    return edit("reshape_chosen", chosen=chosen, made=new, speeds=ranges)


def _moved_speed(curve: Curve, times: frozenset[int], shift: Shift) -> tuple[SpeedRange, tuple[Key, ...]]:
    """Return the speed curve with some keys moved, and the moved keys.

    The first and the last stay. The others keep their order in time, a tick apart at least, and never fall.
    """
    speed = curve.speed
    assert speed is not None, "asked for speed curves only"
    keys = list(speed.keys)
    inner = [place for place in range(1, len(keys) - 1) if keys[place].time in times]
    for place in sorted(inner, reverse=shift.ticks > 0):  # those in front make room first
        moved = shift.key(curve, keys[place])
        time = min(max(moved.time, keys[place - 1].time + 1), keys[place + 1].time - 1)
        keys[place] = replace(moved, time=time)
    staying = [place for place in range(len(keys)) if place not in inner]
    for place in inner:
        low = keys[max(each for each in staying if each < place)].value
        high = keys[min(each for each in staying if each > place)].value
        keys[place] = replace(keys[place], value=min(max(keys[place].value, low), high))
    chosen = [place for place, key in enumerate(speed.keys) if key.time in times]
    return replace(speed, keys=tuple(keys)), tuple(keys[place] for place in chosen)
