/* Tests output files and folders, which must appear complete or not at all. */
#include "tests/support.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/input_file.h"
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
    assert_ok(atomic_path_commit(&atomic));
    assert_text(path, "new");
    assert_false(exists(temporary));
    assert_null(atomic.final);
    atomic_path_discard(&atomic); /* discarding after the commit is legal, and keeps the file */
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
    AtomicPath atomic, second;
    const char *path = path_of("frames");
    assert_ok(atomic_path_start(path, OUTPUT_FOLDER, &atomic));
    assert_ok(atomic_path_start(path, OUTPUT_FOLDER, &second));
    assert_int_equal(mkdir(atomic.temporary, 0777), 0);
    assert_int_equal(mkdir(second.temporary, 0777), 0);
    text_write(text_of("%s/frame", atomic.temporary), "first");
    text_write(text_of("%s/frame", second.temporary), "second");
    assert_ok(atomic_path_commit(&atomic));
    assert_bad_input(text_of("%s: already exists", path), atomic_path_commit(&second));
    assert_bad_input(text_of("%s: already exists", path), atomic_path_start(path, OUTPUT_FOLDER, &second));
    atomic_path_discard(&second);
    const char *inside = text_of("%s/frame", path);
    assert_text(inside, "first");
    unlink(inside);
    rmdir(path);
    assert_int_equal(files_in(path_of("")), 0);
}

TEST(names_without_a_place_are_refused)
{
    CLEANUP(atomic_path_discard) AtomicPath atomic = {0};
    assert_bad_input("/nowhere/at/all/file: cannot be written, because there is no folder /nowhere/at/all/",
                     atomic_path_start("/nowhere/at/all/file", OUTPUT_FILE, &atomic));
    assert_bad_input("'' is not a file name", atomic_path_start("", OUTPUT_FILE, &atomic));
    char longest[400] = "";
    memset(longest, 'x', sizeof longest - 1);
    assert_bad_input("File name too long", atomic_path_start(longest, OUTPUT_FILE, &atomic));
    const char *const names[] = {"/", "//", ".", "..", "./", path_of(".."), path_of("./.")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (OutputKind kind = OUTPUT_FILE; kind <= OUTPUT_LISTED_FOLDER; kind++)
            assert_bad_input("is not a file name", atomic_path_start(names[i], kind, &atomic));
    assert_null(atomic.final);
    atomic = (AtomicPath){0};
}

/* A replaced file keeps its permissions, and a link to it remains a link. */
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
        assert_ok(atomic_path_commit(&atomic));
        assert_text(path, "new");
        assert_true(lstat(links[1], &facts) == 0 && S_ISLNK(facts.st_mode));
        assert_true(stat(path, &facts) == 0 && (time > 0 || (facts.st_mode & 0777) == 0640));
        unlink(path); /* writing through a link without a target creates the target */
    }
    for (int i = 0; i < 2; i++)
        unlink(links[i]);
    assert_int_equal(files_in(path_of("")), 0);
}

/* Writes a report with one page of this text to `path`. */
static Status report_write(const char *path, const char *text)
{
    CLEANUP(atomic_path_discard) AtomicPath atomic = {0};
    STATUS_TRY(atomic_path_start(path, OUTPUT_LISTED_FOLDER, &atomic));
    assert_int_equal(mkdir(atomic.temporary, 0777), 0);
    assert_int_equal(mkdir(text_of("%s/sub", atomic.temporary), 0777), 0);
    text_write(text_of("%s/sub/page", atomic.temporary), text);
    return atomic_path_commit(&atomic);
}

TEST(listed_folders_are_exchanged_in_one_step)
{
    const char *path = path_of("report"), *link = path_of("link");
    assert_int_equal(symlink("report", link), 0);
    assert_int_equal(mkdir(path, 0777), 0); /* an empty folder may be replaced, because nothing can be lost */
    for (int time = 0; time < 3; time++) {
        assert_ok(report_write(link, time == 0 ? "abc" : "1"));
        assert_text(text_of("%s/sub/page", path), time == 0 ? "abc" : "1");
        assert_int_equal(files_in(path), 2);
        if (time == 0) /* digest of "abc" printed in FIPS 180 */
            assert_file_holds(
                "report/skinbench-files.txt",
                "\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  sub/page\n");
    }
    assert_int_equal(files_in(path_of("")), 2);
}

/* A folder is not replaced if it contains anything other than the listed files, or if these files or the
 * list were changed. */
