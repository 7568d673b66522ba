/* Opens only plain files, without blocking, and records their identities. Also finds the files that match a
 * pattern, folder by folder. statx, SEEK_HOLE and memmem are not in POSIX and need _GNU_SOURCE. */
#define _GNU_SOURCE
#include "datasets/io/input_file.h"

#include <fnmatch.h>
#include <pthread.h>
#include <sys/stat.h>

/* ---- files that this process has read or written ---- */

bool file_identify(int file, const char *path, FileIdentity *out)
{
    struct statx facts;
    *out = (FileIdentity){0};
    if (statx(file, path, path[0] ? 0 : AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &facts) != 0)
        return false;
    *out = (FileIdentity){(uint64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor, facts.stx_ino, 0, 0};
    if (facts.stx_mask & STATX_BTIME) {
        out->born_s = (uint64_t)facts.stx_btime.tv_sec;
        out->born_ns = facts.stx_btime.tv_nsec;
    }
    return true;
}

typedef struct KnownFile {
    struct KnownFile *next;
    FileIdentity identity;
    bool written; /* whether this process wrote the file, so that it may overwrite it */
    char path[];  /* path by which this process opened it */
} KnownFile;

/* The list is shared by the whole process, because files are opened in many places and by several threads.
 * It is never freed: a file that was read must not be replaced at any later time. */
enum { BUCKETS = 1024 };
static pthread_mutex_t known_mutex = PTHREAD_MUTEX_INITIALIZER;
static KnownFile *known[BUCKETS];

/* Returns the entry of a file, or NULL if the process has neither read nor written it. The caller must have
 * locked the mutex. */
static KnownFile *known_find(const FileIdentity *identity)
{
    KnownFile *entry = known[identity->inode % BUCKETS];
    while (entry && memcmp(&entry->identity, identity, sizeof *identity) != 0)
        entry = entry->next;
    return entry;
}

/* Adds a file to the list unless it is there already. Returns false if out of memory. */
static bool known_add(int file, const char *path, const char *given, bool written)
{
    FileIdentity identity;
    if (!file_identify(file, path, &identity))
        return true;
    pthread_mutex_lock(&known_mutex);
    bool there = known_find(&identity) != NULL;
    /* memory_for_library is used because entries are never released, and arrays that are never released
     * count as leaks */
    KnownFile *entry = there ? NULL : memory_for_library(sizeof *entry + strlen(given) + 1);
    if (entry) {
        entry->identity = identity;
        entry->written = written;
        memcpy(entry->path, given, strlen(given) + 1);
        entry->next = known[identity.inode % BUCKETS];
        known[identity.inode % BUCKETS] = entry;
        there = true;
    }
    pthread_mutex_unlock(&known_mutex);
    return there;
}

Status input_file_keep(int folder, const char *path, const char *given)
{
    FileIdentity identity;
    if (!file_identify(folder, path, &identity))
        return status_ok();
    pthread_mutex_lock(&known_mutex);
    const KnownFile *entry = known_find(&identity);
    pthread_mutex_unlock(&known_mutex);
    return !entry || entry->written
               ? status_ok()
               : bad_usage("%s: is the input %s, which is never overwritten; choose another name", given,
                           entry->path);
}

void output_file_note(const char *path)
{
    (void)known_add(AT_FDCWD, path, path,
                    true); /* if this fails, this process cannot replace the file later, which does no harm */
}

/* ---- opening ---- */

Status input_file_open(const char *path, int *file, double *size_bytes)
{
    struct stat facts;
    Status status = status_ok();
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*file < 0)
        return input_failure(path, "opened");
    if (fstat(*file, &facts) != 0)
        status = status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(facts.st_mode))
        status = S_ISDIR(facts.st_mode)
                     ? bad_input("%s: is a folder, not a plain file", path)
                     : bad_input("%s: is a %s, not a plain file; save its output to a file and pass that",
                                 path, S_ISFIFO(facts.st_mode) ? "FIFO or pipe" : "device");
    else if (!known_add(*file, "", path, false))
        status = status_out_of_memory("a file name");
    if (status.code != STATUS_OK) {
        close(*file);
        *file = -1;
    } else if (size_bytes) {
        *size_bytes = (double)facts.st_size;
    }
    return status;
}

