"""The live jobs on the engine thread, and that their answers are the same bytes in every process."""

import os
import subprocess
import sys

from engine.evaluate.evaluator import Evaluator
from engine.model.snapshot import Snapshot
from engine.queries.pose import pose
from engine.runtime.rooms import ENGINE
from engine.runtime.worker import Worker
from tests.engine.figures import scene

SOON = 120.0

DIGEST = """
from hashlib import sha256
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.queries.pose import pose
from tests.engine.figures import scene
document = scene()
names = document.actor("one").figure.coordinates
bend = edit("set_pose", actor="one", layer="pose", values=tuple((name, 0.1 * n) for n, name in enumerate(names)))
(snapshot,) = pose(Evaluator(), bend.apply(document), 0)
print(sha256(b"".join(item.transforms.tobytes() for item in snapshot.bodies)).hexdigest())
"""


def test_a_pose_arrives_as_a_snapshot_of_its_document() -> None:
    document, evaluator = scene(), Evaluator()
    with Worker() as worker:
        ticket = worker.submit("picture", lambda: pose(evaluator, document, 7))
        assert worker.wait_idle(SOON)
        frame = worker.latest("picture")
    assert frame is not None
    assert (frame.ticket, frame.done) == (ticket, True)
    assert isinstance(frame.value, Snapshot)
    assert frame.value.document is document
    assert frame.value.time == 7


def test_fresh_processes_with_one_thread_or_two_give_the_same_bytes() -> None:
    found = set()
    for threads in "12":
        environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent), "NUMBA_NUM_THREADS": threads}
        command = [sys.executable, "-c", DIGEST]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SOON)
        assert done.returncode == 0, done.stderr
        found.add(done.stdout)
    assert len(found) == 1
