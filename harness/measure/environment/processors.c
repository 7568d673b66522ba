/* Finds how many threads this process may use, how OpenMP's threads wait, and how large the processor's
 * caches are. _DEFAULT_SOURCE is defined for the names of caches in sysconf, which are not POSIX. */
#define _DEFAULT_SOURCE
#include "harness/measure/environment/processors.h"

#include <omp.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

/* Reads one or two numbers from a file. Returns false if the file is missing or contains no number, such as
 * "max". */
static bool numbers_read(const char *path, double *first, double *second)
{
    char text[64] = "", *after = text;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const bool read = fgets(text, sizeof text, file) != NULL;
    fclose(file);
    *first = strtod(text, &after);
    *second = strtod(after, NULL);
    return read && after != text;
}

/* Returns the quota that a control group's folder sets, in processors; NAN without a limit. */
static double group_quota(const char *folder)
{
    char path[PATH_BYTES + 32];
    double quota = NAN, period = NAN, unused = NAN;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (!numbers_read(path, &quota, &period)) {
        snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
        if (!numbers_read(path, &quota, &unused))
            return NAN;
        snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
        if (!numbers_read(path, &period, &unused))
            return NAN;
    }
    return quota > 0.0 && period > 0.0 ? quota / period : NAN;
}

/* Returns the smallest quota of a group and all groups above it, up to `mount`, the root of all groups. A
 * container sees its own group at `mount`, whatever path the system reports. Groups on the path that do not
 * exist are therefore treated as unlimited. */
static double mount_quota(const char *mount, const char *group)
{
    char folder[PATH_BYTES];
    const size_t root = strlen(mount);
    double min = NAN;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
        return NAN;
    for (char *end = folder + strlen(folder); end; end = strrchr(folder + root, '/')) {
        *end = '\0';
        min = fmin(min, group_quota(folder));
    }
    return min;
}

/* Whether "cpu" is in a list of controllers such as "cpu,cpuacct". */
static bool controllers_hold_cpu(const char *controllers)
{
    for (const char *at = controllers; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == 3 && strncmp(at, "cpu", 3) == 0)
            return true;
    return false;
}

double processors_quota(const char *root)
{
    char line[PATH_BYTES], mount[PATH_BYTES + 64];
    double min = NAN;
    snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
    FILE *file = fopen(line, "r");
    /* Lines are "0::/path" in version 2 and "4:cpu,cpuacct:/path" in version 1. */
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = '\0';
        controllers++;
        group[strcspn(group, "\n")] = '\0';
        if (*controllers && !controllers_hold_cpu(controllers))
            continue;
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup%s%.64s", root, *controllers ? "/" : "", controllers);
        min = fmin(min, mount_quota(mount, group));
    }
    if (file)
        fclose(file);
    return min;
}

Processors processors_usable(const char *root)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const char *user = getenv("OMP_NUM_THREADS");
    Processors found = {.machine = online > 0 ? (int)online : 1, .quota = processors_quota(root)};
    found.affinity = omp_get_num_procs(); /* if OMP_PROC_BIND binds the first thread to a single processor,
                                             this number stays the same */
    found.user = user ? (int)fmin(fmax(strtod(user, NULL), 0.0), 1024.0) : 0;
    found.usable = found.affinity;
    found.source = found.affinity < found.machine ? "affinity" : "machine";
    if (ceil(found.quota) < found.usable) {
        found.usable = (int)ceil(found.quota);
        found.source = "quota";
    }
    if (found.user > 0) {
        found.usable = found.user;
        found.source = "OMP_NUM_THREADS";
    }
    return found;
}

void processors_format(const Processors *processors, char text[PROCESSORS_TEXT_BYTES])
{
    char quota[64] = "no quota set by control groups";
    if (!isnan(processors->quota))
        snprintf(quota, sizeof quota, "a quota of %.3g set by control groups", processors->quota);
    snprintf(text, PROCESSORS_TEXT_BYTES, "%d by %s: %d of %d cores by affinity, %s", processors->usable,
             processors->source, processors->affinity, processors->machine, quota);
}

