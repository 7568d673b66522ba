/* If records of a full run are lost or failed, a verdict may become incomplete, but it must not change
 * otherwise. The run is synthetic. It contains every cell of every table that a claim reads, with random
 * numbers, many of them near the printed ones. A third of the data sets are marked as unavailable.
 * SKINBENCH_RUN names a real result file to use instead. */
#include "datasets/base/random.h"
#include "harness/records/files/record_json.h"
#include "harness/records/papers/column_kind.h"
#include "harness/records/papers/judged_claims.h"
#include "tests/support.h"

enum { DESCENT_POINTS = 101, CLAIMS_MAX = 512 };

typedef struct MadeRun {
    ClaimSet *claims;
    json_t *lines; /* lines of the file, beginning with the environment */
    json_t *keys;  /* keys of the cells in `lines`: a cell that several tables request is run only once */
    Random random;
} MadeRun;

static void line_add(MadeRun *run, Record *record)
{
    snprintf(record->run, sizeof record->run, "the-run");
    snprintf(record->time, sizeof record->time, "2026-01-01T00:00:00Z");
    snprintf(record->environment, sizeof record->environment, "0123456789abcdef");
    json_array_append_new(run->lines, record_to_json(record));
    record_clear(record);
}

/* Returns a random number. In two of three rows it is close to the published number. */
static double number_draw(MadeRun *run, double published)
{
    const double drawn = exp(4.0 * random_unit(&run->random) - 2.0);
    return isnan(published) || random_unit(&run->random) < 0.33 ? drawn : published * pow(drawn, 0.02);
}

static void times_add(MadeRun *run, Record *record, Stage first, Stage end)
{
    const int count = random_unit(&run->random) < 0.8 ? 7 : 1;
    double samples[7], scratch[14];
    record->timing.timed = true;
    record->timing.rounds = count;
    for (Stage stage = first; stage < end; stage++) {
        const double median = number_draw(run, NAN);
        for (int i = 0; i < count; i++)
            samples[i] = median * (1.0 + 0.01 * random_unit(&run->random));
        assert_ok(timing_set(&record->timing, stage, samples, count, 1, scratch));
    }
    for (int i = 0; i < DERIVED_COUNT; i++) {
        const double median = number_draw(run, NAN);
        record->timing.derived[i] = (Interval){median, 0.99 * median, 1.01 * median};
    }
}

static void cell_add(MadeRun *run, const PublishedTable *table, const TableRow *row,
                     const TableColumn *column, int index, const CellDataset *data)
{
    const double published = table_published(table, row, column);
    Cell cell = {.kind = CELL_STUDY, .threads = 1};
    if (column->kind == &column_kind_fit) {
        FitPlan plan = table_fit_cell(table, row, column, index);
        plan.threads = 1;
        assert_ok(fit_plan_cell(&plan, &cell));
    } else if (column->kind == &column_kind_skinning) {
        SkinningPlan plan;
        assert_ok(table_skinning_plan(table, column, &plan));
        assert_ok(skinning_plan_cell(&plan, &cell));
    } else {
        snprintf(cell.study, sizeof cell.study, "%s", table_study(table, row, column));
        assert_ok(argument_copy(row->parameters, &cell.parameters));
    }
    snprintf(cell.table, sizeof cell.table, "%s", table->name);
    snprintf(cell.row, sizeof cell.row, "%s", row->name);
    cell.dataset = *data;
    OWNED char *key = cell_key(&cell);
    if (json_object_get(run->keys, key)) {
        cell_clear(&cell);
        return;
    }
    json_object_set_new(run->keys, key, json_true());
    Record record = record_of(&cell);
    record.status = RECORD_OK;
    record.joint_sets = 7;
    if (record.cell.kind == CELL_STUDY) {
        for (int c = 0; c < table->column_count; c++)
            if (strcmp(table_study(table, row, &table->columns[c]), record.cell.study) == 0)
                measures_add(&record.measures, table->columns[c].quantity,
                             number_draw(run, table_published(table, row, &table->columns[c])));
    } else {
        const bool fit = record.cell.kind == CELL_DECOMPOSITION;
        int metric_count = 0;
        const Metric *metrics = metric_rows(&metric_count);
        for (int i = 0; i < metric_count; i++)
            measures_add(&record.metrics, metrics[i].name, number_draw(run, published));
        times_add(run, &record, fit ? STAGE_TOTAL : STAGE_BIND, fit ? STAGE_COUNT : STAGE_TOTAL);
        record.fit = (FitFacts){.known = fit, .bones_delivered = 20, .size_bytes = 1e6};
        record.fit.descent = memory_array(DESCENT_POINTS, sizeof *record.fit.descent);
        assert_non_null(record.fit.descent);
        for (int i = 0; fit && i < DESCENT_POINTS; i++)
            record.fit.descent[record.fit.descent_count++] =
                (DescentPoint){i, number_draw(run, published), (double)i};
        RecordCounter counters[8] = {{.name = ""}};
        int count = 0;
        for (int c = 0; c < table->column_count && count < 8; c++) {
            const char *name = table->columns[c].quantity;
            if (strncmp(name, "counts.", 7) == 0) {
                counters[count] = (RecordCounter){.mean = number_draw(run, published), .max = 3.0};
                snprintf(counters[count].name, sizeof counters[count].name, "%.*s",
                         (int)strcspn(name + 7, "."), name + 7);
                count++;
            }
        }
        assert_ok(record_set_counters(&record, counters, count));
    }
    line_add(run, &record);
}

