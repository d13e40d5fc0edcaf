"""SceneTree: the actors of a document, their joints, and what features add to them, as Qt's tree views read them.

A new document is compared with the old one by identity, and only what differs is reported to the views, so that what a
person unfolded or scrolled to stays.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from app.features.feature import Features
from app.features.outlining import OutlineRow
from app.session import Item
from app.session.actors import hangs_on
from app.style.apply import current_theme
from app.style.icons import icon
from engine.document import Actor, Document
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.model import Snapshot

FrozenRole = Qt.ItemDataRole.UserRole + 9  # of an actor's own row; None on others
VisibleRole = Qt.ItemDataRole.UserRole  # of an actor's own row; None on a joint's
Index = QModelIndex | QPersistentModelIndex
AddedRole = Qt.ItemDataRole.UserRole + 1  # whether the row is one that a feature adds
StateRole = Qt.ItemDataRole.UserRole + 2  # how such a one is met, in a few words
MissedRole = Qt.ItemDataRole.UserRole + 3  # whether it is not
_NOTHING = QModelIndex()


@dataclass(eq=False)
class TreeNode:
    """One row: an actor, or one of its joints, or what a feature adds."""

    key: int
    item: Item
    name: str
    parent: TreeNode | None = None
    row: int = 0
    children: list[TreeNode] = field(default_factory=list)
    actor: Actor | None = None  # on the row of the actor itself
    held: str = ""  # what the actor hangs on
    added: OutlineRow | None = None  # on the row of what a feature adds
    extras: list[TreeNode] = field(default_factory=list)  # on an actor's own row: all that features add to it


class SceneTree(QAbstractItemModel):
    """Actors at the top, joints below them as they hang on each other."""

    renamed = Signal(object, str)  # Item, new name: a request, which the document may refuse

    def __init__(self, document: Document, parent: QObject | None = None, *, features: Features | None = None) -> None:
        super().__init__(parent)
        self._features = features
        self._added = features.outlined if features is not None else ()
        self._snapshot: Snapshot | None = None
        self._keys = count(1)
        self._nodes: dict[int, TreeNode] = {}
        self._by_item: dict[Item, TreeNode] = {}
        self._tops: list[TreeNode] = []
        for actor in document.actors:
            self._tops.append(self._branch(actor, len(self._tops)))
        self._show_held(document)

    def show_document(self, document: Document) -> None:
        """Take over another document, telling the views only what differs."""
        new_ids = [actor.id for actor in document.actors]
        for node in reversed(self._tops):
            present = document.actor_index.get(node.item.actor)
            same = present is not None and _same_tree(node.actor, document.actors[present])
            if not same:
                self._remove(node)
        kept = [node.item.actor for node in self._tops]
        if kept != [id for id in new_ids if id in set(kept)]:
            self._start_again(document)
            return
        for row, actor in enumerate(document.actors):
            if row < len(self._tops) and self._tops[row].item.actor == actor.id:
                self._refresh(self._tops[row], actor)
            else:
                self._insert(row, actor)
        self._show_held(document)

    def show_picture(self, snapshot: Snapshot) -> None:
        """Say how what features add stands in the picture that is shown."""
        self._snapshot = snapshot
        for top in self._tops:
            if top.actor is not None:
                self._refresh_added(top, top.actor)

    def index_of(self, item: Item) -> QModelIndex:
        """Return the index of an item; invalid if it is not there."""
        node = self._by_item.get(item)
        return QModelIndex() if node is None else self.createIndex(node.row, 0, node.key)

    def actor_at(self, index: Index) -> Actor | None:
        """Return the actor, if the row is one's own."""
        node = self._node(index)
        return None if node is None else node.actor

    def item_at(self, index: Index) -> Item | None:
        """Return the item of a row."""
        node = self._node(index)
        return None if node is None else node.item

    def index(self, row: int, column: int, parent: Index = _NOTHING) -> QModelIndex:
        rows = self._rows(parent)
        if not 0 <= row < len(rows) or column != 0:
            return QModelIndex()
        return self.createIndex(row, 0, rows[row].key)

    def parent(self, index: Index = _NOTHING) -> QModelIndex:  # type: ignore[override]
        node = self._node(index)
        if node is None or node.parent is None:
            return QModelIndex()
        return self.createIndex(node.parent.row, 0, node.parent.key)

    def rowCount(self, parent: Index = _NOTHING) -> int:
        return len(self._rows(parent))

    def columnCount(self, parent: Index = _NOTHING) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        can_be_named = self.actor_at(index) is not None or index.data(AddedRole)
        return flags | Qt.ItemFlag.ItemIsEditable if can_be_named else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        node = self._node(index)
        if node is None:
            return None
        if role == Qt.ItemDataRole.EditRole:
            return node.name
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{node.name}  ·  on {node.held}" if node.held else node.name
        if role == VisibleRole:
            if node.added is not None:
                return node.added.counts
            return None if node.actor is None else node.actor.visible
        if role == FrozenRole:
            return None if node.actor is None else node.actor.frozen
        if role == AddedRole:
            return node.added is not None
        if role == StateRole:
            return "" if node.added is None else node.added.state
        if role == MissedRole:
            return node.added is not None and node.added.missed
        theme = current_theme()
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(self._kind(node), theme, "text_quiet" if node.actor is not None else "text_faint")
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(theme.text_faint if self._is_hidden(node) else theme.text)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if node.added is not None:
                return f"{node.added.about} {node.name}, {node.added.words}, {node.added.state}"
            return f"{node.name}, hidden" if self._is_hidden(node) else node.name
        if role == Qt.ItemDataRole.ToolTipRole and node.added is not None:
            return f"{node.name}: {node.added.words}\n{node.added.state}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return node.name if node.item.part is None else f"{node.name}\n{node.item.part}"
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        node = self._node(index)
        named = node is not None and (node.actor is not None or node.added is not None)
        if node is None or not named or role != Qt.ItemDataRole.EditRole or not str(value).strip():
            return False
        if str(value).strip() != node.name:
            self.renamed.emit(node.item, str(value).strip())
        return True

    def _kind(self, node: TreeNode) -> str:
        """Name the icon of a row."""
        if node.added is not None:
            return node.added.icon
        if node.actor is None:
            return "bone"
        if self._features is not None:
            return self._features.icon(node.actor)
        return "box" if node.actor.figure.is_prop else "person-standing"

    def _is_hidden(self, node: TreeNode) -> bool:
        top = self._by_item[Item(node.item.actor, None)]
        left_out = node.added is not None and not node.added.counts
        return left_out or (top.actor is not None and not top.actor.visible)

    def _rows(self, parent: Index) -> list[TreeNode]:
        if not parent.isValid():
            return self._tops
        node = self._node(parent)
        return node.children if node is not None else []

    def _node(self, index: Index) -> TreeNode | None:
        return self._nodes.get(index.internalId()) if index.isValid() else None

    def _make(self, item: Item, name: str, parent: TreeNode | None, row: int) -> TreeNode:
        node = TreeNode(next(self._keys), item, name, parent, row)
        self._nodes[node.key] = self._by_item[item] = node
        return node

    def _branch(self, actor: Actor, row: int) -> TreeNode:
        top = self._make(Item(actor.id, None), actor.name, None, row)
        top.actor = actor
        joints: dict[str | None, TreeNode] = {None: top}
        for joint in () if actor.figure.is_prop else actor.figure.joints:
            parent = joints[joint.parent]
            node = self._make(Item(actor.id, joint.id), joint.name, parent, len(parent.children))
            parent.children.append(node)
            joints[joint.id] = node
        for added in self._rows_added(actor):
            parent = self._holder(top, added)
            self._add(top, parent, added, sum(each.added is not None for each in parent.children))
        return top

    def _holder(self, top: TreeNode, added: OutlineRow) -> TreeNode:
        """Return the row below which one stands that a feature adds."""
        return self._by_item.get(Item(added.item.actor, added.item.part), top) if added.on_joint else top

    def _add(self, top: TreeNode, parent: TreeNode, added: OutlineRow, row: int) -> None:
        node = self._make(added.item, added.name, parent, row)
        node.added = added
        parent.children.insert(row, node)
        _number(parent.children)
        top.extras.append(node)

    def _rows_added(self, actor: Actor) -> list[OutlineRow]:
        return [row for each in self._added for row in each.rows(actor, self._snapshot)]

    def _forget(self, node: TreeNode) -> None:
        for child in node.children:
            self._forget(child)
        del self._nodes[node.key], self._by_item[node.item]

    def _remove(self, node: TreeNode) -> None:
        self.beginRemoveRows(QModelIndex(), node.row, node.row)
        self._tops.remove(node)
        self._forget(node)
        _number(self._tops)
        self.endRemoveRows()

    def _insert(self, row: int, actor: Actor) -> None:
        self.beginInsertRows(QModelIndex(), row, row)
        self._tops.insert(row, self._branch(actor, row))
        _number(self._tops)
        self.endInsertRows()

    def _refresh(self, node: TreeNode, actor: Actor) -> None:
        old = node.actor
        if old is actor or old is None:
            return
        node.actor, node.name = actor, actor.name
        self._refresh_added(node, actor)
        if old.name != actor.name or old.visible != actor.visible or old.frozen != actor.frozen:
            self.dataChanged.emit(self.index_of(node.item), self.index_of(node.item))

    def _refresh_added(self, top: TreeNode, actor: Actor) -> None:
        """Take away the rows of what has gone, add those that came, and bring the others up to date."""
        rows = self._rows_added(actor)
        wanted, placed = {added.item for added in rows}, Counter[Item]()
        for node in [each for each in top.extras if each.item not in wanted]:
            parent = node.parent or top
            self.beginRemoveRows(self.index_of(parent.item), node.row, node.row)
            parent.children.remove(node)
            top.extras.remove(node)
            self._forget(node)
            _number(parent.children)
            self.endRemoveRows()
        for added in rows:
            parent = self._holder(top, added)
            row = placed[parent.item]
            placed[parent.item] += 1
            if added.item not in self._by_item:
                self.beginInsertRows(self.index_of(parent.item), row, row)
                self._add(top, parent, added, row)
                self.endInsertRows()
                continue
            node = self._by_item[added.item]
            if node.added != added:
                node.added, node.name = added, added.name
                self.dataChanged.emit(self.index_of(added.item), self.index_of(added.item))

    def _show_held(self, document: Document) -> None:
        for node, actor in zip(self._tops, document.actors, strict=True):
            held = ", ".join(hangs_on(document, each) for each in actor.attachments)
            if held != node.held:
                node.held = held
                self.dataChanged.emit(self.index_of(node.item), self.index_of(node.item))

    def _start_again(self, document: Document) -> None:
        self.beginResetModel()
        self._nodes.clear()
        self._by_item.clear()
        self._tops.clear()
        for actor in document.actors:
            self._tops.append(self._branch(actor, len(self._tops)))
        self._show_held(document)
        self.endResetModel()


def _number(nodes: list[TreeNode]) -> None:
    for row, node in enumerate(nodes):
        node.row = row


def _same_tree(old: Actor | None, new: Actor) -> bool:
    """True if the rows of an actor are the same, what features add apart, by identity where possible."""
    if old is None:
        return False
    if old.figure is new.figure:
        return True
    shape = [[(joint.id, joint.name, joint.parent) for joint in each.joints] for each in (old.figure, new.figure)]
    return shape[0] == shape[1]
