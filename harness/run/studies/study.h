/* Studies: small computations of their own that a table's rows are filled by, for what is neither a fit nor a
 * time of skinning: a bound and where it is reached, instructions of a compiled kernel, volume along a bend.
 * One file per study, a name for each in records/papers/study_names.h. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "harness/records/record/measures.h"
#include "harness/records/record/subject.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"

typedef struct StudyInput {
    const Argument *parameters; /* what the study is run with: the table's `settings`, over them the row's */
    const Subject *subject;     /* NULL: a row without a data set */
    int threads;
    const Progress *progress;
} StudyInput;

/* A parameter as a number or text; `fallback` where it is not given as such. */
double study_number(const StudyInput *input, const char *name, double fallback);
const char *study_text(const StudyInput *input, const char *name, const char *fallback);

/* Whether a flag is given and set. */
bool study_flag(const StudyInput *input, const char *name);

/* A parameter as `count` numbers; what is no number is NAN, and so are all where it is no list of this
 * many. */
void study_numbers(const StudyInput *input, const char *name, double *out, int count);

/* Applies the name=value texts of the list parameter `name` to the rows of a method. */
Status study_settings(const StudyInput *input, const char *name, const Parameter *rows, const char *owner,
                      ParameterValues *values);

/* How a study skins by the method `name`: on `reference`, with its defaults, over them the name=value texts
 * of the list parameter `settings` (NULL: none). STATUS_UNAVAILABLE where the method is not built in. */
Status study_method(const StudyInput *input, const char *name, const char *settings, SkinnerOptions *out);

/* Fits the subject's animation; threads, progress and other methods of the options are the study's. Release
 * with decomposition_result_clear, on failure too. */
Status study_fit(const StudyInput *input, const DecompositionMethod *method, DecompositionOptions options,
                 DecompositionResult *out);

/* Of two points, x, y, z each. */
double study_distance(const double *a, const double *b);

/* One frame of a rig, skinned so: positions [N][3]. */
Status study_skin(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, int frame,
                  double *positions);

typedef struct Study {
    const char *title; /* one line */
    /* Adds what it measures: numbers, times as such, and curves for figures. A number that is not finite is
     * null in a record. STATUS_UNAVAILABLE where something it needs is not here and STATUS_BAD_INPUT for a
     * data set it does not take: the row is skipped, with that reason. */
    Status (*run)(const StudyInput *input, Measures *measures);
} Study;

/* NULL: there is none of that name. */
const Study *study_find(const char *name);
