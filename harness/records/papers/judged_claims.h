/* Claims with their verdicts, contradicted ones first, and the data that decided them. */
#pragma once

#include "harness/records/papers/verdict.h"

/* A claim with its verdict. */
typedef struct JudgedClaim {
    const ClaimPaper *paper;
    const PaperClaim *claim;
    Verdict verdict;
} JudgedClaim;

typedef struct JudgedClaims {
    JudgedClaim
        *items; /* [count] sorted by verdict (contradicted, partly, confirmed, ...), then as in the files */
    int count;
    int counts[VERDICT_COUNT];
    /* For claims about models, programs and machines: the comma-separated names of the authors' data sets,
     * and whether stand-ins were used. */
    char authors_data[VERDICT_TEXT_BYTES];
    bool stand_ins;
    const RecordView *records; /* the records behind the verdicts */
} JudgedClaims;

/* Judges every claim of a set by the records of one machine. The set and the records must outlive *out.
 * Release with judged_claims_clear. */
Status claims_judge(const ClaimSet *set, const RecordView *records, JudgedClaims *out);
void judged_claims_clear(JudgedClaims *claims);
