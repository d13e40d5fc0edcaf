"""A random example of each edit of cameras, and every one of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine.cameras.parts import CameraAim, CameraFollow, cameras_in, film_camera
from engine.cameras.queries.making import camera_actor
from engine.cameras.system import SYSTEM
from engine.document import Actor, Document, Ellipsoid, Layer, prop
from engine.edits import Edit, edit
from tests.engine.edits.examples import new_id

CAMERA_EDITS = tuple(name for _, name, _ in SYSTEM.edits)


def camera_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    cameras = cameras_in(document)
    others = [each for each in document.actors if film_camera(each) is None and not each.attachments and not each.locks]
    others = [each for each in others if not any(part.holds_on_to() for part in each.parts)]
    if not cameras:
        return edit("add_actor", actor=camera_actor(new_id(random), "Camera"))
    if not others:  # the rest may hang on a camera, which would hang on it
        return edit("unpin_camera", actor=random.choice(cameras).id, pin=random.choice(("aim", "follow")))
    camera, target = random.choice(cameras), random.choice(others)
    joint = random.choice(target.figure.joints).id
    if name == "set_camera":
        return edit(name, actor=camera.id, film_width=random.uniform(0.01, 0.07), near=random.choice((None, 0.1)))
    if name == "aim_camera":
        aim = CameraAim(actor=target.id, joint=joint, point=(0.0, random.random(), 0.0))
        return edit(name, actor=camera.id, aim=aim)
    if name == "follow_with_camera":
        anchor = (random.random(), 1.0, 0.0)
        follow = CameraFollow(actor=target.id, joint=joint, anchor=anchor, level=random.random() < 0.5)
        return edit(name, actor=camera.id, follow=follow)
    if name == "set_camera_focus":
        return edit(name, actor=camera.id, f_number=random.choice((None, 2.0)), distance=random.choice((None, 1.5)))
    if name == "focus_camera":
        return edit(name, actor=camera.id, on=CameraAim(actor=target.id, joint=joint))
    if name == "unfocus_camera":
        return edit(name, actor=camera.id)
    return edit("unpin_camera", actor=camera.id, pin=random.choice(("aim", "follow", None)))


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of cameras, of one beside a ball."""
    ball = Actor(id="ball", name="Ball", figure=prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),)))
    start = Document(actors=(replace(ball, layers=(Layer(id="pose"),)), camera_actor("camera", "Camera")))
    return start, [
        edit("set_camera", actor="camera", film_width=0.024, near=0.1),
        edit("aim_camera", actor="camera", aim=CameraAim(actor="ball", joint="body", point=(0.0, 0.1, 0.0))),
        edit("unpin_camera", actor="camera", pin="aim"),
        edit(
            "follow_with_camera",
            actor="camera",
            follow=CameraFollow(actor="ball", joint="body", anchor=(0.0, 0.5, 0.0), level=True),
        ),
        edit("aim_camera", actor="camera", aim=CameraAim(actor="ball", joint="body")),
    ]


def focus_edits() -> tuple[Document, list[Edit]]:
    """Every edit of the focus of a camera beside a ball."""
    start, _ = every_edit()
    on = CameraAim(actor="ball", joint="body", point=(0.0, 0.1, 0.0))
    return start, [
        edit("set_camera_focus", actor="camera", f_number=4.0, distance=2.0),
        edit("focus_camera", actor="camera", on=on),
        edit("unfocus_camera", actor="camera"),
        edit("focus_camera", actor="camera", on=on),
    ]
