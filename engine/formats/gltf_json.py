"""The JSON of a glTF file, read with types and bounds; what does not fit is refused with its JSON path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from engine.formats.text import LARGEST
from engine.runtime.errors import UnreadableFile, printable, shown

MOST_VALUES = 4_000_000  # in one JSON text
MOST_ITEMS = 200_000  # in one list of objects

_NUMBER = "Write a finite number of a sane size."


def parse(path: Path, data: bytes) -> JsonItem:
    """The object that a JSON text holds; text that would unfold to far too much is refused before it is parsed."""
    if sum(data.count(each) for each in (b",", b"[", b"{")) > MOST_VALUES:
        raise UnreadableFile(path=path, found=f"more than {MOST_VALUES:,} JSON values", remedy="Put data in buffers.")
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        remedy = "Get the whole file: it holds JSON."
        raise UnreadableFile(path=path, found=f"no JSON ({error.msg})", remedy=remedy, line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        found = "JSON nested too deeply" if isinstance(error, RecursionError) else f"no JSON ({error})"
        raise UnreadableFile(path=path, found=found[:200], remedy="Get the whole file: it holds JSON.") from None
    root = JsonItem(path, "", value)
    if not isinstance(value, dict):
        root.refuse(f"JSON that is {_kind(value)}", "A glTF file holds an object.")
    return root


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


class JsonItem:
    """One object of the JSON and where it stands."""

    def __init__(self, path: Path, where: str, value: Any) -> None:
        self.path, self.where, self._value = path, where, value

    def refuse(self, found: str, remedy: str, name: str = "") -> NoReturn:
        """Raise `UnreadableFile` that names the JSON path."""
        where = self._at(name) if name else self.where
        raise UnreadableFile(path=self.path, found=f"{where}: {found}" if where else found, remedy=remedy)

    def has(self, name: str) -> bool:
        """Tell whether there is a value of that name."""
        return name in self._value

    def item(self, name: str) -> JsonItem | None:
        """An object, if there is one."""
        value = self._value.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            self.refuse(f"{_kind(value)}", "Write an object.", name)
        return JsonItem(self.path, self._at(name), value)

    def items(self, name: str) -> list[JsonItem]:
        """A list of objects; empty where there is none."""
        values = self._list(name)
        found = []
        for place, value in enumerate(values):
            if not isinstance(value, dict):
                self.refuse(f"{_kind(value)}", "Write an object.", f"{name}[{place}]")
            found.append(JsonItem(self.path, f"{self._at(name)}[{place}]", value))
        return found

    def is_true(self, name: str) -> bool:
        """Tell whether a value is true."""
        return self._value.get(name) is True

    def names(self) -> Iterator[str]:
        """The names of the values."""
        return iter(self._value)

    def text(self, name: str, default: str = "") -> str:
        """A text."""
        value = self._value.get(name, default)
        if not isinstance(value, str):
            self.refuse(f"{_kind(value)}", "Write a text.", name)
        return printable(value)

    def texts(self, name: str) -> list[str]:
        """A list of texts."""
        return [printable(value) if isinstance(value, str) else shown(value) for value in self._list(name)]

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int = 2**40) -> int:
        """A whole number within bounds."""
        value = self._value.get(name, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            found = "nothing" if value is None else shown(value)
            self.refuse(found, f"Write a whole number from {least} to {most}.", name)
        return value

    def number(self, name: str, default: float) -> float:
        """A finite number of a sane size."""
        value = self._value.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
            self.refuse(shown(value), _NUMBER, name)
        return float(value)

    def index(self, name: str, count: int, default: int | None = None) -> int:
        """A place in a list of so many."""
        value = self.whole(name, default)
        if value >= count:
            self.refuse(f"{value} of {count}", "Write a place in the list, counted from 0.", name)
        return value

    def indices(self, name: str, count: int) -> list[int]:
        """Places in a list of so many, each once."""
        found = []
        for place, value in enumerate(self._list(name)):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
                self.refuse(f"{shown(value)} of {count}", "Write a place in the list.", f"{name}[{place}]")
            found.append(value)
        if len(set(found)) != len(found):
            self.refuse("the same place twice", "Write each once.", name)
        return found

    def numbers(self, name: str, count: int) -> list[float] | None:
        """Read so many finite numbers, if there are any."""
        if name not in self._value:
            return None
        values = self._list(name)
        if len(values) != count:
            self.refuse(f"{len(values)} numbers", f"Write {count} numbers.", name)
        found = []
        for value in values:
            sound = isinstance(value, int | float) and not isinstance(value, bool)
            if not sound or not abs(value) <= LARGEST:
                self.refuse(shown(value), _NUMBER, name)
            found.append(float(value))
        return found

    def _list(self, name: str) -> list[Any]:
        value = self._value.get(name, [])
        if not isinstance(value, list):
            self.refuse(f"{_kind(value)}", "Write a list.", name)
        if len(value) > MOST_ITEMS:
            self.refuse(f"{len(value):,} items", f"Write at most {MOST_ITEMS:,}.", name)
        return value

    def _at(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
