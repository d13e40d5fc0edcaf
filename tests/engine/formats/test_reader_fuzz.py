"""Whatever a file holds, its reader gives sound contents or one named error: readers that other tests leave out.

Each property is tried briefly in every run, always with the same examples, and at length with `--deep`.
"""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from engine.formats import skin_npz
from engine.runtime.errors import UnreadableFile
from tests.conformance.bad_files import npy_head, npz_of, put, refusal, small_gltf, sound
from tests.drawn import given, st
from tests.engine.formats.test_text_fuzz import BRIEF, CHANGES, LONG, Change, damaged

WORDS = (
    "[[joint]]", "[[track]]", "[", "]]", "{", '"', "'''", "parent = ", "=", "id = \"base\"", "inf", "nan", "1e400",
    "9" * 400, "true", "[" * 500, "a" + ".a" * 300, "2024-01-01", "0x7f", "define joint", "end joint", "group \"g\"",
    "end group", "hinge x", "offset", "mirror \"left leg\"", "[rad]", "[m]", ",,", "time [s]",
    "# Sinew curves; rate 0/0", "<objects>", "</objects>", "<Body name=\"upper\">", "<!DOCTYPE a [", "/bodyset/lower",
    "..", "&lol;", "<Constant><value>", "WeldJoint", "<scale>", "-1 -1",
    "endheader", "inDegrees=no", "nRows=9", "PathFileType", "DataRate", "mm", "Frame#",
    "\x00", "\ufeff", "\r", "\n", "\u2028", "٣", "ü",
)  # fmt: skip
TEXT = (".figure.toml", ".motion.toml", ".scr", ".csv", ".osim", ".vtp", ".trc", ".mot", ".mjcf")
OWN = st.lists(
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


@cache
def seed(suffix: str) -> bytes:
    with TemporaryDirectory() as folder:
        return sound(suffix, Path(folder))


def survives(suffix: str, content: bytes) -> None:
    with TemporaryDirectory() as folder:
        refusal(put(Path(folder), suffix, content))


@pytest.mark.parametrize("suffix", TEXT)
@BRIEF
@given(changes=st.one_of(OWN, CHANGES))
def test_damaged_texts_are_read_or_refused(suffix: str, changes: list[Change]) -> None:
    survives(suffix, damaged(seed(suffix).decode(), changes))


@pytest.mark.deep
@pytest.mark.parametrize("suffix", TEXT)
@LONG
@given(changes=st.one_of(OWN, CHANGES))
def test_damaged_texts_are_read_or_refused_at_length(suffix: str, changes: list[Change]) -> None:
    survives(suffix, damaged(seed(suffix).decode(), changes))


BYTES = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 8), st.binary(max_size=8)), min_size=1, max_size=4)


