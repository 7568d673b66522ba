/* Files and folders that appear whole or not at all. */
#include "tests/support.h"

#include "datasets/io/atomic_path.h"
#include <sys/stat.h>

static void assert_text(const char *path, const char *expected)
{
    OWNED char *text = file_read(path, NULL);
    assert_string_equal(text, expected);
}

static int exists(const char *path)
{
    return access(path, F_OK) == 0;
}

TEST(files_replace_what_was_there)
{
    AtomicPath atomic;
    const char *path = path_of("file");
    text_write(path, "old");
    assert_ok(atomic_path_start(path, OUTPUT_FILE, &atomic));
    assert_string_equal(atomic.final, path);
    const char *temporary = text_of("%s", atomic.temporary);
    assert_true(strncmp(temporary, path_of(""), strlen(path_of(""))) == 0 && !exists(temporary));
    text_write(temporary, "new");
    assert_text(path, "old");
    assert_ok(atomic_path_commit_file(&atomic));
    assert_text(path, "new");
    assert_false(exists(temporary));
    assert_null(atomic.final);
    atomic_path_discard(&atomic); /* legal, and leaves the file */
    assert_text(path, "new");

    assert_ok(atomic_path_start(path, OUTPUT_FILE, &atomic));
    temporary = text_of("%s", atomic.temporary);
    text_write(temporary, "half");
    atomic_path_discard(&atomic);
    assert_false(exists(temporary));
    assert_text(path, "new");
    assert_int_equal(files_in(path_of("")), 1);
}

TEST(folders_never_replace)
{
    AtomicPath atomic;
    const char *path = path_of("frames");
    for (int time = 0; time < 2; time++) {
        assert_ok(atomic_path_start(path, OUTPUT_FOLDER, &atomic));
        assert_int_equal(mkdir(atomic.temporary, 0777), 0);
        const char *inside = text_of("%s/%d", atomic.temporary, time);
        text_write(inside, "frame");
        if (time == 0) {
            assert_ok(atomic_path_commit_folder(&atomic, false));
        } else {
            Status status = atomic_path_commit_folder(&atomic, false);
            assert_int_not_equal(status.code, STATUS_OK);
            assert_holds(status.text, path);
            assert_false(exists(inside));
        }
        atomic_path_discard(&atomic);
    }
    const char *inside = text_of("%s/0", path);
    assert_text(inside, "frame");
    unlink(inside);
    rmdir(path);
    assert_int_equal(files_in(path_of("")), 0);
}

TEST(names_without_a_place_are_refused)
{
    CLEANUP(atomic_path_discard) AtomicPath atomic = {0};
    assert_bad_input("/nowhere/at/all/file: cannot be written, no folder /nowhere/at/all/",
                     atomic_path_start("/nowhere/at/all/file", OUTPUT_FILE, &atomic));
    assert_bad_input("'' is not a file name", atomic_path_start("", OUTPUT_FILE, &atomic));
    assert_bad_input("'/' is not a file name", atomic_path_start("/", OUTPUT_FILE, &atomic));
    assert_null(atomic.final);
    atomic = (AtomicPath){0};
}

/* The permissions of a file stay what they were, and a link to it stays a link. */
TEST(what_was_there_keeps_its_place)
{
    AtomicPath atomic;
    struct stat facts;
    const char *path = path_of("file"), *const links[] = {path_of("link0"), path_of("link1")};
    text_write(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("link0", links[1]), 0);
    assert_int_equal(symlink(path, links[0]), 0);
    for (int time = 0; time < 2; time++) {
        assert_ok(atomic_path_start(links[1], OUTPUT_FILE, &atomic));
        assert_string_equal(atomic.final, path);
        assert_string_equal(atomic.given, links[1]);
        text_write(atomic.temporary, "new");
        assert_ok(atomic_path_commit_file(&atomic));
        assert_text(path, "new");
        assert_true(lstat(links[1], &facts) == 0 && S_ISLNK(facts.st_mode));
        assert_true(stat(path, &facts) == 0 && (time > 0 || (facts.st_mode & 0777) == 0640));
        unlink(path); /* and a link to nothing has its target made */
    }
    for (int i = 0; i < 2; i++)
        unlink(links[i]);
    assert_int_equal(files_in(path_of("")), 0);
}

TEST(folders_are_exchanged_in_one_step)
{
    AtomicPath atomic;
    const char *path = path_of("report"), *link = path_of("link");
    const char *inside = text_of("%s/page", path);
    assert_int_equal(symlink("report", link), 0);
    for (int time = 0; time < 3; time++) {
        assert_ok(atomic_path_start(link, OUTPUT_FOLDER, &atomic));
        assert_int_equal(mkdir(atomic.temporary, 0777), 0);
        const char *page = text_of("%s/page", atomic.temporary);
        text_write(page, time == 0 ? "0" : "1");
        if (time > 0)
            assert_text(inside, time == 1 ? "0" : "1");
        assert_ok(atomic_path_commit_folder(&atomic, true));
        assert_text(inside, time == 0 ? "0" : "1");
    }
    unlink(inside);
    rmdir(path);
    assert_int_equal(files_in(path_of("")), 1);
}

/* After an interrupt nothing takes its final name any more. */
TEST(an_interrupt_comes_before_the_name)
{
    AtomicPath atomic;
    const char *path = path_of("file");
    assert_ok(atomic_path_start(path, OUTPUT_FILE, &atomic));
    text_write(atomic.temporary, "whole");
    temporary_renames_forbid(true);
    assert_refused(STATUS_STOPPED, "is not written", atomic_path_commit_file(&atomic));
    temporary_renames_forbid(false);
    assert_false(exists(path));
    assert_int_equal(files_in(path_of("")), 0);
}
