"""Secondary: how an actor's body follows its keyed motion, and what it is to meet on the way (Rahgoshay 2011, 3 and 6).

The motion that is seen at t is simulated from the keyed one over the window from t - window to t, each joint driven by
servos of its gains (`engine.kinodynamics`); so it has no history. A joint without gains of its own has those of all;
one that has no parent follows exactly, unless its own gains say otherwise: keys say where the actor goes.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import Literal, get_args

from engine.document.figure import Joint
from engine.document.parts import Part
from engine.document.target import Target
from engine.document.ticks import TICKS_PER_SECOND, some_ticks
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import option
from engine.runtime.quick_dataclass import dataclass

Lead = Literal["hold", "run_in"]
LEADS: tuple[Lead, ...] = get_args(Lead)

LONGEST_WINDOW = 60 * TICKS_PER_SECOND
MOST_STEPS = 60_000  # of one window
HIGHEST_TENSION = 1e4  # [Hz]
RANGES = {"tension": (1e-3, HIGHEST_TENSION), "relaxation": (0.0, 1.0), "damping": (0.0, 100.0), "gravity": (0.0, 10.0)}
"""What a joint's gains may be; the units are those of `Gains`."""
NUMBERS = tuple(RANGES)


def _within(what: str, name: str, value: float) -> float:
    number, (least, most) = finite(what, value), RANGES[name]
    if not least <= number <= most:
        raise InvalidDocument(what=what, value=value, allowed=f"{least:g} to {most:g}")
    return number


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Settings of how tightly joints follow their keys; what sliders reach is less than what may be."""

    tension: float = option(
        4.0,
        label="Tension",
        unit="Hz",
        least=0.1,
        most=60.0,
        note="How fast a joint, with all that it carries, would swing about its keys.\n"
        "kp = I (2π f)² (1 − relaxation), I its inertia at rest",
    )
    relaxation: float = option(
        0.0,
        label="Relaxation",
        unit="share",
        least=0.0,
        most=1.0,
        note="The share of that stiffness that is let go; at 100 % the joint is limp.\nkp = I (2π f)² (1 − relaxation)",
    )
    damping: float = option(
        0.5,
        label="Damping",
        least=0.0,
        most=3.0,
        note="1 comes to rest without swinging past, 0 swings on.\nkd = 2 damping √(kp I)",
    )
    gravity: float = option(
        1.0,
        label="Gravity",
        unit="share",
        least=0.0,
        most=2.0,
        note="The share of its weight that a body feels; keys were mostly set with the weight in them.\n"
        "g_body = gravity · 9.81 m/s²",
    )
    exact: bool = False  # whether the joint follows exactly, as if its tension were infinite

    def __post_init__(self) -> None:
        for name in NUMBERS:
            object.__setattr__(self, name, _within(f"the {name} of all joints", name, getattr(self, name)))


@dataclass(frozen=True, kw_only=True)
class OwnGains:
    """Gains of one joint that differ from those of all; None: as all."""

    joint: str
    tension: float | None = None
    relaxation: float | None = None
    damping: float | None = None
    gravity: float | None = None
    exact: bool | None = None

    def __post_init__(self) -> None:
        for name in NUMBERS:
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, _within(f"the {name} of {self.joint}", name, value))

    @property
    def given(self) -> dict[str, float | bool]:
        """Gains that differ from those of all, by name."""
        found = {name: getattr(self, name) for name in (*NUMBERS, "exact")}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Secondary(Part):
    """The secondary motion of an actor: gains, the window, and targets; sliders reach less than what may be."""

    on: bool = True
    gains: Gains = Gains()  # of all joints
    own: tuple[OwnGains, ...] = ()  # of joints that differ, in the order of the figure
    window: int = option(
        3 * TICKS_PER_SECOND // 10,
        label="Window",
        unit="ticks",
        least=TICKS_PER_SECOND // 50,
        most=5 * TICKS_PER_SECOND,
        note="How long before each frame the simulation begins, on the keys.\nδ of x(t − δ) … x(t)",
    )
    step: int = option(  # the window is divided evenly
        TICKS_PER_SECOND // 100,
        label="Longest step",
        unit="ticks",
        least=TICKS_PER_SECOND // 1000,
        most=TICKS_PER_SECOND // 50,
        note="Of the simulation: a window is divided into equal steps.\ndt",
    )
    lead: Lead = option(
        "hold",
        label="Before the first key",
        note="What the simulation follows where its window begins before the first key",
        choices=LEADS,
        labels=("The first key is held", "Tracks go on as they say"),
    )
    contact: bool = option(
        False,
        label="Touches the ground and itself",
        note="The body touches the ground and itself within the window: a hand that falls lies on the floor.\n"
        "Off: it passes through. Targets are harder to meet with it, since the motion then jumps where a touch begins.",
    )
    targets: tuple[Target, ...] = ()

    def __post_init__(self) -> None:
        if some_ticks("the window of secondary motion", self.window) > LONGEST_WINDOW:
            raise InvalidDocument(what="the window of secondary motion", value=self.window, allowed="at most a minute")
        some_ticks("the step of secondary motion", self.step)
        if self.steps > MOST_STEPS:
            allowed = f"one that goes at most {MOST_STEPS} times into the window"
            raise InvalidDocument(what="the step of secondary motion", value=self.step, allowed=allowed)
        if self.lead not in LEADS:
            allowed = ", ".join(LEADS)
            raise InvalidDocument(what="what comes before the first key", value=self.lead, allowed=allowed)
        for what, ids in (
            ("joints with gains of their own", [each.joint for each in self.own]),
            ("target ids", [each.id for each in self.targets]),
        ):
            repeated = [id for id, count in Counter(ids).items() if count > 1]
            if repeated:
                raise InvalidDocument(what=what, value=repeated, allowed="each id once")

    @property
    def steps(self) -> int:
        """Number of steps that the window is divided into."""
        return math.ceil(self.window / self.step)

    @property
    def memory(self) -> int:
        """Time before the present that the keyed motion is read from [ticks], at most: a step before the window, each
        of whole ticks."""
        return self.window + self.step + self.steps + 1

    @cached_property
    def own_of(self) -> dict[str, OwnGains]:
        """The gains of their own by joint."""
        return {each.joint: each for each in self.own}

    def gains_of(self, joint: Joint) -> Gains:
        """The gains of a joint."""
        gains = replace(self.gains, exact=True) if joint.parent is None else self.gains
        own = self.own_of.get(joint.id)
        return gains if own is None else replace(gains, **own.given)  # type: ignore[arg-type]

    def moves_like(self, other: Secondary) -> bool:
        """Tell whether both give the same motion: they differ in their targets at most, which corrections are made
        from."""
        return replace(self, targets=()) == replace(other, targets=()) or not (self.on or other.on)
