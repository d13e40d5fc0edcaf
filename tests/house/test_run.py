"""`start.py test` runs all that there is, tells each failure in full, and goes on where a test takes pytest down."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import start
from tests import plan
from tests import run as whole
from tests.chance import place_of_pointer, shuffled
from tests.house.tree import ROOT, assert_gone, end
from tests.plan import (
    CHECKS,
    INTERPRETED,
    KINDS,
    SMOKE,
    WARM_UP,
    Kind,
    Queue,
    Task,
    count_workers,
    files_of,
    make_plan,
)
from tests.run import Outcome, Verdict, WholeTest, outcomes_of, summarise, tell_more

LINUX_ALONE = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X is Linux's")

CONFTEST = """
import os, pathlib, pytest

kept = []

@pytest.fixture(scope="session")
def long():
    yield keep()
    if pathlib.Path("bad_end").exists():
        os._exit(7)

@pytest.fixture(scope="module")
def short():
    return keep()

def keep():
    kept.append(object())
    return kept[-1]
"""

FIRST = """
import pytest

def test_good(long, short): pass

def test_bad(long):
    print("said before it failed")
    assert [1, 2] == [1, 3]

@pytest.mark.skip(reason="not today")
def test_skipped(): pass

@pytest.mark.xfail(reason="known")
def test_expected(): assert 0

@pytest.fixture
def breaks():
    yield
    raise ValueError("in its teardown")

def test_bad_at_its_end(breaks): pass
"""

CRASH = """
import os

def test_before(): pass

def test_crash():
    os.abort()

