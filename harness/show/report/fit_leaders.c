/* Ranks decompositions by their error, and shows the size of their models and their time. Also finds for
 * each data set the fits that no other fit beats in error, size and time. */
#include "harness/show/report/report_parts.h"

#include "harness/show/report/score_grid.h"
#include "harness/show/tables/record_tables.h"

enum { FIT_ERROR, FIT_SIZE, FIT_TIME, FIT_MEASURES, FRONT_MAX = 2048, SPREAD_FITS_MAX = 64 };

static const double ERROR_SHIFT = 0.1; /* number added to E_RMS before division, because truncated SVD with
                                          enough dimensions leaves almost no error */

/* Parameters that describe the task rather than the method, including the random seed. */
static const char *const of_task[] = {"bones", "influences", "iterations", "time_limit_s", "holdout",
                                      "error", "repeats",    "start",      "seed",         NULL};

static double measure_of(const Record *record, int measure)
{
    return measure == FIT_ERROR  ? record_metric(record, "e_rms")
           : measure == FIT_SIZE ? 1e-6 * record->fit.size_bytes
                                 : record_stage_median_s(record, STAGE_TOTAL);
}

/* Whether a record counts in the ranking: a fit of all frames with a given number of bones. Searches for
 * the fewest bones do not count. */
static bool is_ranked(const Record *record)
{
    const Argument *parameters = record->cell.parameters;
    return record->cell.kind == CELL_DECOMPOSITION && record->status == RECORD_OK &&
           !argument_find(parameters, "holdout") && !argument_find(parameters, "error");
}

static void method_name(const Cell *cell, char name[GRID_NAME_BYTES])
{
    char parameters[GRID_NAME_BYTES - CELL_METHOD_BYTES];
    cell_parameters_without(cell, of_task, parameters, sizeof parameters);
    snprintf(name, GRID_NAME_BYTES, "%s%s%s", cell->method, parameters[0] ? " " : "", parameters);
}

static void task_name(const Cell *cell, char name[GRID_NAME_BYTES])
{
    snprintf(name, GRID_NAME_BYTES, "%.150s, %g bones, %g influences, %g iterations", cell->dataset.name,
             argument_number_of(cell->parameters, "bones", NAN),
             argument_number_of(cell->parameters, "influences", NAN),
             argument_number_of(cell->parameters, "iterations", NAN));
}

/* ---- the ranking ---- */

/* Returns the fit that has the median error among a method's fits of a task. If the number of fits is even,
 * returns the better of the two middle ones. */
static const Record *median_fit(const RecordView *records, const Record *like)
{
    const Record *fits[SPREAD_FITS_MAX];
    char method[GRID_NAME_BYTES], task[GRID_NAME_BYTES], other[GRID_NAME_BYTES];
    int count = 0;
    method_name(&like->cell, method);
    task_name(&like->cell, task);
    for (const Record *record = NULL; (record = record_view_next(records, record));) {
        if (!is_ranked(record) || count == SPREAD_FITS_MAX)
            continue;
        method_name(&record->cell, other);
        if (strcmp(method, other) != 0 || strcmp(record->cell.dataset.sha256, like->cell.dataset.sha256) != 0)
            continue;
        task_name(&record->cell, other);
        if (strcmp(task, other) != 0)
            continue;
        int slot = count++;
        for (; slot > 0 && measure_of(record, FIT_ERROR) < measure_of(fits[slot - 1], FIT_ERROR); slot--)
            fits[slot] = fits[slot - 1];
        fits[slot] = record;
    }
    return count > 0 ? fits[(count - 1) / 2] : like;
}

typedef struct FitBoard {
    const RecordView *records;
    ScoreGrid *grids[FIT_MEASURES];
    Ranking rankings[FIT_MEASURES];
} FitBoard;

/* Rigs and low-rank models with the same number of bones differ greatly in size, so each kind is ranked
 * separately. */
typedef struct FitKind {
    bool rigs;
    const char *title, *scores, *errors, *numbers;
} FitKind;
static const FitKind fit_kinds[] = {
    {true, "Rigs", "decomposition-scores", "decomposition-errors", "Numbers behind the scores of rigs"},
    {false, "Low-rank models", "low-rank-scores", "low-rank-errors",
     "Numbers behind the scores of low-rank models"},
};

