"""Notes on what of a model of another program is read in another way, or not at all, each with its line."""

from __future__ import annotations

from engine.formats.losses import listed

_MOST = 40  # single notes; a model that is odd all over is not worth more of them


class ModelNotes:
    """Notes on one file."""

    def __init__(self) -> None:
        self._single: list[str] = []
        self._general: list[str] = []
        self._left_out: dict[str, list[tuple[str, int]]] = {}

    def add(self, line: int, text: str) -> None:
        """Note something odd at a line."""
        if (found := f"line {line}: {text}") not in self._single:
            self._single.append(found)

    def say(self, text: str) -> None:
        """Note something that holds for the whole file."""
        if text not in self._general:
            self._general.append(text)

    def leave_out(self, kind: str, name: str, line: int) -> None:
        """Note that an element is not read."""
        self._left_out.setdefault(kind, []).append((name, line))

    def all(self) -> tuple[str, ...]:
        """All notes, the general ones first."""
        single = self._single[:_MOST]
        if len(self._single) > _MOST:
            single.append(f"and {len(self._single) - _MOST} more of such notes")
        return (*self._general, *map(self._words, self._left_out), *single)

    def _words(self, kind: str) -> str:
        found = self._left_out[kind]
        lines = f"line {found[0][1]}" if len(found) == 1 else f"lines {found[0][1]} to {found[-1][1]}"
        names = [name for name, _ in found if name]
        return f"left out: {len(found)} {kind} ({lines}){': ' if names else ''}{listed(names)}"
