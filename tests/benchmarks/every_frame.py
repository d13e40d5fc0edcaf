"""`python -m tests.benchmarks.every_frame [MOTION [TENSION DAMPING]]`: are keys at every frame met as targets?

Each key of a motion that comes with Sinew (walk: 33 frames, jump: 70) is a target of the human's secondary motion. One
line says how many are met within 1e-6 rad, others what is changed for that, by how much those that are not are missed,
and why; it takes minutes.
"""

from __future__ import annotations

import sys
from collections import Counter
from time import process_time

import numpy as np

from engine.document import Actor, Document, Gains, Layer, Secondary, Target
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.formats.motion_toml import load_motion
from engine.runtime.progress import finish
from engine.targets.commands.meet_targets import MeetTargets
from tests.benchmarks.scenes import human


def measure(name: str, tension: float, damping: float) -> str:
    """One line for a motion and its gains."""
    secondary = Secondary(gains=Gains(tension=tension, damping=damping), targets=(Target(id="keys", source="keys"),))
    layer = Layer(id="pose", tracks=load_motion(name).layers[0].tracks)
    actor = Actor(id="one", name="Human", figure=human(), layers=(layer,), secondary=secondary)
    began = process_time()
    found = finish(MeetTargets(actor="one", id="correction").work_through(Evaluator(), Document(actors=(actor,))))
    took, missed = process_time() - began, [each.missed for each in found.missed]
    line = (
        f"{name}, {tension:g} Hz, damping {damping:g}: {len(found.targets) - len(missed)} of {len(found.targets)} met"
    )
    line += f" in {found.iterations} iterations, {found.simulations} simulations, {took:.0f} s of processor time"
    if missed:
        line += f"; missed by {min(missed):.2g} to {max(missed):.2g} rad, {np.median(missed):.2g} at the median"
    line += f"\n  {found.note}" if found.note else ""
    for why, count in Counter(each.text for each in found.missed).most_common(3):
        line += f"\n  {count}: {why}"
    worst = sorted(found.missed, key=lambda each: -each.missed)[:5]
    return line + "".join(f"\n  at {each.time / TICKS_PER_SECOND:.3f} s by {each.amount}" for each in worst)


def main() -> None:
    """Print what was asked for, or walk and jump with two gains each."""
    names = sys.argv[1:2] or ["walk", "jump"]
    gains = [(float(sys.argv[2]), float(sys.argv[3]))] if len(sys.argv) > 3 else [(8.0, 1.0), (4.0, 0.5)]
    for name in names:
        for tension, damping in gains:
            print(measure(name, tension, damping), flush=True)


if __name__ == "__main__":
    main()
