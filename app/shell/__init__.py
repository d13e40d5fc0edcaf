"""The shell: the main window, its actions and preferences, and how the application starts and ends."""
