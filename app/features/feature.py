"""Feature: one subject of the window, as data: its docks, actions, states of the session, and what it draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from PySide6.QtWidgets import QWidget

from app.features.action import Action, Topic
from app.session import Session

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
    bars: tuple[Callable[[Session], QWidget], ...] = ()  # strips over the views, which show themselves
    begin: Callable[[Window], None] | None = None  # connects it with a window, whose docks and menus are there
    draw: Callable[[Window, Viewport], None] | None = None
    """Adds what it draws over the views, and its tools. After the first paint: it may import `app.scene`, which brings
    numpy; a module that is imported before that must not."""
    switches: Mapping[str, bool] = field(default_factory=dict)  # its preferences, and what each is at first
    show: Callable[[Window], None] | None = None  # takes its preferences, once there are views and after each change
    help: tuple[tuple[str, str, str], ...] = ()  # name, title and text of pages beside those of its docks
