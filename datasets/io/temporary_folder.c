/* Temporary folders, each locked by the process that owns it. A folder is removed when its owner is dead.
 * flock, renameat2 and getdents64 are not in POSIX and need _GNU_SOURCE. */
#define _GNU_SOURCE
#include "datasets/io/temporary_folder.h"

#include "datasets/io/file_name.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".skinbench-"
enum { RANDOM_LETTERS = 6, REMOVE_TRIES = 20 };

struct TemporaryFolder {
    char *path;
    int lock;    /* descriptor of the folder; -1 if it could not be opened */
    pid_t owner; /* process that made the folder; a forked child inherits the list but owns none of its
                    folders */
    TemporaryFolder *next;
};

/* The folders to be removed if an interrupt ends this process. */
static pthread_mutex_t registry_mutex = PTHREAD_MUTEX_INITIALIZER;
static TemporaryFolder *registry;
static volatile sig_atomic_t renames_forbidden;

static void folder_empty(int top, int folder);

/* Removes an entry of a folder. A folder below another one is only moved to the top folder, to be removed
 * later, so that two descriptors suffice for any depth. */
static bool entry_remove(int top, int folder, const char *name)
{
    static _Thread_local unsigned moved;
    char apart[32];
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return false;
    if (unlinkat(folder, name, 0) == 0)
        return true;
    if (folder != top) {
        snprintf(apart, sizeof apart, PREFIX "%u", moved++);
        return renameat(folder, name, top, apart) == 0;
    }
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return false;
    folder_empty(top, inner);
    close(inner);
    return unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

/* Removes the contents of a folder. Unlike nftw and opendir, it allocates nothing, so that it also works
 * when out of memory. */
static void folder_empty(int top, int folder)
{
    _Alignas(struct dirent64) char entries[2048];
    for (bool removed = true; removed;) {
        removed = false;
        (void)lseek(folder, 0, SEEK_SET);
        for (ssize_t bytes; (bytes = getdents64(folder, entries, sizeof entries)) > 0;)
            for (ssize_t at = 0; at < bytes;) {
                const struct dirent64 *entry = (const void *)(entries + at);
                at += entry->d_reclen;
                removed = entry_remove(top, folder, entry->d_name) || removed;
            }
    }
}

void folder_remove(const char *path)
{
    if (unlink(path) == 0)
        return;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        folder_empty(folder, folder);
        close(folder);
    }
    (void)rmdir(path);
}

/* Opens and locks a folder of this user. Returns the descriptor, or -1 if it is not a folder of this user,
 * is locked by another process, or cannot be locked. If the file system has no such locks, *supported is
 * false and the descriptor is still returned. */
static int folder_lock(const char *path, bool *supported)
{
    struct stat opened, named;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *supported = true;
    if (folder < 0)
        return -1;
    if (flock(folder, LOCK_EX | LOCK_NB) != 0) {
        *supported = errno == EWOULDBLOCK;
        if (!*supported)
            return folder;
    } else if (fstat(folder, &opened) == 0 && opened.st_uid == geteuid() && lstat(path, &named) == 0 &&
               named.st_ino == opened.st_ino && named.st_dev == opened.st_dev) {
        return folder; /* the locked folder is still the one at this path */
    }
    close(folder);
    return -1;
}

/* Returns parent/name. */
static char *path_in(const char *parent, const char *name)
{
    size_t length = strlen(parent);
    return path_join(parent, length > 0 && parent[length - 1] != '/' ? "/" : "", name);
}

void temporary_folders_left(const char *parent, void (*visit)(void *context, const char *path), void *context)
{
    DIR *entries = opendir(parent[0] ? parent : ".");
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;) {
        OWNED char *path = (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 &&
                            strlen(entry->d_name) == strlen(PREFIX) + RANDOM_LETTERS)
                               ? path_in(parent, entry->d_name)
                               : NULL;
        bool supported = false;
        int folder = path ? folder_lock(path, &supported) : -1;
        if (folder >= 0 && supported)
            visit(context, path);
        if (folder >= 0)
            close(folder);
    }
    if (entries)
        closedir(entries);
}

static void left_remove(void *context, const char *path)
{
    (void)context;
    folder_remove(path);
}

