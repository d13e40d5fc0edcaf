"""MuscleLanes: the lanes of the muscles of the figure that is meant: activation, length and force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from app.features.muscles.arm_fields import ArmFields
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.excited_curves import ExcitedCurves
from app.features.muscles.shown_torques import DOCK, ShownTorques
from app.lanes.current_lanes import CurrentLanes
from app.lanes.kind import LaneGroup, LaneKind, LaneSource, LaneTool, Named
from app.style.hues import MUSCLE
from engine.edits import Edit, edit
from engine.muscles.parts import ACTIVATION, MuscleActivations, Muscles

if TYPE_CHECKING:
    from app.lanes.lane import Lane
    from app.session.session import Session
    from engine.document import Key, Track
    from engine.maths.arrays import Array
    from engine.muscles.queries.crossed import MuscleGroup
    from engine.muscles.queries.expressed import ExpressedActivation

KIND = LaneKind(
    part="muscle", context="muscle", coordinate=ACTIVATION, quantity="activation", least=0.0, most=1.0,
    shown=(0.0, 1.0), rest=0.0, marks=(0.5, 1.0), colours=MUSCLE,
    set_value=("set_muscle_activation", "value"), set_keys="set_muscle_keys", move_keys="move_muscle_keys",
    remove_keys="remove_muscle_keys", draw="draw_muscle_activation", extend="extend_muscle_activation",
    rename="set_muscle",
)  # fmt: skip


EXCITED = replace(KIND, quantity="excitation")


class MuscleLanes(LaneSource):
    """The muscles of one session's figure."""

    kind = KIND
    hint = "Select two joints and add a muscle between them: its activation has a lane here."

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentMuscles)
        self._torques, self._excited = session.of(ShownTorques), session.of(ExcitedCurves)
        self._made: tuple[str, Muscles | None, MuscleActivations | None, tuple[Lane, ...]] = ("", None, None, ())
        self._grouped: tuple[object, str, tuple[LaneGroup, ...]] = (None, "", ())
        session.of(CurrentLanes).add(self)
        self._current.changed.connect(self.changed)
        for signal in (self._current.told_changed, self._excited.changed):
            signal.connect(self.read_changed)

    @property
    def is_there(self) -> bool:
        return self._current.owner is not None

    @property
    def chosen(self) -> Named | None:
        owner, muscle = self._current.owner, self._current.muscle
        return None if owner is None or muscle is None else (owner.id, muscle.id)

    def choose(self, of: Named) -> None:
        self._current.choose(of[1])

    def may_change(self, of: Named) -> bool:
        return self._current.may_change

    def track_of(self, of: Named) -> Track | None:
        found = self._current.activations.of(of[1])
        return None if found is None else found.track

    def lanes(self) -> Sequence[Lane]:
        owner, muscles = self._current.owner, self._current.muscles
        if owner is None or muscles is None:
            return ()
        activations = self._current.activations
        if self._made[:3] != (owner.id, muscles, activations):
            self._made = (owner.id, muscles, activations, tuple(_lanes(owner.id, muscles, activations)))
        return self._made[3]

    def groups(self) -> Sequence[LaneGroup]:
        owner, found = self._current.owner, self._current.groups
        if owner is None or not found or not found[0].muscles:
            return ()
        if self._grouped[0] is not found or self._grouped[1] != owner.id:
            self._grouped = (found, owner.id, tuple(_group(owner.id, each) for each in found))
        return self._grouped[2]

    def key_edits(self, keys: Sequence[tuple[Lane, Key]]) -> list[Edit]:
        return [edit("key_muscles", actor=keys[0][0].actor, keys=tuple((lane.id, key) for lane, key in keys))]

    def move_edits(self, moved: Sequence[tuple[Lane, tuple[int, ...]]], ticks: int, value: float) -> list[Edit]:
        times = tuple((lane.id, own) for lane, own in moved)
        return [edit("move_keys_of_muscles", actor=moved[0][0].actor, times=times, ticks=ticks, value=value)]

    def watch(self, watched: bool) -> None:
        self._current.watch(watched)
        self._torques.watch(DOCK, watched)
        self._excited.watch(watched)

    def measured(self, lane: Lane) -> Array | None:
        """Give the activation that follows a lane's excitation."""
        return self._excited.found.get(lane.of)

    def numbers(self, lane: Lane) -> tuple[str, str]:
        """Write the length of a muscle with its tendon, and its force."""
        told = self._current.told
        number = None if told is None else told.numbers.get(lane.id)
        if told is None or number is None:
            return "", ""
        return f"{100.0 * told.lengths[number]:.1f} cm", _newtons(told.forces[number])

    def about(self, lane: Lane, time: int) -> str:
        """Describe a muscle, and what it does at the playhead."""
        muscles, told = self._current.muscles, self._current.told
        muscle = None if muscles is None else muscles.muscle(lane.id)
        if muscle is None:
            return lane.label
        parts = f"fibres of {100.0 * muscle.fibre:.1f} cm, tendon of {100.0 * muscle.tendon:.1f} cm"
        lines = [muscle.name, f"At most {muscle.force:.0f} N; {parts}"]
        place = None if told is None else told.numbers.get(muscle.id)
        if told is not None and place is not None:
            lines += [
                f"Length {100 * told.lengths[place]:.2f} cm, changing by {100 * told.rates[place]:+.1f} cm/s",
                f"Fibres {told.fibres[place]:.2f} of their best length; force {round(told.forces[place])} N",
            ]
        return "\n".join(lines)

    def tools(self) -> Sequence[LaneTool]:
        return (
            LaneTool(
                icon="rotate-3d", tip="Show the torques of the chosen muscle in the views", action="view.show_torques",
                enabled=lambda: self.is_there, checked=lambda: self._torques.in_views,
            ),
            LaneTool(
                icon="person-standing", tip="Find activations for the motion of the figure",
                action="muscles.find_activations",
                enabled=lambda: self._current.may_change and bool(self._current.groups),
            ),
            LaneTool(
                icon="bookmark-plus", tip="Keep the listed muscles as a set", action="muscles.keep_set",
                enabled=lambda: self._current.may_change and self._current.has_listed,
            ),
        )  # fmt: skip

    def make_fields(self) -> ArmFields:
        return ArmFields(self._session)


