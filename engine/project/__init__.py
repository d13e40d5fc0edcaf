"""Projects: documents in files that cannot be lost, their undo lists and arrays, and copies for after a crash."""
