"""Bushings: springs and dampers along six axes between bodies of a figure, such as cartilages that are no joints."""
