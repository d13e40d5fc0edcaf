"""MuJoCo's models (MJCF): bodies, joints, geoms, sites, muscles.

Each body is a joint of the figure, each joint a degree of freedom of its name with MuJoCo's values; geoms are shapes,
sites handles. Muscles on spatial tendons are read by the system that has them (`engine.muscles.mjcf`). What becomes of
bodies says `engine.formats.mjcf_figure`. Source: the XML reference of MuJoCo.
"""

from __future__ import annotations

from pathlib import Path

from engine.document import Layer
from engine.document.validation import validate_figure
from engine.formats.format import Contents, Format, Options
from engine.formats.mjcf_figure import build_figure
from engine.formats.mjcf_model import MjcfModel
from engine.formats.text import MOST_BYTES
from engine.formats.xml_text import read_xml
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.systems import load, systems

_LEFT_OUT = ("contact", "equality", "sensor", "keyframe", "custom", "extension", "deformable")


def read(path: Path, options: Options) -> Contents:
    """A figure, its muscles, and the pose in which the model stands."""
    model = MjcfModel(read_xml(path, "a model of MuJoCo"))
    try:
        made = build_figure(model)
        figure = made.figure()
        validate_figure(figure)
        found = (load(each.mjcf)(made, figure) for each in systems() if each.mjcf is not None)
        parts = tuple(part for part in found if part is not None)
    except (InvalidDocument, UnknownPart) as error:
        model.file.refuse(str(error), "Correct the parts named.", model.root.line)
    for each in model.root.children:
        for inner in each.children if each.tag in _LEFT_OUT else ():
            model.notes.leave_out(f"{inner.tag} of {each.tag}", inner.name, inner.line)
    values = tuple((name, made.values[name]) for name in figure.coordinates if name in made.values)
    layers = (Layer(id="pose", values=values),) if values else ()
    return Contents(figure=figure, parts=parts, layers=layers, notes=model.notes.all())


FORMAT = Format(
    name="MuJoCo model",
    suffixes=(".mjcf", ".xml"),
    kind="figure",
    read=read,
    about="Bodies, joints, solid geoms, sites, muscles on tendons around spheres and cylinders; no motion, no meshes.",
    limits=f"{MOST_BYTES // 2**20} MB",
)
