/* Tests the benchmark on a tiny rig: which cells it records, which cells it skips, and which results it
 * calls wrong. No times are checked. */
#include "methods/runtime/backends/implementation.h"
#include "tests/benches.h"
#include "tests/result_objects.h"

#include "datasets/geometry/points.h"
#include "datasets/io/store.h"
#include "harness/records/files/results.h"
#include "harness/records/record/record_numbers.h"
#include "harness/run/bench/group.h"
#include "harness/run/bench/skinning_cell.h"

static Subject bar(void)
{
    return SUBJECT("bar", "around=4", "along=9", "frames=2");
}

/* Returns cell record number `index` of the file, not counting records of environments, noise and peers. */
static const Record *record_at(const Bench *bench, int index)
{
    const Record *record = NULL;
    do
        record = record_store_next(bench->store, record);
    while (record && (record->cell.kind == CELL_NOISE || record->cell.kind == CELL_PEER || index-- > 0));
    assert_non_null(record);
    return record;
}

static SkinningPlan plan(const char *method, const Backend *backend)
{
    SkinningPlan result = {.entry = skinning_entry_find(method), .backend = backend, .threads = 1};
    assert_non_null(result.entry);
    result.parameters = parameters_default(result.entry->method->parameters);
    return result;
}

TEST(a_group_is_timed_once)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    SkinningPlan plans[] = {plan("lbs", &backend_scalar), plan("lbs", &backend_simd)};
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ended[RECORD_OK], 2);
    assert_int_equal(record_store_line_count(bench.store),
                     5); /* the records of the environment, of the noise and of the plain loop come first */
    const Record *simd = record_at(&bench, 1);
    int environments = 0;
    const EnvironmentRecord *first = record_store_environments(bench.store, &environments);
    assert_int_equal(environments, 1);
    assert_string_equal(simd->environment, first->environment.hash);
    assert_string_equal(simd->machine, first->environment.machine);
    assert_int_equal(simd->status, RECORD_OK);
    assert_string_equal(simd->timing.end, "rounds-cap");
    assert_int_equal(simd->timing.rounds, 3);
    assert_int_equal(timing_stage(&simd->timing, STAGE_SKIN)->sample_count, 3);
    double count = (double)simd->cell.dataset.vertices * simd->cell.frames;
    double expected = 1e9 * record_stage_median_s(simd, STAGE_SKIN) / count;
    assert_true(fabs(record_derived(simd, DERIVED_NS_PER_VERTEX)->median / expected - 1.0) < 1e-12);
    assert_true(record_derived(simd, DERIVED_RATIO_TO_LBS)->median == 1.0);
    double ratio = record_derived(simd, DERIVED_RATIO_TO_SCALAR)->low;
    assert_true(ratio > 0.0 && isfinite(ratio));
    assert_true(record_metric(simd, "reference_distance_max") <= 1e-5);
    const Roof *roof = &simd->timing.roof;
    if (COUNTED_REAL) { /* the tiled limit also counts padding, so it is at least as high as the limit without
                           padding */
        assert_true(roof_skin_ns(roof) > 0.0 && roof_frame_ns(roof) > 0.0);
        assert_true(isnan(roof_share(2.0, 1.0)) && roof_share(1.0, 2.0) == 0.5);
        assert_true(roof->arithmetic_ns > 0.0 && roof->arithmetic_ns <= roof->arithmetic_tiled_ns);
        assert_string_equal(roof->memory,
                            "L1"); /* the results of two frames of 72 vertices fit into the L1 cache */
    }
    bench_close(&bench);

    bench_start(&bench);
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ended[RECORD_OK], 0);
    assert_int_equal(bench.counts.already, 2);
    assert_int_equal((int)record_store_line_count(bench.store), 5);
}

/* A record without times needs no memory bandwidth. Kernels that are timed later in the run do, so the
 * environment is appended again with it, and belongs to all records of the run. */
