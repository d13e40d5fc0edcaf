"""PlanRun: a search for a planned motion, by a process of its own: its iterates as they come, and what is kept of them.

The process may be stopped at any time; the last iterate stays, drawn as shapes at other times, until a person keeps it,
drops it or searches anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app.session.frozen import refusal
from app.session.live_query import LiveQuery, Question
from app.session.long_job import NOT_STARTED, StartChild, start_child
from app.session.scene_job import SceneJob
from app.session.states import JobState
from engine.edits import edit
from engine.soft.goals import SoftPlan
from engine.soft.parts import SoftBody
from engine.soft.queries.plan_told import (
    PlanAbout,
    PlanIterate,
    kept_arguments,
    planned_surfaces,
    read_about,
    read_iterate,
)

if TYPE_CHECKING:
    from app.session import Session
    from engine.document import Document
    from engine.model.snapshot import SkinSurface
    from engine.runtime.child import Message

KEY = "soft-plan"
GHOSTS = "shapes of a plan"  # key of the worker, and whose shapes they are
STOPPED = "Planning was stopped; Keep takes the last motion that was found."
SAID_ONCE = "Planning stopped without a message."


class PlanRun(SceneJob):
    """At most one search at work."""

    told = Signal()  # what is known of the search
    drawn = Signal()  # the shapes of the last iterate

    def __init__(self, session: Session, start: StartChild = start_child) -> None:
        super().__init__(session, session.engine, "search_stage", KEY, start)
        self._session = session
        self.about: PlanAbout | None = None
        self.last: PlanIterate | None = None
        self.objectives: list[float] = []
        self.share = 0.0
        self.problem = ""
        self._is_dropped = False  # whether what the process still says is not wanted any more
        self._query: LiveQuery[tuple[SkinSurface, ...]] = LiveQuery(self, session.engine, GHOSTS, self._take_surfaces)
        session.long_work[KEY] = self.cancel
        session.document_changed.connect(self._follow)
        self.job_changed.connect(self._pass_on)
        self.heard.connect(self._take_message)
        self.ended.connect(self._take_end)

    @property
    def may_plan(self) -> bool:
        """True if a soft body has a keyframe, the engine is ready, and no search is at work."""
        soft = (each for each in self._session.document.actors if each.part(SoftBody) is not None and not each.frozen)
        wanted = any(plan is not None and plan.keyframes for each in soft for plan in (each.part(SoftPlan),))
        return wanted and self._session.engine_state.ready and not self.running

    @property
    def may_keep(self) -> bool:
        """True if a motion was found that is not kept yet."""
        return self.last is not None and self.about is not None

    def plan(self) -> None:
        """Search for the motion that the document wants."""
        if not self.may_plan:
            return
        self._forget()
        self._is_dropped = False
        self.begin("Planning motion", self._session.document, lambda folder: {"system": "soft"})
        self.told.emit()

    def keep(self) -> None:
        """Let splines do what the last iterate does: one entry of the history. A search at work is ended."""
        if self.about is None or self.last is None:
            return
        change = edit("keep_soft_plan", **kept_arguments(self.about, self.last))
        why = refusal(self._session.document, change)
        if why:
            self._session.note("warning", why)
            return
        self.drop()
        self._session.do(change)

    def drop(self) -> None:
        """Forget what was found; a search at work is ended."""
        self._is_dropped = self.running
        self._forget()
        self.cancel()

    def cancel(self) -> None:
        """End the search; the last iterate stays."""
        super().cancel()
        self.told.emit()

    def missed(self, actor: str, time: int) -> float | None:
        """How far a keyframe is missed in the last iterate [m]; None where that knows of none."""
        if self.about is None or self.last is None:
            return None
        found = zip(self.about.keyframes, self.last.missed, strict=True)
        return next((place for key, (place, _) in found if key == (actor, time)), None)

    def close(self) -> bool:
        """End the process; False if it did not end in time."""
        self._query.stop()
        return super().close()

    def _forget(self) -> None:
        self.about = self.last = None
        self.objectives, self.share, self.problem = [], 0.0, ""
        self._query.stop()

    def _follow(self, _: Document, new: Document) -> None:
        """Drop what was found for bodies that are gone, such as those of another document."""
        if self.about is not None and any(
            actor not in new.actor_index for actor, _ in (*self.about.splines, *self.about.forces)
        ):
            self.drop()

    def _pass_on(self, state: JobState) -> None:
        self._session.job_changed.emit(state)

    def _take_message(self, message: Message) -> None:
        if self._is_dropped:
            return
        share = message.get("progress")
        if isinstance(share, int | float):
            self.share = float(share)
        if "plan" in message:
            self.about = read_about(message["plan"])
        elif "iterate" in message:
            self.last = read_iterate(message["iterate"])
            self.objectives.append(self.last.objective)
            self._ask_for_shapes(self.last)
        self.told.emit()

    def _take_end(self, how: str, error: str) -> None:
        self.leave()
        if how == NOT_STARTED:
            self.problem = f"Planning could not be started: {error}"
        elif how == "failed":
            self.problem = error or SAID_ONCE
        if self.problem:
            self.problem = f"{self.problem[:1].upper()}{self.problem[1:].rstrip('.')}."
            self._session.note("error", self.problem)
        elif how == "cancelled" and self.last is not None:
            self._session.note("note", STOPPED)
        self.told.emit()

    def _ask_for_shapes(self, iterate: PlanIterate) -> None:
        evaluator, document = self._session.engine.evaluator, self._session.document
        if evaluator is not None:
            question = Question(
                work=lambda: planned_surfaces(evaluator, document, iterate.shapes), of=(iterate,), needs=("soft",)
            )
            self._query.ask(question)

    def _take_surfaces(self, surfaces: tuple[SkinSurface, ...] | None) -> None:
        times = {} if self.last is None else {actor: list(each.times) for actor, each in self.last.shapes.items()}
        shown = [(times[each.owner].pop(0), each) for each in surfaces or () if times.get(each.owner)]
        self._session.trails.show_beside(GHOSTS, shown)
        self.drawn.emit()
