"""A small sound file of every format that is read, and what can be wrong with one."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from engine.commands.bring_in import read_contents
from engine.document import Actor, Document
from engine.document.validation import validate_actor
from engine.edits import edit
from engine.edits.command_log import Start, Step
from engine.formats.format import Format, Options
from engine.formats.sinew_log import log_text
from engine.formats.table import readers, writers
from engine.runtime.errors import UnreadableFile
from tests.conformance.test_formats import SAMPLES
from tests.engine.formats.c3d_files import c3d_bytes
from tests.engine.formats.osim_models import ARM as OSIM_ARM
from tests.engine.formats.osim_models import MJCF_ARM, VTP
from tests.engine.formats.test_asfamc import AMC, ASF
from tests.engine.formats.test_bvh import ARM
from tests.engine.formats.test_figure_toml import LAMP
from tests.engine.formats.test_markers import TRC
from tests.engine.formats.test_mesh_files import PLY_QUAD, QUAD
from tests.engine.formats.test_motion_toml import WAVE
from tests.engine.formats.test_scr import WHOLE
from tests.engine.formats.test_storage import MOT

DEEDS = (
    Start(Document(), "New document"),
    edit("set_rate", frames=24, seconds=1),
    edit("set_play_range", start=0, end=705600000),
    Step("undo", 2),
    Step("redo"),
)
TEXTS = {
    ".sinewlog": log_text(DEEDS),
    ".figure.toml": LAMP,
    ".osim": OSIM_ARM,
    ".mjcf": MJCF_ARM,
    ".xml": MJCF_ARM,
    ".vtp": VTP,
    ".scr": WHOLE,
    ".motion.toml": WAVE,
    ".bvh": ARM,
    ".trc": TRC,
    ".mot": MOT,
    ".sto": MOT,
    ".asf": ASF,
    ".amc": AMC,
    ".obj": QUAD + "o sheet\nf 1 2 3 4\n",
    ".ply": PLY_QUAD,
    ".off": "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n",
    ".stl": "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
    "endloop\nendfacet\nendsolid\n",
}
NUMBER = re.compile(r"(?<![\w.#\"-])-?\d+(?:\.\d+)?(?![\w.\"])")


def written(format: Format, folder: Path) -> bytes:
    """A file as Sinew writes it."""
    assert format.write is not None
    path = folder / f"seed{format.suffixes[0]}"
    format.write(path, SAMPLES[format.kind](), Options())
    return path.read_bytes()


def sound(suffix: str, folder: Path) -> bytes:
    """The bytes of a sound file."""
    if suffix in TEXTS:
        return TEXTS[suffix].encode()
    if suffix == ".c3d":
        return c3d_bytes(["LASI", "RASI"], np.arange(18.0).reshape(3, 2, 3), analog=2)
    if suffix == ".gltf":
        return json.dumps(small_gltf()).encode()
    return written(next(each for each in writers() if suffix in each.suffixes), folder)


def put(folder: Path, suffix: str, content: bytes) -> Path:
    """A file of that content, with what has to lie beside it."""
    path = folder / f"clip{suffix}"
    path.write_bytes(content)
    if suffix == ".amc":
        path.with_suffix(".asf").write_text(ASF)
    return path


def refusal(path: Path) -> UnreadableFile | None:
    """The one named error, or None where the file gives contents that a document takes and that are finite."""
    refused: UnreadableFile | None = None
    try:
        contents = read_contents(path)
    except UnreadableFile as error:
        refused = error
    if refused is not None:
        assert refused.path == path
        assert refused.found
        assert refused.remedy
        assert len(str(refused)) < 1200, "one readable message"
        return refused
    for surface in contents.surfaces:
        assert np.isfinite(surface.positions).all()
        assert surface.triangles.max(initial=0) < len(surface.positions)
    if contents.figure is not None:
        validate_actor(Actor(id="a", name="A", figure=contents.figure, layers=contents.layers))
    assert contents.document is None or isinstance(contents.document, Document)
    return None


def says_where(error: UnreadableFile, suffix: str) -> bool:
    """A line in a text, a JSON path in a glTF file."""
    if suffix in (".gltf", ".glb"):
        return error.line is not None or bool(re.search(r"[a-zA-Z]+(\[\d+\])?[.:]", error.found))
    return error.line is not None


SUFFIXES = tuple(suffix for each in readers() for suffix in each.suffixes)
CSV = ".csv"
TEXT_SUFFIXES = (*TEXTS, CSV)


def with_each_number(text: str, word: str, most: int = 60) -> Iterator[str]:
    """The text with one number after the other replaced."""
    found = list(NUMBER.finditer(text))
    for match in found[:: max(1, len(found) // most)]:
        yield text[: match.start()] + word + text[match.end() :]


def small_gltf() -> dict[str, object]:
    """Two joints, a skin, a triangle and a turn."""
    data = struct.pack("<2f", 0.0, 1.0) + struct.pack("<8f", 0, 0, 0, 1, 0, 0, 0.6, 0.8)
    data += struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 2]}],
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 1, 0]}, {"mesh": 0}],
        "skins": [{"joints": [0, 1]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 2}}]}],
        "animations": [
            {
                "channels": [{"sampler": 0, "target": {"node": 1, "path": "rotation"}}],
                "samplers": [{"input": 0, "output": 1}],
            }
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 32},
            {"buffer": 0, "byteOffset": 40, "byteLength": 36},
        ],
        "buffers": [
            {"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}
        ],
    }


def gltf_with(change: Callable[[dict[str, object]], None]) -> bytes:
    """The same with something changed."""
    plain = json.loads(json.dumps(small_gltf()))
    change(plain)
    return json.dumps(plain).encode()


def npz_of(**members: bytes) -> bytes:
    """A zip of such members, deflated."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return output.getvalue()


