/* Tests the library through its public header. Skinning and errors are compared with values computed by
 * hand. Data sets make round trips through files and arrays, bad input is refused, and calls survive
 * running out of memory. All tests are in one file because the library has one header. */
#include "tests/support.h"

#include "harness/library/skinbench.h"

#include <omp.h>
#include <pthread.h>

DEFINE_OWNED_BY(SkinbenchDataset, skinbench_dataset_free)
DEFINE_OWNED_BY(SkinbenchSkinner, skinbench_skinner_free)

#define assert_good(call)                                                                                    \
    do {                                                                                                     \
        const SkinbenchStatus assert_good_status = (call);                                                   \
        if (assert_good_status.code != SKINBENCH_OK)                                                         \
            fail_msg("%s", assert_good_status.text);                                                         \
    } while (0)

#define assert_bad(expected_code, part, call)                                                                \
    do {                                                                                                     \
        const SkinbenchStatus assert_bad_status = (call);                                                    \
        assert_int_equal(assert_bad_status.code, expected_code);                                             \
        assert_holds(assert_bad_status.text, part);                                                          \
    } while (0)

/* A bar along x with joints at x = 0 and x = 1. Its only pose rotates the second joint by 90 degrees about
 * z. */
enum { BAR = 3 };
static const float bar_rest[BAR][3] = {{0.5f, 0.0f, 0.0f}, {1.5f, 0.0f, 0.0f}, {2.0f, 0.0f, 1.0f}};
static const int32_t bar_joints[BAR][2] = {{0, 0}, {0, 1}, {1, 0}};
static const float bar_weights[BAR][2] = {{1.0f, 0.0f}, {0.5f, 0.5f}, {1.0f, 0.0f}};
static const int32_t bar_triangle[3] = {0, 1, 2};
static const int32_t bar_parents[2] = {-1, 0};
static const double bar_pose[2][3][4] = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                         {{0, -1, 0, 1}, {1, 0, 0, -1}, {0, 0, 1, 0}}};

static SkinbenchArrays bar_arrays(void)
{
    return (SkinbenchArrays){.name = "bar",
                             .vertex_count = BAR,
                             .triangle_count = 1,
                             .joint_count = 2,
                             .pose_count = 1,
                             .influence_count = 2,
                             .rest = &bar_rest[0][0],
                             .triangles = bar_triangle,
                             .parents = bar_parents,
                             .transforms = &bar_pose[0][0][0],
                             .weight_joints = &bar_joints[0][0],
                             .weights = &bar_weights[0][0]};
}

static SkinbenchDataset *bar_make(void)
{
    const SkinbenchArrays arrays = bar_arrays();
    SkinbenchDataset *bar = NULL;
    assert_good(skinbench_dataset_create(&arrays, &bar));
    return bar;
}

TEST(bar_is_skinned_as_by_hand)
{
    static const char *const backends[] = {"reference", "scalar", "simd"};
    const double half = 0.5 * sqrt(0.5);
    const struct {
        const char *method;
        double middle[3]; /* position of the vertex with weights 1/2 and 1/2 */
    } cases[] = {{"lbs", {1.25, 0.25, 0.0}}, {"dqs", {1.0 + half, half, 0.0}}};
    OWNED_BY(skinbench_dataset_free) SkinbenchDataset *bar = bar_make();
    for (size_t c = 0; c < 2; c++)
        for (size_t b = 0; b < sizeof backends / sizeof *backends; b++) {
            const SkinbenchSkinOptions options = {
                .method = cases[c].method, .backend = backends[b], .threads = 1};
            OWNED_BY(skinbench_skinner_free) SkinbenchSkinner *skinner = NULL;
            float own[BAR][3] = {{0.0f}}, poses[40][BAR][3];
            static double transforms[40][2][3][4];
            for (int f = 0; f < 40; f++)
                memcpy(transforms[f], bar_pose, sizeof bar_pose);
            assert_good(skinbench_skinner_create(bar, &options, &skinner));
            assert_good(skinbench_skin_frames(skinner, 0, 1, &own[0][0], NULL));
            assert_good(
                skinbench_skin_poses(skinner, &transforms[0][0][0][0], NULL, 40, &poses[0][0][0], NULL));
            for (int axis = 0; axis < 3; axis++) {
                assert_near(own[0][axis], bar_rest[0][axis], 1e-6);
                assert_near(own[1][axis], cases[c].middle[axis], 1e-6);
                assert_near(own[2][axis], 1.0, 1e-6); /* the vertex (2, 0, 1) is rotated to (1, 1, 1) */
            }
            assert_memory_equal(poses[39], poses[0], sizeof own);
            assert_near(poses[39][1][0], own[1][0], 1e-6);
        }
}

