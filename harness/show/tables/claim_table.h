/* Claims and their verdicts, for print: contradicted ones first. */
#pragma once

#include "harness/records/papers/verdict.h"
#include "harness/show/text/text_table.h"

/* A claim with its verdict. */
typedef struct JudgedClaim {
    const ClaimPaper *paper;
    const PaperClaim *claim;
    Verdict verdict;
} JudgedClaim;

typedef struct JudgedClaims {
    JudgedClaim *items; /* [count], by verdict (contradicted, partly, confirmed, ...), then as in the files */
    int count;
    int counts[VERDICT_COUNT];
    const RecordView *records; /* that they were judged by */
} JudgedClaims;

/* The classes by which a page knows a verdict: "verdict contradicted". */
extern const char *const verdict_classes[VERDICT_COUNT];

/* Judges every claim of a set by one machine's records. Release with judged_claims_clear; the set and the records
 * must outlive it. */
Status claims_judge(const ClaimSet *set, const RecordView *records, JudgedClaims *out);
void judged_claims_clear(JudgedClaims *claims);

/* "52 claims: 3 contradicted, 5 partly, ..." */
void claims_summary(const JudgedClaims *claims, char *text, size_t size);

/* One row each: verdict, claim, as printed, rule, measured, data, why. text_table_status says whether memory was
 * out. */
TextTable *claims_table(const JudgedClaims *claims, const char *title);
