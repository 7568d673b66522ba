/* Draws the distances of predicted rigs from the true ones, sorted from the best rig to the worst. Failed
 * predictions are drawn with the distances at which they count (score_failure in score.h). */
#include "harness/measure/score/score.h"
#include "harness/show/figures/figures.h"

Status figure_scores(const RecordView *records, const Record *first, PlotFigure *out)
{
    static const ScoreId series[] = {SCORE_CD_J2J, SCORE_CD_J2B, SCORE_CD_B2B};
    PlotFile *data = NULL, *program = NULL;
    int capacity = 0, count = 0;
    double top = 0.0;
    for (const Record *record = NULL; (record = record_view_next_kind(records, CELL_SCORE, record));)
        capacity++;
    LOCAL_ARRAY(double, values, capacity, "scores");
    STATUS_TRY(figure_part_open(out, FIGURE_DATA, &data));
    plot_print(data, "# per cent of the rigs\tdistance\tscore\n");
    page_plot_start(out->plots, out->name, "Predicted rigs", PLOT_LINES, (PlotAxis){"% of the rigs", false},
                    (PlotAxis){"distance", false});
    for (size_t s = 0; s < sizeof series / sizeof *series; s++) {
        const ScoreRow *row = &score_rows[series[s]];
        count = 0;
        for (const Record *record = NULL; (record = record_view_next_kind(records, CELL_SCORE, record));) {
            const double value = measures_value(
                record->status == RECORD_FAILED ? &record->held : &record->measures, row->name);
            if (cell_same_setting(&record->cell, &first->cell) && !isnan(value))
                values[count++] = value;
        }
        values_sort(values, (size_t)count);
        page_plot_series(out->plots, row->title, false);
        for (int i = 0; i < count; i++) {
            const double share = 100.0 * (i + 1) / count;
            page_plot_point(out->plots, share, values[i], row->title, "");
            plot_print(data, "%.9g\t%.17g\t%s\n", share, values[i], row->title);
            top = fmax(top, values[i]);
        }
        plot_print(data, "\n\n");
    }
    STATUS_TRY(figure_part_close(out, FIGURE_DATA));
    if (count < 2 || !(top > 0.0))
        return status_ok();
    STATUS_TRY(figure_program_start(out, "Distances of predicted rigs", &program));
    plot_print(program, "top=%g; names='", 1.05 * top);
    for (size_t s = 0; s < sizeof series / sizeof *series; s++)
        plot_name_add(program, score_rows[series[s]].title);
    plot_print(program, "'");
    return figure_program_end(out, "scores");
}
