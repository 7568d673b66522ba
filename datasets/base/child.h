/* Runs programs from the PATH, such as gnuplot and ffmpeg, as child processes. What they print to stdout
 * and stderr is kept for messages. */
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
    FILE *input; /* standard input of the program; NULL if it inherits this process's */
    int output;  /* descriptor from which its output is read */
} Child;

/* Starts arguments[0] (NULL-terminated list). `purpose` is what fails without it, for the message: "figures
 * cannot be drawn". A program with `fed` input must print little before its input ends. STATUS_UNAVAILABLE
 * if it is not on the PATH, which sometimes only child_finish can tell. */
Status child_start(char *const arguments[], const char *purpose, bool fed, Child *out);

/* The same of a program that is not fed, reads nothing and works in `folder`. `confine` is called in the
 * child before the program takes its place; where it fails nothing is started. */
Status child_start_confined(char *const arguments[], const char *folder, bool (*confine)(void),
                            const char *purpose, Child *out);

/* Ends its input and waits for it; what it printed is left in text [size] as one line. STATUS_SYSTEM with
 * that text when it fails or did not take all of its input. */
Status child_finish(Child *child, char *text, size_t size);

/* Kills the child immediately. */
void child_kill(Child *child);

/* Kills a child that seems to have failed, after waiting a moment for it to end on its own. Writes how it
 * ended ("exit code 2" or the name of a signal) into how [64] and its unread output, as one line, into text
 * [size]. Returns its exit code, or -1 if it had none. */
int child_kill_explained(Child *child, char how[64], char *text, size_t size);

/* Runs a program without input to its end: child_start and child_finish. */
Status child_run_whole(char *const arguments[], const char *purpose, char *text, size_t size);
