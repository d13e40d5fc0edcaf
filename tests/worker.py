"""A pytest that takes test files one after the other from `tests.run`: a plugin, `pytest -p tests.worker`.

Orders come in as lines of JSON where the standard input was, and what happened goes out as lines of JSON where the
standard output was; what tests and pytest print goes to the standard error. Its folders are walked once, so that
fixtures of each conftest.py in them are known; a module is imported when its turn comes. What lives as long as the
session, the application of Qt and compiled kernels among it, lives on from file to file.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.pointer import want_pointer

MEMORY = Path("/proc/self/statm")


class Worker:
    """Runs the files that it is told to, and tells what became of each test."""

    def __init__(self, orders: IO[str], events: IO[str]) -> None:
        self._orders, self._events = orders, events
        self._modules: dict[str, pytest.Module] | None = {}
        self._known: dict[str, pytest.Module] = {}
        self._broken: list[str] = []
        self._outcome, self._reason, self._seconds = "passed", "", 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> pytest.CollectReport | None:
        """On the first walk modules are noted and not imported."""
        if self._modules is None or not isinstance(collector, pytest.Module):
            return None
        self._modules[collector.nodeid] = collector
        return pytest.CollectReport(collector.nodeid, "passed", None, [])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._broken.append(report.longreprtext)
        elif report.skipped:
            self._tell(test=report.nodeid, outcome="skipped", reason=reason_of(report), seconds=0.0)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of pytest's own loop."""
        self._known, self._modules = self._modules or {}, None
        for line in self._orders:
            order = json.loads(line)
            want_pointer(order["pointer"])
            self._run(session, order["file"], set(order["leave_out"]))
            self._tell(file=order["file"], memory=memory_of_this_process())
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hypothesis would load, for its summary, where no test has used it: half a second of each pytest."""
        if "hypothesis" not in sys.modules:
            session.config.pluginmanager.unregister(name="hypothesispytest")

    def _run(self, session: pytest.Session, file: str, leave_out: set[str]) -> None:
        module = self._known.get(file)
        items = list(session.genitems(module)) if module is not None else []
        if self._broken or module is None:
            self._tell(broken=file, when="collection", text="\n".join(self._broken) or "pytest finds no such file")
            self._tell(test=file, outcome="failed", reason="", seconds=0.0)
            self._broken = []
            return
        session.config.hook.pytest_collection_modifyitems(session=session, config=session.config, items=items)
        items = [item for item in items if item.nodeid not in leave_out]
        session.items, session.testscollected = items, len(items)
        # The session stands for the next test of the last one: all that is of the file ends with it, and no more.
        for item, following in zip(items, [*items, session][1:], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._outcome, self._reason, self._seconds = "passed", "", 0.0
        self._tell(begun=nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds += report.duration
        if report.failed:
            self._outcome = "failed"
            printed = [f"--- {title} ---\n{content}" for title, content in report.sections]
            self._tell(broken=report.nodeid, when=report.when, text="\n".join([report.longreprtext, *printed]))
        elif report.skipped and self._outcome != "failed":
            self._outcome, self._reason = "skipped", reason_of(report)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._tell(test=nodeid, outcome=self._outcome, reason=self._reason, seconds=round(self._seconds, 3))

    def _tell(self, **event: object) -> None:
        print(json.dumps(event), file=self._events, flush=True)


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped, or was expected to fail."""
    if hasattr(report, "wasxfail"):
        return f"expected to fail: {report.wasxfail}"
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
    return reason.removeprefix("Skipped: ")


def memory_of_this_process() -> int:
    """[bytes] that are in use; 0 where the system does not tell in this way."""
    if not MEMORY.exists():
        return 0
    return int(MEMORY.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Nobody reads what pytest would print of each test."""
    config.pluginmanager.register(Worker(*CHANNELS), "sinew-worker")
    config.pluginmanager.unregister(name="terminalreporter")


def pytest_unconfigure() -> None:
    for channel in CHANNELS:
        channel.close()


def take_channels() -> tuple[IO[str], IO[str]]:
    """Before pytest captures anything."""
    orders, events = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    return open(orders, encoding="utf-8"), open(events, "w", encoding="utf-8")


CHANNELS = take_channels()
