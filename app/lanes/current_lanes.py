"""CurrentLanes: the sources of lanes, which of their lanes are listed and which is chosen, and whether sliders record.

Sources give themselves to it as they are made. A lane is chosen by what is selected; its source is that of the lane
that was chosen last, at first one that has any.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.lanes.kind import LaneGroup, LaneSource, Named

if TYPE_CHECKING:
    from app.lanes.lane import Lane
    from app.session.session import Session

ALL = ("", "", "")
Lists = Callable[[Named, str], bool]  # by whose lane and by which name


class CurrentLanes(QObject):
    """The lanes of one session."""

    changed = Signal()  # lanes, which of them are listed, or which is chosen
    listing_changed = Signal()  # what a person has them listed by
    read_changed = Signal()  # what stands beside them
    records_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.sources: list[LaneSource] = []
        self._last: LaneSource | None = None
        self._group = ALL
        self.search = ""
        self.records = False  # a slider that is moved while it plays sets keys

    def add(self, source: LaneSource) -> None:
        """Show the lanes of one more source."""
        self.sources.append(source)
        source.changed.connect(self._follow)
        source.read_changed.connect(self.read_changed)

    # What there is

    @property
    def source(self) -> LaneSource | None:
        """The one whose lane is chosen."""
        if self._last is not None and self._last.chosen is not None:
            return self._last
        return next((each for each in self.sources if each.chosen is not None), None)

    def source_of(self, lane: Lane) -> LaneSource:
        """Find the one that gave a lane."""
        return next(each for each in self.sources if each.gave(lane))

    @property
    def chosen(self) -> Named | None:
        """Actor and part whose lane is chosen."""
        source = self.source
        return None if source is None else source.chosen

    @property
    def may_change(self) -> bool:
        """True if a lane is chosen, of an actor that is not frozen."""
        source, chosen = self.source, self.chosen
        return source is not None and chosen is not None and source.may_change(chosen)

    @property
    def groups(self) -> list[LaneGroup]:
        """The groups among which a person chooses."""
        found = [groups for each in self.sources if (groups := each.groups())]
        own = [group for groups in found for group in groups]
        if len(found) < 2:
            return own
        everyone = frozenset[Named]().union(*(groups[0].lanes for groups in found))
        return [LaneGroup(source="", name="All lanes", lanes=everyone), *own]

    @property
    def group(self) -> LaneGroup | None:
        """The one that is listed: all, where the chosen one is not there."""
        groups = self.groups
        return next((each for each in groups if each.key == self._group), groups[0] if groups else None)

    def listing(self) -> Lists:
        """Return what says whether a lane is listed."""
        group, words = self.group, self.search.casefold().split()

        def lists(of: Named, name: str) -> bool:
            return (group is None or of in group.lanes) and all(word in name.casefold() for word in words)

        return lists

    def listed(self) -> list[Lane]:
        """Give the lanes of the chosen group that the search finds. Brings numpy."""
        lists = self.listing()
        return [lane for each in self.sources for lane in each.lanes() if lists(lane.of, lane.label)]

    def lane(self) -> Lane | None:
        """Give the lane that is chosen, listed or not. Brings numpy."""
        source, chosen = self.source, self.chosen
        return None if source is None else next((each for each in source.lanes() if each.of == chosen), None)

    # What a person does

    def choose_group(self, key: tuple[str, str, str]) -> None:
        """List the lanes of a group."""
        if key != self._group:
            self._group = key
            self.listing_changed.emit()
            self.changed.emit()

    def find(self, text: str) -> None:
        """List the lanes whose names hold these words."""
        if text != self.search:
            self.search = text
            self.listing_changed.emit()
            self.changed.emit()

    def record(self, on: bool) -> None:
        """Let sliders that are moved while it plays set keys, or not."""
        if on != self.records:
            self.records = on
            self.records_changed.emit()

    def watch(self, watched: bool) -> None:
        """Measure what stands beside the lanes while somebody sees that."""
        for each in self.sources:
            each.watch(watched)

    def key_listed(self) -> None:
        """Set a key of each lane that is listed at the playhead, at what it is there; not of those by expressions."""
        from engine.edits import joined

        time, edits = self._session.playhead, []
        free = [
            lane
            for lane in self.listed()
            if lane.told != "expression" and self.source_of(lane).may_change(lane.of)
        ]  # fmt: skip
        for source in self.sources:
            own = [(lane, lane.key_at(time, lane.value_at(time))) for lane in free if source.gave(lane)]
            edits += source.key_edits(own) if own else []
        if edits:
            self._session.do(joined(edits))

    def _follow(self) -> None:
        active = self._session.selection.active
        if active is not None:
            has = [each for each in self.sources if each.chosen is not None and each.chosen[0] == active.actor]
            named = [each for each in has if each.chosen == (active.actor, active.added)]
            if named or (has and self._last not in has):
                self._last = (named or has)[0]
        self.changed.emit()
