"""The main window: the picture in the middle, panels around it, and everything connected with the session."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.features.table import FEATURES, make_states
from app.session import FileOutcome, LogEntry, Session
from app.session.trails import Choice
from app.shell.actions import Commands
from app.shell.context_menu import ContextMenu
from app.shell.dock_help import DockHelp
from app.shell.dock_widths import DockWidths
from app.shell.docks import add_docks
from app.shell.draft_frame import AutoKeyFrame, DraftFrame
from app.shell.drops import FileDrops
from app.shell.feature_window import FeatureWindow
from app.shell.files import Files, Questions
from app.shell.keymaps import KEYMAPS, Keymap, Keys, keys_in
from app.shell.lower_area import LowerArea
from app.shell.menus import Menus
from app.shell.open_sheets import Sheets
from app.shell.preferences import Preferences, PreferencesFile
from app.shell.questions import Dialogues
from app.shell.recent import RecentMenu
from app.shell.recent_pictures import RecentPictures
from app.shell.recovery import Recovery
from app.shell.status_line import StatusLine
from app.shell.workspaces import LAYOUT_VERSION, Workspaces, packed, unpacked
from app.style.apply import apply_theme
from app.style.export_button import HasCurves
from app.style.message_bar import MessageBar
from app.style.theme import THEMES, Theme
from app.timeline import Transport

if TYPE_CHECKING:
    from app.scene import Look, Pick, Viewport
    from app.shell.tour import Tour
    from app.tools import ManipulatorTool, Toolbox
    from engine.model import Snapshot

FIRST_SIZE = (1280, 800)
MANIPULATED = {"axes", "snaps", "grid", "angle_step", "length_step"}  # preferences of manipulators
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)


class MainWindow(FeatureWindow):
    """One window on one session, which it closes with itself."""

    painted = Signal()  # once, after the first paint

    def __init__(
        self,
        session: Session,
        *,
        kept: PreferencesFile,
        preferences: Preferences | None = None,
        questions: Questions | None = None,
    ) -> None:
        super().__init__()
        self.session = session
        make_states(session)
        self.preferences = preferences or Preferences()
        self._kept = kept
        self._was_painted = False
        self._for_good = False
        self._close_when_done = False
        self._frames_pictures = False
        self.questions = questions or Dialogues(self)
        self.files = Files(session, self.questions)
        self._recent_pictures: RecentPictures | None = None  # they are taken in the viewport
        self.viewport: Viewport | None = None
        self.toolbox: Toolbox | None = None
        self.manipulators: ManipulatorTool | None = None
        self.tour: Tour | None = None
        self.message = MessageBar(one_line=True)
        self._stage = QStackedWidget()
        self.transport = Transport(session)
        self.setCentralWidget(_column(self._stage, self.transport, stretched=self._stage))
        self.sheets = Sheets(self)
        self.recovery = Recovery(self)
        self.menus = Menus(self.menuBar(), Commands(self), self.keys)
        self.recent = RecentMenu(self.menus.submenu("File", "Open recent", before="file.save"), self.files.open)
        bars = [make(session) for feature in FEATURES for make in feature.bars]
        self.status = StatusLine(session, self.message, *bars)
        self.setStatusBar(self.status)
        self.context_menu = ContextMenu(session, self.menus, self)
        self.places = tuple(dock for feature in FEATURES for dock in feature.docks)
        self.docks = add_docks(self, session, self.places)
        self.dock_widths, self.lower_area = DockWidths(self, self.docks), LowerArea(self, self.docks)
        self.dock_help = DockHelp(self, self.docks, self.sheets.show_help)
        for dock in self.docks.values():
            dock.when_made(self._take_panel)
        self._list_panels()
        self.workspaces = Workspaces(self)
        self._connect()
        for feature in FEATURES:
            if feature.begin is not None:
                feature.begin(self)
        self._take_terms()
        self._take_time()
        self._restore()
        self._show_title()
        self.menus.refresh_soon()

    def add_viewport(self) -> Viewport:
        """Put the viewport into the middle. After the first paint, for it brings numpy and later OpenGL."""
        from app.scene import Viewport

        self.viewport = viewport = Viewport(look=self._look())
        self._stage.addWidget(viewport)
        for show in (viewport.show_snapshot, self._frame_picture, self.status.show_balance):
            self.session.snapshot_ready.connect(show)
        self.session.trails.changed.connect(lambda: viewport.set_trails(self.session.trails.picture))
        viewport.hovered.connect(self._show_hovered)
        viewport.menu_asked.connect(lambda at: self.context_menu.open_at(viewport, at))
        self.toolbox = viewport.tool = self._make_tools(viewport)
        self._recent_pictures = RecentPictures(self.session, viewport)
        self._recent_pictures.prune(self.preferences.recent)
        viewport.drawn.connect(self.status.show_drawn)
        viewport.failed.connect(lambda why: self.session.note("warning", f"There is no 3D picture. {why}"))
        viewport.views_changed.connect(self._take_views)
        viewport.active_changed.connect(lambda view: self.menus.refresh_soon())
        AutoKeyFrame(viewport, self.session)
        DraftFrame(viewport, self.session.posing)
        for feature in FEATURES:
            if feature.draw is not None:
                feature.draw(self, viewport)
        self._take_mouse()
        if self.preferences.views:
            viewport.restore_views(self.preferences.views)
            self._take_views()
        self._take_shown()
        self._show_selection()
        return viewport

    # What others ask of it

    @property
    def view(self) -> Viewport:
        """The viewport, which is there from the first paint on."""
        assert self.viewport is not None, "asked for before the first paint"
        return self.viewport

    def selected_bodies(self) -> frozenset[tuple[str, str]]:
        """Return the bodies of what is selected, each (actor, joint) or (actor, the name that a muscle has there)."""
        bodies: set[tuple[str, str]] = set()
        snapshot = self.session.snapshot
        for item in self.session.selection.items:
            actor = self.session.document.actor(item.actor)
            muscle = None if item.added is None or snapshot is None else snapshot.muscle_part(item.actor, item.added)
            if muscle is not None:
                bodies.add((item.actor, muscle))
            elif item.part is not None:
                bodies.add((item.actor, item.part))
            else:
                bodies.update((item.actor, joint) for joint in actor.figure.joint_index)
        return frozenset(bodies)

    def show_start_page(self) -> None:
        """Show the start page over the middle of the window."""
        from app.shell.start_page import StartPage

        if not any(page.isVisible() for page in self.findChildren(StartPage)):
            StartPage(self)

    def begin_tour(self) -> None:
        """Begin the first scene, in a new document, once nothing can be lost."""
        self.files.when_kept(self._begin_tour)

    def prefer(self, **choices: Any) -> None:
        """Change preferences, show them and keep them."""
        self.preferences = self.preferences.having(**choices)
        if {"theme", "text_scale"} & choices.keys():
            application = QApplication.instance()
            assert isinstance(application, QApplication), "a window has one"
            apply_theme(application, self.theme, text_scale=self.preferences.text_scale)
            self.menus.draw_icons()
        if {"keymap", "keys"} & choices.keys():
            self.menus.set_keys(self.keys)
            self.sheets.refresh()
        if {"extent", "iterations"} & choices.keys():
            self._take_terms()
        self.session.file.earlier = self.preferences.earlier_versions
        if MANIPULATED & choices.keys():
            self._take_manipulated()
            self.menus.refresh_soon()
        self._take_time()
        self._take_mouse()
        if self.viewport is not None:
            self.viewport.set_look(self._look())
        self._take_shown()
        self._keep()

    @property
    def theme(self) -> Theme:
        """The theme that is on."""
        return THEMES[self.preferences.theme]

    @property
    def keymap(self) -> Keymap:
        """The keymap that is on."""
        return KEYMAPS[self.preferences.keymap]

    @property
    def keys(self) -> dict[str, Keys]:
        """The keys of every action."""
        return keys_in(self.keymap, self.preferences.own_keys)

    def remember_action(self, action: str) -> None:
        """Chosen by name: it stands first the next time."""
        self.preferences = self.preferences.with_action(action)
        self._keep()

    def open_or_come_forward(self, path: Path | None) -> None:
        """Come forward for a second start, and open its file."""
        self.setWindowState(self.windowState() & ~self.windowState().WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()
        if path is not None:
            self.files.open(path)

    def close_for_good(self) -> None:
        """Close without asking."""
        self._for_good = True
        self.close()

    # Qt's events

    def event(self, event: QEvent) -> bool:
        """Notice the first paint; leave to a widget that has the keyboard the keys that it needs."""
        kind = event.type()
        if kind == QEvent.Type.Paint and not self._was_painted:
            self._was_painted = True
            QTimer.singleShot(0, self.painted.emit)
        elif kind == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._is_for_widget(event):
                event.accept()
                return True
            self.menus.catch_up()  # Qt looks next whether the action of these keys can be done
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button that has the keyboard by Enter, since Space plays."""
        widget = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(widget, QAbstractButton):
            widget.click()
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about exports and changes first; end the engine last."""
        if not self._for_good and any(asks() for asks in self._asks_before):
            event.ignore()
            return
        if not self._for_good and (self._is_writing or self.session.dirty):
            event.ignore()
            if self._is_writing:
                self._close_when_done = True
                if self.session.exchange.saving:
                    self.message.say("The file is being written. Sinew closes as soon as it is read back.")
            else:
                self.files.when_kept(self._close_when_answered)
            return
        self._keep()
        self.hide()
        for end in self._ends:
            end()
        if not self.session.close():
            print("Sinew: the engine did not end in time", flush=True)
        super().closeEvent(event)

    def _close_when_answered(self) -> None:
        self.session.recovering.is_answered = True
        QTimer.singleShot(0, self.close_for_good)

    @property
    def _is_writing(self) -> bool:
        """True if something is being saved or kept that would be lost."""
        return self.session.exchange.saving or any(is_busy() for is_busy in self._busy)

    def _is_for_widget(self, event: QKeyEvent) -> bool:
        widget = self.focusWidget()
        if event.key() in ARROWS and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return isinstance(widget, QAbstractItemView | QComboBox)
        if event.key() == Qt.Key.Key_Tab and widget is not None and self.viewport is not None:
            return not self.viewport.isAncestorOf(widget)
        return False

    # How it is connected

    def _connect(self) -> None:
        session = self.session
        session.selection_changed.connect(self._show_selection)
        session.document_changed.connect(lambda old, new: self._outline_selection())
        session.document_changed.connect(lambda old, new: self.message.outlive())
        session.history_changed.connect(self.menus.refresh_soon)
        session.posing.changed.connect(self.menus.refresh_soon)
        session.posing.set_auto_key(self.preferences.auto_key)
        session.posing.changed.connect(self._keep_auto_key)
        session.engine_changed.connect(lambda state: self.menus.refresh_soon())
        session.editing_changed.connect(lambda actor: self.menus.refresh_soon())
        session.saved_changed.connect(lambda path, dirty: self._show_title())
        session.file.earlier = self.preferences.earlier_versions
        session.logged.connect(self._show_error)
        session.retracted.connect(self._take_back)
        session.filed.connect(self._close_if_wanted)
        session.filed.connect(self._frame_what_was_opened)
        session.begun.connect(self._look_anew)
        self.files.used.connect(self._remember)
        self.files.imports.remembered = self.preferences.imports
        self.files.imports.remembered_changed.connect(lambda choices: self.prefer(imports=choices))

    def _take_panel(self, panel: QWidget) -> None:
        """Connect a panel that was just made with what the window does for it."""
        menu = getattr(panel, "menu_asked", None)  # of a panel that shows what menus are about
        if menu is not None:
            menu.connect(self.context_menu.fill)
        reported = getattr(panel, "reported", None)  # of a panel that says what it did
        if reported is not None:
            reported.connect(lambda text: self.status.pointer.set_text(text, tip=""))
        acted = getattr(panel, "action_asked", None)  # of a panel with a bar of actions
        if acted is not None:
            acted.connect(lambda id: self.menus.actions[id].trigger())
        wanted = getattr(panel, "export_asked", None)  # of a panel of curves
        if wanted is not None:
            wanted.connect(partial(self.files.export_curves, cast(HasCurves, panel)))

    def _begin_tour(self) -> None:
        from app.shell.tour import Tour

        before = self.session.history

        def begin(*_: object) -> None:
            if self.session.history is before or not self.session.document.actors:
                return  # an edit that the new document waited for
            self.session.document_changed.disconnect(begin)
            self.tour = Tour(self)
            self.tour.ended.connect(end)
            self.menus.refresh_soon()

        def end() -> None:
            self.tour = None
            self.menus.refresh_soon()

        if self.tour is not None:
            self.tour.end()
        self.session.document_changed.connect(begin)
        self.session.new()

    def _list_panels(self) -> None:
        shown = self.menus.submenu("View", "Panels")
        drops = FileDrops(self, self.files.open_all)
        shown.addSeparator()
        for dock in self.docks.values():
            shown.addAction(dock.toggleViewAction())
            drops.watch(dock)

    def _make_tools(self, viewport: Viewport) -> Toolbox:
        from app.shell.tool_belt import make_tools

        self._belt = belt = make_tools(self.session, viewport, self.tell)
        self.manipulators = belt.manipulators
        belt.toolbox.changed.connect(lambda name: self.menus.refresh_soon())
        self._take_manipulated()
        return belt.toolbox

    def _show_selection(self, *_: object) -> None:
        self._outline_selection()
        self.menus.refresh_soon()

    def _outline_selection(self) -> None:
        if self.viewport is not None:
            self.viewport.set_selection(self.selected_bodies())

    def _take_shown(self) -> None:
        trails, kept = self.session.trails, self.preferences
        self.session.want_balance(kept.show_balance or kept.show_contacts)
        for feature in FEATURES:
            if feature.show is not None:
                feature.show(self)
        trails.choose(
            Choice(
                trails=kept.show_trails,
                onions=kept.show_onions,
                everyone=kept.times_of_all,
                around=kept.trail_frames if kept.trail_short else None,
                before=kept.onions_before,
                after=kept.onions_after,
                step=kept.onions_step,
                by="keys" if kept.onions_by == "keys" else "frames",
            )
        )

    def _take_time(self) -> None:
        player, kept = self.session.player, self.preferences
        self.session.clock.count_in_seconds(kept.seconds)
        if kept.every_frame != player.every_frame:
            player.set_every_frame(kept.every_frame)

    def _take_mouse(self) -> None:
        if self.viewport is not None:
            from app.scene.navigation import MICE

            self.viewport.mouse = MICE[self.preferences.keymap]

    def _take_terms(self) -> None:
        reaching, chosen = self.session.reaching, self.preferences
        reaching.set_terms(replace(reaching.terms, extent=chosen.extent, iterations=chosen.iterations))  # type: ignore[arg-type]

    def _keep_auto_key(self) -> None:
        if self.session.posing.auto_key != self.preferences.auto_key:
            self.preferences = replace(self.preferences, auto_key=self.session.posing.auto_key)
            self._keep()

    def _take_manipulated(self) -> None:
        from app.tools import ManipulatorSettings

        chosen = self.preferences
        if self.manipulators is not None:
            self.manipulators.set(
                ManipulatorSettings(
                    axes=chosen.axes,  # type: ignore[arg-type]
                    snaps=chosen.snaps,
                    grid=chosen.grid,  # type: ignore[arg-type]
                    angle_step=math.radians(chosen.angle_step),
                    length_step=chosen.length_step / 100.0,
                )
            )

    def _take_views(self) -> None:
        self.session.want_skins(self.view.shows_skins)
        self.menus.refresh_soon()

    def _show_hovered(self, pick: Pick | None) -> None:
        self.status.pointer.set_text("" if pick is None else self._name_of(pick), tip="")

    def _name_of(self, pick: Pick) -> str:
        if pick.owner not in self.session.document.actor_index:
            return ""
        actor = self.session.document.actor(pick.owner)
        if pick.added is not None:
            names = (part.name_of(pick.added) for part in actor.parts)
            return " · ".join(filter(None, (next(filter(None, names), None), actor.name)))
        if actor.figure.is_prop or pick.part not in actor.figure.joint_index:
            return actor.name
        texts = (words(pick.owner, pick.keyed) for words in self._words)
        return " · ".join(filter(None, (actor.figure.joint(pick.part).name, actor.name, *texts)))

    def _show_error(self, entry: LogEntry) -> None:
        if entry.kind in ("warning", "error"):
            self.message.say(entry.text, kind=entry.kind)

    def _take_back(self, text: str) -> None:
        if self.message.text == text:
            self.message.dismiss()

    def _close_if_wanted(self) -> None:
        if self._close_when_done and not self._is_writing:
            self._close_when_done = False
            QTimer.singleShot(0, self.close)

    def _show_title(self) -> None:
        kind = " (read-only)" if self.session.file.protected else ""
        self.setWindowTitle(f"{self.files.name}{kind}[*] – Sinew")
        self.setWindowModified(self.session.dirty)

    def _frame_what_was_opened(self, outcome: FileOutcome) -> None:
        """Captures start anywhere: what was opened is brought into view until its first picture that is not at rest."""
        began = outcome.kind in ("open", "example", "recover", "salvage") and outcome.went_well
        if began and outcome.kind == "salvage":
            self.message.dismiss()  # that the file is damaged: by now it was answered
        if began and self.viewport is not None:
            self._frames_pictures = True

    def _look_anew(self) -> None:
        """Show what begins without a file as a new scene is seen, not from where the one before was looked at."""
        if self.session.path is None and not self.session.dirty and self.viewport is not None:
            self.viewport.look_as_at_first()

    def _frame_picture(self, snapshot: Snapshot) -> None:
        if self._frames_pictures:
            self._frames_pictures = snapshot.state == "rest"
            self.view.frame()

    def _remember(self, path: Path) -> None:
        self.message.dismiss()
        self._list_recent(self.preferences.with_recent(path))
        if self._recent_pictures is not None:
            self._recent_pictures.want(path)

    def forget_recent(self, path: Path) -> None:
        """Take a file off the list."""
        self._list_recent(self.preferences.without_recent(path))

    def _list_recent(self, preferences: Preferences) -> None:
        self.preferences = preferences
        self.recent.show_paths(preferences.recent)
        if self._recent_pictures is not None:
            self._recent_pictures.prune(preferences.recent)
        self._keep()

    # What is remembered

    def _look(self) -> Look:
        from app.scene import Look

        theme, kept = THEMES[self.preferences.theme], self.preferences
        colours = {name: theme.token(name) for name in THEME_COLOURS}
        shown = {"show_balance": kept.show_balance, "show_contacts": kept.show_contacts}
        return Look(**colours, **shown, anti_aliasing=kept.anti_aliasing, shadows=kept.shadows)  # type: ignore[arg-type]

    def _keep(self) -> None:
        self.preferences = replace(
            self.preferences,
            geometry=packed(self.saveGeometry()),
            docks=packed(self.saveState(LAYOUT_VERSION)),
            views=self.preferences.views if self.viewport is None else self.viewport.save_views(),
        )
        warning = self._kept.write(self.preferences)
        if warning:
            self.session.note("warning", warning)

    def _restore(self) -> None:
        kept = self.preferences
        self.resize(QSize(*FIRST_SIZE).boundedTo(self.screen().availableGeometry().size()))
        if kept.geometry:
            self.restoreGeometry(unpacked(kept.geometry))
        self.workspaces.restore(kept.docks)
        self.recent.show_paths(kept.recent)


THEME_COLOURS = (
    "window", "text", "text_quiet", "raised", "line", "accent", "warning",
    "view_top", "view_bottom", "grid", "axis_x", "axis_y", "axis_z",
)  # fmt: skip


def _column(*widgets: QWidget, stretched: QWidget) -> QWidget:
    column = QWidget()
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for widget in widgets:
        layout.addWidget(widget)
    layout.setStretchFactor(stretched, 1)
    return column
