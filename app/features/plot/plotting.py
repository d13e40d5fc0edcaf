"""Plotting: the curves that a session shows, worked out on the engine's thread as the rest allows.

A person chooses sorts of quantities (`Sort`); each stands for the curves of whatever is selected: of a joint its
coordinates, its origin and its handles; of an actor those of its root, all of its handles, its mass and its residual;
of a muscle or a measured force its own.
Curves that are
kept stay when something else is selected. Nothing is asked for while nobody watches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.found_curves import FoundCurve, FoundCurves
from app.session.live_query import LiveQuery, Question
from engine.document import Actor, Document
from engine.document.extent import play_extent
from engine.measure import KINDS, Kind, Quantity, has_rate, parts_of
from engine.queries.needs import needs_of_plot
from engine.queries.plots import MOST_SERIES, PlotWanted
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.measure.series import Plot as Plot
    from engine.measure.series import Series as Series

KEY = "plot"  # of the worker


@dataclass(frozen=True)
class Sort:
    """One sort of quantity, whatever it will be of."""

    kind: str
    component: str = ""
    handle: bool = False  # of handles, not of joints' origins

    @property
    def name(self) -> str:
        """The name under which it is kept."""
        return f"{'handle ' if self.handle else ''}{self.kind}{self.component and '.'}{self.component}"

    @property
    def about(self) -> Kind:
        """The kind of the quantity: of what it is one, and how it is found."""
        return KINDS[self.kind]

    def of(self, actor: Actor, joint: str | None, added: str = "") -> Iterator[Quantity]:
        """List those quantities of a joint, or of a whole actor, that there are; where one muscle, or what else is
        `added` to an actor, is chosen, those of it alone."""
        place = actor.figure.joint(joint or actor.figure.joints[0].id)
        if self.about.of == "coordinate":
            for dof in place.dofs:
                field = dof.id in actor.figure.limited
                fits = {
                    "margin": field or dof.lower is not None or dof.upper is not None,
                    "resistance": field,
                    "anatomical": dof.kind == "hinge",
                    "spring": dof.spring > 0.0,
                }
                if fits.get(self.kind, True):
                    for each in dof.coordinates:
                        if not self.about.of_forces or has_rate(dof, each):
                            yield Quantity(kind=self.kind, actor=actor.id, part=each)
        elif self.about.of == "system":
            parts = parts_of(self.kind, actor)
            if added in parts:
                parts = (added,)
            elif joint is not None and place.parent is not None:
                parts = ()
            for part in parts:
                yield Quantity(kind=self.kind, actor=actor.id, part=part, component=self.component)
        elif self.about.of == "figure":
            yield Quantity(kind=self.kind, actor=actor.id, component=self.component)
        elif self.handle:
            for handle in actor.figure.handles:
                if joint in (None, handle.joint):
                    yield Quantity(
                        kind=self.kind, actor=actor.id, part=handle.id, handle=True, component=self.component
                    )
        else:
            yield Quantity(kind=self.kind, actor=actor.id, part=place.id, component=self.component)


def _sorts() -> Iterator[Sort]:
    for name, kind in KINDS.items():
        for component in kind.components or ("",):
            yield Sort(name, component)
    for name, kind in KINDS.items():
        if kind.of == "point":
            for component in kind.components:
                yield Sort(name, component, handle=True)


SORTS: dict[str, Sort] = {each.name: each for each in _sorts()}
USUAL = ("value",)  # chosen until a person chooses


class Plotting(QObject):
    """The curves that a session shows against time."""

    changed = Signal()  # the plot
    chosen_changed = Signal()  # what a person wants to see: sorts, or what is kept

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._watched = False
        self._query = LiveQuery(self, session.engine, KEY, self._take)
        self.chosen: tuple[str, ...] = USUAL  # names of sorts
        self.kept: tuple[Quantity, ...] = ()
        self.plot: Plot | None = None
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(self._follow)
        session.engine_changed.connect(self._follow)
        session.of(FoundCurves).changed.connect(self.changed)
        session.charted = self.quantities

    # What a person wants

    def watch(self, watched: bool) -> None:
        """Follow the session while a panel shows the plot."""
        if watched != self._watched:
            self._watched = watched
            self._follow()

    def choose(self, names: Iterable[str]) -> None:
        """See these sorts of quantities and no others; those that there are not are left out."""
        chosen = tuple(each for each in dict.fromkeys(names) if each in SORTS)
        if chosen != self.chosen:
            self.chosen = chosen
            self._change()

    def toggle(self, name: str) -> None:
        """See one more sort, or one less."""
        others = tuple(each for each in self.chosen if each != name)
        self.choose(others if name in self.chosen else (*others, name))

    def keep(self) -> None:
        """Let what is seen now stay, whatever is selected."""
        self.kept = self.quantities(self._session.document)
        self._change()

    def forget(self, quantities: Iterable[Quantity] | None = None) -> None:
        """Keep these no longer; None: any."""
        gone = set(self.kept if quantities is None else quantities)
        self.kept = tuple(each for each in self.kept if each not in gone)
        self._change()

    def write(self, path: Path) -> None:
        """Write what is seen as numbers or as a drawing, by the file's ending."""
        wanted = self.wanted(self._session.document)
        if wanted is None:
            self._session.note("note", "There is no curve to export: select a joint or an actor first.")
            return
        self._session.exchange.write_plot(path, wanted)

    # What that comes to

    def quantities(self, document: Document) -> tuple[Quantity, ...]:
        """Return the curves, those first that are kept."""
        found = dict.fromkeys(each for each in self.kept if each.actor in document.actor_index)
        for name in self.chosen:
            for meant in self._meant(document):
                found.update(dict.fromkeys(SORTS[name].of(*meant)))
        return tuple(found)

    @property
    def series(self) -> tuple[Series, ...]:
        """The curves as they are known by now; behind torques those that were found and are in no document."""
        worked_out = () if self.plot is None else self.plot.series
        found = {(each.actor, each.part): each for each in self._session.of(FoundCurves).curves}
        pairs = ((each, found.get((each.quantity.actor, each.quantity.part))) for each in worked_out)
        beside = (_found(each, curve) for each, curve in pairs if curve is not None and each.quantity.kind == "torque")
        return (*worked_out, *beside)

    def wanted(self, document: Document) -> PlotWanted | None:
        """Return the question of what to work out; None where there is nothing."""
        first, last = play_extent(document)
        quantities = self.quantities(document)[:MOST_SERIES]
        return PlotWanted(quantities=quantities, first=first, last=last) if quantities else None

    def applies(self, sort: Sort) -> bool:
        """True if what is selected has such a quantity."""
        return any(True for meant in self._meant(self._session.shown) for _ in sort.of(*meant))

    def _meant(self, document: Document) -> Iterator[tuple[Actor, str | None, str]]:
        for item in self._session.selection.within(document).items:
            yield document.actor(item.actor), item.part, item.added or ""

    # How it is asked for

    def _change(self) -> None:
        self.chosen_changed.emit()
        self._follow()

    def _follow(self, *_: object) -> None:
        """Ask for what is to be seen now."""
        session, plots = self._session, self._session.engine.plots
        document, time = session.shown, session.playhead
        wanted = self.wanted(document) if self._watched else None
        if wanted is None or plots is None:
            self._query.stop()
            return
        question = Question(
            work=lambda: plots.answer(document, time, wanted),
            of=(document,),
            about=wanted,
            document=document,
            needs=needs_of_plot(wanted),
        )
        self._query.follow(question)

    def _take(self, plot: Plot | None) -> None:
        if plot is not None or self.plot is not None:
            self.plot = plot
            self.changed.emit()


def _found(torque: Series, curve: FoundCurve) -> Series:
    """The series of a curve that was found, as that of the torque beside which it stands."""
    import numpy as np  # which is there by now

    count = len(curve.times)
    return replace(
        torque, label=f"{torque.label}, {curve.name}", times=np.rint(curve.times).astype(np.int64), values=curve.values,
        by_differences=np.zeros(count, dtype=np.bool_), fresh=np.ones(count, dtype=np.bool_), caution="",
    )  # fmt: skip
