"""A random example of each edit of physics."""

from __future__ import annotations

from random import Random

from engine.document import Actor, Blob, Body, Document, Dof, Figure, Joint, Key, Samples, Track
from engine.edits import Edit, edit
from engine.physics.parts import KEYED, ROLES, TorqueCurves
from tests.engine.edits.examples import SECOND, new_id

TORQUE_EDITS = (
    "put_torque_curves", "remove_torque_curves", "set_torque_curves", "span_torque_curves", "set_torque_keys",
)  # fmt: skip
PHYSICS_EDITS = ("set_physics", "remove_physics", "set_physics_world", "bake_physics", *TORQUE_EDITS)


def physics_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name."""
    if name == "set_physics_world":
        ground, step = random.random() < 0.5, random.choice((0.002, 0.005, 0.01))
        return edit(name, gravity=random.uniform(0.0, 20.0), ground=ground, step=step, friction=random.random())
    actor = random.choice([each for each in document.actors if each.figure.dofs])
    if name in TORQUE_EDITS:
        return torque_edit(random, name, actor, document)
    if name == "set_physics":
        start = random.randint(-2, 2) * SECOND
        return edit(name, actor=actor.id, role=random.choice(ROLES), start=start, follow=random.uniform(0.0, 8.0))
    if name == "remove_physics":
        return edit(name, actor=actor.id)
    names = actor.figure.coordinates
    count = random.randint(1, 4)
    values = Blob([[float(each.endswith(".w")) for each in names] for _ in range(count)])
    samples = Samples(coordinates=names, values=values, rate=(30, 1), start=random.randint(-2, 2) * SECOND)
    return edit(name, actor=actor.id, id=new_id(random), samples=samples)


def torque_edit(random: Random, name: str, actor: Actor, document: Document) -> Edit:
    """Make an edit of torque curves: of an actor that has some, where there is one."""
    keyed = [
        each for each in document.actors if any(part.tracks for part in each.parts if isinstance(part, TorqueCurves))
    ]
    owner = random.choice(keyed) if keyed and name != "put_torque_curves" else actor
    curves = owner.part(TorqueCurves)
    dofs = [dof.id for dof in owner.figure.dofs if dof.kind in KEYED]
    if not dofs:
        return edit("remove_torque_curves", actor=owner.id)
    if name == "put_torque_curves" or curves is None or not curves.tracks:
        keys = tuple(_torque_key(random, time) for time in (0, SECOND, 2 * SECOND))
        tracks = tuple(Track(coordinate=dof, keys=keys) for dof in dofs[: random.randint(1, 3)])
        curves = TorqueCurves(id=new_id(random), tracks=tracks, tissue=random.random() < 0.5)
        return edit("put_torque_curves", actor=owner.id, curves=curves)
    given: dict[str, object] = {}
    if name == "set_torque_curves":
        given = {"mute": random.random() < 0.5, "tissue": random.random() < 0.5}
    elif name == "span_torque_curves":
        given = {"start": 0, "end": random.randint(2, 4) * SECOND, "ease_in": SECOND // 4, "ease_out": SECOND // 2}
    elif name == "set_torque_keys":
        given = {"keys": ((random.choice(dofs), _torque_key(random, random.randint(-4, 4) * SECOND // 2)),)}
    return edit(name, actor=owner.id, **given)


def _torque_key(random: Random, time: int) -> Key:
    return Key(time, random.uniform(-20.0, 20.0))


def every_torque_edit() -> tuple[Document, list[Edit]]:
    """Every edit of torque curves, of a pendulum that is simulated."""
    hinge = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))
    arm = Joint(id="arm", name="Arm", parent="post", dofs=(hinge,), body=Body(mass=2.0, centre=(0.0, -0.5, 0.0)))
    figure = Figure(name="Pendulum", joints=(Joint(id="post", name="Post"), arm))
    who = {"actor": "one"}
    keys = tuple(("swing", Key(time * SECOND, value)) for time, value in ((0, 0.5), (1, -2.0), (2, 1.0)))
    chosen = (("one", "torques", (("swing", (2 * SECOND,)),)),)
    first = (("one", "torques", (("swing", (SECOND,)),)),)
    return Document(actors=(Actor(id="one", name="One", figure=figure),)), [
        edit("set_physics", **who, role="simulated"),
        edit("put_torque_curves", **who, curves=TorqueCurves(id="torques")),
        edit("set_torque_keys", **who, keys=keys),
        edit("set_torque_curves", **who, tissue=True),
        edit("span_torque_curves", **who, start=0, end=2 * SECOND, ease_in=SECOND // 10, ease_out=SECOND // 5),
        edit("move_chosen", chosen=chosen, ticks=SECOND // 2),
        edit("remove_chosen", chosen=(("one", "torques", (("swing", (0,)),)),)),
        edit("reshape_chosen", chosen=first, made=(("one", "torques", (("swing", Key(SECOND, 900.0)),)),)),
        edit("mute_chosen", chosen=(("one", "torques", ("swing",)),), mute=True),
        edit("insert_everywhere", actors=("one",), time=-SECOND, length=SECOND // 2),
        edit("set_torque_curves", **who, mute=True),
        edit("remove_torque_curves", **who),
    ]
