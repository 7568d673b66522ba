/* Writes texts of any origin for those who read them: browsers, Markdown, LaTeX, spreadsheets, shells and
 * gnuplot. Each target has a file type of its own, which no function of stdio takes, so a forgotten escape
 * does not compile. The format of a `_print` is markup of ours and has to be a literal; every %s in it is
 * escaped for the target. Formats have the conversions s, d, ld, c, e, f and g, with a width and a precision.
 * Control characters, marks that turn text and bytes that are not UTF-8 become \xNN in every target
 * (datasets/base/text.h). */
#pragma once

#include "datasets/base/base.h"

typedef struct HtmlFile HtmlFile;         /* %s: content, or an attribute in quotes */
typedef struct MarkdownFile MarkdownFile; /* %s: words in a line; no mark, link or HTML begins in them */
typedef struct LatexFile LatexFile;       /* %s: words in a line */
typedef struct CsvFile CsvFile;           /* %s: a cell */
typedef struct ShellFile ShellFile;       /* %s: a word of sh; only for texts that are text_is_printable */

/* A program or the data of a plot. %s in a program: what stands between single quotes, or in a word between
 * double quotes within these; in data: a column. gnuplot shows it as it is in its enhanced mode. */
typedef struct PlotFile {
    FILE *only_for_plot_print;
    bool is_program;
    bool undrawable; /* a number was written that gnuplot cannot draw: NAN in a program, or beyond the maximum
                      */
} PlotFile;
#define PLOT_NUMBER_MAX 1e100

/* The file as one of its type, which stays the same file. */
HtmlFile *html_file(FILE *file);
MarkdownFile *markdown_file(FILE *file);
LatexFile *latex_file(FILE *file);
CsvFile *csv_file(FILE *file);
ShellFile *shell_file(FILE *file);

/* A `format` that is not a literal does not compile behind "". */
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

/* Writes a name that file_name_from_text made, which LaTeX takes as it is where it opens files. */
void latex_file_name(LatexFile *file, const char *name);

/* How wide Markdown's source of a text is, in characters. */
int markdown_width(const char *text);
