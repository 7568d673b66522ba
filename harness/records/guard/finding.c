/* Creates, collects and counts findings. */
#include "harness/records/guard/finding.h"

const char *const finding_kind_names[FINDING_KIND_COUNT] = {
    "worse",  "better", "moved", "changed", "vanished", "appeared", "slower",
    "faster", "unsure", "new",   "skipped", "time",     "same"};

GuardFinding finding_of(FindingKind kind, const char *cell, const char *quantity)
{
    GuardFinding finding = {.kind = kind,
                            .cell = cell,
                            .of = quantity,
                            .note = "",
                            .base = NAN,
                            .fresh = NAN,
                            .ratio = NAN,
                            .bound = NAN,
                            .low = NAN,
                            .high = NAN};
    return finding;
}

Status findings_add(Findings *findings, const GuardFinding *finding)
{
    return findings_insert(findings, findings->count, finding);
}

Status findings_insert(Findings *findings, int index, const GuardFinding *finding)
{
    GROW(findings->items, findings->count, "the comparison");
    GuardFinding kept = *finding;
    STATUS_TRY(text_pool_keep(&findings->texts, finding->cell, &kept.cell));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->of, &kept.of));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->note, &kept.note));
    GuardFinding *slot = findings->items + index;
    memmove(slot + 1, slot, (size_t)(findings->count++ - index) * sizeof *slot);
    *slot = kept;
    return status_ok();
}

void findings_clear(Findings *findings)
{
    text_pool_clear(&findings->texts);
    memory_free(findings->items);
    *findings = (Findings){0};
}

int findings_count(const Findings *findings, FindingKind kind)
{
    int count = 0;
    for (int i = 0; i < findings->count; i++)
        count += findings->items[i].kind == kind;
    return count;
}

bool finding_is_of_number(const GuardFinding *finding)
{
    return finding->kind <= FINDING_CHANGED;
}

bool finding_fails(FindingKind kind)
{
    return kind <= FINDING_SLOWER;
}

int findings_failing(const Findings *findings)
{
    int count = 0;
    for (int i = 0; i < findings->count; i++)
        count += finding_fails(findings->items[i].kind);
    return count;
}

void findings_format(const Findings *findings, char text[FINDINGS_TEXT_BYTES])
{
    text[0] = '\0';
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++) {
        const int count = findings_count(findings, (FindingKind)kind);
        if (count > 0)
            text_append(text, FINDINGS_TEXT_BYTES, "%s%d %s", text[0] ? ", " : "", count,
                        finding_kind_names[kind]);
    }
    if (!text[0])
        snprintf(text, FINDINGS_TEXT_BYTES, "nothing was compared");
}
