"""Turns what Blender reads and skinbench does not (Alembic, USD, .blend) into a PC2 point cache and a mesh:

    blender -b -P scripts/convert-with-blender.py -- IN.abc OUT.pc2
    skinbench import pc2 OUT.pc2 --rest OUT.obj --fps FPS -o OUT.h5

All meshes of the scene become one, in the order of their objects' names, modifiers applied, in world coordinates with y up.
OUT.obj holds the vertices of the first frame and the faces. Nothing is left under these names unless all went well.
Blender as Debian packages it may lack Alembic and USD; the one from blender.org has both.
"""
import array
import os
import struct
import sys

import bpy

IMPORTERS = {
    ".abc": ("wm", "alembic_import", {"as_background_job": False}),
    ".usd": ("wm", "usd_import", {}),
    ".usda": ("wm", "usd_import", {}),
    ".usdc": ("wm", "usd_import", {}),
    ".usdz": ("wm", "usd_import", {}),
}


def scene_open(path):
    """Loads the file as the only content of the scene."""
    ending = os.path.splitext(path)[1].lower()
    if not os.path.isfile(path):
        raise SystemExit(f"{path}: cannot be opened")
    if ending == ".blend":
        bpy.ops.wm.open_mainfile(filepath=path)
        return
    if ending not in IMPORTERS:
        raise SystemExit(f"{path}: is of no kind that is converted: .blend {' '.join(IMPORTERS)}")
    bpy.ops.wm.read_factory_settings(use_empty=True)
    group, name, options = IMPORTERS[ending]
    operator = getattr(getattr(bpy.ops, group), name)
    try:
        operator.get_rna_type()
    except KeyError as error:
        raise SystemExit(f"{path}: this Blender was built without {group}.{name}") from error
    operator(filepath=path, **options)


def frame_positions(objects):
    """The vertices of all objects at the current frame, and the number of each object's."""
    values, counts = array.array("f"), []
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in objects:
        evaluated = thing.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        mesh.transform(evaluated.matrix_world)
        part = array.array("f", bytes(12 * len(mesh.vertices)))
        mesh.vertices.foreach_get("co", part)
        for i in range(0, len(part), 3):
            part[i + 1], part[i + 2] = part[i + 2], -part[i + 1]  # Blender's z is up
        values.extend(part)
        counts.append(len(mesh.vertices))
        evaluated.to_mesh_clear()
    return values, counts


def base_write(path, objects, values):
    """The mesh of the current frame as OBJ."""
    graph = bpy.context.evaluated_depsgraph_get()
    with open(path, "w", encoding="ascii") as file:
        for i in range(0, len(values), 3):
            file.write("v %.9g %.9g %.9g\n" % tuple(values[i : i + 3]))
        first = 1
        for thing in objects:
            evaluated = thing.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            for polygon in mesh.polygons:
                file.write("f %s\n" % " ".join(str(first + v) for v in polygon.vertices))
            first += len(mesh.vertices)
            evaluated.to_mesh_clear()


def main(arguments):
    if len(arguments) != 2 or not arguments[1].endswith(".pc2"):
        raise SystemExit(__doc__)
    source, target = arguments
    base = target[: -len(".pc2")] + ".obj"
    scene_open(source)
    scene = bpy.context.scene
    objects = sorted((o for o in scene.objects if o.type == "MESH"), key=lambda o: o.name)
    if not objects:
        raise SystemExit(f"{source}: holds no mesh")
    frames = range(scene.frame_start, scene.frame_end + 1)
    try:
        with open(target + ".part", "wb") as file:
            for frame in frames:
                scene.frame_set(frame)
                values, counts = frame_positions(objects)
                if frame == frames.start:
                    base_write(base + ".part", objects, values)
                    expected = counts
                    file.write(
                        struct.pack("<12siiffi", b"POINTCACHE2\0", 1, sum(counts), frame, 1.0, len(frames))
                    )
                if counts != expected:
                    raise SystemExit(f"{source}: frame {frame} has other vertices than frame {frames.start}")
                if sys.byteorder == "big":
                    values.byteswap()
                values.tofile(file)
        os.replace(base + ".part", base)
        os.replace(target + ".part", target)
    finally:
        for part in (base + ".part", target + ".part"):
            if os.path.exists(part):
                os.remove(part)
    fps = scene.render.fps / scene.render.fps_base
    print(f"skinbench import pc2 {target} --rest {base} --fps {fps:g} -o NAME.h5")


try:
    main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else [])
except SystemExit as exit_:
    # Blender ends with 0 whatever a script says, unless asked for another code.
    print(exit_.code, file=sys.stderr)
    sys.stderr.flush()
    os._exit(2 if exit_.code == __doc__ else 3)
