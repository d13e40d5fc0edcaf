"""Texts of parts, whole and as differences, and what a long undo list of a long motion comes to."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.document import Actor, Document, Dof, Figure, Joint, Key, Layer, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.project.part_rows import PartRows
from engine.project.schema import LONGEST_TEXT, in_memory
from engine.project.store import Store
from engine.project.texts import LONGEST_CHAIN, PackedText, inflate, inflate_within, pack, unpack
from engine.runtime.errors import InvalidDocument

TRACKS, KEYS, COMMITS = 300, 100, 300
MOST_FOR_10000 = 200e6  # [bytes]


def test_texts_come_back_with_any_base() -> None:
    rng = random.Random(3)
    text = "".join(rng.choices("abcdeäß€", k=3000)).encode()
    for _ in range(60):
        first, last = sorted(rng.choices(range(len(text)), k=2))
        other = text[:first] + rng.randbytes(rng.randrange(200)) + text[last:]
        for base in (None, text, b"", other):
            assert unpack(pack(other, base), base) == other


@pytest.mark.parametrize(
    ("first", "second"), [(b"", b"a"), (b"aaaa", b"aaaaaa"), (b"abab" * 90, b"abab" * 80), (b"a", b"a")]
)
def test_texts_that_repeat_themselves_come_back(first: bytes, second: bytes) -> None:
    for text, base in ((first, second), (second, first)):
        assert unpack(pack(text, base), base) == text


def test_a_small_change_of_a_long_text_is_small() -> None:
    text = random.Random(1).randbytes(20_000)
    packed = pack(text[:9000] + b"other" + text[9100:], text)
    assert (packed.head, packed.tail, packed.data) == (9000, 10_900, b"other")


@pytest.mark.parametrize(
    "packed",
    [
        PackedText(10, 20, 0, 0, b""),
        PackedText(10, -1, 3, 0, b"12345678"),
        PackedText(10, 3, 3, 0, b"123"),
        PackedText(-1, 0, 0, 0, b""),
        PackedText(LONGEST_TEXT + 1, 0, 0, 1, zlib.compress(bytes(9))),
        PackedText(10, 0, 0, 1, b"no zlib"),
        PackedText(10, 0, 0, 1, zlib.compress(bytes(10**7))),
        PackedText(10, 0, 0, 1, zlib.compress(bytes(10))[:-1]),
    ],
)
def test_lengths_that_do_not_agree_are_refused(packed: PackedText) -> None:
    with pytest.raises(InvalidDocument):
        unpack(packed, b"0123456789")


def test_nothing_grows_beyond_what_is_allowed() -> None:
    bomb = zlib.compress(bytes(10**8))
    with pytest.raises(InvalidDocument, match="1000 and an end"):
        inflate_within(bomb, 1000)
    assert inflate(zlib.compress(b"text"), 4) == b"text"


def test_a_text_that_is_too_long_is_not_kept() -> None:
    with pytest.raises(InvalidDocument, match="the length of a part"):
        pack(bytes(LONGEST_TEXT + 1))


def test_chains_are_short() -> None:
    database = in_memory()
    rows, text = PartRows(database), "a" * 500 + "0"
    for number in range(100):
        rows.add(f"{number:064x}", text, f"{number - 1:064x}" if number else None)
        text = text[:-1].removesuffix(str(number)) + f"{number + 1}0"
    depths = [row[0] for row in database.execute("SELECT depth FROM parts ORDER BY number")]
    assert max(depths) == LONGEST_CHAIN - 1
    assert depths.count(0) == -(-100 // LONGEST_CHAIN)
    rows.forget()
    assert rows[f"{99:064x}"].endswith("990")
    database.close()


def long_motion() -> Document:
    """300 tracks of 100 keys."""
    rng = random.Random(0)
    names = tuple(f"j{number // 3}.{number % 3}" for number in range(TRACKS))
    joints = tuple(
        Joint(
            id=f"j{number}",
            name=f"Joint {number}",
            parent=f"j{number - 1}" if number else None,
            dofs=tuple(
                Dof(id=f"j{number}.{each}", name="Turn", kind="hinge", axis=(0.0, 0.0, 1.0)) for each in range(3)
            ),
        )
        for number in range(TRACKS // 3)
    )
    tracks = tuple(
        Track(
            coordinate=name,
            keys=tuple(Key(time=time * TICKS_PER_SECOND // 10, value=rng.uniform(-1.0, 1.0)) for time in range(KEYS)),
        )
        for name in names
    )
    layer = Layer(id="keys", name="Keys", tracks=tracks)
    return Document(actors=(Actor(id="one", name="One", figure=Figure(name="Long", joints=joints), layers=(layer,)),))


def commit_keys(document: Document, count: int) -> Iterator[tuple[Edit, Document]]:
    """Keys set here and there, one after the other."""
    rng, names = random.Random(1), document.actors[0].figure.coordinates
    for _ in range(count):
        time = rng.randrange(KEYS) * TICKS_PER_SECOND // 10
        value = rng.uniform(-1.0, 1.0)
        done = edit("set_key", actor="one", layer="keys", coordinate=rng.choice(names), time=time, value=value)
        document = done.apply(document)
        yield done, document


def test_ten_thousand_commits_on_300_tracks_take_little_room(tmp_path: Path) -> None:
    document, path = long_motion(), tmp_path / "long.sinew"
    with Store.create(path) as store:
        store.append("New", None, document)
        before = path.stat().st_size
        with store.together():  # one by one they take as much room, and time to reach the disk
            for done, after in commit_keys(document, COMMITS):
                store.append("Set key", done, after)
    each = (path.stat().st_size - before) / COMMITS
    assert 10_000 * each <= MOST_FOR_10000, f"{each:.0f} bytes a commit"
    with Store.open(path) as store:
        store.check()
        assert store.line_count == COMMITS + 1
