"""The site of docs/: every page is in its navigation, every link leads to a page, every picture is shown, in words too.

Cheap checks of what `python3 start.py docs` builds with Sphinx, which this does not start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from engine import __version__
from engine.formats import overview
from tests.house.tree import ROOT
from tests.manual.made import MADE, menu_entries
from tests.manual.pages import FENCED, LINK, navigation, problems, site_pages, stale_paths

FIRST = """# A
## Begin
- [One](one.md): the first.
- `keys`: all keys.
"""
ADDRESS = re.compile(r"https?://(?!127\.0\.0\.1|localhost)")


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """The pages of the site, as Sphinx reads them."""
    return site_pages(ROOT, {name: make() for name, make in MADE.items()})


@pytest.fixture(scope="module")
def entries() -> dict[str, set[str]]:
    return menu_entries()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A tree of two pages and a picture that is shown."""
    (tmp_path / "docs/pictures").mkdir(parents=True)
    (tmp_path / "README.md").write_text("[docs](docs/README.md)\n")
    (tmp_path / "CHANGELOG.md").write_text("# New\n")
    (tmp_path / "docs/library.ipynb").write_text('{"cells": []}')
    (tmp_path / "docs/README.md").write_text(FIRST)
    (tmp_path / "docs/one.md").write_text("# One\n![A window](pictures/window.png) [new](../CHANGELOG.md) [a](a.py)\n")
    (tmp_path / "docs/pictures/window.png").touch()
    return tmp_path


def test_every_page_is_listed_and_every_picture_is_shown() -> None:
    assert problems(ROOT) == []


def test_links_lead_to_pages_and_pictures(pages: dict[str, str]) -> None:
    assert list(_broken(pages)) == []


def test_the_version_to_cite_is_this_one() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version = {{{__version__}}}" in (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")


def test_pages_name_no_address(pages: dict[str, str]) -> None:
    assert [name for name, text in pages.items() if ADDRESS.search(text)] == []


@pytest.mark.parametrize(
    "name", sorted(each.name for each in (ROOT / "docs").glob("*.md") if each.name != "features.md")
)
def test_a_page_names_entries_of_menus_as_they_are(name: str, entries: dict[str, set[str]]) -> None:
    assert stale_paths((ROOT / "docs" / name).read_text(encoding="utf-8"), entries) == []


def test_an_entry_that_is_gone_is_found(entries: dict[str, set[str]]) -> None:
    text = "**View > Show >\nForces of contact**, Time > Play; but *Time > Dance along* and View > Show > Ghosts\n"
    assert [each[:15] for each in stale_paths(text, entries)] == ["Time > Dance al", "View > Show > G"]


def test_formats_and_keys_are_those_of_the_tables(pages: dict[str, str]) -> None:
    assert overview.markdown() in pages["formats.md"]
    assert "| Space | Play |" in pages["keys.md"]
    assert "| I | Key pose |" in pages["keys.md"].partition("## Blender")[2]
    assert "[Keys and mouse](keys.md)" in pages["index.md"]


def test_navigation_holds_what_the_first_page_lists(small: Path) -> None:
    assert list(navigation(FIRST)) == [("Begin", ["one.md", "keys.md"])]
    found = site_pages(small, {"keys.md": "# Keys\n"})
    assert "one\nkeys\n" in found["index.md"]
    assert found["one.md"] == "# One\n![A window](pictures/window.png) [new](changelog.md) a\n"
    assert found["changelog.md"].startswith("---\norphan: true"), "it is on no list here"


def test_what_no_reader_would_find_is_told(small: Path) -> None:
    assert [each.split(":")[0] for each in problems(small)] == ["docs/README.md does not list docs/library.ipynb"]
    (small / "docs/two.md").write_text("# Two\n![](pictures/window.png)\n")
    (small / "docs/pictures/unseen.png").touch()
    (small / "docs/README.md").write_text(f"{FIRST}- [Again](one.md): once more.\n")
    assert problems(small)[1:] == [
        "docs/README.md does not list docs/two.md: add it to the part that it belongs to",
        "docs/README.md lists docs/one.md twice",
        "docs/two.md: pictures/window.png is shown without words that say what is seen",
        "no page shows docs/pictures/unseen.png: show it, or make it no more",
    ]


def _broken(pages: dict[str, str]) -> Iterator[str]:
    for name, text in pages.items():
        for mark, _, target in LINK.findall(FENCED.sub("", text)):
            path = target.partition("#")[0]
            if not path or ":" in path:
                continue
            parts: list[str] = []
            for part in (*PurePosixPath(name).parent.parts, *PurePosixPath(path).parts):
                parts = parts[:-1] if part == ".." else [*parts, part]
            whole = "/".join(parts)
            if not ((ROOT / "docs" / whole).is_file() if mark else whole in pages or (ROOT / "docs" / whole).is_file()):
                yield f"{name}: {target}"
