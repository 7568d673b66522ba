/* Interleaved timing: every round visits each stage of each cell once, in a new seeded order. Disturbances
 * then affect all cells alike, and ratios of samples of the same round are reliable. A visit repeats its
 * work until a sample lasts MINIMUM_SAMPLE_S; the number of runs is found once, before warm-up. A visit
 * that other work on the machine disturbed is repeated at most twice, and the least disturbed visit is
 * kept. */
#pragma once

#include "datasets/base/base.h"

/* Work to be timed. `run` does the work once. */
typedef struct TimedTask {
    Status (*run)(void *context);
    /* Prepares every run, untimed; NULL if there is nothing to do. Work with `prepare` is timed run by run,
     * and the sample is the mean. */
    Status (*prepare)(void *context);
    void *context;
    int inner;       /* runs per visit; 0 before calibration */
    double *samples; /* [rounds_cap] seconds per run, in the order of the rounds */
    int sample_count;
    int disturbed;         /* number of samples spoiled by other work on the machine (disturbance.h) */
    bool alone;            /* runs on the calling thread and never waits */
    double (*clock)(void); /* clock for the samples; NULL: the wall clock, clock_now_s */
    bool dropped;          /* whether the task is excluded from further rounds; its samples remain */
} TimedTask;

typedef enum RoundsEnd {
    ROUNDS_PRECISE, /* every median has the requested precision */
    ROUNDS_CAP,     /* the largest number of rounds was made */
    ROUNDS_BUDGET,  /* the time budget is used up */
    ROUNDS_STOPPED  /* the user asked for a stop */
} RoundsEnd;

/* Returns "precision-reached", "rounds-cap", "time-budget" or "stopped". */
const char *rounds_end_name(RoundsEnd end);

typedef struct RoundsOptions {
    int rounds_minimum; /* number of rounds before precision is judged */
    int rounds_cap;
    double precision; /* requested precision of every task: half the 95 % interval divided by the median */
    double time_budget_s; /* time for the rounds; rounds_minimum are run in any case, unless they take four
                             times the budget */
    uint64_t seed;        /* seed of the order in each round */
    const Progress *progress;
    const char *progress_what;
    /* Called with every sample as soon as it is taken. A status that is not OK ends the rounds. May be
     * NULL. */
    Status (*sample_taken)(void *context, int task, int round, double seconds, bool disturbed);
    /* Called if a task fails in calibration or in a visit; if NULL, any failure ends the rounds. The
     * function may drop that task and those that depend on it (TimedTask.dropped) and return OK, so that
     * the other tasks continue. Any other status ends the rounds. */
    Status (*task_failed)(void *context, int task, Status failure);
    void *context;                  /* of both */
    double (*stolen_s)(bool alone); /* time taken by other work; NULL: time_stolen_s (tests use their own) */
} RoundsOptions;

/* Runs rounds of the tasks that `tasks` points to, until there is a reason to stop for all tasks that are
 * not dropped. Tasks may have samples of earlier rounds (a resumed run). An incomplete round is completed
 * first, so that all tasks end with the same number of samples. `order` [count] and
 * `scratch` [2 * rounds_cap] are workspace. */
Status rounds_run(TimedTask *const *tasks, int count, const RoundsOptions *options, int *order,
                  double *scratch, RoundsEnd *end);

/* Finds the number of runs that last MINIMUM_SAMPLE_S. This also warms up caches, page tables and clock. */
Status task_calibrate(TimedTask *task);

/* Makes one visit and returns the seconds of one run. */
Status task_visit(TimedTask *task, double *seconds);
