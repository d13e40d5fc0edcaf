"""Folders on a cluster: the same files as here, though two workers die on the way."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.cli.batch import run_batch, run_projects
from engine.cli.fields import FieldsOptions, write_fields
from engine.document import Actor, Document
from engine.formats import sinew
from engine.formats.figure_toml import load_figure
from engine.long.cluster import Cluster
from engine.long.pieces import Doing, Here, PieceRunner, Task
from engine.runtime.child import Json
from engine.sweeps.measured_files import MeasureOptions, measure_folder
from tests.engine.cli.test_batch import BVH
from tests.engine.long.test_cluster import WITHOUT, cluster

COUNT = 40


class Killing:
    """A cluster of which two workers are killed while they are at work."""

    def __init__(self, address: str, workers: list[subprocess.Popen[str]]) -> None:
        self.inner, self.workers = Cluster(address), workers

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        for count, done in enumerate(self.inner.run(task, pieces)):
            if count in (3, 9):
                self.workers[count // 9].send_signal(signal.SIGKILL)
            yield done


def contents(folder: Path) -> dict[str, bytes]:
    """Files that are whole; a worker that is killed within a write leaves the beginning of one, hidden."""
    whole = (each for each in sorted(folder.iterdir()) if each.suffix != ".part")
    return {each.name: each.read_bytes() for each in whole}


def all_of_it(pieces: PieceRunner, captures: Path, out: Path) -> dict[str, dict[str, bytes]]:
    out.mkdir()
    options: dict[str, Json] = {"read": {}, "write": {}, "actors": None}
    assert run_batch(pieces, "convert", captures, out / "converted", ".motion.toml", options).written == COUNT
    measure_folder(pieces, captures, out / "table.csv", MeasureOptions(quantities=("place.y:.spine",)))
    text, whole = write_fields(pieces, captures, out / "fields", FieldsOptions(nodes=6))
    assert whole, text
    return {
        "converted": contents(out / "converted"),
        "fields": contents(out / "fields"),
        "table": {"": (out / "table.csv").read_bytes()},
    }


@WITHOUT
@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_folder_is_the_same_on_a_cluster_though_two_workers_are_killed(tmp_path: Path) -> None:
    captures, scenes = tmp_path / "captures", tmp_path / "scenes"
    captures.mkdir()
    scenes.mkdir()
    for number in range(COUNT):
        (captures / f"{number:02}.bvh").write_text(BVH.format(angle=number))
    still = Document(actors=(Actor(id="one", name="One", figure=load_figure("human")),))
    for name in ("a", "b"):
        sinew.write(scenes / f"{name}.sinew", still)
    alone = all_of_it(Here(), captures, tmp_path / "here")
    with cluster({}, {}, {}, {}) as (address, _, workers):
        assert all_of_it(Killing(address, workers), captures, tmp_path / "there") == alone
        assert [each.poll() is None for each in workers] == [False, False, True, True]
        end = run_projects(Cluster(address), "bake", scenes, None, {"start": None, "end": 0.1, "rate": None})
        assert end.text == "2 of 2 files done"
