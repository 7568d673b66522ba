/* Escapes texts. Each target has a function that says how to write one character; all targets share one
 * loop over the characters and one printf. */
#include "harness/show/text/targets.h"

#include <strings.h>

typedef struct Written {
    const char *before;  /* text written in front of the character; "" at first */
    const char *instead; /* text written for the character; the character itself at first */
    char number[12];     /* buffer that `instead` can point to */
} Written;

/* Says how to write one character. character: a printable character in UTF-8. cursor: its position in
 * `text`. */
typedef void (*Escape)(const char *text, const char *cursor, const char *character, Written *out);

/* Writes a text with `escape`, or only counts if file is NULL. Returns the number of characters after
 * escaping. */
static int text_write(FILE *file, const char *text, Escape escape)
{
    int count = 0;
    for (const char *cursor = text; *cursor;) {
        char character[TEXT_CHARACTER_BYTES];
        const char *next = cursor + text_escape_character(cursor, character);
        const bool is_code =
            character[0] == '\\' && character[1]; /* the character has become \xNN, and the target may require
                                                     its backslash to be escaped */
        const char *shown = is_code ? "\\" : character;
        Written out = {"", shown, ""};
        escape(text, cursor, shown, &out);
        const char *const parts[] = {out.before, out.instead, is_code ? character + 1 : ""};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            for (const char *byte = parts[i]; *byte; byte++)
                count += ((unsigned char)*byte & 0xc0) != 0x80;
            if (file)
                fputs(parts[i], file);
        }
        cursor = next;
    }
    return count;
}

/* Defines a function that writes a text with the escapes of a target, and writes nothing around it. */
#define PLAIN_TEXT(name)                                                                                     \
    static void name##_text(FILE *file, const char *text)                                                    \
    {                                                                                                        \
        (void)text_write(file, text, name##_escape);                                                         \
    }

/* Works like vfprintf with the conversions that targets.h lists, but passes the text of every %s to
 * `text`. */
static void print(FILE *file, PlotFile *plot, void (*text)(FILE *file, const char *text), const char *format,
                  va_list arguments)
{
    for (; *format; format++) {
        if (*format != '%' || *++format == '%') {
            fputc(*format, file);
            continue;
        }
        char one[16];
        const size_t flags = strspn(format, "+-0123456789.*l");
        const bool precise = memchr(format, '*', flags) != NULL;
        snprintf(one, sizeof one, "%%%.*s", (int)flags + 1, format);
        const int precision = precise ? va_arg(arguments, int) : 0;
        format += flags;
        if (*format == 's') {
            const char *whole = va_arg(arguments, const char *);
            char laid[TEXT_FORMAT_BYTES];
            if (precise)
                snprintf(laid, sizeof laid, one, precision, whole);
            else if (flags > 0)
                snprintf(laid, sizeof laid, one, whole);
            text(file, flags > 0 ? laid : whole);
        } else if (*format == 'd' && format[-1] == 'l') {
            fprintf(file, one, va_arg(arguments, long));
        } else if (*format == 'd' || *format == 'c') {
            fprintf(file, one, va_arg(arguments, int));
        } else {
            const double number = va_arg(arguments, double);
            if (plot && ((plot->is_program && isnan(number)) || fabs(number) > PLOT_NUMBER_MAX))
                plot->undrawable = true;
            if (precise)
                fprintf(file, one, precision, number);
            else
                fprintf(file, one, number);
        }
    }
}

static bool is_one_of(const char *character, const char *ones)
{
    return character[1] == '\0' && strchr(ones, *character);
}

static bool is_word(char character)
{
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || ((unsigned char)character & 0x80);
}

/* ---- HTML ---- */

static void html_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    static const char marks[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    (void)text, (void)cursor;
    if (is_one_of(character, marks))
        out->instead = entities[strchr(marks, *character) - marks];
}

PLAIN_TEXT(html)

/* ---- Markdown ---- */

/* Escapes a character for GitHub's Markdown, which also turns plain addresses into links. Terminals show
 * the same text, so characters without a special meaning here are not escaped. */
static void markdown_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    const char before = cursor > text ? cursor[-1] : '\0', after = *cursor ? cursor[1] : '\0';
    if (is_one_of(character, "\\`<[]|*~$") || (*character == '&' && (is_word(after) || after == '#')) ||
        (*character == '_' && !(is_word(before) && is_word(after))) || (*character == ':' && after == '/') ||
        (*character == '.' && cursor - text >= 3 && strncasecmp(cursor - 3, "www", 3) == 0) ||
        (cursor == text && (is_one_of(character, "#>") || (is_one_of(character, "+-") && after == ' '))))
        out->before = "\\";
    if (*character == '@' && (is_word(before) || strchr(".+-_", before)) && is_word(after) && before)
        out->before = "<!-- -->"; /* an HTML comment, because neither a backslash nor an entity stops GitHub
                                     from making a link */
}

