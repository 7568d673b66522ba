/* The sections of a report, in their order: one row each in sections.c. */
#pragma once

#include "harness/show/report/report_page.h"

/* Writes those that the records of the page have anything for. */
Status sections_write(ReportPage *report);
