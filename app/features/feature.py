"""Feature: one subject of the window, as data: its docks, actions, states of the session, and what it draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from PySide6.QtWidgets import QWidget

from app.features.action import Action, Topic
from app.features.inspecting import PageMaker
from app.features.outlining import Outlined
from app.session import Item, Session
from app.timeline.rows import RowSource
from engine.document import Actor, Document
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport

Side = Literal["left", "right", "bottom"]
LAST = 175  # behind the actions of all other features, before those of workspaces and views


@dataclass(frozen=True)
class Dock:
    """A panel, and the side on which it stands until a person moves it; several on one side share it as tabs."""

    name: str  # kept in the preferences
    title: str
    side: Side
    panel: Callable[[Session], QWidget]
    icon: str  # of its tab, where the names of all tabs have no room


@dataclass(frozen=True)
class Actions:
    """The actions of one topic, in the order in which menus show them, and the class that does them."""

    actions: tuple[Action, ...]
    topic: type[Topic]
    place: int = LAST  # of the topic among all: the lower one stands first in every menu


@dataclass(frozen=True, kw_only=True)
class Feature:
    """One folder of `app.features`, and all that it brings to the window. Nothing but `name` is needed."""

    name: str
    docks: tuple[Dock, ...] = ()
    actions: tuple[Actions, ...] = ()
    states: tuple[Callable[[Session], object], ...] = ()  # classes, made with the session; `session.of(State)`
    bars: tuple[Callable[[Session], QWidget], ...] = ()  # strips at the left of the status line, which show themselves
    begin: Callable[[Window], None] | None = None  # connects it with a window, whose docks and menus are there
    draw: Callable[[Window, Viewport], None] | None = None
    """Adds what it draws over the views, and its tools. After the first paint: it may import `app.scene`, which brings
    numpy; a module that is imported before that must not."""
    pages: tuple[PageMaker, ...] = ()  # of the inspector
    outlined: Outlined | None = None  # rows of the outliner
    icon_of: Callable[[Actor], str | None] | None = None  # the icon of an actor that is of its kind
    rows: tuple[Callable[[Session], RowSource], ...] = ()  # of the timeline
    switches: Mapping[str, bool] = field(default_factory=dict)  # its preferences, and what each is at first
    show: Callable[[Window], None] | None = None  # takes its preferences, once there are views and after each change
    help: tuple[tuple[str, str, str], ...] = ()  # name, title and text of pages beside those of its docks


class Features:
    """All features, for those that show what others bring: `session.of(Features).all`."""

    def __init__(self, session: Session) -> None:
        self.all: tuple[Feature, ...] = ()

    @property
    def outlined(self) -> tuple[Outlined, ...]:
        """Additions to the outliner."""
        return tuple(each.outlined for each in self.all if each.outlined is not None)

    def icon(self, actor: Actor) -> str:
        """Name the icon of an actor: that of the feature whose kind it is, else of a thing or a figure."""
        own = (each.icon_of(actor) for each in self.all if each.icon_of is not None)
        return next(filter(None, own), "box" if actor.figure.is_prop else "person-standing")

    def outlined_by(self, document: Document, item: Item | None) -> Outlined | None:
        """Return the one that added an item to the outliner; None of an actor, a joint, or what is not listed there."""
        if item is None or item.added is None:
            return None
        actor = document.actor(item.actor)
        found = (each for each in self.outlined if any(row.item == item for row in each.rows(actor, None)))
        return next(found, None)

    def remove(self, session: Session, items: Iterable[Item]) -> None:
        """Take away what they added, of some items."""
        for item in items:
            found = self.outlined_by(session.document, item)
            if found is not None:
                session.do(found.remove(item))
