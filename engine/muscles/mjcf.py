"""Muscles of MuJoCo's models: actuators of the kind `muscle` on spatial tendons.

A tendon is a path over sites and around spheres and cylinders, on the side on which a side site is. MuJoCo says the
length of fibres by the range of the tendon's length, within which fibres go from r0 to r1 times their best: where the
model does not say that range, it is that over sampled poses (`engine.muscles.osim_poses`). A force that MuJoCo works
out of an acceleration is taken as that of a kilogram. Pulleys, wraps through which paths go, and tendons at which no
muscle pulls are left out.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.document import Figure
from engine.document.frames import Frame, rest_frames
from engine.document.values import Vector3
from engine.formats.mjcf_figure import WORLD, MjcfFigure
from engine.formats.mjcf_model import MjcfRow
from engine.formats.names import Names
from engine.formats.osim_parts import spoken
from engine.formats.xml_text import Element
from engine.maths.quaternions import AXES, cross, inverse, turned
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.checks import check_muscles, contains
from engine.muscles.compile import compile_paths
from engine.muscles.osim_poses import sampled_coordinates
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint, PathWrap
from engine.muscles.paths import measure_paths
from engine.runtime.errors import InvalidDocument

_SHAPES = {"sphere": "sphere", "cylinder": "cylinder"}
_SMALL = 1e-9
_NEARLY = 1e-6
_SHORTEST = 1e-3  # [m] by which a path changes, at least


def read_muscles(made: MjcfFigure, figure: Figure) -> Muscles | None:
    """Read the muscles of a model; None where it has none."""
    reading = _MjcfReading(made)
    for holder in made.model.root.children:
        for each in holder.children if holder.tag == "actuator" else ():
            if each.tag == "muscle" and "tendon" in each.attributes:
                reading.add(each)
            else:
                made.model.notes.leave_out(f"{each.tag} of actuators", each.name, each.line)
    reading.note_tendons()
    if not reading.muscles:
        return None
    return check_muscles(figure, _with_lengths(figure, reading))


class _MjcfReading:
    """The muscles of one model."""

    def __init__(self, made: MjcfFigure) -> None:
        self.muscles: list[Muscle] = []
        self.wraps: dict[str, MuscleWrap] = {}
        self.ranges: list[tuple[tuple[float, ...], tuple[float, ...]]] = []  # of lengths [m], and of fibres
        self._made, self._model, self._names = made, made.model, Names()
        held = [each for holder in made.model.root.children if holder.tag == "tendon" for each in holder.children]
        self._tendons = {each.name: each for each in held}
        self._used: set[str] = set()

    def add(self, element: Element) -> None:
        """Add the muscle of an actuator; note what it cannot be."""
        row = MjcfRow(element, "")
        said = {**self._model.said(row, "general"), **self._model.said(row)}
        tendon = self._tendons.get(said["tendon"])
        name = element.name or said["tendon"]
        if tendon is None or tendon.tag != "spatial":
            words = f"muscle {name} pulls at {said['tendon']!r}, which is no spatial tendon; left out"
            self._model.notes.add(element.line, words)
            return
        self._used.add(tendon.name)
        path = self._path(tendon)
        if path is None:
            return
        force = self._model.number(row, said, "force", "-1")
        if force < 0.0:
            force = self._model.number(row, said, "scale", "200")
            self._model.notes.say(f"forces that MuJoCo works out of accelerations are taken as {force:g} N")
        id = self._names.take(name)
        points, wraps = path
        try:
            made = Muscle(
                id=id, name=spoken(id), points=points, wraps=wraps, force=force, fibre=1.0, tendon=0.0,
                fastest=self._model.number(row, said, "vmax", "1.5"),
            )  # fmt: skip
        except InvalidDocument as error:
            self._model.notes.add(element.line, f"{error}; left out")
            return
        self.muscles.append(made)
        lengths = self._model.numbers(row, said, "lengthrange", "")
        self.ranges.append((lengths, self._model.numbers(row, said, "range", "0.75 1.05")))

    def note_tendons(self) -> None:
        """Note the tendons that no muscle pulls at."""
        for each in self._tendons.values():
            if each.name not in self._used:
                self._model.notes.leave_out(f"{each.tag} tendon", each.name, each.line)

    def _path(self, tendon: Element) -> tuple[tuple[PathPoint, ...], tuple[PathWrap, ...]] | None:
        points: list[PathPoint] = []
        wraps: list[PathWrap] = []
        for each in tendon.children:
            if each.tag == "site":
                place = self._made.sites.get(each.attributes.get("site", ""))
                if place is None:
                    self._model.notes.add(
                        each.line, f"tendon {tendon.name} goes over a site that is not there; left out"
                    )
                    return None
                points.append(PathPoint(joint=place[0], point=place[1]))
            elif each.tag == "geom":
                wrap = self._wrap(each, tendon)
                if wrap is not None and points:
                    wraps.append(PathWrap(wrap=wrap, first=len(points) - 1, last=len(points)))
            else:
                self._model.notes.add(each.line, f"tendon {tendon.name} has a {each.tag}; left out")
                return None
        if len(points) < 2:
            self._model.notes.add(tendon.line, f"tendon {tendon.name} has fewer than two sites; left out")
            return None
        return tuple(points), tuple(each for each in wraps if each.last < len(points))

    def _wrap(self, element: Element, tendon: Element) -> str | None:
        """The wrap of a geom and a side site; None, and a note, where there is none."""
        name, side = element.attributes.get("geom", ""), element.attributes.get("sidesite", "")
        found = self._made.geoms.get(name)
        if found is None or found[1].kind not in _SHAPES:
            words = f"tendon {tendon.name} bends around {name!r}, which is no sphere or cylinder; it passes freely"
            self._model.notes.add(element.line, words)
            return None
        id = f"{name} {side}".strip()
        if id in self.wraps:
            return id
        joint, geom, frame = found
        wrap = MuscleWrap(
            id=id, name=spoken(name), joint=joint, shape="sphere" if geom.kind == "sphere" else "cylinder",
            radii=(geom.size[0],), centre=frame.position, rotation=frame.rotation,
        )  # fmt: skip
        if side:
            wrap = self._standing(wrap, side)
            way = self._way(wrap, side)
            if way is None:
                words = (
                    f"tendon {tendon.name} goes inside of {name!r}, or past a side that is not there; it passes freely"
                )
                self._model.notes.add(element.line, words)
                return None
            wrap = replace(wrap, side=way)
        self.wraps[id] = wrap
        return id

    def _way(self, wrap: MuscleWrap, name: str) -> Vector3 | None:
        """On which side of a wrap a site is, in the wrap's frame; None where it is inside."""
        site = self._made.sites.get(name)
        if site is None:
            return None
        point = site[1]
        if site[0] != wrap.joint:
            frames = rest_frames(self._made.figure())
            held = Frame() if site[0] is None else frames[site[0]]
            body = Frame() if wrap.joint is None else frames[wrap.joint]
            point = body.seeing(held).at(point)
        if contains(wrap, point):
            return None
        x, y, z = turned(inverse(wrap.rotation), _between(wrap.centre, point))
        way = (x, y, 0.0) if wrap.shape == "cylinder" else (x, y, z)
        return way if math.hypot(*way) > _SMALL else None

    def _standing(self, wrap: MuscleWrap, name: str) -> MuscleWrap:
        """A wrap that a hinge turns about its own axis, on the body on which its side stands."""
        site, figure = self._made.sites.get(name), self._made.figure()
        if site is None or wrap.joint is None or site[0] in (None, wrap.joint):
            return wrap
        joint, frames = figure.joint(wrap.joint), rest_frames(figure)
        axis = turned(wrap.rotation, AXES[2])
        along = wrap.shape == "sphere" or all(math.hypot(*cross(axis, dof.axis)) < _NEARLY for dof in joint.dofs)
        through = all(math.hypot(*cross(wrap.centre, dof.axis)) < _NEARLY for dof in joint.dofs)
        above = WORLD if joint.parent is None else joint.parent
        if above != site[0] or not along or not through or any(dof.kind != "hinge" for dof in joint.dofs):
            self._model.notes.say(f"site {name} is on another body than {wrap.name}; its side is that at rest")
            return wrap
        here = frames[joint.id].holding(Frame(wrap.centre, wrap.rotation))
        frame = frames[above].seeing(here)
        return replace(wrap, joint=above, centre=frame.position, rotation=frame.rotation)


