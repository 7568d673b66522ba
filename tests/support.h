/* What tests share: cmocka with its prerequisites, temporary files, the real data sets where they are. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/base/status.h"

/* Fails the test with the text of the status. */
#define assert_ok(call)                                                                                      \
    do {                                                                                                     \
        Status assert_ok_status = (call);                                                                    \
        if (assert_ok_status.code != STATUS_OK)                                                              \
            fail_msg("%s", assert_ok_status.text);                                                           \
    } while (0)

/* Fails unless the call gives this code and its text holds `part`. */
#define assert_refused(expected_code, part, call)                                                            \
    do {                                                                                                     \
        Status assert_refused_status = (call);                                                               \
        assert_int_equal(assert_refused_status.code, expected_code);                                         \
        if (!strstr(assert_refused_status.text, part))                                                       \
            fail_msg("'%s' does not say '%s'", assert_refused_status.text, part);                            \
    } while (0)

static int tests_lacking; /* how often something was missing that a test needs */

/* Skips the test, with the reason. */
#define test_skip(reason)                                                                                    \
    do {                                                                                                     \
        print_message("SKIPPED: %s\n", reason);                                                              \
        tests_lacking++;                                                                                     \
        skip();                                                                                              \
    } while (0)

/* The path of a real data set, or NULL after a note when SKINBENCH_TEST_DATA does not hold it. */
static inline const char *test_data(const char *name, char path[1024])
{
    const char *folder = getenv("SKINBENCH_TEST_DATA");
    if (folder) {
        snprintf(path, 1024, "%s/%s", folder, name);
        if (access(path, R_OK) == 0)
            return path;
    }
    print_message("SKIPPED: no %s (set SKINBENCH_TEST_DATA to the folder of the data sets)\n", name);
    tests_lacking++;
    return NULL;
}

/* What a unit returns: 77, which ctest counts as skipped, when nothing failed but something was missing. */
static inline int unit_result(int failed)
{
    return failed == 0 && tests_lacking > 0 ? 77 : failed;
}

/* The main of a unit some of whose tests need what may be missing: real data, where their names begin with
 * data_, or NVRTC, where they begin with nvrtc_. With the argument `data` or `nvrtc` those run, without one all
 * others; ctest runs each part as a test of its own. */
#define unit_run(argc, argv, tests) unit_run_part(argc, argv, tests, sizeof(tests) / sizeof *(tests))

static inline int unit_run_part(int argc, char **argv, const struct CMUnitTest *tests, size_t count)
{
    static const char *const needs[] = {"data", "nvrtc"};
    struct CMUnitTest part[32];
    size_t part_count = 0;
    for (size_t i = 0; i < count; i++) {
        const char *need = NULL;
        for (size_t k = 0; k < sizeof needs / sizeof *needs; k++)
            if (strncmp(tests[i].name, needs[k], strlen(needs[k])) == 0 &&
                tests[i].name[strlen(needs[k])] == '_')
                need = needs[k];
        if (argc > 1 ? need && strcmp(need, argv[1]) == 0 : !need)
            part[part_count++] = tests[i];
    }
    return unit_result(_cmocka_run_group_tests(argc > 1 ? argv[1] : "tests", part, part_count, NULL, NULL));
}

/* A fresh folder for the test's files; the test removes it. */
static inline void test_folder(char path[64])
{
    snprintf(path, 64, "/tmp/skinbench-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

/* Files and folders in a folder, hidden ones too. */
static inline int files_in(const char *folder)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry = NULL; (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.' || strlen(entry->d_name) > 2;
    closedir(entries);
    return count;
}
