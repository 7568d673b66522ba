"""An independent implementation of the scores, in NumPy by brute force, on random rigs in RigNet's text.

  score_reference.py make FOLDER SEED      writes truth/NAME.txt, predicted/NAME.txt, their meshes, and poses.json
  score_reference.py compare FOLDER        reads FOLDER/VARIANT.jsonl, and FOLDER/poses.jsonl, which is rignet in the
                                           poses of poses.json, and fails if a score differs
"""
import itertools
import json
import pathlib
import sys

import numpy

POSES, ANGLE, SEED = 10, 60, 1  # the random poses
VARIANTS = ("rignet", "exact", "magicarticulate", "puppeteer", "unirig", "nbs", "anymate")


def rig_read(path):
    names, places, parents, rows = [], [], {}, []
    for words in (line.split() for line in path.read_text().splitlines()):
        if words and words[0] == "joints":
            names.append(words[1])
            places.append([float(word) for word in words[2:]])
        elif words and words[0] == "hier":
            parents[words[2]] = words[1]
        elif words and words[0] == "skin":
            rows.append({words[i]: float(words[i + 1]) for i in range(2, len(words), 2)})
    weights = numpy.array([[row.get(name, 0.0) for name in names] for row in rows])
    weights = (weights / weights.sum(1, keepdims=True)).astype("float32").astype("float64")
    vertices = numpy.array([[float(word) for word in line.split()[1:]]
                            for line in path.with_suffix(".obj").read_text().splitlines() if line.startswith("v ")])
    return (numpy.array(places), [names.index(parents[name]) if name in parents else -1 for name in names],
            weights, vertices.astype("float32").astype("float64"))


def make(folder, seed):
    random = numpy.random.default_rng(seed)
    for kind in ("truth", "predicted"):
        (folder / kind).mkdir()
    for rig in range(4):
        joints, vertices = int(random.integers(4, 8)), int(random.integers(30, 60))
        points = random.uniform(-1, 1, (vertices, 3)) * (1.0, 0.4, 2.0)
        places = random.uniform(-0.8, 0.8, (joints, 3)) * (1.0, 0.3, 1.5)
        places[-1] = places[-2] + 0.004  # merged by a clean-up
        parents = [-1] + [int(random.integers(0, j)) for j in range(1, joints)]
        weights = random.uniform(0, 1, (vertices, joints)) ** 6
        for kind in ("truth", "predicted"):
            if kind == "predicted":
                places = places + random.normal(0, 0.03, places.shape)
                weights = weights * random.uniform(0.3, 1.0, weights.shape) + 0.0008 * random.uniform(0, 1, weights.shape)
            weights = weights / weights.sum(1, keepdims=True)
            lines = [f"joints j{j} {x:.8f} {y:.8f} {z:.8f}" for j, (x, y, z) in enumerate(places)] + ["root j0"]
            for vertex, row in enumerate(weights):
                lines.append(f"skin {vertex} " + " ".join(f"j{j} {w:.6f}" for j, w in enumerate(row) if w >= 5e-7))
            lines += [f"hier j{parent} j{j}" for j, parent in enumerate(parents) if parent >= 0]
            (folder / kind / f"rig{rig}.txt").write_text("\n".join(lines) + "\n")
            (folder / kind / f"rig{rig}.obj").write_text("".join(f"v {x:.8f} {y:.8f} {z:.8f}\n" for x, y, z in points))
    poses = [{f"j{j}": random.normal(size=3).tolist() for j in random.permutation(4)[:pose]} for pose in range(4)]
    (folder / "poses.json").write_text(json.dumps(poses))


def splitmix(state):
    """SplitMix64, as numbers in [-1, 1)."""
    while True:
        state = (state + 0x9e3779b97f4a7c15) % 2**64
        z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9 % 2**64
        z = (z ^ z >> 27) * 0x94d049bb133111eb % 2**64
        yield ((z ^ z >> 31) >> 11) / 2**52 - 1


def turn(vector):
    """The rotation matrix of a rotation vector: Rodrigues."""
    angle = numpy.linalg.norm(vector)
    x, y, z = numpy.asarray(vector) / max(angle, 1e-300)
    cross = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * cross + (1 - numpy.cos(angle)) * cross @ cross


def skin(places, parents, weights, vertices, turns):
    """Linear blending, where C_j = C_parent T(a_j) R_j T(-a_j)."""
    frames = []
    for place, parent, vector in zip(places, parents, turns):
        own = numpy.eye(4)
        own[:3, :3] = turn(vector)
        own[:3, 3] = place - own[:3, :3] @ place
        frames.append(frames[parent] @ own if parent >= 0 else own)
    return numpy.einsum("vj,jik,vk->vi", weights, numpy.array(frames), numpy.c_[vertices, numpy.ones(len(vertices))])[:, :3]


