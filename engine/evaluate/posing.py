"""Poses of the actors of a group at some times: their layers, then what the stages of systems make of these.

Levels are read from the top. Each is worked out where it is read, and kept while the group is posed; what a stage
replaces is not read below it, so that layers cost nothing where a simulation counts and nothing holds it. Times are
worked out side by side, so that what they share is looked up once. No time knows of the others: alone it has the same
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor, Document, Placement
from engine.document.motion import weight
from engine.document.order import Group
from engine.evaluate.compiled import Compile
from engine.evaluate.holds import held_base, placement_transform
from engine.evaluation import Evaluation, Frames, Instants, Member, Members, Stage
from engine.maths.arrays import Array
from engine.model.driven_kernels import follow
from engine.motion.motion import Motion
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass
from engine.systems import System, load, stages_used, systems

_BASES_KEPT, _GROUPS_KEPT = 1024, 256

MotionOf = Callable[[Actor, float | None], Motion]  # that holds at a time


@dataclass(frozen=True)
class _Level:
    """A stage where it stands in the stack; `since`: it comes again, where a level from this number on has replaced
    poses."""

    order: int
    system: System
    since: int | None = None


class Posing:
    """Poses groups. Stages are made when they are first used, and keep what they keep; used by one thread."""

    def __init__(self, evaluation: Evaluation, compile: Compile, motion: MotionOf) -> None:
        self._evaluation, self._compile, self._motion = evaluation, compile, motion
        self._levels = _levels(systems())
        self._stages: dict[str, Stage] = {}
        self._used: tuple[Document, dict[str, Stage]] = (Document(), {})
        self._known: Bounded[tuple[int, str | None], tuple[Group, Document, list[_Level]]] = Bounded(_GROUPS_KEPT)
        self._bases: Bounded[int, tuple[Placement, Array]] = Bounded(_BASES_KEPT)  # by the identity of the placement

    def stage(self, system: str) -> Stage:
        """The stage of a system."""
        found = self._stages.get(system)
        if found is None:
            named = next(each for each in systems() if each.name == system)
            assert named.stage is not None, "only a system with a stage has its stage looked up"
            found = self._stages[system] = load(named.stage)(self._evaluation)
        return found

    def used(self, document: Document) -> list[Stage]:
        """List the stages that a document uses; kept, since one document is posed again and again."""
        return list(self._used_by(document).values())

    def _used_by(self, document: Document) -> dict[str, Stage]:
        if self._used[0] is not document:
            found = {each.name: self.stage(each.name) for each in stages_used(document, document.actors)}
            self._used = (document, found)
        return self._used[1]

    def stands(
        self,
        document: Document,
        group: Group,
        times: Sequence[float],
        frames: Sequence[Frames],
        below: str | None = None,
    ) -> list[Members]:
        """Every actor of a group at each time; `frames` has at each time what actors of groups before it hang on;
        without the stage of the system `below` and those above it."""
        levels = self._levels_of(document, group, below)
        reading = _Reading(self, Instants(document, group, times, frames), levels)
        places = range(len(times))
        found = reading.read(len(levels), dict.fromkeys(places, tuple(actor.id for actor in group)))
        return [found[place] for place in places]

    def _levels_of(self, document: Document, group: Group, below: str | None) -> list[_Level]:
        """The stages that have to do with a group; kept by its identity, which is that of its document, too."""
        known = self._known.get((id(group), below))
        if known is None or known[0] is not group or known[1] is not document:
            found = (group, document, self._find_levels(document, group, below))
            known = self._known.keep((id(group), below), found)
        return known[2]

    def _find_levels(self, document: Document, group: Group, below: str | None) -> list[_Level]:
        if len(group) == len(document.actors):
            names = list(self._used_by(document))
        else:
            names = [each.name for each in stages_used(document, group)]
        if not names:
            return []
        levels = [each for each in self._levels if each.system.name in names]
        if below is not None:
            first = next(each.order for each in self._levels if each.system.name == below)
            levels = [each for each in levels if each.order < first]
        return [each for each in levels if each.since is None or _comes_between(levels, each.since, each.order)]

    def layered(self, actor: Actor, times: Sequence[float]) -> Array:
        """The coordinates of an actor as its layers have them, drafts and all, shape [len(times), coordinate_count]; a
        fresh array."""
        rows = self._motion(actor, None).at(np.array(times, dtype=np.float64))[:, 0]
        for row, time in zip(rows, times, strict=True) if any(layer.drafts for layer in actor.layers) else ():
            if any(layer.draft_at(time) for layer in actor.layers):
                row[:] = self._motion(actor, time).at(time)[0]
        return rows

    def member(self, actor: Actor, time: float, frames: Frames, q: Array) -> Member:
        """An actor in a pose, where it stands or hangs."""
        base = self._base(actor)
        if not actor.attachments:
            return Member(actor, q, base)
        compiled = self._compile(actor)
        compiled.stand(base, q)
        hanging = [each.joint for each in actor.attachments if weight(each.span, time) > 0.0]
        fixed = frozenset(id for joint in hanging for id in actor.figure.above(joint))
        return Member(actor, q, held_base(actor, base, compiled.frame, frames, time), fixed)

    def driven(self, members: Members) -> Members:
        """Put the driven coordinates of what a stage has replaced where they belong: they have the last word."""
        if all(not each.actor.figure.driven for each in members.values()):
            return members
        return {
            id: replace(each, q=follow(self._compile(each.actor).model.driven, each.q)) for id, each in members.items()
        }

    def _base(self, actor: Actor) -> Array:
        """Return the transform of an actor's placement, one object for one placement; read-only."""
        placement = actor.placement
        found = self._bases.get(id(placement))
        if found is None or found[0] is not placement:
            base = placement_transform(actor)
            base.flags.writeable = False
            found = self._bases.keep(id(placement), (placement, base))
        return found[1]


