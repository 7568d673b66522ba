/* Summarises the scores of predicted rigs. */
#pragma once

#include "harness/records/files/record_store.h"
#include "harness/show/text/text_table.h"

/* Returns the first record of the next group of scores: those of one predictor and one variant. Pass NULL to
 * get the first. Returns NULL after the last. */
const Record *score_group_next(const RecordView *records, const Record *previous);

/* Makes a table of the scores in the group of `first`: a row for each number that some rig has. Means are
 * given over the rigs that were scored, and with failures (score_failure in score.h). Release with
 * text_table_free. */
TextTable *score_table(const RecordView *records, const Record *first);
