"""Soft bodies that move themselves: volume meshes, mass-spring systems, finite elements, activation splines."""
