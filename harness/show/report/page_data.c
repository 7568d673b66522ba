/* Writes page/data.js. */
#include "harness/show/report/report_parts.h"

#include "datasets/io/json_table.h"

Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp)
{
    STATUS_TRY(page_plots_status(report->plots));
    /* build the JSON; a member whose allocation fails is left out */
    const long failures = memory_failures();
    json_t *machines = json_array(), *scenes = json_array();
    for (int i = 0; i < count; i++) {
        char suffix[VIEW_SUFFIX_BYTES];
        record_view_suffix(&views[i], suffix);
        json_array_append_new(machines, json_pack("{s:o, s:s}", "name",
                                                  json_text(views[i].machine ? views[i].machine : ""),
                                                  "suffix", suffix));
    }
    for (int i = 0; i < report->scenes.count; i++) {
        const ReportScene *scene = &report->scenes.items[i];
        json_t *pictures = json_array();
        for (int k = 0; k < scene->picture_count; k++)
            json_array_append_new(pictures, json_text(scene->pictures[k]));
        json_array_append_new(scenes,
                              json_pack("{s:o, s:o, s:o, s:I, s:o}", "name", json_text(scene->name), "title",
                                        json_text(scene->title), "file", json_text(scene->file), "bytes",
                                        (json_int_t)scene->size_bytes, "pictures", pictures));
    }
    json_auto_t *data =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:O, s:o, s:o}", "schema", 1, "title", "skinbench report",
                  "written", stamp, "version", environment_build(), "machines", machines, "plots",
                  page_plots_json(report->plots), "scenes", scenes, "terms", glossary_json());
    return memory_failures() == failures ? page_script_write(report, "page/data", "skinbench", data)
                                         : status_out_of_memory("the plots of a page");
}

Status page_script_write(const ReportPage *report, const char *name, const char *variable, const json_t *data)
{
    FILE *file = NULL;
    OWNED_BY(free)
    char *text = data ? json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9)) : NULL;
    if (!text)
        return status_out_of_memory(name);
    STATUS_TRY(report_file_open(report->folder, name, "js", &file));
    fprintf(file, "window.%s = ", variable);
    for (const char *cursor = text; *cursor; cursor++)
        if (*cursor == '<')
            fputs("\\u003c", file);
        else
            fputc(*cursor, file);
    fputs(";\n", file);
    return report_file_close(file, name, status_ok());
}
