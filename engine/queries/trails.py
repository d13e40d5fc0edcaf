"""trails: the live job behind motion trails and onion skins, also of motion that locks change.

A trail has a place for each frame of the document from `first` to `last` and for each key that moves its point: one of
a coordinate of its joint or of a joint above it, in a layer that counts. What is nearest to the present is worked out
first, or to where something is pulled at another time. Each step takes a few milliseconds; meanwhile trails are
published that are not whole yet, with places from before the last edit where there are no others. What has not changed
is handed over as the same object.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Generator
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from engine.document import Actor, Document, Figure, Handle, Layer
from engine.document.extent import play_extent
from engine.document.motion import Rate, frame_time, ticks_per_frame
from engine.ik.goals import Spot
from engine.queries.tangents import tangents_at
from engine.runtime.bounded import Bounded
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.moments import Moments
    from engine.model.trails import Onion, Tangents, TrailPicture
    from engine.queries.trail_path import TrailPath

SLICE, SHOWN_EVERY = 0.004, 0.033  # [s] of a step, and between passages that are not whole
MOST_PLACES, MOST_ONIONS, MOST_SPOTS = 4096, 64, 512
MAIN, LIMBS = 8, 5  # handles of a figure that are shown all; limbs of one that has more
By = Literal["keys", "frames"]
Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class OnionSkins:
    """The onion skins of some actors: each key or frame, or each so many, before and after the present."""

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


def main_handles(figure: Figure) -> tuple[Handle, ...]:
    """Choose the handles of a figure whose trails tell of it as a whole: all of a few; of many, as captures have them
    at each bone, the ends of its longest limbs, each limb reckoned from where it leaves a longer one."""
    if len(figure.handles) <= MAIN:
        return figure.handles
    ways = {each.id: figure.above(each.joint) for each in figure.handles}
    left, covered, found = list(figure.handles), set[str](), list[Handle]()

    def length(handle: Handle) -> float:
        own = (joint for joint in ways[handle.id] if joint not in covered and figure.joint(joint).parent is not None)
        return sum((math.hypot(*figure.joint(joint).offset) for joint in own), math.hypot(*handle.point))

    while left and len(found) < LIMBS:
        longest = max(left, key=length)
        left.remove(longest)
        found.append(longest)
        covered.update(ways[longest.id])
    return tuple(each for each in figure.handles if each in found)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The trails and onion skins to be shown."""

    spots: tuple[Spot, ...] = ()
    first: int = 0  # of the trails [ticks]
    last: int = 0
    onions: OnionSkins = OnionSkins(actors=())
    pulled: tuple[str, int] | None = None  # the actor that is pulled at another time, and that time: shown there too

    def __post_init__(self) -> None:
        if self.last < self.first:
            allowed = f"at or after its start, {self.first}"
            raise InvalidArguments(what="the end of a trail", value=self.last, allowed=allowed)


class _Plan:
    """The actors and ticks to be worked out for what is wanted, and their order."""

    def __init__(
        self, document: Document, time: int, wanted: Wanted, keys_of: Callable[[Actor, Spot], tuple[int, ...]]
    ) -> None:
        self.document, self.time = document, time
        spots = tuple(spot for spot in wanted.spots if _stands(document, spot))
        self.keys = {spot: keys_of(document.actor(spot.actor), spot) for spot in spots}
        along = {keys: _places(document.rate, keys, time, wanted) for keys in dict.fromkeys(self.keys.values())}
        self.places = {spot: along[self.keys[spot]] for spot in spots}
        self.onions = _all_onions(document, time, wanted)
        self.times: dict[int, set[str]] = {}
        for id, _, at in self.onions:
            self.times.setdefault(at, set()).add(id)
        self.onion_times = frozenset(self.times)
        for id, keys in dict.fromkeys((spot.actor, self.keys[spot]) for spot in spots):
            for at in along[keys]:
                self.times.setdefault(at, set()).add(id)
        middle = time if wanted.pulled is None else wanted.pulled[1]
        self.in_order = sorted(self.times, key=lambda at: (at not in self.onion_times, abs(at - middle), at))


