/* Tests the file names made from texts. They are safe and limited in length, and different texts have
 * different names. */
#include "tests/support.h"

#include "datasets/io/file_name.h"

static void assert_name(const char *start, const char *text, const char *expected)
{
    char name[FILE_NAME_BYTES];
    file_name_from_text(start, text, name);
    assert_string_equal(name, expected);
}

/* Safe texts are used unchanged. The names of other texts end with the first 16 digits of `printf TEXT |
 * sha256sum`. */
TEST(names_that_people_know)
{
    assert_name("skinning-", "horse-gallop", "skinning-horse-gallop");
    assert_name("history-1-", "ns_per_vertex", "history-1-ns_per_vertex");
    assert_name("", "abc", "abc");
    assert_name("skinning-", "", "skinning-");
    assert_name("", "", "e3b0c44298fc1c14");
    assert_name("scene-", "bar motion=twist-135", "scene-bar-motion-twist-135--d792d6b30802eb3d");
    assert_name("", "../../etc/passwd", "etc-passwd--3754d6cb3a38e118");
    assert_name("", "\xff\xfe", "b3d510ef04275ca8");
}

/* Dangerous texts, and texts that differ in one byte, all get different names, even in a folder that
 * ignores case. */
TEST(two_texts_never_have_one_name)
{
    static const char *const texts[] = {"a",          "A",
                                        "a ",         " a",
                                        "-a",         ".a",
                                        "a.",         "a-",
                                        "a_",         "_a",
                                        "a--b",       "a-b",
                                        "a b",        "a/b",
                                        "a\\b",       "../a",
                                        "a`touch x`", "$(a)",
                                        "a\nb",       "a\x1b[m",
                                        "\"><a>",     "'a'",
                                        "!a",         "a\xe2\x80\xae",
                                        "\xc3\xa4",   "\xc4\xa4",
                                        "a'b",        "con",
                                        "a;b",        "a|b",
                                        "=a()",       "@a",
                                        "%a",         "\\write18{a}",
                                        "a&b",        "-",
                                        "--",         "---",
                                        "_",          ".",
                                        "..",         "/",
                                        "//",         "\x01",
                                        "\x7f",       "index",
                                        "INDEX",      "a  b",
                                        "a   b",      "a,b",
                                        "a, b",       "a:b",
                                        "a*b",        "a?b"};
    enum { COUNT = sizeof texts / sizeof *texts, LONG = 5000 };
    char names[COUNT + 3][FILE_NAME_BYTES], text[LONG + 1];
    for (size_t i = 0; i < COUNT; i++)
        file_name_from_text("", texts[i], names[i]);
    memset(text, 'a', LONG);
    text[LONG] = '\0';
    file_name_from_text("", text, names[COUNT]);
    text[LONG - 1] = 'b';
    file_name_from_text("", text, names[COUNT + 1]);
    file_name_from_text("", names[1],
                        names[COUNT + 2]); /* a generated name, used as a text, gets a different name */
    for (size_t i = 0; i < COUNT + 3; i++) {
        assert_true(strspn(names[i], "abcdefghijklmnopqrstuvwxyz0123456789-_") == strlen(names[i]));
        assert_true(names[i][0] != '-' && names[i][0] != '_' && names[i][0] != '\0');
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i], names[k]);
    }
    text[FILE_NAME_BYTES] = '\0'; /* a prefix that is too long is shortened to leave space for the name */
    file_name_from_text(text, "b", names[0]);
    assert_int_equal(strlen(names[0]), FILE_NAME_BYTES / 2 + 1);
}
