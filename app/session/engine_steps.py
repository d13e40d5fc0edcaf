"""Steps of the session on the engine thread: generators for the Worker, and the values that they publish.

The engine is imported inside them, so that neither numba nor a kernel is ever loaded by the window's thread.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, cast

from app.session.gesture import Preview
from app.session.history import History
from engine.command import AtOnce, Command, Desk, Gradual, Underway
from engine.document import Document
from engine.edits.command_log import LoggedCommand
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.commands.bring_in import BroughtIn
    from engine.commands.reach import Reached
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.picture_cache import PictureCache
    from engine.evaluation import Evaluation
    from engine.formats.format import Options
    from engine.model.snapshot import Snapshot
    from engine.project.runs import LeftCopy
    from engine.queries.plots import PlotWanted
    from engine.runtime.progress import Listener


@dataclass(frozen=True, eq=False)
class Cold:
    """Kernels are not compiled yet, those of posing among them; `purposes` names what they are for."""

    purposes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Loaded:
    """Kernels of posing are ready; `cold` names the purposes whose are not. The evaluator and its pictures belong to
    the engine thread."""

    evaluator: Evaluator
    pictures: PictureCache | None = None
    cold: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TimedPicture:
    """A snapshot, and how long the engine took for it [s]; `preview` where a gesture asked for it."""

    snapshot: Snapshot
    seconds: float
    preview: Preview | None = None
    reached: Reached | None = None  # where the gesture pulled a handle


@dataclass(frozen=True, eq=False)
class FileRead:
    """The contents of a file."""

    found: BroughtIn


@dataclass(frozen=True, eq=False)
class FileTaken:
    """The command that puts what a file holds on an actor that is there."""

    command: AtOnce | Gradual


@dataclass(frozen=True, eq=False)
class FilesExported:
    """The files that now hold what was to be exported."""

    paths: tuple[Path, ...]


@dataclass(frozen=True, eq=False)
class LogWritten:
    """The number of commands that a log now holds."""

    count: int


def prepare() -> Generator[Cold | Loaded, None, None]:
    """Load the kernels of posing if they are compiled, and say what is missing."""
    from engine.long.warm_up import WARM, is_warm

    cold = tuple(entry.name for entry in WARM if not is_warm(entry.name))
    if WARM[0].name in cold:
        yield Cold(cold)
    else:
        yield from load(cold)


def import_engine() -> Generator[None, None, None]:
    """Import what `load` needs while its kernels are compiled by a child."""
    from engine.runtime import jit  # noqa: F401

    yield None
    from engine.evaluate import evaluator, picture_cache  # noqa: F401

    yield None
    from engine.long import warming  # noqa: F401

    yield None


def load(cold: tuple[str, ...] | None = None) -> Generator[Loaded, None, None]:
    """Load the kernels of pictures, or compile all of posing where some are missing; others load as they are used.

    `cold` are the purposes whose kernels are missing, if that is known.
    """
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.picture_cache import PictureCache
    from engine.long.warm_up import WARM, is_warm
    from engine.long.warming import warm_drags, warm_pictures

    evaluator = Evaluator()
    warm_pictures(evaluator)
    if cold is None and not is_warm(WARM[0].name):
        for _ in warm_drags(evaluator):
            pass
    yield Loaded(evaluator, PictureCache(evaluator), cold or ())


def load_drags(evaluator: Evaluator) -> Generator[None, None, None]:
    """Load the kernels of drags, so that the first one need not wait for them."""
    from engine.long.warming import warm_drags

    for _ in warm_drags(evaluator):
        yield None


def picture(
    evaluator: Evaluator | None,
    document: Document,
    time: int,
    *,
    skins: bool,
    balance: bool,
    ghosts: bool = False,
    rest: str | None = None,
    pictures: PictureCache | None = None,
) -> Generator[TimedPicture | None, None, None]:
    """Draw up the picture of a document; in the rest pose, without skins, while there is no evaluator yet.

    With `balance` it tells where the mass of each actor is and what it stands on, with `ghosts` how those that swing
    are keyed. The actor `rest` is in its rest pose.
    """
    began = perf_counter()
    if evaluator is None:
        from engine.evaluate import rest_snapshot

        yield TimedPicture(rest_snapshot(document), perf_counter() - began)
        return
    from engine.queries.pose import pose

    if pictures is None or not pictures.has(document, time, skins=skins):
        for _ in evaluator.step(document, time):
            yield None
    for snapshot in pose(evaluator, document, time, skins=skins, rest=rest, pictures=pictures):
        whole = _with_ghosts(evaluator, _weighed(snapshot, balance), ghosts, rest)
        yield TimedPicture(whole, perf_counter() - began)


def previewed(
    desk: Desk, document: Document, command: Command, *, balance: bool, ghosts: bool = False
) -> Generator[TimedPicture | Underway | None, None, None]:
    """Draw up the picture of a document as a command makes it."""
    began = perf_counter()
    shown = yield from command.show(desk, document)
    rest = desk.rest if shown.reached is None else None
    whole = _with_ghosts(desk.evaluator, _weighed(shown.snapshot, balance), ghosts, rest)
    preview = Preview(whole.document, shown.edit, shown.report)
    yield TimedPicture(whole, perf_counter() - began, preview, cast("Reached | None", shown.reached))


def _weighed(snapshot: Snapshot, balance: bool) -> Snapshot:
    if not balance:
        return snapshot
    from engine.evaluate.balance import with_balance

    return with_balance(snapshot)


def _with_ghosts(evaluator: Evaluation, snapshot: Snapshot, ghosts: bool, rest: str | None) -> Snapshot:
    if not ghosts or not any(actor.swings for actor in snapshot.document.actors):
        return snapshot
    from engine.kinodynamics.ghosts import with_ghosts

    return with_ghosts(evaluator, snapshot, rest)


def same_figures(document: Document, shown: Snapshot | None) -> bool:
    """True if the picture on screen has the same figures, so that it may stand until there is a new one."""
    if shown is None:
        return False
    now, before = ([(each.id, each.figure) for each in every.actors] for every in (document, shown.document))
    return now == before


def read_file(
    path: Path, options: Options | None, listener: Listener, onto: Document | None
) -> Generator[FileRead | FileTaken, None, None]:
    """Open a file of any format, or find how actors of a document take it."""
    from engine.commands.bring_in import bring_in, taken_by
    from engine.runtime.progress import listening

    command = None if onto is None else taken_by(onto, path)
    if command is not None:
        yield FileTaken(command)
        return
    with listening(listener):
        found = bring_in(path, options)
    yield FileRead(found)


@dataclass(frozen=True, eq=False)
class CopyRead:
    """A copy that was kept, as it goes on; `lost` names what was damaged."""

    left: LeftCopy
    history: History
    lost: tuple[str, ...]


def read_copy(left: LeftCopy) -> Generator[CopyRead | None, None, None]:
    """Read a copy and its undo list."""
    found = yield from left.read()
    yield CopyRead(left, History.of(found.past), found.lost)


@dataclass(frozen=True, eq=False)
class ExampleBuilt:
    """An example as a document to begin with."""

    document: Document
    label: str


def build_example(id: str) -> Generator[ExampleBuilt, None, None]:
    """Make the example of that id."""
    from engine.queries.examples import example

    found = example(id)
    yield ExampleBuilt(found.build(), found.label)


def write_log(path: Path, commands: tuple[LoggedCommand, ...]) -> Generator[LogWritten, None, None]:
    """Write all that was done."""
    from engine.formats import sinew_log

    sinew_log.write_log(path, commands)
    yield LogWritten(len(commands) - 1)


def export_file(
    path: Path, document: Document, actors: tuple[str, ...], options: Options, listener: Listener
) -> Generator[FilesExported | None, None, None]:
    """Write actors as the format that the name asks for, in slices where it can be."""
    from engine.long.export import export_gradually
    from engine.runtime.progress import listening

    with closing(export_gradually(path, document, actors, options)) as steps:
        while True:
            try:
                with listening(listener):
                    share = next(steps)
            except StopIteration as stop:
                yield FilesExported(stop.value)
                return
            listener(share)
            yield None


def write_plot_file(
    evaluator: Evaluator | None, path: Path, document: Document, wanted: PlotWanted, listener: Listener
) -> Generator[FilesExported | None, None, None]:
    """Measure what is wanted and write it."""
    from engine.queries.plots import write_plot

    assert evaluator is not None, "asked for only when the engine is ready"
    yield from write_chart_file(path, write_plot(evaluator, path, document, wanted), listener)


def write_chart_file(
    path: Path, steps: Generator[float, None, None], listener: Listener
) -> Generator[FilesExported | None, None, None]:
    """Write a plot in steps."""
    for share in steps:
        listener(share)
        yield None
    yield FilesExported((path,))
