/* Helpers for tests of the benchmark. The benchmarks are only long enough to show how cells are
 * recorded. */
#pragma once

#include "harness/run/bench/bench.h"
#include "tests/subjects.h"

/* Returns a bench of `rounds` rounds on one thread that writes its results to `path`. */
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

/* Opens a bench of three rounds that writes its results to run.jsonl. */
static inline void bench_start(Bench *bench)
{
    *bench = bench_of(path_of("run.jsonl"), 3, 64);
    assert_ok(bench_open(bench));
}

/* Closes the bench and checks that its result file is the only file left, without a journal. */
static inline void bench_end(Bench *bench)
{
    bench_close(bench);
    assert_int_equal(files_in(path_of("")), 1);
}

/* BENCH(name) declares an open bench that is closed at the end of its scope. */
#define BENCH(name)                                                                                          \
    CLEANUP(bench_end) Bench name;                                                                           \
    bench_start(&name)
