"""preview: the live job of a gesture. The picture of an edit that is not committed, and the document it would make."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.edits import Edit
from engine.model.snapshot import Snapshot
from engine.queries.pose import pose

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator


def preview(
    evaluator: "Evaluator",
    document: Document,
    edit: Edit,
    time: int,
    *,
    skins: bool = True,
    rest: str | None = None,
) -> Generator[Snapshot, None, None]:
    """One snapshot at `time` [ticks] of the document as `edit` leaves it; that document is the snapshot's own.

    The actor `rest` is shown in its rest pose.
    """
    yield from pose(evaluator, edit.apply(document), time, skins=skins, rest=rest)
