"""The words of a `.scr` file and what they say, before they become a figure: see `engine.formats.scr`."""

from __future__ import annotations

import re
from dataclasses import field
from typing import NoReturn

from engine.document.figure import Side
from engine.document.values import Vector3
from engine.formats.tables import DIRECTIONS
from engine.formats.text import TextFile, Word, as_number, shown
from engine.runtime.quick_dataclass import dataclass

KINDS = {"hinge": "hinge", "rotary": "hinge", "slide": "slide", "prismatic": "slide"}
KEYS = ("object", "offset", *KINDS, "mass", "orientation", "mirror", "end joint")

_QUOTES = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2212": "-", "\u2013": "-"})
_WORD = re.compile(r'#.*|"[^"]*"|"|[^\s"#]+')

USUAL_UNIT = 1.0  # [m]


@dataclass(frozen=True)
class Freedom:
    """One hinge or slide: axis and limits in the file's own units."""

    kind: str
    axis: Vector3
    limits: tuple[float, float] | None


@dataclass
class Definition:
    """A `define joint` statement."""

    line: int
    offset: Vector3 = (0.0, 0.0, 0.0)
    orientation: Vector3 = (0.0, 0.0, 0.0)
    freedoms: list[Freedom] = field(default_factory=list)
    mass: float | None = None
    mirror: str | None = None
    object: str | None = None


@dataclass(frozen=True)
class ScrJoint:
    """A joint in the hierarchy."""

    name: str
    parent: str | None
    group: str
    line: int


@dataclass
class Script:
    """The whole file."""

    name: str = ""
    places: list[ScrJoint] = field(default_factory=list)
    definitions: dict[str, Definition] = field(default_factory=dict)


def side_of(name: str) -> Side:
    """Return the side that a joint's name says."""
    words = name.lower().split()
    return "left" if "left" in words else "right" if "right" in words else "middle"


def read_script(file: TextFile) -> Script:
    """Parse the file, checking each name for its first use only."""
    words, script = _ScrWords(file), Script()
    while words.left:
        line = words.expect("define")
        match words.take("'skeleton' or 'joint'").text:
            case "skeleton" if not script.name:
                script.name = words.string("the skeleton's name")
                script.places = _places(words)
            case "skeleton":
                words.refuse("a second skeleton", "Keep one skeleton in a file.", line)
            case "joint":
                name = words.string("a joint's name")
                if name in script.definitions:
                    first = script.definitions[name].line
                    words.refuse(f"a second definition of joint {shown(name)}", f"The first is on line {first}.", line)
                script.definitions[name] = _definition(words, name, line)
            case other:
                words.refuse(f"define {shown(other)}", "Write define skeleton or define joint.", line)
    if not script.places:
        words.refuse("no skeleton with joints", 'Begin with: define skeleton "name"', len(file.lines))
    return script


def _places(words: _ScrWords) -> list[ScrJoint]:
    """Each joint is the child of the one before it; after a group, of the one before the group."""
    places: list[ScrJoint] = []
    known: set[str] = set()
    above: list[tuple[str, str | None]] = []
    group, last = "", None
    while True:
        word = words.take("'joint', 'group' or 'end'")
        if word.text == "joint":
            name = words.string("a joint's name")
            if name in known:
                words.refuse(f"joint {shown(name)} a second time", "Give each joint its own name.", word.line)
            if last is None and places:
                words.refuse(f"a second root {shown(name)}", "Put all joints under one.", word.line)
            known.add(name)
            places.append(ScrJoint(name, last, group, word.line))
            last = name
        elif word.text == "group":
            above.append((group, last))
            group = words.string("a group's name")
        elif word.text == "end":
            ended = words.take("'group' or 'skeleton'")
            if ended.text == "skeleton" and not above:
                return places
            if ended.text != "group" or not above:
                wanted = "group" if above else "skeleton"
                words.refuse(f"end {shown(ended.text)}", f"Write: end {wanted}", ended.line)
            group, last = above.pop()
        else:
            words.refuse(f"the word {shown(word.text)}", "In a skeleton stand joint, group and end.", word.line)


def _definition(words: _ScrWords, name: str, line: int) -> Definition:
    found = Definition(line)
    while True:
        word = words.take(f"'end joint' of {shown(name)}")
        match word.text:
            case "end":
                words.expect("joint")
                return found
            case "object":
                found.object = words.string("the object's file")
            case "mirror":
                found.mirror = words.string("the mirror's name")
            case "offset":
                found.offset = words.vector("the offset")
            case "orientation":
                found.orientation = words.vector("the orientation")
            case "mass":
                found.mass = words.number("the mass")
            case kind if kind in KINDS:
                found.freedoms.append(_freedom(words, KINDS[kind], word.line))
            case other:
                remedy = f"In a joint stand {', '.join(KEYS)}."
                words.refuse(f"the word {shown(other)} in joint {shown(name)}", remedy, word.line)


def _freedom(words: _ScrWords, kind: str, line: int) -> Freedom:
    if words.left and words.next.text.lower() in DIRECTIONS:
        axis = DIRECTIONS[words.take("an axis").text.lower()]
    else:
        axis = words.vector(f"the axis of a {kind} (x, y, z or three numbers)")
    if not words.next_is_number:
        return Freedom(kind, axis, None)
    lower, upper = words.number("the lower limit"), words.number("the upper limit")
    if lower > upper:
        words.refuse(f"limits from {lower:g} to {upper:g}", "Write the lower limit first.", line)
    return Freedom(kind, axis, (lower, upper))


class _ScrWords:
    """The words of the file, one after the other; a text in quotes is one word that begins with a quote."""

    def __init__(self, file: TextFile) -> None:
        self._file, self._place = file, 0
        self._words: list[Word] = []
        for line, text in enumerate(file.lines, 1):
            for word in _WORD.findall(text.translate(_QUOTES)):
                if word == '"':
                    file.refuse("a quote that is not closed", "Close it on the same line.", line)
                if not word.startswith("#"):
                    self._words.append(Word(word, line))

    @property
    def left(self) -> bool:
        return self._place < len(self._words)

    @property
    def next(self) -> Word:
        return self._words[self._place]

    @property
    def next_is_number(self) -> bool:
        return self.left and as_number(self.next.text) is not None

    def refuse(self, found: str, remedy: str, line: int | None) -> NoReturn:
        self._file.refuse(found, remedy, line)

    def take(self, wanted: str) -> Word:
        if not self.left:
            self.refuse(
                f"the end of the file where {wanted} should stand", "Get the whole file.", len(self._file.lines)
            )
        self._place += 1
        return self._words[self._place - 1]

    def expect(self, text: str) -> int:
        word = self.take(repr(text))
        if word.text != text:
            self.refuse(f"the word {shown(word.text)}", f"Write {text!r} there.", word.line)
        return word.line

    def string(self, what: str) -> str:
        word = self.take(what)
        if not word.text.startswith('"') or not word.text.strip('" '):
            self.refuse(f"{shown(word.text)} for {what}", "Write some text in double quotes.", word.line)
        return word.text[1:-1]

    def number(self, what: str) -> float:
        word = self.take(what)
        return self._file.number(word.text, word.line, what)

    def vector(self, what: str) -> Vector3:
        return (self.number(what), self.number(what), self.number(what))
