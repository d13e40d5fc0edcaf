"""The commands `fit MODEL MARKERS OUT` and `scale MODEL MARKERS OUT` of `python -m engine`: a figure moved with
captured markers, and scaled to the person who wore them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.commands.bring_in import read_contents
from engine.commands.fit_markers import capture_in
from engine.document import Actor, Document, Figure, Layer
from engine.document.parts import Part
from engine.document.values import new_id
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from engine.formats.figure_toml import write as write_figure
from engine.formats.format import Contents, Options
from engine.formats.table import by_suffix
from engine.formats.text import write_text
from engine.long.percent import Percent
from engine.long.scenes import scene_contents
from engine.markers.captured_markers import CapturedMarkers, markers_of_actor
from engine.markers.fitting import fitting_steps
from engine.markers.scaling import Pair, ScaleBy, scaling_steps
from engine.queries.naming import ticks_of
from engine.runtime.errors import InvalidArguments, UnreadableFile, UnwritableFile
from engine.runtime.progress import finish, telling
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class TrialOptions:
    """Whose markers, for whom, and how much each counts."""

    model: str  # a file, or the name of a figure that ships
    markers: Path
    weights: tuple[str, ...] = ()  # "NAME=0.5"
    start: float | None = None  # [s]
    end: float | None = None

    def read(self) -> tuple[Actor, Actor, CapturedMarkers, dict[str, float]]:
        """The figure and its parts as an actor, the capture as another, its markers within the range, and weights."""
        figure, parts = figure_of(self.model)
        owner = Actor(
            id=new_id("figure"), name=figure.name, figure=figure, layers=(Layer(id=new_id("pose")),), parts=parts
        )
        capture = capture_in(self.markers)
        start, end = (None if each is None else ticks_of(each, "a range") for each in (self.start, self.end))
        return owner, capture, markers_of_actor(capture).within(start, end), _weights(self.weights)


def fit_file(trial: TrialOptions, out: Path, *, errors: Path | None = None) -> list[str]:
    """Write the motion; how near it comes to the markers in lines."""
    format = by_suffix(out)
    if format is None or format.write is None or format.kind not in ("document", "motion", "curves"):
        found = f"no format of motions that Sinew writes ends in {out.suffix or 'nothing'!r}"
        raise UnwritableFile(path=out, found=found, remedy="It writes .mot, .sinew, .motion.toml, .bvh and others.")
    owner, capture, markers, weights = trial.read()
    fit = finish(telling(fitting_steps(owner.figure, markers, weights=weights), Percent("fitting")))
    layer = fit.layer(id=new_id("layer"), name=capture.name)
    contents = Contents(figure=owner.figure, layers=(layer,), parts=owner.parts, rate=fit.rate)
    document = edit("add_layer", actor=owner.id, layer=layer).apply(Document(actors=(owner, capture)))
    if format.kind == "document":
        contents = Contents(document=document, rate=fit.rate)
    elif format.takes_scene:
        contents = scene_contents(document, [owner.id])
    format.write(out, contents, Options())
    if errors is not None:
        write_text(errors, fit.table())
    return fit.lines()


def scale_file(
    trial: TrialOptions, out: Path, *, pairs: Sequence[str] = (), mass: float | None = None, place: bool = False
) -> list[str]:
    """Write the scaled figure; its factors in lines."""
    format = by_suffix(out)
    if format is None or format.write is None or format.kind not in ("document", "figure"):
        found = f"no format of figures that Sinew writes ends in {out.suffix or 'nothing'!r}"
        raise UnwritableFile(path=out, found=found, remedy="It writes .figure.toml and .sinew.")
    owner, _, markers, weights = trial.read()
    by = ScaleBy(pairs=tuple(map(_pair, pairs)), mass=mass, place=place)
    found = finish(telling(scaling_steps(owner.figure, markers, by, weights=weights), Percent("scaling")))
    change = edit("scale_figure", actor=owner.id, factors=found.factors, heavier=found.heavier, points=found.points)
    scaled = change.apply(Document(actors=(owner,))).actor(owner.id)
    if format.kind == "document":
        format.write(out, Contents(document=Document(actors=(scaled,))), Options())
    elif out.name.endswith(".figure.toml"):
        write_figure(out, scaled.figure, scaled.parts)
    else:
        format.write(out, Contents(figure=scaled.figure, parts=scaled.parts), Options())
    return found.lines(owner.figure)


def figure_of(name: str) -> tuple[Figure, tuple[Part, ...]]:
    """The figure of a file, or one that ships, with the parts that it has."""
    path = Path(name)
    if not path.exists():
        return load_figure(name), ()
    contents = read_contents(path)
    if contents.document is not None:
        actor = next((each for each in contents.document.actors if each.figure.handles), None)
        if actor is not None:
            return actor.figure, actor.parts
    if contents.figure is None:
        raise UnreadableFile(path=path, found="no figure", remedy="Choose a file with a skeleton.")
    return contents.figure, contents.parts


def _weights(settings: Sequence[str]) -> dict[str, float]:
    found = {}
    for setting in settings:
        name, equals, number = setting.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            equals = ""
        if not (name and equals):
            raise InvalidArguments(what="a weight", value=setting, allowed="a marker, = and a number: Top.Head=0.2")
    return found


def _pair(setting: str) -> Pair:
    joint, equals, markers = setting.partition("=")
    one, comma, other = markers.partition(",")
    if not (joint and equals and one and comma and other):
        allowed = "a joint, = and two markers: thigh_r=R.ASIS,R.Knee"
        raise InvalidArguments(what="a pair", value=setting, allowed=allowed)
    return joint, one, other
