/* skinbench accept BASE NEW --reason TEXT: a run becomes what later ones are compared with. */
#include "harness/commands/commands.h"

#include "harness/records/guard/baseline.h"
#include <stdio.h>
#include <unistd.h>

enum { OTHERS_MAX = 16 };

static Status accept_run(const CommandLine *line)
{
    const char *output = command_line_argument(line, 0), *reason = NULL;
    RecordStore *run = NULL, *before = NULL, *others[OTHERS_MAX] = {NULL};
    BaselineSources sources = {.path = command_line_argument(line, 1),
                               .others = (const RecordStore **)others};
    Status status;
    STATUS_TRY(command_line_required(line, "reason", &reason));
    if (reason[0] == '\0')
        STATUS_TRY(status_make(STATUS_USAGE, "--reason is empty: say why the numbers may change"));
    STATUS_TRY(record_store_read(&sources.path, 1, &run));
    if (access(output, F_OK) == 0)
        STATUS_TRY(record_store_read(&output, 1, &before));
    for (const char *path; (path = command_line_value_at(line, "other", sources.other_count)) != NULL;) {
        if (sources.other_count == OTHERS_MAX)
            STATUS_TRY(status_make(STATUS_USAGE, "--other is given more than %d times", OTHERS_MAX));
        STATUS_TRY(record_store_read(&path, 1, &others[sources.other_count]));
        sources.other_count++;
    }
    sources.run = run;
    sources.before = before;
    sources.reason = reason;
    STATUS_TRY(baseline_write(&sources, output));
    if (!command_line_json(line))
        output_line("%s: %s", output, reason);
done:
    for (int i = 0; i < OTHERS_MAX; i++)
        record_store_close(others[i]);
    record_store_close(before);
    record_store_close(run);
    return status;
}

const Command command_accept = {
    .name = "accept",
    .synopsis = "BASE.jsonl NEW.jsonl --reason TEXT [--other RUN.jsonl]...",
    .summary = "make a run the baseline that `compare` holds later runs against",
    .options =
        (const CommandOption[]){
            {"reason", "TEXT", "why; kept with the baseline"},
            {"other", "RUN.jsonl",
             "a run of the same program in another environment: how far its numbers are off bounds what may "
             "differ there; may be repeated (default: the bounds of the baseline before)"},
            {NULL, NULL, NULL},
        },
    .arguments = {2, 2},
    .run = accept_run,
};
