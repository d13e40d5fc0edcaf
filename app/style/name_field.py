"""NameField: a name that is changed by typing."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit


class NameField(QLineEdit):
    """A line that shows a name; nothing and blanks give the old one back, unless it may be blank."""

    def __init__(self, spoken: str, renamed: Callable[[str], None], *, may_be_blank: bool = False) -> None:
        super().__init__()
        self._renamed, self._name, self._may_be_blank = renamed, "", may_be_blank
        self.setAccessibleName(spoken)
        self.editingFinished.connect(self._finish)
        self.returnPressed.connect(lambda: self.clearFocus())  # so that keys are the window's again

    def show_name(self, name: str) -> None:
        """Show what it is called now, unless another one is being typed."""
        if name != self._name:
            self._name = name
            self.setText(name)
            self.setCursorPosition(0)

    def _finish(self) -> None:
        text = self.text().strip()
        if text != self._name and (text or self._may_be_blank):
            self._name = text
            self._renamed(text)
        else:
            self.setText(self._name)
