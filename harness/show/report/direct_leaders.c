/* Ranks direct methods by the distance of their skins from reference shapes, and lists their artefacts and
 * times. A reference shape is either the bar of CoR's Figure 2, which should neither bulge nor collapse, or
 * the positions of a data set that also has a rig. Positions that one of the methods produced do not
 * count. */
#include "harness/show/report/report_parts.h"

#include "harness/show/report/score_grid.h"

static const double SHAPE_SHIFT_PERCENT =
    1.0; /* added to distances in per cent, because an exact bar has distance 0 */
static const double SELF_MADE_E_RMS =
    1e-3; /* if a method's E_RMS is at most this value, the method must have made the data set's positions */

/* Artefacts of skins, each measured by a study. The worst value over the rows of the study's table
 * counts. */
static const struct {
    const char *title, *table, *measure;
} artefacts[] = {
    {"bulge, % of the radius", "cor-fig2", "bulge_percent"},
    {"collapse, %", "cor-fig2", "collapse_percent"},
    {"gap between joint sets", "dqs-fig8", "set_gap_1e-5"},
    {"gap at the nearest joint", "dqs-fig8", "nearest_gap"},
    {"jump at 180 degrees (in radii)", "dqs-fig20", "jump"},
};
enum { ARTEFACT_COUNT = sizeof artefacts / sizeof *artefacts };

/* Returns a method's value of this measure from the record of a study; NAN if there is none. A study
 * measures one method, or several methods whose names are part of the measures' names. */
static double leader_measure(const Record *record, const char *method, const char *measure)
{
    char name[2 * CELL_METHOD_BYTES];
    const char *only = argument_text(argument_find(record->cell.parameters, "method"), "");
    if (strcmp(only, method) == 0)
        return record_measure(record, measure);
    snprintf(name, sizeof name, "%.60s_%s", method, measure);
    return record_measure(record, name);
}

static bool is_study_of(const Record *record, const char *table)
{
    return record->cell.kind == CELL_STUDY && record->status == RECORD_OK &&
           strcmp(record->cell.table, table) == 0;
}

/* Whether a cell has the settings with which methods are compared: skinning of positions, in one phase, at
 * the default instruction-set level. */
static bool is_plain(const Cell *cell)
{
    return cell->kind == CELL_SKINNING && !cell->normals && !cell->two_phase && cell->level[0] == '\0';
}

static int leader_place(ScoreGrid *grid, const Cell *cell)
{
    char parameters[GRID_NAME_BYTES - CELL_METHOD_BYTES], name[GRID_NAME_BYTES];
    cell_parameters_format(cell, parameters, sizeof parameters);
    snprintf(name, sizeof name, "%s%s%s", cell->method, parameters[0] ? " " : "", parameters);
    return score_grid_method(grid, name);
}

/* ---- times ---- */

static bool is_timed_on(const Record *record, const char *backend)
{
    return is_plain(&record->cell) && strcmp(record->cell.backend, backend) == 0 &&
           !isnan(record_derived(record, DERIVED_FRAME_RATIO_TO_LBS)->median);
}

/* Returns the backend whose times are compared: the first backend of the list that was timed. Returns "" if
 * none of them was timed. */
static const char *backend_choose(const RecordView *records)
{
    static const char *const wanted[] = {"simd", "scalar", "cuda", "opencl"};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (const Record *record = NULL; (record = record_view_next(records, record));)
            if (is_timed_on(record, wanted[i]))
                return wanted[i];
    return "";
}

/* ---- the table ---- */

typedef struct DirectBoard {
    const RecordView *records;
    ScoreGrid *shapes, *times;
    Ranking by_shape, by_time;
    TextTable *table;
} DirectBoard;

static void board_row(const DirectBoard *board, int shape_method)
{
    const char *method = board->shapes->methods[shape_method];
    const double score = ranking_is_scored(&board->by_shape) ? board->by_shape.scores[shape_method] : NAN;
    text_table_row(board->table, method, NULL);
    text_table_number(board->table, score, 3);
    text_table_mark(board->table, isnan(score) ? NULL : "score");
    /* its time */
    const int timed = score_grid_find(board->times, method);
    const bool ranked = timed >= 0 && !isnan(board->by_time.scores[timed]);
    const Interval mean = strcmp(method, "lbs") == 0 ? (Interval){1.0, 1.0, 1.0}
                          : ranked                   ? score_grid_mean(board->times, &board->by_time, timed)
                                                     : (Interval){NAN, NAN, NAN};
    if (ranked && mean.low < mean.high)
        text_table_cell(board->table, "%.2f (%.2f to %.2f)", mean.median, mean.low, mean.high);
    else
        text_table_number(board->table, mean.median, 3);
    text_table_value(board->table, mean.median, "");
    /* write the worst value of each artefact */
    for (int i = 0; i < ARTEFACT_COUNT; i++) {
        const Record *worst = NULL;
        char name[RECORD_NAME_BYTES];
        double max = NAN;
        for (const Record *record = NULL; (record = record_view_next(board->records, record));) {
            if (!is_study_of(record, artefacts[i].table))
                continue;
            const double value = leader_measure(record, method, artefacts[i].measure);
            if (isnan(value) || value <= max)
                continue;
            max = value;
            worst = record;
        }
        if (max > 0.0 && max < 1e-4) /* so small a number is only a rounding error of single precision */
            text_table_cell(board->table, "< 0.0001");
        else
            text_table_number(board->table, max, 3);
        text_table_value(board->table, max, record_name(board->records, worst, name));
    }
}

