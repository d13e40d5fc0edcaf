"""A figure made of a MuJoCo model: a joint for each body, and one more where its joints turn about several places.

Joints of a body turn and move it one after the other. A free joint is three slides and a quaternion, a ball that is not
the root's three hinges about x, y and z. Angles have MuJoCo's values: `ref` is taken into how the body stands.
MuJoCo's models look along x, z up; the figure looks along z, y up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace

import numpy as np

from engine.document import Body, Dof, Figure, Handle, Joint
from engine.document.figure import DofKind
from engine.document.frames import Frame
from engine.document.values import Vector3
from engine.formats.mjcf_geoms import Geom, body_of_geoms, read_geom, shape_of, turned_body
from engine.formats.mjcf_model import MjcfModel, MjcfRow
from engine.formats.names import Names
from engine.formats.osim_figure import FORWARD, UPRIGHT
from engine.formats.osim_parts import spoken
from engine.maths.quaternions import AXES, product, turn_about, turned
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

WORLD = "world"
_ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_LEFT_OUT = ("composite", "flexcomp", "replicate", "attach", "plugin", "camera", "light")


@dataclass(eq=False)
class MjcfFigure:
    """A figure as it grows, and where bodies, sites and geoms of the model are on it."""

    model: MjcfModel
    joints: list[Joint] = field(default_factory=list)
    handles: list[Handle] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)  # of coordinates, as the model stands
    sites: dict[str, tuple[str | None, Vector3]] = field(default_factory=dict)  # by name: joint and place there
    geoms: dict[str, tuple[str | None, Geom, Frame]] = field(default_factory=dict)  # by name: joint, its frame there

    def figure(self) -> Figure:
        """The figure as it is now."""
        return Figure(name=self.model.name, joints=tuple(self.joints), handles=tuple(self.handles))


def build_figure(model: MjcfModel) -> MjcfFigure:
    """Make the joints and handles of a model."""
    made = MjcfFigure(model)
    building = _Building(made)
    for each in model.root.children:
        if each.tag == "worldbody":
            building.add_world(MjcfRow(each, each.attributes.get("childclass", "")))
    if not made.joints:
        model.file.refuse("a model without bodies", "Choose a model with a <body>.", model.root.line)
    for note in (*building.ids.note("bodies"), *building.dofs.note("joints"), *building.sites.note("sites")):
        model.notes.say(note)
    return made


class _Building:
    """The bodies that are added, one after the other."""

    def __init__(self, made: MjcfFigure) -> None:
        self.ids, self.dofs, self.sites = Names(), Names(), Names()
        self._made, self._model = made, made.model

    def add_world(self, row: MjcfRow) -> None:
        """Add all that stands in the world, which is a root of its own where it has sites or solids."""
        turn = {0: turn_about(AXES[2], np.pi / 2), 1: FORWARD, 2: product(FORWARD, UPRIGHT)}[self._model.up]
        held = list(self._inside(row, Frame()))
        own = [each for each, _ in held if each.element.tag in ("site", "geom")]
        geoms = [found for each in own if each.element.tag == "geom" and (found := read_geom(self._model, each))]
        if geoms or any(each.element.tag == "site" for each in own):
            id = self.ids.take(WORLD)
            shapes = tuple(shape_of(each, Frame()) for each in geoms)
            body = Body(mass=0.0)
            self._made.joints.append(Joint(id=id, name="World", rest=turn, shapes=shapes, body=body))
            self._add_marks(id, held, geoms, Frame())
        self._add_bodies(held, None, Frame(rotation=turn))

    def _inside(self, row: MjcfRow, frame: Frame) -> Iterator[tuple[MjcfRow, Frame]]:
        """Yield what stands in a body, each with the frame of the `frame` elements around it."""
        for each in row.element.children:
            defaults = (
                each.attributes.get("childclass", row.defaults) if each.tag in ("body", "frame") else row.defaults
            )
            inner = MjcfRow(each, defaults)
            if each.tag == "frame":
                own = self._model.frame(MjcfRow(each, ""), each.attributes)
                yield from self._inside(inner, frame.holding(own))
            elif each.tag in _LEFT_OUT:
                if each.tag not in ("camera", "light"):
                    self._model.notes.leave_out(each.tag, each.name, each.line)
            else:
                yield inner, frame

    def _add_bodies(self, held: list[tuple[MjcfRow, Frame]], parent: str | None, inside: Frame) -> None:
        for row, frame in held:
            if row.element.tag == "body":
                self._add_body(row, parent, inside.holding(frame))

    def _add_body(self, row: MjcfRow, parent: str | None, around: Frame) -> None:
        """Add a body, which stands `around` in the frame of its parent's joint."""
        model, element = self._model, row.element
        own = model.frame(MjcfRow(element, ""), element.attributes)
        held = list(self._inside(row, Frame()))
        joints = [each for each, _ in held if each.element.tag in ("joint", "freejoint")]
        id = self.ids.take(element.name or "body")
        free = [each for each in joints if each.element.tag == "freejoint" or model.said(each).get("type") == "free"]
        if free:
            stand, inside, dofs = around, Frame(), tuple(self._free(free[0], id, own))
        else:
            parent, stand, inside, dofs = self._chained(joints, parent, around.holding(own), id)
        geoms = [found for each, _ in held if each.element.tag == "geom" and (found := read_geom(model, each))]
        self._made.joints.append(
            Joint(
                id=id,
                name=spoken(id),
                parent=parent,
                offset=stand.position,
                rest=stand.rotation,
                dofs=dofs,
                shapes=tuple(shape_of(each, inside) for each in geoms),
                body=self._mass(held, geoms, inside),
            )
        )
        self._add_marks(id, held, geoms, inside)
        self._add_bodies(held, id, inside)

    def _chained(
        self, joints: list[MjcfRow], parent: str | None, stand: Frame, id: str
    ) -> tuple[str | None, Frame, Frame, tuple[Dof, ...]]:
        """The degrees of freedom of a body that stands so in its parent's joint: the parent and the frame of its last
        joint, the body's frame there, and what this one has; those before it are added."""
        model, dofs, rest, place = self._model, list[Dof](), Frame(), None
        for row in joints:
            said = model.said(row, "joint")
            kind, here = said.get("type", "hinge"), model.vector(row, said, "pos")
            if place is not None and (rest.position != _ORIGIN or (kind != "slide" and here != place)):
                before = self.ids.take(f"{id}_{len(self._made.joints)}")
                origin = stand.holding(Frame(position=place))
                self._made.joints.append(
                    Joint(
                        id=before,
                        name=spoken(before),
                        parent=parent,
                        offset=origin.position,
                        rest=origin.rotation,
                        dofs=tuple(dofs),
                        body=Body(mass=0.0),
                    )
                )
                x, y, z = place
                parent, stand, dofs = before, rest.holding(Frame(position=(-x, -y, -z))), []
                rest, place = Frame(), None
            if place is None:
                place = here
            for dof, ref in self._dofs(row, said, kind, id, root=parent is None and len(joints) == 1):
                axis = turned(rest.rotation, dof.axis)
                dofs.append(replace(dof, axis=axis))
                a, b, c = (-ref * each for each in dof.axis)
                back = Frame(position=(a, b, c)) if dof.kind == "slide" else Frame(rotation=turn_about(dof.axis, -ref))
                rest = rest.holding(back) if ref else rest
        x, y, z = place or _ORIGIN
        return parent, stand.holding(Frame(position=(x, y, z))), rest.holding(Frame(position=(-x, -y, -z))), tuple(dofs)

    def _dofs(
        self, row: MjcfRow, said: dict[str, str], kind: str, body: str, *, root: bool
    ) -> Iterator[tuple[Dof, float]]:
        """Yield the degrees of freedom of a joint, and the value of each at which the body stands as it is written."""
        model, name = self._model, row.element.name or f"{body}_{kind}"
        damping, spring = (model.number(row, said, each, "0") for each in ("damping", "stiffness"))
        if kind == "ball":
            if root:
                if spring != 0.0:
                    model.notes.add(row.element.line, f"the spring of ball joint {name} of a root is left out")
                yield Dof(id=self.dofs.take(name), name=spoken(name), kind="ball", damping=damping), 0.0
                return
            model.notes.add(row.element.line, f"ball joint {name} is read as three hinges about x, y and z")
            for letter, axis in zip("xyz", AXES, strict=True):
                id = self.dofs.take(f"{name}.{letter}")
                yield Dof(id=id, name=letter.upper(), axis=axis, damping=damping, spring=spring), 0.0
            return
        if kind not in ("hinge", "slide"):
            model.file.refuse(
                f"joint {name} has the type {kind!r}", "Write hinge, slide, ball or free.", row.element.line
            )
        scale = model.angle if kind == "hinge" else 1.0
        lower, upper = self._range(row, said, name, scale)
        made: DofKind = "hinge" if kind == "hinge" else "slide"
        axis = model.direction(row, model.vector(row, said, "axis", "0 0 1"), "the axis")
        ref = scale * model.number(row, said, "ref", "0")
        id = self.dofs.take(name)
        neutral = scale * model.number(row, said, "springref", "0")
        yield (
            Dof(
                id=id,
                name=spoken(name),
                kind=made,
                axis=axis,
                lower=lower,
                upper=upper,
                damping=damping,
                spring=spring,
                neutral=neutral if spring else 0.0,
            ),
            ref,
        )

    def _range(self, row: MjcfRow, said: dict[str, str], name: str, scale: float) -> tuple[float | None, float | None]:
        ends, limited = self._model.numbers(row, said, "range", ""), said.get("limited", "auto")
        on = limited == "true" or (limited == "auto" and self._model.settings.get("autolimits", "true") == "true")
        if len(ends) != 2 or not on:
            return None, None
        if ends[0] > ends[1]:
            self._model.notes.add(row.element.line, f"the range of joint {name} is turned around; taken as none")
            return None, None
        return scale * ends[0], scale * ends[1]

    def _free(self, row: MjcfRow, body: str, stand: Frame) -> Iterator[Dof]:
        """Yield the degrees of freedom of a body that moves freely, and note where it stands."""
        name = row.element.name or f"{body}_free"
        for letter, axis, value in zip("xyz", AXES, stand.position, strict=True):
            id = self.dofs.take(f"{name}.move_{letter}")
            self._made.values[id] = value
            yield Dof(id=id, name=f"Move {letter.upper()}", kind="slide", axis=axis)
        id = self.dofs.take(f"{name}.turn")
        self._made.values.update(zip((f"{id}.{each}" for each in "wxyz"), stand.rotation, strict=True))
        yield Dof(id=id, name="Turn", kind="ball")

    def _mass(self, held: list[tuple[MjcfRow, Frame]], geoms: list[Geom], inside: Frame) -> Body:
        model = self._model
        row = next((each for each, _ in held if each.element.tag == "inertial"), None)
        try:
            if row is None or model.settings.get("inertiafromgeom") == "true":
                return body_of_geoms(geoms, inside)
            said = row.element.attributes
            mass, frame = model.number(row, said, "mass", "0"), model.frame(row, said)
            xx, yy, zz, xy, xz, yz = (
                model.numbers(row, said, "fullinertia", "") or (*model.vector(row, said, "diaginertia"), 0.0, 0.0, 0.0)
            )[:6]
            turn = rotation_matrix(frame.rotation)
            inertia = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
            return turned_body(mass, frame.position, inertia, inside)
        except (InvalidDocument, ValueError) as error:
            line = held[0][0].element.line if row is None else row.element.line
            model.notes.add(line, f"no sound inertia: {error}; taken as none")
            return Body(mass=0.0)

    def _add_marks(self, id: str, held: list[tuple[MjcfRow, Frame]], geoms: list[Geom], inside: Frame) -> None:
        """Note the sites and geoms of a body; sites with names are handles."""
        for row, frame in held:
            if row.element.tag == "site":
                own = self._model.frame(row, self._model.said(row))
                point = inside.holding(frame).at(own.position)
                name = row.element.name
                if name:
                    handle = self.sites.take(name)
                    self._made.sites.setdefault(name, (id, point))
                    self._made.handles.append(Handle(id=handle, name=name, joint=id, point=point))
        for geom in geoms:
            if geom.name:
                self._made.geoms.setdefault(geom.name, (id, geom, inside.holding(geom.frame)))
