"""`python -m engine`: what it prints, and how it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine import __version__
from engine.__main__ import main
from engine.document import Actor, Document, Dof, Figure, Joint, Layer
from engine.formats import sinew
from engine.runtime.rooms import ENGINE
from tests.engine.figures import scene

ARM = Figure(
    name="Arm",
    joints=(
        Joint(id="base", name="Base", dofs=(Dof(id="base.slide", name="Slide", kind="slide", axis=(0.0, 1.0, 0.0)),)),
        Joint(
            id="elbow",
            name="Elbow",
            parent="base",
            dofs=(Dof(id="elbow.flexion", name="Flexion", axis=(0.0, 0.0, 1.0), lower=0.0, upper=2.0),),
        ),
        Joint(id="hand", name="Hand", parent="elbow", offset=(1.0, 0.0, 0.0)),
    ),
)


@pytest.fixture
def arm(tmp_path: Path) -> str:
    """A file with one arm, one metre long."""
    actor = Actor(id="a1", name="Left Arm", figure=ARM, layers=(Layer(id="pose"),))
    sinew.write(tmp_path / "arm.sinew", Document(actors=(actor,)))
    return str(tmp_path / "arm.sinew")


@pytest.fixture
def crowd(tmp_path: Path) -> str:
    sinew.write(tmp_path / "crowd.sinew", scene())
    return str(tmp_path / "crowd.sinew")


def hand(output: str) -> list[float]:
    position: list[float] = json.loads(output)["a1"]["hand"]
    return position


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert capsys.readouterr().out == f"Sinew {__version__}\n"


def test_info_counts_what_a_file_holds(arm: str, crowd: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["info", arm]) == 0
    first, actor, layer = capsys.readouterr().out.splitlines()
    assert first == f"{arm}: 1 actor, digest {sinew.read(arm).digest}"
    assert actor == "  Left Arm (a1): Arm, 3 joints, 2 degrees of freedom"
    assert layer == "    layer Pose (pose): 0 values"
    assert main(["info", crowd]) == 0
    assert "Box (ball): Box, 1 joint, 4 degrees of freedom" in capsys.readouterr().out


def test_pose_turns_joints_in_degrees_and_moves_slides_in_metres(arm: str, capsys: pytest.CaptureFixture[str]) -> None:
    settings = ["--set", "left_arm.elbow.flexion=90", "--set", "a1.base.slide=0.5"]
    assert main(["pose", arm, *settings, "--json"]) == 0
    assert hand(capsys.readouterr().out) == pytest.approx([0.0, 1.5, 0.0], abs=1e-15)
    assert main(["pose", arm, *settings]) == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last == ["left_arm.hand", "0.000000", "1.500000", "0.000000"]


def test_pose_says_when_a_limit_stops_a_joint(arm: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pose", arm, "--set", "a1.elbow.flexion=200", "--json"]) == 0
    assert capsys.readouterr().err == "a1.elbow.flexion stops at its limit, 114.592\n"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("nobody.elbow.flexion=1", "there is no actor 'nobody'; known: 'left_arm'"),
        ("a1.elbow.flexon=1", "there is no coordinate 'elbow.flexon'; did you mean 'elbow.flexion'?"),
        ("a1.elbow.flexion", "the value of elbow.flexion is ''; allowed: a number"),
        ("a1.elbow.flexion=much", "the value of elbow.flexion is 'much'; allowed: a number"),
        ("a1.elbow.flexion=nan", "the value of elbow.flexion is 'nan'; allowed: a number"),
        ("", "there is no actor ''"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_in_one_line(
    arm: str, capsys: pytest.CaptureFixture[str], setting: str, message: str
) -> None:
    assert main(["pose", arm, "--set", setting]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(message)
    assert len(output.err.splitlines()) == 1


def test_a_shared_name_or_an_actor_without_layers_cannot_be_posed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twins = tuple(Actor(id=id, name="Twin", figure=ARM, layers=(Layer(id="pose"),)) for id in ("x", "y"))
    path = tmp_path / "twins.sinew"
    sinew.write(path, Document(actors=(*twins, scene().actors[-1])))
    assert main(["pose", str(path), "--set", "twin.elbow.flexion=1"]) == 1
    assert "or an id: x, y" in capsys.readouterr().err
    assert main(["pose", str(path), "--set", "ball.elbow.flexion=1"]) == 1
    assert "allowed: an actor with a pose layer" in capsys.readouterr().err


def test_a_figure_can_be_posed_by_its_name(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("engine.cli.command_line.load_figure", lambda name: ARM)
    assert main(["pose", "arm", "--set", "arm.elbow.flexion=90"]) == 0
    assert "arm.hand " in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    path = tmp_path / "scene.sinew"
    if content is not None:
        path.write_bytes(content)
    for command in ("info", "pose"):
        assert main([command, str(path)]) == 1
        output = capsys.readouterr()
        assert (output.out, len(output.err.splitlines())) == ("", 1)
        assert str(path) in output.err


@pytest.mark.parametrize("arguments", [[], ["dance"], ["version", "now"], ["info"], ["pose", "human", "--speed", "3"]])
def test_arguments_that_are_not_understood_exit_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        main(arguments)
    assert ending.value.code == 2
    assert "usage: engine" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["job", "no_such_job"], "there is no job 'no_such_job'; known: 'warm_up'"),
        (["job", "warm_up", "{"], "a job's arguments is '{'; allowed: a JSON object"),
        (["job", "warm_up", "[]"], "a job's arguments is '[]'; allowed: a JSON object"),
        (["job", "warm_up", '{"speed": 1}'], "the arguments of warm_up is {'speed': 1}; allowed: none"),
    ],
)
def test_a_job_that_fails_says_so_in_json_and_exits_1(
    arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["text"].startswith(text)


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}
    command = [sys.executable, "-m", "engine", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)


def test_a_reader_that_leaves_early_hears_no_complaint(arm: str) -> None:
    with start("info", arm) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_the_command_itself_exits_2_with_a_usage_line() -> None:
    with start("--frobnicate") as process:
        _, errors = process.communicate(timeout=300.0)
    assert process.returncode == 2
    assert "Traceback" not in errors


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_one_line_and_code_1() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "engine", "version"]
        done = subprocess.run(command, cwd=ENGINE.parent, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300.0)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot write" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="the shell closes the output")
def test_a_closed_output_is_no_traceback() -> None:
    command = f'"{sys.executable}" -m engine version >&-'
    done = subprocess.run(command, shell=True, cwd=ENGINE.parent, capture_output=True, text=True, timeout=300.0)
    assert (done.returncode, done.stderr) == (0, "")
