/* Reads the runs, compares them, prints the findings. */
#include "harness/commands/compare_runs.h"

#include "harness/records/guard/compare.h"

Status findings_output(const CommandLine *line, const Findings *findings, const FindingSource *source)
{
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    Status status = status_ok();
    for (int i = 0; i < findings->count && command_line_json(line); i++)
        STATUS_TRY(output_json(finding_to_json(&findings->items[i])));
    if (!command_line_json(line))
        STATUS_TRY(findings_print_text(findings, stdout));
    if (junit)
        STATUS_TRY(findings_write_junit(findings, source, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(findings, source, markdown));
done:
    return status;
}

Status compare_runs(const CommandLine *line, const char *accepted, Findings *findings, Accepted *before,
                    Accepted *run)
{
    const bool both = command_line_argument_count(line) == 2;
    const char *const *paths = command_line_arguments(line), *fresh_path = paths[both];
    char base_of[ENVIRONMENT_LINE_BYTES] = "", fresh_of[ENVIRONMENT_LINE_BYTES];
    CompareOptions options = {.times = command_line_flag(line, "force")};
    RecordStore *base = NULL, *fresh = NULL;
    Status status;
    STATUS_TRY(command_line_real(line, "tolerance", 0.0, 0.0, 10.0, &options.tolerance));
    if (both)
        STATUS_TRY(record_store_read(paths, 1, &base));
    STATUS_TRY(record_store_read(&fresh_path, 1, &fresh));
    STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
    if (base)
        STATUS_TRY(records_compare(base, paths[0], fresh, fresh_path, &options, findings));
    status = accepted_of_run(fresh, fresh_path, run);
    if (status.code != STATUS_CHECK_FAILED)
        STATUS_TRY(status);
    if (accepted) {
        STATUS_TRY(accepted_read(accepted, before));
        STATUS_TRY(accepted_compare(before, run, findings));
    }
    if (base)
        environment_line(base, base_of);
    environment_line(fresh, fresh_of);
    const FindingSource source = {"accuracy", base ? paths[0] : "", fresh_path, base_of, fresh_of};
    const Status printed = findings_output(line, findings, &source);
    status = printed.code == STATUS_OK ? status : printed;
done:
    record_store_close(base);
    record_store_close(fresh);
    return status;
}
