"""Films: how fast frames of 1280 x 720 of the figure of 71 degrees of freedom are worked out, drawn, handed over and
encoded, beside how fast the same frames are drawn and read back alone, in the same run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter

from PySide6.QtGui import QGuiApplication

from app.export.plan import Plan
from app.export.surface import OffscreenSurface, QtSurface
from app.features.films.films import Films
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.shell.render import RenderRequest, export, plan_of
from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.queries.stills import Still, Stills
from tests.benchmarks.harness import Row
from tests.benchmarks.playing import four
from tests.stage import Stage, stage

NAME = "export"
FRAMES, ROUNDS = 120, 5
ASKED = 0.6  # of the speed of drawing with read-back


def measure() -> Iterator[Row]:
    """The rows."""
    document = Document(actors=four().actors[:1], rate=(30, 1))
    with stage(document) as opened, tempfile.TemporaryDirectory() as folder:
        plan = film(document, Path(folder, "film.mp4"))
        surface = QtSurface()
        application = QGuiApplication.instance()
        assert application is not None
        stills = list(worked_out(plan))
        runs: dict[str, Callable[[], None]] = {
            "draw": lambda: drawn(surface, plan, stills),
            "command": lambda: export(plan, surface),
            "window": lambda: through_window(opened, plan),
        }
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(ROUNDS):
            for name, run in runs.items():
                began = perf_counter()
                run()
                times[name].append((perf_counter() - began) / plan.count)
        surface.close()
    best = {name: min(each) for name, each in times.items()}
    for name, what in (("command", "sinew render"), ("window", "the window's queue")):
        yield Row(
            what=f"a frame of 1280 x 720 as H.264 by {what}",
            measured=1e3 * best[name],
            unit="ms",
            asked=f"at least {ASKED:.0%} of the speed of drawing",
            peer="drawn and read back",
            peer_measured=1e3 * best["draw"],
            allowed=1.0 / ASKED,
            note=f"{best['draw'] / best[name]:.0%} of its speed",
        )


def film(document: Document, out: Path) -> Plan:
    """All frames once drawn, none a mean of several."""
    last = (FRAMES - 1) / 30
    assert last * TICKS_PER_SECOND < 5 * TICKS_PER_SECOND, "the figure moves for five seconds"
    return plan_of(RenderRequest(out=out, samples=1, range=(0.0, last)), document)


def worked_out(plan: Plan) -> Iterator[Still]:
    """What is to be drawn."""
    source = Stills(Evaluator(), plan.wanted)
    for number in range(plan.count):
        *_, found = filter(None, source.answer((plan.time(number),)))
        yield found[0]


def drawn(surface: OffscreenSurface, plan: Plan, stills: list[Still]) -> None:
    """Draw and read back, and nothing else."""
    from app.scene.gl import RenderTarget

    with surface.current():
        picture, target = Picture(), RenderTarget(*plan.frame_size)
        width, height = plan.frame_size
        shot = Shot(width, height, {0: Pane(0, 0, width, height)}, (plan.camera,), (plan.display,), 1.0)
        for still in stills:
            picture.set_items(still.snapshot.bodies, still.snapshot.skins)
            picture.draw(target.handle, shot, plan.look)
            target.read_bytes()


def through_window(opened: Stage, plan: Plan) -> None:
    """As a person exports it."""
    export = opened.window.of(Films).exports.add(plan)
    opened.until(lambda: export.has_ended, patience=300.0)
    assert export.state == "done", export.problem
