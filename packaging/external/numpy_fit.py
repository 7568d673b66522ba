#!/usr/bin/env python3
"""Fits bones and weights to an animation: k-means of the vertices' paths, one rigid motion per bone by Procrustes
analysis, and non-negative weights of the best few bones of each vertex. An example of a program for --external.

    numpy_fit.py INPUT OUTPUT BONES INFLUENCES SEED
"""
import sys
import time

import numpy as np


def cluster(paths, bones, rng):
    """The bone of each vertex, by k-means of the rows of paths [N, D]."""
    centers = paths[rng.choice(len(paths), bones, replace=False)]
    for _ in range(30):
        distance = (paths**2).sum(1)[:, None] - 2.0 * paths @ centers.T + (centers**2).sum(1)
        labels = distance.argmin(1)
        for b in range(bones):
            if (labels == b).any():
                centers[b] = paths[labels == b].mean(0)
    return labels


def rigid(rest, posed, weights):
    """The rotation and translation [F, 3, 4] that move rest [N, 3] closest to posed [F, N, 3]."""
    share = weights / weights.sum()
    p, q = share @ rest, np.einsum("n,fni->fi", share, posed)
    u, _, v = np.linalg.svd(np.einsum("n,fni,nj->fij", share, posed - q[:, None], rest - p))
    flip = np.ones((len(posed), 3))
    flip[:, 2] = np.linalg.det(u @ v)
    rotation = (u * flip[:, None, :]) @ v
    return np.concatenate([rotation, (q - rotation @ p)[:, :, None]], axis=2)


def to_simplex(rows):
    """The nearest rows with values of at least 0 and the sum 1."""
    falling = -np.sort(-rows, axis=1)
    excess = (falling.cumsum(1) - 1.0) / np.arange(1, rows.shape[1] + 1)
    used = (falling > excess).sum(1, keepdims=True)
    return np.maximum(rows - np.take_along_axis(excess, used - 1, axis=1), 0.0)


def solve_weights(rest, posed, transforms, influences):
    """Weights [N, P]: at least 0, sums 1, at most `influences` per vertex; least squares by projected gradients."""
    moved = np.einsum("fpij,nj->npfi", transforms[..., :3], rest) + transforms[..., 3].transpose(1, 0, 2)
    moved = moved.reshape(len(rest), transforms.shape[1], -1)
    target = posed.transpose(1, 0, 2).reshape(len(rest), -1)
    order = ((moved - target[:, None]) ** 2).sum(2).argsort(1)[:, :influences]
    chosen = np.take_along_axis(moved, order[..., None], axis=1)
    gram, right = chosen @ chosen.transpose(0, 2, 1), (chosen @ target[..., None])[..., 0]
    step = 1.0 / (np.trace(gram, axis1=1, axis2=2)[:, None] + 1e-12)
    weights = np.zeros(order.shape)
    weights[:, 0] = 1.0
    for _ in range(300):
        weights = to_simplex(weights - step * ((gram @ weights[..., None])[..., 0] - right))
    dense = np.zeros(moved.shape[:2])
    np.put_along_axis(dense, order, weights, axis=1)
    return dense


def main():
    folder, output, bones, influences, seed = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:6])
    rest, posed = np.load(f"{folder}/rest.npy").astype(float), np.load(f"{folder}/positions.npy").astype(float)
    start, bones = time.perf_counter(), min(bones, len(rest))
    labels = cluster(posed.transpose(1, 0, 2).reshape(len(rest), -1), bones, np.random.default_rng(seed))
    weights = np.eye(bones)[labels] + 1e-9
    for _ in range(5):
        transforms = np.stack([rigid(rest, posed, weights[:, b]) for b in range(bones)], axis=1)
        weights = solve_weights(rest, posed, transforms, influences)
        weights[:, weights.sum(0) == 0.0] += 1e-9  # a bone without vertices keeps a motion
    weights[weights < 1e-6] = 0.0
    np.save(f"{output}/transforms.npy", transforms)
    np.save(f"{output}/weights.npy", weights)
    print("skinbench-seconds", time.perf_counter() - start)


main()