def _between(start: Vector3, end: Vector3) -> Vector3:
    """The way from one point to another."""
    x, y, z = (b - a for a, b in zip(start, end, strict=True))
    return (x, y, z)


def _with_lengths(figure: Figure, reading: _MjcfReading) -> Muscles:
    """Give muscles the lengths of their fibres and tendons."""
    muscles = Muscles(muscles=tuple(reading.muscles), wraps=tuple(reading.wraps.values()))
    model = compile_model(figure)
    paths, state = compile_paths(model, muscles), model.new_state()
    work, gradient = paths.new_work(), np.zeros(paths.entry_count)
    rows = sampled_coordinates(figure)
    lengths = np.zeros((len(rows), paths.count))
    for row, out in zip(rows, lengths, strict=True):
        compute_forward_kinematics(model.ints, model.floats, row, state)
        measure_paths(paths.ints, paths.floats, state, row, work, out, gradient)
    found = []
    for muscle, (stated, fibres), seen in zip(reading.muscles, reading.ranges, lengths.T, strict=True):
        shortest, longest = stated if len(stated) == 2 and stated[0] < stated[1] else (seen.min(), seen.max())
        low, high = fibres if len(fibres) == 2 and fibres[0] < fibres[1] else (0.75, 1.05)
        fibre = max(float(longest - shortest), _SHORTEST) / (high - low)
        tendon = float(shortest) - low * fibre
        if tendon < 0.0:  # MuJoCo lets it be so; here the longest path alone is met, by fibres without a tendon
            fibre, tendon = float(longest) / high, 0.0
        found.append(replace(muscle, fibre=fibre, tendon=tendon))
    return replace(muscles, muscles=tuple(found))
