"""Kinds of goldens: what each is about, the names there are, and how one is worked out."""

from __future__ import annotations

import io
import sqlite3
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from tests.golden import reach
from tests.golden.found import DATA, Found, digest
from tests.golden.texts import content

LOGS, FILES = DATA / "logs", DATA / "files"
BAKED = 40  # frames of a bake
COARSE = 5  # frames a second of an export that takes long at its own rate
REPEATED = {
    *(("exports", name) for name in ("letters", "grasp", "fast_punch", "hands", "jump", "hanging_ball", "skeleton")),
    *(("exports", name) for name in ("ball", "standing")),
    *(("work", name) for name in ("letters", "punch", "fast_punch", "skeleton", "body")),
    *((kind, name) for kind in ("work", "saves") for name in ("squat", "muscled_walk", "limp")),
    *(("saves", name) for name in ("skeleton", "body")),
}
"""Dear examples in kinds in which another one stands for them, but for a deep run: punch and walk are exported, and the
targets of grasp are met; the skeleton has as many triangles as all other figures together."""
DEAR = ("ball", "punch", "fast_punch", "letters", "grasp", "hanging_ball")
"""Examples whose every frame is solved for."""


@dataclass(frozen=True)
class Kind:
    """One sort of goldens."""

    about: str
    names: Callable[[], Iterable[str]]
    find: Callable[[str, Path], Found]  # by name; in a folder of its own that it may fill
    deep: bool = False  # too long for every run of the tests


def _documents() -> list[str]:
    return list(reach.documents())


@cache
def _made(name: str) -> reach.Document:
    """One of them, for all kinds: nobody can change it."""
    return reach.documents()[name]()


def _examples() -> list[str]:
    return [name for name in reach.documents() if name.startswith("example-")]


def _exported() -> list[str]:
    """All but the body, whose muscles no format has: it would be the skeleton again, as its squat and walks would."""
    alike = [f"example-{name}" for name in ("body", "squat", "muscled_walk", "limp")]
    return [name for name in _examples() if name not in alike]


def _moving() -> list[str]:
    return [name for name in reach.documents() if name.startswith(("example-", "motion-"))]


def _weighing() -> list[str]:
    return [name for name in _moving() if name not in reach.WEIGHTLESS]


def _baked() -> list[str]:
    return [name for name in _examples() if reach.is_worth_baking(_made(name))]


def _kept(folder: Path, suffix: str) -> list[str]:
    return sorted(each.name.removesuffix(suffix) for each in folder.glob(f"*{suffix}"))


def _frames(name: str, folder: Path) -> Found:
    document, evaluator = _made(name), reach.new_evaluator()
    found = Found(exact={"document": reach.digest_of(document)})
    found.add("once", reach.meshes(evaluator, document))
    for time in reach.times_of(document):
        found.add(f"{time / reach.SECOND:.3f} s", reach.picture(evaluator, document, time))
    return found


