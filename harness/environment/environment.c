#include "harness/environment/environment.h"

#include "commit.h"
#include "datasets/base/memory.h"
#include "harness/records/results.h"
#include "methods/runtime/skinner.h"
#include <archive.h>
#include <cblas.h>
#include <ctype.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { LINE_BYTES = 512 };

const char *environment_home(void)
{
    const char *home = getenv("SKINBENCH_HOME");
    return home && *home ? home : SKINBENCH_SOURCE_DIR;
}

/* The first line of a small file, or null. */
static json_t *first_line(const char *path)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    json_t *text = NULL;
    if (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        text = json_string(line);
    }
    if (file)
        fclose(file);
    return text ? text : json_null();
}

/* The value of the first "name : value" line of a /proc file, or null. */
static json_t *proc_value(const char *path, const char *name)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    json_t *text = NULL;
    size_t length = strlen(name);
    while (file && !text && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, length) != 0 || !colon ||
            !(isspace((unsigned char)line[length]) || line[length] == ':'))
            continue;
        line[strcspn(line, "\n")] = '\0';
        text = json_string(colon + 1 + strspn(colon + 1, " \t"));
    }
    if (file)
        fclose(file);
    return text ? text : json_null();
}

static json_t *size_or_null(long bytes)
{
    return bytes > 0 ? json_integer(bytes) : json_null();
}

static json_t *cpu_describe(void)
{
    const char *names[SIMD_LEVELS_MAX];
    json_t *levels = json_array();
    int count = simd_levels_here(names);
    for (int i = 0; i < count; i++)
        json_array_append_new(levels, json_string(names[i]));
    return json_pack(
        "{s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o}", "model", proc_value("/proc/cpuinfo", "model name"),
        "cores", size_or_null(sysconf(_SC_NPROCESSORS_ONLN)), "caches_bytes", "l1d",
        size_or_null(sysconf(_SC_LEVEL1_DCACHE_SIZE)), "l1i", size_or_null(sysconf(_SC_LEVEL1_ICACHE_SIZE)),
        "l2", size_or_null(sysconf(_SC_LEVEL2_CACHE_SIZE)), "l3",
        size_or_null(sysconf(_SC_LEVEL3_CACHE_SIZE)), "levels", levels, "governor",
        first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"));
}

static json_t *libraries_describe(void)
{
    unsigned major = 0, minor = 0, release = 0;
    char hdf5[48];
    H5get_libversion(&major, &minor, &release);
    snprintf(hdf5, sizeof hdf5, "%u.%u.%u", major, minor, release);
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "hdf5", hdf5, "openblas", openblas_get_config(), "jansson",
                     jansson_version_str(), "libarchive", archive_version_string(), "openmp",
#ifdef _OPENMP
                     "yes"
#else
                     "no"
#endif
    );
}

static json_t *system_describe(void)
{
    struct utsname names;
    if (uname(&names) != 0)
        return json_null();
    return json_pack("{s:s, s:s, s:s}", "kernel", names.sysname, "release", names.release, "machine",
                     names.machine);
}

/* The device's name, or null where the backend cannot run. */
static json_t *device_describe(BackendKind kind)
{
    char text[STATUS_TEXT_BYTES] = "";
    return backend_probe(kind, text, sizeof text).code == STATUS_OK ? json_string(text) : json_null();
}

Status environment_describe(int threads, json_t **out)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    json_t *machine = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:o, s:{s:o, s:o, s:o}}", "build_type", SKINBENCH_BUILD_TYPE,
        "compiler", SKINBENCH_COMPILER, "flags", SKINBENCH_FLAGS, "libraries", libraries_describe(), "system",
        system_describe(), "cpu", cpu_describe(), "threads", threads, "memory_bytes",
        pages > 0 && page > 0 ? json_integer((json_int_t)pages * page) : json_null(), "devices", "opencl",
        device_describe(BACKEND_OPENCL), "cuda", device_describe(BACKEND_CUDA), "nvidia_driver",
        first_line("/proc/driver/nvidia/version"));
    char *text = machine ? json_dumps(machine, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    char hash[17] = "";
    if (text)
        text_hash(text, hash);
    free(text);
    *out = json_pack("{s:s, s:s, s:s, s:b}", "hash", hash, "version", SKINBENCH_VERSION, "commit",
                     SKINBENCH_COMMIT, "dirty", SKINBENCH_DIRTY);
    if (!machine || !*out || json_object_update(*out, machine) != 0 || hash[0] == '\0') {
        json_decref(machine);
        json_decref(*out);
        *out = NULL;
        return status_out_of_memory("the description of this machine");
    }
    json_decref(machine);
    return status_ok();
}
