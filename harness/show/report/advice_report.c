/* The answer first, then the plot and the pictures, then all numbers. */
#include "harness/show/report/advice_report.h"

#include "harness/show/render/advice_picture.h"
#include "harness/show/report/report.h"
#include "harness/show/report/report_parts.h"
#include "harness/show/text/html_table.h"

/* How a method stands: "advised", "named", ... */
static void standing_cell(TextTable *table, const Advice *advice, int m)
{
    const AdviceMethod *method = &advice->methods[m];
    if (method->reason[0])
        text_table_cell(table, "not here: %s", method->reason);
    else if (advice_is_reference(advice, m))
        text_table_cell(table, "the reference");
    else if (m == advice->chosen)
        text_table_cell(table, "advised");
    else if (advice_fault(advice, m))
        text_table_cell(table, "%s", advice_fault(advice, m));
    else if (method->dominated_by >= 0)
        text_table_cell(table, "dominated by %s", advice->methods[method->dominated_by].name);
    else if (method->cost > advice->budget)
        text_table_cell(table, "over the budget");
    else
        text_table_cell(table, "%s",
                        advice_names(advice, m) ? "named"
                        : m == advice->lbs      ? ""
                                                : "gains too little");
}

/* Errors are there where the file has shapes, or there is a reference; at equal cost the short table has what
 * is seen without any. */
static bool measure_shown(const Advice *advice, int measure, bool whole)
{
    return whole ? measure < ADVICE_E_RMS || isfinite(advice->methods[advice->lbs].values[measure]) != 0
                 : advice->reference[0] &&
                       (measure == ADVICE_STRETCH || measure == ADVICE_CROSSING || measure == ADVICE_GAP);
}

TextTable *advice_table(const Advice *advice, bool whole)
{
    static const char *const costs[] = {"bytes per vertex, weights included", "ns per vertex",
                                        "bytes per joint", "pre-computation, s"};
    const int cost_columns = whole ? 4 : advice->reference[0] != '\0';
    TextTable *table = text_table_create("Every method on this rig", "<method|<standing");
    text_table_column_add(table, advice->reference[0] ? "error over lbs" : "loss of shape over lbs");
    text_table_column_add(table, "time over lbs");
    if (advice->device[0]) {
        char title[ADVICE_NAME_BYTES + 32];
        snprintf(title, sizeof title, "time over lbs, %s", advice->device);
        text_table_column_add(table, title);
    }
    for (int i = 0; i < ADVICE_MEASURES; i++)
        if (measure_shown(advice, i, whole))
            text_table_column_add(table, advice_measures[i].title);
    for (int i = 0; i < cost_columns; i++)
        text_table_column_add(table, costs[i]);
    OWNED bool *shown = memory_array((size_t)advice->method_count, sizeof *shown);
    for (int row = 0; shown && row < advice->method_count; row++) {
        /* the next by loss; at the end those that do not take the rig */
        int m = -1;
        for (int i = 0; i < advice->method_count; i++) {
            const AdviceMethod *other = &advice->methods[i];
            if (!shown[i] && (m < 0 || (!other->reason[0] && (advice->methods[m].reason[0] ||
                                                              other->harm < advice->methods[m].harm))))
                m = i;
        }
        const AdviceMethod *method = &advice->methods[m];
        const bool known = !method->reason[0];
        const double numbers[] = {known ? method->data_bytes : NAN, method->ns_per_vertex,
                                  known ? (double)method->bytes_per_joint : NAN,
                                  known ? method->precompute_s : NAN};
        shown[m] = true;
        text_table_row(table, method->name, NULL);
        standing_cell(table, advice, m);
        text_table_number(table, known ? method->harm : NAN, 3);
        text_table_number(table, method->cost, 3);
        if (advice->device[0])
            text_table_number(table, method->device_cost, 3);
        for (int i = 0; i < ADVICE_MEASURES; i++)
            if (measure_shown(advice, i, whole))
                text_table_number(table, method->values[i], 3);
        for (int i = 0; i < cost_columns; i++)
            text_table_number(table, numbers[i], i < 3 ? 3 : 2);
    }
    if (shown)
        return table;
    text_table_free(table);
    return NULL;
}

typedef struct AdvicePages {
    const Advice *advice;
    const char *source;
    int threads;
} AdvicePages;

