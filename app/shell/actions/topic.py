"""ShellTopic: the class of what the actions of one module of the shell do, which may ask anything of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.action import Topic

if TYPE_CHECKING:
    from app.shell.files import Files
    from app.shell.window import MainWindow


class ShellTopic(Topic):
    """The methods of the actions of one module of the shell."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window: MainWindow = window
        self._files: Files = window.files
