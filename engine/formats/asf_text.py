"""The text of an ASF file as it stands: units, root, bones and the hierarchy, with the lines that they stand on.

After the Acclaim Skeleton File definition 1.10 (M. Schafer, 1994): `#` begins a comment; commas and parentheses are
white space; a keyword with a colon begins a section.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

from engine.document.values import Vector3
from engine.formats.text import TextFile, Word, counted, shown
from engine.runtime.quick_dataclass import dataclass

MOST_BONES = 20_000
TURNS = ("rx", "ry", "rz")
WAYS = ("tx", "ty", "tz")
STRETCH = "l"
_CHANNELS = (*WAYS, *TURNS, STRETCH)
_BONE_KEYS = ("id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass")
_ROOT_KEYS = ("order", "axis", "position", "orientation")
_SECTIONS = ("version", "name", "units", "documentation", "root", "bonedata", "hierarchy", "skin")


@dataclass
class Bone:
    """One bone, or the root; angles and lengths in the file's units."""

    name: str
    line: int
    direction: Vector3 = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: Vector3 = (0.0, 0.0, 0.0)
    axis_order: tuple[int, ...] = (0, 1, 2)
    dofs: tuple[str, ...] = ()
    limits: tuple[tuple[float | None, float | None], ...] = ()
    mass: float | None = None
    mass_at: float | None = None  # along the bone
    position: Vector3 = (0.0, 0.0, 0.0)  # of the root


@dataclass
class AsfSkeleton:
    """Everything in the file, bones in depth-first order from the root."""

    root: Bone
    bones: dict[str, Bone] = field(default_factory=dict)  # by name in lower case
    parents: dict[str, str] = field(default_factory=dict)  # in lower case
    order: list[str] = field(default_factory=list)  # in lower case, the root first
    name: str = ""
    length: float = 1.0
    mass: float = 1.0
    degrees: bool = True
    notes: list[str] = field(default_factory=list)

    def bone(self, key: str) -> Bone:
        """The bone of a name in lower case."""
        return self.root if key == "root" else self.bones[key]


def words_of(file: TextFile) -> list[list[Word]]:
    """The words of each line that has some, comments left out."""
    found = []
    for line, text in enumerate(file.lines, 1):
        words = text.split("#", 1)[0].translate(_SPACES).split()
        if words:
            found.append([Word(word, line) for word in words])
    return found


_SPACES = str.maketrans("(),", "   ")


def read_skeleton(file: TextFile) -> AsfSkeleton:
    """The whole file."""
    sections = _sections(file)
    for needed in ("root", "bonedata", "hierarchy"):
        if needed not in sections:
            file.refuse(f"no section :{needed}", "Get the whole file: it ends with :hierarchy.", len(file.lines))
    skeleton = AsfSkeleton(root=Bone("root", sections["root"][0][0].line))
    for words in sections.get("name", []):
        skeleton.name = skeleton.name or " ".join(word.text for word in words[1:])
    unknown = [name for name in sections if name not in _SECTIONS]
    if unknown:
        skeleton.notes.append(f"sections that were not read: {', '.join(unknown[:8])}")
    _read_units(file, skeleton, sections.get("units", []))
    _read_root(file, skeleton, sections["root"])
    _read_bones(file, skeleton, sections["bonedata"])
    _read_hierarchy(file, skeleton, sections["hierarchy"])
    return skeleton


def _sections(file: TextFile) -> dict[str, list[list[Word]]]:
    """Lines of words by section; the first of a section is the keyword's own."""
    sections: dict[str, list[list[Word]]] = {}
    current: list[list[Word]] | None = None
    for words in words_of(file):
        first = words[0]
        if first.text.startswith(":") and len(first.text) > 1:
            name = first.text[1:].lower()
            if name in sections and name in ("root", "bonedata", "hierarchy"):
                file.refuse(f"a second section :{name}", "Keep one.", first.line)
            current = sections.setdefault(name, [])
        if current is None:
            remedy = "An ASF file begins with a section such as :version."
            file.refuse(f"{shown(first.text)} at the beginning", remedy, first.line)
        current.append(words)
    return sections


def _read_units(file: TextFile, skeleton: AsfSkeleton, lines: list[list[Word]]) -> None:
    words = [word for line in lines for word in line][1:]
    for key, value in zip(words[::2], words[1::2], strict=False):
        name = key.text.lower()
        if name == "angle":
            if value.text.lower()[:3] not in ("deg", "rad"):
                file.refuse(f"the unit of angles is {shown(value.text)}", "Write deg or rad.", value.line)
            skeleton.degrees = value.text.lower().startswith("deg")
        elif name in ("mass", "length"):
            number = file.number(value.text, value.line, f"the unit of {name}")
            if not 1e-9 <= number <= 1e9:
                file.refuse(f"the unit of {name} is {shown(value.text)}", "Write a number above 0.", value.line)
            setattr(skeleton, name, number)


