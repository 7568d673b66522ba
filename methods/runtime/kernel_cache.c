/* A cached file starts with a version line, the key and the digest of the code, each followed by a line
 * feed. The code follows. */
#include "methods/runtime/kernel_cache.h"

#include "datasets/io/atomic_path.h"

#include <sys/stat.h>

static const char head[] = "skinbench kernel, version 1\n";
enum {
    /* Length of the three lines; the NUL of each text counts as its line feed. */
    HEAD_BYTES = sizeof head - 1 + 2 * SHA256_TEXT_BYTES,
    CODE_BYTES_MAX = 64 * 1024 * 1024,
    FILE_BYTES = KERNEL_CACHE_PATH_BYTES + SHA256_TEXT_BYTES + 16
};

bool kernel_cache_folder(char path[KERNEL_CACHE_PATH_BYTES])
{
    const char *setting = getenv("SKINBENCH_CACHE"), *cache = getenv("XDG_CACHE_HOME"),
               *home = getenv("HOME");
    int size = 0;
    if (setting)
        size = snprintf(path, KERNEL_CACHE_PATH_BYTES, "%s", setting);
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
    sha256_of(code, size, digest);
    snprintf(text, HEAD_BYTES + 1, "%s%s\n%s\n", head, key, digest);
}

Status kernel_file_load(const char *folder, const char *key, void **code, size_t *size)
{
    char stored_head[HEAD_BYTES + 1], expected[HEAD_BYTES + 1], path[FILE_BYTES];
    struct stat facts;
    *code = NULL;
    *size = 0;
    snprintf(path, sizeof path, "%s/%s.kernel", folder, key);
    OWNED_BY(fclose) FILE *file = fopen(path, "rbe");
    if (!file || fstat(fileno(file), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size <= HEAD_BYTES ||
        facts.st_size > HEAD_BYTES + CODE_BYTES_MAX || fread(stored_head, 1, HEAD_BYTES, file) != HEAD_BYTES)
        return status_ok();
    const size_t count = (size_t)facts.st_size - HEAD_BYTES;
    LOCAL_ARRAY(char, bytes, count + 1, "a compiled kernel");
    if (fread(bytes, 1, count, file) != count)
        return status_ok();
    head_make(key, bytes, count, expected);
    if (memcmp(stored_head, expected, HEAD_BYTES) != 0)
        return status_ok();
    *code = TAKE(bytes);
    *size = count;
    return status_ok();
}

Status kernel_cache_load(const char *key, void **code, size_t *size)
{
    char folder[KERNEL_CACHE_PATH_BYTES];
    *code = NULL;
    *size = 0;
    return kernel_cache_folder(folder) ? kernel_file_load(folder, key, code, size) : status_ok();
}

void kernel_ahead_key(const char *target, const char *text, char key[SHA256_TEXT_BYTES])
{
    kernel_cache_key((const char *const[]){"CUDA, ahead of time", target, text, NULL}, key);
}

Status kernel_ahead_load(const char *key, void **code, size_t *size)
{
    char folder[KERNEL_CACHE_PATH_BYTES];
    const char *chosen = getenv("SKINBENCH_KERNELS");
    if (chosen)
        snprintf(folder, sizeof folder, "%s", chosen);
    else if (!kernel_cache_folder(folder))
        folder[0] = '\0';
    return kernel_file_load(folder, key, code, size);
}

int kernel_ahead_architectures(int architectures[KERNEL_ARCHITECTURES_MAX])
{
    char key[SHA256_TEXT_BYTES];
    OWNED void *text = NULL;
    size_t size = 0;
    int count = 0, used = 0;
    kernel_ahead_key(KERNEL_ARCHITECTURES, "", key);
    if (kernel_ahead_load(key, &text, &size).code == STATUS_OK && text)
        for (const char *cursor = text;
             count < KERNEL_ARCHITECTURES_MAX && sscanf(cursor, "%4d%n", &architectures[count], &used) == 1;
             count++)
            cursor += used;
    return count;
}

/* Creates the folder and its parents. Returns false on failure. */
static bool cache_folder_make(char *path)
{
    for (char *cursor = path + 1; *cursor; cursor++)
        if (*cursor == '/') {
            *cursor = '\0';
            const bool there = mkdir(path, 0700) == 0 || errno == EEXIST;
            *cursor = '/';
            if (!there)
                return false;
        }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

Status kernel_file_write(const char *folder, const char *key, const void *code, size_t size)
{
    char path[FILE_BYTES], start[HEAD_BYTES + 1];
    CLEANUP(atomic_path_discard) AtomicPath atomic = {0};
    FILE *file = NULL;
    snprintf(path, sizeof path, "%s/%s.kernel", folder, key);
    STATUS_TRY(atomic_path_start(path, OUTPUT_FILE, &atomic));
    STATUS_TRY(stream_create(atomic.temporary, "wbe", path, &file));
    head_make(key, code, size, start);
    (void)fwrite(start, 1, HEAD_BYTES, file);
    (void)fwrite(code, 1, size, file);
    STATUS_TRY(stream_finish(file, path));
    return atomic_path_commit(&atomic);
}

Status kernel_cache_store(const char *key, const void *code, size_t size)
{
    char folder[KERNEL_CACHE_PATH_BYTES];
    const long failures = memory_failures();
    if (size > 0 && size <= CODE_BYTES_MAX && kernel_cache_folder(folder) && cache_folder_make(folder))
        (void)kernel_file_write(folder, key, code, size);
    return memory_failures() > failures ? status_out_of_memory("a compiled kernel") : status_ok();
}