TEST(a_folder_with_anything_else_is_not_replaced)
{
    const char *path = path_of("report"), *page = path_of("report/sub/page"), *refusal = NULL;
    const char *list = path_of("report/skinbench-files.txt"), *thesis = path_of("report/thesis");
    const char *outside = path_of("outside");
    text_write(outside, "mine");
    for (int damage = 0; damage < 9; damage++) {
        folder_remove(path);
        assert_ok(report_write(path, "old"));
        OWNED char *text = file_read(list, NULL);
        refusal = "contains thesis, which is not in its list";
        switch (damage) {
        case 0:
            text_write(thesis, "old");
            break; /* one listed file now has the contents of another listed file */
        case 1:
            assert_int_equal(symlink("sub/page", thesis), 0);
            break;
        case 2:
            assert_int_equal(mkdir(thesis, 0777), 0);
            break;
        case 3:
            assert_int_equal(mkfifo(thesis, 0600), 0);
            break;
        case 4: /* a listed file was replaced by a link */
            unlink(page);
            assert_int_equal(symlink(outside, page), 0);
            refusal = "contains sub/page, which";
            break;
        case 5:
            text_write(page, "edited");
            refusal = "contains sub/page, which is not in its list of files (skinbench-files.txt), or which "
                      "was changed";
            break;
        case 6: /* a folder was replaced by a link to a folder with the same files */
            assert_int_equal(rename(path_of("report/sub"), path_of("away")), 0);
            assert_int_equal(symlink("../away", path_of("report/sub")), 0);
            refusal = "contains sub, which";
            break;
        case 7: /* the list was not written by skinbench and names files outside of the folder */
            text_write(list,
                       text_of("%s%s  ../outside\n%s  %s\n", text, text + strlen(text) - 74, "0", outside));
            text_write(thesis, "");
            break;
        default:
            unlink(list);
            refusal = "has no list of files that skinbench wrote there (skinbench-files.txt)";
        }
        const int before = files_in(path);
        assert_refused(STATUS_BAD_INPUT, refusal, report_write(path, "new"));
        assert_int_equal(files_in(path), before);
        assert_text(outside, "mine");
        if (damage < 4)
            assert_text(page, "old");
    }
    assert_int_equal(files_in(path_of("")), 3); /* only the entries "report", "outside" and "away" exist */
}

/* If files appear in a folder while its replacement is written, the folder is kept. The current folder of
 * the process is not replaced, either. */
TEST(a_folder_is_looked_at_again_before_it_is_replaced)
{
    CLEANUP(atomic_path_discard) AtomicPath atomic = {0};
    const char *path = path_of("report");
    assert_ok(report_write(path, "old"));
    assert_ok(atomic_path_start(path, OUTPUT_LISTED_FOLDER, &atomic));
    assert_int_equal(mkdir(atomic.temporary, 0777), 0);
    text_write(path_of("report/thesis"), "mine");
    assert_refused(STATUS_BAD_INPUT, "contains thesis, which", atomic_path_commit(&atomic));
    assert_text(path_of("report/thesis"), "mine");
    unlink(path_of("report/thesis"));
    const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(chdir(path), 0);
    const Status status = report_write("../report", "new");
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_refused(STATUS_BAD_INPUT, "../report: is the current folder", status);
    assert_ok(report_write(path, "new"));
    assert_text(path_of("report/sub/page"), "new");
}

/* A file that the process has read is never replaced, under any of its names. A file that the process wrote
 * itself may be replaced. So may a new file that has since taken the name of the file that was read. */
TEST(what_was_read_is_not_replaced)
{
    AtomicPath atomic;
    CLEANUP(descriptor_close) int file = -1;
    const char *path = path_of("file"), *hard = path_of("hard"), *soft = path_of("soft");
    text_write(path, "mine");
    assert_int_equal(link(path, hard), 0);
    assert_int_equal(symlink("file", soft), 0);
    assert_ok(atomic_path_start(hard, OUTPUT_FILE, &atomic)); /* the file has not been read yet */
    text_write(atomic.temporary, "new");
    assert_ok(input_file_open(soft, &file, NULL));
    assert_refused(STATUS_USAGE, text_of("%s: is the input %s, which is never overwritten", hard, soft),
                   atomic_path_commit(&atomic));
    const char *const names[] = {path, hard, soft, text_of("%s/./file", path_of(""))};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_refused(STATUS_USAGE, "never overwritten", atomic_path_start(names[i], OUTPUT_FILE, &atomic));
        atomic_path_discard(&atomic);
    }
    assert_text(path, "mine");
    assert_ok(atomic_path_start(path, OUTPUT_UPDATE, &atomic));
    text_write(atomic.temporary, "mine, and more");
    assert_ok(atomic_path_commit(&atomic));
    assert_text(path, "mine, and more");
    descriptor_close(&file);
    for (int time = 0; time < 2; time++) {
        assert_ok(input_file_open(path, &file, NULL));
        descriptor_close(&file);
        assert_ok(atomic_path_start(path, OUTPUT_FILE, &atomic));
        text_write(atomic.temporary, "own");
        assert_ok(atomic_path_commit(&atomic));
    }
    file = -1;
    assert_text(hard, "mine");
}

/* After an interrupt, no file gets its final name. */
TEST(an_interrupt_comes_before_the_name)
{
    AtomicPath atomic;
    const char *path = path_of("file");
    assert_ok(atomic_path_start(path, OUTPUT_FILE, &atomic));
    text_write(atomic.temporary, "whole");
    temporary_renames_forbid(true);
    assert_refused(STATUS_STOPPED, "is not written", atomic_path_commit(&atomic));
    temporary_renames_forbid(false);
    assert_false(exists(path));
    assert_int_equal(files_in(path_of("")), 0);
}
