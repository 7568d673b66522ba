/* Tests histories of planted result files: which series are found, in which order, and between which
 * commits each series changed. */
#include "tests/support.h"

#include "harness/show/report/history_report.h"

/* Writes one run to NAME.jsonl: an environment and two cells. */
static void run_write(const char *name, const char *machine, const char *commit, const char *commit_time,
                      bool dirty, const char *time, double e_rms, double ns)
{
    const char *file = text_of("%s.jsonl", name);
    const char *text = text_of(
        "{'schema':1,'run':'%s','time':'%s','kind':'environment','environment':{"
        "'hash':'%016x','machine':'%s','commit':'%s',%s%s%s'dirty':%s}}\n"
        "{'schema':1,'run':'%s','time':'%s','kind':'skinning','dataset':{'name':"
        "'bar','sha256':'" DIGEST_OF(
            "a") "'},'method':'lbs','backend':'simd','parameters':{},"
                 "'threads':1,'frames':1,'normals':false,'status':'ok','metrics':{'e_rms':%.17g},"
                 "'timing':{'rounds':20,'ns_per_vertex':{"
                 "'median':%.17g,'interval_low':%.17g,'interval_high':%.17g}},'environment':'%016x'}\n"
                 "{'schema':1,'run':'%s','time':'%s','kind':'skinning','dataset':{'name':"
                 "'bar','sha256':'" DIGEST_OF(
                     "a") "'},'method':'dqs','backend':'simd','parameters':{},"
                          "'threads':1,'frames':1,'normals':false,'status':'ok','metrics':{'e_rms':4.0},"
                          "'timing':null,'environment':'%016x'}\n",
        name, time, (unsigned)machine[0], machine, commit, commit_time[0] ? "'commit_time':'" : "",
        commit_time, commit_time[0] ? "'," : "", dirty ? "true" : "false", name, time, e_rms, ns, 0.99 * ns,
        1.01 * ns, (unsigned)machine[0], name, time, (unsigned)machine[0]);
    text_write(file, quoted(text));
}

static Status read_runs(const char *const *names, int count, const char *const *metrics, int metric_count,
                        History *out)
{
    char places[48][160];
    const char *paths[48];
    for (int i = 0; i < count; i++) {
        snprintf(places[i], sizeof places[i], "%s/%s.jsonl", path_of(""), names[i]);
        paths[i] = places[i];
    }
    return history_read(paths, count, metrics, metric_count, out);
}

/* Commits are sorted by their own time, whatever the order of files and runs. A relative change of 5e-6 is
 * reported with the two commits between which it lies. A change of 5e-7 is ignored. */
TEST(an_exact_change_is_named_by_its_commits)
{
    static const char *const names[] = {"fourth", "second", "first", "third"};
    CLEANUP(history_clear) History history = {0};
    char label[COMMIT_LABEL_BYTES];
    run_write("first", "M", "aaaaaaaaaaaaaaaa", "2026-01-01T00:00:00Z", false, "2026-05-04T00:00:00Z", 2.0,
              1.0);
    run_write("second", "M", "bbbb", "2026-01-02T00:00:00Z", false, "2026-05-03T00:00:00Z",
              2.0 * (1.0 + 5e-7), 1.0);
    run_write("third", "M", "cccc", "2026-01-03T00:00:00Z", false, "2026-05-02T00:00:00Z",
              2.0 * (1.0 + 5.5e-6), 1.0);
    run_write("fourth", "M", "cccc", "2026-01-03T00:00:00Z", true, "2026-05-01T00:00:00Z", 1.0, 1.0);
    assert_ok(read_runs(names, 4, NULL, 0, &history));
    assert_int_equal(history.commit_count, 4);
    assert_int_equal(history.series_count, 2); /* e_rms, and a time that has too few runs to be judged */
    assert_int_equal(history.series[1].few_before, 2);
    assert_int_equal(history.timed_count, 1);
    const HistorySeries *series = &history.series[0];
    assert_string_equal(series->name, "e_rms");
    assert_string_equal(series->cell, "bar: lbs on simd, threads 1");
    assert_int_equal(series->change_count, 2);
    assert_int_equal(series->changes[0].last, 1);
    assert_int_equal(series->changes[0].first, 2);
    assert_string_equal(history_change_word(series, &series->changes[0]), "worse");
    assert_string_equal(history_change_word(series, &series->changes[1]), "better");
    assert_true(series->changes[1].after == 1.0);
    history_commit_label(&history.commits[0], label);
    assert_string_equal(label, "aaaaaaaaaa");
    history_commit_label(&history.commits[3], label);
    assert_string_equal(label, "cccc+");
}