class _Reading:
    """The poses of a group at some times, level by level."""

    def __init__(self, posing: Posing, instants: Instants, levels: Sequence[_Level]) -> None:
        self._posing, self._instants, self._levels = posing, instants, levels
        self._ids = [actor.id for actor in instants.group]
        self._found: list[dict[int, Members]] = [{} for _ in levels]  # what each has replaced, by place of the time

    def read(self, level: int, wanted: Mapping[int, Collection[str]]) -> dict[int, Members]:
        """Some actors at some places in the list of times, as so many levels leave them."""
        if level == 0:
            return self._layered(wanted)
        replaced = self._replaced(level - 1, list(wanted))
        missing = {}
        for place, ids in wanted.items():
            left = [id for id in ids if id not in replaced[place]] if replaced[place] else ids
            if left:
                missing[place] = left
        below = self.read(level - 1, missing) if missing else {}
        return {
            place: {id: replaced[place][id] if id in replaced[place] else below[place][id] for id in ids}
            for place, ids in wanted.items()
        }

    def _replaced(self, level: int, places: Sequence[int]) -> dict[int, Members]:
        known = self._found[level]
        missing = [place for place in places if place not in known]
        since = self._levels[level].since
        if missing and since is not None:
            changed = self._changed([n for n in range(level) if self._levels[n].order > since], missing)
            known.update({place: {} for place in missing if place not in changed})
            missing = [place for place in missing if place in changed]
        if missing:
            known.update(zip(missing, self._work_out(level, missing), strict=True))
        return known

    def _changed(self, levels: Sequence[int], places: Sequence[int]) -> set[int]:
        """Find the places at which some levels have replaced anything."""
        return {place for level in levels for place, found in self._replaced(level, places).items() if found}

    def _work_out(self, level: int, places: Sequence[int]) -> list[Members]:
        all, stage = self._instants, self._posing.stage(self._levels[level].system.name)
        some = all
        if len(places) < len(all.times):
            times, frames = [all.times[place] for place in places], [all.frames[place] for place in places]
            some = Instants(all.document, all.group, times, frames)

        def below(chosen: Sequence[int]) -> list[Members]:
            found = self.read(level, {places[each]: self._ids for each in chosen})
            return [found[places[each]] for each in chosen]

        return [self._posing.driven(each) for each in stage.replaced(some, below)]

    def _layered(self, wanted: Mapping[int, Collection[str]]) -> dict[int, Members]:
        out: dict[int, Members] = {place: {} for place in wanted}
        times, frames, member = self._instants.times, self._instants.frames, self._posing.member
        for actor in self._instants.group:
            needed = [place for place, ids in wanted.items() if actor.id in ids]
            rows = self._posing.layered(actor, [times[place] for place in needed]) if needed else ()
            for place, q in zip(needed, rows, strict=True):
                out[place][actor.id] = member(actor, times[place], frames[place], q)
        return out


def _comes_between(levels: Sequence[_Level], first: int, again: int) -> bool:
    """Tell whether a stage that comes again has any other before it, since it came first."""
    return any(first < each.order < again for each in levels)


def _levels(listed: Sequence[System]) -> list[_Level]:
    """The stages in the order of the stack, those that come again at both places."""
    found = [_Level(each.order, each) for each in listed if each.stage is not None]
    found += [_Level(each.again, each, each.order) for each in listed if each.again is not None]
    return sorted(found, key=lambda level: level.order)
