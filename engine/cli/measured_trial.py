"""A motion, and forces that were measured with it, put on a figure from files; the command `forces`."""

from __future__ import annotations

from pathlib import Path

from engine.cli.curves import document_in
from engine.commands.clean_up import CleanUp
from engine.commands.take_coordinates import TakeCoordinates
from engine.document import Document
from engine.document.values import new_id
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.measured_forces.commands.take import TakeForces
from engine.queries.naming import actor_named
from engine.runtime import progress
from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

ORDER, FINER = 3, 10  # of the low-pass of motions, as OpenSim has it; times as many frames afterwards


@dataclass(frozen=True, kw_only=True)
class MeasuredTrial:
    """The parts of a trial that are put on a figure; None: it stays as it is."""

    motion: Path | None = None  # of coordinates by their names
    low_pass: float | None = None  # [Hz] below which the motion is kept
    forces: Path | None = None  # MOT, STO or C3D
    on: tuple[str, ...] = ()  # "PLATE=JOINT"
    felt: bool = False  # by simulations

    def put_on(self, document: Document, actor: str) -> tuple[Document, tuple[str, ...]]:
        """The document with it, and what is said."""
        evaluator, words = Evaluator(), tuple[str, ...]()
        if self.motion is not None:
            command = TakeCoordinates(actor=actor, id=new_id("layer"), path=self.motion)
            document = command.work_out(evaluator, document).apply(document)
        if self.low_pass is not None:
            smooth = CleanUp(parts=((actor, None),), cutoff=self.low_pass, order=ORDER, finer=FINER)
            document = progress.finish(smooth.work_through(evaluator, document)).edit.apply(document)
        if self.forces is not None:
            take = TakeForces(actor=actor, path=self.forces, bodies=tuple(map(_pair, self.on)))
            found = progress.finish(take.work_through(evaluator, document))
            document, words = found.edit.apply(document), found.words
            if self.felt:
                document = edit("set_measured_forces", actor=actor, felt=True).apply(document)
        return document, words


def add_forces_to(scene: Path, out: Path, trial: MeasuredTrial, *, actor: str | None = None) -> list[str]:
    """Write a project in which a figure of a file has measured forces; what is said, in lines."""
    if out.suffix.lower() != ".sinew":
        raise UnwritableFile(path=out, found="it is no project", remedy="Name it so that it ends in .sinew.")
    document = document_in(scene)
    movable = [each for each in document.actors if not each.figure.is_prop and each.figure.dofs]
    owner = actor_named(document, actor) if actor is not None else next(iter(movable), document.actors[0])
    document, words = trial.put_on(document, owner.id)
    sinew.write(out, document)
    return list(words)


def _pair(setting: str) -> tuple[str, str]:
    plate, equals, joint = setting.partition("=")
    if not (plate and equals and joint):
        allowed = "the name of a plate, = and a joint: ground_force=calcn_r"
        raise InvalidArguments(what="a body of a force", value=setting, allowed=allowed)
    return plate, joint
