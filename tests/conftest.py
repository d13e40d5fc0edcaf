"""What holds for every test: BLAS on one thread, no folder of the person's own is touched, nothing is left behind,
and an exception in a callback of Qt or vispy fails the test that caused it.
"""

import faulthandler
import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

import engine  # noqa: F401  (sets BLAS to one thread, which numpy and scipy read when they load)
from tests.leaks import has_screen, left_behind, photograph, set_aside_what_stays, watch_timers
from tests.pointer import let_go, put_pointer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from tests.one_window import OneWindow

os.environ["SINEW_GUARD_KERNELS"] = "1"  # before any kernel is decorated, so that `forbid_kernels_on` bites

PATIENCE, DEEP_PATIENCE = 900.0, 3600.0  # [s] for one test, and for one deep test
WATCHED_ANEW = 60.0  # [s] after which a test is given its patience from its own start
SELDOM = (10_000, 20, 20)  # objects, and rounds, after which garbage is collected: numba alone keeps 300,000 for good
QT_PATIENCE = 240_000  # [ms] of pytest-qt's waits, which end with what they wait for; its own are short beside others
STDERR = pytest.StashKey[int]()  # as it is outside of what pytest captures
WATCHED = pytest.StashKey[float]()  # until when the next test need not be watched anew
FAILED = pytest.StashKey[bool]()  # whether a test did since the window was opened
WINDOW = pytest.StashKey["OneWindow"]()

PERSONAL_FOLDERS = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")


