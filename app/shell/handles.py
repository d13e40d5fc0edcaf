"""Handles: the marks of the chosen figures in the viewport, and what the mouse does to them, told to the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session import Grip, Session

if TYPE_CHECKING:
    from app.scene import Mark, Viewport
    from app.shell.status_line import StatusLine
    from engine.document import Handle
    from engine.document.values import Vector3


class Handles(QObject):
    """Between one viewport and one session."""

    def __init__(self, session: Session, viewport: Viewport, status: StatusLine) -> None:
        super().__init__(viewport)
        self._session, self._reaching, self._viewport, self._status = session, session.reaching, viewport, status
        viewport.mark_taken.connect(lambda mark: self._reaching.pull(_grip(mark)))
        viewport.mark_moved.connect(self._reaching.move)  # the goal is shown with its answer: one picture a move
        viewport.mark_released.connect(self._reaching.let_go)
        viewport.mark_dropped.connect(self._reaching.cancel)
        viewport.mark_clicked.connect(lambda mark: self._reaching.toggle_held(_grip(mark)))
        viewport.mark_hovered.connect(self._tell)
        for news in (session.selection_changed, session.document_changed, session.engine_changed):
            news.connect(self._show)
        self._reaching.changed.connect(self._show)
        self._reaching.answered.connect(self._show)
        self._show()

    def _show(self, *_: object) -> None:
        reaching, document = self._reaching, self._session.document
        chosen = dict.fromkeys(item.actor for item in self._session.selection.items) if reaching.ready else {}
        marks = (self._mark(actor, handle) for actor in chosen for handle in document.actor(actor).figure.handles)
        self._viewport.set_marks(tuple(marks))

    def _mark(self, actor: str, handle: Handle) -> Mark:
        from app.scene import Mark

        grip, reaching = Grip(actor, handle.id), self._reaching
        goal, missed = self._goal(grip)
        return Mark(
            owner=actor,
            id=handle.id,
            name=handle.name,
            part=handle.joint,
            point=handle.point,
            held=grip in reaching.held,
            pulled=grip == reaching.pulled,
            goal=goal,
            missed=missed,
        )

    def _goal(self, grip: Grip) -> tuple[Vector3 | None, str]:
        """Where a handle is wanted while one is pulled, and by how much it misses that in the picture that is shown."""
        reaching, last = self._reaching, self._reaching.reached
        if reaching.pulled is None or reaching.pulled.actor != grip.actor:
            return None, ""
        goal = reaching.goal if grip == reaching.pulled else None
        if last is None or last.request.drag != reaching.drag:
            return goal, ""
        grips = (reaching.pulled, *reaching.held_beside(reaching.pulled))
        if grip not in grips:
            return goal, ""
        place = grips.index(grip)
        missed, wanted = last.outcome.report.missed[place], last.goals[place]
        return goal or getattr(wanted, "target", None), "" if missed.reached else missed.text

    def _tell(self, mark: Mark | None) -> None:
        if mark is None:
            self._status.pointer.set_text("", tip="")
            return
        click = "click to let it go" if mark.held else "click to hold it in place"
        self._status.pointer.set_text(f"{mark.name} · drag to reach, {click}", tip="")


def _grip(mark: Mark) -> Grip:
    return Grip(mark.owner, mark.id)
