"""FBX, the scenes of Maya, MotionBuilder, 3ds Max and Mixamo, binary and ASCII of any version.

A child process reads the file with the library ufbx and hands it back as glTF (`engine/formats/fbx_scene.py`), which is
read here as any other. Lengths and axes are brought to metres and y up by what the file states; `Options.unit` and
`Options.up` are for files that state it wrongly: metres per metre, and which axis is up after that.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic

from engine.formats.binary import MOST_BYTES, read_bytes
from engine.formats.fbx_write import omits, write
from engine.formats.format import Contents, Format, Options
from engine.formats.gltf import contents_of
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_motion import MOST_KEYS
from engine.formats.gltf_nodes import MOST_JOINTS
from engine.formats.meshes import MOST_TRIANGLES
from engine.runtime import progress
from engine.runtime.child import ChildJob
from engine.runtime.errors import JobFailed, UnreadableFile

LONGEST = 300.0  # [s] that a file may take to read

_BLINK = 0.05  # [s] between looks at whether a person has cancelled
_USUAL = 3.0  # [s] in which most files are read
_REMEDY = "Export it again as binary FBX 7.4, or as glTF (.glb)."


def read(path: Path, options: Options) -> Contents:
    """The scene: its figure if it has joints, its surfaces and its motion."""
    file, notes = open_fbx(path)
    contents = contents_of(file, options)
    return replace(contents, notes=(*notes, *contents.notes))


def open_fbx(path: Path) -> tuple[GltfFile, tuple[str, ...]]:
    """The scene of the file as an opened glTF file, and what there is to say of it."""
    read_bytes(path, "an FBX file")
    with tempfile.TemporaryDirectory(prefix="sinew-fbx-") as folder:
        out = Path(folder) / "scene.glb"
        result = _run(path, out)
        if "found" in result:
            raise UnreadableFile(path=path, found=str(result["found"]), remedy=str(result["remedy"]))
        data = read_bytes(out, "a scene", 2 * MOST_BYTES)
    notes = result.get("notes")
    return GltfFile(path, data), tuple(map(str, notes)) if isinstance(notes, list) else ()


def _run(path: Path, out: Path) -> Mapping[str, object]:
    """The child's result; what ends it is named."""
    began = monotonic()
    child = ChildJob("read_fbx", {"file": str(path.resolve()), "out": str(out)}, on_message=lambda message: None)
    try:
        while not child.wait(_BLINK):
            waited = monotonic() - began
            progress.report(waited / (waited + _USUAL))
            if waited > LONGEST:
                raise UnreadableFile(path=path, found=f"content that takes more than {LONGEST:g} s", remedy=_REMEDY)
    finally:
        child.cancel()
    if child.state != "done" or not isinstance(child.result, Mapping):
        reason = child.error.reason if isinstance(child.error, JobFailed) else child.state
        raise UnreadableFile(path=path, found=f"content that ended its reader ({reason})", remedy=_REMEDY)
    return child.result


FORMAT = Format(
    name="FBX scene",
    suffixes=(".fbx",),
    kind="motion",
    read=read,
    write=write,
    omits=omits,
    about="Joints, skins, meshes with base colours and textures, animations; written as binary 7.4; no cameras, lights "
    "or constraints.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_JOINTS:,} joints, {MOST_KEYS:,} keys, {MOST_TRIANGLES:,} triangles",
    read_options=("unit", "up"),
    write_options=("rate", "start", "end"),
)
