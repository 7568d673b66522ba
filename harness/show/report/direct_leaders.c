/* Begins the page: says in a sentence which direct method keeps shape best, with a picture. Ranks all direct
 * methods by the shape that they lose, which the study shape-loss measures as `skinbench
 * advise` does, and by the distance from the positions of data sets that no method made. Shows their times
 * and artefacts beside the ranking. */
#include "harness/show/report/report_parts.h"

#include "datasets/io/atomic_path.h"
#include "harness/records/advice/advice.h"
#include "harness/show/report/score_grid.h"
#include "harness/show/tables/record_tables.h"

static const double SELF_MADE_E_RMS =
    1e-3; /* if a method's E_RMS is at most this value, the method must have made the data set's positions */
static const char loss_suffix[] = "_loss_of_shape";

/* Artefacts that the board shows; the largest value over the rigs counts. */
static const AdviceMeasure artefacts[] = {ADVICE_COLLAPSE, ADVICE_BULGE,    ADVICE_VOLUME,
                                          ADVICE_GAP,      ADVICE_CROSSING, ADVICE_JUMP};
enum { ARTEFACT_COUNT = sizeof artefacts / sizeof *artefacts, TEXT_BYTES = 2048 };

static bool is_shape_loss(const Record *record)
{
    return record->cell.kind == CELL_STUDY && record->status == RECORD_OK &&
           strcmp(record->cell.study, "shape-loss") == 0;
}

static double method_measure(const Record *record, const char *method, const char *measure)
{
    char name[MEASURE_NAME_BYTES];
    snprintf(name, sizeof name, "%.36s_%s", method, measure);
    return record_measure(record, name);
}

typedef struct DirectBoard {
    const RecordView *records;
    ScoreGrid shapes, times;  /* the methods of both are in the same order */
    int lbs;                  /* index of lbs, with which all methods are compared; -1: it is not built in */
    char refused[TEXT_BYTES]; /* which methods cannot use which rigs, and why */
    char made[TEXT_BYTES];    /* rigs whose shapes were made by a method and do not count */
} DirectBoard;

/* Ids of the tables with the numbers behind scores and times, with the machine's suffix. */
typedef struct BoardLinks {
    char shapes[FIGURE_NAME_BYTES], times[FIGURE_NAME_BYTES];
} BoardLinks;

/* Collects the loss of shape and the time of each method on each rig. */
static void rigs_collect(DirectBoard *board)
{
    for (const Record *record = NULL; (record = record_view_next(board->records, record));) {
        if (is_shape_loss(record) && record->reason[0])
            text_append(board->refused, sizeof board->refused, "%son %s, %s", board->refused[0] ? "; " : "",
                        record->cell.row, record->reason);
        for (int i = 0; is_shape_loss(record) && i < record->measures.count; i++) {
            const Measure *measure = &record->measures.items[i];
            const size_t length = strlen(measure->name), end = sizeof loss_suffix - 1;
            char name[MEASURE_NAME_BYTES];
            if (length <= end || strcmp(measure->name + length - end, loss_suffix) != 0)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)(length - end), measure->name);
            GridCell *loss = score_grid_at(&board->shapes, name, record->cell.row, 0.0),
                     *time = score_grid_at(&board->times, name, record->cell.row, 0.0);
            if (!loss || !time)
                continue;
            *loss = (GridCell){measure->value, NAN, NAN, record};
            *time = (GridCell){method_measure(record, name, "ratio_to_lbs"),
                               method_measure(record, name, "ratio_low"),
                               method_measure(record, name, "ratio_high"), record};
            if (strcmp(name, "lbs") == 0)
                time->low = time->high = time->value;
        }
    }
    board->lbs = score_grid_find(&board->shapes, "lbs");
}

