/* Writes texts of any origin safely to their target: HTML, Markdown, LaTeX, CSV, shells, gnuplot and
 * terminals. Each target has its own file type, which no function of stdio accepts, so a forgotten escape
 * does not compile. The format of a `_print` function is trusted markup and must be a literal; every %s in
 * it is escaped for the target. Formats may use s, d, ld, c, e, f and g, with a width and a precision.
 * Control characters, characters that change the direction of text, and bytes that are not UTF-8 become
 * \xNN in every target (datasets/base/text.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct HtmlFile HtmlFile; /* each %s is the content of an element, or an attribute in quotes */
typedef struct MarkdownFile MarkdownFile; /* Each %s is one or more words within a line. It cannot start
                                             Markdown formatting, a link or HTML. */
typedef struct LatexFile LatexFile;       /* each %s is one or more words within a line */
typedef struct CsvFile CsvFile;           /* each %s is the content of a cell */
typedef struct ShellFile ShellFile; /* each %s is one word of sh, and its text must pass text_is_printable */

/* The program or the data of a plot. In a program, %s is a text between single quotes, or a word between
 * double quotes within these. In data, %s is a column. gnuplot shows the text unchanged, even in its
 * enhanced mode. */
typedef struct PlotFile {
    FILE *only_for_plot_print;
    bool is_program;
    bool undrawable; /* whether a number was written that gnuplot cannot draw: a NAN in a program, or a number
                        beyond PLOT_NUMBER_MAX */
} PlotFile;
#define PLOT_NUMBER_MAX 1e100

/* Mark a file as HTML, Markdown and so on. The file itself is the same; only its C type changes, so that the
 * functions below escape for the right format. */
HtmlFile *html_file(FILE *file);
MarkdownFile *markdown_file(FILE *file);
LatexFile *latex_file(FILE *file);
CsvFile *csv_file(FILE *file);
ShellFile *shell_file(FILE *file);

/* The "" in front of `format` makes any format that is not a literal fail to compile. */
#define html_print(file, ...) html_print_format(file, "" __VA_ARGS__)
#define markdown_print(file, ...) markdown_print_format(file, "" __VA_ARGS__)
#define latex_print(file, ...) latex_print_format(file, "" __VA_ARGS__)
#define csv_print(file, ...) csv_print_format(file, "" __VA_ARGS__)
#define shell_print(file, ...) shell_print_format(file, "" __VA_ARGS__)
#define terminal_print(...) terminal_print_format("" __VA_ARGS__) /* to stdout */
#define plot_print(file, ...) plot_print_format(file, "" __VA_ARGS__)

#define TARGET_FORMAT __attribute__((format(printf, 2, 3)))
void html_print_format(HtmlFile *file, const char *format, ...) TARGET_FORMAT;
void markdown_print_format(MarkdownFile *file, const char *format, ...) TARGET_FORMAT;
void latex_print_format(LatexFile *file, const char *format, ...) TARGET_FORMAT;
void csv_print_format(CsvFile *file, const char *format, ...) TARGET_FORMAT;
void shell_print_format(ShellFile *file, const char *format, ...) TARGET_FORMAT;
void terminal_print_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void plot_print_format(PlotFile *file, const char *format, ...) TARGET_FORMAT;

/* Writes a name made by file_name_from_text without escaping it, because LaTeX uses a file name unchanged
 * when it opens the file. */
void latex_file_name(LatexFile *file, const char *name);

/* Returns the number of characters of a text's source in Markdown, after escaping. */
int markdown_width(const char *text);
