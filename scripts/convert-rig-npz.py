#!/usr/bin/env python3
"""Converts rigs with pickled members to .npz files of plain arrays, which `skinbench import npz` reads.

  scripts/convert-rig-npz.py IN.npz OUT.npz      a rig of UniRig, or one model of Articulation-XL
  scripts/convert-rig-npz.py IN.npz OUT_FOLDER   a file of many models (Articulation-XL): one NAME.npz each

Needs NumPy alone. A pickle is a program: pickled members are read by an unpickler that makes nothing but arrays,
dicts, lists, tuples, None, numbers and texts, and refuses everything else by name. An output is never overwritten.

Written are vertices, faces, joints, parents (-1: a root; parents first), names and, if the rig has weights, skin.
"""
import io
import os
import pickle
import re
import sys
import zipfile

import numpy

ENTRIES_MAX = 1 << 28  # of a dense array of weights


class Refused(Exception):
    """A file that cannot be converted; the text says why."""


class ArrayUnpickler(pickle.Unpickler):
    """Makes arrays of numbers, texts and objects, and nothing else."""

    def find_class(self, module, name):
        allowed = {("numpy", "ndarray"): numpy.ndarray, ("numpy", "dtype"): numpy.dtype}
        for core in ("numpy.core", "numpy._core"):
            allowed[(core + ".multiarray", "_reconstruct")] = reconstruct
            allowed[(core + ".multiarray", "scalar")] = scalar
        if (module, name) not in allowed:
            raise Refused(f"asks for {module}.{name}, which is neither an array, a list, a number nor a text")
        return allowed[(module, name)]

    def persistent_load(self, pid):
        raise Refused("refers to objects outside the file")


def reconstruct(kind, shape, code):
    if kind is not numpy.ndarray or tuple(shape) != (0,):
        raise Refused("makes an array in an unknown way")
    return numpy.ndarray((0,), code)


def scalar(dtype, content):
    if dtype.hasobject or not isinstance(content, bytes):
        raise Refused("makes a number in an unknown way")
    return numpy.frombuffer(content, dtype, 1)[0]


def member_read(archive, name):
    """The array or object of a member."""
    content = archive.read(name)
    stream = io.BytesIO(content)
    version = numpy.lib.format.read_magic(stream)
    read = numpy.lib.format.read_array_header_1_0 if version == (1, 0) else numpy.lib.format.read_array_header_2_0
    shape, fortran, dtype = read(stream)
    if not dtype.hasobject:
        return numpy.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    if dtype != numpy.dtype("O"):
        raise Refused("is a table of objects")
    made = ArrayUnpickler(stream).load()
    if not isinstance(made, numpy.ndarray) or made.size != int(numpy.prod(shape, dtype=object)):
        raise Refused("does not hold what its header says")
    return made.reshape(shape, order="F" if fortran else "C")


def file_read(path):
    """Member -> array of an .npz file."""
    members = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith(".npy") or name == "allow_pickle.npy":
                continue
            try:
                members[name[:-4]] = member_read(archive, name)
            except Refused as why:
                raise Refused(f"{name}: {why}") from None
            except Exception as why:  # a damaged pickle can fail in any way
                raise Refused(f"{name}: is damaged: {type(why).__name__}: {why}") from None
    return members


def numbers(model, name, columns, optional=False):
    if model.get(name) is None:
        if optional:
            return None
        raise Refused(f"has no {name}")
    array = numpy.asarray(model[name], dtype="float64")
    if array.ndim != 2 or (columns and array.shape[1] != columns) or not numpy.isfinite(array).all():
        raise Refused(f"{name}: expected finite numbers [N, {columns or 'J'}]")
    return array


def parents_find(model, joints):
    """Parents by joint: of a list, or of bones (parent, child)."""
    if model.get("parents") is not None:
        parents = [-1 if parent is None else int(parent) for parent in numpy.asarray(model["parents"], dtype=object).tolist()]
    else:
        parents = [-1] * joints
        for parent, child in numbers(model, "bones", 2).astype(int).tolist():
            if not 0 <= child < joints or parents[child] >= 0:
                raise Refused(f"bones: joint {child} does not exist or has two parents")
            parents[child] = parent
    if len(parents) != joints or any(not -1 <= parent < joints for parent in parents):
        raise Refused("parents: expected a joint or None for each joint")
    return parents


