/* Tests the comparison of machines side by side, on records with known numbers. */
#include "tests/stores.h"

#include "harness/records/record/record_numbers.h"
#include "harness/show/report/report.h"

#define MACHINE(name, digit)                                                                                 \
    "{'schema':1,'run':'" name                                                                               \
    "','kind':'environment','environment':{'hash':'" HASH_OF(digit) "','machine':'the " name "'}}\n"
#define TIMED(machine, ns, low, high, e_rms)                                                                 \
    "{'schema':1,'kind':'skinning','dataset':{'name':'bar','sha256':'" DIGEST_OF(                            \
        "a") "'},'method':'lbs',"                                                                            \
             "'backend':'simd','parameters':{},'threads':1,'frames':1,'normals':false,'status':'ok',"        \
             "'metrics':{'e_rms':" e_rms ",'kg_percent':1.5},'timing':{'rounds':20,'ns_per_vertex':{"        \
             "'median':" ns ",'interval_low':" low ",'interval_high':" high                                  \
             "}},'environment':'" HASH_OF(machine) "'}\n"
#define STUDY(machine, bound, seconds)                                                                       \
    "{'schema':1,'kind':'study','dataset':null,'study':'s','table':'t','row':'r',"                           \
    "'parameters':{},'threads':1,'status':'ok','measures':{'bound':" bound ",'time_s':" seconds              \
    "},'timed':['time_s'],'environment':'" HASH_OF(machine) "'}\n"

static char *report_text_of(const char *first, const char *second, const char *name)
{
    const char *const paths[] = {path_of("a.jsonl"), path_of("b.jsonl")};
    OWNED_BY(record_store_close) RecordStore *store = NULL;
    text_write("a.jsonl", quoted(first));
    text_write("b.jsonl", quoted(second));
    assert_ok(record_store_read(paths, 2, &store));
    char left_out[FIGURES_LEFT_OUT_BYTES];
    const Status status = report_write(store, "a.jsonl, b.jsonl", NULL, path_of("report"), NULL, left_out);
    assert_true(status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE);
    const char *file = text_of("report/%s", name);
    return access(path_of(file), F_OK) == 0 ? file_read(file, NULL) : memory_text("");
}

TEST(times_stand_beside_each_other)
{
    OWNED char *text =
        report_text_of(MACHINE("old", "1") TIMED("1", "2.0", "1.9", "2.1", "3.0"),
                       MACHINE("new", "2") TIMED("2", "1.0", "0.99", "1.01", "3.0"), "report.md");
    assert_holds(text, "1. the old");
    assert_holds(text, "2. the new");
    /* The ratio ranges from 0.99 / 2.1 to 1.01 / 1.9. Half of this range, 0.0602 / 2, is 6 % of 0.5. */
    assert_holds(text, "2.00 ± 5.0 % | 1.00 ± 1.0 % | 0.500 ± 6.0 % |");
    assert_non_null(strstr(text, "of 1 cells were measured on more than one machine. In 1 of them, "));
}

/* A difference of 2e-5 counts as a disagreement, and a difference of 5e-7 does not. The number that differs
 * most is shown. */
TEST(what_is_exact_agrees_or_not)
{
    static const struct {
        const char *text;
        bool agrees;
    } cases[] = {{MACHINE("new", "2") TIMED("2", "1.0", "0.99", "1.01", "3.0000015"), true},
                 {MACHINE("new", "2") TIMED("2", "1.0", "0.99", "1.01", "3.00006"), false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED char *text = report_text_of(MACHINE("old", "1") TIMED("1", "2.0", "1.9", "2.1", "3.0"),
                                          cases[i].text, "machines-errors.csv");
        assert_holds(text, "bar,lbs,simd,1,e_rms,");
        assert_holds(text, cases[i].agrees ? ",yes\n" : ",no\n");
    }
}

/* The time of a study may differ between machines, but its other measures must not. With only one machine,
 * the section is left out. */
TEST(studies_are_held_against_each_other)
{
    OWNED char *two = report_text_of(MACHINE("old", "1") STUDY("1", "8.15", "2.0"),
                                     MACHINE("new", "2") STUDY("2", "8.15", "7.0"), "machines-errors.csv");
    OWNED char *one =
        report_text_of(MACHINE("old", "1") STUDY("1", "8.15", "2.0"), MACHINE("old", "1"), "report.md");
    assert_holds(two, "r,s of t,,1,bound,8.15,8.15,0.0,yes\n");
    assert_lacks(one, "side by side");
}

TEST(numbers_have_names)
{
    RecordNumber number;
    text_write("a.jsonl",
               quoted(MACHINE("old", "1") TIMED("1", "2.0", "1.9", "2.1", "null") STUDY("1", "1.0", "2.0")));
    OWNED_BY(record_store_close) RecordStore *store = store_read(path_of("a.jsonl"));
    const Record *timed = record_store_next(store, NULL), *study = record_store_next(store, timed);
    static const char *const names[] = {"e_rms", "kg_percent", "ns_per_vertex"};
    for (int i = 0; i < 3; i++) {
        assert_true(record_number_at(timed, i, &number));
        assert_string_equal(number.name, names[i]);
        assert_int_equal(number.timed, i == 2);
    }
    assert_false(record_number_at(timed, 3, &number));
    assert_true(record_number_find(timed, "e_rms", &number) && isnan(number.number.value)); /* null */
    assert_true(record_number_find(timed, "metrics.kg_percent", &number) && number.guarded);
    assert_false(record_number_find(timed, "sted", &number));
    assert_true(record_number_find(timed, "ns_per_vertex", &number));
    assert_true(number.number.value == 2.0 && number.number.low == 1.9 && number.number.high == 2.1);
    assert_true(record_number_find(study, "bound", &number) && !number.timed);
    assert_true(record_number_find(study, "time_s", &number) && number.timed);
}
