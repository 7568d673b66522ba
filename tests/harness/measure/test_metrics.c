/* Compares metrics with closed forms on a regular tetrahedron with circumradius sqrt(3) and volume 8/3. */
#include "tests/metrics.h"
#include "tests/sequences.h"

#include "datasets/model/evaluate.h"
#include "harness/measure/metrics/metrics_stream.h"

enum { FRAMES = 3 };

/* Makes FRAMES copies of the tetrahedron. Frame f is moved by f times `step`. */
static void tetrahedra(Animation *animation, float step)
{
    *animation = (Animation){0};
    assert_ok(animation_allocate(animation, FRAMES, CORNERS, 0));
    for (int i = 0; i < FRAMES * CORNERS * 3; i++) {
        int frame = i / (3 * CORNERS);
        animation->positions[i] = four_points[i % (3 * CORNERS)] + (i % 3 == 0 ? step * (float)frame : 0.0f);
    }
}

/* Makes the candidate by applying a 3 x 4 matrix to every point of the target. */
static void transformed(const Animation *target, const double matrix[12], Animation *candidate)
{
    *candidate = (Animation){0};
    assert_ok(animation_allocate(candidate, FRAMES, CORNERS, 0));
    for (int p = 0; p < FRAMES * CORNERS; p++)
        for (int k = 0; k < 3; k++) {
            const float *from = target->positions + 3 * p;
            const double *row = matrix + 4 * k;
            candidate->positions[3 * p + k] = (float)(row[0] * (double)from[0] + row[1] * (double)from[1] +
                                                      row[2] * (double)from[2] + row[3]);
        }
}

static Metrics measured(float step, const double matrix[12])
{
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    Metrics metrics;
    tetrahedra(&target, step);
    transformed(&target, matrix, &candidate);
    assert_ok(measure(&tetrahedron, &target, NULL, &candidate, NULL, NULL, &metrics));
    return metrics;
}

/* Returns a value of a curve, which must exist. */
static double value_at(const double *curve, int frame)
{
    assert_non_null(curve);
    return curve ? curve[frame] : NAN;
}

TEST(a_uniform_offset_has_a_known_error)
{
    static const double offset[12] = {1, 0, 0, 0.3, 0, 1, 0, 0, 0, 0, 1, 0.4};
    CLEANUP(metrics_clear) Metrics metrics = measured(2.0f, offset);
    near(&metrics, "unit_radius", sqrt(3.0));
    near(&metrics, "diagonal", sqrt(12.0));
    /* The circumradius sqrt(3) equals half of the cube's diagonal, so both normalisations agree. */
    near(&metrics, "e_rms_half_diagonal", metric_named("e_rms", &metrics));
    near(&metrics, "e_rms", 1000.0 * 0.5 / 3.0);
    /* The frames are at -2, 0 and 2 from their mean, so the sum of squares is 8 per vertex. The corners are
     * sqrt(3) from the mean of a frame's vertices, which gives 9 per vertex. */
    near(&metrics, "kg_percent", 100.0 * sqrt(3.0 * 0.25 / 8.0));
    near(&metrics, "kg_percent_vertex_mean", 100.0 * sqrt(3.0 * 0.25 / 9.0));
    near(&metrics, "distance_max", 0.5 / sqrt(12.0));
    near(&metrics, "distance_mean", 0.5 / sqrt(12.0));
    near(&metrics, "distance_max_units", 0.5);
    near(&metrics, "distance_mean_units", 0.5);
    near(&metrics, "distance_p95", 0.5 / sqrt(12.0));
    assert_near(metric_named("normal_deviation_max_degrees", &metrics), 0.0, 1e-5);
    assert_near(metric_named("volume_change_percent_max", &metrics) / 100.0, 0.0, 1e-5);
    near(&metrics, "edge_stretch_max", 1.0);
    assert_near(value_at(metrics.e_rms_per_frame, 2), 1000.0 * 0.5 / 3.0, 1e-3);
}

