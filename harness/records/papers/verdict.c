/* Reads the cells that a claim's tests name and derives the verdict by the rule in verdict.h. No verdict is
 * written by hand. */
#include "harness/records/papers/verdict.h"

#include "harness/records/papers/column_kind.h"

const char *const verdict_names[VERDICT_COUNT] = {[VERDICT_CONTRADICTED] = "contradicted",
                                                  [VERDICT_PARTLY] = "partly",
                                                  [VERDICT_CONFIRMED] = "confirmed",
                                                  [VERDICT_FAILS_ON_STAND_INS] = "does not hold on stand-ins",
                                                  [VERDICT_PARTLY_ON_STAND_INS] = "partly on stand-ins",
                                                  [VERDICT_HOLDS_ON_STAND_INS] = "holds on stand-ins",
                                                  [VERDICT_DIFFERS_FROM_RECONSTRUCTION] =
                                                      "differs from our reconstruction",
                                                  [VERDICT_DIFFERS_HERE] = "differs here",
                                                  [VERDICT_CHECK_FAILS] = "check fails",
                                                  [VERDICT_CHECK_HOLDS] = "check holds",
                                                  [VERDICT_INCOMPLETE] = "incomplete",
                                                  [VERDICT_UNDECIDED] = "undecided",
                                                  [VERDICT_UNTESTABLE] = "untestable here"};
const char *const outcome_names[] = {[OUTCOME_HOLDS] = "holds",
                                     [OUTCOME_FAILS] = "fails",
                                     [OUTCOME_UNCLEAR] = "unclear",
                                     [OUTCOME_ABSENT] = "absent"};

VerdictKind verdict_of_counts(const int counts[OUTCOME_ABSENT + 1])
{
    if (counts[OUTCOME_FAILS] > 0)
        return counts[OUTCOME_HOLDS] > 0 ? VERDICT_PARTLY : VERDICT_CONTRADICTED;
    if (counts[OUTCOME_UNCLEAR] > 0)
        return VERDICT_UNDECIDED;
    return counts[OUTCOME_HOLDS] > 0 ? VERDICT_CONFIRMED : VERDICT_UNTESTABLE;
}

VerdictKind verdict_of_claim(VerdictKind kind, ClaimOf subject, bool stand_ins)
{
    const bool holds = kind == VERDICT_CONFIRMED, fails = kind == VERDICT_CONTRADICTED;
    if (!holds && !fails && kind != VERDICT_PARTLY)
        return kind;
    if (subject == CLAIM_OF_HARNESS)
        return holds ? VERDICT_CHECK_HOLDS : VERDICT_CHECK_FAILS;
    if (subject == CLAIM_OF_RECONSTRUCTION && fails)
        return VERDICT_DIFFERS_FROM_RECONSTRUCTION;
    if (subject == CLAIM_OF_MACHINES && fails)
        return VERDICT_DIFFERS_HERE;
    if (subject == CLAIM_OF_METHODS || (subject == CLAIM_OF_MODELS && !stand_ins))
        return kind;
    return holds   ? VERDICT_HOLDS_ON_STAND_INS
           : fails ? VERDICT_FAILS_ON_STAND_INS
                   : VERDICT_PARTLY_ON_STAND_INS;
}

OutcomeKind outcome_of_interval(double low, double high, double min, double max)
{
    if (isnan(low) || isnan(high))
        return OUTCOME_UNCLEAR;
    if (high < min || low > max) /* a NAN bound means no bound, because comparisons with NAN are false */
        return OUTCOME_FAILS;
    return low < min || high > max ? OUTCOME_UNCLEAR : OUTCOME_HOLDS;
}

/* ---- numbers with intervals ---- */

static void number_set(Outcome *outcome, const TableCell *cell)
{
    const SampledNumber *number = &cell->measured;
    outcome->number = *number;
    if (number->disturbed)
        outcome->number.low = outcome->number.high = NAN;
}

/* If the samples of a time are too few or disturbed, widens its interval to the value divided and
 * multiplied by a factor. On a busy machine, equal times were seen to differ by a factor of 2.5 (the
 * largest in 5000 samples). If this factor were smaller, the verdict would change from run to run. */
static void number_widen(Outcome *outcome, double factor)
{
    if (!isnan(outcome->number.low) || !(outcome->number.value > 0.0))
        return;
    outcome->number.low = outcome->number.value / factor;
    outcome->number.high = outcome->number.value * factor;
}

/* ---- one row ---- */

static bool row_needs_data(const TableRow *row)
{
    return row->dataset[0] != '\0' || row->generate[0] != '\0';
}

