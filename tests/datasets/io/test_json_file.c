/* Reading JSON: what is wrong with a text is named, and memory that is out is no fault of the text. */
#include "tests/support.h"

#include "datasets/io/json_file.h"

#include <errno.h>

/* The closing quote of the path is the byte for which jansson's buffer of a token grows first. */
static const char TEXT[] =
    "{\"name\": \"bar\", \"sizes\": [1, 2.5, null], \"of\": {\"a\": true}, \"file\": \"../data/rig.h5\"}";

TEST(a_text_that_is_wrong_is_refused_where_it_is_wrong)
{
    json_t *json = NULL;
    assert_refused(STATUS_BAD_INPUT, "run.jsonl:3: ", json_text_read("{\"a\"}", 5, "run.jsonl:3", &json));
    assert_refused(STATUS_BAD_INPUT, "duplicate", json_text_read("{\"a\":1,\"a\":1}", 13, "here", &json));
    assert_null(json);
    const char *path = path_of("x.json");
    assert_refused(STATUS_BAD_INPUT, "cannot be opened", json_file_read(path, &json));
    text_write(path, "{\n\"a\": }\n");
    assert_refused(STATUS_BAD_INPUT, "x.json:2: ", json_file_read(path, &json));
    assert_null(json);
}

/* Of lines one after the other, the longest first so that the memory of the first is enough, or last. */
TEST(lines_are_read_into_the_same_memory)
{
    enum { LONG = 200000 };
    static char line[LONG + 8];
    CLEANUP(json_lines_clear) JsonLines lines = {NULL};
    for (int i = 0; i < 6; i++) {
        const size_t length = i % 2 ? LONG : 20;
        json_t *json = NULL;
        line[0] = '[';
        for (size_t k = 1; k < length; k += 2)
            memcpy(line + k, k + 2 < length ? "1," : "1]", 2);
        assert_ok(json_line_read(&lines, line, length + 1, "here", &json));
        assert_int_equal(json_array_size(json), length / 2);
        json_t *kept = json_deep_copy(json);
        assert_refused(STATUS_BAD_INPUT,
                       "run.jsonl:3: ", json_line_read(&lines, "{\"a\"}", 5, "run.jsonl:3", &json));
        assert_null(json);
        assert_int_equal(json_integer_value(json_array_get(kept, length / 2 - 1)), 1);
        json_decref(kept);
    }
    for (long k = 0, failed = 1; failed; k++) {
        CLEANUP(json_lines_clear) JsonLines others = {NULL};
        json_t *json = NULL;
        memory_fail_after(k);
        const Status status = json_line_read(&others, line, LONG + 1, "here", &json);
        memory_fail_after(-1);
        failed = status.code != STATUS_OK;
        assert_true(!failed || (status.code == STATUS_SYSTEM && !json));
        assert_true(failed || k > 3);
    }
}

/* With every allocation failed in turn: out of memory, never a text that is wrong or a value that is not
 * whole. */
TEST(memory_that_is_out_is_no_fault_of_the_text)
{
    json_auto_t *whole = NULL, *json = NULL;
    assert_ok(json_text_read(TEXT, sizeof TEXT - 1, "here", &whole));
    assert_allocations_may_fail(9, json_text_read(TEXT, sizeof TEXT - 1, "here", &json),
                                assert_non_null(strstr(failing_status.text, "out of memory for here")));
    assert_true(json_equal(json, whole));
}

TEST(the_machine_is_known_from_the_input_by_errno)
{
    assert_int_equal(status_code_of(ENOMEM, STATUS_BAD_INPUT), STATUS_SYSTEM);
    assert_int_equal(status_code_of(EMFILE, STATUS_BAD_INPUT), STATUS_SYSTEM);
    assert_int_equal(status_code_of(ENOSPC, STATUS_UNAVAILABLE), STATUS_SYSTEM);
    assert_int_equal(status_code_of(ENOENT, STATUS_BAD_INPUT), STATUS_BAD_INPUT);
    assert_int_equal(status_code_of(EACCES, STATUS_UNAVAILABLE), STATUS_UNAVAILABLE);
}
