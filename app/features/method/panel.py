"""MethodPanel: how figures are posed by their handles: the solver and its options, its goals, a second
solver to compare with, and what the last solve came to. A change is tried on the last pull at once, and not kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.form import FieldForm, capital, unit_of
from app.features.method.answer import AnswerView
from app.features.method.natural import NaturalSlider
from app.session import Session
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.scrolled import scrolled_column
from app.style.section import FoldedSection
from engine.ik.methods import Card, Method, Terms, Value, card_of
from engine.queries.chart_files import Residuals, write_residuals

NOTHING = "Nothing"


class MethodPanel(Following):
    """The choice of method, folded under its present value, above the last answer."""

    title = "Method"
    export_asked = Signal(str)  # the ending of the file
    export_name = "residuals"
    help_text = """
<p>How a limb finds its pose while you drag it: the solver, how far up the figure it may bend, and what it draws
joints towards.</p>
<p>Natural posing leads figures the way bodies move: the shoulder turns before its blade lifts, elbows hang, knees look
where the feet do, and feet stay flat while their ankles can. At 0 % a drag is exact: nothing moves but what must.</p>
<p>After a drag the lower part says what the solver made of it: by how far each goal was missed, the iterations and the
time; the disk exports the curve. Another solver or option chosen now is tried on that same drag at once and shown as a
ghost; Compare shows two solvers beside each other.</p>
<p>Point at an option to read what it means and the equation that it stands in.</p>
<p>What is solved: of all poses q within the limits, the one of least</p>
<p class="equation">f(q) = Σ w<sub>i</sub> |r<sub>i</sub>(q)|², &nbsp; r<sub>i</sub> by how much goal i is missed</p>
<p>by steps along J = ∂r/∂q: the transpose takes −2 t K Jᵀr, Levenberg-Marquardt −(JᵀJ + λD)⁻¹ Jᵀr; each of the others
names its equation.</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._reaching = session, session.reaching
        self.waiting = QLabel(wordWrap=True)
        self.waiting.setProperty("quiet", True)
        self.waiting.setContentsMargins(0, 2, 0, 8)
        self.answer = AnswerView()
        self.solver = FoldedSection("Solver", partial(self._build_method, second=False))
        self.terms = FoldedSection("Asked of it", self._build_terms)
        self.compared = FoldedSection("Compare with", partial(self._build_method, second=True))
        self.sections = (self.solver, self.terms, self.compared)
        self.fields: dict[str, MethodFields | FieldForm] = {}
        self.chain_end = ChainEnd(self._clear_chain_end, self)
        self.chain_end.hide()
        inside = scrolled_column(self, spacing=2)
        self.natural = NaturalSlider(session)
        for widget in (self.waiting, self.natural, *self.sections, self.answer):
            inside.addWidget(widget)
        inside.addStretch(1)
        self.answer.export.asked.connect(self.export_asked)
        self._reaching.changed.connect(self.follow)
        self._reaching.answered.connect(lambda reached: self.follow())
        session.engine_changed.connect(lambda state: self.follow())
        session.document_changed.connect(self.natural.show_document)
        session.preview_changed.connect(self.natural.show_document)
        session.selection_changed.connect(self.natural.show_document)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 480)

    @property
    def has_curves(self) -> bool:
        """True if there is anything to be written."""
        return self.answer.export.isEnabled()

    def write_curves(self, path: Path) -> None:
        """Write the residuals of the last answer, iteration by iteration."""
        solves = [Residuals(line.name, line.values) for line in self.answer.plot.lines]
        self._session.exchange.write_chart(path, lambda: write_residuals(path, solves))

    def refresh(self) -> None:
        """Show the method, the terms and the last answer."""
        reaching = self._reaching
        self.natural.show_document()
        self.waiting.setText(_waiting_text(self._session))
        self.waiting.setVisible(not reaching.ready)
        for section in self.sections:
            section.setEnabled(reaching.ready)
        self.solver.header.set_summary(self._label_of(reaching.method))
        self.compared.header.set_summary("nothing" if reaching.compared is None else self._label_of(reaching.compared))
        length = unit_of(card_of("terms", Terms()).options["tolerance"][0], Terms().tolerance)
        self.terms.header.set_summary(f"{capital(reaching.terms.extent)}, {length.text(reaching.terms.tolerance)}")
        for name, method in (("solver", reaching.method), ("compared", reaching.compared)):
            fields = self.fields.get(name)
            if isinstance(fields, MethodFields):
                fields.show_method(reaching.cards, method)
        terms = self.fields.get("terms")
        if isinstance(terms, FieldForm):
            terms.show_values(asdict(reaching.terms))
            self._show_heeded(terms)
        self._show_chain_end()
        if reaching.reached is None:
            self.answer.clear()
        else:
            self.answer.show_answer(self._session.document, reaching.reached, tried=reaching.tried)

    def _label_of(self, method: Method) -> str:
        card = next((card for card in self._reaching.cards if card.name == method.solver), None)
        return "" if card is None else card.label

    def _build_method(self, *, second: bool) -> QWidget:
        reaching = self._reaching
        take: Callable[[Any], None] = reaching.compare_with if second else reaching.set_method
        fields = MethodFields("Compare with" if second else "Solver", may_be_none=second, take=take)
        fields.show_method(reaching.cards, reaching.compared if second else reaching.method)
        self.fields["compared" if second else "solver"] = fields
        return fields

    def _build_terms(self) -> QWidget:
        fields = FieldForm(card_of("terms", Terms()).options, self._set_term)
        fields.show_values(asdict(self._reaching.terms))
        self._show_heeded(fields)
        self.fields["terms"] = fields
        column = QWidget()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(fields)
        layout.addWidget(self.chain_end)
        self._show_chain_end()
        return column

    def _show_heeded(self, terms: FieldForm) -> None:
        """Show the terms that one of the methods heeds."""
        methods = [each.solver for each in (self._reaching.method, self._reaching.compared) if each is not None]
        ignored = [set(card.ignores) for card in self._reaching.cards if card.name in methods]
        for name in asdict(self._reaching.terms):
            terms.set_row_visible(name, not ignored or any(name not in each for each in ignored))

    def _show_chain_end(self) -> None:
        document, reaching = self._session.document, self._reaching
        ends = ((actor, reaching.chain_end(actor.id)) for actor in document.actors)
        names = [f"{actor.figure.joint(end).name} of {actor.name}" for actor, end in ends if end is not None]
        none = "No chain has an end: choose a part, then “Chain ends here” in the Pose menu."
        self.chain_end.name.setText(f"Chains end at {', '.join(names)}" if names else none)
        self.chain_end.clear.setVisible(bool(names))
        self.chain_end.setVisible("terms" in self.fields and (bool(names) or reaching.terms.extent == "joint"))

    def _clear_chain_end(self) -> None:
        for actor in tuple(self._reaching.chain_ends):
            self._reaching.end_chain_at(actor, None)

    def _set_term(self, name: str, value: Value) -> None:
        self._reaching.set_terms(replace(self._reaching.terms, **{name: value}))  # type: ignore[arg-type]


