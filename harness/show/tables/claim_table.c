/* Judges claims and prints them. */
#include "harness/show/tables/claim_table.h"

#include "datasets/base/memory.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const verdict_classes[VERDICT_COUNT] = {
    [VERDICT_CONTRADICTED] = "verdict contradicted", [VERDICT_PARTLY] = "verdict partly",
    [VERDICT_CONFIRMED] = "verdict confirmed",       [VERDICT_UNDECIDED] = "verdict undecided",
    [VERDICT_UNTESTABLE] = "verdict untestable",
};

/* Those of one verdict, in the order of their files. */
static void kind_append(const JudgedClaims *judged, VerdictKind kind, JudgedClaims *out)
{
    for (int i = 0; i < judged->count; i++)
        if (judged->items[i].verdict.kind == kind) {
            out->items[out->count++] = judged->items[i];
            out->counts[kind]++;
        }
}

Status claims_judge(const ClaimSet *set, const RecordView *records, JudgedClaims *out)
{
    JudgedClaims judged = {.items = NULL};
    int total = 0;
    Status status = status_ok();
    *out = (JudgedClaims){.records = records};
    for (int p = 0; p < set->paper_count; p++)
        total += set->papers[p].claim_count;
    judged.items = memory_array((size_t)total, sizeof *judged.items);
    out->items = memory_array((size_t)total, sizeof *out->items);
    if (!judged.items || !out->items)
        STATUS_TRY(status_out_of_memory("verdicts"));
    for (int p = 0; p < set->paper_count; p++)
        for (int i = 0; i < set->papers[p].claim_count; i++) {
            JudgedClaim *item = &judged.items[judged.count];
            item->paper = &set->papers[p];
            item->claim = &item->paper->claims[i];
            STATUS_TRY(claim_verdict(item->claim, records, &item->verdict));
            judged.count++;
        }
    for (int kind = 0; kind < VERDICT_COUNT; kind++)
        kind_append(&judged, (VerdictKind)kind, out);
    judged.count = 0; /* out owns them now */
done:
    judged_claims_clear(&judged);
    if (status.code != STATUS_OK)
        judged_claims_clear(out);
    return status;
}

void judged_claims_clear(JudgedClaims *claims)
{
    for (int i = 0; i < claims->count; i++)
        verdict_clear(&claims->items[i].verdict);
    memory_free(claims->items);
    *claims = (JudgedClaims){.items = NULL};
}

void claims_summary(const JudgedClaims *claims, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%d claims", claims->count);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (length < size)
            length += (size_t)snprintf(text + length, size - length, "%s %d %s", i == 0 ? ":" : ",",
                                       claims->counts[i], verdict_names[i]);
}

/* The first record that a verdict rests on; NULL: none. */
static const Record *verdict_record(const Verdict *verdict)
{
    for (int i = 0; i < verdict->outcome_count; i++)
        if (verdict->outcomes[i].record)
            return verdict->outcomes[i].record;
    return NULL;
}

TextTable *claims_table(const JudgedClaims *claims, const char *title)
{
    static const char *const columns[] = {"?verdict",  "?paper", "<claim",  "<printed", "<holds if",
                                          "<measured", "<data",  "<remark", NULL};
    TextTable *out = text_table_create(title, columns);
    char name[RECORD_NAME_BYTES];
    for (int i = 0; i < claims->count; i++) {
        const JudgedClaim *item = &claims->items[i];
        const char *note = item->claim->note, *reason = item->verdict.reason;
        text_table_row(out);
        text_table_words(out, verdict_names[item->verdict.kind], NULL);
        text_table_mark(out, verdict_classes[item->verdict.kind]);
        text_table_words(out, item->paper->paper, item->claim->claim, NULL);
        text_table_cell(out, "%s (%s)", item->claim->published, item->claim->place);
        text_table_words(out, item->verdict.rule, item->verdict.measured, NULL);
        text_table_value(out, NAN, record_name(claims->records, verdict_record(&item->verdict), name));
        text_table_words(out, item->verdict.data, NULL);
        text_table_cell(out, "%s%s%s", reason, reason[0] && note[0] ? "; " : "", note);
    }
    return out;
}
