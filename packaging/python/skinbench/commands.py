"""Runs the commands of the program `skinbench` for what libskinbench does not do, and returns their results as tables.

A table is a pandas DataFrame or, without pandas, a list of dicts: rows of different commands and methods have different members,
texts beside numbers, which a structured array of NumPy cannot hold. `frame=True` insists on a DataFrame, `frame=False` on dicts."""
import json
import os
import subprocess
import tempfile

import numpy

from . import _library
from .results import as_table, flatten, read_results


def _option_words(options):
    """Converts backends=["scalar", "simd"], own_poses=True, set={"hemisphere": "first"} to words of the command line."""
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif isinstance(value, dict):
            for setting in _library.setting_words(value):
                yield from (option, setting)
        elif isinstance(value, (list, tuple)):
            yield from (option, ",".join(map(str, value)))
        else:
            yield from (option, os.fspath(value) if isinstance(value, os.PathLike) else str(value))


def _program(words, answers=(0,)):
    """Runs the program and returns the JSON objects that it printed. An exit code that is not among `answers` becomes an exception
    with the program's last message."""
    process = subprocess.Popen([_library.program_path(), *words, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL)
    try:
        printed, said = process.communicate()
    except BaseException:  # Ctrl-C: the program then ends within a second and leaves no unfinished file
        process.terminate()
        process.communicate()
        raise
    if process.returncode not in answers:
        text = (_library.text(said).strip().splitlines() or [f"skinbench {words[0]} ended with {process.returncode}"])[-1]
        raise _library.EXCEPTIONS.get(process.returncode, _library.Error)(process.returncode, text)
    return [json.loads(line) for line in printed.splitlines() if line.startswith(b"{")]


class _Files:
    """Turns data sets into files for the program: paths stay, a Dataset is saved in a temporary folder."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="skinbench-")
        self.count = 0
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def place(self, name):
        return os.path.join(self.folder.name, name)

    def frames(self, given):
        """A file with positions or normals: an array [F,N,3] is written, anything else is a path or a Dataset."""
        if not hasattr(given, "__array__"):
            return self.path(given)
        self.count += 1
        path = self.place(f"{self.count}.npy")
        numpy.save(path, numpy.asarray(given, numpy.float32))
        return path

    def path(self, given):
        if hasattr(given, "save"):
            self.count += 1
            path = self.place(f"{self.count}.h5")
            given.save(path)
            return path
        return os.path.abspath(os.fsdecode(_library.path(given, "a file")))  # never taken for an option


def run(command, *words, frame=None, **options):
    """Runs a command with --json and returns what it prints as a table: run("info", "rig.h5"), run("list", "methods").
    A Dataset among the words is passed as a file. Options are keyword arguments, with _ for -; a list is joined by commas, True
    is an option without a value, and set={...} gives the settings of a method."""
    with _Files() as files:
        given = [files.path(word) if hasattr(word, "save") else os.fspath(word) for word in words]
        return as_table([flatten(row) for row in _program([command, *given, *_option_words(options), "--json"])], frame)


class Advice:
    """What `skinbench advise` says about a rig: sentence, advised, rule and the other members of its JSON object, and the tables
    methods (loss of shape, cost as ratio_to_lbs with ratio_low and ratio_high, ns_per_vertex, fault, ...) and joints."""

    def __init__(self, found, frame):
        self.found = found
        self.methods = as_table([self._row(row) for row in found["methods"]], frame)
        self.joints = as_table([self._row(row) for row in found.get("joints", [])], frame)

    def _row(self, row):
        """A row with its interval as two numbers, and the rig it is about, so that tables of several rigs can be joined."""
        row = {"file": self.found.get("file"), **flatten(row)}
        low, high = row.pop("ratio_interval", None) or (None, None)
        return {**row, "ratio_low": low, "ratio_high": high} if "method" in row else row

    def __getattr__(self, name):
        try:
            return self.__dict__["found"][name]
        except KeyError:
            raise AttributeError(f"the advice has no {name!r}") from None

    def __repr__(self):
        return f"<skinbench.Advice: {self.found.get('sentence')}>"


def advise(rig, frame=None, **options):
    """Recommends a method for a rig: a Dataset, or any file that can be imported. Options are those of `skinbench advise`, such as
    budget="1.5x", own_poses=True, reference="elastic" or output="page"."""
    with _Files() as files:
        found, = _program(["advise", files.path(rig), *_option_words(options), "--json"])
    return Advice({**found, "file": None if hasattr(rig, "save") else os.fspath(rig)}, frame)


def import_(source, target=None, format=None, **options):
    """Imports a file, folder, pattern or archive like `skinbench import`, with its options (clip="Run", scale=0.01, fps=24).
    Returns the Dataset, and also writes it to `target` if that is given."""
    from . import Dataset
    with _Files() as files:
        path = files.place("imported.h5") if target is None else files.path(target)
        _program(["import", *([format] if format else []), files.path(source), *_option_words(options), "-o", path])
        return Dataset.load(path)


def bench(*rigs, output=None, kind=None, frame=None, **options):
    """Times methods on rigs like `skinbench bench`, with its options (methods=["lbs", "dqs"], backends=["simd"], bones=[10, 20],
    time_budget=5). Returns the records, as read_results does. `output` keeps them, and resumes what is there."""
    with _Files() as files:
        path = files.place("run.jsonl") if output is None else files.path(output)
        _program(["bench", *map(files.path, rigs), *_option_words(options), "-o", path])
        return read_results(path, kind, frame)


def table(name, *files_of_rigs, output=None, frame=None, **options):
    """Runs a published table like `skinbench table`, with its options (data="datasets", rows=[...]). Returns a row for each
    number, with `published` and `measured`. `output` keeps the records, and resumes what is there."""
    with _Files() as files:
        kept = [] if output is None else ["-o", files.path(output)]
        return as_table(_program(["table", name, *map(files.path, files_of_rigs), *_option_words(options), *kept, "--json"]), frame)


def measures(target, candidates, frame=None, **options):
    """Measures several candidates against a target, as measure does. `candidates` is a dict of Datasets or positions, such as
    {"lbs": skin(rig, "lbs"), "fit": fit(...).model}. Returns a row for each, with its name and a column for each metric."""
    from . import measure
    return as_table([{"candidate": name, **measure(target, each, **options)} for name, each in candidates.items()], frame)


def identify(rig, positions, normals=None, **options):
    """Says how an engine skinned the frames of a rig. `positions` and `normals` are arrays [F,N,3], Datasets or files. Returns what
    `skinbench identify --json` prints: identified, matches, variants (the nearest first) and, if none matches, departure."""
    with _Files() as files:
        given = [files.path(rig), files.frames(positions)]
        if normals is not None:
            given += ["--normals", files.frames(normals)]
        found, = _program(["identify", *given, *_option_words(options), "--json"], answers=(0, 1))
        return found


def fit_external(dataset, program, bones, **options):
    """Fits with another program: `program` is its description, a JSON file, or the name of one in the user's folder. Options are
    those of `skinbench fit`. Returns the model as a Dataset, and what `skinbench fit --json` prints, with the member `external`."""
    from . import Dataset
    with _Files() as files:
        path, program = files.place("model.h5"), os.fspath(program)
        found, = _program(["fit", files.path(dataset), "--external", program, "--bones", str(bones), *_option_words(options), "-o", path,
                           "--json"])
        return Dataset.load(path), found