/* Collects E_RMS on the rigs whose files have shapes that no method made. */
static void file_shapes_collect(DirectBoard *board)
{
    ScoreGrid *shapes = &board->shapes;
    const int rigs = shapes->dataset_count;
    for (int d = 0; d < rigs; d++) {
        double least = INFINITY;
        char name[GRID_NAME_BYTES];
        int least_at = 0;
        for (int m = 0; m < shapes->method_count; m++) {
            const double error = method_measure(shapes->cells[m][d].record, shapes->methods[m], "e_rms");
            least_at = error < least ? m : least_at;
            least = fmin(least, error);
        }
        if (least <= SELF_MADE_E_RMS)
            text_append(board->made, sizeof board->made, "%s%s (by %s)", board->made[0] ? ", " : "",
                        shapes->datasets[d], shapes->methods[least_at]);
        if (!(least > SELF_MADE_E_RMS && least < INFINITY))
            continue;
        snprintf(name, sizeof name, "%.200s, distance from its shapes", shapes->datasets[d]);
        for (int m = 0; m < shapes->method_count; m++) {
            const Record *record = shapes->cells[m][d].record;
            const double error = method_measure(record, shapes->methods[m], "e_rms");
            GridCell *cell = score_grid_at(shapes, shapes->methods[m], name, 0.0);
            if (cell && !isnan(error))
                *cell = (GridCell){error, NAN, NAN, record};
        }
    }
}

/* ---- the table ---- */

/* Counts the rigs on which a method was judged, and those on which it tears or strains the skin. */
static int faults_count(const DirectBoard *board, int method, int *rigs)
{
    int faults = 0;
    *rigs = 0;
    for (int d = 0; d < board->times.dataset_count; d++) {
        const double fault =
            method_measure(board->times.cells[method][d].record, board->times.methods[method], "fault");
        *rigs += !isnan(fault);
        faults += fault > 0.0;
    }
    return faults;
}

/* Whether a method is ruled out because it tears or strains the skin of more than half of the rigs. */
static bool is_ruled_out(const DirectBoard *board, int method)
{
    int rigs = 0;
    const int faults = faults_count(board, method, &rigs);
    return 2 * faults > rigs;
}

/* Appends a row with the four columns of the first screen, or with all measures. */
static void board_row(const DirectBoard *board, const BoardLinks *links, int method, bool whole,
                      TextTable *table)
{
    const char *name = board->shapes.methods[method];
    int rigs = 0;
    const int faults = faults_count(board, method, &rigs);
    text_table_row(table, name, NULL);
    score_grid_cell(&board->shapes, method, board->lbs, false, table);
    text_table_mark(table, is_ruled_out(board, method) ? NULL : "score");
    text_table_link(table, links->shapes);
    if (whole) {
        score_grid_cell(&board->times, method, board->lbs, true, table);
    } else {
        const Interval time = score_grid_score(&board->times, method, board->lbs);
        text_table_number(table, isnan(time.low) ? one_digit(time.median) : time.median,
                          isnan(time.low) ? 1 : 3);
    }
    text_table_link(table, links->times);
    text_table_cell(table, "%d/%d", faults, rigs);
    text_table_value(table, faults, "");
    for (int i = 0; whole && i < ARTEFACT_COUNT; i++) {
        const Record *worst = NULL;
        double max = NAN;
        for (int d = 0; d < board->times.dataset_count; d++) {
            const Record *rig = board->times.cells[method][d].record;
            const double value = method_measure(rig, name, advice_measures[artefacts[i]].name);
            if (isnan(value) || value <= max)
                continue;
            max = value;
            worst = rig;
        }
        if (max > 0.0 && max < 1e-4) /* so small a number is only a rounding error of single precision */
            text_table_cell(table, "< 0.0001");
        else
            text_table_number(table, max, 3);
        text_table_record(table, board->records, worst, max);
    }
}

/* Makes the board, best method first; methods that are ruled out stand below the others. */
static Status board_make(const DirectBoard *board, const BoardLinks *links, bool whole, TextTable **out)
{
    const ScoreGrid *ranking = &board->shapes;
    TextTable *table = *out =
        text_table_create(whole ? "Direct methods, with the largest artefacts over the rigs" : "",
                          "<method|loss of shape relative to LBS|time relative to LBS|unsafe on");
    for (int i = 0; whole && i < ARTEFACT_COUNT; i++)
        text_table_column_add(table, advice_measures[artefacts[i]].title);
    for (int i = 0; i < 2 * ranking->ranked_count; i++) {
        const int method = ranking->order[i % ranking->ranked_count];
        if (is_ruled_out(board, method) == (i >= ranking->ranked_count))
            board_row(board, links, method, whole, table);
    }
    text_table_drop_empty(table);
    return text_table_status(table);
}

