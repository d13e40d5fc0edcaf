"""OutlinerPanel: what is in the scene, searched, chosen, named, shown and hidden."""

from __future__ import annotations

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from app.features.feature import Features
from app.features.outliner.scenery import Scenery
from app.features.outliner.tree import Index, SceneTree, VisibleRole
from app.features.outliner.view import SceneView
from app.session import Item, Selection, Session
from app.style.apply import current_theme
from app.style.grounds import make_panel
from app.style.icons import icon
from app.style.search_field import SearchField
from engine.document import Actor, Document
from engine.edits import edit

UNFOLDED_DEPTH = 1


class OutlinerPanel(QWidget):
    """The tree of actors and joints, and a line that searches it."""

    title = "Outliner"
    help_text = """
<p>Everything in the scene: figures and their joints, props, what is pinned.</p>
<p>Click a name to select it; with Ctrl or Shift several. A double click renames. The eye hides an actor, the
snowflake freezes it: it is not picked or changed by hand until it thaws. Type in the line above to find a joint by its
name.</p>
<p>The right button offers what can be done with what is selected: {lock.position} pins it where it stands,
{edit.delete} takes actors and pins away.</p>
<p>Below stand selection sets ({select.make_set} makes one, a click selects it) and reference pictures
({add.reference}).</p>
"""
    menu_asked = Signal(QMenu)  # one about what is selected is about to open: what can be done may be added

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._following = False
        self._unfolded_before: list[Item] | None = None
        self._features = session.of(Features)
        self.tree = SceneTree(session.document, self, features=self._features)
        self.filter = QSortFilterProxyModel(self)
        self.filter.setRecursiveFilteringEnabled(True)
        self.filter.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.filter.setSourceModel(self.tree)
        self.search = SearchField("Search actors and joints")
        self.view = SceneView()
        self.scenery = Scenery(session)
        self.view.setModel(self.filter)
        self._lay_out()
        self._connect()
        self._unfold_new(QModelIndex(), 0, self.filter.rowCount() - 1)
        self._say_why_empty()
        self._follow_selection(session.selection)

    def sizeHint(self) -> QSize:
        return QSize(224, 480)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        top = QVBoxLayout()
        top.setContentsMargins(10, 2, 10, 2)
        top.addWidget(self.search)
        column.addLayout(top)
        column.addWidget(self.view, 1)
        column.addWidget(self.scenery)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._narrow)
        self.tree.renamed.connect(self._rename)
        self.filter.rowsInserted.connect(self._unfold_new)
        self.filter.modelReset.connect(lambda: self._unfold_new(QModelIndex(), 0, self.filter.rowCount() - 1))
        self.view.eye_clicked.connect(self._click_eye)
        self.view.frost_clicked.connect(lambda index: self._toggle_frost(self._actor(index)))
        self.view.delete_pressed.connect(self._delete_chosen)
        self.view.customContextMenuRequested.connect(self._offer)
        self.view.selectionModel().selectionChanged.connect(self._choose)
        self._session.document_changed.connect(self._follow_document)
        self._session.begun.connect(self.search.clear)  # what was searched for was of the document before
        self._session.selection_changed.connect(self._follow_selection)
        self._session.snapshot_ready.connect(self.tree.show_picture)

    def _follow_document(self, old: Document, new: Document) -> None:
        self._following = True  # rows that vanish are not a person's choice
        self.tree.show_document(new)
        self._following = False
        self._say_why_empty()
        self._follow_selection(self._session.selection)

    def _follow_selection(self, selection: Selection) -> None:
        if self._following or self._chosen() == set(selection.items):
            return
        self._following = True
        rows, model = QItemSelection(), self.view.selectionModel()
        for item in selection.items:
            index = self._place(item)
            if index.isValid():
                rows.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        model.select(rows, flags.ClearAndSelect | flags.Rows)
        active = self._place(selection.active) if selection.active is not None else QModelIndex()
        if active.isValid():
            model.setCurrentIndex(active, flags.NoUpdate)
            self.view.scrollTo(active)
        self._following = False

    def _choose(self) -> None:
        if self._following:
            return
        rows = sorted(self.view.selectionModel().selectedRows(), key=lambda index: self.view.visualRect(index).top())
        items = [item for item in map(self._item, rows) if item is not None]
        current = self._item(self.view.currentIndex())
        if current in items:
            items.remove(current)
            items.append(current)
        self._following = True
        self._session.select(items)
        self._following = False

    def _chosen(self) -> set[Item]:
        items = map(self._item, self.view.selectionModel().selectedRows())
        return {item for item in items if item is not None}

    def _chosen_actors(self) -> list[Actor]:
        wanted = {item.actor for item in self._chosen() if item.part is None}
        return [actor for actor in self._session.document.actors if actor.id in wanted]

    def _narrow(self, text: str) -> None:
        if text and self._unfolded_before is None:
            self._unfolded_before = self._unfolded()
        self._following = True
        self.filter.setFilterFixedString(text.strip())
        if text:
            self.view.expandAll()
        else:
            self.view.collapseAll()
            for item in self._unfolded_before or ():
                self.view.expand(self._place(item))
            self._unfolded_before = None
        self._following = False
        self._say_why_empty()
        self._follow_selection(self._session.selection)

    def _unfolded(self) -> list[Item]:
        found: list[Item] = []
        waiting = [self.filter.index(row, 0) for row in range(self.filter.rowCount())]
        while waiting:
            index = waiting.pop()
            item = self._item(index)
            if item is not None and self.view.isExpanded(index):
                found.append(item)
            waiting.extend(self.filter.index(row, 0, index) for row in range(self.filter.rowCount(index)))
        return found

    def _unfold_new(self, parent: QModelIndex, first: int, last: int) -> None:
        for row in range(first, last + 1):
            if not parent.isValid():
                self.view.expandRecursively(self.filter.index(row, 0), UNFOLDED_DEPTH)

    def _say_why_empty(self) -> None:
        text = self.search.text().strip()
        self.view.hint = (
            f"Nothing is called “{text}”." if text else "The scene is empty. Add a human from the Add menu."
        )
        self.view.viewport().update()

    def _click_eye(self, index: QModelIndex) -> None:
        item = self._item(index)
        outlined = self._features.outlined_by(self._session.document, item)
        if item is not None and outlined is not None:
            self._session.do(outlined.let_count(item, counts=not index.data(VisibleRole)))
        else:
            self._toggle_eye(self._actor(index))

    def _toggle_eye(self, actor: Actor | None) -> None:
        if actor is not None:
            self._session.do(edit("show_actor", actor=actor.id, visible=not actor.visible))

    def _toggle_frost(self, actor: Actor | None) -> None:
        if actor is not None:
            self._session.do(edit("freeze_actor", actor=actor.id, frozen=not actor.frozen))

    def _delete_chosen(self) -> None:
        self._features.remove(self._session, self._session.selection.items)
        for actor in self._chosen_actors():
            self._session.do(edit("remove_actor", actor=actor.id))

    def _rename(self, item: Item, name: str) -> None:
        outlined = self._features.outlined_by(self._session.document, item)
        change = edit("rename_actor", actor=item.actor, name=name) if outlined is None else outlined.rename(item, name)
        self._session.do(change)

    def _offer(self, where: QPoint) -> None:
        menu = self.menu_for(self.view.indexAt(where))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.view.viewport().mapToGlobal(where))

    def menu_for(self, index: Index) -> QMenu:
        """Make the menu of a row, which it chooses, or of the empty ground; the window adds what its actions can do."""
        menu, theme = QMenu(self), current_theme()
        item = self._item(index)
        if item is not None:
            if item not in self._session.selection:
                self._session.select([item])
            actor = self._session.document.actor(item.actor)
            if item.part is None or item.added is not None:
                rename = menu.addAction(icon("pencil", theme), "Rename")
                rename.triggered.connect(lambda: self.view.edit(self._place(item)))
            if item.added is None:
                eye = ("eye-off", f"Hide {actor.name}") if actor.visible else ("eye", f"Show {actor.name}")
                menu.addAction(icon(eye[0], theme), eye[1]).triggered.connect(lambda: self._toggle_eye(actor))
            menu.addSeparator()
            self.menu_asked.emit(menu)
        if not menu.isEmpty():
            menu.addSeparator()
        menu.addAction("Unfold all").triggered.connect(self.view.expandAll)
        menu.addAction("Fold all").triggered.connect(self.view.collapseAll)
        return menu

    def _item(self, index: Index) -> Item | None:
        return self.tree.item_at(self.filter.mapToSource(index)) if index.isValid() else None

    def _actor(self, index: Index) -> Actor | None:
        return self.tree.actor_at(self.filter.mapToSource(index)) if index.isValid() else None

    def _place(self, item: Item) -> QModelIndex:
        return self.filter.mapFromSource(self.tree.index_of(item))
