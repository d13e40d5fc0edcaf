"""Films: how fast frames of 1280 x 720 of the figure of 71 degrees of freedom are worked out, drawn, handed over and
encoded, beside how fast the same frames are drawn and read back alone, and what shadows cost, in the same run. Each
frame is the mean of eight pictures, as films are unless one asks for fewer."""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from PySide6.QtGui import QGuiApplication

from app.export.plan import Plan
from app.export.surface import OffscreenSurface, QtSurface
from app.features.films.films import Films
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
FRAMES, ROUNDS = 24, 3
ASKED = 0.6  # of the speed of drawing with read-back
SHADED = {8: 2.2, 1: 5.5}  # times that frames take with shadows, of as many pictures: what is seen is worked out once


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
            "command": lambda: export(plan, surface),
            "window": lambda: through_window(opened, plan),
        }
        for samples in SHADED:
            for shadows in (True, False):
                kind = replace(plan, samples=samples, shadows=shadows)
                runs[f"draw {samples} {shadows}"] = lambda kind=kind: drawn(surface, kind, stills)  # type: ignore[misc]
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
            peer_measured=1e3 * best["draw 8 True"],
            allowed=1.0 / ASKED,
            note=f"{best['draw 8 True'] / best[name]:.0%} of its speed",
        )
    for samples, allowed in SHADED.items():
        yield Row(
            what=f"a frame of {samples} pictures with shadows, drawn and read back",
            measured=1e3 * best[f"draw {samples} True"],
            unit="ms",
            peer="without shadows",
            peer_measured=1e3 * best[f"draw {samples} False"],
            allowed=allowed,
        )


def film(document: Document, out: Path) -> Plan:
    """A film as one that asks for nothing in particular."""
    last = (FRAMES - 1) / 30
    assert last * TICKS_PER_SECOND < 5 * TICKS_PER_SECOND, "the figure moves for five seconds"
    return plan_of(RenderRequest(out=out, range=(0.0, last)), document)


def worked_out(plan: Plan) -> Iterator[Still]:
    """What is to be drawn."""
    source = Stills(Evaluator(), plan.wanted)
    for number in range(plan.count):
        *_, found = filter(None, source.answer((plan.time(number),)))
        yield found[0]


def drawn(surface: OffscreenSurface, plan: Plan, stills: list[Still]) -> None:
    """Draw and read back, and nothing else."""
    from app.export.drawing import Drawing

    with surface.current():
        drawing = Drawing(plan, Picture())
        for number, still in enumerate(stills):
            deque(drawing.frame(still, number), maxlen=0)


def through_window(opened: Stage, plan: Plan) -> None:
    """As a person exports it."""
    export = opened.window.of(Films).exports.add(plan)
    opened.until(lambda: export.has_ended, patience=300.0)
    assert export.state == "done", export.problem
