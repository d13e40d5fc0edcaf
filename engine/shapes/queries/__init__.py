"""Queries of blend shapes: what views ask of surfaces."""