PLAIN_TEXT(markdown)

int markdown_width(const char *text)
{
    return text_write(NULL, text, markdown_escape);
}

/* ---- LaTeX ---- */

/* Letters that pdflatex can typeset with inputenc, textcomp and a definition of the arrow
 * (paper/skinbench.tex). */
static const char latex_letters[] =
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßščćřěžŠČĆŘĚŽ±×÷°µ·†–—‘’“”→";

static void latex_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    static const char marks[] = "\\~^<>`[*"; /* escape [ and *, because LaTeX would read them as arguments of
                                                the \\ that ends the row before */
    static const char *const commands[] = {"\\textbackslash{}",
                                           "\\textasciitilde{}",
                                           "\\textasciicircum{}",
                                           "\\textless{}",
                                           "\\textgreater{}",
                                           "\\textasciigrave{}",
                                           "{[}",
                                           "{*}"};
    (void)text, (void)cursor;
    if (is_one_of(character, marks))
        out->instead = commands[strchr(marks, *character) - marks];
    else if (*character == '-' && cursor > text &&
             cursor[-1] == '-') /* keep two hyphens from becoming a dash */
        out->before = "{}";
    else if (is_one_of(character, "&%$#_{}"))
        out->before = "\\";
    else if (((unsigned char)*character & 0x80) && !strstr(latex_letters, character)) {
        unsigned number = (unsigned char)*character & (0x3fu >> (strlen(character) - 1));
        for (const char *byte = character + 1; *byte; byte++)
            number = number << 6 | ((unsigned char)*byte & 0x3f);
        snprintf(out->number, sizeof out->number, "(U+%04X)", number);
        out->instead = out->number;
    }
}

PLAIN_TEXT(latex)

void latex_file_name(LatexFile *file, const char *name)
{
    for (; *name; name++)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", *name))
            fputc(*name, (FILE *)file);
}

/* ---- CSV ---- */

static void csv_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    (void)text, (void)cursor;
    if (*character == '"')
        out->before = "\"";
}

/* Writes a cell of CSV. A spreadsheet would run a cell that begins like a formula, also if it begins with
 * full-width characters. Such a cell therefore gets a leading '. Cells that consist only of numbers and
 * signs, such as "-1.5 ± 2 %" and "-", need no '. */
static void csv_text(FILE *file, const char *text)
{
    static const char *const starts[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    const char *quote = strpbrk(text, ",;\"\t\r\n") ? "\"" : "";
    bool formula = false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        formula = formula || strncmp(text, starts[i], strlen(starts[i])) == 0;
    fprintf(file, "%s%s", quote, formula && text[strspn(text, "0123456789.eE+- %±")] ? "'" : "");
    (void)text_write(file, text, csv_escape);
    fputs(quote, file);
}

/* ---- sh ---- */

static void shell_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    (void)text, (void)cursor;
    if (*character == '\'')
        out->instead = "'\\''";
}

/* Quotes a word unless it consists of characters that mean nothing to a shell. */
static void shell_text(FILE *file, const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./,:=+-";
    if (text[0] && text[strspn(text, plain)] == '\0') {
        fputs(text, file);
        return;
    }
    fputc('\'', file);
    (void)text_write(file, text, shell_escape);
    fputc('\'', file);
}

/* ---- gnuplot ---- */

static void plot_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    (void)text, (void)cursor;
    if (is_one_of(character, "_^{}@&~\\"))
        out->before = "\\";
    else if (*character == '\'')
        out->before = "'";
    else if (is_one_of(character, "\"`"))
        out->instead = *character == '`' ? "''" : " ";
}

PLAIN_TEXT(plot)

/* ---- a terminal ---- */

static void terminal_escape(const char *text, const char *cursor, const char *character, Written *out)
{
    (void)text, (void)cursor, (void)character,
        (void)out; /* do nothing, because unprintable characters have already been written as \xNN */
}

PLAIN_TEXT(terminal)

void terminal_print_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, NULL, terminal_text, format, arguments);
    va_end(arguments);
}

/* ---- file types ---- */

#define TARGET(Type, name)                                                                                   \
    Type *name##_file(FILE *file)                                                                            \
    {                                                                                                        \
        return (Type *)file;                                                                                 \
    }                                                                                                        \
    void name##_print_format(Type *file, const char *format, ...)                                            \
    {                                                                                                        \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        print((FILE *)file, NULL, name##_text, format, arguments);                                           \
        va_end(arguments);                                                                                   \
    }
TARGET(HtmlFile, html)
TARGET(MarkdownFile, markdown)
TARGET(LatexFile, latex)
TARGET(CsvFile, csv)
TARGET(ShellFile, shell)

void plot_print_format(PlotFile *file, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(file->only_for_plot_print, file, plot_text, format, arguments);
    va_end(arguments);
}
