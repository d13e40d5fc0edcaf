"""BushingPage: the inspector's page of a bushing that is chosen: its name, its stiffness and damping along six axes."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from app.features.bushings.outlined import ends_of
from app.features.form import EditForm
from app.features.inspecting import InspectorPage, holder_of_chosen
from app.features.named_line import NamedLine
from app.session import Session
from app.style.page_header import Header
from engine.bushings.parts import Bushing, Bushings
from engine.document import Actor, Document
from engine.edits import Edit, edit
from engine.runtime.options import About

FIELDS = {
    "turning": ("Turning stiffness", "N m/rad", 1e4),
    "sliding": ("Sliding stiffness", "N/m", 1e6),
    "turning_damping": ("Turning damping", "N m s/rad", 1e3),
    "sliding_damping": ("Sliding damping", "N s/m", 1e4),
}  # label, unit, most that a slider has
NOTE = "Along the {} axis of its frame on the first body"


class BushingPage(InspectorPage):
    """The fields of one bushing."""

    def __init__(self, session: Session, actor: Actor, bushing: Bushing, unfolded: set[str]) -> None:
        super().__init__(session, unfolded)
        self._owner, self._bushing = actor, bushing
        self.header = Header("link-2", bushing.name, ("Bushing", f"of {actor.name}"), reset_tip="")
        self._column.addWidget(self.header)
        self.line = NamedLine("bushing", lambda name: self._set(name=name))
        self.line.mute.clicked.connect(lambda: self._set(mute=not self._bushing.mute))
        self.line.remove.clicked.connect(self._remove)
        self._column.addLayout(self.line)
        self.ends = QLabel(wordWrap=True)
        self.ends.setProperty("quiet", True)
        self._column.addWidget(self.ends)
        options = {
            f"{field}.{axis}": (
                About(label=f"{label} {axis}", unit=unit, least=0.0, most=most, note=NOTE.format(axis)),
                getattr(bushing, field)[place],
            )
            for field, (label, unit, most) in FIELDS.items()
            for place, axis in enumerate("xyz")
        }
        self.form = EditForm(session, options, self._edit, resets=False)
        self._column.addWidget(self.form)
        self._column.addStretch(1)
        self._show(actor, bushing)

    @classmethod
    def of(
        cls, session: Session, document: Document, unfolded: set[str], shown: InspectorPage | None
    ) -> InspectorPage | None:
        """Give the page of the chosen bushing; see `PageMaker`."""
        found = holder_of_chosen(session, document, Bushings)
        bushing = None if found is None else found[1].of(found[2])
        if found is None or bushing is None:
            return None
        actor = found[0]
        if not isinstance(shown, BushingPage) or (shown._owner.id, shown._bushing.id) != (actor.id, bushing.id):
            return cls(session, actor, bushing, unfolded)
        if bushing is not shown._bushing or actor.name != shown._owner.name or actor.figure is not shown._owner.figure:
            shown._show(actor, bushing)
        return shown

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        self.form.settle()

    def _show(self, actor: Actor, bushing: Bushing) -> None:
        self._owner, self._bushing = actor, bushing
        self.header.name.set_text(bushing.name)
        self.header.set_about(("Bushing", f"of {actor.name}"))
        self.line.show_named(bushing.name, bushing.mute)
        self.ends.setText(f"From {ends_of(actor, bushing)}, along the axes of its frame on the first")
        self.form.show_values(
            {f"{field}.{axis}": getattr(bushing, field)[place] for field in FIELDS for place, axis in enumerate("xyz")}
        )

    def _edit(self, name: str, value: float) -> Edit:
        field, _, axis = name.partition(".")
        numbers = list(getattr(self._bushing, field))
        numbers["xyz".index(axis)] = float(value)
        return edit("set_bushing", actor=self._owner.id, bushing=self._bushing.id, **{field: tuple(numbers)})

    def _set(self, **changed: object) -> None:
        self._session.do(edit("set_bushing", actor=self._owner.id, bushing=self._bushing.id, **changed))

    def _remove(self) -> None:
        self._session.do(edit("remove_bushings", actor=self._owner.id, bushings=(self._bushing.id,)))
