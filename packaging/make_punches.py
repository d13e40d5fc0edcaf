"""Makes the corrections of the punches that ship: `python packaging/make_punches.py`, from the root.

Each is found from scratch, as the window finds it, and written whole into `resources/examples/punches.json`. It is to
be run again when the keys of `engine/jobs/example_punch.py`, or what secondary motion comes to, have changed: a test
tells when the targets are no longer met.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

from engine.document import Document
from engine.document.parts import encode
from engine.evaluate.evaluator import Evaluator
from engine.jobs.example_punch import BOXER, CORRECTION, keyed_fast_punch, keyed_punch
from engine.jobs.meet_targets import MeetTargets
from engine.runtime.progress import finish

FILE = Path(__file__).resolve().parents[1] / "resources" / "examples" / "punches.json"
PUNCHES: dict[str, Callable[[], Document]] = {"punch": keyed_punch, "fast_punch": keyed_fast_punch}


def main() -> int:
    """Find them, write them, and say how it went."""
    found, met = {}, True
    for name, keyed in PUNCHES.items():
        document = keyed()
        answer = finish(MeetTargets(actor=BOXER, id=CORRECTION).work_through(Evaluator(), document))
        print(f"{name}: {answer.text}; {answer.simulations} simulations")
        layer = next(each for each in answer.edit.apply(document).actor(BOXER).layers if each.id == CORRECTION)
        found[name], met = encode(layer.correction), met and answer.met
    if met:
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8", newline="\n")
        print(FILE)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
