"""`python -m tests.manual FOLDER`: writes the pages that Sphinx makes the site of; `start.py docs` does both."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.house.tree import ROOT
from tests.manual.made import MADE
from tests.manual.pages import problems, site_pages


def main(arguments: list[str]) -> int:
    """Write them into an empty folder; 1 if something does not stand where it should."""
    found = problems(ROOT)
    for each in found:
        print(f"docs: {each}", file=sys.stderr)
    if found:
        return 1
    folder = Path(arguments[0])
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in site_pages(ROOT, {name: make() for name, make in MADE.items()}).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("pictures", "videos", "experiments"):
        shutil.copytree(ROOT / "docs" / name, folder / name)
    for name in ("conf.py", "style", "templates"):
        source = Path(__file__).parent / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
