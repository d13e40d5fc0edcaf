"""Queries of muscles: lengths, forces and moment arms for views."""
