"""Motion: keys and samples to values, rates and accelerations at any time; layers, timing, and work on motions.

Importing this package loads no kernel. `engine.motion.motion` compiles an actor's layers and evaluates them.
"""
