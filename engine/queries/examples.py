"""Examples: documents that are worth opening, `resources/examples/*.json`, read into values.

One is the plain text of its document (`engine.document.parts.encode`), in which `{"part": NAME}` stands for what ships
elsewhere: "figures/human", "parts/anatomy/1", the first thing of systems that the file of a figure carries, or
"motions/walk/1", the first layer of a motion; small arrays stand there themselves, once
each. `{"part": NAME, "changed": {"muscles/soleus_left/force": 900.0}}` is what ships with fields of some of its entries
changed, by their ids. No kernel is needed to read one. Ids are fixed, so that an example has the same digest wherever
it is opened.
`python -m tests.example_documents` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from typing import Any, cast

from engine.document import Actor, Blob, Document, Layer
from engine.document.part_reader import PartReader
from engine.document.parts import Json, Part
from engine.document.pose import read_pose
from engine.document.shipped import shipped_array
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class Example:
    """One document to begin with."""

    id: str
    label: str
    about: str

    def build(self) -> Document:
        """Read its document."""
        return read_example(files("resources").joinpath("examples", f"{self.id}.json").read_text(encoding="utf-8"))


EXAMPLES = (
    Example("standing", "Standing on its feet", "Both feet are pinned"),
    Example("walk", "A walk", "Step by step, over and over"),
    Example("ball", "A ball for you", "Ten seconds, posed by hand"),
    Example("jump", "A jump", "One jump, key by key"),
    Example("punch", "A punch", "Swings, and hits its target"),
    Example("fast_punch", "A fast punch", "Hits it at 7.7 m/s"),
    Example("hands", "Hand in hand", "Pull one, and both follow"),
    Example("lamp", "A desk lamp", "It looks at a ball"),
    Example("letters", "Four letters", "Loose, and still hit"),
    Example("grasp", "A grasp", "Still as it touches the cup"),
    Example("hanging_ball", "A hanging ball", "Three windows of time"),
    Example("skeleton", "A skeleton", "103 bones, 163 degrees"),
    Example("body", "All muscles", "823, on 103 bones"),
    Example("muscled_walk", "A walk by its muscles", "Activated as the walk takes it"),
    Example("limp", "A limp", "Weak muscles at one hip"),
    Example("quadruped", "A quadruped", "Three paws pinned, one free"),
    Example("ragdoll", "A ragdoll", "Let go in the air, over crates"),
    Example("belly", "A ragdoll with a belly", "Falls on it, across a bench"),
    Example("jelly", "A cube of jelly", "Falls on a log, and off it"),
    Example("snake", "A snake that crawls", "Waves run down two splines"),
    Example("word", "Three snakes", "They curl up to a word"),
    Example("stool", "A stool that walks", "An impulse in each leg"),
    Example("table", "A table that walks", "Three splines, in a plane"),
    Example("lamp_leap", "A lamp that leaps", "Found: least effort"),
    Example("long_leap", "A longer leap", "And it lands gently"),
    Example("pendulum", "A double pendulum", "One muscle, in line at the end"),
    Example("links", "Three links", "The best of several ways"),
    Example("kneel", "Kneeling", "For as long as suits it"),
    Example("fall", "A falling ball", "By physics alone, to 12 digits"),
    Example("throw", "An arm that throws", "As fast as is asked, in space"),
    Example("ball_play", "Two lamps and a ball", "Found for all three at once"),
    Example("leap", "A table that leaps", "Its landing alone is given"),
    Example("two_particles", "Two particles", "What pushed them, found again"),
    Example("lizard", "A lizard", "Six splines"),
    Example("biceps", "A biceps", "Bends an arm of flesh"),
    Example("overlap", "Splines that overlap", "Nothing moves as a whole"),
    Example("regions", "Regions of splines", "Small, middle and large"),
    Example("arm", "An arm of flesh", "Five muscles about stiff bones"),
    Example("curl", "A curl", "Five muscles swell and redden"),
    Example("lift", "A lift", "Muscles alone move an arm"),
    Example("squat", "A squat", "Muscles redden on the way"),
    Example("dropped", "Two bodies dropped", "One relaxed, one tensed"),
    Example("flesh", "Flesh on bones", "A walk, and what it shakes"),
    Example("seesaw", "A seesaw", "Jelly falls on it, a ball goes up"),
    Example("hat", "The hat", "Clears a door frame"),
    Example("face", "A face", "Loose, and still smiles on time"),
    Example("dam", "A dam breaks", "On a block, and splashes"),
    Example("splash", "A ball drops", "Into a basin, and comes up"),
    Example("floats", "What floats", "Cork, pine, oak, ice, stone"),
    Example("duck", "A rubber duck", "Soft, and floats"),
    Example("face_down", "Face down", "Let go above a pool"),
    Example("waves", "Waves", "A wave maker, a post, a plank"),
    Example("stream", "A stream", "A current past a post"),
    Example("pond", "A pond", "A raft, buoys, a stone"),
)


def example(id: str) -> Example:
    """Find the example of that id."""
    found = next((each for each in EXAMPLES if each.id == id), None)
    if found is None:
        raise UnknownPart(kind="example", id=id, known=tuple(each.id for each in EXAMPLES))
    return found


def read_example(text: str) -> Document:
    """Read the document of an example from its text."""
    told = json.loads(text)
    _spread(told, dict(_arrays(told)))
    document = _ExampleReader({}, _shipped_only).read(told)
    if not isinstance(document, Document):
        raise InvalidDocument(what="an example", value=type(document).__name__, allowed="a Document")
    return document


def shipped_part(name: str) -> Part:
    """Load what an example calls by that name: "figures/NAME", the human with its skin, "parts/NAME/NUMBER" or
    "motions/NAME/NUMBER"."""
    folder, _, rest = name.partition("/")
    if folder == "figures":
        from engine.formats.figure_toml import load_figure, load_skinned_figure

        return load_skinned_figure(rest) if rest == "human" else load_figure(rest)
    if folder == "parts":
        from engine.formats.figure_toml import load_parts

        figure, _, number = rest.partition("/")
        beside = {str(place): part for place, part in enumerate(load_parts(figure), 1)}
        if number in beside:
            return beside[number]
    if folder == "motions":
        from engine.formats.motion_toml import load_motion

        motion, _, number = rest.partition("/")
        layers = {str(place): layer for place, layer in enumerate(load_motion(motion).layers, 1)}
        if number in layers:
            return replace(layers[number], id=f"motion_{number}")
    raise UnknownPart(kind="part", id=name, known=("figures/NAME", "parts/NAME/NUMBER", "motions/NAME/NUMBER"))


class _ExampleReader(PartReader):
    """Reads parts by the names of what ships, not by digest."""

    def part(self, digest: str) -> object:
        return shipped_part(digest)

    def read(self, value: Json, field: str = "") -> object:
        if isinstance(value, dict) and isinstance(value.get("changed"), dict):
            return _with_changes(shipped_part(str(value["part"])), cast(dict[str, Json], value["changed"]))
        return super().read(value, field)


def _with_changes(part: Part, changes: dict[str, Json]) -> Part:
    """The part with other values in fields of its entries, by "FIELD/ID/NAME"."""
    found = dict[str, dict[str, dict[str, Json]]]()
    for path, value in changes.items():
        field, id, name = path.split("/")
        found.setdefault(field, {}).setdefault(id, {})[name] = value
    entries = {
        field: tuple(replace(each, **by_id[each.id]) if each.id in by_id else each for each in getattr(part, field))
        for field, by_id in found.items()
    }
    return replace(cast(Any, part), **entries)


def _arrays(told: object) -> Iterator[tuple[str, str]]:
    """Find the arrays that stand in an example, by digest."""
    if isinstance(told, dict):
        if "data" in told:
            yield told["blob"], told["data"]
        for each in told.values():
            yield from _arrays(each)
    elif isinstance(told, list):
        for each in told:
            yield from _arrays(each)


def _spread(told: object, arrays: dict[str, str]) -> None:
    """Put an array that stands in an example once to all places that name it."""
    if isinstance(told, dict):
        if told.get("blob") in arrays:
            told["data"] = arrays[told["blob"]]
        for each in told.values():
            _spread(each, arrays)
    elif isinstance(told, list):
        for each in told:
            _spread(each, arrays)


def _shipped_only(digest: str, type: str, shape: tuple[int, ...]) -> Blob:
    found = shipped_array(digest)
    if found is None:
        raise InvalidDocument(what="an array of an example", value=digest, allowed="its bytes, or one that ships")
    return found


def human(id: str, name: str) -> Actor:
    """Make a human with its skin, as it stands in the pose that ships."""
    from engine.formats.figure_toml import load_skinned_figure

    figure = load_skinned_figure("human")
    pose = read_pose(files("resources").joinpath("poses", "Stand.pose.toml").read_text(encoding="utf-8"))
    return Actor(id=id, name=name, figure=figure, layers=(Layer(id="pose", values=pose.fit(figure)[0]),))
