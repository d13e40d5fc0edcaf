"""`.scr`: the skeleton text of Welman 1993, "Inverse kinematics and geometric constraints for articulated figure
manipulation", section 6.1.1 and figure 6.1.

    define skeleton "stickman"
      joint "pelvis"
      group "Right leg"  joint "right leg"  joint "right foot"  end group
    end skeleton
    define joint "right leg"
      object "r_lleg.pol"  offset 0 -0.32 0  hinge x 0 170  mass 1  orientation 0 0 0  mirror "left leg"
    end joint

The source shows this one example and says: joints have one degree of freedom, rotary or prismatic, an axis and limits;
compound joints are several that share a location; the state of a skeleton is its joint variables and a translation of
the whole. It leaves the rest open, which is read so:

- A joint is the child of the one before it; the first after a group, of the one before the group (in the figure,
  "head" is said to be a child of "torso", behind both arms). The group of a joint is the innermost.
- `offset` is in the parent's frame, in metres unless `Options.unit` says otherwise. `orientation` is degrees about x,
  then y, then z, each in the frame that the one before has left. y is up unless `Options.up` says otherwise.
- `hinge` (or `rotary`) and `slide` (or `prismatic`) take x, y, z, with a minus if need be, or three numbers, then no
  limits or two, in degrees or in the unit of length. Several of them in one joint act in their order. Joints that
  share a location stay joints of their own.
- The translation of the whole is three slides of the root, before its own degree of freedom.
- `mass` is in kilograms, its centre at the joint. `mirror` holds for both joints if either says it. `object` names a
  file of polygons in a format that the source does not describe: it is said, and not read.

A `#` begins a comment; quotes may be straight or curly; line ends mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from engine.document import Body, Dof, Figure, Joint
from engine.document.figure import DofKind
from engine.document.validation import validate_figure
from engine.document.values import IDENTITY
from engine.formats.conventions import placed, size_note, unit_of, upright
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.formats.names import Names
from engine.formats.scr_text import USUAL_UNIT, Definition, Freedom, Script, ScrJoint, read_script, side_of
from engine.formats.scr_write import omits, write
from engine.formats.text import MOST_BYTES, TextFile, read_text, shown
from engine.maths.quaternions import AXES, product, turn_about
from engine.runtime.errors import InvalidDocument, UnreadableFile


def read(path: Path, options: Options) -> Contents:
    """The skeleton as a figure."""
    file = read_text(path, "a skeleton file")
    return _contents(file, read_script(file), options)


def _contents(file: TextFile, script: Script, options: Options) -> Contents:
    unit, turn = unit_of(options, USUAL_UNIT), upright(options)
    names = Names()
    ids = {place.name: names.take("_".join(place.name.split())) for place in script.places}
    mirrors, notes = _mirrors(script)
    joints = []
    for place in script.places:
        definition = script.definitions.get(place.name)
        if definition is None:
            file.refuse(
                f"joint {shown(place.name)} without a definition", "Add: define joint ... end joint", place.line
            )
        joints.append(_joint(file, place, definition, ids, mirrors, unit))
    joints[0] = placed(joints[0], turn)
    figure = Figure(name=script.name, joints=tuple(joints))
    try:
        validate_figure(figure)
    except InvalidDocument as error:
        raise UnreadableFile(path=file.path, found=str(error), remedy="Correct the joints named.") from error
    notes += [*names.note("joints"), *_left_out(script)]
    notes += size_note(figure, unit)
    again = partial(_contents, file, script)
    return Contents(figure=figure, assumed_unit=unit, notes=tuple(notes), again=again)


def _joint(
    file: TextFile, place: ScrJoint, found: Definition, ids: dict[str, str], mirrors: dict[str, str], unit: float
) -> Joint:
    id, rest = ids[place.name], IDENTITY
    for axis, degrees in enumerate(found.orientation):
        rest = product(rest, turn_about(AXES[axis], math.radians(degrees)))
    x, y, z = (each * unit for each in found.offset)
    try:
        return Joint(
            id=id,
            name=place.name,
            parent=None if place.parent is None else ids[place.parent],
            offset=(x, y, z),
            rest=rest,
            dofs=_dofs(id, found.freedoms, unit, root=place.parent is None),
            body=None if found.mass is None else Body(mass=found.mass),
            side=side_of(place.name),
            mirror=ids[mirrors[place.name]] if place.name in mirrors else None,
            group=place.group,
        )
    except InvalidDocument as error:
        file.refuse(str(error), "Correct this joint.", found.line)


def _dofs(id: str, freedoms: Sequence[Freedom], unit: float, *, root: bool) -> tuple[Dof, ...]:
    dofs = [
        Dof(id=f"{id}.move_{letter}", name=f"Move {letter.upper()}", kind="slide", axis=axis)
        for letter, axis in zip("xyz", AXES, strict=True)
        if root
    ]
    for number, freedom in enumerate(freedoms, 1):
        kind: DofKind = "hinge" if freedom.kind == "hinge" else "slide"
        factor = math.pi / 180.0 if kind == "hinge" else unit
        lower, upper = (None, None) if freedom.limits is None else (each * factor for each in freedom.limits)
        suffix = "" if len(freedoms) == 1 else str(number)
        name = kind.capitalize() + (f" {number}" if suffix else "")
        dofs.append(Dof(id=f"{id}.{kind}{suffix}", name=name, kind=kind, axis=freedom.axis, lower=lower, upper=upper))
    return tuple(dofs)


def _mirrors(script: Script) -> tuple[dict[str, str], list[str]]:
    """Partners, said by one or both; one that has another partner already is left out."""
    found: dict[str, str] = {}
    odd = []
    present = {place.name for place in script.places}
    for name, definition in script.definitions.items():
        partner = definition.mirror
        if partner is None or name not in present or found.get(name) == partner:
            continue
        if partner not in present or partner == name or name in found or partner in found:
            odd.append(f"{name} of {partner}")
            continue
        found[name], found[partner] = partner, name
    return found, [f"mirrors that make no pair, left out: {listed(odd)}"] if odd else []


def _left_out(script: Script) -> list[str]:
    notes = []
    present = {place.name for place in script.places}
    loose = [name for name in script.definitions if name not in present]
    if loose:
        notes.append(f"joints that are defined but stand in no skeleton: {listed(loose)}")
    objects = [each.object for each in script.definitions.values() if each.object is not None]
    if objects:
        notes.append(f"polygon files that are named and not read: {listed(objects)}")
    return notes


FORMAT = Format(
    name="SCR skeleton",
    suffixes=(".scr",),
    kind="figure",
    read=read,
    write=write,
    omits=omits,
    about="Welman's skeleton text: joints, groups, limits, masses, mirrors. Polygon files are not read.",
    limits=f"{MOST_BYTES // 2**20} MB",
    read_options=("unit", "up"),
    write_options=("unit", "up"),
)
