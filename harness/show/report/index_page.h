/* index.html around its sections: its head and end, and what it loads from the folder `page` beside it. */
#pragma once

#include "harness/show/report/report_page.h"

/* The start of a page of the report: title, style and, if with_script, what the script needs. */
void html_page_start(FILE *html, const char *title, bool with_script);
void html_page_end(FILE *html);

/* Makes the folder page/ of the report with what is there of its style and script (harness/show/report/page
 * below environment_home), and starts index.html, which says what it lacks; sets
 * `has_script`. `source` names the result file, from outside; `about` is HTML of ours. */
Status index_start(ReportPage *report, const char *source, const char *stamp, const char *about);
void index_end(const ReportPage *report);