def test_after(): pass
"""


def write(root: Path, **sources: str) -> Kind:
    """Files of tests below a root, away from the settings of this tree."""
    folder = root / "planted"
    folder.mkdir(exist_ok=True)
    (folder / "conftest.py").write_text(CONFTEST, encoding="utf-8")
    for name, source in sources.items():
        (folder / f"test_{name}.py").write_text(source, encoding="utf-8")
    return Kind("planted", ("planted",), ("-c", os.devnull, "--rootdir", str(root)), kernels=False)


def run(root: Path, kind: Kind, *, workers: int = 1) -> list[Verdict]:
    tasks = [Task(file, kind.name, file=file, kind=kind) for file in files_of(kind, root)]
    return WholeTest(tasks, root).run(workers)


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    root = tmp_path_factory.mktemp("root")
    kind = write(root, first=FIRST, crash=CRASH, unreadable="import nowhere", empty="")
    return {Path(verdict.task.name).stem: verdict for verdict in run(root, kind)}


def test_tests_are_counted_by_what_became_of_them(planted: dict[str, Verdict]) -> None:
    assert planted["test_first"].counts == {"passed": 1, "failed": 2, "skipped": 2}
    assert planted["test_first"].reasons == {"not today": 1, "expected to fail: known": 1}
    assert not planted["test_empty"].counts


def test_a_failure_is_told_in_full(planted: dict[str, Verdict]) -> None:
    told = planted["test_first"].failures
    assert list(told) == ["planted/test_first.py::test_bad", "planted/test_first.py::test_bad_at_its_end"]
    bad, bad_at_its_end = told.values()
    assert "assert [1, 2] == [1, 3]" in bad
    assert "said before it failed" in bad
    assert "in teardown:" in bad_at_its_end
    assert "in its teardown" in bad_at_its_end


def test_a_crash_has_failed_and_the_rest_goes_on(planted: dict[str, Verdict]) -> None:
    verdict = planted["test_crash"]
    assert verdict.counts == {"passed": 2, "failed": 1}
    assert list(verdict.failures) == ["planted/test_crash.py::test_crash"]
    told = verdict.failures["planted/test_crash.py::test_crash"]
    assert "Fatal Python error: Aborted" in told
    assert "in test_crash" in told


def test_a_file_that_cannot_be_imported_has_failed(planted: dict[str, Verdict]) -> None:
    assert planted["test_unreadable"].counts == {"failed": 1}
    assert "No module named 'nowhere'" in "".join(planted["test_unreadable"].failures.values())


def test_one_pytest_takes_file_after_file_and_keeps_what_is_of_the_session(tmp_path: Path) -> None:
    note = "import os\ndef test_it(long, short): open('noted', 'a').write(f'{os.getpid()} {id(long)} {id(short)}\\n')\n"
    assert [verdict.counts for verdict in run(tmp_path, write(tmp_path, one=note, two=note))] == [
        {"passed": 1},
        {"passed": 1},
    ]
    (process, long, short), after = (line.split() for line in (tmp_path / "noted").read_text().splitlines())
    assert after[:2] == [process, long]
    assert after[2] != short


def test_what_goes_wrong_after_the_last_file_has_failed(tmp_path: Path) -> None:
    kind = write(tmp_path, one="def test_it(long): open('bad_end', 'w').close()")
    good, bad = run(tmp_path, kind)
    assert good.counts == {"passed": 1}
    assert bad.counts == {"failed": 1}
    assert "exit code 7" in "".join(bad.failures.values())


def test_workers_run_side_by_side(tmp_path: Path) -> None:
    meet = (
        "import time, pathlib\n"
        "def test_meet():\n"
        "    pathlib.Path(__file__).with_suffix('.here').touch()\n"
        "    end = time.monotonic() + 240\n"
        "    while len(list(pathlib.Path('planted').glob('*.here'))) < 2: assert time.monotonic() < end\n"
    )
    assert [verdict.counts for verdict in run(tmp_path, write(tmp_path, one=meet, two=meet), workers=2)] == [
        {"passed": 1},
        {"passed": 1},
    ]


def test_a_check_passes_by_its_exit_code_and_is_shown_when_it_fails(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    tasks = [
        Task("good", "good", command=("-c", "print('all is well')")),
        Task("bad", "bad", command=("-c", "import sys; print('this is wrong'); sys.exit(1)")),
    ]
    assert [verdict.counts for verdict in WholeTest(tasks, tmp_path).run(1)] == [{"passed": 1}, {"failed": 1}]
    told = capfd.readouterr().out
    assert "[1/2] good: 1 passed" in told
    assert "all is well" not in told
    assert "this is wrong" in told


def test_a_check_that_cannot_have_its_packages_is_skipped_with_its_reason(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pip = "'-m', 'pip', 'install', '--retries', '1', '--index-url', 'http://127.0.0.1:9', '--no-input', 'nowhere'"
    code = f"import sys; sys.path.append({str(ROOT)!r}); import start; start.check([sys.executable, {pip}])"
    (verdict,) = WholeTest([Task("alone", "alone", command=("-c", code))], tmp_path).run(1)
    assert verdict.counts == {"skipped": 1}
    tell_more([verdict])
    assert (
        "1 skipped: alone: start: packages cannot be had: the registry of Python's packages" in capfd.readouterr().out
    )


def test_the_smoke_test_waits_until_kernels_are_compiled_and_a_fast_run_leaves_it_out() -> None:
    slow = {task.name: task.needs_kernels for task in make_plan() if task.kind is None and task.name not in CHECKS}
    assert slow == {"docs": False, **({SMOKE: True} if start.LINUX else {})}
    assert [task.name for task in make_plan(fast=True) if task.kind is None] == list(CHECKS)
    assert {"types", "mypy"} <= {task.name for task in make_plan(deep=True)}


@LINUX_ALONE
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_no_child_and_no_screen(how: signal.Signals, tmp_path: Path) -> None:
    endless = (
        "import os, sys, time\n"
        "def test_endless():\n"
        "    open('begun', 'w').write(f'{os.getpid()} {os.environ[\"DISPLAY\"]}')\n"
        "    os.rename('begun', 'ready')\n"
        "    time.sleep(300)\n"
    )
    write(tmp_path, endless=endless)
    program = (
        "import signal, sys, pathlib\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "signal.signal(signal.SIGINT, lambda *_: sys.exit(130))\n"  # ignored where the tests run in the background
        "from tests.house.test_run import run, write\n"
        f"run(pathlib.Path({str(tmp_path)!r}), write(pathlib.Path({str(tmp_path)!r})))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as whole:  # fmt: skip
        ready = tmp_path / "ready"
        until = threading.Event()
        for _ in range(1200):
            if ready.exists():
                break
            until.wait(0.05)
        number, display = ready.read_text().split()
        end(whole, how)
    assert_gone(number, display)


# The queue


A, B = Kind("a", ()), Kind("b", ())


def told_of_waits(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Set as soon as somebody waits for the queue."""
    waits, wait = threading.Event(), queue._changed.wait

    def told() -> bool:
        waits.set()
        return wait()

    monkeypatch.setattr(queue._changed, "wait", told)
    return waits


