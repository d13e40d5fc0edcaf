"""The command `muscles --activations`: activations of a figure's muscles for its motion, and what muscles lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import cast

from engine.cli.curves import document_in
from engine.cli.measured_trial import MeasuredTrial
from engine.cli.muscles import Rows, muscled
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND, Rate
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.long.percent import Percent
from engine.maths.arrays import Array
from engine.muscles.commands.activate import ActivationsFromMotion, FoundActivations
from engine.muscles.commands.take_activations import TakeActivations, TakenActivations
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.static import MuscleShares
from engine.queries.naming import ticks_of
from engine.runtime import progress
from engine.runtime.errors import InvalidArguments


def find_activations(
    document: Document,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: Rate | None = None,
    cost: str = "squares",
    method: str = "static",
) -> FoundActivations:
    """Find activations for the motion of an actor from one time to another [s], of all that is played if left out."""
    owner, _ = muscled(document, actor)
    command = ActivationsFromMotion(
        actor=owner.id,
        start=None if start is None else ticks_of(start, "the start of the activations"),
        end=None if end is None else ticks_of(end, "the end of the activations"),
        rate=rate,
        cost=cost,
        method=method,
    )
    return progress.finish(command.work_through(Evaluator(), document))


def take_activations(
    document: Document, path: Path, *, actor: str | None = None, tolerance: float | None = None
) -> TakenActivations:
    """Find keys of an actor's muscles as a file says."""
    owner, _ = muscled(document, actor)
    command = TakeActivations(actor=owner.id, path=path, **({} if tolerance is None else {"tolerance": tolerance}))
    return progress.finish(command.work_through(Evaluator(), document))


def keep_activations(scene: Path, path: Path, save: Path | None, *, actor: str | None = None) -> list[str]:
    """Key the muscles of a figure of a file as another file says, and keep it in a project; what is said, in lines."""
    if save is None or save.suffix.lower() != ".sinew":
        allowed = "a project, --save NAME.sinew"
        raise InvalidArguments(what="where keys of muscles are kept", value=str(save), allowed=allowed)
    document = document_in(scene)
    found = take_activations(document, path, actor=actor)
    sinew.write(save, found.edit.apply(document))
    return list(found.words)


def activation_lines(
    scene: Path,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: float | None = None,
    cost: str = "squares",
    method: str = "static",
    save: Path | None = None,
    trial: MeasuredTrial | None = None,
) -> tuple[Rows, Iterator[str]]:
    """Find activations for a motion in a file: a table of them, and what is said; `save`: a project to keep them in;
    `trial`: a motion and measured forces from other files."""
    document, words = document_in(scene), tuple[str, ...]()
    if trial is not None:
        owner, _ = muscled(document, actor)
        document, words = trial.put_on(document, owner.id)
    whole = None if rate is None else (round(1000.0 * rate), 1000)
    with progress.listening(Percent("activating")):
        found = find_activations(document, actor=actor, start=start, end=end, rate=whole, cost=cost, method=method)
    after = found.edit.apply(document)
    if save is not None:
        sinew.write(save, after)
    owner, _ = muscled(after, actor)
    measured = cast(MusclesStage, Evaluator().stage(NAME)).measured(after, owner.id, found.shares.times)
    return share_rows(found.shares, measured.forces), chain(words, share_lines(found))


def share_rows(shares: MuscleShares, forces: Array) -> Rows:
    """Lay activations out as a table, with the torques that the motion takes, what muscles lack, the ground's force,
    and forces [N] of muscles: a row of names, then one for each time."""
    units = ["N m" if turns else "N" for turns in shares.turning]
    names = list(zip(shares.figure.rates, units, strict=True))
    rows: Rows = [
        (
            "time [s]",
            *(f"{id} activation" for id in shares.muscles),
            *(f"{name} required [{unit}]" for name, unit in names),
            *(f"{name} lacking [{unit}]" for name, unit in names),
            *(f"ground {axis} [N]" for axis in "xyz"),
            *(f"{id} force [N]" for id in shares.muscles),
        )
    ]
    for row, time in enumerate(shares.times):
        numbers: Sequence[float] = [
            *shares.activations[row].tolist(), *shares.required[row].tolist(), *shares.reserves[row].tolist(),
            *shares.ground[row].tolist(), *forces[row].tolist(),
        ]  # fmt: skip
        rows.append((time / TICKS_PER_SECOND, *numbers))
    return rows


def share_lines(found: FoundActivations) -> Iterator[str]:
    """Say how many frames and keys there are, and what muscles lack."""
    shares = found.shares
    frames = len(shares.times)
    yield f"{len(shares.muscles)} muscles, {frames} {'frame' if frames == 1 else 'frames'}, {found.keys} keys"
    yield from found.lacking
