"""Pictures are read on the engine's thread while the window's reads its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.session.pictures import NoPicture, draw_picture, read_picture
from engine.document import Blob

# In a process of its own: two threads that wait for each other could not be ended in this one.
BOTH_READ = """
import sys, threading
from pathlib import Path
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel
from app.session.pictures import draw_picture
from engine.document import Blob
import numpy as np

application, path = QApplication([]), Path(sys.argv[1])
image = QImage(32, 32, QImage.Format.Format_RGB32)
image.fill(0xFF2010)
assert image.save(str(path))
blob = Blob(np.frombuffer(path.read_bytes(), dtype=np.uint8))

def read_many():
    for _ in range(100):
        assert next(draw_picture(blob)).pixels.shape == (32, 32, 4)

threads = [threading.Thread(target=read_many, daemon=True) for _ in range(3)]
label, width = QLabel(), 0
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    width = width % 9 + 1
    label.setStyleSheet(f"border-image: url({path.as_posix()}) {width}")
    label.show()
    label.repaint()
print("both read")
"""


def test_reading_a_picture_never_waits_for_the_windows_thread_that_waits_for_it(qapp: object, tmp_path: object) -> None:
    command = [sys.executable, "-c", BOTH_READ, f"{tmp_path}/red.png"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300.0, check=False)
    assert said.stdout.strip() == "both read", said.stderr


def test_a_picture_that_names_others_is_no_picture(tmp_path: Path) -> None:
    beside = tmp_path / "secret.png"
    image = QImage(4, 4, QImage.Format.Format_RGB32)
    image.fill(0xFF2010)
    assert image.save(str(beside))
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    path = tmp_path / "drawing.png"
    path.write_text(f'<svg {spaces} width="4" height="4"><image xlink:href="{beside}" width="4" height="4"/></svg>')
    assert not QImage(str(path)).isNull(), "Qt would draw it, and the file beside"
    with pytest.raises(NoPicture, match="Save it as PNG or JPEG"):
        next(read_picture(path, "front"))
    assert next(draw_picture(Blob(np.fromfile(path, np.uint8)))).pixels is None
    assert next(draw_picture(Blob(np.fromfile(beside, np.uint8)))).pixels is not None