def test_files_of_the_same_kind_come_before_others() -> None:
    queue = Queue([Task("1", "", kind=A), Task("2", "", kind=B), Task("3", "", kind=A), Task("4", "")])
    taken = [queue.take(kind) for kind in (None, B, B, A, A)]
    assert [task.name if task else None for task in taken] == ["1", "2", "4", "3", None]


def test_a_kind_that_nobody_has_begun_comes_before_one_that_another_is_at_and_then_the_longest() -> None:
    c = Kind("c", ())
    files = [Task("1", "", 1.0, kind=A), Task("2", "", 3.0, kind=A), Task("3", "", 1.0, kind=B)]
    queue = Queue([*files, Task("4", "", 2.0, kind=B), Task("5", "", 1.5, kind=B), Task("6", "", 9.0, kind=c)])
    taken = [queue.take(kind) for kind in (None, None, c, c, A)]
    assert [task.name if task else None for task in taken] == ["1", "3", "6", "4", "2"]


def test_what_calls_kernels_waits_until_they_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    dry = Kind("dry", (), kernels=False)
    queue = Queue([Task(WARM_UP, ""), Task("1", "", kind=A), Task("2", "", kind=dry), Task("3", "")])
    warm_up = queue.take()
    assert warm_up is not None
    assert warm_up.name == WARM_UP
    assert [getattr(queue.take(), "name", "") for _ in range(2)] == ["2", "3"]
    taken: list[Task | None] = []
    waits = told_of_waits(queue, monkeypatch)
    waiting = threading.Thread(target=lambda: taken.append(queue.take()))
    waiting.start()
    assert waits.wait(300)
    assert not taken
    queue.done(warm_up)
    waiting.join(300)
    assert [task.name if task else None for task in taken] == ["1"]


def test_a_queue_that_is_cleared_lets_those_go_who_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    queue = Queue([Task(WARM_UP, ""), Task("1", "", kind=A)])
    queue.take()
    waits = told_of_waits(queue, monkeypatch)
    waiting = threading.Thread(target=queue.take)
    waiting.start()
    assert waits.wait(300)
    queue.clear()
    waiting.join(300)
    assert not waiting.is_alive()


def test_the_longest_file_comes_first_and_one_without_a_record_counts_as_the_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, short="", long="", new="")
    (tmp_path / "tests").mkdir()
    plan.write_durations({"planted/test_short.py": 1.0, "planted/test_long.py": 9.04}, tmp_path)
    assert plan.read_durations(tmp_path) == {"planted/test_long.py": 9.0, "planted/test_short.py": 1.0}
    monkeypatch.setattr(plan, "KINDS", (Kind("planted", ("planted",)),))
    files = [task.name for task in make_plan(root=tmp_path, fast=True) if task.file]
    assert files == [f"planted/test_{name}.py" for name in ("long", "new", "short")]


