"""`python -m tests.example_documents [NAME FILE.sinew | made | planned [NAME]]`: writes examples in resources/examples.

With a name and a file that was saved in the window, that document becomes the example of the name. Alone, it finds
anew what meets the targets of the examples that have any, and hangs on what is taken in the hand where it then is; to
be run when what secondary motion comes to has changed: tests tell when targets are no longer met. With the word
`made` it writes those that code makes (`tests.soft_examples`, `tests.water_examples`), with `planned` those for whose
motion it searches (`tests.planned_examples`, `tests.spacetime_examples`) or activations.
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.commands.hold import Hold
from engine.document import Document
from engine.document.parts import Json, Part, encode_document, field_names
from engine.document.shipped import shipped_array
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import figure_names, load_parts
from engine.formats.motion_toml import load_motion, motion_names
from engine.queries.examples import EXAMPLES, shipped_part
from engine.runtime.progress import finish
from engine.targets.commands.meet_targets import MeetTargets
from tests.ball_play import kept_ball_play
from tests.dropped_example import DROPPED
from tests.planned_examples import PLANNED
from tests.soft_examples import MADE
from tests.spacetime_examples import LEAPS
from tests.squat_example import SQUATS
from tests.thrown_examples import THROWN_EXAMPLES
from tests.walk_example import WALKS
from tests.water_examples import WET

FOLDER = Path(__file__).resolve().parents[1] / "resources" / "examples"
CORRECTION = "correction"  # the id of the layer
TARGETS = ("punch", "fast_punch", "letters", "grasp", "hat")  # examples whose targets are met by corrections
WIDTH = 120
LARGEST = 2**18  # [bytes] of an array that stands in one


def example_text(document: Document) -> str:
    """The document as an example: whole, but for what ships elsewhere, which stands there by its name."""
    encoded = encode_document(document)
    names, written = {part.digest: name for name, part in shipped_parts()}, set[str]()
    parts: dict[str, Json] = {digest: {"part": names[digest]} for digest in encoded.texts if digest in names}
    parts |= {each.digest: told for actor in document.actors for each in actor.parts if (told := _changed(each))}

    def whole(value: Json) -> Json:
        if isinstance(value, list):
            return [whole(each) for each in value]
        if not isinstance(value, dict):
            return value
        if "blob" in value and value["blob"] not in written and shipped_array(str(value["blob"])) is None:
            written.add(str(value["blob"]))
            found = encoded.blobs[str(value["blob"])]
            if len(found.data) > LARGEST:
                raise ValueError(f"an array of an example is too large: {len(found.data):,} bytes")
            return {**value, "data": b64encode(found.data).decode()}
        if set(value) != {"part"}:
            return {name: whole(each) for name, each in value.items()}
        digest = str(value["part"])
        if digest not in parts:
            parts[digest] = whole(json.loads(encoded.texts[digest]))
        return parts[digest]

    return _lines(whole(json.loads(document.text)), 0) + "\n"


def _changed(part: Part) -> Json:
    """Say what differs from a part that ships, if it is no more than numbers of entries that have the same ids."""
    for name, shipped in shipped_parts():
        if type(shipped) is type(part) and shipped.digest != part.digest:
            fields = [each for each in field_names(type(part)) if getattr(part, each) != getattr(shipped, each)]
            pairs = [(field, getattr(part, field), getattr(shipped, field)) for field in fields]
            if all(isinstance(new, tuple) and [e.id for e in new] == [e.id for e in old] for _, new, old in pairs):
                return {"part": name, "changed": {
                    f"{field}/{new.id}/{each}": getattr(new, each)
                    for field, news, olds in pairs
                    for new, old in zip(news, olds, strict=True)
                    for each in field_names(type(new)) if getattr(new, each) != getattr(old, each)
                }}  # fmt: skip
    return None


def shipped_parts() -> Iterator[tuple[str, Part]]:
    """What an example may name, by its name."""
    names = [f"figures/{name}" for name in figure_names()]
    names += [f"parts/{name}/{place}" for name in figure_names() for place, _ in enumerate(load_parts(name), 1)]
    for motion in motion_names():
        names += [f"motions/{motion}/{place}" for place, _ in enumerate(load_motion(motion).layers, 1)]
    for name in names:
        yield name, shipped_part(name)


def _lines(value: Json, depth: int) -> str:
    """A line where it fits, else one for each of what stands in it."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + depth < WIDTH or not isinstance(value, list | dict):
        return line
    inner = " " * (depth + 1)
    if isinstance(value, list):
        return "[\n" + ",\n".join(inner + _lines(each, depth + 1) for each in value) + "\n" + " " * depth + "]"
    rows = (f"{inner}{json.dumps(name)}: {_lines(each, depth + 1)}" for name, each in value.items())
    return "{\n" + ",\n".join(rows) + "\n" + " " * depth + "}"


def met_anew(document: Document, evaluator: Evaluator) -> Document:
    """The document with its corrections found from scratch, as the window finds them, and what is held held anew."""
    for actor in document.actors:
        if any(layer.correction is not None for layer in actor.layers):
            bare = replace(actor, layers=tuple(each for each in actor.layers if each.correction is None))
            loose = document.with_actor(bare)
            answer = finish(MeetTargets(actor=actor.id, id=CORRECTION).work_through(evaluator, loose))
            print(f"{actor.name}: {answer.text}; {answer.simulations} simulations")
            if not answer.met:
                sys.exit(1)
            document = answer.edit.apply(loose)
    for actor in document.actors:
        for each in actor.attachments:
            assert each.span is not None, "it is taken at a time"
            free = document.with_actor(replace(actor, attachments=()))
            change = Hold(
                id=each.id,
                actor=actor.id,
                joint=each.joint,
                target=each.target,
                target_joint=each.target_joint,
                time=each.span.start,
                span=each.span,
            )
            document = change.work_out(evaluator, free).apply(free)
    return document


def main() -> int:
    """Write one example that was made in the window, those that code makes, or those again whose targets are met."""
    named = sys.argv[1:]
    if named == ["made"]:
        made = {name: build() for name, build in {**MADE, **WET}.items()}
    elif named[:1] == ["planned"]:
        every = {**PLANNED, **LEAPS, **THROWN_EXAMPLES, **SQUATS, **DROPPED, **WALKS, "ball_play": kept_ball_play}
        made = {name: every[name]() for name in named[1:] or every}
    elif named:
        name, file = named
        made = {name: sinew.read(Path(file))}
    else:
        made = {each.id: met_anew(each.build(), Evaluator()) for each in EXAMPLES if each.id in TARGETS}
    for name, document in made.items():
        path = FOLDER / f"{name}.json"
        path.write_text(example_text(document), encoding="utf-8", newline="\n")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
