"""trails: the live job behind motion trails and onion skins, also of motion that locks change.

A trail has a place for each frame of the document from `first` to `last` and for each key that moves its point: one of
a coordinate of its joint or of a joint above it, in a layer that counts. What is nearest to the present is worked out
first. Each step takes a few milliseconds; meanwhile passages are published that are not whole yet, with places from
before the last edit where there are no others.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Generator
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from engine.document import Actor, Document, Layer
from engine.document.extent import play_extent
from engine.document.motion import Rate, frame_time, ticks_per_frame
from engine.ik.goals import Spot
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.moments import Moments
    from engine.model.snapshot import Bodies
    from engine.model.trails import Onion, Passage, Trail

SLICE, SHOWN_EVERY = 0.004, 0.033  # [s] of a step, and between passages that are not whole
MOST_PLACES, MOST_ONIONS = 4096, 64
By = Literal["keys", "frames"]
Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class OnionSkins:
    """How many skins of which actors: each key or frame, or each so many, before and after the present."""

    actors: tuple[str, ...]
    before: int = 3
    after: int = 3
    step: int = 1
    by: By = "frames"

    def __post_init__(self) -> None:
        for name, least, most in (("before", 0, MOST_ONIONS), ("after", 0, MOST_ONIONS), ("step", 1, 1000)):
            number = getattr(self, name)
            if type(number) is not int or not least <= number <= most:
                raise InvalidArguments(
                    what=f"{name} of onion skins", value=number, allowed=f"a whole number of {least} to {most}"
                )
        if self.by not in ("keys", "frames"):
            raise InvalidArguments(what="what onion skins go by", value=self.by, allowed="keys or frames")


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The trails and onion skins to be shown."""

    spots: tuple[Spot, ...] = ()
    first: int = 0  # of the trails [ticks]
    last: int = 0
    onions: OnionSkins = OnionSkins(actors=())

    def __post_init__(self) -> None:
        if self.last < self.first:
            allowed = f"at or after its start, {self.first}"
            raise InvalidArguments(what="the end of a trail", value=self.last, allowed=allowed)


class Trails:
    """Answers what is wanted; keeps what it worked out. Used by the engine's thread alone."""

    def __init__(self, evaluator: Evaluator, *, clock: Clock = perf_counter) -> None:
        self._evaluator = evaluator
        self._clock = clock
        self._moments: Moments | None = None

    def answer(self, document: Document, time: int, wanted: Wanted) -> Generator[Passage | None, None, None]:
        """What is wanted at a time [ticks]: None between steps, passages that are not whole, at last the whole one."""
        from engine.model.trails import Passage

        moments = self._take_over(document)
        spots = tuple(spot for spot in wanted.spots if _stands(document, spot))
        keys = {spot: key_times(document.actor(spot.actor), spot.joint) for spot in spots}
        times = {spot: _places(document.rate, keys[spot], time, wanted) for spot in spots}
        onions = [
            (id, number, at)
            for id in dict.fromkeys(wanted.onions.actors)
            if id in document.actor_index and document.actor(id).visible
            for number, at in onion_times(document, id, time, wanted.onions)
        ]
        asked: dict[int, set[str]] = {}
        for id, _, at in onions:
            asked.setdefault(at, set()).add(id)
        for spot in spots:
            for at in times[spot]:
                asked.setdefault(at, set()).add(spot.actor)
        moments.forget_but({(id, at) for at, ids in asked.items() for id in ids})

        def passage(*, whole: bool) -> Passage:
            trails = (_trail(moments, spot, times[spot], keys[spot]) for spot in spots)
            return Passage(
                document=document,
                time=time,
                trails=tuple(trail for trail in trails if len(trail.times)),
                onions=_onions(moments, onions),
                whole=whole,
            )

        began = self._clock()
        shown = began - SHOWN_EVERY  # so that one that is soon superseded has shown something
        for at in _nearest_first(asked, {at for _, _, at in onions}, time):
            needed = moments.missing(asked[at], at)
            if not needed:
                continue
            moments.make(needed, at)
            now = self._clock()
            if now - began >= SLICE:
                due = now - shown >= SHOWN_EVERY
                yield passage(whole=False) if due else None
                began = self._clock()
                shown = began if due else shown
        yield passage(whole=True)

    def _take_over(self, document: Document) -> Moments:
        if self._moments is None:
            from engine.evaluate.moments import Moments  # which loads kernels

            self._moments = Moments(self._evaluator)
        self._moments.follow(document)
        return self._moments


