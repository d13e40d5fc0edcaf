"""What every room stands on: named errors, kernel decorators, the worker thread and child processes."""
