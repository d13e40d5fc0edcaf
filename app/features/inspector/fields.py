"""Fields: the sliders of one joint, of an orientation, and of an actor's place in the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from app.features.inspecting import TURN_NAMES, Fields, show_turns, turn_slider, turns_shown
from app.session import Session
from app.session.actors import hangs_on
from app.session.hand import Hand
from app.style.turns import Quaternion, Turns, quaternion_of, turns_of
from app.style.units import ANGLE, LENGTH, Unit
from app.style.value_slider import ValueSlider
from engine.document import Actor, Dof, Figure, Joint, Limit, Shape
from engine.document.limit import BoxRange
from engine.document.pose import Values
from engine.document.sizes import resized, sizes_of
from engine.edits import Edit, edit
from engine.edits.poses import pose_edit

Seen = Mapping[str, float]  # coordinates of an actor that moves, as the picture shows them


def value_of(actor: Actor, coordinate: str, seen: Seen, rest: float = 0.0) -> float:
    """Return the value of a coordinate [rad or m]: as it is seen, or that of the last layer that has one; of what is
    driven, what its drivers make of theirs."""
    if coordinate in seen:
        return seen[coordinate]
    figure = actor.figure
    driven = figure.coordinate_dof[coordinate].driven
    if driven:
        return sum(each.value(value_of(actor, each.dof, seen, figure.rest[each.dof])) for each in driven)
    for layer in reversed(actor.layers):
        value = layer.by_coordinate.get(coordinate)
        if value is not None:
            return value
    return rest


def orientation_of(actor: Actor, dof: Dof, seen: Seen) -> Quaternion:
    """Return the quaternion of a ball."""
    w, x, y, z = (value_of(actor, name, seen, rest) for name, rest in zip(dof.coordinates, (1.0, 0, 0, 0), strict=True))
    return (w, x, y, z)


def unit_of(dof: Dof) -> Unit:
    """Return the unit in which a degree of freedom is shown."""
    return LENGTH if dof.kind == "slide" else ANGLE


def ends_of(figure: Figure, dof: Dof) -> tuple[float | None, float | None]:
    """Return the range of a degree of freedom [rad or m]: of a region that holds in place of its own limits, its
    grid."""
    regions = [limit for limit in figure.limits_on if dof.id in limit.dofs]
    if not regions:
        return dof.lower, dof.upper
    found = [_ends_along(limit, limit.dofs.index(dof.id)) for limit in regions]
    lower, upper = ([ends[side] for ends in found if ends is not None] for side in (0, 1))
    return max(lower, default=None), min(upper, default=None)


def _ends_along(limit: Limit, axis: int) -> tuple[float, float] | None:
    """None where it goes round."""
    grid, content = limit.grid, limit.range
    if isinstance(content, BoxRange) and not limit.strokes:
        return content.lower[axis] - limit.margin, content.upper[axis] + limit.margin
    if grid.periodic[axis]:
        return None
    return grid.lower[axis], grid.lower[axis] + (grid.counts[axis] - 1) * grid.spacing[axis]


def explain(figure: Figure, dof: Dof) -> str:
    """Write the tooltip of a degree of freedom: what scripts call it, and how far it goes, or what drives it."""
    if dof.driven:
        return f"{dof.id}\nFollows {' and '.join(name_of(figure, each.dof) for each in dof.driven)}"
    unit, (lower, upper) = unit_of(dof), ends_of(figure, dof)
    if lower is not None and upper is not None:
        limits = f"{unit.text(lower)} to {unit.text(upper)}"
    elif lower is not None:
        limits = f"at least {unit.text(lower)}"
    else:
        limits = "none" if upper is None else f"at most {unit.text(upper)}"
    regions = [f"“{limit.name}”" for limit in figure.limits_on if dof.id in limit.dofs]
    if regions:
        within = "" if limits == "none" else f", which lies within {limits}"
        limits = f"the region {' and '.join(regions)} of the Joint limits panel{within}"
    return f"{dof.id}\nLimits: {limits}"


def name_of(figure: Figure, dof: str) -> str:
    """Name a degree of freedom and its joint."""
    return f"“{figure.dof_joint[dof].name}: {figure.coordinate_dof[dof].name}”"


def why_driven(figure: Figure, dof: Dof) -> str:
    """Say why a driven degree of freedom cannot be set."""
    return (
        f"{explain(figure, dof)}, so it is not set by itself.\nThe Figure panel says what drives it, under “Drivers”."
    )


def summary_of(actor: Actor, joint: Joint, seen: Seen) -> str:
    """Return a joint's values in a few words; nothing where all stand at rest."""
    shown: list[tuple[Unit, float]] = []
    for dof in joint.dofs:
        if dof.kind == "ball":
            shown.extend((ANGLE, turn) for turn in turns_of(orientation_of(actor, dof, seen)))
        else:
            shown.append((unit_of(dof), value_of(actor, dof.id, seen)))
    at_rest = all(unit.text(value) == unit.text(0.0) for unit, value in shown)
    return "" if at_rest else "  ".join(unit.text(value) for unit, value in shown)