def test_a_seed_shuffles_files_after_the_checks() -> None:
    tasks = [Task("check", ""), *(Task(str(number), "", file=str(number), kind=A) for number in range(20))]
    orders = [[task.name for task in shuffled(tasks, seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    assert [order[0] for order in orders] == ["check"] * 3
    assert sorted(orders[0]) == sorted(task.name for task in tasks)


@LINUX_ALONE
@pytest.mark.parametrize("seed", [None, 3])
def test_the_pointer_stands_aside_or_where_a_seed_puts_it_for_each_file(seed: int | None, tmp_path: Path) -> None:
    where = (
        "from PySide6.QtGui import QCursor, QGuiApplication\n"
        "from tests.pointer import put_pointer\n"
        "def test_it():\n"
        "    application = QGuiApplication.instance() or QGuiApplication([])\n"
        "    QCursor.setPos(7, 9)\n"
        "    put_pointer()\n"
        "    open(__name__, 'w').write(f'{QCursor.pos().x()} {QCursor.pos().y()}')\n"
    )
    kind = write(tmp_path, one=where, two=where)
    tasks = [Task(file, kind.name, file=file, kind=kind) for file in files_of(kind, tmp_path)]
    assert [verdict.counts for verdict in WholeTest(tasks, tmp_path, seed=seed).run(1)] == [{"passed": 1}] * 2
    found = [tuple(map(int, (tmp_path / f"test_{name}").read_text().split())) for name in ("one", "two")]
    if seed is None:
        assert found == [(1599, 999)] * 2
        return
    places = [place_of_pointer(task.file, seed) for task in tasks]
    assert found == [(int(across * 1600), int(down * 1000)) for across, down in places]
    assert found[0] != found[1]


def test_every_test_file_is_of_one_kind_and_of_one_only() -> None:
    tasks = make_plan()
    assert [task.name for task in tasks[: len(CHECKS)]] == list(CHECKS)
    compiled = [task.file for task in tasks if task.file and task.row != INTERPRETED.name]
    assert sorted(compiled) == sorted(file.relative_to(ROOT).as_posix() for file in (ROOT / "tests").rglob("test_*.py"))


def test_the_window_is_half_its_size_where_no_pixels_are_looked_at() -> None:
    sizes = {task.file: task.kind.variables.get("QT_SCALE_FACTOR") for task in make_plan() if task.kind is not None}
    assert (sizes["tests/gui/test_locks.py"], sizes["tests/gui/test_markers.py"]) == ("0.5", None)


def test_a_fast_run_leaves_out_slow_tests_and_those_without_kernels() -> None:
    tasks = [task for task in make_plan(fast=True) if task.kind is not None]
    assert {task.row for task in tasks} == {kind.name for kind in KINDS}
    assert all(task.kind is not None and task.kind.options == ("-m", "not slow") for task in tasks)


def test_files_with_marked_tests_run_again_without_compiled_kernels() -> None:
    marked = [task for task in make_plan() if task.row == INTERPRETED.name]
    assert "tests/engine/maths/test_rotations.py" in [task.file for task in marked]
    for task in marked:
        assert task.kind is not None
        assert task.kind.variables == {"NUMBA_DISABLE_JIT": "1"}
        assert "jit_off" in (ROOT / task.file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("cores", "quota", "gigabytes", "workers"),
    [(8, "max 100000", 64, 8), (8, "200000 100000", 64, 2), (8, "50000 100000", 64, 1), (8, "", 9, 4), (1, "", 1, 1)],
)
def test_as_many_workers_as_cores_and_memory_allow(
    cores: int, quota: str, gigabytes: int, workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    for name, text in {"QUOTA": quota, "MEMORY": f"MemTotal: 1 kB\nMemAvailable: {gigabytes * 2**20} kB\n"}.items():
        (tmp_path / name).write_text(text, encoding="ascii")
        monkeypatch.setattr(plan, name, tmp_path / name)
    assert count_workers() == workers


# The end


@pytest.mark.parametrize(("said", "code", "kept"), [("1", 0, ["a check"]), ("1 / 0", 1, [])])
def test_how_long_each_task_took_is_kept_if_all_passed(
    said: str, code: int, kept: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written: list[str] = []
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(whole, "make_plan", lambda **_: [Task("a check", "checks", command=("-c", said))])
    monkeypatch.setattr(whole, "write_durations", written.extend)
    try:
        assert whole.main(["--record", "--workers", "1"]) == code
    finally:
        signal.signal(signal.SIGTERM, before)
    assert written == kept
    assert capsys.readouterr().out.splitlines()[-1] == ("1 passed, 0 failed" if code == 0 else "0 passed, 1 failed")


def test_verdicts_of_one_row_are_added_up(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = Verdict(Task("one", "row"), seconds=1.0), Verdict(Task("two", "row"), seconds=2.0)
    good.take({"test": "one::a", "outcome": "passed", "reason": "", "seconds": 0.5})
    bad.take({"broken": "two::b", "when": "call", "text": "oh"})
    bad.take({"test": "two::b", "outcome": "failed", "reason": "", "seconds": 1.5})
    assert outcomes_of([good, bad]) == [Outcome("row", 1, 1, 0, 3.0)]
    tell_more([good, bad])
    assert capsys.readouterr().out.splitlines() == ["1.5 s: two::b", "0.5 s: one::a", "FAILED two::b"]


@pytest.mark.parametrize(
    ("outcomes", "code", "line"),
    [
        ([Outcome("a", 3, 0, 0, 1.0), Outcome("b", 1, 0, 2, 1.0)], 0, "4 passed, 0 failed, 2 skipped"),
        ([Outcome("a", 3, 0, 0, 1.0), Outcome("b", 0, 1, 0, 1.0)], 1, "3 passed, 1 failed"),
        ([Outcome("a", 0, 0, 0, 1.0)], 1, "0 passed, 0 failed"),
    ],
)
def test_summary_ends_with_one_plain_line(
    outcomes: list[Outcome], code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert summarise(outcomes, 2.0) == code
    assert capsys.readouterr().out.splitlines()[-1] == line