static void absent(const TableView *view, const TableRow *row, const TableCell *cell, Outcome *outcome)
{
    const Record *data = row_needs_data(row) ? table_row_record(view, row) : NULL;
    const bool unavailable = data && data->status == RECORD_SKIPPED;
    outcome->kind = OUTCOME_ABSENT;
    outcome->number.value = outcome->number.low = outcome->number.high = NAN;
    outcome->lacks = cell->state == TABLE_CELL_FAILED || (cell->state == TABLE_CELL_MISSING && !unavailable);
    if (cell->state == TABLE_CELL_MISSING)
        snprintf(outcome->reason, sizeof outcome->reason, "%.90s: %.200s", row->name,
                 unavailable                         ? data->reason
                 : data && data->status == RECORD_OK ? "not run on its data"
                                                     : "not run");
    else if (cell->record && cell->record->reason[0])
        snprintf(outcome->reason, sizeof outcome->reason, "%.90s: %.200s", row->name, cell->record->reason);
    else
        snprintf(outcome->reason, sizeof outcome->reason, "%s: %s", row->name,
                 cell->state == TABLE_CELL_EMPTY ? "nothing to measure" : table_cell_state_name(cell->state));
}

/* Marks the outcome as absent unless the data of each cell are known and all compared cells use the same
 * data. */
static void data_check(const TableView *view, const TableRow *row, const TableView *to_view,
                       const TableRow *to_row, Outcome *outcome)
{
    const char *digest = table_row_digest(view, row);
    const bool known =
        !row_needs_data(row) || digest[strspn(digest, "0")] != '\0'; /* a digest of zeros means no data */
    const bool same = !to_row || row->dataset[0] == '\0' || strcmp(row->dataset, to_row->dataset) != 0 ||
                      row->influences != to_row->influences ||
                      strcmp(digest, table_row_digest(to_view, to_row)) == 0;
    if (known && same)
        return;
    outcome->kind = OUTCOME_ABSENT;
    outcome->lacks = true;
    snprintf(outcome->reason, sizeof outcome->reason,
             known ? "%s: its data differ from those in %s" : "%s: no record says which data it was run on",
             row->name, known ? to_view->table->name : "");
}

/* Measures the rank correlation between the printed and measured numbers of one row. */
static void order_measure(const TableView *view, const TableRow *row, Outcome *outcome)
{
    double printed[TABLE_LIST_MAX], measured[TABLE_LIST_MAX];
    TableCell last = {.state = TABLE_CELL_EMPTY};
    int count = 0;
    bool lacks = false;
    for (int i = 0; i < outcome->test->column_count; i++) {
        TableCell cell =
            table_cell_find(view, row, table_column_find(view->table, outcome->test->columns[i]));
        if (isnan(cell.published) || lacks)
            continue;
        if (cell.state != TABLE_CELL_MEASURED) {
            absent(view, row, &cell, outcome);
            lacks = outcome->lacks;
            continue;
        }
        printed[count] = cell.published;
        measured[count++] = cell.measured.value;
        last = cell;
    }
    if (lacks)
        return;
    const double tau = kendall_tau(printed, measured, count);
    outcome->record = last.record;
    if (!isnan(tau)) {
        outcome->kind = OUTCOME_HOLDS;
        outcome->number.value = outcome->number.low = outcome->number.high = tau;
        data_check(view, row, view, NULL, outcome);
    } else if (outcome->kind != OUTCOME_ABSENT) {
        absent(view, row, &last, outcome);
    }
}

/* Returns the difference of two numbers or, for ratios, its share of what the first exceeds 1 by. A ratio
 * that does not exceed 1 has no such share and fails every lower bound. */
static double difference_of(double number, double other, bool is_share)
{
    const double difference = number - other;
    if (!is_share)
        return difference;
    return number <= 1.0 ? -INFINITY : difference / (number - 1.0);
}

