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
    "The rule: only poses within the ranges of the joints count. A range is the largest bend and twist in "
    "the "
    "file, but at least the default of the kind of joint that the name tells (120 degrees for an elbow, 40 "
    "for a neck, 45 for an unknown joint). The file's poses and the generated poses have equal weight. A "
    "method's loss of shape is the weighted mean of three ratios to lbs: edge stretch counts four times, and "
    "area distortion and collapse plus three times the bulge count once each. A method is unsafe if it tears "
    "the "
    "skin, which means a gap of 4 % of the diagonal anywhere, or strains it, which means edge stretch or "
    "area "
    "distortion 15 % higher than under lbs. A method is dominated if a safe one costs no more and loses no "
    "more shape, within 1 % of the loss of lbs. Advised is the method that loses the least shape, if it is "
    "safe, is within the budget, loses at least 10 % less shape than lbs, and moves the skin at some joint "
    "by "
    "0.25 % of the diagonal or more on average, which is visible. A dearer method must lose at least 5 % "
    "less "
    "shape than a cheaper one of these. If there is none, lbs suffices.";

static const char reference_rule[] =
    "The rule: a method's error is the root mean square distance of its vertices from the reference, "
    "divided by that of lbs; all poses within the ranges of the joints have equal weight. A method is unsafe "
    "if it tears the skin (a gap of 4 % of the diagonal). A method is dominated if a safe one, which may be "
    "the reference itself, costs no more time and no more bytes and is as close, within 1 % of the error of "
    "lbs. Advised is the closest method that is safe, is not dominated, is within the budget, is at least "
    "10 % closer than lbs, and moves the skin at some joint by 0.25 % of the diagonal or more on average, "
    "which is visible. A dearer method must come at least 5 % closer than a cheaper one of these.";

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

enum { LADDER_MAX = 16 }; /* largest number of methods between lbs and the advised one */

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

/* How much each part of the loss of shape counts, and how much more a bulge counts than a collapse.
 * scripts/validate-measure finds these weights, and results/README.md says what they are worth. */
enum { LOSS_PARTS = 3 };
static const double LOSS_WEIGHTS[LOSS_PARTS] = {4.0, 1.0, 1.0}, BULGE_WEIGHT = 3.0;

/* Computes the parts of the loss of shape: ratios to lbs of edge stretch, area distortion, and collapse plus
 * bulge. Their weighted mean is the loss. */
static double loss_of(const double *values, const double *linear, double parts[LOSS_PARTS])
{
    double sum = 0.0, weights = 0.0;
    parts[0] = ratio_of(values[ADVICE_STRETCH], linear[ADVICE_STRETCH]);
    parts[1] = ratio_of(values[ADVICE_AREA], linear[ADVICE_AREA]);
    parts[2] = ratio_of(values[ADVICE_COLLAPSE] + BULGE_WEIGHT * values[ADVICE_BULGE],
                        linear[ADVICE_COLLAPSE] + BULGE_WEIGHT * linear[ADVICE_BULGE]);
    for (int i = 0; i < LOSS_PARTS; i++) {
        sum += LOSS_WEIGHTS[i] * parts[i];
        weights += LOSS_WEIGHTS[i];
    }
    return sum / weights;
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
        advice_is_reference(advice, method) || !(others <= harm))
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
    const double NO_ERROR_PERCENT = 1e-6;
    const AdviceMethod *linear = &advice->methods[advice->lbs];
    for (int i = 0; i < advice->method_count; i++) {
        AdviceMethod *method = &advice->methods[i];
        double parts[LOSS_PARTS];
        method->harm = advice->reference[0] ? (method->values[ADVICE_ERROR] + NO_ERROR_PERCENT) /
                                                  (linear->values[ADVICE_ERROR] + NO_ERROR_PERCENT)
                                            : loss_of(method->values, linear->values, parts);
        method->stress = loss_of(method->beyond, linear->beyond, parts);
    }
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

void advice_cost_format(const AdviceMethod *method, char text[COST_TEXT_BYTES])
{
    if (method->cost_low <= 1.0 && method->cost_high >= 1.0)
        snprintf(text, COST_TEXT_BYTES, "%.2g to %.2g", method->cost_low, method->cost_high);
    else if (method->cost < 99.5)
        snprintf(text, COST_TEXT_BYTES, "%.*g", method->cost < 1.95 ? 3 : 2, method->cost);
    else
        snprintf(text, COST_TEXT_BYTES, "%.0f", method->cost);
}

