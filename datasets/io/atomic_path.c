/* Temporary names beside final ones, and renaming in one step. */
#include "datasets/io/atomic_path.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

Status atomic_path_start(const char *given, OutputKind kind, AtomicPath *out)
{
    OWNED_BY(atomic_path_discard) AtomicPath *unfinished = out;
    OWNED char *parent = NULL;
    *out = (AtomicPath){.failures = memory_failures()};
    STATUS_TRY(output_path_resolve(given, kind, &out->final));
    out->given = memory_text(given);
    parent = output_path_folder(out->final);
    ALLOCATED(out->given && parent, "a file name");
    STATUS_TRY(temporary_folder_make(parent, given, &out->folder));
    const char *folder = temporary_folder_path(out->folder),
               *name = out->final + output_path_folder_length(out->final);
    size_t size = strlen(folder) + strlen(name) + 2;
    ALLOCATE(out->temporary, size, "a file name");
    snprintf(out->temporary, size, "%s/%s", folder, name);
    unfinished = NULL;
    return status_ok();
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

static Status rename_into_place(AtomicPath *path, bool replace)
{
    struct stat before;
    Status status = status_ok();
    int error = flush_to_disk(path->temporary) == 0 ? 0 : errno;
    if (stat(path->final, &before) == 0 && S_ISREG(before.st_mode))
        (void)chmod(path->temporary, before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
    if (error == 0 && memory_failures() > path->failures)
        error = ENOMEM;
    if (error == 0)
        error = temporary_rename(path->temporary, path->final, replace);
    if (error == ECANCELED) {
        status = status_make(STATUS_STOPPED, "stopped; %s is not written", path->given);
    } else if (error != 0) {
        status = status_make(STATUS_SYSTEM, "%s: cannot be written: %s", path->given, strerror(error));
    } else {
        int folder = output_path_folder_length(path->final);
        path->final[folder] = '\0';
        (void)flush_to_disk(folder ? path->final : ".");
    }
    atomic_path_discard(path);
    return status;
}

Status atomic_path_commit_file(AtomicPath *path)
{
    return rename_into_place(path, false);
}

Status atomic_path_commit_folder(AtomicPath *path, bool replace)
{
    if (!replace && access(path->final, F_OK) == 0) {
        Status status = bad_input("%s: already exists", path->given);
        atomic_path_discard(path);
        return status;
    }
    return rename_into_place(path, replace);
}

void atomic_path_discard(AtomicPath *path)
{
    temporary_folder_remove(path->folder);
    FREE_ALL(path->temporary, path->final, path->given);
    *path = (AtomicPath){0};
}