def _group(owner: str, group: MuscleGroup) -> LaneGroup:
    lanes = frozenset((owner, each) for each in group.muscles)
    return LaneGroup(source=KIND.part, kind=group.kind, id=group.id, name=group.name, lanes=lanes)


def _lanes(owner: str, muscles: Muscles, activations: MuscleActivations) -> Iterator[Lane]:
    from app.lanes.lane import Lane

    active = {each.muscle: each for each in activations.activations}
    kind = EXCITED if activations.excited else KIND
    for muscle in muscles.muscles:
        found = active.get(muscle.id)
        track = None if found is None else found.track
        text = "" if found is None else found.expression
        told = "expression" if text else "constant" if track is None else "keys"
        yield Lane(
            kind=kind, actor=owner, id=muscle.id, name=muscle.name, label=muscle.name,
            value=0.0 if found is None else found.value, track=track,
            told=told, formula=_read(text) if text else None,
        )  # fmt: skip


@lru_cache(maxsize=256)
def _read(text: str) -> ExpressedActivation | None:
    """Read an expression: once, so that a lane is the same as long as its text is."""
    from engine.muscles.queries.expressed import ExpressedActivation

    return ExpressedActivation.of(text)


def _newtons(force: float) -> str:
    """A force in the room that a lane has for it: kilonewtons from five digits on."""
    return f"{force:.0f} N" if force < 9999.5 else f"{0.001 * force:.1f} kN"
