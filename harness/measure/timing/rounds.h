/* Interleaved timing: in every round each stage of each cell is visited once, in a fresh seeded order, so
 * that whatever disturbs the machine disturbs all alike and ratios of samples of the same round hold. A visit
 * runs its work often enough for a sample to last MINIMUM_SAMPLE_S, as found out once, before warm-up. A
 * visit that other work on the machine disturbed is repeated at once, twice at most, and what was disturbed
 * least is kept. */
#pragma once

#include "datasets/base/base.h"

/* A piece of work to be timed. `run` does it once. */
typedef struct TimedTask {
    Status (*run)(void *context);
    /* Undoes or prepares before every run, untimed; NULL: nothing to do. Work with a `prepare` is timed run
     * by run, the sample is the mean. */
    Status (*prepare)(void *context);
    void *context;
    int inner;       /* runs per visit; 0: not calibrated yet */
    double *samples; /* [rounds_cap] seconds per run, in the order of the rounds */
    int sample_count;
    int disturbed;         /* of the samples: those that other work on the machine spoiled (disturbance.h) */
    bool alone;            /* runs on the calling thread and waits for nothing else */
    double (*clock)(void); /* what its samples are read from; NULL: the wall clock, clock_now_s */
    bool dropped;          /* left out of all further rounds; it keeps the samples it has */
} TimedTask;

typedef enum RoundsEnd {
    ROUNDS_PRECISE, /* every median is known to the precision asked for */
    ROUNDS_CAP,     /* as many rounds as allowed were made */
    ROUNDS_BUDGET,  /* the time is spent */
    ROUNDS_STOPPED  /* the user asked for a stop */
} RoundsEnd;

/* "precision-reached", "rounds-cap", "time-budget", "stopped". */
const char *rounds_end_name(RoundsEnd end);

typedef struct RoundsOptions {
    int rounds_minimum; /* at least this many before precision is judged */
    int rounds_cap;
    double precision;     /* half the 95 % interval over the median, of every work */
    double time_budget_s; /* of the rounds; at least rounds_minimum are made all the same unless it is
                           * exceeded four times over */
    uint64_t seed;        /* of the orders */
    const Progress *progress;
    const char *progress_what;
    /* Called with every sample as soon as it is taken; a status that is not OK ends the rounds. May be
     * NULL. */
    Status (*sample_taken)(void *context, int task, int round, double seconds, bool disturbed);
    /* Called when a task failed, in its calibration or in a visit: drops that task and whatever depends on it
     * (TimedTask.dropped) and returns OK for the others to continue; else its status ends the rounds. NULL:
     * the failure of any work ends them. */
    Status (*task_failed)(void *context, int task, Status failure);
    void *context; /* of both */
    double (*stolen_s)(
        bool alone); /* what others took so far; NULL: time_stolen_s (the tests plant their own) */
} RoundsOptions;

/* Runs rounds until one of the reasons to stop holds for the tasks that are not dropped. Tasks may bring
 * samples of earlier rounds (a resumed run); a round that not all of them have is completed first, so that
 * all end with as many samples. `order` [count] and `scratch` [2 * rounds_cap] are workspace. */
Status rounds_run(TimedTask *tasks, int count, const RoundsOptions *options, int *order, double *scratch,
                  RoundsEnd *end);

/* Finds how many runs last MINIMUM_SAMPLE_S, which also warms up: caches, page tables, clock. */
Status task_calibrate(TimedTask *task);

/* One visit: the seconds of one run. */
Status task_visit(TimedTask *task, double *seconds);
