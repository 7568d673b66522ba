/* Programs that are found on the PATH and run as a child process, such as gnuplot and ffmpeg. What they
 * print, on both of their outputs, is kept for messages. */
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
    FILE *input; /* what the program reads as its standard input; NULL: it has this process's */
    int output;  /* where what it prints is read */
} Child;

/* Starts arguments[0] (NULL-terminated). purpose: what cannot be had without it, for the message, "figures
 * cannot be drawn". A program that is fed must print little before its input ends. STATUS_UNAVAILABLE when it
 * is not on the PATH, which may be learnt only by child_finish. */
Status child_start(char *const arguments[], const char *purpose, bool fed, Child *out);

/* The same of a program that is not fed, reads nothing and works in `folder`. `confine` is called in the
 * child before the program takes its place; where it fails nothing is started. */
Status child_start_confined(char *const arguments[], const char *folder, bool (*confine)(void),
                            const char *purpose, Child *out);

/* Ends its input and waits for it; what it printed is left in text [size] as one line. STATUS_SYSTEM with
 * that text when it fails or did not take all of its input. */
Status child_finish(Child *child, char *text, size_t size);

/* Ends it where it is. */
void child_kill(Child *child);

/* The same for one that seems to have failed, after a moment to end by itself: how it ended, "exit code 2" or
 * the name of a signal, into how [64], and what it printed that was not read, as one line, into text [size].
 * Its exit code; -1: it had none. */
int child_kill_explained(Child *child, char how[64], char *text, size_t size);

/* child_start and child_finish of a program that is not fed. */
Status child_run_whole(char *const arguments[], const char *purpose, char *text, size_t size);
