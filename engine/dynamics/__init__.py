"""Articulated bodies: forward and inverse dynamics, mass matrices, momenta; contact and servos."""
