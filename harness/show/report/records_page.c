/* Writes records.html, where every number of the report links to its raw record. */
#include "harness/show/report/report_parts.h"

#include "datasets/generate/generate.h"
#include "datasets/io/json_table.h"
#include "datasets/io/stream.h"
#include "harness/records/files/record_json.h"

/* ---- the suite that repeats a record ---- */

/* Returns ["sigma=0.1", ...]: the parameters of a cell that belong to its method. */
static json_t *settings_json(const Argument *parameters, const char *const *without)
{
    json_t *list = json_array();
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)parameters, name, value)
    {
        char shown[256], text[512];
        bool wanted = true;
        for (int i = 0; without[i]; i++)
            wanted = wanted && strcmp(without[i], name) != 0;
        if (!wanted)
            continue;
        if (json_is_real(value))
            number_exact(json_real_value(value), shown);
        else
            argument_format(value, shown, sizeof shown);
        snprintf(text, sizeof text, "%s=%s", name, shown);
        json_array_append_new(list, json_text(text));
    }
    return list;
}

static json_t *fit_json(const Cell *cell)
{
    static const char *const task[] = {
        "bones", "influences", "iterations", "time_limit_s", "holdout", "error", "repeats", "seed", NULL};
    json_t *fit = json_pack("{s:o, s:o}", "method", json_text(cell->method), "set",
                            settings_json(cell->parameters, task));
    for (int i = 0; task[i]; i++) {
        json_t *value = json_object_get(cell->parameters, task[i]);
        if (value && (strcmp(task[i], "bones") == 0 || strcmp(task[i], "seed") == 0)) // lists in a suite
            json_set(fit, strcmp(task[i], "seed") == 0 ? "seeds" : task[i], json_pack("[O]", value));
        else if (value)
            json_object_set(fit, task[i], value);
    }
    return fit;
}

/* Parses the name of a generated data set, a generator followed by its settings ("bar motion=bend-90").
 * Returns NULL for any other name. */
static json_t *generated_json(const char *name)
{
    char word[CELL_NAME_BYTES], generator[CELL_NAME_BYTES];
    snprintf(generator, sizeof generator, "%.*s", (int)strcspn(name, " "), name);
    if (!generator_find(generator))
        return NULL;
    json_t *settings = json_array();
    for (const char *cursor = name + strcspn(name, " "); *cursor; cursor += strcspn(cursor, " ")) {
        cursor++;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(cursor, " "), cursor);
        json_array_append_new(settings, json_text(word));
    }
    return json_pack("{s:o, s:o}", "generate", json_text(generator), "set", settings);
}

/* Text that stands for the data set folder until the command is written. */
static const char data_mark[] = "@DATA@";

static json_t *suite_json(const Cell *cell)
{
    const char *name = cell->dataset.name;
    char path[CELL_NAME_BYTES + 16];
    snprintf(path, sizeof path, "%s/%s%s", data_mark, name, strchr(name, '.') ? "" : ".h5");
    json_t *dataset = generated_json(name);
    dataset = dataset ? dataset : json_pack("{s:o}", "file", json_text(path));
    if (cell->kind == CELL_DECOMPOSITION)
        return json_pack("{s:[o], s:[o]}", "datasets", dataset, "decomposition", fit_json(cell));
    /* the entry for a peer also skins with LBS, because both are timed together */
    static const char *const none[] = {NULL};
    const bool peer = cell->kind == CELL_PEER;
    return json_pack("{s:[o], s:{s:[{s:o, s:o}], s:[o], s:[i], s:b, s:b}}", "datasets", dataset, "skinning",
                     "methods", "name", json_text(peer ? "lbs" : cell->method), "set",
                     settings_json(cell->parameters, none), "backends",
                     json_text(peer ? "simd" : cell->backend), "threads", cell->threads, "normals",
                     cell->normals, "two_phase", cell->two_phase);
}

/* ---- the command ---- */

/* Returns a line for a POSIX shell that repeats the record and appends to again.jsonl. It is safe for any
 * names in the record. A row of a published table is repeated through its table, with data sets in the
 * folder that the shell variable DATA names (an absolute path), by default the current folder. Any other
 * record is repeated by its own suite with NAME.h5 in that folder, unless NAME is that of a generator.
 * Returns NULL if memory runs out; release with free. */
