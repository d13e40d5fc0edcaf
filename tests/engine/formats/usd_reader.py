"""What Pixar's own library makes of a written USD file: points and joints in the world, metres and y up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.maths.arrays import Array


class UsdFile:
    """A stage that was opened."""

    def __init__(self, path: Path) -> None:
        self.usd, self.geom, self.skel = (_part(each) for each in ("Usd", "UsdGeom", "UsdSkel"))
        self.stage = self.usd.Stage.Open(str(path))
        self.unit = self.geom.GetStageMetersPerUnit(self.stage)
        up = self.geom.GetStageUpAxis(self.stage)
        self.axes = np.array([(1, 0, 0), (0, 0, 1), (0, -1, 0)]) if up == "Z" else np.eye(3)

    def prims(self, kind: str) -> dict[str, Any]:
        """Those of a type, by path."""
        return {str(each.GetPath()): each for each in self.stage.Traverse() if each.GetTypeName() == kind}

    def joints(self, root: str, frame: float, skeleton: str = "Skeleton") -> Array:
        """World transform of each joint of a SkelRoot, shape [joint_count, 3, 4]."""
        query = self._query(root, f"{root}/{skeleton}")
        found = [np.array(each).T for each in query.ComputeJointSkelTransforms(self._time(frame))]
        return np.stack([self._in_metres(self._world(root, frame) @ each) for each in found])

    def points(self, mesh: str, frame: float) -> Array:
        """The vertices of a mesh in the world, skinned as USD does it, shape [count, 3]."""
        prim, time = self.stage.GetPrimAtPath(mesh), self._time(frame)
        points = self.geom.Mesh(prim).GetPointsAttr().Get(time)
        bound = self.skel.BindingAPI(prim).GetInheritedSkeleton()
        if bound:
            root = mesh.rpartition("/")[0]
            cache = self._cache(root)
            query = cache.GetSkelQuery(bound)
            moves = query.ComputeSkinningTransforms(time)
            assert cache.GetSkinningQuery(prim).ComputeSkinnedPoints(moves, points, time)
        world = self._world(mesh, frame)
        return np.asarray((np.array(points) @ world[:3, :3].T + world[:3, 3]) @ self.axes.T * self.unit)

    def visible(self, path: str) -> bool:
        """Whether it is shown."""
        shown = self.geom.Imageable(self.stage.GetPrimAtPath(path)).ComputeVisibility()
        return bool(shown != self.geom.Tokens.invisible)

    def _cache(self, root: str) -> Any:
        cache = self.skel.Cache()
        assert cache.Populate(self.skel.Root(self.stage.GetPrimAtPath(root)), self.usd.PrimDefaultPredicate)
        return cache

    def _query(self, root: str, skeleton: str) -> Any:
        self._kept = self._cache(root)
        query = self._kept.GetSkelQuery(self.skel.Skeleton(self.stage.GetPrimAtPath(skeleton)))
        assert query
        assert query.HasBindPose()
        return query

    def _time(self, frame: float) -> Any:
        return self.usd.TimeCode(frame)

    def _world(self, path: str, frame: float) -> Array:
        cache = self.geom.XformCache(self._time(frame))
        return np.asarray(np.array(cache.GetLocalToWorldTransform(self.stage.GetPrimAtPath(path))).T)

    def _in_metres(self, transform: Array) -> Array:
        rotation, position = self.axes @ transform[:3, :3], self.axes @ transform[:3, 3] * self.unit
        return np.hstack((rotation, position[:, None]))


def _part(name: str) -> Any:
    return pytest.importorskip(f"pxr.{name}", reason="usd-core is not installed")
