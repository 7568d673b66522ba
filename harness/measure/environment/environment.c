/* Queries the system, the libraries and the build for the environment of a measurement. */
#define _DEFAULT_SOURCE /* for realpath */
#include "harness/measure/environment/environment.h"

#include "commit.h"
#include "datasets/io/sha256.h"
#include "harness/measure/environment/processors.h"
#include <archive.h>
#include <cblas.h>
#include <gnu/libc-version.h>
#include <hdf5.h>
#include <jansson.h>
#include <sys/utsname.h>
#include <unistd.h>

const char *environment_build(void)
{
    return SKINBENCH_DIRTY ? SKINBENCH_VERSION " (commit " SKINBENCH_COMMIT ", with uncommitted changes)"
                           : SKINBENCH_VERSION " (commit " SKINBENCH_COMMIT ")";
}

static const char one_loop[] = "SKINBENCH_ONE_LOOP"; /* among the flags: harness/CMakeLists.txt */

bool environment_one_loop(const Environment *environment)
{
    return strstr(environment->flags, one_loop) != NULL;
}

bool environment_allows_one_loop_times(void)
{
    const char *allowed = getenv("SKINBENCH_ONE_LOOP_TIMES");
    return allowed && *allowed;
}

Status environment_kernel_times_check(void)
{
    if (!strstr(SKINBENCH_FLAGS, one_loop) || environment_allows_one_loop_times())
        return status_ok();
    return status_make(
        STATUS_UNAVAILABLE,
        "this build has one plain loop per kernel (SKINBENCH_ONE_LOOP), so its times mean nothing; "
        "time with a build that is configured with -DSKINBENCH_ONE_LOOP=OFF");
}

const char *environment_version(void)
{
    return SKINBENCH_VERSION;
}

const char *environment_date(void)
{
    return SKINBENCH_COMMIT_DATE;
}

/* Folders of the project's data relative to that of the program: in an installation, and in a build. */
static const char *const places_from_program[] = {SKINBENCH_DATA_FROM_PROGRAM, SKINBENCH_SOURCE_FROM_PROGRAM};

const char *environment_home(void)
{
    static _Thread_local char found[PATH_MAX];
    char program[PATH_MAX], place[2 * PATH_MAX], tables[2 * PATH_MAX + 32];
    const char *home = getenv("SKINBENCH_HOME");
    if (home && *home)
        return home;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *const end = strrchr(program, '/');
    if (end)
        *end = '\0';
    for (size_t i = 0; end && i < sizeof places_from_program / sizeof *places_from_program; i++) {
        snprintf(place, sizeof place, "%s/%s", program, places_from_program[i]);
        snprintf(tables, sizeof tables, "%s/results/published", place);
        if (access(tables, X_OK) == 0 && realpath(place, found))
            return found;
    }
    return SKINBENCH_SOURCE_DIR;
}

/* Reads the text after `name :` from the first line of a /proc file that begins with `name`. If `name` is
 * "", reads the whole first line. */
static Status proc_value(const char *path, const char *name, char text[ENVIRONMENT_TEXT_BYTES])
{
    char line[4096];
    FILE *file = fopen(path, "r");
    size_t length = strlen(name);
    text[0] = '\0';
    if (!file && status_code_of(errno, STATUS_OK) != STATUS_OK)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    while (file && text[0] == '\0' && fgets(line, sizeof line, file)) {
        const char *value = line + length + strspn(line + length, " \t");
        line[strcspn(line, "\n")] = '\0';
        if (length == 0 || (strncmp(line, name, length) == 0 && *value == ':'))
            snprintf(text, ENVIRONMENT_TEXT_BYTES, "%.*s", ENVIRONMENT_TEXT_BYTES - 1,
                     length == 0 ? line : value + 1 + strspn(value + 1, " \t"));
    }
    if (file)
        fclose(file);
    return status_ok();
}

static double positive(long value)
{
    return value > 0 ? (double)value : NAN;
}

static void hash_add(Sha256 *sum, const char *text)
{
    sha256_add(sum, text, strlen(text) + 1);
}

/* Hashes all members of an environment except version, commit, commit_time and dirty. */
static void environment_hash(Environment *out)
{
    const char *const texts[] = {out->build_type, out->compiler, out->flags,        out->hdf5,
                                 out->openblas,   out->jansson,  out->libarchive,   out->openmp,
                                 out->kernel,     out->release,  out->architecture, out->cpu_model,
                                 out->governor,   out->libc};
    char digest[65], numbers[256];
    Sha256 sum;
    sha256_begin(&sum);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hash_add(&sum, texts[i]);
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (backend_at(i)->is_device)
            hash_add(&sum, out->devices[i]);
    hash_add(&sum, out->nvidia_driver);
    for (int i = 0; i < out->level_count; i++)
        hash_add(&sum, out->levels[i]);
    snprintf(numbers, sizeof numbers, "%d %.0f %.0f %.0f %.0f %.0f %.0f", out->threads, out->cores,
             out->memory_bytes, out->l1d_bytes, out->l1i_bytes, out->l2_bytes, out->l3_bytes);
    hash_add(&sum, numbers);
    sha256_end(&sum, digest);
    snprintf(out->hash, sizeof out->hash, "%.16s", digest);
}

