/* Declarations shared by all tests: cmocka with its prerequisites, the TEST macro, a test's files, and the
 * real data sets if available. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

#include <dirent.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

/* Marks a parameter that a callback does not use. */
#define UNUSED __attribute__((unused))

/* Begins a test. Its unit is named after its file: tests in test_grouping.c belong to the unit `grouping`.
 * A prefix of its name states a requirement: data_ for the real data sets, nvrtc_ for NVRTC (main.c). */
#define TEST(name)                                                                                           \
    static void name(void **state);                                                                          \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        test_add(__FILE__, #name, name);                                                                     \
    }                                                                                                        \
    static void name(UNUSED void **state)

void test_add(const char *file, const char *name, CMUnitTestFunction test);

/* Notes that a requirement of the test is missing. The unit then counts as skipped unless it fails. */
void test_lacks(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns formatted text. This text is valid until the test ends, and so are the texts that the functions
 * below return. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a new folder for files of the test. It is removed with its contents after the test. */
const char *test_folder(void);

/* Returns the path of a file in the test's own folder, which is removed after the test. "" gives the folder
 * itself. */
const char *path_of(const char *name);

/* Write and read a file, given by its full path or by its name in the test's folder. The content that
 * file_read returns ends with NUL; release it with memory_free. `length` may be NULL. */
void bytes_write(const char *path, const void *bytes, size_t length);
void text_write(const char *path, const char *text);
char *file_read(const char *path, size_t *length);

/* Strings that records accept as the hash of an environment and as the digest of a data set. Each ends with
 * a hexadecimal digit chosen by the caller. */
#define HASH_OF(digit) "000000000000000" digit
#define DIGEST_OF(digit) "000000000000000000000000000000000000000000000000" HASH_OF(digit)

/* Returns the text with ' replaced by ", so that JSON can be written in C strings. */
const char *quoted(const char *text);

/* assert_file_holds fails unless the file contains `part`. assert_file_lacks fails if the file contains
 * `part`. */
void assert_file_holds(const char *path, const char *part);
void assert_file_lacks(const char *path, const char *part);

/* assert_near fails unless two numbers differ by at most the tolerance. Its vector version compares every
 * coordinate. assert_at_most fails unless the first number is at most the second. NaN always fails.
 * (cmocka's assert_float_equal compares floats, not doubles.) */
#define assert_near(actual, expected, tolerance)                                                             \
    do {                                                                                                     \
        const double assert_near_actual = (double)(actual), assert_near_expected = (double)(expected);       \
        if (!(fabs(assert_near_actual - assert_near_expected) <= (tolerance)))                               \
            fail_msg("%s is %.17g, expected %.17g", #actual, assert_near_actual, assert_near_expected);      \
    } while (0)
#define assert_vec3(actual, expected, tolerance)                                                             \
    do {                                                                                                     \
        const Vec3 assert_vec3_actual = (actual), assert_vec3_expected = (expected);                         \
        const Vec3 assert_vec3_off = vec3_sub(assert_vec3_actual, assert_vec3_expected);                     \
        if (!(fabs(assert_vec3_off.x) <= (tolerance) && fabs(assert_vec3_off.y) <= (tolerance) &&            \
              fabs(assert_vec3_off.z) <= (tolerance)))                                                       \
            fail_msg("%s is (%.9g, %.9g, %.9g), expected (%.9g, %.9g, %.9g)", #actual, assert_vec3_actual.x, \
                     assert_vec3_actual.y, assert_vec3_actual.z, assert_vec3_expected.x,                     \
                     assert_vec3_expected.y, assert_vec3_expected.z);                                        \
    } while (0)
#define assert_at_most(actual, bound)                                                                        \
    do {                                                                                                     \
        const double assert_at_most_actual = (double)(actual), assert_at_most_bound = (double)(bound);       \
        if (!(assert_at_most_actual <= assert_at_most_bound))                                                \
            fail_msg("%s is %.9g, at most %.9g", #actual, assert_at_most_actual, assert_at_most_bound);      \
    } while (0)

/* assert_holds fails unless the text contains `part`. assert_lacks fails if the text contains `part`. */
#define assert_holds(text, part)                                                                             \
    do {                                                                                                     \
        const char *assert_holds_text = (text), *assert_holds_part = (part);                                 \
        if (!strstr(assert_holds_text, assert_holds_part))                                                   \
            fail_msg("'%s' does not say '%s'", assert_holds_text, assert_holds_part);                        \
    } while (0)
#define assert_lacks(text, part)                                                                             \
    do {                                                                                                     \
        const char *assert_lacks_text = (text), *assert_lacks_part = (part);                                 \
        if (strstr(assert_lacks_text, assert_lacks_part))                                                    \
            fail_msg("'%s' says '%s'", assert_lacks_text, assert_lacks_part);                                \
    } while (0)

/* Fails with the formatted message if the condition is true. */
#define fail_if(condition, ...)                                                                              \
    do {                                                                                                     \
        if (condition)                                                                                       \
            fail_msg(__VA_ARGS__);                                                                           \
    } while (0)

/* Fails the test with the text of the status unless the call succeeds. */
#define assert_ok(call)                                                                                      \
    do {                                                                                                     \
        Status assert_ok_status = (call);                                                                    \
        if (assert_ok_status.code != STATUS_OK) {                                                            \
            fail_msg("%s", assert_ok_status.text);                                                           \
            abort(); /* never reached, but cmocka does not tell the compiler so */                           \
        }                                                                                                    \
    } while (0)

/* Fails unless the call returns this code with a text that contains `part`. */
#define assert_refused(expected_code, part, call)                                                            \
    do {                                                                                                     \
        Status assert_refused_status = (call);                                                               \
        assert_int_equal(assert_refused_status.code, expected_code);                                         \
        assert_holds(assert_refused_status.text, part);                                                      \
    } while (0)

#define assert_bad_input(part, call) assert_refused(STATUS_BAD_INPUT, part, call)

/* Runs `call` with the first allocation failing, then with the second failing, and so on until `call`
 * succeeds. This must take more than `min` runs. Each failure must be STATUS_SYSTEM. `...` is executed
 * after each failed run. */
#define assert_allocations_may_fail(min, call, ...)                                                          \
    do {                                                                                                     \
        int failed_runs = 0;                                                                                 \
        for (;; failed_runs++) {                                                                             \
            memory_fail_after(failed_runs);                                                                  \
            const Status failing_status = (call);                                                            \
            memory_fail_after(-1);                                                                           \
            if (failing_status.code == STATUS_OK)                                                            \
                break;                                                                                       \
            assert_int_equal(failing_status.code, STATUS_SYSTEM);                                            \
            assert_true(failed_runs < 5000);                                                                 \
            __VA_ARGS__;                                                                                     \
        }                                                                                                    \
        assert_true(failed_runs > (min));                                                                    \
    } while (0)

/* Progress callbacks that stop the work. The first stops it at the first report. The second counts the int
 * at `context` down and stops the work at zero. */
static inline bool stop_at_once(UNUSED void *context, UNUSED const char *what, UNUSED double share)
{
    return false;
}
static inline bool stop_in_time(void *context, UNUSED const char *what, UNUSED double share)
{
    return --*(int *)context > 0;
}

/* Returns point `index` of an array of doubles [N][3]. */
static inline Vec3 vec3_at(const double *points, ptrdiff_t index)
{
    const double *p = points + 3 * index;
    return vec3_make(p[0], p[1], p[2]);
}

/* Skips the test and prints the reason. */
#define test_skip(reason)                                                                                    \
    do {                                                                                                     \
        test_lacks("%s", reason);                                                                            \
        skip();                                                                                              \
    } while (0)

/* Skips the test and prints the reason if a backend (methods/runtime/backends) does not work on this
 * machine. */
#define test_needs(backend)                                                                                  \
    do {                                                                                                     \
        char test_needs_text[STATUS_TEXT_BYTES];                                                             \
        const Status test_needs_status = (backend).probe(test_needs_text, sizeof test_needs_text);           \
        if (test_needs_status.code != STATUS_OK)                                                             \
            test_skip(test_needs_status.text);                                                               \
    } while (0)

/* Returns the path of a real data set. If SKINBENCH_TEST_DATA does not contain it, notes this and returns
 * NULL. */
static inline const char *test_data(const char *name)
{
    const char *folder = getenv("SKINBENCH_TEST_DATA"), *path = text_of("%s/%s", folder ? folder : "", name);
    if (folder && access(path, R_OK) == 0)
        return path;
    test_lacks("no %s (set SKINBENCH_TEST_DATA to the folder of the data sets)", name);
    return NULL;
}

/* Returns the name of entry `index` of a folder, counting hidden entries, or NULL if there are fewer
 * entries. */
static inline const char *name_in(const char *folder, int index)
{
    const char *name = NULL;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; !name && (entry = readdir(entries)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && index-- == 0)
            name = text_of("%s", entry->d_name);
    closedir(entries);
    return name;
}

/* Returns the number of files and folders in a folder, including hidden ones. */
static inline int files_in(const char *folder)
{
    int count = 0;
    while (name_in(folder, count))
        count++;
    return count;
}

/* Fails if an unfinished file is left in the test's folder (datasets/io/temporary_folder.h). */
static inline void assert_no_temporary_files(void)
{
    const char *name;
    for (int i = 0; (name = name_in(path_of(""), i)) != NULL; i++)
        assert_true(strncmp(name, ".skinbench-", 11) != 0);
}
