"""Imports: files of other formats join the document, one after the other; what they do not say the person is asked.

An answer may count for all files that came together, or for every file of its kind from now on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from app.session import Session
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.commands.bring_in import BroughtIn
    from engine.formats.format import Options

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254}
"""Metres in each."""


@dataclass(frozen=True, kw_only=True)
class ImportChoice:
    """A person's choice for a file; None: as guessed."""

    unit: float | None = None  # metres per unit of length
    up: str | None = None  # x, y or z
    rate: tuple[int, int] | None = None  # frames in so many seconds
    for_all: bool = False  # of this kind that came together
    for_kind: bool = False  # from now on

    @property
    def as_guessed(self) -> bool:
        """True if nothing differs from what was guessed."""
        return self.unit is None and self.up is None and self.rate is None

    @property
    def options(self) -> Options:
        """The choice as options of a reader."""
        from engine.formats.format import Options

        return Options(unit=self.unit, up=self.up, rate=self.rate)  # type: ignore[arg-type]


class Asks(Protocol):
    """Asks how a file is to be imported; None means not at all."""

    def how_to_import(
        self, path: Path, found: BroughtIn, others: int, then: Callable[[ImportChoice | None], None]
    ) -> None: ...


@dataclass
class _Batch:
    """Files that came together."""

    waiting: list[str]  # kinds of those that are not settled yet
    chosen: dict[str, ImportChoice] = field(default_factory=dict)  # for all of a kind


class Imports(QObject):
    """Files that are being brought into the session's document."""

    remembered_changed = Signal(object)  # the mapping of choices by kind

    def __init__(self, session: Session, questions: Asks) -> None:
        super().__init__()
        self._session = session
        self._questions = questions
        self._unasked: deque[tuple[_Batch, Path, BroughtIn]] = deque()
        self._asking = False
        self.remembered: Mapping[str, ImportChoice] = {}

    def open(self, paths: Sequence[Path]) -> None:
        """Read the files and ask what they leave open."""
        batch = _Batch([kind_of(path) for path in paths])
        for path in paths:
            self._session.exchange.open(path, ask=lambda path, found: self._ask(batch, path, found))

    def forget(self) -> None:
        """Ask about every kind again."""
        self._remember({})

    def _ask(self, batch: _Batch, path: Path, found: BroughtIn) -> None:
        self._unasked.append((batch, path, found))
        self._next()

    def _next(self) -> None:
        while self._unasked and not self._asking:
            batch, path, found = self._unasked.popleft()
            kind = kind_of(path)
            known = batch.chosen.get(kind) or self.remembered.get(kind)
            if known is not None:
                self._settle(batch, path, found, known)
                continue
            self._asking = True
            others = batch.waiting.count(kind) - 1
            self._questions.how_to_import(path, found, others, self._answered(batch, path, found))

    def _answered(self, batch: _Batch, path: Path, found: BroughtIn) -> Callable[[ImportChoice | None], None]:
        def answer(choice: ImportChoice | None) -> None:
            self._asking = False
            kind = kind_of(path)
            if choice is not None and choice.for_all:
                batch.chosen[kind] = choice
            if choice is not None and choice.for_kind:
                self._remember({**self.remembered, kind: replace(choice, for_all=False, for_kind=False)})
            self._settle(batch, path, found, choice)
            self._next()

        return answer

    def _settle(self, batch: _Batch, path: Path, found: BroughtIn, choice: ImportChoice | None) -> None:
        batch.waiting.remove(kind_of(path))
        if choice is None:
            self._session.exchange.let_be(path)
        elif choice.as_guessed:
            self._session.exchange.take(path, found)
        else:
            self._session.exchange.open(path, options=choice.options)

    def _remember(self, choices: Mapping[str, ImportChoice]) -> None:
        self.remembered = choices
        self.remembered_changed.emit(choices)


def kind_of(path: Path) -> str:
    """Return what files share that are asked about alike: the end of their name."""
    return path.suffix.lower()
