/* Studies: small computations that fill a table's rows with numbers that come neither from a fit nor from
 * skinning times. Examples are the largest error of a blend, the instructions of a compiled kernel, or the
 * volume along a bend. Each study has its own file, and its name is listed in
 * records/papers/study_names.h. */
#pragma once

#include "datasets/geometry/points.h"
#include "datasets/geometry/turn.h"
#include "harness/records/papers/study_names.h"
#include "harness/records/record/measures.h"
#include "harness/records/record/subject.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"

typedef struct StudyInput {
    const Argument *parameters; /* parameters of the study: the table's `settings`, overridden by the row's */
    const Subject *subject;     /* NULL for a row without a data set */
    const Dataset *dataset;     /* data set of the subject, or NULL */
    struct External *external;  /* program that the parameter `external` names; NULL if it is not at hand */
    int threads;
    const Progress *progress;
    /* [STATUS_TEXT_BYTES] Text to which the study may append what it could not measure, and why. NULL: not
     * wanted. */
    char *remarks;
} StudyInput;

/* Return a parameter as a number or as a text. They return `fallback` if the parameter is missing or has
 * another type. */
double study_number(const StudyInput *input, const char *name, double fallback);
const char *study_text(const StudyInput *input, const char *name, const char *fallback);

/* Whether a flag parameter is given and its value is true. */
bool study_flag(const StudyInput *input, const char *name);

/* Returns the parameter `rounds`, a number of timing rounds, as 1 to STUDY_ROUNDS_MAX. */
enum { STUDY_ROUNDS_MAX = 100 };
int study_rounds(const StudyInput *input, double fallback);

/* Reads a list parameter as `count` numbers. Elements that are not numbers become NAN. If the parameter is
 * not a list of that length, all numbers are NAN. */
void study_numbers(const StudyInput *input, const char *name, double *out, int count);

/* Parses the list parameter `name`, whose texts have the form name=value, into parameter values of a
 * method. */
Status study_settings(const StudyInput *input, const char *name, const Parameter *rows, const char *owner,
                      ParameterValues *values);

/* Makes options for skinning with a method on the reference backend: the method's defaults, overridden by
 * the name=value texts of the list parameter `settings` (NULL: none). STATUS_UNAVAILABLE if the method is
 * not built in. */
Status study_method(const StudyInput *input, const char *name, const char *settings, SkinnerOptions *out);

/* Fits the subject's animation. The study's threads and progress replace those in the options. Release with
 * decomposition_result_clear, also on failure. */
Status study_fit(const StudyInput *input, const DecompositionMethod *method, DecompositionOptions options,
                 DecompositionResult *out);

/* Fits the subject's animation by coordinate descent with preset=paper, 4 influences and the parameter
 * `bones`. */
Status study_fit_as_paper(const StudyInput *input, int iterations, DecompositionResult *out);

/* Returns the distance between two points x, y, z. */
double study_distance(const double *a, const double *b);

/* Skins one frame of a rig: positions [N][3]. */
Status study_skin(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, int frame,
                  double *positions);

/* Adds a number whose name is formatted. */
void study_number_add(Measures *measures, double value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the times of two tasks that took turns in `count` rounds, and the ratios of the second to the
 * first. */
void study_add_times(Measures *measures, const char *const names[2], const double *const times[2], int count,
                     const char *ratio);

/* Runs a study and adds its measures: numbers, times marked as such, and curves for figures. A number that
 * is not finite is null in a record. STATUS_UNAVAILABLE if something that the study needs is missing, and
 * STATUS_BAD_INPUT for a data set that it cannot use; the row is then skipped with that reason. */
typedef Status Study(const StudyInput *input, Measures *measures);

#define STUDY_DECLARATION(identifier, name) Study study_##identifier;
STUDY_NAMES(STUDY_DECLARATION)
#undef STUDY_DECLARATION

/* Returns the study called `name`, or NULL if there is none. */
Study *study_find(const char *name);
