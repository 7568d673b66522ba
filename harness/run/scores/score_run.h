/* Scores pairs of a predicted and a true rig, and makes records of them. */
#pragma once

#include "harness/measure/score/score.h"
#include "harness/run/bench/bench.h"

/* A pair of files. */
typedef struct ScorePair {
    char *name;      /* name of the pair */
    char *predicted; /* NULL: the prediction is missing */
    char *truth;
} ScorePair;

typedef struct ScorePairs {
    ScorePair *items;
    int count, unpaired; /* unpaired: predictions without a true rig */
} ScorePairs;

typedef struct ScoreOptions {
    const char *method; /* what predicted the rigs, as records name it */
    ParameterValues parameters;
    const char *mesh;  /* mesh of rigs that have none, or a folder with NAME.obj for each pair; may be NULL */
    const char *poses; /* JSON file of poses that replace the random ones; may be NULL */
    const char *replay; /* clip of the true rig that is also replayed, "all" for all frames; may be NULL */
    int threads;
} ScoreOptions;

/* Lists the pairs of two files, or of two folders by name: the path of a file in the folder, without its
 * ending and without "_rig" or "_pred". Every true rig makes a pair. STATUS_BAD_INPUT if two files of a
 * folder have one name, or if there are no true rigs. Release with score_pairs_clear. */
Status score_pairs_find(const char *predicted, const char *truth, ScorePairs *out);
void score_pairs_clear(ScorePairs *pairs);

/* Makes the record of a pair that is not scored yet. Release with record_clear, also on failure. */
Status score_record_make(const ScorePair *pair, const ScoreOptions *options, Record *record);

/* Scores pairs [count] at once, on several threads. The records are of the kind CELL_SCORE; one whose
 * prediction failed has a reason, and in `held` the numbers of score_failure. Fails only if the run must
 * end. */
Status score_pairs(const ScorePair *pairs, int count, const ScoreOptions *options, const Progress *progress,
                   Record *records);

/* Scores all pairs and appends the records. Pairs that the file already has, with the same files, are only
 * counted. STATUS_STOPPED if the user asked to stop. */
Status score_run_pairs(Bench *bench, const ScorePairs *pairs, const ScoreOptions *options);
