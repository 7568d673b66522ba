/* Tests how tables of text are written in Markdown, CSV and LaTeX. */
#include "tests/support.h"

#include "harness/show/text/text_table.h"

static void table_text(const TextTable *table, TableFormat format, char text[4096])
{
    FILE *file = tmpfile();
    assert_non_null(file);
    text_table_write(table, format, file);
    rewind(file);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
}

TEST(tables_have_three_faces)
{
    char text[4096];
    OWNED_BY(text_table_free) TextTable *table = text_table_create("a_title", "<name|value");
    assert_ok(text_table_status(table));
    text_table_row(table, NULL);
    text_table_cell(table, "x|\"y\", z & µ");
    text_table_number(table, 0.012345, 3);
    text_table_row(table, "empty", NULL);
    text_table_number(table, NAN, 3);
    assert_ok(text_table_status(table));
    table_text(table, TABLE_CSV, text);
    assert_string_equal(text, "name,value\n\"x|\"\"y\"\", z & µ\",0.0123\nempty,-\n");
    table_text(table, TABLE_MARKDOWN, text);
    assert_string_equal(text, "**a_title**\n\n"
                              "| name          |  value |\n"
                              "|:--------------|-------:|\n"
                              "| x\\|\"y\", z & µ | 0.0123 |\n"
                              "| empty         |      - |\n");
    table_text(table, TABLE_LATEX, text);
    assert_holds(text, "\\caption{a\\_title}");
    assert_holds(text, "\\begin{tabular}{lr}");
    assert_holds(text, "x|\"y\", z \\& µ & 0.0123 \\\\");
}

/* Names from untrusted files cannot begin a new row, and cannot insert code, links or formulas. */
TEST(hostile_cells_stay_cells)
{
    char text[4096];
    OWNED_BY(text_table_free) TextTable *table = text_table_create("of\nrun", "<name|<other|value");
    text_table_row(table, "a\nb\033[2J", "`x` <img> ![i](http://x)", NULL);
    text_table_cell(table, "-1.5 ± 2 %%");
    text_table_row(table, "=1+1", "@SUM(A1)", NULL);
    text_table_cell(table, "-");
    text_table_row(table, "-2+3+cmd|' /C calc'!A0", "+x\"", NULL);
    text_table_cell(table, "-1e-05");
    text_table_row(table, "[2cm]\\input{x}", "*", NULL);
    assert_ok(text_table_status(table));
    table_text(table, TABLE_CSV, text);
    assert_string_equal(text, "name,other,value\n"
                              "a\\x0Ab\\x1B[2J,`x` <img> ![i](http://x),-1.5 ± 2 %\n"
                              "'=1+1,'@SUM(A1),-\n"
                              "'-2+3+cmd|' /C calc'!A0,\"'+x\"\"\",-1e-05\n"
                              "[2cm]\\input{x},*,\n");
    table_text(table, TABLE_MARKDOWN, text);
    assert_holds(text, "**of\\\\x0Arun**\n");
    assert_holds(text, "| a\\\\x0Ab\\\\x1B\\[2J ");
    assert_holds(text, "| \\`x\\` \\<img> !\\[i\\](http\\://x) |");
    table_text(table, TABLE_LATEX, text);
    assert_holds(text, "\n{[}2cm]\\textbackslash{}input\\{x\\} & {*} &  \\\\\n");
}

TEST(numbers_keep_their_digits)
{
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{1.3, 3, "1.30"},
                 {12345.6, 3, "12346"},
                 {2e-5, 2, "2.0e-05"},
                 {0.0, 3, "0.00"},
                 {-3.14159, 3, "-3.14"}};
    char text[4096];
    OWNED_BY(text_table_free) TextTable *table = text_table_create("", "a|b|c|d|e|f");
    assert_ok(text_table_status(table));
    text_table_row(table, NULL);
    for (size_t i = 0; i < 5; i++)
        text_table_number(table, cases[i].value, cases[i].digits);
    text_table_exact(table, 0.1 + 0.2);
    table_text(table, TABLE_CSV, text);
    assert_string_equal(text, "a,b,c,d,e,f\n1.30,12346,2.0e-05,0.00,-3.14,0.30000000000000004\n");
}

TEST(test_columns_without_numbers_are_dropped)
{
    OWNED_BY(text_table_free) TextTable *table = text_table_create("t", "<name|a|b|<note|c");
    for (int r = 0; r < 2; r++) {
        text_table_row(table, r ? "two" : "one", NULL);
        text_table_number(table, NAN, 3);
        text_table_number(table, r ? NAN : 2.0, 3);
        text_table_words(table, "-", NULL);
        text_table_number(table, NAN, 3);
    }
    text_table_drop_empty(table);
    assert_int_equal(table->column_count, 3);
    assert_string_equal(table->columns[1], "b");
    assert_int_equal(table->kinds[1], TEXT_COLUMN_NUMBERS);
    assert_string_equal(table->columns[2], "note");
    assert_int_equal(table->kinds[2], TEXT_COLUMN_WORDS);
    assert_string_equal(text_table_at(table, 0, 1)->text, "2.00");
    assert_string_equal(text_table_at(table, 1, 1)->text, "-");
}
