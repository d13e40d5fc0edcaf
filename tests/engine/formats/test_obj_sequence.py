"""OBJ sequences: each file holds what is seen of its frame, and the folder is whole or not there."""

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Actor, Document, Layer, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.formats import obj, obj_sequence
from engine.formats.format import Contents, Options
from engine.long.scenes import scene_contents
from engine.project import disk
from engine.runtime.errors import UnwritableFile
from engine.runtime.progress import Cancelled, listening
from tests.engine.formats.scenes import FRAMES, crowd, seen, vertices

NEAR = 1e-6  # [m]
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def scene_of(document: Document, *chosen: str) -> Contents:
    return scene_contents(document, chosen or [actor.id for actor in document.actors])


def box() -> Contents:
    return scene_of(crowd(), "box")


@pytest.mark.parametrize(
    ("options", "frames"),
    [
        (Options(end=7 * SECOND // 24), FRAMES[:2]),
        (Options(unit=0.01, up="z", end=SECOND // 24), (1,)),
        (Options(up="x", end=0), (0,)),
    ],
)
def test_each_file_holds_what_is_seen_of_its_frame(tmp_path: Path, options: Options, frames: tuple[int, ...]) -> None:
    document, count = crowd(), frames[-1] + 1
    obj_sequence.write(tmp_path / "walk.objseq", scene_of(document), options)
    files = sorted((tmp_path / "walk.objseq").iterdir())
    assert [each.name for each in files] == [f"walk_{number:04d}.obj" for number in range(1, count + 1)]
    faces = []
    for frame in frames:
        assert files[frame].read_text().startswith(f"# Sinew, frame {frame + 1} of {count}, {frame / 24:.6f} s\n")
        found = obj.read(files[frame], options)
        names = [surface.name for surface in found.surfaces]
        assert names == ["Anna Bölling Human skin", "2 ../Otto", 'The "ball"', "Box"]
        picture = seen(document, frame)
        for surface, actor in zip(found.surfaces, ("one", "two", "ball", "box"), strict=True):
            assert surface.normals is not None
            expected = vertices(picture, actor)
            assert len(surface.positions) == len(expected)
            assert np.abs(surface.positions - expected).max() < NEAR
        faces.append([surface.triangles for surface in found.surfaces])
    for others in faces[1:]:
        assert all(np.array_equal(one, other) for one, other in zip(faces[0], others, strict=True))


def test_normals_are_those_that_are_seen(tmp_path: Path) -> None:
    document = crowd()
    obj_sequence.write(tmp_path / "a.objseq", scene_of(document, "one"), Options(end=0))
    (surface,) = obj.read(tmp_path / "a.objseq" / "a_0001.obj", Options()).surfaces
    (skin,) = seen(document, 0).skins
    assert surface.normals is not None
    assert np.abs(surface.normals - skin.normals).max() < NEAR


def test_a_range_and_a_rate_are_what_is_written(tmp_path: Path) -> None:
    options = Options(rate=(12, 1), start=SECOND // 4, end=SECOND // 2)
    obj_sequence.write(tmp_path / "a.objseq", box(), options)
    files = sorted((tmp_path / "a.objseq").iterdir())
    assert len(files) == 4
    for place, file in enumerate(files):
        (surface,) = obj.read(file, Options()).surfaces
        assert np.abs(surface.positions - vertices(seen(crowd(), 6 + 2 * place), "box")).max() < NEAR


def test_what_is_lost_is_said_and_is_not_there(tmp_path: Path) -> None:
    document = crowd()
    bare = Actor(id="bare", name="Bare", figure=prop("none", ()), layers=(Layer(id="pose"),))
    hidden = replace(document.actor("box"), id="hidden", name="Hidden", visible=False)
    named = replace(document.actor("box"), id="named", name="Box #2\\\nv 1 2 3")
    ball, box = (replace(document.actor(id), attachments=()) for id in ("ball", "box"))
    contents = scene_of(replace(document, actors=(ball, box, bare, hidden, named)))
    lost = " / ".join(obj_sequence.omits(contents))
    for each in (
        "hidden: Hidden",
        "without a mesh: Bare",
        "joints",
        "the rate",
        "characters in names",
        "keys and layers",
    ):
        assert each in lost
    assert contents.scene is not None
    obj_sequence.write(tmp_path / "a.objseq", contents, Options(end=0))
    found = obj.read(tmp_path / "a.objseq" / "a_0001.obj", Options())
    assert [each.name for each in found.surfaces] == ['The "ball"', "Box", "Box 2 v 1 2 3"]
    assert found.notes == ()


def test_equal_names_are_told_apart(tmp_path: Path) -> None:
    document = crowd()
    twins = [replace(document.actor("box"), id=id, name="Twin") for id in ("a", "b")]
    obj_sequence.write(tmp_path / "a.objseq", scene_of(Document(actors=tuple(twins))), Options(end=0))
    found = obj.read(tmp_path / "a.objseq" / "a_0001.obj", Options())
    assert [each.name for each in found.surfaces] == ["Twin", "Twin_2"]


def test_nothing_to_see_is_refused(tmp_path: Path) -> None:
    document = crowd()
    hidden = replace(document.actor("box"), visible=False)
    for contents in (Contents(), scene_of(document, "empty"), scene_of(Document(actors=(hidden,)))):
        with pytest.raises(UnwritableFile, match="nothing to write"):
            obj_sequence.write(tmp_path / "a.objseq", contents, Options())
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_is_refused_by_name_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "folder.objseq").mkdir()
    (tmp_path / "folder.objseq" / "mine.txt").write_text("mine")
    (tmp_path / "file.objseq").write_text("mine too")
    (tmp_path / "parent").write_text("a file")
    for name, found in (
        ("folder.objseq", r"folder\.objseq: there is a folder of that name"),
        ("file.objseq", r"file\.objseq: it is a file, and a sequence is a folder"),
        ("parent/a.objseq", "there is no such folder"),
        ("gone/a.objseq", "there is no such folder"),
    ):
        with pytest.raises(UnwritableFile, match=found) as caught:
            obj_sequence.write(tmp_path / name, box(), Options())
        assert caught.value.remedy
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file.objseq", "folder.objseq", "parent"]
    assert (tmp_path / "folder.objseq" / "mine.txt").read_text() == "mine"


@pytest.mark.skipif(ROOT, reason="nothing is forbidden to this user")
def test_a_folder_that_may_not_be_written_is_said_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(UnwritableFile, match="you may not write there"):
            obj_sequence.write(tmp_path / "a.objseq", box(), Options())
    finally:
        tmp_path.chmod(0o700)


class Failing(disk.Disk):
    """A disk that fails in the n-th call of one kind."""

    def __init__(self, call: str, number: int, code: int) -> None:
        self._call, self._left, self._code = call, number, code

    def _count(self, call: str) -> None:
        self._left -= call == self._call
        if self._left < 0:
            raise OSError(self._code, os.strerror(self._code))

    def write(self, path: Path, data: bytes) -> None:
        self._count("write")
        super().write(path, data)

    def sync(self, path: Path) -> None:
        self._count("sync")
        super().sync(path)

    def replace(self, source: Path, target: Path) -> None:
        self._count("replace")
        super().replace(source, target)


@contextmanager
def writing_to(other: disk.Disk) -> Iterator[None]:
    before = disk.put(other)
    try:
        yield
    finally:
        disk.put(before)


@pytest.mark.parametrize(
    ("call", "number", "code", "found"),
    [
        ("write", 0, errno.EACCES, "may not write"),
        ("write", 9, errno.ENOSPC, "the disk is full"),
        ("write", 9, errno.EIO, "not answer"),
        ("sync", 24, errno.EIO, "not answer"),
        ("replace", 0, errno.ENOSPC, "the disk is full"),
    ],
)
def test_a_disk_that_fails_leaves_no_half_sequence(
    tmp_path: Path, call: str, number: int, code: int, found: str
) -> None:
    with writing_to(Failing(call, number, code)), pytest.raises(UnwritableFile, match=found):
        obj_sequence.write(tmp_path / "a.objseq", box(), Options())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", [0.0, 0.5, 0.96])
def test_a_cancel_leaves_no_half_sequence(tmp_path: Path, share: float) -> None:
    def cancel(now: float) -> None:
        if now >= share:
            assert any(tmp_path.iterdir()), "it was begun"
            raise Cancelled(what="the test")

    with listening(cancel), pytest.raises(Cancelled):
        obj_sequence.write(tmp_path / "a.objseq", box(), Options())
    assert list(tmp_path.iterdir()) == []
    steps = obj_sequence.gradually(tmp_path / "a.objseq", box(), Options())
    assert isinstance(steps, Generator)
    shares = [next(steps) for _ in range(10)]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1]
    steps.close()
    assert list(tmp_path.iterdir()) == []


def test_a_range_that_is_far_too_long_is_refused_before_it_is_begun(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFile, match=r"frames\. Write at a lower rate"):
        obj_sequence.write(tmp_path / "a.objseq", box(), Options(end=5000 * SECOND))
    assert list(tmp_path.iterdir()) == []
