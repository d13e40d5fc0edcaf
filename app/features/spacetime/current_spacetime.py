"""CurrentSpacetime: the planned motion that a person works on, the search for it, and what it has come to.

The problem is that of the actor that was selected last; where none is selected, of the first that has one, else of the
only figure. The search is one job of the engine's thread, an iteration at a time. What it found stays to be seen when
the problem changes; with `live` it is searched for anew then, from where it was, also while something is dragged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.session.engine_link import describe
from app.session.following import follow_parts
from app.session.live_query import LiveQuery, Question
from app.session.states import JobState
from engine.document import Actor
from engine.document.motion import ticks_per_frame
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import new_id
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.commands.keep_motion import KeepMotion
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeForce,
    SpacetimeMeeting,
    SpacetimeStage,
)
from engine.spacetime.queries.check_motion import check_motion
from engine.spacetime.queries.coupled_plans import Plans, coupled_plans
from engine.spacetime.queries.find_motion import (
    MotionFound,
    MotionUnderway,
    MotionWanted,
    find_motion,
)
from engine.spacetime.queries.seen_motion import MotionMiss, SeenMotion, StageSpan

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Document

SEARCH, CHECK = "spacetime", "spacetime check"  # keys of the worker
NEEDS = ("spacetime",)
SHOWN_AFTER = 500  # [ms] from which a search is told of in the status line
CHECKED_AFTER = 250  # [ms] without a change, after which what cannot be is worked out
REPLACED_AFTER = 0.4  # [s] from which a search is not ended first when the problem changes again
STOPPED = "Stopped. The motion as far as it had come is shown: keep it, or go on from it."
CHANGED = "The problem has changed since this motion was found."


@dataclass(frozen=True, eq=False)
class Come:
    """Holds what a search has come to."""

    iterates: tuple[SeenMotion, ...] = ()
    minima: tuple[SeenMotion, ...] = ()
    shown: SeenMotion | None = None
    report: str = ""
    problem: Plans | None = None  # that it was searched for
    good: SeenMotion | None = None  # the last one that met all demands

    @property
    def solved(self) -> bool:
        """True if the best motion that was found meets all demands."""
        return bool(self.minima) and self.minima[0].state == "solved"

    def of(self, actor: str) -> Come | None:
        """Give that of another actor that was searched for with this one; None where it was not."""

        def all_of(motions: tuple[SeenMotion, ...]) -> tuple[SeenMotion, ...]:
            return tuple(each.together[actor] for each in motions if actor in each.together)

        shown, good = (None if each is None else each.together.get(actor) for each in (self.shown, self.good))
        if shown is None:
            return None
        return replace(self, iterates=all_of(self.iterates), minima=all_of(self.minima), shown=shown, good=good)


NOTHING = Come()


def _asked_of(plans: Plans) -> Plans:
    """Plans but for what keeping their motions sets: the layer, and from where free lengths are searched."""
    found = []
    for id, part in plans:
        stages = tuple(replace(each, length=each.lengths[0]) for each in part.stages)
        found.append((id, replace(part, layer=None, stages=stages)))
    return tuple(found)


class CurrentSpacetime(QObject):
    """The planned motion that is worked on."""

    changed = Signal()  # the actor, its problem, what is chosen of it
    iterated = Signal()  # another motion is shown: an iterate, a result, one that a person looks at
    ended = Signal()  # a search has ended, was stopped, or could not be begun

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.live = True  # whether what is found is found anew after each change of the problem
        self.begins_present = False  # whether a search begins with the motion that the actor has
        self.running = False
        self.words: tuple[str, ...] = ()  # what of the problem cannot be, before any search
        self._come: dict[str, Come] = {}  # by actor
        self._kept: dict[SeenMotion, str] = {}  # layers that motions were made last
        self._chosen: str | None = None
        self._asked: tuple[str, Plans] | None = None  # whose search goes on, and for which problem
        self.clock: Callable[[], float] = perf_counter
        self._since = 0.0  # [s] of the clock, when the search that goes on has begun
        self._again = False  # whether that search begins at what was found
        self._is_told = False  # whether the status line tells of it
        self._told = QTimer(self, singleShot=True, interval=SHOWN_AFTER)
        self._told.timeout.connect(lambda: self._tell_job(running=True))
        self._query = LiveQuery(self, session.engine, SEARCH, self._take, refuse=self._refuse)
        self._check = LiveQuery(self, session.engine, CHECK, self._take_words, late=False)
        self._check_soon = QTimer(self, singleShot=True, interval=CHECKED_AFTER)
        self._check_soon.timeout.connect(self.check)
        self.ended.connect(self._check_soon.start)
        self._watched = False
        session.long_work[SEARCH] = self.stop
        follow_parts(session, Spacetime, self._follow)
        session.engine_changed.connect(self._follow)
        session.begun.connect(self._forget)

    # What is worked on

    @property
    def actor(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            return document.actor(active.actor)
        figures = [each for each in document.actors if not each.figure.is_prop]
        only = figures[0] if len(figures) == 1 else None
        return next((each for each in document.actors if each.part(Spacetime) is not None), only)

    @property
    def part(self) -> Spacetime | None:
        """Its problem."""
        actor = self.actor
        return None if actor is None else actor.part(Spacetime)

    @property
    def plans(self) -> Plans:
        """Its problem, and those of the actors that it meets, and that they meet in turn, by their ids."""
        actor = self.actor
        return () if actor is None or actor.part(Spacetime) is None else coupled_plans(self._session.shown, actor.id)

    @property
    def may_change(self) -> bool:
        """True if it has a problem and is not frozen."""
        actor = self.actor
        return actor is not None and not actor.frozen and actor.part(Spacetime) is not None

    @property
    def chosen(self) -> str | None:
        """The id of the stage, constraint or meeting that is chosen, if the problem has it."""
        part = self.part
        return self._chosen if part is not None and self._chosen is not None and part.holds(self._chosen) else None

    @property
    def stage(self) -> SpacetimeStage | None:
        """The stage that is chosen, or whose constraint or meeting is; the first where nothing is."""
        part, demanded = self.part, self.constraint or self.meeting
        if part is None:
            return None
        meant = self.chosen if demanded is None else demanded.stage
        return next((each for each in part.stages if each.id == meant), part.stages[0])

    @property
    def constraint(self) -> SpacetimeConstraint | None:
        """The constraint that is chosen."""
        part = self.part
        return None if part is None else next((each for each in part.constraints if each.id == self._chosen), None)

    @property
    def force(self) -> SpacetimeForce | None:
        """The force or blow that is chosen."""
        part = self.part
        return None if part is None else next((each for each in part.forces if each.id == self._chosen), None)

    @property
    def meeting(self) -> SpacetimeMeeting | None:
        """The meeting that is chosen."""
        part = self.part
        return None if part is None else next((each for each in part.meetings if each.id == self._chosen), None)

    def choose(self, id: str | None) -> None:
        """Choose a stage, a constraint or a meeting, or nothing."""
        if id != self._chosen:
            self._chosen = id
            self.changed.emit()

    # What was found

    @property
    def come(self) -> Come:
        """The outcome of the search for the motion of the actor that is meant."""
        actor = self.actor
        return NOTHING if actor is None or actor.part(Spacetime) is None else self._come.get(actor.id, NOTHING)

    @property
    def motion(self) -> SeenMotion | None:
        """The motion that is shown: the newest iterate, the result, or the one that a person picked."""
        return self.come.shown

    @property
    def iterates(self) -> tuple[SeenMotion, ...]:
        """All iterates of the last search, in order."""
        return self.come.iterates

    @property
    def minima(self) -> tuple[SeenMotion, ...]:
        """The motions that the last search ended in, the best first."""
        return self.come.minima

    @property
    def misses(self) -> tuple[MotionMiss, ...]:
        """The demands that the motion that is shown misses most."""
        return () if self.motion is None else self.motion.misses

    @property
    def is_stale(self) -> bool:
        """True if the problem has changed since the motion was searched for."""
        come, plans = self.come, self.plans
        if come.shown is None or come.problem == plans:
            return False
        return come.problem is None or _asked_of(come.problem) != _asked_of(plans)

    @property
    def report(self) -> str:
        """Say how the search ended, in words."""
        return CHANGED if self.is_stale and not self.running else self.come.report

    def show(self, motion: SeenMotion) -> None:
        """Look at one of the iterates or minima."""
        actor = self.actor
        if actor is not None and motion.actor == actor.id and motion is not self.come.shown:
            self._put(actor.id, replace(self.come, shown=motion))
            self.iterated.emit()

    def motion_of(self, actor: str) -> SeenMotion | None:
        """The motion of an actor that is shown: of the one that is meant, or of one that it was searched for with."""
        motion = self.motion
        return motion if motion is None or motion.actor == actor else motion.together.get(actor)

    @property
    def found(self) -> tuple[SeenMotion, ...]:
        """The motions that are shown, of all actors, but for those that are kept."""
        document = self._session.shown
        shown = (each.shown for id, each in self._come.items() if id in document.actor_index)
        return tuple(each for each in shown if each is not None and not self._is_kept(each, document))

    def _is_kept(self, motion: SeenMotion, document: Document) -> bool:
        actor, layer = document.actor(motion.actor), self._kept.get(motion)
        part = actor.part(Spacetime)
        return part is not None and part.layer == layer and any(each.id == layer for each in actor.layers)

    def _put(self, actor: str, come: Come) -> None:
        """Hold what a search has come to, for each actor that it is of."""
        self._come[actor] = come
        for other in () if come.shown is None else come.shown.others:
            found = come.of(other.actor)
            if found is not None:
                self._come[other.actor] = found

    # Where in time it is

    @property
    def spans(self) -> tuple[StageSpan, ...]:
        """The stages as long as they are in the motion that is shown; else as they are first guessed."""
        part, motion = self.part, self.motion
        if part is None:
            return ()
        lengths = {each.id: each.length for each in part.stages}
        if motion is not None and not self.is_stale:
            lengths |= {each.stage: each.length for each in motion.stages}
        begins, found = 0.0, []
        for stage in part.stages:
            found.append(StageSpan(stage=stage.id, begins=begins, length=lengths[stage.id]))
            begins += lengths[stage.id]
        return tuple(found)

    def place_at(self, tick: int) -> tuple[str, float] | None:
        """The stage at a tick, and which share of it has passed; None outside of the motion. Where two stages meet it
        is the later one; within half a frame of a border, the border."""
        part, spans = self.part, self.spans
        if part is None:
            return None
        time, half = (tick - part.start) / TICKS_PER_SECOND, 0.5 * self._frame
        if not -half <= time <= spans[-1].ends + half:
            return None
        near = next((each for each in reversed(spans) if time >= each.begins - half), spans[0])
        left = (time - near.begins) / near.length
        if left * near.length >= near.length - half:
            return near.stage, 1.0
        return near.stage, left if left * near.length > half else 0.0

    def tick_of(self, stage: str, share: float) -> int:
        """The tick of a share of a stage."""
        part, span = self.part, next(each for each in self.spans if each.stage == stage)
        assert part is not None, "it has the stage"
        return part.start + round((span.begins + share * span.length) * TICKS_PER_SECOND)

    @property
    def _frame(self) -> float:
        return ticks_per_frame(self._session.document.rate) / TICKS_PER_SECOND

    # What is done

    def run(self, *, compare: bool = False) -> None:
        """Search for the motion; from several guesses where minima are to be compared."""
        actor, part = self.actor, self.part
        if actor is None or part is None or not self._session.is_ready("A search"):
            return
        self._end()
        self._ask(actor, MotionWanted(actor=actor.id, present=self.begins_present, compare=compare))
        self.iterated.emit()

    def stop(self) -> None:
        """End the search; the last iterate stays."""
        if not self.running:
            return
        asked = self._asked
        self._end()
        if asked is not None and asked[0] in self._come:
            self._put(asked[0], replace(self._come[asked[0]], report=STOPPED))
        self.iterated.emit()
        self.ended.emit()

    def keep(self) -> None:
        """Make the motion that is shown a layer of the actor, with its torques."""
        motion = self.motion
        if motion is not None:
            ids = {"id": new_id("layer"), "curves": new_id("torques")}
            command = KeepMotion(actor=motion.actor, motion=motion, **ids)
            self._kept = {each: layer for each, layer, _ in command.made()}
            self._session.work_out(command)

    def set_live(self, live: bool) -> None:
        """Find the motion anew after each change from now on, or when it is asked for alone."""
        if live != self.live:
            self.live = live
            self.changed.emit()
            self._follow()

    def begin_present(self, present: bool) -> None:
        """Begin a search with the motion that the actor has from now on, or with a straight line between its poses."""
        self.begins_present = present
        self.changed.emit()

    def watch(self, watched: bool) -> None:
        """Say whether somebody sees what of the problem cannot be."""
        if watched != self._watched:
            self._watched = watched
            self._follow()

    def check(self) -> None:
        """Ask what of the problem cannot be; not while it is dragged, nor while its motion is searched for."""
        session, actor, part = self._session, self.actor, self.part
        may = self._watched and not self.running and session.shown is session.document
        if actor is not None and part is not None and may and session.engine.evaluator is not None:
            self._check.follow(self._question(lambda document: check_motion(document, actor.id), actor))

    # How it is done

    def _follow(self, *_: object) -> None:
        actor, part = self.actor, self.part
        for id in [id for id in self._come if not self._is_planned(id)]:
            del self._come[id]
        if self._asked is not None and not self._is_planned(self._asked[0]):
            self.stop()
        self.changed.emit()
        if actor is None or part is None:
            self._check.stop()
            return
        if self.live and self.is_stale and self._session.engine.evaluator is not None:
            self._ask_again(actor)
        elif self._watched:
            self._check_soon.start()

    def _is_planned(self, id: str) -> bool:
        document = self._session.shown
        return id in document.actor_index and document.actor(id).part(Spacetime) is not None

    def _ask_again(self, actor: Actor) -> None:
        """Search from what was found; a longer search for the problem as it was before is ended for it."""
        come = self.come
        if self._asked is not None and self._asked[1] == self.plans:
            return
        if self.running and not self._again:
            self._end()
        elif self.running and self.clock() - self._since > REPLACED_AFTER:
            self._query.stop()
        begin = come.shown if come.shown in come.minima and come.solved else come.good or come.shown
        self._ask(actor, MotionWanted(actor=actor.id, earlier=begin))
        self._again = True

    def _ask(self, actor: Actor, wanted: MotionWanted) -> None:
        self._asked, self._again = (actor.id, self.plans), False
        if not self.running:
            self.running = True
            self._told.start()
        if self._query.question is None:
            self._since = self.clock()
        self._query.ask(self._question(lambda document: find_motion(document, wanted), actor))

    def _question(self, work: Callable[[Document], object], actor: Actor) -> Question[object]:
        document, of = self._session.shown, list[object]()
        for id, part in self.plans:
            each = document.actor(id)
            of += (part, each.figure, each.placement)
        return Question(
            work=lambda: work(document),  # type: ignore[arg-type, return-value]
            of=tuple(of),
            about=actor.id,
            needs=NEEDS,
        )

    def _end(self) -> None:
        self._query.stop()
        self.running, self._asked, self._again = False, None, False
        self._told.stop()
        self._tell_job(running=False)

    def _take(self, found: object) -> None:
        if self._asked is None:
            return
        id, plans = self._asked
        before = self._come.get(id, NOTHING)
        if isinstance(found, MotionUnderway):
            if found.iterates and not self._again:
                last, good = found.iterates[-1], before.good
                self._put(id, Come(found.iterates, shown=last, problem=found.problem, good=good))
                self.iterated.emit()
        elif isinstance(found, MotionFound):
            self._since = self.clock()  # from when on one that waited is searched
            best = found.minima[0]
            good = best if best.state == "solved" else before.good
            self._put(id, Come(found.iterates, found.minima, best, found.report, found.problem, good))
            if found.problem == plans:
                self._end()
            self.iterated.emit()
            self.ended.emit()
            if self.live and self.is_stale and not self.running:
                self._follow()  # the problem has changed before there was anything to begin with

    def _refuse(self, problem: BaseException) -> None:
        if self._asked is not None:
            id, plans = self._asked
            come = self._come.get(id, NOTHING)
            self._put(id, replace(come, minima=(), report=describe(problem), problem=plans))
            self._end()
            self.iterated.emit()
            self.ended.emit()

    def _take_words(self, words: object) -> None:
        found = words if isinstance(words, tuple) else ()
        if found != self.words:
            self.words = found
            self.changed.emit()

    def _tell_job(self, *, running: bool) -> None:
        if running or self._is_told:
            actor, self._is_told = self.actor, running
            text = f"Finding the motion of {actor.name}" if running and actor is not None else ""
            self._session.job_changed.emit(JobState(name=SEARCH, text=text, running=running))

    def _forget(self) -> None:
        self._end()
        self._come, self._kept, self._chosen, self.words = {}, {}, None, ()
        self.changed.emit()
        self.iterated.emit()
        self._check.forget()
        if self._watched:
            self._check_soon.start()
