/* One executable as a worker process (binary_worker.h): started, asked line by line, ended. Every way in
 * which a program that is no such worker, or dies or hangs, shows itself is a message that names it; no
 * process is left behind. */
#pragma once

#include "datasets/base/child.h"
#include "harness/run/binary/binary_worker.h"

typedef struct BinaryProcess {
    const char *path; /* of the executable, borrowed */
    const Progress *progress;
    Child child; /* id 0: not started */
    char line[BINARY_LINE_BYTES];
    size_t filled; /* of line: what came after the last answer */
} BinaryProcess;

/* STATUS_BAD_INPUT unless there is an executable file of that path. */
Status binary_process_check(const char *path);

/* Starts `path time-worker` and reads its greeting. STATUS_BAD_INPUT for a program that does not greet: an
 * older build, or none of skinbench. End it with binary_process_end, on failure too. */
Status binary_process_start(const char *path, const Progress *progress, BinaryProcess *out);

/* Sends a request, without its line's end, and reads the answer, fields with tabs between, into answer
 * [BINARY_LINE_BYTES]: two calls, so that several processes work at once. STATUS_BAD_INPUT where the process
 * ends, or gives no answer within ANSWER_LIMIT_S; STATUS_CHECK_FAILED where it answers that it cannot, and
 * serves further requests; STATUS_STOPPED; STATUS_SYSTEM when out of memory. */
Status binary_process_ask(BinaryProcess *process, const char *request);
Status binary_process_answer(BinaryProcess *process, const char *expected, char *answer);

/* Ends its input and waits for it, or, where it failed, kills it. */
void binary_process_end(BinaryProcess *process, bool failed);
