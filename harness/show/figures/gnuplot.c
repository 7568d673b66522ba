/* Writes programs for gnuplot and runs them. _GNU_SOURCE is defined for the function memmem. */
#define _GNU_SOURCE
#include "harness/show/figures/gnuplot.h"

#include "datasets/base/child.h"
#include "datasets/io/confined.h"
#include "datasets/io/stream.h"
#include "harness/records/papers/published.h"

static const char no_figures[] = "figures cannot be drawn";

Status gnuplot_probe(char *text, size_t size)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"--version"}, NULL};
    return child_run_whole(arguments, no_figures, text, size);
}

/* ---- writing the files of a figure ---- */

void figure_part_name(int number, FigurePart part, char name[FIGURE_NAME_BYTES])
{
    snprintf(name, FIGURE_NAME_BYTES, part == FIGURE_RINGS ? "plot-%03d-rings" : "plot-%03d", number);
}

Status figure_part_open(PlotFigure *figure, FigurePart part, PlotFile **out)
{
    char name[FIGURE_NAME_BYTES];
    PlotFile *file = *out = &figure->parts[part];
    file->is_program = part == FIGURE_PROGRAM;
    figure_part_name(figure->number, part, name);
    return report_file_open(figure->folder, name, file->is_program ? "gp" : "tsv",
                            &file->only_for_plot_print);
}

Status figure_part_close(PlotFigure *figure, FigurePart part)
{
    char name[FIGURE_NAME_BYTES];
    figure_part_name(figure->number, part, name);
    return report_file_close(TAKE(figure->parts[part].only_for_plot_print), name, status_ok());
}

void figure_clear(PlotFigure *figure)
{
    for (int i = 0; i < FIGURE_PARTS; i++)
        if (figure->parts[i].only_for_plot_print)
            fclose(figure->parts[i].only_for_plot_print);
}

bool figure_is_drawable(const PlotFigure *figure)
{
    bool is_drawable = true;
    for (int i = 0; i < FIGURE_PARTS; i++)
        is_drawable = is_drawable && !figure->parts[i].undrawable;
    return is_drawable;
}

Status figure_program_start(PlotFigure *figure, const char *heading, PlotFile **program)
{
    char name[FIGURE_NAME_BYTES];
    figure_part_name(figure->number, FIGURE_PROGRAM, name);
    STATUS_TRY(figure_part_open(figure, FIGURE_PROGRAM, program));
    plot_print(
        *program,
        "# Draws %s.svg: gnuplot %s.gp\n# %s.pdf or %s.png: gnuplot -e \"face='pdf'\" %s.gp\n"
        "if (!exists('face')) face = 'svg'\noutput_name = '%s.'.face\ndata = '%s.tsv'\nheading = '%s'\n",
        name, name, name, name, name, name, name, heading);
    return status_ok();
}

Status figure_program_end(PlotFigure *figure, const char *script)
{
    char from[64];
    FILE *common = NULL;
    plot_print(&figure->parts[FIGURE_PROGRAM], "\n\n");
    snprintf(from, sizeof from, "scripts/plots/%s.gp", script);
    STATUS_TRY(home_file_append(from, figure->parts[FIGURE_PROGRAM].only_for_plot_print, NULL));
    STATUS_TRY(figure_part_close(figure, FIGURE_PROGRAM));
    STATUS_TRY(report_file_open(figure->folder, "common", "gp", &common));
    figure->drawn = true;
    return report_file_close(common, "common.gp", home_file_append("scripts/plots/common.gp", common, NULL));
}

void plot_name_add(PlotFile *program, const char *name)
{
    plot_print(program, "\"%s\" ", name);
}

void plot_number_add(PlotFile *program, double number)
{
    plot_print(program, "%.9g ", number);
}

/* ---- running gnuplot ---- */

static const struct {
    const char *name, *end; /* `end` is a text that the last 16 bytes of a complete file contain */
} faces[] = {{"svg", "</svg>"}, {"pdf", "%%EOF"}, {"png", "IEND"}};
enum { FACES = sizeof faces / sizeof *faces };

/* Gives a picture its final name. *whole tells whether the picture exists and is complete. The last bytes
 * decide, because gnuplot ignores write errors. Fails with STATUS_SYSTEM if it is incomplete because the
 * disk is full. */
