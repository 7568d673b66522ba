/* Reads runs, compares them and prints the findings. */
#include "harness/commands/compare_runs.h"

#include "harness/records/guard/compare.h"
#include "harness/records/guard/finding_json.h"

Status findings_output(const CommandLine *line, Findings *findings)
{
    const char *junit = command_line_value(line, "junit"), *markdown = command_line_value(line, "markdown");
    const char *also = NULL;
    for (int i = 0; (also = command_line_value_at(line, "also", i)); i++)
        STATUS_TRY(findings_read(also, findings));
    for (int i = 0; i < findings->count && line->json; i++)
        STATUS_TRY(output_json(finding_to_json(&findings->items[i])));
    if (line->json)
        STATUS_TRY(output_json(findings_summary_to_json(findings)));
    else
        STATUS_TRY(findings_print_text(findings, stdout));
    if (junit)
        STATUS_TRY(findings_write_junit(findings, junit));
    if (markdown)
        STATUS_TRY(findings_write_markdown(findings, markdown));
    return status_ok();
}

void run_comparison_clear(RunComparison *comparison)
{
    findings_clear(&comparison->findings);
    accepted_clear(&comparison->before);
    accepted_clear(&comparison->run);
}

Status compare_runs(const CommandLine *line, const char *accepted, RunComparison *out)
{
    const bool both = line->argument_count == 2;
    const char *base_path = both ? line->arguments[0] : NULL, *fresh_path = NULL;
    CompareOptions options = {.times = command_line_flag(line, "force")};
    OWNED_BY(record_store_close) RecordStore *base = NULL, *fresh = NULL;
    out->refused = status_ok();
    STATUS_TRY(command_line_real(line, "tolerance", 0.0, 0.0, 10.0, &options.tolerance));
    if (base_path) {
        STATUS_TRY(record_store_read(&base_path, 1, &base));
        record_store_drop_samples(base);
    }
    if (line->argument_count > 0) {
        fresh_path = line->arguments[both];
        STATUS_TRY(record_store_read(&fresh_path, 1, &fresh));
        record_store_drop_samples(fresh);
        STATUS_TRY(store_is_of_one_machine(fresh, fresh_path));
        const FindingSource source = source_of_runs(base, base_path, fresh, fresh_path);
        STATUS_TRY(findings_add_source(&out->findings, &source));
        out->refused = accepted_of_run(fresh, fresh_path, &out->run);
    }
    if (base)
        STATUS_TRY(records_compare(base, base_path, fresh, fresh_path, &options, &out->findings));
    if (out->refused.code != STATUS_CHECK_FAILED)
        STATUS_TRY(out->refused);
    if (accepted) {
        STATUS_TRY(accepted_read(accepted, &out->before));
        STATUS_TRY(accepted_compare(&out->before, &out->run, &out->findings));
    }
    return findings_output(line, &out->findings);
}
