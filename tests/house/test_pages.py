"""Pages name modules and link files that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, plant

CODE = re.compile(r"```.*?```", re.DOTALL)
MODULE = re.compile(r"`([\w./]+\.py)`")
DOTTED = re.compile(r"`((?:engine|app|sinew|tests)(?:\.\w+)+)`")
LINK = re.compile(r"\]\(([^)#:\s]+)\)")
NOT_OURS = {"app.py", "sinew.EngineError"}  # a person's own script, and a name that sinew takes from elsewhere
ROOMS = ("engine", "app", "sinew", "tests", "docs", "packaging")


def pages(root: Path) -> Iterator[Path]:
    yield root / "README.md"
    for room in ROOMS:
        yield from sorted((root / room).rglob("*.md"))


def problems(root: Path) -> list[str]:
    """What pages name that is not there."""
    files = [path.relative_to(root).as_posix() for room in ROOMS for path in (root / room).rglob("*.py")]
    files += [path.name for path in root.glob("*.py")]
    found = []
    for page in pages(root):
        text, name = CODE.sub("", page.read_text(encoding="utf-8")), page.relative_to(root).as_posix()
        for module in MODULE.findall(text):
            if module not in NOT_OURS and not any(each == module or each.endswith(f"/{module}") for each in files):
                found.append(f"{name}: there is no {module}")
        dotted = (each for each in DOTTED.findall(text) if each not in NOT_OURS)
        found += [f"{name}: there is no {each}" for each in dotted if not _is_there(files, each)]
        found += [
            f"{name}: the link {each} leads nowhere" for each in LINK.findall(text) if not (page.parent / each).exists()
        ]
    return found


def _is_there(files: list[str], dotted: str) -> bool:
    """Whether a module, a package or something of one has that name: as far as a name begins with a small letter."""
    parts = dotted.split(".")
    for length in range(len(parts), 1, -1):
        path = "/".join(parts[:length])
        if any(each == f"{path}.py" or each.startswith(f"{path}/") for each in files):
            return len(parts) - length <= 2
    return False


def test_pages_name_what_is_there() -> None:
    assert problems(ROOT) == []


def test_a_module_that_has_gone_and_a_broken_link_are_found(tree: Path) -> None:
    text = (
        "`nowhere.py`, `engine.nowhere.kernel` and [a page](nowhere.md), but `jit.py` and `engine.runtime.jit.kernel`\n"
    )
    with plant(tree, "docs/planted.md", text):
        found = problems(tree)
    assert [each for each in found if "docs/planted.md" in each] == [
        "docs/planted.md: there is no nowhere.py",
        "docs/planted.md: there is no engine.nowhere.kernel",
        "docs/planted.md: the link nowhere.md leads nowhere",
    ]
