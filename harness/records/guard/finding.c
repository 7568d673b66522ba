/* Creates, collects and counts findings. */
#include "harness/records/guard/finding.h"

#include "harness/measure/metrics/metrics.h"

const char *const finding_kind_names[FINDING_KIND_COUNT + 1] = {
    "worse",  "better", "moved",  "changed", "vanished", "appeared", "slower", "open",
    "failed", "faster", "unsure", "new",     "skipped",  "time",     "same",   NULL};

GuardFinding finding_of(FindingKind kind, const char *cell, const char *quantity)
{
    GuardFinding finding = {.kind = kind,
                            .part = "accuracy",
                            .cell = cell,
                            .method = "",
                            .backend = "",
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
    STATUS_TRY(text_pool_keep(&findings->texts, finding->part, &kept.part));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->cell, &kept.cell));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->method, &kept.method));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->backend, &kept.backend));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->of, &kept.of));
    STATUS_TRY(text_pool_keep(&findings->texts, finding->note, &kept.note));
    GuardFinding *slot = findings->items + index;
    memmove(slot + 1, slot, (size_t)(findings->count++ - index) * sizeof *slot);
    *slot = kept;
    return status_ok();
}

Status findings_set_method(Findings *findings, int first, const char *method, const char *backend)
{
    for (int i = first; i < findings->count; i++) {
        STATUS_TRY(text_pool_keep(&findings->texts, method, &findings->items[i].method));
        STATUS_TRY(text_pool_keep(&findings->texts, backend, &findings->items[i].backend));
    }
    return status_ok();
}

Status findings_add_source(Findings *findings, const FindingSource *source)
{
    GROW(findings->sources, findings->source_count, "the comparison");
    findings->sources[findings->source_count++] = *source;
    return status_ok();
}

void findings_clear(Findings *findings)
{
    text_pool_clear(&findings->texts);
    memory_free(findings->items);
    memory_free(findings->sources);
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

double finding_difference(const GuardFinding *finding)
{
    const Metric *metric = metric_find(finding->of);
    const double size = fmax(fabs(finding->base), fabs(finding->fresh)),
                 scale = strncmp(finding->of, "reference_", strlen("reference_")) == 0 ? 1.0 : 1e-6;
    return metric && size <= metric->slack ? 0.0 : fabs(finding->fresh - finding->base) / fmax(size, scale);
}

bool finding_is_rounding(const GuardFinding *finding)
{
    return finding_is_of_number(finding) && finding_difference(finding) <= FINDING_ROUNDING;
}

bool finding_fails(FindingKind kind)
{
    return kind <= FINDING_FAILED;
}

int findings_failing(const Findings *findings)
{
    int count = 0;
    for (int i = 0; i < findings->count; i++)
        count += finding_fails(findings->items[i].kind);
    return count;
}

const char *findings_verdict(const Findings *findings)
{
    bool rounding = false, skipped = findings->count == 0;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        bool compared = false;
        if (finding_fails(finding->kind) && !finding_is_rounding(finding))
            return "changed";
        rounding |= finding_fails(finding->kind);
        for (int k = 0; k < findings->count && finding->kind == FINDING_SKIPPED && !compared; k++)
            compared = findings->items[k].kind != FINDING_SKIPPED &&
                       strcmp(findings->items[k].part, finding->part) == 0;
        skipped |= finding->kind == FINDING_SKIPPED && !compared;
    }
    if (rounding)
        return "differs by rounding only";
    return skipped ? "not compared" : "as accepted";
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
