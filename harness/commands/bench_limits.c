/* Options of the commands that time skinning, and the output of --dry-run. */
#include "harness/commands/bench_limits.h"

#include "harness/commands/name_list.h"
static Status forecast_print(void *context, const Cell *cell, bool already_done, double seconds)
{
    const DryRun *run = context;
    const char *state = already_done ? "in the file" : "to run";
    char text[512], digest[CELL_DIGEST_BYTES];
    cell_format(cell, text, sizeof text);
    if (run->line->json) {
        STATUS_TRY(cell_digest(cell, digest));
        return output_json(json_pack("{s:s, s:o, s:s, s:o}", "digest", digest, "cell", json_text(text),
                                     "state", state, "expected_s", json_number_or_null(seconds)));
    }
    if (isnan(seconds))
        terminal_print("%-11s         ?  %s\n", state, text);
    else
        terminal_print("%-11s %8.3g s  %s\n", state, seconds, text);
    return status_ok();
}

Status bench_limits_read(const CommandLine *line, double time_budget_s, Bench *bench, DryRun *dry)
{
    *dry = (DryRun){.line = line, .forecast = {.cell = forecast_print, .context = dry}};
    bench->forecast = command_line_flag(line, "dry-run") ? &dry->forecast : NULL;
    bench->threads = line->threads;
    bench->progress = &line->progress;
    bench->note = output_note_text;
    bench->note_context = (void *)line;
    STATUS_TRY(command_line_integer(line, "frames", 64, 1, 100000, &bench->frames_cap));
    STATUS_TRY(command_line_integer(line, "rounds", 200, 1, 100000, &bench->rounds_cap));
    STATUS_TRY(command_line_real(line, "time-budget", time_budget_s, 0.0, 1e6, &bench->time_budget_s));
    STATUS_TRY(command_line_real(line, "precision", 0.01, 0.0, 1.0, &bench->precision));
    if (command_line_flag(line, "shard"))
        STATUS_TRY(shard_parse(command_line_value(line, "shard"), &bench->shard));
    bench->anonymous = command_line_flag(line, "anonymous");
    bench->no_times = command_line_flag(line, "no-times");
    bench->rounds_minimum = int_min(bench->rounds_cap, 15);
    NameList externals = {.count = 0};
    STATUS_TRY(names_split(line, "external", &externals));
    if (externals.count > PEERS_MAX)
        return bad_usage("--external names %d programs, but at most %d are allowed", externals.count,
                         PEERS_MAX);
    for (int i = 0; i < externals.count; i++, bench->externals.count++)
        STATUS_TRY(external_read(externals.names[i], &bench->externals.items[i]));
    return status_ok();
}

Status dry_run_end(const DryRun *run)
{
    const Forecast *forecast = &run->forecast;
    if (run->line->json)
        return output_json(
            json_pack("{s:i, s:i, s:o, s:i}", "to_run", forecast->to_run, "already", forecast->already,
                      "expected_s", json_number_or_null(forecast->expected_s), "unknown", forecast->unknown));
    terminal_print("%d cells to run, %d already in the file; ", forecast->to_run, forecast->already);
    if (forecast->unknown < forecast->to_run || forecast->to_run == 0)
        terminal_print("about %.3g s%s", forecast->expected_s, forecast->unknown > 0 ? " and " : "");
    if (forecast->unknown > 0)
        terminal_print("the unknown time of %d cells for which the file has no similar record",
                       forecast->unknown);
    putchar('\n');
    return status_ok();
}
