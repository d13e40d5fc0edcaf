"""TakeCoordinates: columns of a file that have the names of an actor's coordinates, as one layer of samples on it.

For motions that are kept apart from their figure: OpenSim's MOT and STO, curves as CSV and NPZ. Importing this module
loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import UnreadableFile
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class TakeCoordinates(AtOnce):
    """The command to move an actor as a file of curves says."""

    actor: str
    id: str  # of the layer
    path: Path

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Move {document.actor(self.actor).name} as {self.path.name.split('.')[0]} says"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The layer."""
        from engine.commands.bring_in import read_contents
        from engine.formats.format import Options

        contents = read_contents(self.path, Options(figure=document.actor(self.actor).figure))
        if not contents.layers:
            raise UnreadableFile(path=self.path, found="no motion", remedy="Choose a file with columns of numbers.")
        return edit("add_layer", actor=self.actor, layer=replace(contents.layers[0], id=self.id))


def holds_coordinates(path: Path) -> bool:
    """Tell whether a file is of a format of curves, by its name; captured markers are none."""
    from engine.formats.table import by_suffix

    format = by_suffix(path)
    return format is not None and format.kind == "curves" and "figure" in format.read_options


def holds_markers(path: Path) -> bool:
    """Tell whether a file is of a format of captured markers, by its name."""
    from engine.formats.table import by_suffix

    format = by_suffix(path)
    return format is not None and format.kind == "curves" and "figure" not in format.read_options
