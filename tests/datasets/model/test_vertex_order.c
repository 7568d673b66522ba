/* Tests reordered vertices: a permutation worked out by hand, round trips, and the binding of a reordered
 * rig. Readers, writers and metrics all use the original order. */
#include "tests/skinned.h"

#include "datasets/model/vertex_order.h"
#include "harness/measure/metrics/frame_source.h"

enum { VERTICES = 211, JOINTS = 9, INFLUENCES = 5, FRAMES = 3 };

/* Makes a data set with all kinds of per-vertex data, in the order of its file. */
static Dataset *dataset_in_order(void)
{
    Dataset *dataset = dataset_full((RigPlan){VERTICES, JOINTS, INFLUENCES, FRAMES, 0.8, 3});
    FREE_ALL(dataset->mesh.original_vertices, dataset->rig.scale);
    dataset->mesh.original_vertices = NULL;
    dataset->rig.scale = NULL; /* the scale is removed, because rigid methods refuse it */
    return dataset;
}

/* Each of four vertices has values that tell its number. The vertices are put into the order 2, 0, 3, 1.
 * Applying the permutation 1, 2, 3, 0 to that order gives 0, 3, 1, 2. */
TEST(rows_follow_their_vertices)
{
    static const int32_t order[] = {2, 0, 3, 1}, again[] = {1, 2, 3, 0};
    static const int32_t triangles[] = {0, 1, 2, /**/ 1, 3, 2}, named[] = {1, 3, 0, /**/ 3, 2, 0};
    static const int32_t twice[] = {0, 3, 1, 2};
    OWNED_BY(dataset_free) Dataset *dataset = dataset_made("four", 0.0, 4, 2, 1, 0, 1);
    assert_ok(animation_allocate(&dataset->animation, 2, 4, 0));
    memcpy(dataset->mesh.triangles, triangles, sizeof triangles);
    for (int v = 0; v < 4; v++) {
        dataset->mesh.rest[3 * v + 1] = (float)v;
        dataset->rig.weight_values[v] = (float)v;
        dataset->animation.positions[3 * v + 2] = (float)(10 + v);
        dataset->animation.positions[12 + 3 * v + 2] = (float)(20 + v);
    }
    assert_ok(dataset_reorder(dataset, order));
    assert_memory_equal(dataset->mesh.original_vertices, order, sizeof order);
    assert_memory_equal(dataset->mesh.triangles, named, sizeof named);
    for (int i = 0; i < 4; i++) {
        assert_true(dataset->mesh.rest[3 * i + 1] == (float)order[i]);
        assert_true(dataset->rig.weight_values[i] == (float)order[i]);
        assert_true(dataset->animation.positions[3 * i + 2] == (float)(10 + order[i]));
        assert_true(dataset->animation.positions[12 + 3 * i + 2] == (float)(20 + order[i]));
    }
    assert_ok(dataset_reorder(dataset, again));
    assert_memory_equal(dataset->mesh.original_vertices, twice, sizeof twice);
    assert_ok(dataset_order_restore(dataset));
    assert_null(dataset->mesh.original_vertices);
    assert_memory_equal(dataset->mesh.triangles, triangles, sizeof triangles);
}

/* Two orders of the same vertices are matched. For example, original vertex 1 is number 1 in `from` and
 * number 0 in `to`. */
TEST(orders_are_matched)
{
    static const int32_t from[] = {2, 1, 0}, to[] = {1, 2, 0}, expected[] = {1, 0, 2};
    int32_t *map = NULL;
    assert_ok(vertex_order_map(from, to, 3, &map));
    assert_memory_equal(map, expected, sizeof expected);
    memory_free(map);
    assert_ok(vertex_order_map(from, NULL, 3, &map));
    assert_memory_equal(map, from, sizeof from); /* the permutation is its own inverse */
    memory_free(map);
    assert_ok(vertex_order_map(to, to, 3, &map));
    assert_null(map);
    assert_ok(vertex_order_map(NULL, NULL, 3, &map));
    assert_null(map);
}

TEST(there_and_back_changes_nothing)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_in_order(), *original = dataset_in_order();
    assert_ok(dataset_order_by_joint_sets(dataset));
    assert_non_null(dataset->mesh.original_vertices);
    assert_memory_not_equal(dataset->rig.centers, original->rig.centers, 3 * VERTICES * sizeof(float));
    assert_ok(dataset_order_restore(dataset));
    assert_same_data(dataset, original);
    assert_ok(dataset_order_restore(dataset));
    assert_same_data(dataset, original);
    rig_clear(&dataset->rig);
    assert_bad_input("there is no rig", dataset_order_by_joint_sets(dataset));
}

static void assert_in_place(const JointSets *sets)
{
    for (int i = 0; i < VERTICES; i++)
        assert_int_equal(sets->vertices[i], i);
}

/* Binding keeps the vertex order of the file, whether influences are sorted by joint or kept as listed. */
TEST(bound_order_is_file_order)
{
    static const char *const rows[][2] = {{"lbs", NULL}, {"dqs", "hemisphere=first"}};
    OWNED_BY(dataset_free) Dataset *dataset = dataset_in_order();
    assert_ok(dataset_order_by_joint_sets(dataset));
    for (int order = INFLUENCES_BY_JOINT; order <= INFLUENCES_AS_LISTED; order++) {
        CLEANUP(joint_sets_clear) JointSets sets = {0};
        assert_ok(joint_sets_init(&dataset->rig, VERTICES, (InfluenceOrder)order, &sets));
        assert_in_place(&sets);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SkinningEntry *entry = skinning_entry_find(rows[i][0]);
        if (!entry)
            continue;
        SkinnerOptions options = options_of(entry, NULL);
        if (rows[i][1])
            assert_ok(parameters_set(entry->method->parameters, rows[i][0], rows[i][1], &options.parameters));
        BOUND(skinner, &options, dataset);
        assert_in_place(skinner_joint_sets(skinner));
    }
}

