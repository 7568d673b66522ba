/* Writes the advice first, then the plot and the pictures, then all numbers. */
#include "harness/show/report/advice_report.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/turn.h"
#include "datasets/io/atomic_path.h"
#include "harness/show/render/picture.h"
#include "harness/show/render/tracer.h"
#include "harness/show/report/report.h"
#include "harness/show/report/report_parts.h"

enum { SIDE = 380, SAMPLES = 3, DIRECTIONS = 8 };
static const double FREE_SHARE = 0.06,
                    NEAR = 1.5, /* radius around the joint in which differences count, divided by the radius
                                   of the ball around the joint's skin */
    FRAMED = 2.5; /* radius around the joint that a picture shows, divided by the same radius; it is large
                     enough to recognise limbs */

static bool is_near(const AdviceView *view, int vertex, double times)
{
    return vec3_length(vec3_sub(point_at(view->positions[0], vertex), view->center)) <= times * view->radius;
}

static Status view_render(const Advice *advice, const AdviceView *view, double range, int threads,
                          const PictureLayout *layout, int row, const Progress *progress, Image *picture)
{
    const int vertices = advice->mesh.vertex_count;
    LOCAL_TABLE(unsigned char, colors, vertices, 3, "a picture");
    const TracerOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = SAMPLES,
                                   .threads = threads,
                                   .world_up = camera_world_up('y')};
    Camera camera;
    STATUS_TRY(camera_view("three-quarter", 'y', SIDE, SIDE, &camera));
    /* turn the camera about the vertical axis, to face the surfaces that differ most from lbs */
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0), up = camera_world_up('y');
    LOCAL_TABLE(double, normals, vertices, 3, "a picture");
    const Camera start = camera;
    double max = -1.0;
    vertex_normals(advice->mesh.triangles, advice->mesh.triangle_count, vertices, view->positions[0],
                   normals);
    for (int d = 0; d < DIRECTIONS; d++) {
        const Transform turn = transform_rotate_about(up, 2.0 * PI * d / DIRECTIONS, zero, zero);
        const Vec3 back = transform_direction(turn, start.back);
        double seen = 0.0;
        for (int v = 0; v < vertices; v++) {
            const double *n = normals + 3 * (size_t)v;
            const double facing = vec3_dot(vec3_make(n[0], n[1], n[2]), back);
            if (facing > 0.0 && is_near(view, v, NEAR))
                for (int m = 1; m < view->method_count; m++)
                    seen += facing * vec3_length(vec3_sub(point_at(view->positions[m], v),
                                                          point_at(view->positions[0], v)));
        }
        if (seen > max) {
            max = seen;
            camera.back = back;
            camera.right = transform_direction(turn, start.right);
            camera.up = transform_direction(turn, start.up);
        }
    }
    /* find one camera that shows this part of the body for all methods */
    Framing framing = framing_start(&camera, FREE_SHARE);
    for (int m = 0; m < view->method_count; m++)
        for (int v = 0; v < vertices; v++)
            if (is_near(view, v, FRAMED))
                framing_add(&framing, view->positions[m] + 3 * (size_t)v, 1);
    camera = framing_finish(&framing);
    for (int m = 0; m < view->method_count; m++) {
        char label[256];
        CLEANUP(image_clear) Image traced = {0};
        for (int v = 0; v < vertices; v++)
            color_map_change_rgb((double)view->changes[m][v] / range, colors + 3 * (size_t)v);
        const TracerShape shape = {.mesh = &advice->mesh, .positions = view->positions[m], .colors = colors};
        STATUS_TRY(tracer_render(&shape, &camera, &options, progress, &traced));
        const char *method = advice->methods[view->methods[m]].name;
        /* shorten a long joint name at the front, because names often share a prefix */
        const char *joint = advice->joints[view->joint].name;
        const int room = SIDE / IMAGE_TEXT_WIDTH - 6 - (int)strlen(method) - (int)strlen(view->pose);
        const bool cut = (int)strlen(joint) > room;
        snprintf(label, sizeof label, "%s: %s%s, %s", method, cut ? ".." : "",
                 joint + (cut ? int_max((int)strlen(joint) - room + 2, 0) : 0), view->pose);
        picture_cell(picture, layout, row * layout->columns + m, &traced, m == 0 ? label : method);
    }
    return status_ok();
}

/* Draws the joints at which methods differ most. Needs at least one view. Fails with STATUS_UNAVAILABLE if
 * pictures_lacking is not NULL. Release *out with image_clear. */