TEST(a_scaled_copy_has_known_volume_and_edges)
{
    static const double scale[12] = {1.1, 0, 0, 0, 0, 1.1, 0, 0, 0, 0, 1.1, 0};
    CLEANUP(metrics_clear) Metrics metrics = measured(0.0f, scale);
    near(&metrics, "e_rms", 1000.0 * 0.1 / sqrt(3.0));
    near(&metrics, "volume_change_percent_min", 33.1);
    near(&metrics, "volume_change_percent_max", 33.1);
    assert_near(value_at(metrics.volume_change_percent_per_frame, 1), 33.1, 1e-4);
    near(&metrics, "edge_stretch_max", 1.1);
    near(&metrics, "edge_collapse_min", 1.1);
    assert_near(metric_named("normal_deviation_max_degrees", &metrics), 0.0, 1e-5);
    assert_true(isnan(metric_named("kg_percent", &metrics))); /* the target does not move */
}

TEST(a_turned_copy_turns_its_normals)
{
    /* A rotation by 90 degrees about z maps (1, 1, 1) to (-1, 1, 1), at an angle of acos(1 / 3). */
    static const double turn[12] = {0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    CLEANUP(metrics_clear) Metrics metrics = measured(0.0f, turn);
    near(&metrics, "normal_deviation_mean_degrees", 70.528779);
    near(&metrics, "normal_deviation_max_degrees", 70.528779);
    assert_near(metric_named("volume_change_percent_max", &metrics) / 100.0, 0.0, 1e-5);
    metrics_clear(&metrics);
    static const double mirror[12] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    metrics = measured(0.0f, mirror);
    near(&metrics, "volume_change_percent_max", -200.0);
}

TEST(stretch_and_collapse_are_found)
{
    /* The edges are the face diagonals of a cube. Scaling z does not change the two edges perpendicular to
     * z. In the other four, z contributes half of the squared length. */
    static const double flatten[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5, 0};
    CLEANUP(metrics_clear) Metrics metrics = measured(0.0f, flatten);
    near(&metrics, "edge_stretch_max", 1.0);
    near(&metrics, "edge_collapse_min", sqrt((1.0 + 0.25) / 2.0));
    near(&metrics, "volume_change_percent_min", -50.0);
}

TEST(percentiles_are_of_nearest_rank)
{
    enum { POINTS = 200 };
    float target[3 * POINTS], candidate[3 * POINTS];
    Mesh mesh = {.vertex_count = POINTS, .triangle_count = 0, .rest = target, .triangles = NULL};
    for (int i = 0; i < POINTS; i++) {
        for (int k = 0; k < 3; k++)
            candidate[3 * i + k] = target[3 * i + k] = k == 0 && i > 0 ? 1.0f : 0.0f;
        /* Distances from 1 to 200 in scrambled order (77 and 200 are coprime). */
        candidate[3 * i + 1] = (float)(1 + (i * 77) % POINTS);
    }
    Animation a = {1, target, NULL, NULL}, b = {1, candidate, NULL, NULL};
    CLEANUP(metrics_clear) Metrics metrics = {0};
    assert_ok(measure(&mesh, &a, NULL, &b, NULL, NULL, &metrics));
    near(&metrics, "distance_max", 200.0);
    near(&metrics, "distance_p99", 198.0);
    near(&metrics, "distance_p95", 190.0);
    assert_true(isnan(metric_named("edge_stretch_max", &metrics)));
    assert_true(isnan(metric_named("normal_deviation_mean_degrees", &metrics)));
    assert_true(isnan(metric_named("volume_change_percent_min", &metrics)));
}

/* Makes a wavy sheet whose coordinates are not round numbers. */
static void sheet(Mesh *mesh, Animation *target, Animation *candidate)
{
    enum { SIDE = 24, SHEET_FRAMES = 7 };
    const Sequence flat = sequence_sheet(SIDE, SIDE, SHEET_FRAMES, true);
    *mesh = flat.mesh;
    *target = flat.animation;
    *candidate = (Animation){0};
    assert_ok(animation_allocate(candidate, SHEET_FRAMES, SIDE * SIDE, 0));
    for (int i = 0; i < SHEET_FRAMES * SIDE * SIDE * 3; i++) {
        target->positions[i] = (float)sin(0.37 * i) + (i % 3 == 0 ? (float)(i / 3 % SIDE) : 0.0f);
        candidate->positions[i] = target->positions[i] + 0.01f * (float)cos(1.3 * i);
    }
}

TEST(threads_and_blocks_change_no_bit)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    CLEANUP(metrics_clear) Metrics whole = {0}, parts = {0};
    sheet(&mesh, &target, &candidate);
    assert_ok(measure(&mesh, &target, NULL, &candidate, NULL, NULL, &whole));
    MetricsStream *stream = NULL;
    size_t stride = 3 * (size_t)mesh.vertex_count;
    assert_ok(metrics_stream_open(&mesh, target.positions, 7, 3, NULL, &stream));
    assert_ok(metrics_stream_further(stream, &(FurtherRigs){NULL, NULL, NULL}));
    assert_ok(metrics_stream_add(stream, 3, target.positions, candidate.positions));
    assert_bad_input("3 frames were added, but 7 were declared", metrics_stream_finish(stream, &parts));
    assert_ok(metrics_stream_add(stream, 4, target.positions + 3 * stride, candidate.positions + 3 * stride));
    assert_bad_input("but the animation has only 7",
                     metrics_stream_add(stream, 1, target.positions, candidate.positions));
    assert_ok(metrics_stream_finish(stream, &parts));
    metrics_stream_close(stream);
    assert_memory_equal(whole.e_rms_per_frame, parts.e_rms_per_frame, 7 * sizeof(double));
    assert_memory_equal(whole.values, parts.values, sizeof whole.values);
}

