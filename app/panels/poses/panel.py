"""PosesPanel: the pose library: find a pose, apply it, blend towards it, keep the present one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPoint, QSize
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from app.panels.poses.grid import PoseGrid
from app.panels.poses.model import PoseList
from app.session import Blend, EngineState, KeptPose, Session
from app.style.apply import current_theme
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.icons import icon
from app.style.message_bar import MessageBar
from app.style.search_field import SearchField

NOTHING_FOUND = "No pose has such a name."


class PosesPanel(Following):
    """The grid, and what narrows and adds to it."""

    title = "Poses"
    help_text = (
        "<p>Poses by name, those that come with Sinew first. They are put on the figure that is selected, joint by "
        "joint of the same names.</p>"
        "<p><b>Double-click</b> a picture to apply the pose. <b>Press on it and drag to the right</b> to blend: the "
        "number says how far, beyond 100 % the pose is exaggerated; Escape leaves the figure as it was. The two "
        "switches above exchange left and right, and leave all but the selected joints alone.</p>"
        "<p>The plus keeps the pose that is seen ({pose.save}), with a picture from the view. F2 renames a pose of "
        "your own, Del removes it; Undo brings it back.</p>"
        "<p>{pose.copy} and {pose.paste} carry a pose without the library, also to another window.</p>"
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session = session
        self._blend: Blend | None = None
        self.poses = PoseList(self)
        self.grid = PoseGrid(self.poses)
        self.search = SearchField("Find a pose")
        self.mirrored = IconButton("flip-horizontal-2", "Left as right and right as left")
        self.selected_only = IconButton("bone", "On the selected joints alone")
        self.save = IconButton("plus", "Keep the present pose", action="pose.save")
        for switch in (self.mirrored, self.selected_only):
            switch.setCheckable(True)
        self.message = MessageBar()
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 8, 4)
        head.setSpacing(2)
        head.addWidget(self.search, 1)
        for button in (self.mirrored, self.selected_only, self.save):
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.grid, 1)
        column.addWidget(self.message)
        self._connect()
        self._follow_engine(session.engine_state)
        self._behind = True  # read once it is seen

    def sizeHint(self) -> QSize:
        return QSize(220, 320)

    def refresh(self) -> None:
        """Show the library as it is now."""
        self.poses.show(self._session.poses.poses)
        self.grid.hint = NOTHING_FOUND
        self.grid.viewport().update()

    def _connect(self) -> None:
        session, grid = self._session, self.grid
        self.search.textChanged.connect(self.poses.search)
        self.save.clicked.connect(session.poses.save_present)
        self.poses.renamed.connect(session.poses.rename)
        grid.doubleClicked.connect(lambda index: self.apply(self.poses.kept_at(index)))
        grid.blend_began.connect(self._begin_blend)
        grid.blended.connect(self._blend_to)
        grid.blend_finished.connect(lambda: self._end_blend(keep=True))
        grid.blend_cancelled.connect(lambda: self._end_blend(keep=False))
        grid.removal_wanted.connect(lambda index: self._remove(self.poses.kept_at(index)))
        grid.customContextMenuRequested.connect(self._offer)
        session.poses.changed.connect(self.follow)
        session.poses.added.connect(self._show_added)
        session.engine_changed.connect(self._follow_engine)

    def apply(self, kept: KeptPose, *, mirrored: bool | None = None, on_selected: bool | None = None) -> None:
        """Put a pose on what is selected, as the switches say where nothing else is said."""
        self._session.posing.put(
            kept.pose,
            f"Apply {kept.pose.name}",
            mirrored=self.mirrored.isChecked() if mirrored is None else mirrored,
            on_selected=self.selected_only.isChecked() if on_selected is None else on_selected,
        )

    def menu_for(self, index: QModelIndex) -> QMenu:
        """What can be done with a pose."""
        menu, theme, kept = QMenu(self), current_theme(), self.poses.kept_at(index)
        menu.addAction("Apply").triggered.connect(lambda: self.apply(kept, mirrored=False, on_selected=False))
        mirror = menu.addAction(icon("flip-horizontal-2", theme), "Apply mirrored")
        mirror.triggered.connect(lambda: self.apply(kept, mirrored=True, on_selected=False))
        some = menu.addAction(icon("bone", theme), "Apply to selected joints")
        some.triggered.connect(lambda: self.apply(kept, mirrored=False, on_selected=True))
        some.setEnabled(any(joints is not None for _, joints in self._session.posing.targets()))
        menu.addSeparator()
        rename = menu.addAction(icon("pencil", theme), "Rename")
        remove = menu.addAction(icon("trash-2", theme), "Remove")
        rename.triggered.connect(lambda: self.grid.edit(self.poses.index_of(kept)))
        remove.triggered.connect(lambda: self._remove(kept))
        for action in (rename, remove):
            action.setEnabled(kept.own)
        return menu

    def _offer(self, where: QPoint) -> None:
        index = self.grid.indexAt(where)
        if index.isValid():
            self.grid.setCurrentIndex(index)
            self.menu_for(index).popup(self.grid.viewport().mapToGlobal(where))

    def _begin_blend(self, index: QModelIndex) -> None:
        switches = {"mirrored": self.mirrored.isChecked(), "on_selected": self.selected_only.isChecked()}
        self._blend = self._session.posing.begin_blend(self.poses.kept_at(index).pose, **switches)
        if self._blend is None:
            self.grid.end_blend()

    def _blend_to(self, share: float) -> None:
        if self._blend is not None and self._blend.ended:
            self.grid.end_blend()
        elif self._blend is not None:
            self._blend.to(share)

    def _end_blend(self, *, keep: bool) -> None:
        blend, self._blend = self._blend, None
        if blend is not None:
            blend.finish() if keep else blend.cancel()

    def _remove(self, kept: KeptPose) -> None:
        if not kept.own:
            self.message.say(f"{kept.pose.name} comes with Sinew and stays.")
            return
        self._session.poses.remove(kept)
        if kept not in self._session.poses.poses:
            self.message.say(f"Removed {kept.pose.name}.", do="Undo", act=self._session.poses.restore)

    def _show_added(self, kept: KeptPose) -> None:
        """Show what was saved, ready to be given a name."""
        if self._seen and self.isVisible():
            self.search.clear()
            index = self.poses.index_of(kept)
            self.grid.setCurrentIndex(index)
            self.grid.scrollTo(index)
            self.grid.edit(index)

    def _follow_engine(self, state: EngineState) -> None:
        for widget in (self.grid, self.save):
            widget.setEnabled(state.ready)
