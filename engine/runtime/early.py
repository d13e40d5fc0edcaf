"""The warm_up child of a first start, begun before the window is made: the start leaves a core idle meanwhile.

Whoever starts the job later takes this child over, with all that it has said so far. Loads little, for every start asks
whether it is the first.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.runtime.folders import SHIPPED
from engine.runtime.places import CACHE

if TYPE_CHECKING:
    from engine.runtime.child import ChildJob, Message

JOB = "warm_up"
POSING = "posing"  # the first of its purposes


class _Early:
    """A child, and what it says until somebody listens."""

    def __init__(self) -> None:
        from engine.runtime.child import ChildJob

        self._turn = threading.Lock()
        self._heard: list[Message] = []
        self._listener: Callable[[Message], None] | None = None
        self.child: ChildJob = ChildJob(JOB, {}, on_message=self._take)

    def listen(self, on_message: Callable[[Message], None]) -> None:
        """Hand over what was said, and all that follows."""
        with self._turn:
            for message in self._heard:
                on_message(message)
            self._heard, self._listener = [], on_message

    def _take(self, message: Message) -> None:
        with self._turn:
            if self._listener is None:
                self._heard.append(message)
            else:
                self._listener(message)


_begun: list[_Early] = []  # none or one, that nobody has taken over


@contextlib.contextmanager
def early_warm_up() -> Iterator[None]:
    """Begin to compile at once if this machine has no kernels yet; ends what nobody has taken over."""
    if is_first_start():
        with contextlib.suppress(OSError):  # the job is started later, or says why it cannot be
            _begun.append(_Early())
    try:
        yield
    finally:
        while _begun:
            _begun.pop().child.kill()


def is_first_start() -> bool:
    """Tell whether no kernels of posing were ever compiled here, of whatever version, nor came with Sinew."""
    folder = CACHE.folder()
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0" or folder is None or SHIPPED.is_dir():
        return False
    return next((folder / "kernels").glob(f"*/{POSING}-*.warm"), None) is None


def take_over(on_message: Callable[[Message], None]) -> ChildJob | None:
    """Return the child that was begun, once, and have it tell another; None if there is none."""
    if not _begun:
        return None
    early = _begun.pop()
    early.listen(on_message)
    return early.child