static void direct_rule_write(const DirectBoard *board, const char *backend, const char *made, HtmlFile *html)
{
    html_print(
        html,
        "<p>The rule: a reference shape is either a motion of the bar of CoR's Figure 2, whose error is the "
        "larger of bulge and collapse in per cent of the radius, or a data set's own positions, whose error "
        "is E_RMS. On each shape, a method's error is divided by the smallest error of a ranked method (1 %% "
        "of the radius is added to both, because an exact bar has no error). The score is the geometric mean "
        "over the %d shapes on which all ranked methods were measured. A method is ranked if it was measured "
        "on at least half of the shapes for which several methods were measured.",
        board->by_shape.counting_count);
    if (board->by_shape.counting_count < 10)
        html_print(html, " With so few shapes, the score is only a summary of them.");
    html_print(html, " A dash means that no table of this run measured the method; columns with only dashes "
                     "are left out.");
    if (made[0])
        html_print(
            html,
            " These data sets are left out, because their positions were made by one of the methods: %s.",
            made);
    html_print(
        html,
        " The time is that of a frame in file order, including the pose, relative to LBS. It is the "
        "geometric mean over %d data sets, with the geometric means of the ends of their 95 %% intervals in "
        "brackets, on the backend %s. Artefacts are the largest values found by the studies of the tables ",
        board->by_time.counting_count, backend[0] ? backend : "(nothing was timed)");
    for (int i = 0; i < ARTEFACT_COUNT; i++)
        if (i == 0 || strcmp(artefacts[i].table, artefacts[i - 1].table) != 0)
            html_print(html, "%s%s", i > 0 ? ", " : "", artefacts[i].table);
    html_print(html, ".</p>\n");
}

static Status board_write(ReportPage *report, DirectBoard *board, const char *backend, const char *made)
{
    char id[FIGURE_NAME_BYTES], scores[FIGURE_NAME_BYTES], times[FIGURE_NAME_BYTES];
    report_file_name(report, "direct-methods", id);
    report_file_name(report, "direct-scores", scores);
    report_file_name(report, "direct-times", times);
    /* List the ranked methods, best first. Then list methods without a score, if they are ranked by time or
     * have only default parameters. */
    board->table =
        text_table_create(ranking_is_scored(&board->by_shape)
                              ? "Direct methods: a score of 1 means best on every shape"
                              : "Direct methods (no score, because there are fewer than three shapes)",
                          "<method|shape score|time relative to LBS");
    for (int i = 0; i < ARTEFACT_COUNT; i++)
        text_table_column_add(board->table, artefacts[i].title);
    for (int i = 0; i < board->by_shape.ranked_count; i++)
        board_row(board, board->by_shape.order[i]);
    for (int m = 0; m < board->shapes->method_count; m++) {
        const int timed = score_grid_find(board->times, board->shapes->methods[m]);
        const bool plain = !strchr(board->shapes->methods[m], ' ');
        if (isnan(board->by_shape.scores[m]) &&
            (plain || (timed >= 0 && !isnan(board->by_time.scores[timed]))))
            board_row(board, m);
    }
    STATUS_TRY(text_table_status(board->table));
    text_table_drop_empty(board->table);
    html_table_write(board->table, id, report->html);
    direct_rule_write(board, backend, made, report->html);
    /* plot distance from the shape against time, for methods that have both */
    page_plot_start(report->plots, id, "Shape and time of direct methods", PLOT_POINTS,
                    (PlotAxis){"time relative to LBS", true}, (PlotAxis){"shape score", true});
    for (int i = 0; ranking_is_scored(&board->by_shape) && i < board->by_shape.ranked_count; i++) {
        const int shape = board->by_shape.order[i],
                  timed = score_grid_find(board->times, board->shapes->methods[shape]);
        if (timed < 0 || isnan(board->by_time.scores[timed]))
            continue;
        page_plot_series(report->plots, board->shapes->methods[shape], false);
        page_plot_point(report->plots, score_grid_mean(board->times, &board->by_time, timed).median,
                        board->by_shape.scores[shape], board->shapes->methods[shape], "");
    }
    score_grid_plot(board->shapes, &board->by_shape, board->records, report->plots, scores,
                    "Errors divided by the smallest error (one point for each shape)",
                    "error / smallest error", GRID_RATIOS);
    score_grid_plot(board->times, &board->by_time, board->records, report->plots, times,
                    "Time relative to LBS (one point for each data set)", "time relative to LBS",
                    GRID_VALUES);
    report_add_plot(report, id, "Score against time relative to LBS");
    report_add_plot(report, scores,
                    "Error divided by the smallest error. Each box summarises a method over all shapes; each "
                    "point is one shape");
    report_add_plot(
        report, times,
        "Time relative to LBS. Each box summarises a method over all data sets; each point is one data set");
    STATUS_TRY(report_add_numbers(report, "direct-shapes", "Numbers behind the scores",
                                  score_grid_table(board->shapes, &board->by_shape, board->records,
                                                   "Errors against reference shapes", "error")));
    return report_add_numbers(report, "direct-ratios", "Numbers behind the times",
                              score_grid_table(board->times, &board->by_time, board->records,
                                               "Time of a frame relative to LBS", "time relative to LBS"));
}

