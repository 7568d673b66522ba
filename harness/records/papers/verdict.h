/* The verdict on a claim, by rule, from measured cells with their intervals.
 *
 * Each row that a test reads has an outcome: its number's 95 % interval lies within the bounds (holds),
 * outside (fails), or across one of them (unclear). A time of too few samples for an interval is known to a
 * factor of FEW_SAMPLES. A claim is confirmed where all rows hold that were measured, contradicted where some
 * fail and none holds, partly true where some hold and some fail, undecided where some are unclear and none
 * fails, and untestable here where nothing can be measured. Stand-ins count only where none of the paper's
 * own rows could be measured, or where a test names them.
 *
 * A claim is incomplete, whatever the rest says, where a record that a deciding row needs is not in the file,
 * failed, is of other data than its row was run on, or was measured by another build of the program. What
 * cannot be had here does not count: a row whose data a record says are not available, a cell that was
 * skipped, a method that is not built in. So a record that is lost makes a verdict incomplete or leaves it.
 *
 * What it is about (ClaimOf) decides on the word: of the authors' models only their data confirm or
 * contradict, of their programs only these, of two machines only such machines; a check of the harness is no
 * claim. Where a bound is ours (ClaimTest.ours), a verdict that is another one at half or twice the bound is
 * "partly". */
#pragma once

#include "harness/records/papers/cell_value.h"
#include "harness/records/papers/claim.h"

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

/* "contradicted", "partly", "confirmed", "does not hold on stand-ins", ..., "untestable here". */
extern const char *const verdict_names[VERDICT_COUNT];

typedef enum OutcomeKind { OUTCOME_HOLDS, OUTCOME_FAILS, OUTCOME_UNCLEAR, OUTCOME_ABSENT } OutcomeKind;

/* "holds", "fails", "unclear", "absent". */
extern const char *const outcome_names[];

/* What a test comes to in one row, or over its rows. */
typedef struct Outcome {
    const ClaimTest *test;
    const TableRow *row; /* of several that of the least or most; NULL: their median */
    OutcomeKind kind;
    double value, low, high; /* low, high NAN: too few samples, or disturbed ones */
    int samples;             /* 0: not timed */
    bool disturbed;          /* other work on the machine spoiled them */
    bool stand_in;           /* of data that are not the authors' */
    bool lacks;           /* a record that it needs is absent, failed or of other data; `reason` says which */
    double published;     /* what is printed for it; NAN: nothing */
    int row_count;        /* how many rows were measured for it */
    const Record *record; /* NULL: absent */
    char reason[TABLE_TEXT_BYTES + 128]; /* of absent */
} Outcome;

enum { VERDICT_TEXT_BYTES = 512, FEW_SAMPLES = 3 };

typedef struct Verdict {
    VerdictKind kind;
    int counts[OUTCOME_ABSENT + 1];
    Outcome *outcomes; /* [outcome_count] */
    int outcome_count;
    char rule[VERDICT_TEXT_BYTES], measured[VERDICT_TEXT_BYTES], data[VERDICT_TEXT_BYTES];
    char reason[VERDICT_TEXT_BYTES]; /* where it fails, why it is undecided or untestable */
} Verdict;

/* Release with verdict_clear. STATUS_SYSTEM: out of memory. */
Status claim_verdict(const PaperClaim *claim, const RecordView *records, Verdict *out);
void verdict_clear(Verdict *verdict);

/* What follows from this many outcomes of each kind; and in the words for what the claim is about. */
VerdictKind verdict_of_counts(const int counts[OUTCOME_ABSENT + 1]);
VerdictKind verdict_of_claim(VerdictKind kind, ClaimOf of, bool stand_ins);
/* Where an interval lies. NAN for low and high: unknown. */
OutcomeKind outcome_of_interval(double low, double high, double min, double max);

/* ---- the texts, each of which is appended to (verdict_text.c) ---- */

/* `mark` between what `text` holds and what comes next; "" where it is empty. */
const char *verdict_separator(const char *text, const char *mark);

/* "at least 2 (our bound)". */
void verdict_rule_write(const ClaimTest *test, char *text);
/* "1.26 [1.21, 1.3]", or of several rows their span, and how near they come to print. */
void verdict_measured_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text);
/* The data sets of what was measured, each once. */
void verdict_data_write(const Outcome *outcomes, int count, char *text);
/* The rows that fail, that are unclear, or that could not be measured, whichever decide. */
void verdict_reason_write(const Verdict *verdict, char *text);
/* What a claim lacks: of a test's rows; and of the builds that its records are of. */
void verdict_lacks_write(const ClaimTest *test, const Outcome *outcomes, int count, char *text);
void verdict_builds_write(const RecordView *records, const BuildsRead *builds, char *text);