/* Finds the methods that the sentence names, in order of increasing cost. Each does at least 5 % less harm
 * than the one before; a method that costs more for less than that is left out. Returns their number. */
static int ladder_find(const Advice *advice, int *ladder)
{
    static const double STEP = 0.95;
    int count = 0;
    for (;;) {
        const AdviceMethod *previous = count > 0 ? &advice->methods[ladder[count - 1]] : NULL;
        int next = -1;
        for (int i = 0; i < advice->method_count; i++) {
            const AdviceMethod *one = &advice->methods[i];
            const double cost = cost_said(one), min = next < 0 ? INFINITY : cost_said(&advice->methods[next]);
            if (!advice_names(advice, i) ||
                (previous && (cost <= cost_said(previous) || one->harm > STEP * previous->harm)))
                continue;
            if (cost < min || (cost <= min && one->harm < advice->methods[next].harm))
                next = i;
        }
        if (next < 0 || count == LADDER_MAX)
            return count;
        ladder[count++] = next;
    }
}

/* Appends how much better than lbs a method is, and its cost: "loses 40 % less shape than lbs at 1.3 times
 * its cost". */
static void gain_append(Advice *advice, int m, bool is_first)
{
    /* an interval that contains 1 and is within NARROW of it is "the same cost" */
    static const double NARROW = 0.05;
    const AdviceMethod *method = &advice->methods[m];
    const size_t size = sizeof advice->sentence;
    char cost[COST_TEXT_BYTES];
    advice_cost_format(method, cost);
    text_append(advice->sentence, size, advice->reference[0] ? "comes %.0f %% nearer" : "loses %.0f %% less",
                100.0 * (1.0 - method->harm));
    if (is_first && advice->reference[0])
        text_append(advice->sentence, size, " to %s than lbs", advice->reference);
    else if (is_first)
        text_append(advice->sentence, size, " shape than lbs");
    if (method->cost_low <= 1.0 && method->cost_low >= 1.0 - NARROW && method->cost_high >= 1.0 &&
        method->cost_high <= 1.0 + NARROW)
        text_append(advice->sentence, size, " at the same cost");
    else
        text_append(advice->sentence, size, " at %s times%s", cost, is_first ? " its cost" : "");
}

/* Chooses lbs, or the reference if it is a method within the budget, and says why: no method is named. */
static void sufficiency_append(Advice *advice)
{
    const size_t size = sizeof advice->sentence;
    double max = 0.0;
    for (int m = 0; m < advice->method_count; m++)
        if (m != advice->lbs && advice_is_reference(advice, m) && advice->methods[m].cost <= advice->budget) {
            advice->chosen = m;
            text_append(advice->sentence, size,
                        "Use %s itself: no safe method that costs less comes %.0f %% nearer to it than lbs",
                        advice->reference, 100.0 * ADVICE_LEAST_GAIN);
            return;
        }
    for (int k = 0; k < advice->method_count; k++)
        if (advice->methods[k].reason[0] == '\0' && !(advice->methods[k].values[ADVICE_DIFFERENCE] <= max))
            max = advice->methods[k].values[ADVICE_DIFFERENCE];
    text_append(advice->sentence, size, "LBS suffices: ");
    if (max < ADVICE_VISIBLE_PERCENT) {
        text_append(advice->sentence, size,
                    "no other method moves the skin at any joint by more than %.2g %% of the diagonal", max);
        return;
    }
    text_append(advice->sentence, size, "no safe method that differs visibly");
    if (isfinite(advice->budget) != 0)
        text_append(advice->sentence, size, " and costs at most %.3g times as much", advice->budget);
    if (advice->reference[0])
        text_append(advice->sentence, size, " comes %.0f %% nearer to %s", 100.0 * ADVICE_LEAST_GAIN,
                    advice->reference);
    else
        text_append(advice->sentence, size, " loses %.0f %% less shape", 100.0 * ADVICE_LEAST_GAIN);
}

