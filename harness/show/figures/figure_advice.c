/* Plots the cost of each method against its loss, for the methods that no other method beats in both. */
#include "harness/show/figures/figures.h"

/* The loss axis of the plot ends at HIGHEST. A method with a larger loss is drawn at that end, with its
 * loss beside it. LABEL_STEP is the height of a label. */
static const double HIGHEST = 1.6, LABEL_STEP = 0.06;

/* The label of a point. It is placed above the point, and above the labels of cheaper methods that it would
 * overlap. */
typedef struct Label {
    double from, to, y; /* range of log2(cost) that the label covers */
} Label;

static double label_place(Label *labels, int count, double cost, double y, size_t length, double octaves)
{
    enum { CHARACTERS = 90 }; /* number of characters that fit across the plot */
    Label label = {log2(cost), log2(cost) + octaves * ((double)length + 2.0) / CHARACTERS,
                   y + 0.5 * LABEL_STEP};
    for (int i = 0; i < count; i++)
        if (label.from < labels[i].to && labels[i].from < label.to &&
            fabs(label.y - labels[i].y) < LABEL_STEP) {
            label.y = labels[i].y + 1.01 * LABEL_STEP;
            i = -1; /* check all labels again */
        }
    labels[count] = label;
    return label.y;
}

Status figure_advice(const Advice *advice, AdviceCost cost, PlotFigure *out)
{
    const char *const titles[ADVICE_COSTS] = {[ADVICE_TIME] = "time to skin a frame relative to lbs",
                                              [ADVICE_DEVICE_TIME] =
                                                  "time to skin a frame relative to lbs, on ",
                                              [ADVICE_BYTES] = "bytes of weights and values relative to lbs"};
    static const char *const series[] = {"not dominated", "dominated, or harmful to the skin"};
    LOCAL_ARRAY(Label, labels, advice->method_count, "a figure");
    PlotFile *data = NULL, *program = NULL;
    PagePlots *plots = out->plots;
    char heading[192], axis[192];
    double max = 1.0, min = 0.7; /* lower end of the cost axis */
    int count = 0;
    const char *loss = advice->reference[0] ? "error relative to lbs" : "loss of shape relative to lbs";
    if (advice->reference[0])
        snprintf(heading, sizeof heading, "%s: distance from the reference (%s) against %s", advice->name,
                 strcmp(advice->reference, "file") == 0 ? "the file's shapes" : advice->reference,
                 cost == ADVICE_BYTES ? "bytes" : "time");
    else
        snprintf(heading, sizeof heading, "%s: loss of shape against cost", advice->name);
    snprintf(axis, sizeof axis, "%s%s", titles[cost], cost == ADVICE_DEVICE_TIME ? advice->device : "");
    for (int m = 0; m < advice->method_count; m++)
        if (advice->methods[m].reason[0] == '\0') {
            max = fmax(max, advice_cost(advice, m, cost)); /* methods with unknown cost are skipped */
            min = fmin(min, 0.8 * advice_cost(advice, m, cost));
        }
    const double reach =
        1.2 * max * pow(max / min, 0.17); /* leave space for the name of the rightmost point */
    STATUS_TRY(figure_part_open(out, FIGURE_DATA, &data));
    plot_print(data, "# cost\tloss\tdrawn at\tlabel at\tmethod\n");
    page_plot_start(plots, out->name, heading, PLOT_POINTS, (PlotAxis){axis, true}, (PlotAxis){loss, true});
    for (int worse = 0; worse < 2; worse++) {
        page_plot_series(plots, series[worse], false);
        for (int m = 0; m < advice->method_count; m++) {
            const AdviceMethod *method = &advice->methods[m];
            char label[ADVICE_NAME_BYTES + 32];
            const double at_cost = advice_cost(advice, m, cost);
            if (method->reason[0] || isfinite(at_cost) == 0 ||
                (advice_is_beaten(advice, m, cost) || advice_fault(advice, m)) != worse)
                continue;
            const double height = fmin(method->harm, HIGHEST - 0.05);
            snprintf(label, sizeof label, method->harm > height ? "%s (%.2g)" : "%s", method->name,
                     method->harm);
            const double label_at =
                label_place(labels, count, at_cost, height, strlen(label), log2(reach / min));
            count++;
            plot_print(data, "%.17g\t%.17g\t%.17g\t%.17g\t%s\n", at_cost, method->harm, height, label_at,
                       label);
            page_plot_point(plots, at_cost, method->harm, method->name, "");
        }
        plot_print(data, "NaN\tNaN\tNaN\tNaN\t\n\n\n"); /* write a point that is not drawn, because gnuplot
                                                           would ignore an empty block */
    }
    STATUS_TRY(figure_part_close(out, FIGURE_DATA));
    STATUS_TRY(figure_program_start(out, heading, &program));
    plot_print(program, "budget=%.6g; least=%.6g; reach=%.6g; highest=%.6g; y_title='%s'; x_title='%s'",
               isfinite(advice->budget) != 0 && cost == ADVICE_TIME ? advice->budget : 0.0, min, reach,
               HIGHEST, loss, axis);
    return figure_program_end(out, "advice");
}