class JointFields(Fields):
    """One slider for each hinge or slide of a joint, three for a ball."""

    def __init__(self, session: Session, actor: Actor, joint: Joint) -> None:
        super().__init__(session, actor.id)
        self._joint = joint.id
        self._dofs: list[tuple[Dof, int]] = []  # and the place of its first slider
        self._figure: Figure | None = None  # whose limits the sliders have
        for dof in joint.dofs:
            self._dofs.append((dof, len(self.sliders)))
            if dof.kind == "ball":
                self._add_ball(joint, dof)
            else:
                self._add_dof(joint, dof)
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        if actor.figure is not self._figure:
            self._show_limits(actor.figure)
        if actor.frozen:
            self._allow(_why_frozen(actor))
        elif self._session.editing == actor.id:
            self._allow(f"{actor.name} stands at rest while its figure is edited; its pose waits")
        elif not actor.layers:
            self._allow(f"{actor.name} has no layer that could keep a pose")
        else:
            self._allow(_why_held(self._session, actor) if actor.is_held_at(self._joint) else "")
        seen = self._session.posing.moving(actor)
        for dof, place in self._dofs:
            if dof.kind == "ball":
                show_turns(self.sliders[place:], self._hands[place:], orientation_of(actor, dof, seen))
            else:
                self._hands[place].show(value_of(actor, dof.id, seen))

    def _show_limits(self, figure: Figure) -> None:
        self._figure = figure
        for dof, place in self._dofs:
            if dof.kind != "ball":
                lower, upper = ends_of(figure, dof)
                self.sliders[place].set_limits(lower, upper)
                self.sliders[place].set_rest(replace(dof, lower=lower, upper=upper).clamp(0.0))
                self._tips[place] = explain(figure, dof)
                self._stuck.pop(place, None)
                if figure.coordinate_dof[dof.id].driven:
                    self._stuck[place] = why_driven(figure, figure.coordinate_dof[dof.id])

    def _edit(self, values: Values) -> Edit:
        session = self._session
        return pose_edit(session.document, self._actor, session.playhead, values, auto_key=session.posing.auto_key)

    def _add_dof(self, joint: Joint, dof: Dof) -> None:
        slider = ValueSlider(dof.name, unit=unit_of(dof))
        slider.setAccessibleName(f"{joint.name}, {dof.name}")
        slider.channel = (self._actor, dof.id)

        def turn(value: float) -> Edit:
            return self._edit(((dof.id, value),))

        self._add(slider, Hand(self._session, slider, label=f"{joint.name}: {dof.name}", make_edit=turn))

    def _add_ball(self, joint: Joint, dof: Dof) -> None:
        first = len(self.sliders)

        def turn(_: float) -> Edit:
            numbers = quaternion_of(turns_shown(self.sliders[first:]))
            values = tuple(zip(dof.coordinates, numbers, strict=True))
            return self._edit(values)

        for name in TURN_NAMES:
            slider = turn_slider(name)
            slider.setAccessibleName(f"{joint.name}, {name}")
            slider.setToolTip(f"{', '.join(dof.coordinates)}\nThe quaternion, shown as three turns")
            slider.channel = (self._actor, dof.id)
            self._add(slider, Hand(self._session, slider, label=f"{joint.name}: {name}", make_edit=turn))