static void row_measure(const RecordView *records, BuildsRead *builds, const TableRow *row, Outcome *outcome)
{
    const ClaimTest *test = outcome->test;
    const TableView view = {test->table, records, builds}, to_view = {test->to_table, records, builds};
    const TableRow *other = NULL;
    outcome->row = row;
    outcome->row_count = 1;
    outcome->kind = OUTCOME_HOLDS; /* the value, unless a later check changes it */
    outcome->stand_in =
        row->generate[0] != '\0' || (row->dataset[0] != '\0' && row->stand_in && !row->authors);
    outcome->published = NAN;
    if (test->compare == CLAIM_ORDER) {
        order_measure(&view, row, outcome);
        return;
    }
    const TableCell cell = table_cell_find(&view, row, table_column_find(test->table, test->column));
    outcome->record = cell.record;
    outcome->published = cell.published;
    number_set(outcome, &cell);
    number_widen(outcome, FEW_SAMPLES);
    if (cell.state != TABLE_CELL_MEASURED) {
        absent(&view, row, &cell, outcome);
    } else if (test->compare == CLAIM_PUBLISHED) {
        const double factor = 1.0 / cell.published;
        outcome->number.value *= factor;
        outcome->number.low *= factor;
        outcome->number.high *= factor;
        if (!isfinite(outcome->number.value))
            absent(&view, row, &(TableCell){.state = TABLE_CELL_EMPTY}, outcome);
    } else if (test->to_table) {
        other = table_row_find(test->to_table, test->to.row[0] != '\0' ? test->to.row : row->name);
        const TableCell to_cell =
            other ? table_cell_find(&to_view, other, table_column_find(test->to_table, test->to.column))
                  : (TableCell){.state = TABLE_CELL_EMPTY};
        if (to_cell.state != TABLE_CELL_MEASURED)
            absent(&to_view, other ? other : row, &to_cell, outcome);
        else if (test->compare == CLAIM_DIFFERENCE || test->compare == CLAIM_EXCESS) {
            const bool is_share = test->compare == CLAIM_EXCESS;
            const SampledNumber *to = &to_cell.measured;
            outcome->number.value = difference_of(outcome->number.value, to->value, is_share);
            outcome->number.low = difference_of(outcome->number.low, to->high, is_share);
            outcome->number.high = difference_of(outcome->number.high, to->low, is_share);
        } else {
            TableCell ratio = cell;
            table_cell_divide(&ratio, &to_cell);
            number_set(outcome, &ratio);
        }
        if (test->compare == CLAIM_RATIO)
            number_widen(outcome, FEW_SAMPLES * FEW_SAMPLES);
    }
    if (outcome->kind != OUTCOME_ABSENT)
        data_check(&view, row, &to_view, other, outcome);
    if (outcome->kind != OUTCOME_ABSENT && other)
        data_check(&to_view, other, &to_view, NULL, outcome);
}

/* ---- all rows of a test ---- */

static double over_rows(const Outcome *rows, int count, size_t member, ClaimOver over, double *values)
{
    int used = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].kind != OUTCOME_ABSENT)
            values[used++] = *(const double *)((const char *)&rows[i] + member);
    for (int i = 0; i < used; i++)
        if (isnan(values[i]))
            return NAN;
    double median = median_sorting(values, used);
    return used == 0 || over == CLAIM_MEDIAN ? median : values[over == CLAIM_MIN ? 0 : used - 1];
}

/* Replaces the rows by one with their median, minimum or maximum, computed separately for the value and for
 * each end of the interval. */
static Status rows_merge(const ClaimTest *test, Outcome *rows, int *count)
{
    LOCAL_ARRAY(double, values, *count + 1, "a verdict");
    Outcome merged = {.test = test, .kind = OUTCOME_ABSENT};
    bool disturbed = false, stand_in = false;
    for (int i = 0; i < *count; i++)
        if (rows[i].kind != OUTCOME_ABSENT) {
            const int measured = merged.row_count + 1;
            disturbed = disturbed || rows[i].number.disturbed;
            stand_in = stand_in || rows[i].stand_in;
            const bool further =
                measured == 1 || (test->over == CLAIM_MIN ? rows[i].number.value < merged.number.value
                                                          : rows[i].number.value > merged.number.value);
            if (further) /* name the row with the minimum or maximum */
                merged = rows[i];
            merged.row_count = measured;
            merged.number.disturbed = disturbed;
            merged.stand_in = stand_in;
        }
    if (merged.kind != OUTCOME_ABSENT) {
        merged.row = test->over == CLAIM_MEDIAN ? NULL : merged.row;
        merged.number.value = over_rows(rows, *count, offsetof(Outcome, number.value), test->over, values);
        merged.number.low = over_rows(rows, *count, offsetof(Outcome, number.low), test->over, values);
        merged.number.high = over_rows(rows, *count, offsetof(Outcome, number.high), test->over, values);
        rows[0] = merged;
        *count = 1;
    }
    return status_ok();
}

static int rows_measure(const ClaimTest *test, const RecordView *records, BuildsRead *builds, Outcome *rows)
{
    int count = 0;
    for (int r = 0; r < test->table->row_count; r++) {
        const TableRow *row = &test->table->rows[r];
        bool asked = test->row_count == 0;
        for (int i = 0; i < test->row_count && !asked; i++)
            asked = strcmp(test->rows[i], row->name) == 0;
        if (!asked)
            continue;
        rows[count] = (Outcome){.test = test, .number = {.value = NAN, .low = NAN, .high = NAN}};
        row_measure(records, test->beside ? NULL : builds, row, &rows[count++]);
    }
    /* Stand-ins count only if none of the paper's own rows could be measured, or if the test names them. */
    bool paper = false;
    int kept = 0;
    for (int i = 0; i < count; i++)
        paper = paper || (rows[i].kind != OUTCOME_ABSENT && (!rows[i].row->stand_in || rows[i].row->authors));
    if (!paper || test->row_count > 0)
        return count;
    for (int i = 0; i < count; i++)
        if (!rows[i].row->stand_in || rows[i].row->authors)
            rows[kept++] = rows[i];
    return kept;
}

