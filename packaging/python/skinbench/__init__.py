"""Skeletal skinning and the decomposition of animated meshes: load, skin, fit, measure, over libskinbench.

Arrays are NumPy's. Those of a Dataset are views of the library's memory, read-only, and keep it alive.
N vertices, T triangles, F frames, P joints, K influence slots per vertex, r rank.
"""
import ctypes
import os

import numpy

from . import _library
from ._library import BadInput, CheckFailed, Error, MachineError, Stopped, Unavailable, UsageError
from .results import read_results

__all__ = ["BadInput", "CheckFailed", "Dataset", "Error", "Fit", "MachineError", "Skinner", "Stopped", "Unavailable",
           "UsageError", "backends", "convert", "fit", "generate", "generators", "load", "measure", "methods",
           "memory_limit", "metrics", "read_results", "skin"]

__version__ = _library.library.skinbench_version().decode()

# Of each array of a data set: its type, and its shape by the counts of the C structure.
_ARRAYS = {
    "rest": ("float32", ("vertex_count", 3)),
    "triangles": ("int32", ("triangle_count", 3)),
    "original_vertices": ("int32", ("vertex_count",)),
    "positions": ("float32", ("frame_count", "vertex_count", 3)),
    "normals": ("float32", ("frame_count", "vertex_count", 3)),
    "parents": ("int32", ("joint_count",)),
    "joint_rest": ("float64", ("joint_count", 3, 4)),
    "transforms": ("float64", ("pose_count", "joint_count", 3, 4)),
    "scale": ("float64", ("pose_count", "joint_count", 3, 3)),
    "weight_joints": ("int32", ("vertex_count", "influence_count")),
    "weights": ("float32", ("vertex_count", "influence_count")),
    "centers": ("float32", ("vertex_count", 3)),
    "basis": ("float64", ("model_rows", "rank")),
    "coefficients": ("float32", ("rank", "vertex_count")),
}


class _View:
    """Memory of a data set, for NumPy: arrays made of it keep it, and thereby the data set."""

    def __init__(self, owner, address, dtype, shape):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape,
                                    "typestr": numpy.dtype(dtype).str}


def _counted(arrays, extent):
    if extent == "model_rows":
        return 3 * arrays.model_frame_count
    return getattr(arrays, extent) if isinstance(extent, str) else extent


