"""The fields of a soft body, in groups, as its part tells them of itself; some only where they have an effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from app.features.form import EditForm
from app.session import Session
from engine.document.values import Vector3
from engine.edits import Edit
from engine.runtime.options import About, described
from engine.soft.parts import MATERIALS, USUAL, SoftBody

MATERIAL = ("material", "young", "poisson", "share", "density", "thickness", "mass_damping", "stiffness_damping")
STEPPING = ("stepped", "window")
CONTACT = (
    "touches", "touches_by_surface", "touches_itself", "touches_wearer", "pushes", "friction", "heading", "forward",
    "backward", "sideways",
)  # fmt: skip
WAYS: tuple[tuple[str, Vector3 | None], ...] = (
    ("None", None),
    ("X", (1.0, 0.0, 0.0)),
    ("-X", (-1.0, 0.0, 0.0)),
    ("Y", (0.0, 1.0, 0.0)),
    ("-Y", (0.0, -1.0, 0.0)),
    ("Z", (0.0, 0.0, 1.0)),
    ("-Z", (0.0, 0.0, -1.0)),
)
HEADING = "The body's own direction along which its friction differs, as a snake's skin does"
START = "From when on it is simulated; it stands as it is placed before"

FEWEST = 6  # letters of a choice that are seen in any case
MakeEdit = Callable[[str, Any], Edit | None]


class MaterialFields(EditForm):
    """The fields of a body's material; its cells say of which materials they may be."""

    def __init__(self, session: Session, shape: str, make_edit: MakeEdit) -> None:
        self.shape = shape
        super().__init__(session, _options(MATERIAL, shape), make_edit, plays_on=True)
        narrow(self)

    def show_body(self, body: SoftBody) -> None:
        """Show a body of these cells."""
        self.show_values(body)
        self.set_row_visible("poisson", body.material != "springs")
        self.set_row_visible("share", body.material == "mooney_rivlin")
        self.set_row_visible("thickness", body.shape in ("squares", "edges"))


class ContactFields(EditForm):
    """How the body touches others."""

    def __init__(self, session: Session, make_edit: MakeEdit) -> None:
        options = _options(tuple(each for each in CONTACT if each != "heading"))
        ways = tuple(way for _, way in WAYS)
        labels = tuple(label for label, _ in WAYS)
        options["heading"] = (About(label="Heading", note=HEADING, choices=ways, labels=labels), None)
        super().__init__(session, {name: options[name] for name in CONTACT}, make_edit, plays_on=True)
        narrow(self)

    def show_body(self, body: SoftBody) -> None:
        """Show a body; shares of friction only where it differs by direction."""
        self.show_values(body)
        self.fields["heading"].setPlaceholderText("Another")
        for name in ("friction", "heading"):
            self.set_row_visible(name, body.touches)
        cells = body.shape in ("tetrahedra", "hexahedra")
        self.set_row_visible("touches_by_surface", body.touches and cells and body.triangles.shape[0] > 0)
        self.set_row_visible("touches_itself", body.touches and body.shape != "edges")
        self.set_row_visible("touches_wearer", body.touches and bool(body.attachments))
        for name in ("forward", "backward", "sideways"):
            self.set_row_visible(name, body.touches and body.heading is not None)


class StartFields(EditForm):
    """From when on the body is simulated, or over which window before each time."""

    def __init__(self, session: Session, make_edit: MakeEdit, here: QWidget) -> None:
        """Show the fields, and `here` beside the first one."""
        options: dict[str, tuple[About, Any]] = {"start": (About(label="Begins at", unit="ticks", note=START), 0)}
        rows = (("start", here), *STEPPING)
        super().__init__(session, options | _options(STEPPING), make_edit, plays_on=True, rows=rows)
        narrow(self)

    def show_body(self, body: SoftBody) -> None:
        """Show a body; a way to step it that it may have."""
        self.show_values(body)
        self.set_row_visible("start", body.stepped == "from_start")
        self.set_row_visible("stepped", bool(body.attachments))
        self.set_row_visible("window", body.stepped == "over_window")


def narrow(form: QWidget) -> None:
    """Let lists of choices be narrower than their longest one, so that a form fits into a dock."""
    for box in form.findChildren(QComboBox):
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(FEWEST)


def _options(names: tuple[str, ...], shape: str | None = None) -> dict[str, tuple[About, Any]]:
    """Give what the part tells of some options, with the material that cells of that shape usually have."""
    every: Mapping[str, tuple[About, Any]] = described(SoftBody)
    found = {name: every[name] for name in names}
    if shape is not None and "material" in found:
        about, _ = found["material"]
        labels = dict(zip(about.choices, about.labels, strict=True))
        choices = MATERIALS[shape]
        about = replace(about, choices=choices, labels=tuple(labels[each] for each in choices))
        found["material"] = (about, USUAL[shape])
    return found
