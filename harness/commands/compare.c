/* skinbench compare: exit 1 when a number changed, a cell vanished or appeared or, of executables, one is
 * slower. */
#include "datasets/base/memory.h"
#include "harness/commands/commands.h"
#include "harness/commands/compare_binary.h"
#include "harness/commands/compare_runs.h"

static Status compare_run(const CommandLine *line)
{
    const char *accepted_path = command_line_value(line, "accepted");
    CLEANUP(findings_clear) Findings findings = {0};
    CLEANUP(accepted_clear) Accepted before = {.methods = NULL}, run = {.methods = NULL};
    const bool binary = command_line_flag(line, "binary");
    if (line->argument_count < 2 && (binary || !accepted_path))
        return status_make(STATUS_USAGE, binary ? "--binary needs two executables"
                                                : "compare needs two runs, or a run and --accepted FILE");
    if (binary)
        return compare_binary_run(line);
    STATUS_TRY(compare_runs(line, accepted_path, &findings, &before, &run));
    const int failing = findings_failing(&findings), vanished = findings_count(&findings, FINDING_VANISHED),
              appeared = findings_count(&findings, FINDING_APPEARED);
    if (failing > 0)
        return status_make(STATUS_CHECK_FAILED,
                           "%d numbers changed, %d cells or numbers vanished, %d appeared",
                           failing - vanished - appeared, vanished, appeared);
    return status_ok();
}

const Command command_compare = {
    .name = "compare",
    .synopsis =
        "[BASE.jsonl] NEW.jsonl [--accepted FILE] [--tolerance SHARE] | --binary OLD NEW [--suite FILE]",
    .summary = "fail if a measured number changed or a cell vanished, or if one build is slower than another",
    .options =
        (const CommandOption[]){
            {"accepted", "FILE",
             "compare E_RMS of every method with what `accept` stored there, on any machine"},
            COMPARE_RUNS_OPTIONS,
            COMPARE_BINARY_OPTIONS,
            {NULL, NULL, NULL},
        },
    .arguments = {1, 2},
    .run = compare_run,
};
