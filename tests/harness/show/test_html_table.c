/* Tests tables as HTML. They have the attributes that the page's script needs, and no text from outside
 * becomes markup. */
#include "tests/support.h"

#include "harness/show/text/html_table.h"

/* Returns the HTML of a table or a text. Release with free(). */
static char *html_of(const TextTable *table, const char *text)
{
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);
    assert_non_null(file);
    if (table)
        html_table_write(table, "cows", html_file(file));
    else
        html_print(html_file(file), "%s", text);
    fclose(file);
    return written;
}

TEST(texts_become_no_markup)
{
    OWNED_BY(free) char *html = html_of(NULL, "<script>alert(\"x\")</script> & '\x1b[2J'");
    assert_string_equal(html, "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;\\x1B[2J&#39;");
}

TEST(cells_have_their_numbers_and_records)
{
    OWNED_BY(text_table_free) TextTable *table = text_table_create("Errors <b>", "?data set|<note|error");
    text_table_row(table, "\"><img src=x onerror=alert(1)>", "a & b", NULL);
    text_table_cell(table, "1.41 ± 2 %%");
    text_table_value(table, 1.4142135623730951, "0123456789abcdef-2");
    OWNED_BY(free) char *html = html_of(table, NULL);
    assert_holds(html, "<div class=\"table\"><table class=\"data\" id=\"cows\">");
    assert_holds(html, "<caption>Errors &lt;b&gt;</caption>");
    assert_holds(html, "<th scope=\"col\" data-kind=\"filter\">data set</th><th scope=\"col\" "
                       "data-kind=\"text\">note</th><th scope=\"col\" data-kind=\"number\">error</th>");
    assert_holds(html, "<td>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;</td><td>a &amp; b</td>");
    assert_holds(html,
                 "<td class=\"number\" data-value=\"1.4142135623730951\" data-record=\"0123456789abcdef-2\">"
                 "<a href=\"records.html#r-0123456789abcdef-2\">1.41 ± 2 %</a></td>");
    assert_holds(html, "±: half of the 95 % interval of the median.");
    assert_lacks(html, "<img");
    assert_lacks(html, "<details");
}

/* One row lacks two of its three numbers, and the other row lacks its only number. Missing numbers are
 * counted and folded away. */
TEST(what_is_absent_is_counted_and_folded)
{
    OWNED_BY(text_table_free) TextTable *table = text_table_create("", "<row|a|b|c");
    text_table_row(table, "horse", NULL);
    text_table_cell(table, "1.5");
    text_table_value(table, 1.5, "aa");
    text_table_cell(table, "3.2 → missing");
    text_table_absent(table, "missing");
    text_table_cell(table, "failed");
    text_table_absent(table, "failed");
    text_table_row(table, "camel", NULL);
    text_table_cell(table, "missing");
    text_table_absent(table, "missing");
    OWNED_BY(free) char *html = html_of(table, NULL);
    assert_int_equal(text_table_absent_count(table, NULL), 3);
    assert_int_equal(text_table_absent_count(table, "missing"), 2);
    assert_holds(html, "<td class=\"number absent\" title=\"missing\">3.2 → –</td>");
    assert_holds(html, "<summary>Of its cells: 2 missing, 1 failed</summary>");
    assert_holds(html, "<p>1 row without a measured number:</p>");
    const char *folded = strstr(html, "<details"), *horse = strstr(html, "horse"),
               *camel = strstr(html, "camel");
    assert_true(horse && horse < folded && camel && camel > folded);
}

TEST(a_record_without_a_name_is_memory_out)
{
    OWNED_BY(text_table_free) TextTable *table = text_table_create("", "a");
    text_table_row(table, NULL);
    text_table_cell(table, "1");
    assert_int_equal(text_table_status(table).code, STATUS_OK);
    text_table_value(table, 1.0, NULL);
    assert_int_equal(text_table_status(table).code, STATUS_SYSTEM);
}
