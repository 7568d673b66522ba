/* Tests statistics of known samples, and the loop of timed rounds. The work of these rounds is counted in
 * calls instead of timed. */
#include "tests/support.h"

#include "harness/measure/timing/disturbance.h"
#include "harness/measure/timing/limit_loops.h"
#include "harness/measure/timing/limits.h"
#include "harness/measure/timing/rounds.h"
#include <time.h>

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1.0, fabs(expected))))
        fail_msg("%.17g, expected %.17g", value, expected);
}

TEST(quantiles_of_known_samples)
{
    double values[] = {9, 1, 5, 3, 7}, even[] = {4, 1, 3, 2}, one[] = {6}, scratch[15];
    Statistics s = statistics_of(values, 5, 7, scratch);
    near(s.minimum, 1);
    near(s.median, 5);
    near(s.maximum, 9);
    near(s.quartile_low, 3);
    near(s.quartile_high, 7);
    assert_true(s.interval_low >= 1 && s.interval_low <= 5 && s.interval_high >= 5 && s.interval_high <= 9);
    s = statistics_of(even, 4, 7, scratch);
    near(s.median, 2.5);
    near(s.quartile_low, 1.75);
    s = statistics_of(one, 1, 7, scratch);
    near(s.median, 6);
    near(s.interval_low, 6);
    near(s.interval_high, 6);
    assert_true(isnan(statistics_of(one, 0, 7, scratch).median));
    near(quantile_of_sorted((double[]){0, 10}, 2, 0.3), 3);
}

/* The bootstrap distribution of a median can be computed exactly. The median of three draws from {0, 0, 1}
 * is 1 with probability 3 (1/9)(2/3) + 1/27 = 7/27, so its 95 % interval extends from 0 to 1. For the
 * values 0 .. 99, the ends of the interval are the 40th and 60th smallest values, give or take one. */
TEST(the_bootstrap_interval_is_the_binomial_one)
{
    double three[] = {0, 0, 1}, scratch[300], hundred[100];
    Statistics s = statistics_of(three, 3, 1, scratch);
    near(s.interval_low, 0);
    near(s.interval_high, 1);
    for (int i = 0; i < 100; i++)
        hundred[i] = (i * 37) % 100;
    s = statistics_of(hundred, 100, 1, scratch);
    assert_true(s.interval_low >= 38 && s.interval_low <= 42);
    assert_true(s.interval_high >= 57 && s.interval_high <= 61);
    Statistics again = statistics_of(hundred, 100, 1, scratch);
    assert_memory_equal(&s, &again, sizeof s);
}

/* In every other round, the machine is slow. The times of each task therefore vary, but the ratio of two
 * times from the same round does not. */
TEST(paired_ratios_cancel_what_slows_both)
{
    double fast[20], slow[20], scratch[60];
    for (int i = 0; i < 20; i++) {
        fast[i] = i % 2 ? 1.0 : 10.0;
        slow[i] = 3.0 * fast[i];
    }
    Statistics s = statistics_of_ratios(slow, fast, 20, 1, scratch);
    near(s.median, 3);
    near(s.interval_low, 3);
    near(s.interval_high, 3);
}

typedef struct CountedWork {
    int runs, prepared, fail_at;
} CountedWork;

static Status counter_run(void *context)
{
    CountedWork *counter = context;
    counter->runs++;
    if (counter->fail_at && counter->runs == counter->fail_at)
        return status_make(STATUS_SYSTEM, "run %d fails", counter->runs);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* some work that the compiler cannot remove */
    return status_ok();
}

static Status counter_prepare(void *context)
{
    ((CountedWork *)context)->prepared++;
    return status_ok();
}

static double nothing_is_taken(UNUSED bool alone)
{
    return 0.0;
}

/* Returns options for at least `minimum` and at most `cap` rounds. The time budget is practically
 * unlimited, and no other work disturbs the measurement. */
static RoundsOptions options_of(int minimum, int cap)
{
    return (RoundsOptions){
        .stolen_s = nothing_is_taken, .rounds_minimum = minimum, .rounds_cap = cap, .time_budget_s = 1e9};
}