/* Returns the picture of the first scene that shows a method; NULL if there is none. */
static const char *picture_find(const ReportPage *report, const char *method)
{
    char ending[GRID_NAME_BYTES + 8];
    snprintf(ending, sizeof ending, "--%s.png", method);
    for (int i = 0; report->scenes.count > 0 && i < report->scenes.items[0].picture_count; i++)
        if (path_ends(report->scenes.items[0].pictures[i], ending))
            return report->scenes.items[0].pictures[i];
    return NULL;
}

/* Writes the sentence of the first screen: the best methods that are safe, and dqs, which many programs have.
 * Beside it stands a picture of lbs and of the best method that the first scene shows. */
static void answer_write(const ReportPage *report, const DirectBoard *board)
{
    HtmlFile *html = report->html;
    const ScoreGrid *ranking = &board->shapes;
    static const char *const verbs[] = {"keeps shape best,", "is second,", "follows,"};
    const char *picture = NULL, *lbs = picture_find(report, "lbs");
    html_print(html, "<div class=\"front\"><div>\n<p class=\"answer\">On these %d rigs, ",
               board->times.dataset_count);
    for (int i = 0, said = 0; i < ranking->ranked_count && said < 3; i++) {
        const int method = ranking->order[i];
        const char *name = board->shapes.methods[method];
        if (is_ruled_out(board, method) || (said == 2 && strcmp(name, "dqs") != 0))
            continue;
        if (method == board->lbs)
            break;
        html_print(html, "%s<b>%s</b>%s %s at %.2g times", said > 0 ? "; " : "", name,
                   strcmp(name, "dqs") == 0 ? ", which Blender calls Preserve Volume," : "", verbs[said],
                   score_grid_score(&board->times, method, board->lbs).median);
        if (said == 0)
            html_print(html, " the cost of <b>lbs</b>");
        picture = picture ? picture : picture_find(report, name);
        said += said == 1 && strcmp(name, "dqs") == 0 ? 2 : 1;
    }
    html_print(html, ".</p>\n");
    report_verdicts_bar(report);
    html_print(html, "</div>\n");
    if (lbs && picture)
        html_print(html,
                   "<figure class=\"pair\"><img src=\"%s\" alt=\"lbs, coloured by the change of area\"><img "
                   "src=\"%s\" alt=\"the best method beside it\"></figure>\n",
                   lbs, picture);
    html_print(html, "</div>\n");
}

