/* Imports the files of other formats that a command is given as data sets. */
#include "harness/commands/data_files.h"

#include "datasets/formats/formats.h"
#include "datasets/io/store.h"

#include <sys/stat.h>

void data_files_clear(DataFiles *files)
{
    temporary_folder_remove(files->folder);
    files->folder = NULL;
}

Status data_file_find(DataFiles *files, const CommandLine *line, const char *given,
                      char path[DATA_FILE_PATH_BYTES])
{
    const Format *format = NULL;
    const char *parent = getenv("TMPDIR"), *slash = strrchr(given, '/'), *name = slash ? slash + 1 : given;
    const char *ending = strrchr(name, '.');
    if (snprintf(path, DATA_FILE_PATH_BYTES, "%s", given) >= DATA_FILE_PATH_BYTES)
        return bad_usage("%.200s...: the path is too long", given);
    if (dataset_probe(given, NULL).code == STATUS_OK)
        return status_ok();
    STATUS_TRY(format_detect(given, &format));
    if (!format->import || !(format->options & FORMAT_RIG) || format->options & FORMAT_MESH)
        return status_ok(); /* opening the file says which command makes a data set of it */
    if (!files->folder)
        STATUS_TRY(temporary_folder_make(parent && *parent ? parent : "/tmp", given, &files->folder));
    /* Two files may have the same name, so each import has a folder of its own. */
    int size =
        snprintf(path, DATA_FILE_PATH_BYTES, "%s/%d", temporary_folder_path(files->folder), ++files->count);
    if (size < DATA_FILE_PATH_BYTES && mkdir(path, 0700) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (size < DATA_FILE_PATH_BYTES)
        size += snprintf(path + size, (size_t)(DATA_FILE_PATH_BYTES - size), "/%.*s.h5",
                         ending && ending > name ? (int)(ending - name) : (int)strlen(name), name);
    if (size >= DATA_FILE_PATH_BYTES)
        return bad_usage("%.200s...: the path is too long", given);
    const ImportOptions import = {
        .inputs = &given, .input_count = 1, .scale = 1.0, .progress = &line->progress};
    return format_explain(format->import(&import, path), given);
}
