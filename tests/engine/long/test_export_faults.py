"""Exports onto a disk that fails, into folders that are none, with names that reach elsewhere: what stood there stays,
nothing else is left, and the error says what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.commands.bring_in import read_contents
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.format import Options
from engine.long.export import export
from engine.measure import Quantity
from engine.project import disk
from engine.queries.chart_files import Residuals, write_residuals
from engine.queries.plots import PlotWanted, write_plot
from engine.runtime.errors import UnwritableFile
from engine.runtime.progress import finish
from tests.engine.long.test_export import TWO

SUFFIXES = (".bvh", ".amc", ".glb", ".gltf", ".csv", ".npz", ".figure.toml", ".motion.toml", ".sinew")
PLOTS = (".csv", ".npz", ".svg")
WANTED = PlotWanted(quantities=(Quantity(kind="place", actor="one", part="root", component="y"),), first=0, last=SECOND)
CAUSES = {
    errno.ENOSPC: ("the disk is full", "Make some room"),
    errno.EACCES: ("you may not write there", "change the permissions"),
    errno.ENOENT: ("there is no such folder", "Bring the folder or its drive back"),
    errno.EIO: ("the disk does not answer", "Check the drive"),
}


class Failing(disk.Disk):
    """Fails from the nth call on that would change something in a folder."""

    def __init__(self, folder: Path, code: int, after: int) -> None:
        self.folder, self.code, self.left = folder, code, after

    def _pass(self, path: Path) -> None:
        if path.is_relative_to(self.folder):
            self.left -= 1
            if self.left < 0:
                raise OSError(self.code, os.strerror(self.code))

    def make(self, folder: Path, name: str) -> Path:
        self._pass(folder)
        return super().make(folder, name)

    def write(self, path: Path, data: bytes) -> None:
        if self.left == 0:
            path.write_bytes(data[: len(data) // 2])
        self._pass(path)
        super().write(path, data)

    def sync(self, path: Path) -> None:
        self._pass(path)
        super().sync(path)

    def replace(self, source: Path, target: Path) -> None:
        self._pass(target)
        super().replace(source, target)


@contextmanager
def failing(folder: Path, code: int, after: int) -> Iterator[Failing]:
    failing = Failing(folder, code, after)
    before = disk.put(failing)
    try:
        yield failing
    finally:
        disk.put(before)


@pytest.mark.parametrize("code", CAUSES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_wherever_the_disk_fails_the_old_file_stays_and_nothing_else_is_left(
    suffix: str, code: int, tmp_path: Path
) -> None:
    if suffix == ".sinew" and code != errno.ENOSPC:
        pytest.skip("SQLite writes it: its causes have tests of their own")
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"before")
    problems = []
    for after in range(20):
        problem = attempt(path, code, after)
        if problem is None:
            break
        problems.append(problem)
        assert path.read_bytes() == b"before"
        assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert len(problems) >= (1 if suffix == ".sinew" else 4)
    assert path.read_bytes() != b"before"
    found, remedy = CAUSES[code]
    for problem in problems:
        assert found in problem.found
        assert remedy in problem.remedy
        assert suffix == ".sinew" or "still open" not in problem.remedy, "an export is no project"


def attempt(path: Path, code: int, after: int) -> UnwritableFile | None:
    """Export onto a disk that fails after so many calls; why it did not go."""
    with failing(path.parent, code, after):
        try:
            export(path, TWO, ["one"], Options())
        except UnwritableFile as problem:
            return problem
    return None


@pytest.mark.parametrize("code", CAUSES)
@pytest.mark.parametrize("suffix", PLOTS)
def test_a_plot_stays_as_it_was_wherever_the_disk_fails(suffix: str, code: int, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"before")
    solves = [Residuals("Levenberg", (1.0, 0.1, 0.0))]
    for after in range(4):
        for steps in (write_plot(Evaluator(), path, TWO, WANTED), write_residuals(path, solves)):
            with failing(tmp_path, code, after), pytest.raises(UnwritableFile) as caught:
                finish(steps)
            assert CAUSES[code][0] in caught.value.found
            assert path.read_bytes() == b"before"
            assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_folder_that_is_a_file_or_gone_or_in_the_way_is_named(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"a file")
    (tmp_path / f"taken{suffix}").mkdir()
    for path, found in (
        (tmp_path / "file" / f"a{suffix}", "no such folder"),
        (tmp_path / "gone" / f"a{suffix}", "no such folder"),
        (tmp_path / f"taken{suffix}", "it is a folder"),
    ):
        with pytest.raises(UnwritableFile, match=found) as caught:
            export(path, TWO, ["one"], Options())
        assert caught.value.path == path
        assert caught.value.remedy
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(["file", f"taken{suffix}"])
    assert (tmp_path / "file").read_bytes() == b"a file"
    assert list((tmp_path / f"taken{suffix}").iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is allowed to root")
def test_a_folder_that_may_not_be_written_to_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UnwritableFile, match="you may not write there") as caught:
            export(tmp_path / "a.bvh", TWO, ["one"], Options())
        assert "another folder" in caught.value.remedy
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        ".",
        "a/../b",
        "C:\\x",
        "con\n",
        "a\0b",
        "Ünïcödé 王",
        "'; --",
        "x" * 400,
        " ",
    ],
)
def test_no_name_of_an_actor_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    actors = tuple(replace(actor, name=name) for actor in TWO.actors)
    document = Document(actors=actors)
    written = export(folder / "scene.bvh", document, ["one", "two"], Options())
    assert len(set(written)) == 2
    assert sorted(written) == sorted(folder.iterdir())
    assert [each.name for each in tmp_path.iterdir()] == ["inside"]
    for path in written:
        assert read_contents(path).figure is not None


def test_names_that_a_disk_takes_for_one_are_told_apart(tmp_path: Path) -> None:
    actors = (replace(TWO.actors[0], name="Arm"), replace(TWO.actors[1], name="ARM"))
    written = export(tmp_path / "scene.bvh", Document(actors=actors), ["one", "two"], Options())
    assert len({path.name.casefold() for path in written}) == 2
