"""bind_skin: a mesh file becomes a skin of a figure in its present pose.

Runs in a process of its own: the scene, the mesh and the answer are files. Importing this module loads no kernel.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Mapping
from pathlib import Path

from engine.runtime.child import Json, Message
from engine.runtime.errors import InvalidArguments

ARGUMENTS = ("scene", "actor", "time", "mesh", "out")
READING = 0.2  # the share of the work that reading the mesh is taken for


def bind_skin(arguments: Mapping[str, Json]) -> Generator[Message, None, Json]:
    """Bind the mesh to the actor of the scene at a time [ticks]; the skin is written to `out`."""
    if set(arguments) != set(ARGUMENTS):
        raise InvalidArguments(what="the arguments of bind_skin", value=sorted(arguments), allowed=", ".join(ARGUMENTS))
    scene, actor, mesh, out = (str(arguments[name]) for name in ("scene", "actor", "mesh", "out"))
    time = int(str(arguments["time"]))
    yield from _reported(lambda: _bind(Path(scene), actor, time, Path(mesh), Path(out)), f"Binding {Path(mesh).name}")
    return out


def _bind(scene: Path, actor: str, time: int, mesh: Path, out: Path) -> None:
    import numpy as np

    from engine.commands.bring_in import read_contents
    from engine.evaluate.evaluator import Evaluator
    from engine.evaluate.rest import bodies_of
    from engine.formats import sinew, skin_npz
    from engine.model.binding import bind_mesh
    from engine.runtime import progress
    from engine.runtime.errors import UnsoundMesh

    document = sinew.read(scene)
    figure = document.actor(actor).figure
    with progress.part(0.0, READING):
        surfaces = read_contents(mesh).surfaces
    if not surfaces:
        raise UnsoundMesh(name=mesh.name, found="it holds no mesh", remedy="Choose an OBJ, PLY, STL, OFF or glTF file.")
    shifts = np.cumsum([0, *(len(each.positions) for each in surfaces)])
    with progress.part(READING, 1.0):
        skin = bind_mesh(
            figure,
            Evaluator().joint_transforms(document, actor, time),
            bodies_of(figure)[1],
            np.concatenate([each.positions for each in surfaces]),
            np.concatenate([each.triangles + shift for each, shift in zip(surfaces, shifts, strict=False)]),
            id="skin",
            name=mesh.name.split(".")[0],
        )
    skin_npz.write(out, skin)


def _reported(work: Callable[[], None], text: str) -> Generator[Message, None, None]:
    """Do the work on a thread of its own and yield how far it is."""
    from engine.runtime.progress import listening

    shares: queue.Queue[float | None] = queue.Queue()
    failure: list[BaseException] = []

    def run() -> None:
        try:
            with listening(shares.put):
                work()
        except BaseException as problem:
            failure.append(problem)
        finally:
            shares.put(None)

    threading.Thread(target=run, name="bind", daemon=True).start()
    while (share := shares.get()) is not None:
        yield {"progress": share, "text": text}
    if failure:
        raise failure[0]
