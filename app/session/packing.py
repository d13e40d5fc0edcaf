"""Packing: a copy of a project for others, with the videos and bakes that lie beside it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path

from app.session.film import file_digest
from engine.document import Blob, Document, Reference
from engine.document.references import Video
from engine.runtime.errors import UnwritableFile
from engine.runtime.quick_dataclass import dataclass

LARGEST = 2**30  # [bytes] of one video


@dataclass(frozen=True, eq=False)
class Packed:
    """The copy that was written, and what is not in it."""

    path: Path
    left_out: tuple[str, ...]


def pack_project(
    path: Path, document: Document, own: Path | None, bakes: Sequence[Path], listener: Callable[[float], None]
) -> Generator[Packed | None, None, None]:
    """Write the copy; without the undo list, which is nobody else's business."""
    from app.session.project_steps import is_same
    from engine.project.packed_bakes import pack_bakes
    from engine.project.save import save_project

    if own is not None and is_same(path, own):
        remedy = "Choose another name: the packed file is a copy, the project stays as it is."
        raise UnwritableFile(path=path, found="it is the project that is open", remedy=remedy)
    references, left_out = list[Reference](), list[str]()
    for number, each in enumerate(document.references):
        listener(number / (len(document.references) + 1))
        references.append(each if each.video is None else _with_bytes(each, each.video, own, left_out))
        yield None
    save_project(path, replace(document, references=tuple(references)))
    lost = len(bakes) - (pack_bakes(path, bakes) if bakes else 0)
    if lost:
        left_out.append(f"{lost} of {len(bakes)} bakes: damaged, or gone. Time > Bake what is played makes them again.")
    yield Packed(path, tuple(left_out))


def find_video(video: Video, beside: Path | None) -> tuple[Path | None, str]:
    """Return the file that a video was made of, where it was or beside the document; else why there is none."""
    named = Path(video.path)
    there = [each for each in (named, *([beside / named.name] if beside else [])) if each.is_file()]
    for each in there:
        if file_digest(each) == video.file_digest:
            return each, ""
    return None, f"{there[0].name} is another file than the one that was added" if there else f"{named} is missing"


def _with_bytes(reference: Reference, video: Video, own: Path | None, left_out: list[str]) -> Reference:
    """Put the file's own bytes into a reference, without the folder that it lay in."""
    import numpy as np

    if video.data is not None:
        return reference
    try:
        found, why = find_video(video, None if own is None else own.parent)
        size = 0 if found is None else found.stat().st_size
        if size > LARGEST:
            found, why = None, f"{size / 1e9:.1f} GB; at most {LARGEST / 1e9:.1f} GB are put in. Send the file along"
        data = None if found is None else np.fromfile(found, np.uint8)
    except OSError as problem:
        data, why = None, problem.strerror or str(problem)
    if data is None:
        left_out.append(f"The video {reference.name}: {why}.")
        return reference
    return replace(reference, video=replace(video, path=Path(video.path).name, data=Blob(data)))
