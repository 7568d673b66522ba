/* Writes the advice first, then the pictures, what to do now, the plot and all numbers. */
#include "harness/show/report/advice_report.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/turn.h"
#include "datasets/io/atomic_path.h"
#include "harness/show/render/picture.h"
#include "harness/show/render/tracer.h"
#include "harness/show/report/report.h"
#include "harness/show/report/report_parts.h"

enum { SIDE = 340, SAMPLES = 3, DIRECTIONS = 8 };
static const double FREE_SHARE = 0.06,
                    NEAR = 1.5, /* radius around the joint in which differences count, divided by the radius
                                   of the ball around the joint's skin */
    FRAMED = 2.5; /* radius around the joint that a picture shows, divided by the same radius; it is large
                     enough to recognise limbs */

static bool is_near(const AdviceView *view, int vertex, double times)
{
    return vec3_length(vec3_sub(point_at(view->positions[0], vertex), view->center)) <= times * view->radius;
}

/* Finds the camera that shows the part of the body around a view's joint for all methods. It stands where it
 * faces the surfaces that differ most from lbs. */
static Status view_camera(const Advice *advice, const AdviceView *view, Camera *out)
{
    const int vertices = advice->mesh.vertex_count;
    Camera camera;
    STATUS_TRY(camera_view("three-quarter", 'y', SIDE, SIDE, &camera));
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
    Framing framing = framing_start(&camera, FREE_SHARE);
    for (int m = 0; m < view->method_count; m++)
        for (int v = 0; v < vertices; v++)
            if (is_near(view, v, FRAMED))
                framing_add(&framing, view->positions[m] + 3 * (size_t)v, 1);
    *out = framing_finish(&framing);
    return status_ok();
}

/* Draws one method at one joint: shaded, and below it coloured by what the advice is about. */
static Status method_render(const Advice *advice, const AdviceView *view, int m, const Camera *camera,
                            double range, int threads, const Progress *progress, Image *picture)
{
    const PictureLayout layout = {1, 2, SIDE, SIDE, false};
    const TracerOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = SAMPLES,
                                   .threads = threads,
                                   .world_up = camera_world_up('y')};
    LOCAL_TABLE(unsigned char, colors, advice->mesh.vertex_count, 3, "a picture");
    for (int v = 0; v < advice->mesh.vertex_count; v++)
        (advice->reference[0] ? color_map_rgb : color_map_change_rgb)((double)view->changes[m][v] / range,
                                                                      colors + 3 * (size_t)v);
    STATUS_TRY(picture_start(&layout, picture));
    CLEANUP(image_clear) Image clay = {0};
    CLEANUP(image_clear) Image colored = {0};
    const TracerShape shape = {.mesh = &advice->mesh, .positions = view->positions[m], .colors = colors};
    STATUS_TRY(tracer_render(&shape, camera, &options, progress, &colored, &clay));
    picture_cell(picture, &layout, 0, &clay, advice->methods[view->methods[m]].name);
    picture_cell(picture, &layout, 1, &colored, "");
    return status_ok();
}

/* Standings of methods, in the order of the table's rows. */
typedef enum Standing { ADVISED, UNDOMINATED, DOMINATED, UNSAFE, REFUSED } Standing;

