"""Bushings of OpenSim's models between bodies that no joint joins; those within a joint are its springs
(`engine.formats.osim_springs`)."""

from __future__ import annotations

from engine.bushings.parts import Bushing, Bushings, End, held_at
from engine.document import Figure
from engine.formats.names import Names
from engine.formats.osim_figure import OsimFigure
from engine.formats.osim_parts import spoken
from engine.formats.osim_springs import bushing_end
from engine.formats.xml_text import Element


def read_bushings(made: OsimFigure, figure: Figure) -> Bushings | None:
    """Read the bushings of a model that no joint has taken; None where there are none."""
    found, names = list[Bushing](), Names()
    for element in made.model.elements:
        if element.tag != "BushingForce" or not element.children or element in made.read:
            continue
        if not made.model.flag(element, "appliesForce", True) or made.model.flag(element, "isDisabled", False):
            continue
        ends = [bushing_end(made, element, number) for number in ("1", "2")]
        if ends[0] is None or ends[1] is None:
            continue
        (first, here), (second, there) = ends[0], ends[1]
        if first == second:
            continue
        made.read.add(element)
        found.append(_bushing(made, element, names.take(element.name), (first, here), (second, there)))
    return Bushings(bushings=tuple(found)) if found else None


def _bushing(made: OsimFigure, element: Element, id: str, first: End, second: End) -> Bushing:
    stiff, sliding, damped, damping = (
        made.model.vector(element, (f"{kind}_{what}",), f"the {what} of {element.name}")
        for what in ("stiffness", "damping")
        for kind in ("rotational", "translational")
    )
    return Bushing(
        id=id,
        name=spoken(element.name),
        **held_at(first, second),
        turning=stiff,
        sliding=sliding,
        turning_damping=damped,
        sliding_damping=damping,
    )
