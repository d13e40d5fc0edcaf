"""The Plot panel: ten quantities of five minutes of capture: when they are seen, and what the window notices."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter, thread_time

from PySide6.QtCore import QCoreApplication, QEventLoop, QTimer

from app.features.plot.panel import PlotPanel
from app.features.plot.plotting import Plotting
from app.session import Item
from engine.document import Actor, Document
from engine.document.extent import play_extent
from engine.evaluate.evaluator import Evaluator
from engine.measure import Quantity
from engine.queries.plots import Plots, PlotWanted
from tests.benchmarks.captures import FRAMES, JOINTS, RATE, capture
from tests.benchmarks.harness import Row
from tests.benchmarks.window import TICK, lateness
from tests.stage import Stage, stage

NAME = "plotting"
JOINT = "j20"
SORTS = ("value", "rate", "place.x", "place.y", "place.z", "velocity.length")  # three hinges: ten curves


def measure() -> Iterator[Row]:
    """The rows."""
    document = captured()
    yield from slices(document)
    with stage(document) as opened:
        yield from in_the_window(opened)


def captured() -> Document:
    """The capture alone in its own frames."""
    contents = capture()
    assert contents.figure is not None, "it has one"
    actor = Actor(id="capture", name="Capture", figure=contents.figure, layers=contents.layers)
    return Document(actors=(actor,), rate=(RATE, 1))


def wanted(document: Document) -> PlotWanted:
    """Ten quantities of one joint."""
    hinges = [
        Quantity(kind=kind, actor="capture", part=f"{JOINT}.r{axis}") for kind in ("value", "rate") for axis in "zxy"
    ]
    points = [Quantity(kind="place", actor="capture", part=JOINT, component=each) for each in "xyz"]
    speed = Quantity(kind="velocity", actor="capture", part=JOINT, component="length")
    first, last = play_extent(document)
    return PlotWanted(quantities=(*hinges, *points, speed), first=first, last=last)


def slices(document: Document) -> Iterator[Row]:
    """The engine's part alone, in processor time: all steps together, and the longest."""
    steps, began = [], thread_time()
    for _ in Plots(Evaluator(), clock=thread_time).answer(document, 0, wanted(document)):
        now = thread_time()
        steps.append((now - began) * 1e3)
        began = now
    first, *others = steps
    note = f"{len(steps)} steps; the first, which compiles the motion as the first picture does, {first:.1f} ms"
    yield Row(
        what=f"10 quantities at {FRAMES} times of {JOINTS} joints, the engine's processor time",
        measured=sum(steps) / 1e3,
        unit="s",
    )
    yield Row(what="its longest step, processor time", measured=max(others), unit="ms", asked="at most 8 ms", note=note)


def in_the_window(opened: Stage) -> Iterator[Row]:
    """From a selection to the whole plot, in the panel; and how late the window's thread is meanwhile."""
    panel, plotting = opened.window.docks["plot"].widget(), opened.session.of(Plotting)
    assert isinstance(panel, PlotPanel)
    opened.window.show_panel("plot")
    plotting.choose(SORTS)
    panel.curves.show_all()
    opened.settle()
    idle = max(lateness(1.0))
    began = perf_counter()
    opened.session.select([Item("capture", JOINT)])
    opened.until(lambda: plotting.plot is not None)
    seen, late, held = perf_counter() - began, list[float](), list[float]()
    while plotting.plot is None or not plotting.plot.whole:
        late += lateness(0.2)
        held += turns(0.2)
    whole = perf_counter() - began
    assert len(plotting.plot.series) == 10, "three values, three rates, three places and a speed"
    yield Row(what="from a selection to the first curves", measured=seen * 1e3, unit="ms")
    yield Row(what="to all of them", measured=whole, unit="s", note="the window draws what is there meanwhile")
    yield Row(
        what="longest stand-still of the window meanwhile",
        measured=max(late, default=0.0),
        unit="ms",
        asked="at most 20 ms",
        note=f"idle {idle:.1f} ms",
    )
    yield Row(
        what="longest turn of its loop meanwhile, processor time", measured=max(held), unit="ms", asked="at most 20 ms"
    )


def turns(seconds: float) -> list[float]:
    """The processor time [ms] of each turn of Qt's loop for a while, whatever else the machine does."""
    found, end, timer = list[float](), perf_counter() + seconds, QTimer(interval=TICK)
    timer.start()
    while perf_counter() < end:
        began = thread_time()
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        found.append((thread_time() - began) * 1e3)
    timer.stop()
    return found
