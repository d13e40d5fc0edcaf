"""pose: the live job of the window. Runs on the engine thread; importing this module loads no kernel."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Document
from engine.evaluation import picture_of
from engine.model.snapshot import Snapshot

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.picture_cache import PictureCache


def pose(
    evaluator: "Evaluator",
    document: Document,
    time: int,
    *,
    skins: bool = True,
    rest: str | None = None,
    pictures: "PictureCache | None" = None,
) -> Generator[Snapshot, None, None]:
    """One snapshot of the document at `time` [ticks], with or without the surfaces that bend.

    The actor `rest` is shown in its rest pose, for whoever edits its figure. One of `pictures` is taken if it is there.
    """
    source = pictures if pictures is not None and (rest is None or rest not in document.actor_index) else evaluator
    yield picture_of(source, document, time, skins=skins, rest=rest)
