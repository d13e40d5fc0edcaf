"""docs/glossary.md names retired words; docstrings, window texts and READMEs do without them."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.house.rules import looked_at, name_of, nodes, python_files
from tests.house.sources import parsed
from tests.house.tree import ROOT, plant

PAGE = Path("docs/glossary.md")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
HEAD = re.compile(r"\A\s*[A-Za-z_]\w*: ")  # of a module: what it holds
WORD = re.compile(r"[A-Za-z]+")
ROOMS = ("app", "engine")
OPENING = re.compile(r"\s*(What|Whether|The same)\b")  # of a docstring that names neither an action nor a thing
PLAIN = (*ROOMS, "sinew")  # whose docstrings begin with what a thing does or is


def table(root: Path, first: str) -> list[list[str]]:
    """The rows of the table whose first column has that name."""
    text = (root / PAGE).read_text(encoding="utf-8")
    found = re.search(rf"^\| {first} \|.*\n\|[ -|]*\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found, f"{PAGE}: no table of what is {first}"
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found[1].splitlines()]


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Where a person reads: READMEs and pages, docstrings, and texts of more than a word; names of code left out."""
    for path in sorted(root.rglob("*.md")):
        name = name_of(root, path)
        if name.split("/")[0] in (*ROOMS, "docs", "README.md", "packaging") and name != PAGE.as_posix():
            yield name, CODE.sub("", path.read_text(encoding="utf-8"))
    for path in python_files(root):
        if name_of(root, path).split("/")[0] in ROOMS:
            for node in ast.walk(parsed(path)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                    yield f"{name_of(root, path)}:{node.lineno}", CODE.sub("", HEAD.sub("", node.value))


def said(root: Path, words: set[str]) -> dict[str, list[str]]:
    """Where each of the words is said, as often as it is."""
    found: dict[str, list[str]] = {word: [] for word in words}
    for place, text in texts(root):
        for word in WORD.findall(text.lower()):
            if word in found:
                found[word].append(place)
    return found


def problems(root: Path) -> list[str]:
    """What is wrong with the words of a tree."""
    retired = {row[0]: row[1] for row in table(root, "retired")}
    left = {row[0]: int(row[2]) for row in table(root, "to be retired")}
    places = said(root, {*retired, *left})
    found = [f"{each}: {word}; say {retired[word]}" for word in retired for each in places[word]]
    found += [
        f"{PAGE}: {word} is said {len(places[word])} times, {most} were left, as in {places[word][-1]}"
        for word, most in left.items()
        if len(places[word]) > most
    ]
    return found + [f"{PAGE}: {word} is in both tables" for word in sorted(retired.keys() & left.keys())]


def twice(root: Path) -> list[str]:
    """Names of classes that stand more than once."""
    classes = [
        node.name
        for path, node in nodes(root, ast.ClassDef)
        if isinstance(node, ast.ClassDef) and name_of(root, path).split("/")[0] in ROOMS
    ]
    return sorted(name for name, times in Counter(classes).items() if times > 1)


def beginnings(root: Path) -> list[str]:
    """Find docstrings that begin with "What", "Whether" or "The same"."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    rooms = [root / each for each in PLAIN]
    return [
        f"{name_of(root, path)}:{getattr(node, 'lineno', 1)}: {text.splitlines()[0]}"
        for path in python_files(root)
        if any(path.is_relative_to(room) for room in rooms)
        for node in (parsed(path), *looked_at(path))
        if isinstance(node, kinds) and OPENING.match(text := ast.get_docstring(node) or "")
    ]


def test_retired_words_are_gone_and_others_become_fewer() -> None:
    assert problems(ROOT) == []


def test_every_term_stands_once_in_the_glossary() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8").partition("## Retired words")[0]
    terms = re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    counted = Counter(term for term in terms if term not in ("term", "---"))
    assert len(counted) > 80
    assert [term for term, times in counted.items() if times > 1] == []
    assert not {row[0] for row in table(ROOT, "retired")} & counted.keys()


def test_docstrings_begin_with_what_a_thing_does() -> None:
    assert beginnings(ROOT) == []


def test_a_class_name_stands_once() -> None:
    assert twice(ROOT) == []


def test_a_retired_word_is_refused(tmp_path: Path) -> None:
    page = "| retired | say |\n| --- | --- |\n| deed | command |\n\n"
    page += "| to be retired | say | times |\n| --- | --- | --- |\n| aims | targets | 1 |\n"
    (tmp_path / "engine").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text(page, encoding="utf-8")
    (tmp_path / "engine" / "good.py").write_text('"""Deed: meets `deed` and aims."""\nx = "deed"\n', encoding="utf-8")
    assert problems(tmp_path) == []
    for name, content in (
        ("engine/bad.py", '"""A deed of the engine."""\n'),
        ("app/bad.py", 'def f() -> None:\n    show(f"One deed, {x} times")\n'),
        ("app/README.md", "A Deed.\n"),
        ("engine/README.md", "One of its aims.\n"),
    ):
        with plant(tmp_path, name, content):
            (found,) = problems(tmp_path)
        assert ("deed; say command" in found and name in found) or "aims is said 2 times" in found


def test_a_class_name_that_stands_twice_is_found(tmp_path: Path) -> None:
    for name in ("app/a.py", "engine/b.py", "tests/c.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("class Hand: ...\n\n\nclass " + name[0].upper() + ": ...\n", encoding="utf-8")
    assert twice(tmp_path) == ["Hand"]


def test_a_docstring_that_begins_with_what_or_whether_is_found(tmp_path: Path) -> None:
    good = '"""Counts."""\n\n\ndef f() -> None:\n    """Tell what is what."""\n'
    for name, content in (("engine/ik/a.py", good), ("tests/b.py", '"""What is counted."""\n')):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert beginnings(tmp_path) == []
    for opening in ("What is counted.", "Whether it counts.", "The same, counted."):
        with plant(tmp_path, "engine/ik/c.py", good.replace("Tell what is what.", opening)):
            (found,) = beginnings(tmp_path)
        assert found == f"engine/ik/c.py:4: {opening}"


EMPTY = re.compile(r"\b(nothing|none|no change)\b")  # as a value: "what there is to break down is 'nothing'"


def empty_values(root: Path) -> list[str]:
    """Find commands that refuse by a template which shows nothing as a value; `NothingThere` says what to do."""
    return [
        f"{name_of(root, path)}:{node.lineno}: {kept.value.value!s}"
        for path in python_files(root)
        if name_of(root, path).startswith("engine/") and "commands/" in name_of(root, path)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.startswith("Invalid")
        for kept in node.keywords
        if kept.arg == "value" and isinstance(kept.value, ast.Constant) and EMPTY.match(str(kept.value.value))
    ]


def test_no_command_refuses_by_saying_that_something_is_nothing(tmp_path: Path) -> None:
    assert empty_values(ROOT) == []
    bad = 'raise InvalidArguments(what="what there is to break down", value="nothing", allowed="keys")\n'
    with plant(tmp_path, "engine/commands/bad.py", bad):
        assert empty_values(tmp_path) == ["engine/commands/bad.py:1: nothing"]


ONE_WORD = re.compile(r"\b(un)?lock(s|ed|ing)?\b|\bfilms?\b", re.IGNORECASE)  # pin, video
CURVES = ("curves.",)  # of the graph editor are locked: they are not changed by hand, and nothing of a body stays


def test_what_the_window_calls_a_pin_and_a_video_has_no_other_name() -> None:
    from app.features.table import FEATURES
    from app.shell.actions import ACTIONS

    texts = {each.id: f"{each.label} {each.submenu} {each.about}" for each in ACTIONS}
    texts |= {f"page {name}": f"{title} {text}" for each in FEATURES for name, title, text in each.help}
    texts |= {
        f"dock {dock.name}": f"{dock.title} {getattr(dock.panel, 'help_text', '')}"
        for each in FEATURES
        for dock in each.docks
    }
    said = {id: CODE.sub("", re.sub(r"\{[\w.]+\}", "", text)) for id, text in texts.items()}
    assert len(said) > 300
    assert [id for id, text in said.items() if ONE_WORD.search(text) and not id.startswith(CURVES)] == []
