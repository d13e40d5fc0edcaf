"""MusclePage: the inspector's page of a muscle that is chosen: its name, the points of its path, the wraps that
this goes round, what it is made of, and how the muscles of its figure pull."""

from __future__ import annotations

import math
from functools import partial

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.inspecting import InspectorPage, holder_of_chosen
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.path_fields import PathFields
from app.features.muscles.wrap_fields import WrapFields
from app.session import Session
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.page_header import Header
from engine.document import Actor, Document
from engine.edits import Edit, edit
from engine.muscles.parts import FORCE_MODELS, ForceModel, Muscle, MuscleActivations, Muscles
from engine.runtime.options import About

OPTIONS = {
    "force": About(label="Greatest force", unit="N", least=1.0, most=10_000.0, note="Isometric, of its fibres, F₀"),
    "fibre": About(label="Fibre length", unit="m", least=0.005, most=0.6, note="At which its fibres are strongest, l₀"),
    "tendon": About(label="Tendon length", unit="m", least=0.0, most=0.8, note="From which its tendon pulls"),
    "pennation": About(
        label="Pennation", unit="rad", least=0.0, most=math.radians(60.0), note="Angle of its fibres to the tendon, α"
    ),
    "fastest": About(
        label="Fastest", unit="/s", least=1.0, most=20.0, note="Fibre lengths a second at which it shortens unloaded"
    ),
}
MODELS: dict[ForceModel, tuple[str, str]] = {
    "linear": ("Linear", "The source's: active force in line with the fibre length (Si 2013, 3.1 and 3.2)"),
    "thelen": ("Thelen 2003", "Bells and exponentials, as OpenSim's Thelen2003Muscle has them; rigid tendons"),
    "de_groote": ("De Groote 2016", "Smooth curves throughout (De Groote, Kinney, Rao and Fregly 2016); rigid tendons"),
    "thelen_elastic": ("Thelen 2003, elastic tendons", "The same curves; tendons stretch by 4 % at the greatest force"),
    "de_groote_elastic": (
        "De Groote 2016, elastic tendons",
        "The same curves; tendons stretch by 5 % at the greatest force",
    ),
}