def deformations(predicted, truth, poses):
    """Mean, greatest and worst distance of the skins in poses [N, J, 3]."""
    off = [numpy.linalg.norm(skin(*predicted, turns) - skin(*truth, turns), axis=1) for turns in poses]
    edge = (truth[3].max(0) - truth[3].min(0)).max()
    return {"deformation_mean": numpy.mean(off) / edge, "deformation_max": numpy.max(off, axis=1).mean() / edge,
            "deformation_worst": numpy.max(off) / edge}


def clean(places, bones):
    """Joints and bones of the clean-up, and the root, which is joint 0 at first."""
    group = list(range(len(places)))
    taken = [False] * len(places)
    for j in range(len(places)):
        if taken[j]:
            continue
        members = [k for k in range(j, len(places))
                   if not taken[k] and (k == j or numpy.linalg.norm(places[k] - places[j]) < 0.0025)]
        for k in members:
            taken[k], group[k] = True, 0 if 0 in members else j
    bones = {frozenset((group[a], group[b])) for a, b in bones if group[a] != group[b]}
    used = {0} | {joint for bone in bones for joint in bone}
    places = {joint: places[joint] for joint in used}
    while True:
        component = {joint: joint for joint in places}
        for _ in places:
            for bone in bones:
                low = min(component[joint] for joint in bone)
                for joint in bone:
                    component[joint] = low
        apart = [(numpy.linalg.norm(places[a] - places[b]), a, b)
                 for a, b in itertools.combinations(sorted(places), 2) if component[a] != component[b]]
        if not apart:
            order = sorted(places)
            return (numpy.array([places[joint] for joint in order]),
                    [tuple(sorted(order.index(joint) for joint in bone)) for bone in bones])
        distance, a, b = min(apart)
        if distance >= 0.02:
            bones.add(frozenset((a, b)))
        else:
            bones = {frozenset(a if joint == b else joint for joint in bone) for bone in bones}
            bones = {bone for bone in bones if len(bone) == 2}
            del places[b]


def nearest(a, b):
    return numpy.linalg.norm(a[:, None] - b[None], axis=2).min(1)


def to_segment(p, a, b):
    along = b - a
    share = numpy.clip((p - a) @ along / max(along @ along, 1e-300), 0, 1)
    return numpy.linalg.norm(p - a - share * along)


def between(a, b, c, d):
    """Least distance of two segments, by minimising a convex function of one parameter."""
    low, high = 0.0, 1.0
    for _ in range(200):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        if to_segment(a + one * (b - a), c, d) < to_segment(a + other * (b - a), c, d):
            high = other
        else:
            low = one
    return min(to_segment(a + 0.5 * (low + high) * (b - a), c, d), to_segment(a, c, d), to_segment(b, c, d))


def on_bones(places, bones, kind):
    points = []
    for parent, child in bones:
        a, b = places[parent], places[child]
        if kind == "count":
            points += [b + (a - b) * i / 100 for i in range(100)]
        else:
            steps = int(numpy.rint(numpy.linalg.norm(b - a) / 0.005))
            points += [a + (b - a) * i / max(steps, 1) for i in range(steps + 1)]
    return numpy.array(points)


def pairs_found(p, g, tolerance):
    """Pairs below the tolerance, of the assignment with the least sum, by trying all."""
    distances = numpy.linalg.norm(p[:, None] - g[None], axis=2)
    best = min(itertools.permutations(range(len(g)), len(p)),
               key=lambda order: sum(distances[i, k] for i, k in enumerate(order)))
    return sum(distances[i, k] < tolerance for i, k in enumerate(best)), numpy.mean([distances[i, k] for i, k in enumerate(best)])


