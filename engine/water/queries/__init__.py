"""Queries of water."""
