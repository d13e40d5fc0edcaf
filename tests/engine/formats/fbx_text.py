"""A small ASCII FBX file: a skeleton with a pre-rotation and pivots, a skin, a blend shape, a mirrored mesh, a take."""

from __future__ import annotations

TICKS = 46_186_158_000  # of FBX a second


def fbx_text(*, keys: tuple[int, int] = (0, 1), broken: bool = False) -> str:
    """Text of the file, in centimetres with z up; the hips go from 0 to 100 along x between two times [s]. `broken`
    leaves out what the knee hangs on."""
    knee = "" if broken else 'C: "OO",12,11\n'
    return TEXT.replace("@TIMES@", f"{keys[0] * TICKS},{keys[1] * TICKS}").replace("@KNEE@", knee)


TEXT = """; FBX 7.4.0 project file
FBXHeaderExtension:  {
FBXHeaderVersion: 1003
FBXVersion: 7400
}
GlobalSettings:  {
Version: 1000
Properties70:  {
P: "UpAxis", "int", "Integer", "",2
P: "UpAxisSign", "int", "Integer", "",1
P: "FrontAxis", "int", "Integer", "",1
P: "FrontAxisSign", "int", "Integer", "",-1
P: "CoordAxis", "int", "Integer", "",0
P: "CoordAxisSign", "int", "Integer", "",1
P: "UnitScaleFactor", "double", "Number", "",1
P: "TimeMode", "enum", "", "",6
}
}
Objects:  {
NodeAttribute: 1, "NodeAttribute::", "LimbNode" {
TypeFlags: "Skeleton"
}
NodeAttribute: 2, "NodeAttribute::", "LimbNode" {
TypeFlags: "Skeleton"
}
Model: 11, "Model::Hips", "LimbNode" {
Version: 232
Properties70:  {
P: "Lcl Translation", "Lcl Translation", "", "A",0,0,90
}
}
Model: 12, "Model::Knee", "LimbNode" {
Version: 232
Properties70:  {
P: "RotationActive", "bool", "", "",1
P: "PreRotation", "Vector3D", "Vector", "",0,90,0
P: "RotationPivot", "Vector3D", "Vector", "",0,0,10
P: "Lcl Translation", "Lcl Translation", "", "A",0,0,-40
}
}
Model: 13, "Model::Leg", "Mesh" {
Version: 232
}
Model: 14, "Model::Mirrored", "Mesh" {
Version: 232
Properties70:  {
P: "Lcl Translation", "Lcl Translation", "", "A",200,0,0
P: "Lcl Scaling", "Lcl Scaling", "", "A",-1,1,1
}
}
Geometry: 21, "Geometry::Leg", "Mesh" {
Vertices: *12 {
a: 0,0,90,10,0,90,0,0,50,10,0,50
}
PolygonVertexIndex: *4 {
a: 0,2,3,-2
}
}
Geometry: 22, "Geometry::Mirrored", "Mesh" {
Vertices: *9 {
a: 0,0,0,10,0,0,0,0,20
}
PolygonVertexIndex: *3 {
a: 0,1,-3
}
}
Deformer: 31, "Deformer::", "Skin" {
Version: 101
}
Deformer: 32, "SubDeformer::Hips", "Cluster" {
Version: 100
Indexes: *2 {
a: 0,1
}
Weights: *2 {
a: 1,1
}
Transform: *16 {
a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,-90,1
}
TransformLink: *16 {
a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,90,1
}
}
Deformer: 33, "SubDeformer::Knee", "Cluster" {
Version: 100
Indexes: *2 {
a: 2,3
}
Weights: *2 {
a: 1,0.5
}
Transform: *16 {
a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,-50,1
}
TransformLink: *16 {
a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,50,1
}
}
Deformer: 41, "Deformer::", "BlendShape" {
Version: 100
}
Deformer: 42, "SubDeformer::Wide", "BlendShapeChannel" {
Version: 100
DeformPercent: 25
FullWeights: *1 {
a: 100
}
}
Geometry: 43, "Geometry::Wide", "Shape" {
Version: 100
Indexes: *1 {
a: 1
}
Vertices: *3 {
a: 30,0,0
}
}
AnimationStack: 51, "AnimStack::Walk", "" {
}
AnimationLayer: 52, "AnimLayer::Base", "" {
}
AnimationCurveNode: 53, "AnimCurveNode::T", "" {
Properties70:  {
P: "d|X", "Number", "", "A",0
P: "d|Y", "Number", "", "A",0
P: "d|Z", "Number", "", "A",90
}
}
AnimationCurve: 54, "AnimCurve::", "" {
Default: 0
KeyVer: 4008
KeyTime: *2 {
a: @TIMES@
}
KeyValueFloat: *2 {
a: 0,100
}
KeyAttrFlags: *1 {a: 4}
KeyAttrDataFloat: *4 {a: 0,0,0,0}
KeyAttrRefCount: *1 {a: 2}
}
}
Connections:  {
C: "OO",11,0
@KNEE@C: "OO",13,0
C: "OO",14,0
C: "OO",1,11
C: "OO",2,12
C: "OO",21,13
C: "OO",22,14
C: "OO",31,21
C: "OO",32,31
C: "OO",33,31
C: "OO",11,32
C: "OO",12,33
C: "OO",41,22
C: "OO",42,41
C: "OO",43,42
C: "OO",52,51
C: "OO",53,52
C: "OP",53,11, "Lcl Translation"
C: "OP",54,53, "d|X"
}
"""