void temporary_folders_sweep(const char *parent)
{
    temporary_folders_left(parent, left_remove, NULL);
}

/* Creates and locks a folder, so that no other process takes it for a left-over and removes it. Returns 0
 * or an errno. */
static int folder_make(const char *parent, TemporaryFolder *folder)
{
    enum { TRIES = 100 };
    for (int i = 0; i < TRIES; i++) {
        bool supported = false;
        folder->path = path_in(parent, PREFIX "XXXXXX");
        if (!folder->path)
            return ENOMEM;
        if (!mkdtemp(folder->path))
            return errno;
        folder->lock = folder_lock(folder->path, &supported);
        if (folder->lock >= 0 || !supported)
            return 0;
        (void)rmdir(folder->path);
        memory_free(folder->path);
        folder->path = NULL;
    }
    return EBUSY;
}

const char *temporary_folder_parent(void)
{
    const char *chosen = getenv("TMPDIR");
    return chosen && chosen[0] ? chosen : "/tmp";
}

Status temporary_folder_make(const char *parent, const char *user, TemporaryFolder **out)
{
    *out = NULL;
    LOCAL_ARRAY(TemporaryFolder, folder, 1, "a temporary folder");
    temporary_folders_sweep(parent);
    pthread_mutex_lock(&registry_mutex);
    int error = folder_make(parent, folder);
    if (error == 0) {
        folder->owner = getpid();
        folder->next = registry;
        registry = folder;
    }
    pthread_mutex_unlock(&registry_mutex);
    if (error != 0) {
        memory_free(folder->path);
        return status_make(status_code_of(error, STATUS_BAD_INPUT),
                           "%s: cannot be written: no temporary folder can be made beside it: %s", user,
                           strerror(error));
    }
    *out = TAKE(folder);
    return status_ok();
}

const char *temporary_folder_path(const TemporaryFolder *folder)
{
    return folder->path;
}

void temporary_folder_remove(TemporaryFolder *folder)
{
    if (!folder)
        return;
    pthread_mutex_lock(&registry_mutex);
    for (TemporaryFolder **link = &registry; *link; link = &(*link)->next)
        if (*link == folder) {
            *link = folder->next;
            break;
        }
    if (folder->lock >= 0) { /* uses the open descriptor, because opening the folder again may fail */
        folder_empty(folder->lock, folder->lock);
        (void)rmdir(folder->path);
        close(folder->lock);
    } else {
        folder_remove(folder->path);
    }
    pthread_mutex_unlock(&registry_mutex);
    FREE_ALL(folder->path, folder);
}

/* Exchanges the names of two folders, in one step if the file system supports it, otherwise in three
 * renames. */
static int names_exchange(const char *temporary, const char *final)
{
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, final, RENAME_EXCHANGE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    OWNED char *aside = path_join(temporary, "", ".old");
    int error = aside ? 0 : ENOMEM;
    if (error == 0 && rename(final, aside) != 0)
        error = errno;
    else if (error == 0 && rename(temporary, final) != 0) {
        error = errno;
        (void)rename(aside, final);
    }
    return error;
}

int temporary_rename(const char *temporary, const char *final, bool replace)
{
    pthread_mutex_lock(&registry_mutex);
    int answer = ECANCELED;
    if (!renames_forbidden)
        answer = rename(temporary, final) == 0 ? 0 : errno;
    if (replace && (answer == ENOTEMPTY || answer == EEXIST))
        answer = names_exchange(temporary, final);
    pthread_mutex_unlock(&registry_mutex);
    return answer;
}

int temporary_rename_undo(const char *temporary, const char *final)
{
    pthread_mutex_lock(&registry_mutex);
    const int answer = names_exchange(temporary, final);
    pthread_mutex_unlock(&registry_mutex);
    return answer;
}

void temporary_renames_forbid(bool forbidden)
{
    renames_forbidden = forbidden;
}

void temporary_folders_remove_all(void)
{
    pthread_mutex_lock(&registry_mutex);
    for (TemporaryFolder *folder = registry; folder; folder = folder->next)
        /* Try again, because other threads may still write to the folder. */
        for (int i = 0; i < REMOVE_TRIES && folder->owner == getpid() && access(folder->path, F_OK) == 0; i++)
            folder_remove(folder->path);
}
