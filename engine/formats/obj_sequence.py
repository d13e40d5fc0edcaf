"""OBJ sequence (.objseq): a folder with one numbered OBJ file for each frame of a scene, as it is seen.

`walk.objseq` holds walk_0001.obj, walk_0002.obj, ...; each begins with its time. Every body or skin is an object of its
own; vertices keep their order and number from frame to frame, as programs that play such files want it, but for those
of liquids, whose surfaces have other triangles in each. The folder appears when all of it is written, or not at all.
After Wavefront's appendix B1, object files (.obj), 1995.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor
from engine.document.motion import TICKS_PER_SECOND
from engine.formats.conventions import unit_of, upright
from engine.formats.format import Contents, Format, Options
from engine.formats.losses import listed
from engine.formats.meshes import USUAL_UNIT
from engine.formats.names import Names
from engine.formats.scene import MOST_FRAMES, Scene, Times
from engine.formats.scene_losses import has_mesh, has_surface, motion_losses, skeleton_losses
from engine.maths.arrays import Array
from engine.maths.quaternions import inverse
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.snapshot import Bodies, Snapshot
from engine.project import disk
from engine.project.own_folder import own_folder
from engine.runtime import progress
from engine.runtime.errors import UnwritableFile

SUFFIX = ".objseq"

_BLOCK = 2000  # rows


def gradually(path: Path, contents: Contents, options: Options) -> Iterator[float]:
    """Write the frames, a part of one in a slice."""
    scene = contents.scene
    if scene is None or not any(map(_is_written, scene.actors)):
        raise UnwritableFile(path=path, found="nothing to write", remedy="Choose a shown actor that has a mesh.")
    _refuse_what_is_there(path)
    times, pace = scene.times(path, options.rate, options.start, options.end), progress.Pace()
    try:
        with own_folder(path) as folder:
            made = folder / "frames"
            made.mkdir()
            for place, pieces in enumerate(_frames(scene, times, options), 1):
                text: list[bytes] = []
                for piece in pieces:
                    text.append(piece.encode())
                    if pace.due():
                        yield (place - 1) / len(times)
                file = made / f"{path.stem}_{place:0{max(4, len(str(len(times))))}}.obj"
                disk.present().write(file, b"".join(text))
                disk.sync(file)
                yield place / len(times)
            disk.sync_folder(made)
            _refuse_what_is_there(path)
            disk.replace(made, path)
            disk.sync_folder(path.parent)
    except OSError as error:
        raise disk.unwritable(path, error, at_work=False) from error


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the frames at one go."""
    for share in gradually(path, contents, options):
        progress.report(share)


def _refuse_what_is_there(path: Path) -> None:
    if not path.parent.is_dir():
        raise UnwritableFile(path=path, found="there is no such folder", remedy="Choose a folder that is there.")
    if path.is_dir() and not path.is_symlink():
        found, remedy = "there is a folder of that name", "Choose another name, or move that folder away first."
        raise UnwritableFile(path=path, found=found, remedy=remedy)
    if path.exists() or path.is_symlink():
        found, remedy = "it is a file, and a sequence is a folder", "Choose another name, or move that file away first."
        raise UnwritableFile(path=path, found=found, remedy=remedy)


def _frames(scene: Scene, times: Times, options: Options) -> Iterator[Iterator[str]]:
    """The text of each frame, in pieces."""
    seen, names = scene.seen(), _ObjectNames(scene)
    turn, unit = rotation_matrix(inverse(upright(options))), unit_of(options, USUAL_UNIT)
    faces: dict[str, tuple[NDArray[np.integer], int, list[str]]] = {}

    def pieces(place: int, time: int) -> Iterator[str]:
        yield f"# Sinew, frame {place} of {len(times)}, {time / TICKS_PER_SECOND:.6f} s\n"
        start = 1
        for key, points, normals, triangles in _meshes(scene, seen.snapshot(scene.document, time)):
            yield f"o {names.of(key)}\n"
            yield from _rows("v %.9g %.9g %.9g\n", points @ turn.T / unit + 0.0)
            yield from _rows("vn %.9g %.9g %.9g\n", normals @ turn.T + 0.0)
            known = faces.get(key)
            if known is None or known[0] is not triangles or known[1] != start:
                corners = np.repeat(triangles.astype(np.int64) + start, 2, axis=1)
                known = faces[key] = triangles, start, list(_rows("f %d//%d %d//%d %d//%d\n", corners))
            yield from known[2]
            start += len(points)

    return (pieces(place, time) for place, time in enumerate(times, 1))


