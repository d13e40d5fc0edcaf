"""The command `fields` of `python -m engine`: joint limits out of a library of captures, one file for each joint.

Two rounds of pieces (`engine.long.pieces`): each file is read and sampled in the figure's coordinates, then the field
of each joint is worked out over all files together. What is wrong with a file, or with a joint, is said, and the others
go on.
"""

from __future__ import annotations

import contextlib
import math
import zlib
from base64 import b64decode, b64encode
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from engine.cli.batch import readable_files
from engine.commands.bring_in import read_contents
from engine.commands.build_limits import clip_of_file, mirrored_clips, sampled_limit
from engine.commands.make_limit import hinges_of
from engine.document import Actor, Document, Figure
from engine.document.limit import MOST_ANGLES
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.formats import limit_field
from engine.formats.figure_toml import load_figure
from engine.formats.text import counted
from engine.ik.regions import axes_of
from engine.limits.field import compile_field
from engine.long.percent import Percent, say
from engine.long.pieces import PieceRunner, Task, Work
from engine.long.prepare import prepare
from engine.maths.arrays import Array
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, InvalidArguments, NothingThere
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

READ, BUILD = "engine.cli.fields:begin_reading", "engine.cli.fields:begin_building"


@dataclass(frozen=True, kw_only=True)
class FieldsOptions:
    """The options of the command."""

    figure: str | None = None  # a file, or one that ships; none: that of the first file
    joints: tuple[str, ...] = ()  # none: all that have hinges alone
    nodes: int = 32  # along each axis
    margin: float = 5.7  # [degrees]
    holes: bool = False
    mirrored: bool = False


def write_fields(pieces: PieceRunner, source: Path, target: Path, options: FieldsOptions) -> tuple[str, bool]:
    """Write the field of each joint into a folder; what came of it, and whether all of it did."""
    files = readable_files(source)
    figure = _figure(options.figure, files)
    joints = _joints(figure, options.joints)
    target.mkdir(parents=True, exist_ok=True)
    tell, failed = Percent("fields"), list[str]()
    clips = _to_the_end(_clips(pieces, figure, files, failed), tell, 0.0, 0.5)
    if not clips:
        raise NothingThere(f"no file in {source} holds a motion of {figure.name}", remedy="Choose another folder")
    if options.mirrored:
        clips += mirrored_clips(figure, clips)
    done = _to_the_end(_fields(pieces, figure, joints, clips, options, target, failed), tell, 0.5, 1.0)
    said = f"; {len(failed)} failed: {', '.join(failed[:8])}" if failed else ""
    counts = counted(len(done), "field"), counted(len(clips), "clip")
    return f"{counts[0]} of {figure.name} written, over {counts[1]}{said}", not failed


def _to_the_end(steps: Generator[float, None, list[Any]], tell: Percent, first: float, end: float) -> list[Any]:
    """Step work to its end, and say how far it is."""
    while True:
        try:
            tell(first + (end - first) * next(steps))
        except StopIteration as stop:
            return cast(list[Any], stop.value)


def _clips(
    pieces: PieceRunner, figure: Figure, files: Sequence[Path], failed: list[str]
) -> Generator[float, None, list[tuple[str, Array]]]:
    found = dict[int, tuple[str, Array]]()
    task = Task(READ, {"figure": cast(Json, encode(figure))})
    for count, done in enumerate(pieces.run(task, [str(each.absolute()) for each in files]), 1):
        name = files[done.place].name
        if done.problem:
            failed.append(name)
            say(f"{name}: {done.problem}")
        else:
            found[done.place] = name, _unpacked(done.result, len(figure.coordinates))
        yield count / len(files)
    return [found[place] for place in sorted(found)]


def _fields(
    pieces: PieceRunner,
    figure: Figure,
    joints: Sequence[str],
    clips: Sequence[tuple[str, Array]],
    options: FieldsOptions,
    target: Path,
    failed: list[str],
) -> Generator[float, None, list[Path]]:
    told = {"nodes": options.nodes, "margin": math.radians(options.margin), "keeps_holes": options.holes}
    asked = [cast(Json, {"joint": each, "clips": _of_joint(figure, each, clips)}) for each in joints]
    task, written = Task(BUILD, {"figure": cast(Json, encode(figure)), **told}), list[Path]()
    for count, done in enumerate(pieces.run(task, asked), 1):
        joint = figure.joint(joints[done.place])
        if done.problem:
            failed.append(joint.name)
            say(f"{joint.name}: {done.problem}")
        else:
            written.append(_written(target, figure, joint.id, cast(dict[str, Any], done.result)))
            say(f"wrote {written[-1]}")
        yield count / len(joints)
    return written


