/* Tests the claims of the papers: the rule that turns intervals into verdicts, the rank correlation of
 * printed and measured numbers, and the files of claims. */
#include "harness/show/tables/claim_table.h"
#include "harness/show/tables/table_print.h"
#include "tests/stores.h"

TEST(an_interval_lies_inside_outside_or_across)
{
    assert_int_equal(outcome_of_interval(1.0, 1.2, 0.9, 1.3), OUTCOME_HOLDS);
    assert_int_equal(outcome_of_interval(1.0, 1.2, 1.0, 1.2), OUTCOME_HOLDS); /* bounds are inclusive */
    assert_int_equal(outcome_of_interval(1.0, 1.2, 1.3, NAN), OUTCOME_FAILS);
    assert_int_equal(outcome_of_interval(1.0, 1.2, NAN, 0.9), OUTCOME_FAILS);
    assert_int_equal(outcome_of_interval(1.0, 1.2, 1.1, NAN), OUTCOME_UNCLEAR);
    assert_int_equal(outcome_of_interval(1.0, 1.2, NAN, 1.1), OUTCOME_UNCLEAR);
    assert_int_equal(outcome_of_interval(NAN, NAN, 0.0, 9.0), OUTCOME_UNCLEAR); /* too few samples */
}

TEST(outcomes_make_a_verdict)
{
    static const struct {
        int counts[OUTCOME_ABSENT + 1]; /* how many tests have each outcome: holds, fails, unclear, absent */
        VerdictKind verdict;
    } rules[] = {{{3, 0, 0, 2}, VERDICT_CONFIRMED},    {{0, 1, 0, 0}, VERDICT_CONTRADICTED},
                 {{0, 1, 2, 0}, VERDICT_CONTRADICTED}, {{2, 1, 1, 0}, VERDICT_PARTLY},
                 {{2, 0, 1, 0}, VERDICT_UNDECIDED},    {{0, 0, 1, 0}, VERDICT_UNDECIDED},
                 {{0, 0, 0, 4}, VERDICT_UNTESTABLE},   {{0, 0, 0, 0}, VERDICT_UNTESTABLE}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_int_equal(verdict_of_counts(rules[i].counts), rules[i].verdict);
}

/* If a test uses stand-in data instead of the paper's data, the subject of the claim decides whether the
 * result can confirm or contradict the claim. */
TEST(stand_ins_confirm_and_contradict_nothing)
{
    static const struct {
        VerdictKind kind;
        ClaimOf of;
        bool stand_ins;
        VerdictKind verdict;
    } rules[] = {{VERDICT_CONTRADICTED, CLAIM_OF_METHODS, true, VERDICT_CONTRADICTED},
                 {VERDICT_CONTRADICTED, CLAIM_OF_MODELS, false, VERDICT_CONTRADICTED},
                 {VERDICT_CONTRADICTED, CLAIM_OF_MODELS, true, VERDICT_FAILS_ON_STAND_INS},
                 {VERDICT_PARTLY, CLAIM_OF_MODELS, true, VERDICT_PARTLY_ON_STAND_INS},
                 {VERDICT_CONFIRMED, CLAIM_OF_MODELS, true, VERDICT_HOLDS_ON_STAND_INS},
                 {VERDICT_CONTRADICTED, CLAIM_OF_RECONSTRUCTION, false, VERDICT_DIFFERS_FROM_RECONSTRUCTION},
                 {VERDICT_CONFIRMED, CLAIM_OF_RECONSTRUCTION, false, VERDICT_HOLDS_ON_STAND_INS},
                 {VERDICT_CONTRADICTED, CLAIM_OF_MACHINES, true, VERDICT_DIFFERS_HERE},
                 {VERDICT_CONFIRMED, CLAIM_OF_MACHINES, false, VERDICT_HOLDS_ON_STAND_INS},
                 {VERDICT_CONFIRMED, CLAIM_OF_HARNESS, false, VERDICT_CHECK_HOLDS},
                 {VERDICT_UNDECIDED, CLAIM_OF_MODELS, true, VERDICT_UNDECIDED},
                 {VERDICT_UNTESTABLE, CLAIM_OF_HARNESS, false, VERDICT_UNTESTABLE}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_int_equal(verdict_of_claim(rules[i].kind, rules[i].of, rules[i].stand_ins), rules[i].verdict);
}

/* What holds in part, or is not decided, does not differ from the paper. */
TEST(partly_and_undecided_never_differ)
{
    static const ClaimOf subjects[] = {CLAIM_OF_METHODS, CLAIM_OF_MODELS, CLAIM_OF_RECONSTRUCTION,
                                       CLAIM_OF_MACHINES};
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
        for (int stand_ins = 0; stand_ins < 2; stand_ins++) {
            const bool own =
                subjects[i] == CLAIM_OF_METHODS || (subjects[i] == CLAIM_OF_MODELS && !stand_ins);
            assert_int_equal(verdict_of_claim(VERDICT_PARTLY, subjects[i], stand_ins),
                             own ? VERDICT_PARTLY : VERDICT_PARTLY_ON_STAND_INS);
            assert_int_equal(verdict_of_claim(VERDICT_UNDECIDED, subjects[i], stand_ins), VERDICT_UNDECIDED);
            assert_int_equal(verdict_of_claim(VERDICT_INCOMPLETE, subjects[i], stand_ins),
                             VERDICT_INCOMPLETE);
        }
    /* A check must hold in every row. */
    assert_int_equal(verdict_of_claim(VERDICT_PARTLY, CLAIM_OF_HARNESS, false), VERDICT_CHECK_FAILS);
}

TEST(kendall_counts_pairs)
{
    const double rising[] = {1, 2, 3, 4, 5}, falling[] = {9, 7, 5, 3, 1}, mixed[] = {3, 4, 1, 2, 5};
    const double tied[] = {1, 1, 2}, same[] = {4, 4, 4};
    assert_true(kendall_tau(rising, rising, 5) == 1.0);
    assert_true(kendall_tau(rising, falling, 5) == -1.0);
    /* Four of the ten pairs are in the opposite order: (3,1), (3,2), (4,1) and (4,2). */
    assert_true(fabs(kendall_tau(rising, mixed, 5) - 0.2) < 1e-15);
    /* One of the three pairs is tied in one list: tau = 2 / sqrt(2 * 3). */
    assert_true(fabs(kendall_tau(tied, rising, 3) - 2.0 / sqrt(6.0)) < 1e-15);
    assert_true(isnan(kendall_tau(same, rising, 3)) && isnan(kendall_tau(rising, rising, 1)));
}

TEST(medians_are_of_the_sorted)
{
    double odd[] = {5, 1, 3}, even[] = {4, 1, 2, 8};
    assert_true(median_sorting(odd, 3) == 3.0 && median_sorting(even, 4) == 3.0 &&
                isnan(median_sorting(odd, 0)));
}

/* A table with two rows and two columns. Each cell has a printed number and a made-up measured number. */
TEST(agreement_is_by_row_and_column)
{
    static const char file[] =
        "{'schema':1,'name':'t','title':'T','source':{'paper':'P','place':'Q'},"
        "'columns':[{'name':'a','title':'A','quantity':'e_rms','method':'svd'},"
        "{'name':'b','title':'B','quantity':'e_rms','method':'cpca'}],"
        "'rows':[{'name':'crane','dataset':'crane','bones':40,'published':{'a':2,'b':4}},"
        "{'name':'horse','dataset':'horse','bones':40,'published':{'a':1,'b':2}}]}";
    static const struct {
        const char *method, *dataset;
        double e_rms;
    } planted[] = {
        {"svd", "crane", 3.0}, {"cpca", "crane", 5.0}, {"svd", "horse", 3.0}, {"cpca", "horse", 1.0}};
    OWNED_BY(published_table_free) PublishedTable *table = NULL;
    char text[2048] = "";
    const char *path = path_of("run.jsonl");
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "{'schema':1,'kind':'decomposition','method':'%s','status':'ok',"
                 "'dataset':{'name':'%s','sha256':'%064x'},'metrics':{'e_rms':%g},"
                 "'parameters':{'bones':40,'iterations':15}}\n",
                 planted[i].method, planted[i].dataset, (unsigned)planted[i].dataset[0], planted[i].e_rms);
    text_write(path, quoted(text));
    assert_ok(published_table_from_json(json_loads(quoted(file), 0, NULL), "t", "t", &table));
    OWNED_BY(record_store_close) RecordStore *store = store_read(path);
    const RecordView view = {.store = store};
    OWNED_BY(text_table_free)
    TextTable *rows = agreement_of_rows(&(TableView){table, &view, NULL}, "e_rms", "");
    OWNED_BY(text_table_free)
    TextTable *columns = agreement_of_columns(&(TableView){table, &view, NULL}, "e_rms", "");
    FILE *out = fopen(path, "w+");
    assert_non_null(out);
    text_table_write(rows, TABLE_CSV, out);
    text_table_write(columns, TABLE_CSV, out);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    assert_holds(text, "crane,2,1.00\n");
    assert_holds(text, "horse,2,-1.00\n");
    /* Ratios to the printed numbers: 3/2 and 3/1 in column A, 5/4 and 1/2 in column B. */
    assert_holds(text, "A,2,2.25,1.50,3.00\n");
    assert_holds(text, "B,2,0.875,0.500,1.25\n");
    assert_null(agreement_of_rows(&(TableView){table, &view, NULL}, "time_s", ""));
}

/* Every claim has a place in its paper, and either tests on existing cells or a reason why it cannot be
 * tested. The reader of the files enforces the latter. */
TEST(every_paper_has_claims)
{
    ClaimSet *set = NULL;
    int claims = 0, tested = 0;
    assert_ok(claim_set_read(NULL, &set));
    assert_int_equal(set->paper_count, 5);
    for (int p = 0; p < set->paper_count; claims += set->papers[p++].claim_count)
        for (int i = 0; i < set->papers[p].claim_count; i++)
            tested += set->papers[p].claims[i].test_count > 0;
    assert_true(claims >= 150 && tested >= 130);
    claim_set_free(set);
    assert_refused(STATUS_USAGE, "no claims are recorded for paper 'nosuch'", claim_set_read("nosuch", &set));
}

/* Writes a text that identifies a claim's test: its cell, the number with which the cell is compared, and
 * the bounds. */
static void test_key(const ClaimTest *test, const char *row, char key[1024])
{
    snprintf(key, 1024, "%s/%s/%s/%s/%d %d %s/%s/%s %g %g", test->table_name, test->column,
             test->column_count > 0 ? test->columns[0] : "", row, test->compare, test->over, test->to.table,
             test->to.row, test->to.column, test->min, test->max);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The tests of all claims, one after another. */
typedef struct Visit {
    const PaperClaim *claim;
    const ClaimTest *test;
    int paper, index, next; /* where the next test is */
} Visit;

static bool visit_next(const ClaimSet *set, Visit *visit)
{
    for (; visit->paper < set->paper_count; visit->paper++, visit->index = 0)
        for (; visit->index < set->papers[visit->paper].claim_count; visit->index++, visit->next = 0) {
            visit->claim = &set->papers[visit->paper].claims[visit->index];
            if (visit->next < visit->claim->test_count) {
                visit->test = &visit->claim->tests[visit->next++];
                return true;
            }
        }
    return false;
}

/* The same cell and bound must not decide two claims. If several places print a claim, it is stored once,
 * and its `place` lists all of them. */
TEST(no_two_claims_share_cell_and_bound)
{
    enum { MOST = 2000 };
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    char(*keys)[1024] = calloc(MOST, sizeof *keys);
    int count = 0;
    assert_non_null(keys);
    assert_ok(claim_set_read(NULL, &set));
    for (Visit visit = {0}; visit_next(set, &visit);) {
        const ClaimTest *test = visit.test;
        for (int r = 0; r < (test->row_count > 0 ? test->row_count : 1) && !test->beside; r++) {
            assert_true(count < MOST);
            test_key(test, test->row_count > 0 ? test->rows[r] : "", keys[count++]);
        }
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int i = 1; i < count; i++)
        fail_if(strcmp(keys[i - 1], keys[i]) == 0, "twice: %s", keys[i]);
    free(keys);
}

/* Returns whether a text contains a number that equals `bound`, rounded to the digits of that number. */
static bool text_has_number(const char *text, double bound)
{
    for (const char *cursor = text; *cursor;) {
        char *end = NULL;
        const double number = strtod(cursor, &end);
        const char *point = end > cursor ? memchr(cursor, '.', (size_t)(end - cursor)) : NULL;
        const double rounding = 0.501 * pow(10.0, point ? -(double)(end - point - 1) : 0.0);
        if (end > cursor && fabs(number - bound) <= rounding)
            return true;
        cursor = end > cursor ? end : cursor + 1;
    }
    return false;
}

/* A bound of a claim has one of three sources: it states an order (0 or 1, possibly widened by
 * rounding), the paper prints it, or the note gives it as a closed form. Any other bound is our own choice.
 * The verdict is then repeated with a bound at half and at twice its distance. */
TEST(every_bound_is_printed_or_ours)
{
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    assert_ok(claim_set_read(NULL, &set));
    for (Visit visit = {0}; visit_next(set, &visit);) {
        const PaperClaim *claim = visit.claim;
        const ClaimTest *test = visit.test;
        const double bounds[] = {test->min, test->max};
        const bool stated = !isnan(test->ours) || test->beside || strstr(claim->note, "closed form") != NULL;
        for (int b = 0; b < 2 && !stated; b++)
            if (!isnan(bounds[b]) && fabs(bounds[b]) > 1e-7 && fabs(bounds[b] - 1.0) > 1.001e-4 &&
                !text_has_number(claim->published, bounds[b]))
                fail_msg("%s: %g is neither printed nor ours", claim->name, bounds[b]);
    }
}

/* A bound lies only on the side on which the claim would become false. "Slightly slower" must not fail if a
 * method is faster: its test would have equality as a bound, beside the bound that is ours. */
TEST(a_stronger_result_holds)
{
    static const struct {
        const char *claim;
        double stronger;
    } named[] = {{"dlb-instructions", 0.5},
                 {"slightly-slower-than-lbs", 0.5},
                 {"slightly-slower-than-qb", 0.5},
                 {"two-phase-twice-lbs", 1.2},
                 {"dib-cost", 18.0},
                 {"orthogonality-lost", -7.67}};
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    size_t found = 0;
    assert_ok(claim_set_read(NULL, &set));
    for (Visit visit = {0}; visit_next(set, &visit);) {
        const PaperClaim *claim = visit.claim;
        const ClaimTest *test = visit.test;
        fail_if(test->min == test->ours || test->max == test->ours,
                "%s: a bound of ours is no distance from its reference", claim->name);
        for (size_t k = 0; k < sizeof named / sizeof *named && !test->beside; k++) {
            if (strcmp(named[k].claim, claim->name) != 0)
                continue;
            const double value = named[k].stronger;
            assert_int_equal(outcome_of_interval(value, value, test->min, test->max), OUTCOME_HOLDS);
            found += test == claim->tests;
        }
    }
    assert_int_equal(found, sizeof named / sizeof *named);
}

/* Returns the number that the paper itself prints for a test in a row, or NAN. */
static double printed_number(const ClaimTest *test, const TableRow *row)
{
    const char *other_name = test->to.row[0] ? test->to.row : row->name;
    const TableRow *other = test->to_table ? table_row_find(test->to_table, other_name) : NULL;
    const bool compares =
        test->compare == CLAIM_RATIO || test->compare == CLAIM_DIFFERENCE || test->compare == CLAIM_EXCESS;
    if (test->compare != CLAIM_VALUE && !(compares && other))
        return NAN;
    const double number = table_published(test->table, row, table_column_find(test->table, test->column));
    if (!compares)
        return number;
    const double to =
        table_published(test->to_table, other, table_column_find(test->to_table, test->to.column));
    if (test->compare == CLAIM_EXCESS)
        return (number - to) / (number - 1.0);
    return test->compare == CLAIM_RATIO ? number / to : number - to;
}

/* Our reading of a word is not stricter than the paper: its own numbers hold at half and at twice the
 * distance of a bound that is ours. */
TEST(print_holds_within_every_bound_of_ours)
{
    OWNED_BY(claim_set_free) ClaimSet *set = NULL;
    int checked = 0;
    assert_ok(claim_set_read(NULL, &set));
    for (Visit visit = {0}; visit_next(set, &visit);) {
        const PaperClaim *claim = visit.claim;
        const ClaimTest *test = visit.test;
        double printed[TABLE_LIST_MAX];
        int count = 0;
        for (int r = 0; r < test->table->row_count && !isnan(test->ours) && !test->beside; r++) {
            const TableRow *row = &test->table->rows[r];
            bool named = test->row_count == 0;
            for (int k = 0; k < test->row_count; k++)
                named = named || strcmp(test->rows[k], row->name) == 0;
            const double number = named ? printed_number(test, row) : NAN;
            if (!isnan(number)) {
                assert_true(count < TABLE_LIST_MAX);
                printed[count++] = number;
            }
        }
        if (test->over == CLAIM_MEDIAN && count > 0) {
            printed[0] = median_sorting(printed, count);
            count = 1;
        }
        for (int k = 0; k < count; k++)
            for (double factor = 0.5; factor <= 2.0; factor *= 4.0, checked++) {
                const double min = test->ours + factor * (test->min - test->ours);
                const double max = test->ours + factor * (test->max - test->ours);
                fail_if(outcome_of_interval(printed[k], printed[k], min, max) != OUTCOME_HOLDS,
                        "%s: prints %g, but needs %g to %g", claim->name, printed[k], min, max);
            }
    }
    assert_true(checked >= 20);
}

/* Reads a set of one claim that has the given additional members. */
static Status claims_of(const char *members, ClaimSet **set)
{
    const char *text =
        text_of("{'schema':1,'paper':'p','source':'S','claims':[{'name':'a','claim':'b','published':'c',"
                "'place':'d'%s}]}",
                members);
    json_t *json = json_loads(quoted(text), 0, NULL);
    assert_non_null(json);
    return claim_set_from_json(json, "claims", "p", set);
}

TEST(what_is_misspelt_is_refused)
{
#define FIG8(rest) ",'tests':[{'table':'dqs-fig8'," rest "}]"
    static const char *const faults[][2] = {
        {"", "needs either tests or a reason in untestable"},
        {",'verdict':'confirmed'", "verdict"},
        {FIG8("'column':'nosuch','most':1"), "the table dqs-fig8 has no column 'nosuch'"},
        {FIG8("'column':'set-gap-2','rows':['nosuch'],'most':1"), "the table dqs-fig8 has no row 'nosuch'"},
        {FIG8("'column':'set-gap-2'"), "needs `least`, `most` or both as a bound"},
        {FIG8("'columns':['set-gap-2'],'compare':'order','most':1"),
         "a test of an order needs at least two columns"},
        {FIG8("'column':'set-gap-2','compare':'quotient','most':1"), "quotient"}};
    ClaimSet *set = NULL;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_bad_input(faults[i][1], claims_of(faults[i][0], &set));
    json_t *nameless = json_loads("{\"schema\":1,\"paper\":\"p\",\"source\":\"S\",\"claims\":[{}]}", 0, NULL);
    assert_bad_input("lacks `name`, `claim`, `published` or `place`",
                     claim_set_from_json(nameless, "claims", "p", &set));
}

/* Sets `verdict` to the verdict on a claim, given a measured E_RMS of 1.4 on the horse and a printed one of
 * 1.3. */
static void planted_verdict(const char *claim, Verdict *verdict, ClaimSet **set, RecordStore **store)
{
    const char *path = path_of("planted.jsonl");
    assert_ok(claims_of(claim, set));
    text_write(
        path,
        quoted("{'schema':1,'kind':'row','table':'fesam-table2','row':'horse','status':"
               "'ok','dataset':{'name':'horse','sha256':'" DIGEST_OF(
                   "1") "'}}\n"
                        "{'schema':1,'kind':'decomposition','method':'coordinate-descent','status':"
                        "'ok','dataset':{'name':'horse','sha256':'" DIGEST_OF(
                            "1") "'},'metrics':{'e_rms':1.4},"
                                 "'parameters':{'preset':'paper','reduce':'max','threshold':0.5,'center':"
                                 "false,'choice':'prediction','rounds':1,'window':0,'search':false,'rest-"
                                 "pose':'first','bones':30,'iterations':15}}\n"));
    *store = store_read(path);
    const RecordView view = {.store = *store};
    assert_ok(claim_verdict(&(*set)->papers[0].claims[0], &view, verdict));
}

/* The measured 1.4 divided by the printed 1.3 is 1.077. This is within 10 %, but exceeds the rounding of
 * the printed number (0.05). Our own bound of 1.1 therefore holds. If the bound is halved to 1.05, the
 * claim fails, so the verdict is "partly". */
TEST(bounds_of_ours_are_tried_at_half_and_twice)
{
    static const struct {
        const char *bound, *measured, *reason;
        VerdictKind verdict;
    } cases[] = {{"'most':1.1", "1 within 10 %", "", VERDICT_CONFIRMED},
                 {"'most':1.1,'ours':1", "1 within 10 %", "at half our bound: contradicted", VERDICT_PARTLY},
                 {"'most':1.2,'ours':1", "1 within 10 %", "at twice our bound: confirmed", VERDICT_CONFIRMED},
                 {"'most':1.05,'ours':1", "1 within 10 %", "at twice our bound: confirmed", VERDICT_PARTLY},
                 {"'least':1.2,'most':1.3", "1 within 10 %", "fails in", VERDICT_CONTRADICTED}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_BY(claim_set_free) ClaimSet *set = NULL;
        OWNED_BY(record_store_close) RecordStore *store = NULL;
        CLEANUP(verdict_clear) Verdict verdict = {0};
        const char *claim =
            text_of(",'of':'models','tests':[{'table':'fesam-table2','column':'our','rows':['horse'],"
                    "'compare':'published',%s}]",
                    cases[i].bound);
        planted_verdict(claim, &verdict, &set, &store);
        assert_int_equal(verdict.kind, cases[i].verdict);
        assert_holds(verdict.measured, cases[i].measured);
        assert_holds(verdict.reason, cases[i].reason);
    }
}

/* A fit was timed five times at about a second. Undisturbed times decide the claim. Times that are
 * disturbed, scattered or too few (four) decide it only if the bound is farther away than any noise. */
TEST(disturbed_times_decide_nothing_near_the_bound)
{
    static const struct {
        int max, disturbed;
        const char *samples, *quartiles, *reason;
        VerdictKind verdict;
    } cases[] = {
        {2, 1, "1,1,1,1,1", "'quartile_low_s':1,'quartile_high_s':1", "", VERDICT_CONFIRMED},
        {2, 2, "1,1,1,1,1", "'quartile_low_s':1,'quartile_high_s':1", "disturbed samples of",
         VERDICT_UNDECIDED},
        {2, 0, "1,1,1,3,3", "'quartile_low_s':1,'quartile_high_s':3", "disturbed samples of",
         VERDICT_UNDECIDED},
        {2, 0, "1,1,1,1", "'quartile_low_s':1,'quartile_high_s':1", "contains a bound", VERDICT_UNDECIDED},
        {100, 2, "1,1,1,1,1", "'quartile_low_s':1,'quartile_high_s':1", "", VERDICT_CONFIRMED}};
    const char *path = path_of("run.jsonl");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_BY(claim_set_free) ClaimSet *set = NULL;
        assert_ok(claims_of(
            text_of(",'tests':[{'table':'fesam-table2','column':'svd-time','rows':['horse'],'most':%d}]",
                    cases[i].max),
            &set));
        CLEANUP(verdict_clear) Verdict verdict = {0};
        const char *lines = text_of(
            "{'schema':1,'kind':'row','table':'fesam-table2','row':'horse','status':'ok',"
            "'dataset':{'name':'horse','sha256':'" DIGEST_OF(
                "1") "'}}\n"
                     "{'schema':1,'kind':'decomposition','method':'svd','status':'ok',"
                     "'dataset':{'name':'horse','sha256':'" DIGEST_OF(
                         "1") "'},'metrics':{},"
                              "'parameters':{'bones':30,'iterations':15,'solver':'dgesdd'},'timing':{'"
                              "disturbed':%d,"
                              "'total':{'median_s':1,'interval_low_s':1,'interval_high_s':1,%s,'inner':1,"
                              "'samples_s':[%s]}}}\n",
            cases[i].disturbed, cases[i].quartiles, cases[i].samples);
        text_write(path, quoted(lines));
        OWNED_BY(record_store_close) RecordStore *store = store_read(path);
        const RecordView view = {.store = store};
        assert_ok(claim_verdict(&set->papers[0].claims[0], &view, &verdict));
        assert_int_equal(verdict.kind, cases[i].verdict);
        assert_holds(verdict.reason, cases[i].reason);
    }
}

/* An excess of 3 over 1.5 is 1.5 of the 2 by which 3 exceeds 1. A ratio of at most 1 exceeds nothing and
 * fails the bound. */
TEST(an_excess_is_a_share_of_what_exceeds_one)
{
    static const struct {
        double cell, other, min;
        VerdictKind verdict;
    } cases[] = {{3.0, 1.5, 0.74, VERDICT_CONFIRMED},
                 {3.0, 1.5, 0.76, VERDICT_CONTRADICTED},
                 {0.5, 0.1, 0.01, VERDICT_CONTRADICTED}};
    const char *path = path_of("excess.jsonl");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_BY(claim_set_free) ClaimSet *set = NULL;
        CLEANUP(verdict_clear) Verdict verdict = {0};
        assert_ok(claims_of(text_of(FIG8("'column':'set-gap-2','rows':['LBS'],'compare':'excess',"
                                         "'to':{'column':'set-gap-4'},'least':%g"),
                                    cases[i].min),
                            &set));
        text_write(path,
                   quoted(text_of("{'schema':1,'kind':'study','study':'discontinuity','table':'dqs-fig8',"
                                  "'row':'LBS','status':'ok','dataset':null,'parameters':{'method':'lbs'},"
                                  "'measures':{'set_gap_1e-2':%g,'set_gap_1e-4':%g}}\n",
                                  cases[i].cell, cases[i].other)));
        OWNED_BY(record_store_close) RecordStore *store = store_read(path);
        const RecordView view = {.store = store};
        assert_ok(claim_verdict(&set->papers[0].claims[0], &view, &verdict));
        assert_int_equal(verdict.kind, cases[i].verdict);
    }
}
