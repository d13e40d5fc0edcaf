"""MuJoCo's models (MJCF) as they are written: settings, classes of defaults, frames.

What an element does not say, its class says: the one that it names, else that of the nearest body or frame around it
with a `childclass`, else `main`; a class says what the class around it does unless it says it itself. Angles are
degrees unless the compiler says radians.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.document.frames import Frame
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.formats.model_notes import ModelNotes
from engine.formats.text import shown
from engine.formats.xml_text import Element, XmlFile
from engine.maths.quaternions import AXES, angle_between, cross, product, turn_about, unit
from engine.maths.rotation_arrays import quaternion_of

_MAIN = "main"
_SMALL = 1e-12


class MjcfRow(NamedTuple):
    """An element of the tree, and the class of defaults around it."""

    element: Element
    defaults: str


class MjcfModel:
    """One model; `notes` fill as it is read."""

    def __init__(self, file: XmlFile) -> None:
        if file.root.tag != "mujoco":
            file.refuse(f"<{file.root.tag}> where <mujoco> is meant", "Choose a model of MuJoCo.", file.root.line)
        self.file, self.notes, self.root = file, ModelNotes(), file.root
        self.name = file.root.attributes.get("model") or file.path.name.split(".")[0]
        for each in file.root.every():
            if each.tag == "include":
                remedy = "Save the compiled model from MuJoCo, as one file."
                file.refuse("an <include> of another file", remedy, each.line)
        settings: dict[str, str] = {}
        for each in file.root.children:
            if each.tag == "compiler":
                settings.update(each.attributes)
        self.settings = settings
        self.angle = 1.0 if settings.get("angle") == "radian" else math.pi / 180.0
        self.up = self._up()
        self._classes: dict[str, dict[str, dict[str, str]]] = {_MAIN: {}}
        for each in file.root.children:
            if each.tag == "default":
                self._read_class(each, None)

    def said(self, row: MjcfRow, tag: str = "") -> dict[str, str]:
        """Give the attributes of an element, its own and those of its class."""
        name = row.element.attributes.get("class") or row.defaults or _MAIN
        if name not in self._classes:
            self.file.refuse(f"a class {shown(name)} that is not there", "Name a class of <default>.", row.element.line)
        return {**self._classes[name].get(tag or row.element.tag, {}), **row.element.attributes}

    def numbers(self, row: MjcfRow, said: dict[str, str], name: str, usual: str) -> tuple[float, ...]:
        """Read the numbers of an attribute."""
        what = f"{name} of {row.element.tag} {row.element.name}".strip()
        return tuple(self.file.source.number(word, row.element.line, what) for word in said.get(name, usual).split())

    def number(self, row: MjcfRow, said: dict[str, str], name: str, usual: str) -> float:
        """Read the one number of an attribute."""
        found = self.numbers(row, said, name, usual)
        if len(found) != 1:
            words = f"{name} of {row.element.tag} {row.element.name} is {shown(said[name])}"
            self.file.refuse(words, "Write one number.", row.element.line)
        return found[0]

    def vector(self, row: MjcfRow, said: dict[str, str], name: str, usual: str = "0 0 0") -> Vector3:
        """Read the three numbers of an attribute."""
        found = self.numbers(row, said, name, usual)
        if len(found) != 3:
            words = f"{name} of {row.element.tag} {row.element.name} is {shown(said[name])}"
            self.file.refuse(words, "Write three numbers.", row.element.line)
        return (found[0], found[1], found[2])

    def frame(self, row: MjcfRow, said: dict[str, str]) -> Frame:
        """Where an element stands in its body."""
        return Frame(self.vector(row, said, "pos"), self._turn(row, said))

    def direction(self, row: MjcfRow, vector: Vector3, what: str) -> Vector3:
        """A vector that has a length, made 1."""
        norm = math.hypot(*vector)
        if norm < _SMALL:
            words = f"{what} of {row.element.tag} {row.element.name} has no length"
            self.file.refuse(words, "Write a direction.", row.element.line)
        return (vector[0] / norm, vector[1] / norm, vector[2] / norm)

    def _turn(self, row: MjcfRow, said: dict[str, str]) -> Quaternion:
        if "quat" in said:
            w, x, y, z = self._several(row, said, "quat", 4)
            if math.hypot(w, x, y, z) < _SMALL:
                self.file.refuse("a quaternion of length 0", "Write one of length 1.", row.element.line)
            return unit((w, x, y, z))
        if "axisangle" in said:
            x, y, z, angle = self._several(row, said, "axisangle", 4)
            return turn_about(self.direction(row, (x, y, z), "the axis"), angle * self.angle)
        if "euler" in said:
            turn = IDENTITY
            for letter, angle in zip(
                self.settings.get("eulerseq", "xyz"), self.vector(row, said, "euler"), strict=False
            ):
                if letter.lower() not in "xyz":
                    self.file.refuse(f"eulerseq has a letter {shown(letter)}", "Write x, y, z.", self.root.line)
                step = turn_about(AXES["xyz".index(letter.lower())], angle * self.angle)
                turn = product(turn, step) if letter.islower() else product(step, turn)
            return turn
        if "xyaxes" in said:
            a, b, c, d, e, f = self._several(row, said, "xyaxes", 6)
            x_axis = self.direction(row, (a, b, c), "x of xyaxes")
            z_axis = self.direction(row, cross(x_axis, (d, e, f)), "z of xyaxes")
            y_axis = cross(z_axis, x_axis)
            return quaternion_of(np.array([x_axis, y_axis, z_axis]).T)
        if "zaxis" in said:
            return turn_to(self.direction(row, self.vector(row, said, "zaxis"), "zaxis"))
        return IDENTITY

    def _several(self, row: MjcfRow, said: dict[str, str], name: str, count: int) -> tuple[float, ...]:
        found = self.numbers(row, said, name, "")
        if len(found) != count:
            words = f"{name} of {row.element.tag} {row.element.name} is {shown(said[name])}"
            self.file.refuse(words, f"Write {count} numbers.", row.element.line)
        return found

    def _read_class(self, element: Element, around: str | None) -> None:
        name = element.attributes.get("class") or (_MAIN if around is None else "")
        if not name:
            self.file.refuse("a <default> without a class", "Give it a class.", element.line)
        found = {tag: dict(values) for tag, values in self._classes.get(around or _MAIN, {}).items()}
        for each in element.children:
            if each.tag != "default":
                found.setdefault(each.tag, {}).update(each.attributes)
        self._classes[name] = found
        if around is None:
            self._classes[_MAIN] = found
        for each in element.children:
            if each.tag == "default":
                self._read_class(each, name)

    def _up(self) -> int:
        """The axis that is up, by the gravity of the options."""
        option = self.root.child("option")
        words = "" if option is None else option.attributes.get("gravity", "")
        if option is None or not words:
            return 2
        found = self.numbers(MjcfRow(option, ""), {"gravity": words}, "gravity", "")
        sizes = [abs(each) for each in found]
        return sizes.index(max(sizes)) if len(sizes) == 3 and max(sizes) > 0.0 else 2


def turn_to(direction: Vector3) -> Quaternion:
    """The least turn that brings z to a direction."""
    axis = cross(AXES[2], direction)
    norm = math.hypot(*axis)
    angle = angle_between(AXES[2], direction)
    if norm < _SMALL:
        return IDENTITY if direction[2] > 0.0 else turn_about(AXES[0], math.pi)
    return turn_about((axis[0] / norm, axis[1] / norm, axis[2] / norm), angle)
