"""Reads result files (JSON Lines, results/formats.md) as tables, with a row for each record that counts."""
import json


def flatten(record, before=""):
    """Turns {"dataset": {"name": "bar"}} into {"dataset.name": "bar"}. Lists stay lists."""
    flat = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat.update(flatten(value, f"{before}{name}."))
        else:
            flat[before + name] = value
    return flat


def as_table(rows, frame=None):
    """Returns rows (dicts) as a pandas DataFrame. frame=None: stays a list of dicts without pandas; False: always does."""
    if frame is False:
        return rows
    try:
        import pandas
    except ImportError:
        if frame:
            raise
        return rows
    return pandas.DataFrame(rows)


def _with_headline(row):
    """Adds the headline of a timed row, which is the frame in file order: ns_per_vertex, and ratio_to_lbs with its interval."""
    for name, source in {"ns_per_vertex": "frame_ns_per_vertex.median", "ratio_to_lbs": "frame_ratio_to_lbs.median",
                         "ratio_low": "frame_ratio_to_lbs.interval_low", "ratio_high": "frame_ratio_to_lbs.interval_high"}.items():
        if f"timing.{source}" in row:
            row[name] = row[f"timing.{source}"]
    return row


def _member(record, name, kind, what):
    """Returns a member of a record, which must have the given type or be missing."""
    value = record.get(name)
    if value is not None and not isinstance(value, kind):
        raise ValueError(f"{name} is {value!r:.60}, expected {what}")
    return value


def _no_number(text):
    raise ValueError(f"{text} is no number of JSON")


def _read(line):
    """Returns the record in a line, a key that is equal for records of the same cell, and the hash of the run's
    environment, which tells machines apart."""
    record = json.loads(line.decode("utf-8"), parse_constant=_no_number)
    if not isinstance(record, dict) or record.get("schema") != 1:
        raise ValueError("no record of schema 1")
    if _member(record, "kind", str, "a text") == "environment":
        environment = _member(record, "environment", dict, "an object")
        if environment is None or not isinstance(environment.get("hash"), str):
            raise ValueError("an environment without a hash")
        _member(environment, "machine", str, "a text")
        return record, environment["hash"], None
    dataset = _member(record, "dataset", dict, "an object") or {}
    parts = [record.get(name) for name in ("kind", "method", "backend", "level", "parameters", "threads", "normals",
                                           "two_phase", "frames", "study", "table", "row")]
    key = json.dumps([dataset.get("sha256"), *parts], sort_keys=True)
    return record, key, _member(record, "environment", str, "a text")


def read_results(path, kind=None, frame=None):
    """Returns the records of a result file. If one machine has several records of a cell, only the last one counts.

    kind    "skinning", "decomposition", "study", "row", "noise", "peer" or "environment"; None: all but environments
    frame   None: returns a pandas DataFrame or, without pandas, a list of dicts; True: insists on a DataFrame, False on dicts

    Columns are those of the CSV files of `skinbench report` (dataset.sha256, timing.skin.median_s, ...), and for what was timed
    ns_per_vertex, ratio_to_lbs, ratio_low and ratio_high: a frame in file order, pose included, and its 95 % interval.

    A line that is not a record raises a ValueError that names the file and the line. A torn last line is ignored."""
    found, machines, cells = [], {}, {}
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            record, key, environment = _read(line)
            row = _with_headline(flatten(record))
        except (ValueError, RecursionError) as error:
            if number == len(lines):
                continue
            raise ValueError(f"{path}:{number}: {error}") from None
        if record.get("kind") == "environment":
            machines[key] = record["environment"].get("machine")
        if kind == record.get("kind") or (kind is None and record.get("kind") != "environment"):
            found.append((key, environment, row))
    for key, environment, row in found:
        cell = key, machines.get(environment, environment)
        cells.pop(cell, None)
        cells[cell] = row
    return as_table(list(cells.values()), frame)
