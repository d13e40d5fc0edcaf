"""`sinew render` and `sinew replay` as a person starts them; what is refused, and with which code, without a child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.__main__ import main
from app.features.films.films import Films
from engine.formats import sinew
from tests.app.export.films import read, waving

ROOT = Path(__file__).parents[3]
WITHIN = 300.0  # [s]


def run(*arguments: str, **changes: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in {**os.environ, **changes}.items() if value is not None}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=WITHIN,
    )  # fmt: skip


Command = Callable[..., tuple[int, str]]


@pytest.fixture
def command(qapp: QApplication, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Runs it in this process, which takes seconds less than to start another; its exit code, and what it said."""
    before = signal.getsignal(signal.SIGTERM)

    def call(*arguments: str) -> tuple[int, str]:
        code = main(arguments)
        return code, capsys.readouterr().err

    yield call
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("project") / "waving.sinew"
    sinew.write(path, waving(sound=True))
    return path


def test_a_film_is_written_without_a_window(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.mp4"
    done = run(
        "render", str(project), "--out", str(out), "--size", "161x120", "--rate", "10", "--samples", "2",
        "--camera", "front", "--range", "0:0.5", "--title", "Wave", "--time", "--quantity", "human.pelvis.turn",
        DISPLAY=None, WAYLAND_DISPLAY=None,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "161 x 120 becomes 162 x 120" in done.stderr
    found = read(out)
    assert (found.size, found.rate, len(found.frames)) == ((162, 120), 10.0, 6)
    assert found.heard is not None
    assert [each.name for each in tmp_path.iterdir()] == ["a.mp4"]


def test_one_time_and_a_png_is_one_picture_with_alpha(project: Path, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "a.png"
    code, told = command(
        "render", str(project), "--out", str(out), "--size", "100x80", "--range", "0.2", "--alpha", "--no-grid"
    )
    assert code == 0, told
    picture = QImage(str(out))
    assert (picture.width(), picture.height()) == (100, 80)
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(50, 30).alpha() == 255


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "a.mp4", "--camera", "behind"), "the camera is 'behind'"),
        (("--out", "a.avi"), "the file's ending is '.avi'; allowed: .mp4, .webm, .gif, .png"),
        (("--out", "a.mp4", "--range", "2:1"), "the end of the range is '1 s'; allowed: at or after its start, 2 s"),
        (("--out", "a.mp4", "--curves"), "--curves is True; allowed: with --quantity"),
        (("--out", "a.mp4", "--alpha"), "PNG pictures can be transparent"),
        (("--out", "none/a.mp4", "--size", "32x32"), "there is no such folder"),
        (("--out", "a.mp4", "--workers", "0"), "the number of workers is 0; allowed: 1 to 256"),
    ],
)
def test_what_cannot_be_is_one_line_and_code_1(
    arguments: tuple[str, ...], said: str, project: Path, command: Command
) -> None:
    code, told = command("render", str(project), *arguments)
    assert code == 1
    assert said in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("span", "names", "more"),
    [("0.2", ("a.png",), ""), ("0:0.3", ("a_0002.png", "a_0004.png"), ", and 1 more of its pictures")],
)
def test_files_that_are_there_are_replaced_only_if_that_is_asked_for(
    span: str, names: tuple[str, ...], more: str, project: Path, tmp_path: Path, command: Command
) -> None:
    out, there = tmp_path / "a.png", [tmp_path / name for name in names]
    for path in there:
        path.write_bytes(b"a person's own")
    asked = ("render", str(project), "--out", str(out), "--size", "32x32", "--rate", "10", "--range", span)
    said = f"cannot write {there[0]}: it is there already{more}. Give another name, or --replace to write over it.\n"
    assert command(*asked) == (1, said)
    assert sorted(tmp_path.iterdir()) == there
    assert all(path.read_bytes() == b"a person's own" for path in there)
    code, told = command(*asked, "--samples", "1", "--replace")
    assert code == 0, told
    assert not QImage(str(there[0])).isNull()


