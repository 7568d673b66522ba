"""Loads libskinbench with ctypes, declares the types and functions of skinbench.h, and turns failures into exceptions."""
import ctypes
import ctypes.util
import math
import operator
import os
import pathlib
import shutil
import sys
from ctypes import POINTER, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_size_t, c_uint64, c_void_p

import numpy

SKINNING_METHODS, DECOMPOSITION_METHODS, GENERATORS, BACKENDS, METRICS, SCORES = range(6)


class Error(Exception):
    """A failure, with the library's message. `code` is the exit code with which the program would end."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code


class CheckFailed(Error):
    """A method's result is not finite, or no number of bones reaches the requested error."""


class UsageError(Error, ValueError):
    """Arguments that make no sense."""


class BadInput(Error, ValueError):
    """A file or its values are damaged or impossible."""


class Unavailable(Error):
    """A device or library is missing."""


class MachineError(Error, MemoryError):
    """The system ran out of memory or disk space, or another of its services failed."""


class Stopped(Error):
    """The progress function asked to stop."""


EXCEPTIONS = {1: CheckFailed, 2: UsageError, 3: BadInput, 4: Unavailable, 5: MachineError, 130: Stopped}


class Status(ctypes.Structure):
    _fields_ = [("code", c_int), ("text", c_char * 512)]


REPORT = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_double)


class Progress(ctypes.Structure):
    _fields_ = [("report", REPORT), ("context", c_void_p)]


class Entry(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("detail", c_char_p), ("parameter_count", c_int)]


class Parameter(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("meaning", c_char_p), ("type", c_char_p), ("default", c_char * 64),
                ("range", c_char * 256)]


class Arrays(ctypes.Structure):
    _fields_ = (
        [(name, c_char_p) for name in ("name", "title", "source", "license")]
        + [("fps", c_double)]
        + [(name, c_int) for name in ("vertex_count", "triangle_count", "frame_count", "joint_count", "pose_count",
                                      "influence_count", "rank", "model_frame_count")]
        + [(name, c_void_p) for name in ("rest", "triangles", "original_vertices", "positions", "normals")]
        + [("joint_names", POINTER(c_char_p))]
        + [(name, c_void_p) for name in ("parents", "joint_rest", "transforms", "scale", "weight_joints", "weights",
                                         "centers", "basis", "coefficients")]
    )


class SkinOptions(ctypes.Structure):
    _fields_ = [("method", c_char_p), ("backend", c_char_p), ("settings", POINTER(c_char_p)), ("setting_count", c_int),
                ("threads", c_int), ("normals", c_int), ("two_phase", c_int)]


class FitOptions(ctypes.Structure):
    _fields_ = [("method", c_char_p), ("bones", c_int), ("error", c_double), ("influences", c_int),
                ("iterations", c_int), ("time_limit_s", c_double), ("holdout", c_int), ("seed", c_uint64),
                ("settings", POINTER(c_char_p)), ("setting_count", c_int), ("threads", c_int),
                ("keep_stopped", c_int), ("progress", POINTER(Progress))]


class FitReport(ctypes.Structure):
    _fields_ = [("bones", c_int), ("iterations", c_int), ("end", c_char_p), ("e_rms", c_double),
                ("kg_percent", c_double), ("total_s", c_double), ("size_bytes", c_size_t),
                ("errors", POINTER(c_double)), ("elapsed_s", POINTER(c_double)),
                ("notes", ctypes.c_char * 1024), ("diagnosis", ctypes.c_char * 512)]


# Result and argument types of the functions, in the order of skinbench.h. Handles are c_void_p.
OUT = POINTER(c_void_p)
FUNCTIONS = {
    "version": (c_char_p,),
    "memory_limit": (None, c_size_t),
    "memory_live": (c_size_t,),
    "count": (c_int, c_int),
    "entry": (c_int, c_int, c_int, POINTER(Entry)),
    "index": (c_int, c_int, c_char_p),
    "parameter": (c_int, c_int, c_int, c_int, POINTER(Parameter)),
    "backend_check": (Status, c_char_p),
    "dataset_read": (Status, c_char_p, OUT),
    "dataset_write": (Status, c_void_p, c_char_p),
    "dataset_create": (Status, POINTER(Arrays), OUT),
    "dataset_generate": (Status, c_char_p, POINTER(c_char_p), c_int, POINTER(Progress), OUT),
    "import": (Status, c_char_p, c_char_p, POINTER(Progress), c_char_p),
    "dataset_arrays": (Arrays, c_void_p),
    "dataset_free": (None, c_void_p),
    "skinner_create": (Status, c_void_p, POINTER(SkinOptions), OUT),
    "skin_frames": (Status, c_void_p, c_int, c_int, c_void_p, c_void_p),
    "skin_poses": (Status, c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p),
    "skinner_free": (None, c_void_p),
    "fit": (Status, c_void_p, POINTER(FitOptions), OUT, POINTER(FitReport)),
    "fit_report_clear": (None, POINTER(FitReport)),
    "measure": (Status, c_void_p, c_void_p, c_int, c_void_p, c_int, c_void_p),
    "score": (Status, c_void_p, c_void_p, POINTER(c_char_p), c_int, c_void_p, c_int),
    "measure_positions": (Status, c_void_p, c_void_p, c_int, c_int, c_void_p, c_int, c_void_p),
}


