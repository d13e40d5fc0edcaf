"""A bake of water in a process of its own that is killed while it works goes on to the same bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from engine.document import Document
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.water import bakes
from tests.engine.water.test_tanks import tank

_FRAMES = 150


def baked(document: Document, end: int) -> bytes:
    """Bake to a tick here, going on where a bake was left; the file."""
    for _ in Evaluator().stage("water").bake(document, "tank", end):
        pass
    found = bakes.find_bake(document, "tank")
    assert found is not None
    return found.path.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_bake_whose_process_was_killed_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tank(level=0.1037)  # a water that nobody else bakes
    end = frame_time(_FRAMES, document.rate)
    scene = tmp_path / "dam.sinew"
    sinew.write(scene, document)
    bake = bakes.find_bake(document, "tank")
    assert bake is not None
    bake.path.unlink(missing_ok=True)
    try:
        arguments = json.dumps({"scene": str(scene), "system": "water", "actor": "tank", "end": end})
        command = [sys.executable, "-P", "-m", "engine", "job", "bake_stage", arguments, "--child"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        for line in process.stdout:
            assert "result" not in json.loads(line), "it was to be killed before"
            bake.look()
            if max(bake.states, default=0) > 0:
                process.send_signal(signal.SIGKILL)
                break
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        bake.look()
        assert 0 < len(bake.frames) <= _FRAMES
        went_on = baked(document, end)
    finally:
        bake.path.unlink(missing_ok=True)
    (tmp_path / "other").mkdir()
    monkeypatch.setattr(bakes, "folder_of_bakes", lambda: tmp_path / "other")
    differs = baked(document, end) != went_on  # millions of bytes, of which nobody wants to read a comparison
    assert not differs
