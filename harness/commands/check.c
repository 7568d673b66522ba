/* skinbench check FILE: checks a data set file for errors. */
#include "harness/commands/commands.h"

#include "datasets/model/check.h"

Status check_run(const CommandLine *line)
{
    const char *path = command_line_argument(line, 0);
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CheckReport report;
    STATUS_TRY(format_explain(dataset_read_unchecked(path, &line->progress, &dataset), path));
    STATUS_TRY(dataset_check(dataset, &report));
    if (line->json) {
        json_t *findings = json_array();
        for (int i = 0; i < report.finding_count; i++) {
            const CheckFinding *finding = &report.findings[i];
            json_array_append_new(findings,
                                  json_pack("{s:s, s:s, s:I, s:s}", "code", finding->code, "severity",
                                            check_severity_name(finding->severity), "count",
                                            (json_int_t)finding->count, "message", finding->text));
        }
        STATUS_TRY(output_json(json_pack("{s:o, s:i, s:i, s:i, s:o}", "file", json_text(path), "errors",
                                         report.error_count, "warnings", report.warning_count, "notes",
                                         report.note_count, "findings", findings)));
    } else {
        for (int i = 0; i < report.finding_count; i++) {
            const CheckFinding *finding = &report.findings[i];
            terminal_print("%-8s %-20s %s", check_severity_name(finding->severity), finding->code,
                           finding->text); /* the text of the finding is already escaped */
            if (finding->count > 1)
                terminal_print(" (and %" PRId64 " more)", finding->count - 1);
            terminal_print("\n");
        }
        terminal_print("%d errors, %d warnings, %d notes\n", report.error_count, report.warning_count,
                       report.note_count);
    }
    if (report.error_count > 0)
        return status_make(STATUS_CHECK_FAILED, "%s: %d kinds of errors were found", path,
                           report.error_count);
    return status_ok();
}
