/* Writes page/data.js. */
#include "harness/show/report/page_data.h"

#include "datasets/base/memory.h"
#include "datasets/io/json_table.h"
#include "harness/measure/environment/environment.h"
#include <stdlib.h>

static json_t *machines_json(const RecordView *views, int count)
{
    json_t *machines = json_array();
    bool made = machines != NULL;
    for (int i = 0; i < count && made; i++) {
        char suffix[VIEW_SUFFIX_BYTES];
        record_view_suffix(&views[i], suffix);
        made = json_array_append_new(machines, json_pack("{s:o, s:s}", "name",
                                                         json_text(views[i].machine ? views[i].machine : ""),
                                                         "suffix", suffix)) == 0;
    }
    return json_if_made(machines, made);
}

static json_t *scene_json(const ReportScene *scene)
{
    json_t *pictures = json_array();
    bool made = pictures != NULL;
    for (int i = 0; i < scene->picture_count && made; i++)
        made = json_array_append_new(pictures, json_text(scene->pictures[i])) == 0;
    return json_pack("{s:o, s:o, s:o, s:I, s:o}", "name", json_text(scene->name), "title",
                     json_text(scene->title), "file", json_text(scene->file), "bytes",
                     (json_int_t)scene->size_bytes, "pictures", json_if_made(pictures, made));
}

static json_t *scenes_json(const ReportScenes *scenes)
{
    json_t *list = json_array();
    bool made = list != NULL;
    for (int i = 0; i < scenes->count && made; i++)
        made = json_array_append_new(list, scene_json(&scenes->items[i])) == 0;
    return json_if_made(list, made);
}

Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp)
{
    FILE *file = NULL;
    STATUS_TRY(page_plots_status(report->plots));
    json_auto_t *data =
        json_pack("{s:i, s:s, s:s, s:s, s:o, s:O, s:o}", "schema", 1, "title", "skinbench report", "written",
                  stamp, "version", environment_build(), "machines", machines_json(views, count), "plots",
                  page_plots_json(report->plots), "scenes", scenes_json(&report->scenes));
    OWNED_BY(free)
    char *text = data ? json_dumps(data, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9)) : NULL;
    if (!text)
        return status_out_of_memory("the plots of a page");
    STATUS_TRY(report_file_open(report->folder, "page/data", "js", &file));
    fputs("window.skinbench = ", file);
    for (const char *at = text; *at; at++)
        if (*at == '<')
            fputs("\\u003c", file);
        else
            fputc(*at, file);
    fputs(";\n", file);
    return report_file_close(file, "page/data.js", status_ok());
}
