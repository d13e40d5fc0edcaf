"""A hidden folder beside what is to be written, for files that are to appear whole or not at all.

It is named after what is written, this computer and this process. However the work ends it goes, and one that a killed
process left goes with the next work there.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.project.disk import short
from engine.project.locking import is_alive

SUFFIX = ".part"
HOST = re.sub(r"[^A-Za-z0-9]+", "-", platform.node())[:40]  # this computer, as it stands in the names of folders


@contextmanager
def own_folder(out: Path) -> Iterator[Path]:
    """Such a folder for a file or folder that is to be `out`. Raises what the system says."""
    _sweep(out.parent)
    folder = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{short(out.name)}.{HOST}.{os.getpid()}.", suffix=SUFFIX))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Take away what killed processes left. In a shared folder those of other computers may still run."""
    for folder in parent.glob(f".*.{HOST}.*{SUFFIX}"):
        host, process = folder.name.split(".")[-4:-2]
        if host == HOST and process.isdecimal() and folder.is_dir() and not is_alive(int(process)):
            shutil.rmtree(folder, ignore_errors=True)
