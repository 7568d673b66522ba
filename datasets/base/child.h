/* Runs programs from the PATH, such as gnuplot and ffmpeg, as child processes. Collects what they print to
 * stdout and stderr for messages. */
#pragma once

#include "datasets/base/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct Child {
    char program[32];    /* for messages */
    const char *purpose; /* the caller's */
    pid_t id;
    FILE *input; /* stream to the program's standard input; NULL if the program inherits the input of this
                    process */
    int output;  /* descriptor from which this process reads the program's output */
    bool failed_to_start; /* set by child_finish if the child ended before it executed the program */
} Child;

/* Starts the program arguments[0]; the list ends with NULL. `purpose` tells the user what fails without the
 * program, such as "figures cannot be drawn". If `fed` is set, the program reads its input from out->input,
 * and must print little before that input ends. STATUS_UNAVAILABLE if the program is not on the PATH, which
 * sometimes only child_finish finds out. */
Status child_start(char *const arguments[], const char *purpose, bool fed, Child *out);

/* Starts a program that reads no input and works in `folder`. `confine` is called in the child before the
 * program is executed; if it returns false, the program is not started. */
Status child_start_confined(char *const arguments[], const char *folder, bool (*confine)(void),
                            const char *purpose, Child *out);

/* Closes the program's input and waits for the program to end. Stores the program's output in text [size]
 * as one line. STATUS_SYSTEM, with this output, if the program failed or did not read all of its input. */
Status child_finish(Child *child, char *text, size_t size);

/* Kills the child immediately. */
void child_kill(Child *child);

/* Ends a child that seems to have failed: waits a moment for it to end, then kills it. Stores how the child
 * ended ("exit code 2" or the name of a signal) in how [64], and its unread output, as one line, in text
 * [size]. Returns the exit code, or -1 if there is none. */
int child_kill_explained(Child *child, char how[64], char *text, size_t size);

/* Runs a program without input until it ends (child_start, then child_finish). */
Status child_run_whole(char *const arguments[], const char *purpose, char *text, size_t size);
