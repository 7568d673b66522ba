/* The worker of `compare --binary`: a process of one build that binds cells on request and times them, one
 * visit per line, while the comparison alternates between builds. It is run by the command `time-worker` on
 * its standard streams, which only `compare` uses.
 *
 * Each input line is a request with fields separated by tabs and gets one line as an answer. The two builds
 * share only these lines. BINARY_PROTOCOL grows when the meaning of a line changes, but not when requests
 * are added.
 *
 *   request                                               answer
 *   (none: the worker starts)                             skinbench time-worker 1
 *   dataset FRAMES file PATH                              ok NAME
 *   dataset FRAMES generate NAME [SETTING...]             ok NAME
 *       the data set of the following cells, posed in at most FRAMES frames
 *   skin METHOD BACKEND [SETTING...]                      cell N
 *       bound on one thread; its stages are "pose", "skin" and "frame"
 *   fit METHOD BONES INFLUENCES ITERATIONS [SETTING...]   cell N
 *       on one thread, without measuring; its stage is "total"
 *   calibrate N STAGE                                     inner RUNS
 *       number of runs that make a visit long enough
 *   visit N STAGE RUNS BLOCKS                             time SECONDS
 *       processor time of one run on the worker's thread, which excludes other
 *       work: the smallest of BLOCKS blocks of RUNS runs each, after an untimed run
 *
 * A request that fails gets `no CODE REASON` (CODE of a Status), and the worker reads the next one. The
 * worker ends at the end of its input. */
#pragma once

#include "datasets/base/base.h"

enum { BINARY_PROTOCOL = 1, BINARY_LINE_BYTES = 4096, BINARY_FIELDS_MAX = 32 };
#define BINARY_GREETING "skinbench time-worker"

/* Answers requests until `in` ends. STATUS_STOPPED if progress (may be NULL) asks to stop; STATUS_SYSTEM if
 * `out` cannot be written. */
Status binary_worker_serve(FILE *in, FILE *out, const Progress *progress);
