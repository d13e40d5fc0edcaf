"""Packing: a copy for others holds the videos that lay beside the project, and says what it cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.session import packing
from app.session.packing import Packed, pack_project
from app.session.project_steps import read_project, unpack
from app.session.videos import FrameRequest, Videos, make_reference
from engine.document import Document
from engine.project.claim import FileClaim
from engine.project.save import open_project, save_project
from engine.runtime.errors import UnwritableFile
from tests.app.session.conftest import small_document
from tests.app.session.films import make_film, number_of
from tests.engine.project.test_bakes import write


@pytest.fixture
def film(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    return make_film(folder / "walk.mp4", 12)


@pytest.fixture
def videos(qapp: object) -> Iterator[Videos]:
    from PySide6.QtCore import QObject

    parent = QObject()
    made = Videos(parent)
    yield made
    for each in made._films.values():
        each.close()
    assert made.close()


def filmed(film: Path) -> Document:
    return replace(small_document(), references=(make_reference(film, "front"),))


def packed(path: Path, document: Document, own: Path | None = None, bakes: Sequence[Path] = ()) -> Packed:
    *_, last = pack_project(path, document, own, bakes, lambda share: None)
    assert last is not None
    return last


def test_a_video_comes_along_and_is_seen_without_its_file(
    film: Path, tmp_path: Path, videos: Videos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path / "cache"))
    document = filmed(film)
    assert packed(tmp_path / "to share.sinew", document).left_out == ()
    film.unlink()
    (reference,) = open_project(tmp_path / "to share.sinew").document.references
    assert reference.video is not None
    assert reference.video.path == "walk.mp4", "the folder is nobody else's business"
    request = FrameRequest(video=reference.video, size=(reference.width, reference.height), beside=None, number=7)
    for _ in range(2):
        path = videos._find(request)
        pixels = videos._decode(path, request)
        assert pixels is not None
        assert number_of(pixels) == 7


def test_what_cannot_come_along_is_said(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = filmed(film)
    monkeypatch.setattr(packing, "LARGEST", 100)
    (line,) = packed(tmp_path / "a.sinew", document).left_out
    assert line.startswith("The video walk: 0.0 GB; at most")
    film.write_bytes(b"another")
    (line,) = packed(tmp_path / "b.sinew", document).left_out
    assert line == "The video walk: walk.mp4 is another file than the one that was added."
    film.unlink()
    (line,) = packed(tmp_path / "c.sinew", document).left_out
    assert line == f"The video walk: {film} is missing."
    assert open_project(tmp_path / "c.sinew").document == document


def test_a_packed_copy_is_packed_again_as_it_is(film: Path, tmp_path: Path) -> None:
    packed(tmp_path / "a.sinew", filmed(film))
    film.unlink()
    document = open_project(tmp_path / "a.sinew").document
    assert packed(tmp_path / "b.sinew", document).left_out == ()
    assert open_project(tmp_path / "b.sinew").document == document


def test_the_open_project_is_not_packed_over(tmp_path: Path) -> None:
    own = tmp_path / "walk.sinew"
    save_project(own, small_document())
    before = own.read_bytes()
    with pytest.raises(UnwritableFile, match=r"it is the project that is open\. Choose another name"):
        packed(own, small_document(), own)
    assert own.read_bytes() == before


def test_bakes_come_along_and_lie_beside_the_project_once_it_is_opened(tmp_path: Path) -> None:
    bake, gone = write(tmp_path / "baked", range(5)), tmp_path / "gone.bake"
    (line,) = packed(tmp_path / "walk.sinew", small_document(), bakes=[bake, gone]).left_out
    assert line.startswith("1 of 2 bakes: damaged, or gone.")
    (found,) = read_project(tmp_path / "walk.sinew")
    assert isinstance(found.claim, FileClaim)
    found.claim.release()
    assert found.bakes == (bake.name,)
    assert list(unpack(tmp_path / "walk.sinew", found.bakes))
    assert (tmp_path / "walk.bakes" / bake.name).read_bytes() == bake.read_bytes()
