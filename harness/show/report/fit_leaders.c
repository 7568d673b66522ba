/* Ranks decompositions by their error, and shows the size of their models and their time. Also finds for
 * each data set the fits that no other fit beats in error, size and time. */
#include "harness/show/report/report_parts.h"

#include "harness/show/report/score_grid.h"
#include "harness/show/tables/record_tables.h"

enum { FIT_ERROR, FIT_SIZE, FIT_TIME, FIT_MEASURES, FRONT_MAX = 2048, SPREAD_FITS_MAX = 64 };

static const double ERROR_SHIFT = 0.1; /* number added to E_RMS before division, because truncated SVD with
                                          enough dimensions leaves almost no error */

/* Parameters that describe the task or the kind of the model rather than the method, and the random
 * seed. */
static const char *const of_task[] = {"bones",      "influences", "iterations", "time_limit_s", "holdout",
                                      "error",      "repeats",    "start",      "seed",         "rest-pose",
                                      "transforms", "rest",       NULL};

static double measure_of(const Record *record, int measure)
{
    return measure == FIT_ERROR  ? record_metric(record, "e_rms")
           : measure == FIT_SIZE ? 1e-6 * record->fit.size_bytes
                                 : record_stage_median_s(record, STAGE_TOTAL);
}

/* Returns how many digits of a fit's time are shown: one if there are too few runs for an interval. */
static int time_digits(const Record *record)
{
    return timing_stage(&record->timing, STAGE_TOTAL)->sample_count >= INTERVAL_SAMPLES_MIN ? 3 : 1;
}

/* Whether an external program took more processor time than its threads have. The margin is for the start and
 * the end of its processes. */
static bool threads_are_exceeded(const Record *record)
{
    const double MARGIN = 1.1;
    return record->external &&
           record->external->processor_s > MARGIN * record->cell.threads * record->external->wall_s;
}

/* Whether a record counts in the ranking: a fit of all frames with a given number of bones. Searches for
 * the fewest bones do not count, nor does a program that ran under other conditions than the methods. */
static bool is_ranked(const Record *record)
{
    const Argument *parameters = record->cell.parameters;
    return record->cell.kind == CELL_DECOMPOSITION && record->status == RECORD_OK &&
           !argument_find(parameters, "holdout") && !argument_find(parameters, "error") &&
           !threads_are_exceeded(record);
}

/* Names a method by its parameters and, unless it was fitted as usual, its number of iterations. */
static void method_name(const Cell *cell, char name[GRID_NAME_BYTES])
{
    enum { USUAL_ITERATIONS = 15 };
    char parameters[GRID_NAME_BYTES - CELL_METHOD_BYTES];
    const double iterations = argument_number_of(cell->parameters, "iterations", USUAL_ITERATIONS);
    cell_parameters_without(cell, of_task, parameters, sizeof parameters);
    snprintf(name, GRID_NAME_BYTES, "%s%s%s", cell->method, parameters[0] ? " " : "", parameters);
    if (strcmp(cell->backend, CELL_BACKEND_EXTERNAL) == 0)
        text_append(name, GRID_NAME_BYTES, ", external");
    if (iterations < USUAL_ITERATIONS || iterations > USUAL_ITERATIONS)
        text_append(name, GRID_NAME_BYTES, ", %g iterations", iterations);
}

/* ---- kinds of models ---- */

/* Kinds of models, each ranked by itself, as FitFacts describes them. */
static const struct FitKind {
    const char *transforms, *rest_pose, *title;
} fit_kinds[] = {{"rigid", "kept", "rigid bones, rest pose kept"},
                 {"rigid", "moved", "rigid bones, rest pose moved"},
                 {"affine", "kept", "affine bones, rest pose kept"},
                 {"affine", "moved", "affine bones, rest pose moved"},
                 {"rigid", "corrected", "rigid bones, rest pose corrected in every frame"},
                 {"affine", "corrected", "affine bones, rest pose corrected in every frame"},
                 {"low-rank", "", "low-rank model without bones"}};

static bool is_of_kind(const Record *record, const struct FitKind *kind)
{
    return is_ranked(record) && strcmp(record->fit.transforms, kind->transforms) == 0 &&
           strcmp(record->fit.rest_pose, kind->rest_pose) == 0;
}

/* Writes the name of a fit's method, followed by the kind of its model. */
static void fit_label(const Record *record, char label[2 * GRID_NAME_BYTES])
{
    char method[GRID_NAME_BYTES];
    method_name(&record->cell, method);
    snprintf(label, 2 * GRID_NAME_BYTES, "%s", method);
    for (size_t i = 0; i < sizeof fit_kinds / sizeof *fit_kinds; i++)
        if (is_of_kind(record, &fit_kinds[i]))
            text_append(label, 2 * GRID_NAME_BYTES, ", %s", fit_kinds[i].title);
}

