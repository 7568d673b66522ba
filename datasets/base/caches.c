/* The kernel's files of caches. sysconf's names of them are not POSIX. */
#define _DEFAULT_SOURCE
#include "datasets/base/caches.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { INDICES_MAX = 16 }; /* caches of one processor */

/* The first line of a file of one cache; false: it is not there. */
static bool attribute_read(const char *root, int processor, int index, const char *name, char line[64])
{
    char path[512];
    line[0] = '\0';
    if (snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cache/index%d/%s", root, processor,
                 index, name) >= (int)sizeof path)
        return false;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool read = fgets(line, 64, file) != NULL;
    fclose(file);
    return read;
}

/* What the cache of data of one processor holds. With `own`, only where this processor is the first that
 * shares it, so that each cache counts once. */
static size_t processor_bytes(const char *root, int processor, int level, bool own)
{
    char line[64];
    for (int index = 0; index < INDICES_MAX && attribute_read(root, processor, index, "level", line);
         index++) {
        if (strtol(line, NULL, 10) != level || !attribute_read(root, processor, index, "type", line) ||
            line[0] == 'I')
            continue; /* another level, or instructions */
        if (own && attribute_read(root, processor, index, "shared_cpu_list", line) &&
            strtol(line, NULL, 10) != processor)
            return 0;
        if (!attribute_read(root, processor, index, "size", line))
            return 0;
        char *unit = NULL; /* "32768K" as the kernel writes it */
        const unsigned long number = strtoul(line, &unit, 10);
        return (size_t)number << (*unit == 'K' ? 10 : *unit == 'M' ? 20 : 0);
    }
    return 0;
}

static size_t library_bytes(const char *root, int level)
{
    long bytes = 0;
#ifdef _SC_LEVEL1_DCACHE_SIZE
    static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    if (root[0] == '\0' && level >= 1 && level <= 3)
        bytes = sysconf(names[level - 1]);
#endif
    return bytes > 0 ? (size_t)bytes : 0;
}

size_t cache_bytes(const char *root, int level)
{
    const size_t bytes = processor_bytes(root, 0, level, false);
    return bytes > 0 ? bytes : library_bytes(root, level);
}

size_t cache_bytes_everywhere(const char *root, int level)
{
    char folder[512];
    size_t bytes = 0;
    for (int i = 0;
         snprintf(folder, sizeof folder, "%s/sys/devices/system/cpu/cpu%d", root, i) < (int)sizeof folder &&
         access(folder, F_OK) == 0;
         i++)
        bytes += processor_bytes(root, i, level, true);
    return bytes > 0 ? bytes : library_bytes(root, level);
}
