/* Ends a command when the system or the user requests it. An interrupt is SIGINT, SIGTERM, SIGHUP (unless
 * ignored), or SIGPIPE (the reader of stdout is gone).
 *
 * After an interrupt, progress reports return false and no file gets its final name. If the command has not
 * returned after 0.5 s, because it is inside a library, the process is ended: its temporary folders are
 * removed and it exits with the interrupt's code. A write beyond the file size limit (SIGXFSZ) fails like
 * one on a full disk. */
#pragma once

#include "datasets/base/base.h"

/* Call before the work of a command; `command` is its name for messages. If a library ends the process
 * before interrupts_end, as OpenMP does when out of memory, temporary folders are removed and the exit code
 * is that of STATUS_SYSTEM. If there is no memory to start the waiting thread, interrupts stop commands
 * only at progress reports. */
void interrupts_start(const char *command);

/* Call before writing results that are still wanted after an interrupt. From now on the first interrupt
 * only makes progress reports return false, and the command may take its time to write what it has. A
 * second interrupt ends the command like any first interrupt. */
void interrupts_allow_output(void);

/* Whether an interrupt has arrived. */
bool interrupts_arrived(void);

/* Call after the command, with its output flushed. Returns the exit code and changes the status to the
 * message to print. A command that failed after an interrupt exits with 130 for SIGINT and SIGTERM, 129 for
 * SIGHUP, or 141 (without a message) for SIGPIPE. */
int interrupts_end(Status *status);
