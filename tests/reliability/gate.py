"""`python -m tests.reliability.gate [--inputs 100000] [--edits 10000] [--seed 1]`: mutated files for every reader, and
edits with extreme values in their arguments, each a step further from a document of random edits.

What is let in is saved, read back and drawn. Whatever is raised has to be named and short. Ends with 1 where anything
is not so, and prints it; `unforeseen`: errors that no reader names itself, but the gate behind it.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import resource
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from engine.commands.bring_in import BroughtIn, bring_in
from engine.document import Document, validate
from engine.document.conformance import check_values
from engine.document.motion import TICKS_PER_SECOND
from engine.document.part_reader import decode_document
from engine.document.parts import encode_document
from engine.document.pose import read_pose
from engine.edits import Edit, edit, from_record
from engine.evaluate.evaluator import Evaluator
from engine.formats import limit_field, limit_mesh, mesh_npz, skin_npz
from engine.model.snapshot import Bodies, SkinSurface
from engine.project.save import open_project, save_project
from engine.runtime.errors import Diverged, EngineError, UnreadableFile
from engine.soft.parts import SoftBody
from tests.conformance.bad_files import SUFFIXES, npy_head, small_gltf, sound
from tests.conformance.test_edits import random_edit
from tests.engine.figures import scene
from tests.engine.formats.test_asfamc import ASF
from tests.engine.formats.test_reader_fuzz import WHOLE_CURVES, WHOLE_SKIN, npy
from tests.reliability.gate_bodies import UNSOUND_BODIES, body_log, body_seeds, morphed_gltf, morphed_text, read_morphs

MOST_MEMORY = 2 * 2**30  # [bytes]
SLOW = 2.0  # [s] of processor time for one of these small inputs
LONGEST_MESSAGE = 4000
ODD: tuple[Any, ...] = (
    math.nan, math.inf, -math.inf, 1e308, -1e300, 3e306, 1e22, 1e15, -1e15, 1e9, 5e-324, -0.0, 0, 1, -1, 2**31,
    2**53, 2**63, -(2**70), 10**400, 10**5000, True, False, None, "", " ", "a" * 5000, "bone\ud800", "\udc80x", "\0",
    "\n", "ü", "x" * 300_000, "linear", [], [[]], {}, {"a": 1}, [1e308] * 3, [math.nan] * 4, {"part": "0" * 64},
    {"type": "Document"}, {"type": "Key", "time": 0}, {"blob": "0" * 64, "numbers": "<f8", "shape": [1], "data": "AA"},
)  # fmt: skip
WORDS = (
    b"nan", b"-inf", b"1e308", b"3e306", b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000, b"\xed\xa0\x80", b"\xff\xfe",
    b"\0", b"{", b"}", b"[", b"]]", b'"', b"#", b"\\ud800", b"\n", b"\r", b"\xe2\x80\xa8", b"a" * 5000, b"..", b"/",
    b"solid x\n", b"facet\n", b"endsolid\n", b"-1", b"0", b"1e15", b"ROOT a", b"Frames: 0", b"1e-320", b"[[joint]]",
    b"true", b"null", b"1_0", b"=", b"inf",
)  # fmt: skip
OWN_ERRORS = ("pose", "activation", *UNSOUND_BODIES)  # what is no file, or no body, has errors of its own
NAMES = ("clip", "ü", "a b", "#", "%41", "x" * 200, "a.b", "\udcff", "{actor}", "-", "'")

Reader = Callable[[Path], object]


@dataclass
class Tally:
    """What came of a run."""

    tried: Counter[str] = field(default_factory=Counter)
    let_in: Counter[str] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)  # the first of each kind, with its input
    unforeseen: Counter[str] = field(default_factory=Counter)
    slow: dict[str, float] = field(default_factory=dict)  # [s]

    def took(self, seconds: float, what: str) -> None:
        """Note what took long."""
        if seconds > max(SLOW, self.slow.get(what, 0.0)):
            self.slow[what] = seconds

    def blame(self, what: str, error: BaseException, given: object) -> None:
        """Note what is not as it has to be."""
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno}"
        self.wrong.setdefault(
            f"{what}: {type(error).__name__} at {place}", f"{str(error)[:300]!r}\n    {_written(given):.2000}"
        )


def _written(given: object) -> str:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return repr(given)
    finally:
        sys.set_int_max_str_digits(before)


class Unsound(Exception):
    """What was let in is not what it has to be."""


def look_at(document: Document, folder: Path, evaluator: Evaluator, *, to_disk: bool) -> None:
    """Save a document, read it back and draw it."""
    try:
        _look_at(document, folder, evaluator, to_disk=to_disk)
    except EngineError as error:
        raise Unsound(f"{type(error).__name__}: {error}") from error


def _look_at(document: Document, folder: Path, evaluator: Evaluator, *, to_disk: bool) -> None:
    validate(document)
    encoded = encode_document(document)
    again = decode_document(document.digest, encoded.texts, encoded.blobs.__getitem__)
    if again.digest != document.digest:
        raise Unsound("it reads back as another")
    if to_disk:
        path = folder / "saved.sinew"
        path.unlink(missing_ok=True)
        save_project(path, document)
        if open_project(path).document.digest != document.digest:
            raise Unsound("it opens as another")
    is_simulated = any(actor.swings or actor.part(SoftBody) for actor in document.actors) or bool(document.together)
    for tick in (0,) if is_simulated else (0, 3 * TICKS_PER_SECOND):
        try:
            items = evaluator.snapshot(document, tick).items
        except Diverged:
            if not is_simulated:  # else its last good picture stays
                raise
            return
        for item in items:
            numbers = item.transforms if isinstance(item, Bodies) else None
            numbers = item.positions if isinstance(item, SkinSurface) else numbers
            if numbers is not None and not np.isfinite(numbers).all():
                raise Unsound("it is drawn at no place")


# Files


def mutated(random: Random, content: bytes) -> bytes:
    """The same bytes with some of them changed."""
    for _ in range(random.choice((1, 1, 1, 3))):
        at, kind = random.randrange(len(content) + 1), random.randrange(7)
        if kind == 0:
            content = content[:at] + random.randbytes(random.randrange(1, 9)) + content[at + random.randrange(9) :]
        elif kind == 1:
            content = content[:at] + content[at + random.choice((1, 8, 100)) :]
        elif kind == 2:
            content = content[:at]
        elif kind == 3:
            content = content[:at] + random.choice(WORDS) + content[at:]
        elif kind == 4:
            lines = content.split(b"\n")
            place = random.randrange(len(lines))
            words = lines[place].split(b" ")
            words[random.randrange(len(words))] = random.choice(WORDS)
            lines[place] = b" ".join(words)
            content = b"\n".join(lines)
        elif kind == 5:
            lines = content.split(b"\n")
            lines.insert(random.randrange(len(lines)), random.choice(lines))
            content = b"\n".join(lines)
        elif content:
            at = random.randrange(len(content))
            content = content[:at] + bytes((content[at] ^ 1 << random.randrange(8),)) + content[at + 1 :]
    return content


def places_of(tree: object) -> Iterator[tuple[Any, Any]]:
    """Every place in a tree of lists and dictionaries."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for key, child in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
            yield node, key
            waiting.append(child)