Status input_stream_open(const char *path, FILE **stream, double *size_bytes)
{
    int file = -1;
    *stream = NULL;
    STATUS_TRY(input_file_open(path, &file, size_bytes));
    *stream = fdopen(file, "rb");
    if (*stream)
        return status_ok();
    close(file);
    return status_make(STATUS_SYSTEM, "%s: cannot be opened: %s", path, strerror(errno));
}

void descriptor_close(const int *file)
{
    if (*file >= 0)
        close(*file);
}

size_t input_bytes_read(int file, int64_t start, size_t size, void *bytes)
{
    size_t done = 0;
    errno = 0;
    while (done < size) {
        const ssize_t got = pread(file, (char *)bytes + done, size - done, (off_t)(start + (int64_t)done));
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
        done += got > 0 ? (size_t)got : 0;
        errno = 0;
    }
    return done;
}

Status input_failure(const char *path, const char *done)
{
    return status_make(status_code_of(errno, STATUS_BAD_INPUT), "%s: cannot be %s: %s", path, done,
                       strerror(errno));
}

Status input_file_read(const char *path, double size_max, char **bytes, size_t *size)
{
    enum { HEAD_BYTES = 4096 };
    static const char binary[] = "format binary";
    CLEANUP(descriptor_close) int file = -1;
    char head[HEAD_BYTES], byte = 0;
    double size_bytes = 0.0;
    STATUS_TRY(input_file_open(path, &file, &size_bytes));
    if (size_bytes > size_max)
        return bad_input("%s: is larger than %.0f bytes", path, size_max);
    const size_t whole = (size_t)size_bytes,
                 first = input_bytes_read(file, 0, size_min(whole, HEAD_BYTES), head);
    const char *nul = memchr(head, '\0', first);
    const off_t hole = nul ? nul - head : lseek(file, 0, SEEK_HOLE);
    if (hole >= 0 && (size_t)hole < whole && input_bytes_read(file, hole, 1, &byte) == 1 && byte == '\0' &&
        !memmem(head, first, binary, sizeof binary - 1))
        return bad_input("%s: is not text: byte %lld is NUL", path, (long long)hole);
    ALLOCATE(*bytes, whole + 1, path);
    memcpy(*bytes, head, first);
    *size = first + input_bytes_read(file, (int64_t)first, whole - first, *bytes + first);
    return *size < whole && errno != 0 ? input_failure(path, "read") : status_ok();
}

double input_contents_limit(double file_bytes)
{
    const double PER_BYTE = 200.0, LEAST_BYTES = 64.0 * (1 << 20);
    return fmax(fmax(PER_BYTE * file_bytes, LEAST_BYTES), (double)memory_limit());
}

/* ---- patterns ---- */

typedef struct Search {
    Status (*visit)(void *context, const char *path);
    void *context;
    bool matched;
} Search;

static Status folder_search(Search *search, const char *folder, const char *pattern);

/* Visits the entry `name` of a folder, which matches the first part of a pattern. `rest` is the remaining
 * pattern. */
static Status match_follow(Search *search, const char *folder, const char *name, size_t length,
                           const char *rest)
{
    const size_t slashes = strspn(rest, "/"), size = strlen(folder) + length + slashes + 1;
    struct stat facts;
    LOCAL_ARRAY(char, path, size, "a file name");
    snprintf(path, size, "%s%.*s%.*s", folder, (int)length, name, (int)slashes, rest);
    if (rest[slashes] != '\0')
        return folder_search(search, path, rest + slashes);
    if (lstat(path, &facts) != 0)
        return status_ok();
    search->matched = true;
    return search->visit(search->context, path);
}

/* Searches a folder for files that match a pattern. `folder` is "" or has a trailing slash. */
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
