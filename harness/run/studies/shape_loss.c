/* Measures what every direct method does to the skin of a rig, and how long it takes, by the functions of
 * `skinbench advise`. The report ranks direct methods by these numbers.
 *
 *   measures of each method NAME of the registry
 *     NAME_loss_of_shape   loss of shape divided by that of lbs; null if the method cannot use the rig, for
 *                          the reason that the remarks give
 *     NAME_fault           1 if the method tears or strains the skin (advice_fault), otherwise 0
 *     NAME_MEASURE         all measures of advice.h that are known, such as NAME_bulge_percent
 *     NAME_ratio_to_lbs, NAME_ratio_low, NAME_ratio_high
 *                          time of a frame relative to lbs and its interval, null if too few rounds were
 *                          made for one */
#include "harness/run/studies/study.h"

#include "harness/run/advice/advise.h"

static const double TIMING_S = 0.5;

static void method_add(Measures *measures, const AdviceMethod *method, const char *what, double value,
                       bool timed)
{
    char name[MEASURE_NAME_BYTES];
    snprintf(name, sizeof name, "%.36s_%s", method->name, what);
    if (timed)
        measures_add_timed(measures, name, value);
    else
        measures_add(measures, name, value);
}

Status study_shape_loss(const StudyInput *input, Measures *measures)
{
    CLEANUP(advice_clear) Advice advice = {.method_count = 0};
    const AdviseOptions options = {.budget = INFINITY,
                                   .seed = 1,
                                   .threads = input->threads,
                                   .timing_s = TIMING_S,
                                   .progress = input->progress};
    if (!input->dataset)
        return bad_input("the study shape-loss needs a data set with a rig");
    STATUS_TRY(advise(input->dataset, &options, &advice));
    for (int m = 0; m < advice.method_count; m++) {
        const AdviceMethod *method = &advice.methods[m];
        const bool has_interval = method->cost_low < method->cost_high;
        if (!skinning_entry_find(method->name)) /* a variant for this rig alone, such as lbs-4 */
            continue;
        method_add(measures, method, "loss_of_shape", method->harm, false);
        if (method->reason[0]) {
            if (input->remarks)
                text_append(input->remarks, STATUS_TEXT_BYTES, "%s%s: %s", input->remarks[0] ? "; " : "",
                            method->name, method->reason);
            continue;
        }
        method_add(measures, method, "fault", advice_fault(&advice, m) ? 1.0 : 0.0, false);
        for (int i = 0; i < ADVICE_MEASURES; i++)
            if (!isnan(method->values[i]))
                method_add(measures, method, advice_measures[i].name, method->values[i], false);
        method_add(measures, method, "ratio_to_lbs", method->cost, true);
        method_add(measures, method, "ratio_low", has_interval ? method->cost_low : NAN, true);
        method_add(measures, method, "ratio_high", has_interval ? method->cost_high : NAN, true);
    }
    return status_ok();
}
