/* Tests how texts from outside are escaped: which characters are unchanged, which are escaped, and where a
 * text is truncated. */
#include "tests/support.h"

static void escaped(const char *in, const char *expected)
{
    char out[256];
    assert_int_equal(text_escape(out, sizeof out, in), strlen(expected));
    assert_string_equal(out, expected);
    assert_int_equal(text_escape(out, sizeof out, expected),
                     strlen(expected)); /* escaping twice changes nothing */
    assert_string_equal(out, expected);
}

TEST(printable_text_stays)
{
    escaped("", "");
    escaped("wolf.h5: \\ \"quoted\" 'x'", "wolf.h5: \\ \"quoted\" 'x'");
    escaped("m\u00fcller \u03bc \u4e2d \U0001f43a \u00a0", "m\u00fcller \u03bc \u4e2d \U0001f43a \u00a0");
    escaped("\U0010ffff\uffff", "\U0010ffff\uffff");
}

TEST(what_a_terminal_acts_on_is_escaped)
{
    escaped("a\nb\r\t", "a\\x0Ab\\x0D\\x09");
    escaped("\033[2J\033]0;title\a\177", "\\x1B[2J\\x1B]0;title\\x07\\x7F");
    escaped("\xc2\x80\xc2\x9b\xc2\x9f",
            "\\xC2\\x80\\xC2\\x9B\\xC2\\x9F"); /* C1 control characters, such as the 8-bit CSI */
    escaped("\u2028\u2029\u202e",
            "\\xE2\\x80\\xA8\\xE2\\x80\\xA9\\xE2\\x80\\xAE"); /* line and paragraph separators, and a mark
                                                                 that changes the direction of text */
    escaped("\u2066x\u2069\u200f", "\\xE2\\x81\\xA6x\\xE2\\x81\\xA9\\xE2\\x80\\x8F");
    escaped("\u061c", "\\xD8\\x9C");
}

TEST(what_is_not_utf8_is_escaped)
{
    escaped("caf\xe9", "caf\\xE9");
    escaped("\xff\xfe", "\\xFF\\xFE");
    escaped("\x80", "\\x80");
    escaped("\xc0\xaf", "\\xC0\\xAF");                   /* overlong encoding */
    escaped("\xe0\x9f\xbf", "\\xE0\\x9F\\xBF");          /* overlong encoding */
    escaped("\xf0\x8f\xbf\xbf", "\\xF0\\x8F\\xBF\\xBF"); /* overlong encoding */
    escaped("\xed\xa0\x80", "\\xED\\xA0\\x80");          /* a surrogate */
    escaped("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"); /* above U+10FFFF */
    escaped("\xf8\x88\x80\x80\x80", "\\xF8\\x88\\x80\\x80\\x80");
    escaped("\xe2\x82", "\\xE2\\x82"); /* sequence truncated at the end of the text */
    escaped("\xe2\x82x", "\\xE2\\x82x");
}

TEST(utf8_is_recognised)
{
    static const char *const valid[] = {"", "a\n\033", "m\u00fcller \u4e2d \U0001f43a", "\u202e"},
                             *const invalid[] = {"bad\xff", "\xfe", "\xc0\xaf", "\xed\xa0\x80", "a\xe2\x82"};
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        assert_true(text_is_utf8(valid[i]));
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        assert_false(text_is_utf8(invalid[i]));
}

TEST(text_is_cut_at_whole_characters)
{
    char out[16];
    assert_int_equal(text_escape(out, 4, "a\u20ac"), 1);
    assert_string_equal(out, "a");
    assert_int_equal(text_escape(out, 5, "a\u20acb"), 4);
    assert_string_equal(out, "a\u20ac");
    assert_int_equal(text_escape(out, 6, "ab\nc"), 2);
    assert_string_equal(out, "ab");
    assert_int_equal(text_escape(out, 7, "ab\nc"), 6);
    assert_int_equal(text_escape(out, 1, "abc"), 0);
    assert_string_equal(out, "");
}

