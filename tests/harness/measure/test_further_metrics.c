/* Compares metrics of shape, motion and rigs with closed forms. */
#include "tests/metrics.h"

enum { MOST_FRAMES = 16 };

typedef struct Frames {
    float positions[MOST_FRAMES][CORNERS][3];
    Animation animation;
} Frames;

/* Makes `count` frames of the tetrahedron, scaled along the axes. Frame f is moved by offsets[f] along
 * x. */
static void frames_make(Frames *out, int count, const float scale[3], const float *offsets)
{
    for (int f = 0; f < count; f++)
        for (int v = 0; v < CORNERS; v++)
            for (int k = 0; k < 3; k++)
                out->positions[f][v][k] =
                    scale[k] * four_points[3 * v + k] + (k == 0 && offsets ? offsets[f] : 0.0f);
    out->animation = (Animation){.frame_count = count, .positions = &out->positions[0][0][0]};
}

/* Compares two motions of the tetrahedron. Replaces the contents of *out. */
static void measure_frames(const Frames *target, const Frames *candidate, Metrics *out)
{
    metrics_clear(out);
    assert_ok(measure(&tetrahedron, &target->animation, NULL, &candidate->animation, NULL, NULL, out));
}

static const float same[3] = {1, 1, 1};

TEST(scaled_shapes_have_known_distortion)
{
    static const float larger[3] = {1.1f, 1.1f, 1.1f}, mirrored[3] = {1, 1, -1}, flat[3] = {1, 1, 0.5f};
    CLEANUP(metrics_clear) Metrics metrics = {0};
    Frames target, candidate;
    frames_make(&target, 1, same, NULL);
    frames_make(&candidate, 1, larger, NULL);
    measure_frames(&target, &candidate, &metrics);
    near(&metrics, "edge_distortion_percent", 10.0);
    near(&metrics, "area_distortion_percent", 21.0);
    near(&metrics, "inverted_percent", 0.0);
    near(&metrics, "sted_spatial", 0.0); /* all edges change by the same factor */
    assert_true(isnan(metric_named("velocity_error", &metrics)));
    assert_true(isnan(metric_named("sted", &metrics)));
    assert_true(isnan(metric_named("seam_roughness_degrees", &metrics)));
    /* Mirroring maps the normal (1, 1, 1) to (-1, -1, 1). The dot product of the two normals is
     * negative. */
    frames_make(&candidate, 1, mirrored, NULL);
    measure_frames(&target, &candidate, &metrics);
    near(&metrics, "inverted_percent", 100.0);
    near(&metrics, "edge_distortion_percent", 0.0);
    /* At each corner, one of the three edges is perpendicular to z, and the other two lose half of their z
     * extent. The changes of length c, 0 and c have a standard deviation of sqrt(2) c / 3. The normal (1,
     * 1, 1) becomes (1, 1, 2) / 2. */
    const double c = 1.0 - sqrt((1.0 + 0.25) / 2.0);
    frames_make(&candidate, 1, flat, NULL);
    measure_frames(&target, &candidate, &metrics);
    near(&metrics, "edge_distortion_percent", 100.0 * 4.0 * c / 6.0);
    near(&metrics, "area_distortion_percent", 100.0 * (1.0 - sqrt(0.5)));
    near(&metrics, "sted_spatial", sqrt(2.0) * c / 3.0);
}

/* In three frames the errors are d, d and 4 d. Their first differences are therefore 0 and 3 d, and their
 * second difference is 3 d. */
TEST(motion_has_known_errors)
{
    static const float still[3] = {0, 0, 0}, jump[3] = {0.1f, 0.1f, 0.4f}, steady[3] = {0, 2, 4},
                       faster[3] = {0, 3, 6};
    const double diagonal = sqrt(12.0), step = 0.01 * diagonal, after = hypot(0.3, step);
    CLEANUP(metrics_clear) Metrics metrics = {0};
    Frames target, candidate;
    frames_make(&target, 3, same, still);
    frames_make(&candidate, 3, same, jump);
    measure_frames(&target, &candidate, &metrics);
    near(&metrics, "velocity_error", 0.15 / diagonal);
    near(&metrics, "acceleration_error", 0.3 / diagonal);
    near(&metrics, "sted_spatial", 0.0);
    /* Two temporal edges lead from a vertex to itself in the next frame. The length of one changes from
     * `step` to `after`. The metric is half of its relative change. */
    near(&metrics, "sted_temporal", (after - step) / step / 2.0);
    near(&metrics, "sted", (after - step) / step / 2.0);
    /* A constant velocity error causes no acceleration error. */
    frames_make(&target, 3, same, steady);
    frames_make(&candidate, 3, same, faster);
    measure_frames(&target, &candidate, &metrics);
    near(&metrics, "velocity_error", 1.0 / diagonal);
    near(&metrics, "acceleration_error", 0.0);
    near(&metrics, "sted_temporal", 0.0);
}

/* Makes a rig of two joints a and b at x = 0 and 1. `of_b` contains the weights of b. `swapped` reverses
 * the order of the joints. */
static void rig_make(Rig *rig, const double of_b[CORNERS], bool swapped, double moved)
{
    assert_ok(rig_allocate(rig, CORNERS, 2, 1, 2));
    for (int j = 0; j < 2; j++) {
        const int joint = swapped ? 1 - j : j;
        rig->joint_names[joint] = memory_text(j ? "b" : "a");
        rig->parents[joint] = -1;
        rig->rest[joint].m03 = (double)j + (j ? moved : 0.0);
        for (int v = 0; v < CORNERS; v++) {
            rig->weight_joints[2 * v + joint] = joint;
            rig->weight_values[2 * v + joint] = (float)(j ? of_b[v] : 1.0 - of_b[v]);
        }
    }
}

