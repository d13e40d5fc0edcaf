"""The ground under every room: named errors, kernel decorators, the worker thread and child processes."""