def with_odd_values(random: Random, tree: Any) -> Any:
    """A copy of a tree with odd values at some places."""
    tree = json.loads(json.dumps(tree))
    for _ in range(random.choice((1, 1, 1, 3))):
        places = list(places_of(tree))
        if not places:
            return tree
        node, key = random.choice(places)
        if isinstance(node, dict) and random.random() < 0.05:
            node[random.choice(("name", "uri", "extra", "bone\ud800", "type"))] = deepcopy(random.choice(ODD))
        else:
            node[key] = odd(random, node[key])
    return tree


def odd(random: Random, value: object) -> object:
    """An odd value: mostly of the kind that it replaces, and within bounds."""
    if random.random() < 0.3:
        return deepcopy(random.choice(ODD))
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return random.choice((-value, value + 1, 2**52, -(2**52), 2**31, 0, 1, 705_600_000))
    if isinstance(value, float):
        return random.choice((1e15, -1e15, 1e12, -1e9, 1e6, 1e-300, -0.0, -value, value * 1e6, value * 1e-6))
    if isinstance(value, str):
        return random.choice((f"{value} 2", "a" * 4096, "ü\u2028\n", "\0", "{actor}", "{", "%s", " ", "<b>"))
    return [value, value] if isinstance(value, list) else deepcopy(random.choice(ODD))


