/* A data set for benchmarking, from a file or a generator, with the digest that identifies it in
 * results. */
#pragma once

#include "datasets/model/dataset.h"
#include "harness/records/record/cell.h"

enum { SUBJECT_NAME_BYTES = 128 };

typedef struct Subject {
    Dataset *dataset;
    char name[SUBJECT_NAME_BYTES];
    char sha256[65]; /* digest of the file, or of the arrays if there is no file */
} Subject;

/* Reads a data set file. `progress` (may be NULL) can stop it. Release with subject_clear. */
Status subject_read(const char *path, const Progress *progress, Subject *out);

/* Checks, before any work, that the generator exists and accepts these settings. */
Status subject_generate_check(const char *generator, const char *const *settings, int count);

/* Writes the name of a generated subject, which includes the settings: "bar motion=twist-135". */
void subject_generated_name(const char *generator, const char *const *settings, int count,
                            char name[SUBJECT_NAME_BYTES]);

/* Runs a generator with settings [count], name=value texts. `progress` may be NULL. */
Status subject_generate(const char *generator, const char *const *settings, int count,
                        const Progress *progress, Subject *out);

/* Prunes the weights to `influences` per vertex (datasets/model/compact_weights.h). The subject's name
 * becomes "wolf, 4 influences", and its digest becomes that of the pruned arrays. If there are no weights,
 * or none to prune, nothing changes. */
Status subject_prune(Subject *subject, int influences);

void subject_clear(Subject *subject);
DEFINE_OWNED_BY(Subject, subject_clear)

/* Describes the data set as it is named in results. */
CellDataset subject_cell_dataset(const Subject *subject);
