"""Text files are read whatever wrote them, and what is no text is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.formats import text
from engine.formats.names import Names
from engine.formats.text import TextFile, read_text, write_text
from engine.runtime.errors import UnreadableFile, UnwritableFile


def read(folder: Path, data: bytes) -> TextFile:
    path = folder / "some.txt"
    path.write_bytes(data)
    return read_text(path, "a text file")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_every_kind_of_line_end_gives_the_same_lines(tmp_path: Path, end: bytes) -> None:
    assert read(tmp_path, end.join((b"one", b"", b"\ttwo", b""))).lines == ["one", "", "\ttwo"]


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ("Hüfte".encode(), "Hüfte"),
        (b"\xef\xbb\xbf" + "Hüfte".encode(), "Hüfte"),
        ("Hüfte".encode("latin-1"), "Hüfte"),
        (b"old\x1a", "old"),
    ],
)
def test_encodings_are_told_apart(tmp_path: Path, data: bytes, line: str) -> None:
    assert read(tmp_path, data).lines == [line]


def test_a_missing_last_newline_is_seen(tmp_path: Path) -> None:
    assert read(tmp_path, b"a\nb").broken_off
    assert not read(tmp_path, b"a\nb\n").broken_off
    assert read(tmp_path, b"a\nb\n").lines == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b" \n\t\r\n", "empty"),
        ("Hüfte".encode("utf-16"), "UTF-16"),
        (b"text\nmore \x00 text", "line 2: binary data .byte 0x00."),
        (b"a\r\nb\r\n\x7fc\x01", "line 3: binary data .byte 0x01."),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(tmp_path: Path, data: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(tmp_path, data)


def test_files_beyond_the_bound_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MOST_BYTES", 2**20)
    with pytest.raises(UnreadableFile, match="more than 1 MB"):
        read(tmp_path, b"a" * (2**20 + 1))
    assert read(tmp_path, b"a" * 2**20).lines == ["a" * 2**20]


def test_folders_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="a folder"):
        read_text(tmp_path, "a text file")
    with pytest.raises(UnreadableFile, match="no file of that name"):
        read_text(tmp_path / "none", "a text file")
    with pytest.raises(UnwritableFile, match="it is a folder"):
        write_text(tmp_path, "a")
    with pytest.raises(UnwritableFile, match="no such folder"):
        write_text(tmp_path / "none" / "file", "a")


@pytest.mark.parametrize(
    ("word", "remedy"),
    [
        ("nan", "finite"),
        ("-inf", "finite"),
        ("1,5", "decimal points"),
        ("1.5-2.5", "space between"),
        ("1.5.2", "space between"),
        ("1_000", "such as"),
        ("abc", "such as"),
        ("١٢", "such as"),
        ("1e999", "such as"),
        ("1e13", "smaller"),
    ],
)
def test_what_is_no_number_is_refused_with_a_remedy(tmp_path: Path, word: str, remedy: str) -> None:
    with pytest.raises(UnreadableFile, match=f"line 7: the length is .*{remedy}"):
        read(tmp_path, b"x").number(word, 7, "the length")


@pytest.mark.parametrize(("word", "value"), [("-1.5e-3", -0.0015), (".5", 0.5), ("5.", 5.0), ("+2E2", 200.0)])
def test_numbers_may_be_written_in_any_usual_way(tmp_path: Path, word: str, value: float) -> None:
    assert read(tmp_path, b"x").number(word, 1, "it") == value


def test_braces_are_words_of_their_own(tmp_path: Path) -> None:
    words = list(read(tmp_path, b"ROOT a{\nb }").words())
    assert [(word.text, word.line) for word in words] == [("ROOT", 1), ("a", 1), ("{", 1), ("b", 2), ("}", 2)]


def test_names_are_made_unique_and_said() -> None:
    names = Names()
    assert [names.take(each) for each in ("a", "a", "a_2", "b", "a")] == ["a", "a_2", "a_2_2", "b", "a_3"]
    assert names.repeated == ["a", "a_2"]
    assert "a, a_2" in names.note("joints")[0]
    assert Names().note("joints") == ()


def test_ten_thousand_equal_names_take_no_time() -> None:
    names = Names()
    assert len({names.take("joint") for _ in range(10_000)}) == 10_000
