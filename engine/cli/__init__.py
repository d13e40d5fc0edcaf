"""What the commands of `python -m engine` do."""
