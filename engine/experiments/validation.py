"""Muscles, torques and markers beside OpenSim's results, published numbers and scipy: what `docs/validation.md` says.

OpenSim's models and results are read from the shared data; what needs them is left out where they are missing, and
that is noted. MuJoCo is a peer of tests and benchmarks alone (`python3 start.py bench muscles`).
"""

from __future__ import annotations

from importlib.util import find_spec

from engine.experiments.result import Result, Settings
from engine.experiments.shared_data import shared_data
from engine.experiments.strengths import strengths
from engine.experiments.validation_arms import STEPS, compare_arms
from engine.experiments.validation_masses import compare_masses
from engine.experiments.validation_static import compare_static

FRAMES = 6


def run(settings: Settings) -> Result:
    """All comparisons."""
    arm_tables, picture, arm_claims = compare_arms(7 if settings.quick else STEPS)
    segments, mass_claims = compare_masses()
    strong, strength_claim = strengths()
    tables, pictures = [*arm_tables, segments, strong], [picture]
    claims, notes = [*arm_claims, *mass_claims, strength_claim], list[str]()
    if find_spec("scipy.optimize") is None:
        notes.append("scipy's solver is not here: static optimisation is left out")
    else:
        static, static_claim = compare_static(settings.seed, 1 if settings.quick else FRAMES)
        tables.append(static)
        claims.append(static_claim)
    if shared_data("musculoskeletal", "osim") is None:
        notes.append("OpenSim's models are not here: moment arms are those of the skeleton alone")
    walk = shared_data("mocap", "opensim_gait2354_walk")
    if walk is None:
        notes.append("OpenSim's walk of gait2354 is not here: torques, markers and control are left out")
    else:
        from engine.experiments.validation_walk import compare_walk

        found = compare_walk(walk, control=not settings.quick)
        tables += found.tables
        pictures.append(found.picture)
        claims += found.claims
    return Result(
        title="Muscles and motion beside OpenSim, published numbers and scipy",
        tables=tuple(tables),
        pictures=tuple(pictures),
        claims=tuple(claims),
        notes=tuple(notes),
    )
