/* Walks through a folder by open descriptors (openat), so that neither links nor names in a list can lead
 * out of the folder. */
#include "datasets/io/folder_list.h"

#include "datasets/io/input_file.h"
#include "datasets/io/sha256.h"

#include <sys/stat.h>

#define LIST_NAME "skinbench-files.txt"
enum { LIST_BYTES_MAX = 1 << 24, DEPTH_MAX = 4, LINE_BYTES = SHA256_TEXT_BYTES + PATH_MAX + 4 };

/* A walk over all files of a folder, which either writes the list or compares the files with it. */
typedef struct ListWalk {
    const char *given;
    FILE *list; /* stream to which the list is written; NULL to compare the folder with `text` */
    char *text; /* existing list, each line preceded by a newline, or NULL */
} ListWalk;

/* Opens a plain file in the folder without following links or blocking. Returns -1 and sets errno on
 * failure; errno is ENXIO if it is not a plain file. */
static int file_open(int folder, const char *name)
{
    struct stat facts;
    const int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (file < 0 || (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)))
        return file;
    close(file);
    errno = ENXIO;
    return -1;
}

/* Formats a file's line of the list, "\nDIGEST  PATH\n". Returns false if the file cannot be read. */
static bool line_make(int folder, const char *name, const char *path, char line[LINE_BYTES])
{
    char digest[SHA256_TEXT_BYTES];
    CLEANUP(descriptor_close) const int file = file_open(folder, name);
    if (file < 0 || descriptor_sha256(file, digest) != 0)
        return false;
    snprintf(line, LINE_BYTES, "\n%s  %s\n", digest, path);
    return true;
}

static Status foreign(const ListWalk *walk, const char *path)
{
    return walk->text
               ? bad_input(
                     "%s: contains %s, which is not in its list of files (%s), or which was changed; move "
                     "that file away, or name another folder",
                     walk->given, path, LIST_NAME)
               : bad_input("%s: has no list of files that skinbench wrote there (%s), like reports of "
                           "earlier versions; remove the folder, or name another one",
                           walk->given, LIST_NAME);
}

/* Writes or compares the list entries of a folder and of all folders in it. `prefix` is "" or the path of
 * `folder` from the top folder, with a trailing slash. */
static Status folder_walk(ListWalk *walk, int folder, const char *prefix, int depth);

static Status entry_visit(ListWalk *walk, int folder, const char *name, const char *prefix, int depth)
{
    char path[PATH_MAX];
    struct stat facts;
    const int length = snprintf(path, sizeof path, "%s%s", prefix, name);
    if (depth == 0 && strcmp(name, LIST_NAME) == 0)
        return status_ok();
    if (length + 2 > PATH_MAX || fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) != 0)
        return foreign(walk, path);
    if (S_ISDIR(facts.st_mode)) {
        char start[PATH_MAX + 3];
        snprintf(start, sizeof start, "  %s/", path);
        CLEANUP(descriptor_close)
        const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner < 0 || depth == DEPTH_MAX || (!walk->list && !(walk->text && strstr(walk->text, start))))
            return foreign(walk, path);
        memcpy(path + length, "/", 2);
        return folder_walk(walk, inner, path, depth + 1);
    }
    char line[LINE_BYTES];
    const bool made = S_ISREG(facts.st_mode) && line_make(folder, name, path, line);
    if (walk->list)
        return made && fputs(line + 1, walk->list) >= 0 ? status_ok() : foreign(walk, path);
    if (!made || !walk->text || !strstr(walk->text, line))
        return foreign(walk, path);
    return input_file_keep(folder, name, walk->given);
}

static Status folder_walk(ListWalk *walk, int folder, const char *prefix, int depth)
{
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    OWNED_BY(closedir) DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (!entries) {
        if (copy >= 0)
            close(copy);
        return status_make(STATUS_SYSTEM, "%s: cannot be read: %s", walk->given, strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            STATUS_TRY(entry_visit(walk, folder, entry->d_name, prefix, depth));
    return status_ok();
}

/* Reads the list of a folder, preceded by a newline. *out is NULL if the folder has no list, which is not a
 * failure. */
static Status list_read(int folder, char **out)
{
    struct stat facts;
    CLEANUP(descriptor_close) const int file = file_open(folder, LIST_NAME);
    if (file < 0 || fstat(file, &facts) != 0 || facts.st_size > LIST_BYTES_MAX)
        return status_ok();
    LOCAL_ARRAY(char, text, (size_t)facts.st_size + 2, "a list of files");
    text[0] = '\n';
    if (input_bytes_read(file, 0, (size_t)facts.st_size, text + 1) == (size_t)facts.st_size)
        *out = TAKE(text);
    return status_ok();
}

int folder_list_write(const char *folder)
{
    CLEANUP(descriptor_close) const int top = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int file =
        top >= 0 ? openat(top, LIST_NAME, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666) : -1;
    ListWalk walk = {.given = folder, .list = file >= 0 ? fdopen(file, "w") : NULL};
    if (!walk.list) {
        const int error = errno;
        descriptor_close(&file);
        return error;
    }
    fputs("# The files that skinbench wrote here. The folder is replaced only while it holds nothing else.\n",
          walk.list);
    const Status status = folder_walk(&walk, top, "", 0);
    const int error = stream_close(walk.list);
    return error == 0 && status.code != STATUS_OK ? EIO : error;
}

Status folder_list_check(const char *folder, const char *given)
{
    struct stat named, current;
    ListWalk walk = {.given = given};
    CLEANUP(descriptor_close)
    const int top = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0 || fstat(top, &named) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be read: %s", given, strerror(errno));
    if (stat(".", &current) == 0 && current.st_ino == named.st_ino && current.st_dev == named.st_dev)
        return bad_input("%s: is the current folder, which is never replaced", given);
    STATUS_TRY(list_read(top, &walk.text));
    OWNED char *text = walk.text;
    return folder_walk(&walk, top, "", 0);
}
