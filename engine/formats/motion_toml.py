"""`.motion.toml`: keys of a figure's motion as text.

    name = "Wave"
    figure = "human"            # a figure that ships, or a file beside this one; `Options.figure` comes first
    angles = "degrees"          # or "radians"
    values = { "knee_left.flexion" = 5 }                  # constant coordinates

    [[track]]
    coordinate = "elbow_right.flexion"
    after = "cycle"             # hold, linear, cycle or cycle_offset; `before` alike
    keys = [[0, 10], [0.5, 95, "linear"], { time = 1, value = 10, tangent = "free", slopes = [0, 0] }]

A key is its time in seconds, its value in the unit of angles or in metres, and how the span after it is filled: cubic
with automatic tangents unless it says otherwise. Times are rounded to the tick (1/705,600,000 s), slopes are per
second. Samples are written as a key a frame. A figure that does not ship is written beside the motion, under its name.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from engine.document import Figure, Key, Layer, Track
from engine.document.motion import THIRD, TICKS_PER_SECOND, Extrapolation, Interpolation, Tangent
from engine.formats.figure_toml import SUFFIX as FIGURE_SUFFIX
from engine.formats.figure_toml import figure_names, load_figure
from engine.formats.figure_toml import read as read_figure
from engine.formats.figure_toml import write as write_figure
from engine.formats.format import Contents, Format, Options
from engine.formats.frames import figure_of
from engine.formats.losses import listed
from engine.formats.shipped import shipped_file, shipped_names
from engine.formats.tables import MOST_BYTES, Source, TomlTable, is_number, read_source
from engine.formats.text import write_text
from engine.formats.toml_values import exact_degrees, toml_number, toml_text
from engine.runtime.errors import InvalidDocument
from engine.runtime.progress import Pace, finish

SUFFIX = ".motion.toml"

_TOP = ("name", "figure", "angles", "values", "track")
_TRACK = ("coordinate", "before", "after", "keys")
_KEY = ("time", "value", "interpolation", "tangent", "slopes", "weights")
_FILLINGS = ("stepped", "linear", "cubic")
_TANGENTS = ("auto", "flat", "free")
_ENDS = ("hold", "linear", "cycle", "cycle_offset")
_DEGREE = math.pi / 180.0


def read(path: Path, options: Options) -> Contents:
    """The figure, and one layer of keys."""
    source, content = read_source(path)
    top = TomlTable(source, content, "the motion", _TOP)
    top.need("name", "figure", "angles")
    figure = _figure(top, path, options)
    unit = _DEGREE if top.choice("angles", ("degrees", "radians"), "") == "degrees" else 1.0
    tracks = []
    for index, row in enumerate(top.rows("track")):
        line = source.header_line("track", index) or 1
        table = TomlTable(source, row, f"track {index + 1}", _TRACK, line)
        tracks.append(_track(table, figure, unit))
    names = [track.coordinate for track in tracks]
    for index, name in enumerate(names):
        if name in names[:index]:
            found, remedy = f"a second track of {name}", "Put all keys of a coordinate in one track"
            source.refuse(found, remedy, source.header_line("track", index))
    layer = Layer(id="motion", name=top.text("name"), values=_values(source, top, figure, unit), tracks=tuple(tracks))
    return Contents(figure=figure, layers=(layer,))


def motion_names() -> tuple[str, ...]:
    """Names of the motions that come with the application."""
    return shipped_names("motion", SUFFIX)


@cache
def load_motion(name: str) -> Contents:
    """A motion that comes with the application, such as "walk", and its figure; the same object each time."""
    with shipped_file("motion", name, SUFFIX) as path:
        return read(path, Options())


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the first layer that holds anything."""
    finish(write_gradually(path, contents))


def write_gradually(path: Path, contents: Contents) -> Generator[float, None, None]:
    """Write the first layer that holds anything, in slices; nothing is written before the last."""
    figure = figure_of(path, contents)
    layer = next((each for each in contents.layers if _holds(each)), Layer(id="motion", name="Motion"))
    shipped = _shipped(figure)
    name = shipped or path.name.removesuffix(SUFFIX) + FIGURE_SUFFIX
    text = yield from text_gradually(figure, _keyed(layer), name)
    if shipped is None:
        write_figure(path.with_name(name), figure)
    write_text(path, text)


def motion_text(figure: Figure, layer: Layer, figure_name: str) -> str:
    """The whole file, of a layer of keys and constant values."""
    return finish(text_gradually(figure, layer, figure_name))