/* Returns a bound of a test. If the bound is our own, its distance from the reference value is multiplied
 * by a factor. A NAN bound stays NAN. */
static double bound_at(const ClaimTest *test, double bound, double factor)
{
    return isnan(test->ours) ? bound : test->ours + factor * (bound - test->ours);
}

static OutcomeKind outcome_at(const Outcome *outcome, double factor)
{
    const ClaimTest *test = outcome->test;
    return outcome_of_interval(outcome->number.low, outcome->number.high, bound_at(test, test->min, factor),
                               bound_at(test, test->max, factor));
}

/* ---- a claim ---- */

static void outcomes_count(const Verdict *verdict, double factor, int counts[OUTCOME_ABSENT + 1])
{
    memset(counts, 0, (OUTCOME_ABSENT + 1) * sizeof *counts);
    for (int i = 0; i < verdict->outcome_count; i++) {
        const Outcome *outcome = &verdict->outcomes[i];
        if (!outcome->test->beside)
            counts[outcome->kind == OUTCOME_ABSENT ? OUTCOME_ABSENT : outcome_at(outcome, factor)]++;
    }
}

/* Tries half and twice the distance of our own bounds. If one of them would change the verdict, the verdict
 * becomes "partly". */
static void own_bounds_try(const PaperClaim *claim, Verdict *verdict)
{
    const VerdictKind nominal = verdict->kind;
    bool ours = false;
    for (int t = 0; t < claim->test_count; t++)
        ours = ours || !(isnan(claim->tests[t].ours) || claim->tests[t].beside);
    if (!ours || (nominal != VERDICT_CONFIRMED && nominal != VERDICT_CONTRADICTED))
        return;
    for (int i = 0; i < 2; i++) {
        int counts[OUTCOME_ABSENT + 1];
        outcomes_count(verdict, i == 0 ? 0.5 : 2.0, counts);
        const VerdictKind other = verdict_of_counts(counts);
        text_append(verdict->reason, VERDICT_TEXT_BYTES, "%sat %s our bound: %s",
                    verdict_separator(verdict->reason, "; "), i == 0 ? "half" : "twice",
                    verdict_names[other]);
        if (other != nominal && other != VERDICT_UNDECIDED)
            verdict->kind = VERDICT_PARTLY;
    }
}

Status claim_verdict(const PaperClaim *claim, const RecordView *records, Verdict *out)
{
    BuildsRead builds = {NULL, NULL};
    bool stand_ins = false;
    char lacks[VERDICT_TEXT_BYTES] = "";
    size_t max = 0;
    *out = (Verdict){.kind = VERDICT_UNTESTABLE};
    for (int t = 0; t < claim->test_count; t++)
        max += (size_t)claim->tests[t].table->row_count;
    ALLOCATE(out->outcomes, max, "a verdict");
    for (int t = 0; t < claim->test_count; t++) {
        Outcome *rows = out->outcomes + out->outcome_count;
        int count = rows_measure(&claim->tests[t], records, &builds, rows);
        verdict_lacks_write(&claim->tests[t], rows, count, lacks);
        verdict_data_write(rows, count, out->data);
        Status status =
            claim->tests[t].over == CLAIM_EACH ? status_ok() : rows_merge(&claim->tests[t], rows, &count);
        for (int k = 0; k < count; k++)
            if (rows[k].kind != OUTCOME_ABSENT)
                rows[k].kind = outcome_at(&rows[k], 1.0);
        STATUS_TRY(status);
        out->outcome_count += count;
        verdict_rule_write(&claim->tests[t], out->rule);
        verdict_measured_write(&claim->tests[t], rows, count, out->measured);
    }
    for (int i = 0; i < out->outcome_count; i++)
        stand_ins = stand_ins || (out->outcomes[i].stand_in && !out->outcomes[i].test->beside &&
                                  out->outcomes[i].kind != OUTCOME_ABSENT);
    outcomes_count(out, 1.0, out->counts);
    out->kind = verdict_of_counts(out->counts);
    text_append(out->reason, VERDICT_TEXT_BYTES, "%s", claim->untestable);
    verdict_builds_write(records, &builds, lacks);
    if (lacks[0] != '\0') {
        out->kind = VERDICT_INCOMPLETE;
        text_append(out->reason, VERDICT_TEXT_BYTES, "%s", lacks);
    } else {
        own_bounds_try(claim, out);
        verdict_reason_write(out, out->reason);
        out->kind = verdict_of_claim(out->kind, claim->of, stand_ins);
    }
    return status_ok();
}

void verdict_clear(Verdict *verdict)
{
    memory_free(verdict->outcomes);
    *verdict = (Verdict){.kind = VERDICT_UNTESTABLE};
}
