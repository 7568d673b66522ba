/* Reads runs, compares them and prints the findings. */
#include "harness/commands/compare_runs.h"

#include "harness/records/guard/compare.h"

Status findings_output(const CommandLine *line, const Findings *findings, const FindingSource *source)
{
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    for (int i = 0; i < findings->count && line->json; i++)
        STATUS_TRY(output_json(finding_to_json(&findings->items[i])));
    if (!line->json)
        STATUS_TRY(findings_print_text(findings, stdout));
    if (junit)
        STATUS_TRY(findings_write_junit(findings, source, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(findings, source, markdown));
    return status_ok();
}

Status compare_runs(const CommandLine *line, const char *accepted, Findings *findings, Accepted *before,
                    Accepted *run)
{
    const bool both = line->argument_count == 2;
    const char *const *paths = line->arguments, *fresh_path = paths[both];
    char base_of[ENVIRONMENT_LINE_BYTES] = "", fresh_of[ENVIRONMENT_LINE_BYTES];
    CompareOptions options = {.times = command_line_flag(line, "force")};
    OWNED_BY(record_store_close) RecordStore *base = NULL, *fresh = NULL;
    STATUS_TRY(command_line_real(line, "tolerance", 0.0, 0.0, 10.0, &options.tolerance));
    if (both) {
        STATUS_TRY(record_store_read(paths, 1, &base));
        record_store_drop_samples(base);
    }
    STATUS_TRY(record_store_read(&fresh_path, 1, &fresh));
    record_store_drop_samples(fresh);
    STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
    if (base)
        STATUS_TRY(records_compare(base, paths[0], fresh, fresh_path, &options, findings));
    const Status refused = accepted_of_run(fresh, fresh_path, run);
    if (refused.code != STATUS_CHECK_FAILED)
        STATUS_TRY(refused);
    if (accepted) {
        STATUS_TRY(accepted_read(accepted, before));
        STATUS_TRY(accepted_compare(before, run, findings));
    }
    if (base)
        environment_line(base, base_of);
    environment_line(fresh, fresh_of);
    const FindingSource source = {"accuracy", base ? paths[0] : "", fresh_path, base_of, fresh_of};
    STATUS_TRY(findings_output(line, findings, &source));
    return accepted ? status_ok() : refused;
}