TEST(the_bandwidth_is_measured_for_timed_kernels)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    SkinningPlan plans[] = {plan("lbs", &backend_simd)};
    Record row = record_of(&(Cell){.kind = CELL_ROW, .dataset = subject_cell_dataset(&subject)});
    int count = 0;
    bench.bandwidth = (Bandwidth){.threads = 0};
    row.status = RECORD_OK;
    assert_ok(bench_append(&bench, &row));
    assert_int_equal(record_store_environments(bench.store, &count)->bandwidth.threads, 0);
    assert_int_equal(count, 1);
    assert_ok(skinning_group_run(&bench, &subject, plans, 1));
    (void)record_store_environments(bench.store, &count);
    assert_int_equal(count, 2);
    const EnvironmentRecord *environment = record_store_environment(bench.store, record_at(&bench, 0));
    assert_true(environment->bandwidth.threads > 0 && environment->bandwidth.one_thread > 0.0);
}

/* Two files have the same name but different content. The name may be empty or invalid UTF-8. The files
 * must always be separate cells, which are measured separately and found again. */
TEST(files_of_one_name_are_two_cells)
{
    static const char *const names[] = {"", "caf\xe9", "wolf", "line\nbreak\033[2J"};
    static const char *const recorded[] = {"bar-\\xFF.h5", "caf\\xE9", "wolf", "line\\x0Abreak\\x1B[2J"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        SkinningPlan lbs = plan("lbs", &backend_scalar);
        const char *file = path_of("bar-\xff.h5");
        for (int run = 0; run < 2; run++) {
            BENCH(bench);
            for (int i = 0; i < 2; i++) {
                Subject made = bar(), subject;
                memory_free(made.dataset->name);
                made.dataset->name = memory_text(names[n]);
                made.dataset->mesh.rest[0] += (float)i;
                assert_ok(dataset_write(made.dataset, file));
                subject_clear(&made);
                assert_ok(subject_read(file, NULL, &subject));
                assert_ok(skinning_group_run(&bench, &subject, &lbs, 1));
                subject_clear(&subject);
                unlink(file);
            }
            assert_int_equal(bench.counts.ended[RECORD_OK], run == 0 ? 2 : 0);
            assert_int_equal(bench.counts.already, run == 0 ? 0 : 2);
            const CellDataset *first = &record_at(&bench, 0)->cell.dataset;
            const CellDataset *second = &record_at(&bench, 1)->cell.dataset;
            assert_string_equal(first->name, recorded[n]);
            assert_string_equal(second->name, recorded[n]);
            assert_int_equal(strlen(first->sha256), 64);
            assert_string_not_equal(first->sha256, second->sha256);
        }
        unlink(path_of("run.jsonl"));
    }
}

/* If only dqs is requested, LBS and the scalar backend are also timed, because ratios refer to them, but
 * they are not recorded. */
TEST(companions_give_ratios)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    SkinningPlan dqs = plan("dqs", &backend_simd);
    assert_ok(skinning_group_run(&bench, &subject, &dqs, 1));
    assert_int_equal((int)record_store_line_count(bench.store), 4);
    assert_true(record_derived(record_at(&bench, 0), DERIVED_RATIO_TO_LBS)->median > 0.0);
    assert_true(record_derived(record_at(&bench, 0), DERIVED_RATIO_TO_SCALAR)->median > 0.0);
}

static void *peer_bind(const PeerRig *rig)
{
    PeerRig *copy = memory_array(1, sizeof *copy);
    assert_non_null(copy);
    return memcpy(copy, rig, sizeof *copy);
}

/* Simulates a peer (another program's skinning) whose result is wrong: it leaves the rest pose
 * unchanged. */
static int peer_rest(void *state, UNUSED const double *transforms, float *positions)
{
    const PeerRig *rig = state;
    memcpy(positions, rig->rest, 3 * (size_t)rig->vertex_count * sizeof *positions);
    return 1;
}

/* Simulates a slow peer with a correct result: LBS in double precision. */
static int peer_right(void *state, const double *transforms, float *positions)
{
    const PeerRig *rig = state;
    for (int v = 0; v < rig->vertex_count; v++)
        for (int row = 0; row < 3; row++) {
            double sum = 0.0;
            for (int k = 0; k < rig->influence_count; k++) {
                const int slot = v * rig->influence_count + k;
                const double *m = transforms + 12 * rig->joints[slot] + 4 * row;
                const float *rest = rig->rest + 3 * (ptrdiff_t)v;
                sum += (double)rig->weights[slot] *
                       (m[0] * (double)rest[0] + m[1] * (double)rest[1] + m[2] * (double)rest[2] + m[3]);
            }
            positions[3 * v + row] = (float)sum;
        }
    return 1;
}

