/* A sample of vertices and frames from the animation of a fit. It is small enough to be analyzed in a few
 * per cent of the fit's time. */
#pragma once

#include "datasets/model/check.h"
#include "harness/run/fit/fit_task.h"

enum { FIT_NOTES_BYTES = 1024 };

typedef struct FitSample {
    Dataset data;      /* m frames of n vertices; triangles connect the regions around the sampled vertices */
    int32_t *vertices; /* [n] indices in the mesh, ascending */
    int32_t *frames;   /* [m] frame indices, ascending from 0 */
    char doubt[CHECK_TEXT_BYTES]; /* a problem of the input that is so serious that every fit would be poor;
                                     "" if there is none */
} FitSample;

/* Samples the task's animation, block by block if it is in a file. All ranks must call it and get the same
 * sample. Release with fit_sample_clear, also on failure. */
Status fit_sample_make(const FitTask *task, FitSample *sample);
void fit_sample_clear(FitSample *sample);

/* Writes one line for each problem that the checks find between rest pose and frames (check_rest.c); "" if
 * there is none. Also sets the member `doubt` of the sample. */
Status fit_sample_notes(const FitTask *task, FitSample *sample, char notes[FIT_NOTES_BYTES]);
