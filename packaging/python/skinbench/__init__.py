"""Skeletal skinning and decomposition of animated meshes with libskinbench: load, skin, fit and measure.

Arrays are NumPy arrays. The arrays of a Dataset are read-only views of the library's memory and keep it alive.
Their shapes are given with N vertices, T triangles, F frames, P joints, K influence slots per vertex and rank r.
"""
import ctypes
import tempfile

import numpy

from . import _library
from ._library import BadInput, CheckFailed, Error, MachineError, Stopped, Unavailable, UsageError
from .commands import Advice, advise, bench, fit_external, identify, import_, measures, run, table
from .results import as_table, read_results

__all__ = ["Advice", "BadInput", "CheckFailed", "Dataset", "Error", "Fit", "MachineError", "Skinner", "Stopped", "Unavailable",
           "UsageError", "advise", "backends", "bench", "convert", "fit", "fit_external", "generate", "generators",
           "identify", "import_", "load", "measure",
           "measures", "methods", "memory_limit", "metrics", "read_results", "run", "score", "scores", "skin", "table"]

__version__ = _library.library.skinbench_version().decode()

# The type of each array of a data set, and its shape in terms of the counts in the C structure.
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
    """Memory of a data set, for NumPy. An array made from it keeps the data set alive."""

    def __init__(self, owner, address, dtype, shape):
        self.owner = owner
        self.__array_interface__ = {"version": 3, "data": (address, True), "shape": shape,
                                    "typestr": numpy.dtype(dtype).str}


def _counted(arrays, extent):
    if extent == "model_rows":
        return 3 * arrays.model_frame_count
    return getattr(arrays, extent) if isinstance(extent, str) else extent


class Dataset:
    """A mesh and, if the data set has them, an animation, a rig and a low-rank model.

    Its arrays are rest [N,3], triangles [T,3], original_vertices [N] (the number of each vertex in the original order),
    positions and normals [F,N,3], parents [P], joint_rest [P,3,4], transforms [F,P,3,4], scale [F,P,3,3], weight_joints
    and weights [N,K], centers [N,3], basis [3F,r] and coefficients [r,N]. Each is a view, or None if the data set does
    not have it. joint_names is a list. name, title, source and license are texts; fps is the frame rate."""

    def __init__(self, handle):
        if not isinstance(handle, ctypes.c_void_p):
            raise TypeError("a Dataset is made by load, generate, fit or Dataset.from_arrays")
        self._handle = handle
        self._arrays = _library.call("dataset_arrays", handle)

    def __del__(self):
        if self.__dict__.get("_handle"):
            _library.library.skinbench_dataset_free(self.__dict__.pop("_handle"))

    def __reduce__(self):
        """Makes copy, deepcopy and pickle create another data set, by way of a file, which also has attributes and clips."""
        with tempfile.TemporaryDirectory() as folder:
            self.save(f"{folder}/copy.h5")
            with open(f"{folder}/copy.h5", "rb") as file:
                return _remade, (file.read(),)

    @classmethod
    def _made(cls, by, *arguments):
        handle = ctypes.c_void_p()
        by(*arguments, ctypes.byref(handle))
        return cls(handle)

    @classmethod
    def load(cls, path):
        """Reads a data set file."""
        return cls._made(_library.call, "dataset_read", _library.path(path, "path"))

    @classmethod
    def from_arrays(cls, rest, triangles=None, *, joint_names=None, name="", title="", source="", license="", fps=0.0,
                    **arrays):
        """Copies arrays with the names and shapes above into a data set. A rig needs weight_joints and weights. It may
        also have transforms, parents (default: every joint is a root), joint_rest (default: the identity), scale,
        centers and joint_names."""
        if rest is None:
            raise TypeError("rest is None, expected an array [N,3]")
        arrays.update(rest=rest, triangles=triangles)
        unknown = set(arrays) - set(_ARRAYS)
        if unknown:
            raise TypeError(f"a data set has no array {sorted(unknown)}")
        given = _library.Arrays(name=_library.word(name, "name"), title=_library.word(title, "title"),
                                source=_library.word(source, "source"), license=_library.word(license, "license"),
                                fps=_library.real(fps, "fps"))
        counts, kept = {}, []
        for key, (dtype, shape) in _ARRAYS.items():
            if arrays.get(key) is None:
                continue
            array = _library.array(arrays[key], key, dtype, shape)
            for extent, expected in zip(array.shape, shape):
                if (counts.setdefault(expected, extent) if isinstance(expected, str) else expected) != extent:
                    raise ValueError(f"{key} has the shape {array.shape}, expected {shape}, of which {counts} are known")
            kept.append(array)
            setattr(given, key, array.ctypes.data)
        if arrays.get("weight_joints") is not None and "joint_count" not in counts:
            counts["joint_count"] = (_library.integer(numpy.max(arrays["weight_joints"], initial=-1), "weight_joints",
                                                      -1, 2 ** 31 - 2) + 1 if joint_names is None else len(joint_names))
        rows = counts.pop("model_rows", 0)
        if rows % 3:
            raise ValueError(f"basis has {rows} rows, expected 3 for each frame")
        given.model_frame_count = rows // 3
        for count, value in counts.items():
            setattr(given, count, value)
        if joint_names is not None:
            if len(joint_names) != given.joint_count:
                raise ValueError(f"{len(joint_names)} joint_names for {given.joint_count} joints")
            given.joint_names = (ctypes.c_char_p * max(len(joint_names), 1))(
                *(_library.word(n, f"joint_names[{j}]") for j, n in enumerate(joint_names)))
        return cls._made(_library.call, "dataset_create", ctypes.byref(given))

    def save(self, path):
        """Writes a data set file. Replaces an existing file of that name, unless that file has been read."""
        _library.call("dataset_write", self._handle, _library.path(path, "path"))

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
        """Draws a frame, or the rest pose if there are no positions, with matplotlib. Returns the axes."""
        points = self.rest if self.positions is None else self.positions[frame]
        if axes is None:
            from matplotlib import pyplot  # needed only here
            axes = pyplot.figure().add_subplot(projection="3d")
        x, y, z = points.T
        axes.plot_trisurf(x, -z, y, triangles=self.triangles)  # y is up
        axes.set_box_aspect([numpy.ptp(x), numpy.ptp(z), numpy.ptp(y)])
        return axes

    def __repr__(self):
        a = self._arrays
        return (f"<skinbench.Dataset {self.name!r}: {a.vertex_count} vertices, {a.triangle_count} triangles, "
                f"{a.frame_count} frames, {a.joint_count} joints in {a.pose_count} poses, rank {a.rank}>")


