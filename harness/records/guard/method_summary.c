/* Writes one line for each method, which says what was found about it. */
#include "harness/records/guard/method_summary.h"

#include "harness/records/record/record_numbers.h"

/* The kinds of findings that a line reports, in this order, and the rank that they give to their method. */
static const struct {
    FindingKind kind;
    int rank;
} reported[] = {{FINDING_FAILED, 3}, {FINDING_WORSE, 3},   {FINDING_VANISHED, 3}, {FINDING_SLOWER, 3},
                {FINDING_OPEN, 3},   {FINDING_CHANGED, 2}, {FINDING_APPEARED, 2}, {FINDING_MOVED, 2},
                {FINDING_BETTER, 2}, {FINDING_FASTER, 1},  {FINDING_NEW, 1}};

static double change_of(const GuardFinding *finding)
{
    return finding->samples > 0 ? number_change(1.0, finding->ratio)
                                : number_change(finding->base, finding->fresh);
}

/* Whether the finding `a` represents its kind better than `b` (may be NULL). A finding about E_RMS does;
 * otherwise the one with the larger change. */
static bool says_more(const GuardFinding *a, const GuardFinding *b)
{
    const bool a_error = strstr(a->of, "e_rms") != NULL, b_error = b && strstr(b->of, "e_rms") != NULL;
    if (!b || a_error != b_error)
        return !b || a_error;
    return change_of(a) > change_of(b);
}

/* Adds a name to a list such as " scalar, simd,", unless the list has it. */
enum { NAMES_BYTES = 256 };
static void name_add(char names[NAMES_BYTES], const char *name)
{
    char text[64];
    snprintf(text, sizeof text, " %.60s,", name);
    if (name[0] && !strstr(names, text))
        text_append(names, NAMES_BYTES, "%s", text);
}

/* Appends what the findings of a kind say, if there are any, to the summary of their method. */
static void kind_add(const Findings *findings, FindingKind kind, int rank, MethodSummary *out)
{
    const GuardFinding *most = NULL;
    const char *cell = "", *counted = "", *part = "";
    char names[NAMES_BYTES] = "", all_names[NAMES_BYTES] = "";
    int cells = 0, all = 0;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        if (finding->kind != kind || finding_is_rounding(finding))
            continue;
        const bool is_cell = strncmp(finding->cell, ANY_MACHINE, strlen(ANY_MACHINE)) != 0;
        cells += is_cell && strcmp(finding->cell, counted) != 0;
        counted = finding->cell;
        part = finding->part;
        name_add(names, finding->backend);
        if (says_more(finding, most))
            most = finding;
    }
    if (!most)
        return;
    for (int i = 0; i < findings->count; i++) {
        const GuardFinding *finding = &findings->items[i];
        if (strcmp(finding->part, part) != 0 || finding->kind == FINDING_SKIPPED ||
            strncmp(finding->cell, ANY_MACHINE, strlen(ANY_MACHINE)) == 0)
            continue;
        all += strcmp(finding->cell, cell) != 0;
        cell = finding->cell;
        name_add(all_names, finding->backend);
    }
    out->worse += rank == 3 && kind != FINDING_OPEN ? cells : 0;
    if (rank >= out->rank) { /* ranks do not rise from kind to kind */
        out->rank = rank;
        out->change = fmax(out->change, change_of(most));
        if (kind != FINDING_OPEN && says_more(most, out->greatest.of ? &out->greatest : NULL))
            out->greatest = *most;
    }
    /* the text */
    const int digits = change_of(most) < 0.01 ? 9 : 3;
    text_append(out->text, sizeof out->text, "%s", out->text[0] ? "; " : "");
    if (kind == FINDING_OPEN) {
        text_append(out->text, sizeof out->text, "not accepted %s", most->note);
        return;
    }
    if (most->samples > 0)
        text_append(out->text, sizeof out->text, "%s %.2g %% ", most->of, 100.0 * fabs(most->ratio - 1.0));
    text_append(out->text, sizeof out->text, "%s", finding_kind_names[kind]);
    if (strchr(all_names, ',') != strrchr(all_names, ',') && strlen(names) == strlen(all_names))
        text_append(out->text, sizeof out->text, " on every backend");
    else if (names[0] && strcmp(names, " host,") != 0)
        text_append(out->text, sizeof out->text, " on%.*s", (int)strlen(names) - 1, names);
    if (cells > 0)
        text_append(out->text, sizeof out->text, " (%d of %d %s)", cells, all,
                    kind == FINDING_FAILED ? "checks" : "cells");
    if (most->samples == 0 && isfinite(most->base) && isfinite(most->fresh))
        text_append(out->text, sizeof out->text, ", %s %.*g to %.*g", most->of, digits, most->base, digits,
                    most->fresh);
    if (kind == FINDING_FAILED)
        text_append(out->text, sizeof out->text, ": %s%s", most->cell, cells > 1 ? ", ..." : "");
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
    LOCAL_ARRAY(GuardFinding, items, findings->count + 1, "the summary");
    LOCAL_ARRAY(bool, done, findings->count + 1, "the summary");
    *out = NULL;
    *count = 0;
    for (int first = 0; first < findings->count; first++) {
        MethodSummary summary = {.method = findings->items[first].method};
        Findings own = {.items = items};
        if (done[first] || !summary.method[0])
            continue;
        for (int i = first; i < findings->count; i++) {
            const GuardFinding *finding = &findings->items[i];
            if (strcmp(finding->method, summary.method) != 0)
                continue;
            done[i] = true;
            items[own.count++] = *finding;
            if (!finding_is_rounding(finding))
                continue;
            summary.rounding++;
            summary.rounding_most = fmax(summary.rounding_most, finding_difference(finding));
        }
        for (size_t i = 0; i < sizeof reported / sizeof *reported; i++)
            kind_add(&own, reported[i].kind, reported[i].rank, &summary);
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
