"""Physics: figures that fall, roll and collide under gravity, all of a scene in one simulation with one clock.

Only what has no closed form has history: from the tick at which an actor's simulation starts its pose follows from the
states before. `scene.py` joins the actors into one articulation, `simulation.py` steps it and keeps its states.
"""
