"""The program's icon in the sizes and containers that systems want, drawn from `resources/icons/program/*.svg`."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DRAWINGS = ROOT / "resources" / "icons" / "program"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
_OF_MAC = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def write_pictures(folder: Path) -> None:
    """Write `sinew-48.png` and so on of each drawing, `sinew.ico` and `sinew.icns` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for drawing in sorted(DRAWINGS.glob("*.svg")):
        _draw(drawing, {size: folder / f"{drawing.stem}-{size}.png" for size in SIZES})
    pictures = {size: (folder / f"sinew-{size}.png").read_bytes() for size in SIZES}
    (folder / "sinew.ico").write_bytes(windows_icon({size: pictures[size] for size in SIZES if size <= 256}))
    (folder / "sinew.icns").write_bytes(mac_icon({size: pictures[size] for size in _OF_MAC}))


def _draw(drawing: Path, targets: Mapping[int, Path]) -> None:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication([])
    assert application is not None, "Qt draws with one"
    renderer = QSvgRenderer(str(drawing))
    for size, target in targets.items():
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(0)
        painter = QPainter(image)
        renderer.render(painter, QRectF(0.0, 0.0, size, size))
        painter.end()
        if not image.save(str(target)):
            raise OSError(f"{target} cannot be written")


def windows_icon(pictures: dict[int, bytes]) -> bytes:
    """Pack PNG pictures by their size into a Windows icon: a table of what follows it."""
    place, rows = 6 + 16 * len(pictures), b""
    for size, picture in sorted(pictures.items()):
        rows += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), place)
        place += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + rows + b"".join(each for _, each in sorted(pictures.items()))


def mac_icon(pictures: dict[int, bytes]) -> bytes:
    """Pack PNG pictures by their size into an icon of macOS: each with its kind and length before it."""
    parts = b"".join(_OF_MAC[size] + struct.pack(">I", 8 + len(each)) + each for size, each in sorted(pictures.items()))
    return b"icns" + struct.pack(">I", 8 + len(parts)) + parts
