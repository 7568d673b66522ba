"""Writes Blender's positions for a conformance pack: blender --background --python blender_conformance.py -- PACK RESULTS [preserve-volume]

Tried with Blender 3.4.1 of Debian 12: 50 of the 52 cases pass, and 42 with preserve-volume.
"""
import json
import os
import sys

import bpy
import numpy

if not hasattr(numpy, "bool"):
    numpy.bool = bool  # Debian 12's importer of glTF still uses this name

pack, results, *options = sys.argv[sys.argv.index("--") + 1:]
os.makedirs(results, exist_ok=True)
with open(f"{pack}/pack.json") as file:
    names = json.load(file)["cases"]
for name in names:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = 1  # frame f is f seconds
    bpy.ops.import_scene.gltf(filepath=f"{pack}/{name}.glb", merge_vertices=False)
    # Blender's own bone shapes are meshes, too, but have no armature.
    meshes = [o for o in scene.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
    meshes.sort(key=lambda o: o.name)  # "mesh" before "mesh.001"
    for body in meshes:
        for modifier in body.modifiers:
            if modifier.type == "ARMATURE":
                modifier.use_deform_preserve_volume = "preserve-volume" in options
    positions = []
    for frame in range(4):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        points = []
        for body in meshes:
            posed = body.evaluated_get(graph)
            for vertex in posed.to_mesh().vertices:
                x, y, z = posed.matrix_world @ vertex.co
                points.append((x, z, -y))  # glTF's y is Blender's z
            posed.to_mesh_clear()
        positions.append(points)
    with open(f"{results}/{name}.json", "w") as file:
        json.dump({"positions": positions}, file)