def _remade(contents):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/copy.h5", "wb") as file:
            file.write(contents)
        return load(f"{folder}/copy.h5")


def _dataset(given, name):
    if not isinstance(given, Dataset):
        raise TypeError(f"{name} is {given!r:.100}, expected a Dataset")
    return given._handle


load = Dataset.load


def generate(name, progress=None, **settings):
    """Generates a data set, as in generate("walk", vertices=2000). generators() lists the names. Write _ for - in the
    names of settings."""
    values, count = _library.settings(settings)
    reporter = _library.Reporter(progress)
    return Dataset._made(reporter.call, "dataset_generate", _library.word(name, "name"), values, count,
                         ctypes.byref(reporter.structure))


def convert(source, target, rest=None, progress=None):
    """Converts a file, folder, pattern or archive of another format to a data set file, like `skinbench import`."""
    reporter = _library.Reporter(progress)
    reporter.call("import", _library.path(source, "source"), None if rest is None else _library.path(rest, "rest"),
                  ctypes.byref(reporter.structure), _library.path(target, "target"))


class Skinner:
    """A direct method bound to the rig of a data set. It is bound once and then skins any number of poses. Threads may
    share a Skinner and then take turns. It cannot be copied or pickled."""

    def __init__(self, dataset, method, backend="simd", threads=0, normals=False, two_phase=False, **settings):
        values, count = _library.settings(settings)
        options = _library.SkinOptions(_library.word(method, "method"), _library.word(backend, "backend"), values, count,
                                       _library.integer(threads, "threads"), bool(normals), bool(two_phase))
        handle = ctypes.c_void_p()
        _library.call("skinner_create", _dataset(dataset, "dataset"), ctypes.byref(options), ctypes.byref(handle))
        self.dataset, self.normals, self._handle = dataset, bool(normals), handle

    def __del__(self):
        if self.__dict__.get("_handle"):
            _library.library.skinbench_skinner_free(self.__dict__.pop("_handle"))

    def __reduce__(self):
        raise TypeError("a Skinner can be neither copied nor pickled: make another of its data set")

    def _output(self, out, frames):
        shape = (frames, self.dataset._arrays.vertex_count, 3)
        if out is None:
            return numpy.empty(shape, "float32")
        if not isinstance(out, numpy.ndarray):
            raise TypeError(f"out is {out!r:.100}, expected an array")
        if out.shape != shape or out.dtype != numpy.float32 or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"out is {out.dtype} {out.shape}, expected writable, contiguous float32 {shape}")
        return out

    def _skin(self, name, frames, out, *arguments):
        positions = self._output(out, frames)
        normals = self._output(None, frames) if self.normals else None
        _library.call(name, self._handle, *arguments, positions.ctypes.data, normals.ctypes.data if self.normals else None)
        return (positions, normals) if self.normals else positions

    def frames(self, first=0, count=None, out=None):
        """Skins frames of the rig. Returns the positions [F,N,3] in float32, which are written to `out` if it is given.
        Returns a pair of positions and normals if the Skinner has normals."""
        poses = self.dataset._arrays.pose_count
        first = _library.integer(first, "first", 0, poses)
        count = poses - first if count is None else _library.integer(count, "count", 0, poses - first)
        return self._skin("skin_frames", count, out, first, count)

    def poses(self, transforms, scale=None, out=None):
        """Skins the caller's poses, with transforms [F,P,3,4], or [P,3,4] for one pose, and scale [F,P,3,3]. Returns
        arrays like frames()."""
        joints = self.dataset._arrays.joint_count
        transforms = _library.array(transforms, "transforms", "float64", None)
        transforms = transforms[None] if transforms.ndim == 3 else transforms
        if transforms.ndim != 4 or transforms.shape[1:] != (joints, 3, 4):
            raise ValueError(f"transforms have the shape {transforms.shape}, expected [F, {joints}, 3, 4]")
        if scale is not None:
            scale = _library.array(scale, "scale", "float64", ("F", joints, 3, 3))
            if scale.shape != (len(transforms), joints, 3, 3):
                raise ValueError(f"scale has the shape {scale.shape}, expected {(len(transforms), joints, 3, 3)}")
        return self._skin("skin_poses", len(transforms), out, transforms.ctypes.data,
                          None if scale is None else scale.ctypes.data, len(transforms))