class MusclePage(InspectorPage):
    """The fields of one muscle."""

    def __init__(self, session: Session, actor: Actor, muscles: Muscles, muscle: Muscle, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._actor, self._muscle, self._shown = actor.id, muscle.id, muscle
        self._usual, self._muscles, self._owner = muscle, muscles, actor
        self.form: EditForm | None = None
        self.points: PathFields | None = None
        self.wraps: WrapFields | None = None
        self.header = Header("activity", muscle.name, (muscle.region or "Muscle", f"of {actor.name}"), reset_tip="")
        self._column.addWidget(self.header)
        self._column.addLayout(self._names())
        self.path = QLabel(wordWrap=True)
        self.path.setProperty("quiet", True)
        self._column.addWidget(self.path)
        self._add_section("muscle path", "Points of the path", self._build_path)
        self._add_section("muscle wraps", "Wraps", self._build_wraps)
        self._add_section("muscle strength", "Strength", self._build, unfold=True)
        self._column.addLayout(self._models())
        self._column.addStretch(1)
        self._show(actor, muscles, muscle)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen muscle; see `PageMaker`."""
        found = holder_of_chosen(session, document, Muscles)
        muscle = None if found is None else found[1].muscle(found[2])
        if found is None or muscle is None:
            return None
        actor, muscles, _ = found
        if not isinstance(shown, MusclePage) or (shown._actor, shown._muscle) != (actor.id, muscle.id):
            return cls(session, actor, muscles, muscle, unfolded)
        if actor.figure.joints != shown._owner.figure.joints:  # joints are what some fields choose among
            return cls(session, actor, muscles, muscle, unfolded)
        others = muscles is not shown._muscles or _are_excited(actor) is not shown.excited.isChecked()
        if others or actor.name != shown._owner.name:
            shown._show(actor, muscles, muscle)
        return shown

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for fields in (self.form, self.points, self.wraps):
            if fields is not None:
                fields.settle()

    def _show(self, actor: Actor, muscles: Muscles, muscle: Muscle) -> None:
        self._shown, self._muscles, self._owner = muscle, muscles, actor
        self.header.name.set_text(muscle.name)
        self.header.set_about((muscle.region or "Muscle", f"of {actor.name}"))
        self.name.show_name(muscle.name)
        self.path.setText(path_words(actor, muscles, muscle))
        if self.form is not None:
            self.form.show_values(muscle)
        if self.points is not None:
            self.points.show_path(actor, muscle)
        if self.wraps is not None:
            self.wraps.show_wraps(actor, muscles, muscle)
        self.model.setCurrentIndex(FORCE_MODELS.index(muscles.model))
        self.pulling.setChecked(muscles.pulling)
        self.excited.setChecked(_are_excited(actor))
        self.sections["muscle strength"].header.set_summary(f"{muscle.force:.0f} N")
        self.sections["muscle path"].header.set_summary(f"{len(muscle.points)}")
        self.sections["muscle wraps"].header.set_summary(f"{len(muscle.wraps)} of {len(muscles.wraps)}")

    def _names(self) -> QHBoxLayout:
        self.name = NameField("Name of the muscle", partial(self._edit_name))
        self.remove = IconButton("trash-2", "Remove this muscle", action="muscles.remove")
        self.remove.clicked.connect(self._session.of(CurrentMuscles).remove_muscle)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.name, 1)
        line.addWidget(self.remove)
        return line

    def _models(self) -> QVBoxLayout:
        self.model = QComboBox()
        self.model.addItems([label for label, _ in MODELS.values()])
        self.model.setAccessibleName("How the muscles of this figure pull")
        self.model.setToolTip("\n".join(f"{label}: {note}" for label, note in MODELS.values()))
        self.model.activated.connect(self._choose_model)
        self.pulling = QCheckBox("They pull while it is simulated")
        self.pulling.setToolTip("Physics moves the bones by what its muscles pull; off: they are measured alone")
        self.pulling.clicked.connect(self._let_pull)
        label = QLabel("How muscles of this figure pull")
        label.setProperty("quiet", True)
        column = QVBoxLayout()
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(3)
        column.addWidget(label)
        column.addWidget(self.model)
        column.addWidget(self.pulling)
        self.excited = QCheckBox("Keys are excitations")
        self.excited.setToolTip(
            "Lanes key excitation, which activation follows: 15 ms up, 50 ms down (Thelen 2003); off: activation"
        )
        self.excited.clicked.connect(self._key_excitations)
        column.addWidget(self.excited)
        return column

    def _build(self) -> QWidget:
        options = {name: (about, getattr(self._usual, name)) for name, about in OPTIONS.items()}
        self.form = EditForm(self._session, options, self._edit, plays_on=True)
        self.form.show_values(self._shown)
        return self.form

    def _build_path(self) -> QWidget:
        self.points = PathFields(self._session, self._owner, self._shown)
        return self.points

    def _build_wraps(self) -> QWidget:
        self.wraps = WrapFields(self._session, self._owner, self._muscles, self._shown)
        return self.wraps

    def _edit(self, name: str, value: object) -> Edit:
        return edit("set_muscle", actor=self._actor, muscle=self._muscle, **{name: value})

    def _edit_name(self, name: str) -> None:
        self._session.do(edit("set_muscle", actor=self._actor, muscle=self._muscle, name=name))

    def _choose_model(self, place: int) -> None:
        if FORCE_MODELS[place] != self._muscles.model:
            self._session.do(edit("set_muscle_model", actor=self._actor, model=FORCE_MODELS[place]))

    def _let_pull(self, pulling: bool) -> None:
        self._session.do(edit("set_muscle_model", actor=self._actor, pulling=pulling))

    def _key_excitations(self, excited: bool) -> None:
        self._session.do(edit("set_excitation_keys", actor=self._actor, excited=excited))


def _are_excited(actor: Actor) -> bool:
    """Tell whether keys of an actor's muscles are excitations."""
    found = actor.part(MuscleActivations)
    return found is not None and found.excited


def path_words(actor: Actor, muscles: Muscles, muscle: Muscle) -> str:
    """Say where a muscle goes."""
    names = ["the ground" if each.joint is None else actor.figure.joint(each.joint).name for each in muscle.points]
    found = f"From {names[0]} to {names[-1]}, {len(names)} points"
    wraps = [wrap.name for each in muscle.wraps if (wrap := muscles.wrap(each.wrap)) is not None]
    return f"{found}, around {' and '.join(wraps)}" if wraps else found
