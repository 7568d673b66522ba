/* Procedural data sets, one source file each; a table lists them all. The same parameters give the same
 * values and the same bytes in a file. Lengths are in metres, y is up, and figures face +z. */
#pragma once

#include "datasets/base/parameters.h"
#include "datasets/model/dataset.h"

typedef struct Generator {
    const char *name;
    const char *title;         /* title in lists */
    const char *dataset_title; /* title of the data set */
    const Parameter *parameters;
    /* Fills in an empty data set. `parameters` has one value for each row, within its range. STATUS_USAGE
     * if the values are inconsistent. Long work passes `progress` to progress_try. */
    Status (*fill)(const double *parameters, const Progress *progress, Dataset *dataset);
    /* Makes the positions [N][3] of one frame. Several threads call it at once, each for a different frame.
     * `fill` makes everything else and sets the number of frames. If `frame` is NULL, `fill` makes the
     * positions, too. */
    void (*frame)(const double *parameters, const Dataset *dataset, int frame, float *positions);
} Generator;

/* Makes the data set for these parameters, at 30 frames per second. Fails if the generator's function
 * `fill` fails. `progress` may be NULL. Release *out with dataset_free. */
Status generator_run(const Generator *generator, const double *parameters, const Progress *progress,
                     Dataset **out);

/* Makes a data set as generator_run does, but writes it to a file. If the generator makes positions frame
 * by frame, only one block of them is in memory: at most 64 MB, or one frame per thread. The bytes do not
 * depend on the number of threads (0 means one). */
Status generator_write(const Generator *generator, const double *parameters, int threads,
                       const Progress *progress, const char *path);

int generator_count(void);
const Generator *generator_at(int index);
const Generator *generator_find(const char *name); /* NULL if there is none */
/* Finds a generator by a name from the user. STATUS_USAGE suggests the name that was probably meant. */
Status generator_named(const char *name, const Generator **out);

/* All generators, in the order in which they are listed. Each one has a row generator_<name> in its own file;
 * the bodies share one file. */
// clang-format off
#define GENERATORS(ROW)                                                                                      \
    ROW(bar) ROW(rig) ROW(walk) ROW(jelly) ROW(cloth) ROW(sheet) ROW(flag) ROW(skirt) ROW(cloak)             \
    ROW(elastic) ROW(arm) ROW(hand) ROW(biped) ROW(biped_large) ROW(creature) ROW(face)
// clang-format on

#define GENERATOR_DECLARE(name) extern const Generator generator_##name;
GENERATORS(GENERATOR_DECLARE)
