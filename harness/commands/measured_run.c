/* Reads the options of the commands that time skinning, chooses the result file, and prints --dry-run. */
#include "harness/commands/measured_run.h"

#include "datasets/io/atomic_path.h"
#include "harness/commands/name_list.h"
#include "harness/measure/environment/environment.h"

#include <sys/stat.h>
#include <unistd.h>

void measured_run_end(MeasuredRun *run)
{
    bench_close(&run->bench);
    temporary_folder_remove(run->temporary);
    run->temporary = NULL;
}

static Status forecast_print(void *context, const Cell *cell, bool already_done, double seconds)
{
    const MeasuredRun *run = context;
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

Status measured_run_read(const CommandLine *line, double time_budget_s, MeasuredRun *run)
{
    Bench *bench = &run->bench;
    run->line = line;
    run->forecast = (Forecast){.cell = forecast_print, .context = run};
    bench->forecast = command_line_flag(line, "dry-run") ? &run->forecast : NULL;
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

/* Names a file for the results of a command in this build. The time of the program's file tells two builds
 * of one commit apart, whose sources may differ. Returns false if results are not to be kept. */
static bool build_file_name(const char *command, const Environment *environment, char *path, size_t size)
{
    const char *chosen = getenv("SKINBENCH_RECORDS"), *state = getenv("XDG_STATE_HOME"),
               *home = getenv("HOME");
    struct stat program = {0};
    int used = 0;
    if (chosen)
        used = chosen[0] ? snprintf(path, size, "%s/", chosen) : 0;
    else if (state && state[0] == '/')
        used = snprintf(path, size, "%s/skinbench/", state);
    else if (home && home[0] == '/')
        used = snprintf(path, size, "%s/.local/state/skinbench/", home);
    if (used <= 0 || (size_t)used >= size || stat("/proc/self/exe", &program) != 0)
        return false;
    used += snprintf(path + used, size - (size_t)used, "%s-%.12s-%llx.jsonl", command, environment->commit,
                     (unsigned long long)program.st_mtime);
    return (size_t)used < size;
}

Status measured_run_open(MeasuredRun *run)
{
    Bench *bench = &run->bench;
    const CommandLine *line = run->line;
    const char *output = command_line_value(line, "output"), *parent = temporary_folder_parent();
    bench->path = run->file;
    if (output && snprintf(run->file, sizeof run->file, "%s", output) >= (int)sizeof run->file)
        return bad_usage("%.200s...: the path is too long", output);
    if (output)
        return bench_open(bench);
    Environment environment;
    STATUS_TRY(environment_describe(bench->threads, &environment));
    if (build_file_name(line->command->name, &environment, run->file, sizeof run->file)) {
        /* make the folders of the path; their errors show when the file is opened */
        for (char *slash = run->file + 1; !bench->forecast && (slash = strchr(slash, '/')); *slash++ = '/') {
            *slash = '\0';
            (void)mkdir(run->file, 0777);
        }
        const Status status = bench_open(bench);
        if (status.code == STATUS_OK && !bench->forecast)
            output_note(line,
                        "the results are kept in %s, where the next run continues (--output names "
                        "another file)",
                        run->file);
        if (status.code == STATUS_OK || bench->forecast)
            return status;
        output_note(line, "%s, so the results of this run are not kept", status.text);
        bench_close(bench);
    }
    STATUS_TRY(temporary_folder_make(parent, parent, &run->temporary));
    if (snprintf(run->file, sizeof run->file, "%s/results.jsonl", temporary_folder_path(run->temporary)) >=
        (int)sizeof run->file)
        return bad_usage("%.200s...: the path is too long", parent);
    return bench_open(bench);
}

Status measured_run_start_tables(const CommandLine *line, const PublishedTable *const *tables,
                                 int table_count, MeasuredRun *run)
{
    run->sources = (TableSources){.folder = command_line_value(line, "data"), .cache = run->cache};
    if (run->sources.folder && access(run->sources.folder, R_OK | X_OK) != 0)
        return bad_input("%s: --data is not the name of an existing folder", run->sources.folder);
    STATUS_TRY(measured_run_read(line, 8.0, run));
    STATUS_TRY(tables_check(tables, table_count, &run->sources, run->bench.progress));
    STATUS_TRY(measured_run_open(run));
    /* Imported archives are kept beside the result file if the user named it. */
    const char *output = run->bench.forecast ? NULL : command_line_value(line, "output");
    const char *parent = temporary_folder_parent();
    if (!output && !run->temporary)
        STATUS_TRY(temporary_folder_make(parent, parent, &run->temporary));
    const int size = output ? snprintf(run->cache, sizeof run->cache, "%.*simported",
                                       output_path_folder_length(output), output)
                            : snprintf(run->cache, sizeof run->cache, "%s/imported",
                                       temporary_folder_path(run->temporary));
    return size < (int)sizeof run->cache ? status_ok()
                                         : bad_usage("%s: the path is too long", output ? output : parent);
}

Status measured_run_print_forecast(const MeasuredRun *run)
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
