"""Programs in Python without NumPy that tests run as external programs. The first argument is what to do: `still` keeps every vertex where it
rests; other modes predict weights or rigs, skin, or fail in one way each."""
import array, ast, os, subprocess, sys, time
mode, source, target, bones, influences, seed, threads = sys.argv[1:8]
def load(name):
    data = open(f"{source}/{name}.npy", "rb").read()
    size = int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:10 + size].decode())
    return header["shape"], array.array({"<f4": "f", "<f8": "d", "<i4": "i"}[header["descr"]], data[10 + size:])
def save(name, shape, values, by_columns=False):
    header = f"{{'descr': '<f8', 'fortran_order': {by_columns}, 'shape': {tuple(shape)}}}".ljust(117) + "\n"
    with open(f"{target}/{name}.npy", "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + array.array("d", values).tobytes())
(vertices, _), rest = load("rest")
empty = vertices == 4  # the run that measures the start-up
if mode == "weights":
    shape, parents = load("parents")
    save("weights", (vertices, shape[0]), [1.0 if j == v % shape[0] else 0.0 for v in range(vertices) for j in range(shape[0])])
    sys.exit()
if mode == "rig":
    with open(target, "w") as file:
        file.write("joints a 0 0 0\njoints b 0 1 0\nroot a\nhier a b\n")
        file.writelines(f"skin {v} a 0.5 b 0.5\n" for v in range(vertices))
    sys.exit()
if mode == "skin":
    (frames, joints, _, _), transforms = load("transforms")
    _, weights = load("weights")
    off, positions = float(seed) - 1.0, []
    for f in range(frames):
        for v in range(vertices):
            for row in range(3):
                value = off
                for j in range(joints):
                    if weights[v * joints + j]:
                        m = transforms[12 * (f * joints + j) + 4 * row:][:4]
                        value += weights[v * joints + j] * (sum(m[i] * rest[3 * v + i] for i in range(3)) + m[3])
                positions.append(value)
    save("positions", (frames, vertices, 3), positions)
    sys.exit()
(frames, _, _), positions = load("positions")
count = 1
if not empty:
    if mode == "exit":
        print("no licence\x1b[2J", file=sys.stderr); sys.exit(3)
    if mode == "hang":
        open("../../started", "w").write(str(os.getpid())); time.sleep(600)
    if mode == "segv":
        os.kill(os.getpid(), 11)
    if mode == "memory":
        bytearray(300 << 20)
    if mode == "children-memory":
        for child in [subprocess.Popen([sys.executable, "-c", "x = bytearray(60 << 20); import time; time.sleep(30)"]) for i in range(4)]:
            child.wait()
    if mode == "child":
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        open("../../child", "w").write(str(child.pid))
    if mode == "nothing":
        sys.exit()
    if mode == "many-words":
        print("x" * 10000000 + " the end"); sys.exit(1)
    if mode == "bones":
        count = int(bones) + 1
    if mode == "frames":
        frames -= 1
if mode == "chance" and not empty:
    rest = [x + int.from_bytes(os.urandom(1), "little") for x in rest]
    save("rest", (vertices, 3), rest)
still = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
transforms = still * (frames * count)
if mode == "nan" and not empty:
    transforms[5] = float("nan")
weights = [1.0 if j == 0 else 0.0 for v in range(vertices) for j in range(count)]
if mode == "influences" and not empty:
    count = int(influences) + 1
    transforms, weights = still * (frames * count), [1.0] * (vertices * count)
if mode == "negative" and not empty:
    weights[7] = -0.5
if mode == "columns":
    transforms = [still[4 * i + j] for j in range(4) for i in range(3) for p in range(count) for f in range(frames)]
save("transforms", (frames, count, 3, 4), transforms, mode == "columns")
save("weights", (vertices, count), weights)
print("threads", os.environ["OMP_NUM_THREADS"], threads)
print("skinbench-seconds 0.125")