/* Two machines with different numbers give separate series, neither of which has a change. If the time of a
 * commit is missing, the time of its runs is used. */
TEST(machines_are_never_mixed)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    static const char *const metrics[] = {"e_rms", "ns_per_vertex"};
    History history;
    for (int i = 0; i < 4; i++)
        run_write(names[i], i % 2 ? "Old" : "New", i / 2 ? "22" : "11", "", false,
                  text_of("2026-01-0%dT00:00:00Z", i + 1), i % 2 ? 3.0 : 2.0, 1.0);
    assert_ok(read_runs(names, 4, NULL, 0, &history));
    assert_int_equal(history.series_count, 2);
    assert_string_equal(history.series[0].name, "ns_per_vertex");
    assert_int_equal(history.commit_count, 2);
    assert_int_equal(history.commits[0].runs, 2);
    history_clear(&history);
    assert_ok(read_runs(names, 4, metrics, 2, &history));
    assert_int_equal(history.series_count, 6); /* each machine has e_rms of two cells and ns of one cell */
    for (int i = 0; i < 6; i++) {
        assert_int_equal(history.series[i].point_count, 2);
        assert_int_equal(history.series[i].change_count, 0);
        assert_true(history.series[i].points[0].value == history.series[i].points[1].value);
    }
    history_clear(&history);
    static const char *const none[] = {"e_rmx"};
    assert_bad_input("no record has the number 'e_rmx'", read_runs(names, 4, none, 1, &history));
    history_clear(&history);
}

/* Six runs of one commit and four of the next are too few for a verdict, because no order of ten numbers is
 * improbable enough. Seven and seven runs are enough. */
TEST(too_few_runs_are_said_to_be)
{
    char names[14][8], text[3 * COMMIT_LABEL_BYTES];
    const char *list[14];
    for (int i = 0; i < 14; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        run_write(names[i], "M", i < 7 ? "11" : "22", i < 7 ? "2026-01-01T00:00:00Z" : "2026-01-09T00:00:00Z",
                  false, text_of("2026-01-%02dT00:00:00Z", i + 1), 2.0, 1.0 + 0.001 * (i % 3));
        list[i] = names[i];
    }
    CLEANUP(history_clear) History history = {0};
    assert_ok(read_runs(list + 1, 10, NULL, 0, &history));
    assert_int_equal(history.series_count, 1);
    history_few_text(&history.series[0], text);
    assert_string_equal(text, "too few runs: 6 before, 4 after; 7 each are needed");
    history_clear(&history);
    assert_ok(read_runs(list, 14, NULL, 0, &history));
    assert_int_equal(history.series_count, 0);
}

/* There are 14 commits with two runs each. From the ninth commit on, times are 5 % longer, and all times
 * scatter by 1 %. One run is disturbed. */
TEST(a_change_of_times_lies_between_two_commits)
{
    char names[28][8];
    const char *list[28];
    CLEANUP(history_clear) History history = {0};
    for (int i = 0; i < 28; i++) {
        const int commit = i / 2;
        snprintf(names[i], sizeof names[i], "r%d", i);
        const char *time = text_of("2026-01-%02dT0%d:00:00Z", commit + 1, i % 2);
        /* scatter of +- 1 % in a pattern without a trend */
        const double scatter = 0.01 * ((i * 7) % 11 - 5) / 5.0;
        const double ns = (commit >= 8 ? 1.05 : 1.0) * (1.0 + scatter) * (i == 5 ? 2.0 : 1.0);
        run_write(names[i], "M", text_of("%02d", commit), time, false, time, 2.0, ns);
        list[i] = names[i];
    }
    assert_ok(read_runs(list, 28, NULL, 0, &history));
    assert_int_equal(history.series_count, 1);
    assert_string_equal(history.series[0].name, "ns_per_vertex");
    assert_int_equal(history.series[0].change_count, 1);
    assert_int_equal(history.series[0].changes[0].last, 7);
    assert_int_equal(history.series[0].changes[0].first, 8);
    assert_true(fabs(history.series[0].changes[0].after / history.series[0].changes[0].before - 1.05) < 0.01);
    assert_string_equal(history_change_word(&history.series[0], &history.series[0].changes[0]), "worse");

    const char *report = path_of("report");
    char left_out[FIGURES_LEFT_OUT_BYTES];
    const Status status = history_report_write(&history, "runs", report, NULL, left_out);
    assert_true(status.code == STATUS_OK || status.code == STATUS_UNAVAILABLE);
    assert_file_holds("report/changes.csv", "worse,\"bar: lbs on simd, threads 1\",ns_per_vertex,");
    assert_file_holds("report/changes.csv", ",07,08,M\n");
    assert_file_holds("report/plot-001.tsv", "");
}
