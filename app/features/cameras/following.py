"""Following: views that go along with a figure, so that its root stays where it is on the screen while it plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from app.features.window import Window
    from engine.document.values import Vector3
    from engine.model import Snapshot

NOTHING = "Select the figure that the view is to follow."


class FollowingViews(QObject):
    """The views of a window that follow somebody: whoever is selected, or was last."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self._actors: dict[int, str] = {}  # followed, by view
        self._places: dict[int, Vector3] = {}  # of their roots [m] as they were seen last, by view
        self._session.snapshot_ready.connect(self._take)
        self._session.selection_changed.connect(lambda selection: self._choose())

    def follows(self, view: int) -> bool:
        """True if a view follows somebody."""
        return view in self._actors

    def toggle(self, view: int) -> None:
        """Let a view follow what is selected, its root in the middle from now on, or stand still again."""
        if view in self._actors:
            self._forget(view)
        elif self._selected is None:
            self._session.note("note", NOTHING)
        else:
            self._actors[view] = self._selected
            self._centre(view)
        self._window.refresh_actions()

    @property
    def _selected(self) -> str | None:
        active = self._session.selection.active
        return None if active is None else active.actor

    def _forget(self, view: int) -> None:
        self._actors.pop(view, None)
        self._places.pop(view, None)

    def _choose(self) -> None:
        """Go over to another figure, once one is selected."""
        chosen = self._selected
        for view, actor in list(self._actors.items()):
            if chosen is not None and chosen != actor:
                self._actors[view] = chosen
                self._centre(view)

    def _centre(self, view: int) -> None:
        place = _root(self._session.snapshot, self._actors[view])
        if place is None:
            self._places.pop(view, None)
            return
        self._places[view] = place
        x, y, z = self._window.view.cameras[view].target
        self._window.view.carry_camera(view, (place[0] - x, place[1] - y, place[2] - z))

    def _take(self, snapshot: Snapshot) -> None:
        for view, actor in list(self._actors.items()):
            place, before = _root(snapshot, actor), self._places.get(view)
            if actor not in self._session.document.actor_index:
                self._forget(view)
                self._window.refresh_actions()
            elif place is not None and before is None:
                self._centre(view)
            elif place is not None and before is not None and place != before:
                self._places[view] = place
                way = (place[0] - before[0], place[1] - before[1], place[2] - before[2])
                self._window.view.carry_camera(view, way)


def _root(snapshot: Snapshot | None, actor: str) -> Vector3 | None:
    """Return where the first joint of an actor is in a picture [m]."""
    items = () if snapshot is None else snapshot.bodies
    found = next((each for each in items if each.owner == actor and each.role == "result"), None)
    if found is None or not len(found.transforms):
        return None
    x, y, z = found.transforms[0, :, 3].tolist()
    return x, y, z