/* Everything that one task needs. It contains pointers to itself, so it must not be moved. */
typedef struct OneTask {
    CountedWork counter;
    double samples[50], scratch[100];
    int order[1];
    TimedTask task;
    RoundsEnd end;
} OneTask;

static void one_task_make(OneTask *one)
{
    *one = (OneTask){.task = {.run = counter_run, .inner = 1}};
    one->task.context = &one->counter;
    one->task.samples = one->samples;
}

static Status one_run(OneTask *one, const RoundsOptions *options)
{
    one->task.sample_count = one->task.disturbed = one->counter.runs = 0;
    return rounds_run((TimedTask *const[]){&one->task}, 1, options, one->order, one->scratch, &one->end);
}

typedef struct Taken {
    int count, last_round, calls_per_round[64];
    bool ordered;
} Taken;

static Status taken_note(void *context, UNUSED int task, int round, double seconds, bool disturbed)
{
    Taken *taken = context;
    taken->ordered = taken->ordered && !disturbed && round >= taken->last_round && seconds >= 0.0;
    taken->last_round = round;
    taken->calls_per_round[round]++;
    taken->count++;
    return status_ok();
}

TEST(every_round_visits_every_work_once)
{
    CountedWork counters[3] = {{0}};
    double samples[3][12], scratch[24];
    int order[3] = {0};
    TimedTask tasks[3];
    for (int i = 0; i < 3; i++)
        tasks[i] =
            (TimedTask){.run = counter_run, .context = &counters[i], .inner = i + 1, .samples = samples[i]};
    tasks[2].prepare = counter_prepare;
    Taken taken = {.ordered = true};
    RoundsOptions options = options_of(3, 12);
    options.precision = 0.0; /* a precision that only identical samples reach */
    options.seed = 5;
    options.sample_taken = taken_note;
    options.context = &taken;
    RoundsEnd end;
    assert_ok(
        rounds_run((TimedTask *const[]){&tasks[0], &tasks[1], &tasks[2]}, 3, &options, order, scratch, &end));
    if (end == ROUNDS_CAP) {
        assert_int_equal(taken.count, 36);
        assert_int_equal(counters[2].prepared, 36);
        for (int i = 0; i < 3; i++)
            assert_int_equal(counters[i].runs, 12 * (i + 1));
    }
    for (int round = 0; round < tasks[0].sample_count; round++)
        assert_int_equal(taken.calls_per_round[round], 3);
    assert_true(taken.ordered);
    assert_string_equal(rounds_end_name(ROUNDS_CAP), "rounds-cap");
}

/* A fake reading of the time that other processes have stolen. Every third reading rises by more than the
 * duration of any visit (a visit is one timed stretch of a task). */
static int looks;
static double often_taken(bool alone)
{
    assert_true(alone);
    looks++;
    return 1e9 * floor(looks / 3.0);
}

static double always_taken(UNUSED bool alone)
{
    return 1e9 * ++looks;
}

/* A visit (one timed stretch of a task) reads the stolen time before and after its run. The simulated
 * stolen time rises at every third reading. Readings 3, 9, 15, ... come before a run, so their rise goes
 * unnoticed. Readings 6, 12, ... come after a run, which therefore counts as disturbed and is repeated. */
TEST(disturbed_visits_are_repeated_or_counted)
{
    OneTask one;
    RoundsOptions options = options_of(8, 8);
    one_task_make(&one);
    one.task.alone = true;
    options.stolen_s = often_taken;
    looks = 0;
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.task.sample_count, 8);
    assert_int_equal(one.task.disturbed, 0);
    /* Readings 1 and 2 are equal, and so are readings 3, 4 and 5. Visits read the pairs (1,2) (3,4) (5,6)
     * (7,8) ..., so every third visit is disturbed. */
    assert_int_equal(one.counter.runs, 8 + 3);
    assert_false(samples_are_disturbed(one.task.disturbed, one.task.sample_count));

    /* If every visit is disturbed, each sample takes three visits and counts as disturbed. A time budget of
     * zero is spent after one visit. */
    options.stolen_s = always_taken;
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.counter.runs, 8 * 3);
    assert_int_equal(one.task.disturbed, 8);
    assert_true(samples_are_disturbed(one.task.disturbed, one.task.sample_count));
    options.time_budget_s = 1e-12;
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.counter.runs, one.task.sample_count + 1);
    assert_int_equal(one.task.disturbed, one.task.sample_count);
}