static Status advice_picture(const Advice *advice, int threads, const Progress *progress, Image *out)
{
    const PictureLayout layout = {advice->views[0].method_count, advice->view_count, SIDE, SIDE, true};
    ErrorRange range = {.total = 0};
    *out = (Image){0};
    if (pictures_lacking())
        return status_make(STATUS_UNAVAILABLE, "to draw pictures, build skinbench with %s",
                           pictures_lacking());
    for (int i = 0; i < advice->view_count; i++)
        for (int m = 0; m < advice->views[i].method_count; m++)
            for (int v = 0; v < advice->mesh.vertex_count; v++)
                if (is_near(&advice->views[i], v, NEAR))
                    error_range_add(&range, 100.0 * fabs((double)advice->views[i].changes[m][v]));
    const double percent = fmin(100.0, error_range_end(&range));
    STATUS_TRY(picture_start(&layout, out));
    for (int i = 0; i < advice->view_count; i++)
        STATUS_TRY(
            view_render(advice, &advice->views[i], percent / 100.0, threads, &layout, i, progress, out));
    picture_scale(out, &layout, percent, true, "change of area from the rest pose, %");
    return status_ok();
}

/* Writes the verdict on a method into a cell: "advised", "named" and so on. */
static void standing_cell(TextTable *table, const Advice *advice, int m)
{
    const AdviceMethod *method = &advice->methods[m];
    if (method->reason[0])
        text_table_cell(table, "cannot be used here: %s", method->reason);
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
                                                : "improves too little");
}

/* Whether a table shows a measure. The whole table shows every measure, but errors only if there is a
 * reference. The short table shows only stretching, crossings and gaps, and only if there is a
 * reference. */
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
    text_table_column_add(table,
                          advice->reference[0] ? "error relative to lbs" : "loss of shape relative to lbs");
    text_table_column_add(table, "time relative to lbs");
    if (advice->device[0]) {
        char title[ADVICE_NAME_BYTES + 32];
        snprintf(title, sizeof title, "time relative to lbs, %s", advice->device);
        text_table_column_add(table, title);
    }
    for (int i = 0; i < ADVICE_MEASURES; i++)
        if (measure_shown(advice, i, whole))
            text_table_column_add(table, advice_measures[i].title);
    for (int i = 0; i < cost_columns; i++)
        text_table_column_add(table, costs[i]);
    OWNED bool *shown = memory_array((size_t)advice->method_count, sizeof *shown);
    for (int row = 0; shown && row < advice->method_count; row++) {
        /* take the method with the next larger loss; methods that cannot use the rig come last */
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
    markdown_print(report->page, "![The joints at which the methods differ most](joints.png)\n\n");
    html_print(
        report->html,
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
    time_stamp(stamp);
    markdown_print(report->page, "# %s: which skinning method to use\n\nWritten %s.\n\n", advice->name,
                   stamp);
    STATUS_TRY(index_start(report, pages->source, stamp));
    html_print(report->html, "Advice on which skinning method to use for this rig.");
    index_main(report);
    html_print(report->html, "<section id=\"answer\">\n<h2>The answer</h2>\n<p class=\"answer\">%s.</p>\n",
               advice->sentence);
    markdown_print(report->page, "**%s.**\n\n", advice->sentence);
    static const char *const figures[ADVICE_COSTS] = {[ADVICE_TIME] = "cost-and-harm",
                                                      [ADVICE_DEVICE_TIME] = "device-and-harm",
                                                      [ADVICE_BYTES] = "bytes-and-harm"};
    for (int cost = 0; cost < (advice->reference[0] ? ADVICE_COSTS : ADVICE_DEVICE_TIME); cost++) {
        if (cost == ADVICE_DEVICE_TIME && !advice->device[0])
            continue;
        CLEANUP(figure_clear) PlotFigure figure = report_figure(report, figures[cost]);
        const Status made = figure_advice(advice, (AdviceCost)cost, &figure);
        STATUS_TRY(report_add_figure(
            report, made, &figure,
            "Cost against error or loss of shape; points further to the left and further down are better"));
    }
    STATUS_TRY(pictures_write(report, pages));
    html_print(report->html, "</section>\n<section id=\"numbers\">\n<h2>All methods</h2>\n");
    OWNED_BY(text_table_free) TextTable *table = advice_table(advice, true);
    STATUS_TRY(report_add_table(report, table, "methods", true));
    snprintf(poses, sizeof poses,
             "The methods were compared in %d poses of the file and %d generated poses (seed %llu), on simd "
             "with one thread.%s%s",
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
    html_print(report->html, "</section>\n");
    index_end(report);
    return page_data_write(report, NULL, 0, stamp);
}

Status advice_report_write(const Advice *advice, const char *source, const char *folder, int threads,
                           const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES])
{
    const AdvicePages pages = {advice, source + output_path_folder_length(source), threads};
    return report_folder_write(folder, progress, advice_write, &pages, left_out);
}
