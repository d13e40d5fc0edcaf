"""Sinew's engine: poses, simulates and animates bodies, without a window. Never imports Qt or vispy."""

__version__ = "0.1.0"