class Trails:
    """Answers what is wanted; keeps what it worked out. Used by the engine's thread alone."""

    def __init__(self, evaluator: Evaluator, *, clock: Clock = perf_counter) -> None:
        self._evaluator = evaluator
        self._clock = clock
        self._moments: Moments | None = None
        self._paths: dict[Spot, TrailPath] = {}
        self._keys: Bounded[Spot, tuple[Actor, tuple[int, ...]]] = Bounded(MOST_SPOTS)
        self._tangents: Bounded[Spot, tuple[Document, int, Tangents | None]] = Bounded(MOST_SPOTS)

    def answer(self, document: Document, time: int, wanted: Wanted) -> Generator[TrailPicture | None, None, None]:
        """Work out the trails wanted at a time [ticks]: yields None between steps, trails that are not whole, at last
        the whole ones."""
        began = self._clock()
        moments = self._take_over(document)
        plan = _Plan(document, time, wanted, self._keys_of)
        moments.forget_but(plan.times)
        self._paths = {spot: self._path_of(spot, plan) for spot in plan.places}
        shown = began - SHOWN_EVERY  # so that one that is soon superseded has shown something
        for number, path in enumerate(self._paths.values()):
            if number and self._clock() - began >= SLICE:
                yield None
                began = self._clock()
            path.look(moments)
        for at in plan.in_order:
            skins = at in plan.onion_times
            needed = moments.missing(plan.times[at], at, skins=skins)
            if not needed:
                continue
            moments.make(needed, at, skins=skins)
            for path in self._paths.values():
                if path.spot.actor in needed:
                    path.tell(at)
            now = self._clock()
            if now - began >= SLICE:
                due = now - shown >= SHOWN_EVERY
                yield self._picture(moments, plan, whole=False) if due else None
                began = self._clock()
                shown = began if due else shown
        for number, spot in enumerate(plan.places):
            if number and self._clock() - began >= SLICE:
                yield None
                began = self._clock()
            self._bend(document, spot, time, plan.keys[spot])
        yield self._picture(moments, plan, whole=True)

    def _picture(self, moments: Moments, plan: _Plan, *, whole: bool) -> TrailPicture:
        from engine.model.trails import TrailPicture

        trails = []
        for spot, path in self._paths.items():
            path.look(moments)
            trails.append(path.trail(self._tangents_of(spot, plan.time)))
        return TrailPicture(
            document=plan.document,
            time=plan.time,
            trails=tuple(trail for trail in trails if len(trail.times)),
            onions=_onions(moments, plan.onions),
            whole=whole,
        )

    def _path_of(self, spot: Spot, plan: _Plan) -> TrailPath:
        """Return the known path of a trail; an empty one where its places or its keys have changed."""
        from engine.queries.trail_path import TrailPath

        times, keys, path = plan.places[spot], plan.keys[spot], self._paths.get(spot)
        return path if path is not None and (path.times, path.keys) == (times, keys) else TrailPath(spot, times, keys)

    def _keys_of(self, actor: Actor, spot: Spot) -> tuple[int, ...]:
        known = self._keys.get(spot)
        if known is None or known[0] is not actor:
            known = self._keys.keep(spot, (actor, key_times(actor, spot.joint)))
        return known[1]

    def _bend(self, document: Document, spot: Spot, time: int, keys: tuple[int, ...]) -> None:
        """Work out the tangents of the key at the present, unless that is known."""
        known = self._tangents.get(spot)
        if known is None or known[0] is not document or known[1] != time:
            found = tangents_at(self._evaluator, document, spot, time) if time in keys else None
            self._tangents.keep(spot, (document, time, found))

    def _tangents_of(self, spot: Spot, time: int) -> Tangents | None:
        """Return the tangents known of the document or of the one before it, where the key still stands."""
        known = self._tangents.get(spot)
        return known[2] if known is not None and known[1] == time else None

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
    heard = ((layer, track) for layer in _counting(actor.layers) for track in layer.heard.values())
    found = (
        track.ticks
        for layer, track in heard
        if (names is None or track.coordinate in names) and _touches(layer, track.coordinate)
    )
    return tuple(sorted(frozenset[int]().union(*found)))


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
    """Tell whether the spot is of something that is visible."""
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


def _all_onions(document: Document, time: int, wanted: Wanted) -> list[tuple[str, int, int]]:
    """Actor, number and tick of each skin; one that is pulled at another time counts as the next one there."""
    found = [
        (id, number, at)
        for id in dict.fromkeys(wanted.onions.actors)
        if id in document.actor_index and document.actor(id).visible
        for number, at in onion_times(document, id, time, wanted.onions)
    ]
    if wanted.pulled is not None:
        id, at = wanted.pulled
        there = {(each, tick) for each, _, tick in found}
        if at != time and (id, at) not in there and id in document.actor_index and document.actor(id).visible:
            found.append((id, -1 if at < time else 1, at))
    return found


def _onions(moments: Moments, onions: list[tuple[str, int, int]]) -> tuple[Onion, ...]:
    from engine.model.trails import Onion

    found = []
    for id, number, at in sorted(onions, key=lambda each: -abs(each[1])):
        bodies, fresh = moments.find(id, at)
        if bodies is not None:
            skins = moments.skins(id, bodies, at)
            found.append(Onion(time=at, number=number, bodies=bodies, fresh=fresh, skins=skins))
    return tuple(found)