/* The sheet has more vertices than a block, and the animation has one frame fewer than there are lanes.
 * Plain loops must find the same metrics. */
TEST(blocks_and_lanes_find_what_plain_loops_find)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    CLEANUP(metrics_clear) Metrics metrics = {0};
    sheet(&mesh, &target, &candidate);
    const size_t count = (size_t)mesh.vertex_count;
    const double degrees = 180.0 / 3.14159265358979323846;
    OWNED double *first = memory_table(count, 3, sizeof *first),
                 *second = memory_table(count, 3, sizeof *second);
    double angles = 0.0, angle_max = 0.0, stretch = 0.0, collapse = INFINITY, squared = 0.0, deviation = 0.0,
           spread = 0.0;
    assert_ok(measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics));
    for (size_t f = 0; f < 7; f++) {
        const float *a = target.positions + 3 * count * f, *b = candidate.positions + 3 * count * f;
        vertex_normals(mesh.triangles, mesh.triangle_count, mesh.vertex_count, a, first);
        vertex_normals(mesh.triangles, mesh.triangle_count, mesh.vertex_count, b, second);
        double mean[3] = {0.0, 0.0, 0.0};
        for (size_t i = 0; i < 3 * count; i++)
            mean[i % 3] += (double)a[i] / (double)count;
        for (size_t i = 0; i < 3 * count; i++) {
            squared += pow((double)a[i] - (double)b[i], 2.0);
            deviation += pow((double)a[i] - mean[i % 3], 2.0);
            double over_frames = 0.0;
            for (size_t g = 0; g < 7; g++)
                over_frames += (double)target.positions[3 * count * g + i] / 7.0;
            spread += pow((double)a[i] - over_frames, 2.0);
        }
        for (size_t v = 0; v < count; v++) {
            const double *n = first + 3 * v, *m = second + 3 * v;
            const double sine =
                hypot(hypot(n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2]), n[0] * m[1] - n[1] * m[0]);
            const double angle = degrees * atan2(sine, n[0] * m[0] + n[1] * m[1] + n[2] * m[2]);
            angles += angle / (7.0 * (double)count);
            angle_max = fmax(angle_max, angle);
        }
        for (int i = 0; i < 3 * mesh.triangle_count; i++) {
            const int32_t from = mesh.triangles[i], to = mesh.triangles[i % 3 == 2 ? i - 2 : i + 1];
            const double ratio = vec3_length(vec3_sub(point_at(b, from), point_at(b, to))) /
                                 vec3_length(vec3_sub(point_at(a, from), point_at(a, to)));
            stretch = fmax(stretch, ratio);
            collapse = fmin(collapse, ratio);
        }
    }
    const struct {
        const char *name;
        double expected;
    } rows[] = {{"normal_deviation_mean_degrees", angles},
                {"normal_deviation_max_degrees", angle_max},
                {"edge_stretch_max", stretch},
                {"edge_collapse_min", collapse},
                {"kg_percent", 100.0 * sqrt(squared / spread)},
                {"kg_percent_vertex_mean", 100.0 * sqrt(squared / deviation)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(metric_named(rows[i].name, &metrics), rows[i].expected, 1e-12 * rows[i].expected);
}

/* Posing several frames in lanes must give the same vertices, bit for bit, as posing one frame after
 * another. The number of frames, 11, is not a multiple of the number of lanes. */
TEST(lanes_pose_what_single_points_do)
{
    enum { POSES = 11 };
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    OWNED_BY(frame_source_close) FrameSource *source = NULL;
    CLEANUP(rig_clear) Rig rig = {0};
    sheet(&mesh, &target, &candidate);
    assert_ok(rig_allocate(&rig, mesh.vertex_count, 5, POSES, 3));
    memcpy(mesh.rest, target.positions, 3 * (size_t)mesh.vertex_count * sizeof(float));
    double *entries = (double *)rig.transforms;
    for (int i = 0; i < POSES * 5 * 12; i++)
        entries[i] = sin(0.7 * i) + (i % 5 == 0 ? 1.0 : 0.0);
    for (int i = 0; i < 3 * mesh.vertex_count; i++) {
        rig.weight_joints[i] = (i * 7) % 5;
        rig.weight_values[i] = (float)(1 + i % 3) / 6.0f;
    }
    const size_t values = 3 * (size_t)mesh.vertex_count;
    OWNED float *found = memory_table(POSES, values, sizeof *found);
    assert_ok(frame_source_of_parts("a rig", &mesh, NULL, &rig, NULL, 2, &source));
    assert_ok(frame_source_read(source, 0, POSES, found));
    for (int f = 0; f < POSES; f++)
        for (int v = 0; v < mesh.vertex_count; v++) {
            float expected[3];
            point_set(expected, 0, model_point(&mesh, &rig, NULL, f, v));
            assert_memory_equal(found + (size_t)f * values + 3 * (size_t)v, expected, sizeof expected);
        }
}

/* Several ranks (processes) each measure some of 7 frames. With 8 ranks, one rank has no frames. Up to
 * rounding, the results equal those of a single rank. */
TEST(ranks_share_frames)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    CLEANUP(metrics_clear) Metrics alone = {0};
    int count = 0;
    sheet(&mesh, &target, &candidate);
    assert_ok(measure(&mesh, &target, NULL, &candidate, NULL, NULL, &alone));
    const Metric *rows = metric_rows(&count);
    for (int ranks = 2; ranks <= 8; ranks += 3) {
        SharedMetrics shared = {.mesh = &mesh, .target = &target, .candidate = &candidate};
        rank_threads_run(ranks, share_measure, &shared);
        for (int rank = 0; rank < ranks; rank++) {
            assert_ok(shared.statuses[rank]);
            assert_memory_equal(shared.metrics[rank].e_rms_per_frame, alone.e_rms_per_frame,
                                7 * sizeof(double));
            for (int i = 0; i < count; i++) {
                double found = metric_value(&rows[i], &shared.metrics[rank]);
                double expected = metric_value(&rows[i], &alone);
                assert_true(isnan(found) == isnan(expected) &&
                            !(fabs(found - expected) > 1e-12 * fabs(expected)));
            }
            metrics_clear(&shared.metrics[rank]);
        }
    }
}

