/* skinbench accept: shows what a run changed, and stores the E_RMS of what is named with the reason for the
 * change. */
#include "harness/commands/commands.h"
#include "harness/commands/compare_runs.h"

#include <unistd.h>

const CommandOption accept_options[] = {
    {"what", "NAME",
     "a method, a study (\"study NAME\"), a cell, or all; may be repeated. Other changes stay open, and "
     "compare fails until they are accepted, too"},
    {"reason", "TEXT", "the reason for the change, stored with the numbers"},
    {"output", "ACCEPTED.json",
     "the file to write; entries of methods whose numbers stay within their spread are kept, so slow drift "
     "is found"},
    COMPARE_RUNS_OPTIONS,
    {NULL, NULL, NULL},
};

Status accept_run(const CommandLine *line)
{
    const char *output = NULL, *reason = NULL, *names[OPTION_VALUES_MAX];
    int count = 0;
    CLEANUP(run_comparison_clear) RunComparison comparison = {0};
    STATUS_TRY(command_line_required(line, "what", &names[0]));
    STATUS_TRY(command_line_required(line, "reason", &reason));
    STATUS_TRY(command_line_required(line, "output", &output));
    if (reason[0] == '\0')
        return bad_usage("--reason is empty: say why the numbers may change");
    while ((names[count] = command_line_value_at(line, "what", count)))
        count++;
    STATUS_TRY(compare_runs(line, access(output, F_OK) == 0 ? output : NULL, &comparison));
    STATUS_TRY(comparison.refused);
    if (memory_failures() > 0) // a record that was not looked up counts as vanished
        return status_out_of_memory("the comparison");
    Accepted *run = &comparison.run;
    snprintf(run->reason, sizeof run->reason, "%s", reason);
    findings_format(&comparison.findings, run->found);
    STATUS_TRY(accepted_follow(&comparison.before, &comparison.findings, names, count, run));
    STATUS_TRY(accepted_write(run, output));
    for (int i = 0; i < run->change_count; i++)
        if (run->changes[i].open)
            output_note(line, "not accepted: %s: %s", run->changes[i].name, run->changes[i].found);
    if (!line->json)
        terminal_print("%s: %s\n", output, reason);
    return status_ok();
}