/* Returns the standing of a method, and writes it into a text: "advised", "dominated by dqs" and so on. */
static Standing standing_of(const Advice *advice, int m, char text[STATUS_TEXT_BYTES + 32])
{
    const AdviceMethod *method = &advice->methods[m];
    const size_t size = STATUS_TEXT_BYTES + 32;
    if (method->reason[0]) {
        snprintf(text, size, "cannot be used here: %s", method->reason);
        return REFUSED;
    }
    if (m == advice->chosen) {
        snprintf(text, size, "advised%s", advice_is_reference(advice, m) ? ", the reference" : "");
        return ADVISED;
    }
    if (advice_fault(advice, m)) {
        snprintf(text, size, "unsafe: %s", advice_fault(advice, m));
        return UNSAFE;
    }
    if (method->dominated_by >= 0) {
        snprintf(text, size, "dominated by %s", advice->methods[method->dominated_by].name);
        return DOMINATED;
    }
    const char *words = "gains too little";
    if (advice_is_reference(advice, m))
        words = "the reference";
    else if (m == advice->lbs)
        words = "the baseline";
    else if (method->cost > advice->budget)
        words = "over the budget";
    else if (advice_names(advice, m))
        words = method->cost < advice->methods[advice->chosen].cost   ? "cheaper, gains less"
                : method->harm < advice->methods[advice->chosen].harm ? "gains too little more"
                                                                      : "gains less";
    snprintf(text, size, "%s", words);
    return UNDOMINATED;
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
    if (whole && !advice->reference[0])
        text_table_column_add(table, "loss of shape beyond the ranges, relative to lbs");
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
    if (!shown)
        text_table_fail(table);
    char standing[STATUS_TEXT_BYTES + 32];
    for (int row = 0; shown && row < advice->method_count; row++) {
        /* take the next method by standing, and the one with the smaller loss if standings are equal */
        Standing best = REFUSED;
        int m = -1;
        for (int i = 0; i < advice->method_count; i++) {
            const Standing other = standing_of(advice, i, standing);
            if (!shown[i] &&
                (m < 0 || other < best ||
                 (other == best && other != REFUSED && advice->methods[i].harm < advice->methods[m].harm))) {
                m = i;
                best = other;
            }
        }
        (void)standing_of(advice, m, standing);
        const AdviceMethod *method = &advice->methods[m];
        const bool known = !method->reason[0];
        const double numbers[] = {known ? method->data_bytes : NAN, method->ns_per_vertex,
                                  known ? (double)method->bytes_per_joint : NAN,
                                  known ? method->precompute_s : NAN};
        shown[m] = true;
        text_table_row(table, method->name, NULL);
        text_table_cell(table, "%s", standing);
        text_table_number(table, known ? method->harm : NAN, 3);
        if (isfinite(method->cost) != 0 && method->cost_low < method->cost_high)
            text_table_cell(table, "%.3g (%.3g to %.3g)", method->cost, method->cost_low, method->cost_high);
        else
            text_table_number(table, method->cost, 3);
        text_table_value(table, method->cost, "");
        if (whole && !advice->reference[0])
            text_table_number(table, known ? method->stress : NAN, 3);
        if (advice->device[0])
            text_table_number(table, method->device_cost, 3);
        for (int i = 0; i < ADVICE_MEASURES; i++)
            if (measure_shown(advice, i, whole))
                text_table_number(table, method->values[i], 3);
        for (int i = 0; i < cost_columns; i++)
            text_table_number(table, numbers[i], i < 3 ? 3 : 2);
    }
    return table;
}

typedef struct AdvicePages {
    const Advice *advice;
    const AdviceFile *file;
    int threads;
} AdvicePages;

/* Writes a picture for each method at each of the joints at which they differ most. */
static Status pictures_write(ReportPage *report, const AdvicePages *pages)
{
    const Advice *advice = pages->advice;
    HtmlFile *html = report->html;
    if (pictures_lacking() && advice->view_count > 0)
        html_print(html,
                   "<p>There are no pictures of the joints: they need %s when skinbench is built.</p>\n",
                   pictures_lacking());
    if (pictures_lacking() || advice->view_count == 0)
        return status_ok();
    ErrorRange changes = {.total = 0}; /* for the common scale of all coloured pictures */
    for (int i = 0; i < advice->view_count; i++)
        for (int m = 0; m < advice->views[i].method_count; m++)
            for (int v = 0; v < advice->mesh.vertex_count; v++)
                if (is_near(&advice->views[i], v, NEAR))
                    error_range_add(&changes, 100.0 * fabs((double)advice->views[i].changes[m][v]));
    const double range = fmin(100.0, error_range_end(&changes)); /* in per cent */
    for (int i = 0; i < advice->view_count; i++) {
        const AdviceView *view = &advice->views[i];
        const char *joint = advice->joints[view->joint].name;
        char path[4096], name[64];
        Camera camera;
        STATUS_TRY(view_camera(advice, view, &camera));
        html_print(html, "<figure><div class=\"pictures joints\">\n");
        markdown_print(report->page, "%s, %s:\n\n", joint, view->pose);
        for (int m = 0; m < view->method_count; m++) {
            CLEANUP(image_clear) Image image = {0};
            const char *method = advice->methods[view->methods[m]].name;
            snprintf(name, sizeof name, "joint-%d-%d.png", i + 1, m + 1);
            snprintf(path, sizeof path, "%s/%s", report->folder, name);
            if (!report->is_again) {
                STATUS_TRY(method_render(advice, view, m, &camera, range / 100.0, pages->threads,
                                         report->progress, &image));
                STATUS_TRY(image_png_write(&image, path, name));
            }
            html_print(html, "<img src=\"%s\" alt=\"%s at %s, %s\">\n", name, method, joint, view->pose);
            markdown_print(report->page, "![%s at %s](%s)\n", method, joint, name);
        }
        html_print(html, "</div><figcaption>%s, %s. ", joint, view->pose);
        if (advice->reference[0])
            html_print(html,
                       "Colours: distance from %s, <span class=\"scale distance\"></span> 0 to %g %% of "
                       "the diagonal.",
                       advice->reference, range);
        else
            html_print(html,
                       "Colours: the skin is nearer to the bones than at rest, <span class=\"scale "
                       "change\"></span> or further from them, up to %g %%.",
                       range);
        html_print(html, "</figcaption></figure>\n");
        markdown_print(report->page, "\n");
    }
    return status_ok();
}

