#include "harness/commands/table_work.h"

#include <unistd.h>

Status table_work_start(const CommandLine *line, const PublishedTable *const *tables, int table_count,
                        TableWork *work)
{
    work->sources = (TableSources){.folder = command_line_value(line, "data"), .cache = work->cache};
    if (work->sources.folder && access(work->sources.folder, R_OK | X_OK) != 0)
        return bad_input("%s: this folder of data sets does not exist", work->sources.folder);
    STATUS_TRY(bench_limits_read(line, 8.0, &work->bench, &work->dry));
    STATUS_TRY(tables_check(tables, table_count, &work->sources, work->bench.progress));
    /* Choose the result file and the folder for imported archives. The folder is that of the result file
     * or, if results are not kept, a temporary one. */
    const char *output = command_line_value(line, "output"), *slash = output ? strrchr(output, '/') : NULL;
    const bool kept = output && !work->bench.forecast;
    const char *parent = getenv("TMPDIR"), *folder = output;
    int length = slash ? (int)(slash - output) + 1 : 0, fits;
    if (!kept) {
        parent = parent && *parent ? parent : "/tmp";
        STATUS_TRY(temporary_folder_make(parent, parent, &work->temporary));
        folder = temporary_folder_path(work->temporary);
        length = (int)strlen(folder);
    }
    fits = output ? snprintf(work->file, sizeof work->file, "%s", output)
                  : snprintf(work->file, sizeof work->file, "%s/table.jsonl", folder);
    if (fits < (int)sizeof work->file)
        fits = snprintf(work->cache, sizeof work->cache, "%.*s%simported", length, folder, kept ? "" : "/");
    if (fits >= (int)sizeof work->cache)
        return bad_usage("%s: the path is too long", folder);
    work->bench.path = work->file;
    return bench_open(&work->bench);
}

void table_work_end(TableWork *work)
{
    bench_close(&work->bench);
    temporary_folder_remove(work->temporary);
}
