"""Maths: rotations, splines and small linear algebra that every room below may use."""
