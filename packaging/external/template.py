#!/usr/bin/env python3
"""A start for a program of your own: all vertices follow one bone that moves with their mean."""
import sys
import time

import numpy as np

folder, output = sys.argv[1:3]
bones, influences, seed = map(int, sys.argv[3:6])
rest = np.load(f"{folder}/rest.npy")  # [N, 3]
triangles = np.load(f"{folder}/triangles.npy")  # [T, 3]; there is no such file if the mesh has no triangles
positions = np.load(f"{folder}/positions.npy")  # [F, N, 3]
start = time.perf_counter()

transforms = np.zeros((len(positions), 1, 3, 4))  # [F, P, 3, 4], with at most `bones` bones
transforms[..., :3] = np.eye(3)
transforms[:, 0, :, 3] = positions.mean(1) - rest.mean(0)
weights = np.ones((len(rest), 1))  # [N, P], at most `influences` per vertex above 0

print("skinbench-seconds", time.perf_counter() - start)
np.save(f"{output}/transforms.npy", transforms)
np.save(f"{output}/weights.npy", weights)
