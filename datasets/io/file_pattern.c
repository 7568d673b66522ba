/* Walks the parts of a pattern, folder by folder. */
#include "datasets/io/file_pattern.h"

#include "datasets/io/stream.h"

#include <errno.h>
#include <fnmatch.h>
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
    LOCAL_ARRAY(char, path, size, "a file name");
    snprintf(path, size, "%s%.*s%.*s", folder, (int)length, name, (int)slashes, rest);
    if (rest[slashes] != '\0')
        return folder_search(search, path, rest + slashes);
    if (lstat(path, &found) != 0)
        return status_ok();
    search->matched = true;
    return search->visit(search->context, path);
}

/* folder: "", or with a slash at its end */
static Status folder_search(Search *search, const char *folder, const char *pattern)
{
    const size_t length = strcspn(pattern, "/");
    const char *rest = pattern + length;
    const size_t wild = strcspn(pattern, "*?[");
    if (wild >= length)
        return match_follow(search, folder, pattern, length, rest);
    OWNED_BY(closedir) DIR *entries = opendir(folder[0] ? folder : ".");
    if (!entries && status_code_of(errno, STATUS_OK) != STATUS_OK)
        return status_make(STATUS_SYSTEM, "%s: cannot be searched: %s", folder, strerror(errno));
    if (!entries)
        return status_ok();
    LOCAL_ARRAY(char, part, length + 1, "a file name");
    memcpy(part, pattern, length);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (fnmatch(part, entry->d_name, FNM_PERIOD) == 0)
            STATUS_TRY(match_follow(search, folder, entry->d_name, strlen(entry->d_name), rest));
    return status_ok();
}

Status pattern_each(const char *pattern, Status (*visit)(void *context, const char *path), void *context)
{
    Search search = {visit, context, false};
    const size_t slashes = strspn(pattern, "/");
    Status status = folder_search(&search, slashes > 0 ? "/" : "", pattern + slashes);
    return status.code == STATUS_OK && !search.matched ? bad_input("%s: no file matches", pattern) : status;
}
