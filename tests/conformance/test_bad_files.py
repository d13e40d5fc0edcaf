"""Bad input, over every format that is read: one named error that says where, or contents that are sound.

Odd but sound files are read; nothing takes long or much memory, and nothing but `UnreadableFile` is raised.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.commands.bring_in import bring_in, read_contents
from engine.document import Document
from engine.runtime.errors import UnreadableFile
from tests.conformance.bad_files import (
    CSV,
    SUFFIXES,
    TEXT_SUFFIXES,
    chain,
    deep_gltf,
    gltf_with,
    npy_head,
    npz_of,
    put,
    refusal,
    says_where,
    sound,
    with_each_number,
)  # fmt: skip
from tests.engine.formats.test_asfamc import ASF

MOST_MEMORY = 400 * 2**20  # [bytes] that a file of less than a megabyte may cost
TOML = (".figure.toml", ".motion.toml")


@pytest.fixture
def bounded() -> Iterator[None]:
    """What happens within it costs little memory."""
    tracemalloc.start()
    yield
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MOST_MEMORY, f"{peak / 2**20:.0f} MB"


def text_of(suffix: str, folder: Path) -> str:
    return sound(suffix, folder).decode()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_sound_file_of_these_tests_is_sound(suffix: str, tmp_path: Path) -> None:
    assert refusal(put(tmp_path, suffix, sound(suffix, tmp_path))) is None


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_empty_files_are_refused(suffix: str, tmp_path: Path) -> None:
    for content in (b"", b"\n", b"  \r\n\t"):
        assert refusal(put(tmp_path, suffix, content)) is not None


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_truncated_files_are_refused_or_sound(suffix: str, tmp_path: Path) -> None:
    whole = sound(suffix, tmp_path)
    refused = 0
    for place in range(1, 40, 6 if suffix == ".fbx" else 1):  # each FBX file is read in a process of its own
        error = refusal(put(tmp_path, suffix, whole[: len(whole) * place // 40]))
        refused += error is not None
        if error is not None and suffix in TEXT_SUFFIXES and suffix not in (*TOML, ".stl", ".ply"):
            assert says_where(error, suffix), error
    assert refused >= 5, "most cuts leave too little"


@pytest.mark.parametrize("suffix", TEXT_SUFFIXES)
def test_binary_in_text_is_refused_with_its_line(suffix: str, tmp_path: Path) -> None:
    whole = sound(suffix, tmp_path)
    for share in (1, 2, 3):
        at = len(whole) * share // 4
        error = refusal(put(tmp_path, suffix, whole[:at] + b"\x00\x01\xfe" + whole[at:]))
        assert error is not None
        assert error.line == whole[:at].count(b"\n") + 1 or suffix in (".ply", ".stl"), "the others may be binary"


WORDS = (
    "nan",
    "inf",
    "-Infinity",
    "1e999",
    "1.5-2.5",
    "1.2.3",
    "1_0",
    "0x10",
    "99999999999999999999",
    "--1",
    "1,5",
    "\u0663",
)
SELDOM = ("-Infinity", "1.2.3", "0x10", "--1", "1,5")  # others of the same kinds are tried in each run
EACH_WORD = [pytest.param(word, marks=[pytest.mark.deep] if word in SELDOM else []) for word in WORDS]


@pytest.mark.parametrize("word", EACH_WORD)
@pytest.mark.parametrize("suffix", TEXT_SUFFIXES)
def test_numbers_that_are_none_are_refused_with_their_line(suffix: str, word: str, tmp_path: Path) -> None:
    """In a place where a number may stand beside others, it is refused, or is legal there and leaves all finite."""
    refused = 0
    for text in with_each_number(text_of(suffix, tmp_path), word):
        error = refusal(put(tmp_path, suffix, text.encode()))
        refused += error is not None
        if error is not None:
            assert says_where(error, suffix) or "vertex" in error.found, error
    assert refused > 0


def refused_with_line(folder: Path, suffix: str, old: str, new: str) -> UnreadableFile:
    text = text_of(suffix, folder)
    assert old in text
    error = refusal(put(folder, suffix, text.replace(old, new, 1).encode()))
    assert error is not None
    assert says_where(error, suffix), error
    return error


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        (".bvh", "Frames: ", "Frames: 99999999999"),
        (".bvh", "CHANNELS 6", "CHANNELS 99999999999"),
        (".amc", "\n2\n", "\n99999999999\n"),
        (".off", "4 1 0", "99999999999 1 0"),
        (".off", "4 1 0", "4 99999999999 0"),
        (".ply", "element vertex 4", "element vertex 99999999999"),
    ],
)
@pytest.mark.usefixtures("bounded")
def test_absurd_counts_are_refused(suffix: str, old: str, new: str, tmp_path: Path) -> None:
    text = text_of(suffix, tmp_path)
    assert old in text
    error = refusal(put(tmp_path, suffix, text.replace(old, new, 1).encode()))
    assert error is not None
    assert says_where(error, suffix) or suffix == ".ply", error


@pytest.mark.usefixtures("bounded")
def test_absurd_counts_in_binary_files_are_refused(tmp_path: Path) -> None:
    assert refusal(put(tmp_path, ".stl", b" " * 80 + b"\xff\xff\xff\xff" + b"\0" * 500)) is not None

    def count(plain: dict[str, object]) -> None:
        accessors = plain["accessors"]
        assert isinstance(accessors, list)
        accessors[0]["count"] = 99999999999

    error = refusal(put(tmp_path, ".gltf", gltf_with(count)))
    assert error is not None
    assert "accessors[0]" in error.found


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        (".asf", "upper lower", "upper lower\n    lower upper"),
        (".figure.toml", 'name = "base"', 'name = "base"\nparent = "base"'),
    ],
)
def test_cycles_are_refused(suffix: str, old: str, new: str, tmp_path: Path) -> None:
    text = text_of(suffix, tmp_path)
    if old not in text:
        old = next(line for line in text.splitlines() if line.startswith("id ="))
        new = f"{old}\nparent = {old.split('=')[1]}"
    error = refusal(put(tmp_path, suffix, text.replace(old, new, 1).encode()))
    assert error is not None
    assert says_where(error, suffix), error


@pytest.mark.parametrize("children", [[0], [2, 0], [1, 1], [99999], [-1]])
def test_cyclic_and_wild_nodes_are_refused_with_their_path(children: list[int], tmp_path: Path) -> None:
    def change(plain: dict[str, object]) -> None:
        nodes = plain["nodes"]
        assert isinstance(nodes, list)
        nodes[1]["children"] = children
        if children == [1, 1]:
            nodes[1]["children"] = []
            nodes[0]["children"] = children

    error = refusal(put(tmp_path, ".gltf", gltf_with(change)))
    assert error is not None
    assert "nodes" in error.found


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        (".bvh", "Zrotation", "Wrotation"),
        (".asf", "dof rz", "dof rq"),
        (".amc", "lower 70", "elbow 70"),
        (".motion.toml", "elbow_right.flexion", "elbow_right.nonsense"),
        (".scr", "hinge x", "hinge w"),
        (CSV, "[rad]", "[furlong]"),
    ],
)
def test_unknown_channels_are_refused_with_their_line(suffix: str, old: str, new: str, tmp_path: Path) -> None:
    refused_with_line(tmp_path, suffix, old, new)


@pytest.mark.parametrize(
    ("suffix", "old", "new"),
    [
        (".bvh", "CHANNELS 6", "CHANNELS 5"),
        (".bvh", "CHANNELS 6", "CHANNELS 7"),
        (".amc", "lower 70", "lower 70 80"),
        (".amc", "upper 40 50 60", "upper 40 50"),
        (CSV, "\n0.0,", "\n0.0,0.5,"),
        (".off", "4 0 1 2 3", "4 0 1 2"),
        (".obj", "v 1 0 0", "v 1 0"),
        (".stl", "vertex 1 0 0", "vertex 1 0"),
        (".asf", "direction 1 0 0", "direction 1 0"),
    ],
)
def test_counts_that_do_not_match_are_refused_with_their_line(suffix: str, old: str, new: str, tmp_path: Path) -> None:
    refused_with_line(tmp_path, suffix, old, new)


BOMBS = {
    "values.npz": lambda: npz_of(values=npy_head((10**6, 10**6))),
    "zeros.npz": lambda: npz_of(values=npy_head((2**23, 1)) + b"\0" * 2**26),
    "deep.gltf": lambda: b'{"asset": ' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "wide.gltf": lambda: b'{"nodes": [' + b"{}," * 5_000_000 + b"{}]}",
    "deep.figure.toml": lambda: b"x = " + b"[" * 100_000 + b"]" * 100_000,
    "deep.motion.toml": lambda: b"x = " + b"[" * 100_000 + b"]" * 100_000,
    "dotted.figure.toml": lambda: b".".join([b"a"] * 100_000) + b" = 1",
    "deep.bvh": lambda: b"HIERARCHY\nROOT a\n{\n" + b"JOINT a\n{\n" * 200_000,
    "braces.bvh": lambda: b"{" * 1_000_000,
    "deep.scr": lambda: b'define skeleton "s"\n' + b'group "g"\n' * 60_000,
    "wide.csv": lambda: b"time [s]," + b"a [rad]," * 200_000 + b"\n0",
    "word.asf": lambda: b":units\n length " + b"9" * 2_000_000,
    "word.obj": lambda: b"v " + b"9" * 2_000_000 + b" 0 0\n",
}


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.usefixtures("bounded")
def test_bombs_are_refused_in_bounded_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(BOMBS[name]())
    assert refusal(path) is not None


@pytest.mark.parametrize(
    "uri", ["../secret.bin", "/etc/hostname", "file:///etc/hostname", "a/../../x", "%2e%2e/x", "C:\\x"]
)
def test_references_that_lead_out_of_the_folder_are_refused(uri: str, tmp_path: Path) -> None:
    (tmp_path / "secret.bin").write_bytes(b"\0" * 1000)
    folder = tmp_path / "scene"
    folder.mkdir()

    def change(plain: dict[str, object]) -> None:
        plain["buffers"] = [{"byteLength": 76, "uri": uri}]

    error = refusal(put(folder, ".gltf", gltf_with(change)))
    assert error is not None
    assert "buffers[0].uri" in error.found
    assert "out of the folder" in error.found


# Odd but sound

ODD = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "cr": lambda text: text.replace("\n", "\r").encode(),
    "tabs": lambda text: text.replace(" ", "\t").encode(),
    "mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "no last newline": lambda text: text.rstrip("\n").encode(),
    "blank lines": lambda text: (text + "\n\n  \n").encode(),
}
QUOTED = {".figure.toml", ".motion.toml", ".scr", CSV}  # blanks inside names


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("suffix", TEXT_SUFFIXES)
def test_odd_files_hold_the_same(suffix: str, odd: str, tmp_path: Path) -> None:
    text = text_of(suffix, tmp_path)
    if odd == "tabs" and suffix in QUOTED:
        pytest.skip("a tab inside quotes is another name")
    plain = read_contents(put(tmp_path, suffix, text.encode()))
    found = read_contents(put(tmp_path, suffix, ODD[odd](text)))
    assert (found.figure is None) == (plain.figure is None)
    if plain.figure is not None and found.figure is not None:
        assert found.figure.joints == plain.figure.joints
    assert [len(surface.triangles) for surface in found.surfaces] == [
        len(surface.triangles) for surface in plain.surfaces
    ]
    assert [layer.samples is None for layer in found.layers] == [layer.samples is None for layer in plain.layers]


@pytest.mark.parametrize(
    ("suffix", "old"), [(".bvh", None), (".asf", "upper"), (".obj", "sheet"), (".scr", "torso"), (".stl", "solid a")]
)
@pytest.mark.parametrize("encoding", ["latin-1", "utf-8"])
def test_names_may_have_letters_of_any_kind(suffix: str, old: str | None, encoding: str, tmp_path: Path) -> None:
    text = text_of(suffix, tmp_path)
    old = old or text.split()[2]
    text = text.replace("\u201c", '"').replace("\u201d", '"').replace("\u2212", "-")
    read = put(tmp_path, suffix, text.replace(old, f"{old}ü").encode(encoding))
    assert refusal(read) is None


def test_names_that_come_twice_are_numbered_and_said(tmp_path: Path) -> None:
    text = chain(".bvh", 3).replace("JOINT j2", "JOINT j1")
    contents = read_contents(put(tmp_path, ".bvh", text.encode()))
    assert contents.figure is not None
    assert [joint.id for joint in contents.figure.joints] == ["j0", "j1", "j1_2"]
    assert any("same name" in note for note in contents.notes)


@pytest.mark.parametrize("suffix", [".bvh", ".asf", ".scr", ".figure.toml", ".gltf"])
def test_chains_of_3000_joints_are_read(suffix: str, tmp_path: Path) -> None:
    content = deep_gltf(3000) if suffix == ".gltf" else chain(suffix, 3000).encode()
    figure = read_contents(put(tmp_path, suffix, content)).figure
    assert figure is not None
    assert len(figure.joints) in (3000, 3001)


@pytest.mark.parametrize("suffix", [".bvh", ".asf", ".amc", ".obj", ".off", ".stl"])
def test_exponents_are_numbers(suffix: str, tmp_path: Path) -> None:
    text = {
        ".bvh": chain(".bvh", 2).replace(" 1\n", " 1.0E+00\n"),
        ".asf": ASF.replace("length 10", "length 1.0e+1"),
    }.get(suffix, text_of(suffix, tmp_path).replace("1 0 0\n", "1e0 0E0 0\n").replace("lower 70", "lower 7.0e1"))
    assert "e" in text.lower()
    assert refusal(put(tmp_path, suffix, text.encode())) is None


def test_a_row_more_than_declared_is_read_and_said(tmp_path: Path) -> None:
    text = chain(".bvh", 2) + "5 5\n"
    contents = read_contents(put(tmp_path, ".bvh", text.encode()))
    (layer,) = contents.layers
    assert layer.samples is not None
    assert layer.samples.frame_count == 2
    assert contents.notes


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_is_refused_changes_no_document(suffix: str, tmp_path: Path) -> None:
    path = put(tmp_path, suffix, b"\x00" * 100)
    before = sorted(each.name for each in tmp_path.iterdir())
    document = Document()
    with pytest.raises(UnreadableFile):
        bring_in(path)
    assert document == Document()
    assert sorted(each.name for each in tmp_path.iterdir()) == before, "nothing is left beside it"
