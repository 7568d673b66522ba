/* Manages the private folder of a fuzz target's process, and reports new message texts to libFuzzer as new
 * coverage. */
#include "tests/fuzz/fuzz.h"

#include "datasets/base/text.h"
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[sizeof folder + 64];
static pid_t owner;

static void folder_remove(void)
{
    if (getpid() != owner)
        return;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        if (entry->d_name[0] != '.')
            remove(fuzz_path(entry->d_name));
    if (entries)
        closedir(entries);
    rmdir(folder);
}

const char *fuzz_path(const char *name)
{
    if (folder[0] == '\0') {
        snprintf(folder, sizeof folder, "%s/skinbench-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        fuzz_require(mkdtemp(folder));
        owner = getpid();
        atexit(folder_remove);
    }
    fuzz_require(snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path);
    return path;
}

const char *fuzz_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *file = fopen(fuzz_path(name), "wb");
    fuzz_require(file && fwrite(data, 1, size, file) == size);
    fuzz_require(fclose(file) == 0);
    return path;
}

enum { COUNTERS = 4096 };
__attribute__((used, section("__libfuzzer_extra_counters"))) static uint8_t counters[COUNTERS];

void fuzz_status(Status status)
{
    char escaped[4 * sizeof status.text];
    text_escape(escaped, sizeof escaped, status.text);
    fuzz_require(strcmp(escaped, status.text) == 0);
}

void fuzz_feedback(Status status)
{
    uint32_t hash = 2166136261u ^ (uint32_t)status.code; /* FNV-1a */
    bool quoted = false;
    for (const char *letter = status.text; *letter; letter++) {
        quoted ^= *letter == '\'' || *letter == '"';
        if (!quoted && !(*letter >= '0' && *letter <= '9'))
            hash = (hash ^ (uint8_t)*letter) * 16777619u;
    }
    counters[hash % COUNTERS] = 1;
    fuzz_status(status);
}