def begin_reading(shared: Json) -> Work:
    """The function that samples what one file holds in the coordinates of the figure."""
    figure = cast(Figure, decode(cast(Any, shared)["figure"]))
    document = Document(actors=(Actor(id="figure", name=figure.name, figure=figure),))

    def work(piece: Json) -> Json:
        prepare({"posing"})
        return _packed(finish(clip_of_file(Path(str(piece)), document, figure)))

    return work


def begin_building(shared: Json) -> Work:
    """The function that works out the field of one joint."""
    told = dict(cast(dict[str, Any], shared))
    figure = cast(Figure, decode(told.pop("figure")))

    def work(piece: Json) -> Json:
        asked = cast(dict[str, Any], piece)
        joint = str(asked["joint"])
        columns = [figure.coordinate_index[each] for each in hinges_of(figure.joint(joint))]
        clips = []
        for name, text in asked["clips"]:
            own = _unpacked(text, len(columns))
            clip = np.full((len(own), len(figure.coordinates)), np.nan)
            clip[:, columns] = own
            clips.append((str(name), clip))
        prepare({"limits"})
        limit = sampled_limit(figure, joint, clips, id=joint, **told)
        field = compile_field(limit, axes_of(figure, limit))
        grid = [limit.grid.counts, limit.grid.lower, limit.grid.spacing, limit.grid.periodic]
        return {"grid": cast(Json, grid), "values": _packed(field.values), "notes": [str(each) for each in field.notes]}

    return work


def _written(target: Path, figure: Figure, joint: str, result: dict[str, Any]) -> Path:
    from engine.document.limit import Grid

    counts, lower, spacing, periodic = map(tuple, result["grid"])
    grid = Grid(counts=counts, lower=lower, spacing=spacing, periodic=periodic)
    path = target / f"{joint}{limit_field.SUFFIX}"
    values = _unpacked(result["values"], 1).reshape(counts)
    limit_field.write(path, grid, values, [f"{figure.joint(joint).name} {each}" for each in _names(figure, joint)])
    return path


def _names(figure: Figure, joint: str) -> list[str]:
    return [figure.coordinate_dof[each].name for each in hinges_of(figure.joint(joint))]


def _of_joint(figure: Figure, joint: str, clips: Sequence[tuple[str, Array]]) -> list[list[Json]]:
    """The angles of a joint alone, in the clips that have them."""
    columns = [figure.coordinate_index[each] for each in hinges_of(figure.joint(joint))]
    return [[name, _packed(own)] for name, clip in clips if np.isfinite(own := clip[:, columns]).all()]


def _packed(array: Array) -> str:
    return b64encode(zlib.compress(np.ascontiguousarray(array, dtype="<f8").tobytes(), 1)).decode()


def _unpacked(text: Json, columns: int) -> Array:
    found = np.frombuffer(zlib.decompress(b64decode(str(text))), dtype="<f8").astype(np.float64)
    return found.reshape(-1, columns)


def _figure(name: str | None, files: Sequence[Path]) -> Figure:
    """The figure that is named, or that of the first file which can be read; its own limits are left out."""
    if name is not None:
        figure = read_contents(Path(name)).figure if Path(name).exists() else load_figure(name)
        found = [] if figure is None else [figure]
    else:
        found = []
        for path in files:
            with contextlib.suppress(EngineError):  # said where it is read
                figure = read_contents(path).figure
                found += [] if figure is None else [figure]
            if found:
                break
    if not found:
        value = name or str(files[0].parent)
        raise InvalidArguments(what="where the figure comes from", value=value, allowed="a file with a skeleton")
    return replace(found[0], limits=())


def _joints(figure: Figure, wanted: Sequence[str]) -> list[str]:
    if wanted:
        return [figure.joint(each).id for each in dict.fromkeys(wanted)]
    kinds = {joint.id: [dof.kind for dof in joint.dofs] for joint in figure.joints}
    found = [id for id, own in kinds.items() if 1 <= len(own) <= MOST_ANGLES and set(own) == {"hinge"}]
    if not found:
        raise NothingThere(f"{figure.name} has no joint of hinges alone", remedy="Name joints: --joint")
    return found