/* The vertices have 1, 1, 2 and 1 influences in the true rig, and 2, 1, 2 and 1 in the other rig. Four of
 * the 6 pairs of vertex and joint in the other rig are true, and they are 4 of the 5 true pairs. The weight
 * errors are 1/2, 0, 1/2 and 2. */
TEST(rigs_are_compared_with_the_true_one)
{
    CLEANUP(rig_clear) Rig truth = {0}, rig = {0};
    CLEANUP(metrics_clear) Metrics metrics = {0};
    Frames frames;
    frames_make(&frames, 1, same, NULL);
    rig_make(&truth, (double[]){0.0, 1.0, 0.5, 1.0}, false, 0.0);
    rig_make(&rig, (double[]){0.25, 1.0, 0.25, 0.0}, true, 0.2);
    assert_ok(measure(&tetrahedron, &frames.animation, &truth, &frames.animation, &rig, NULL, &metrics));
    near(&metrics, "weight_precision_percent", 400.0 / 6.0);
    near(&metrics, "weight_recall_percent", 400.0 / 5.0);
    near(&metrics, "weight_l1", (0.5 + 0.0 + 0.5 + 2.0) / 4.0);
    /* The distance to the nearest joint of the other rig is 0 for one joint and 0.2 for the other. This
     * holds in both directions. */
    near(&metrics, "cd_j2j", 0.05);
    metrics_clear(&metrics);
    memory_free(rig.joint_names[0]);
    rig.joint_names[0] = memory_text("c");
    assert_ok(measure(&tetrahedron, &frames.animation, &truth, &frames.animation, &rig, NULL, &metrics));
    assert_true(isnan(metric_named("weight_l1", &metrics)));
    near(&metrics, "cd_j2j", 0.05);
    /* A fit without a skeleton leaves every joint at the origin, which is no place to measure from. */
    metrics_clear(&metrics);
    rig.rest[0].m03 = rig.rest[1].m03 = 0.0;
    assert_ok(measure(&tetrahedron, &frames.animation, &truth, &frames.animation, &rig, NULL, &metrics));
    assert_true(isnan(metric_named("cd_j2j", &metrics)));
}

/* Two right triangles lie in a plane and share the edge from vertex 0 to vertex 2. In the candidate, one
 * triangle is folded up by a right angle. The shared edge is a seam if its two ends have different
 * joints. */
TEST(a_fold_at_a_seam_is_rough)
{
    static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static int32_t halves[6] = {0, 1, 2, 0, 2, 3};
    const Mesh mesh = {.vertex_count = 4, .triangle_count = 2, .rest = (float *)square, .triangles = halves};
    CLEANUP(metrics_clear) Metrics metrics = {0};
    Frames target = {0}, candidate = {0};
    memcpy(target.positions, square, sizeof square);
    memcpy(candidate.positions, square, sizeof square);
    memcpy(candidate.positions[0][3], (float[]){0.5f, 0.5f, 0.5f}, 3 * sizeof(float));
    target.animation = (Animation){.frame_count = 1, .positions = &target.positions[0][0][0]};
    candidate.animation = (Animation){.frame_count = 1, .positions = &candidate.positions[0][0][0]};
    for (int is_seam = 0; is_seam < 2; is_seam++) {
        CLEANUP(rig_clear) Rig rig = {0};
        rig_make(&rig, (double[]){0.5, 1.0, is_seam ? 1.0 : 0.5, 0.0}, false, 0.0);
        assert_ok(measure(&mesh, &target.animation, NULL, &candidate.animation, &rig, NULL, &metrics));
        near(&metrics, "roughness_degrees", 90.0); /* the shared edge is the only edge with two triangles */
        if (is_seam)
            near(&metrics, "seam_roughness_degrees", 90.0);
        else
            assert_true(isnan(metric_named("seam_roughness_degrees", &metrics)));
        metrics_clear(&metrics);
    }
}

/* A rank also reads the frames before its own frames. However the frames are divided, all ranks together
 * must therefore find the same values as a single rank. */
TEST(ranks_look_back)
{
    Frames target, candidate;
    SharedMetrics shared = {&tetrahedron, &target.animation, &candidate.animation, {{0}}, {status_ok()}};
    CLEANUP(metrics_clear) Metrics alone = {0};
    float offsets[MOST_FRAMES], others[MOST_FRAMES];
    int count = 0;
    const Metric *rows = metric_rows(&count);
    for (int f = 0; f < MOST_FRAMES; f++) {
        offsets[f] = (float)sin(0.7 * f);
        others[f] = offsets[f] + 0.1f * (float)cos(1.9 * f);
    }
    frames_make(&target, MOST_FRAMES, same, offsets);
    frames_make(&candidate, MOST_FRAMES, same, others);
    measure_frames(&target, &candidate, &alone);
    assert_true(metric_named("sted_temporal", &alone) > 0.01);
    for (int ranks = 2; ranks <= 8; ranks += 3) {
        rank_threads_run(ranks, share_measure, &shared);
        for (int rank = 0; rank < ranks; rank++) {
            assert_ok(shared.statuses[rank]);
            for (int i = 0; i < count; i++)
                if (rows[i].further) {
                    const double found = metric_value(&rows[i], &shared.metrics[rank]),
                                 expected = metric_value(&rows[i], &alone);
                    assert_true(found == expected || (isnan(found) && isnan(expected)));
                }
            metrics_clear(&shared.metrics[rank]);
        }
    }
}
