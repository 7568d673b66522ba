/* Some vertices of some frames of the animation of a fit, small enough to look at from all sides in a few per
 * cent of the fit's time. */
#pragma once

#include "datasets/model/check.h"
#include "harness/run/fit/fit_task.h"

enum { FIT_NOTES_BYTES = 1024 };

typedef struct FitSample {
    Dataset data;      /* m frames of n vertices; triangles join the parts of the mesh around the vertices */
    int32_t *vertices; /* [n] their numbers in the mesh, ascending */
    int32_t *frames;   /* [m] their numbers, ascending from 0 */
    char doubt[CHECK_TEXT_BYTES]; /* a finding that is more than a note, and makes any fit poor; "": none */
} FitSample;

/* Samples the task's animation, block by block where it is in a file. Over ranks all must call it, and have
 * the same sample. Release with fit_sample_clear, on failure too. */
Status fit_sample_make(const FitTask *task, FitSample *sample);
void fit_sample_clear(FitSample *sample);

/* Writes what the rest pose and the frames have against each other, one line for each finding of the checks
 * (check_rest.c); "" if there is none. Fills in the sample's doubt. */
Status fit_sample_notes(const FitTask *task, FitSample *sample, char notes[FIT_NOTES_BYTES]);