def _overlays(name: str, folder: Path) -> Found:
    document = _made(name)
    times = reach.times_of(document)
    time = times[len(times) // 2]
    found = Found(exact={"time": time})
    found.add("beside", reach.overlays(reach.new_evaluator(), document, time))
    return found


def _pulls(name: str, folder: Path) -> Found:
    found = Found()
    for figure in ("human", "quadruped", "arm7"):
        found.add(figure, reach.pulled(figure, name))
    return found


def _bakes(name: str, folder: Path) -> Found:
    frames = list(reach.baked(_made(name), folder, BAKED))
    numbers = np.array([np.frombuffer(frame, "<f8") for _, frame in frames])
    times = [time for time, _ in frames]
    return Found(exact={"times": times, "shape": list(numbers.shape)}, close={"frames": numbers})


def _saves(name: str, folder: Path) -> Found:
    document, path, again = _made(name), folder / "one.sinew", folder / "two.sinew"
    found = Found(exact={"document": reach.digest_of(document)})
    for with_past in (False, True):
        reach.save(path, document, renamed=with_past)
        back = reach.opened(path)
        reach.save(again, back, renamed=with_past)
        told = "with an undo list" if with_past else "alone"
        found.exact[f"{told}: opened again"] = reach.digest_of(back)
        found.exact[f"{told}: rows"] = rows = _rows(path)
        found.exact[f"{told}: saved twice"] = _rows(again) == rows
        path.unlink()
        again.unlink()
    return found


def _rows(path: Path) -> dict[str, str]:
    """Digests of what stands in the tables of a project, but for dates and versions, and for what is deflated: what
    deflates it may be of another version."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        asked = {
            "parts": "SELECT number, digest, size, base, depth, head, tail, deflated FROM parts ORDER BY number",
            "arrays": "SELECT number, digest, type, shape, deflated, first FROM arrays ORDER BY number",
            "revisions": "SELECT number, document FROM revisions ORDER BY number",
            "past": "SELECT number, label, edit, document FROM past ORDER BY number",
        }
        found = {name: database.execute(question).fetchall() for name, question in asked.items()}
        names = database.execute("SELECT name FROM meta ORDER BY name").fetchall()
    return {"meta": " ".join(name for (name,) in names)} | {
        name: f"{len(each)} {digest(repr(each).encode())}" for name, each in found.items()
    }


@contextmanager
def _seen_once() -> Iterator[None]:
    """Within this block a motion that formats take samples of is worked out for the first of them alone."""
    known: dict[tuple[object, ...], Any] = {}
    work_out = reach.exporting.seen_gradually

    def seen(evaluator: Any, document: reach.Document, *asked: Any) -> Generator[float, None, Any]:
        key = (reach.digest_of(document), *asked)
        if key not in known:
            known[key] = yield from work_out(evaluator, document, *asked)
        return known[key]

    with patch.object(reach.exporting, "seen_gradually", seen):
        yield


def _exports(name: str, folder: Path, *, whole: bool = False) -> Found:
    document, found = _made(name), Found()
    coarse = None if whole or name.removeprefix("example-") not in DEAR else COARSE
    with _seen_once():
        for format, suffix in reach.formats():
            own = folder / suffix.strip(".")
            own.mkdir()
            short = suffix == ".objseq" or coarse is not None  # a sequence has a file for each frame
            span = (0, reach.SECOND // 10) if short else (None, None)
            got = reach.exported(own / f"scene{suffix}", document, rate=coarse, start=span[0], end=span[1])
            found.exact[f"{format}: carried"] = got is not None
            if got is not None:
                found.add(format, got)
                _add_files(found, format, own)
    return found


def _add_files(found: Found, format: str, own: Path) -> None:
    """What a format has written into a folder."""
    written = sorted(each for each in own.rglob("*") if each.is_file())
    found.exact[f"{format}: files"] = [each.relative_to(own).as_posix() for each in written]
    for each in written:
        file = Found(exact={"rows": _rows(each)}) if each.suffix == ".sinew" else content(each)
        found.add(f"{format}, {each.name}", file)


def edits_of(name: str) -> dict[str, str]:
    """Digests of the document after each edit of a log."""
    log = enumerate(reach.command_log(LOGS / f"{name}.sinewlog"))
    return {f"{number:03} {deed}": reach.digest_of(document) for number, (deed, _, document) in log}


def _logs(name: str, folder: Path) -> Found:
    *_, (_, _, document) = reach.command_log(LOGS / f"{name}.sinewlog")
    scene = reach.repeatable(document)
    found = Found(bytes=edits_of(name), frail=partial(_frail, scene))
    shape, numbers = reach.numbers_in(document)
    found.exact["end"], found.close["numbers at the end"] = shape, np.array(numbers)
    _look(found, scene, reach.times_of(scene)[1::2])
    return found


def _look(found: Found, scene: Any, times: Iterable[int]) -> None:
    evaluator = reach.new_evaluator()
    for time in times:
        found.add(f"{time / reach.SECOND:.3f} s", reach.picture(evaluator, scene, time))


def _frail(scene: Any) -> frozenset[str]:
    """What is seen otherwise where every actor is placed by the last digits elsewhere."""
    times, seen = reach.times_of(scene)[1::2], []
    for by in (0.0, 1e-15, -1e-13):
        seen.append(Found())
        _look(seen[-1], reach.nudged(scene, by), times)
    as_is, *others = (each.close for each in seen)
    return frozenset(key for key in as_is if any(not _is_near(as_is[key], each.get(key)) for each in others))


def _is_near(one: NDArray[Any], other: NDArray[Any] | None) -> bool:
    return other is not None and one.shape == other.shape and np.allclose(one, other, rtol=1e-6, atol=1e-6)


def _files(name: str, folder: Path) -> Found:
    path, again = folder / "opened.sinew", folder / "saved.sinew"
    path.write_bytes((FILES / f"{name}.sinew").read_bytes())
    found = Found(exact={"rows": _rows(path)})
    document = reach.opened(path)
    reach.save(again, document)
    found.exact["opened"] = reach.digest_of(document)
    found.exact["saved and opened"] = reach.digest_of(reach.opened(again))
    found.exact["unchanged"] = path.read_bytes() == (FILES / f"{name}.sinew").read_bytes()
    return found


def _work(name: str, folder: Path) -> Found:
    """What the command line answers about a document, and makes of it."""
    document, found, path = _made(name), Found(), folder / "scene.sinew"
    reach.save(path, document)
    who, point, angle = reach.measured(document)
    quantities = [f"{kind}:{who}.{of}".rstrip(".") for kind, of in reach.quantities(point, angle)]
    runs: dict[str, tuple[str, ...]] = {
        "info": ("info", str(path)),
        "pose": ("pose", str(path), "--json"),
        "evaluate": ("evaluate", str(path), "--time", "0.71", "--json"),
        "curves": ("curves", str(path), str(folder / "out.npz"), *quantities, "--end", "0.6"),
    }
    if reach.has_targets(document):
        runs["meet"] = ("meet", str(path), "--out", str(folder / "met.sinew"))
    for what, arguments in runs.items():
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(io.StringIO()):
            found.exact[f"{what}: exit code"] = reach.command(*arguments)
        if what != "meet":
            (folder / "said.txt").write_text(said.getvalue().replace(str(folder), "FOLDER"), encoding="utf-8")
            found.add(what, content(folder / "said.txt"))
    found.add("curves", content(folder / "out.npz"))
    if "meet" in runs:
        shape, numbers = reach.numbers_in(reach.opened(folder / "met.sinew"), ids=False)
        found.exact["met: shape"], found.close["met: numbers"] = shape, np.array(numbers)
    return found


KINDS: dict[str, Kind] = {
    "frames": Kind("What is seen of everything that ships, at a handful of times", _documents, _frames),
    "overlays": Kind("Trails, onion skins, motion paths and marks of targets", _moving, _overlays),
    "pulls": Kind("Poses to which each method brings a figure", reach.methods, _pulls),
    "bakes": Kind("Frames of bakes", _baked, _bakes),
    "saves": Kind("Rows of saved projects", _examples, _saves),
    "exports": Kind("Files of every format", _exported, _exports),
    "work": Kind("Answers of the command line", _weighing, _work),
    "logs": Kind("Edits, replayed from recorded text", lambda: _kept(LOGS, ".sinewlog"), _logs),
    "files": Kind("Project files of this version", lambda: _kept(FILES, ".sinew"), _files),
    "exports-whole": Kind(
        "Files of every format, every frame", lambda: [f"example-{name}" for name in DEAR],
        lambda name, folder: _exports(name, folder, whole=True), deep=True,
    ),
}  # fmt: skip


def find(kind: str, name: str) -> Found:
    """Work one golden out."""
    with tempfile.TemporaryDirectory(prefix="sinew-golden-") as folder:
        return KINDS[kind].find(name, Path(folder))


def is_deep(kind: str, name: str) -> bool:
    """Tell whether it takes too long for every run of the tests."""
    return KINDS[kind].deep or (kind, name.removeprefix("example-")) in REPEATED


def all_of(kind: str) -> list[str]:
    """The names of a kind."""
    return list(KINDS[kind].names())
