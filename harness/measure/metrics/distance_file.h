/* Writes the distance of every vertex in every frame, in the target's unit. The ending of the file name
 * selects the format:
 *   .npy  float32 [F][N]
 *   .h5   the array `distance`, float32 [F][N], with the names of target and candidate as root attributes
 *   .csv  the line `frame,vertex,distance`, then a line per distance, frame by frame; frames and vertices are
 *         counted from 0; nine digits, from which the same float is read back */
#pragma once

#include "harness/measure/metrics/frame_source.h"

typedef struct DistanceFile DistanceFile;

/* Opens a file before any distance is computed. STATUS_USAGE for another ending, STATUS_BAD_INPUT if the
 * file cannot be written. `target` and `candidate` are the names of both sides and must outlive the file.
 * Release with distance_file_close, which accepts NULL. */
Status distance_file_open(const char *path, const char *target, const char *candidate, DistanceFile **out);

/* Returns a sink that writes all distances under a temporary name. Use it only once. */
DistanceSink distance_file_sink(DistanceFile *file);

/* Gives the file its final name. */
Status distance_file_commit(DistanceFile *file);
void distance_file_close(DistanceFile *file);
DEFINE_OWNED_BY(DistanceFile, distance_file_close)
