"""Options of the inverse search: update rules, effort, and the fixes for comparison.

Each rule is a frozen dataclass; `UPDATES` names them. With e_i the displacement of the state at target i that would
meet it (3.2, 4.1, 4.11), each is a way to find the change of Delta x_i that makes the simulation move by e_i.

`Projection`. A trial with Delta x + e moves the state by d. If moves are in proportion to corrections, s e moves it by
s d, and |e - s d|^2 is least at s = e.d / d.d; so Delta x <- Delta x + (e.d / d.d) e. The printed forms (3.4 and, with
Delta p in place of e, 4.2) divide by |d| instead of d.d: that number carries the unit of the state, and since d
shrinks with e the step is of second order in the error. Errors then fall like 1 / n, not geometrically, and the last
millimetres are hardly made; `Printed` keeps that form. `Scaled` takes the proportion coordinate by coordinate, e_k /
d_k, within bounds. `Secant` keeps a matrix H of how the state answers Delta x and improves it with each simulation
(Broyden 1965, A class of methods for solving nonlinear simultaneous equations, Math. Comp. 19, 577-593), measuring it
afresh where it stalls. `Sensitivity` measures H by finite differences through the window in each iteration (Newton's
method).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class Update(CheckedOptions):
    """One way to improve corrections."""

    label: ClassVar[str]
    source: ClassVar[str]


@dataclass(frozen=True, kw_only=True)
class Projection(Update):
    """One factor for the whole state: e.d / d.d."""

    label: ClassVar[str] = "Projection"
    source: ClassVar[str] = "Rahgoshay 2011, equations 3.4 and 4.2, with the factor that does not depend on scale"


@dataclass(frozen=True, kw_only=True)
class Printed(Update):
    """One factor for the whole state, as printed: e.d / |d|."""

    label: ClassVar[str] = "Projection, as printed"
    source: ClassVar[str] = "Rahgoshay 2011, equations 3.4 and 4.2"


@dataclass(frozen=True, kw_only=True)
class Scaled(Update):
    """One factor for each coordinate."""

    label: ClassVar[str] = "Each coordinate on its own"
    source: ClassVar[str] = "the projection, coordinate by coordinate"
    most: float = option(
        4.0,
        label="Largest factor",
        least=1.0,
        most=100.0,
        note="The factor of a coordinate lies between the projection's over this and times this.",
    )


@dataclass(frozen=True, kw_only=True)
class Secant(Update):
    """A matrix of answers, kept and improved with each simulation."""

    label: ClassVar[str] = "Secant"
    source: ClassVar[str] = "Broyden 1965; a fresh measurement where it stalls"
    stall: float = option(
        0.6,
        label="Stalled at",
        least=0.01,
        most=1.0,
        note="Where an iteration leaves more than this part of the error, the answers are measured afresh.",
    )
    within: int = option(
        8,
        label="Within iterations",
        least=1,
        most=1000,
        note="They are measured afresh, too, where the pace of an iteration would not meet the targets by then, or two"
        " iterations later where they are tied together.",
    )
    measured: bool = option(
        False,
        label="Measure first",
        note="Begin with answers measured by finite differences, not with one factor from one trial or, where targets"
        " are tied together, with answers to first order. It is done anyway where one alone asks for velocities.",
    )


@dataclass(frozen=True, kw_only=True)
class Sensitivity(Update):
    """A matrix of answers, measured in each iteration."""

    label: ClassVar[str] = "Sensitivity"
    source: ClassVar[str] = "Newton's method with finite differences through the window"


UPDATES: Mapping[str, type[Update]] = {
    "secant": Secant,
    "sensitivity": Sensitivity,
    "projection": Projection,
    "scaled": Scaled,
    "printed": Printed,
}


@dataclass(frozen=True, kw_only=True)
class Effort(CheckedOptions):
    """The effort of a search: when to stop, and how steps are tried."""

    iterations: int = option(30, label="Iterations", least=1, most=1000, note="Passes over all targets (Algorithm 2).")
    tolerance: float = option(1e-6, label="Within", unit="m or rad", least=1e-12, most=1.0, note="A target is met.")
    velocity_tolerance: float = option(
        1e-4, label="Velocities within", unit="m/s or rad/s", least=1e-9, most=100.0, note="A wanted velocity is met."
    )
    halvings: int = option(
        3,
        label="Half steps",
        least=0,
        most=20,
        note="How often a step that does not lessen the error is halved (section 7.2) before it is given up.",
    )
