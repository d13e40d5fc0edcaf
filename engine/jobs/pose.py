"""pose: the live job of the window. Runs on the engine thread; importing this module loads no kernel."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.model.snapshot import Snapshot

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator


def pose(
    evaluator: "Evaluator", document: Document, time: int, *, skins: bool = True
) -> Generator[Snapshot, None, None]:
    """One snapshot of the document at `time` [ticks], with or without the surfaces that bend."""
    yield evaluator.snapshot(document, time, skins=skins)
