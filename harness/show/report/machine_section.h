/* The section of a report that says what its numbers were measured with. */
#pragma once

#include "harness/show/report/report_page.h"

/* The environments of the runs of the page's machine, once each. */
Status machine_write(ReportPage *report);
