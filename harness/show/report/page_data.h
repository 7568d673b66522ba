/* page/data.js: what the script of index.html draws, as window.skinbench (schema 1). */
#pragma once

#include "harness/show/report/report_page.h"

/* The plots and scenes of the report and the machines of its views [count]. The file is ASCII, and no text in
 * it can end a <script> or start another. */
Status page_data_write(const ReportPage *report, const RecordView *views, int count, const char *stamp);
