/* skinbench report RUN.jsonl... -o DIR: writes a report of result files. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "harness/run/repeat/record_repeat.h"
#include "harness/show/report/history_report.h"
#include "harness/show/report/report.h"
#include <unistd.h>

const CommandOption report_options[] = {
    {"output", "FOLDER", "folder of the report; an earlier report there is replaced in one step"},
    {"data", "FOLDER",
     "folder of the data sets for the 3D view, NAME.h5 or NAME.tar.xz (default: only generated "
     "ones)"},
    {"scene-time", "SECONDS",
     "limit in seconds for the skinning and fitting that the 3D view needs (default: 8; 0: no 3D view)"},
    {"history", NULL,
     "instead of all records, show which numbers changed between the commits that were measured"},
    {"metric", "NAME",
     "with --history: show this number, such as e_rms or ratio_to_lbs, for all cells (may be "
     "repeated; default: the numbers that changed)"},
    {NULL, NULL, NULL},
};

enum { CACHE_BYTES = 4096 };

/* Where to find the data sets that the scenes are made from. */
typedef struct SceneContext {
    char cache[CACHE_BYTES];
    TableSources sources;
    RecordStore *records;
    int threads;
} SceneContext;

static Status scene_find(void *context, const char *sha256, const Progress *progress, Subject *out,
                         bool *found)
{
    const SceneContext *from = context;
    return record_subject_find(from->records, sha256, &from->sources, progress, out, found);
}

static Status scene_repeat(void *context, const Record *record, const Subject *subject, int step, int count,
                           const Progress *progress, float *positions, double *e_rms)
{
    const SceneContext *from = context;
    return record_repeat(record, subject, from->threads, step, count, progress, positions, e_rms);
}

/* Returns the names of the result files without their folders, as the report shows them. Free with
 * memory_free. */
static char *sources_format(const CommandLine *line)
{
    const int count = line->argument_count;
    size_t size = 1;
    for (int i = 0; i < count; i++)
        size += strlen(command_line_argument(line, i)) + 2;
    char *text = memory_array(size, 1);
    for (int i = 0; text && i < count; i++) {
        const char *path = command_line_argument(line, i);
        text_append(text, size, "%s%s", i > 0 ? ", " : "", path + output_path_folder_length(path));
    }
    return text;
}

static Status history_print(const CommandLine *line, const History *history)
{
    for (int i = 0; i < history->series_count && line->json; i++)
        for (int k = 0; k < history->series[i].change_count; k++) {
            const HistorySeries *series = &history->series[i];
            const HistoryChange *change = &history->series[i].changes[k];
            const HistoryCommit *last = &history->commits[change->last],
                                *first = &history->commits[change->first];
            STATUS_TRY(output_json(
                json_pack("{s:o, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:b, s:o, s:b}", "cell",
                          json_text(series->cell), "digest", series->digest, "metric", series->name, "change",
                          history_change_word(series, change), "machine", json_text(series->machine),
                          "before", json_number_or_null(change->before), "after",
                          json_number_or_null(change->after), "last", json_text(last->commit), "last_dirty",
                          last->dirty, "first", json_text(first->commit), "first_dirty", first->dirty)));
        }
    if (line->json)
        return status_ok();
    TextTable *table = history_changes_table(history);
    const int changes = text_table_row_count(table);
    STATUS_TRY(text_table_show(table));
    for (int i = 0; i < history->series_count; i++)
        if (history->series[i].few_before > 0) {
            char few[COMMIT_LABEL_BYTES * 3];
            history_few_text(&history->series[i], few);
            terminal_print("times: %s\n", few);
            break;
        }
    terminal_print("%d changes over %d commits\n", changes, history->commit_count);
    return status_ok();
}

Status report_run(const CommandLine *line)
{
    const char *folder = NULL;
    char left_out[FIGURES_LEFT_OUT_BYTES];
    SceneSources scenes;
    OWNED char *sources = sources_format(line);
    OWNED_BY(record_store_close) RecordStore *records = NULL;
    SceneContext context = {.threads = line->threads};
    OWNED_BY(free) char *whole = NULL, *without_figures = NULL;
    ALLOCATED(sources, "the names of the result files");
    STATUS_TRY(command_line_required(line, "output", &folder));
    if (command_line_flag(line, "metric") && !command_line_flag(line, "history"))
        return bad_usage("--metric works only with --history");
    if (command_line_flag(line, "history")) {
        const char *metrics[OPTION_VALUES_MAX];
        int count = 0;
        CLEANUP(history_clear) History history = {.commits = NULL};
        const char *name = NULL;
        while ((name = command_line_value_at(line, "metric", count)) != NULL)
            metrics[count++] = name;
        STATUS_TRY(history_read(line->arguments, line->argument_count, metrics, count, &history));
        const Status status = history_report_write(&history, sources, folder, &line->progress, left_out);
        if (status.code != STATUS_OK && status.code != STATUS_UNAVAILABLE)
            return status;
        const Status printed = history_print(line, &history);
        if (left_out[0])
            output_note(line, "%s", left_out);
        output_note(line, "wrote %s/index.html and report.md", folder);
        STATUS_TRY(printed);
        return status;
    }
    /* find the data sets of the scenes; imported archives are in the folder of the result file
     * (measured_run.h) */
    const char *run = command_line_argument(line, 0);
    const char *data = command_line_value(line, "data");
    const int fits =
        snprintf(context.cache, CACHE_BYTES, "%.*simported", output_path_folder_length(run), run);
    context.sources = (TableSources){.folder = data, .cache = fits < CACHE_BYTES ? context.cache : NULL};
    scenes = (SceneSources){.maker = {scene_find, scene_repeat, &context}, .threads = context.threads};
    if (data && access(data, R_OK | X_OK) != 0)
        return bad_input("%s: --data is not the name of an existing folder", data);
    STATUS_TRY(command_line_real(line, "scene-time", 8.0, 0.0, 86400.0, &scenes.budget_s));
    /* prepare the printed text before the report is made, because memory may run out later */
    STATUS_TRY(record_store_read(line->arguments, line->argument_count, &records));
    context.records = records;
    const int without_times =
        environment_allows_one_loop_times() ? 0 : record_store_drop_one_loop_times(records);
    if (without_times > 0)
        output_note(line,
                    "left out the times of %d cells, because one plain loop per kernel (SKINBENCH_ONE_LOOP) "
                    "took them",
                    without_times);
    for (int figures = 0; line->json && figures < 2; figures++) {
        json_t *array = json_array();
        for (int i = 0; i < line->argument_count; i++)
            json_array_append_new(array, json_text(command_line_argument(line, i)));
        STATUS_TRY(output_json_line(
            json_pack("{s:o, s:o, s:b}", "report", json_text(folder), "sources", array, "figures", figures),
            figures ? &whole : &without_figures));
    }
    const Status status = report_write(records, sources, &scenes, folder, &line->progress, left_out);
    if (status.code != STATUS_OK && status.code != STATUS_UNAVAILABLE)
        return status;
    if (left_out[0])
        output_note(line, "%s", left_out);
    if (line->json)
        puts(status.code == STATUS_OK ? whole : without_figures);
    else
        output_note(line, "wrote %s/index.html and report.md", folder);
    return status;
}