def json_of(tree: object) -> bytes:
    """JSON with numbers of any size."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        return json.dumps(tree).encode()
    finally:
        sys.set_int_max_str_digits(before)


def log_with_odd_values(random: Random, content: bytes) -> bytes:
    """A log of random edits with odd values in one of its lines."""
    head, *lines = content.splitlines()
    place = random.randrange(len(lines))
    lines[place] = json_of(with_odd_values(random, json.loads(lines[place])))
    return b"\n".join((head, *lines))


def gltf_with_odd_values(random: Random, _: bytes) -> bytes:
    """A glTF file with odd values."""
    return json_of(with_odd_values(random, small_gltf()))


def morphs_with_odd_values(random: Random, _: bytes) -> bytes:
    """A glTF file of a surface with a morph target, with odd values."""
    return json_of(with_odd_values(random, morphed_gltf()))


def archive_with_odd_arrays(random: Random, content: bytes) -> bytes:
    """An NPZ file of which an array is another, or its head says something else."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as new:
        changed = random.choice(old.namelist())
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, _odd_array(random, data) if name == changed else data)
    return output.getvalue()


def _odd_array(random: Random, data: bytes) -> bytes:
    array, kind = np.lib.format.read_array(io.BytesIO(data), allow_pickle=False), random.randrange(6)
    if kind == 0:
        at = random.randrange(8, min(len(data), 120))
        return data[:at] + random.choice((b"#", b"\n", b"'", b"(", b"\xff", b"9" * 20, b"L", b"\0")) + data[at + 1 :]
    if kind == 1:
        return npy_head(
            random.choice(((10**6, 10**6), (2**62,), (-3, 2), (0,), (2**31, 2**31))), random.choice(("<f8", "|O"))
        )
    if kind == 2 and array.size:
        odd = array.copy().reshape(-1)
        value = random.choice([each for each in ODD if isinstance(each, int | float | str)])
        try:
            odd[random.randrange(odd.size)] = value
        except (OverflowError, ValueError, TypeError):
            return data[: len(data) // 2]
        return npy(odd.reshape(array.shape))
    if kind == 3:
        other = random.choice(("<f4", "<f2", "<c16", "?", "U9", "S9", "<i8", ">f8"))
        return npy(array.astype(other if array.dtype.kind in "fiub" else "S"))
    if kind == 4:
        return npy(np.array(["bone\ud800"] * max(1, array.size)).reshape(array.shape if array.size else (1,)))
    return npy(array[..., :0] if array.ndim else array.reshape(1, 1))


def seeds(folder: Path) -> dict[str, tuple[str, list[bytes], tuple[Callable[[Random, bytes], bytes], ...], Reader]]:
    """For every reader: a suffix, sound files, ways to mutate them beside that of bytes, and the reader."""
    found: dict[str, Any] = {}
    for suffix in SUFFIXES:
        ways: tuple[Callable[[Random, bytes], bytes], ...] = ()
        contents = [sound(suffix, folder)]
        if suffix == ".npz":
            contents.append(_archive(WHOLE_CURVES))
            ways = (archive_with_odd_arrays,)
        elif suffix == ".gltf":
            ways = (gltf_with_odd_values, gltf_with_odd_values)
        elif suffix == ".sinewlog":
            contents.append(_log(Random(3)))
            ways = (log_with_odd_values, log_with_odd_values)
        found[suffix] = (suffix, contents, ways, bring_in)
    arrays = (archive_with_odd_arrays,)
    cube = limit_field_of(folder)
    found["skin"] = (".skin.npz", [_archive(WHOLE_SKIN)], arrays, skin_npz.read)
    found["mesh"] = (".mesh.npz", [_archive(WHOLE_MESH)], arrays, mesh_npz.read)
    found["field"] = (".field.npz", [cube], arrays, limit_field.read)
    found["limit mesh"] = (".limit.obj", [TETRAHEDRON], (), lambda path: limit_mesh.read(path, 3))
    found.update({name: (suffix, seed, (), read) for name, (suffix, seed, read) in body_seeds().items()})
    found["morphs"] = (".morph.gltf", [morphed_text()], (morphs_with_odd_values,) * 2, read_morphs)
    found["log of bodies"] = (".sinewlog", [body_log(Random(5))], (log_with_odd_values,) * 2, bring_in)
    found["pose"] = (".pose.toml", [POSE], (), lambda path: read_pose(path.read_bytes().decode("utf-8", "replace")))
    return found


TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
WHOLE_MESH = {
    "positions": np.zeros((3, 3), "<f4"),
    "normals": np.tile(np.array([0.0, 1.0, 0.0], "<f4"), (3, 1)),
    "triangles": np.array([[0, 1, 2]], "<i4"),
}
POSE = b'sinew_pose = 1\nname = "Bow"\nfigure = "human"\nvalues = [\n  ["knee", "Knee", "Bend", 0.5],\n]\n'


def limit_field_of(folder: Path) -> bytes:
    """A field of a joint limit as Sinew writes it."""
    from engine.document.limit import Grid

    path = folder / "seed.field.npz"
    grid = Grid(counts=(3, 4), lower=(0.0, 0.0), spacing=(0.5, 0.5), periodic=(False, False))
    limit_field.write(path, grid, np.full((3, 4), -0.1), ("x", "y"))
    return path.read_bytes()


def _archive(arrays: dict[str, Any]) -> bytes:
    output = io.BytesIO()
    np.savez(output, **arrays)
    return output.getvalue()


def _log(random: Random) -> bytes:
    from engine.edits.command_log import Start
    from engine.formats.sinew_log import log_text

    document, commands = scene(), list[Any]([Start(scene(), "New")])
    for _ in range(25):
        change = random_edit(random, document)
        document = change.apply(document)
        commands.append(change)
    return log_text(commands).encode()


def try_inputs(count: int, seed: int, tally: Tally, only: str | None = None) -> None:
    """So many mutated files, for one reader after the other."""
    random, evaluator = Random(seed), Evaluator()
    with TemporaryDirectory() as place:
        folder = Path(place)
        kinds = {name: each for name, each in seeds(folder).items() if only in (None, name)}
        for number, (kind, (suffix, contents, ways, read)) in zip(range(count), cycle(kinds.items()), strict=False):
            content = random.choice((mutated, *ways))(random, random.choice(contents))
            stem = random.choice(NAMES) if random.random() < 0.2 else "clip"
            path = folder / "in" / f"{stem}{suffix}"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
            if suffix == ".amc":
                path.with_suffix(".asf").write_text(ASF)
            tally.tried[kind] += 1
            started = time.process_time()
            try:
                read_one(path, read, folder, evaluator, to_disk=number % 20 == 0)
            except Unsound as error:
                tally.blame(f"{kind} let in", error, (path.name, content))
            except UnreadableFile as error:
                is_named = kind == ".sinew" or isinstance(error.__cause__, EngineError | None)
                if not is_named and "content that is not sound" in error.found:
                    tally.unforeseen[f"{kind}: {error.found[:120]}"] += 1
                if len(str(error)) > LONGEST_MESSAGE or not error.remedy:
                    tally.blame(f"{kind} message", error, content)
            except EngineError as error:
                if kind not in OWN_ERRORS:
                    tally.blame(f"{kind} not of the file", error, (path.name, content))
            except Exception as error:
                tally.blame(kind, error, (path.name, content))
            else:
                tally.let_in[kind] += 1
            tally.took(time.process_time() - started, f"{kind}, {len(content)} bytes")
            for each in path.parent.iterdir():
                each.unlink()


def read_one(path: Path, read: Reader, folder: Path, evaluator: Evaluator, *, to_disk: bool) -> None:
    """Read a file, bring what it holds into a document, and look at that."""
    found = read(path)
    if isinstance(found, Document):
        document = found
    elif isinstance(found, BroughtIn):
        document = found.document or Document()
        for actor in (found.actor, *found.props):
            if actor is not None:
                document = edit("add_actor", actor=actor).apply(document)
    else:
        if hasattr(found, "__dict__"):
            check_values(found)
        return
    try:
        look_at(document, folder, evaluator, to_disk=to_disk)
    except Unsound:
        raise
    except Exception as error:
        raise Unsound(f"{type(error).__name__}: {error}") from error


# Edits


def with_odd_arguments(random: Random, change: Edit) -> Edit:
    """The same edit with odd values in its arguments: as a log holds them, or as a program gives them."""
    if random.random() < 0.5:
        return from_record(with_odd_values(random, change.record()))
    arguments = dict(change.arguments)
    name = random.choice([*arguments, "more"]) if arguments else "more"
    if random.random() < 0.1:
        arguments.pop(name, None)
    else:
        arguments[name] = _odd_within(random, arguments.get(name))
    return Edit(change.name, tuple(arguments.items()))


def _odd_within(random: Random, value: object) -> object:
    if isinstance(value, tuple) and value and random.random() < 0.7:
        place = random.randrange(len(value))
        return (*value[:place], _odd_within(random, value[place]), *value[place + 1 :])
    if random.random() < 0.7:
        return odd(random, value)
    return random.choice(((), ((),), b"x", np.float64(0.5), np.int64(3), np.bool_(True), object(), {1: 2}))


def try_edits(count: int, seed: int, tally: Tally) -> None:
    """So many edits with extreme values, each on a document that random edits have made."""
    random, evaluator = Random(seed), Evaluator()
    with TemporaryDirectory() as place:
        document = scene(seed)
        for number in range(count):
            if number % 40 == 0:
                document = scene(random.randrange(50))
            plain = random_edit(random, document)
            tally.tried[plain.name] += 1
            started = time.process_time()
            change = plain
            try:
                change = with_odd_arguments(random, plain)
                new = change.apply(document)
                record = json.loads(json.dumps(change.record(), allow_nan=False).encode())
                again = from_record(record).apply(document)
                if again.digest != new.digest:
                    raise Unsound("its record does something else")
                look_at(new, Path(place), evaluator, to_disk=number % 20 == 0)
                _ = change.label(document), change.line
                tally.let_in[plain.name] += 1
            except EngineError as error:
                if len(str(error)) > LONGEST_MESSAGE:
                    tally.blame(f"{plain.name} message", error, change)
            except Exception as error:
                tally.blame(plain.name, error, change)
            tally.took(time.process_time() - started, plain.name)
            document = plain.apply(document)


def report(tally: Tally) -> None:
    """Print what came of a run."""
    print(f"{sum(tally.tried.values()):,} tried, {sum(tally.let_in.values()):,} let in")
    print("  ".join(f"{name} {tally.let_in[name]}/{count}" for name, count in sorted(tally.tried.items())))
    for text, count in tally.unforeseen.most_common(40):
        print(f"unforeseen {count} times: {text}")
    for text, seconds in tally.slow.items():
        print(f"slow, {seconds:.1f} s: {text}")
    for text, given in tally.wrong.items():
        print(f"WRONG {text}: {given}")


def main() -> int:
    """Do as many of each as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability.gate")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reader", help="one of them alone: a suffix")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (3 * MOST_MEMORY, resource.RLIM_INFINITY))  # what wants more is named, too
    inputs, edits = Tally(), Tally()
    try_edits(options.edits, options.seed, edits)
    report(edits)
    try_inputs(options.inputs, options.seed, inputs, options.reader)
    report(inputs)
    most = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{most / 2**20:.0f} MB at most")
    return int(bool(inputs.wrong or edits.wrong) or most > MOST_MEMORY)


if __name__ == "__main__":
    sys.exit(main())
