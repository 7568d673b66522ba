/* Temporary names beside final ones, and renaming in one step. nftw is of the X/Open part of POSIX. */
#define _XOPEN_SOURCE 700
#include "datasets/io/atomic_path.h"

#include "datasets/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder part of a path with its slash, as a length; 0 for a plain name. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

Status atomic_path_start(const char *given, AtomicPath *out)
{
    enum { TRIES = 1000, EXTRA_BYTES = 64 };
    *out = (AtomicPath){0};
    size_t size = strlen(given) + EXTRA_BYTES;
    char *path = memory_text(given);
    if (!path)
        return status_out_of_memory("a file name");
    for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end--)
        path[end - 1] = '\0';
    out->final = path;
    int folder = folder_length(path);
    if (path[folder] == '\0') {
        atomic_path_discard(out);
        return status_make(STATUS_BAD_INPUT, "'%s' is no name for a file", given);
    }
    out->temporary = memory_array(size, 1);
    if (!out->temporary) {
        atomic_path_discard(out);
        return status_out_of_memory("a file name");
    }
    if (folder > 0) {
        struct stat found;
        snprintf(out->temporary, size, "%.*s", folder, path);
        if (stat(out->temporary, &found) != 0) {
            Status status = status_make(STATUS_BAD_INPUT, "%s: cannot be written, no folder %s: %s", given,
                                        out->temporary, strerror(errno));
            out->temporary[0] = '\0';
            atomic_path_discard(out);
            return status;
        }
    }
    for (int i = 0; i < TRIES; i++) {
        snprintf(out->temporary, size, "%.*s.%s.%ld-%d.tmp", folder, path, path + folder, (long)getpid(), i);
        if (access(out->temporary, F_OK) != 0)
            return status_ok();
    }
    Status status =
        status_make(STATUS_MACHINE, "%s: no temporary name is free, %s is taken", given, out->temporary);
    out->temporary[0] = '\0';
    atomic_path_discard(out);
    return status;
}

static int flush_to_disk(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = fsync(file);
    /* Some file systems cannot flush a folder; the rename is atomic all the same. */
    if (result != 0 && errno == EINVAL)
        result = 0;
    close(file);
    return result;
}

static Status rename_into_place(AtomicPath *path)
{
    Status status = status_ok();
    if (flush_to_disk(path->temporary) != 0 || rename(path->temporary, path->final) != 0) {
        status = status_make(STATUS_MACHINE, "%s: cannot be written: %s", path->final, strerror(errno));
    } else {
        path->temporary[0] = '\0';
        int folder = folder_length(path->final);
        path->final[folder] = '\0';
        (void)flush_to_disk(folder ? path->final : ".");
    }
    atomic_path_discard(path);
    return status;
}

Status atomic_path_commit_file(AtomicPath *path)
{
    return rename_into_place(path);
}

Status atomic_path_commit_folder(AtomicPath *path)
{
    if (access(path->final, F_OK) == 0) {
        Status status = status_make(STATUS_BAD_INPUT, "%s: is there already", path->final);
        atomic_path_discard(path);
        return status;
    }
    return rename_into_place(path);
}

static int entry_remove(const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
    (void)facts;
    (void)kind;
    (void)walk;
    return remove(path);
}

void folder_remove(const char *path)
{
    enum { OPEN_FOLDERS = 8 };
    (void)nftw(path, entry_remove, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

void atomic_path_discard(AtomicPath *path)
{
    if (path->temporary && path->temporary[0] != '\0')
        folder_remove(path->temporary);
    memory_free(path->temporary);
    memory_free(path->final);
    *path = (AtomicPath){0};
}
