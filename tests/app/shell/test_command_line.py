"""`python -m app` as a person starts it: arguments, no screen, a second start, signals, and what is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.__main__ import main
from engine import __version__

ROOT = Path(__file__).parents[3]
WITHIN = 300.0  # [s]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "app", *arguments]


def environment(**changes: str | None) -> dict[str, str]:
    merged = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def run(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=ROOT, env=environment(**changes), capture_output=True, text=True, timeout=WITHIN
    )


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that a test started; whatever still runs afterwards is ended."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def start(running: list[subprocess.Popen[str]], *arguments: str, until: str = "engine") -> subprocess.Popen[str]:
    """A window that has come so far: painted, its first picture drawn, or its engine ready, too."""
    process = subprocess.Popen(
        command("--timing", *arguments),
        cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    running.append(process)
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line).get("milestone") == until:
            break
    return process


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.strip()) == (0, f"Sinew {__version__}")


def test_unknown_arguments_are_refused_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    done = run("--nonsense")
    assert done.returncode == 2
    assert "usage: sinew" in done.stderr
    for arguments in (["--sep"], ["a.sinew", "b.sinew"]):
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2, arguments
        assert "usage: sinew" in capsys.readouterr().err, arguments


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
@pytest.mark.parametrize(("display", "said"), [(None, "there is no screen"), (":987", "DISPLAY=:987 does not answer")])
def test_without_a_screen_one_line_and_code_3(display: str | None, said: str) -> None:
    done = run(DISPLAY=display, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    assert done.returncode == 3
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.gui
def test_a_second_start_hands_its_file_over_a_separate_one_stays_and_a_killed_one_leaves_the_way_free(
    running: list[subprocess.Popen[str]], tmp_path: Path
) -> None:
    first = start(running, until="window")
    second = run(str(tmp_path / "walk.sinew"))
    assert (second.returncode, second.stderr) == (0, "")
    assert "already running" in second.stdout
    separate = start(running, "--separate", until="window")
    assert first.poll() is None
    first.kill()
    first.wait()
    again = start(running, until="window")
    if os.name == "posix":
        for process, number, code in ((separate, signal.SIGTERM, 143), (again, signal.SIGINT, 130)):
            process.send_signal(number)
            assert process.wait(WITHIN) == code, "a signal ends it without questions"


@pytest.mark.gui
def test_an_engine_that_cannot_be_loaded_ends_with_code_1(tmp_path: Path) -> None:
    """A numba that raises stands in front of the real one."""
    (tmp_path / "numba.py").write_text("raise ImportError('no numba on this machine')\n")
    done = run("--timing", "--quit-after-ready", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert "engine unavailable" in [json.loads(line).get("milestone") for line in done.stdout.splitlines()]


@pytest.mark.gui
def test_a_file_that_cannot_be_opened_is_said_and_ends_with_code_1_also_where_home_cannot_be_written(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("")
    home = str(tmp_path / "file" / "config")
    done = run("--quit-after-ready", str(tmp_path / "none.sinew"), SINEW_CONFIG=home)
    assert done.returncode == 1
    assert "none.sinew: no file of that name" in done.stderr
    assert len(done.stderr.splitlines()) == 1, "the start itself went on"


def test_commands_of_the_engine_are_passed_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engine", "version"]) == 0
    assert capsys.readouterr().out.strip() == f"Sinew {__version__}"
    with pytest.raises(SystemExit):
        main(["engine", "nothing"])
    assert "sinew engine: error" in capsys.readouterr().err


@pytest.mark.gui
def test_a_start_passes_its_milestones_in_order_loads_numba_beside_the_window_and_ends_clean(
    own_preferences: Path,
) -> None:
    """Which thread loads it, that a start loads nothing that draws charts, and numpy only once the window is there, is
    looked at from outside. Preferences that are damaged are set aside.
    """
    content = '{"theme": 3}'
    own_preferences.mkdir(parents=True)
    (own_preferences / "preferences.json").write_text(content)
    program = (
        "import sys, threading\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name in ('numpy', 'numba', 'pyqtgraph'):\n"
        "            print(repr(threading.current_thread().name).replace(chr(39), chr(34)), flush=True)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from app.__main__ import main\n"
        "raise SystemExit(main(['--timing', '--quit-after-ready']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=WITHIN, env=environment()
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each for each in told if isinstance(each, str)] == ["MainThread", "engine"]
    assert not isinstance(told[0], str), "numpy alone would take a fifth of the time until the window"
    (warning,) = (each["warning"] for each in told if "warning" in each)
    assert "preferences.json" in warning
    found = [each for each in told if "milestone" in each]
    assert [each["milestone"] for each in found] == ["window", "picture", "engine"]
    assert [each["seconds"] for each in found] == sorted(each["seconds"] for each in found)
    assert (own_preferences / "preferences.json.damaged").read_text() == content
    assert json.loads((own_preferences / "preferences.json").read_text())["theme"] == "dark"


@pytest.mark.gui
def test_what_draws_charts_is_loaded_on_its_thread_once_the_start_is_over() -> None:
    """A chart is seen from the first paint on: it is drawn when the engine has answered and pyqtgraph is there."""
    program = (
        "import sys, threading\n"
        "order = []\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'pyqtgraph': order.append(threading.current_thread().name)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "from app.features.method.panel import MethodPanel\n"
        "from app.shell.milestones import Milestones\n"
        "from tests.stage import stage\n"
        "mark = Milestones.mark\n"
        "Milestones.mark = lambda self, name: (order.append(name), mark(self, name))\n"
        "with stage(ready=False) as opened:\n"
        "    opened.window.show_panel('method')\n"
        "    opened.until(lambda: opened.panel(MethodPanel).answer.plot.is_drawn)\n"
        "print(*dict.fromkeys(order))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=WITHIN, env=environment()
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["window", "picture", "engine", "MainThread"]


def test_what_is_loaded_before_the_first_paint_leaves_numpy_out() -> None:
    """Its import alone would take a fifth of the time that the first paint may take."""
    heavy = ("numpy", "numba", "vispy", "pyqtgraph")
    code = f"import app.shell.run, sys; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=300.0)
    assert done.stdout.strip() == "[]"
