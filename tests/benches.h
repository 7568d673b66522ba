/* A bench that measures little, for the tests of what it makes of cells. */
#pragma once

#include "harness/run/bench/bench.h"
#include "tests/support.h"

/* Opens one of three rounds on a thread, whose results go to run.jsonl. */
static inline void bench_start(Bench *bench)
{
    *bench = (Bench){.path = path_of("run.jsonl"),
                     .threads = 1,
                     .rounds_minimum = 3,
                     .rounds_cap = 3,
                     .frames_cap = 64,
                     .precision = 0.0,
                     .time_budget_s = 1e9,
                     .bandwidth = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1}};
    assert_ok(bench_open(bench));
}

/* Closes it, whose file is then the only one: no journal is left behind. */
static inline void bench_end(Bench *bench)
{
    bench_close(bench);
    assert_int_equal(files_in(path_of("")), 1);
}
