/* Studies: small computations of their own that a table's rows are filled by, for what is neither a fit nor a
 * time of skinning: a bound and where it is reached, instructions of a compiled kernel, volume along a bend.
 * One file per study, a row for each in study.c. */
#ifndef SKINBENCH_STUDIES_STUDY_H
#define SKINBENCH_STUDIES_STUDY_H

#include "datasets/base/progress.h"
#include "datasets/base/status.h"
#include "harness/bench/subject.h"
#include "methods/runtime/skinner.h"
#include <jansson.h>

typedef struct StudyInput {
    const json_t *parameters; /* what the study is run with: the table's `settings`, over them the row's */
    const Subject *subject;   /* NULL: a row without a data set */
    int threads;
    const Progress *progress;
} StudyInput;

typedef struct Study {
    const char *name;  /* as in a column, a row or a table: `study` */
    const char *title; /* one line */
    /* Puts what it measures into the object `measures`: numbers, and arrays of numbers, which are curves for
     * figures. A number that is not finite becomes null. STATUS_UNAVAILABLE where something it needs is not
     * here and STATUS_BAD_INPUT for a data set it does not take: the row is skipped, with that reason. */
    Status (*run)(const StudyInput *input, json_t *measures);
} Study;

/* NULL: there is none of that name. */
const Study *study_find(const char *name);

/* A parameter as a number or text; `fallback` where it is not given. */
double study_number(const StudyInput *input, const char *name, double fallback);
const char *study_text(const StudyInput *input, const char *name, const char *fallback);

/* How a study skins by the method `name`: on `reference`, with its defaults, over them the name=value texts of
 * the array parameter `settings` (NULL: none). STATUS_UNAVAILABLE where the method is not built in. */
Status study_method(const StudyInput *input, const char *name, const char *settings, SkinnerOptions *out);

/* One frame of a rig, skinned so: positions [N][3]. */
Status study_skin(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, int frame,
                  double *positions);

/* Puts one number or curve into the measures. */
void study_measure(json_t *measures, const char *name, double value);
void study_curve(json_t *measures, const char *name, const double *values, int count);

#endif
