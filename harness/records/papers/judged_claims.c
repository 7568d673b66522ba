/* Judges all claims, sorts them by verdict, and lists the data behind them. */
#include "harness/records/papers/judged_claims.h"

/* Adds the authors' data sets behind a verdict to the list, each name once. */
static void data_note(const Verdict *verdict, JudgedClaims *out)
{
    for (int i = 0; i < verdict->outcome_count; i++) {
        const Outcome *outcome = &verdict->outcomes[i];
        char name[TABLE_TEXT_BYTES + 4], list[VERDICT_TEXT_BYTES + 4];
        if (outcome->kind == OUTCOME_ABSENT || !outcome->record || !outcome->record->cell.dataset.name[0])
            continue;
        char *names = out->authors_data;
        out->stand_ins = out->stand_ins || outcome->stand_in;
        snprintf(name, sizeof name, ", %s,", outcome->record->cell.dataset.name);
        snprintf(list, sizeof list, ", %s,", names);
        if (!outcome->stand_in && !strstr(list, name))
            text_append(names, VERDICT_TEXT_BYTES, "%s%s", names[0] ? ", " : "",
                        outcome->record->cell.dataset.name);
    }
}

Status claims_judge(const ClaimSet *set, const RecordView *records, JudgedClaims *out)
{
    CLEANUP(judged_claims_clear) JudgedClaims judged = {.items = NULL};
    int total = 0;
    *out = (JudgedClaims){.records = records};
    for (int p = 0; p < set->paper_count; p++)
        total += set->papers[p].claim_count;
    ALLOCATE(judged.items, total, "verdicts");
    ALLOCATE(out->items, total, "verdicts");
    for (int p = 0; p < set->paper_count; p++)
        for (int i = 0; i < set->papers[p].claim_count; i++) {
            JudgedClaim *item = &judged.items[judged.count++];
            item->paper = &set->papers[p];
            item->claim = &item->paper->claims[i];
            STATUS_TRY(claim_verdict(item->claim, records, &item->verdict));
            if (item->claim->of != CLAIM_OF_METHODS && item->claim->of != CLAIM_OF_HARNESS)
                data_note(&item->verdict, out);
        }
    for (int kind = 0; kind < VERDICT_COUNT; kind++)
        for (int i = 0; i < judged.count;
             i++) /* claims with the same verdict stay in the order of the files */
            if ((int)judged.items[i].verdict.kind == kind) {
                out->items[out->count++] = judged.items[i];
                out->counts[kind]++;
            }
    judged.count = 0; /* the claims now belong to *out */
    return status_ok();
}

void judged_claims_clear(JudgedClaims *claims)
{
    for (int i = 0; i < claims->count; i++)
        verdict_clear(&claims->items[i].verdict);
    memory_free(claims->items);
    *claims = (JudgedClaims){.items = NULL};
}