def npy_head(shape: tuple[int, ...], kind: str = "<f8") -> bytes:
    """The head of an array that is not there."""
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def chain(suffix: str, depth: int) -> str:
    """A figure of joints, each inside the one before."""
    if suffix == ".bvh":
        head = "".join(
            f"{'JOINT' if k else 'ROOT'} j{k}\n{{\nOFFSET 0 .01 0\nCHANNELS 1 Zrotation\n" for k in range(depth)
        )
        row = " ".join(["1"] * depth)
        return f"HIERARCHY\n{head}{'}' * depth}\nMOTION\nFrames: 1\nFrame Time: .1\n{row}\n"
    if suffix == ".asf":
        bones = "".join(
            f"begin\nid {k + 1}\nname j{k}\ndirection 0 1 0\nlength .1\naxis 0 0 0 XYZ\ndof rx\nend\n"
            for k in range(depth)
        )
        links = "".join(f"{f'j{k - 1}' if k else 'root'} j{k}\n" for k in range(depth))
        return ASF[: ASF.index(":bonedata")] + f":bonedata\n{bones}:hierarchy\nbegin\n{links}end\n"
    if suffix == ".scr":
        places = "".join(f'joint "j{k}"\ngroup "g{k}"\n' for k in range(depth)) + "end group\n" * depth
        joints = "".join(f'define joint "j{k}" offset 0 0.1 0 hinge x end joint\n' for k in range(depth))
        return f'define skeleton "s"\n{places}end skeleton\n{joints}'
    if suffix == ".figure.toml":
        rows = (
            f'[[joint]]\nid = "j{k}"\n' + (f'parent = "j{k - 1}"\n' if k else "") + "offset = [0, 0.1, 0]\n"
            for k in range(depth)
        )
        return 'name = "chain"\nangles = "degrees"\n' + "".join(rows)
    raise KeyError(suffix)


def deep_gltf(depth: int) -> bytes:
    """The same as a scene."""

    def change(plain: dict[str, object]) -> None:
        nodes: list[dict[str, object]] = [{"children": [k + 1], "translation": [0, 0.1, 0]} for k in range(depth - 1)]
        plain["nodes"] = [*nodes, {}, {"mesh": 0}]
        plain["scenes"] = [{"nodes": [0, depth]}]
        plain["skins"] = [{"joints": list(range(depth))}]

    return gltf_with(change)
