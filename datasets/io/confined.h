/* A child process that runs a library which may crash, and answers requests: what crashes, hangs or takes too
 * much ends the child, not the program. Where the library works on a file that may be hostile, the child
 * keeps one descriptor, can open one more file for reading at a time, has bounds on memory and on the
 * processor time of a request, and, where the system and the build have them (libseccomp), a filter that
 * refuses every system call that reading does not need. It ends with the thread that started it. Requests and
 * answers lie in memory that both share; what the child writes there is to be taken for as foreign as the
 * file. */
#pragma once

#include "datasets/base/late_library.h"
#include "datasets/base/memory.h"
#include "datasets/base/progress.h"

typedef struct Confined Confined;

enum { CONFINED_FILE = 4 /* the file's descriptor in the child */ };

typedef struct ConfinedTask {
    /* The library works on the program's own values, and crashes over memory alone: no file, no bounds and no
     * filter, and whatever ends the child is STATUS_SYSTEM. */
    bool trusted;
    LateLibrary library; /* which `answer` calls: opened before the bounds are set */
    int file;            /* an open descriptor; the caller's */
    size_t memory_bytes; /* that the child may take beyond what the program has */
    bool memory_of_file; /* follows from the file: to need more is the file's fault, not the system's */
    double processor_s;  /* for one request */
    size_t shared_bytes; /* of the memory for requests and answers */
    /* Runs in the child, in its copy of the program's memory, and answers the request in `shared`. */
    void (*answer)(void *context, void *shared);
    void *context;
} ConfinedTask;

/* Starts the child. STATUS_SYSTEM when the system gives no process or memory. Release with confined_end. */
Status confined_start(const ConfinedTask *task, Confined **out);
/* Ends the child. NULL is allowed. */
void confined_end(Confined *confined);
DEFINE_OWNED_BY(Confined, confined_end)

/* The shared memory, page-aligned. */
void *confined_shared(const Confined *confined);

/* Has the request in the shared memory answered. The text of a failure begins with what happened ("takes more
 * than ..."): STATUS_BAD_INPUT when the child crashed or took too long, STATUS_SYSTEM when memory was out,
 * STATUS_STOPPED when the progress asked to stop. After a failure the child is gone, and further requests
 * fail likewise. */
Status confined_ask(Confined *confined, const Progress *progress);

/* The same in two steps, so that both work at a time: confined_begin sends the request, and confined_finish,
 * which follows every confined_begin, waits for the answer. In between, the child writes where the request
 * asks it to. */
Status confined_begin(Confined *confined);
Status confined_finish(Confined *confined, const Progress *progress);

/* A status that the child wrote, as it is believed: one line, and no other code than STATUS_SYSTEM and
 * STATUS_BAD_INPUT. */
Status confined_said(Status status);

/* Whether to ask a second child, as libraries take a lack of memory for a fault of a sound file. Not where a
 * request took too long. `confined` may be NULL. */
bool confined_in_doubt(const Confined *confined, Status status);

/* Whether system calls are filtered here. */
bool confined_filters(void);

/* Keeps this process, and the program that it becomes, from starting others and from opening sockets: they
 * get EPERM. Threads may start. Without filters of system calls it does nothing. False: out of memory. */
bool confined_alone(void);
