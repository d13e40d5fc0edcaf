"""Bushings that people add; importing this package loads no kernel."""
