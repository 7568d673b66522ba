/* The rule that chooses the advised method, and the sentence that states the advice. */
#include "harness/records/advice/advice.h"

const AdviceMeasureRow advice_measures[ADVICE_MEASURES] = {
    [ADVICE_VOLUME] = {"volume_change_percent", "change of volume, %", "mean absolute change over the poses"},
    [ADVICE_STRETCH] = {"edge_stretch_percent", "edge stretch, %", "mean change of edge length"},
    [ADVICE_AREA] = {"area_distortion_percent", "area distortion, %", "mean change of triangle area"},
    [ADVICE_COLLAPSE] = {"collapse_percent", "collapse, %",
                         "how far blended skin moves towards its bones, in the worst pose of each joint, "
                         "averaged over the joints"},
    [ADVICE_BULGE] = {"bulge_percent", "bulge, %",
                      "how far blended skin moves away from its bones, in the worst pose of each joint, "
                      "averaged over the joints"},
    [ADVICE_CROSSING] =
        {"self_intersection_percent", "self-intersection, %",
         "edges of blended skin that pass through other skin, where each joint is bent furthest "
         "and in some of the file's frames"},
    [ADVICE_GAP] = {"gap_percent", "gap, %",
                    "how much more an edge between two joint sets is stretched than under lbs, or "
                    "the greatest distance between "
                    "vertices that a seam split, in per cent of the diagonal"},
    [ADVICE_JUMP] = {"jump_percent", "jump, %",
                     "largest distance a vertex moves while a joint twists from 179 to 181 degrees, in per "
                     "cent of the diagonal"},
    [ADVICE_DIFFERENCE] = {"difference_percent", "difference from lbs, %",
                           "largest mean distance between the skin at a joint and its shape under lbs, in "
                           "per cent of the diagonal"},
    [ADVICE_E_RMS] = {"e_rms", "E_RMS", "distance from the shapes in the file"},
    [ADVICE_ERROR] =
        {"error_percent", "error, %",
         "root mean square distance from the reference over all poses, in per cent of the diagonal"},
};

const double ADVICE_VISIBLE_PERCENT = 0.25, ADVICE_TEAR_PERCENT = 4.0, ADVICE_STRAIN = 1.15,
             ADVICE_LEAST_GAIN = 0.1;

static const char shape_rule[] =
    "The rule: a method's loss of shape is the mean of two ratios to lbs: one for the change of volume "
    "(or the change of area, if the mesh is not closed), and one for collapse plus bulge. The file's "
    "poses and the generated poses (the gauntlet) have equal weight. A method tears the skin if it opens "
    "a gap of 4 % of the diagonal anywhere, and strains it if edge stretch or area distortion is 15 % "
    "higher than under lbs. A method is dominated if another that neither tears nor strains the skin "
    "costs no more and loses no more shape, within 1 % of the loss of lbs. A method is named if it "
    "neither tears nor strains the skin, is not dominated, is within the budget, loses at least 10 % less "
    "shape than lbs, and moves the skin at some joint by 0.25 % of the diagonal or more on average, which "
    "is visible. The one that loses the least shape is advised; if none is named, lbs suffices.";

static const char reference_rule[] =
    "The rule: a method's error is the root mean square distance of its vertices from the reference, "
    "divided by that of lbs; all poses have equal weight. A method is dominated if another that does not "
    "tear the skin costs no more time and no more bytes and is as close, within 1 % of the error of lbs. "
    "A method is named if it does not tear the skin (a gap of 4 % of the diagonal), is not dominated, is "
    "within the budget, is at least 10 % closer than lbs, and moves the skin at some joint by 0.25 % of "
    "the diagonal or more on average, which is visible. The closest is advised.";

const char *advice_rule(const Advice *advice)
{
    return advice->reference[0] ? reference_rule : shape_rule;
}

bool advice_is_reference(const Advice *advice, int method)
{
    return strcmp(advice->methods[method].name, advice->reference) == 0;
}

/* NO_CHANGE_PERCENT: smaller changes count as no change. HARM_STEP: the harm of a method (its loss of shape
 * or its error) is compared in steps of this size. */
static const double NO_CHANGE_PERCENT = 0.05, HARM_STEP = 0.01;

static bool costs_known(const AdviceMethod *method)
{
    return method->reason[0] == '\0' && isfinite(method->cost);
}

static double ratio_of(double value, double of_lbs)
{
    return (value + NO_CHANGE_PERCENT) / (of_lbs + NO_CHANGE_PERCENT);
}

