/* The first screen of index.html: which methods win, by a rule that stands beside the numbers. On the page
 * alone. */
#pragma once

#include "harness/show/report/report_page.h"

/* Direct methods: shape, artefacts and time over LBS. */
Status direct_leaders_write(ReportPage *report);
/* Decompositions: error, size and time, and what of them nothing else beats. */
Status fit_leaders_write(ReportPage *report);