TEST(normals_turn_with_the_bar)
{
    const SkinbenchSkinOptions options = {.method = "lbs", .normals = 1};
    OWNED_BY(skinbench_dataset_free) SkinbenchDataset *bar = bar_make();
    OWNED_BY(skinbench_skinner_free) SkinbenchSkinner *skinner = NULL;
    float positions[BAR][3], normals[BAR][3];
    assert_good(skinbench_skinner_create(bar, &options, &skinner));
    assert_good(skinbench_skin_frames(skinner, 0, 1, &positions[0][0], &normals[0][0]));
    assert_near(normals[0][1], -1.0, 1e-6); /* normal of the triangle in the plane of x and z */
    assert_near(normals[2][0], 1.0, 1e-6);  /* the same normal rotated by 90 degrees about z */
}

/* The corners of an octahedron inscribed in the unit sphere. The second frame is moved by `step` along
 * x. */
enum { CORNERS = 6 };
static SkinbenchDataset *octahedron_make(float step)
{
    static const float corners[CORNERS][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                              {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    float positions[2][CORNERS][3];
    memcpy(positions[0], corners, sizeof corners);
    memcpy(positions[1], corners, sizeof corners);
    for (int v = 0; v < CORNERS; v++)
        positions[1][v][0] += step;
    const SkinbenchArrays arrays = {
        .vertex_count = CORNERS, .frame_count = 2, .rest = &corners[0][0], .positions = &positions[0][0][0]};
    SkinbenchDataset *octahedron = NULL;
    assert_good(skinbench_dataset_create(&arrays, &octahedron));
    return octahedron;
}

static double metric_of(const double *values, const char *name)
{
    const int index = skinbench_index(SKINBENCH_METRICS, name);
    assert_true(index >= 0 && index < 64);
    return values[index];
}

TEST(shift_has_the_error_of_its_length)
{
    double values[64];
    float distances[2][CORNERS], shifted[2][CORNERS][3];
    OWNED_BY(skinbench_dataset_free)
    SkinbenchDataset *still = octahedron_make(0.0f), *moving = octahedron_make(0.5f);
    const SkinbenchArrays arrays = skinbench_dataset_arrays(moving);
    const int count = skinbench_count(SKINBENCH_METRICS);
    memcpy(shifted, arrays.positions, sizeof shifted);
    for (int f = 0; f < 2; f++)
        for (int v = 0; v < CORNERS; v++)
            shifted[f][v][1] += 0.25f;
    assert_good(
        skinbench_measure_positions(moving, &shifted[0][0][0], 2, 2, values, count, &distances[0][0]));
    assert_near(metric_of(values, "e_rms"), 1000.0 * 0.25 / sqrt(3.0), 1e-9);
    assert_near(metric_of(values, "kg_percent"), 100.0 * 0.25 / 0.25,
                1e-9); /* each frame is 0.25 from the mean of the two frames */
    for (int v = 0; v < CORNERS; v++)
        assert_near(distances[1][v], 0.25, 1e-7);
    /* One of the two frames differs by 0.5. */
    assert_good(skinbench_measure(still, moving, 1, values, count, NULL));
    assert_near(metric_of(values, "e_rms"), 1000.0 * 0.5 / sqrt(6.0), 1e-9);
    assert_true(isnan(metric_of(values, "kg_percent")));
    values[1] = -7.0;
    assert_good(skinbench_measure(still, moving, 0, values, 1, NULL));
    assert_near(values[1], -7.0, 0.0);
    assert_bad(SKINBENCH_BAD_INPUT, "has 2 frames, but the candidate has 1",
               skinbench_measure_positions(moving, &shifted[0][0][0], 1, 1, values, count, NULL));
}

TEST(arrays_come_back_as_they_were_given)
{
    OWNED_BY(skinbench_dataset_free) SkinbenchDataset *bar = bar_make(), *again = NULL;
    assert_good(skinbench_dataset_write(bar, path_of("bar.h5")));
    assert_good(skinbench_dataset_read(path_of("bar.h5"), &again));
    const SkinbenchArrays made = skinbench_dataset_arrays(bar), read = skinbench_dataset_arrays(again);
    const SkinbenchArrays *both[] = {&made, &read};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(both[i]->name, "bar");
        assert_int_equal(both[i]->vertex_count, BAR);
        assert_int_equal(both[i]->influence_count, 2);
        assert_memory_equal(both[i]->rest, bar_rest, sizeof bar_rest);
        assert_memory_equal(both[i]->triangles, bar_triangle, sizeof bar_triangle);
        assert_memory_equal(both[i]->transforms, bar_pose, sizeof bar_pose);
        assert_memory_equal(both[i]->parents, bar_parents, sizeof bar_parents);
        assert_memory_equal(both[i]->weight_joints, bar_joints, sizeof bar_joints);
        assert_memory_equal(both[i]->weights, bar_weights, sizeof bar_weights);
        assert_string_equal(both[i]->joint_names[1], "bone_1");
        assert_near(both[i]->joint_rest[12 + 5], 1.0, 0.0);
        assert_null(both[i]->positions);
        assert_null(both[i]->scale);
    }
}

/* Counts the calls of a progress function. The call with number `stop_at` asks to stop. */
typedef struct Heard {
    int calls, stop_at;
} Heard;

static int heard_report(void *context, const char *what, double share)
{
    Heard *heard = context;
    assert_true(!what || (share >= 0.0 && share <= 1.0));
    return ++heard->calls == heard->stop_at;
}

/* A rig generates the animation of a walk. A fit with the rig's number of bones comes close to the
 * animation, and the error that it reports equals the measured error. */
TEST(fit_is_what_it_reports)
{
    static const char *const walk[] = {"vertices=1000", "frames=6"};
    SkinbenchDataset *animation = NULL, *model = NULL;
    SkinbenchFitReport report;
    double values[64];
    Heard heard = {0, 0};
    const SkinbenchProgress progress = {heard_report, &heard};
    SkinbenchFitOptions options = {
        .method = "coordinate-descent", .bones = 4, .iterations = 3, .progress = &progress};
    omp_set_num_threads(3); /* the caller's number of threads, which the library must not change */
    assert_good(skinbench_dataset_generate("walk", walk, 2, NULL, &animation));
    assert_good(skinbench_fit(animation, &options, &model, &report));
    assert_int_equal(report.bones, 4);
    assert_int_equal(report.iterations, 3);
    assert_string_equal(report.end, "iteration-cap");
    assert_true(report.errors[3] <= report.errors[0]);
    assert_true(report.elapsed_s[3] >= report.elapsed_s[0]);
    assert_true(heard.calls > 0);
    assert_int_equal(skinbench_dataset_arrays(model).joint_count, 4);
    assert_int_equal(skinbench_dataset_arrays(model).pose_count, 6);
    assert_good(skinbench_measure(animation, model, 1, values, 64, NULL));
    assert_near(metric_of(values, "e_rms"), report.e_rms, 1e-12);
    assert_string_equal(report.notes, "");
    assert_int_equal(report.diagnosis[0] != '\0', report.e_rms > 1.0 || report.kg_percent > 5.0);
    skinbench_fit_report_clear(&report);
    skinbench_dataset_free(model);
    heard = (Heard){0, 2};
    assert_bad(SKINBENCH_STOPPED, "stopped", skinbench_fit(animation, &options, &model, &report));
    assert_null(model);
    assert_null(report.errors);
    options.keep_stopped = 1;
    heard = (Heard){0, 6};
    assert_good(skinbench_fit(animation, &options, &model, &report));
    assert_string_equal(report.end, "stopped");
    assert_int_equal(skinbench_dataset_arrays(model).joint_count, report.bones);
    skinbench_fit_report_clear(&report);
    skinbench_dataset_free(model);
    options = (SkinbenchFitOptions){.method = "svd", .error = 30.0};
    assert_good(skinbench_fit(animation, &options, &model, NULL));
    assert_true(skinbench_dataset_arrays(model).rank > 0);
    assert_int_equal(skinbench_dataset_arrays(model).model_frame_count, 6);
    assert_good(skinbench_measure(animation, model, 1, values, 64, NULL));
    assert_true(metric_of(values, "e_rms") <= 30.0);
    skinbench_dataset_free(model);
    skinbench_dataset_free(animation);
    assert_int_equal(omp_get_max_threads(), 3);
}

TEST(what_is_wrong_is_refused)
{
    SkinbenchDataset *bar = bar_make(), *out = bar;
    SkinbenchSkinner *skinner = NULL;
    SkinbenchArrays arrays = bar_arrays();
    float positions[BAR][3];
    assert_bad(SKINBENCH_BAD_INPUT, "nothing.h5", skinbench_dataset_read(path_of("nothing.h5"), &out));
    assert_null(out);
    text_write("frame.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_bad(SKINBENCH_BAD_INPUT, "import", skinbench_dataset_read(path_of("frame.obj"), &out));
    assert_good(skinbench_import(path_of("frame.obj"), NULL, NULL, path_of("frame.h5")));
    assert_good(skinbench_dataset_read(path_of("frame.h5"), &out));
    assert_int_equal(skinbench_dataset_arrays(out).vertex_count, 3);
    skinbench_dataset_free(out);
    assert_bad(SKINBENCH_USAGE, "path", skinbench_dataset_read(NULL, &out));
    assert_bad(SKINBENCH_USAGE, "walk", skinbench_dataset_generate("wlak", NULL, 0, NULL, &out));
    assert_bad(SKINBENCH_USAGE, "setting", skinbench_dataset_generate("walk", NULL, 1, NULL, &out));
    arrays.rest = NULL;
    assert_bad(SKINBENCH_USAGE, "vertex_count is 3, but rest is missing",
               skinbench_dataset_create(&arrays, &out));
    arrays = bar_arrays();
    arrays.influence_count = 0;
    assert_bad(SKINBENCH_USAGE, "influence_count", skinbench_dataset_create(&arrays, &out));
    arrays = bar_arrays();
    arrays.joint_count = 1;
    arrays.pose_count = 0;
    assert_bad(SKINBENCH_BAD_INPUT, "bar: rig/weights/joints[1,1] is 1",
               skinbench_dataset_create(&arrays, &out));
    arrays = bar_arrays();
    arrays.joint_count = arrays.pose_count = 0;
    assert_bad(SKINBENCH_USAGE, "joint_count is 0 although there are weights",
               skinbench_dataset_create(&arrays, &out));
    arrays = bar_arrays();
    arrays.frame_count = -1;
    assert_bad(SKINBENCH_USAGE, "frame_count is -1", skinbench_dataset_create(&arrays, &out));
    SkinbenchSkinOptions options = {.method = "lsb"};
    assert_bad(SKINBENCH_USAGE, "lbs", skinbench_skinner_create(bar, &options, &skinner));
    options = (SkinbenchSkinOptions){
        .method = "dqs", .settings = (const char *const[]){"hemisphere=north"}, .setting_count = 1};
    assert_bad(SKINBENCH_USAGE, "hemisphere is 'north'", skinbench_skinner_create(bar, &options, &skinner));
    options = (SkinbenchSkinOptions){.method = "lbs", .backend = "gpu"};
    assert_bad(SKINBENCH_USAGE, "gpu", skinbench_skinner_create(bar, &options, &skinner));
    options = (SkinbenchSkinOptions){.method = "lbs", .threads = -1};
    assert_bad(SKINBENCH_USAGE, "threads is -1", skinbench_skinner_create(bar, &options, &skinner));
    assert_null(skinner);
    options.threads = 0;
    assert_good(skinbench_skinner_create(bar, &options, &skinner));
    assert_bad(SKINBENCH_USAGE, "the rig has 1",
               skinbench_skin_frames(skinner, 0, 2, &positions[0][0], NULL));
    assert_bad(SKINBENCH_USAGE, "normals",
               skinbench_skin_frames(skinner, 0, 1, &positions[0][0], &positions[0][0]));
    double wrong[2][3][4];
    memcpy(wrong, bar_pose, sizeof wrong);
    wrong[1][2][3] = NAN;
    assert_bad(SKINBENCH_BAD_INPUT, "joint 1: transform[2,3] is",
               skinbench_skin_poses(skinner, &wrong[0][0][0], NULL, 1, &positions[0][0], NULL));
    skinbench_skinner_free(skinner);
    assert_bad(SKINBENCH_BAD_INPUT, "bar",
               skinbench_fit(bar, &(SkinbenchFitOptions){.method = "svd", .bones = 1}, &out, NULL));
    assert_bad(SKINBENCH_USAGE, "bones",
               skinbench_fit(bar, &(SkinbenchFitOptions){.method = "svd"}, &out, NULL));
    assert_bad(SKINBENCH_USAGE, "unicorn", skinbench_backend_check("unicorn"));
    assert_good(skinbench_backend_check("scalar"));
    skinbench_dataset_free(bar);
}

TEST(what_there_is_is_listed)
{
    SkinbenchEntry entry;
    SkinbenchParameter parameter;
    for (int kind = SKINBENCH_SKINNING_METHODS; kind <= SKINBENCH_METRICS; kind++) {
        const int count = skinbench_count((SkinbenchKind)kind);
        assert_true(count > 0);
        assert_int_equal(skinbench_entry((SkinbenchKind)kind, count, &entry), 0);
        for (int i = 0; i < count; i++) {
            assert_int_equal(skinbench_entry((SkinbenchKind)kind, i, &entry), 1);
            assert_int_equal(skinbench_index((SkinbenchKind)kind, entry.name), i);
            for (int p = 0; p < entry.parameter_count; p++)
                assert_int_equal(skinbench_parameter((SkinbenchKind)kind, i, p, &parameter), 1);
            assert_int_equal(skinbench_parameter((SkinbenchKind)kind, i, entry.parameter_count, &parameter),
                             0);
        }
    }
    assert_int_equal(skinbench_index(SKINBENCH_METRICS, "beauty"), -1);
    assert_int_equal(skinbench_count((SkinbenchKind)99), 0);
    assert_int_equal(skinbench_parameter(SKINBENCH_SKINNING_METHODS,
                                         skinbench_index(SKINBENCH_SKINNING_METHODS, "dqs"), 0, &parameter),
                     1);
    assert_string_equal(parameter.name, "hemisphere");
    assert_string_equal(parameter.default_text, "heaviest");
    assert_holds(parameter.range, "first, heaviest");
}

/* The work of each of two threads that use the same rig. */
typedef struct SkinWork {
    const SkinbenchDataset *rig;
    const char *method;
    float positions[200 * 3];
    SkinbenchStatus status;
} SkinWork;

static void *task_run(void *context)
{
    SkinWork *work = context;
    const SkinbenchSkinOptions options = {.method = work->method, .threads = 2};
    work->status.code = SKINBENCH_OK;
    for (int i = 0; i < 20 && work->status.code == SKINBENCH_OK; i++) {
        OWNED_BY(skinbench_skinner_free) SkinbenchSkinner *skinner = NULL;
        work->status = skinbench_skinner_create(work->rig, &options, &skinner);
        if (work->status.code == SKINBENCH_OK)
            work->status = skinbench_skin_frames(skinner, 1, 1, work->positions, NULL);
    }
    return NULL;
}

TEST(threads_share_a_data_set)
{
    static const char *const settings[] = {"around=8", "along=20", "frames=3"};
    OWNED_BY(skinbench_dataset_free) SkinbenchDataset *rig = NULL;
    assert_good(skinbench_dataset_generate("bar", settings, 3, NULL, &rig));
    assert_true(skinbench_dataset_arrays(rig).vertex_count <= 200);
    static SkinWork alone[2], together[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        alone[i] = together[i] = (SkinWork){.rig = rig, .method = i ? "dqs" : "lbs"};
        (void)task_run(&alone[i]);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, task_run, &together[i]), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_good(alone[i].status);
        assert_good(together[i].status);
        assert_memory_equal(together[i].positions, alone[i].positions, sizeof alone[i].positions);
    }
    assert_memory_not_equal(alone[0].positions, alone[1].positions, sizeof alone[0].positions);
}

/* Returns from the calling function with the first status that is an error. The function below generates,
 * writes, skins, fits and measures a small data set. */
#define TRY(call)                                                                                            \
    do {                                                                                                     \
        const SkinbenchStatus try_status = (call);                                                           \
        if (try_status.code != SKINBENCH_OK)                                                                 \
            return try_status;                                                                               \
    } while (0)

static SkinbenchStatus everything_run(const SkinbenchDataset *animation, const char *path, double *error)
{
    static const char *const small[] = {"around=4", "along=5", "frames=3"};
    const SkinbenchFitOptions options = {.method = "svd", .bones = 1, .threads = 1};
    const SkinbenchArrays arrays = bar_arrays();
    OWNED_BY(skinbench_dataset_free)
    SkinbenchDataset *bar = NULL, *generated = NULL, *model = NULL, *again = NULL;
    OWNED_BY(skinbench_skinner_free) SkinbenchSkinner *skinner = NULL;
    CLEANUP(skinbench_fit_report_clear) SkinbenchFitReport report = {.bones = 0};
    float positions[BAR][3];
    TRY(skinbench_dataset_create(&arrays, &bar));
    TRY(skinbench_dataset_generate("bar", small, 3, NULL, &generated));
    TRY(skinbench_skinner_create(bar, &(SkinbenchSkinOptions){.method = "cor", .threads = 1}, &skinner));
    TRY(skinbench_skin_frames(skinner, 0, 1, &positions[0][0], NULL));
    TRY(skinbench_fit(animation, &options, &model, &report));
    TRY(skinbench_measure(animation, model, 1, error, 1, NULL));
    TRY(skinbench_dataset_write(bar, path));
    return skinbench_dataset_read(path, &again);
}

TEST(memory_that_is_out_is_a_status)
{
    OWNED_BY(skinbench_dataset_free) SkinbenchDataset *animation = octahedron_make(0.5f);
    const size_t live = skinbench_memory_live();
    double expected = NAN, error = NAN;
    const char *path = path_of("out.h5");
    assert_good(everything_run(animation, path, &expected));
    int failed = 0;
    for (long k = 0;; k++) {
        const long before = memory_failures();
        memory_fail_after(k);
        const SkinbenchStatus status = everything_run(animation, path, &error);
        memory_fail_after(-1);
        assert_int_equal(skinbench_memory_live(), live);
        if (memory_failures() == before)
            break;
        failed += status.code != SKINBENCH_OK;
        if (status.code != SKINBENCH_OK && status.code != SKINBENCH_MACHINE)
            fail_msg("allocation %ld: %d, %s", k, (int)status.code, status.text);
        if (status.code == SKINBENCH_OK)
            assert_near(error, expected, 1e-12);
    }
    assert_true(failed > 50);
    skinbench_memory_limit(live + 1000);
    assert_bad(SKINBENCH_MACHINE, "out of memory", everything_run(animation, path, &error));
    skinbench_memory_limit(0);
}