def find():
    """Returns the file of the library: the one that $SKINBENCH_LIBRARY names, else one beside this module, else
    one where the system looks."""
    named = os.environ.get("SKINBENCH_LIBRARY")
    if named:
        return named
    for beside in ("libskinbench.so.0", "native/lib/libskinbench.so.0"):  # the second in a wheel of scripts/bundle
        path = pathlib.Path(__file__).parent / beside
        if path.exists():
            os.environ.setdefault("SKINBENCH_KERNELS", str(path.parent.parent / "share/skinbench/kernels"))
            return str(path)
    return ctypes.util.find_library("skinbench") or "libskinbench.so.0"


def program_path():
    """Returns the file of the program: the one that $SKINBENCH_PROGRAM names, else a wheel's, else the one in PATH."""
    inside = pathlib.Path(__file__).parent / "native/bin/skinbench"
    found = os.environ.get("SKINBENCH_PROGRAM") or (str(inside) if inside.exists() else shutil.which("skinbench"))
    if not found:
        raise Unavailable(4, "the program skinbench is not in PATH; SKINBENCH_PROGRAM may name its file")
    return found


def program():
    """The command `skinbench` of a wheel. Runs the program in the wheel in place of this process."""
    path = pathlib.Path(__file__).parent / "native/bin/skinbench"
    os.execv(path, ["skinbench", *sys.argv[1:]])


def load():
    try:
        library = ctypes.CDLL(find())
    except OSError as error:
        raise ImportError(f"libskinbench cannot be loaded ({error}); SKINBENCH_LIBRARY may name its file") from error
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, "skinbench_" + name)
        function.restype, function.argtypes = result, arguments
    return library


library = load()


def call(name, *arguments):
    """Calls skinbench_<name>; a status that is not OK becomes an exception."""
    result = getattr(library, "skinbench_" + name)(*arguments)
    if isinstance(result, Status) and result.code != 0:
        raise EXCEPTIONS.get(result.code, Error)(result.code, text(result.text))
    return result


def text(given):
    """Decodes a text of the library. Bytes that are not valid UTF-8, as in names from files, are escaped."""
    return given.decode("utf-8", "backslashreplace")


# Arguments are checked here, because ctypes would cut integers to 32 bits and texts at their first NUL.

def integer(value, name, least=-2 ** 31, most=2 ** 31 - 1):
    """Returns a Python or NumPy integer as an int, after checking its bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected an integer") from None
    if not least <= number <= most:
        raise ValueError(f"{name} is {number}, expected {least} to {most}")
    return number


def real(value, name):
    """Returns a finite number as a float."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} is {value!r}, expected a number")
    try:
        number = float(value)
    except (TypeError, OverflowError):
        raise TypeError(f"{name} is {value!r}, expected a number") from None
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}, expected a finite number")
    return number


def word(value, name):
    """Returns a text as UTF-8."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is {value!r}, expected a text")
    if "\0" in value:
        raise ValueError(f"{name} is {value!r}, which holds a NUL")
    return value.encode()


def path(value, name):
    """Returns the name of a file as bytes."""
    try:
        encoded = os.fsencode(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}, expected a path") from None
    if b"\0" in encoded:
        raise ValueError(f"{name} is {value!r}, which holds a NUL")
    return encoded


def array(given, name, dtype, shape):
    """Returns a contiguous array of numbers with as many dimensions as `shape`, or any number if it is None. Copies the
    array only if necessary. Integers must fit in 32 bits, and other numbers must be finite."""
    try:
        found = numpy.asarray(given)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: {error}") from None
    integers = dtype == "int32"
    if found.size and found.dtype.kind not in ("iu" if integers else "iuf"):
        raise ValueError(f"{name} holds {found.dtype}, expected {'integers' if integers else 'numbers'}")
    if shape is not None and found.ndim != len(shape):
        raise ValueError(f"{name} has the shape {found.shape}, expected {shape}")
    with numpy.errstate(over="ignore"):
        made = numpy.ascontiguousarray(found, dtype)
    wrong = made != found if integers else ~numpy.isfinite(made)
    if wrong.any():
        place = tuple(int(i) for i in numpy.argwhere(wrong)[0])
        raise ValueError(f"{name}{list(place)} is {found[place]}, expected "
                         f"{'an integer of 32 bits' if integers else f'a finite {dtype}'}")
    return made


def setting_words(values):
    """Converts settings such as {"hemisphere": "first"} to texts "name=value"."""
    words = {True: "yes", False: "no"}
    return [f"{name.replace('_', '-')}={words[value] if isinstance(value, bool) else value}" for name, value in values.items()]


def settings(values):
    """Returns the array of settings that the library's functions expect, and its length."""
    items = [word(text, name) for name, text in zip(values, setting_words(values))]
    return (c_char_p * max(len(items), 1))(*items), len(items)


def show_progress(what, share):
    """Prints the progress for progress=True: one line in a terminal or below a notebook's cell."""
    print(f"\r{what}: {100 * share:3.0f} %", end="\n" if share >= 1 else "", file=sys.stderr, flush=True)


class Reporter:
    """Lets the library call a progress function in Python. An exception in that function stops the work and is raised
    again afterwards. So is KeyboardInterrupt, because Python checks for interrupts during each call."""

    def __init__(self, function):
        self.function, self.raised = show_progress if function is True else function, None
        self.structure = Progress(REPORT(self.report), None)

    def report(self, _context, what, share):
        try:
            stop = self.function(what.decode(), share) if self.function and what is not None else False
            return 1 if stop else 0
        except BaseException as error:  # it must not pass through C
            self.raised = error
            return 1

    def call(self, name, *arguments):
        try:
            return call(name, *arguments)
        except Stopped:
            if self.raised:
                raise self.raised from None
            raise
