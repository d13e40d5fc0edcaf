"""Cameras: actors that films and views are seen from."""
