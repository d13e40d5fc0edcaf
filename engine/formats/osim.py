"""OpenSim's models (.osim), documents of versions 3 and 4: bodies, joints, coordinates, muscles and markers.

Each body is a joint of the figure, each coordinate the degree of freedom of its name, so that OpenSim's motions fit by
name; markers are handles, springs of coordinates and bushings within a joint those of its degrees of freedom. Muscles
are read by the system that has them (`engine.muscles.osim`).
`engine.formats.osim_model` says what stands where, `engine.formats.osim_figure` what becomes of joints.
Sources: Delp et al. 2007, Seth et al. 2018; the documents themselves.
"""

from __future__ import annotations

from pathlib import Path

from engine.document import Layer
from engine.document.validation import validate_figure
from engine.formats.format import Contents, Format, Options
from engine.formats.osim_figure import OsimFigure, build_figure
from engine.formats.osim_model import OsimModel
from engine.formats.osim_shapes import with_shapes
from engine.formats.osim_springs import with_springs
from engine.formats.text import MOST_BYTES
from engine.formats.xml_text import read_xml
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.systems import load, systems

_SETS = ("ForceSet", "ConstraintSet", "ControllerSet", "ContactGeometrySet", "ProbeSet", "ComponentSet", "components")
_READ = ("CoordinateCouplerConstraint", "PhysicalOffsetFrame", "Body", "Marker")


def read(path: Path, options: Options) -> Contents:
    """A figure, its muscles, and the pose in which the model stands."""
    model = OsimModel(read_xml(path, "an OpenSim model"))
    try:
        made = build_figure(model)
        with_shapes(made)
        with_springs(made)
        figure = made.figure()
        validate_figure(figure)
        found = (load(each.osim)(made, figure) for each in systems() if each.osim is not None)
        parts = tuple(part for part in found if part is not None)
    except (InvalidDocument, UnknownPart) as error:
        model.file.refuse(str(error), "Correct the parts named.", model.root.line)
    _leave_out(made)
    return Contents(figure=figure, parts=parts, layers=_pose(made), notes=model.notes.all())


def _pose(made: OsimFigure) -> tuple[Layer, ...]:
    """The default values of coordinates, where they are not those of the rest pose."""
    dofs = [dof for joint in made.joints for dof in joint.dofs if not dof.driven]
    known = made.model.coordinates
    values = [(dof.id, known[dof.id].default) for dof in dofs if dof.id in known]
    values = [(id, value) for id, value in values if value != 0.0]
    return (Layer(id="pose", values=tuple(values)),) if values else ()


def _leave_out(made: OsimFigure) -> None:
    """Note what the model has beside what was read."""
    model = made.model
    for each in model.elements:
        above = next(model.above(each), None)
        if above is None or above.tag not in ("objects", "components"):
            continue
        holder = above if above.tag == "components" else next(model.above(above), None)
        if holder is None or holder.tag not in _SETS or each.tag in _READ or each in made.read:
            continue
        model.notes.leave_out(each.tag, each.name, each.line)


FORMAT = Format(
    name="OpenSim model",
    suffixes=(".osim",),
    kind="figure",
    read=read,
    about="Bodies, joints, coordinates that drive others, muscles with wraps, markers, bones beside it. "
    "Versions 3 and 4; no motion.",
    limits=f"{MOST_BYTES // 2**20} MB",
)
