/* A bench that measures little, for the tests of what it makes of cells. */
#pragma once

#include "harness/run/bench/bench.h"
#include "tests/support.h"

/* Opens one of three rounds on a thread, whose results go to run.jsonl in the folder. */
static inline void bench_start(Bench *bench, const char *folder, char path[128])
{
    snprintf(path, 128, "%s/run.jsonl", folder);
    *bench = (Bench){.path = path,
                     .threads = 1,
                     .rounds_minimum = 3,
                     .rounds_cap = 3,
                     .frames_cap = 64,
                     .precision = 0.0,
                     .time_budget_s = 1e9,
                     .bandwidth = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1}};
    assert_ok(bench_open(bench));
}
