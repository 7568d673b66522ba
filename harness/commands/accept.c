/* skinbench accept: shows what a run changed, and stores the run's E_RMS with the reason for the change. */
#include "harness/commands/commands.h"
#include "harness/commands/compare_runs.h"

#include <unistd.h>

const CommandOption accept_options[] = {
    {"reason", "TEXT", "the reason for the change, stored with the numbers"},
    {"output", "ACCEPTED.json",
     "the file to write; entries of methods whose numbers stay within their spread are kept, so slow drift "
     "is found"},
    COMPARE_RUNS_OPTIONS,
    {NULL, NULL, NULL},
};

Status accept_run(const CommandLine *line)
{
    const char *output = NULL, *reason = NULL;
    CLEANUP(findings_clear) Findings findings = {0};
    CLEANUP(accepted_clear) Accepted before = {.methods = NULL}, run = {.methods = NULL};
    STATUS_TRY(command_line_required(line, "reason", &reason));
    STATUS_TRY(command_line_required(line, "output", &output));
    if (reason[0] == '\0')
        return bad_usage("--reason is empty: say why the numbers may change");
    const bool again = access(output, F_OK) == 0;
    STATUS_TRY(compare_runs(line, again ? output : NULL, &findings, &before, &run));
    if (memory_failures() > 0) // a record that was not looked up counts as vanished
        return status_out_of_memory("the comparison");
    accepted_keep(&before, &run);
    snprintf(run.reason, sizeof run.reason, "%s", reason);
    findings_format(&findings, run.found);
    STATUS_TRY(accepted_write(&run, output));
    if (!line->json)
        terminal_print("%s: %s\n", output, reason);
    return status_ok();
}