static const char settled_name[] = "SKINBENCH_SETTLED"; /* variable that lists the names of the variables set
                                                           by this program, each after a space */

static bool set_by_program(const char *name)
{
    const char *settled = getenv(settled_name), *at = settled ? strstr(settled, name) : NULL;
    return at && at > settled && at[-1] == ' ' && strchr(" ", at[strlen(name)]) != NULL;
}

/* Variables of the OpenMP standard, of libgomp and of libomp. They are set only if the user set none of
 * them, because a user who binds threads has decided how the machine is used. After restarting under a
 * binding, the program would also see only the bound processor. */
static const struct {
    const char *name, *value;
} wait_settings[] = {
    {"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "1000"}, /* A thread spins for about as long as it
                                                                   would need to fall asleep and wake up, so
                                                                   spinning costs no time on a machine without
                                                                   other work. */
    {"KMP_BLOCKTIME", "0"},         {"KMP_LIBRARY", NULL},       {"OMP_PROC_BIND", NULL},
    {"OMP_PLACES", NULL},           {"GOMP_CPU_AFFINITY", NULL}, {"KMP_AFFINITY", NULL},
};
enum { WAIT_SETTINGS = sizeof wait_settings / sizeof *wait_settings };

static const char *wait_setting_given(void)
{
    for (int i = 0; i < WAIT_SETTINGS; i++)
        if (getenv(wait_settings[i].name))
            return wait_settings[i].name;
    return NULL;
}

void execution_waiting_format(char text[EXECUTION_TEXT_BYTES])
{
    const char *name = wait_setting_given();
    if (name && set_by_program(name))
        snprintf(text, EXECUTION_TEXT_BYTES, "%.64s, set by this program", getenv(name));
    else if (name)
        snprintf(text, EXECUTION_TEXT_BYTES, "as the user set %s=%.64s", name, getenv(name));
    else
        snprintf(text, EXECUTION_TEXT_BYTES, "default of the OpenMP library");
}

void execution_configure(char **arguments)
{
    char program[PATH_BYTES], set[256] = "";
    size_t length = 0;
    const ssize_t path_length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (getenv(settled_name) || path_length <= 0 || wait_setting_given())
        return;
    program[path_length] = '\0';
    for (int i = 0; i < WAIT_SETTINGS; i++)
        if (wait_settings[i].value && setenv(wait_settings[i].name, wait_settings[i].value, 0) == 0)
            length += (size_t)snprintf(set + length, sizeof set - length, " %s", wait_settings[i].name);
    if (setenv(settled_name, set, 1) == 0)
        execv(program, arguments);
    /* The program could not be started again. Undo the settings, so that doctor reports those in effect. */
    unsetenv(settled_name);
    for (char *name = strtok(set, " "); name; name = strtok(NULL, " "))
        unsetenv(name);
}

/* ---- caches ---- */

enum { INDICES_MAX = 16 }; /* largest number of caches that one processor can have */

/* Reads the first line of an attribute file of a cache. Returns false if the file is missing. */
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

/* Returns the size of a processor's data cache of one level. If `own` is set and several processors share
 * the cache, only the first of them returns its size, and the others return 0. A sum over all processors
 * then counts each cache once. */
static size_t processor_bytes(const char *root, int processor, int level, bool own)
{
    char line[64];
    for (int index = 0; index < INDICES_MAX && attribute_read(root, processor, index, "level", line);
         index++) {
        if (strtol(line, NULL, 10) != level || !attribute_read(root, processor, index, "type", line) ||
            line[0] == 'I')
            continue; /* a cache of another level, or an instruction cache */
        if (own && attribute_read(root, processor, index, "shared_cpu_list", line) &&
            strtol(line, NULL, 10) != processor)
            return 0;
        if (!attribute_read(root, processor, index, "size", line))
            return 0;
        char *unit = NULL; /* unit suffix: the kernel writes sizes like "32768K" */
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
    return bytes;
}
