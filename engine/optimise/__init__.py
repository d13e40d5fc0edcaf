"""Optimisation: least objective over variables within bounds, under constraints; see README.md."""
