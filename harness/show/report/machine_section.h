/* The section of a report that says what its numbers were measured with. */
#ifndef SKINBENCH_REPORT_MACHINE_SECTION_H
#define SKINBENCH_REPORT_MACHINE_SECTION_H

#include "harness/show/report/report_page.h"

/* The environments of the runs of the page's machine, once each. */
Status machine_write(ReportPage *report);

#endif
