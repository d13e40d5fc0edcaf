"""Locks: pins that count over spans of time, kept by the joints that give way for them, and how a drag keeps them."""