def text_gradually(figure: Figure, layer: Layer, figure_name: str) -> Generator[float, None, str]:
    """Compose the text of a motion in slices."""
    kinds, pace = {name: dof.kind for name, dof in figure.coordinate_dof.items()}, Pace()
    hinges = [track for track in layer.tracks if kinds[track.coordinate] == "hinge"]
    degrees = all(exact_degrees(value) is not None for name, value in layer.values if kinds[name] == "hinge")
    for key in (key for track in hinges for key in track.keys):
        degrees = degrees and all(exact_degrees(each) is not None for each in (key.value, key.slope_in, key.slope_out))
        if not degrees:
            break
        if pace.due():
            yield 0.0
    lines = [f"name = {toml_text(layer.name)}", f"figure = {toml_text(figure_name)}"]
    lines.append(f'angles = "{"degrees" if degrees else "radians"}"')
    if layer.values:
        pairs = (f"{toml_text(each)} = {_number(value, degrees, kinds[each])}" for each, value in layer.values)
        lines.append(f"values = {{ {', '.join(pairs)} }}")
    for place, track in enumerate(layer.tracks):
        keys = []
        for key in track.keys:
            keys.append(_key_text(key, degrees, kinds[track.coordinate]))
            if pace.due():
                yield place / len(layer.tracks)
        lines += ["", *_track_lines(track, keys)]
    return "\n".join(lines) + "\n"


def omits(contents: Contents) -> tuple[str, ...]:
    """List what a text of keys cannot hold."""
    lost = []
    layers = [layer for layer in contents.layers if _holds(layer)]
    if layers and layers[0].samples is not None:
        lost.append("samples, written as keys")
        if (layers[0].samples.before, layers[0].samples.after) != ("hold", "hold"):
            lost.append("what goes on before the first and after the last frame")
    muted = [track.coordinate for track in layers[0].tracks if track.mute] if layers else []
    if muted:
        lost.append(f"muted tracks: {listed(muted)}")
    if len(layers) > 1:
        lost.append(f"layers beside the first: {listed([layer.name for layer in layers[1:]])}")
    plain = Layer(id="plain")
    for name in ("weight", "mode", "span", "mask", "speed", "quaternions", "mute", "solo"):
        if layers and getattr(layers[0], name) != getattr(plain, name):
            lost.append(f"{name} of the layer")
    if any(layer.correction is not None for layer in contents.layers):
        lost.append("corrections")
    if contents.figure is not None and contents.figure.skins:
        lost.append("skins")
    return (*lost, *(["surfaces"] if contents.surfaces else []))


def _shipped(figure: Figure) -> str | None:
    return next((name for name in figure_names() if load_figure(name) == figure), None)


def _holds(layer: Layer) -> bool:
    return bool(layer.tracks or layer.values or layer.samples is not None)


def _keyed(layer: Layer) -> Layer:
    """The layer of what is heard, with tracks in place of its samples; a track of the layer stands before them."""
    samples, tracks = layer.samples, tuple(layer.heard.values())
    if samples is None:
        return replace(layer, tracks=tracks)
    times = [samples.time(frame) for frame in range(samples.frame_count)]
    columns = zip(samples.coordinates, samples.values.array.T.tolist(), strict=True)
    sampled = tuple(
        Track(coordinate=name, keys=tuple(map(Key, times, column)))
        for name, column in columns
        if name not in layer.heard
    )
    return replace(layer, samples=None, tracks=(*tracks, *sampled))


def _figure(top: TomlTable, path: Path, options: Options) -> Figure:
    name = top.text("figure")
    if options.figure is not None:
        return options.figure if isinstance(options.figure, Figure) else read_figure(options.figure)
    if name in figure_names():
        return load_figure(name)
    if Path(name).name == name and name.endswith(FIGURE_SUFFIX) and path.with_name(name).is_file():
        return read_figure(path.with_name(name))
    remedy = f"Name one of {', '.join(figure_names())}, or a file {FIGURE_SUFFIX} beside this one"
    top.refuse("figure", f"there is no figure {name!r}", remedy)


def _unit(table: TomlTable, key: str, name: str, figure: Figure, unit: float) -> float:
    if name not in figure.coordinate_index:
        table.refuse(key, f"{figure.name} has no coordinate {name!r}", "Write one such as " + figure.coordinates[0])
    return unit if figure.coordinate_dof[name].kind == "hinge" else 1.0


