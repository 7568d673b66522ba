/* Runs a program that somebody else wrote, under limits of time and memory, and measures it. A supervising
 * process starts the program in a session of its own and adopts the processes that the program leaves
 * behind. None of them is alive when the run ends. If this process dies, the supervisor ends them, too. */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/base/progress.h"

enum { LIMITED_WORDS_BYTES = 1024 };

typedef struct LimitedTask {
    char *const *arguments; /* the program, looked up on the PATH, and its arguments; ends with NULL */
    const char *folder;     /* working directory of the program */
    double time_limit_s;
    double memory_bytes;      /* limit for the program and its children together */
    int threads;              /* number of threads that OpenMP, OpenBLAS and MKL are told to use */
    const Progress *progress; /* may be NULL */
} LimitedTask;

typedef struct LimitedOutcome {
    int exit_code; /* -1 if the program did not exit by itself */
    char fault
        [160]; /* why the run failed, such as "exit code 3" or "ran longer than 10 s"; "" if it did not */
    double wall_s, processor_s; /* processor time includes that of all children */
    double peak_bytes; /* largest resident memory of the program and its children, sampled; 0 if the program
                          ended before the first sample */
    char words[LIMITED_WORDS_BYTES]; /* last output of the program, from stdout and stderr */
} LimitedOutcome;

/* Runs the program until it ends or exceeds a limit. A program that fails is described in out->fault and is
 * not an error of this function. STATUS_SYSTEM if no process can be started, STATUS_STOPPED if `progress`
 * asked to stop. */
Status limited_child_run(const LimitedTask *task, LimitedOutcome *out);
