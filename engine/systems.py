"""The table of systems: each kind of behaviour is a folder of the engine, whose `system.py` says in one `System` what
it has: parts, edits, a stage of the stack, kernels, long jobs.

Everything that code is needed for stands here as text, "module:name", and is loaded when it is first used, so that any
room may read the table: the window before numpy is there, the reader of files, the table of edits, the evaluator. This
module imports nothing of the engine. What a stage and an evaluator promise each other is `engine.evaluation`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

SYSTEMS = (
    "locks", "physics", "soft", "water", "shapes", "kinodynamics", "targets", "cameras", "lighting", "spacetime",
    "measured_forces", "bushings", "muscles", "markers",
)  # fmt: skip
"""The folders in `engine/`."""


@dataclass(frozen=True, kw_only=True)
class Kernels:
    """Which kernels a system compiles ahead, as one purpose; see `engine.long.warm_up`."""

    name: str
    purpose: str  # in a person's words
    seconds: Mapping[str, float]  # that each step compiles, beside the others
    functions: tuple[str, ...] = ()  # generators that use the kernels, and yield the name of each step
    examples: tuple[tuple[str, str, str | None], ...] = ()  # step, example that is shown, or the handle pulled in it
    before: str | None = None  # the purpose that a person needs later; None: after all others
    on_request: bool = False  # whether neither pictures nor drags use them, but what a person asks for alone


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One kind of quantity that a system measures of actors; see `engine.measure.quantities.Kind`."""

    name: str
    label: str
    unit: str
    note: str
    components: tuple[str, ...] = ()
    of_pose: bool = False
    sum_of: str = ""  # the kind whose integral over time it is


@dataclass(frozen=True, kw_only=True)
class System:
    """One kind of behaviour. Functions, classes and modules are named as text, "module:name".

    It imports no other system but those that it is built `upon`, which stand above it in the table.
    `uses(document, actors)` says of some actors whether the system has anything to do with them; it is asked for each
    picture, so quick, and knows of documents alone. `stage(evaluation)` makes a `Stage` for one evaluator. Stages
    follow each other by `order`, layers being below all; with `again` a stage comes a second time, where those between
    have replaced poses. `changes` is a `Changes`.
    """

    name: str
    uses: str
    upon: tuple[str, ...] = ()  # their folders
    parts: tuple[str, ...] = ()  # classes that may stand in files
    edits: tuple[tuple[str, str, str], ...] = ()  # module, function, what a person reads in the history
    follows: str | None = None  # a `Follows`: what becomes of its parts in general edits
    kernel_edits: frozenset[str] = frozenset()  # those of them that are for the engine's thread
    stage: str | None = None
    order: int = 0
    again: int | None = None
    changes: str | None = None
    pushes: str | None = None  # function of a document: whom its stage pushes, an `engine.evaluation.Pushes` or None
    pushes_soft: str | None = None  # function of a document: the soft bodies that its stage pushes, a frozenset of ids
    drives: str | None = None  # function of an actor: if its stage drives its joints while it is simulated, the degrees
    # of freedom of its roots that it drives, often none; else None
    kernels: Kernels | None = None
    measured: tuple[Measured, ...] = ()  # quantities of its own
    measurable: str | None = None  # function of an actor and a kind: what of it has one, names by ids; "" for all of it
    measure: str | None = None  # function of evaluation, document, actor, kind, part, times: the numbers
    surfaced: str | None = None  # function of an actor: whether the stage's items have surfaces of it, not its figure
    remeshed: str | None = None  # likewise: whether these have other triangles in each picture
    figure_tables: str | None = None  # an `engine.formats.figure_tables.FigureTables`: what figure files have of it
    osim: str | None = None  # function of an `engine.formats.osim_figure.OsimFigure` and its figure: what a model of
    # OpenSim has of it, a part or None
    mjcf: str | None = None  # likewise of an `engine.formats.mjcf_figure.MjcfFigure`: a model of MuJoCo
    takes: str | None = None  # function of a document and a path: the command that puts what a file of numbers holds
    # on an actor that is there, or None: then the file joins as an actor of its own
    filmed: str | None = None  # function of an actor: the `engine.formats.format.FileCamera` that it is, or None
    films: str | None = None  # function of a `FileCamera`: an actor
    long: Mapping[str, str] | None = None  # functions that a child process runs, by the names of jobs


@cache
def systems() -> tuple[System, ...]:
    """All systems, as the table lists them."""
    return tuple(import_module(f"engine.{folder}.system").SYSTEM for folder in SYSTEMS)


def stages_used(document: object, actors: Sequence[object]) -> list[System]:
    """Those with a stage that have anything to do with some actors of a document."""
    return [each for each, uses in _staged() if uses(document, actors)]


@cache
def _staged() -> tuple[tuple[System, Any], ...]:
    return tuple((each, load(each.uses)) for each in systems() if each.stage is not None)


@cache
def load(text: str) -> Any:
    """The object that a text names."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name)
