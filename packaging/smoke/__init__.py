"""The smoke test of a package: installs it, starts it, opens every example, exports, quits (packaging/README.md)."""