static Status ranking_write(ReportPage *report, FitBoard *board, const FitKind *kind)
{
    const Ranking *ranking = &board->rankings[FIT_ERROR];
    OWNED_BY(text_table_free)
    TextTable *table = NULL;
    char id[FIGURE_NAME_BYTES], title[128];
    const bool scored = ranking_is_scored(ranking);
    snprintf(title, sizeof title, "%s: %s", kind->title,
             scored ? "a score of 1 means best on every task"
                    : "smallest errors first (no score, because there are fewer than three tasks)");
    table = text_table_create(title, "<method|error score|size score|time score");
    /* write the table, and a plot of its contents */
    for (int i = 0; i < ranking->ranked_count; i++) {
        text_table_row(table, board->grids[FIT_ERROR]->methods[ranking->order[i]], NULL);
        for (int k = 0; k < FIT_MEASURES; k++) {
            const double score = scored ? board->rankings[k].scores[ranking->order[i]] : NAN;
            text_table_number(table, score, 3);
            text_table_mark(table, isnan(score) ? NULL : "score");
        }
    }
    STATUS_TRY(text_table_status(table));
    text_table_drop_empty(table);
    if (ranking->ranked_count > 0) {
        report_file_name(report, kind->scores, id);
        html_table_write(table, id, report->html);
        score_grid_plot(board->grids[FIT_ERROR], ranking, board->records, report->plots, id,
                        "E_RMS divided by the smallest E_RMS (one point for each task)",
                        "E_RMS / smallest E_RMS", GRID_RATIOS);
        report_add_plot(report, id,
                        "E_RMS divided by the smallest E_RMS. Each box summarises a method over all tasks; "
                        "each point is one task");
    }
    html_print(report->html,
               "<p>The rule: a task is a data set with a number of bones, influences and iterations. On each "
               "task a method's E_RMS (the median of several fits that differ only in their random seed) is "
               "divided by the smallest E_RMS of a ranked method (with %g added to both). The score is the "
               "geometric mean over the %d tasks on which all ranked methods were fitted; size and time get "
               "scores in the same way, from the same fits. A method is ranked if it was fitted on at least "
               "half of the tasks on which several methods were fitted; %d of %d methods are ranked.%s</p>\n",
               ERROR_SHIFT, ranking->counting_count, ranking->ranked_count,
               board->grids[FIT_ERROR]->method_count,
               ranking->counting_count < 5 ? " With so few tasks, the score is only a summary of them." : "");
    return report_add_numbers(
        report, kind->errors, kind->numbers,
        score_grid_table(board->grids[FIT_ERROR], ranking, board->records, "E_RMS by task", "E_RMS"));
}

/* ---- the Pareto fronts ---- */

typedef struct FitFront {
    const RecordView *records;
    const Record *fits[FRONT_MAX]; /* [count] */
    double values[FRONT_MAX * FIT_MEASURES];
    bool on_front[FRONT_MAX];
    int count;
} FitFront;

static void fit_board_clear(FitBoard *board)
{
    for (int i = 0; i < FIT_MEASURES; i++) {
        ranking_clear(&board->rankings[i]);
        memory_free(board->grids[i]);
    }
}

static Status kind_write(ReportPage *report, const FitKind *kind)
{
    CLEANUP(fit_board_clear) FitBoard board = {.records = report->records};
    bool any = false;
    for (int i = 0; i < FIT_MEASURES; i++)
        if (!(board.grids[i] = score_grid_create()))
            return status_out_of_memory("a leaderboard");
    for (const Record *record = NULL; (record = record_view_next(board.records, record));) {
        char method[GRID_NAME_BYTES], task[GRID_NAME_BYTES];
        const DecompositionMethod *known = decomposition_method_find(record->cell.method);
        if (!is_ranked(record) || (!known || known->makes_rig) != kind->rigs)
            continue;
        any = true;
        method_name(&record->cell, method);
        task_name(&record->cell, task);
        for (int i = 0; i < FIT_MEASURES; i++) {
            const int row = score_grid_method(board.grids[i], method),
                      column = score_grid_dataset(board.grids[i], task, i == FIT_ERROR ? ERROR_SHIFT : 0.0);
            GridCell *cell = score_grid_at(board.grids[i], row, column);
            if (!cell || cell->record)
                continue;
            cell->record = i == 0 ? median_fit(board.records, record)
                                  : score_grid_at(board.grids[0], row, column)->record;
            cell->value = measure_of(cell->record, i);
        }
    }
    for (int i = 0; i < FIT_MEASURES; i++)
        STATUS_TRY(score_grid_rank(board.grids[i], &board.rankings[i]));
    return any ? ranking_write(report, &board, kind) : status_ok();
}