static int peer_fails(UNUSED void *state, UNUSED const double *transforms, UNUSED float *positions)
{
    return 0;
}

static const Record *peer_record(const Bench *bench, const char *name)
{
    const Record *record = NULL;
    while ((record = record_store_next(bench->store, record)) != NULL)
        if (record->cell.kind == CELL_PEER && strcmp(record->cell.method, name) == 0)
            return record;
    fail_msg("there is no peer %s", name);
    return NULL;
}

/* The plain loop is always timed as well, and so are peers (other programs) whose results are correct. None
 * of them counts as a cell. */
TEST(peers_stand_beside_the_cells)
{
    static const PeerFunctions right = {PEER_ABI, "right", "in double", peer_bind, peer_right, memory_free},
                               rest = {PEER_ABI, "rest", "the rest pose", peer_bind, peer_rest, memory_free},
                               broken = {PEER_ABI, "broken", "fails", peer_bind, peer_fails, memory_free};
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    SkinningPlan plans[] = {plan("lbs", &backend_scalar), plan("dqs", &backend_simd)};
    assert_ok(skinning_group_run(&bench, &subject, plans, 1));
    assert_true(record_derived(record_at(&bench, 0), DERIVED_FRAME_RATIO_TO_PLAIN)->median > 0.0);
    assert_true(record_derived(peer_record(&bench, "plain-loop"), DERIVED_FRAME_RATIO_TO_PLAIN)->median ==
                1.0);
    assert_true(record_metric(peer_record(&bench, "plain-loop"), "reference_distance_max") < 1e-6);
    bench.peers[0] = &right;
    bench.peers[1] = &rest;
    bench.peers[2] = &broken;
    bench.peer_count = 3;
    plans[1].threads = 2;
    assert_ok(skinning_group_run(&bench, &subject, plans, 2)); /* no record of the peers exists yet */
    assert_int_equal(bench.counts.ended[RECORD_OK], 2);
    assert_int_equal(bench.counts.ended[RECORD_WRONG] + bench.counts.ended[RECORD_FAILED], 0);
    assert_int_equal(peer_record(&bench, "right")->timing.rounds, 3);
    assert_true(record_derived(peer_record(&bench, "right"), DERIVED_FRAME_NS_PER_VERTEX)->median > 0.0);
    assert_int_equal(peer_record(&bench, "rest")->status, RECORD_WRONG);
    assert_false(peer_record(&bench, "rest")->timing.timed);
    assert_int_equal(peer_record(&bench, "broken")->status, RECORD_FAILED);
}

/* The counters of a method are written to its records. Skinning in two phases is a cell of its own. */
TEST(counters_and_phases_are_recorded)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    SkinningPlan plans[] = {plan("sbs", &backend_scalar), plan("lbs", &backend_scalar),
                            plan("lbs", &backend_scalar)};
    assert_ok(parameters_set(plans[0].entry->method->parameters, "sbs", "centers=svd", &plans[0].parameters));
    plans[2].two_phase = true;
    assert_ok(skinning_group_run(&bench, &subject, plans, 3));
    assert_int_equal(bench.counts.ended[RECORD_OK], 3);
    const Record *sbs = record_at(&bench, 0);
    /* The bar's joints are neighbours, so every joint set is trivial (SBS section 4.2). */
    RecordNumber svds, sets;
    assert_true(record_number_find(sbs, "counts.svds", &svds) && svds.number.value == 0.0);
    assert_true(record_number_find(sbs, "counts.nontrivial_sets.max", &sets) && sets.number.value == 0.0);
    assert_true(sbs->joint_sets >= 2);
    assert_true(!record_at(&bench, 1)->cell.two_phase && record_at(&bench, 2)->cell.two_phase);
    assert_ok(skinning_group_run(&bench, &subject, plans, 3));
    assert_int_equal(bench.counts.already, 3);
}

/* Peers (other programs) with correct results and the plain loop are always timed as well, but do not count
 * as cells. */
