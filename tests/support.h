/* What tests share: cmocka with its prerequisites, a test's head, its files, the real data sets where they
 * are. */
#pragma once

#include "datasets/base/base.h"
#include "datasets/geometry/vec3.h"

#include <dirent.h>
#include <setjmp.h>
#include <unistd.h>

#include <cmocka.h>

/* A parameter that a callback has no use for. */
#define UNUSED __attribute__((unused))

/* The head of a test. Its unit is its file: test_grouping.c holds the unit `grouping`. Its name says what it
 * needs that may be missing: real data where it begins with data_, NVRTC where it begins with nvrtc_
 * (main.c). */
#define TEST(name)                                                                                           \
    static void name(void **state);                                                                          \
    __attribute__((constructor)) static void name##_add(void)                                                \
    {                                                                                                        \
        test_add(__FILE__, #name, name);                                                                     \
    }                                                                                                        \
    static void name(UNUSED void **state)

void test_add(const char *file, const char *name, CMUnitTestFunction test);

/* Notes that something is missing that a test needs: its unit counts as skipped, unless it fails. */
void test_lacks(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A formatted text, which stays until the test ends; so do those below. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A fresh folder for the test's files, which is removed after it with all that is in it. */
const char *test_folder(void);

/* The path of a file in one folder of the test's own, which is removed likewise ("": of that folder). */
const char *path_of(const char *name);

/* Write and read a file by its whole path, or by its name there. What is read ends in a NUL; for memory_free;
 * length may be NULL. */
void bytes_write(const char *path, const void *bytes, size_t length);
void text_write(const char *path, const char *text);
char *file_read(const char *path, size_t *length);

/* What records take for the hash of an environment and the digest of a data set; each ends in one hexadecimal
 * digit of the caller's. */
#define HASH_OF(digit) "000000000000000" digit
#define DIGEST_OF(digit) "000000000000000000000000000000000000000000000000" HASH_OF(digit)

/* A text with " where it has ', for JSON in C. */
const char *quoted(const char *text);

/* Fail unless the file holds `part`, or if it does. */
void assert_file_holds(const char *path, const char *part);
void assert_file_lacks(const char *path, const char *part);

/* Fail unless two numbers or all coordinates of two vectors are as near (cmocka's assert_float_equal compares
 * floats), or one is at most another; NaN is neither. */
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

/* Fail unless a text holds `part`, or if it does. */
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

/* Fails with the text. */
#define fail_if(condition, ...)                                                                              \
    do {                                                                                                     \
        if (condition)                                                                                       \
            fail_msg(__VA_ARGS__);                                                                           \
    } while (0)

/* Fails the test with the text of the status. */
#define assert_ok(call)                                                                                      \
    do {                                                                                                     \
        Status assert_ok_status = (call);                                                                    \
        if (assert_ok_status.code != STATUS_OK) {                                                            \
            fail_msg("%s", assert_ok_status.text);                                                           \
            abort(); /* is not reached, which cmocka does not tell the compiler */                           \
        }                                                                                                    \
    } while (0)

/* Fails unless the call gives this code and its text holds `part`. */
#define assert_refused(expected_code, part, call)                                                            \
    do {                                                                                                     \
        Status assert_refused_status = (call);                                                               \
        assert_int_equal(assert_refused_status.code, expected_code);                                         \
        assert_holds(assert_refused_status.text, part);                                                      \
    } while (0)

#define assert_bad_input(part, call) assert_refused(STATUS_BAD_INPUT, part, call)

/* Runs `call` with the first allocation failed, then with the second, and so on until it succeeds, which must
 * take more than `min` runs. Each failure must be STATUS_SYSTEM; then `...` is done. */
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

/* Callbacks of Progress that stop at their first report, or at report *(int *)context, which counts down. */
static inline bool stop_at_once(UNUSED void *context, UNUSED const char *what, UNUSED double share)
{
    return false;
}
static inline bool stop_in_time(void *context, UNUSED const char *what, UNUSED double share)
{
    return --*(int *)context > 0;
}

/* Point `index` of an array of doubles [N][3]. */
static inline Vec3 vec3_at(const double *points, ptrdiff_t index)
{
    const double *p = points + 3 * index;
    return vec3_make(p[0], p[1], p[2]);
}

/* Skips the test, with the reason. */
#define test_skip(reason)                                                                                    \
    do {                                                                                                     \
        test_lacks("%s", reason);                                                                            \
        skip();                                                                                              \
    } while (0)

/* Skips the test where a backend (methods/runtime/backends) does not work, with its reason. */
#define test_needs(backend)                                                                                  \
    do {                                                                                                     \
        char test_needs_text[STATUS_TEXT_BYTES];                                                             \
        const Status test_needs_status = (backend).probe(test_needs_text, sizeof test_needs_text);           \
        if (test_needs_status.code != STATUS_OK)                                                             \
            test_skip(test_needs_status.text);                                                               \
    } while (0)

/* The path of a real data set, or NULL after a note when SKINBENCH_TEST_DATA does not hold it. */
static inline const char *test_data(const char *name)
{
    const char *folder = getenv("SKINBENCH_TEST_DATA"), *path = text_of("%s/%s", folder ? folder : "", name);
    if (folder && access(path, R_OK) == 0)
        return path;
    test_lacks("no %s (set SKINBENCH_TEST_DATA to the folder of the data sets)", name);
    return NULL;
}

/* Name number `index` of all in a folder, hidden ones too; NULL: there are no more. */
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

/* Files and folders in a folder, hidden ones too. */
static inline int files_in(const char *folder)
{
    int count = 0;
    while (name_in(folder, count))
        count++;
    return count;
}

/* Fails if something unfinished is left in the test's folder (datasets/io/temporary_folder.h). */
static inline void assert_no_temporary_files(void)
{
    const char *name;
    for (int i = 0; (name = name_in(path_of(""), i)) != NULL; i++)
        assert_true(strncmp(name, ".skinbench-", 11) != 0);
}
