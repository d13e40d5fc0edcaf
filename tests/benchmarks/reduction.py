"""Work on a capture of 10 s at 120 Hz, 31 joints of three hinges: key reduction, low-pass, resampling, mirroring."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from scipy.interpolate import splrep
from scipy.signal import butter, sosfiltfilt

from engine.document import Blob, Figure, Layer, Samples
from engine.formats import bvh
from engine.formats.format import Options
from engine.motion.cleanup import smooth_gradually
from engine.motion.mirror import mirror_layer
from engine.motion.reduce import Reduced, Tolerance, reduce_gradually
from engine.motion.resample import resample
from engine.runtime.progress import finish
from tests.benchmarks.harness import Row, interleave, medians
from tests.benchmarks.motion import FRAMES, RATE, capture_figure
from tests.engine.shared_data import shared_folder

NAME = "reduction"

TOLERANCE = Tolerance(degrees=0.5, millimetres=1.0)
CLIP = "cmu_01_01_forward_jumps.bvh"


def made_up(figure: Figure) -> Samples:
    """Movements of up to 2 Hz, a radian wide, with the noise of cameras upon them."""
    rng, time = np.random.default_rng(1), np.arange(FRAMES)[:, None] / RATE[0]
    values = np.zeros((FRAMES, len(figure.coordinates)))
    for _ in range(8):
        frequency, phase = rng.uniform(0.05, 2.0, len(figure.coordinates)), rng.uniform(0.0, 6.3, values.shape[1])
        values += 0.3 * np.sin(2.0 * math.pi * frequency * time + phase)
    values += math.radians(0.05) * rng.normal(size=values.shape)
    return Samples(coordinates=figure.coordinates, values=Blob(values), rate=RATE)


def real() -> tuple[Figure, Samples] | None:
    """Ten seconds of a clip from the shared data, where that is here."""
    path = shared_folder() / "data" / "mocap" / "bvh" / CLIP
    if not path.exists():
        return None
    contents = bvh.read(path, Options())
    figure, samples = contents.figure, contents.layers[0].samples
    if figure is None or samples is None:
        return None
    values = Blob(samples.values.array[1 : FRAMES + 1])
    return figure, Samples(coordinates=samples.coordinates, values=values, rate=samples.rate)


def fitpack(samples: Samples) -> int:
    """Knots of smoothing splines whose root mean square, unlike ours, is the tolerance at most."""
    time, values = np.arange(samples.frame_count) / RATE[0], samples.values.array
    allowed = samples.frame_count * math.radians(TOLERANCE.degrees) ** 2
    return sum(len(splrep(time, values[:, column], s=allowed)[0]) - 6 for column in range(values.shape[1]))


def measure() -> Iterator[Row]:
    """The rows."""
    figure = capture_figure()
    samples, clip = made_up(figure), real()
    sections = butter(2, 6.0, fs=RATE[0], output="sos")
    found: dict[str, Reduced] = {}
    knots: list[int] = []

    def reduce(name: str, of: Figure, given: Samples) -> None:
        found[name] = finish(reduce_gradually(of, given, TOLERANCE))

    calls = {
        "reduce": lambda: reduce("reduce", figure, samples),
        "fitpack": lambda: knots.append(fitpack(samples)),
        "low-pass": lambda: finish(smooth_gradually(figure, samples, cutoff=6.0)),
        "scipy": lambda: sosfiltfilt(sections, samples.values.array, axis=0),
        "down": lambda: resample(figure, samples, rate=(30, 1)),
        "up": lambda: resample(figure, samples, rate=(240, 1)),
        "mirror": lambda: mirror_layer(figure, Layer(id="samples", samples=samples)),
    }
    if clip is not None:
        calls["clip"] = lambda: reduce("clip", *clip)
    times = {name: each * 1e3 for name, each in medians(interleave(calls, rounds=5, repeats=1)).items()}
    yield Row(
        what="key reduction of 10 s to 0.5 degrees",
        measured=times["reduce"],
        unit="ms",
        asked="at most 500 ms",
        peer="FITPACK splrep",
        peer_measured=times["fitpack"],
        allowed=1.0,
        note=f"{found['reduce'].key_count} keys, worst {math.degrees(found['reduce'].turn_error):.3f} degrees; "
        f"FITPACK {knots[-1]} knots for that as root mean square",
    )
    if clip is not None:
        yield Row(
            what=f"the same of {CLIP}",
            measured=times["clip"],
            unit="ms",
            asked="at most 500 ms",
            note=f"{clip[1].values.array.shape[1]} coordinates, {found['clip'].key_count} keys, worst "
            f"{math.degrees(found['clip'].turn_error):.3f} degrees, {1e3 * found['clip'].move_error:.3f} mm",
        )
    yield Row(
        what="low-pass of it, angles unwrapped",
        measured=times["low-pass"],
        unit="ms",
        peer="scipy sosfiltfilt alone",
        peer_measured=times["scipy"],
        allowed=4.0,
    )
    yield Row(what="resample it to 30 Hz, band-limited", measured=times["down"], unit="ms")
    yield Row(what="resample it to 240 Hz", measured=times["up"], unit="ms")
    yield Row(what="mirror it", measured=times["mirror"], unit="ms")