/* Writes where each engine has the advised method, and the commands that put it into this file. */
static Status steps_write(ReportPage *report, const AdvicePages *pages)
{
    const Advice *advice = pages->advice;
    const AdviceMethod *chosen = &advice->methods[advice->chosen];
    HtmlFile *html = report->html;
    /* pages are passed on, so they name the file without its folder */
    AdviceFile file = *pages->file;
    file.path += output_path_folder_length(file.path);
    OWNED_BY(free) char *steps = advice_steps(advice, &file);
    ALLOCATED(steps, "the commands of a page");
    markdown_print(report->page, "## What to do now\n\n");
    html_print(html, "<section id=\"now\">\n<h2>What to do now</h2>\n<p>%s%s%s</p>\n<dl>\n", chosen->title,
               chosen->table->summary ? ": " : "", chosen->table->summary ? chosen->table->summary : "");
    for (int i = 0; i < ENGINE_COUNT; i++) {
        html_print(html, "<dt>%s</dt><dd>%s</dd>\n", skinning_engine_names[i], advice_engine(advice, i));
        markdown_print(report->page, "- %s: %s\n", skinning_engine_names[i], advice_engine(advice, i));
    }
    html_print(html, "</dl>\n");
    if (steps[0]) {
        html_print(
            html,
            "<p>In every engine: joints are added to the rig so that linear blending, which all engines "
            "have, imitates the advised method. <code>skinbench advise</code> does it with "
            "<code>--apply OUT.glb</code>, or step by step:</p>\n<pre>");
        for (const char *line = steps; *line; line += strcspn(line, "\n") + 1)
            html_print(html, "%.*s\n", (int)strcspn(line, "\n"), line);
        html_print(html, "</pre>\n");
        markdown_print(report->page, "\nIn every engine, with helper joints:\n\n");
        for (const char *line = steps; *line; line += strcspn(line, "\n") + 1)
            markdown_print(report->page, "- %.*s\n", (int)strcspn(line, "\n"), line);
    }
    html_print(html, "</section>\n");
    markdown_print(report->page, "\n");
    return status_ok();
}

static Status advice_write(ReportPage *report, const void *context)
{
    const AdvicePages *pages = context;
    const Advice *advice = pages->advice;
    const char *source = pages->file->path + output_path_folder_length(pages->file->path);
    char stamp[TIME_STAMP_BYTES], poses[512];
    time_stamp(stamp);
    markdown_print(report->page, "# %s: which skinning method to use\n\nWritten %s.\n\n", advice->name,
                   stamp);
    STATUS_TRY(index_start(report, source, stamp));
    html_print(report->html, "Advice on which skinning method to use for this rig.");
    index_main(report);
    html_print(report->html, "<section id=\"answer\">\n<h2>The answer</h2>\n<p class=\"answer\">%s.</p>\n",
               advice->sentence);
    markdown_print(report->page, "**%s.**\n\n", advice->sentence);
    if (advice->caveat[0])
        report_paragraph(report, advice->caveat);
    if (advice->stress[0])
        report_paragraph(report, advice->stress);
    STATUS_TRY(pictures_write(report, pages));
    html_print(report->html, "</section>\n");
    STATUS_TRY(steps_write(report, pages));
    html_print(report->html, "<section id=\"numbers\">\n<h2>All methods</h2>\n");
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
    OWNED_BY(text_table_free) TextTable *table = advice_table(advice, true);
    STATUS_TRY(report_add_table(report, table, "methods", true));
    snprintf(
        poses, sizeof poses,
        "The methods were compared in %d poses of the file and %d generated poses (seed %llu) within the "
        "joints' ranges, and in %d poses beyond them, on simd with one thread.%s%s",
        advice->own_poses, advice->gauntlet_poses, (unsigned long long)advice->seed, advice->poses_beyond,
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

Status advice_report_write(const Advice *advice, const AdviceFile *file, const char *folder, int threads,
                           const Progress *progress, char left_out[FIGURES_LEFT_OUT_BYTES])
{
    const AdvicePages pages = {advice, file, threads};
    return report_folder_write(folder, progress, advice_write, &pages, left_out);
}