TEST(what_differs_from_the_reference_is_wrong)
{
    CLEANUP(subject_clear) Subject subject = bar();
    CLEANUP(posing_clear) Posing posing = {0};
    CLEANUP(skinning_cell_clear) SkinningCell cell = {0};
    OWNED_BY(skinner_free) Skinner *other = NULL;
    SkinningPlan lbs = plan("lbs", &backend_scalar), dqs = plan("dqs", &backend_reference);
    assert_ok(posing_init(subject.dataset, 64, 0, &posing));
    assert_ok(posing_results_make(&posing, subject.dataset->mesh.vertex_count, false));
    assert_ok(skinner_run_once(&dqs, &subject, &posing, NULL, &other));
    assert_ok(skinning_cell_plan(&cell, &lbs, &subject, &posing));
    skinning_cell_prepare(&cell, other, NULL, 0, NULL);
    assert_false(cell.live);
    assert_int_equal(cell.record.status, RECORD_WRONG);
    assert_holds(cell.record.reason, "differs from reference by");
    assert_false(cell.record.timing.timed);
    /* The message names the first vertex whose error is too large. Earlier vertices of that frame are
     * within the tolerance. */
    const char *place = strstr(cell.record.reason, "first at vertex");
    int vertex = -1, frame = -1;
    assert_non_null(place);
    // NOLINTNEXTLINE(cert-err34-c): both numbers are ours
    assert_int_equal(sscanf(place, "first at vertex %d of frame %d", &vertex, &frame), 2);
    const int count = subject.dataset->mesh.vertex_count;
    const double most = lbs.entry->method->tolerance * bounds_of(subject.dataset->mesh.rest, count).diagonal;
    OWNED_BY(skinner_free) Skinner *own = NULL;
    OWNED double *found = memory_table((size_t)count, 3, sizeof *found);
    OWNED double *expected = memory_table((size_t)count, 3, sizeof *expected);
    assert_ok(skinner_run_once(&lbs, &subject, &posing, NULL, &own));
    assert_ok(skinner_read_double(own, frame, found, NULL));
    assert_ok(skinner_read_double(other, frame, expected, NULL));
    for (int v = 0; v <= vertex; v++) {
        const double distance = vec3_length(vec3_sub(vec3_at(found, v), vec3_at(expected, v)));
        assert_true(v < vertex ? distance <= most : distance > most);
    }
    assert_true(record_metric(&cell.record, "reference_distance_max") > 0.01);
}

/* All joints move by more than the largest float. In floats the positions are therefore infinite, and so
 * are the reference positions. Metrics could still be computed from a stored animation, so infinite
 * positions must be rejected first. */
TEST(what_is_not_finite_is_wrong)
{
    OWNED_SUBJECT(subject, "walk", "vertices=1000", "frames=2");
    BENCH(bench);
    SkinningPlan plans[] = {plan("lbs", &backend_reference), plan("lbs", &backend_scalar)};
    Rig *rig = &subject.dataset->rig;
    for (int i = 0; i < rig->joint_count * rig->frame_count; i++)
        rig->transforms[i].m03 = 1e39;
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ended[RECORD_WRONG], 2);
    for (int i = 0; i < 2; i++) {
        assert_string_equal(record_at(&bench, i)->reason, "gives positions that are not finite");
        assert_true(isnan(record_metric(record_at(&bench, i), "e_rms")));
        assert_false(record_at(&bench, i)->timing.timed);
    }
    assert_ok(skinning_group_run(&bench, &subject, plans, 2)); /* in a second run the result is still wrong */
    assert_int_equal(bench.counts.already, 2);
}

/* Records of another machine are not used for this machine, but they stay in the file. */
TEST(another_machine_measures_anew)
{
    CLEANUP(subject_clear) Subject subject = bar();
    SkinningPlan lbs = plan("lbs", &backend_scalar);
    for (int run = 0; run < 3; run++) {
        BENCH(bench);
        if (run > 0) {
            snprintf(bench.environment.hash, sizeof bench.environment.hash, "0123456789abcdef");
            snprintf(bench.environment.machine, sizeof bench.environment.machine, "another machine");
        }
        assert_ok(skinning_group_run(&bench, &subject, &lbs, 1));
        assert_int_equal(bench.counts.already, run == 2);
        assert_int_equal((int)record_store_line_count(bench.store), run == 0 ? 4 : 8);
        OWNED RecordView *views = NULL;
        int machines = 0;
        assert_ok(record_views(bench.store, &views, &machines));
        assert_int_equal(machines, run > 0 ? 2 : 1);
        if (run > 0)
            assert_string_equal(record_at(&bench, 1)->machine, "another machine");
    }
}

