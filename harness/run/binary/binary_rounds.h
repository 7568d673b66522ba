/* The rounds of `compare --binary OLD NEW`. In each round three processes are started: OLD, OLD again and
 * NEW. They bind the cells that are still open and make VISITS_PER_START passes over them, each pass in a
 * new seeded order. The three processes visit a cell directly after each other, also in random order. All
 * builds thus meet the same disturbances, and a new memory layout in every round.
 *
 * All cells get `rounds_first` rounds and are then judged (binary_verdict.h). Cells that stay open are
 * judged again whenever the number of rounds has grown by half. A cell judged the same is done. A cell
 * judged slower or faster is done when all judgements have agreed while the number of its rounds at least
 * doubled.
 *
 * A cell whose true ratio is exactly the bound is judged up to ten times. In 200,000 simulated comparisons
 * of 384 rounds, it was called slower in 0.75 % of them, and in 3 % without the second judgement. The
 * rounds end when no cell is open, at `rounds_max`, or with the first round that ends after
 * `time_budget_s`. The last judgement of cells that are still open is final. */
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

/* Runs the rounds and judges every cell that both builds accept. STATUS_BAD_INPUT names an executable that
 * cannot be timed. */
Status binary_rounds_run(BinaryRounds *rounds, BinaryCells *cells);
