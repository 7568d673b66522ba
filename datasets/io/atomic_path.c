/* Chooses a temporary name beside the final one, checks where output may go, and renames the finished
 * output in one step. Follows the links of an output path, and refuses targets that must not be replaced. */
#include "datasets/io/atomic_path.h"

#include "datasets/io/file_name.h"
#include "datasets/io/folder_list.h"
#include "datasets/io/input_file.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>

/* Whether the file or folder at the final name may be replaced. */
static Status final_check(const AtomicPath *path)
{
    if (path->kind == OUTPUT_FILE)
        return input_file_keep(AT_FDCWD, path->final, path->given);
    if (path->kind == OUTPUT_UPDATE || access(path->final, F_OK) != 0)
        return status_ok();
    return path->kind == OUTPUT_FOLDER ? bad_input("%s: already exists", path->given)
                                       : folder_list_check(path->final, path->given);
}

Status atomic_path_start(const char *given, OutputKind kind, AtomicPath *out)
{
    UNDO_ON_FAILURE(atomic_path_discard) AtomicPath *unfinished = out;
    OWNED char *parent = NULL;
    *out = (AtomicPath){.kind = kind, .failures = memory_failures()};
    STATUS_TRY(output_path_resolve(given, kind, &out->final));
    out->given = memory_text(given);
    parent = output_path_folder(out->final);
    ALLOCATED(out->given && parent, "a file name");
    STATUS_TRY(final_check(out));
    STATUS_TRY(temporary_folder_make(parent, given, &out->folder));
    out->temporary = path_join(temporary_folder_path(out->folder), "/", path_name(out->final));
    ALLOCATED(out->temporary, "a file name");
    unfinished = NULL;
    return status_ok();
}

static int flush_to_disk(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    int result = fsync(file);
    /* Some file systems cannot flush a folder. The rename is atomic nevertheless. */
    if (result != 0 && errno == EINVAL)
        result = 0;
    close(file);
    return result;
}

/* Renames the output to its final name. `error` is the errno of an earlier step, or 0. */
static Status rename_into_place(AtomicPath *path, int error)
{
    struct stat before;
    const bool listed = path->kind == OUTPUT_LISTED_FOLDER;
    if (error == 0 && flush_to_disk(path->temporary) != 0)
        error = errno;
    if (stat(path->final, &before) == 0 && S_ISREG(before.st_mode))
        (void)chmod(path->temporary, before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO));
    if (error == 0 && memory_failures() > path->failures)
        error = ENOMEM;
    if (error == 0)
        error = temporary_rename(path->temporary, path->final, listed);
    if (error == ECANCELED)
        return status_make(STATUS_STOPPED, "stopped; %s is not written", path->given);
    if (error != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", path->given, strerror(error));
    /* Files may have appeared in the old folder since the check. They must not be deleted with the
     * folder. */
    if (listed && access(path->temporary, F_OK) == 0) {
        const Status status = folder_list_check(path->temporary, path->given);
        if (status.code != STATUS_OK && temporary_rename_undo(path->temporary, path->final) == 0)
            return status;
        if (status.code != STATUS_OK) {
            path->folder = NULL; /* kept, because it contains files that skinbench did not write */
            return status_make(STATUS_SYSTEM, "%s: was replaced; its previous contents are in %s",
                               path->given, path->temporary);
        }
    }
    if (path->kind <= OUTPUT_UPDATE)
        output_file_note(path->final);
    const int folder = output_path_folder_length(path->final);
    path->final[folder] = '\0';
    (void)flush_to_disk(folder ? path->final : ".");
    return status_ok();
}

Status atomic_path_commit(AtomicPath *path)
{
    Status status = final_check(path);
    int error = 0;
    if (status.code == STATUS_OK && path->kind == OUTPUT_LISTED_FOLDER)
        error = folder_list_write(path->temporary);
    if (status.code == STATUS_OK)
        status = rename_into_place(path, error);
    atomic_path_discard(path);
    return status;
}

void atomic_path_discard(AtomicPath *path)
{
    temporary_folder_remove(path->folder);
    FREE_ALL(path->temporary, path->final, path->given);
    *path = (AtomicPath){0};
}

int output_path_folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash - path) + 1 : 0;
}

char *output_path_folder(const char *path)
{
    char *folder = memory_text(path);
    if (folder)
        folder[output_path_folder_length(path)] = '\0';
    return folder;
}

static Status refused(const char *given, const char *what)
{
    return bad_input("%s: is %s, which is never replaced; write to a file and copy that file there", given,
                     what);
}

static Status kind_check(const char *given, const char *path, OutputKind kind)
{
    struct stat facts;
    if (lstat(path, &facts) != 0)
        return errno == ENOENT ? status_ok()
                               : status_make(status_code_of(errno, STATUS_BAD_INPUT),
                                             "%s: cannot be written: %s", given, strerror(errno));
    if (S_ISDIR(facts.st_mode) ? kind >= OUTPUT_FOLDER : S_ISREG(facts.st_mode) && kind < OUTPUT_FOLDER)
        return status_ok();
    if (S_ISDIR(facts.st_mode))
        return bad_input("%s: is a folder, which is never replaced; name a file in it", given);
    if (S_ISREG(facts.st_mode))
        return bad_input("%s: is a file, but the output is a folder", given);
    if (S_ISFIFO(facts.st_mode))
        return refused(given, "a FIFO");
    return refused(given, S_ISSOCK(facts.st_mode) ? "a socket" : "a device");
}

Status output_path_resolve(const char *given, OutputKind kind, char **out)
{
    enum { LINKS_MAX = 40 }; /* the same limit as in Linux */
    OWNED char *path = memory_text(given);
    bool followed = true;
    ALLOCATED(path, "a file name");
    for (int links = 0; followed; links++) {
        for (size_t end = strlen(path); end > 1 && path[end - 1] == '/'; end--)
            path[end - 1] = '\0';
        const char *name = path_name(path);
        if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            return bad_input("'%s' is not a file name", given);
        if (links > LINKS_MAX)
            return bad_input("%s: cannot be written: %s", given, strerror(ELOOP));
        /* Checks the folder. It must exist, and it must not be the system's folder of open descriptors, to
         * which /dev/stdout and /dev/fd/1 lead. */
        struct statfs facts;
        OWNED char *folder = output_path_folder(path);
        ALLOCATED(folder, "a file name");
        if (statfs(folder[0] ? folder : ".", &facts) != 0)
            return bad_input("%s: cannot be written, because there is no folder %s: %s", given, folder,
                             strerror(errno));
        if (facts.f_type == PROC_SUPER_MAGIC)
            return refused(given, "the system's name for an open file");
        /* If the path is a link, follow it to its target. */
        char target[PATH_MAX];
        ssize_t length = readlink(path, target, sizeof target);
        followed = length >= 0;
        if (length >= 0) {
            if (length == (ssize_t)sizeof target)
                return bad_input("%s: cannot be written: %s", given, strerror(ENAMETOOLONG));
            int kept = length > 0 && target[0] == '/' ? 0 : output_path_folder_length(path);
            size_t size = (size_t)kept + (size_t)length + 1;
            LOCAL_ARRAY(char, next, size, "a file name");
            snprintf(next, size, "%.*s%.*s", kept, path, (int)length, target);
            memory_free(path);
            path = TAKE(next);
        }
    }
    STATUS_TRY(kind_check(given, path, kind));
    if (out)
        *out = TAKE(path);
    return status_ok();
}

bool path_ends(const char *path, const char *ending)
{
    const size_t length = strlen(path), end = strlen(ending);
    return length > end && strcmp(path + length - end, ending) == 0;
}