class PlacementFields(Fields):
    """The fields of an actor's place and heading."""

    def __init__(self, session: Session, actor: Actor) -> None:
        super().__init__(session, actor.id)
        self._turns: Turns = (0.0, 0.0, 0.0)
        for name in ("X", "Y", "Z"):
            slider = ValueSlider(f"Position {name}", unit=LENGTH)
            slider.setToolTip(f"Where {actor.name} stands in the world along {name}")
            self._add(slider, Hand(session, slider, label=f"Place {actor.name}", make_edit=self._place))
        slider = turn_slider("Heading")
        slider.setToolTip(f"How far {actor.name} is turned about the vertical")
        self._add(slider, Hand(session, slider, label=f"Turn {actor.name}", make_edit=self._place))
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        self._allow(_why_frozen(actor) or _why_held(self._session, actor))
        if not any(hand.busy for hand in self._hands):
            self._turns = turns_of(actor.placement.rotation)
        for hand, value in zip(self._hands, (*actor.placement.position, self._turns[0]), strict=True):
            hand.show(value)

    def _place(self, _: float) -> Edit:
        x, y, z, heading = (slider.value for slider in self.sliders)
        rotation = quaternion_of((heading, self._turns[1], self._turns[2]))
        return edit("place_actor", actor=self._actor, position=(x, y, z), rotation=rotation)


def sized_shape(actor: Actor) -> Shape | None:
    """Return the one primitive that a prop consists of, if it does."""
    shapes = actor.figure.joints[0].shapes if actor.figure.is_prop else ()
    return shapes[0] if len(shapes) == 1 and sizes_of(shapes[0]) else None


class SizeFields(Fields):
    """The lengths of a prop that is one primitive."""

    def __init__(self, session: Session, actor: Actor) -> None:
        super().__init__(session, actor.id)
        shape = sized_shape(actor)
        self._names = tuple(sizes_of(shape)) if shape is not None else ()
        for name in self._names:
            slider = ValueSlider(name, unit=LENGTH)
            slider.set_limits(0.001, None)
            slider.setToolTip(f"{name} of {actor.name}")
            self._add(slider, Hand(session, slider, label=f"Size {actor.name}", make_edit=partial(self._resize, name)))
        self.show_actor(actor)

    def show_actor(self, actor: Actor) -> None:
        shape = sized_shape(actor)
        sizes = sizes_of(shape) if shape is not None else {}
        self._allow(_why_frozen(actor))
        for name, hand in zip(self._names, self._hands, strict=True):
            hand.show(sizes[name])

    def _resize(self, name: str, value: float) -> Edit:
        actor = self._session.document.actor(self._actor)
        shape = sized_shape(actor)
        assert shape is not None, "shown only for one"
        changed = (resized(shape, name, value),)
        return edit("set_shapes", actor=actor.id, joint=actor.figure.joints[0].id, shapes=changed)


def _why_frozen(actor: Actor) -> str:
    return f"{actor.name} is frozen: thaw it in the outliner, then change it." if actor.frozen else ""


def _why_held(session: Session, actor: Actor) -> str:
    """Say why an actor that hangs on something all the time cannot be placed; empty if it does not."""
    held = actor.held_always
    if held is None:
        return ""
    what = hangs_on(session.shown, held)
    return f"{actor.name} always hangs on {what}, so this would move nothing.\nMove it under “Attached to”."
