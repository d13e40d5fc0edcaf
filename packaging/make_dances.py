"""Makes what the dance and the grasp ship with: `python packaging/make_dances.py`, from the root.

Corrections are found from scratch, as the window finds them, and the cup is hung on the hand where it stands as it is
touched; both are written whole into `resources/examples/dances.json`. It is to be run again when the keys in
`engine/jobs/example_dance.py` or `example_grasp.py`, or what secondary motion comes to, have changed: a test tells when
targets are no longer met.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from engine.document import Document, Span
from engine.document.parts import encode
from engine.evaluate.evaluator import Evaluator
from engine.jobs.example_beats import CORRECTION, tick
from engine.jobs.example_dance import DANCER, keyed_letters
from engine.jobs.example_grasp import CUP, HAND, LONG, PERSON, TOUCH, keyed_grasp
from engine.jobs.hold import Hold
from engine.jobs.meet_targets import MeetTargets
from engine.runtime.progress import finish

FILE = Path(__file__).resolve().parents[1] / "resources" / "examples" / "dances.json"


def met(document: Document, actor: str) -> Document:
    """The document with the correction that meets an actor's targets; the programme ends where it does not."""
    answer = finish(MeetTargets(actor=actor, id=CORRECTION).work_through(Evaluator(), document))
    print(f"{actor}: {answer.text}; {answer.simulations} simulations")
    if not answer.met:
        sys.exit(1)
    return answer.edit.apply(document)


def kept(document: Document, actor: str, *, held: str | None = None) -> object:
    """What is to be written of it."""
    layer = next(each for each in document.actor(actor).layers if each.id == CORRECTION)
    attachment = None if held is None else document.actor(held).attachments[0]
    return {"correction": encode(layer.correction), "attachment": encode(attachment)}


def main() -> int:
    """Find it all and write it."""
    dance = met(keyed_letters(), DANCER)
    reach = met(keyed_grasp(), PERSON)
    span = Span(start=tick(TOUCH), end=tick(LONG + 10.0))
    wish = Hold(id="taken", actor=CUP, joint="body", target=PERSON, target_joint=HAND, time=tick(TOUCH), span=span)
    taken = wish.work_out(Evaluator(), reach).apply(reach)
    found = {"letters": kept(dance, DANCER), "grasp": kept(taken, PERSON, held=CUP)}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
    print(FILE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
