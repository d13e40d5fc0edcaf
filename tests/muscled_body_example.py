"""The example "All muscles": the skeleton of that example with its 823 muscles, some of them activated."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document
from engine.muscles.parts import MuscleActivation, MuscleActivations, Muscles
from engine.queries.examples import example, shipped_part

# How much those are activated whose ids begin so, on the right, which waves, and on the left, which bears.
RIGHT = {
    "biceps": 0.8,
    "brachialis": 0.9,
    "brachioradialis": 0.6,
    "deltoid": 0.7,
    "supraspinatus": 0.6,
    "trapezius": 0.4,
    "serratus": 0.4,
    "extensor_carpi": 0.5,
    "pectoralis_major_clavicular": 0.4,
    "gluteus_medius": 0.5,
    "gluteus_minimus": 0.4,
}
LEFT = {"vastus": 0.5, "soleus": 0.35, "gluteus_maximus": 0.3, "gastrocnemius": 0.2, "tensor": 0.3}


def muscled_body() -> Document:
    """A skeleton that waves, with its muscles."""
    document = example("skeleton").build()
    muscles, cartilages = (shipped_part(f"parts/anatomy/{number}") for number in (1, 2))
    assert isinstance(muscles, Muscles)
    found = []
    for muscle in muscles.muscles:
        side = RIGHT if muscle.id.endswith("_right") else LEFT if muscle.id.endswith("_left") else {}
        value = next((each for start, each in side.items() if muscle.id.startswith(start)), 0.03)
        found.append(MuscleActivation(muscle=muscle.id, value=value))
    (actor,) = document.actors
    parts = (*actor.parts, muscles, cartilages, MuscleActivations(activations=tuple(found)))
    return replace(document, actors=(replace(actor, name="Body", parts=parts),))