static char *record_command(const Record *record)
{
    const Cell *cell = &record->cell;
    const bool of_table = cell->table[0] != '\0';
    const bool of_peer = cell->kind == CELL_PEER && strcmp(cell->method, "plain-loop") != 0;
    const long failures = memory_failures(); /* a member whose allocation fails is left out */
    json_auto_t *suite = of_table ? NULL : suite_json(cell);
    OWNED_BY(free)
    char *text = suite ? json_dumps(suite, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) : NULL;
    OWNED_BY(free) char *line = NULL;
    size_t length = 0;
    FILE *stream = of_table || text ? open_memstream(&line, &length) : NULL;
    ShellFile *command = shell_file(stream);
    if (!command)
        return NULL;
    if (of_table) {
        shell_print(command, "skinbench table %s --data \"${DATA:-.}\"", cell->table);
    } else if (text) {
        char *mark = strstr(text, data_mark);
        if (mark)
            *mark = '\0';
        shell_print(command, "printf '%%s\\n' %s", text);
        if (mark)
            shell_print(command, "\"${DATA:-$PWD}\"%s", mark + strlen(data_mark));
        shell_print(command, " > again.json && skinbench bench --suite again.json");
    }
    if (cell->kind == CELL_STUDY || cell->kind == CELL_DECOMPOSITION)
        shell_print(command, " --threads %d", cell->threads);
    if (cell->kind == CELL_SKINNING || cell->kind == CELL_NOISE || cell->kind == CELL_PEER)
        shell_print(command, " --frames %d", cell->frames);
    if (of_peer)
        shell_print(command, " --peer %s", cell->method);
    shell_print(command, " -o again.jsonl");
    return stream_close(stream) == 0 && memory_failures() == failures ? TAKE(line) : NULL;
}

/* Writes a number of a card with its 95 % interval, unless it is unknown. */
static void number_write(HtmlFile *html, const char *name, const Interval *number, const char *unit)
{
    if (isnan(number->median))
        return;
    html_print(html, "<dt>%s</dt><dd>%.4g", name, number->median);
    if (number->low < number->high)
        html_print(html, " (%.4g to %.4g)", number->low, number->high);
    html_print(html, "%s%s</dd>\n", unit[0] ? " " : "", unit);
}

enum { MEASURES_SHOWN = 12 }; /* number of a study's measures on a card; all are in the record below it */

/* Writes what a record is and what was measured, in words. */
static void card_write(const RecordView *view, const Record *record, HtmlFile *html)
{
    const Cell *cell = &record->cell;
    const EnvironmentRecord *run = record_store_environment(view->store, record);
    char parameters[512];
    cell_parameters_format(cell, parameters, sizeof parameters);
    html_print(html, "<dl>\n");
    if (cell->dataset.name[0])
        html_print(html, "<dt>data</dt><dd>%s: %d vertices, %d joints, %d frames</dd>\n", cell->dataset.name,
                   cell->dataset.vertices, cell->dataset.joints, cell->dataset.frames);
    if (cell->method[0])
        html_print(html, "<dt>method</dt><dd>%s%s%s</dd>\n", cell->method, parameters[0] ? ", " : "",
                   parameters);
    if (cell->backend[0])
        html_print(html, "<dt>ran on</dt><dd>%s%s%s, %d thread%s</dd>\n", cell->backend,
                   cell->level[0] ? " " : "", cell->level, cell->threads, cell->threads == 1 ? "" : "s");
    number_write(html, "time of a frame", record_derived(record, DERIVED_FRAME_NS_PER_VERTEX),
                 "ns per vertex");
    number_write(html, "relative to LBS", record_derived(record, DERIVED_FRAME_RATIO_TO_LBS), "");
    const StageTime *total = timing_stage(&record->timing, STAGE_TOTAL);
    const Interval total_s = interval_of(&total->statistics, 1.0);
    if (total->sample_count > 0)
        number_write(html, "time of the fit", &total_s, "s");
    const int samples =
        int_max(timing_stage(&record->timing, STAGE_FRAME)->sample_count, total->sample_count);
    if (samples > 0)
        html_print(html, "<dt>samples</dt><dd>%d%s</dd>\n", samples,
                   timing_is_disturbed(&record->timing) ? ", disturbed by other work" : "");
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++)
        if (rows[i].column_title)
            number_write(html, rows[i].title,
                         &(Interval){rows[i].column_factor * record_metric(record, rows[i].name), NAN, NAN},
                         strchr(rows[i].column_title, '%') ? "%" : rows[i].unit);
    for (int i = 0; i < record->measures.count && i < MEASURES_SHOWN; i++) {
        char words[512];
        snprintf(words, sizeof words, "%s", record->measures.items[i].name);
        for (char *cursor = words; (cursor = strchr(cursor, '_')); cursor++)
            *cursor = ' ';
        number_write(html, words, &(Interval){record->measures.items[i].value, NAN, NAN}, "");
    }
    if (run)
        html_print(html, "<dt>machine</dt><dd>%s</dd>\n<dt>commit</dt><dd>%.12s%s</dd>\n",
                   run->environment.cpu_model[0] ? run->environment.cpu_model : "unknown",
                   run->environment.commit, run->environment.dirty ? " with uncommitted changes" : "");
    html_print(html, "<dt>measured</dt><dd>%s</dd>\n</dl>\n", record->time);
}