def skin(dataset, method, transforms=None, out=None, **options):
    """Skins all frames of a rig, or the caller's poses, with a direct method. Returns the positions [F,N,3]. The
    options are those of Skinner."""
    skinner = Skinner(dataset, method, **options)
    return skinner.frames(out=out) if transforms is None else skinner.poses(transforms, out=out)


class Fit:
    """Result of a fit: model (a Dataset), bones, iterations, end, e_rms, kg_percent, total_s and size_bytes. errors
    (E_RMS) and elapsed_s have a value for the initial model and one for each iteration. notes says how the rest pose
    and the frames contradict each other, and diagnosis why the error of a poor fit is large; both may be ""."""

    def __init__(self, model, report):
        self.model = model
        for name in ("bones", "iterations", "e_rms", "kg_percent", "total_s", "size_bytes"):
            setattr(self, name, getattr(report, name))
        self.end, self.notes, self.diagnosis = (text.decode() for text in (report.end, report.notes, report.diagnosis))
        for name in ("errors", "elapsed_s"):
            setattr(self, name, numpy.array(getattr(report, name)[:report.iterations + 1]))

    def sweeps(self, frame=None):
        """Returns a table with a row for the initial model and one for each iteration: E_RMS and seconds elapsed."""
        return as_table([{"iteration": i, "e_rms": float(error), "elapsed_s": float(elapsed)}
                         for i, (error, elapsed) in enumerate(zip(self.errors, self.elapsed_s))], frame)

    def __repr__(self):
        return f"<skinbench.Fit: {self.bones} bones, E_RMS {self.e_rms:.6g}, {self.iterations} sweeps, {self.end}>"


