/* Tests the reading of JSON. Messages name errors in the text, and running out of memory is not mistaken
 * for such an error. */
#include "tests/support.h"

#include "datasets/io/json_file.h"

#include <errno.h>

/* When jansson reads this text, its token buffer grows for the first time at the closing quote of the
 * path. */
static const char TEXT[] =
    "{\"name\": \"bar\", \"sizes\": [1, 2.5, null], \"of\": {\"a\": true}, \"file\": \"../data/rig.h5\"}";

TEST(a_text_that_is_wrong_is_refused_where_it_is_wrong)
{
    json_t *json = NULL;
    assert_bad_input("run.jsonl:3: ", json_text_read("{\"a\"}", 5, "run.jsonl:3", &json));
    assert_bad_input("duplicate", json_text_read("{\"a\":1,\"a\":1}", 13, "here", &json));
    assert_null(json);
    const char *path = path_of("x.json");
    assert_bad_input("cannot be opened", json_file_read(path, &json));
    text_write(path, "{\n\"a\": }\n");
    assert_bad_input("x.json:2: ", json_file_read(path, &json));
    assert_null(json);
}

/* Files, texts and lines may have a byte-order mark, and integers of more than 64 bits. Smaller integers
 * stay integers, and strings are unchanged. */
TEST(texts_of_other_programs_are_read)
{
    static const char text[] =
        "\xef\xbb\xbf[9223372036854775807, -9223372036854775808, 18446744073709551615, "
        "-9223372036854775809, \"99999999999999999999\\\"\", 99999999999999999999e1]";
    static const double reals[] = {18446744073709551615.0, -9223372036854775809.0};
    CLEANUP(json_lines_clear) JsonLines lines = {NULL};
    for (int kind = 0; kind < 3; kind++) {
        json_t *json = NULL;
        bytes_write(path_of("x.json"), text, strlen(text));
        assert_ok(kind == 0   ? json_file_read(path_of("x.json"), &json)
                  : kind == 1 ? json_text_read(text, strlen(text), "here", &json)
                              : json_line_read(&lines, text, strlen(text), "here", &json));
        assert_true(json_integer_value(json_array_get(json, 0)) == INT64_MAX);
        assert_true(json_integer_value(json_array_get(json, 1)) == INT64_MIN);
        for (size_t i = 0; i < 2; i++)
            assert_true(fabs(json_real_value(json_array_get(json, 2 + i)) / reals[i] - 1.0) < 1e-15);
        assert_string_equal(json_string_value(json_array_get(json, 4)), "99999999999999999999\"");
        assert_true(json_real_value(json_array_get(json, 5)) == 99999999999999999999e1);
        if (kind < 2)
            json_decref(json);
    }
    json_t *json = NULL;
    assert_bad_input("here: byte 4 is NUL", json_text_read("[1]\n\0", 5, "here", &json));
    assert_bad_input("\\u0000 is not allowed in a text", json_text_read("[\"\\u0000\"]", 10, "here", &json));
    assert_bad_input("real number overflow", json_text_read("[1e999]", 7, "here", &json));
    assert_bad_input("here: ", json_text_read("\xef\xbb[]", 4, "here", &json));
}

/* Several lines are read into the same memory. The longest line is read either first, so that its memory
 * suffices for the others, or last. */
TEST(lines_are_read_into_the_same_memory)
{
    enum { LONG = 200000 };
    static char line[LONG + 8];
    CLEANUP(json_lines_clear) JsonLines lines = {NULL};
    for (int i = 0; i < 6; i++) {
        const size_t length = i % 2 ? LONG : 20;
        json_t *json = NULL;
        line[0] = '[';
        for (size_t k = 1; k < length; k += 2) {
            line[k] = '1';
            line[k + 1] = k + 2 < length ? ',' : ']';
        }
        assert_ok(json_line_read(&lines, line, length + 1, "here", &json));
        assert_int_equal(json_array_size(json), length / 2);
        json_auto_t *kept = json_deep_copy(json);
        assert_bad_input("run.jsonl:3: ", json_line_read(&lines, "{\"a\"}", 5, "run.jsonl:3", &json));
        assert_null(json);
        assert_int_equal(json_integer_value(json_array_get(kept, length / 2 - 1)), 1);
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

/* Lines of result files have their own reader, which must agree with jansson on every text. The texts are
 * lines truncated or changed at each byte in turn, equivalent forms of JSON, and invalid JSON. */
TEST(a_line_is_read_as_any_text)
{
    static const char *const texts[] = {
        "{\"a\" : [ ] ,\t\"b\": {}, \"\": \"\"}\r\n",
        "[1.5e3, -0, 0, -0.0, 1E+2, 4.9e-324, 1e-400, 0.1, 123456789.123456789, true, false, null]",
        "[9223372036854775807, -9223372036854775808, 17976931348623157e292]",
        "[9223372036854775808]",
        "[1e999]",
        "[01]",
        "[1.]",
        "[.5]",
        "[+1]",
        "[1e]",
        "[-]",
        "[0x10]",
        "[nan]",
        "[inf]",
        "[True]",
        "[nul]",
        "[1,]",
        "[1 2]",
        "[1}",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{1:2}",
        "{\"a\":1,\"b\":2,\"a\":3}",
        "{\"\\u0061\":\"\\ud83d\\ude00\\n\"}",
        "{\"\xc3\xa9\":\"\xc3\"}",
        "[\"a\tb\"]",
        "[\"\x7f\"]",
        "[] []",
        "5",
        "\"a\"",
        "",
        " ",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"};
    static const char others[] = "\"\\{}[]:,.eE+-019 ntf\x80\n";
    CLEANUP(json_lines_clear) JsonLines lines = {NULL};
    char text[128];
    int good = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k <= strlen(texts[i]) * sizeof others; k++) {
            json_t *line = NULL;
            json_auto_t *json = NULL;
            const size_t at = k / sizeof others, length = strlen(texts[i]);
            const char other = others[k % sizeof others];
            snprintf(text, sizeof text, "%s", texts[i]);
            if (other)
                text[at] = other;
            const size_t given = other ? length : at; /* the NUL that ends `others` truncates the line */
            const Status expected = json_text_read(text, given, "here", &json),
                         status = json_line_read(&lines, text, given, "here", &line);
            assert_int_equal(status.code, expected.code);
            assert_string_equal(status.text, expected.text);
            assert_true((!line && !json) || json_equal(line, json));
            good += status.code == STATUS_OK;
        }
    assert_in_range(good, 200, 2000);
}

/* If any allocation fails, the status reports a lack of memory. The text is never called invalid, and no
 * incomplete value is returned. */
TEST(memory_that_is_out_is_no_fault_of_the_text)
{
    json_auto_t *whole = NULL, *json = NULL;
    assert_ok(json_text_read(TEXT, sizeof TEXT - 1, "here", &whole));
    assert_allocations_may_fail(9, json_text_read(TEXT, sizeof TEXT - 1, "here", &json),
                                assert_holds(failing_status.text, "out of memory for here"));
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
