"""Clips made ready to be put somewhere: repeated, begun where a figure stands, faded into what is there.

No edits: what comes out is a `Clip` that an edit carries. Where a figure stands and faces are the coordinates of
`engine.document.pose.place_of`: the slides of its roots along the floor, and a turn about the vertical.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Literal

from engine.document import Clip, Figure, Key, Track
from engine.document.motion import THIRD, Extrapolation
from engine.document.pose import place_of
from engine.edits.pieces import Keys, between, frozen, shifted
from engine.edits.split import key_on_curve
from engine.motion.tangents import CYCLES
from engine.runtime.errors import InvalidDocument

FACING = math.radians(15.0)  # of another heading, from which on a path is turned: pelves sway as they walk
MOST_RUNS = 1000


def only(clip: Clip, coordinates: Collection[str]) -> Clip:
    """The clip of some coordinates alone."""
    return replace(clip, tracks=tuple(track for track in clip.tracks if track.coordinate in coordinates))


def repeated(figure: Figure, clip: Clip, runs: int) -> Clip:
    """The clip so many times, one run after the other. What travels goes on from where the run before ended."""
    if isinstance(runs, bool) or not isinstance(runs, int) or not 1 <= runs <= MOST_RUNS:
        raise InvalidDocument(what="how often a sequence runs", value=runs, allowed=f"1 to {MOST_RUNS} times")
    if runs == 1:
        return clip
    onward, end = place_of(figure), runs * clip.length
    tracks = []
    for track in clip.tracks:
        kind: Literal["cycle", "cycle_offset"] = "cycle_offset" if track.coordinate in onward else "cycle"
        if track.after in CYCLES:
            kind = "cycle_offset" if track.after == "cycle_offset" else "cycle"
        tracks.append(replace(track, keys=between(replace(track, before=kind, after=kind), 0, end)))
    return replace(clip, length=end, tracks=tuple(tracks))


def from_here(figure: Figure, clip: Clip, here: Mapping[str, float]) -> Clip:
    """The clip begun at a place: its path starts there, and goes that way where the heading differs by `FACING`."""
    tracks = {track.coordinate: track for track in clip.tracks}
    moved = dict(tracks)
    for joint in figure.joints:
        place = [dof for dof in joint.dofs if joint.parent is None and dof.id in place_of(figure)]
        slides = [dof for dof in place if dof.kind == "slide"]
        turn = next((dof for dof in place if dof.kind == "hinge"), None)
        angle = 0.0
        if turn is not None:
            begun = tracks[turn.id].keys[0].value if turn.id in tracks else 0.0
            off = here[turn.id] - begun
            near = abs(math.remainder(off, math.tau)) <= FACING
            if not near:
                angle = math.copysign(1.0, turn.axis[1]) * off
            shift = math.tau * round(off / math.tau) if near else off  # a figure may have turned round before
            if shift and turn.id in tracks:
                moved[turn.id] = replace(tracks[turn.id], keys=shifted(tracks[turn.id].keys, 0, shift))
        if angle and len(slides) == 2 and any(dof.id in tracks for dof in slides):
            axes = [(dof.axis[0], dof.axis[2]) for dof in slides]
            moved.update(_turned(tracks, [dof.id for dof in slides], axes, angle, clip.length))
        for dof in slides:
            if dof.id in moved:
                keys = moved[dof.id].keys
                moved[dof.id] = replace(moved[dof.id], keys=shifted(keys, 0, here[dof.id] - keys[0].value))
    order = figure.coordinate_index
    made = tuple(moved[name] for name in sorted(moved, key=lambda name: order[name]))
    return replace(clip, tracks=made)


def faded(
    figure: Figure, clip: Clip, starts: Mapping[str, float], ends: Mapping[str, float], ease_in: int, ease_out: int
) -> Clip:
    """The clip that begins and ends with given values: its own keys stand between the eases, over which curves lead
    there and back. Where a figure stands and faces is left to the clip."""
    stays = place_of(figure)
    tracks = []
    for track in clip.tracks:
        if track.coordinate in stays or not (ease_in or ease_out):
            tracks.append(track)
            continue
        keys = between(track, ease_in, clip.length - ease_out)
        begin = (Key(0, starts[track.coordinate]),) if ease_in else ()
        end = (Key(clip.length, ends[track.coordinate]),) if ease_out else ()
        tracks.append(replace(track, keys=(*begin, *keys, *end), before="hold", after="hold"))
    return replace(clip, tracks=tuple(tracks))


def _turned(
    tracks: Mapping[str, Track], names: list[str], axes: list[tuple[float, float]], angle: float, length: int
) -> dict[str, Track]:
    """Two slides along the floor, their path turned about the vertical [rad]; axes are their (x, z)."""
    given = [tracks.get(name) or Track(coordinate=name, keys=(Key(0, 0.0), Key(length, 0.0))) for name in names]
    times = sorted({key.time for track in given for key in track.keys})
    dense: list[Keys] = []
    for track in given:
        plain = replace(frozen(track), before="hold", after="hold")
        for time in times:
            plain = key_on_curve(plain, time)
        dense.append(frozen(plain).keys)
    c, s = math.cos(angle), math.sin(angle)
    made = {}
    for name, (x, z) in zip(names, axes, strict=True):
        # The world's displacement is the sum of both along their axes; turned, it is read off along each of them.
        shares = [x * (c * other[0] + s * other[1]) + z * (c * other[1] - s * other[0]) for other in axes]
        keys = tuple(_sum(pair, shares) for pair in zip(*dense, strict=True))
        before: Extrapolation = next((track.before for track in given if track.before != "hold"), "hold")
        after: Extrapolation = next((track.after for track in given if track.after != "hold"), "hold")
        made[name] = Track(coordinate=name, keys=keys, before=before, after=after)
    return made


def _sum(keys: tuple[Key, ...], shares: list[float]) -> Key:
    """One key of free tangents; of spans that are not weighted the sum is exact."""

    def total(field: str) -> float:
        return sum(share * float(getattr(key, field)) for key, share in zip(keys, shares, strict=True))

    return Key(
        keys[0].time,
        total("value"),
        interpolation=keys[0].interpolation,
        tangent="free",
        slope_in=total("slope_in"),
        slope_out=total("slope_out"),
        weight_in=THIRD,
        weight_out=THIRD,
    )
