"""SOLVERS: every solver by name. Adding one is a module and its line here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.ik.solver import Solver

_TABLE = {
    "levenberg": ("engine.ik.levenberg", "Levenberg"),
    "dogleg": ("engine.ik.dogleg", "DogLeg"),
    "conjugate": ("engine.ik.conjugate_gradient", "ConjugateGradient"),
    "gradient": ("engine.ik.projected_gradient", "ProjectedGradient"),
    "transpose": ("engine.ik.transpose", "Transpose"),
    "transpose_by_model": ("engine.ik.transpose", "TransposeByModel"),
    "euler": ("engine.ik.dynamic", "Euler"),
    "runge_kutta": ("engine.ik.dynamic", "RungeKutta"),
    "ccd": ("engine.ik.ccd", "Ccd"),
    "inverse": ("engine.ik.inverse", "Inverse"),
    "damped": ("engine.ik.damped", "Damped"),
}


class _Solvers(Mapping[str, "type[Solver]"]):
    """The option classes. A module, with its kernels, is loaded with the first use of its solver."""

    def __getitem__(self, name: str) -> type[Solver]:
        module, solver = _TABLE[name]
        found: type[Solver] = getattr(import_module(module), solver)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_TABLE)

    def __len__(self) -> int:
        return len(_TABLE)


SOLVERS = _Solvers()