/* Writes a record to records.html, and adds its card to `cards`. */
static Status article_write(const RecordView *view, const Record *record, FILE *file, json_t *cards)
{
    HtmlFile *html = html_file(file);
    OWNED_BY(free) char *card = NULL;
    size_t length = 0;
    char name[RECORD_NAME_BYTES], title[CELL_NAME_BYTES + 512];
    json_auto_t *object = record_to_json(record);
    /* give no command if a name has control characters, because the page would show the name escaped */
    const bool is_plain = text_is_printable(record->cell.table) && text_is_printable(record->cell.method);
    OWNED_BY(free) char *command = is_plain ? record_command(record) : NULL;
    OWNED_BY(free)
    char *json = object ? json_dumps(object, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17)) : NULL;
    if (!json || (is_plain && !command) || !record_name(view, record, name))
        return status_out_of_memory("a record of the page");
    cell_format(&record->cell, title, sizeof title);
    FILE *stream = open_memstream(&card, &length);
    if (!stream)
        return status_out_of_memory("a record of the page");
    HtmlFile *text = html_file(stream);
    html_print(text, "<h2>%s</h2>\n<p>%s, %s; ", title, cell_kind_names[record->cell.kind],
               record_status_names[record->status]);
    if (command)
        html_print(text, "to repeat it: <code>%s</code></p>\n", command);
    else
        html_print(
            text,
            "no command can repeat it: one of its names has characters that are unsafe in a shell</p>\n");
    card_write(view, record, text);
    if (stream_close(stream) != 0 || !json_set(cards, name, json_text(card)))
        return status_out_of_memory("a record of the page");
    html_print(html, "<article id=\"r-%s\">\n", name);
    fputs(card, file);
    html_print(html, "<details><summary>The record</summary><pre>%s</pre></details>\n</article>\n", json);
    return status_ok();
}

/* Writes the records of each data set into a section that a reader can unfold, because browsers need
 * seconds to lay out 10,000 articles. */
Status records_page_write(const ReportPage *report, const RecordView *views, int count)
{
    enum { FOLD_RECORDS = 100 };
    OWNED_BY(fclose) FILE *file = NULL;
    json_auto_t *cards = json_object();
    STATUS_TRY(report_file_open(report->folder, "records", "html", &file));
    HtmlFile *html = html_file(file);
    html_page_start(html, "skinbench: all records", false);
    html_print(
        html,
        "<header>\n<h1>All records</h1>\n<p>Back to the <a href=\"index.html\">report</a>. Each record has a "
        "command that repeats it and appends to again.jsonl. It runs as it is pasted in the folder of the "
        "data "
        "sets, with a file NAME.h5 for each; elsewhere, set the shell variable DATA to the absolute path of "
        "that folder.</p>\n</header>\n<main>\n");
    for (int i = 0; i < count; i++) {
        const char *folded = NULL; /* name of the data set whose folded section is being written */
        int in_fold = 0;
        for (const Record *record = NULL; (record = record_view_next(&views[i], record)) != NULL; in_fold++) {
            const char *dataset = record->cell.dataset.name;
            if (!folded || in_fold == FOLD_RECORDS || strcmp(folded, dataset) != 0) {
                if (folded)
                    html_print(html, "</noscript></details>\n");
                html_print(html, "<details><summary>%s</summary><noscript>\n",
                           dataset[0] ? dataset : "no data set");
                folded = dataset;
                in_fold = 0;
            }
            STATUS_TRY(article_write(&views[i], record, file, cards));
        }
        if (folded)
            html_print(html, "</noscript></details>\n");
    }
    html_print(html, "</main>\n");
    html_page_end(html);
    STATUS_TRY(report_file_close(TAKE(file), "records.html", status_ok()));
    return page_script_write(report, "page/cards", "skinbenchCards", cards);
}