TEST(what_cannot_be_measured_is_refused)
{
    const Mesh mesh = tetrahedron;
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    Metrics metrics;
    static const double same[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    tetrahedra(&target, 1.0f);
    transformed(&target, same, &candidate);
    candidate.positions[3 * (CORNERS + 2) + 1] = NAN;
    assert_bad_input("frame 1, vertex 2 of the candidate is not finite",
                     measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics));
    candidate.frame_count = 2;
    assert_bad_input("the target has 3 frames, but the candidate has 2",
                     measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics));
    candidate.frame_count = 3;
    target.positions[4] = INFINITY;
    assert_bad_input("frame 0, vertex 1 of the target is not finite",
                     measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics));
    memset(target.positions, 0, sizeof four_points);
    assert_bad_input("all vertices of the first frame coincide",
                     measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics));
    double radius = 0.0;
    Animation empty = {0};
    assert_bad_input("the animation has no frames", metrics_unit_radius(&empty, 4, &radius));
    assert_bad_input("the animation has no vertices", metrics_unit_radius(&target, 0, &radius));
}

TEST(a_failing_allocation_is_reported)
{
    CLEANUP(mesh_clear) Mesh mesh = {0};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    sheet(&mesh, &target, &candidate);
    CLEANUP(metrics_clear) Metrics metrics = {0};
    assert_allocations_may_fail(0, measure(&mesh, &target, NULL, &candidate, NULL, NULL, &metrics),
                                metrics_clear(&metrics));
}