static Status board_write(ReportPage *report, DirectBoard *board)
{
    char id[FIGURE_NAME_BYTES], whole_id[FIGURE_NAME_BYTES], scores[FIGURE_NAME_BYTES],
        times_id[FIGURE_NAME_BYTES];
    BoardLinks links;
    const ScoreGrid *shapes = &board->shapes, *times = &board->times;
    report_file_name(report, "direct-ranking", id);
    report_file_name(report, "direct-all-measures", whole_id);
    report_file_name(report, "direct-scores", scores);
    report_file_name(report, "direct-times", times_id);
    report_file_name(report, "direct-shapes", links.shapes);
    report_file_name(report, "direct-ratios", links.times);
    answer_write(report, board);
    OWNED_BY(text_table_free) TextTable *table = NULL, *whole = NULL;
    STATUS_TRY(board_make(board, &links, false, &table));
    html_table_write(table, id, report->html);
    /* plot the loss of shape against time */
    page_plot_start(report->plots, id, "Loss of shape against time", PLOT_POINTS,
                    (PlotAxis){"time relative to LBS", true},
                    (PlotAxis){"loss of shape relative to LBS", true});
    for (int i = 0; i < shapes->ranked_count; i++) {
        const int method = shapes->order[i];
        page_plot_series(report->plots, shapes->methods[method], false);
        page_plot_point(report->plots, score_grid_score(times, method, board->lbs).median,
                        score_grid_score(shapes, method, board->lbs).median, shapes->methods[method], "");
    }
    score_grid_plot(shapes, board->records, report->plots, scores,
                    "Loss of shape divided by the smallest (one point for each rig)", "loss / smallest loss",
                    GRID_RATIOS);
    score_grid_plot(times, board->records, report->plots, times_id,
                    "Time relative to LBS (one point for each rig)", "time relative to LBS", GRID_VALUES);
    report_add_plot(report, id, "Loss of shape against time, both relative to LBS");
    html_print(report->html, "<details><summary>All measures, and how they are taken</summary>\n");
    STATUS_TRY(board_make(board, &links, true, &whole));
    html_table_write(whole, whole_id, report->html);
    html_print(
        report->html,
        "<p>The score is the loss of shape of <code>skinbench advise</code>: edge stretch, area distortion, "
        "and "
        "the collapse and bulge of the skin measured from the bones, relative to LBS, in the rig's own poses "
        "and in generated ones within the ranges of the joints. If a file has shapes that no method made, "
        "E_RMS "
        "relative to LBS counts in the same way. The score is the geometric mean over %d such numbers; a "
        "method that lacks some is compared on those that it has. Times are those of a frame in file order, "
        "including the pose, on simd with one thread. The table shows their geometric mean over %d rigs and, "
        "in brackets, the geometric means of the ends of their 95 %% intervals; a time without an interval "
        "is "
        "rounded to one digit. A method is unsafe on a rig if it tears the skin, which is a gap of 4 %% of "
        "the diagonal, or strains it, which means edges or areas that change by 15 %% more than under LBS; "
        "methods that are unsafe on more than half of the rigs stand below the others, as advise never names "
        "them. Artefacts are the largest values over the rigs. Other parameters and backends are compared in "
        "the tables of each data set. <code>skinbench table direct-methods --data FOLDER</code> measures all "
        "of this again.%s%s%s</p>\n",
        shapes->dataset_count, board->times.dataset_count,
        board->made[0] ? " Shapes that a method made do not count: " : "", board->made,
        board->made[0] ? "." : "");
    if (board->refused[0])
        html_print(report->html, "<p>Not scored, because the method cannot use the rig: %s.</p>\n",
                   board->refused);
    html_print(report->html, "</details>\n");
    html_print(report->html, "<details><summary>Each rig by itself</summary>\n");
    report_add_plot(report, scores,
                    "Loss of shape divided by the smallest loss. Each box summarises a method over all rigs; "
                    "each point is one rig");
    report_add_plot(
        report, times_id,
        "Time relative to LBS. Each box summarises a method over all rigs; each point is one rig");
    html_print(report->html, "</details>\n");
    TextTable *numbers = text_table_create("Loss of shape on each rig relative to LBS, or E_RMS",
                                           "?method|?rig|loss or E_RMS|ratio to the best");
    score_grid_rows(shapes, NULL, board->records, numbers);
    STATUS_TRY(report_add_numbers(report, "direct-shapes", "Numbers behind the scores", numbers));
    numbers = text_table_create("Time of a frame relative to LBS",
                                "?method|?rig|time relative to LBS|ratio to the best");
    score_grid_rows(times, NULL, board->records, numbers);
    return report_add_numbers(report, "direct-ratios", "Numbers behind the times", numbers);
}

Status direct_leaders_write(ReportPage *report)
{
    LOCAL_ARRAY(DirectBoard, board, 1, "a leaderboard");
    board->records = report->records;
    rigs_collect(board);
    file_shapes_collect(board);
    score_grid_rank(&board->shapes);
    score_grid_rank(&board->times);
    if (board->shapes.ranked_count > 0)
        return board_write(report, board);
    report_verdicts_bar(report);
    html_print(report->html, "<p>This run does not rank direct methods: <code>skinbench table "
                             "direct-methods</code> measures the shape that they lose.</p>\n");
    return status_ok();
}
