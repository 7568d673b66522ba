/* A bench that measures little, for the tests of what it makes of cells. */
#pragma once

#include "harness/run/bench/bench.h"
#include "tests/subjects.h"

/* One of some rounds on a thread, whose results go to a file. */
static inline Bench bench_of(const char *path, int rounds, int frames_cap)
{
    return (Bench){.path = path,
                   .threads = 1,
                   .rounds_minimum = rounds,
                   .rounds_cap = rounds,
                   .frames_cap = frames_cap,
                   .precision = 0.0,
                   .time_budget_s = 1e9,
                   .bandwidth = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1}};
}

/* Opens one of three rounds, whose results go to run.jsonl. */
static inline void bench_start(Bench *bench)
{
    *bench = bench_of(path_of("run.jsonl"), 3, 64);
    assert_ok(bench_open(bench));
}

/* Closes it, whose file is then the only one: no journal is left behind. */
static inline void bench_end(Bench *bench)
{
    bench_close(bench);
    assert_int_equal(files_in(path_of("")), 1);
}

/* Starts one that ends with its block. */
#define BENCH(name)                                                                                          \
    CLEANUP(bench_end) Bench name;                                                                           \
    bench_start(&name)