const char *advice_fault(const Advice *advice, int method)
{
    const double *values = advice->methods[method].values, *linear = advice->methods[advice->lbs].values;
    if (values[ADVICE_GAP] >= ADVICE_TEAR_PERCENT)
        return "tears the skin";
    const double strain = fmax(ratio_of(values[ADVICE_STRETCH], linear[ADVICE_STRETCH]),
                               ratio_of(values[ADVICE_AREA], linear[ADVICE_AREA]));
    return !advice->reference[0] && strain >= ADVICE_STRAIN ? "strains the skin" : NULL;
}

static double harm_of(const Advice *advice, const AdviceMethod *method)
{
    static const double NO_ERROR_PERCENT = 1e-6;
    const double *values = method->values, *linear = advice->methods[advice->lbs].values;
    if (advice->reference[0])
        return (values[ADVICE_ERROR] + NO_ERROR_PERCENT) / (linear[ADVICE_ERROR] + NO_ERROR_PERCENT);
    const AdviceMeasure size = isfinite(linear[ADVICE_VOLUME]) != 0 ? ADVICE_VOLUME : ADVICE_AREA;
    return 0.5 *
           (ratio_of(values[size], linear[size]) + ratio_of(values[ADVICE_COLLAPSE] + values[ADVICE_BULGE],
                                                            linear[ADVICE_COLLAPSE] + linear[ADVICE_BULGE]));
}

double advice_cost(const Advice *advice, int method, AdviceCost cost)
{
    const AdviceMethod *entry = &advice->methods[method];
    return cost == ADVICE_BYTES ? entry->data_bytes / advice->methods[advice->lbs].data_bytes
                                : (cost == ADVICE_TIME ? entry->cost : entry->device_cost);
}

/* Whether `other` is to be preferred to `method`. `other` must have no fault. Its harm, rounded to
 * HARM_STEP, and its costs in the bit set `costs` must be no worse, and at least one of them must be
 * better. If all are equal, the method that comes earlier in the list is preferred. */
static bool is_beaten_by(const Advice *advice, int method, int other, unsigned costs)
{
    const double harm = round(advice->methods[method].harm / HARM_STEP),
                 others = round(advice->methods[other].harm / HARM_STEP);
    bool same = others >= harm;
    if (other == method || !costs_known(&advice->methods[other]) || advice_fault(advice, other) ||
        advice_is_reference(advice, other) || advice_is_reference(advice, method) || !(others <= harm))
        return false;
    for (int cost = 0; cost < ADVICE_COSTS; cost++) {
        const double own_cost = advice_cost(advice, method, (AdviceCost)cost),
                     its = advice_cost(advice, other, (AdviceCost)cost);
        if ((costs >> cost & 1U) != 0 && !(its <= own_cost))
            return false;
        same = same && ((costs >> cost & 1U) == 0 || its >= own_cost);
    }
    return !same || other < method;
}

bool advice_is_beaten(const Advice *advice, int method, AdviceCost cost)
{
    bool beaten = false;
    for (int other = 0; other < advice->method_count; other++)
        beaten = beaten || is_beaten_by(advice, method, other, 1U << cost);
    return beaten;
}

void advice_dominate(Advice *advice)
{
    const unsigned costs = 1U << ADVICE_TIME | (advice->reference[0] ? 1U << ADVICE_BYTES : 0U);
    for (int i = 0; i < advice->method_count; i++)
        advice->methods[i].harm = harm_of(advice, &advice->methods[i]);
    for (int i = 0; i < advice->method_count; i++) {
        AdviceMethod *method = &advice->methods[i];
        method->dominated_by = -1;
        for (int k = 0; k < advice->method_count && costs_known(method); k++)
            if (is_beaten_by(advice, i, k, costs) &&
                (method->dominated_by < 0 ||
                 advice->methods[k].harm < advice->methods[method->dominated_by].harm))
                method->dominated_by = k;
    }
}

bool advice_names(const Advice *advice, int method)
{
    const AdviceMethod *candidate = &advice->methods[method];
    return method != advice->lbs && !advice_is_reference(advice, method) && costs_known(candidate) &&
           !advice_fault(advice, method) && candidate->dominated_by < 0 &&
           candidate->cost <= advice->budget && 1.0 - candidate->harm >= ADVICE_LEAST_GAIN &&
           candidate->values[ADVICE_DIFFERENCE] >= ADVICE_VISIBLE_PERCENT;
}

