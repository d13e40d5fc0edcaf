"""SplineLanes: the lanes of activation splines: alpha, as keys, a constant or an expression tell it, and how long each
really is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from app.features.splines.contractions import Contractions
from app.features.splines.current_splines import CurrentSplines
from app.features.splines.fields import SplineFields
from app.lanes.current_lanes import CurrentLanes
from app.lanes.kind import LaneGroup, LaneKind, LaneSource, LaneTool, Named
from engine.soft.parts import ALPHA, LEAST_ALPHA, MOST_ALPHA, ActivationSpline, SoftBody

if TYPE_CHECKING:
    from app.lanes.lane import Lane
    from app.session.session import Session
    from engine.document import Actor, Track
    from engine.maths.arrays import Array
    from engine.soft.queries.expressed import ExpressedAlpha

KIND = LaneKind(
    part="spline", context="lane", coordinate=ALPHA, quantity="alpha", least=LEAST_ALPHA,
    most=MOST_ALPHA, shown=(0.7, 1.3), rest=1.0, marks=(0.5, 1.0, 1.5, 2.0, 2.5),
    set_value=("set_activation", "alpha"), set_keys="set_activation_keys", move_keys="move_activation_keys",
    remove_keys="remove_activation_keys", draw="draw_activation", extend="extend_activation",
    rename="rename_activation_spline", mute="set_activation_spline",
)  # fmt: skip


class SplineLanes(LaneSource):
    """The splines of all soft bodies of one session."""

    kind = KIND
    hint = "Draw a spline into the soft body, or make one along its axis: its activation has a lane here."

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._current, self._measured = session.of(CurrentSplines), session.of(Contractions)
        session.of(CurrentLanes).add(self)
        for signal in (self._current.changed, self._current.held_changed):
            signal.connect(self.changed)
        self._measured.changed.connect(self.read_changed)

    @property
    def is_there(self) -> bool:
        return bool(self._current.bodies)

    @property
    def chosen(self) -> Named | None:
        owner, spline = self._current.owner, self._current.spline
        return None if owner is None or spline is None else (owner.id, spline.id)

    def choose(self, of: Named) -> None:
        self._current.choose(*of)

    def may_change(self, of: Named) -> bool:
        return not self._session.shown.actor(of[0]).frozen

    def track_of(self, of: Named) -> Track | None:
        spline = self._current.found(*of)
        return None if spline is None else spline.track

    def lanes(self) -> Iterator[Lane]:
        for actor, spline, label in self._named():
            yield lane_of(actor, spline, label)

    def groups(self) -> Sequence[LaneGroup]:
        ids = {actor: [spline.id for spline in body.splines] for actor, body in self._current.bodies if body.splines}
        of = {actor: frozenset((actor.id, each) for each in own) for actor, own in ids.items()}
        if not of:
            return ()
        everyone = LaneGroup(source=KIND.part, name="All splines", lanes=frozenset[Named]().union(*of.values()))
        bodies = (
            LaneGroup(source=KIND.part, kind="body", id=actor.id, name=f"Splines of {actor.name}", lanes=lanes)
            for actor, lanes in of.items()
        )
        return (everyone, *bodies) if len(of) > 1 else (everyone,)

    def watch(self, watched: bool) -> None:
        self._measured.watch(watched)

    def numbers(self, lane: Lane) -> tuple[str, str]:
        """Write how long a spline is at the playhead, times its length at rest."""
        length = self._length(lane, self._session.playhead)
        return "", "" if length is None else f"\N{MULTIPLICATION SIGN} {length:.3f}"

    def measured(self, lane: Lane) -> Array | None:
        return self._measured.found.get(lane.id)

    def about(self, lane: Lane, time: int) -> str:
        length = self._length(lane, time)
        found = "" if length is None else f"\n{length:.3f} of its length at rest"
        return f"{lane.label}{found}\nBelow 1 the spline contracts, above it extends"

    def tools(self) -> Sequence[LaneTool]:
        current = self._current
        return (
            LaneTool(
                icon="spline", tip="Draw a spline by clicks inside the body", action="activation.draw",
                enabled=lambda: current.may_change, checked=lambda: current.hold == "draw",
            ),
            LaneTool(
                icon="chart-spline", tip="Spline along the body's own axis", action="activation.seed",
                enabled=lambda: current.may_change,
            ),
        )  # fmt: skip

    def make_fields(self) -> SplineFields:
        return SplineFields(self._session)

    def _named(self) -> Iterator[tuple[Actor, ActivationSpline, str]]:
        bodies: list[tuple[Actor, SoftBody]] = self._current.bodies
        several = sum(bool(body.splines) for _, body in bodies) > 1
        for actor, body in bodies:
            for spline in body.splines:
                yield actor, spline, f"{actor.name} · {spline.name}" if several else spline.name

    def _length(self, lane: Lane, time: int) -> float | None:
        """Return how long a spline is at a time, times its length at rest, where the simulation has come to it."""
        import numpy as np

        measured = self.measured(lane)
        if measured is None or not len(measured) or time > measured[-1, 0]:
            return None
        return float(np.interp(time, measured[:, 0], measured[:, 1]))


def lane_of(actor: Actor, spline: ActivationSpline, label: str) -> Lane:
    """The lane of a spline. Brings numpy."""
    from app.lanes.lane import Lane

    formula = _read(spline.expression) if spline.activation == "expression" else None
    return Lane(
        kind=KIND, actor=actor.id, id=spline.id, name=spline.name, label=label, value=spline.alpha, track=spline.track,
        told=spline.activation, formula=formula, mute=spline.mute,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _read(text: str) -> ExpressedAlpha | None:
    """Read an expression: once, so that a lane is the same as long as its text is."""
    from engine.soft.queries.expressed import ExpressedAlpha

    return ExpressedAlpha.of(text)
