/* The rounds of `compare --binary OLD NEW`: in each, OLD, OLD again and NEW are started afresh, bind the
 * cells that are still open, and are visited by turns: the cells in a seeded order that is new for each of
 * VISITS_PER_START passes, the three processes of one cell directly after each other, in a seeded order too.
 * Every build thus meets the same disturbances, and a new place in memory in every round.
 *
 * All cells get `rounds_first` rounds and are judged (binary_verdict.h), and those that stay open again
 * whenever there are half as many rounds more. A cell that is the same is done. One that is slower or faster
 * is done when every look said so since one that had at most half of the rounds: a cell whose true ratio is
 * that of the bound is looked at up to ten times, and was called slower in 0.75 % of 200,000 simulated
 * comparisons of 384 rounds; without this second look in 3 %. The rounds end when no cell is open, at
 * `rounds_max`, or with the first round that ends after `time_budget_s`; what the last look says of the
 * cells that are then open stands. */
#pragma once

#include "harness/run/binary/binary_cells.h"

enum { VISITS_PER_START = 2 };

typedef struct BinaryRounds {
    const char *old_path, *new_path;
    int rounds_first, rounds_max;
    double time_budget_s;
    const Progress *progress;
    int rounds; /* out: made */
} BinaryRounds;

/* Runs the rounds and judges every cell that both builds take. STATUS_BAD_INPUT names the executable that
 * cannot be timed. */
Status binary_rounds_run(BinaryRounds *rounds, BinaryCells *cells);
