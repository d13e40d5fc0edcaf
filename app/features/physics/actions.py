"""Physics: let actors fall, roll and collide."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.features.physics.current_torques import CurrentTorques
from app.features.physics.state import PhysicsState

_Physics = partial(Action, menu="Animate", submenu="Physics")


class PhysicsCommands(Topic):
    """Of the selected actor."""

    @property
    def _state(self) -> PhysicsState:
        return self._session.of(PhysicsState)

    def show(self) -> None:
        """Show how the selected actor falls, rolls and collides."""
        self._window.show_panel("physics")

    def toggle(self) -> None:
        """Let the actor fall, roll and collide, or follow its keys."""
        self._state.simulate(on=not self._state.is_simulated)

    def start_here(self) -> None:
        """Let the actor follow its keys up to the playhead, and fall from there with the speed that it has."""
        self._state.start_here()

    def bake(self) -> None:
        """Make the simulated motion a layer of the actor's own, frame by frame, and end its simulation."""
        self._state.bake()

    def drive(self) -> None:
        """Let torques that are keyed over time drive the joints of the actor while it is simulated, or not."""
        self._torques.drive(on=not self._torques.is_on)

    def key_torques(self) -> None:
        """Key the torques of the selected joints, or of all with a curve, at the playhead."""
        self._torques.key_here()

    def remove_torques(self) -> None:
        """Remove the torque curves of the actor."""
        self._torques.remove()

    @property
    def _torques(self) -> CurrentTorques:
        return self._session.of(CurrentTorques)

    def is_driven(self) -> bool:
        """True if torque curves drive the actor."""
        return self._torques.is_on

    def has_torques(self) -> bool:
        """True if the actor has torque curves, and is not frozen."""
        return self._state.may_change and self._torques.curves is not None

    def may_key_torques(self) -> bool:
        """True if joints with a hinge or a slide are selected, or have curves."""
        return self._torques.may_key

    def is_on(self) -> bool:
        """True if the actor is simulated."""
        return self._state.is_simulated

    def may_change(self) -> bool:
        """True if an actor is there that is not frozen."""
        return self._state.may_change

    def can_be_baked(self) -> bool:
        """True if the actor is simulated, hangs on no other, and is not frozen."""
        return self._state.may_bake


class ShowingForces(Topic):
    """The forces of contact in the views."""

    def toggle_forces(self) -> None:
        """Show the forces of contact of simulated actors as arrows, 2 mm for each newton, or hide them."""
        self._window.prefer(show_forces=not self.shows_forces())

    def shows_forces(self) -> bool:
        """True if the forces of contact are drawn."""
        return self._window.switch("show_forces")


Do = PhysicsCommands

ACTIONS: tuple[Action, ...] = (
    _Physics(
        id="physics.show", label="Show physics", call=Do.show, icon="weight", contexts=PART, begins_group=True,
    ),
    _Physics(
        id="physics.toggle", label="Simulate", call=Do.toggle, when=Do.may_change, checked=Do.is_on, begins_group=True,
    ),
    _Physics(id="physics.start_here", label="Let go at the playhead", call=Do.start_here, when=Do.may_change),
    _Physics(
        id="physics.torques", label="Driven by torque curves", call=Do.drive, when=Do.may_change, checked=Do.is_driven,
        begins_group=True,
    ),
    _Physics(id="physics.key_torques", label="Key torques here", call=Do.key_torques, when=Do.may_key_torques),
    _Physics(
        id="physics.remove_torques", label="Remove torque curves", call=Do.remove_torques, when=Do.has_torques,
    ),
    _Physics(id="physics.bake", label="Bake physics", call=Do.bake, when=Do.can_be_baked, begins_group=True),
)  # fmt: skip

SHOWING: tuple[Action, ...] = (
    Action(
        id="view.show_forces", label="Forces of contact", menu="View", submenu="Show", call=ShowingForces.toggle_forces,
        checked=ShowingForces.shows_forces,
    ),
)  # fmt: skip
