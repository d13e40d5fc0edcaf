"""Spacetime constraints on figures in space: hinges, slides and a free root, by inverse dynamics."""
