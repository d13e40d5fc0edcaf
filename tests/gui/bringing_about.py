"""What random actions need of a scene, brought about: cameras, muscles, and motions that are planned and found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.activation.panel import ActivationPanel
from app.features.muscles.current_muscles import CurrentMuscles
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.lanes.current_lanes import ALL, CurrentLanes
from app.session import Item, Session
from app.session.reaching import Grip
from engine.cameras.parts import cameras_in
from engine.document import Actor, Blob, Joint, Key, Layer, Samples, Track
from engine.document.capture import MarkerGaps
from engine.document.freedoms import followers_of
from engine.document.measured_forces import MeasuredForce
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import new_id
from engine.edits import edit
from engine.formats.captured import marker_figure
from engine.ik.methods import Terms
from engine.muscles.parts import Muscles
from engine.muscles.uses import muscles_of
from engine.spacetime.parts import Spacetime
from tests.engine.muscles.arms import bent_arm
from tests.leaping_lamp import leaping_lamp, nod

if TYPE_CHECKING:
    from tests.gui.test_every_action import Wanderer

HUNG_AFTER = 180.0  # [s]


def takes_poses(layer: Layer) -> bool:
    """Whether a person's poses go to a layer: to neither a recorded one nor a correction."""
    return layer.samples is None and layer.correction is None


def is_shoulder(joint: Joint) -> bool:
    """Whether it has three hinges, and another one on the other side."""
    return joint.mirror is not None and len(joint.dofs) == 3


def film(wanderer: Wanderer, what: str, person: Actor) -> None:
    """A camera that is selected beside a part of a figure; pinned to it where that is wanted."""
    session = wanderer.opened.session
    if not cameras_in(session.document):
        wanderer.press("add.camera")
    camera = cameras_in(session.document)[0]
    session.select([Item(camera.id), Item(person.id, person.figure.joints[0].id)])
    if what == "is_pinned":
        wanderer.press("camera.aim")


def pick_two(session: Session, person: Actor) -> None:
    """Two joints of which one may follow the other."""
    figure = person.figure
    pairs = ((one.id, other.id) for one in figure.joints for other in figure.joints)
    alike = next((pair for pair in pairs if followers_of(figure, *pair)), ())
    session.select([Item(person.id, joint) for joint in alike])


def capture_markers(wanderer: Wanderer) -> None:
    """Two captured markers that stand still."""
    figure = marker_figure("Markers", ("LASI", "RASI"))
    samples = Samples(coordinates=figure.coordinates, values=Blob(np.ones((3, 6))), rate=(60, 1))
    layer = Layer(id="motion", name="Markers", samples=samples)
    id = f"{wanderer.chance.getrandbits(64):x}"
    actor = Actor(id=id, name="Markers", figure=figure, layers=(layer,), parts=(MarkerGaps(),))
    wanderer.opened.session.do(edit("add_actor", actor=actor))


def plan_motion(wanderer: Wanderer, what: str) -> None:
    """A lamp that is selected, whose motion is planned; being searched, or found, where that is wanted."""
    session = wanderer.opened.session
    current = session.of(CurrentSpacetime)
    lamps = (each for each in session.document.actors if "head.nod" in each.figure.coordinate_index and not each.frozen)
    lamp = next(lamps, None)
    if lamp is None:
        lamp = replace(leaping_lamp(wanderer.folder), id=f"{wanderer.chance.getrandbits(64):x}")
        session.do(edit("add_actor", actor=lamp))
    if session.document.actor(lamp.id).part(Spacetime) is None or what == "has_chosen_part":
        session.do(edit("put_spacetime", actor=lamp.id, spacetime=nod(start=session.playhead)))
    session.select([Item(lamp.id, "head")])
    if what == "may_meet":
        other = next(each for each in session.document.actors if each.id != lamp.id)
        session.select([Item(other.id, other.figure.joints[0].id), Item(lamp.id, "head")])
    elif what in ("may_find", ""):
        current.stop()
    elif what == "has_motion":
        current.run()
        wanderer.opened.until(lambda: not current.running, patience=HUNG_AFTER)
    elif what == "is_searching":
        current.run()
    elif what == "has_chosen_part" and current.part is not None:
        current.choose(current.part.constraints[-1].id)


