"""Pictures: image files as references, and references as pixels. Runs on the engine's thread, like all reading."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from engine.document.references import Facing, first_place
from engine.document.values import new_id
from engine.runtime.errors import EngineError, printable
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.document import Blob, Reference

MOST = 4096  # [px] of the longer side are kept
SHOWN = 2048  # [px] of it are drawn
_LARGEST_FILE = 512 << 20  # [bytes]
_KINDS = {"png", "jpeg", "webp", "bmp", "tiff", "gif", "ico", "pbm", "pgm", "ppm"}  # SVG, for one, may show other files
_LARGEST_PIXELS = 1024  # [MB] that a picture may take while it is read


class NoPicture(EngineError):
    """A file that is no picture, with what to do."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"the picture {name} cannot be read: {why}. Save it as PNG or JPEG, then add it again")


@dataclass(frozen=True, eq=False)
class PictureRead:
    """A picture file as a reference, and what a person should know of it."""

    reference: Reference
    note: str = ""


@dataclass(frozen=True, eq=False)
class PictureDrawn:
    """The pixels of a reference, premultiplied, row 0 the lowest, shape [height, width, 4]; None: not to be read."""

    image: str  # digest
    pixels: NDArray[np.uint8] | None


def read_picture(path: Path, facing: Facing) -> Generator[PictureRead, None, None]:
    """Read the reference that a file makes."""
    import numpy as np

    from engine.document import Blob, Reference

    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise NoPicture(path.name, f"it has more than {_LARGEST_FILE >> 20} MB")
        data = path.read_bytes()
    except OSError as problem:
        raise NoPicture(path.name, problem.strerror or str(problem)) from problem
    image, why = _decoded(data)
    if image is None:
        raise NoPicture(path.name, why)
    note, was = "", image.size()
    if max(was.width(), was.height()) > MOST:
        image = _at_most(image, MOST)
        data = _encoded(image)
        note = f"{path.name} has {was.width()} x {was.height()} pixels; {image.width()} x {image.height()} are kept."
    size, centre = first_place(facing)
    reference = Reference(
        id=new_id("reference"),
        name=printable(path.stem) or "Picture",
        image=Blob(np.frombuffer(data, dtype=np.uint8)),
        width=image.width(),
        height=image.height(),
        facing=facing,
        size=size,
        centre=centre,
    )
    yield PictureRead(reference, note)


def draw_picture(blob: Blob) -> Generator[PictureDrawn, None, None]:
    """Draw the pixels of a reference's bytes."""
    import numpy as np

    image, _ = _decoded(blob.data)
    if image is None:
        yield PictureDrawn(blob.digest, None)
        return
    plain = _at_most(image, SHOWN).convertToFormat(QImage.Format.Format_RGBA8888_Premultiplied)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    pixels = rows[::-1, : 4 * plain.width()].reshape(plain.height(), plain.width(), 4).copy()
    yield PictureDrawn(blob.digest, pixels)


def _decoded(data: bytes) -> tuple[QImage | None, str]:
    """Return the image, or why there is none. Through a file: of a QBuffer, Qt would ask Python while it holds a lock
    that the window's thread may wait for with Python's own in its hands, and neither would ever go on."""
    QImageReader.setAllocationLimit(_LARGEST_PIXELS)
    with TemporaryDirectory() as folder:
        path = Path(folder, "picture")
        path.write_bytes(data)
        kind = QImageReader.imageFormat(str(path))
        if kind.toStdString() not in _KINDS:
            return None, "it holds no pixels of a kind that is known"
        reader = QImageReader(str(path), kind)
        reader.setAutoDetectImageFormat(False)
        reader.setAutoTransform(True)
        image, why = reader.read(), reader.errorString().rstrip(".").lower()
        del reader  # which keeps the file open
    return (None, why) if image.isNull() else (image, "")


def _at_most(image: QImage, side: int) -> QImage:
    if max(image.width(), image.height()) <= side:
        return image
    keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(QSize(side, side), keep, smooth)


def _encoded(image: QImage) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "picture")
        image.save(str(path), "PNG" if image.hasAlphaChannel() else "JPG", 92)  # type: ignore[call-overload]
        return path.read_bytes()
