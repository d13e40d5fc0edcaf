"""Rows of the dope sheet: actors, the bars and marks that row sources give them, groups, joints, channels.

Only what has keys or a source's row has a row. Rows stand in the order of a tree that is walked downwards, so that all
below a row are those up to its `end`. Folding hides rows; it changes none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Literal

from app.session.selection import Item
from engine.document import Actor, Document, Joint, Span
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF, Qt, SignalInstance
    from PySide6.QtGui import QPainter

    from app.style.theme import Theme
    from app.timeline.sheet import DopeSheet
    from app.timeline.sheet_drags import SheetGrip
    from app.timeline.view_drag import ViewDrag
    from engine.edits import Edit

RowKind = Literal["actor", "block", "marks", "group", "joint", "channel"]
Path = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class TimeBlock:
    """The time in which a part of an actor counts, as a bar."""

    kind: str
    actor: str
    id: str
    label: str
    span: Span | None  # None: always
    covers: tuple[int, int] | None = None  # ticks that it is shown over where there is no span
    mute: bool = False

    @property
    def shown(self) -> Span:
        """The span, or the ticks over which it is shown."""
        start, end = self.covers or (0, 1)
        return self.span or Span(start=start, end=max(end, start + 1))

    @property
    def path(self) -> Path:
        """The path of its row."""
        return self.actor, self.kind, self.id


class RowSource:
    """Gives actors rows of their own, as bars or as marks, and says what is done with them.

    Bars are painted and dragged by the sheet; what a source does not override is as for a bar with a span."""

    place = 0  # among all sources, from the top
    looks: ClassVar[Mapping[str, tuple[str, str]]] = {}  # by kind: a colour of the theme, and when, for the legend
    adds = True  # whether what its rows hold keys of is selected with them, and not their joint alone
    may_last = True  # whether the span of a bar can be lifted, so that it lasts always
    changed: SignalInstance | None = None  # when another row is chosen elsewhere, or it is met otherwise

    def rows(self, document: Document, actor: Actor) -> Iterable[Row]:
        """List the rows of an actor."""
        raise NotImplementedError

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        """Make the edit that gives a bar another span; None: always."""
        raise NotImplementedError

    def removal(self, row: Row) -> Edit | None:
        """Make the edit of the Delete key; None where it is for keys alone."""
        return None

    def number(self, name: str, value: float) -> str:
        """Write a value of one of its channels, in the unit that a person reads."""
        raise NotImplementedError

    def worded(self, row: Row, name: str, value: float) -> str:
        """Write the value of a key of one of its channels, with what it is of."""
        return f"{row.content}: {self.number(name, value)}"

    # What is chosen

    @property
    def chosen(self) -> str | None:
        """The id of what is chosen elsewhere."""
        return None

    def choose(self, id: str) -> None:
        """Choose it elsewhere, too."""

    def is_missed(self, row: Row) -> bool:
        """True if it does not come to what is asked for."""
        return False

    # Drags and tips; of marks all of it, of bars what is otherwise

    def drag(self, sheet: DopeSheet, at: QPointF, modifiers: Qt.KeyboardModifier, grip: SheetGrip) -> ViewDrag | None:
        """Begin a drag; None: that of a bar."""
        return None

    def tip(self, sheet: DopeSheet, row: Row, time: int) -> str:
        """Write the tooltip; empty: that of a bar. Of marks, that of the one at a time."""
        return ""

    def grip_at(self, sheet: DopeSheet, row: Row, at: QPointF) -> SheetGrip | None:
        """Return the part of a row of marks at a place."""
        raise NotImplementedError

    def paint(self, painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
        """Paint a row of marks."""
        raise NotImplementedError

    def owns(self, path: Path | None) -> bool:
        """True of the path of one of its rows."""
        return path is not None and len(path) > 1 and path[1] in self.looks

    def bar(self, block: TimeBlock) -> Row:
        """Return the row of a bar."""
        return Row(
            path=block.path, kind="block", label=block.label, depth=1, block=block, source=self, muted=block.mute
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the dope sheet."""

    path: Path  # the same for the same thing in any document
    kind: RowKind
    label: str
    depth: int
    end: int = 0  # number of the first row that is not below it
    joint: str | None = None
    holder: str | None = None  # id of what its keys are of, where that is no layer
    coordinate: str | None = None
    block: TimeBlock | None = None
    source: RowSource | None = None  # of a bar, of marks, and of channels below them
    content: object = None  # of marks
    muted: bool = False

    @property
    def actor(self) -> str:
        """The id of the actor that it belongs to."""
        return self.path[0]


def rows_of(document: Document, sources: Sequence[RowSource]) -> tuple[Row, ...]:
    """Return all rows of a document, none folded."""
    rows: list[Row] = []
    for actor in document.actors:
        rows += _ended(_rows_of_actor(document, actor, sources), len(rows))
    return tuple(rows)


def lines(rows: tuple[Row, ...], folded: Set[Path]) -> list[int]:
    """Return numbers of the visible rows, from the top."""
    seen, number = [], 0
    while number < len(rows):
        seen.append(number)
        number = rows[number].end if rows[number].path in folded else number + 1
    return seen


def _rows_of_actor(document: Document, actor: Actor, sources: Sequence[RowSource]) -> Iterator[Row]:
    below = [row for source in sources for row in source.rows(document, actor)]
    keyed = {track.coordinate for layer in actor.layers for track in layer.tracks}
    if not below and not keyed:
        return
    yield Row(path=(actor.id,), kind="actor", label=actor.name, depth=0)
    yield from below
    moving = [joint for joint in actor.figure.joints if keyed.intersection(_coordinates(joint))]
    for group in dict.fromkeys(joint.group for joint in moving):
        above: Path = (actor.id, "group", group) if group else (actor.id,)
        if group:
            yield Row(path=above, kind="group", label=group, depth=1)
        for joint in moving:
            if joint.group == group:
                yield from _rows_of_joint(joint, above, keyed)


def _rows_of_joint(joint: Joint, above: Path, keyed: Set[str]) -> Iterator[Row]:
    path, depth = (*above, "joint", joint.id), 2 if len(above) > 1 else 1
    yield Row(path=path, kind="joint", label=joint.name, depth=depth, joint=joint.id)
    for dof in joint.dofs:
        for name in dof.coordinates:
            if name in keyed:
                label = dof.name if len(dof.coordinates) == 1 else f"{dof.name} {name[-1]}"
                yield Row(
                    path=(*path, name), kind="channel", label=label, depth=depth + 1, joint=joint.id, coordinate=name
                )


def item_of(row: Row) -> Item | None:
    """Return the item of the scene that a row shows."""
    if row.kind == "actor" or row.joint is not None:
        return Item(row.actor, row.joint, row.holder if row.source is None or row.source.adds else None)
    return None


def _coordinates(joint: Joint) -> Iterator[str]:
    return (name for dof in joint.dofs for name in dof.coordinates)


def _ended(rows: Iterable[Row], first: int) -> list[Row]:
    """Return the rows of one actor, numbered from `first` on, with where each ends."""
    given = list(rows)
    ends = [first + len(given)] * len(given)
    above: list[int] = []
    for place, row in enumerate(given):
        while above and given[above[-1]].depth >= row.depth:
            ends[above.pop()] = first + place
        above.append(place)
    return [replace(row, end=end) for row, end in zip(given, ends, strict=True)]
