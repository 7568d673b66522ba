/* records.html: every record that counts, with the command that repeats it. */
#pragma once

#include "harness/show/report/report_page.h"

/* Each record of the views as <article id="r-NAME"> (record_name), its JSON folded. */
Status records_page_write(const ReportPage *report, const RecordView *views, int count);
