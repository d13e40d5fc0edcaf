"""Cameras of files as actors, and what files say of an actor that is a camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.cameras.parts import LEAST_FOCAL, MOST_FOCAL, FilmCamera, film_camera
from engine.cameras.queries.making import EYE, FOCAL, REST_FOCAL, camera_actor
from engine.document import Actor, Blob, Layer, Samples
from engine.document.values import new_id, unit_quaternion, vector3
from engine.formats.format import FileCamera
from engine.maths.rotation_arrays import quaternions, without_flips


def actor_of(camera: FileCamera) -> Actor:
    """Make an actor of a camera, its motion as frames."""
    turns = without_flips(quaternions(camera.frames[:, :, :3]))
    made = camera_actor(
        new_id("camera"),
        camera.name,
        position=vector3("a camera", camera.frames[0, :, 3].tolist()),
        rotation=unit_quaternion("a camera", turns[0].tolist()),
        focal=min(max(camera.focal, LEAST_FOCAL), MOST_FOCAL),
        part=FilmCamera(film_width=camera.film_width, near=camera.near),
    )
    if len(camera.frames) == 1 or camera.rate is None:
        return made
    names = (*(f"{EYE}.move_{axis}" for axis in "xyz"), *(f"{EYE}.turn.{letter}" for letter in "wxyz"))
    values = np.concatenate((camera.frames[:, :, 3], turns), axis=1)
    samples = Samples(coordinates=names, values=Blob(values), rate=camera.rate, start=camera.start)
    return replace(made, layers=(*made.layers, Layer(id="motion", name="Motion", samples=samples)))


def camera_of(actor: Actor) -> FileCamera | None:
    """Say what a file holds of an actor that is a camera, where nothing moves it."""
    part = film_camera(actor)
    if part is None:
        return None
    tracked = {track.coordinate for layer in actor.layers for track in layer.tracks}
    tracked |= {name for layer in actor.layers if layer.samples is not None for name in layer.samples.coordinates}
    frames = np.eye(4)[None, :3]
    return FileCamera(actor.name, frames, None, 0, REST_FOCAL, part.film_width, part.near, keyed_lens=FOCAL in tracked)