static void direct_board_clear(DirectBoard *board)
{
    text_table_free(board->table);
    ranking_clear(&board->by_shape);
    ranking_clear(&board->by_time);
    FREE_ALL(board->shapes, board->times);
}

Status direct_leaders_write(ReportPage *report)
{
    CLEANUP(direct_board_clear)
    DirectBoard board = {
        .records = report->records, .shapes = score_grid_create(), .times = score_grid_create()};
    const char *backend = backend_choose(report->records);
    char made[512];
    ALLOCATED(board.shapes && board.times, "a leaderboard");
    /* collect the distances from the positions of data sets */
    ScoreGrid *shapes = board.shapes;
    for (const Record *record = NULL; (record = record_view_next(report->records, record));)
        if (is_plain(&record->cell) && record->status == RECORD_OK) {
            const int method = leader_place(shapes, &record->cell);
            const double error = record_metric(record, "e_rms");
            if (isnan(error))
                continue;
            GridCell *cell =
                score_grid_at(shapes, method, score_grid_dataset(shapes, record->cell.dataset.name, 0.0));
            if (cell && isnan(cell->value))
                *cell = (GridCell){error, NAN, NAN, record};
        }
    /* Empty the columns of data sets whose positions were made by one of the methods. Collect the names of
     * these data sets. */
    made[0] = '\0';
    for (int d = 0; d < shapes->dataset_count; d++)
        for (int m = 0; m < shapes->method_count; m++) {
            if (!(shapes->cells[m][d].value < SELF_MADE_E_RMS))
                continue;
            text_append(made, sizeof made, "%s%s (by %s)", made[0] ? ", " : "", shapes->datasets[d],
                        shapes->methods[m]);
            for (int k = 0; k < shapes->method_count; k++)
                shapes->cells[k][d] = (GridCell){NAN, NAN, NAN, NULL};
            break;
        }
    /* For every method in a record, collect the results on bars: the larger of bulge and collapse. */
    for (const Record *record = NULL; (record = record_view_next(report->records, record));)
        if (is_study_of(record, artefacts[0].table)) {
            const Argument *methods = argument_find(record->cell.parameters, "methods");
            for (int i = 0; i < argument_count(methods); i++)
                (void)score_grid_method(shapes, argument_text(argument_at(methods, i), ""));
            char name[GRID_NAME_BYTES];
            snprintf(name, sizeof name, "bar, %s", record->cell.row);
            for (int m = 0; m < shapes->method_count; m++) {
                const double error = fmax(leader_measure(record, shapes->methods[m], "bulge_percent"),
                                          leader_measure(record, shapes->methods[m], "collapse_percent"));
                if (!isnan(error))
                    *score_grid_at(shapes, m, score_grid_dataset(shapes, name, SHAPE_SHIFT_PERCENT)) =
                        (GridCell){error, NAN, NAN, record};
            }
        }
    /* remove columns without a number */
    int kept = 0;
    for (int d = 0; d < shapes->dataset_count; d++) {
        bool empty = true;
        for (int m = 0; m < shapes->method_count; m++)
            empty = empty && isnan(shapes->cells[m][d].value);
        if (empty)
            continue;
        if (kept < d)
            memcpy(shapes->datasets[kept], shapes->datasets[d], sizeof shapes->datasets[d]);
        shapes->shifts[kept] = shapes->shifts[d];
        for (int m = 0; m < shapes->method_count; m++)
            shapes->cells[m][kept] = shapes->cells[m][d];
        kept++;
    }
    shapes->dataset_count = kept;
    /* collect the times of each data set, measured with the smallest number of threads that it has */
    for (const Record *record = NULL; (record = record_view_next(report->records, record));) {
        const Interval *ratio = record_derived(record, DERIVED_FRAME_RATIO_TO_LBS);
        if (!is_timed_on(record, backend))
            continue;
        GridCell *cell = score_grid_at(board.times, leader_place(board.times, &record->cell),
                                       score_grid_dataset(board.times, record->cell.dataset.name, 0.0));
        if (cell && (!cell->record || record->cell.threads < cell->record->cell.threads))
            *cell = (GridCell){ratio->median, ratio->low, ratio->high, record};
    }
    STATUS_TRY(score_grid_rank(board.shapes, &board.by_shape));
    STATUS_TRY(score_grid_rank(board.times, &board.by_time));
    return board_write(report, &board, backend, made);
}