class Dataset:
    """A mesh, and where they are there an animation, a rig, a low-rank model.

    rest [N,3], triangles [T,3], original_vertices [N] (which vertex of the original each one is), positions and normals
    [F,N,3], parents [P], joint_rest [P,3,4], transforms [F,P,3,4], scale [F,P,3,3], weight_joints and weights [N,K],
    centers [N,3], basis [3F,r], coefficients [r,N]: views, or None where the data set has none. joint_names: a list.
    name, title, source, license, fps."""

    def __init__(self, handle):
        self._handle = handle
        self._arrays = _library.call("dataset_arrays", handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            _library.library.skinbench_dataset_free(self._handle)

    @classmethod
    def _made(cls, by, *arguments):
        handle = ctypes.c_void_p()
        by(*arguments, ctypes.byref(handle))
        return cls(handle)

    @classmethod
    def load(cls, path):
        """Reads a data set file."""
        return cls._made(_library.call, "dataset_read", os.fsencode(path))

    @classmethod
    def from_arrays(cls, rest, triangles=None, *, joint_names=None, name="", title="", source="", license="", fps=0.0,
                    **arrays):
        """Copies arrays of the names and shapes above into a data set. A rig needs weight_joints and weights, and may
        have transforms, parents (default: roots all), joint_rest (identity), scale, centers and joint_names."""
        arrays.update(rest=rest, triangles=triangles)
        unknown = set(arrays) - set(_ARRAYS)
        if unknown:
            raise TypeError(f"a data set has no array {sorted(unknown)}")
        given = _library.Arrays(name=name.encode(), title=title.encode(), source=source.encode(),
                                license=license.encode(), fps=fps)
        counts, kept = {}, []
        for key, (dtype, shape) in _ARRAYS.items():
            if arrays.get(key) is None:
                continue
            array = numpy.ascontiguousarray(arrays[key], dtype)
            if array.ndim != len(shape):
                raise ValueError(f"{key} has the shape {array.shape}, expected {shape}")
            for extent, expected in zip(array.shape, shape):
                if (counts.setdefault(expected, extent) if isinstance(expected, str) else expected) != extent:
                    raise ValueError(f"{key} has the shape {array.shape}, expected {shape}, of which {counts} are known")
            kept.append(array)
            setattr(given, key, array.ctypes.data)
        if arrays.get("weight_joints") is not None and "joint_count" not in counts:
            counts["joint_count"] = (int(numpy.max(arrays["weight_joints"], initial=-1)) + 1 if joint_names is None
                                     else len(joint_names))
        rows = counts.pop("model_rows", 0)
        if rows % 3:
            raise ValueError(f"basis has {rows} rows, expected 3 for each frame")
        given.model_frame_count = rows // 3
        for count, value in counts.items():
            setattr(given, count, value)
        if joint_names is not None:
            if len(joint_names) != given.joint_count:
                raise ValueError(f"{len(joint_names)} joint_names for {given.joint_count} joints")
            given.joint_names = (ctypes.c_char_p * max(len(joint_names), 1))(*(n.encode() for n in joint_names))
        return cls._made(_library.call, "dataset_create", ctypes.byref(given))

    def save(self, path):
        """Writes a data set file, which replaces what has the name."""
        _library.call("dataset_write", self._handle, os.fsencode(path))

    def __getattr__(self, key):
        if key in _ARRAYS and "_arrays" in self.__dict__:
            address = getattr(self._arrays, key)
            dtype, shape = _ARRAYS[key]
            if not address:
                return None
            return numpy.asarray(_View(self, address, dtype, tuple(_counted(self._arrays, e) for e in shape)))
        raise AttributeError(f"a data set has no {key!r}")

    @property
    def joint_names(self):
        return [_library.text(self._arrays.joint_names[j]) for j in range(self._arrays.joint_count)]

    @property
    def fps(self):
        return self._arrays.fps

    name = property(lambda self: _library.text(self._arrays.name))
    title = property(lambda self: _library.text(self._arrays.title))
    source = property(lambda self: _library.text(self._arrays.source))
    license = property(lambda self: _library.text(self._arrays.license))

    def plot(self, frame=0, axes=None):
        """Draws a frame of the positions, else the rest pose, with matplotlib; returns the axes."""
        points = self.rest if self.positions is None else self.positions[frame]
        if axes is None:
            from matplotlib import pyplot  # needed for nothing else
            axes = pyplot.figure().add_subplot(projection="3d")
        x, y, z = points.T
        axes.plot_trisurf(x, -z, y, triangles=self.triangles)  # y is up
        axes.set_box_aspect([numpy.ptp(x), numpy.ptp(z), numpy.ptp(y)])
        return axes

    def __repr__(self):
        a = self._arrays
        return (f"<skinbench.Dataset {self.name!r}: {a.vertex_count} vertices, {a.triangle_count} triangles, "
                f"{a.frame_count} frames, {a.joint_count} joints in {a.pose_count} poses, rank {a.rank}>")


load = Dataset.load


def generate(name, progress=None, **settings):
    """A procedural data set (generators()): generate("walk", vertices=2000). Names of settings with _ for -."""
    values, count = _library.settings(settings)
    reporter = _library.Reporter(progress)
    return Dataset._made(reporter.call, "dataset_generate", name.encode(), values, count,
                         ctypes.byref(reporter.structure))


def convert(source, target, rest=None, progress=None):
    """Turns a file, folder, pattern or archive of another format into a data set file (`skinbench import`)."""
    reporter = _library.Reporter(progress)
    reporter.call("import", os.fsencode(source), os.fsencode(rest) if rest is not None else None,
                  ctypes.byref(reporter.structure), os.fsencode(target))


class Skinner:
    """A direct method bound to the rig of a data set: once per rig, then any number of poses."""

    def __init__(self, dataset, method, backend="simd", threads=0, normals=False, two_phase=False, **settings):
        values, count = _library.settings(settings)
        options = _library.SkinOptions(method.encode(), backend.encode(), values, count, threads, normals, two_phase)
        self.dataset, self.normals = dataset, normals
        self._handle = ctypes.c_void_p()
        _library.call("skinner_create", dataset._handle, ctypes.byref(options), ctypes.byref(self._handle))

    def __del__(self):
        if getattr(self, "_handle", None):
            _library.library.skinbench_skinner_free(self._handle)

    def _output(self, out, frames):
        shape = (frames, self.dataset._arrays.vertex_count, 3)
        if out is None:
            return numpy.empty(shape, "float32")
        if out.shape != shape or out.dtype != numpy.float32 or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"out is {out.dtype} {out.shape}, expected writable, contiguous float32 {shape}")
        return out

    def _skin(self, name, frames, out, *arguments):
        positions = self._output(out, frames)
        normals = self._output(None, frames) if self.normals else None
        _library.call(name, self._handle, *arguments, positions.ctypes.data, normals.ctypes.data if self.normals else None)
        return (positions, normals) if self.normals else positions

    def frames(self, first=0, count=None, out=None):
        """Frames of the rig: positions [F,N,3] in float32, into `out` where it is given; with normals a pair."""
        count = self.dataset._arrays.pose_count - first if count is None else count
        return self._skin("skin_frames", count, out, first, count)

    def poses(self, transforms, scale=None, out=None):
        """Poses of the caller's: transforms [F,P,3,4], or [P,3,4] of one, scale [F,P,3,3]."""
        joints = self.dataset._arrays.joint_count
        transforms = numpy.ascontiguousarray(transforms, "float64")
        transforms = transforms[None] if transforms.ndim == 3 else transforms
        if transforms.ndim != 4 or transforms.shape[1:] != (joints, 3, 4):
            raise ValueError(f"transforms have the shape {transforms.shape}, expected [F, {joints}, 3, 4]")
        if scale is not None:
            scale = numpy.ascontiguousarray(scale, "float64")
            if scale.shape != (len(transforms), joints, 3, 3):
                raise ValueError(f"scale has the shape {scale.shape}, expected {(len(transforms), joints, 3, 3)}")
        return self._skin("skin_poses", len(transforms), out, transforms.ctypes.data,
                          None if scale is None else scale.ctypes.data, len(transforms))


