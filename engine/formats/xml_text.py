"""XML read safely, as a tree of elements that know their lines.

By expat. A document type is refused: entities that stand for themselves a billion times are declared there. So are
elements more than `MOST_DEPTH` deep. Names keep their prefixes as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from engine.document.values import Vector3
from engine.formats.text import TextFile, read_text, shown
from engine.runtime.errors import UnreadableFile
from engine.runtime.quick_dataclass import dataclass

MOST_DEPTH = 100
_DEEP = "Take out elements that hold each other; no model needs as many."


@dataclass(eq=False)
class Element:
    """An element: its name, what it says, and what it holds."""

    tag: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)  # of its text

    @property
    def text(self) -> str:
        """Its own text, without white space around it."""
        return "".join(self.pieces).strip()

    @property
    def name(self) -> str:
        """Its attribute `name`; empty if it has none."""
        return self.attributes.get("name", "").strip()

    def child(self, *tags: str) -> Element | None:
        """The first child of one of these names."""
        return next((each for each in self.children if each.tag in tags), None)

    def words(self, *tags: str) -> str:
        """The text of the first child of one of these names; empty if there is none."""
        found = self.child(*tags)
        return "" if found is None else found.text

    def every(self) -> Iterator[Element]:
        """Yield the element and all that it holds, as they stand in the file."""
        left: list[Element] = [self]
        while left:
            here = left.pop()
            yield here
            left.extend(reversed(here.children))


@dataclass(eq=False)
class XmlFile:
    """An XML file: its outermost element, and numbers with the line that they stand on."""

    source: TextFile
    root: Element

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.source.path

    def refuse(self, found: str, remedy: str, line: int | None = None) -> NoReturn:
        """Raise `UnreadableFile`."""
        self.source.refuse(found, remedy, line)

    def numbers(self, element: Element, what: str) -> tuple[float, ...]:
        """Read the numbers of an element's text."""
        rows = enumerate("".join(element.pieces).split("\n"), element.line)
        return tuple(self.source.number(word, line, what) for line, row in rows for word in row.split())

    def number(self, element: Element, what: str) -> float:
        """Read the one number of an element."""
        found = self.numbers(element, what)
        if len(found) != 1:
            self.refuse(f"{what} is {shown(element.text)}", "Write one number.", element.line)
        return found[0]

    def vector(self, element: Element, what: str) -> Vector3:
        """Read the three numbers of an element."""
        found = self.numbers(element, what)
        if len(found) != 3:
            self.refuse(f"{what} is {shown(element.text)}", "Write three numbers.", element.line)
        return (found[0], found[1], found[2])


def read_xml(path: Path, what: str) -> XmlFile:
    """Read an XML file; `what` names its kind for a person: "an OpenSim model"."""
    source = read_text(path, what)
    tree = _Tree(source)
    text = "\n".join(source.lines)
    try:
        tree.parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        found = f"no sound XML: {expat.ErrorString(error.code)}"
        remedy = f"Choose {what}, whole and as XML."
        raise UnreadableFile(path=path, found=found, remedy=remedy, line=error.lineno) from error
    assert tree.root is not None, "expat refuses a text without an element"
    return XmlFile(source, tree.root)


class _Tree:
    """The elements that are open while a text is read."""

    def __init__(self, source: TextFile) -> None:
        self.root: Element | None = None
        self._source = source
        self._open: list[Element] = []
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._begin
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._say
        self.parser.StartDoctypeDeclHandler = self._refuse_types

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        element = Element(tag, line, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)
        if len(self._open) > MOST_DEPTH:
            self._source.refuse(f"elements more than {MOST_DEPTH} deep", _DEEP, line)

    def _end(self, tag: str) -> None:
        self._open.pop()

    def _say(self, text: str) -> None:
        self._open[-1].pieces.append(text)

    def _refuse_types(self, *_: object) -> None:
        remedy = "Delete the line that begins with <!DOCTYPE."
        self._source.refuse("a document type, which may hold anything", remedy, self.parser.CurrentLineNumber)
