/* What the verbs share in printing: one JSON object per line on stdout, notes on stderr. */
#ifndef SKINBENCH_COMMANDS_OUTPUT_H
#define SKINBENCH_COMMANDS_OUTPUT_H

#include "datasets/base/status.h"
#include "harness/commands/command_line.h"
#include <jansson.h>

/* Prints the object as one line and releases it. NULL: memory was out when it was made. */
Status output_json(json_t *object);

/* A note on stderr, unless --quiet. */
void output_note(const CommandLine *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
