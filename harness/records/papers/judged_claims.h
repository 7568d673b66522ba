/* Claims and their verdicts: contradicted ones first, and on which data. */
#pragma once

#include "harness/records/papers/verdict.h"

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
    /* Of claims about models, programs and machines: the data of the authors, names with commas, and whether
     * there were stand-ins. */
    char authors_data[VERDICT_TEXT_BYTES];
    bool stand_ins;
    const RecordView *records; /* that they were judged by */
} JudgedClaims;

/* Judges every claim of a set by one machine's records. Release with judged_claims_clear; the set and the
 * records must outlive it. */
Status claims_judge(const ClaimSet *set, const RecordView *records, JudgedClaims *out);
void judged_claims_clear(JudgedClaims *claims);