TEST(planted_samples_are_judged)
{
    double calm[] = {1.00, 1.02, 0.99, 1.01, 5.0, 1.0, 1.0, 1.01}, torn[] = {1, 4, 1, 4, 1, 4, 1, 4},
           scratch[16];
    Statistics of_calm = statistics_of(calm, 8, 1, scratch), of_torn = statistics_of(torn, 8, 1, scratch);
    assert_false(samples_are_scattered(&of_calm)); /* one outlier does not move the quartiles */
    assert_true(samples_are_scattered(&of_torn));
    assert_false(samples_are_disturbed(2, 8));
    assert_true(samples_are_disturbed(3, 8));
    assert_false(sample_is_disturbed(0.0001, 0.002));
    assert_true(sample_is_disturbed(0.0005, 0.002));
    for (int alone = 0; alone < 2; alone++) { /* the difference of two clocks may decrease by the time that
                                                 passes between reading them */
        const double before_s = time_stolen_s(alone);
        assert_true(time_stolen_s(alone) >= before_s - 1e-3);
    }
}

TEST(a_torn_round_is_completed_first)
{
    CountedWork counters[2] = {{0}};
    double samples[2][4] = {{1.0, 1.0, 1.0}, {1.0, 1.0}}, scratch[8];
    int order[2] = {0};
    TimedTask tasks[2];
    for (int i = 0; i < 2; i++)
        tasks[i] = (TimedTask){.run = counter_run,
                               .context = &counters[i],
                               .inner = 1,
                               .samples = samples[i],
                               .sample_count = 3 - i};
    const RoundsOptions options = options_of(4, 4);
    RoundsEnd end;
    assert_ok(rounds_run((TimedTask *const[]){&tasks[0], &tasks[1]}, 2, &options, order, scratch, &end));
    assert_int_equal(end, ROUNDS_CAP);
    assert_int_equal(counters[0].runs, 1);
    assert_int_equal(counters[1].runs, 2);
}

typedef struct Failures {
    TimedTask *tasks;
    int count, last;
    char text[STATUS_TEXT_BYTES];
} Failures;

static Status drop_it(void *context, int task, Status failure)
{
    Failures *failures = context;
    failures->count++;
    failures->last = task;
    snprintf(failures->text, sizeof failures->text, "%s", failure.text);
    failures->tasks[task].dropped = true;
    return status_ok();
}

/* One task fails in its third run, and another during calibration. The remaining task must complete all of
 * its rounds. */
TEST(what_fails_is_dropped)
{
    CountedWork counters[3] = {{.fail_at = 3}, {0}, {.fail_at = 1}};
    double samples[3][8], scratch[16];
    int order[3] = {0};
    TimedTask tasks[3];
    for (int i = 0; i < 3; i++)
        tasks[i] = (TimedTask){
            .run = counter_run, .context = &counters[i], .inner = i < 2 ? 1 : 0, .samples = samples[i]};
    Failures failures = {.tasks = tasks};
    RoundsOptions options = options_of(8, 8);
    options.task_failed = drop_it;
    options.context = &failures;
    RoundsEnd end;
    assert_ok(
        rounds_run((TimedTask *const[]){&tasks[0], &tasks[1], &tasks[2]}, 3, &options, order, scratch, &end));
    assert_int_equal(end, ROUNDS_CAP);
    assert_int_equal(failures.count, 2);
    assert_int_equal(failures.last, 0);
    assert_string_equal(failures.text, "run 3 fails");
    assert_int_equal(tasks[0].sample_count, 2);
    assert_int_equal(tasks[1].sample_count, 8);
    assert_int_equal(tasks[2].sample_count, 0);

    tasks[1].dropped = true; /* no task remains */
    assert_ok(
        rounds_run((TimedTask *const[]){&tasks[0], &tasks[1], &tasks[2]}, 3, &options, order, scratch, &end));
    assert_int_equal(counters[1].runs, 8);
}

