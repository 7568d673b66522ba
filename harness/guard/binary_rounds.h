/* The rounds of `compare --binary OLD NEW`: in each, OLD, OLD again and NEW are started afresh, bind the cells that are
 * still open, and are visited by turns: the cells in a seeded order that is new for each of VISITS_PER_START passes, the
 * three processes of one cell directly after each other, in a seeded order too. Every build thus meets the same
 * disturbances, and a new place in memory in every round.
 *
 * All cells get `rounds_first` rounds. Then a cell is judged (binary_verdict.h): one that is the same is done; one that is
 * unsure, or slower or faster for the first time, stays until as many rounds again are made, and is judged by all of
 * them. That ends when no cell is open, at `rounds_most`, or, for those that are unsure, when the time is spent. */
#ifndef SKINBENCH_GUARD_BINARY_ROUNDS_H
#define SKINBENCH_GUARD_BINARY_ROUNDS_H

#include "datasets/base/progress.h"
#include "harness/guard/binary_cells.h"

enum { VISITS_PER_START = 3 };

typedef struct BinaryRounds {
    const char *old_path, *new_path;
    int rounds_first, rounds_most;
    double time_budget_s;
    const Progress *progress;
    int rounds; /* out: made */
} BinaryRounds;

/* Runs the rounds and judges every cell that both builds take. STATUS_BAD_INPUT names the executable that cannot be
 * timed. */
Status binary_rounds_run(BinaryRounds *rounds, BinaryCells *cells);

#endif
