"""Actions on muscles: keep sets of them, add one, take some away, show them in the views."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from app.features.action import PART, Action, Context, Topic
from app.features.muscles.current_muscles import CurrentMuscles
from app.lanes.current_lanes import ALL, CurrentLanes
from engine.muscles.commands.take_activations import TakeActivations

_Muscles = partial(Action, menu="Animate", submenu="Muscles")


class MusclesCommands(Topic):
    """Of the figure with muscles that was selected last, and its chosen muscle."""

    @property
    def _current(self) -> CurrentMuscles:
        return self._session.of(CurrentMuscles)

    def keep_set(self) -> None:
        """Keep the muscles that are listed as a set."""
        self._current.keep_set()

    def express_listed(self) -> None:
        """Give the expression of the chosen muscle to all muscles that are listed."""
        self._current.express_listed()

    def key_expressions(self) -> None:
        """Make few keys of the expressions of all muscles that are listed, over all that is played."""
        self._current.key_expressions()

    def has_expression(self) -> bool:
        """True if the chosen muscle has an expression."""
        return self._current.has_expression

    def has_listed_expression(self) -> bool:
        """True if a muscle that is listed has an expression, and the engine is ready."""
        return self._current.has_listed_expression and self._session.engine_state.ready

    def remove_set(self) -> None:
        """Take the set that is listed away; its muscles stay."""
        lanes = self._session.of(CurrentLanes)
        if lanes.group is not None and lanes.group.kind == "set":
            id = lanes.group.id
            lanes.choose_group(ALL)
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

    def find_activations(self) -> None:
        """Find activations with which muscles give what the motion of their figure takes, and what they lack."""
        from app.features.muscles.activating import ActivationSheet

        owner = self._current.owner
        if owner is not None:
            ActivationSheet(self._window, self._session, owner).show()

    def take_activations(self) -> None:
        """Key the muscles of the figure as the columns of a file (STO, MOT) say that have their names."""
        owner = self._current.owner
        if owner is not None:
            self._window.asking.choose_motion(lambda path: self._take(path, owner.id))

    def may_find(self) -> bool:
        """True if there are muscles of a figure that is not frozen, and the engine is ready."""
        muscles = self._current.muscles
        return self.may_change() and bool(muscles and muscles.muscles) and self._session.engine_state.ready

    def can_add(self) -> bool:
        """True if there are two parts of a figure between which a muscle would go."""
        return self._current.ends_of_new is not None

    def may_change(self) -> bool:
        """True if there are muscles of a figure that is not frozen."""
        return self._current.may_change

    def has_listed(self) -> bool:
        """True if muscles of such a figure are listed."""
        return self.may_change() and self._current.has_listed

    def is_selected(self) -> bool:
        """True if such a muscle is selected."""
        return self.may_change() and self._current.is_selected

    def lists_set(self) -> bool:
        """True if a set is listed."""
        group = self._session.of(CurrentLanes).group
        return self.may_change() and group is not None and group.kind == "set"

    def _take(self, path: Path, owner: str) -> None:
        if owner in self._session.document.actor_index:
            self._session.work_out(TakeActivations(actor=owner, path=path))


class ShowingMuscles(Topic):
    """The muscles in the views."""

    def toggle(self) -> None:
        """Show muscles in the views as spindles, redder the more they are activated, or hide them."""
        self._window.prefer(show_muscles=not self.shows())

    def shows(self) -> bool:
        """True if muscles are drawn."""
        return self._window.switch("show_muscles")

    def toggle_wraps(self) -> None:
        """Show all wraps of the figure that is meant, or those that selected muscles go round."""
        self._window.prefer(show_wraps=not self.shows_wraps())

    def shows_wraps(self) -> bool:
        """True if all wraps are drawn."""
        return self._window.switch("show_wraps")

    def toggle_torques(self) -> None:
        """Show the torques of the chosen muscle about the joints that it crosses as arcs in the views, or hide them."""
        self._window.prefer(show_torques=not self.shows_torques())

    def shows_torques(self) -> bool:
        """True if torques are drawn."""
        return self._window.switch("show_torques")


Do = MusclesCommands
OF_ONE: tuple[Context, ...] = ("lock", "muscle")
LANE: tuple[Context, ...] = ("muscle",)

ACTIONS: tuple[Action, ...] = (
    _Muscles(
        id="muscles.find_activations", label="Activations from motion\N{HORIZONTAL ELLIPSIS}",
        call=Do.find_activations, icon="person-standing", when=Do.may_find, contexts=LANE, begins_group=True,
    ),
    _Muscles(
        id="muscles.take_activations", label="Activations from a file\N{HORIZONTAL ELLIPSIS}",
        call=Do.take_activations, when=Do.may_find, contexts=LANE,
    ),
    _Muscles(
        id="muscles.express_listed", label="Expression for all listed muscles", call=Do.express_listed, icon="copy",
        when=Do.has_expression, contexts=LANE, begins_group=True,
    ),
    _Muscles(
        id="muscles.key_expressions", label="Make keys of listed expressions", call=Do.key_expressions,
        icon="diamond", when=Do.has_listed_expression, contexts=LANE,
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
    Action(
        id="view.show_wraps", label="Wraps of all muscles", menu="View", submenu="Show",
        call=ShowingMuscles.toggle_wraps, checked=ShowingMuscles.shows_wraps, contexts=("muscle",),
    ),
    Action(
        id="view.show_torques", label="Torques of the chosen muscle", menu="View", submenu="Show",
        call=ShowingMuscles.toggle_torques, checked=ShowingMuscles.shows_torques, icon="rotate-3d",
        contexts=("muscle",),
    ),
)  # fmt: skip