def skin(dataset, method, transforms=None, out=None, **options):
    """All frames of a rig, or poses of the caller's, by a direct method: positions [F,N,3] (Skinner)."""
    skinner = Skinner(dataset, method, **options)
    return skinner.frames(out=out) if transforms is None else skinner.poses(transforms, out=out)


class Fit:
    """What came of a fit: model (a Dataset), bones, iterations, end, e_rms, kg_percent, total_s, size_bytes, and by
    iteration, the model before the first one first, errors (E_RMS) and elapsed_s. notes: what the rest pose and the
    frames have against each other; diagnosis: why a poor fit is poor; "" for none."""

    def __init__(self, model, report):
        self.model = model
        for name in ("bones", "iterations", "e_rms", "kg_percent", "total_s", "size_bytes"):
            setattr(self, name, getattr(report, name))
        self.end, self.notes, self.diagnosis = (text.decode() for text in (report.end, report.notes, report.diagnosis))
        for name in ("errors", "elapsed_s"):
            setattr(self, name, numpy.array(getattr(report, name)[:report.iterations + 1]))

    def __repr__(self):
        return f"<skinbench.Fit: {self.bones} bones, E_RMS {self.e_rms:.6g}, {self.iterations} sweeps, {self.end}>"


def fit(dataset, method, bones=0, error=0.0, influences=0, iterations=None, time_limit_s=0.0, holdout=0, seed=1,
        threads=0, keep_stopped=False, progress=None, **settings):
    """Fits a model to the positions of a data set. progress(what, share) may return True to stop (progress=True prints it): then Stopped is raised, or,
    with keep_stopped, the best model so far returned. Other arguments as in skinbench.h."""
    values, count = _library.settings(settings)
    reporter = _library.Reporter(progress)
    sweeps = 0 if iterations is None else iterations if iterations > 0 else -1
    options = _library.FitOptions(method.encode(), bones, error, influences, sweeps, time_limit_s, holdout, seed, values,
                                  count, threads, keep_stopped, ctypes.pointer(reporter.structure))
    report = _library.FitReport()
    try:
        model = Dataset._made(lambda *a: reporter.call(*a, ctypes.byref(report)), "fit", dataset._handle,
                              ctypes.byref(options))
        if reporter.raised:
            raise reporter.raised
        return Fit(model, report)
    finally:
        _library.library.skinbench_fit_report_clear(ctypes.byref(report))


