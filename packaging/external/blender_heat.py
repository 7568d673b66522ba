"""Weights by Blender's bone heat, for --external: blender --background --python blender_heat.py -- INPUT OUTPUT INFLUENCES"""
import sys
import time

import bpy
import numpy as np

folder, output, influences = sys.argv[sys.argv.index("--") + 1:]
rest, triangles = np.load(f"{folder}/rest.npy"), np.load(f"{folder}/triangles.npy")
joints, parents = np.load(f"{folder}/joints.npy"), np.load(f"{folder}/parents.npy")
start = time.perf_counter()
bpy.ops.wm.read_factory_settings(use_empty=True)
mesh = bpy.data.meshes.new("mesh")
mesh.from_pydata(rest.tolist(), [], triangles.tolist())
body = bpy.data.objects.new("body", mesh)
armature = bpy.data.objects.new("armature", bpy.data.armatures.new("armature"))
for added in (body, armature):
    bpy.context.scene.collection.objects.link(added)
bpy.context.view_layer.objects.active = armature
bpy.ops.object.mode_set(mode="EDIT")
size = float(np.ptp(rest, axis=0).max())
for j, place in enumerate(joints):
    # A bone ends at the mean of its children. A leaf continues the bone of its parent.
    children = joints[parents == j]
    toward = children.mean(0) - place if len(children) else place - joints[parents[j]] if parents[j] >= 0 else np.zeros(3)
    if np.linalg.norm(toward) < 1e-4 * size:
        toward = np.array([0.0, 0.01 * size, 0.0])
    bone = armature.data.edit_bones.new(f"{j}")
    bone.head, bone.tail = place, place + (toward if len(children) else 0.5 * toward)
for j, parent in enumerate(parents):
    if parent >= 0:
        armature.data.edit_bones[f"{j}"].parent = armature.data.edit_bones[f"{parent}"]
bpy.ops.object.mode_set(mode="OBJECT")
body.select_set(True)
armature.select_set(True)
bpy.ops.object.parent_set(type="ARMATURE_AUTO")
weights = np.zeros((len(rest), len(joints)))
for v, vertex in enumerate(mesh.vertices):
    for group in vertex.groups:
        weights[v, int(body.vertex_groups[group.group].name)] = group.weight
if (weights.sum(1) == 0.0).any():
    print(f"bone heat found no weights for {(weights.sum(1) == 0.0).sum()} of {len(rest)} vertices")
    near = np.linalg.norm(rest[:, None] - joints, axis=2).argmin(1)
    weights[weights.sum(1) == 0.0, near[weights.sum(1) == 0.0]] = 1.0
weights[weights < -np.sort(-weights, axis=1)[:, min(int(influences), len(joints)) - 1][:, None]] = 0.0
np.save(f"{output}/weights.npy", weights)
print("skinbench-seconds", time.perf_counter() - start)
