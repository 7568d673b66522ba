/* Compares the rankings of a report with records written by hand. */
#include "tests/stores.h"

#include "harness/show/report/report.h"

/* Parses JSON in which apostrophes stand for quotes, and appends it to an array. */
static void line_add(json_t *lines, const char *text)
{
    json_error_t error;
    json_t *line = json_loads(quoted(text), 0, &error);
    fail_if(!line, "%s: %s", text, error.text);
    json_array_append_new(lines, line);
}

/* Adds a record of the study shape-loss on a rig. reason: which methods cannot use it. */
static void rig_add(json_t *lines, const char *row, const char *reason, const char *measures)
{
    line_add(lines,
             text_of("{'schema':1,'kind':'study','study':'shape-loss','table':'direct-methods',"
                     "'row':'%s','status':'ok','reason':'%s','parameters':{},'measures':{%s},'dataset':"
                     "{'name':'%s','sha256':'%064d'}}",
                     row, reason, measures, row, (int)strlen(row)));
}

/* Adds a fit of a walk with 20 bones and 4 influences, timed `runs` times. settings: more parameters. kind:
 * the members transforms and rest_pose. */
static void fit_add(json_t *lines, const char *method, const char *settings, const char *kind, double e_rms,
                    int runs)
{
    char samples[64] = "0.125";
    for (int i = 1; i < runs; i++)
        text_append(samples, sizeof samples, ",0.125");
    line_add(lines,
             text_of("{'schema':1,'kind':'decomposition','dataset':{'name':'walk','sha256':'" DIGEST_OF(
                         "3") "'},'status':'ok','reason':'','method':'%s','backend':'host','threads':1,"
                              "'parameters':{'bones':20,'influences':4,'iterations':15%s},'metrics':{'e_rms':"
                              "%g},'timing':{'total':{'median_s':0.125,'interval_low_s':0.125,"
                              "'interval_high_s':0.25,'inner':1,'samples_s':[%s]}},'end':'complete',"
                              "'size_bytes':1000,'iterations':[]%s}",
                     method, settings, e_rms, samples, kind));
}

/* Writes a report of these records, and returns its page. Takes ownership of the array. */
static char *page_of(json_t *lines)
{
    char left_out[FIGURES_LEFT_OUT_BYTES] = "";
    lines_write(path_of("run.jsonl"), lines);
    OWNED_BY(record_store_close) RecordStore *store = store_read(path_of("run.jsonl"));
    (void)report_write(store, "run.jsonl", NULL, path_of("report"), NULL, left_out);
    return file_read(path_of("report/index.html"), NULL);
}

/* Fails unless the texts, of which NULL is the last, occur in this order. */
static void assert_in_order(const char *page, const char *const *texts)
{
    for (; *texts; texts++) {
        const char *found = strstr(page, *texts);
        fail_if(!found, "'%s' is missing on the page, or stands before what should precede it", *texts);
        page = found + 1;
    }
}

/* On two rigs, `one` loses 1/2 and 1/8 of what lbs loses. Its score is their geometric mean, 1/4. It takes 2
 * and 8 times as long, which makes 4, with ends of the intervals at 0.9 and 1.2 of that. `torn` loses less
 * but tears the skin of both rigs, so it stands last. `two` cannot use the rig on which it was tried. */
