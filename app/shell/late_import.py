"""Importing a module that others import without need: it is loaded when something of it is first used."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType


class LateModule(ModuleType):
    """A module that loads itself. `importlib.util.LazyLoader` would do so as soon as it is imported a second time."""

    def __getattr__(self, name: str) -> object:
        """Load, for a name that is not there; those that Python itself asks every module for are no reason to."""
        spec = self.__spec__
        if spec is None or spec.loader is None or (name.startswith("__") and name != "__all__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        object.__setattr__(self, "__class__", ModuleType)
        spec.loader.exec_module(self)
        found: object = getattr(self, name)
        return found


def import_late(name: str) -> None:
    """Let a module inside a package be loaded as it is first used; one that is loaded already stays as it is."""
    package, _, own = name.rpartition(".")
    spec = None if name in sys.modules else find_spec(name)
    if spec is not None:
        sys.modules[name] = module = module_from_spec(spec)
        module.__class__ = LateModule
        setattr(sys.modules[package], own, module)
