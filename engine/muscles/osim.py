"""Muscles, wraps and sets of muscles of OpenSim's models.

Every muscle that has a path, a force, a length of fibres and one of its tendon is read, whatever its curves are: all of
a figure's pull by one model, Thelen's where most of the file's are Thelen 2003 muscles, else De Groote's (2016), whose
curves were fitted to such data as Millard's (2013). How quickly a muscle is activated and its own curves are left out.
Between which points of a path a wrap is minded says `engine.muscles.osim_paths`. OpenSim bends paths around
ellipsoids by an approximation; here they are shortest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.document import Figure
from engine.formats.names import Names
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_parts import spoken
from engine.formats.xml_text import Element
from engine.motion.sides import other_side
from engine.muscles.checks import check_muscles
from engine.muscles.osim_paths import PathReading
from engine.muscles.osim_wraps import read_wraps
from engine.muscles.parts import ForceModel, Muscle, Muscles, MuscleSet
from engine.runtime.errors import InvalidDocument

_ENDINGS = ("Muscle", "Muscle_Deprecated")
_THELEN = "Thelen2003Muscle"
_FORCE = ("max_isometric_force",)
_FIBRE = ("optimal_fiber_length",)
_TENDON = ("tendon_slack_length",)
_PENNATION = ("pennation_angle_at_optimal", "pennation_angle")
_FASTEST = ("max_contraction_velocity", "Vmax")


def read_muscles(made: OsimFigure, figure: Figure) -> Muscles | None:
    """Read the muscles of a model; None where it has none."""
    model = made.model
    elements = [each for each in model.elements if each.tag.endswith(_ENDINGS) and each.child("GeometryPath")]
    made.read.update(elements)
    wraps = read_wraps(made)
    if not elements:
        return None
    paths, names = PathReading(made, figure, wraps), Names()
    found = [muscle for element in elements if (muscle := _muscle(made, element, paths, names)) is not None]
    for note in names.note("muscles"):
        model.notes.say(note)
    ids = {each.id for each in found}
    thelen = sum(each.tag.startswith(_THELEN) for each in elements)
    force: ForceModel = "thelen" if 2 * thelen > len(elements) else "de_groote"
    _note_force(made, elements, force)
    muscles = Muscles(
        muscles=tuple(_with_mirror(each, ids) for each in found),
        wraps=tuple(wraps.values()),
        sets=tuple(_sets(made, ids)),
        model=force,
    )
    return check_muscles(figure, muscles)


def _muscle(made: OsimFigure, element: Element, paths: PathReading, names: Names) -> Muscle | None:
    """Read a muscle; None, and a note, where it cannot be one."""
    model, what = made.model, f"of muscle {element.name}"
    if not model.flag(element, "appliesForce", True) or model.flag(element, "isDisabled", False):
        model.notes.leave_out(f"{element.tag} that is off", element.name, element.line)
        return None
    points = paths.points(element)
    if len(points) < 2:
        count = "one point" if points else "no point"
        model.notes.add(element.line, f"muscle {element.name} has {count} on bodies; left out")
        return None
    id = names.take(element.name or "muscle")
    try:
        return Muscle(
            id=id,
            name=spoken(id),
            points=tuple(points),
            wraps=tuple(paths.wraps(element, points)),
            force=model.number(element, _FORCE, 1000.0, f"the greatest force {what}"),
            fibre=model.number(element, _FIBRE, 0.1, f"the length of fibres {what}"),
            tendon=model.number(element, _TENDON, 0.2, f"the slack length {what}"),
            pennation=model.number(element, _PENNATION, 0.0, f"the pennation {what}"),
            fastest=model.number(element, _FASTEST, 10.0, f"the greatest velocity {what}"),
        )
    except InvalidDocument as error:
        model.notes.add(element.line, f"{error}; left out")
        return None


def _with_mirror(muscle: Muscle, known: set[str]) -> Muscle:
    other = other_side(muscle.id)
    return replace(muscle, mirror=other) if other != muscle.id and other in known else muscle


def _note_force(made: OsimFigure, elements: list[Element], force: ForceModel) -> None:
    """Say by what muscles pull, where that is not what the model says of them."""
    others = sorted({each.tag for each in elements if not (force == "thelen" and each.tag.startswith(_THELEN))})
    if others:
        label = "Thelen 2003" if force == "thelen" else "De Groote 2016"
        made.model.notes.say(f"{', '.join(others)} pull by the curves of {label}")
    made.model.notes.say("how quickly muscles are activated, and curves of their own, are left out")


def _sets(made: OsimFigure, known: set[str]) -> Iterator[MuscleSet]:
    """Yield the groups of muscles that the model has."""
    model, names = made.model, Names()
    for each in model.elements:
        if each.tag != "ObjectGroup":
            continue
        members = dict.fromkeys(word.rsplit("/", 1)[-1] for word in each.words("members").split())
        kept = tuple(name for name in members if name in known)
        if kept and each.name:
            yield MuscleSet(id=names.take(each.name), name=spoken(each.name), muscles=kept)
