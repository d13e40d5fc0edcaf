"""NaturalSlider: how far drags pose a figure as bodies move, from exact to natural; an edit of the document."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from app.session import Session
from app.session.hand import Hand
from app.style.units import SHARE
from app.style.value_slider import ValueSlider
from engine.document import Actor
from engine.edits import Edit, edit

_TIP = (
    "0 %, exact: joints go from where they are to where goals need them, by stiffness alone. 100 %, natural: shoulder"
    " blades follow arms in the proportion 1:2 after 30° (Inman 1944), elbows and knees point as hands and feet"
    " tell (Soechting and Flanders 1989), feet stay flat until ankles are at their limits, and trunks move last. Goals"
    " and limits are kept as exactly. Solvers that move by forces do not heed it."
)


def bends(actor: Actor) -> bool:
    """True if a joint below another one turns: what only slides, as the film of a camera, has no pose of a body."""
    below = (joint for joint in actor.figure.joints if joint.parent is not None)
    return any(dof.kind != "slide" for joint in below for dof in joint.dofs)


class NaturalSlider(QWidget):
    """The natural posing of the figure that was chosen or dragged last."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._actor = ""
        self.slider = ValueSlider("Natural posing", unit=SHARE)
        self.slider.set_limits(0.0, 1.0)
        self.slider.setToolTip(_TIP)
        self._hand = Hand(session, self.slider, label="Natural posing", make_edit=self._set)
        self.ends = QLabel("Exact … natural")
        self.ends.setProperty("faint", True)
        self.floor = QCheckBox("Stays above the floor")
        self.floor.setToolTip("Drags push nothing of it into the floor: what would sink is held there, and legs bend")
        self.floor.clicked.connect(lambda on: session.do(edit("set_floor", actor=self._actor, floor=on)))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 8)
        column.setSpacing(0)
        column.addWidget(self.slider)
        column.addWidget(self.ends)
        column.addWidget(self.floor)

    def show_document(self, *_: object) -> None:
        """Show the figure that is chosen, that was dragged last, or the first one."""
        actor = self._shown_actor()
        self.setVisible(actor is not None)
        if actor is not None:
            self._actor = actor.id
            self.ends.setText(f"{actor.name}: exact at 0 %, as bodies move at 100 %")
            self._hand.show(actor.natural)
            self.floor.setChecked(actor.floor)

    def _shown_actor(self) -> Actor | None:
        document, reached = self._session.shown, self._session.reaching.reached
        chosen = [item.actor for item in self._session.selection.items]
        dragged = [reached.request.actor] if reached is not None else []
        known = [id for id in (*chosen, *dragged, *document.actor_index) if id in document.actor_index]
        figures = [document.actor(id) for id in known if bends(document.actor(id))]
        return figures[0] if figures else None

    def _set(self, value: float) -> Edit:
        return edit("set_natural", actor=self._actor, natural=value)
