"""start.py: what it says, what it leaves behind, and that two runs at once do not harm each other. That a bare machine
passes is seen on a bare machine; here are the paths that a good one never takes.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import tomllib
from contextlib import nullcontext
from pathlib import Path

import pytest

import start
from engine.runtime.folders import SHIPPED
from tests.house.tree import ROOT, assert_gone, end

LINUX_ALONE = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X and apt are Linux's")


def exit_code(raised: pytest.ExceptionInfo[SystemExit]) -> object:
    return raised.value.code


def test_unknown_verb_is_refused_with_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        start.main(["tset"])
    assert exit_code(raised) == start.USAGE_ERROR
    told = capsys.readouterr().err
    assert "'tset'" in told
    assert "start.py test" in told


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 19), (3, 15, 0), (4, 0, 0)])
def test_a_python_that_its_packages_are_not_made_for_is_refused(
    version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    monkeypatch.setattr("platform.python_version", lambda: ".".join(map(str, version)))
    with pytest.raises(SystemExit) as raised:
        start.main(["test"])
    assert exit_code(raised) == start.MACHINE_LACKS_SOMETHING
    told = capsys.readouterr().err
    assert f"made for Python 3.11 to 3.14; this is {version[0]}.{version[1]}." in told


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 9)])
def test_a_python_that_its_packages_are_made_for_is_taken(
    version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    assert start.main(["help"]) == 0


def test_installers_refuse_the_same_versions_of_python() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    (major, minor), (last_major, last_minor) = start.LOWEST_PYTHON, start.HIGHEST_PYTHON
    assert told == f">={major}.{minor},<{last_major}.{last_minor + 1}"


@LINUX_ALONE
def test_who_may_not_install_gets_the_line_that_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "can_load", lambda name: name != "libGL.so.1")
    monkeypatch.setattr(shutil, "which", lambda name: "apt-get" if name == "apt-get" else None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit) as raised:
        start.install_libraries(start.LOCK, screen=True)
    assert exit_code(raised) == start.MACHINE_LACKS_SOMETHING
    assert "sudo apt-get install -y --no-install-recommends libgl1 xvfb\n" in capsys.readouterr().err


@LINUX_ALONE
def test_root_installs_what_is_missing_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(
        start, "can_load", lambda name: not name.startswith("libxcb-sy") and name != "libgthread-2.0.so.0"
    )
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        return subprocess.CompletedProcess(command, 0, "")

    monkeypatch.setattr(subprocess, "run", run)
    start.install_libraries(start.LOCK, screen=True)
    assert ran[0] == ["apt-get", "-qq", "update"]
    assert ran[1][-5:] == ["install", "-y", "--no-install-recommends", "libglib2.0-0", "libxcb-sync1"]
    assert len(ran) == 2


@LINUX_ALONE
def test_the_tests_need_more_than_the_application(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, str]] = []
    monkeypatch.setattr(start, "can_load", lambda name: name != "libgomp.so.1")
    monkeypatch.setattr(start, "install_packages", lambda missing, what: asked.append(missing))
    start.install_libraries(start.LOCK, screen=False)
    assert asked == []
    start.install_libraries(start.TEST_LOCK, screen=False)
    assert asked == [{"libgomp.so.1": "libgomp1"}]


@pytest.fixture
def builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Environments that are built in name only, in the order of building."""
    built: list[Path] = []

    def build(folder: Path, _: Path) -> None:
        built.append(folder)
        folder.mkdir(exist_ok=True)

    monkeypatch.setattr(start, "ENVIRONMENTS", tmp_path / "environments")
    monkeypatch.setattr(start, "build_environment", build)
    monkeypatch.setattr(start, "keep_bytecode", lambda folder: None)
    return built