TEST(direct_methods_are_ranked_by_the_shape_that_they_lose)
{
    json_t *lines = json_array();
    rig_add(lines, "bar", "",
            "'lbs_loss_of_shape':1,'lbs_fault':0,'lbs_bulge_percent':0.5,'lbs_ratio_to_lbs':1,"
            "'one_loss_of_shape':0.5,'one_fault':1,'one_bulge_percent':13.3,'one_ratio_to_lbs':2,"
            "'one_ratio_low':1.8,'one_ratio_high':2.4,'three_loss_of_shape':2,'three_fault':0,"
            "'three_ratio_to_lbs':17,'three_ratio_low':null,'torn_loss_of_shape':0.1,'torn_fault':1");
    rig_add(lines, "four", "two: it <blends> one bone",
            "'lbs_loss_of_shape':1,'lbs_fault':0,'lbs_ratio_to_lbs':1,'one_loss_of_shape':0.125,"
            "'one_fault':0,'one_bulge_percent':2,'one_ratio_to_lbs':8,'one_ratio_low':7.2,"
            "'one_ratio_high':9.6,'two_loss_of_shape':null,'three_loss_of_shape':2,'three_fault':0,"
            "'three_ratio_to_lbs':17,'torn_loss_of_shape':0.1,'torn_fault':1");
    OWNED char *page = page_of(lines);
    static const char *const order[] = {"id=\"direct-ranking\"",
                                        "bulge, %",
                                        "<td>one</td>",
                                        ">0.250<",
                                        ">4.00 (3.60 to 4.80)<",
                                        ">1/2<",
                                        ">13.3<",
                                        "<td>lbs</td>",
                                        ">1.00<",
                                        ">1.00<",
                                        ">0/2<",
                                        ">0.500<",
                                        "<td>three</td>",
                                        ">2.00<",
                                        ">20<",
                                        "<td>torn</td>",
                                        ">0.100<",
                                        ">2/2<",
                                        "mean over 2 such numbers",
                                        "cannot use the rig",
                                        "on four, two: it &lt;blends&gt; one bone.",
                                        NULL};
    assert_in_order(page, order);
    assert_null(strstr(page, "gap, %")); /* the page has no column without numbers */
}

/* On shapes that no method made, E_RMS counts as much as the loss of shape: lbs has 4 and `one` 1, so `one`
 * scores sqrt(1 * 1/4). Shapes that lbs itself made do not count. */
TEST(shapes_count_unless_a_method_made_them)
{
    json_t *lines = json_array();
    rig_add(lines, "bar", "", "'lbs_loss_of_shape':1,'lbs_e_rms':4,'one_loss_of_shape':1,'one_e_rms':1");
    OWNED char *page = page_of(lines);
    static const char *const order[] = {"<td>one</td>", ">0.500<", "<td>lbs</td>", ">1.00<", NULL};
    assert_in_order(page, order);
    lines = json_array();
    rig_add(lines, "bar", "",
            "'lbs_loss_of_shape':1,'lbs_e_rms':1e-5,'one_loss_of_shape':0.75,'one_e_rms':3");
    OWNED char *other = page_of(lines);
    static const char *const others[] = {"<td>one</td>", ">0.750<", "<td>lbs</td>", "bar (by lbs)", NULL};
    assert_in_order(other, others);
}

/* Two rigid fits with E_RMS 1.9 and 0.9 are a factor of 2 apart, because 0.1 is added to both. An affine fit
 * with a tenth of the error takes nothing from them, nor do fits that move the rest pose or start from the
 * first frame. A fit of five runs has a time with an interval; fits of one run have times of one digit. */
TEST(fits_are_ranked_beside_their_like)
{
    static const char rigid[] = ",'transforms':'rigid','rest_pose':'kept'",
                      moved[] = ",'transforms':'rigid','rest_pose':'moved'";
    json_t *lines = json_array();
    fit_add(lines, "a", "", rigid, 1.9, 1);
    fit_add(lines, "b", "", rigid, 0.9, 5);
    fit_add(lines, "c", "", ",'transforms':'affine','rest_pose':'kept'", 0.09, 1);
    fit_add(lines, "d", "", moved, 0.5, 1);
    fit_add(lines, "e", "", moved, 0.2, 1);
    fit_add(lines, "f", ",'rest-pose':'first'", rigid, 0.4, 1);
    fit_add(lines, "g", "", "", 0.4, 1);
    OWNED char *page = page_of(lines);
    static const char *const order[] = {"id=\"decomposition-scores\"",
                                        "<td>b</td><td>rigid bones, rest pose kept</td>",
                                        ">1.00<",
                                        ">1.00 (1.00 to 2.00)<",
                                        "<td>a</td><td>rigid bones, rest pose kept</td>",
                                        ">2.00<",
                                        ">1<",
                                        "<td>f</td><td>rigid bones, rest pose kept</td>",
                                        ">-<",
                                        "<td>e</td><td>rigid bones, rest pose moved</td>",
                                        ">1.00<",
                                        "<td>d</td><td>rigid bones, rest pose moved</td>",
                                        ">2.00<",
                                        "<td>c</td><td>affine bones, rest pose kept</td>",
                                        ">-<",
                                        "Not scored: 1 fits of an older version",
                                        "walk, 20 bones, 4 influences, from the first frame",
                                        NULL};
    assert_in_order(page, order);
}