Status environment_describe(int threads, Environment *out)
{
    *out = (Environment){0};
    /* HDF5 aborts a program that runs with another version than it was compiled with, so the version at
     * compile time is right. */
    snprintf(out->hdf5, sizeof out->hdf5, "%d.%d.%d", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    snprintf(out->openblas, sizeof out->openblas, "%s", openblas_get_config());
    snprintf(out->jansson, sizeof out->jansson, "%s", jansson_version_str());
    snprintf(out->libarchive, sizeof out->libarchive, "%s", ARCHIVE_VERSION_STRING);
    snprintf(out->libc, sizeof out->libc, "glibc %s", gnu_get_libc_version());
    char waiting[EXECUTION_TEXT_BYTES];
    execution_waiting_format(waiting);
    snprintf(out->openmp, sizeof out->openmp, "%d, threads wait: %s", _OPENMP, waiting);
    /* query the system and its processor */
    struct utsname names;
    const char *levels[SIMD_LEVELS_MAX];
    out->level_count = simd_levels_here(levels);
    if (uname(&names) == 0) {
        snprintf(out->kernel, sizeof out->kernel, "%s", names.sysname);
        snprintf(out->release, sizeof out->release, "%s", names.release);
        snprintf(out->architecture, sizeof out->architecture, "%s", names.machine);
    }
    for (int i = 0; i < out->level_count; i++)
        snprintf(out->levels[i], sizeof out->levels[i], "%s", levels[i]);
    STATUS_TRY(proc_value("/proc/cpuinfo", "model name", out->cpu_model));
    STATUS_TRY(proc_value("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "", out->governor));
    out->cores = positive(sysconf(_SC_NPROCESSORS_ONLN));
    out->memory_bytes = positive(sysconf(_SC_PHYS_PAGES)) * positive(sysconf(_SC_PAGESIZE));
    out->l1d_bytes = positive((long)cache_bytes("", 1));
    out->l1i_bytes = positive(sysconf(_SC_LEVEL1_ICACHE_SIZE));
    out->l2_bytes = positive((long)cache_bytes("", 2));
    out->l3_bytes = positive((long)cache_bytes("", 3));
    /* devices */
    out->threads = threads;
    for (int i = 0; i < BACKEND_COUNT; i++) {
        if (!backend_at(i)->is_device)
            continue;
        Status status = backend_at(i)->probe(out->devices[i], sizeof out->devices[i]);
        if (status.code == STATUS_SYSTEM)
            return status;
        if (status.code != STATUS_OK)
            out->devices[i][0] = '\0';
    }
    STATUS_TRY(proc_value("/proc/driver/nvidia/version", "", out->nvidia_driver));
    /* the build */
    snprintf(out->build_type, sizeof out->build_type, "%s", SKINBENCH_BUILD_TYPE);
    snprintf(out->compiler, sizeof out->compiler, "%s", SKINBENCH_COMPILER);
    snprintf(out->flags, sizeof out->flags, "%s", SKINBENCH_FLAGS);
    snprintf(out->version, sizeof out->version, "%s", SKINBENCH_VERSION);
    snprintf(out->commit, sizeof out->commit, "%s", SKINBENCH_COMMIT);
    snprintf(out->commit_time, sizeof out->commit_time, "%s", SKINBENCH_COMMIT_TIME);
    out->dirty = SKINBENCH_DIRTY;
    environment_hash(out);
    environment_machine(out);
    return status_ok();
}

/* Removes, in place, all words of a text that contain a slash. */
static void words_without_paths(char *text)
{
    char *to = text, *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        const size_t length = strlen(word);
        if (memchr(word, '/', length))
            continue;
        memmove(to, word, length);
        to += length;
        *to++ = ' ';
    }
    to[to > text ? -1 : 0] = '\0';
}

void environment_anonymize(Environment *environment)
{
    environment->memory_bytes = NAN;
    environment->release[0] = environment->governor[0] = environment->nvidia_driver[0] = '\0';
    words_without_paths(environment->flags);
    environment_hash(environment);
    environment_machine(environment);
}

void environment_machine(Environment *environment)
{
    char *machine = environment->machine;
    machine[0] = '\0';
    if (environment->cpu_model[0] == '\0' && isnan(environment->cores))
        return;
    text_append(machine, MACHINE_BYTES, "%s",
                environment->cpu_model[0] ? environment->cpu_model : environment->architecture);
    if (!isnan(environment->cores))
        text_append(machine, MACHINE_BYTES, ", %.0f cores", environment->cores);
    if (!isnan(environment->memory_bytes))
        text_append(machine, MACHINE_BYTES, ", %.0f GiB", environment->memory_bytes / 1073741824.0);
    for (int i = 0; i < BACKEND_COUNT; i++)
        if (backend_at(i)->is_gpu && environment->devices[i][0])
            text_append(machine, MACHINE_BYTES, ", %.200s", environment->devices[i]);
    if (environment->nvidia_driver[0])
        text_append(machine, MACHINE_BYTES, ", %.200s", environment->nvidia_driver);
}
