/* Summarizes in a line what was found about each method. */
#include "harness/records/guard/method_summary.h"

bool finding_is_bad(const GuardFinding *finding)
{
    const FindingKind kind = finding->kind;
    return kind == FINDING_WORSE || kind == FINDING_SLOWER || kind == FINDING_VANISHED ||
           kind == FINDING_OPEN || kind == FINDING_FAILED;
}

/* Returns |ln(new / base)|; INFINITY if a side is missing or zero, or if the signs differ. */
static double change_of(const GuardFinding *finding)
{
    const double ratio = finding->samples > 0 ? finding->ratio : finding->fresh / finding->base;
    return ratio > 0.0 && isfinite(ratio) ? fabs(log(ratio)) : INFINITY;
}

/* Whether `a` stands for a method rather than `b` (may be NULL): E_RMS, then the larger change. */
static bool says_more(const GuardFinding *a, const GuardFinding *b)
{
    const bool a_error = strstr(a->of, "e_rms") != NULL, b_error = b && strstr(b->of, "e_rms") != NULL;
    if (!b || a_error != b_error)
        return !b || a_error;
    return change_of(a) > change_of(b);
}

/* Whether a finding of this kind belongs to the method and part of `as`, and is more than rounding. */
static bool is_alike(const GuardFinding *finding, const GuardFinding *as, FindingKind kind)
{
    return finding->kind == kind && strcmp(finding->method, as->method) == 0 &&
           strcmp(finding->part, as->part) == 0 && !finding_is_rounding(finding);
}

/* Appends the backends that have findings like `as`: " on every backend", or " on simd, opencl". Appends
 * nothing for a fit. */
static void backends_append(const Findings *findings, const GuardFinding *as, char *text)
{
    char names[256] = "";
    int all = 0, having = 0;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *items = findings->items, *finding = &items[i];
        bool seen = finding->backend[0] == '\0', has = false, ran = false;
        if (strcmp(finding->method, as->method) != 0 || strcmp(finding->part, as->part) != 0)
            continue;
        for (int k = 0; k < i; k++)
            seen |= strcmp(items[k].method, as->method) == 0 && strcmp(items[k].part, as->part) == 0 &&
                    strcmp(items[k].backend, finding->backend) == 0;
        for (int k = i; k < findings->count && !seen; k++)
            if (strcmp(items[k].backend, finding->backend) == 0) {
                has |= is_alike(&items[k], as, as->kind);
                ran |= strcmp(items[k].method, as->method) == 0 && items[k].kind != FINDING_SKIPPED;
            }
        all += ran;
        having += has;
        if (has)
            text_append(names, sizeof names, "%s%s", names[0] ? ", " : " on ", finding->backend);
    }
    if (strcmp(as->backend, "host") != 0)
        text_append(text, METHOD_SUMMARY_BYTES, "%s", having == all && all > 1 ? " on every backend" : names);
}

/* Appends what the findings like `as`, the first of them, say together. Returns the number of their cells. */
static int phrase_append(const Findings *findings, const GuardFinding *as, char *text)
{
    const GuardFinding *most = NULL;
    const char *cell = "", *counted = "";
    int cells = 0, all = 0;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        if (strcmp(finding->method, as->method) != 0 || strcmp(finding->part, as->part) != 0)
            continue;
        const bool is_cell = strncmp(finding->cell, ANY_MACHINE, strlen(ANY_MACHINE)) != 0;
        all += is_cell && strcmp(finding->cell, cell) != 0 && finding->kind != FINDING_SKIPPED;
        cell = finding->cell;
        if (!is_alike(finding, as, as->kind))
            continue;
        cells += is_cell && strcmp(cell, counted) != 0;
        counted = cell;
        if (says_more(finding, most))
            most = finding;
    }
    text_append(text, METHOD_SUMMARY_BYTES, "%s", text[0] ? "; " : "");
    if (as->kind == FINDING_OPEN) {
        text_append(text, METHOD_SUMMARY_BYTES, "not accepted %s", as->note);
        return 0;
    }
    if (most->samples > 0)
        text_append(text, METHOD_SUMMARY_BYTES, "%s %.2g %% ", most->of, 100.0 * fabs(most->ratio - 1.0));
    text_append(text, METHOD_SUMMARY_BYTES, "%s", finding_kind_names[as->kind]);
    backends_append(findings, as, text);
    if (cells > 0)
        text_append(text, METHOD_SUMMARY_BYTES, " (%d of %d %s)", cells, all,
                    as->kind == FINDING_FAILED ? "checks" : "cells");
    if (most->samples == 0 && isfinite(most->base) && isfinite(most->fresh))
        text_append(text, METHOD_SUMMARY_BYTES, ", %s %.3g to %.3g", most->of, most->base, most->fresh);
    if (as->kind == FINDING_FAILED)
        text_append(text, METHOD_SUMMARY_BYTES, ": %s%s", most->cell, cells > 1 ? ", ..." : "");
    return cells;
}

