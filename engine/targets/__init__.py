"""Targets of secondary motion: inverse kinodynamics, which finds the corrections that meet them."""