static int floats_compare(const void *a, const void *b)
{
    const float one = *(const float *)a, other = *(const float *)b;
    return (one > other) - (one < other);
}

/* Checks the percentiles of more distances than are stored. Vertex v of frame f is moved by an integer,
 * which takes every value from 0 to 6005 in scrambled order or, if `tied`, one of seven values. The
 * expected percentiles come from sorting all distances. */
TEST(percentiles_are_of_all_distances)
{
    enum { MANY = 77, POINTS = 78, COUNT = MANY * POINTS };
    static float target[COUNT * 3], candidate[COUNT * 3], sorted[COUNT];
    for (int tied = 0; tied < 2; tied++) {
        for (int i = 0; i < COUNT; i++) {
            const float moved = (float)((i * 2503) % COUNT % (tied ? 7 : COUNT));
            target[3 * i] = (float)(i % POINTS);
            target[3 * i + 1] = (float)(i % 2);
            candidate[3 * i] = target[3 * i];
            candidate[3 * i + 1] = target[3 * i + 1] + moved;
            sorted[i] = moved;
        }
        qsort(sorted, COUNT, sizeof *sorted, floats_compare);
        const Mesh mesh = {.vertex_count = POINTS, .rest = target};
        const Animation animations[] = {{MANY, target, NULL, NULL}, {MANY, candidate, NULL, NULL}};
        CLEANUP(metrics_clear) Metrics metrics = {0};
        assert_ok(measure(&mesh, &animations[0], NULL, &animations[1], NULL, NULL, &metrics));
        const double diagonal = metric_named("diagonal", &metrics);
        near(&metrics, "distance_max", (double)sorted[COUNT - 1] / diagonal);
        near(&metrics, "distance_p99", (double)sorted[(99 * COUNT + 99) / 100 - 1] / diagonal);
        near(&metrics, "distance_p95", (double)sorted[(95 * COUNT + 99) / 100 - 1] / diagonal);
    }
}

/* Metrics of 1.3 million distances are computed within 4 MB. This is too little to store all distances, so
 * percentiles are found by counting after a sample. A memory limit must not change a bit of any metric. */
TEST(bounded_memory_changes_no_bit)
{
    enum { WIDE = 2000, LONG = 660 };
    const Mesh mesh = {.vertex_count = WIDE};
    CLEANUP(animation_clear) Animation target = {0}, candidate = {0};
    CLEANUP(metrics_clear) Metrics whole = {0}, bounded = {0};
    assert_ok(animation_allocate(&target, LONG, WIDE, 0));
    assert_ok(animation_allocate(&candidate, LONG, WIDE, 0));
    for (int i = 0; i < 3 * LONG * WIDE; i++) {
        target.positions[i] = (float)sin(0.37 * i);
        candidate.positions[i] =
            target.positions[i] + 0.001f * (float)((i / 3) % 1000) * (float)cos(1e-6 * i);
    }
    assert_ok(measure(&mesh, &target, NULL, &candidate, NULL, NULL, &whole));
    memory_limit_set(memory_live() + (4 << 20));
    const Status status = measure(&mesh, &target, NULL, &candidate, NULL, NULL, &bounded);
    memory_limit_set(0);
    assert_ok(status);
    assert_memory_equal(whole.values, bounded.values, sizeof whole.values);
}
