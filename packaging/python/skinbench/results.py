"""Result files (JSON Lines, results/README.md) as tables: a row for each record that counts, columns by place."""
import json


def _flatten(record, before=""):
    """{"dataset": {"name": "bar"}} as {"dataset.name": "bar"}; lists stay lists."""
    flat = {}
    for name, value in record.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{before}{name}."))
        else:
            flat[before + name] = value
    return flat


def _cell(record, machines):
    """What makes two records the same cell on the same machine."""
    dataset = record.get("dataset") or {}
    parts = [record.get(name) for name in ("kind", "method", "backend", "level", "parameters", "threads", "normals",
                                           "two_phase", "frames", "study", "table", "row")]
    machine = machines.get(record.get("environment"), record.get("environment"))
    return json.dumps([dataset.get("sha256"), machine, *parts], sort_keys=True)


def read_results(path, kind=None, frame=True):
    """The records of a result file that count: of several of one cell on one machine the last one.

    kind    "skinning", "decomposition", "study", "row", "noise", "peer" or "environment"; None: all but environments
    frame   a pandas DataFrame with the columns that `skinbench report` gives its CSV (dataset.sha256,
            timing.skin.median_s, ...); False: a list of dicts

    A line that is no record is a ValueError that names it, but for a torn last one."""
    records, machines, cells = [], {}, {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                continue
            raise ValueError(f"{path}:{number}: {error}") from None
        if not isinstance(record, dict) or record.get("schema") != 1:
            raise ValueError(f"{path}:{number}: no record of schema 1")
        if record.get("kind") == "environment":
            environment = record.get("environment")
            if not isinstance(environment, dict):
                raise ValueError(f"{path}:{number}: an environment that says nothing")
            machines[environment.get("hash")] = environment.get("machine")
        if kind == record.get("kind") or (kind is None and record.get("kind") != "environment"):
            records.append(record)
    for record in records:
        key = _cell(record, machines) if kind != "environment" else json.dumps(record["environment"].get("hash"))
        cells.pop(key, None)
        cells[key] = record
    rows = [_flatten(record) for record in cells.values()]
    if not frame:
        return rows
    import pandas
    return pandas.DataFrame(rows)