static void row_add(MadeRun *run, const PublishedTable *table, const TableRow *row)
{
    const char *name = row->dataset[0] != '\0' ? row->dataset : row->generate[0] != '\0' ? row->name : "";
    uint64_t hash = 14695981039346656037u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    const bool available = row->dataset[0] == '\0' || hash / 1024 % 3 != 0;
    CellDataset data = {.vertices = 1000, .triangles = 1998, .frames = 10, .joints = 5};
    if (name[0] != '\0') {
        Record record = record_of(&(Cell){.kind = CELL_ROW});
        snprintf(data.name, sizeof data.name, "%s", name);
        snprintf(data.sha256, sizeof data.sha256, "%016llx%048d", (unsigned long long)hash, row->influences);
        snprintf(record.cell.table, sizeof record.cell.table, "%s", table->name);
        snprintf(record.cell.row, sizeof record.cell.row, "%s", row->name);
        record.status = RECORD_OK;
        if (available)
            record.cell.dataset = data;
        else
            record_fail(&record, RECORD_SKIPPED, "its data are not available");
        line_add(run, &record);
    }
    for (int c = 0; c < table->column_count && available; c++) {
        const bool fit = table->columns[c].kind == &column_kind_fit;
        for (int i = 0; i < (fit ? table_fit_count(&table->columns[c]) : 1); i++)
            cell_add(run, table, row, &table->columns[c], i, &data);
    }
}

static void run_make(MadeRun *run)
{
    const char *path = getenv("SKINBENCH_RUN");
    *run = (MadeRun){.lines = json_array(), .keys = json_object(), .random = {29}};
    assert_ok(claim_set_read(NULL, &run->claims));
    if (path) {
        char text[1 << 20];
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(text, sizeof text, file))
            json_array_append_new(run->lines, json_loads(text, 0, NULL));
        fclose(file);
        return;
    }
    json_array_append_new(run->lines,
                          json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:s, s:b}}", "schema", 1, "kind",
                                    "environment", "run", "the-run", "time", "2026-01-01T00:00:00Z",
                                    "environment", "hash", "0123456789abcdef", "commit", "abcdef", "machine",
                                    "a machine", "dirty", 0));
    for (int t = 0; t < run->claims->table_count; t++)
        for (int r = 0; r < run->claims->tables[t]->row_count; r++)
            row_add(run, run->claims->tables[t], &run->claims->tables[t]->rows[r]);
}

static void run_clear(MadeRun *run)
{
    claim_set_free(run->claims);
    json_decref(run->lines);
    json_decref(run->keys);
}

/* Returns a store that contains these lines. Takes ownership of the array. */
static RecordStore *store_of(json_t *lines)
{
    const char *path = path_of("lines.jsonl");
    RecordStore *store = NULL;
    FILE *file = fopen(path, "w");
    for (size_t i = 0; i < json_array_size(lines); i++) {
        OWNED_BY(free)
        char *line = json_dumps(json_array_get(lines, i), JSON_COMPACT | JSON_REAL_PRECISION(17));
        fprintf(file, "%s\n", line);
    }
    fclose(file);
    json_decref(lines);
    assert_ok(record_store_read(&path, 1, &store));
    return store;
}

/* Compares the verdicts on a store with those on the whole run, for each machine in the store. Returns the
 * number of verdicts that became incomplete. */
