"""Pictures: views drawn without a window, and panels of the window, compared with those that are kept.

Another Mesa or font engine draws an edge a little differently. So means over squares of `SIDE` pixels are compared: a
picture is the same where they differ by little on the whole (`MEAN`) and few of them by much (`APART`, `MOST`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from tests.golden import reach
from tests.golden.found import DATA

FOLDER = DATA / "pictures"
ROOT = Path(__file__).resolve().parents[2]
SIZE = "320x200"
SIDE = 4
MEAN = 1.0  # of 255, by which they may differ on the mean
APART, MOST = 24.0, 12  # of 255; how many squares may differ by more
PATIENCE = 300.0  # [s]

VIEWS: dict[str, tuple[str, tuple[str, ...]]] = {
    "letters": ("example-letters", ("--range", "4.4", "--camera", "front")),
    "grasp": ("example-grasp", ("--range", "2.4", "--camera=-43,9")),
    "quadruped": ("example-quadruped", ("--range", "0", "--camera", "left", "--display", "bones")),
    "hands": ("example-hands", ("--range", "0", "--display", "skin", "--samples", "1")),
    "ball": ("example-ball", ("--range", "7.1", "--title", "A ball", "--time", "--no-grid")),
}
"""Document and arguments of `sinew render`, by the name of the picture."""

PANELS = {
    "outliner": (240, 320), "inspector": (320, 480), "layers": (480, 200), "timeline": (640, 200),
    "curves": (640, 240), "method": (320, 480), "secondary": (340, 480), "history": (320, 160),
}  # fmt: skip
"""Size of each panel that is kept [px]."""


def drawn(folder: Path) -> Iterator[tuple[str, QImage]]:
    """The views, drawn in a process of their own that has no screen."""
    hidden = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    subprocess.run(
        [sys.executable, "-m", "tests.golden.pictures", str(folder)], cwd=ROOT, env=hidden, check=True, timeout=PATIENCE
    )
    for name in VIEWS:
        yield name, QImage(str(folder / f"{name}.png"))


def grabbed() -> Iterator[tuple[str, QImage]]:
    """The panels; needs a screen."""
    with reach.panels() as grab:
        for name, size in PANELS.items():
            yield f"panel-{name}", grab(name, size)


def difference(name: str, picture: QImage) -> str:
    """In what a picture differs from the one that is kept; empty where it does not."""
    path = FOLDER / f"{name}.png"
    if not path.exists():
        return "none is kept"
    kept = QImage(str(path))
    if kept.size() != picture.size():
        return f"{kept.width()} x {kept.height()} became {picture.width()} x {picture.height()} pixels"
    apart = np.abs(_squares(kept) - _squares(picture))
    mean, many = float(apart.mean()), int((apart.max(axis=2) > APART).sum())
    if mean <= MEAN and many <= MOST:
        return ""
    return f"squares differ by {mean:.2f} of 255 on the mean, {many} of them by more than {APART:.0f}"


def go_through(*, record: bool) -> int:
    """Compare all and say what differs, keep it where asked to; how many differed."""
    apart = 0
    with tempfile.TemporaryDirectory(prefix="sinew-golden-") as folder:
        for source in (drawn(Path(folder)), grabbed()):
            for name, picture in source:
                line = difference(name, picture)
                if line:
                    print(f"pictures/{name}: {line}", flush=True)
                    apart += 1
                    if record:
                        FOLDER.mkdir(parents=True, exist_ok=True)
                        picture.convertToFormat(QImage.Format.Format_RGB888).save(str(FOLDER / f"{name}.png"))
    return apart


def _squares(picture: QImage) -> NDArray[np.float64]:
    """Means over squares, shape [rows, columns, 3]."""
    made = picture.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(made.constBits(), np.uint8).reshape(made.height(), made.bytesPerLine())
    down, across = made.height() // SIDE, made.width() // SIDE
    cut = rows[: down * SIDE, : 4 * across * SIDE].reshape(down, SIDE, across, SIDE, 4)[..., :3]
    return np.asarray(cut.mean(axis=(1, 3)))


def main(folder: Path) -> int:
    """Draw all views into a folder."""
    documents, wanted = reach.documents(), []
    for name, (document, arguments) in VIEWS.items():
        project = folder / f"{name}.sinew"
        reach.save(project, documents[document]())
        wanted.append((project, folder / f"{name}.png", ("--size", SIZE, *arguments)))
    reach.render(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