/* Returns the cost relative to lbs that the sentence states. It is 1 if the interval of the measured cost
 * contains 1, and otherwise the measured cost. */
static double cost_said(const AdviceMethod *method)
{
    return method->cost_low <= 1.0 && method->cost_high >= 1.0 ? 1.0 : method->cost;
}

void advice_conclude(Advice *advice)
{
    int previous = -1;
    advice->chosen = advice->lbs;
    advice->sentence[0] = '\0';
    /* Name methods in order of increasing cost. Each must do less harm than the one before; a method that
     * only costs more is left out. */
    for (;;) {
        int next = -1;
        for (int i = 0; i < advice->method_count; i++) {
            const AdviceMethod *one = &advice->methods[i];
            const double cost = cost_said(one), min = next < 0 ? INFINITY : cost_said(&advice->methods[next]);
            if (!advice_names(advice, i) ||
                (previous >= 0 && (cost <= cost_said(&advice->methods[previous]) ||
                                   one->harm >= advice->methods[previous].harm)))
                continue;
            if (cost < min || (cost <= min && one->harm < advice->methods[next].harm))
                next = i;
        }
        if (next < 0)
            break;
        const AdviceMethod *method = &advice->methods[next];
        text_append(advice->sentence, sizeof advice->sentence, "%s%s: %.0f %%", previous < 0 ? "" : "; ",
                    method->name, 100.0 * (1.0 - method->harm));
        if (previous < 0 && advice->reference[0])
            text_append(advice->sentence, sizeof advice->sentence, " nearer to %s than lbs",
                        advice->reference);
        else if (previous < 0)
            text_append(advice->sentence, sizeof advice->sentence, " less loss of shape than lbs");
        if (method->cost_low <= 1.0 && method->cost_high >= 1.0)
            text_append(advice->sentence, sizeof advice->sentence, " at the same cost");
        else
            text_append(advice->sentence, sizeof advice->sentence, " at %.*g times%s",
                        method->cost < 1.95 ? 3 : 2, method->cost, previous < 0 ? " its cost" : "");
        advice->chosen = previous = next;
    }
    if (previous < 0) {
        /* If no method is named, say why lbs suffices. */
        double max = 0.0;
        for (int k = 0; k < advice->method_count; k++)
            if (advice->methods[k].reason[0] == '\0' &&
                !(advice->methods[k].values[ADVICE_DIFFERENCE] <= max))
                max = advice->methods[k].values[ADVICE_DIFFERENCE];
        text_append(advice->sentence, sizeof advice->sentence, "LBS suffices: ");
        if (max < ADVICE_VISIBLE_PERCENT) {
            text_append(advice->sentence, sizeof advice->sentence,
                        "no other method moves the skin at any joint by more than %.2g %% of the diagonal",
                        max);
        } else {
            text_append(advice->sentence, sizeof advice->sentence, "no method that differs visibly");
            if (isfinite(advice->budget) != 0)
                text_append(advice->sentence, sizeof advice->sentence,
                            " and costs at most %.3g times as much", advice->budget);
            if (advice->reference[0])
                text_append(advice->sentence, sizeof advice->sentence, " comes %.0f %% nearer to %s",
                            100.0 * ADVICE_LEAST_GAIN, advice->reference);
            else
                text_append(advice->sentence, sizeof advice->sentence, " loses %.0f %% less shape",
                            100.0 * ADVICE_LEAST_GAIN);
        }
    } else {
        /* Name the first few joints at which the difference is visible. */
        int count = 0;
        for (int j = 0; j < advice->joint_used && count < ADVICE_VIEWS; j++)
            if (advice->joints[j].difference >= ADVICE_VISIBLE_PERCENT)
                text_append(advice->sentence, sizeof advice->sentence,
                            count++ == 0 ? "; differences are visible at %s" : ", %s",
                            advice->joints[j].name);
    }
}

void advice_clear(Advice *advice)
{
    for (int j = 0; advice->joints && j < advice->joint_used; j++) {
        FREE_ALL(advice->joints[j].collapse, advice->joints[j].bulge);
    }
    for (int i = 0; i < ADVICE_VIEWS; i++)
        for (int m = 0; m < 4; m++) {
            FREE_ALL(advice->views[i].positions[m], advice->views[i].changes[m]);
        }
    FREE_ALL(advice->joints, advice->methods, advice->mesh.triangles);
    *advice = (Advice){0};
}
