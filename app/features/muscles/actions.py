"""Actions on muscles: show them, key their activations, keep sets of them, add one, take some away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Context, Topic
from app.features.muscles.current_muscles import CurrentMuscles
from engine.document.motion import Extrapolation

if TYPE_CHECKING:
    from app.features.muscles.lanes.view import MuscleLanes
    from app.features.muscles.panel import MusclesPanel

_Muscles = partial(Action, menu="Animate", submenu="Muscles")


class MusclesCommands(Topic):
    """Of the figure with muscles that was selected last, and its chosen muscle."""

    @property
    def _current(self) -> CurrentMuscles:
        return self._session.of(CurrentMuscles)

    @property
    def _is_made(self) -> bool:
        return self._window.docks["muscles"].is_made

    @property
    def _lanes(self) -> MuscleLanes:
        """The lanes, once they know the document of now: behind another tab they have not followed."""
        panel: MusclesPanel = self._window.docks["muscles"].widget()  # type: ignore[assignment]
        panel.refresh()
        return panel.lanes

    def show(self) -> None:
        """Show muscles: their activations over time, lengths, forces and moment arms."""
        self._window.show_panel("muscles")

    def key(self) -> None:
        """Set a key of the chosen muscle at the playhead, at what its activation is there."""
        self._lanes.key_here()

    def key_all(self) -> None:
        """Set a key of every muscle that is listed at the playhead."""
        self._current.key_listed()

    def delete_keys(self) -> None:
        """Take away the keys of muscles that are chosen."""
        self._lanes.remove()

    def extend(self, kind: Extrapolation) -> None:
        """Let the keyed activation of the chosen muscle go on like that before its first key and after its last."""
        muscle = self._current.muscle
        if muscle is not None:
            self._current.do("extend_muscle_activation", muscle=muscle.id, before=kind, after=kind)

    def extends(self, kind: Extrapolation) -> bool:
        """True if its activation goes on like that."""
        muscle = self._current.muscle
        track = None if muscle is None else self._current.activation(muscle.id).track
        return track is not None and track.before == track.after == kind

    def keep_set(self) -> None:
        """Keep the muscles that are listed as a set."""
        self._current.keep_set()

    def remove_set(self) -> None:
        """Take the set that is listed away; its muscles stay."""
        kind, id = self._current.group
        if kind == "set":
            self._current.choose_group("", "")
            self._current.do("remove_muscle_set", set=id)

    def add(self) -> None:
        """Add a muscle from the first of two selected parts of a figure to the second, or from one to the next."""
        self._current.add_muscle()

    def remove(self) -> None:
        """Take the selected muscles out of their figure, with their activations."""
        self._current.remove_muscle()

    def remove_all(self) -> None:
        """Take all muscles of the figure away, with their wraps, sets and activations."""
        self._current.do("remove_muscles")

    def can_add(self) -> bool:
        """True if there are two parts of a figure between which a muscle would go."""
        return self._current.ends_of_new is not None

    def may_change(self) -> bool:
        """True if there are muscles of a figure that is not frozen."""
        return self._current.may_change

    def has_listed(self) -> bool:
        """True if muscles of such a figure are listed."""
        return self.may_change() and bool(self._current.listed)

    def may_key(self) -> bool:
        """True if such a muscle is chosen, and the engine is ready."""
        return self.has_muscle() and self._window.viewport is not None

    def has_muscle(self) -> bool:
        """True if such a muscle is chosen."""
        return self.may_change() and self._current.muscle is not None

    def is_selected(self) -> bool:
        """True if such a muscle is selected."""
        return self.may_change() and self._current.is_selected

    def is_keyed(self) -> bool:
        """True if the chosen muscle has keys."""
        muscle = self._current.muscle
        return self.may_change() and muscle is not None and self._current.activation(muscle.id).track is not None

    def has_chosen_keys(self) -> bool:
        """True if keys of muscles are chosen."""
        if not self._is_made:
            return False
        panel: MusclesPanel = self._window.docks["muscles"].widget()  # type: ignore[assignment]
        return bool(panel.lanes.picked)

    def lists_set(self) -> bool:
        """True if a set is listed."""
        return self.may_change() and self._current.group[0] == "set"


class ShowingMuscles(Topic):
    """The muscles in the views."""

    def toggle(self) -> None:
        """Show muscles in the views as spindles, redder the more they are activated, or hide them."""
        self._window.prefer(show_muscles=not self.shows())

    def shows(self) -> bool:
        """True if muscles are drawn."""
        return self._window.switch("show_muscles")


Do = MusclesCommands
OF_ONE: tuple[Context, ...] = ("lock", "muscle")
LANE: tuple[Context, ...] = ("muscle",)
_EXTENDED: tuple[tuple[Extrapolation, str, str], ...] = (
    ("hold", "Hold beyond its keys", "Hold the first activation before the keys and the last one after them."),
    ("linear", "Go on straight beyond its keys", "Let the activation go on straight before its keys and after them."),
    ("cycle", "Repeat its keys", "Repeat the keys of the chosen muscle before the first and after the last."),
)

ACTIONS: tuple[Action, ...] = (
    _Muscles(
        id="muscles.show", label="Show muscles", call=Do.show, icon="activity", contexts=(*PART, "lock"),
        begins_group=True,
    ),
    _Muscles(
        id="muscles.key", label="Key muscle", call=Do.key, icon="key-round", when=Do.may_key, contexts=LANE,
        begins_group=True,
    ),
    _Muscles(id="muscles.key_all", label="Key all listed muscles", call=Do.key_all, when=Do.has_listed),
    _Muscles(
        id="muscles.delete_keys", label="Delete chosen keys of muscles", call=Do.delete_keys, icon="trash-2",
        when=Do.has_chosen_keys, contexts=LANE,
    ),
    *(
        _Muscles(
            id=f"muscles.{kind}", label=label, about=about, call=partial(Do.extend, kind=kind), when=Do.is_keyed,
            checked=partial(Do.extends, kind=kind), contexts=LANE, begins_group=kind == "hold",
        )
        for kind, label, about in _EXTENDED
    ),
    _Muscles(
        id="muscles.keep_set", label="Keep listed muscles as a set", call=Do.keep_set, icon="bookmark-plus",
        when=Do.has_listed, begins_group=True,
    ),
    _Muscles(id="muscles.remove_set", label="Remove listed set", call=Do.remove_set, when=Do.lists_set),
    _Muscles(
        id="muscles.add", label="Add muscle", call=Do.add, icon="plus", when=Do.can_add, contexts=PART,
        begins_group=True,
    ),
    _Muscles(
        id="muscles.remove", label="Remove muscle", call=Do.remove, icon="trash-2", when=Do.is_selected,
        contexts=OF_ONE,
    ),
    _Muscles(id="muscles.remove_all", label="Remove all muscles", call=Do.remove_all, when=Do.may_change),
)  # fmt: skip

SHOWING: tuple[Action, ...] = (
    Action(
        id="view.show_muscles", label="Muscles", menu="View", submenu="Show", call=ShowingMuscles.toggle,
        checked=ShowingMuscles.shows,
    ),
)  # fmt: skip
