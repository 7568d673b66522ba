/* skinbench compare BASE NEW: exit 1 when a guarded number moved, a cell vanished or, of executables, one is slower. */
#include "harness/commands/commands.h"
#include "harness/commands/compare_binary.h"

#include "harness/records/guard/compare.h"
#include "harness/show/tables/finding_print.h"
#include <math.h>
#include <stdio.h>

static Status findings_output(const CommandLine *line, const Findings *findings, const RecordStore *base,
                              const RecordStore *fresh)
{
    char base_of[ENVIRONMENT_LINE_BYTES], fresh_of[ENVIRONMENT_LINE_BYTES];
    const FindingSource source = {"accuracy", command_line_argument(line, 0), command_line_argument(line, 1),
                                  base_of, fresh_of};
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    Status status = status_ok();
    environment_line(base, base_of);
    environment_line(fresh, fresh_of);
    for (int i = 0; i < findings->count && command_line_json(line); i++)
        STATUS_TRY(output_json(finding_to_json(&findings->items[i])));
    if (!command_line_json(line))
        STATUS_TRY(findings_print_text(findings, stdout));
    if (junit)
        STATUS_TRY(findings_write_junit(findings, &source, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(findings, &source, markdown));
done:
    return status;
}

static Status compare_run(const CommandLine *line)
{
    RecordStore *base = NULL, *fresh = NULL;
    CompareOptions options = {.tolerance = NAN, .times = command_line_flag(line, "force")};
    Findings findings = {0};
    Status status;
    if (command_line_flag(line, "binary"))
        return compare_binary_run(line);
    STATUS_TRY(command_line_real(line, "tolerance", NAN, 0.0, 10.0, &options.tolerance));
    STATUS_TRY(record_store_read(command_line_arguments(line), 1, &base));
    STATUS_TRY(record_store_read(command_line_arguments(line) + 1, 1, &fresh));
    STATUS_TRY(records_compare(base, command_line_argument(line, 0), fresh, command_line_argument(line, 1),
                               &options, &findings));
    STATUS_TRY(findings_output(line, &findings, base, fresh));
    const int failing = findings_failing(&findings), vanished = findings_count(&findings, FINDING_VANISHED);
    if (failing > 0)
        status = status_make(STATUS_CHECK_FAILED, "%d numbers changed, %d cells or numbers vanished",
                             failing - vanished, vanished);
done:
    findings_clear(&findings);
    record_store_close(base);
    record_store_close(fresh);
    return status;
}

const Command command_compare = {
    .name = "compare",
    .synopsis = "BASE.jsonl NEW.jsonl [--tolerance SHARE] | --binary OLD NEW [--suite FILE]",
    .summary = "fail when a measured number changed or a cell vanished, or a build is slower than another",
    .options =
        (const CommandOption[]){
            {"tolerance", "SHARE",
             "numbers may move by this share, everywhere (default: 1e-6; in other environments than the "
             "base's "
             "what it states)"},
            {"force", NULL, "show ratios of times of different environments, too"},
            {"junit", "FILE", "write a JUnit file with a test case for each cell"},
            {"markdown", "FILE", "write a summary for a pull request"},
            COMPARE_BINARY_OPTIONS,
            {NULL, NULL, NULL},
        },
    .arguments = {2, 2},
    .run = compare_run,
};
