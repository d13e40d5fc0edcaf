"""Evaluate: what is on screen at time t, for the window, bakes, export and the command line alike.

The order of things: an actor's layers as they are listed (`engine.motion.motion`), then what it hangs on
(`engine.evaluate.holds`), then the stages of systems in their order (`engine.systems`, `engine.evaluate.posing`); no
system is known by name here. Actors that move each other are posed together, all others one after the other.
`engine.motion.changed` says which times an edit touched.
Importing this package loads no kernel: `rest_snapshot` is pure numpy, so that a window can draw before any kernel is
ready; `engine.evaluate.evaluator` is the full answer.
"""

from engine.evaluate.rest import mesh_of, rest_snapshot

__all__ = ["mesh_of", "rest_snapshot"]
