#include "harness/commands/table_work.h"

#include <unistd.h>

Status table_work_start(const CommandLine *line, const PublishedTable *const *tables, int table_count,
                        TableWork *work)
{
    work->sources = (TableSources){.folder = command_line_value(line, "data"), .cache = work->cache};
    if (work->sources.folder && access(work->sources.folder, R_OK | X_OK) != 0)
        return bad_input("%s: --data must name a folder that exists", work->sources.folder);
    STATUS_TRY(bench_limits_read(line, 8.0, &work->bench, &work->dry));
    STATUS_TRY(tables_check(tables, table_count, &work->sources, work->bench.progress));
    STATUS_TRY(result_place_open(line, &work->place, &work->bench));
    /* Imported archives are kept beside the result file if the user named it. */
    const char *output = work->bench.forecast ? NULL : command_line_value(line, "output");
    const char *slash = output ? strrchr(output, '/') : NULL, *parent = temporary_folder_parent();
    if (!output && !work->place.temporary)
        STATUS_TRY(temporary_folder_make(parent, parent, &work->place.temporary));
    const int size = output ? snprintf(work->cache, sizeof work->cache, "%.*simported",
                                       slash ? (int)(slash - output) + 1 : 0, output)
                            : snprintf(work->cache, sizeof work->cache, "%s/imported",
                                       temporary_folder_path(work->place.temporary));
    return size < (int)sizeof work->cache ? status_ok()
                                          : bad_usage("%s: the path is too long", output ? output : parent);
}

void table_work_end(TableWork *work)
{
    bench_close(&work->bench);
    result_place_clear(&work->place);
}