def expected_scores(predicted, truth, variant):
    (p, p_parents, w, _), (g, g_parents, true, vertices) = predicted, truth
    low, high = vertices.min(0), vertices.max(0)
    out = {"mpjpe": None}
    if variant == "unirig":
        low, high = numpy.minimum(low, g.min(0)), numpy.maximum(high, g.max(0))
    unit = {"anymate": 0.5, "nbs": 1.0 / (high - low).max()}.get(variant, 1.0) * (high - low).max()
    p, g = (p - (low + high) / 2) / unit, (g - (low + high) / 2) / unit
    out["mpjpe"] = numpy.linalg.norm(p - g, axis=1).mean()
    out["mae"] = abs(p - g).mean()
    p_bones = [(parent, j) for j, parent in enumerate(p_parents) if parent >= 0]
    g_bones = [(parent, j) for j, parent in enumerate(g_parents) if parent >= 0]
    if variant in ("magicarticulate", "puppeteer"):
        p, p_bones = clean(p.clip(-0.5, 0.5), p_bones)
        g, g_bones = clean(g.clip(-0.5, 0.5), g_bones)
    power = 2 if variant == "nbs" else 1
    half = lambda a, b: 0.5 * ((a ** power).mean() + (b ** power).mean())
    out["cd_j2j"] = half(nearest(p, g), nearest(g, p))
    if variant in ("exact", "nbs"):
        joints = lambda points, places, bones: numpy.array(
            [min(to_segment(point, places[a], places[b]) for a, b in bones) for point in points])
        segments = lambda one, bones, other, others: numpy.array(
            [min(between(one[a], one[b], other[c], other[d]) for c, d in others) for a, b in bones])
        out["cd_j2b"] = half(joints(p, g, g_bones), joints(g, p, p_bones))
        out["cd_b2b"] = half(segments(p, p_bones, g, g_bones), segments(g, g_bones, p, p_bones))
    else:
        kind = "count" if variant == "unirig" else "step"
        p_points, g_points = on_bones(p, p_bones, kind), on_bones(g, g_bones, kind)
        out["cd_j2b"] = half(nearest(p, g_points), nearest(g, p_points))
        out["cd_b2b"] = half(nearest(p_points, g_points), nearest(g_points, p_points))
    if variant == "anymate":
        found, distance = pairs_found(p, g, 0.1)
        out["joint_iou"], out["joint_precision"], out["joint_recall"] = 2 * found / (len(p) + len(g)), found / len(p), found / len(g)
        out["j2j_pairs"] = distance
        out["nearest_precision"], out["nearest_recall"] = (nearest(p, g) < 0.1).mean(), (nearest(g, p) < 0.1).mean()
    if variant == "puppeteer":
        w = numpy.where(w < 1e-3, 0, w)
        w = numpy.where(w < 0.15 * w.max(1, keepdims=True), 0, w)
        w = w / w.sum(1, keepdims=True)
    off = abs(w - true)
    if variant in ("rignet", "exact", "magicarticulate", "puppeteer", "anymate"):
        out["l1_row"], out["l1_max"] = off.sum(1).mean(), off.sum(1).max()
    if variant in ("rignet", "exact", "unirig", "anymate"):
        out["l1_entry"] = off.mean()
    if variant in ("rignet", "exact", "puppeteer", "anymate"):
        if variant == "anymate":
            has, its = w >= 0.05, true >= 0.05
            both = (has & its).sum(1)
            out["weight_precision"] = (both / numpy.maximum(has.sum(1), 1)).mean()
            out["weight_recall"] = (both / numpy.maximum(its.sum(1), 1)).mean()
        else:
            has, its = (w > 0, true > 0) if variant == "puppeteer" else (w > 1e-4, true > 1e-4)
            out["weight_precision"], out["weight_recall"] = (has & its).sum() / has.sum(), (has & its).sum() / its.sum()
    if variant in ("rignet", "exact", "nbs"):
        out["l1_column"] = abs(w[:, :, None] - true[:, None]).mean(0).min(1).mean()
    if variant in ("rignet", "exact", "unirig"):
        for limit in (0.1, 0.01, 0.001):
            both, either = ((w > limit) & (true > limit)).sum(0), ((w > limit) | (true > limit)).sum(0)
            out[f"skin_iou_{limit}"] = ((both + 0.001) / (either + 0.001)).mean()
        for limit in (0.001, 0.005, 0.01, 0.05):
            out[f"within_{limit}"] = (off < limit).mean()
        outside = true < 1e-6
        means = lambda mask: numpy.mean([off[mask[:, j], j].mean() for j in range(off.shape[1]) if mask[:, j].any()])
        out["l1_outside"], out["l1_inside"] = means(outside) if outside.any() else None, means(~outside)
    out["bleed"], out["missed"] = numpy.where(true <= 1e-6, w, 0).sum(1).mean(), numpy.where(w <= 1e-6, true, 0).sum(1).mean()
    return out


def compare(folder):
    compared = 0
    listed = json.loads((folder / "poses.json").read_text())
    for variant in (*VARIANTS, "poses"):
        records = [json.loads(line) for line in (folder / f"{variant}.jsonl").read_text().splitlines()]
        for record in (record for record in records if record.get("kind") == "score"):
            rigs = [rig_read(folder / kind / f"{record['row']}.txt") for kind in ("predicted", "truth")]
            values = expected_scores(*rigs, "rignet" if variant == "poses" else variant)
            joints, numbers = len(rigs[1][0]), splitmix(SEED)
            if variant == "poses":
                poses = [[pose.get(f"j{j}", (0, 0, 0)) for j in range(joints)] for pose in listed]
            else:
                poses = [[[numpy.radians(ANGLE) * next(numbers) for _ in range(3)] for _ in range(joints)] for _ in range(POSES)]
            if variant != "puppeteer":  # which prunes the weights
                values.update(deformations(*rigs, poses))
            for name, value in values.items():
                found = record["measures"][name]
                if (value is None) != (found is None) or (value is not None and abs(found - value) > 2e-6 * max(1.0, abs(value))):
                    sys.exit(f"{variant}, {record['row']}: {name} is {found}, expected {value}")
                compared += 1
    print(compared)


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[2]), int(sys.argv[3])) if sys.argv[1] == "make" else compare(pathlib.Path(sys.argv[2]))
