"""LaneKind: what lanes of one kind are about, and which edits change them; LaneSource: gives the lanes of a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.lanes.lane import Lane
    from engine.document import Key, Track
    from engine.maths.arrays import Array

Named = tuple[str, str]  # actor and part


@dataclass(frozen=True, kw_only=True)
class LaneKind:
    """Lanes of one kind. Edits are named with the argument that is given, where it is not keys or times."""

    part: str  # the argument of edits that names whose lane it is
    context: str  # of the menus that the right button opens
    coordinate: str  # of its tracks
    quantity: str  # in words
    least: float  # that a value may be
    most: float
    shown: tuple[float, float]  # values that a lane shows at least
    rest: float  # from which on bars are filled
    marks: tuple[float, ...]  # values that are named, as far as there is room
    colours: tuple[str, str] | None = None  # of the emptiest and the fullest bar; None: the accent
    set_value: tuple[str, str]
    set_keys: str
    move_keys: str
    remove_keys: str
    draw: str
    extend: str
    rename: str
    mute: str = ""  # none: such lanes are not muted

    def edit(self, name: str, of: Named, /, **arguments: object) -> Edit:
        """Make an edit of one of them."""
        return edit(name, actor=of[0], **{self.part: of[1]}, **arguments)

    def held(self, value: float) -> float:
        """Hold a value to what it may be."""
        return min(max(value, self.least), self.most)


@dataclass(frozen=True, kw_only=True)
class LaneGroup:
    """Some lanes, by a name."""

    source: str  # the part of its kind; "": of all kinds
    kind: str = ""  # "": all of them
    id: str = ""
    name: str
    lanes: frozenset[Named]

    @property
    def key(self) -> tuple[str, str, str]:
        """Its name among all groups."""
        return self.source, self.kind, self.id


@dataclass(frozen=True, kw_only=True)
class LaneTool:
    """A button of the dock that does an action of the window."""

    icon: str
    tip: str
    action: str
    enabled: Callable[[], bool]
    checked: Callable[[], bool] | None = None


class LaneSource(QObject):
    """Gives the lanes of one kind, and says what is known of them beside their curves."""

    kind: LaneKind
    hint = ""  # what to do where there are none
    changed = Signal()  # the lanes, or which is chosen
    read_changed = Signal()  # what stands beside them

    @property
    def is_there(self) -> bool:
        """True if there is something that has such lanes, or may have."""
        raise NotImplementedError

    @property
    def chosen(self) -> Named | None:
        """The one that is chosen."""
        raise NotImplementedError

    def choose(self, of: Named) -> None:
        """Choose one, for all that show it."""
        raise NotImplementedError

    def may_change(self, of: Named) -> bool:
        """True if its actor is not frozen."""
        raise NotImplementedError

    def track_of(self, of: Named) -> Track | None:
        """Give the keys of one, as it is on screen."""
        raise NotImplementedError

    def lanes(self) -> Iterable[Lane]:
        """List them all, as they are on screen. Brings numpy."""
        raise NotImplementedError

    def groups(self) -> Sequence[LaneGroup]:
        """List the groups among which a person chooses; all of them first."""
        raise NotImplementedError

    def gave(self, lane: Lane) -> bool:
        """Tell whether a lane is one of its own."""
        return lane.kind.part == self.kind.part

    def key_edits(self, keys: Sequence[tuple[Lane, Key]]) -> list[Edit]:
        """Make the edits that set a key in each of some lanes."""
        return [lane.keys_edit((key,)) for lane, key in keys]

    def move_edits(self, moved: Sequence[tuple[Lane, tuple[int, ...]]], ticks: int, value: float) -> list[Edit]:
        """Make the edits that move keys of some lanes, each with the ticks of those that move, in time and value."""
        return [lane.edit(lane.kind.move_keys, times=times, ticks=ticks, value=value) for lane, times in moved]

    def watch(self, watched: bool) -> None:
        """Measure them while somebody sees that."""

    def numbers(self, lane: Lane) -> tuple[str, str]:
        """Write two numbers of one at the playhead."""
        return "", ""

    def measured(self, lane: Lane) -> Array | None:
        """Give ticks and values that were measured, for a second curve."""
        return None

    def about(self, lane: Lane, time: int) -> str:
        """Describe one, and what was measured of it at a time."""
        return lane.label

    def tools(self) -> Sequence[LaneTool]:
        """List buttons of its own."""
        return ()

    def make_fields(self) -> LaneFields:
        """Make what stands beside the lanes while one of these is chosen."""
        raise NotImplementedError


class LaneFields(QWidget):
    """Stands beside the lanes, and shows more of the one that is chosen."""

    def refresh(self) -> None:
        """Show the present state."""
        raise NotImplementedError
