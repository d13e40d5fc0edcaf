"""The import contract of the engine's rooms: layers, one of which is the folders of the table of systems."""

from dataclasses import replace
from typing import cast

from grimp import ImportGraph
from importlinter.contracts.layers import Layer, LayersContract, ModuleTail
from importlinter.domain.contract import ContractCheck
from importlinter.domain.imports import ImportExpression, ModuleExpression

from engine.systems import SYSTEMS, systems

PLACEHOLDER = "systems of the table"


class Rooms(LayersContract):
    """Layers in which `PLACEHOLDER` stands for every folder that the table lists, none of which imports another but
    those that it is built upon."""

    type_name = "rooms"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Check the layers with the table's folders in place."""
        layers = cast(list[Layer], self.layers)
        self.layers = [_with_systems(layer) for layer in layers]  # type: ignore[assignment]
        self.ignore_imports = _upon()  # type: ignore[assignment]
        return super().check(graph, verbose)


def _with_systems(layer: Layer) -> Layer:
    if not any(tail.name == PLACEHOLDER for tail in layer.module_tails):
        return layer
    return replace(layer, module_tails={ModuleTail(name, is_optional=True) for name in SYSTEMS})


def _upon() -> set[ImportExpression]:
    found = ((folder, under) for folder, system in zip(SYSTEMS, systems(), strict=True) for under in system.upon)
    return {ImportExpression(*(ModuleExpression(f"engine.{room}.**") for room in pair)) for pair in found}