static int verdicts_compare(const MadeRun *run, const RecordStore *store, const VerdictKind *whole,
                            const char *what)
{
    OWNED RecordView *views = NULL;
    int count = 0, incomplete = 0;
    assert_ok(record_views(store, &views, &count));
    for (int v = 0; v < count; v++)
        for (int p = 0, slot = 0; p < run->claims->paper_count; p++)
            for (int i = 0; i < run->claims->papers[p].claim_count; i++, slot++) {
                CLEANUP(verdict_clear) Verdict verdict = {0};
                const PaperClaim *claim = &run->claims->papers[p].claims[i];
                assert_ok(claim_verdict(claim, &views[v], &verdict));
                if (verdict.kind != whole[slot] && verdict.kind != VERDICT_INCOMPLETE)
                    fail_msg("%s: %s is '%s' (%s), and of the whole run '%s'", what, claim->name,
                             verdict_names[verdict.kind], verdict.measured, verdict_names[whole[slot]]);
                if (verdict.kind == VERDICT_INCOMPLETE && verdict.reason[0] == '\0')
                    fail_msg("%s: %s does not say what it lacks", what, claim->name);
                incomplete += verdict.kind == VERDICT_INCOMPLETE;
            }
    return incomplete;
}

static void verdicts_of(const MadeRun *run, const RecordStore *store, VerdictKind *whole,
                        int counts[VERDICT_COUNT])
{
    const RecordView view = {.store = store};
    memset(counts, 0, VERDICT_COUNT * sizeof *counts);
    for (int p = 0, slot = 0; p < run->claims->paper_count; p++)
        for (int i = 0; i < run->claims->papers[p].claim_count; i++, slot++) {
            CLEANUP(verdict_clear) Verdict verdict = {0};
            assert_ok(claim_verdict(&run->claims->papers[p].claims[i], &view, &verdict));
            whole[slot] = verdict.kind;
            counts[verdict.kind]++;
            if (verdict.kind == VERDICT_INCOMPLETE)
                fail_msg("%s of the whole run is incomplete: %s", run->claims->papers[p].claims[i].name,
                         verdict.reason);
        }
}

/* Returns whether a claim reads the table row that a record belongs to. */
static bool is_read(const MadeRun *run, const Cell *cell)
{
    for (int p = 0; p < run->claims->paper_count; p++)
        for (int i = 0; i < run->claims->papers[p].claim_count; i++)
            for (int t = 0; t < run->claims->papers[p].claims[i].test_count; t++) {
                const ClaimTest *test = &run->claims->papers[p].claims[i].tests[t];
                bool found = test->row_count == 0;
                for (int r = 0; r < test->row_count; r++)
                    found = found || strcmp(test->rows[r], cell->row) == 0;
                if (found && strcmp(test->table_name, cell->table) == 0)
                    return true;
            }
    return false;
}

/* Returns the number in the environment variable `name`, or `usual` if it is not set. */
static long number_of(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : usual;
}

/* Removes each record in turn, or only every 61st. Some records affect no claim, because claims ignore some
 * backends and columns, and a claim about "any row" does not need all rows. Still, at least a third of the
 * removals must make a claim incomplete (five ninths if every 7th record is removed). */
TEST(a_lost_record_leaves_a_verdict_or_makes_it_incomplete)
{
    CLEANUP(run_clear) MadeRun run;
    VerdictKind whole[CLAIMS_MAX];
    int counts[VERDICT_COUNT], incomplete = 0, tried = 0, needed = 0;
    const int stride = (int)number_of("LOST_STRIDE", 61);
    run_make(&run);
    OWNED_BY(record_store_close) RecordStore *store = store_of(json_deep_copy(run.lines));
    verdicts_of(&run, store, whole, counts);
    for (int i = 0; i < VERDICT_COUNT; i++)
        print_message("%s: %d\n", verdict_names[i], counts[i]);
    for (const Record *next = NULL; (next = record_store_next(store, next)) != NULL;) {
        Record *record = NULL;
        memcpy(&record, &next, sizeof(Record *)); /* removes const, because the test modifies the record */
        const RecordStatus status = record->status;
        const CellKind kind = record->cell.kind;
        if (tried++ % stride != 0)
            continue;
        needed += is_read(&run, &record->cell);
        const char *what = text_of("%s, %s", record->cell.table, record->cell.row);
        record->status = RECORD_FAILED;
        incomplete += verdicts_compare(&run, store, whole, text_of("%s failed", what)) > 0;
        record->status = status;
        record->cell.kind = CELL_PEER; /* a kind of cell that no table reads */
        incomplete += verdicts_compare(&run, store, whole, text_of("%s lost", what)) > 0;
        record->cell.kind = kind;
    }
    print_message("%d records, every %d. lost and failed, %d of rows that claims read: %d times a claim is "
                  "incomplete\n",
                  tried, stride, needed, incomplete);
    assert_true(3 * incomplete > needed);
}

/* Each seed damages the run in one of three ways. Either a random tenth of the lines is lost, or a random
 * tenth is marked as failed. Or all lines after a random one are lost, as if the run had been killed. Uses
 * 6 seeds, or LOST_SEEDS of them. */