/* The reference blends every vertex separately, so reordered vertices give bit-identical results at their
 * new places. */
TEST(skinned_vertices_move_along)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_in_order();
    OWNED float *before = memory_table(FRAMES * VERTICES, 3, sizeof *before);
    OWNED float *after = memory_table(FRAMES * VERTICES, 3, sizeof *after);
    skin_lbs(NULL, dataset, before);
    assert_ok(dataset_order_by_joint_sets(dataset));
    skin_lbs(NULL, dataset, after);
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < VERTICES; i++)
            assert_memory_equal(after + 3 * (f * VERTICES + i),
                                before + 3 * (f * VERTICES + dataset->mesh.original_vertices[i]),
                                3 * sizeof(float));
}

/* Writes the same data set in both orders. */
static void files_make(void)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_in_order();
    assert_ok(dataset_write(dataset, path_of("original.h5")));
    assert_ok(dataset_order_by_joint_sets(dataset));
    assert_ok(dataset_write(dataset, path_of("ordered.h5")));
}

TEST(readers_restore_the_order)
{
    files_make();
    OWNED_BY(dataset_free) Dataset *original = dataset_in_order(), *ordered = NULL;
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    const Dataset *header = NULL;
    float positions[2 * VERTICES * 3];
    assert_ok(dataset_read(path_of("ordered.h5"), NULL, &ordered));
    assert_non_null(ordered->mesh.original_vertices);
    assert_ok(dataset_order_restore(ordered));
    assert_same_data(ordered, original);
    assert_ok(dataset_reader_open(path_of("ordered.h5"), NULL, &reader, &header));
    assert_ok(dataset_reader_restore_order(reader));
    assert_null(header->mesh.original_vertices);
    assert_memory_equal(header->rig.weight_values, original->rig.weight_values,
                        VERTICES * INFLUENCES * sizeof(float));
    assert_ok(dataset_read_frames(reader, 1, 2, positions));
    assert_memory_equal(positions, original->animation.positions + VERTICES * 3, sizeof positions);
    assert_refused(STATUS_USAGE, "only whole frames can be read",
                   dataset_read_vertices(reader, 0, 1, positions));
}

static void measure(const Dataset *target, const Dataset *candidate, Metrics *metrics)
{
    OWNED_BY(frame_source_close) FrameSource *a = NULL, *b = NULL;
    assert_ok(frame_source_of_parts("target", &target->mesh, &target->animation, NULL, NULL, 1, &a));
    assert_ok(frame_source_of_parts("candidate", &candidate->mesh, NULL, &candidate->rig, NULL, 1, &b));
    metrics_clear(metrics);
    assert_ok(frame_sources_measure(a, b, metrics));
}

static void assert_metrics_equal(const Metrics *a, const Metrics *b)
{
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int i = 0; i < count; i++) {
        const double one = metric_value(&rows[i], a), other = metric_value(&rows[i], b);
        assert_true(isnan(one) ? isnan(other) : one == other);
    }
}

/* Whichever of two data sets is reordered, every metric is bit-identical. A target in memory keeps its
 * order, and the candidate is permuted to match it. Files are read in the original order. */
TEST(measures_are_of_the_original_vertices)
{
    files_make();
    OWNED_BY(dataset_free) Dataset *original = dataset_in_order(), *ordered = dataset_in_order();
    CLEANUP(metrics_clear) Metrics expected = {0}, found = {0};
    low_rank_clear(&original->low_rank);
    assert_ok(dataset_order_by_joint_sets(ordered));
    measure(original, original, &expected);
    measure(original, ordered, &found);
    assert_metrics_equal(&found, &expected);
    measure(ordered, original, &found);
    assert_near(metric_named("e_rms", &found), metric_named("e_rms", &expected),
                1e-12 * metric_named("e_rms", &expected)); /* sums in the two orders may differ by rounding */
    metrics_clear(&found);
    metrics_clear(&expected);
    OWNED_BY(frame_source_close) FrameSource *in_file = NULL, *in_order = NULL, *model = NULL;
    assert_ok(frame_source_open(path_of("original.h5"), 1, NULL, &in_file));
    assert_ok(frame_source_open(path_of("ordered.h5"), 1, NULL, &in_order));
    assert_ok(frame_source_of_parts("model", &original->mesh, NULL, &original->rig, NULL, 1, &model));
    assert_ok(frame_sources_measure(in_file, model, &expected));
    assert_ok(frame_sources_measure(in_order, model, &found));
    assert_metrics_equal(&found, &expected);
}

TEST(every_allocation_may_fail)
{
    OWNED_BY(dataset_free) Dataset *dataset = dataset_in_order(), *original = dataset_in_order();
    assert_allocations_may_fail(0, dataset_order_by_joint_sets(dataset), assert_same_data(dataset, original));
    assert_allocations_may_fail(0, dataset_order_restore(dataset), (void)0);
    assert_same_data(dataset, original);
}