def _values(source: Source, top: TomlTable, figure: Figure, unit: float) -> tuple[tuple[str, float], ...]:
    line = source.key_line("values", 1)
    table = TomlTable(source, top.values.get("values", {}), "the values", figure.coordinates, line)
    found = {name: table.number(name, 0.0) * _unit(table, name, name, figure, unit) for name in table.values}
    if not all(map(math.isfinite, found.values())):
        source.refuse("a value that is not finite", "Write finite numbers", line)
    return tuple((name, found[name]) for name in figure.coordinates if name in found)


def _track(table: TomlTable, figure: Figure, unit: float) -> Track:
    table.need("coordinate", "keys")
    name = table.text("coordinate")
    table.what = f"the track of {name}"
    factor = _unit(table, "coordinate", name, figure, unit)
    line = table.source.key_line("keys", table.line)
    try:
        return Track(
            coordinate=name,
            keys=tuple(_key(table, row, factor, line) for row in table.rows("keys")),
            before=cast(Extrapolation, table.choice("before", _ENDS, "hold")),
            after=cast(Extrapolation, table.choice("after", _ENDS, "hold")),
        )
    except (InvalidDocument, OverflowError, ValueError) as error:
        table.source.refuse(str(error), f"Correct {table.what}", line)


def _key(table: TomlTable, row: object, unit: float, line: int) -> Key:
    if isinstance(row, list) and len(row) in (2, 3) and all(map(is_number, row[:2])):
        row = dict(zip(_KEY, row, strict=False))
    key = TomlTable(table.source, row, f"a key of {table.what}", _KEY, line)
    key.need("time", "value")
    slope_in, slope_out = key.numbers("slopes", 2, (0.0, 0.0))
    weight_in, weight_out = key.numbers("weights", 2, (THIRD, THIRD))
    return Key(
        time=round(key.number("time", 0.0) * TICKS_PER_SECOND),
        value=key.number("value", 0.0) * unit,
        interpolation=cast(Interpolation, key.choice("interpolation", _FILLINGS, "cubic")),
        tangent=cast(Tangent, key.choice("tangent", _TANGENTS, "auto")),
        slope_in=slope_in * unit,
        slope_out=slope_out * unit,
        weight_in=weight_in,
        weight_out=weight_out,
    )


def _track_lines(track: Track, keys: list[str]) -> Iterator[str]:
    yield "[[track]]"
    yield f"coordinate = {toml_text(track.coordinate)}"
    for end in ("before", "after"):
        if getattr(track, end) != "hold":
            yield f"{end} = {toml_text(getattr(track, end))}"
    short = sum(map(len, keys)) + 2 * len(keys) < 110
    yield f"keys = [{', '.join(keys)}]" if short else "keys = [\n  " + ",\n  ".join(keys) + ",\n]"


def _key_text(key: Key, degrees: bool, kind: str) -> str:
    time, value = _seconds(key.time), _number(key.value, degrees, kind)
    if key == Key(key.time, key.value, key.interpolation):
        filling = "" if key.interpolation == "cubic" else f", {toml_text(key.interpolation)}"
        return f"[{time}, {value}{filling}]"
    slopes = ", ".join(_number(each, degrees, kind) for each in (key.slope_in, key.slope_out))
    weights = f"{toml_number(key.weight_in)}, {toml_number(key.weight_out)}"
    words = f'interpolation = "{key.interpolation}", tangent = "{key.tangent}"'
    return f"{{ time = {time}, value = {value}, {words}, slopes = [{slopes}], weights = [{weights}] }}"


def _number(value: float, degrees: bool, kind: str) -> str:
    exact = exact_degrees(value) if degrees and kind == "hinge" else None
    return toml_number(value if exact is None else exact)


def _seconds(tick: int) -> str:
    """The shortest number of seconds that is this tick."""
    shorts = (round(tick / TICKS_PER_SECOND, digits) for digits in range(16))
    exact = (short for short in shorts if round(short * TICKS_PER_SECOND) == tick)
    return toml_number(next(exact, tick / TICKS_PER_SECOND))


FORMAT = Format(
    name="Sinew motion",
    suffixes=(SUFFIX,),
    kind="motion",
    read=read,
    write=write,
    omits=omits,
    about="Keys of one layer as text that a person writes; the figure is named. No samples.",
    limits=f"{MOST_BYTES // 2**20} MB",
    read_options=("figure",),
)
