/* Tests result files: torn lines, locks, and strict JSON. */
#define _DEFAULT_SOURCE /* syscall */
#include "tests/result_objects.h"

#include "datasets/io/json_table.h"
#include "harness/records/files/results.h"
#include <errno.h>
#include <sys/file.h>
#include <sys/syscall.h>

/* Replaces the C library's flock to simulate a file system without locks. */
static bool locks_are_missing;
static const char *moved_from, *moved_to; /* the next lock renames moved_from to moved_to */
int flock(int file, int operation)
{
    if (moved_from)
        assert_int_equal(rename(moved_from, moved_to), 0);
    moved_from = NULL;
    errno = ENOSYS;
    return locks_are_missing ? -1 : (int)syscall(SYS_flock, file, operation);
}

/* Opens a file, which must have `count` whole lines and, if `is_torn`, a torn last line. */
static ResultsFile *opened(const char *path, size_t count, bool is_torn)
{
    json_auto_t *records = NULL;
    ResultsFile *file = NULL;
    bool torn = !is_torn;
    assert_ok(results_open(path, objects_append, &(ResultObjects){path, &records}, &file, &torn));
    assert_int_equal(torn, is_torn);
    assert_int_equal(json_array_size(records), count);
    return file;
}

TEST(lines_come_back)
{
    const char *path = path_of("run.jsonl");
    ResultsFile *file = opened(path, 0, false);
    json_auto_t *records = NULL, *record = json_pack("{s:i, s:o, s:o}", "a", 1, "b", json_number_or_null(NAN),
                                                     "c", json_number_or_null(0.5));
    bool torn = true;
    assert_ok(results_append(file, json_incref(record), true));
    assert_ok(results_append(file, json_incref(record), false));
    results_close(file);
    OWNED char *text = file_read(path, NULL);
    assert_string_equal(text, "{\"a\":1,\"b\":null,\"c\":0.5}\n{\"a\":1,\"b\":null,\"c\":0.5}\n");
    assert_ok(results_read(path, &records, &torn));
    assert_int_equal(json_array_size(records), 2);
    assert_true(json_is_null(json_object_get(json_array_get(records, 0), "b")));
}

/* Wherever the last line is cut off, the whole lines before it are read, and new lines are appended after
 * them. */
TEST(a_torn_last_line_is_cut)
{
    static const char whole[] = "{\"a\":1}\n", last[] = "{\"b\":[2,3]}\n";
    const char *path = path_of("run.jsonl");
    for (size_t kept = 0; kept < sizeof last; kept++) {
        text_write(path, text_of("%s%.*s", whole, (int)kept, last));
        json_auto_t *records = NULL;
        bool torn = false, is_torn = kept > 0 && kept + 1 < sizeof last;
        size_t count = kept + 1 == sizeof last ? 2 : 1;
        assert_ok(results_read(path, &records, &torn));
        assert_int_equal(torn, is_torn);
        assert_int_equal(json_array_size(records), count);
        ResultsFile *file = opened(path, count, is_torn);
        assert_ok(results_append(file, json_pack("{s:i}", "c", 4), true));
        results_close(file);
        OWNED char *text = file_read(path, NULL);
        assert_string_equal(text, text_of("%s%s{\"c\":4}\n", whole, count == 2 ? last : ""));
    }
}

TEST(damage_is_named)
{
    const char *path = path_of("run.jsonl");
    json_t *records = NULL;
    ResultsFile *file = NULL;
    bool torn;
    text_write(path, "{\"a\":1}\n{\"a\":NaN}\n{}\n");
    assert_bad_input("run.jsonl:2:", results_read(path, &records, &torn));
    assert_null(records);
    text_write(path, "{\"a\":1}\n[1]\n");
    assert_bad_input("run.jsonl:2: the line is not a JSON object",
                     results_open(path, objects_append, &(ResultObjects){path, &records}, &file, &torn));
    assert_null(file);
    json_decref(records);
    unlink(path);
    assert_bad_input("No such file", results_read(path, &records, &torn));
    assert_bad_input("is a folder, not a plain file", results_read(path_of(""), &records, &torn));
}

TEST(two_runs_cannot_write_one_file)
{
    const char *path = path_of("run.jsonl");
    ResultsFile *first = opened(path, 0, false), *second = NULL;
    json_t *records = NULL;
    bool torn;
    assert_refused(STATUS_SYSTEM, "another run is writing",
                   results_open(path, objects_append, &(ResultObjects){path, &records}, &second, &torn));
    assert_ok(results_read(path, &records, &torn)); /* reading needs no lock, and does not drop the lock */
    json_decref(records);
    assert_refused(STATUS_SYSTEM, "another run is writing",
                   results_open(path, objects_append, &(ResultObjects){path, &records}, &second, &torn));
    results_close(first);
    results_remove(opened(path, 0, false));
    assert_int_equal(access(path, F_OK), -1);
    locks_are_missing = true;
    assert_refused(STATUS_SYSTEM, "cannot be locked",
                   results_open(path, objects_append, &(ResultObjects){path, &records}, &first, &torn));
    locks_are_missing = false;
}

/* Another run replaces the file between opening and locking it. Lines must then be appended to the new
 * file. */
TEST(a_file_replaced_before_the_lock_is_opened_again)
{
    const char *path = text_of("%s", path_of("run.jsonl"));
    text_write(path, "{\"a\":1}\n");
    moved_to = path;
    moved_from = text_of("%s", path_of("merged.jsonl"));
    text_write(moved_from, "{\"a\":1}\n{\"b\":2}\n");
    ResultsFile *file = opened(path, 2, false);
    assert_ok(results_append(file, json_pack("{s:i}", "c", 3), true));
    results_close(file);
    OWNED char *text = file_read(path, NULL);
    assert_string_equal(text, "{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
}

/* JSON may contain direction marks and some control characters literally. They must be written as
 * escapes. */
TEST(lines_are_ascii)
{
    const char *path = path_of("run.jsonl");
    ResultsFile *file = opened(path, 0, false);
    assert_ok(
        results_append(file, json_pack("{s:s}", "a", "\xe2\x80\xae \xc2\x9b \x1b \xf0\x9f\x90\x8e"), true));
    results_close(file);
    OWNED char *text = file_read(path, NULL);
    assert_string_equal(text, "{\"a\":\"\\u202E \\u009B \\u001B \\uD83D\\uDC0E\"}\n");
}

/* Invalid JSON is refused. The message contains the number of the line and says what is wrong. */
TEST(strange_json_is_named)
{
    enum { DEPTH = 100000 };
    static char deep[2 * DEPTH + 16];
    const char *path = path_of("run.jsonl");
    const char *const rows[][2] = {
        {"{\"a\":\"\\u0000\"}\n", "run.jsonl:1: \\u0000 is not allowed in a text, at byte"},
        {deep, "run.jsonl:1: maximum parsing depth reached"},
        {"{\"a\":1,\"a\":2}\n", "run.jsonl:1: duplicate object key"},
        {"{\"a\":\"\xff\"}\n", "run.jsonl:1: "},
        {"{\"a\":1e999}\n", "run.jsonl:1: real number overflow"}};
    memcpy(deep, "{\"a\":", 5);
    memset(deep + 5, '[', DEPTH);
    strcpy(deep + 5 + DEPTH, "\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *records = NULL;
        bool torn;
        text_write(path, rows[i][0]);
        const Status status = results_read(path, &records, &torn);
        assert_bad_input(rows[i][1], status);
        assert_lacks(status.text, "JSON_");
    }
}
