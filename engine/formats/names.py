"""Names made unique: what a file calls its joints becomes their ids."""

from __future__ import annotations


class Names:
    """Names taken so far; `repeated` lists those that were asked for again, once each."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}
        self.repeated: list[str] = []

    def take(self, name: str) -> str:
        """The name itself, or with the first free number behind it."""
        if name not in self._last:
            self._last[name] = 1
            return name
        if self._last[name] == 1:
            self.repeated.append(name)
        number = self._last[name] + 1
        while f"{name}_{number}" in self._last:
            number += 1
        self._last[name] = number
        return self.take(f"{name}_{number}")

    def note(self, what: str) -> tuple[str, ...]:
        """Compose a note on repeated names; none if there were none."""
        if not self.repeated:
            return ()
        listed = ", ".join(self.repeated[:8]) + (", …" if len(self.repeated) > 8 else "")
        return (f"several {what} have the same name and were numbered: {listed}",)
