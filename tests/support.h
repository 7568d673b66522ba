/* What tests share: cmocka with its prerequisites, temporary files, the real data sets where they are. */
#ifndef SKINBENCH_TESTS_SUPPORT_H
#define SKINBENCH_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "datasets/base/status.h"

/* Fails the test with the status' own words. */
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
    return NULL;
}

/* A fresh folder for the test's files; the test removes it. */
static inline void test_folder(char path[64])
{
    snprintf(path, 64, "/tmp/skinbench-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

#endif
