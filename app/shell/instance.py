"""One instance per person: a second start hands its file to the first and ends.

A lock file says who is first (one whose process has died is taken over); a local socket carries the request. It is
opened once the window is painted, since Qt's network takes as long to load as the window's menus; who comes before
waits for it.
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, Signal

from engine.runtime.places import CONFIG

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket

WAIT = 3000  # [ms] that the first instance gets to listen, and to answer
_PAUSE = 0.05  # [s] between looks whether it listens
_LINE_LIMIT = 65536


def instance_name() -> str:
    """Name the running instance: one name for every start by this person with these preferences."""
    who = f"{_user()} {CONFIG.folder()}"
    return f"sinew-{hashlib.sha256(who.encode()).hexdigest()[:16]}"


class Instance(QObject):
    """This process's claim to be the one that others hand their files to."""

    asked = Signal(object)  # Path or None: open this file, or just come to the front

    def __init__(self, name: str | None = None) -> None:
        super().__init__()
        self.name = name or instance_name()
        folder = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        self._address = str(Path(folder) / self.name)
        self._lock = QLockFile(f"{self._address}.lock")
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def claim(self) -> bool:
        """Become the first; False if another process is. True also where nothing can be written: then all are first."""
        return self._lock.tryLock(0) or self._lock.error() != QLockFile.LockError.LockFailedError

    def listen(self) -> None:
        """Take requests from now on."""
        from PySide6.QtNetwork import QLocalServer

        QLocalServer.removeServer(self._address)  # of a process that died
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._take)
        if server.listen(self._address):
            self._server = server

    def hand_over(self, path: Path | None) -> bool:
        """Ask the first instance to open the file; False if it does not answer."""
        from PySide6.QtNetwork import QLocalSocket

        socket, end = QLocalSocket(), time.monotonic() + WAIT / 1000
        socket.connectToServer(self._address)
        while not socket.waitForConnected(WAIT):
            if time.monotonic() > end:
                return False
            time.sleep(_PAUSE)
            socket.connectToServer(self._address)
        request = {"open": None if path is None else str(path.absolute())}
        socket.write(json.dumps(request).encode() + b"\n")
        answered = socket.waitForReadyRead(WAIT)
        socket.disconnectFromServer()
        return answered

    def release(self) -> None:
        """Others may be first from now on."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lock.unlock()

    def _take(self) -> None:
        assert self._server is not None, "it is this server's signal"
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(self._reader(socket))

    def _reader(self, socket: QLocalSocket) -> Callable[[], None]:
        def read() -> None:
            if not socket.canReadLine():
                if socket.bytesAvailable() > _LINE_LIMIT:
                    socket.abort()
                return
            line = bytes(socket.readLine(_LINE_LIMIT).data())
            socket.write(b"ok\n")
            socket.flush()  # the answer is sent even if opening keeps this process busy
            try:
                named = json.loads(line)["open"]
                path = None if named is None else Path(named)
            except (ValueError, KeyError, TypeError):
                return
            self.asked.emit(path)

        return read


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"