static bool device_is_lost;

static bool loses_device(void *context, UNUSED const char *what, UNUSED double share)
{
    int *reports = context;
    if (++*reports == 6) /* Progress is reported for each prepared cell, including the noise control, and then
                            for each round. The sixth report is the first one for a round. */
        device_is_lost = true;
    return true;
}

static Status commit_on_device(UNUSED void *state)
{
    if (!device_is_lost)
        return status_ok(); /* the vector code runs on the processor and needs no device */
    device_is_lost = false;
    return status_make(STATUS_UNAVAILABLE, "the device is lost");
}

/* A pose fails in the middle of the rounds, as if a device had been lost. The cell is recorded as `failed`
 * with its reason. The other cells are timed to the end, and their ratios to the failed cell are null. */
TEST(a_cell_that_fails_leaves_the_others_alone)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    int reports = 0;
    Progress progress = {loses_device, &reports};
    BackendFunctions functions = *backend_simd.functions;
    Backend device = backend_simd;
    functions.commit = commit_on_device;
    device.functions = &functions;
    SkinningPlan plans[] = {plan("lbs", &device), plan("dqs", &device)};
    bench.progress = &progress;
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_ok(skinning_group_run(&bench, &subject, plans, 2));
    assert_int_equal(bench.counts.ended[RECORD_FAILED], 1);
    assert_int_equal(bench.counts.ended[RECORD_OK], 1);
    const Record *failed = record_at(&bench, 0), *timed = record_at(&bench, 1);
    assert_int_equal(failed->status, RECORD_FAILED);
    assert_holds(failed->reason, "while it was timed (");
    assert_holds(failed->reason, "the device is lost");
    assert_false(failed->timing.timed);
    assert_int_equal(timed->status, RECORD_OK);
    assert_int_equal(timed->timing.rounds, 6);
    const bool lbs_failed = strcmp(failed->cell.method, "lbs") == 0;
    assert_int_equal(isnan(record_derived(timed, DERIVED_RATIO_TO_LBS)->median) != 0, lbs_failed);

    assert_ok(skinning_group_run(&bench, &subject, plans, 2)); /* cells that failed are tried again */
    assert_int_equal(bench.counts.ended[RECORD_OK], 2);
    assert_int_equal(bench.counts.already, 1);
}

/* The user stops the benchmark after some rounds. Nothing is recorded, but the journal contains the
 * samples, and the next run continues from them. */
TEST(a_stopped_group_goes_on_from_its_journal)
{
    CLEANUP(subject_clear) Subject subject = bar();
    BENCH(bench);
    int reports_left = 5;
    Progress progress = {stop_in_time, &reports_left};
    SkinningPlan lbs = plan("lbs", &backend_scalar);
    bench.progress = &progress;
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_int_equal(skinning_group_run(&bench, &subject, &lbs, 1).code, STATUS_STOPPED);
    assert_int_equal((int)record_store_line_count(bench.store), 0);
    bench_close(&bench);
    json_auto_t *lines = NULL;
    bool torn = false;
    assert_ok(results_read(path_of("run.jsonl.journal"), &lines, &torn));
    /* the journal has some rounds of two cells, the noise control and the plain loop */
    size_t kept = json_array_size(lines), at = 1;
    assert_true(kept > 1 + 9 && kept < 1 + 9 * 6);
    const char *cell = "t", *work = "";
    double first = 0.0;
    for (; cell[0] == 't' || strcmp(work, "frame") == 0; at++)
        assert_int_equal(json_unpack(json_array_get(lines, at), "{s:s, s:s, s:F}", "cell", &cell, "work",
                                     &work, "seconds", &first),
                         0);
    Stage stage = STAGE_COUNT;
    assert_true(stage_find(work, &stage));

    bench_start(&bench);
    bench.rounds_minimum = bench.rounds_cap = 6;
    assert_ok(skinning_group_run(&bench, &subject, &lbs, 1));
    const StageTime *time = timing_stage(&record_at(&bench, 0)->timing, stage);
    assert_int_equal(time->sample_count, 6);
    assert_true(time->samples[0] == first);
}