Status fit_leaders_write(ReportPage *report)
{
    LOCAL_ARRAY(FitFront, front, 1, "a leaderboard");
    front->records = report->records;
    for (size_t i = 0; i < sizeof fit_kinds / sizeof *fit_kinds; i++)
        STATUS_TRY(kind_write(report, &fit_kinds[i]));
    /* write the fronts of all data sets in one table, and a plot for each */
    OWNED_BY(text_table_free)
    TextTable *table =
        text_table_create("Fits that no other fit of the same data set beats in error, size and time",
                          "?data set|?method|bones|E_RMS|size, MB|time, s");
    char id[FIGURE_NAME_BYTES], file[FIGURE_NAME_BYTES];
    int number = 0;
    html_print(report->html, "<details><summary>Error against size, a plot for each data set</summary>\n");
    for (const Record *first = NULL; (first = next_dataset(report->records, CELL_DECOMPOSITION, first));) {
        /* collect the fits of the data set with any number of bones */
        front->count = 0;
        for (const Record *record = NULL;
             (record = record_view_next_of(report->records, first->cell.dataset.sha256, record));)
            if (is_ranked(record) && front->count < FRONT_MAX)
                front->fits[front->count++] = record;
        if (front->count == 0)
            continue;
        for (int i = 0; i < front->count * FIT_MEASURES; i++)
            front->values[i] = measure_of(front->fits[i / FIT_MEASURES], i % FIT_MEASURES);
        /* write the fits on the front to the table */
        pareto_front(front->values, front->count, FIT_MEASURES, front->on_front);
        char method[GRID_NAME_BYTES];
        for (int i = 0; i < front->count; i++)
            if (front->on_front[i]) {
                method_name(&front->fits[i]->cell, method);
                const Record *fit = front->fits[i];
                char name[RECORD_NAME_BYTES];
                text_table_row(table, fit->cell.dataset.name, method, NULL);
                text_table_number(table, argument_number_of(fit->cell.parameters, "bones", NAN), 1);
                for (int m = 0; m < FIT_MEASURES; m++) {
                    text_table_number(table, measure_of(fit, m), 3);
                    text_table_value(table, measure_of(fit, m), record_name(front->records, fit, name));
                }
            }
        /* plot all fits */
        snprintf(id, sizeof id, "front-%d", ++number);
        report_file_name(report, id, file);
        char label[2 * GRID_NAME_BYTES], name[RECORD_NAME_BYTES];
        page_plot_start(report->plots, file, first->cell.dataset.name, PLOT_POINTS,
                        (PlotAxis){"size of the model, MB", true}, (PlotAxis){"E_RMS", true});
        for (int i = 0; i < front->count; i++) {
            const double *values = &front->values[i * FIT_MEASURES];
            method_name(&front->fits[i]->cell, method);
            snprintf(label, sizeof label, "%s, %.3g s%s", method, values[FIT_TIME],
                     front->on_front[i] ? ", on the Pareto front" : "");
            page_plot_series(report->plots, method, false);
            page_plot_point(report->plots, values[FIT_SIZE], values[FIT_ERROR], label,
                            record_name(front->records, front->fits[i], name));
        }
        report_add_plot(report, file, first->cell.dataset.name);
    }
    if (!report->has_script)
        html_print(report->html,
                   "<p>The page's script would draw these plots; their numbers are in the tables.</p>\n");
    html_print(report->html, "</details>\n");
    STATUS_TRY(text_table_status(table));
    report_file_name(report, "decomposition-fronts", file);
    html_table_write(table, file, report->html);
    return status_ok();
}
