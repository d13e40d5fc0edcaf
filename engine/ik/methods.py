"""methods: the choices for posing by hand, listed without loading a kernel.

A `Method` is the name of one of `engine.ik`'s SOLVERS, or MULTIPLIERS, which moves figures by forces under constraints,
and the options that differ from its own; `Terms` hold for every solver. The options of a solver are fields of its
class, in whose module its kernels are, so `describe_methods` runs on the engine's thread and gives plain cards.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from engine.runtime.options import About, CheckedOptions, about, described, option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.ik.constrained import ConstrainedMotion
    from engine.ik.solver import Solver

MULTIPLIERS = "multipliers"

Value = float | bool | str
Options = tuple[tuple[str, Value], ...]


@dataclass(frozen=True, kw_only=True)
class Method:
    """A solver and how it is set."""

    solver: str = "levenberg"
    options: Options = ()

    def with_option(self, name: str, value: Value) -> Method:
        """Return the method with one option set."""
        return Method(solver=self.solver, options=tuple({**dict(self.options), name: value}.items()))

    def make(self) -> Solver:
        """The solver itself; loads its module. Each move of a drag asks: as it is usual, there is one."""
        return self._make() if self.options else _usual(self.solver)

    def make_motion(self) -> ConstrainedMotion:
        """Constrained motion, where that is the method; loads its module."""
        from engine.ik.constrained import ConstrainedMotion

        return ConstrainedMotion(**self._checked(ConstrainedMotion))

    @property
    def is_motion(self) -> bool:
        """True if figures are moved by forces under constraints, not solved for."""
        return self.solver == MULTIPLIERS

    @property
    def label(self) -> str:
        """The name of the method for a person; loads its module."""
        from engine.ik.constrained import ConstrainedMotion
        from engine.ik.solvers import SOLVERS

        return ConstrainedMotion.label if self.is_motion else SOLVERS[self.solver].label

    def _make(self) -> Solver:
        from engine.ik.solvers import SOLVERS
        from engine.runtime.errors import UnknownPart

        if self.solver not in SOLVERS:
            raise UnknownPart(kind="solver", id=self.solver, known=(*SOLVERS, MULTIPLIERS))
        solver = SOLVERS[self.solver]
        return solver(**self._checked(solver))

    def _checked(self, made: type[Solver] | type[ConstrainedMotion]) -> dict[str, Any]:
        """The options by name, all of which are to be known."""
        from engine.runtime.errors import UnknownPart

        known = tuple(about(made))
        for name, _ in self.options:
            if name not in known:
                raise UnknownPart(kind=f"option of {made.label}", id=name, known=known)
        return dict(self.options)


@cache
def _usual(solver: str) -> Solver:
    return Method(solver=solver)._make()


@dataclass(frozen=True, kw_only=True)
class Terms(CheckedOptions):
    """Options of a pull on a handle or a body that any solver heeds."""

    extent: Literal["usual", "part", "branch", "joint", "whole"] = option(
        "usual",
        label="What may move",
        choices=("usual", "part", "branch", "joint", "whole"),
        note="Usual: the limb up to where it branches off, or the whole figure once something of it is held. Else the "
        "part alone, the limb, up to the joint at which chains end, or the whole figure with its root, by stiffness. "
        "(Welman 1993, 6.2)",
    )
    preference: Literal["nothing", "as it was", "rest", "comfort"] = option(
        "as it was",
        label="Draw towards",
        choices=("nothing", "as it was", "rest", "comfort"),
        note="Where joints go as far as the goals leave them free (Welman 1993, equation 3.8): the pose before the "
        "drag, the rest pose, or the middle of their limits.",
    )
    gain: float = option(
        0.2,
        label="How strongly",
        least=0.0,
        most=1.0,
        note="The part of the way that the strongest drawn joint takes in each iteration.",
    )
    tolerance: float = option(
        1e-3,
        label="Tolerance",
        unit="m",
        least=1e-6,
        most=0.1,
        note="How near to its goal a handle counts as there.",
    )
    iterations: int = option(
        100, label="Iterations", least=1, most=1000, note="The most that a solver is given in one answer, each start."
    )
    milliseconds: float = option(
        6.0,
        label="Time",
        unit="ms",
        least=0.5,
        most=50.0,
        note="The most time for one answer; above 8 ms a drag may stutter.",
    )


@dataclass(frozen=True, kw_only=True)
class Card:
    """The options of a solver, or of the terms, in order, each with its metadata and its value."""

    name: str
    label: str
    source: str
    options: Mapping[str, tuple[About, Value]]
    ignores: tuple[str, ...] = ()  # terms that it does not heed


def card_of(name: str, options: object, *, label: str = "", source: str = "", ignores: tuple[str, ...] = ()) -> Card:
    """The card of a dataclass of options, with the values that it has."""
    return Card(name=name, label=label, source=source, options=described(options), ignores=ignores)


def describe_methods() -> Generator[tuple[Card, ...] | None, None, None]:
    """The cards of all methods, one module a step; compiles nothing."""
    from engine.ik.constrained import ConstrainedMotion as Motion
    from engine.ik.solvers import SOLVERS

    cards = []
    for name in SOLVERS:
        solver = SOLVERS[name]
        cards.append(card_of(name, solver(), label=solver.label, source=solver.source))
        yield None
    card = card_of(MULTIPLIERS, Motion(), label=Motion.label, source=Motion.source, ignores=Motion.ignores)
    pulls_first = sorted(card.options.items(), key=lambda item: item[0] not in Motion.__annotations__)
    yield (*cards, replace(card, options=dict(pulls_first)))