def test_what_is_not_understood_is_code_2(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("render", str(project), "--out", "a.mp4", "--nonsense")
    assert done.returncode == 2
    assert "usage: sinew render" in done.stderr
    for arguments in ("", "--out", "--out a.mp4 --size large", "--out a.mp4 --range 1:x"):
        with pytest.raises(SystemExit) as ended:
            main(["render", str(project), *arguments.split()])
        assert ended.value.code == 2, arguments
        assert "usage: sinew render" in capsys.readouterr().err, arguments


@pytest.mark.deep
def test_a_video_that_several_processes_draw_is_the_same_file(project: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.mp4", tmp_path / "two.mp4"
    how = ("--size", "160x120", "--rate", "20", "--samples", "2", "--range", "0:1", "--quantity", "human.pelvis.turn")
    for out, workers in ((one, "1"), (two, "2")):
        done = run("render", str(project), "--out", str(out), "--workers", workers, *how)
        assert done.returncode == 0, done.stderr
    assert len(read(one).frames) == 21
    assert one.read_bytes() == two.read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["one.mp4", "two.mp4"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_killed_it_leaves_no_half_file_and_the_next_one_sweeps(project: Path, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "a.mp4"
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "render", str(project), "--out", str(out), "--rate", "1000", "--samples", "8"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        assert "rendering" in process.stderr.readline()
    finally:
        process.kill()
        process.communicate()
    assert [(each.name[:6], each.suffix) for each in tmp_path.iterdir()] == [(".a.mp4", ".part")]
    code, told = command(
        "render", str(project), "--out", str(out), "--size", "64x64", "--range", "0:0.1", "--samples", "1"
    )
    assert code == 0, told
    assert [each.name for each in tmp_path.iterdir()] == ["a.mp4"]
    assert len(read(out).frames) == 4


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.deep), signal.SIGTERM])
def test_interrupted_it_leaves_nothing_and_ends_with_code_130(number: int, project: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.mp4"
    before = signal.signal(number, signal.default_int_handler)  # a child of what ignores it would ignore it, too
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "render", str(project), "--out", str(out), "--rate", "1000", "--samples", "8"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        assert "rendering" in process.stderr.readline()
        process.send_signal(number)
        _, said = process.communicate(timeout=WITHIN)
    finally:
        signal.signal(number, before)
        process.kill()
    assert process.returncode == 130
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
def test_without_opengl_one_line_says_what_is_missing_and_code_3(project: Path, tmp_path: Path) -> None:
    done = run(
        "render", str(project), "--out", str(tmp_path / "a.mp4"),
        DISPLAY=None, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None, __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent",
    )  # fmt: skip
    assert done.returncode == 3
    assert "no picture can be drawn" in done.stderr
    assert "libegl1" in done.stderr
    assert "xvfb-run" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_opengls_library_one_line_and_code_3(project: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "a.mp4")
    done = run("render", str(project), "--out", out, DISPLAY=None, WAYLAND_DISPLAY=None, VISPY_GL_LIB="/nonexistent.so")
    assert done.returncode == 3
    assert "the library OpenGL cannot be loaded" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_log_is_done_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from engine.edits import edit
    from engine.edits.command_log import Start
    from engine.formats import sinew_log

    document = waving()
    log, out = tmp_path / "a.sinewlog", tmp_path / "a.sinew"
    sinew_log.write_log(log, (Start(document, "New document"), edit("rename_actor", actor="human", name="Anna")))
    assert main(["replay", str(log), "--out", str(out)]) == 0
    assert capsys.readouterr().out.strip() == sinew.read(out).digest
    assert sinew.read(out).actors[0].name == "Anna"


def test_a_missing_project_is_named(command: Command) -> None:
    code, told = command("render", "nowhere.sinew", "--out", "a.mp4")
    assert code == 1
    assert "nowhere.sinew" in told


@pytest.mark.gui
def test_frames_of_the_window_and_of_the_command_are_the_same(project: Path, tmp_path: Path, command: Command) -> None:
    """The window's queue writes the plan that the command makes."""
    from app.shell.render import RenderRequest, plan_of
    from engine.cli.curves import document_in
    from tests.stage import stage

    ours, theirs = tmp_path / "ours.png", tmp_path / "theirs.png"
    request = RenderRequest(out=ours, size=(200, 150), samples=4, range=(0.25, 0.25), camera="30,10")
    plan = plan_of(request, document_in(project))
    with stage(seen=False) as opened:
        export = opened.window.of(Films).exports.add(plan)
        opened.until(lambda: export.has_ended)
        assert export.state == "done", export.problem
    code, told = command(
        "render", str(project), "--out", str(theirs), "--size", "200x150", "--samples", "4", "--range", "0.25",
        "--camera", "30,10",
    )  # fmt: skip
    assert code == 0, told
    assert ours.read_bytes() == theirs.read_bytes()
    picture = QImage(str(ours))
    colours = {picture.pixel(x, y) for x in range(0, 200, 3) for y in range(0, 150, 3)}
    assert len(colours) > 50