TEST(rounds_end_for_a_reason)
{
    OneTask one;
    int reports_left = 3;
    const Progress progress = {stop_in_time, &reports_left};
    RoundsOptions options = options_of(5, 50);
    options.precision = 1e9;
    one_task_make(&one);
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.end, ROUNDS_PRECISE);
    assert_int_equal(one.task.sample_count, 5);
    options.time_budget_s = 1e-9;
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.end, ROUNDS_BUDGET);
    assert_int_equal(one.task.sample_count, 1); /* the first round is always completed */
    options.progress = &progress;
    options.time_budget_s = 1e9;
    assert_ok(one_run(&one, &options));
    assert_int_equal(one.end, ROUNDS_STOPPED);
    assert_int_equal(one.task.sample_count, 2);
    options.progress = NULL;
    one.counter = (CountedWork){.fail_at = 2};
    assert_refused(STATUS_SYSTEM, "run 2 fails", one_run(&one, &options));
    assert_ok(rounds_run(NULL, 0, &options, one.order, one.scratch, &one.end));
}

TEST(calibration_makes_samples_long_enough)
{
    CountedWork counter = {0};
    TimedTask task = {.run = counter_run, .context = &counter};
    double seconds = 0.0;
    assert_ok(task_calibrate(&task));
    assert_true(task.inner > 1); /* one run only reads the clock, which takes far less than 2 ms */
    int before = counter.runs;
    assert_ok(task_visit(&task, &seconds));
    assert_int_equal(counter.runs - before, task.inner);
    assert_true(seconds > 0.0);
}

typedef float FourFloats __attribute__((vector_size(16)));

/* Runs `turns` times 9 multiplications and 5 additions on vectors of 4 floats, none of which waits for
 * another of the same turn, and returns the seconds. */
static double nine_products_five_sums_s(long turns)
{
    volatile float given = 1.0f;
    const FourFloats zero = {0.0f}, one = zero + given;
    FourFloats x[14];
    for (int i = 0; i < 14; i++)
        x[i] = one * (float)(i + 1);
    const double start = clock_now_s();
    for (long turn = 0; turn < turns; turn++)
#pragma GCC unroll 14
        for (int i = 0; i < 14; i++)
            x[i] = i < 9 ? x[i] * one : x[i] + one;
    const double elapsed_s = clock_now_s() - start;
    for (int i = 1; i < 14; i++)
        x[0] += x[i];
    given = x[0][0];
    return elapsed_s;
}

/* No loop is faster than its limit. */
TEST(a_loop_of_known_operations_stays_below_its_limit)
{
    enum { TURNS = 100000 };
    const Bandwidth memory = {.one_thread = 1e10, .all_threads = 1e10, .threads = 1};
    Limits limits = {.threads = 0};
    double best_s = INFINITY, limit_s = INFINITY;
    if (getenv("SKINBENCH_EMULATED"))
        test_skip("an emulator's arithmetic is not a processor's");
    assert_string_equal(limit_loops_levels[0].level, "scalar");
    /* the clock may be faster for the loop than for the limits, which keep the highest rates */
    for (int again = 0; again < 30 && (again < 3 || best_s < 0.97 * limit_s); again++) {
        best_s = again < 3 ? fmin(best_s, nine_products_five_sums_s(TURNS)) : best_s;
        assert_ok(limits_measure(1, &memory, &limits));
        limit_s = limits_arithmetic_s(&limits, 0, 5.0 * TURNS, 9.0 * TURNS);
    }
    assert_true(best_s >= 0.97 * limit_s);
}

/* Without multiply-adds, a processor that multiplies twice and adds twice per second and does four operations
 * in all needs 2 s for 4 multiplications and 1 addition, and 2.5 s for 5 additions. With them, additions that
 * can be fused cost nothing. */
