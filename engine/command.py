"""Command: what a person asks for that the engine works an edit out of, from poses.

A command says which kernels it uses, which actors it changes and how it is shown: the picture of the document as it
makes it, with the edit. An edit is the plainest one (`as_command`). Runs on the engine's thread; importing this module
loads no kernel.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from engine.document import Document
from engine.edits import Edit
from engine.evaluation import picture_of
from engine.runtime.progress import telling
from engine.runtime.quick_dataclass import dataclass
from engine.runtime.worker import HowFar

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.model.snapshot import Snapshot

SHOWN_AFTER = 0.5  # [s] shorter work reports no progress
SHOWN_EVERY = 0.1  # [s]
UNFROZEN = ("freeze_actor", "show_actor", "rename_actor", "isolate_actors")  # edits that leave an actor as it is


@dataclass(frozen=True, eq=False)
class Desk:
    """The context that commands are worked out with, and what of the document is shown."""

    evaluator: Evaluation
    reach: object  # what answers pulls: `engine.commands.reach.Reach`
    time: int  # [ticks]
    skins: bool = True
    rest: str | None = None  # the actor that is in its rest pose

    def picture(self, document: Document) -> Snapshot:
        """The picture of a document as it is shown."""
        return picture_of(self.evaluator, document, self.time, skins=self.skins, rest=self.rest)


@dataclass(frozen=True, eq=False)
class CommandAnswer:
    """A picture of the document that a command leads to, the edit that leads there, and its report."""

    snapshot: Snapshot
    edit: Edit
    report: object = None
    reached: object = None  # where a handle was pulled: `engine.commands.reach.Reached`


@dataclass(frozen=True, eq=False)
class Underway(HowFar):
    """The progress of a command that takes long."""

    text: str
    share: float  # 0 to 1


Showing = Generator[Underway | None, None, CommandAnswer]


class ReportedEdit(Protocol):
    """An edit with what it comes to."""

    @property
    def edit(self) -> Edit:
        """The edit."""


class _OfOne(Protocol):
    @property
    def actor(self) -> str: ...


class Command(ABC):
    """The base of frozen dataclasses, each with the arguments of one command."""

    uses: ClassVar[tuple[str, ...]] = ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The purposes of the kernels that it uses, by the names in WARM, beside those of the document."""
        return self.uses

    @property
    def changes(self) -> tuple[str, ...]:
        """The ids of the actors that it changes; most commands name one, as `actor`."""
        return (cast("_OfOne", self).actor,)

    @abstractmethod
    def show(self, desk: Desk, document: Document) -> Showing:
        """Work it out in steps."""


class AtOnce(Command):
    """One that takes a step."""

    @abstractmethod
    def label(self, document: Document) -> str:
        """Compose the line of the history."""

    @abstractmethod
    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""

    def show(self, desk: Desk, document: Document) -> Showing:
        """Work it out, in a step."""
        edit = self.work_out(desk.evaluator, document)
        document = edit.apply(document)
        for _ in desk.evaluator.step(document, desk.time):
            yield None
        return CommandAnswer(desk.picture(document), edit)


class Gradual(Command):
    """One that is worked through in slices."""

    @abstractmethod
    def label(self, document: Document) -> str:
        """Compose the line of the history."""

    @abstractmethod
    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit | ReportedEdit]:
        """The edit that does it, of some with what it comes to; yields the share that is done."""

    def show(self, desk: Desk, document: Document) -> Showing:
        """Work it through; reports its progress once it takes long."""
        found = yield from telling(self.work_through(desk.evaluator, document), _NowAndThen(self.label(document)))
        edit, report = (found, None) if isinstance(found, Edit) else (found.edit, found)
        yield None
        document = edit.apply(document)
        yield None
        for _ in desk.evaluator.prepare(document, desk.time):
            yield None
        return CommandAnswer(desk.picture(document), edit, report)


@dataclass(frozen=True)
class Plain(AtOnce):
    """An edit that needs nothing to be worked out."""

    edit: Edit

    @property
    def changes(self) -> tuple[str, ...]:
        """The ids of the actors that it changes."""
        return _changed_by(self.edit)

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return self.edit.label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit itself."""
        return self.edit


def as_command(command: Edit | Command) -> Command:
    """An edit as a command, a command as it is."""
    return Plain(command) if isinstance(command, Edit) else command


def _changed_by(edit: Edit) -> tuple[str, ...]:
    if edit.name in UNFROZEN:
        return ()
    if edit.parts:
        return tuple(id for each in edit.parts for id in _changed_by(each))
    given = dict(edit.arguments)
    several = (each for name in ("poses", "chosen", "parts") if isinstance(each := given.get(name), tuple))
    actors = given.get("actors")
    named = actors if isinstance(actors, tuple) else ()
    found = (given.get("actor"), *named, *(part[0] for each in several for part in each))
    return tuple(each for each in found if isinstance(each, str))


class _NowAndThen:
    """The progress messages for shares of work: none until it takes long, then one in a while."""

    def __init__(self, text: str) -> None:
        self._text, self._due = text, perf_counter() + SHOWN_AFTER

    def __call__(self, share: float) -> Underway | None:
        now = perf_counter()
        if now < self._due:
            return None
        self._due = now + SHOWN_EVERY
        return Underway(self._text, share)
