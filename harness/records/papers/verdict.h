/* The verdict on a claim, derived by rule from measured cells with their intervals.
 *
 * Each row that a test reads has an outcome. It holds if the 95 % interval of its number lies within the
 * bounds, fails if the interval lies outside, and is unclear if the interval crosses a bound. A time with
 * too few samples for an interval is known only to a factor of FEW_SAMPLES.
 *
 *   confirmed        all measured rows hold
 *   contradicted     some rows fail and none holds
 *   partly           some rows hold and some fail
 *   undecided        some rows are unclear and none fails
 *   untestable here  nothing can be measured
 *
 * Stand-ins count only if none of the paper's own rows could be measured, or if a test names them.
 *
 * A claim is incomplete, whatever the other rows say, if the record of a deciding row is missing, failed,
 * belongs to other data than the row's, or was measured by another build of the program. Cells that are not
 * available here do not count: unavailable data, skipped cells, methods that are not built in. A lost
 * record therefore makes a verdict incomplete or leaves it as it is.
 *
 * The subject of the claim (ClaimOf) decides the wording. Only the authors' own models, programs or kinds
 * of machines can confirm or contradict claims about them. A claim about a reconstructed program or about
 * machines "differs" only if it is contradicted, not if it is partly true or undecided. A check of the
 * harness is not a claim. A verdict becomes "partly" if a bound is ours (ClaimTest.ours) and half or twice
 * that bound would change the verdict.
 *
 * A result that is stronger than the paper's holds: a test has a bound only on the side on which the claim
 * would become false. */
#pragma once

#include "harness/records/papers/claim.h"
#include "harness/records/papers/column_kind.h"

typedef enum VerdictKind {
    VERDICT_CONTRADICTED,
    VERDICT_PARTLY,
    VERDICT_CONFIRMED,
    VERDICT_FAILS_ON_STAND_INS,
    VERDICT_PARTLY_ON_STAND_INS,
    VERDICT_HOLDS_ON_STAND_INS,
    VERDICT_DIFFERS_FROM_RECONSTRUCTION,
    VERDICT_DIFFERS_HERE,
    VERDICT_CHECK_FAILS,
    VERDICT_CHECK_HOLDS,
    VERDICT_INCOMPLETE,
    VERDICT_UNDECIDED,
    VERDICT_UNTESTABLE,
    VERDICT_COUNT
} VerdictKind;

/* Names of the verdicts: "contradicted", "partly", "confirmed", "does not hold on stand-ins", ...,
 * "untestable here". */
extern const char *const verdict_names[VERDICT_COUNT];

typedef enum OutcomeKind { OUTCOME_HOLDS, OUTCOME_FAILS, OUTCOME_UNCLEAR, OUTCOME_ABSENT } OutcomeKind;

/* Names of the outcomes: "holds", "fails", "unclear", "absent". */
extern const char *const outcome_names[];

/* The result of a test for one row, or for all its rows together. */
typedef struct Outcome {
    const ClaimTest *test;
    const TableRow *row; /* row of the number; for merged rows, the row of the minimum or maximum, or NULL for
                            the median */
    OutcomeKind kind;
    SampledNumber number; /* low and high are NAN if samples are too few or disturbed */
    bool stand_in;        /* whether the verdict uses data that are not the authors' */
    bool lacks;       /* whether a record that the verdict needs is absent, failed or belongs to other data;
                         `reason` says which */
    double published; /* the printed number; NAN if there is none */
    int row_count;    /* number of measured rows */
    const Record *record;                /* NULL: absent */
    char reason[TABLE_TEXT_BYTES + 128]; /* why the outcome is absent */
} Outcome;

enum { VERDICT_TEXT_BYTES = 1024, FEW_SAMPLES = 3 };

typedef struct Verdict {
    VerdictKind kind;
    int counts[OUTCOME_ABSENT + 1];
    Outcome *outcomes; /* [outcome_count] */
    int outcome_count;
    char rule[VERDICT_TEXT_BYTES], measured[VERDICT_TEXT_BYTES], data[VERDICT_TEXT_BYTES];
    char reason[VERDICT_TEXT_BYTES]; /* rows in which the claim fails, or why it is undecided or untestable */
} Verdict;

/* Judges a claim. STATUS_SYSTEM: out of memory. Release with verdict_clear. */
Status claim_verdict(const PaperClaim *claim, const RecordView *records, Verdict *out);
void verdict_clear(Verdict *verdict);

/* The first function returns the verdict that follows from the number of outcomes of each kind. The second
 * returns the wording of a verdict for the subject of the claim. */
VerdictKind verdict_of_counts(const int counts[OUTCOME_ABSENT + 1]);
VerdictKind verdict_of_claim(VerdictKind kind, ClaimOf subject, bool stand_ins);
/* Returns the outcome of comparing an interval with the bounds. The ends of an unknown interval are NAN. */
OutcomeKind outcome_of_interval(double low, double high, double min, double max);

/* ---- texts of a verdict; each function appends to `text` (verdict_text.c) ---- */

/* Returns `mark` as the separator before the next part, or "" if `text` is still empty. */
const char *verdict_separator(const char *text, const char *mark);

/* Appends the bounds of a test: "at least 2 (our bound)". */
void verdict_rule_write(const ClaimTest *test, char *text);
/* Appends the measured value, "1.26 [1.21, 1.3]". For several rows, appends their range and how close they
 * come to the printed values. */
void verdict_measured_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text);
/* Appends the names of the data sets that were measured; each name appears once. */
void verdict_data_write(const Outcome *outcomes, int count, char *text);
/* Appends the rows that decide the verdict: those that fail, are unclear, or could not be measured. */
void verdict_reason_write(const Verdict *verdict, char *text);
/* verdict_lacks_write appends why the records of some rows are lacking. verdict_builds_write appends the
 * builds that measured the records, if there is more than one build. */
void verdict_lacks_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text);
void verdict_builds_write(const RecordView *records, const BuildsRead *builds, char *text);