TEST(the_scarcest_kind_of_operation_bounds)
{
    Limits limits = {.threads = 1};
    for (int i = 0; limit_loops_levels[i].level; i++) {
        const bool fused = limit_loops_levels[i].object->fused;
        limits.products_per_s[i] = limits.sums_per_s[i] = 2.0;
        limits.mixed_per_s[i] = 4.0;
        assert_near(limits_arithmetic_s(&limits, i, 1.0, 4.0), 2.0, 1e-12);
        assert_near(limits_arithmetic_s(&limits, i, 5.0, 4.0), fused ? 2.0 : 2.5, 1e-12);
        assert_near(limits_arithmetic_s(&limits, i, 4.0, 4.0), 2.0, 1e-12);
    }
}

/* The measured limits must be plausible: a processor performs between one and a few of these operations per
 * cycle. A second measurement must not show a slower processor. */
TEST(limits_are_those_of_a_processor)
{
    const Bandwidth memory = {.one_thread = 1e10, .all_threads = 2e10, .threads = 2};
    Limits limits = {.threads = 0};
    if (getenv("SKINBENCH_EMULATED"))
        test_skip("an emulator's arithmetic is not a processor's");
    assert_ok(limits_measure(2, &memory, &limits));
    assert_true(limits.cycles_per_s > 1e8 && limits.cycles_per_s < 2e10);
    assert_true(limits.mixed_per_s[0] > 0.1 * limits.cycles_per_s &&
                limits.mixed_per_s[0] < 16.0 * limits.cycles_per_s);
    assert_true(limits.loads_per_s[0] > 0.1 * limits.cycles_per_s &&
                limits.loads_per_s[0] < 16.0 * limits.cycles_per_s);
    assert_true(fabs(limits.one_thread[MEMORY_DRAM] / (4e10 / 3.0) - 1.0) < 1e-12);
    const Limits before = limits;
    assert_ok(limits_measure(2, &memory, &limits));
    assert_true(limits.cycles_per_s >= before.cycles_per_s && limits.loads_per_s[0] >= before.loads_per_s[0]);
    /* Wide x86 processors have two pipes, so independent chains perform about two operations per cycle.
     * Every measurement keeps the fastest values so far. Repeat until the clock was as fast for both. */
    for (int i = 0; limit_loops_levels[i].level; i++) {
        if (!limit_loops_levels[i].object->fused || limit_loops_levels[i].object->lanes < 8)
            continue;
        for (int again = 0; again < 30 && limits.products_per_s[i] >= 2.5 * limits.cycles_per_s; again++)
            assert_ok(limits_measure(2, &memory, &limits));
        assert_true(limits.products_per_s[i] < 2.5 * limits.cycles_per_s);
    }
    limits.cache_bytes[MEMORY_L1] = 100.0;
    limits.cache_bytes[MEMORY_L2] = 200.0;
    limits.cache_bytes[MEMORY_L3] = 0.0; /* no third-level cache */
    assert_int_equal(limits_level_of(&limits, 100.0), MEMORY_L1);
    assert_int_equal(limits_level_of(&limits, 101.0), MEMORY_L2);
    assert_int_equal(limits_level_of(&limits, 201.0), MEMORY_DRAM);
    /* Each thread moves 100 bytes once in its first-level cache and 200 bytes twice in its second-level
     * cache. The remaining bytes are moved twice in memory. */
    const double one[] = {100.0, 10.0, 0.0, 1.0}, two[] = {200.0, 20.0, 0.0, 2.0};
    memcpy(limits.one_thread, one, sizeof one);
    memcpy(limits.all_threads, two, sizeof two);
    assert_true(fabs(limits_written_s(&limits, 1, 50.0) - 0.5) < 1e-12);
    assert_true(fabs(limits_written_s(&limits, 1, 310.0) - (1.0 + 40.0 + 20.0)) < 1e-12);
    assert_true(fabs(limits_written_s(&limits, 2, 610.0) - (1.0 + 40.0 + 10.0)) < 1e-12);
}

TEST(bandwidth_is_a_positive_number)
{
    Bandwidth bandwidth;
    assert_ok(bandwidth_measure(1, &bandwidth));
    assert_true(bandwidth.one_thread > 1e6 && bandwidth.one_thread < 1e13);
    assert_true(bandwidth.array_bytes >= 4e6);
}