def _meshes(scene: Scene, snapshot: Snapshot) -> Iterator[tuple[str, Array, Array, NDArray[np.integer]]]:
    """Yield each mesh of the actors that is seen: a key for its name, points [m], normals and triangles."""
    bodies = {each.owner: each for each in snapshot.bodies}
    for actor in filter(_is_written, scene.actors):
        skins = [each for each in snapshot.skins if each.owner == actor.id]
        for each in skins:
            yield f"{actor.id}/{each.skin}", each.positions.astype(float), each.normals.astype(float), each.triangles
        liquids = [each.closed for each in snapshot.liquids if each.owner == actor.id]
        for places, facing, triangles in liquids:
            yield actor.id, places.astype(float), facing.astype(float), triangles
        if not skins and not liquids:
            mesh, (points, normals) = bodies[actor.id].mesh, _posed(bodies[actor.id])
            yield actor.id, points, normals, mesh.triangles


def _posed(bodies: Bodies) -> tuple[Array, Array]:
    """Vertices [m] and normals where the bodies stand."""
    mesh, frames = bodies.mesh, bodies.transforms.astype(float)[bodies.mesh.body]
    points = np.einsum("vij,vj->vi", frames[:, :, :3], mesh.positions.astype(float)) + frames[:, :, 3]
    return points, np.einsum("vij,vj->vi", frames[:, :, :3], mesh.normals.astype(float))


class _ObjectNames:
    """The name of each object of the scene."""

    def __init__(self, scene: Scene) -> None:
        self._taken, self._found = Names(), dict[str, str]()
        self._actors = {actor.id: actor.name for actor in scene.actors}
        for actor in filter(_is_written, scene.actors):
            for skin in actor.figure.skins:
                self._found[f"{actor.id}/{skin.id}"] = self._taken.take(_plain(f"{actor.name} {skin.name}"))
            if not actor.figure.skins and not has_surface(actor):
                self._found[actor.id] = self._taken.take(_plain(actor.name))

    def of(self, key: str) -> str:
        """Give the name of an object; that of a surface that a system draws is its actor's."""
        if key not in self._found:
            self._found[key] = self._taken.take(_plain(self._actors[key.partition("/")[0]]))
        return self._found[key]


def _plain(name: str) -> str:
    """A name in one line, without what begins a remark or goes on in the next line."""
    plain = "".join(letter if letter.isprintable() and letter not in "#\\" else " " for letter in name)
    return " ".join(plain.split()) or "object"


def _rows(line: str, rows: NDArray[np.float64] | NDArray[np.int64]) -> Iterator[str]:
    """A line for each row, in blocks that take a few milliseconds."""
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        yield line * len(block) % tuple(block.ravel().tolist())


def _is_written(actor: Actor) -> bool:
    return actor.visible and has_mesh(actor)


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a sequence of OBJ files cannot say of a scene."""
    actors = contents.scene.actors if contents.scene is not None else ()
    lost = []
    hidden = [actor.name for actor in actors if not actor.visible]
    bare = [actor.name for actor in actors if actor.visible and not has_mesh(actor)]
    if hidden:
        lost.append(f"actors that are hidden: {listed(hidden)}")
    if bare:
        lost.append(f"actors without a mesh: {listed(bare)}")
    if any(map(_is_written, actors)):
        lost.append("joints and how meshes hang on them: vertices are written where they are seen in each frame")
        lost.append("the rate, but for the time in the first line of each file")
    renamed = [each.name for each in actors if _is_written(each) and _plain(each.name) != each.name]
    if renamed:
        lost.append(f"characters in names that OBJ files cannot hold: {listed(renamed)}")
    return (*lost, *skeleton_losses(actors), *motion_losses(actors))


FORMAT = Format(
    name="OBJ sequence",
    suffixes=(SUFFIX,),
    kind="motion",
    write=write,
    gradually=gradually,
    takes_scene=True,
    omits=omits,
    about="A folder with a numbered OBJ file for each frame of a scene as it is seen; no joints, no materials.",
    limits=f"{MOST_FRAMES:,} frames",
    write_options=("unit", "up", "rate", "start", "end"),
)
