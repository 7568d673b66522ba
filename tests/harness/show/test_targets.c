/* Text is escaped by the rules of each target, such as Markdown or gnuplot. Numbers are formatted as by
 * printf. */
#include "tests/support.h"

#include "datasets/io/confined.h"
#include "harness/show/figures/gnuplot.h"
#include "harness/show/text/targets.h"

/* Declares `written`, the text that a statement prints to `file`. Release with free(). */
#define PRINTED(statement)                                                                                   \
    char *written = NULL;                                                                                    \
    size_t size = 0;                                                                                         \
    FILE *file = open_memstream(&written, &size);                                                            \
    assert_non_null(file);                                                                                   \
    statement;                                                                                               \
    fclose(file)
#define assert_printed(expected, statement)                                                                  \
    do {                                                                                                     \
        PRINTED(statement);                                                                                  \
        assert_string_equal(written, expected);                                                              \
        free(written);                                                                                       \
    } while (0)

TEST(markup_of_a_text_means_nothing)
{
    assert_printed(
        "<p class=\"a\">&lt;b&gt; &amp;amp; &quot;&#39; \\x1B\\xC2\\x9B\\xE2\\x80\\xAE</p>",
        html_print(html_file(file), "<p class=\"a\">%s</p>", "<b> &amp; \"' \x1b\xc2\x9b\xe2\x80\xae"));
    assert_printed("**\\*a\\* \\_b\\_ c_d \\`e\\` \\[f\\](g) \\<h> \\|\\~\\$ \\&lt; & \\\\x0A**",
                   markdown_print(markdown_file(file), "**%s**", "*a* _b_ c_d `e` [f](g) <h> |~$ &lt; & \n"));
    assert_printed("http\\://a www\\.a.b a<!-- -->@b @c @",
                   markdown_print(markdown_file(file), "%s", "http://a www.a.b a@b @c @"));
    assert_printed("\\# \\> \\- a", markdown_print(markdown_file(file), "%s %s %s", "#", ">", "- a"));
    assert_printed(
        "\\textbf{\\textbackslash{}write18\\{a\\}\\%\\&\\#\\_\\$\\textasciicircum{}\\textasciitilde{} -{}- é "
        "(U+4E2D) "
        "(U+1F600) \\textbackslash{}x07}",
        latex_print(latex_file(file), "\\textbf{%s}", "\\write18{a}%&#_$^~ -- é 中 \U0001f600 \a"));
    assert_printed("name-1_a", latex_file_name(latex_file(file), "name-1_a{}\\%"));
}

TEST(cells_words_and_labels_stay_what_they_are)
{
    assert_printed("a,\"b,\"\"c\"\"\",'=1+1,'@d,-1.5e-3,'＝e,\"f;g\"\n",
                   csv_print(csv_file(file), "%s,%s,%s,%s,%s,%s,%s\n", "a", "b,\"c\"", "=1+1", "@d",
                             "-1.5e-3", "＝e", "f;g"));
    assert_printed("run 'it'\\''s' '$(a)`b`!\"\\' ''",
                   shell_print(shell_file(file), "run %s %s %s", "it's", "$(a)`b`!\"\\", ""));
    PlotFile plot = {NULL, true, false};
    assert_printed(
        "t='it''s \\_\\^\\{\\}\\@\\&\\~\\\\ ''  \\\\x0A'; n=1.5",
        (plot.only_for_plot_print = file, plot_print(&plot, "t='%s'; n=%g", "it's _^{}@&~\\ ` \"\n", 1.5)));
    assert_false(plot.undrawable);
}

TEST(formats_print_as_printf_does)
{
    assert_printed("%  7|a   |ab|-3|1.50|2e+00|x|12345678901",
                   html_print(html_file(file), "%%%3d|%-4s|%.*s|%d|%.*f|%.0e|%c|%ld", 7, "a", 2, "abc", -3, 2,
                              1.5, 2.0, 'x', 12345678901L));
    /* the text has 9 characters, and each of its two brackets gets a backslash */
    assert_int_equal(markdown_width("a_b é [x]"), 9 + 2);
}

/* Numbers that gnuplot cannot draw are detected when they are written. A program must not contain numbers
 * that are not finite. Neither programs nor data may contain numbers that are too large. */
TEST(numbers_beyond_gnuplot_are_noticed)
{
    static const struct {
        double number;
        bool is_program, undrawable;
    } rows[] = {{1e99, true, false},
                {-1e308, false, true},
                {(double)INFINITY, true, true},
                {(double)NAN, false, false},
                {(double)NAN, true, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PRINTED(PlotFile plot = ((PlotFile){file, rows[i].is_program, false});
                plot_print(&plot, "%g", rows[i].number));
        assert_int_equal(plot.undrawable, rows[i].undrawable);
        free(written);
    }
}

/* If the system supports filters, a gnuplot that draws figures cannot start other programs. */
TEST(gnuplot_is_alone)
{
    char version[256];
    if (gnuplot_probe(version, sizeof version).code != STATUS_OK || !confined_filters())
        test_skip("no gnuplot, or no filters of system calls");
    assert_true(gnuplot_is_confined());
}
