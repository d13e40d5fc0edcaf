"""Water: a tank is added, looked at, begun later, baked."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.features.water.current_water import CurrentWater
from app.session import Item
from app.session.actors import free_name
from engine.document.values import new_id
from engine.water.commands.make_tank import MakeTank

_Water = partial(Action, menu="Animate", submenu="Water")


class AddWaterCommands(Topic):
    """The command that adds water."""

    def add_tank(self) -> None:
        """Add a tank of water about the middle of the floor, which moves from the playhead on."""
        session = self._session
        id, name = new_id("water"), free_name(session.document, "Water tank")
        session.work_out(MakeTank(id=id, name=name, options=(("start", session.playhead),)))
        session.when_free(lambda: self._choose(id))

    def _choose(self, id: str) -> None:
        if id in self._session.document.actor_index:
            self._session.select([Item(id)])
            self._window.show_panel("water")


class WaterCommands(Topic):
    """Of the tank that is meant."""

    @property
    def _state(self) -> CurrentWater:
        return self._session.of(CurrentWater)

    def show(self) -> None:
        """Show the tank, its water and how it is computed."""
        self._window.show_panel("water")

    def begin_here(self) -> None:
        """Let the water stand still up to the playhead, and move from there."""
        self._state.begin_here()

    def bake(self) -> None:
        """Bake the water of the frames that are played to the disk, in the background."""
        self._state.bake()

    def cancel(self) -> None:
        """End the bake; what is baked is kept, and it goes on from there the next time."""
        self._state.baking.cancel()

    def remove_bake(self) -> None:
        """Delete the baked water from the disk."""
        self._state.remove_bake()

    def may_change(self) -> bool:
        """True if there is a tank that is not frozen."""
        return self._state.may_change

    def may_bake(self) -> bool:
        """True if there is a tank, the engine is ready and no bake is at work."""
        return self._state.owner is not None and self._state.baking.may_start

    def is_baking(self) -> bool:
        """True if a bake is at work."""
        return self._state.baking.running

    def is_baked(self) -> bool:
        """True if there is a tank, and no bake is at work."""
        return self._state.owner is not None and not self._state.baking.running


Add = AddWaterCommands
Do = WaterCommands

ADDING: tuple[Action, ...] = (
    Action(id="add.water_tank", label="Water tank", menu="Add", call=Add.add_tank, icon="waves", begins_group=True),
)

ACTIONS: tuple[Action, ...] = (
    _Water(id="water.show", label="Show water", call=Do.show, icon="waves", contexts=PART, begins_group=True),
    _Water(
        id="water.begin_here", label="Start at the playhead", call=Do.begin_here, when=Do.may_change, begins_group=True,
    ),
    _Water(id="water.bake", label="Bake water", call=Do.bake, when=Do.may_bake, begins_group=True),
    _Water(id="water.cancel_bake", label="Cancel bake of water", call=Do.cancel, when=Do.is_baking),
    _Water(id="water.remove_bake", label="Remove bake of water", call=Do.remove_bake, when=Do.is_baked),
)  # fmt: skip
