"""SplinePage: the inspector's page of a spline that is chosen: its name, its curve and springs, and its region."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.inspecting import InspectorPage, holder_of_chosen
from app.features.splines.brushing import RegionBrushBar
from app.features.splines.current_splines import CurrentSplines
from app.features.splines.outlined import words_of
from app.features.splines.painted import PaintedRegion
from app.session import Session
from app.style.icon_button import IconButton
from app.style.mute_button import MuteButton
from app.style.name_field import NameField
from app.style.page_header import Header
from engine.document import Actor, Document
from engine.edits import Edit, edit
from engine.runtime.options import described
from engine.soft.parts import ActivationSpline, SoftBody

SPRINGS = ("curve", "samples", "response", "stiffness", "tau", "transfer")
REGION = ("region", "radius")
LEADS = 2.0  # times the body's stiffness, from which on a spline leads it well
WEAK = "Less than twice as stiff as the body: it answers weakly."
USUAL = ActivationSpline(id="usual", name="Usual", points=((0.0, 0.0, 0.0), (0.0, 1.0, 0.0)))


class SplinePage(InspectorPage):
    """The fields of one spline."""

    def __init__(self, session: Session, actor: Actor, spline: ActivationSpline, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._actor, self._spline, self._shown = actor.id, spline.id, spline
        self.springs: EditForm | None = None
        self.region: EditForm | None = None
        self.header = Header("spline", spline.name, (words_of(spline), f"in {actor.name}"), reset_tip="")
        self._column.addWidget(self.header)
        self._column.addLayout(self._names())
        self.weak = QLabel(WEAK, wordWrap=True)
        self.weak.setProperty("warned", True)
        self._column.addWidget(self.weak)
        self._add_section("spline springs", "Curve and springs", self._build_springs, unfold=True)
        self._add_section("spline region", "Region", self._build_region, unfold=True)
        self._column.addStretch(1)
        self._show(actor, spline)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen spline; see `PageMaker`."""
        found = holder_of_chosen(session, document, SoftBody)
        spline = None if found is None else found[1].spline(found[2])
        if found is None or spline is None:
            return None
        actor = found[0]
        if not isinstance(shown, SplinePage) or (shown._actor, shown._spline) != (actor.id, spline.id):
            return cls(session, actor, spline, unfolded)
        if spline is not shown._shown:
            shown._show(actor, spline)
        return shown

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for form in (self.springs, self.region):
            if form is not None:
                form.settle()

    def _show(self, actor: Actor, spline: ActivationSpline) -> None:
        self._shown = spline
        self.header.name.set_text(spline.name)
        self.header.set_about((words_of(spline), f"in {actor.name}"))
        self.name.show_name(spline.name)
        self.mute.show_muted(spline.mute)
        self.weak.setVisible(spline.response == "stiffness" and spline.stiffness < LEADS)
        for form in (self.springs, self.region):
            if form is not None:
                form.show_values(spline)
        if self.springs is not None:
            self.springs.set_row_visible("stiffness", spline.response == "stiffness")
            self.springs.set_row_visible("tau", spline.response == "time")
        if self.region is not None:
            self.region.set_row_visible("radius", spline.region == "radius")
        for key, text in (("spline springs", _of_springs(spline)), ("spline region", _label("region", spline))):
            self.sections[key].header.set_summary(text)

    def _names(self) -> QHBoxLayout:
        self.name = NameField("Name of the spline", partial(self._do, "rename_activation_spline"))
        self.mute = MuteButton("spline", action="activation.mute")
        self.mute.clicked.connect(lambda: self._session.do(self._edit("mute", not self._shown.mute)))
        self.copy = IconButton("copy", "Add a copy of this spline", action="activation.duplicate")
        self.copy.clicked.connect(self._session.of(CurrentSplines).duplicate)
        self.remove = IconButton("trash-2", "Remove this spline", action="activation.remove")
        self.remove.clicked.connect(
            lambda: self._session.do(edit("remove_activation_spline", actor=self._actor, spline=self._spline))
        )
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.name, 1)
        for button in (self.mute, self.copy, self.remove):
            line.addWidget(button)
        return line

    def _build_springs(self) -> QWidget:
        options = {name: each for name, each in described(USUAL).items() if name in SPRINGS}
        self.springs = EditForm(self._session, options, self._edit, plays_on=True)
        self.springs.show_values(self._shown)
        self.springs.narrow()
        return self.springs

    def _build_region(self) -> QWidget:
        options = {name: each for name, each in described(USUAL).items() if name in REGION}
        self.region = EditForm(self._session, options, self._edit_region, plays_on=True)
        self.region.show_values(self._shown)
        self.region.narrow()
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(self.region)
        self.brush = RegionBrushBar(self._session)
        column.addWidget(self.brush)
        return whole

    def _do(self, name: str, value: str) -> None:
        self._session.do(edit(name, actor=self._actor, spline=self._spline, name=value))

    def _edit(self, name: str, value: object) -> Edit:
        return edit("set_activation_spline", actor=self._actor, spline=self._spline, **{name: value})

    def _edit_region(self, name: str, value: object) -> Edit | None:
        if name == "region":
            return self._session.of(PaintedRegion).edit_region(str(value))
        return edit("set_activation_region", actor=self._actor, spline=self._spline, **{name: value})


def _of_springs(spline: ActivationSpline) -> str:
    return f"{spline.stiffness:g} times as stiff" if spline.response == "stiffness" else f"{1e3 * spline.tau:.3g} ms"


def _label(name: str, spline: ActivationSpline) -> str:
    """Return how the chosen one of an option's choices is called."""
    option = described(spline)[name][0]
    return option.labels[option.choices.index(getattr(spline, name))].lower()
