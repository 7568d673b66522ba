/* Writes the three numbers and the bar that sum up the claims of the papers. */
#include "harness/show/report/report_parts.h"

void report_verdicts_bar(const ReportPage *report)
{
    static const struct {
        const char *name;
        VerdictKind kinds[4];
        int count;
    } groups[] = {
        {"hold", {VERDICT_CONFIRMED, VERDICT_HOLDS_ON_STAND_INS, VERDICT_CHECK_HOLDS}, 3},
        {"partly", {VERDICT_PARTLY, VERDICT_PARTLY_ON_STAND_INS}, 2},
        {"fail",
         {VERDICT_CONTRADICTED, VERDICT_FAILS_ON_STAND_INS, VERDICT_DIFFERS_HERE, VERDICT_CHECK_FAILS},
         4},
    };
    enum { GROUPS = sizeof groups / sizeof *groups };
    const JudgedClaims *claims = report->claims;
    HtmlFile *html = report->html;
    int numbers[GROUPS] = {0}, rest = claims ? claims->count : 0;
    if (!claims || claims->count == 0)
        return;
    for (int g = 0; g < GROUPS; g++) {
        for (int k = 0; k < groups[g].count; k++)
            numbers[g] += claims->counts[groups[g].kinds[k]];
        rest -= numbers[g];
    }
    html_print(html,
               "<p class=\"claims\"><a href=\"#verdicts%s\">Of %d claims in the papers</a>:", report->suffix,
               claims->count);
    for (int g = 0; g < GROUPS; g++)
        html_print(html, " <b class=\"%s\">%d</b> %s,", groups[g].name, numbers[g], groups[g].name);
    html_print(html, " %d are open.</p>\n<div class=\"bar\" aria-hidden=\"true\">", rest);
    for (int g = 0; g < GROUPS; g++)
        html_print(html, "<span class=\"%s\" style=\"flex-grow: %d\"></span>", groups[g].name, numbers[g]);
    html_print(html, "<span style=\"flex-grow: %d\"></span></div>\n", rest);
}
