/* Walks the parts of a pattern, folder by folder. */
#include "datasets/io/file_pattern.h"

#include "datasets/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Search {
    Status (*visit)(void *context, const char *path);
    void *context;
    bool matched;
} Search;

static Status folder_search(Search *search, const char *folder, const char *pattern);

/* Takes `name` in the folder, a match of the first part of a pattern; `rest` is what follows that part. */
static Status match_follow(Search *search, const char *folder, const char *name, size_t length,
                           const char *rest)
{
    const size_t slashes = strspn(rest, "/"), size = strlen(folder) + length + slashes + 1;
    struct stat found;
    Status status = status_ok();
    char *path = memory_array(size, 1);
    if (!path)
        return status_out_of_memory("a file name");
    snprintf(path, size, "%s%.*s%.*s", folder, (int)length, name, (int)slashes, rest);
    if (rest[slashes] != '\0') {
        status = folder_search(search, path, rest + slashes);
    } else if (lstat(path, &found) == 0) {
        search->matched = true;
        status = search->visit(search->context, path);
    }
    memory_free(path);
    return status;
}

/* folder: "", or with a slash at its end */
static Status folder_search(Search *search, const char *folder, const char *pattern)
{
    const size_t length = strcspn(pattern, "/");
    const char *rest = pattern + length;
    const size_t wild = strcspn(pattern, "*?[");
    if (wild >= length)
        return match_follow(search, folder, pattern, length, rest);
    DIR *entries = opendir(folder[0] ? folder : ".");
    char *part = entries ? memory_array(length + 1, 1) : NULL;
    Status status = status_ok();
    if (!entries && status_code_of(errno, STATUS_OK) != STATUS_OK)
        status = status_make(STATUS_SYSTEM, "%s: cannot be searched: %s", folder, strerror(errno));
    else if (entries && !part)
        status = status_out_of_memory("a file name");
    else if (entries)
        memcpy(part, pattern, length);
    for (struct dirent *entry; entries && status.code == STATUS_OK && (entry = readdir(entries)) != NULL;)
        if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0)
            status = match_follow(search, folder, entry->d_name, strlen(entry->d_name), rest);
    if (entries)
        closedir(entries);
    memory_free(part);
    return status;
}

Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context)
{
    Search search = {visit, context, false};
    const size_t slashes = strspn(pattern, "/");
    Status status = folder_search(&search, slashes > 0 ? "/" : "", pattern + slashes);
    return status.code == STATUS_OK && !search.matched
               ? status_make(STATUS_BAD_INPUT, "%s: no file matches", pattern)
               : status;
}