/* Summarizes the method of the finding `first`. */
static MethodSummary method_summarize(const Findings *findings, int first)
{
    MethodSummary out = {.method = findings->items[first].method};
    for (int i = first; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        const FindingKind kind = finding->kind;
        int rank = finding_fails(kind) || kind == FINDING_FASTER || kind == FINDING_NEW;
        if (strcmp(finding->method, out.method) != 0 || rank == 0)
            continue;
        if (finding_is_rounding(finding)) {
            const double size = fmax(fabs(finding->base), fabs(finding->fresh));
            out.rounding++;
            out.rounding_most = fmax(out.rounding_most, fabs(finding->fresh - finding->base) / size);
            continue;
        }
        if (finding_fails(kind))
            rank = finding_is_bad(finding) ? 3 : 2;
        if (rank > out.rank || (rank == out.rank && change_of(finding) > out.change))
            out.change = change_of(finding);
        if (kind != FINDING_OPEN &&
            (rank > out.rank || (rank == out.rank && says_more(finding, out.greatest))))
            out.greatest = finding;
        out.rank = rank > out.rank ? rank : out.rank;
    }
    /* what got worse first */
    for (int bad = 1; bad >= 0; bad--)
        for (int i = first; i < findings->count; i++) {
            const GuardFinding *finding = &findings->items[i];
            const FindingKind kind = finding->kind;
            bool said = finding_is_bad(finding) != bad || finding_is_rounding(finding) ||
                        (!finding_fails(kind) && kind != FINDING_FASTER && kind != FINDING_NEW) ||
                        strcmp(finding->method, out.method) != 0;
            for (int k = first; k < i && !said; k++)
                said = is_alike(&findings->items[k], finding, kind);
            if (!said)
                out.worse += (bad != 0) * phrase_append(findings, finding, out.text);
        }
    return out;
}

static int summary_order(const void *a, const void *b)
{
    const MethodSummary *left = a, *right = b;
    if (left->rank != right->rank)
        return right->rank - left->rank;
    if (left->change != right->change)
        return left->change < right->change ? 1 : -1;
    return strcmp(left->method, right->method);
}

Status methods_summarize(const Findings *findings, MethodSummary **out, int *count)
{
    OWNED MethodSummary *summaries = NULL;
    *out = NULL;
    *count = 0;
    for (int i = 0; i < findings->count; i++) {
        bool seen = findings->items[i].method[0] == '\0';
        for (int k = 0; k < i && !seen; k++)
            seen = strcmp(findings->items[k].method, findings->items[i].method) == 0;
        if (seen)
            continue;
        const MethodSummary summary = method_summarize(findings, i);
        if (summary.rank == 0 && summary.rounding == 0)
            continue;
        GROW(summaries, *count, "the summary");
        summaries[(*count)++] = summary;
    }
    if (*count > 0)
        qsort(summaries, (size_t)*count, sizeof *summaries, summary_order);
    *out = TAKE(summaries);
    return status_ok();
}
