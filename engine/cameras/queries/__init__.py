"""Queries of cameras."""
