"""Scenery: below the tree, the selection sets of the document and its reference pictures."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.features.outliner.named_list import NamedList
from app.session import Session, choosing
from app.style.apply import current_theme
from app.style.icons import icon
from engine.document import Document, Reference, SelectionSet
from engine.document.selection_sets import Chosen
from engine.edits import edit


class Scenery(QWidget):
    """Two lists that follow the document."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.sets, self.references = NamedList("Selection sets"), NamedList("Reference pictures")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.sets)
        column.addWidget(self.references)
        do = session.do
        self.sets.clicked.connect(session.sets.recall)
        self.sets.asked.connect(self._offer_set)
        self.sets.renamed.connect(lambda id, name: do(edit("rename_selection_set", selection_set=id, name=name)))
        self.sets.removed.connect(lambda id: do(edit("remove_selection_set", selection_set=id)))
        self.references.clicked.connect(session.references.choose)
        self.references.asked.connect(self._offer_reference)
        self.references.renamed.connect(self._rename_reference)
        self.references.removed.connect(lambda id: do(edit("remove_reference", reference=id)))
        session.document_changed.connect(lambda old, new: self._follow(new))
        session.references.chosen_changed.connect(lambda: self.references.choose(session.references.chosen or ""))
        session.selection_changed.connect(lambda selection: self._light())
        self._follow(session.document)

    def _follow(self, document: Document) -> None:
        self.sets.show_rows([(each.id, each.name, "group", False) for each in document.selection_sets])
        pictures = [(each.id, each.name, _picture_of(each), not each.visible) for each in document.references]
        self.references.show_rows(pictures)

    def _light(self) -> None:
        """Light each set while just what it holds is selected."""
        found = self._session.sets.chosen
        self.sets.choose(found.id if found is not None else "")

    def _offer_set(self, id: str, menu: QMenu) -> None:
        found = next(each for each in self._session.document.selection_sets if each.id == id)
        now = choosing.chosen(self._session.selection.items)
        kept = tuple(each for each in found.items if each not in now)
        self._add(menu, "Select", lambda: self._session.sets.recall(id))
        self._add(menu, "Add what is selected", lambda: self._put(found, (*found.items, *now)), bool(now))
        self._add(menu, "Take out what is selected", lambda: self._put(found, kept), 0 < len(kept) < len(found.items))
        self._add(menu, "Let it be what is selected", lambda: self._put(found, now), bool(now))
        menu.addSeparator()

    def _put(self, found: SelectionSet, items: tuple[Chosen, ...]) -> None:
        self._session.sets.put(found.id, items)

    def _offer_reference(self, id: str, menu: QMenu) -> None:
        found = next(each for each in self._session.document.references if each.id == id)
        self._session.references.choose(id)
        theme = current_theme()
        eye = ("eye-off", "Hide") if found.visible else ("eye", "Show")
        menu.addAction(icon(eye[0], theme), eye[1]).triggered.connect(lambda: self._toggle(found))

    def _toggle(self, found: Reference) -> None:
        changes = (("visible", not found.visible),)
        self._session.do(edit("set_reference", reference=found.id, changes=changes))

    def _rename_reference(self, id: str, name: str) -> None:
        self._session.do(edit("set_reference", reference=id, changes=(("name", name),)))

    def _add(self, menu: QMenu, text: str, call: Callable[[], None], can: bool = True) -> None:
        action = menu.addAction(text)
        action.setEnabled(can)
        action.triggered.connect(call)


def _picture_of(reference: Reference) -> str:
    """Return the name of the icon before a reference."""
    kind = "image" if reference.video is None else "film"
    return kind if reference.visible else "eye-off"
