"""PosesPanel: the pose library: find a pose, apply it, blend towards it, keep the present one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from app.features.poses.grid import PoseGrid
from app.features.poses.library import KeptPose, PoseLibrary
from app.session import Blend, Session
from app.style.icon_button import IconButton
from app.style.picture_list import PictureList
from app.style.picture_panel import PicturePanel


class PosesPanel(PicturePanel[KeptPose]):
    """The poses, put on what is selected by a double click or blended by dragging."""

    title = "Poses"
    nothing_found = "No pose has such a name."
    help_text = (
        "<p>Poses by name, those that come with Sinew first. They are put on the figure that is selected, joint by "
        "joint of the same names.</p>"
        "<p><b>Double-click</b> a picture to apply the pose. <b>Press on it and drag to the right</b> to blend: the "
        "number says how far, beyond 100 % the pose is exaggerated; Escape leaves the figure as it was. The two "
        "switches above exchange left and right, and leave all but the selected joints alone.</p>"
        "<p>The plus keeps the pose that is seen ({pose.save}), with a picture from the view. F2 renames a pose of "
        "your own, Del removes it; Undo brings it back.</p>"
        "<p>{pose.copy} and {pose.paste} carry a pose without the library, also to another window.</p>"
        "<p>A blend by w goes from the pose that is seen to the kept one, and beyond, joint by joint:</p>"
        "<p class='equation'>q = (1 − w) q<sub>seen</sub> + w q<sub>kept</sub></p>"
    )

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        poses = PictureList[KeptPose](_about)
        grid = PoseGrid(poses)
        keep = IconButton("plus", "Keep the present pose", action="pose.save")
        super().__init__(grid, session.of(PoseLibrary), find="Find a pose", keep=keep, parent=parent)
        self._session, self.poses, self.grid = session, poses, grid
        self._blend: Blend | None = None
        keep.clicked.connect(session.of(PoseLibrary).save_present)
        grid.blend_began.connect(self._begin_blend)
        grid.blended.connect(self._blend_to)
        grid.blend_finished.connect(lambda: self._end_blend(keep=True))
        grid.blend_cancelled.connect(lambda: self._end_blend(keep=False))
        session.of(PoseLibrary).changed.connect(self.follow)
        session.of(PoseLibrary).added.connect(self.show_added)
        session.engine_changed.connect(lambda state: self.set_ready(state.ready))
        self.set_ready(session.engine_state.ready)

    def everything(self) -> tuple[KeptPose, ...]:
        """Return all poses."""
        return self._session.of(PoseLibrary).poses

    def has_joints(self) -> bool:
        """True if joints are selected."""
        return self._session.posing.has_joints

    def apply(self, kept: KeptPose, *, mirrored: bool | None = None, on_selected: bool | None = None) -> None:
        """Put a pose on what is selected, as the switches say where nothing else is said."""
        self._session.posing.put(
            kept.pose,
            f"Apply {kept.name}",
            mirrored=self.mirrored.isChecked() if mirrored is None else mirrored,
            on_selected=self.selected_only.isChecked() if on_selected is None else on_selected,
        )

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


def _about(kept: KeptPose) -> str:
    return f"A pose of {kept.pose.figure}. Double-click to apply, drag to the right to blend."
