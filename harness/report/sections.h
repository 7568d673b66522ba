/* The sections of a report, in their order: one row each in sections.c. */
#ifndef SKINBENCH_REPORT_SECTIONS_H
#define SKINBENCH_REPORT_SECTIONS_H

#include "harness/report/report_page.h"

typedef struct ReportSection {
    const char *title; /* NULL: it has a title for each data set or table, which it writes itself */
    /* Whether there is anything for it; NULL: always. */
    bool (*needed)(const RecordView *records);
    Status (*write)(ReportPage *report);
} ReportSection;

/* `count` rows. */
const ReportSection *report_sections(int *count);

#endif