static Status pictures_write(ReportPage *report, const AdvicePages *pages)
{
    char path[4096];
    CLEANUP(image_clear) Image image = {0};
    if (pages->advice->view_count == 0)
        return status_ok();
    const Status status = advice_picture(pages->advice, pages->threads, report->progress, &image);
    if (status.code == STATUS_UNAVAILABLE) {
        report_paragraph(report, status.text);
        return status_ok();
    }
    STATUS_TRY(status);
    snprintf(path, sizeof path, "%s/joints.png", report->folder);
    STATUS_TRY(image_png_write(&image, path, "joints.png"));
    fputs("![The joints where methods differ most](joints.png)\n\n", report->page);
    fprintf(report->html,
            "<figure><img src=\"joints.png\" width=\"%d\" height=\"%d\" alt=\"The joints where methods "
            "differ most\"><figcaption>The joints where methods differ most, each row from one camera, all "
            "on one scale of colours.</figcaption></figure>\n",
            image.width, image.height);
    return status_ok();
}

static Status advice_write(ReportPage *report, const void *context)
{
    const AdvicePages *pages = context;
    const Advice *advice = pages->advice;
    char stamp[TIME_STAMP_BYTES], poses[256];
    bool drawn = false;
    time_stamp(stamp);
    fputs("# ", report->page);
    report_text(report, advice->name);
    fprintf(report->page, ": which skinning method\n\nWritten %s.\n\n", stamp);
    STATUS_TRY(index_start(report, pages->source, stamp, "Which skinning method this rig should have."));
    html_print(report->html, "<section id=\"answer\">\n<h2>The answer</h2>\n<p class=\"answer\">%s.</p>\n",
               advice->sentence);
    fputs("**", report->page);
    report_text(report, advice->sentence);
    fputs(".**\n\n", report->page);
    static const char *const figures[ADVICE_COSTS] = {[ADVICE_TIME] = "cost-and-harm",
                                                      [ADVICE_DEVICE_TIME] = "device-and-harm",
                                                      [ADVICE_BYTES] = "bytes-and-harm"};
    for (int cost = 0; cost < (advice->reference[0] ? ADVICE_COSTS : ADVICE_DEVICE_TIME); cost++) {
        if (cost == ADVICE_DEVICE_TIME && !advice->device[0])
            continue;
        const Status made =
            figure_advice(advice, (AdviceCost)cost, report->folder, figures[cost], report->plots, &drawn);
        STATUS_TRY(report_add_figure(report, made, drawn, figures[cost],
                                     "Cost against harm; further to the left and down is better"));
    }
    STATUS_TRY(pictures_write(report, pages));
    fputs("</section>\n<section id=\"numbers\">\n<h2>All methods</h2>\n", report->html);
    OWNED_BY(text_table_free) TextTable *table = advice_table(advice, true);
    STATUS_TRY(report_add_table(report, table, "methods", true));
    snprintf(poses, sizeof poses,
             "%d poses of the file and %d of a gauntlet (seed %llu), on simd and one thread.%s%s",
             advice->own_poses, advice->gauntlet_poses, (unsigned long long)advice->seed,
             advice->reference[0] ? " The reference is " : "", advice->reference);
    report_paragraph(report, poses);
    report_paragraph(report, advice_rule(advice));
    TextTable *joints = text_table_create("Collapse and bulge at every joint, in its worst pose",
                                          "<joint|<method|vertices|collapse, %|bulge, %");
    for (int j = 0; j < advice->joint_used; j++)
        for (int m = 0; m < advice->method_count; m++)
            if (advice->methods[m].reason[0] == '\0') {
                text_table_row(joints, advice->joints[j].name, advice->methods[m].name, NULL);
                text_table_number(joints, advice->joints[j].vertex_count, 9);
                text_table_number(joints, advice->joints[j].collapse[m], 3);
                text_table_number(joints, advice->joints[j].bulge[m], 3);
            }
    STATUS_TRY(report_add_numbers(report, "at-joints", "Collapse and bulge at every joint", joints));
    fputs("</section>\n", report->html);
    index_end(report);
    return page_data_write(report, NULL, 0, stamp);
}

Status advice_report_write(const Advice *advice, const char *source, const char *folder, int threads,
                           const Progress *progress)
{
    const AdvicePages pages = {advice, source, threads};
    return report_folder_write(folder, progress, advice_write, &pages);
}
