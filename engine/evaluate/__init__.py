"""Evaluate: what is on screen at time t, for the window, bakes, export and the command line alike.

The order of things, so far: an actor's layers in listed order (`engine.motion.motion`), then what it hangs on
(`engine.evaluate.holds`), then its locks (`engine.locks.keep`), which keep limits; layers are not clamped to them.
Actors that move each other by shared locks are posed together, all others one after the other.
`engine.motion.changed` says which times an edit touched.
Importing this package loads no kernel: `rest_snapshot` is pure numpy, so that a window can draw before any kernel is
ready; `engine.evaluate.evaluator` is the full answer.
"""

from engine.evaluate.rest import mesh_of, rest_snapshot

__all__ = ["mesh_of", "rest_snapshot"]
