"""Queries of secondary motion: what views ask of simulations."""
