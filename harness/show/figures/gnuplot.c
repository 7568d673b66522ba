/* Writes programs for gnuplot and runs them. memmem is a GNU extension. */
#define _GNU_SOURCE
#include "harness/show/figures/gnuplot.h"

#include "datasets/base/child.h"
#include "datasets/io/stream.h"
#include "harness/records/papers/published.h"

enum { COMMAND_BYTES = 65536, FIGURE_TEXT_BYTES = 1024 };

void figure_text(const char *text, char *out, size_t size)
{
    enum { LONGEST_CHARACTER = 4 };
    char plain[FIGURE_TEXT_BYTES];
    size_t used = 0;
    text_escape(plain, sizeof plain, text);
    for (const char *at = plain; *at; at++) {
        if (used + LONGEST_CHARACTER >= size && ((unsigned char)*at & 0xc0) != 0x80)
            break;
        if (strchr("_^{}@&~\\", *at))
            out[used++] = '\\';
        if (*at == '\'')
            out[used++] = '\'';
        out[used++] = *at == '"' ? ' ' : *at;
    }
    out[used] = '\0';
}

static const char no_figures[] = "figures cannot be drawn";

Status gnuplot_probe(char *text, size_t size)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"--version"}, NULL};
    return child_run_whole(arguments, no_figures, text, size);
}

/* Checks that a file is complete by its last bytes, because gnuplot does not check whether its writes
 * succeed. */
static Status face_check(const char *folder, const char *name, const char *face, const char *end)
{
    char path[COMMAND_BYTES], last[16];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, face);
    FILE *file = fopen(path, "r+e");
    bool whole = false;
    int error = file ? 0 : errno;
    if (file && fseek(file, -(long)sizeof last, SEEK_END) == 0 &&
        fread(last, 1, sizeof last, file) == sizeof last)
        whole = memmem(last, sizeof last, end, strlen(end)) != NULL;
    if (file && !whole) { /* another write reveals the reason */
        static const char more[BUFSIZ];
        (void)fseek(file, 0, SEEK_END);
        (void)fwrite(more, 1, sizeof more, file);
        error = stream_flush(file);
    }
    if (file)
        (void)fclose(file);
    return whole ? status_ok()
                 : status_make(STATUS_SYSTEM, "%s.%s: cannot be written: %s", name, face,
                               error != 0 ? strerror(error) : "gnuplot left it unfinished");
}

Status figure_prepare(const char *script, const char *folder, const char *name, const char *heading,
                      bool *drawn, const char *more, ...)
{
    char title[512], from[256];
    FILE *program = NULL, *common = NULL;
    va_list arguments;
    *drawn = false;
    /* write the settings of the figure, then the code that draws all figures of this kind */
    figure_text(heading, title, sizeof title);
    snprintf(from, sizeof from, "scripts/plots/%s.gp", script);
    STATUS_TRY(report_file_open(folder, name, "gp", &program));
    fprintf(program,
            "# Draws %s.svg: gnuplot %s.gp\n# %s.pdf or %s.png: gnuplot -e \"face='pdf'\" %s.gp\n"
            "if (!exists('face')) face = 'svg'\noutput_name = '%s.'.face\ndata = '%s.tsv'\nheading = '%s'\n",
            name, name, name, name, name, name, name, title);
    va_start(arguments, more);
    vfprintf(program, more, arguments);
    va_end(arguments);
    fputs("\n\n", program);
    STATUS_TRY(report_file_close(program, name, home_file_append(from, program, NULL)));
    STATUS_TRY(report_file_open(folder, "common", "gp", &common));
    STATUS_TRY(
        report_file_close(common, "common.gp", home_file_append("scripts/plots/common.gp", common, NULL)));
    *drawn = true;
    return status_ok();
}

static const struct {
    const char *name, *end; /* found within the last 16 bytes of a complete file */
} faces[] = {{"svg", "</svg>"}, {"pdf", "%%EOF"}, {"png", "IEND"}};

/* Uses one process for all formats, because starting gnuplot takes about as long as drawing one. */
static Status drawing_start(const char *folder, const char *name, Child *out)
{
    enum { FACES = sizeof faces / sizeof *faces };
    char option[] = "-e", start[] = "reset session", quoted[PUBLISHED_PATH_BYTES];
    char place[PUBLISHED_PATH_BYTES + 8], loads[FACES][FIGURE_NAME_BYTES + 64];
    char *arguments[1 + 2 + 4 * FACES + 1] = {(char[]){"gnuplot"}, option, place};
    size_t count = 3;
    /* the folder, escaped for single quotes */
    size_t used = 0;
    for (const char *text = folder; *text && used + 2 < sizeof quoted; text++) {
        if (*text == '\'')
            quoted[used++] = '\'';
        quoted[used++] = *text;
    }
    quoted[used] = '\0';
    snprintf(place, sizeof place, "cd '%s'", quoted);
    for (size_t i = 0; i < FACES; i++) {
        snprintf(loads[i], sizeof loads[i], "face='%s'; load '%s.gp'; unset output", faces[i].name, name);
        arguments[count++] = option;
        arguments[count++] = start; /* reset everything from the previous format */
        arguments[count++] = option;
        arguments[count++] = loads[i];
    }
    return child_start(arguments, no_figures, false, out);
}

/* Running drawings, one process each. */
typedef struct Drawings {
    Child children[FIGURE_PROCESSES_MAX];
    int max, started, finished;
} Drawings;

static void drawings_end(Drawings *drawings)
{
    for (; drawings->finished < drawings->started; drawings->finished++)
        child_kill(&drawings->children[drawings->finished % drawings->max]);
}

Status figures_draw(const char *folder, char (*names)[FIGURE_NAME_BYTES], int count, int processes,
                    const Progress *progress)
{
    CLEANUP(drawings_end) Drawings all = {.max = int_clamp(processes, 1, FIGURE_PROCESSES_MAX)};
    while (all.finished < count) {
        if (!progress_report(progress, "report: figures", 0.5 + 0.5 * all.finished / count))
            return status_make(STATUS_STOPPED, "stopped at the figure %s; there is no report",
                               names[all.finished]);
        for (; all.started < count && all.started - all.finished < all.max; all.started++)
            STATUS_TRY(drawing_start(folder, names[all.started], &all.children[all.started % all.max]));
        const int oldest = all.finished++;
        const char *name = names[oldest];
        Child *child = &all.children[oldest % all.max];
        char text[1024];
        const Status status = child_finish(child, text, sizeof text);
        if (status.code == STATUS_SYSTEM)
            return status_make(STATUS_SYSTEM, "%s: %s", name, status.text);
        STATUS_TRY(status);
        for (size_t i = 0; i < sizeof faces / sizeof *faces; i++)
            STATUS_TRY(face_check(folder, name, faces[i].name, faces[i].end));
    }
    return status_ok();
}

void plot_name_add(char *words, const char *name)
{
    char escaped[512];
    figure_text(name, escaped, sizeof escaped);
    text_append(words, PLOT_NAMES_BYTES, "\"%s\" ", escaped);
}

void plot_number_add(char *words, double number)
{
    text_append(words, PLOT_NAMES_BYTES, "%.9g ", number);
}

PlotSpan plot_span_none(void)
{
    return (PlotSpan){INFINITY, -INFINITY};
}

void plot_span_add(PlotSpan *span, double value)
{
    span->lowest = fmin(span->lowest, value);
    span->highest = fmax(span->highest, value);
}

bool plot_span_is_wide(const PlotSpan *span)
{
    return span->lowest > 0.0 && span->highest > 50.0 * span->lowest;
}