def changed(content: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    for place, cut, put_in in changes:
        at = int(place * len(content))
        content = content[:at] + put_in + content[at + cut :]
    return content


@pytest.mark.parametrize("suffix", [".npz", ".sinew", ".c3d"])
@BRIEF
@given(changes=BYTES)
def test_damaged_archives_are_read_or_refused(suffix: str, changes: list[tuple[float, int, bytes]]) -> None:
    survives(suffix, changed(seed(suffix), changes))


@pytest.mark.deep
@pytest.mark.parametrize("suffix", [".npz", ".sinew", ".c3d"])
@LONG
@given(changes=BYTES)
def test_damaged_archives_are_read_or_refused_at_length(suffix: str, changes: list[tuple[float, int, bytes]]) -> None:
    survives(suffix, changed(seed(suffix), changes))


def npy(values: object) -> bytes:
    output = io.BytesIO()
    np.lib.format.write_array(output, np.asarray(values), allow_pickle=False)
    return output.getvalue()


WHOLE_CURVES = {
    "values": np.zeros((3, 2)),
    "coordinates": np.array(["a.rx", "a.ry"]),
    "units": np.array(["rad", "rad"]),
    "joints": np.array(["a", "a"]),
    "rate": np.array((30, 1)),
    "start": np.array(0),
}
WHOLE_SKIN = {
    "positions": np.zeros((3, 3), "<f4"),
    "triangles": np.array([[0, 1, 2]], "<i4"),
    "joints": np.array(["a"]),
    "bind": np.eye(4)[None, :3],
    "influences": np.zeros((3, 1), np.uint8),
    "weights": np.full((3, 1), 65535, np.uint16),
}
ODD_ARRAYS = st.one_of(
    st.sampled_from(
        (
            np.array(np.nan), np.full((3, 2), np.inf), np.zeros((0, 0)), np.zeros((3, 2), "<c16"), np.array(["", ""]),
            np.array([-1, 0]), np.array((2**62, 1)), np.zeros((3, 2), np.bool_), np.array(b"x"),
            np.array(["a.rx"] * 2),
            np.array("2024-01-01", "M8[D]"), np.zeros((3, 2), [("a", "<f4")]), np.zeros((2, 3, 2)),
            np.array([[9, 9, 9]]),
        )
    ).map(npy),
    st.sampled_from((npy_head((10**6, 10**6)), npy_head((2**40,)), npy_head((3, 2), "|O"), npy_head((-3, 2)), b"")),
)  # fmt: skip


@pytest.mark.parametrize("kind", ["curves", "skin"])
@BRIEF
@given(odd=st.dictionaries(st.sampled_from((*WHOLE_CURVES, *WHOLE_SKIN)), ODD_ARRAYS, min_size=1, max_size=2))
def test_arrays_that_do_not_fit_are_refused(kind: str, odd: dict[str, bytes]) -> None:
    whole = WHOLE_CURVES if kind == "curves" else WHOLE_SKIN
    content = npz_of(
        **{**{name: npy(array) for name, array in whole.items()}, **{n: d for n, d in odd.items() if n in whole}}
    )
    if kind == "curves":
        survives(".npz", content)
        return
    with TemporaryDirectory() as folder:
        check_skin(Path(folder) / "a.skin.npz", content)


@BRIEF
@given(changes=BYTES)
def test_damaged_skins_are_read_or_refused(changes: list[tuple[float, int, bytes]]) -> None:
    content = npz_of(**{name: npy(array) for name, array in WHOLE_SKIN.items()})
    with TemporaryDirectory() as folder:
        check_skin(Path(folder) / "a.skin.npz", content)
        check_skin(Path(folder) / "b.skin.npz", changed(content, changes))


def check_skin(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused: UnreadableFile | None = None
    try:
        skin = skin_npz.read(path)
    except UnreadableFile as error:
        refused = error
    if refused is None:
        assert np.isfinite(skin.positions.array).all()
        assert np.isfinite(skin.bind.array).all()
    else:
        assert refused.path == path
        assert refused.remedy


VALUES: st.SearchStrategy[object] = st.sampled_from(
    (None, -1, 0, 1, 2**53, 0.5, "x", "", [], [0], [[]], {}, {"a": 1}, 1e300)
)


def replaced(tree: object, at: float, value: object) -> object:
    """The tree with one of its values, counted through, replaced."""
    places: list[tuple[object, object]] = []

    def walk(node: object) -> None:
        items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in items:
            places.append((node, key))
            walk(child)

    walk(tree)
    node, key = places[int(at * (len(places) - 1))]
    node[key] = value  # type: ignore[index]
    return tree


@BRIEF
@given(changes=st.lists(st.tuples(st.floats(0, 1), VALUES), min_size=1, max_size=3))
def test_odd_values_in_a_gltf_are_read_or_refused(changes: list[tuple[float, object]]) -> None:
    tree: object = json.loads(json.dumps(small_gltf()))
    for place, value in changes:
        tree = replaced(tree, place, json.loads(json.dumps(value)))
    survives(".gltf", json.dumps(tree).encode())