TEST(only_what_is_not_utf8)
{
    char out[32];
    text_escape_invalid(out, sizeof out, "a\nb\u202e\xff");
    assert_string_equal(out, "a\nb\u202e\\xFF");
}

TEST(a_status_is_one_line)
{
    Status status = bad_input("%s: is there twice", "a\nskinbench: all is well\033[A");
    assert_string_equal(status.text, "a\\x0Askinbench: all is well\\x1B[A: is there twice");
    char name[STATUS_TEXT_BYTES + 64];
    for (size_t shift = 0; shift < 3; shift++) { /* try every position of the cut within a character */
        memset(name, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof name; i += 3)
            memcpy(name + i, "\u20ac", 4);
        status = bad_input("%s", name);
        assert_int_equal((strlen(status.text) - shift) % 3, 0);
        assert_true(strlen(status.text) > STATUS_TEXT_BYTES - 4);
        assert_memory_equal(status.text, name, strlen(status.text));
    }
}

TEST(numbers_are_read_whole)
{
    static const char *const wrong[] = {"",     "x",    "4x",    "4x3x",    "4x3x2", "4y3",
                                        "4 x3", "4x3 ", "nanx1", "1e999x1", "x3"};
    double numbers[3] = {0.0};
    assert_int_equal(text_numbers("4x3", "x", numbers), 2);
    assert_true(numbers[0] == 4.0 && numbers[1] == 3.0);
    assert_int_equal(text_numbers("7", "::", numbers), 1);
    assert_int_equal(text_numbers("1:-2.5:1e2", "::", numbers), 3);
    assert_true(numbers[0] == 1.0 && numbers[1] == -2.5 && numbers[2] == 100.0);
    assert_int_equal(text_numbers("0,  5   6", ", ", numbers), 3);
    assert_true(numbers[0] == 0.0 && numbers[1] == 5.0 && numbers[2] == 6.0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(text_numbers(wrong[i], "x", numbers), 0);
}

TEST(an_appended_text_is_cut_where_it_is_full)
{
    char text[8] = "";
    text_append(text, sizeof text, "%d", 12);
    text_append(text, sizeof text, ", %s", "abc");
    assert_string_equal(text, "12, abc");
    text_append(text, sizeof text, "%s", "more");
    assert_string_equal(text, "12, ...");
    text_append(text, sizeof text, "%s", "m");
    assert_string_equal(text, "12, ...");
    char word[8] = "";
    text_append(word, sizeof word, "%s", "indivisible");
    assert_string_equal(word, "indivis");
}

TEST(an_appended_text_is_cut_after_a_whole_word)
{
    char text[16] = "";
    text_append(text, sizeof text, "%s", "one two three");
    assert_string_equal(text, "one two three");
    text_append(text, sizeof text, "%s", " four five");
    assert_string_equal(text, "one two ...");
    text_append(text, sizeof text, "%s", " six");
    assert_string_equal(text, "one two ...");
}

TEST(lesser_and_greater_numbers)
{
    assert_true(int_min(-1, 2) == -1 && int_max(-1, 2) == 2);
    assert_true(int_clamp(5, 1, 3) == 3 && int_clamp(0, 1, 3) == 1 && int_clamp(2, 1, 3) == 2);
    assert_true(size_min(1, SIZE_MAX) == 1 && size_max(1, SIZE_MAX) == SIZE_MAX);
}

TEST(of_paths_the_last_names_stay)
{
    static const char *const rows[][2] = {
        {"/home/ann/rigs/a.h5:3: row 1/2 is ns/vertex", "a.h5:3: row 1/2 is ns/vertex"},
        {"no file '/srv/x/b.h5' (in ~/data, ../up/c and ./d)", "no file 'b.h5' (in data, c and d)"},
        {"key=/home/ann/", "key="},
        {"plain text. 3.5 ~4 ...", "plain text. 3.5 ~4 ..."},
        {"", ""},
        {"/", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = text_of("%s", rows[i][0]);
        text_drop_folders(text);
        assert_string_equal(text, rows[i][1]);
    }
}
