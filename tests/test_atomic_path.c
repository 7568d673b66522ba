/* Files and folders that appear whole or not at all. */
#include "tests/support.h"

#include "datasets/io/atomic_path.h"
#include <sys/stat.h>

static void text_put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static void files_replace_what_was_there(void **state)
{
    (void)state;
    char folder[64], path[128], temporary[256];
    AtomicPath atomic;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/file", folder);
    text_put(path, "old");
    assert_ok(atomic_path_start(path, &atomic));
    assert_string_equal(atomic.final, path);
    snprintf(temporary, sizeof temporary, "%s", atomic.temporary);
    assert_true(strncmp(temporary, folder, strlen(folder)) == 0 && !exists(temporary));
    text_put(temporary, "new");
    assert_text(path, "old");
    assert_ok(atomic_path_commit_file(&atomic));
    assert_text(path, "new");
    assert_false(exists(temporary));
    assert_null(atomic.final);
    atomic_path_discard(&atomic); /* legal, and leaves the file */
    assert_text(path, "new");

    assert_ok(atomic_path_start(path, &atomic));
    snprintf(temporary, sizeof temporary, "%s", atomic.temporary);
    text_put(temporary, "half");
    atomic_path_discard(&atomic);
    assert_false(exists(temporary));
    assert_text(path, "new");
    unlink(path);
    assert_int_equal(rmdir(folder), 0);
}

static void folders_never_replace(void **state)
{
    (void)state;
    char folder[64], path[128], inside[256];
    AtomicPath atomic;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/frames", folder);
    for (int time = 0; time < 2; time++) {
        assert_ok(atomic_path_start(path, &atomic));
        assert_int_equal(mkdir(atomic.temporary, 0777), 0);
        snprintf(inside, sizeof inside, "%s/%d", atomic.temporary, time);
        text_put(inside, "frame");
        if (time == 0) {
            assert_ok(atomic_path_commit_folder(&atomic));
        } else {
            Status status = atomic_path_commit_folder(&atomic);
            assert_int_not_equal(status.code, STATUS_OK);
            assert_non_null(strstr(status.text, path));
            assert_false(exists(inside));
        }
        atomic_path_discard(&atomic);
    }
    snprintf(inside, sizeof inside, "%s/0", path);
    assert_text(inside, "frame");
    unlink(inside);
    rmdir(path);
    assert_int_equal(rmdir(folder), 0);
}

static void names_without_a_place_are_refused(void **state)
{
    (void)state;
    AtomicPath atomic;
    assert_refused(STATUS_BAD_INPUT, "/nowhere/at/all/file: cannot be written, no folder /nowhere/at/all/",
                   atomic_path_start("/nowhere/at/all/file", &atomic));
    assert_refused(STATUS_BAD_INPUT, "'' is no name for a file", atomic_path_start("", &atomic));
    assert_refused(STATUS_BAD_INPUT, "'/' is no name for a file", atomic_path_start("/", &atomic));
    assert_null(atomic.final);
    atomic = (AtomicPath){0};
    atomic_path_discard(&atomic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_replace_what_was_there),
        cmocka_unit_test(folders_never_replace),
        cmocka_unit_test(names_without_a_place_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
