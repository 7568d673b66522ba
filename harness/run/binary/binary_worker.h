/* The other end of `compare --binary`: a process of one build that binds the cells it is asked for and then
 * times them, one visit per line, as the comparison alternates between builds. The command `time-worker` runs
 * it on its standard streams; it is for compare, not for people.
 *
 * Each line read is a request of fields with tabs between them, each gets one line of answer. Lines are what
 * two builds have in common: BINARY_PROTOCOL grows when their meaning changes, never when something is added.
 *
 *   request                                               answer
 *   (none: the worker starts)                             skinbench time-worker 1
 *   dataset FRAMES file PATH                              ok NAME
 *   dataset FRAMES generate NAME [SETTING...]             ok NAME
 *       what the next cells are of, posed in FRAMES frames at most
 *   skin METHOD BACKEND [SETTING...]                      cell N
 *       bound on one thread; its stages are "pose", "skin" and "frame"
 *   fit METHOD BONES INFLUENCES ITERATIONS [SETTING...]   cell N
 *       on one thread, without measuring; its stage is "total"
 *   calibrate N STAGE                                     inner RUNS
 *       how many runs last long enough for a visit
 *   visit N STAGE RUNS BLOCKS                             time SECONDS
 *       of one run: processor time of the worker's thread, which other work on the machine does not count
 *       towards. The least of BLOCKS blocks of RUNS runs each, after one run that is not timed
 *
 * A request that cannot be answered gets `no CODE REASON` (CODE: of a Status), and the worker reads the next
 * one. It ends at the end of its input. */
#pragma once

#include "datasets/base/base.h"

enum { BINARY_PROTOCOL = 1, BINARY_LINE_BYTES = 4096, BINARY_FIELDS_MAX = 32 };
#define BINARY_GREETING "skinbench time-worker"

/* Answers requests until `in` ends; STATUS_STOPPED when progress (may be NULL) asked for a stop,
 * STATUS_SYSTEM when `out` cannot be written. */
Status binary_worker_serve(FILE *in, FILE *out, const Progress *progress);