class ChainEnd(QWidget):
    """The joint at which chains of the extent "joint" end, and a button that clears it."""

    def __init__(self, clear: Callable[[], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.name = QLabel(wordWrap=True)
        self.name.setProperty("quiet", True)
        self.clear = IconButton("x", "Chains end where they usually do")
        self.clear.clicked.connect(clear)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 4)
        line.setSpacing(4)
        line.addWidget(self.name, 1)
        line.addWidget(self.clear)


class MethodFields(QWidget):
    """The choice of a solver, and its options."""

    def __init__(self, name: str, *, may_be_none: bool, take: Callable[[Any], None]) -> None:
        """`take` is given the Method that a person chooses, or None."""
        super().__init__()
        self._take, self._may_be_none = take, may_be_none
        self._method: Method | None = None
        self._cards: dict[str, Card] = {}
        self._shown = ""
        self.choice = QComboBox()
        self.choice.setAccessibleName(name)
        self.choice.setMaxVisibleItems(16)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.activated.connect(self._choose)
        self.options: FieldForm | None = None
        self._source = QLabel(wordWrap=True)
        self._source.setProperty("faint", True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 2, 0, 6)
        self._column.setSpacing(4)
        self._column.addWidget(self.choice)
        self._column.addWidget(self._source)

    def show_method(self, cards: tuple[Card, ...], method: Method | None) -> None:
        """Offer the solvers of these cards, and show what is chosen."""
        self._method = method
        if len(cards) != len(self._cards):
            self._cards = {card.name: card for card in cards}
            self.choice.clear()
            if self._may_be_none:
                self.choice.addItem(NOTHING, None)
            for each in cards:
                self.choice.addItem(each.label, each.name)
        self.choice.setCurrentIndex(self.choice.findData(None if method is None else method.solver))
        card = None if method is None else self._cards.get(method.solver)
        if (card.name if card else "") != self._shown:
            self._build(card)
        if card is not None and self.options is not None and method is not None:
            usual = {name: value for name, (_, value) in card.options.items()}
            self.options.show_values({**usual, **dict(method.options)})

    def _build(self, card: Card | None) -> None:
        self._shown = card.name if card else ""
        self._source.setText(card.source if card else "")
        self._source.setVisible(card is not None)
        if self.options is not None:
            self.options.hide()
            self.options.deleteLater()
            self.options = None
        if card is not None and card.options:
            self.options = FieldForm(card.options, self._set_option)
            self._column.addWidget(self.options)

    def _choose(self, place: int) -> None:
        name = self.choice.itemData(place)
        if self._method is None or name != self._method.solver:
            self._take(None if name is None else Method(solver=name))

    def _set_option(self, name: str, value: Value) -> None:
        if self._method is not None:
            self._take(self._method.with_option(name, value))


def _waiting_text(session: Session) -> str:
    state = session.engine_state
    text = "Posing by hand is being prepared" if state.ready else state.text
    return f"{text}. Handles can be dragged when it is done."
