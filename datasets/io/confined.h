/* A child process that answers requests by running a library that may crash. A crash, a hang or excessive
 * use of memory ends only the child. The child also ends when the thread that started it ends.
 *
 * If the library reads an untrusted file, the child keeps the descriptor of that file and can open one more
 * file at a time, for reading. Its memory and its processor time per request are limited. If the system and
 * the build have libseccomp, a filter refuses every system call that reading does not need. Requests and
 * answers are in shared memory. Answers are as untrusted as the file. */
#pragma once

#include "datasets/base/memory.h"
#include "datasets/base/progress.h"

typedef struct Confined Confined;

enum { CONFINED_FILE = 4 /* number of the input file's descriptor in the child */ };

typedef struct ConfinedTask {
    /* Whether the library works only on values of the parent process, so that it can crash only for lack of
     * memory. If set, there is no file, limit or filter, and any death of the child gives STATUS_SYSTEM. */
    bool trusted;
    int file;            /* open descriptor, owned by the caller; must stay open until confined_end */
    size_t memory_bytes; /* memory that the child may use in addition to what the parent uses now */
    bool memory_of_file; /* whether the limit was chosen for this file, so that exceeding it is the file's
                            fault */
    double processor_s;  /* processor time allowed for one request */
    size_t shared_bytes; /* size of the memory for requests and answers */
    /* Answers the request in `shared`. Runs in the child, on its copy of the parent's memory. A failed
     * request is repeated in a second child, so an answer may depend on earlier requests only if it can
     * catch up. */
    Status (*answer)(void *context, void *shared);
    void *context;
} ConfinedTask;

/* Starts the child. STATUS_SYSTEM if the system cannot provide another process or the memory. Release with
 * confined_end. */
Status confined_start(const ConfinedTask *task, Confined **out);
/* Ends the child. NULL is allowed. */
void confined_end(Confined *confined);
DEFINE_OWNED_BY(Confined, confined_end)

/* Returns the shared memory, which is page-aligned. */
void *confined_shared(const Confined *confined);

/* Waits until the request in the shared memory is answered, and returns the status of the answer. If the
 * child crashed or took too long, returns STATUS_BAD_INPUT, if memory ran out STATUS_SYSTEM, and if
 * `progress` asked to stop STATUS_STOPPED. These messages are `place` followed by a verb, as in "takes more
 * than ...". If the result is STATUS_BAD_INPUT, a second child first repeats the request, because libraries
 * may report lack of memory as a damaged file. After a timeout there is no second child. Once no child is
 * left, all further requests fail. */
Status confined_ask(Confined *confined, const char *place, const Progress *progress);

/* Split confined_ask in two, so that the caller can work in parallel with the child. confined_begin sends
 * the request, and confined_finish waits for the answer. Every confined_begin must be followed by
 * confined_finish. Between the two, the child may write to the shared memory. */
void confined_begin(Confined *confined);
Status confined_finish(Confined *confined, const char *place, const Progress *progress);

/* Whether this build and this system can filter system calls. */
bool confined_filters(void);

/* Keeps this process, even after exec, from starting other processes and from opening sockets: such calls
 * fail with EPERM. Threads may be started. Does nothing if system calls cannot be filtered. Returns false
 * if out of memory. */
bool confined_alone(void);
