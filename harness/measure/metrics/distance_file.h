/* Writes the distance of every vertex in every frame, in the target's unit. The file name's ending chooses
 * the format:
 *   .npy  float32 [F][N]
 *   .h5   the array `distance`, float32 [F][N], with the names of target and candidate as root attributes
 *   .csv  the line `frame,vertex,distance`, then a line for each, frame by frame, both counted from 0; nine
 *         digits, which give the same float when read back */
#pragma once

#include "harness/measure/metrics/frame_source.h"

typedef struct DistanceFile DistanceFile;

/* Opens a file before the work begins. STATUS_USAGE for another ending, STATUS_BAD_INPUT if no file can be
 * written. `target` and `candidate` are the names of both sides and must stay valid. Release with
 * distance_file_close, which accepts NULL. */
Status distance_file_open(const char *path, const char *target, const char *candidate, DistanceFile **out);

/* A sink that writes all distances under a temporary name; use it once. */
DistanceSink distance_file_sink(DistanceFile *file);

/* Gives the file its final name. */
Status distance_file_commit(DistanceFile *file);
void distance_file_close(DistanceFile *file);
DEFINE_OWNED_BY(DistanceFile, distance_file_close)
