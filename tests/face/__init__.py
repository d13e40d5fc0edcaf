"""The face that ships, modelled here: `python -m tests.face` writes it to resources/faces."""