/* ---- the ranking ---- */

/* Writes the name of a task: its data, the rest pose from which rigs are fitted, and the numbers of bones and
 * influences. */
static void task_name(const Cell *cell, char name[GRID_NAME_BYTES])
{
    const char *rest = argument_text(argument_find(cell->parameters, "rest-pose"), "file");
    snprintf(name, GRID_NAME_BYTES, "%.150s, %g bones, %g influences%s", cell->dataset.name,
             argument_number_of(cell->parameters, "bones", NAN),
             argument_number_of(cell->parameters, "influences", NAN),
             strcmp(rest, "first") == 0 ? ", from the first frame" : "");
}

/* Returns the fit that has the median error among a method's fits of a task. If the number of fits is even,
 * returns the better of the two middle ones. */
static const Record *median_fit(const RecordView *records, const Record *like, const struct FitKind *kind)
{
    const Record *fits[SPREAD_FITS_MAX];
    char method[GRID_NAME_BYTES], task[GRID_NAME_BYTES], other[GRID_NAME_BYTES];
    int count = 0;
    method_name(&like->cell, method);
    task_name(&like->cell, task);
    for (const Record *record = NULL; (record = record_view_next(records, record));) {
        if (!is_of_kind(record, kind) || count == SPREAD_FITS_MAX)
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

/* Returns the geometric mean of a method's errors over its tasks, with ERROR_SHIFT as in the score. */
static double mean_error(const ScoreGrid *grid, int method)
{
    double sum = 0.0;
    int count = 0;
    for (int d = 0; d < grid->dataset_count; d++)
        if (!isnan(grid->cells[method][d].value)) {
            sum += log(grid->cells[method][d].value + ERROR_SHIFT);
            count++;
        }
    return count > 0 ? fmax(exp(sum / count) - ERROR_SHIFT, 0.0) : NAN;
}

/* Adds a row for every method of a kind to `table`, best first and unranked methods last, and their errors
 * to `numbers`. link: id of the table of these errors, which must outlive `table`. */
static Status kind_write(const RecordView *records, const struct FitKind *kind, const char *link,
                         TextTable *table, TextTable *numbers)
{
    LOCAL_ARRAY(ScoreGrid, grids, FIT_MEASURES, "a leaderboard");
    const ScoreGrid *errors = &grids[FIT_ERROR];
    for (const Record *record = NULL; (record = record_view_next(records, record));) {
        char method[GRID_NAME_BYTES], task[GRID_NAME_BYTES];
        if (!is_of_kind(record, kind))
            continue;
        method_name(&record->cell, method);
        task_name(&record->cell, task);
        const Record *fit = NULL;
        for (int i = 0; i < FIT_MEASURES; i++) {
            GridCell *cell = score_grid_at(&grids[i], method, task, i == FIT_ERROR ? ERROR_SHIFT : 0.0);
            if (!cell || cell->record)
                continue;
            fit = fit ? fit : median_fit(records, record, kind);
            *cell = (GridCell){measure_of(fit, i), NAN, NAN, fit};
            const Statistics *total = &timing_stage(&fit->timing, STAGE_TOTAL)->statistics;
            if (i == FIT_TIME && time_digits(fit) > 1) {
                cell->low = total->interval_low;
                cell->high = total->interval_high;
            }
        }
    }
    for (int i = 0; i < FIT_MEASURES; i++)
        score_grid_rank(&grids[i]);
    for (int i = 0; i < errors->ranked_count + errors->method_count; i++) {
        const int method = i < errors->ranked_count ? errors->order[i] : i - errors->ranked_count;
        if (i >= errors->ranked_count && !isnan(errors->scores[method]))
            continue;
        text_table_row(table, errors->methods[method], kind->title, NULL);
        text_table_number(table, mean_error(errors, method), 3);
        text_table_link(table, link);
        for (int k = 0; k < FIT_MEASURES; k++) {
            score_grid_cell(&grids[k], method, -1, k == FIT_TIME, table);
            text_table_mark(table, isnan(grids[k].scores[method]) ? NULL : "score");
        }
        text_table_number(table, errors->counts[method], 1);
    }
    score_grid_rows(errors, kind->title, records, numbers);
    return status_ok();
}

static Status ranking_write(ReportPage *report)
{
    OWNED_BY(text_table_free)
    TextTable *table = text_table_create("Decompositions, each kind of model by itself",
                                         "<method|?kind of model|E_RMS|E_RMS relative to the best of the "
                                         "kind|size relative to the smallest|time relative to the "
                                         "shortest|tasks");
    OWNED_BY(text_table_free)
    TextTable *numbers =
        text_table_create("E_RMS by task", "?method|?kind of model|?task|E_RMS|ratio to the best");
    char id[FIGURE_NAME_BYTES], link[FIGURE_NAME_BYTES];
    report_file_name(report, "decomposition-errors", link);
    for (size_t i = 0; i < sizeof fit_kinds / sizeof *fit_kinds; i++)
        STATUS_TRY(kind_write(report->records, &fit_kinds[i], link, table, numbers));
    STATUS_TRY(text_table_status(table));
    int unknown = 0, greedy = 0;
    for (const Record *record = NULL; (record = record_view_next(report->records, record));) {
        unknown += is_ranked(record) && record->fit.transforms[0] == '\0';
        greedy += record->cell.kind == CELL_DECOMPOSITION && threads_are_exceeded(record);
    }
    report_file_name(report, "decomposition-scores", id);
    if (text_table_row_count(table) > 0)
        html_table_write(table, id, report->html);
    html_print(
        report->html,
        "<details><summary>How this is measured</summary>\n<p>Fits form a task if they have the same data, "
        "the same rest pose to start from, and equal numbers "
        "of bones and influences. Only models of the same kind are compared. If fits differ only in their "
        "random seed, the one with the median error counts. Scores are geometric means of the ratios to the "
        "best of "
        "the kind (%g is added to both E_RMS); a method that was not fitted on every task is compared on the "
        "tasks that it shares with others. E_RMS itself is the geometric mean over the tasks of the method. "
        "A dash means that there is nothing to compare a fit with. Times "
        "without an interval are those of fewer than %d runs, rounded to one digit. Fits with held-out "
        "frames, and searches for the fewest bones, do not count.</p>\n</details>\n",
        ERROR_SHIFT, INTERVAL_SAMPLES_MIN);
    if (unknown > 0)
        html_print(report->html,
                   "<p>Not scored: %d fits of an older version, whose records do not say which kind of model "
                   "they are.</p>\n",
                   unknown);
    if (greedy > 0)
        html_print(report->html,
                   "<p>Not scored: %d fits by external programs that used more threads than they were "
                   "given.</p>\n",
                   greedy);
    return report_add_numbers(report, "decomposition-errors", "Numbers behind the scores", TAKE(numbers));
}

/* ---- the Pareto fronts ---- */

typedef struct FitFront {
    const Record *fits[FRONT_MAX]; /* [count] */
    double values[FRONT_MAX * FIT_MEASURES];
    bool on_front[FRONT_MAX];
    int count;
} FitFront;

Status fit_leaders_write(ReportPage *report)
{
    LOCAL_ARRAY(FitFront, front, 1, "a leaderboard");
    STATUS_TRY(ranking_write(report));
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
        char label[2 * GRID_NAME_BYTES], name[RECORD_NAME_BYTES], data[DATASET_LABEL_BYTES];
        for (int i = 0; i < front->count; i++)
            if (front->on_front[i]) {
                const Record *fit = front->fits[i];
                const double start = argument_number_of(fit->cell.parameters, "start", 0.0);
                fit_label(fit, label);
                if (strcmp(argument_text(argument_find(fit->cell.parameters, "rest-pose"), "file"),
                           "first") == 0)
                    text_append(label, sizeof label, ", from the first frame");
                if (start > 0.0)
                    text_append(label, sizeof label, ", start %g", start);
                dataset_label(report->records, &fit->cell, data);
                text_table_row(table, data, label, NULL);
                text_table_number(table, argument_number_of(fit->cell.parameters, "bones", NAN), 1);
                for (int m = 0; m < FIT_MEASURES; m++) {
                    if (m == FIT_TIME && time_digits(fit) == 1)
                        text_table_number(table, one_digit(measure_of(fit, m)), 1);
                    else
                        text_table_number(table, measure_of(fit, m), 3);
                    text_table_record(table, report->records, fit, measure_of(fit, m));
                }
            }
        /* plot all fits */
        snprintf(id, sizeof id, "front-%d", ++number);
        report_file_name(report, id, file);
        page_plot_start(report->plots, file, first->cell.dataset.name, PLOT_POINTS,
                        (PlotAxis){"size of the model, MB", true}, (PlotAxis){"E_RMS", true});
        for (int i = 0; i < front->count; i++) {
            const double *values = &front->values[i * FIT_MEASURES];
            fit_label(front->fits[i], label);
            page_plot_series(report->plots, label, false);
            text_append(label, sizeof label, ", %.*g s%s", time_digits(front->fits[i]), values[FIT_TIME],
                        front->on_front[i] ? ", on the Pareto front" : "");
            page_plot_point(report->plots, values[FIT_SIZE], values[FIT_ERROR], label,
                            record_name(report->records, front->fits[i], name));
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
