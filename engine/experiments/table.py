"""EXPERIMENTS: every experiment by name. Adding one is a module with `run` and its line here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from engine.experiments.result import Result, Settings, write_result
from engine.runtime.errors import UnknownPart

EXPERIMENTS = {
    "comparison": "Engell-Norregard 2012, figures 10 to 12: what methods leave of 71 degrees of freedom and six goals",
    "step_length": "Engell-Norregard 2012, figure 8: the fixed step at which the Jacobian transpose diverges",
    "accuracy": "Welman 1993, figures 4.4 and 4.5: time against accuracy for an arm of seven hinges",
    "singular": "Welman 1993, figure 4.2: a straight arm pulled inwards",
    "crouch": "Welman 1993, section 7.2.1: toes locked, pelvis pulled down, with and without comfort",
    "holding_hands": "two figures that hold hands while one leans; both give way in proportion to their mobility",
    "limit_models": "Engell-Norregard 2012, table 1, measured: boxes, cones, reach cones and fields of the same clips",
    "limit_regions": "Engell-Norregard 2012, figure 17: regions of joints by motion, and what they hold of another",
    "limit_building": "Engell-Norregard 2012, table 2: what building the fields of 30 joints takes",
    "limit_resolution": "Engell-Norregard 2012, section 15.2: which grid and which margin fields need",
    "limit_frames": "Engell-Norregard 2012, figure 21: time per frame within boxes and fields",
    "limit_elbow": "Engell-Norregard 2012, figures 20 and 22: the elbow against the capture, by kind of limit",
    "kinodynamic_windows": "Rahgoshay 2011, figure 3-1: secondary motion with three windows beside full dynamics",
    "kinodynamic_punch": "Rahgoshay 2011, figure 6-3: a punch that hits its target, and one that is moved",
    "kinodynamic_widths": "Rahgoshay 2011, figure 7-2: widths of corrections, update rules, half steps",
    "kinodynamic_letters": "Rahgoshay 2011, figures 4-2 and 4-3: four letters of a loose dance, missed and hit",
    "kinodynamic_grasp": "Rahgoshay 2011, section 4.4: a hand at a cup, by place and by place and velocity",
    "kinodynamic_contact": "Rahgoshay 2011, chapter 9: contact within the window, where it jumps, and what is then met",
    "kinodynamic_locks": "Rahgoshay 2011, chapter 3: whether locks after secondary motion keep targets from being met",
    "soft_stiffness": "Engell-Norregard 2012, figure 30: a spline 0.5 to 32 times as stiff as the body",
    "soft_response": "Engell-Norregard 2012, figure 31: the response of two overlapping splines over time",
    "soft_overlap": "Engell-Norregard 2012, figure 33: the momentum that overlapping splines make, by transfer",
    "soft_regions": "Engell-Norregard 2012, figure 34: a spline with regions of three sizes",
    "soft_cantilever": "A cantilever of tetrahedra and of hexahedra against the theory of beams, by the size of cells",
    "soft_times": "Engell-Norregard 2012, figures 38 to 40: time by elements and by splines",
    "spacetime_pendulum": "Winzell 2004, figure 3: a double pendulum, free and with a muscle; the error by pieces",
    "spacetime_chain": "Winzell 2004, figure 4: a chain of three links and its minima",
    "spacetime_leap": "Winzell 2004, figures 5 and 6: a desk lamp that leaps, farther, gently",
    "spacetime_scenes": "Winzell 2004, section 4.4.4: a lamp's leap as scenes of RenderMan (RIB) and POV-Ray",
    "spacetime_human": "A human of 71 degrees of freedom: a tuck in the air, a squat, a leap over a bar; an arm throws",
    "soft_jump": "A soft body that jumps to a mark by its splines, found by the adjoint",
    "two_particles": "Engell-Norregard 2012, figure 41: forces on two particles found again by the adjoint",
    "floating": "Archimedes' law: how deep boxes float; bodies coupled to water strongly and interleaved",
    "water_vortices": "Taylor and Green 1937: vortices that viscosity slows down, the order of the water's solver",
    "water_rest": "water at rest: pressure by depth at any level and angle of its surface",
    "water_shapes": "Enright 2002, section 5: Zalesak's disk and sphere, the vortex, the deformation, by level sets",
    "water_dam": "Martin and Moyce 1952: the front of a collapsing column of water against the measured one",
    "muscle_layers": "Si 2013, figure 3.2: bones, muscles, flesh and skin of a body, and what they are made of",
    "muscle_signals": "Si 2013, figure 4.3: lengths of muscles over swimming strokes as training signals",
    "validation": "muscles, torques and markers beside OpenSim's results, published numbers and scipy",
    "walking_muscles": "A walk of the skeleton: when muscles are on, beside electromyography of walking",
    "water_volume": "Volume over time of a dam that breaks, by each way to follow the surface",
}


def run_experiment(name: str, settings: Settings) -> Result:
    """Run one by its name."""
    if name not in EXPERIMENTS:
        raise UnknownPart(kind="experiment", id=name, known=tuple(EXPERIMENTS))
    result: Result = import_module(f"engine.experiments.{name}").run(settings)
    return result


def run_and_write(name: str, settings: Settings, folder: Path) -> str:
    """Run one and write its files; what is said of it."""
    result = run_experiment(name, settings)
    files = write_result(result, folder)
    said = [result.report(timed=False).rstrip(), *(claim.text for claim in result.claims if claim.timed)]
    return "\n".join([*said, *(f"wrote {path}" for path in files)])
