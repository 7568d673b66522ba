/* skinbench check FILE: checks a data set file for errors. --gate measures rigs against limits. */
#include "harness/commands/commands.h"

#include "datasets/io/temporary_folder.h"
#include "datasets/model/check.h"
#include "datasets/model/compact_weights.h"
#include "harness/measure/gate/gate.h"

const CommandOption check_options[] = {
    {"gate", NULL,
     "fail if a rig, in any format that can be imported, exceeds a limit: sums of weights, NaN, influences, "
     "errors of few influences and of few bits, gaps at seams, bleed, unreached joints"},
    {"influences", "K", "--gate: influences per vertex that the engine uses (default 4)"},
    {"bits", "N", "--gate: bits of a weight that the engine stores (default 8)"},
    {"limit", "NAME=NUMBER", "--gate: replace the limit of a number; repeatable"},
    {NULL, NULL, NULL},
};

/* ---- the gate ---- */

/* Reads a data set file without checks, or imports a file of another format. sums [2] is the range of the
 * sums of weights in that file. */
static Status gate_read(const char *path, const Progress *progress, double sums[2], Dataset **out)
{
    OWNED_BY(temporary_folder_remove) TemporaryFolder *folder = NULL;
    const Format *format = NULL;
    char copy[4096];
    const Status read = dataset_read_unchecked(path, progress, out);
    sums[0] = sums[1] = 1.0;
    if (read.code != STATUS_BAD_INPUT || format_detect(path, &format).code != STATUS_OK || !format->import)
        return format_explain(read, path);
    STATUS_TRY(temporary_folder_make(temporary_folder_parent(), path, &folder));
    snprintf(copy, sizeof copy, "%s/rig.h5", temporary_folder_path(folder));
    const ImportOptions options = {
        .inputs = &path, .input_count = 1, .scale = 1.0, .progress = progress, .weight_sums = sums};
    STATUS_TRY(format->import(&options, copy));
    return dataset_read_unchecked(copy, progress, out);
}

/* Measures one file and prints the outcome. Returns STATUS_CHECK_FAILED if a limit is exceeded. */
static Status gate_file(const CommandLine *line, const char *path, const double *limits, int influences,
                        int bits)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    Gate gate;
    double sums[2];
    char failed[256] = "";
    json_auto_t *numbers = json_object();
    STATUS_TRY(gate_read(path, &line->progress, sums, &dataset));
    STATUS_TRY(gate_measure(&(GateTask){.dataset = dataset,
                                        .sum_low = sums[0],
                                        .sum_high = sums[1],
                                        .influences = influences,
                                        .bits = bits,
                                        .progress = &line->progress},
                            &gate));
    for (int i = 0; i < GATE_COUNT; i++) {
        const GateRow *row = &gate_rows[i];
        const double value = gate.values[i];
        /* a number that cannot be measured does not pass, but the errors that prevent it are one failure */
        const bool measured = !isnan(value),
                   passed = measured ? value <= limits[i] : gate.places[i][0] == '\0';
        if (!passed)
            text_append(failed, sizeof failed, "%s%s", failed[0] ? ", " : "", row->name);
        json_set(numbers, row->name,
                 json_pack("{s:o, s:o, s:b, s:o}", "value", json_number_or_null(value), "limit",
                           json_number_or_null(limits[i]), "passed", passed, "place",
                           json_text(gate.places[i])));
        char limit[32] = "no limit";
        if (isfinite(limits[i]))
            snprintf(limit, sizeof limit, "limit %g", limits[i]);
        if (!line->json && measured)
            terminal_print("%-6s %-16s %-60s %.6g%s%s (%s)%s%s\n", passed ? "ok" : "FAILED", row->name,
                           row->title, value, row->unit[0] ? " " : "", row->unit, limit,
                           gate.places[i][0] ? "   " : "", gate.places[i]);
        else if (!line->json)
            terminal_print("%-6s %-16s %-60s not measured %s\n", passed ? "-" : "FAILED", row->name,
                           row->title, gate.places[i]);
    }
    if (line->json)
        STATUS_TRY(output_json(json_pack("{s:o, s:b, s:O}", "file", json_text(path), "passed",
                                         failed[0] == '\0', "numbers", numbers)));
    return failed[0] ? status_make(STATUS_CHECK_FAILED, "%s: over the limit: %s", path, failed) : status_ok();
}

static Status limits_read(const CommandLine *line, double limits[GATE_COUNT])
{
    const char *text = NULL;
    for (int i = 0; i < GATE_COUNT; i++)
        limits[i] = gate_rows[i].limit;
    for (int k = 0; (text = command_line_value_at(line, "limit", k)) != NULL; k++) {
        const size_t length = strcspn(text, "=");
        bool known = false;
        for (int i = 0; i < GATE_COUNT; i++)
            if (strncmp(gate_rows[i].name, text, length) == 0 && gate_rows[i].name[length] == '\0')
                known = text[length] == '=' && text_numbers(text + length + 1, "", &limits[i]) == 1;
        if (!known)
            return bad_usage("--limit is '%.80s', expected NAME=NUMBER with a name that --gate prints", text);
    }
    return status_ok();
}

/* Measures all files. The exit code is that of the worst file. */
static Status gate_run(const CommandLine *line)
{
    double limits[GATE_COUNT];
    int influences = 0, bits = 0, failed = 0;
    Status worst = status_ok();
    STATUS_TRY(limits_read(line, limits));
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences));
    STATUS_TRY(command_line_integer(line, "bits", 8, 1, QUANTISE_BITS_MAX, &bits));
    for (int i = 0; i < line->argument_count; i++) {
        const char *path = command_line_argument(line, i);
        if (!line->json && line->argument_count > 1)
            terminal_print("%s\n", path);
        const Status status = gate_file(line, path, limits, influences, bits);
        if (status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED)
            return status;
        failed += status.code != STATUS_OK;
        if (status.code == STATUS_BAD_INPUT && line->argument_count > 1)
            output_note(line, "%s", status.text);
        if (status.code > worst.code)
            worst = status;
    }
    return failed > 1
               ? status_make(worst.code, "%d of %d files do not pass the gate", failed, line->argument_count)
               : worst;
}

/* ---- the checks ---- */

Status check_run(const CommandLine *line)
{
    const char *path = command_line_argument(line, 0);
    if (command_line_flag(line, "gate"))
        return gate_run(line);
    if (line->argument_count > 1 || command_line_flag(line, "limit") || command_line_flag(line, "bits") ||
        command_line_flag(line, "influences"))
        return bad_usage("check takes several files and limits only with --gate");
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
