"""Real work in small, by which kernels are compiled ahead: what a person does first, done once out of sight.

Each function yields the name of a step when its kernels are there. What it calls is what the window calls, so that the
types of arguments are those of real use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from engine.commands.reach import PullHandle, Reach
from engine.document import Actor, Document, Dof, DrivenBy, Figure, Handle, Joint
from engine.document.motion import TICKS_PER_SECOND, Key, Layer, Track
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Terms
from engine.queries.examples import example, human


def warm_posing() -> Iterator[str]:
    """Show the human, and pull its hand."""
    evaluator = Evaluator()
    warm_pictures(evaluator)
    yield "pictures"
    yield from warm_drags(evaluator)


def warm_pictures(evaluator: Evaluator) -> None:
    """Show the human: enough to show a document and to move its sliders."""
    evaluator.snapshot(Document(actors=(_human(),)), 0)


def warm_drags(evaluator: Evaluator) -> Iterator[str]:
    """Show a skin of another kind, and pull a hand: what a first drag would wait for."""
    document = Document(actors=(_human(),))
    figure = _human().figure
    linear = tuple(replace(skin, blending="linear") for skin in figure.skins)  # as files of other programs bring them
    evaluator.snapshot(Document(actors=(replace(_human(), figure=replace(figure, skins=linear)),)), 0)
    yield "linear skins"
    _pull(evaluator, document, "hand_right")
    yield "drags"


def rehearse_drag() -> None:
    """Pull the human's hand, without its skin: what a drag calls, quick enough to be done by plain Python."""
    bare = replace(_human(), figure=replace(_human().figure, skins=()))
    _pull(Evaluator(), Document(actors=(bare,)), "hand_right")


def warm_examples(examples: Iterable[tuple[str, str, str | None]]) -> Iterator[str]:
    """Show an example for each step, or pull a handle in it."""
    for step, name, handle in examples:
        evaluator, document = Evaluator(), example(name).build()
        if handle is None:
            evaluator.snapshot(document, 0)
        else:
            _pull(evaluator, document, handle)
        yield step


def warm_playing() -> Iterator[str]:
    """Show a human between two keys."""
    figure = _human().figure
    keys = Key(0, 0.0), Key(TICKS_PER_SECOND, 0.1)
    tracks = tuple(Track(coordinate=name, keys=keys) for name in figure.coordinates)
    actor = replace(_human(), layers=(replace(_human().layers[0], tracks=tracks),))
    Evaluator().snapshot(Document(actors=(actor,)), TICKS_PER_SECOND // 2)
    yield "keys"


def warm_driven() -> Iterator[str]:
    """Show a joint that follows another, and pull at it."""
    from engine.model.warm import warm_driven as call_driven

    led = Dof(id="led", name="Led", driven=(DrivenBy(dof="turn", at=(0.0, 1.0), values=(0.0, 0.5)),))
    figure = Figure(
        name="Driven",
        joints=(
            Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn"),)),
            Joint(id="tip", name="Tip", parent="root", offset=(0.0, 0.1, 0.0), dofs=(led,)),
        ),
        handles=(Handle(id="end", name="End", joint="tip", point=(0.0, 0.1, 0.0)),),
    )
    evaluator, document = (
        Evaluator(),
        Document(actors=(Actor(id="driven", name="Driven", figure=figure, layers=(Layer(id="keys"),)),)),
    )
    evaluator.snapshot(document, 0)
    _pull(evaluator, document, "end")
    call_driven()  # physics and muscles of such a figure
    yield "driven"


@cache
def _human() -> Actor:
    return replace(human("human", "Human"), natural=1.0, floor=True)


def _pull(evaluator: Evaluator, document: Document, id: str) -> None:
    (actor,) = document.actors
    handle = next(each for each in actor.figure.handles if each.id == id)
    spot = Spot(actor=actor.id, joint=handle.joint, point=handle.point)
    goal = PositionGoal(spot=spot, target=(-0.3, 1.2, 0.4))
    request = PullHandle(drag="warm", actor=actor.id, goals=(goal,), terms=Terms(iterations=2))
    for _ in Reach(evaluator).answer(document, 0, request):
        pass
