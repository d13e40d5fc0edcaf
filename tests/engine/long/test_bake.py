"""Bakes as a job: ended at any moment it goes on, what is there is not made again, nonsense is refused in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.document import Document, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.baked import Baked, frame_from
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import PictureCache
from engine.formats import sinew
from engine.long.bake import BakesFound, bake, bake_frames, find_bakes, folders_for, frame_times, remove_bakes
from engine.project.bakes import BakeFile, bakes_in
from engine.runtime.child import Json
from engine.runtime.errors import InvalidArguments
from tests.engine.evaluate.locked import LEFT, RIGHT, crouch, planted
from tests.engine.evaluate.test_baked import looked

RATE = (30, 1)


def document(seconds: float = 2.0) -> Document:
    """One that crouches with both feet held."""
    play = Span(start=0, end=round(seconds * SECOND))
    return replace(planted(), play=play)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for bakes of documents without a file."""
    monkeypatch.setattr("engine.runtime.folders.writable_cache", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "crouch.sinew"
    sinew.write(path, document())
    return path


def run(arguments: Mapping[str, Json]) -> tuple[list[float], Json]:
    """The shares that a bake tells, and its result."""
    steps, shares = bake(arguments), list[float]()
    while True:
        try:
            shares.append(float(str(next(steps)["progress"])))
        except StopIteration as stop:
            result: Json = stop.value
            return shares, result


def wanted(project: Path, last: int = 2 * SECOND) -> dict[str, Json]:
    return {"scene": str(project), "project": str(project), "first": 0, "last": last, "rate": [30, 1]}


def test_a_bake_is_made_once_and_told_in_shares(project: Path) -> None:
    shares, result = run(wanted(project))
    path = bakes_in(project.with_name("crouch.bakes"))[0]
    assert result == {"path": str(path), "frames": 61, "made": 61}
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert shares == sorted(shares)
    before = path.read_bytes()
    assert run(wanted(project))[1] == {"path": str(path), "frames": 61, "made": 0}
    assert path.read_bytes() == before


def test_after_an_edit_what_it_did_not_touch_is_taken_over(project: Path) -> None:
    run(wanted(project))
    change = edit("mute_lock", actor="one", lock=LEFT, mute=True)
    span = edit("set_lock_span", actor="one", lock=LEFT, start=0, end=SECOND)
    before, folders = span.apply(document()), folders_for(project)
    steps = bake_frames(before, folders, frame_times(0, 2 * SECOND, RATE))
    assert [*steps][-1] == 1.0
    after = change.apply(before)
    found, evaluator = Baked(), Evaluator()
    for _ in found.look(after, folders):
        pass
    fresh = [time for time in frame_times(0, 2 * SECOND, RATE) if found.state(time) == "fresh"]
    assert fresh == frame_times(SECOND + 1, 2 * SECOND, RATE)
    made: list[int] = []
    steps = bake_frames(after, folders, frame_times(0, 2 * SECOND, RATE))
    while not made:
        try:
            next(steps)
        except StopIteration as stop:
            made.append(stop.value.made)
    assert made == [31]
    for _ in found.look(after, folders):
        pass
    for time in frame_times(0, 2 * SECOND, RATE):
        rows = found.rows(time)
        assert rows is not None
        assert frame_from(after, rows) == frame_from(after, evaluator.rows(after, time))
    found.close()


def test_a_document_without_a_file_is_baked_into_the_cache(project: Path, cache: Path) -> None:
    run({**wanted(project, last=SECOND // 2), "project": None})
    assert len(bakes_in(cache / "bakes")) == 1
    assert not project.with_name("crouch.bakes").exists()


def test_neither_of_two_documents_without_a_file_takes_the_bakes_of_the_other(cache: Path) -> None:
    other = Document(actors=(crouch("else"),))
    for each in (document(), other):
        assert [*bake_frames(each, folders_for(None), [0, SECOND])][-1] == 1.0
    assert len(bakes_in(cache / "bakes")) == 2
    pictures = PictureCache(Evaluator())
    *_, found = find_bakes(pictures, other, None)
    assert isinstance(found, BakesFound)
    assert len(found.files) == 1, "which is what is packed"
    assert [each.files for each in remove_bakes(pictures.baked, None)] == [()]
    assert bakes_in(cache / "bakes") != []
    assert looked(document(), cache / "bakes").state(SECOND) == "fresh"
    assert looked(other, cache / "bakes").state(SECOND) != "fresh"


def job(project: Path, seconds: float, cache: Path) -> subprocess.Popen[str]:
    """The job in a process of its own."""
    arguments = json.dumps(wanted(project, last=round(seconds * SECOND)))
    command = [sys.executable, "-P", "-m", "engine", "job", "bake", arguments, "--child"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_killed_in_the_middle_it_goes_on_where_it_was(project: Path, cache: Path) -> None:
    folder = project.with_name("crouch.bakes")
    scene = replace(document(), play=Span(start=0, end=60 * SECOND))
    sinew.write(project, scene)
    killed, count = 0, 0
    while killed < 2:
        process = job(project, 60.0, cache)
        assert process.stdout is not None
        for line in process.stdout:
            message = json.loads(line)
            assert "result" not in message, "it was to be killed before"
            if "progress" in message and count_of(folder) > count:
                process.send_signal(signal.SIGKILL)
                break
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        killed, count = killed + 1, count_of(folder)
    found = looked(scene, folder)
    there = [time for time in frame_times(0, 60 * SECOND, RATE) if found.state(time) == "fresh"]
    assert len(there) == count, "each was made once"
    assert there == frame_times(0, 60 * SECOND, RATE)[:count]
    evaluator = Evaluator()
    for time in (*there[:3], *there[-3:]):
        rows = found.rows(time)
        assert rows is not None
        assert frame_from(scene, rows) == frame_from(scene, evaluator.rows(scene, time))
    found.close()


def count_of(folder: Path) -> int:
    """Whole frames of the one bake in a folder."""
    paths = bakes_in(folder)
    file = BakeFile.open(paths[0]) if paths else None
    if file is None:
        return 0
    count = file.count
    file.close()
    return count


def test_two_processes_bake_the_same_and_neither_harms_the_other(project: Path, cache: Path) -> None:
    processes = [job(project, 1.0, cache) for _ in range(2)]
    lines = []
    for process in processes:
        assert process.stdout is not None
        lines.append(process.stdout.readlines())
        process.communicate()
    assert [json.loads(each[-1])["result"]["frames"] for each in lines] == [31, 31]
    found, evaluator = looked(document(), project.with_name("crouch.bakes")), Evaluator()
    for time in frame_times(0, SECOND, RATE):
        rows = found.rows(time)
        assert rows is not None
        assert frame_from(document(), rows) == frame_from(document(), evaluator.rows(document(), time))
    found.close()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": 2 * SECOND, "last": 0}, "the span of a bake is '2 s to 0 s'"),
        ({"last": 10**16}, "the frames of a bake"),
        ({"last": "soon"}, "the frames of a bake"),
        ({"rate": [0, 1]}, "the frames of a bake"),
        ({"rate": 30}, "the frames of a bake"),
        ({"rate": [10**6, 1], "last": 100 * SECOND}, "the span of a bake"),
    ],
)
def test_spans_that_make_no_sense_are_refused(project: Path, change: dict[str, Json], message: str) -> None:
    with pytest.raises(InvalidArguments, match=message):
        run({**wanted(project), **change})
    assert not project.with_name("crouch.bakes").exists()


def test_arguments_that_are_missing_and_scenes_without_actors_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="the arguments of bake"):
        run({"scene": "x"})
    empty = tmp_path / "empty.sinew"
    sinew.write(empty, Document())
    with pytest.raises(InvalidArguments, match="at least one actor"):
        run(wanted(empty))


# Commands


def test_bake_says_what_it_made(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bake", str(project), "--end", "1", "--rate", "24"]) == 0
    said = capsys.readouterr().out
    assert said == f"{bakes_in(project.with_name('crouch.bakes'))[0]}: 25 frames, 25 of them worked out now\n"
    assert main(["bake", str(project), "--start", "0.5", "--end", "1", "--rate", "24"]) == 0
    assert capsys.readouterr().out.endswith(": 13 frames, 0 of them worked out now\n")
    assert main(["bake", str(project)]) == 0
    assert ": 61 frames, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start", "nan"], "the start of a bake is nan; allowed: seconds"),
        (["--start", "3", "--end", "1"], "the span of a bake is '3 s to 1 s'"),
        (["--end", "1e9"], "the end of a bake"),
    ],
)
def test_bake_refuses_what_makes_no_sense_in_one_line(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["bake", str(project), *arguments]) == 1
    output = capsys.readouterr()
    assert output.err.startswith(message)
    assert len(output.err.splitlines()) == 1


