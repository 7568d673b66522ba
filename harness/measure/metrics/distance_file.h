/* A file of the distance of every vertex in every frame, in the target's unit, by the ending of its name:
 *   .npy  float32 [F][N]
 *   .h5   the array `distance`, float32 [F][N], with the names of target and candidate as root attributes
 *   .csv  the line `frame,vertex,distance`, then one for each, frame by frame, both counted from 0; nine
 *         digits, from which the same float is read back */
#pragma once

#include "harness/measure/metrics/frame_source.h"

typedef struct DistanceFile DistanceFile;

/* Before the work: STATUS_USAGE for an ending that is none of these, STATUS_BAD_INPUT where no file can be
 * written. target and candidate are the names of both; the caller keeps them. Release with
 * distance_file_close (NULL is allowed). */
Status distance_file_open(const char *path, const char *target, const char *candidate, DistanceFile **out);

/* Writes all of them, under a temporary name; once. */
DistanceSink distance_file_sink(DistanceFile *file);

/* Gives the file its name. */
Status distance_file_commit(DistanceFile *file);
void distance_file_close(DistanceFile *file);
DEFINE_OWNED_BY(DistanceFile, distance_file_close)
