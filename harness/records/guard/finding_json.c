/* Writes findings as JSON lines, and reads them. */
#include "harness/records/guard/finding_json.h"

#include "datasets/io/input_file.h"
#include "datasets/io/json_table.h"
#include "harness/records/guard/method_summary.h"

/* A finding with its texts. */
typedef struct FindingLine {
    GuardFinding finding;
    char part[32], method[METHOD_SUMMARY_NAME_BYTES], backend[32], of[128];
    char cell[FINDING_CELL_BYTES], note[FINDING_NOTE_BYTES];
} FindingLine;

static const JsonTable finding_table =
    JSON_TABLE(FindingLine, JSON_FIELD(FindingLine, part, NAME), JSON_FIELD(FindingLine, cell, TEXT),
               JSON_FIELD(FindingLine, method, TEXT), JSON_FIELD(FindingLine, backend, TEXT),
               JSON_WORD(FindingLine, finding.kind, "finding", finding_kind_names),
               JSON_FIELD_AS(FindingLine, of, TEXT, "metric", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.base, REAL, "base", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.fresh, REAL, "new", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.ratio, REAL, "ratio", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.low, REAL, "low", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.high, REAL, "high", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.bound, REAL, "bound", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.samples, COUNT, "samples", WRITTEN),
               JSON_FIELD_AS(FindingLine, finding.disturbed, FLAG, "disturbed", WRITTEN),
               JSON_FIELD_AS(FindingLine, note, TEXT, "reason", WRITTEN));

static const JsonTable source_table = JSON_TABLE_STRICT(
    FindingSource, NULL, JSON_FIELD(FindingSource, part, NAME),
    JSON_FIELD_AS(FindingSource, base, TEXT, "base", WRITTEN),
    JSON_FIELD_AS(FindingSource, fresh, TEXT, "new", WRITTEN), JSON_FIELD(FindingSource, base_commit, STAMP),
    JSON_FIELD(FindingSource, commit, STAMP));
/* Only the sources are read from the last line. It is recognized by its verdict. */
static const JsonTable summary_table =
    JSON_TABLE(Findings, JSON_LIST(Findings, sources, source_count, "sources", &source_table, WRITTEN));

json_t *finding_to_json(const GuardFinding *finding)
{
    FindingLine line = {.finding = *finding};
    snprintf(line.part, sizeof line.part, "%s", finding->part);
    snprintf(line.cell, sizeof line.cell, "%s", finding->cell);
    snprintf(line.method, sizeof line.method, "%s", finding->method);
    snprintf(line.backend, sizeof line.backend, "%s", finding->backend);
    snprintf(line.of, sizeof line.of, "%s", finding->of);
    snprintf(line.note, sizeof line.note, "%s", finding->note);
    return json_write(&finding_table, &line);
}

json_t *findings_summary_to_json(const Findings *findings)
{
    char counts[FINDINGS_TEXT_BYTES];
    OWNED MethodSummary *methods = NULL;
    int count = 0;
    json_t *texts = json_array(), *object = json_write(&summary_table, findings);
    bool made = texts && object && methods_summarize(findings, &methods, &count).code == STATUS_OK;
    for (int i = 0; i < count && made; i++)
        made = json_array_append_new(texts,
                                     json_pack("{s:o, s:o, s:i, s:i}", "method", json_text(methods[i].method),
                                               "found", json_text(methods[i].text), "worse", methods[i].worse,
                                               "rounding", methods[i].rounding)) == 0;
    findings_format(findings, counts);
    made = made && json_set(object, "finding", json_text("summary")) &&
           json_set(object, "cell", json_text("")) &&
           json_set(object, "verdict", json_text(findings_verdict(findings))) &&
           json_set(object, "counts", json_text(counts)) && json_set(object, "methods", json_incref(texts));
    json_decref(texts);
    return json_if_made(object, made);
}

/* Reads one line into `out`. */
static Status line_read(const json_t *object, const char *where, Findings *out)
{
    FindingLine line = {.finding = finding_of(FINDING_SAME, "", ""), .part = "accuracy"};
    CLEANUP(findings_clear) Findings summary = {0};
    if (json_object_get(object, "verdict")) {
        STATUS_TRY(json_read(object, where, &summary_table, &summary));
        for (int i = 0; i < summary.source_count; i++)
            STATUS_TRY(findings_add_source(out, &summary.sources[i]));
        return status_ok();
    }
    STATUS_TRY(json_read(object, where, &finding_table, &line));
    line.finding.part = line.part;
    line.finding.cell = line.cell;
    line.finding.method = line.method;
    line.finding.backend = line.backend;
    line.finding.of = line.of;
    line.finding.note = line.note;
    return findings_add(out, &line.finding);
}

Status findings_read(const char *path, Findings *out)
{
    OWNED char *bytes = NULL;
    char where[JSON_WHERE_BYTES];
    size_t size = 0;
    STATUS_TRY(input_file_read(path, JSON_TEXT_BYTES_MAX, &bytes, &size));
    char *rest = bytes, *line = NULL;
    for (int number = 1; (line = strtok_r(rest, "\n", &rest)); number++) {
        json_auto_t *object = NULL;
        snprintf(where, sizeof where, "%s:%d", path, number);
        STATUS_TRY(json_text_read(line, strlen(line), where, &object));
        STATUS_TRY(line_read(object, where, out));
    }
    return status_ok();
}
