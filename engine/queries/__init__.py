"""Queries: what views ask, answered in steps on the engine's thread. Importing these modules loads no kernel."""