def fit(dataset, method, bones=0, error=0.0, influences=0, iterations=None, time_limit_s=0.0, holdout=0, seed=1,
        threads=0, keep_stopped=False, progress=None, **settings):
    """Fits a model to the positions of a data set. progress(what, share) may return True to stop the fit, which then
    raises Stopped or, with keep_stopped, returns the best model so far. progress=True prints the progress. The other
    arguments are described in skinbench.h."""
    values, count = _library.settings(settings)
    reporter = _library.Reporter(progress)
    sweeps = 0 if iterations is None else _library.integer(iterations, "iterations", 0) or -1
    options = _library.FitOptions(
        _library.word(method, "method"), _library.integer(bones, "bones"), _library.real(error, "error"),
        _library.integer(influences, "influences"), sweeps, _library.real(time_limit_s, "time_limit_s"),
        _library.integer(holdout, "holdout"), _library.integer(seed, "seed", 0, 2 ** 64 - 1), values, count,
        _library.integer(threads, "threads"), bool(keep_stopped), ctypes.pointer(reporter.structure))
    animation = _dataset(dataset, "dataset")
    report = _library.FitReport()
    try:
        model = Dataset._made(lambda *a: reporter.call(*a, ctypes.byref(report)), "fit", animation,
                              ctypes.byref(options))
        if reporter.raised:
            raise reporter.raised
        return Fit(model, report)
    finally:
        _library.library.skinbench_fit_report_clear(ctypes.byref(report))


def measure(target, candidate, threads=0, distances=False):
    """Compares a candidate (a Dataset, or positions [F,N,3]) with a target that has positions. Returns the metrics by
    name or, with distances=True, a pair of the metrics and the distance of every vertex in every frame [F,N]."""
    names = [entry["name"] for entry in metrics()]
    handle, threads = _dataset(target, "target"), _library.integer(threads, "threads")
    values = numpy.empty(len(names))
    each = numpy.empty((target._arrays.frame_count, target._arrays.vertex_count), "float32") if distances else None
    outputs = (values.ctypes.data, len(values), each.ctypes.data if distances else None)
    if isinstance(candidate, Dataset):
        _library.call("measure", handle, candidate._handle, threads, *outputs)
    else:
        positions = _library.array(candidate, "candidate", "float32", ("F", target._arrays.vertex_count, 3))
        if positions.shape[1:] != (target._arrays.vertex_count, 3):
            raise ValueError(f"positions have the shape {positions.shape}, expected [F, "
                             f"{target._arrays.vertex_count}, 3]")
        _library.call("measure_positions", handle, positions.ctypes.data, len(positions), threads, *outputs)
    result = dict(zip(names, values.tolist()))
    return (result, each) if distances else result


def score(predicted, truth, **settings):
    """Compares a predicted rig with a true one, both Datasets. Returns the scores by name, nan where the variant has none.
    Settings are the parameters of scores(), such as variant="puppeteer"."""
    values, count = _library.settings(settings)
    names = [entry["name"] for entry in scores()]
    found = numpy.empty(len(names))
    _library.call("score", _dataset(predicted, "predicted"), _dataset(truth, "truth"), values, count, found.ctypes.data,
                  len(found))
    return dict(zip(names, found.tolist()))


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
    """Returns the direct methods ("kind": "skinning") and decompositions, each with its paper ("detail") and its
    parameters."""
    kinds = {"skinning": _library.SKINNING_METHODS, "decomposition": _library.DECOMPOSITION_METHODS}
    return [{"kind": name, **entry} for name, kind in kinds.items() for entry in _listed(kind)]


def generators():
    """Returns the data sets that generate() can make, with their parameters."""
    return _listed(_library.GENERATORS)


def metrics():
    """Returns the metrics that measure() computes, in their order. "detail" is the unit."""
    return _listed(_library.METRICS)


def scores():
    """Returns the numbers that score() computes, in their order, with the parameters that they depend on."""
    return _listed(_library.SCORES)


def backends():
    """Returns the backends. "available" says whether a backend can run here, and "reason" why it cannot."""
    found = []
    for entry in _listed(_library.BACKENDS):
        try:
            _library.call("backend_check", entry["name"].encode())
            found.append({**entry, "available": True, "reason": ""})
        except Unavailable as error:
            found.append({**entry, "available": False, "reason": str(error)})
    return found


def memory_limit(size_bytes):
    """Limits the total size of the library's arrays in this process. 0 sets the limit to the machine's memory."""
    _library.call("memory_limit", _library.integer(size_bytes, "size_bytes", 0, 2 ** 63 - 1))