def _read_root(file: TextFile, skeleton: AsfSkeleton, lines: list[list[Word]]) -> None:
    root = skeleton.root
    words = [word for line in lines for word in line][1:]
    values = _by_key(file, skeleton, words, _ROOT_KEYS, "the root")
    if "order" in values:
        root.dofs = _channels(file, values["order"], "the root")
    else:
        root.dofs = (*WAYS, *TURNS)
        skeleton.notes.append("the root states no order, taken as TX TY TZ RX RY RZ")
    if "axis" in values:
        root.axis_order = _axis_order(file, values["axis"][1:], "the root", values["axis"][0].line)
    root.position = _vector(file, values, "position", "the root", root.position)
    root.axis = _vector(file, values, "orientation", "the root", root.axis)


def _read_bones(file: TextFile, skeleton: AsfSkeleton, lines: list[list[Word]]) -> None:
    words = [word for line in lines for word in line][1:]
    start: int | None = None
    for place, word in enumerate(words):
        key = word.text.lower()
        if key == "begin" and start is None:
            start = place
        elif start is None:
            file.refuse(f"{shown(word.text)} between bones", "Write begin before a bone.", word.line)
        elif key == "begin":
            file.refuse(f"begin inside the bone of line {words[start].line}", "Write end first.", word.line)
        elif key == "end" and words[place - 1].text.lower() != "name":
            _add_bone(file, skeleton, words[start], words[start + 1 : place])
            start = None
    if start is not None:
        file.refuse("a bone without end", "Get the whole file: every begin has its end.", words[start].line)


def _add_bone(file: TextFile, skeleton: AsfSkeleton, begin: Word, words: list[Word]) -> None:
    values = _by_key(file, skeleton, words, _BONE_KEYS, "a bone")
    for needed in ("name", "direction", "length"):
        if len(values.get(needed, [])) < 2:
            file.refuse(f"a bone without {needed}", f"Write {needed} and its value.", begin.line)
    name = values["name"][1]
    bone = Bone(name.text, name.line)
    key, what = name.text.lower(), f"bone {name.text}"
    if key == "root" or key in skeleton.bones:
        file.refuse(f"a second {what}", "Give each bone its own name; the hierarchy goes by it.", name.line)
    if len(skeleton.bones) == MOST_BONES:
        file.refuse(f"more than {MOST_BONES:,} bones", "Write fewer bones.", name.line)
    bone.length = _number(file, values["length"], what)
    bone.direction = _direction(file, skeleton, values["direction"], what, bone.length)
    if "axis" in values:
        axis = values["axis"]
        bone.axis = file.vector([word.text for word in axis[1:4]], axis[0].line, f"the axis of {what}")
        bone.axis_order = _axis_order(file, axis[4:], what, axis[0].line) if len(axis) > 4 else bone.axis_order
    bone.dofs = _channels(file, values["dof"], what) if "dof" in values else ()
    bone.limits = _limits(file, values["limits"], bone, what) if "limits" in values else ()
    bone.mass = _number(file, values["bodymass"], what) if "bodymass" in values else None
    bone.mass_at = _number(file, values["cofmass"], what) if "cofmass" in values else None
    if bone.mass is not None and bone.mass < 0.0:
        file.refuse(f"the mass of {what} is {bone.mass:g}", "Write 0 or more.", values["bodymass"][0].line)
    skeleton.bones[key] = bone


def _by_key(
    file: TextFile, skeleton: AsfSkeleton, words: Sequence[Word], keys: Sequence[str], what: str
) -> dict[str, list[Word]]:
    """Keywords with the words that belong to each, itself included."""
    found: dict[str, list[Word]] = {}
    current: list[Word] | None = None
    for word in words:
        key = word.text.lower()
        named = current is not None and len(current) == 1 and current[0].text.lower() == "name"
        if key in keys and not named:
            if key in found:
                file.refuse(f"a second {key} of {what}", "Write it once.", word.line)
            current = found[key] = [word]
        elif current is None:
            remedy = f"Known here: {', '.join(keys)}."
            file.refuse(f"{what} begins with {shown(word.text)}", remedy, word.line)
        else:
            current.append(word)
    return found


def _number(file: TextFile, words: list[Word], what: str) -> float:
    if len(words) != 2:
        found = f"{words[0].text} of {what} has {counted(len(words) - 1, 'value')}"
        file.refuse(found, "Write one number.", words[0].line)
    return file.number(words[1].text, words[1].line, f"{words[0].text} of {what}")