def measure(target, candidate, threads=0, distances=False):
    """The metrics of a candidate (a Dataset, or positions [F,N,3]) against a target with positions, by name; with
    distances=True also the distance of every vertex in every frame, [F,N]: a pair."""
    names = [entry["name"] for entry in metrics()]
    values = numpy.empty(len(names))
    each = numpy.empty((target._arrays.frame_count, target._arrays.vertex_count), "float32") if distances else None
    outputs = (values.ctypes.data, len(values), each.ctypes.data if distances else None)
    if isinstance(candidate, Dataset):
        _library.call("measure", target._handle, candidate._handle, threads, *outputs)
    else:
        positions = numpy.ascontiguousarray(candidate, "float32")
        if positions.ndim != 3 or positions.shape[1:] != (target._arrays.vertex_count, 3):
            raise ValueError(f"positions have the shape {positions.shape}, expected [F, "
                             f"{target._arrays.vertex_count}, 3]")
        _library.call("measure_positions", target._handle, positions.ctypes.data, len(positions), threads, *outputs)
    result = dict(zip(names, values.tolist()))
    return (result, each) if distances else result


def _listed(kind):
    found = []
    for index in range(_library.call("count", kind)):
        entry, parameter = _library.Entry(), _library.Parameter()
        _library.call("entry", kind, index, ctypes.byref(entry))
        parameters = []
        for number in range(entry.parameter_count):
            _library.call("parameter", kind, index, number, ctypes.byref(parameter))
            parameters.append({field: getattr(parameter, field).decode() for field, _ in parameter._fields_})
        found.append({"name": entry.name.decode(), "title": entry.title.decode(), "detail": entry.detail.decode(),
                      "parameters": parameters})
    return found


def methods():
    """Direct methods ("kind": "skinning") and decompositions, each with its paper ("detail") and its parameters."""
    kinds = {"skinning": _library.SKINNING_METHODS, "decomposition": _library.DECOMPOSITION_METHODS}
    return [{"kind": name, **entry} for name, kind in kinds.items() for entry in _listed(kind)]


def generators():
    """What generate() makes, with parameters."""
    return _listed(_library.GENERATORS)


def metrics():
    """What measure() gives, in order; "detail" is the unit."""
    return _listed(_library.METRICS)


def backends():
    """Backends: "available", and "reason" where one is not."""
    found = []
    for entry in _listed(_library.BACKENDS):
        try:
            _library.call("backend_check", entry["name"].encode())
            found.append({**entry, "available": True, "reason": ""})
        except Unavailable as error:
            found.append({**entry, "available": False, "reason": str(error)})
    return found


def memory_limit(size_bytes):
    """Bounds what the library's arrays of this process may hold together; 0: the machine's memory."""
    _library.call("memory_limit", size_bytes)
