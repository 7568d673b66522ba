/* Finds the data set of a row, and imports an archive once. */
#include "harness/tables/row_subject.h"

#include "datasets/io/formats.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The archive as a data set file in the cache; imported when it is not there or older than the archive. */
static Status archive_import(const char *archive, const char *name, const TableSources *sources,
                             const Bench *bench, char path[PUBLISHED_PATH_BYTES])
{
    struct stat source, cached;
    if (snprintf(path, PUBLISHED_PATH_BYTES, "%s/%s.h5", sources->cache, name) >= PUBLISHED_PATH_BYTES)
        return status_make(STATUS_USAGE, "%s: the path is too long", sources->cache);
    if (mkdir(sources->cache, 0777) != 0 && errno != EEXIST)
        return status_make(STATUS_MACHINE, "%s: %s", sources->cache, strerror(errno));
    if (stat(archive, &source) == 0 && stat(path, &cached) == 0 && cached.st_mtime >= source.st_mtime)
        return status_ok();
    bench_note(bench, "%s: imported to %s", archive, path);
    const Format *format = format_find("obj-sequence");
    if (!format || !format->import)
        return status_make(STATUS_UNAVAILABLE, "%s: no importer for it is built in", archive);
    ImportOptions options = {.inputs = &archive,
                             .input_count = 1,
                             .scale = 1.0,
                             .fps = 30.0,
                             .name = name,
                             .progress = bench->progress};
    return format->import(&options, path);
}

static Status row_subject_read(const TableRow *row, const TableSources *sources, const Bench *bench,
                               Subject *subject, bool *found)
{
    char path[PUBLISHED_PATH_BYTES], archive[PUBLISHED_PATH_BYTES];
    const char *name = row->dataset;
    *found = false;
    if (!sources->folder || name[0] == '\0' || strchr(name, '/'))
        return status_ok();
    Status status = status_ok();
    if (snprintf(path, sizeof path, "%s/%s.h5", sources->folder, name) >= (int)sizeof path ||
        snprintf(archive, sizeof archive, "%s/%s.tar.xz", sources->folder, name) >= (int)sizeof archive)
        return status_make(STATUS_USAGE, "%s: the path is too long", sources->folder);
    if (access(path, R_OK) != 0) {
        if (access(archive, R_OK) != 0)
            return status_ok();
        status = archive_import(archive, name, sources, bench, path);
    }
    if (status.code == STATUS_OK)
        status = subject_read(path, subject);
    *found = status.code == STATUS_OK;
    return status;
}

static Status row_generate(const TableRow *row, Subject *subject)
{
    Status status = subject_generate(row->generate, row->settings.texts, row->settings.count, subject);
    if (status.code == STATUS_OK)
        snprintf(subject->name, sizeof subject->name, "%.*s", (int)sizeof subject->name - 1, row->name);
    return status;
}

bool row_has_dataset(const TableRow *row)
{
    return row->dataset[0] != '\0' || row->generate[0] != '\0';
}

Status row_subject_load(const TableRow *row, const TableSources *sources, const Bench *bench,
                        Subject *subject, bool *found)
{
    bool generated = row->generate[0] != '\0';
    *found = generated;
    Status status =
        generated ? row_generate(row, subject) : row_subject_read(row, sources, bench, subject, found);
    if (status.code == STATUS_OK && *found && row->influences > 0)
        status = subject_prune(subject, row->influences);
    return status;
}
