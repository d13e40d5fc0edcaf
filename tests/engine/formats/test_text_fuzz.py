"""Whatever a text file of motion holds, its reader gives sound contents or one named error.

Each property is tried briefly in every run, always with the same examples, and at length with new ones under the marker
`slow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from engine.document import Actor
from engine.document.validation import validate_actor
from engine.formats import asfamc, bvh
from engine.formats.format import Contents, Options
from engine.runtime.errors import UnreadableFile
from tests.drawn import given, settings, st
from tests.engine.formats.test_asfamc import AMC, ASF
from tests.engine.formats.test_bvh import ARM
from tests.engine.formats.worlds import figure_in, poses, values

BRIEF = settings(max_examples=75)
LONG = settings(max_examples=6000)

WORDS = (
    "", "{", "}", "#", ":", "()", "0", "-1", "1e999", "nan", "-inf", "1_0", "1.5-2.5", "99999999999", "9" * 400, "1e12",
    "ROOT", "JOINT x", "End Site", "OFFSET 0 0 0", "CHANNELS 1 Xrotation", "MOTION", "Frames: 9", "Frame Time: .1",
    "begin", "end", "root", "upper", "lower", "dof rx", "limits (1 2)", ":bonedata", ":hierarchy", ":units", "axis",
    "\x00", "\t", "\x85", "\u2028", "ü", "٣", "\r", "\n", "\x1a", "name", "direction 0 0 0", "length -3", "2\n2\n",
)  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One act of damage at a place between 0 and 1 of the text."""

    kind: str
    place: float
    size: int
    word: str

    def apply(self, text: str) -> str:
        """The damaged text."""
        if self.kind == "insert":
            at = int(self.place * len(text))
            return text[:at] + self.word + text[at:]
        if self.kind == "cut":
            at = int(self.place * len(text))
            return text[:at] + text[at + self.size :]
        lines = text.split("\n")
        at = int(self.place * (len(lines) - 1))
        if self.kind == "repeat line":
            lines[at:at] = [lines[at]] * (self.size % 4)
        elif self.kind == "move line":
            lines.insert((at + self.size) % len(lines), lines.pop(at))
        else:
            words = lines[at].split(" ")
            words[self.size % len(words)] = self.word
            lines[at] = " ".join(words)
        return "\n".join(lines)


CHANGES = st.lists(
    st.builds(
        Change,
        kind=st.sampled_from(("insert", "cut", "repeat line", "move line", "word", "word")),
        place=st.floats(0, 1),
        size=st.integers(0, 40),
        word=st.sampled_from(WORDS),
    ),
    min_size=1,
    max_size=4,
)


def damaged(text: str, changes: list[Change]) -> bytes:
    for change in changes:
        text = change.apply(text)
    return text.encode("utf-8", "replace")


