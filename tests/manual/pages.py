"""The pages of the site: those of `docs/`, READMEs, the changelog and the notebook, with links as they are on it.

`docs/README.md` is the first page. Its lists are the navigation: each heading is a part, each link that begins a line
of a list a page of it. On the site, docs/NAME.md is NAME, FOLDER/README.md is code/FOLDER, and a link to a file that is
no page is its text alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

FIRST = "docs/README.md"
CHANGELOG, NOTEBOOK = "CHANGELOG.md", "docs/library.ipynb"
OWN_NAMES = {FIRST: "index.md", "README.md": "index.md", CHANGELOG: "changelog.md", NOTEBOOK: "library-notebook.md"}
ROOMS = ("docs", "engine", "app", "tests", "packaging")
PICTURES = (".png", ".svg", ".webp")
FENCED = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")
ENTRY = re.compile(r"^- (?:\[[^\]]+\]\(([^)\s]+)\)|`([\w-]+)`)", re.MULTILINE)  # a page, or one that is made
PART = re.compile(r"^## (.+)$", re.MULTILINE)


def page_files(root: Path) -> list[str]:
    """Every page, as it is named in this tree."""
    rooms = (path.relative_to(root).as_posix() for room in ROOMS for path in (root / room).rglob("*.md"))
    return sorted((CHANGELOG, NOTEBOOK, *rooms))


def site_name(file: str) -> str:
    """The page of the site that a file of this tree becomes."""
    if file in OWN_NAMES:
        return OWN_NAMES[file]
    path = PurePosixPath(file)
    if path.parts[0] == "docs":
        return PurePosixPath(*path.parts[1:]).as_posix()
    return f"code/{path.parent}.md" if path.name == "README.md" else f"code/{path}"


def site_pages(root: Path, made: Mapping[str, str]) -> dict[str, str]:
    """The text of every page by its name on the site; `made` are those that are made of tables."""
    files = page_files(root)
    names = {file: site_name(file) for file in (*files, "README.md")}
    found = {names[file]: _linked(_text(root, file), file, names) for file in files}
    found |= made
    parts = list(navigation((root / FIRST).read_text(encoding="utf-8")))
    for name, text in made.items():
        title = text.splitlines()[0].removeprefix("# ")
        found["index.md"] = found["index.md"].replace(f"- `{name.removesuffix('.md')}`", f"- [{title}]({name})")
    found["index.md"] += "".join(map(_tree, parts))
    listed = {"index.md", *(page for _, pages in parts for page in pages)}
    return {name: text if name in listed else f"---\norphan: true\n---\n{text}" for name, text in found.items()}


def navigation(first: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of the first page, each with its pages in their order, as the site names them."""
    parts = PART.split(first)[1:]
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        entries = ((target, f"{name}.md") for target, name in ENTRY.findall(text))
        pages = [site_name(_resolved(FIRST, target)) if target else name for target, name in entries]
        yield title, pages


def problems(root: Path) -> list[str]:
    """Pages that no reader would find, and pictures without words for who does not see them."""
    first = (root / FIRST).read_text(encoding="utf-8")
    listed = [_resolved(FIRST, target) for target, _ in ENTRY.findall(first) if target]
    own = [file for file in page_files(root) if PurePosixPath(file).parent.as_posix() == "docs" and file != FIRST]
    found = [
        f"{FIRST} does not list {file}: add it to the part that it belongs to" for file in own if file not in listed
    ]
    found += [f"{FIRST} lists {file} twice" for file in sorted(set(listed)) if listed.count(file) > 1]
    shown: set[str] = set()
    for file in (*page_files(root), "README.md"):
        for mark, words, target in LINK.findall(FENCED.sub("", _text(root, file))):
            if mark:
                shown.add(_resolved(file, target))
                if not words:
                    found.append(f"{file}: {target} is shown without words that say what is seen")
    plots = (root / "docs" / "experiments").rglob("*.svg")
    for path in sorted((*(root / "docs" / "pictures").glob("*.png"), *plots)):
        if (name := path.relative_to(root).as_posix()) not in shown:
            found.append(f"no page shows {name}: show it, or make it no more")
    return found


def stale_paths(text: str, known: Mapping[str, Collection[str]]) -> list[str]:
    """The paths through menus in a text, such as View > Show, that are not among the entries `known` of each menu."""
    words = re.sub(r"[*`]|\s+", lambda found: " " if found[0].isspace() else "", FENCED.sub("", text))
    paths = re.finditer(rf"\b({'|'.join(known)}) > (?=([A-Z].{{0,60}}))", words)
    return [f"{menu} > {rest}" for menu, rest in (found.groups() for found in paths) if not _starts(rest, known[menu])]


def _starts(rest: str, entries: Collection[str]) -> bool:
    return any(rest.startswith(each) and not rest[len(each) :].startswith(" > ") for each in entries)


def _tree(part: tuple[str, list[str]]) -> str:
    """One part of the navigation, as MyST writes it."""
    title, pages = part
    names = "\n".join(page.removesuffix(".md") for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{names}\n```\n"


def _text(root: Path, file: str) -> str:
    text = (root / file).read_text(encoding="utf-8")
    return _notebook(text) if file == NOTEBOOK else text


def _notebook(text: str) -> str:
    """Its cells as a page."""
    cells = (("".join(cell["source"]), cell["cell_type"]) for cell in json.loads(text)["cells"])
    return "\n\n".join(f"```python\n{source}\n```" if kind == "code" else source for source, kind in cells) + "\n"


def _resolved(file: str, target: str) -> str:
    """The file of this tree that a link of a page leads to."""
    parts: list[str] = []
    for part in (*PurePosixPath(file).parent.parts, *PurePosixPath(target).parts):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _linked(text: str, file: str, names: Mapping[str, str]) -> str:
    """A page with its links as they are on the site."""
    depth = len(PurePosixPath(names[file]).parts) - 1

    def link(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if ":" in target or target.startswith("#"):
            return found[0]
        path, sign, place = target.partition("#")
        whole = _resolved(file, path)
        if whole.endswith(PICTURES):
            return f"{mark}[{words}]({'../' * depth}{whole.removeprefix('docs/')})"
        if whole in names:
            return f"[{words}]({'../' * depth}{names[whole]}{sign}{place})"
        return words

    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in FENCED.split(text))