def pytest_configure(config: pytest.Config) -> None:
    """Preferences, recovery and logs of the tests go to a folder of their own. The cache stays where it is: kernels
    are found in it by the digest of their sources, and compiling them anew would be most of the time of a run.
    """
    watch_timers()
    gc.set_threshold(*SELDOM)
    # An interpreted numba function has nothing to parallelise. Not in pyproject.toml, which pytest reads before
    # `engine`: numba would load to find the class, with OpenMP in place of its work queue, and BLAS on all cores.
    config.addinivalue_line("filterwarnings", "ignore::numba.core.errors.NumbaPerformanceWarning")
    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitCallback, QtBot.waitExposed, QtBot.waitActive):
        wait.__kwdefaults__ = {**(wait.__kwdefaults__ or {}), "timeout": QT_PATIENCE}
    config.stash[STDERR] = os.dup(2)
    config.add_cleanup(lambda: os.close(config.stash[STDERR]))
    if hasattr(config, "workerinput"):
        return
    folder = tempfile.TemporaryDirectory(prefix="sinew-tests-", ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    for name in PERSONAL_FOLDERS:
        path = Path(folder.name, name.lower())
        path.mkdir(mode=0o700)
        os.environ[name] = str(path)
    os.environ["SINEW_CONFIG"] = os.environ["XDG_CONFIG_HOME"]
    os.environ["SINEW_DATA"] = os.environ["XDG_DATA_HOME"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="also run the long random tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that asks for Qt is a GUI test, whether or not it says so. Deep ones are left out unless asked for."""
    for item in items:
        if wants_qt(item):
            item.add_marker(pytest.mark.gui)
    if not config.getoption("--deep"):
        deep = [item for item in items if item.get_closest_marker("deep") is not None]
        config.hook.pytest_deselected(items=deep)
        left_out = set(deep)
        items[:] = [item for item in items if item not in left_out]


def wants_qt(item: pytest.Item) -> bool:
    return bool({"qapp", "qtbot"}.intersection(getattr(item, "fixturenames", ())))


@pytest.fixture
def allow(request: pytest.FixtureRequest) -> Callable[[float], None]:
    """Gives a test so many seconds from now."""
    return lambda seconds: hang_after(seconds, request.config)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that hangs says where, and ends the run. pytest would begin a thread for each of 14,000 tests and wait for
    its end: a minute of tests shares one. Deep ones may take long.
    """
    if item.get_closest_marker("deep") is not None:
        hang_after(DEEP_PATIENCE, item.config)
    elif time.monotonic() > item.config.stash.get(WATCHED, 0.0):
        hang_after(PATIENCE, item.config)
        item.config.stash[WATCHED] = time.monotonic() + WATCHED_ANEW


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """After the last test of a run, or of a file, nothing is watched."""
    try:
        return (yield)
    finally:
        if not isinstance(nextitem, pytest.Item):
            faulthandler.cancel_dump_traceback_later()
            item.config.stash[WATCHED] = 0.0


def hang_after(seconds: float, config: pytest.Config) -> None:
    """A test that goes on for so long from now hangs: it says where, and ends the run."""
    config.stash[WATCHED] = 0.0
    faulthandler.dump_traceback_later(seconds, exit=True, file=config.stash[STDERR])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A window in which a test failed is used no more."""
    report = yield
    item.config.stash[FAILED] = item.config.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture(scope="session")
def one_window(request: pytest.FixtureRequest, qapp: object) -> "Iterator[OneWindow]":
    """The window of this process; `the_window` gives it to tests."""
    from tests.one_window import OneWindow

    request.config.stash[WINDOW] = window = OneWindow()
    yield window
    window.close()


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers of inverse kinematics end by their iterations: their clock stands still, however busy the machine is."""
    for module in ("solver", "constrained"):
        monkeypatch.setattr(f"engine.ik.{module}.perf_counter", lambda: 0.0)


@pytest.fixture(scope="module")
def the_window(one_window: "OneWindow") -> "Iterator[OneWindow]":
    """The one window, which the tests of a file leave as it was: what they left in it, others would find."""
    yield one_window
    found = one_window.what_is_left()
    if found:
        one_window.spoil()
        pytest.fail("the tests of this file left the window otherwise:\n" + "\n".join(found), pytrace=False)


def staying(request: pytest.FixtureRequest) -> "list[QWidget]":
    """The window of this process, if it is open; opened for those that ask for it, before they are looked at."""
    stash = request.config.stash
    if "the_window" in request.fixturenames:
        request.getfixturevalue("the_window")
        if stash.get(FAILED, False):
            stash[WINDOW].spoil()
        stash[WINDOW].open()
        stash[FAILED] = False
    return stash[WINDOW].windows if WINDOW in stash else []


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left_with_the_person() -> Iterator[None]:
    """The files of one person serve all files of tests of a process: what one keeps there, poses say, others find."""
    before = kept_files()
    yield
    found = sorted(kept_files() - before)
    for path in found:
        path.unlink()
    if found:
        names = ", ".join(str(path.relative_to(os.environ["SINEW_DATA"])) for path in found)
        pytest.fail(f"the tests of this file kept in the person's folder, not one of their own: {names}", pytrace=False)


def kept_files() -> set[Path]:
    """What a person has, but for what programs that run have there."""
    folders = [path for path in Path(os.environ["SINEW_DATA"]).glob("*") if path.name not in ("recovery", "logs")]
    return {path for folder in folders for path in (folder, *folder.rglob("*")) if path.is_file()}


@pytest.fixture(autouse=True)
def nothing_is_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    with_qt = request.node.get_closest_marker("gui") is not None
    if with_qt and not has_screen():
        pytest.fail("a GUI test needs a screen: run it with `python3 start.py test PYTEST-ARGS`", pytrace=False)
    if with_qt:
        request.getfixturevalue("qapp")
        request.getfixturevalue("vispy_callbacks_do_not_swallow")
        set_aside_what_stays(*staying(request))
        let_go()
        put_pointer()
    before = photograph(with_qt=with_qt)
    yield
    found = left_behind(before, with_qt=with_qt)
    if found:
        pytest.fail("this test left behind: " + "; ".join(found), pytrace=False)


@pytest.fixture(scope="session")
def vispy_callbacks_do_not_swallow() -> Iterator[None]:
    """vispy prints what its callbacks raise and goes on. Handed to `sys.excepthook` instead, it reaches pytest-qt,
    which fails the test.
    """

    def hand_over(*_: object, **__: object) -> None:
        kind, error, trace = sys.exc_info()
        if kind is not None and error is not None:
            sys.excepthook(kind, error, trace)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("vispy.util.event._handle_exception", hand_over)
        yield
