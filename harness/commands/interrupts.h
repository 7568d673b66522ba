/* How a command ends when the system or the user asks for it. An interrupt (SIGINT, SIGTERM, SIGHUP unless it
 * is ignored, SIGPIPE when what reads stdout is gone) makes progress reports return false, and from then on
 * no file takes its final name. A command that has not returned 0.5 s later, because it is inside a library
 * that cannot be asked, is ended where it is: its temporary folders are removed and the process exits with
 * the interrupt's code. A write beyond the limit of a file's size (SIGXFSZ) fails, as on a full disk. */
#pragma once

#include "datasets/base/base.h"

/* Before the work of a command, which messages name. Should a library end the process before interrupts_end
 * (OpenMP does when out of memory), temporary folders are removed and the exit code is that of
 * STATUS_SYSTEM. Without memory for the thread that waits, commands end where they report progress. */
void interrupts_start(const char *command);

/* From here on the first interrupt only makes progress reports return false: the command takes the time it
 * needs, and may write what it has. The second is as the first otherwise is. */
void interrupts_allow_output(void);

/* Whether an interrupt has arrived. */
bool interrupts_arrived(void);

/* After it, its output flushed. Returns the exit code for its status, which is changed to what is to be
 * printed: a command that failed after an interrupt ends with the interrupt's code, 130 for SIGINT and
 * SIGTERM, 129 for SIGHUP, and 141 for SIGPIPE, then without a message. */
int interrupts_end(Status *status);
