"""The sheet that asks what joint limits are built of: joints, clips, resolution and margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.session import Session
from app.session.motions import kept_motions, name_of_motion
from app.style.fonts import scaled
from app.style.sheet import Sheet
from app.style.units import ANGLE, COUNT
from app.style.value_slider import ValueSlider
from engine.commands.build_limits import BuildLimits
from engine.document import Actor
from engine.document.extent import layer_extent
from engine.document.limit import MOST_ANGLES
from engine.document.values import new_id

IdRole = Qt.ItemDataRole.UserRole
NODES, MARGIN = 32.0, 0.1  # usual: along each axis; [rad]
FEWEST, MOST = 8.0, 64.0
HEIGHT, ROW = 220, 22  # [logical px] of a list, and of a line of it


class LimitsSheet(Sheet):
    """Asks; `wish` is the answer."""

    def __init__(
        self,
        parent: QWidget,
        session: Session,
        owner: Actor,
        which_file: Callable[[Callable[[Path], None]], None],
    ) -> None:
        super().__init__(parent, f"Build limits of {owner.name} from clips")
        self.setObjectName("limits")
        self._session, self._owner = session, owner
        self.joints, self.clips = _list("Joints to limit"), _list("Clips")
        self.all, self.none = QPushButton("All"), QPushButton("None")
        self.add = QPushButton("Add a file…")
        self.nodes, self.margin = ValueSlider("Resolution", unit=COUNT), ValueSlider("Margin", unit=ANGLE)
        self.nodes.set_limits(FEWEST, MOST)
        self.margin.set_limits(0.0, math.radians(60.0))
        for slider, usual in ((self.nodes, NODES), (self.margin, MARGIN)):
            slider.set_rest(usual)
            slider.set_value(usual)
        self.nodes.setToolTip("Nodes of the grid along each angle")
        self.margin.setToolTip("What lies this near a pose of the clips is allowed, too")
        self.holes = QCheckBox("Keep holes that the clips leave")
        self.mirrored = QCheckBox("Mirrored, too: what one side does, the other may do")
        self.together = QCheckBox("One limit over all of these joints together, where one depends on the other")
        self.note = QLabel(wordWrap=True)
        self.note.setProperty("quiet", True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setText("Build")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._fill()
        self._arrange()
        self.all.clicked.connect(lambda: self._tick_all(Qt.CheckState.Checked))
        self.none.clicked.connect(lambda: self._tick_all(Qt.CheckState.Unchecked))
        self.add.clicked.connect(lambda: which_file(self.add_file))
        for each in (self.joints, self.clips):
            each.itemChanged.connect(lambda item: self._show())
        self.together.toggled.connect(lambda on: self._show())
        self._show()

    @property
    def command(self) -> BuildLimits:
        """The command as the person chose it."""
        joints = _ticked(self.joints)
        sources = _ticked(self.clips)
        return BuildLimits(
            actor=self._owner.id,
            joints=tuple(str(each) for each in joints),
            actors=tuple(each for each in sources if isinstance(each, str)),
            files=tuple(each for each in sources if isinstance(each, Path)),
            ids=tuple(new_id("limit") for _ in joints),
            nodes=round(self.nodes.value),
            margin=self.margin.value,
            keeps_holes=self.holes.isChecked(),
            mirrored=self.mirrored.isChecked(),
            together=self.together.isChecked(),
        )

    def add_file(self, path: Path) -> None:
        """Add a clip, of a file."""
        known = (self.clips.item(row) for row in range(self.clips.count()))
        same = next((item for item in known if item.data(IdRole) == path), None)
        if same is not None:
            same.setCheckState(Qt.CheckState.Checked)
        else:
            _add(self.clips, path.name, path, ticked=True)
            self._show()

    def _fill(self) -> None:
        figure, selection = self._owner.figure, self._session.selection
        chosen = {item.part for item in selection.items if item.actor == self._owner.id and item.part is not None}
        for joint in figure.joints:
            if any(dof.kind == "hinge" for dof in joint.dofs) and joint.parent is not None:
                _add(self.joints, joint.name, joint.id, ticked=joint.id in chosen or not chosen)
        for actor in self._session.document.actors:
            if any(layer_extent(layer) is not None for layer in actor.layers):
                _add(self.clips, actor.name, actor.id, ticked=actor.id == self._owner.id)
        for path in kept_motions():
            _add(self.clips, name_of_motion(path), path, ticked=False)

    def _show(self) -> None:
        """Say what is missing; Build can be pressed once nothing is."""
        joints, sources = _ticked(self.joints), _ticked(self.clips)
        figure = self._owner.figure
        angles = sum(dof.kind == "hinge" for each in joints for dof in figure.joint(str(each)).dofs)
        together = self.together.isChecked()
        problem = (
            "Tick a joint, or several."
            if not joints
            else "Tick a clip, or add a file of motion."
            if not sources
            else "One limit over joints together is of two and more: tick another."
            if together and len(joints) < 2
            else f"Together these joints have {angles} angles; a limit is over {MOST_ANGLES} at most."
            if together and angles > MOST_ANGLES
            else ""
        )
        count = f"{len(joints)} limit{'s' if len(joints) != 1 else ''}" if not together else "One limit"
        self.note.setText(problem or f"{count}, as one step that can be undone.")
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)
        self.nodes.setEnabled(not together)
        self.holes.setEnabled(not together)

    def _tick_all(self, state: Qt.CheckState) -> None:
        for row in range(self.joints.count()):
            self.joints.item(row).setCheckState(state)

    def _arrange(self) -> None:
        lists = QHBoxLayout()
        lists.setSpacing(16)
        for title, shown, buttons in (
            ("Joints", self.joints, (self.all, self.none)),
            ("Clips", self.clips, (self.add,)),
        ):
            column = QVBoxLayout()
            column.setSpacing(6)
            column.addWidget(QLabel(title))
            column.addWidget(shown)
            line = QHBoxLayout()
            for button in buttons:
                button.setAutoDefault(False)
                line.addWidget(button)
            line.addStretch(1)
            column.addLayout(line)
            lists.addLayout(column)
        self.column.addLayout(lists)
        for each in (self.nodes, self.margin, self.holes, self.mirrored, self.together, self.note, self.buttons):
            self.column.addWidget(each)


def _list(name: str) -> QListWidget:
    found = QListWidget()
    found.setAccessibleName(name)
    found.setMinimumSize(210, HEIGHT)
    return found


def _add(shown: QListWidget, text: str, data: str | Path, *, ticked: bool) -> None:
    item = QListWidgetItem(text)
    item.setData(IdRole, data)
    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    item.setSizeHint(QSize(0, scaled(ROW)))
    item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
    shown.addItem(item)


def _ticked(shown: QListWidget) -> list[str | Path]:
    items = (shown.item(row) for row in range(shown.count()))
    return [item.data(IdRole) for item in items if item.checkState() == Qt.CheckState.Checked]
