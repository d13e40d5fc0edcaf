"""The face that ships, modelled here: `python -m tests.head` writes it to resources/faces."""