def _vector(file: TextFile, values: dict[str, list[Word]], key: str, what: str, default: Vector3) -> Vector3:
    words = values.get(key)
    if words is None:
        return default
    return file.vector([word.text for word in words[1:]], words[0].line, f"the {key} of {what}")


def _direction(file: TextFile, skeleton: AsfSkeleton, words: list[Word], what: str, length: float) -> Vector3:
    """The direction as it stands where its norm is 1 to the digits that files print, else scaled to 1."""
    x, y, z = file.vector([word.text for word in words[1:]], words[0].line, f"the direction of {what}")
    norm = math.hypot(x, y, z)
    if abs(norm - 1.0) < 1e-3 or length == 0.0:
        return (x, y, z)
    if norm < 1e-9:
        file.refuse(f"the direction of {what} is zero", "Write where the bone points.", words[0].line)
    skeleton.notes.append(f"the direction of {what} has the norm {norm:g}, taken as 1")
    return (x / norm, y / norm, z / norm)


def _axis_order(file: TextFile, words: Sequence[Word], what: str, line: int) -> tuple[int, ...]:
    letters = "".join(word.text for word in words).upper()
    if sorted(letters) != ["X", "Y", "Z"]:
        found = f"the axis of {what} has the order {shown(letters)}"
        file.refuse(found, "Write an order such as XYZ after the three angles.", line)
    return tuple("XYZ".index(letter) for letter in letters)


def _channels(file: TextFile, words: Sequence[Word], what: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in words[1:]:
        name = word.text.lower()
        if name not in _CHANNELS:
            known = ", ".join(_CHANNELS)
            file.refuse(f"{what} has the channel {shown(word.text)}", f"Known channels: {known}.", word.line)
        if name in found:
            file.refuse(f"{what} has the channel {word.text} twice", "Write it once.", word.line)
        found.append(name)
    return tuple(found)


def _limits(file: TextFile, words: list[Word], bone: Bone, what: str) -> tuple[tuple[float | None, float | None], ...]:
    numbers: list[float | None] = []
    for word in words[1:]:
        endless = word.text.lower().lstrip("+-") in ("inf", "infinity")
        numbers.append(None if endless else file.number(word.text, word.line, f"a limit of {what}"))
    if len(numbers) != 2 * len(bone.dofs):
        found = f"{counted(len(numbers), 'limit')} of {what} with {len(bone.dofs)} dofs"
        file.refuse(found, "Write (lower upper) for each dof.", words[0].line)
    pairs = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    for lower, upper in pairs:
        if lower is not None and upper is not None and lower > upper:
            found = f"a limit of {what} runs from {lower:g} to {upper:g}"
            file.refuse(found, "Write the lower one first.", words[0].line)
    return pairs


def _read_hierarchy(file: TextFile, skeleton: AsfSkeleton, lines: list[list[Word]]) -> None:
    rows = [lines[0][1:], *lines[1:]] if len(lines[0]) > 1 else lines[1:]
    if not rows or rows[0][0].text.lower() != "begin":
        file.refuse(
            "a hierarchy without begin", "Write begin, then lines of a parent and its children.", lines[0][0].line
        )
    if rows[-1][0].text.lower() != "end" or len(rows[-1]) > 1:
        file.refuse("a hierarchy without end", "Get the whole file: the last line is end.", rows[-1][0].line)
    children: dict[str, list[str]] = {}
    first_seen: dict[str, Word] = {}
    for words in rows[1:-1]:
        keys = [word.text.lower() for word in words]
        for key, word in zip(keys, words, strict=True):
            if key != "root" and key not in skeleton.bones:
                file.refuse(f"the hierarchy names {shown(word.text)}", "Name bones of :bonedata, or root.", word.line)
            first_seen.setdefault(key, word)
        for key, word in zip(keys[1:], words[1:], strict=True):
            if key == "root" or key in skeleton.parents:
                found = "the root hangs on a bone" if key == "root" else f"{word.text} has a second parent"
                file.refuse(found, "Give each bone one parent; root has none.", word.line)
            skeleton.parents[key] = keys[0]
            children.setdefault(keys[0], []).append(key)
    waiting = ["root"]
    while waiting:
        key = waiting.pop()
        skeleton.order.append(key)
        waiting += reversed(children.get(key, []))
    reached = set(skeleton.order)
    for key, word in first_seen.items():
        if key not in reached:
            found = f"{word.text} does not hang on the root: a cycle, or a parent that nobody names"
            file.refuse(found, "Let every line begin with root or a bone named above.", word.line)
    left = [bone.name for key, bone in skeleton.bones.items() if key not in reached]
    if left:
        skeleton.notes.append(f"bones that the hierarchy does not name were left out: {', '.join(left[:8])}")
