/* A cached file is a line that says what it is, its key, the digest of its code, each with a line feed, then
 * the code. */
#include "methods/runtime/kernel_cache.h"

#include "datasets/base/memory.h"
#include "datasets/io/atomic_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "skinbench kernel, version 1\n";
enum {
    HEAD_BYTES = sizeof head - 1 + 2 * SHA256_TEXT_BYTES, /* a line feed in the place of each NUL */
    CODE_BYTES_MAX = 64 * 1024 * 1024,
    FILE_BYTES = KERNEL_CACHE_PATH_BYTES + SHA256_TEXT_BYTES + 16
};

bool kernel_cache_folder(char path[KERNEL_CACHE_PATH_BYTES])
{
    const char *own = getenv("SKINBENCH_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int size = 0;
    if (own)
        size = snprintf(path, KERNEL_CACHE_PATH_BYTES, "%s", own);
    else if (cache && cache[0] == '/')
        size = snprintf(path, KERNEL_CACHE_PATH_BYTES, "%s/skinbench/kernels", cache);
    else if (home && home[0] == '/')
        size = snprintf(path, KERNEL_CACHE_PATH_BYTES, "%s/.cache/skinbench/kernels", home);
    return size > 0 && size < KERNEL_CACHE_PATH_BYTES;
}

void kernel_cache_key(const char *const *parts, char key[SHA256_TEXT_BYTES])
{
    Sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, head, sizeof head);
    for (; *parts; parts++)
        sha256_add(&sum, *parts, strlen(*parts) + 1);
    sha256_end(&sum, key);
}

static void head_make(const char *key, const void *code, size_t size, char text[HEAD_BYTES + 1])
{
    char digest[SHA256_TEXT_BYTES];
    Sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, code, size);
    sha256_end(&sum, digest);
    snprintf(text, HEAD_BYTES + 1, "%s%s\n%s\n", head, key, digest);
}

static bool file_of(const char *key, char path[FILE_BYTES])
{
    char folder[KERNEL_CACHE_PATH_BYTES];
    if (!kernel_cache_folder(folder))
        return false;
    snprintf(path, FILE_BYTES, "%s/%s.kernel", folder, key);
    return true;
}

Status kernel_cache_load(const char *key, void **code, size_t *size)
{
    char path[FILE_BYTES], own[HEAD_BYTES + 1], expected[HEAD_BYTES + 1];
    struct stat facts;
    Status status = status_ok();
    void *bytes = NULL;
    *code = NULL;
    *size = 0;
    FILE *file = file_of(key, path) ? fopen(path, "rbe") : NULL;
    if (!file || fstat(fileno(file), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size <= HEAD_BYTES ||
        facts.st_size > HEAD_BYTES + CODE_BYTES_MAX || fread(own, 1, HEAD_BYTES, file) != HEAD_BYTES)
        goto done;
    const size_t count = (size_t)facts.st_size - HEAD_BYTES;
    bytes = memory_array(count + 1, 1);
    if (!bytes)
        STATUS_TRY(status_out_of_memory("a compiled kernel"));
    if (fread(bytes, 1, count, file) != count)
        goto done;
    head_make(key, bytes, count, expected);
    if (memcmp(own, expected, HEAD_BYTES) != 0)
        goto done;
    *code = bytes;
    *size = count;
    bytes = NULL;
done:
    memory_free(bytes);
    if (file)
        (void)fclose(file);
    return status;
}

/* The folder and those it is in. */
static bool cache_folder_make(char *path)
{
    for (char *at = path + 1; *at; at++)
        if (*at == '/') {
            *at = '\0';
            const bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
            *at = '/';
            if (!there)
                return false;
        }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

Status kernel_cache_store(const char *key, const void *code, size_t size)
{
    char folder[KERNEL_CACHE_PATH_BYTES], path[FILE_BYTES], text[HEAD_BYTES + 1];
    const long failures = memory_failures();
    AtomicPath atomic = {0};
    Status status = status_ok();
    FILE *file = NULL;
    if (size == 0 || size > CODE_BYTES_MAX || !kernel_cache_folder(folder) || !cache_folder_make(folder) ||
        !file_of(key, path))
        return status;
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &atomic));
    file = fopen(atomic.temporary, "wbe");
    if (!file)
        goto done;
    head_make(key, code, size, text);
    bool whole = fwrite(text, 1, HEAD_BYTES, file) == HEAD_BYTES && fwrite(code, 1, size, file) == size;
    whole = fclose(file) == 0 && whole;
    if (whole)
        STATUS_TRY(atomic_path_commit_file(&atomic));
done:
    atomic_path_discard(&atomic);
    return memory_failures() > failures ? status_out_of_memory("a compiled kernel") : status_ok();
}
