/* A child process that runs a library which may crash, and answers requests. A crash, a hang or excessive
 * use of memory ends the child, not the program. The child also ends with the thread that started it.
 *
 * For a library that reads an untrusted file, the child keeps one descriptor and can open one more file at
 * a time, for reading. Its memory and its processor time per request are limited. If the system and the
 * build have libseccomp, a filter refuses every system call that reading does not need. Requests and
 * answers are in shared memory. Answers are as untrusted as the file. */
#pragma once

#include "datasets/base/late_library.h"
#include "datasets/base/memory.h"
#include "datasets/base/progress.h"

typedef struct Confined Confined;

enum { CONFINED_FILE = 4 /* descriptor of the file in the child */ };

typedef struct ConfinedTask {
    /* The library works on the program's own values, and can only crash for lack of memory. There is no
     * file, limit or filter, and any death of the child is STATUS_SYSTEM. */
    bool trusted;
    LateLibrary library; /* used by `answer`; opened before the limits are set */
    int file;            /* an open descriptor owned by the caller */
    size_t memory_bytes; /* memory limit beyond the program's current use */
    bool memory_of_file; /* the limit follows from the file, so exceeding it is the file's fault */
    double processor_s;  /* limit for one request */
    size_t shared_bytes; /* size of the memory for requests and answers */
    /* Answers the request in `shared`. Runs in the child, on its copy of the program's memory. */
    void (*answer)(void *context, void *shared);
    void *context;
} ConfinedTask;

/* Starts the child. STATUS_SYSTEM if the system has no process or memory to give. Release with
 * confined_end. */
Status confined_start(const ConfinedTask *task, Confined **out);
/* Ends the child. NULL is allowed. */
void confined_end(Confined *confined);
DEFINE_OWNED_BY(Confined, confined_end)

/* Returns the shared memory, which is page-aligned. */
void *confined_shared(const Confined *confined);

/* Waits until the request in the shared memory is answered. STATUS_BAD_INPUT if the child crashed or took
 * too long, STATUS_SYSTEM if memory ran out, STATUS_STOPPED if the progress asked to stop. The message
 * begins with what happened ("takes more than ..."). After a failure the child is gone and further requests
 * fail as well. */
Status confined_ask(Confined *confined, const Progress *progress);

/* confined_ask in two steps, so that both processes work in parallel. confined_begin sends the request;
 * confined_finish waits for the answer and must follow every confined_begin. In between, the child writes
 * to the shared memory as requested. */
Status confined_begin(Confined *confined);
Status confined_finish(Confined *confined, const Progress *progress);

/* Sanitises a status written by the child: one line, and only the codes STATUS_SYSTEM and
 * STATUS_BAD_INPUT. */
Status confined_said(Status status);

/* Whether a second child should try again, because libraries may report lack of memory as a damaged file.
 * False after a timeout. `confined` may be NULL. */
bool confined_in_doubt(const Confined *confined, Status status);

/* Whether this build and system filter system calls. */
bool confined_filters(void);

/* Keeps this process, and the program that it becomes, from starting others and from opening sockets: they
 * get EPERM. Threads may start. Without filters of system calls it does nothing. False: out of memory. */
bool confined_alone(void);
