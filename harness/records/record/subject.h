/* A data set to be benchmarked: from a file or from a generator, with the digest that names it in results. */
#pragma once

#include "datasets/model/dataset.h"
#include "harness/records/record/cell.h"

enum { SUBJECT_NAME_BYTES = 128 };

typedef struct Subject {
    Dataset *dataset;
    char name[SUBJECT_NAME_BYTES];
    char sha256[65]; /* of the file; of the arrays where there is no file */
} Subject;

/* Reads a data set file; `progress` (may be NULL) is asked whether to stop. Release with subject_clear. */
Status subject_read(const char *path, const Progress *progress, Subject *out);

/* Whether the generator is known and takes these settings: before any work. */
Status subject_generate_check(const char *generator, const char *const *settings, int count);

/* Runs a generator; `settings` are name=value texts, `count` of them; `progress` may be NULL. The name says
 * them: "bar motion=twist-135". */
Status subject_generate(const char *generator, const char *const *settings, int count,
                        const Progress *progress, Subject *out);

/* Prunes the weights to `influences` per vertex (datasets/model/compact_weights.h): the subject is then
 * called "wolf, 4 influences" and has the digest of its arrays. A rig that has no more than that, or none at
 * all, stays as it is. */
Status subject_prune(Subject *subject, int influences);

void subject_clear(Subject *subject);
DEFINE_OWNED_BY(Subject, subject_clear)

/* The data set as results name it. */
CellDataset subject_cell_dataset(const Subject *subject);
