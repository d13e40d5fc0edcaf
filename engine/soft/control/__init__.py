"""Adjoint control of soft bodies: activations and forces by which they are where keyframes want them."""
