"""A film gives the picture that belongs to each number, wherever it begins, and leaves no program behind."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from imageio_ffmpeg import get_ffmpeg_exe
from PySide6.QtGui import QImage

from app.session.film import WIDEST, Film, NoVideo, file_digest, read_facts
from tests.app.session.films import CODECS, make_film, number_of

RATE = (30000, 1001)


@pytest.mark.parametrize("suffix", [".mp4", ".mov", ".webm", ".avi"])
def test_a_picture_is_the_same_read_on_or_begun_at(suffix: str, tmp_path: Path) -> None:
    path = make_film(tmp_path / f"film{suffix}")
    facts = read_facts(path)
    assert (facts.rate, facts.count) == (RATE, 90)
    for first in (0, 1, 29, 30, 41, 88):
        film = Film(path, RATE, first, (160, 90))
        found = [film.read(), film.read()]
        film.close()
        assert [number_of(each) for each in found if each is not None] == [first, first + 1]


def test_the_pictures_of_a_gif_lie_where_its_clock_puts_them(tmp_path: Path) -> None:
    path = make_film(tmp_path / "film.gif", 20, rate="10")
    facts = read_facts(path)
    assert (facts.rate, facts.count) == ((10, 1), 20)
    film = Film(path, facts.rate, 7, (160, 90))
    found = film.read()
    film.close()
    assert found is not None
    assert number_of(found) == 7


def test_behind_the_last_picture_there_is_none(tmp_path: Path) -> None:
    film = Film(make_film(tmp_path / "film.avi", 3), RATE, 2, (160, 90))
    assert film.read() is not None
    assert film.read() is None
    film.close()


def test_a_wide_film_is_made_smaller_and_its_first_picture_upright(tmp_path: Path) -> None:
    facts = read_facts(make_film(tmp_path / "film.mp4", 2, size=(1920, 1080)))
    first = QImage.fromData(facts.first)
    assert (first.width(), first.height()) == (WIDEST, 720)


def test_a_digest_tells_the_length_and_both_ends(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    found = set()
    for data in (b"a" * 5000, b"a" * 5001, b"b" + b"a" * 4999, b"a" * 4999 + b"b"):
        path.write_bytes(data)
        found.add(file_digest(path))
    assert len(found) == 4


def test_what_is_no_video_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "broken.mp4"
    path.write_bytes(b"no video at all")
    with pytest.raises(NoVideo, match=r"broken\.mp4 cannot be read: .*Save it as MP4 or WebM"):
        read_facts(path)
    with pytest.raises(NoVideo, match="No such file"):
        read_facts(tmp_path / "missing.mp4")


LISTS = {
    "list.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.3,\nsecret.ts\n#EXT-X-ENDLIST\n",
    "list.mp4": "ffconcat version 1.0\nfile secret.ts\n",
}


@pytest.mark.parametrize("name", LISTS)
def test_a_file_that_names_others_reads_none_of_them(name: str, tmp_path: Path) -> None:
    beside = make_film(tmp_path / "secret.mp4", 9)
    command = [get_ffmpeg_exe(), "-v", "error", "-i", beside, "-c", "copy", beside.with_suffix(".ts")]
    subprocess.run(command, check=True)
    path = tmp_path / name
    path.write_text(LISTS[name])
    with pytest.raises(NoVideo):
        read_facts(path)
    film = Film(path, RATE, 0, (160, 90))
    assert film.read() is None
    film.close()


@pytest.mark.skipif(os.name == "nt", reason="asks for a process by its number as POSIX does")
def test_a_film_that_is_closed_midway_leaves_no_program(tmp_path: Path) -> None:
    film = Film(make_film(tmp_path / "film.mp4"), RATE, 0, (1280, 720))
    assert film.read() is not None
    number = film._process.pid
    film.close()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_every_kind_that_is_offered_is_tried_here() -> None:
    from app.session.references import VIDEO_SUFFIXES

    assert set(CODECS) == set(VIDEO_SUFFIXES)