TEST(lost_lines_leave_verdicts_or_make_them_incomplete)
{
    CLEANUP(run_clear) MadeRun run;
    VerdictKind whole[CLAIMS_MAX];
    int counts[VERDICT_COUNT];
    run_make(&run);
    OWNED_BY(record_store_close) RecordStore *store = store_of(json_deep_copy(run.lines));
    verdicts_of(&run, store, whole, counts);
    const size_t total = json_array_size(run.lines);
    const uint64_t seeds = (uint64_t)number_of("LOST_SEEDS", 6);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        json_t *lines = json_array();
        Random random = {seed + 1};
        const size_t end = seed % 3 == 2 ? (size_t)(random_unit(&random) * (double)total) : total;
        for (size_t i = 0; i < end; i++) {
            json_t *line = json_deep_copy(json_array_get(run.lines, i));
            const bool hit = end == total && random_unit(&random) < 0.1;
            if (hit && seed % 3 == 0) {
                json_decref(line);
                continue;
            }
            if (hit && json_object_get(line, "status"))
                json_object_set_new(line, "status", json_string("failed"));
            json_array_append_new(lines, line);
        }
        OWNED_BY(record_store_close) RecordStore *part = store_of(lines);
        (void)verdicts_compare(&run, part, whole, text_of("seed %d", (int)seed));
    }
}

/* The record of the first horse is given another digest of its data, a digest of zeros, or another build.
 * Verdicts that need it become incomplete. */
TEST(other_data_and_other_builds_are_incomplete)
{
    static const struct {
        const char *row_digest, *fit_digest, *run, *reason;
        VerdictKind verdict;
    } cases[] = {{"12", "12", "one", "", VERDICT_CONFIRMED},
                 {"12", "13", "one", "horse: not run on its data", VERDICT_INCOMPLETE},
                 {"00", "00", "one", "horse: no record says which data", VERDICT_INCOMPLETE},
                 {"12", "12", "two",
                  "elasticCow measured by commit aaaaaaa, horse measured by commit bbbbbbb",
                  VERDICT_INCOMPLETE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_BY(claim_set_free) ClaimSet *set = NULL;
        CLEANUP(verdict_clear) Verdict verdict = {0};
        json_t *lines = json_array();
        const char *const digests[][2] = {{"77", "77"}, {cases[i].row_digest, cases[i].fit_digest}};
        assert_ok(claim_set_from_json(
            json_loads("{\"schema\":1,\"paper\":\"p\",\"source\":\"S\",\"claims\":[{\"name\":\"a\",\"claim\":"
                       "\"b\",\"published\":\"c\",\"place\":\"d\",\"tests\":[{\"table\":\"fesam-table2\","
                       "\"column\":\"svd\",\"rows\":[\"horse\",\"elasticCow\"],\"most\":2}]}]}",
                       0, NULL),
            "claims", "p", &set));
        for (int e = 0; e < 2; e++)
            json_array_append_new(lines,
                                  json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:s, s:s}}", "schema", 1, "kind",
                                            "environment", "run", e ? "two" : "one", "time",
                                            "2026-01-01T00:00:00Z", "environment", "hash", "0123456789abcdef",
                                            "commit", e ? "bbbbbbbbbb" : "aaaaaaaaaa", "machine", "m"));
        for (int r = 0; r < 2; r++) {
            const char *name = r ? "horse" : "elasticCow";
            for (int k = 0; k < 2; k++)
                json_array_append_new(
                    lines,
                    json_pack("{s:i, s:s, s:s, s:s, s:{s:s, s:s}, s:s, s:s, s:s, s:s, s:{s:f}, s:{s:i, "
                              "s:i, s:s}}",
                              "schema", 1, "kind", k ? "decomposition" : "row", "table", "fesam-table2",
                              "row", name, "dataset", "name", name, "sha256",
                              text_of("%.62s%s", DIGEST_OF("0"), digests[r][k]), "run",
                              r ? cases[i].run : "one", "status", "ok", "environment", "0123456789abcdef",
                              "method", "svd", "metrics", "e_rms", 1.0, "parameters", "bones", r ? 30 : 18,
                              "iterations", 15, "solver", "dgesdd"));
        }
        OWNED_BY(record_store_close) RecordStore *store = store_of(lines);
        const RecordView view = {.store = store};
        assert_ok(claim_verdict(&set->papers[0].claims[0], &view, &verdict));
        if (verdict.kind != cases[i].verdict || !strstr(verdict.reason, cases[i].reason))
            fail_msg("%d: %s: %s", (int)i, verdict_names[verdict.kind], verdict.reason);
    }
}