/* Writes what the advised method does worse than lbs, the largest ratios first. */
static void caveat_write(Advice *advice)
{
    static const char *const phrases[ADVICE_MEASURES] = {
        [ADVICE_VOLUME] = "changes its volume more",
        [ADVICE_STRETCH] = "stretches its edges more",
        [ADVICE_AREA] = "distorts its area more",
        [ADVICE_COLLAPSE] = "collapses more",
        [ADVICE_BULGE] = "bulges more",
        [ADVICE_CROSSING] = "passes through itself more",
        [ADVICE_JUMP] = "jumps further when a joint twists past 180 degrees"};
    static const double WORSE = 1.1, WORSE_PERCENT = 0.2;
    enum { NAMED = 3 };
    const double *values = advice->methods[advice->chosen].values,
                 *linear = advice->methods[advice->lbs].values;
    bool said[ADVICE_MEASURES] = {false};
    int count = 0;
    for (; count < NAMED; count++) {
        int worst = -1;
        for (int i = 0; i < ADVICE_MEASURES; i++)
            if (phrases[i] && !said[i] && values[i] >= WORSE * linear[i] &&
                values[i] >= linear[i] + WORSE_PERCENT &&
                (worst < 0 || ratio_of(values[i], linear[i]) > ratio_of(values[worst], linear[worst])))
                worst = i;
        if (worst < 0)
            break;
        said[worst] = true;
        text_append(advice->caveat, sizeof advice->caveat, "%s %s (%.2g %% against %.2g %%)",
                    count == 0 ? "Worse than with lbs: the skin" : ",", phrases[worst], values[worst],
                    linear[worst]);
    }
    if (count == 0 && advice->chosen != advice->lbs)
        text_append(advice->caveat, sizeof advice->caveat,
                    "In no measure is it more than 10 %% worse than lbs");
    if (advice->caveat[0])
        text_append(advice->caveat, sizeof advice->caveat, ".");
    double parts[LOSS_PARTS];
    (void)loss_of(values, linear, parts);
    for (int i = 0; i < LOSS_PARTS && !advice->reference[0]; i++)
        if (parts[i] >= WORSE) {
            text_append(
                advice->caveat, sizeof advice->caveat,
                " The parts of the measure disagree, so it cannot tell: look at both, or compare with "
                "--reference elastic.");
            break;
        }
}

void advice_conclude(Advice *advice)
{
    int ladder[LADDER_MAX];
    const int count = ladder_find(advice, ladder);
    const size_t size = sizeof advice->sentence;
    advice->chosen = count > 0 ? ladder[count - 1] : advice->lbs;
    advice->sentence[0] = advice->caveat[0] = advice->stress[0] = '\0';
    if (count == 0)
        sufficiency_append(advice);
    for (int i = count - 1; i >= 0 && i >= count - 3; i--) {
        text_append(advice->sentence, size, i == count - 1 ? "Use %s: it " : "; %s ",
                    advice->methods[ladder[i]].name);
        gain_append(advice, ladder[i], i == count - 1);
    }
    /* name the first few joints at which the difference is visible */
    for (int j = 0, named = 0; count > 0 && j < advice->joint_used && named < ADVICE_VIEWS; j++)
        if (advice->joints[j].difference >= ADVICE_VISIBLE_PERCENT)
            text_append(advice->sentence, size, named++ == 0 ? "; the difference shows at %s" : ", %s",
                        advice->joints[j].name);
    caveat_write(advice);
    const double stress = 100.0 * (1.0 - advice->methods[advice->chosen].stress);
    if (count > 0 && isfinite(stress) != 0 && !advice->reference[0])
        snprintf(advice->stress, sizeof advice->stress,
                 "Stress test, in poses beyond the joints' ranges, which do not count: %s loses %.0f %% %s "
                 "shape than lbs.",
                 advice->methods[advice->chosen].name, fabs(stress), stress >= 0.0 ? "less" : "more");
}

void advice_clear(Advice *advice)
{
    for (int j = 0; advice->joints && j < advice->joint_used; j++) {
        FREE_ALL(advice->joints[j].collapse, advice->joints[j].bulge);
    }
    for (int i = 0; i < ADVICE_VIEWS; i++)
        for (int m = 0; m < ADVICE_SHOWN; m++) {
            FREE_ALL(advice->views[i].positions[m], advice->views[i].changes[m]);
        }
    FREE_ALL(advice->joints, advice->methods, advice->mesh.triangles);
    *advice = (Advice){0};
}
