/* Each target says of a character what to write in its place; all share one loop over the characters and one
 * printf. */
#include "harness/show/text/targets.h"

#include <strings.h>

typedef struct Written {
    const char *before, *instead; /* NULL: nothing; the character itself */
    char number[12];              /* room for `instead` */
} Written;

/* character: one of printable UTF-8; at: where it stands in `text`. */
typedef void (*Escape)(const char *text, const char *at, const char *character, Written *out);

/* Writes a text, or only counts the characters if file is NULL; returns their number. */
static int text_write(FILE *file, const char *text, Escape escape)
{
    int count = 0;
    for (const char *at = text; *at;) {
        char character[TEXT_CHARACTER_BYTES];
        const char *next = at + text_escape_character(at, character);
        const bool is_code =
            character[0] == '\\' && character[1]; /* \xNN, of which the \ may mean something */
        Written out = {NULL, NULL, ""};
        escape(text, at, is_code ? "\\" : character, &out);
        const char *const parts[] = {out.before ? out.before : "",
                                     out.instead ? out.instead
                                     : is_code   ? "\\"
                                                 : character,
                                     is_code ? character + 1 : ""};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            for (const char *byte = parts[i]; *byte; byte++)
                count += ((unsigned char)*byte & 0xc0) != 0x80;
            if (file)
                fputs(parts[i], file);
        }
        at = next;
    }
    return count;
}

/* As vfprintf, with the conversions that targets.h names. */
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

static void html_escape(const char *text, const char *at, const char *character, Written *out)
{
    static const char marks[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    (void)text, (void)at;
    if (is_one_of(character, marks))
        out->instead = entities[strchr(marks, *character) - marks];
}

static void html_text(FILE *file, const char *text)
{
    (void)text_write(file, text, html_escape);
}

/* ---- Markdown ---- */

/* GitHub's Markdown also makes links of addresses without marks. A terminal shows the same text, so nothing
 * is escaped where it means nothing. */
static void markdown_escape(const char *text, const char *at, const char *character, Written *out)
{
    const char before = at > text ? at[-1] : '\0', after = *at ? at[1] : '\0';
    if (is_one_of(character, "\\`<[]|*~$") || (*character == '&' && (is_word(after) || after == '#')) ||
        (*character == '_' && !(is_word(before) && is_word(after))) || (*character == ':' && after == '/') ||
        (*character == '.' && at - text >= 3 && strncasecmp(at - 3, "www", 3) == 0) ||
        (at == text && (is_one_of(character, "#>") || (is_one_of(character, "+-") && after == ' '))))
        out->before = "\\";
    if (*character == '@' && (is_word(before) || strchr(".+-_", before)) && is_word(after) && before)
        out->before = "<!-- -->"; /* a backslash or an entity does not keep GitHub from making a link */
}

static void markdown_text(FILE *file, const char *text)
{
    (void)text_write(file, text, markdown_escape);
}

int markdown_width(const char *text)
{
    return text_write(NULL, text, markdown_escape);
}

/* ---- LaTeX ---- */

/* What pdflatex has letters for, with inputenc, textcomp and an arrow (paper/skinbench.tex). */
static const char latex_letters[] =
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßščćřěžŠČĆŘĚŽ±×÷°µ·†–—‘’“”→";

static void latex_escape(const char *text, const char *at, const char *character, Written *out)
{
    static const char marks[] = "\\~^<>`[*"; /* the last two would belong to the end of the row before */
    static const char *const commands[] = {"\\textbackslash{}",
                                           "\\textasciitilde{}",
                                           "\\textasciicircum{}",
                                           "\\textless{}",
                                           "\\textgreater{}",
                                           "\\textasciigrave{}",
                                           "{[}",
                                           "{*}"};
    (void)text, (void)at;
    if (is_one_of(character, marks))
        out->instead = commands[strchr(marks, *character) - marks];
    else if (*character == '-' && at > text && at[-1] == '-') /* no dash is made of two */
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

static void latex_text(FILE *file, const char *text)
{
    (void)text_write(file, text, latex_escape);
}

void latex_file_name(LatexFile *file, const char *name)
{
    for (; *name; name++)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789-_", *name))
            fputc(*name, (FILE *)file);
}

/* ---- CSV ---- */

static void csv_escape(const char *text, const char *at, const char *character, Written *out)
{
    (void)text, (void)at;
    if (*character == '"')
        out->before = "\"";
}

/* A spreadsheet would run a cell as a formula that begins like one, in any width of letters, and is more than
 * numbers and their signs ("-1.5 ± 2 %", and "-" for none). */
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

static void shell_escape(const char *text, const char *at, const char *character, Written *out)
{
    (void)text, (void)at;
    if (*character == '\'')
        out->instead = "'\\''";
}

static void shell_text(FILE *file, const char *text)
{
    fputc('\'', file);
    (void)text_write(file, text, shell_escape);
    fputc('\'', file);
}

/* ---- gnuplot ---- */

static void plot_escape(const char *text, const char *at, const char *character, Written *out)
{
    (void)text, (void)at;
    if (is_one_of(character, "_^{}@&~\\"))
        out->before = "\\";
    else if (*character == '\'')
        out->before = "'";
    else if (is_one_of(character, "\"`"))
        out->instead = *character == '`' ? "''" : " ";
}

static void plot_text(FILE *file, const char *text)
{
    (void)text_write(file, text, plot_escape);
}

/* ---- a terminal ---- */

static void terminal_escape(const char *text, const char *at, const char *character, Written *out)
{
    (void)text, (void)at, (void)character, (void)out; /* what is not printable is \xNN already */
}

static void terminal_text(FILE *file, const char *text)
{
    (void)text_write(file, text, terminal_escape);
}

void terminal_print_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(stdout, NULL, terminal_text, format, arguments);
    va_end(arguments);
}

/* ---- the types ---- */

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
