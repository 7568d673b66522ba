/* Writes the texts of a verdict: the rule, the measurements and their data, and the reason. */
#include "harness/records/papers/verdict.h"

const char *verdict_separator(const char *text, const char *mark)
{
    return text[0] != '\0' ? mark : "";
}

/* Returns half a unit of the last printed digit: 0.05 for 3.6, 0.5 for 17. */
static double print_rounding(double published)
{
    char text[32];
    int digits = 1;
    do /* find the fewest digits from which the same number is read back */
        snprintf(text, sizeof text, "%.*e", digits - 1, published);
    while (strtod(text, NULL) != published && digits++ < 17);
    const int exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
    return 0.5 * pow(10.0, exponent - digits + 1);
}

void verdict_rule_write(const ClaimTest *test, char *text)
{
    text_append(text, VERDICT_TEXT_BYTES, "%s%s%s", verdict_separator(text, "; "), test->title,
                test->title[0] ? " " : "");
    if (test->beside)
        text_append(text, VERDICT_TEXT_BYTES, "(beside) ");
    if (isnan(test->max))
        text_append(text, VERDICT_TEXT_BYTES, "at least %.6g", test->min);
    else if (isnan(test->min))
        text_append(text, VERDICT_TEXT_BYTES, "at most %.6g", test->max);
    else
        text_append(text, VERDICT_TEXT_BYTES, "%.6g to %.6g", test->min, test->max);
    if (!isnan(test->ours))
        text_append(text, VERDICT_TEXT_BYTES, " (our bound)");
}

void verdict_measured_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text)
{
    double min = INFINITY, max = -INFINITY, low = INFINITY, high = -INFINITY;
    int measured = 0;
    bool timed = false, unknown = false, disturbed = false;
    for (int i = 0; i < count; i++) {
        const Outcome *outcome = &outcomes[i];
        if (outcome->kind == OUTCOME_ABSENT)
            continue;
        measured += outcome->row_count;
        timed = timed || outcome->number.samples > 0;
        unknown = unknown || isnan(outcome->number.low);
        disturbed = disturbed || outcome->number.disturbed;
        min = fmin(min, outcome->number.value);
        max = fmax(max, outcome->number.value);
        low = fmin(low, outcome->number.low);
        high = fmax(high, outcome->number.high);
    }
    if (measured == 0)
        return;
    text_append(text, VERDICT_TEXT_BYTES, "%s%s%s%.4g", verdict_separator(text, "; "), test->title,
                test->title[0] ? " " : "", min);
    if (max > min)
        text_append(text, VERDICT_TEXT_BYTES, " to %.4g", max);
    if (timed && unknown)
        text_append(text, VERDICT_TEXT_BYTES, disturbed ? " (disturbed)" : " (too few samples)");
    else if (timed)
        text_append(text, VERDICT_TEXT_BYTES, " [%.4g, %.4g]", low, high);
    if (measured > 1)
        text_append(text, VERDICT_TEXT_BYTES, ", %s%d rows",
                    test->over == CLAIM_MEDIAN ? "median of "
                    : test->over == CLAIM_MIN  ? "minimum of "
                    : test->over == CLAIM_MAX  ? "maximum of "
                                               : "",
                    measured);
    /* Count how close the measured numbers come to the printed ones, in four classes of their ratio. */
    static const char *const names[] = {"as printed, rounded", "within 10 %", "within a factor of 1.5",
                                        "beyond"};
    int steps[4] = {0}, total = 0;
    for (int i = 0; i < count && test->compare == CLAIM_PUBLISHED && test->over == CLAIM_EACH; i++) {
        const Outcome *step = &outcomes[i];
        if (step->kind == OUTCOME_ABSENT)
            continue;
        const double factor = fmax(step->number.value, 1.0 / step->number.value);
        const double miss = fabs(step->number.value - 1.0) * step->published;
        steps[miss <= print_rounding(step->published) ? 0 : factor <= 1.1 ? 1 : factor <= 1.5 ? 2 : 3]++;
        total++;
    }
    for (int i = 0, shown = 0; i < 4 && total > 0; i++)
        if (steps[i] > 0)
            text_append(text, VERDICT_TEXT_BYTES, "%s%d %s%s", shown++ ? ", " : " (", steps[i], names[i],
                        (total -= steps[i]) == 0 ? ")" : "");
}

void verdict_data_write(const Outcome *outcomes, int count, char *text)
{
    for (int i = 0; i < count; i++) {
        const Outcome *outcome = &outcomes[i];
        char name[TABLE_TEXT_BYTES + 32];
        if (outcome->kind == OUTCOME_ABSENT || !outcome->record)
            continue;
        const char *dataset = outcome->record->cell.dataset.name;
        const bool stand_in = outcome->row && outcome->row->stand_in && !outcome->row->generate[0];
        snprintf(name, sizeof name, "%s%s", dataset[0] ? dataset : "none needed",
                 stand_in ? " (stand-in)" : "");
        if (!strstr(text, name))
            text_append(text, VERDICT_TEXT_BYTES, "%s%s", verdict_separator(text, ", "), name);
    }
}

void verdict_reason_write(const Verdict *verdict, char *text)
{
    const OutcomeKind shown = verdict->kind == VERDICT_UNTESTABLE  ? OUTCOME_ABSENT
                              : verdict->kind == VERDICT_UNDECIDED ? OUTCOME_UNCLEAR
                                                                   : OUTCOME_FAILS;
    for (int i = 0; i < verdict->outcome_count; i++) {
        const Outcome *outcome = &verdict->outcomes[i];
        char line[2 * TABLE_TEXT_BYTES + 128];
        if (outcome->kind != shown || outcome->test->beside)
            continue;
        if (shown == OUTCOME_ABSENT)
            snprintf(line, sizeof line, "%s", outcome->reason);
        else
            snprintf(line, sizeof line, "%s %s%s%s",
                     shown == OUTCOME_FAILS       ? "fails in"
                     : outcome->number.disturbed  ? "disturbed samples of"
                     : isnan(outcome->number.low) ? "too few samples of"
                                                  : "the interval contains a bound in",
                     outcome->test->title, outcome->test->title[0] ? ", " : "",
                     outcome->row ? outcome->row->name : "the median");
        if (!strstr(text, line))
            text_append(text, VERDICT_TEXT_BYTES, "%s%s", verdict_separator(text, "; "), line);
    }
}

void verdict_lacks_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text)
{
    for (int i = 0; i < count; i++)
        if (outcomes[i].lacks && !test->beside && !strstr(text, outcomes[i].reason))
            text_append(text, VERDICT_TEXT_BYTES, "%s%s", verdict_separator(text, "; "), outcomes[i].reason);
}

void verdict_builds_write(const RecordView *records, const BuildsRead *builds, char *text)
{
    const Record *const read[] = {builds->first, builds->other};
    for (int i = 0; i < 2 && builds->other; i++) {
        const EnvironmentRecord *environment = record_store_environment(records->store, read[i]);
        const char *commit = environment ? environment->environment.commit : "";
        const char *name = read[i]->cell.row[0] != '\0' ? read[i]->cell.row : read[i]->cell.dataset.name;
        text_append(text, VERDICT_TEXT_BYTES, "%s%s measured by %s %.7s%s", verdict_separator(text, ", "),
                    name, commit[0] ? "commit" : "an unknown build", commit,
                    environment && environment->environment.dirty ? " with changes" : "");
    }
}