def test_environment_is_made_once_for_each_lock(builds: list[Path], tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("one==1", encoding="utf-8")
    first = start.prepare_environment(lock)
    assert start.prepare_environment(lock) == first
    assert len(builds) == 1
    lock.write_text("one==2", encoding="utf-8")
    assert start.prepare_environment(lock) != first
    assert len(builds) == 2


def test_half_made_environment_is_made_again(builds: list[Path], tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("one==1", encoding="utf-8")
    start.prepare_environment(lock)
    (builds[0] / "complete").unlink()
    start.prepare_environment(lock)
    assert builds == [builds[0], builds[0]]


def test_checkout_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("one==1", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(start, "ENVIRONMENTS", tmp_path / "file" / "environments")
    with pytest.raises(SystemExit) as ended:
        start.prepare_environment(lock)
    assert ended.value.code == start.MACHINE_LACKS_SOMETHING
    assert "cannot be written" in capsys.readouterr().err


def test_environment_long_unused_goes_when_another_is_made(builds: list[Path], tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("one==1", encoding="utf-8")
    start.prepare_environment(lock)
    os.utime(builds[0] / "complete", (0, 0))
    lock.write_text("one==2", encoding="utf-8")
    start.prepare_environment(lock)
    assert not builds[0].exists()


def test_second_run_waits_until_the_first_has_made_it(builds: list[Path], tmp_path: Path) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("one==1", encoding="utf-8")
    runs = [threading.Thread(target=start.prepare_environment, args=(lock,)) for _ in range(4)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(300)
    assert len(builds) == 1


def test_lock_is_held_against_others_until_closed(tmp_path: Path) -> None:
    with (tmp_path / "lock").open("a+b") as first, (tmp_path / "lock").open("a+b") as second:
        assert start.try_lock(first)
        assert not start.try_lock(second)
        first.close()
        assert start.try_lock(second)


@LINUX_ALONE
def test_virtual_screen_ends_with_its_block() -> None:
    with start.virtual_screen() as variables:
        socket = Path("/tmp/.X11-unix", "X" + variables["DISPLAY"].removeprefix(":"))
        assert socket.exists()
    assert not socket.exists()


@LINUX_ALONE
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_ended_leaves_no_child_and_no_screen(how: signal.Signals, tmp_path: Path) -> None:
    program = (
        "import signal, sys, start\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where the tests run in the background
        "with start.virtual_screen() as variables:\n"
        "    code = start.call([sys.executable, '-c', sys.argv[1]], variables)\n"
        "sys.exit(code)\n"
    )
    child = "import os; print(os.getpid(), os.environ['DISPLAY'], flush=True); input()"
    run = subprocess.Popen(
        [sys.executable, "-c", program, child],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    with run:
        assert run.stdout is not None
        number, display = run.stdout.readline().split()
        end(run, how)
    assert_gone(number, display)


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ([], ["-m", "tests.run"]),
        (["--fast", "--workers", "3"], ["-m", "tests.run", "--fast", "--workers", "3"]),
        (["--deep", "--record"], ["-m", "tests.run", "--deep", "--record"]),
        (["tests/house", "-k", "start"], ["-m", "pytest", "tests/house", "-k", "start"]),
        (["--fast", "--deep", "tests/gui"], ["-m", "pytest", "-m", "not slow", "--deep", "tests/gui"]),
    ],
)
def test_arguments_of_pytest_ask_for_pytest_alone(
    arguments: list[str], command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[list[str]] = []

    def call(command: list[str], _: dict[str, str]) -> int:
        called.append(command)
        return 7

    monkeypatch.setattr(start, "install_libraries", lambda lock, screen: None)
    monkeypatch.setattr(start, "prepare_environment", lambda lock: Path("python"))
    monkeypatch.setattr(start, "call", call)
    monkeypatch.setattr(start, "virtual_screen", nullcontext)
    assert start.run_tests(arguments) == 7
    assert called == [["python", *command]]


@pytest.mark.parametrize("option", [["--record"], ["--workers", "2"], ["--workers=2"], ["--shuffle", "0"]])
def test_what_is_for_all_checks_is_refused_beside_arguments_of_pytest(
    option: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "install_libraries", lambda lock, screen: pytest.fail("nothing is begun"))
    with pytest.raises(SystemExit) as raised:
        start.main(["test", *option, "tests/house"])
    assert exit_code(raised) == start.USAGE_ERROR
    assert capsys.readouterr().err.count("\n") == 1


def test_kernels_are_shipped_into_the_resources_and_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called: list[list[str]] = []

    def call(command: list[str], _: dict[str, str]) -> int:
        called.append(command)
        return 0

    monkeypatch.setattr(start, "prepare_environment", lambda lock: Path("python"))
    monkeypatch.setattr(start, "call", call)
    assert start.main(["ship"]) == 0
    (command,) = called
    assert command[:-1] == ["python", "-m", "engine", "job", "ship_kernels"]
    assert json.loads(command[-1]) == {"folder": str(SHIPPED)}
    with pytest.raises(SystemExit) as raised:
        start.main(["ship", "elsewhere"])
    assert exit_code(raised) == start.USAGE_ERROR
    assert "elsewhere" in capsys.readouterr().err


def test_packages_are_made_from_a_lock_of_their_own_and_tried_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def call(command: list[str], *_: object, **__: object) -> int:
        called.append(command)
        return 0

    for step in ("install_libraries", "install_package_tools"):
        monkeypatch.setattr(start, step, lambda *_, **__: None)
    monkeypatch.setattr(start, "prepare_environment", lambda lock: Path(lock.name))
    monkeypatch.setattr(start, "call", call)
    assert start.main(["package"]) == 0
    assert start.main(["smoke", "--keep", "there", "some.deb"]) == 0
    assert start.main(["wheel"]) == 0
    maker = start.ROOT / "packaging" / "make_package.py"
    assert called == [
        ["requirements-package.lock", str(maker)],
        [sys.executable, "-m", "smoke", "--keep", "there", "some.deb"],
        ["requirements.lock", str(maker.with_name("make_wheel.py"))],
    ]
    assert maker.with_name("make_wheel.py").is_file()
    assert maker.is_file()
    assert (start.ROOT / "packaging" / "smoke" / "__main__.py").is_file()
    for command in ("package", "wheel"):
        with pytest.raises(SystemExit) as raised:
            start.main([command, "elsewhere"])
        assert exit_code(raised) == start.USAGE_ERROR


def test_bytecode_goes_to_the_environment_where_it_may_not_stand_beside_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", "")  # so that what it was before comes back
    monkeypatch.delenv("PYTHONPYCACHEPREFIX")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    start.keep_bytecode(tmp_path)
    (tmp_path / "once.py").write_text("", encoding="utf-8")
    subprocess.run([sys.executable, "-c", "import once"], cwd=tmp_path, check=True)
    assert len(list((tmp_path / "bytecode").rglob("once.*.pyc"))) == 1
    assert not (tmp_path / "__pycache__").exists()