static Status face_finish(const char *folder, const Drawing *drawing, int face, bool *whole)
{
    char from[PUBLISHED_PATH_BYTES], target[PUBLISHED_PATH_BYTES], part[FIGURE_NAME_BYTES], last[16];
    figure_part_name(drawing->number, FIGURE_PROGRAM, part);
    snprintf(from, sizeof from, "%s/%s.%s", folder, part, faces[face].name);
    snprintf(target, sizeof target, "%s/%s.%s", folder, drawing->name, faces[face].name);
    FILE *file = fopen(from, "r+e");
    int error = file ? 0 : errno;
    *whole = false;
    if (file && fseek(file, -(long)sizeof last, SEEK_END) == 0 &&
        fread(last, 1, sizeof last, file) == sizeof last)
        *whole = memmem(last, sizeof last, faces[face].end, strlen(faces[face].end)) != NULL;
    if (file && !*whole) { /* appending a few bytes shows why the file is incomplete: on a full disk this
                              fails, too */
        static const char more[BUFSIZ];
        (void)fseek(file, 0, SEEK_END);
        (void)fwrite(more, 1, sizeof more, file);
        error = stream_flush(file);
    }
    if (file)
        (void)fclose(file);
    if (*whole)
        error = rename(from, target) == 0 ? 0 : errno;
    else
        (void)remove(from);
    return error == 0 || error == ENOENT ? status_ok()
                                         : status_make(STATUS_SYSTEM, "%s.%s: cannot be written: %s",
                                                       drawing->name, faces[face].name, strerror(error));
}

/* Starts one gnuplot process for all formats of a figure, because starting takes about as long as drawing.
 * The process reads no settings of the user, and its program is generated here. */
static Status drawing_start(const char *folder, int number, Child *out)
{
    char part[FIGURE_NAME_BYTES], option[] = "-e", start[] = "reset session", loads[FACES][160];
    char *arguments[2 + 4 * FACES + 1] = {(char[]){"gnuplot"}, (char[]){"-d"}};
    size_t count = 2;
    figure_part_name(number, FIGURE_PROGRAM, part);
    for (size_t i = 0; i < FACES; i++) {
        snprintf(loads[i], sizeof loads[i], "face='%s'; load '%s.gp'; unset output", faces[i].name, part);
        arguments[count++] = option;
        arguments[count++] = start; /* discard all settings of the previous format */
        arguments[count++] = option;
        arguments[count++] = loads[i];
    }
    return child_start_confined(arguments, folder, confined_alone, no_figures, out);
}

bool gnuplot_is_confined(void)
{
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-e"},
                         (char[]){"print system('echo $((40 + 2))')"}, NULL};
    char text[256] = "";
    Child child;
    return child_start_confined(arguments, "/", confined_alone, no_figures, &child).code == STATUS_OK &&
           child_finish(&child, text, sizeof text).code != STATUS_UNAVAILABLE && !strstr(text, "42");
}

/* The gnuplot processes that are running now. They draw figures `finished` to `started` - 1. A figure that
 * cannot be drawn has no process. */
typedef struct Processes {
    Child children[FIGURE_PROCESSES_MAX];
    int max, started, finished;
} Processes;

static void processes_end(Processes *all)
{
    for (; all->finished < all->started; all->finished++)
        child_kill(&all->children[all->finished % all->max]);
}

Status figures_draw(const char *folder, Drawing *drawings, int count, int processes, const Progress *progress)
{
    CLEANUP(processes_end) Processes all = {.max = int_clamp(processes, 1, FIGURE_PROCESSES_MAX)};
    while (all.finished < count) {
        if (!progress_report(progress, "report: figures", 0.5 + 0.5 * all.finished / count))
            return status_make(STATUS_STOPPED, "stopped while drawing the figure %s; no report was written",
                               drawings[all.finished].name);
        for (; all.started < count && all.started - all.finished < all.max; all.started++) {
            Child *next = &all.children[all.started % all.max];
            *next = (Child){.id = 0};
            if (!drawings[all.started].reason[0])
                STATUS_TRY(drawing_start(folder, drawings[all.started].number, next));
        }
        Drawing *drawing = &drawings[all.finished];
        Child *child = &all.children[all.finished++ % all.max];
        char text[FIGURE_REASON_BYTES];
        if (drawing->reason[0])
            continue;
        const Status status = child_finish(child, text, sizeof text);
        if (child->failed_to_start)
            return status;
        bool whole = status.code == STATUS_OK;
        for (int i = 0; i < FACES; i++) {
            bool face_whole = false;
            STATUS_TRY(face_finish(folder, drawing, i, &face_whole));
            whole = whole && face_whole;
        }
        if (!whole)
            snprintf(drawing->reason, sizeof drawing->reason, "%s",
                     status.code == STATUS_OK ? "gnuplot did not finish it" : status.text);
    }
    return status_ok();
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