def check_bvh(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "clip.bvh"
        path.write_bytes(data)
        check(path, lambda: bvh.read(path, Options()))


def check_asf(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arm.asf"
        path.write_bytes(data)
        check(path, lambda: asfamc.read_figure(path, Options()))


def check_amc(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arm.amc"
        path.write_bytes(data)
        path.with_suffix(".asf").write_text(ASF)
        check(path, lambda: asfamc.read_motion(path, Options()))


def check(path: Path, read: Callable[[], Contents]) -> None:
    """Sound contents that a document takes, or an error that names the file."""
    refused: UnreadableFile | None = None
    try:
        contents = read()
    except UnreadableFile as error:
        refused = error
    if refused is not None:
        assert refused.path == path
        assert refused.found
        assert refused.remedy
        return
    validate_actor(Actor(id="a", name="A", figure=figure_in(contents), layers=contents.layers))
    assert len(poses(contents)) < 100_000


READERS = {"bvh": (check_bvh, ARM), "asf": (check_asf, ASF), "amc": (check_amc, AMC)}


@pytest.mark.parametrize("reader", READERS)
@BRIEF
@given(changes=CHANGES)
def test_damaged_files_are_read_or_refused_by_name(reader: str, changes: list[Change]) -> None:
    run, text = READERS[reader]
    run(damaged(text, changes))


@pytest.mark.deep
@pytest.mark.parametrize("reader", READERS)
@LONG
@given(changes=CHANGES)
def test_damaged_files_are_read_or_refused_by_name_at_length(reader: str, changes: list[Change]) -> None:
    run, text = READERS[reader]
    run(damaged(text, changes))


@pytest.mark.parametrize("reader", READERS)
@BRIEF
@given(data=st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_by_name(reader: str, data: bytes) -> None:
    run, text = READERS[reader]
    run(data)
    run(text.encode() + data)


@st.composite
def sound_bvh(draw: st.DrawFn) -> str:
    """A random sound file: any tree, any channels, any usual way to write numbers and white space."""
    number = st.floats(-1e4, 1e4).map(lambda value: draw(st.sampled_from(("{:.6f}", "{:.17g}", "{:e}"))).format(value))
    blank = draw(st.sampled_from((" ", "\t", "  ")))
    count = draw(st.integers(1, 8))
    children: dict[int, list[int]] = {}
    for each in range(count):
        children.setdefault(draw(st.integers(-1, each - 1)), []).append(each)
    lines, width = ["HIERARCHY"], 0
    waiting: list[str] = [f"ROOT {each}" for each in reversed(children[-1])]
    while waiting:
        word = waiting.pop()
        if word == "}":
            lines.append("}")
            continue
        keyword, branch = word.split()
        name = draw(st.sampled_from(("a", "b", "Hüfte", "a_2")))
        lines += [f"{keyword}{blank}{name}", "{", blank.join(["OFFSET", *(draw(number) for _ in range(3))])]
        positions = [f"{axis}position" for axis in draw(st.permutations("XYZ"))[: draw(st.integers(0, 3))]]
        channels = [*positions, *draw(st.lists(st.sampled_from(("Xrotation", "Yrotation", "Zrotation")), max_size=4))]
        channels = draw(st.permutations(channels))
        width += len(channels)
        lines.append(blank.join(["CHANNELS", str(len(channels)), *channels]))
        for _ in range(draw(st.integers(0, 2))):
            lines += ["End Site", "{", blank.join(["OFFSET", *(draw(number) for _ in range(3))]), "}"]
        waiting += ["}", *(f"JOINT {child}" for child in reversed(children.get(int(branch), [])))]
    frames = draw(st.integers(1, 3))
    rows = [blank.join(draw(number) for _ in range(width)) for _ in range(frames)]
    lines += ["MOTION", f"Frames: {frames}", "Frame Time: 0.01", *rows]
    return draw(st.sampled_from(("\n", "\r\n", "\r"))).join(lines) + draw(st.sampled_from(("", "\n")))


def check_to_and_fro(text: str) -> None:
    with TemporaryDirectory() as folder:
        path, again = Path(folder) / "clip.bvh", Path(folder) / "again.bvh"
        path.write_bytes(text.encode())
        contents = bvh.read(path, Options())
        bvh.write(again, contents, Options())
        back = bvh.read(again, Options())
    ours, theirs = figure_in(contents), figure_in(back)
    assert [(joint.parent, joint.dofs) for joint in ours.joints] == [
        (joint.parent, joint.dofs) for joint in theirs.joints
    ]
    np.testing.assert_allclose([j.offset for j in theirs.joints], [j.offset for j in ours.joints], rtol=0, atol=1e-9)
    assert len(back.layers) == len(contents.layers)
    if contents.layers:
        np.testing.assert_allclose(values(back), values(contents), rtol=0, atol=1e-9)


@BRIEF
@given(text=sound_bvh())
def test_any_sound_bvh_goes_to_and_fro(text: str) -> None:
    check_to_and_fro(text)


@pytest.mark.deep
@LONG
@given(text=sound_bvh())
def test_any_sound_bvh_goes_to_and_fro_at_length(text: str) -> None:
    check_to_and_fro(text)
