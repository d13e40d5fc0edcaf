"""Lanes of muscles: activations over time."""
