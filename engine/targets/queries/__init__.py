"""Queries of targets: what views ask of them."""