def key_times(actor: Actor, joint: str | None = None) -> tuple[int, ...]:
    """Ticks of the keys of an actor, or of those that move one of its joints, in rising order."""
    names = None
    if joint is not None:
        above = map(actor.figure.joint, actor.figure.above(joint))
        names = {name for each in above for dof in each.dofs for name in dof.coordinates}
    found: set[int] = set()
    for layer in _counting(actor.layers):
        for track in layer.tracks:
            if (names is None or track.coordinate in names) and _touches(layer, track.coordinate):
                found.update(key.time for key in track.keys)
    return tuple(sorted(found))


def onion_times(document: Document, actor: str, time: int, skins: OnionSkins) -> list[tuple[int, int]]:
    """Number and tick of each skin of an actor, none outside of what is played."""
    first, last = play_extent(document)
    if skins.by == "keys":
        keys = key_times(document.actor(actor))
        before, after = list(keys[: bisect_left(keys, time)][::-1]), list(keys[bisect_right(keys, time) :])
        before, after = before[skins.step - 1 :: skins.step], after[skins.step - 1 :: skins.step]
    else:
        frame = round(time / ticks_per_frame(document.rate))
        before = [frame_time(frame - skins.step * each, document.rate) for each in range(1, skins.before + 1)]
        after = [frame_time(frame + skins.step * each, document.rate) for each in range(1, skins.after + 1)]
    numbered = [(-number, at) for number, at in enumerate(before[: skins.before], start=1)]
    numbered += enumerate(after[: skins.after], start=1)
    return [(number, at) for number, at in numbered if first <= at <= last]


def _counting(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    from engine.motion.motion import active_layers  # which loads kernels

    return active_layers(layers)


def _touches(layer: Layer, coordinate: str) -> bool:
    return layer.mask is None or coordinate in layer.mask


def _stands(document: Document, spot: Spot) -> bool:
    """Whether the spot is of something that is to be seen."""
    if spot.actor not in document.actor_index:
        return False
    actor = document.actor(spot.actor)
    return actor.visible and spot.joint in actor.figure.joint_index


def _places(rate: Rate, keys: Collection[int], time: int, wanted: Wanted) -> list[int]:
    """The ticks of a trail's places; of too many, those nearest to the present."""
    length = ticks_per_frame(rate)
    frames = range(int(wanted.first // length), int(wanted.last // length) + 2)
    most = MOST_PLACES + 2
    if len(frames) > most:
        middle = min(max(round(time / length), frames.start), frames.stop - 1)
        start = min(max(middle - most // 2, frames.start), frames.stop - most)
        frames = range(start, start + most)
    times = {frame_time(frame, rate) for frame in frames} | set(keys)
    inside = sorted(at for at in times if wanted.first <= at <= wanted.last)
    nearest = sorted(inside, key=lambda at: abs(at - time))[:MOST_PLACES]
    return sorted(nearest)


def _nearest_first(asked: Collection[int], urgent: Collection[int], time: int) -> list[int]:
    return sorted(asked, key=lambda at: (at not in urgent, abs(at - time), at))


def _trail(moments: Moments, spot: Spot, times: list[int], keys: Collection[int]) -> Trail:
    import numpy as np

    from engine.model.trails import Trail

    found = [(at, *moments.find(spot.actor, at)) for at in times]
    known = [(at, bodies, fresh) for at, bodies, fresh in found if bodies is not None and spot.joint in bodies.parts]
    points = np.array([_place(bodies, spot) for _, bodies, _ in known], dtype=np.float32).reshape(-1, 3)
    keyed = set(keys)
    return Trail(
        owner=spot.actor,
        part=spot.joint,
        point=spot.point,
        times=np.array([at for at, _, _ in known], dtype=np.int64),
        points=points,
        keyed=np.array([at in keyed for at, _, _ in known], dtype=bool),
        fresh=np.array([fresh for _, _, fresh in known], dtype=bool),
    )


def _place(bodies: Bodies, spot: Spot) -> object:
    frame = bodies.transforms[bodies.parts.index(spot.joint)]
    return frame[:, :3] @ spot.point + frame[:, 3]


def _onions(moments: Moments, onions: list[tuple[str, int, int]]) -> tuple[Onion, ...]:
    from engine.model.trails import Onion

    found = []
    for id, number, at in sorted(onions, key=lambda each: -abs(each[1])):
        bodies, fresh = moments.find(id, at)
        if bodies is not None:
            found.append(Onion(time=at, number=number, bodies=bodies, fresh=fresh))
    return tuple(found)