def order_find(parents):
    """Joints in the order of the file, but ancestors before their descendants."""
    order, placed = [], set()
    for joint in range(len(parents)):
        chain = []
        while joint >= 0 and joint not in placed:
            if len(chain) == len(parents):
                raise Refused("parents: the hierarchy has a circle")
            chain.append(joint)
            joint = parents[joint]
        order += reversed(chain)
        placed.update(chain)
    return order


def skin_find(model, vertices, joints):
    """Dense weights, or None."""
    skin = numbers(model, "skin", joints, optional=True)
    if skin is None and model.get("skinning_weights_value") is not None:
        if vertices * joints > ENTRIES_MAX:
            raise Refused(f"has {vertices} x {joints} weights, at most {ENTRIES_MAX} are converted")
        either = lambda name: model.get(name + "s") if model.get(name) is None else model[name]
        rows, columns = (numpy.asarray(either("skinning_weights_" + axis)).astype(int) for axis in ("row", "col"))
        values = numpy.asarray(model["skinning_weights_value"], dtype="float64")
        if not rows.shape == columns.shape == values.shape or ((rows < 0) | (rows >= vertices)).any() or \
                ((columns < 0) | (columns >= joints)).any():
            raise Refused("skinning_weights: an entry lies outside the array")
        skin = numpy.zeros((vertices, joints))
        numpy.add.at(skin, (rows, columns), values)
    if skin is not None and len(skin) != vertices:
        raise Refused(f"skin: has {len(skin)} rows for {vertices} vertices")
    return skin


def model_write(model, path):
    places = numbers(model, "joints", 3)
    parents = parents_find(model, len(places))
    order = order_find(parents)
    number = {joint: index for index, joint in enumerate(order)}
    names = model.get("names") if model.get("names") is not None else model.get("joint_names")
    names = [str(name) for name in numpy.asarray(names).tolist()] if names is not None else None
    if names is not None and len(names) != len(places):
        raise Refused(f"names: has {len(names)} for {len(places)} joints")
    out = {"joints": places[order].astype("float32"),
           "parents": numpy.array([-1 if parents[joint] < 0 else number[parents[joint]] for joint in order], dtype="int64")}
    if names:
        out["names"] = numpy.array([names[joint] for joint in order]).astype("U")
    vertices = numbers(model, "vertices", 3, optional=True)
    if vertices is not None:
        out["vertices"] = vertices.astype("float32")
        faces = numbers(model, "faces", 3, optional=True)
        out["faces"] = (numpy.zeros((0, 3)) if faces is None else faces).astype("int64")
        skin = skin_find(model, len(vertices), len(places))
        if skin is not None:
            out["skin"] = skin[:, order].astype("float32")
    with open(path, "xb") as file:
        numpy.savez(file, **out)


def models_find(members):
    """(name, model) of every model of a file, or None if the file is one model."""
    for array in members.values():
        if array.dtype == object and array.ndim == 1 and array.size and all(isinstance(one, dict) for one in array):
            return [(str(one.get("uuid", index)), one) for index, one in enumerate(array)]
    return None


def main(source, target):
    members = file_read(source)
    models = models_find(members)
    if models is None:
        # a None is an array of objects without extents
        model_write({name: None if array.dtype == object and array.ndim == 0 else array
                     for name, array in members.items()}, target)
        return
    os.mkdir(target)
    for name, model in models:
        try:
            model_write(model, os.path.join(target, re.sub(r"[^A-Za-z0-9_.-]", "_", name).lstrip(".") + ".npz"))
        except Refused as why:
            print(f"{source}: {name}: {why}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except (Refused, OSError, zipfile.BadZipFile, ValueError, TypeError) as failure:
        print(f"{sys.argv[1]}: {failure}", file=sys.stderr)
        sys.exit(3)