def test_evaluate_tells_where_joints_are_with_locks_kept(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(project), "--time", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"lock {LEFT} of one: held" in lines
    assert main(["evaluate", str(project), "--time", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    where = told["actors"]["one"]["joints"][LEFT]["position"]
    expected = Evaluator().joint_transforms(document(), "one", 2 * SECOND)
    index = document().actors[0].figure.joint_index[LEFT]
    assert where == pytest.approx(expected[index, :, 3].tolist(), abs=1e-6)
    line = next(each for each in lines if each.startswith(f"one.{LEFT} "))
    assert [float(each) for each in line.split()[1:]] == pytest.approx(where, abs=1e-6)
    pose = Evaluator().coordinates(document(), "one", [2 * SECOND])[0]
    assert list(told["actors"]["one"]["coordinates"].values()) == pose.tolist()
    rotation = told["actors"]["one"]["joints"][LEFT]["rotation"]
    assert sum(each * each for each in rotation) == pytest.approx(1.0)
    assert {each["lock"]: each["off"] < 1e-4 for each in told["locks"]} == {LEFT: True, RIGHT: True}
    assert told["time"] == 2.0


@pytest.mark.parametrize("time", ["nan", "inf", "1e9"])
def test_evaluate_refuses_times_that_are_none(project: Path, capsys: pytest.CaptureFixture[str], time: str) -> None:
    assert main(["evaluate", str(project), "--time", time]) == 1
    assert capsys.readouterr().err.startswith("the time to evaluate is ")


def test_evaluate_of_a_file_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(tmp_path / "gone.sinew"), "--time", "0"]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