def stand_on_plate(wanderer: Wanderer, frames: int = 1) -> None:
    """A measured force on a figure that is selected."""
    person = wanderer.person()
    values = Blob([[0.0, 700.0, 0.0, *[0.0] * 6]] * frames)
    joint = person.figure.joints[-1].id
    force = MeasuredForce(id=new_id("force"), name="Plate", joint=joint, values=values, rate=(30, 1))
    wanderer.opened.session.do(edit("put_measured_forces", actor=person.id, forces=(force,)))
    wanderer.opened.session.select([Item(person.id)])


def move_on_plate(wanderer: Wanderer) -> None:
    """A measured force on a figure that is selected, and moves meanwhile."""
    stand_on_plate(wanderer, 31)
    person = wanderer.person()
    name = next(dof.id for dof in person.figure.dofs if dof.kind == "hinge")
    track = Track(coordinate=name, keys=(Key(0, 0.0), Key(SECOND, 0.1)))
    wanderer.opened.session.do(edit("add_layer", actor=person.id, layer=Layer(id=new_id("layer"), tracks=(track,))))


def choose_two_bodies(wanderer: Wanderer) -> None:
    """Two joints of a figure, selected."""
    person = wanderer.person()
    joints = person.figure.joints
    wanderer.opened.session.select([Item(person.id, joints[0].id), Item(person.id, joints[-1].id)])


def choose_one_body(wanderer: Wanderer) -> None:
    """A joint of a figure, selected."""
    person = wanderer.person()
    wanderer.opened.session.select([Item(person.id, person.figure.joints[-1].id)])


# Conditions of actions on what was captured, and on bodies.
MEASURED = {
    "has_capture": capture_markers,
    "has_forces": stand_on_plate,
    "may_reduce": move_on_plate,
    "has_two_bodies": choose_two_bodies,
    "has_one_body": choose_one_body,
}


def muscle_up(wanderer: Wanderer, what: str) -> None:
    """An arm with muscles, one of which is selected and keyed; its keys chosen, a set listed, where that is wanted."""
    session = wanderer.opened.session
    arms = (each for each in session.document.actors if muscles_of(each) is not None and not each.frozen)
    arm = next(arms, None)
    if arm is None or not arm.part(Muscles).muscles:  # type: ignore[union-attr]
        arm = replace(bent_arm(), id=f"{wanderer.chance.getrandbits(64):x}")
        session.do(edit("add_actor", actor=arm))
    muscle = arm.part(Muscles).muscles[0]  # type: ignore[union-attr]
    session.do(edit("set_muscle_keys", actor=arm.id, muscle=muscle.id, keys=(Key(0, 0.0), Key(SECOND, 1.0))))
    session.select([Item(arm.id, arm.figure.joints[0].id, muscle.id)])
    current = session.of(CurrentMuscles)
    lanes = session.of(CurrentLanes)
    lanes.choose_group(ALL)
    lanes.find("")
    wanderer.press("activation.show")
    panel = wanderer.opened.window.docks["activation"].widget()
    assert isinstance(panel, ActivationPanel)
    panel.refresh()
    if what == "has_chosen_keys":
        panel.lanes.choose_all()
    elif what == "can_add":
        session.select([Item(arm.id, joint.id) for joint in arm.figure.joints[-2:]])
    elif what == "lists_set":
        current.keep_set()
    elif what in ("has_expression", "has_listed_expression"):
        current.express((muscle.id,), "0.5")


def pull_a_hand(wanderer: Wanderer) -> None:
    """A solve, which the Method panel shows."""
    session, person = wanderer.opened.session, wanderer.person()
    wanderer.opened.window.show_panel("method")
    wanderer.opened.until(lambda: session.reaching.ready, patience=HUNG_AFTER)
    session.reaching.set_terms(Terms())  # no chain that ends where this figure has none
    assert session.reaching.pull(Grip(person.id, person.figure.handles[0].id))
    session.reaching.move((0.2, 1.1, 0.3))
    wanderer.opened.until(lambda: session.reaching.stands is not None, patience=HUNG_AFTER)
    session.reaching.let_go()


def face_a_picture(wanderer: Wanderer) -> None:
    """A reference picture behind a camera of its own."""
    session, references = wanderer.opened.session, wanderer.opened.session.references
    known = len(session.document.references)
    references.add(wanderer.folder / "picture.png")
    wanderer.opened.until(lambda: len(session.document.references) > known and session.at_rest)
    found = session.document.references[-1]
    references.choose(found.id)
    session.do(edit("set_reference", reference=found.id, changes=references.changes_to_face(found, "camera")))
