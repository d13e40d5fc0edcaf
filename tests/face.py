"""How a window is, in plain words: what its widgets show, and what its objects hold that is a plain value.

Two windows that were just opened are alike by it. One that several tests share is to be so after each of them: what a
test left there, another would find.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from types import MappingProxyType

import shiboken6
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QWidget

from app.features.table import FEATURES
from app.style.section import SectionHeader
from app.style.value_slider import ValueSlider
from app.timeline.graph.panel import CurvesPanel
from tests.stage import POPUPS, Stage

Face = Mapping[str, object]
PLAIN = (bool, int, float, str, bytes, type(None), enum.Enum)
OURS = ("app.", "engine.ik.methods")  # modules whose objects are looked into
DEEPEST = 6
# What others work out, or nobody chooses: pictures, ids, times, what was looked at, and where things stand.
DERIVED = {
    *(
        "engine",
        "deeds",
        "log",
        "snapshot",
        "stretches",
        "cards",
        "drag",
        "waiting",
        "rows",
        "long_work",
    ),
    *("geometry", "docks", "views", "trail", "_states"),
}


def face(opened: Stage) -> Face:
    """What can be told of a window and of its session."""
    told: dict[str, object] = {}
    for path, widget in within("", opened.window):
        told |= {f"{path} {name}": value for name, value in shown_by(widget)}
    seen: set[int] = set()
    session = opened.session
    made = [session.of(state) for feature in FEATURES for state in feature.states]
    states = ((f"session.of({type(each).__name__})", each) for each in made)
    for name, root in (("session", session), *states, ("preferences", opened.window.preferences)):
        told |= dict(held_by(name, root, seen, 0))
    told["views"] = opened.view.save_views()
    graph = opened.panel(CurvesPanel).graph
    told["graph"] = (graph.scale.snapping, graph.weighted, graph.normalised, graph.isolated)
    told["curves chosen and locked"] = (sorted(map(str, graph.active)), sorted(map(str, graph.locked)))
    for name, dock in opened.window.docks.items():
        is_seen = not dock.visibleRegion().isEmpty()
        told[f"dock {name}"] = (is_seen, dock.isHidden(), dock.isFloating(), opened.window.dockWidgetArea(dock))
    return told


def within(path: str, widget: QWidget) -> Iterator[tuple[str, QWidget]]:
    """All widgets in one, each by its way from there: its name or kind, and which of those it is."""
    counts: Counter[str] = Counter()
    for child in widget.children():
        if not isinstance(child, QWidget) or child.windowType() in POPUPS:
            continue
        name = child.objectName() or type(child).__name__
        counts[name] += 1
        way = f"{path}/{name}" if counts[name] == 1 else f"{path}/{name} {counts[name]}"
        yield way, child
        yield from within(way, child)


def shown_by(widget: QWidget) -> Iterator[tuple[str, object]]:
    """What a person has chosen or written in a widget; what nobody sees shows what it will when it is seen."""
    if widget.visibleRegion().isEmpty():
        return
    if isinstance(widget, QAbstractButton) and widget.isCheckable():
        yield "is on", widget.isChecked()
    if isinstance(widget, QComboBox):
        yield "choice", widget.currentText()
    if isinstance(widget, QLineEdit):
        yield "text", widget.text()
    if isinstance(widget, SectionHeader):
        yield "is unfolded", widget.unfolded
    if isinstance(widget, ValueSlider):
        yield "value", widget.value


def held_by(path: str, thing: object, seen: set[int], depth: int) -> Iterator[tuple[str, object]]:
    """The plain values that an object of the application holds, and those that it holds hold."""
    if depth > DEEPEST or path.rpartition(".")[2] in DERIVED or id(thing) in seen:
        return
    if isinstance(thing, QTimer):
        if shiboken6.isValid(thing):
            yield f"{path} runs", thing.isActive()
    elif isinstance(thing, PLAIN):
        yield path, thing
    elif isinstance(thing, (tuple, list, frozenset, set)):
        yield f"{path} count", len(thing)
        if isinstance(thing, (tuple, list)):
            for at, each in enumerate(thing):
                yield from held_by(f"{path}[{at}]", each, seen, depth + 1)
    elif isinstance(thing, (dict, MappingProxyType)):
        yield f"{path} count", len(thing)
        for at, (name, each) in enumerate(thing.items()):
            yield from held_by(f"{path}[{name if isinstance(name, str) else at}]", each, seen, depth + 1)
    elif type(thing).__module__.startswith(OURS):
        seen.add(id(thing))
        if isinstance(thing, QObject) and not shiboken6.isValid(thing):
            return
        names = [each.name for each in fields(thing)] if is_dataclass(thing) else list(getattr(thing, "__dict__", ()))
        for name in names:
            if not name.startswith("_"):
                yield from held_by(f"{path}.{name}", getattr(thing, name, None), seen, depth + 1)


def differences(before: Face, after: Face) -> list[str]:
    """In which two are not alike, of what both have: fields come and go with what is selected."""
    return [
        f"{name}: {before[name]!r}, then {after[name]!r}"
        for name in before
        if name in after and before[name] != after[name]
    ]
