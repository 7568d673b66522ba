/* Draws a figure of a published table by calling the function for its kind. */
#include "harness/show/figures/figures.h"

Status figure_table(const TableView *view, const TableFigure *figure, const TableRow *row, PlotFigure *out)
{
    static Status (*const kinds[])(const FigureRequest *request) = {
        [FIGURE_CURVES] = figure_of_curves,     [FIGURE_ITERATIONS] = figure_of_iterations,
        [FIGURE_STAGES] = figure_of_iterations, [FIGURE_PUBLISHED] = figure_of_published,
        [FIGURE_SCATTER] = figure_of_scatter,
    };
    const PublishedTable *table = view->table;
    const bool is_paper = strcmp(table->place, "this benchmark") != 0;
    char heading[1024];
    if (figure->kind == FIGURE_NONE)
        return status_ok();
    if ((figure->kind == FIGURE_PUBLISHED || figure->kind == FIGURE_SCATTER) && !row)
        snprintf(heading, sizeof heading, "%s%s%s%s", table->title, is_paper ? " (" : "",
                 is_paper ? table->place : "", is_paper ? "), published and measured" : "");
    else
        snprintf(heading, sizeof heading, "%s%s%s%s%s%s", table->title, row ? ": " : "", row ? row->name : "",
                 is_paper ? " (" : "", is_paper ? table->place : "", is_paper ? ")" : "");
    const FigureRequest request = {view, figure, row, heading, out};
    return kinds[figure->kind](&request);
}
