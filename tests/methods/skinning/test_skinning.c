/* Compares every direct method in the registry on every backend with the reference. */
#include "tests/skinned.h"

/* Tests every number of influences, because host backends have separate loops for some numbers. Devices
 * have one loop. */
TEST(all_influence_counts)
{
    for (int influences = 1; influences <= 12; influences++)
        compare_plan(PLAN(.vertices = 150, .joints = 12, .influences = influences, .frames = 3, .angle = 0.2,
                          .seed = (uint64_t)influences),
                     1, influences == 4 || influences == 12);
}

/* Tests a single joint set with every number of vertices near the widths of vectors, tiles and work
 * groups. */
TEST(all_sizes)
{
    static const int sizes[] = {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 257, 600};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        compare_plan(
            PLAN(.vertices = sizes[i], .joints = 1, .influences = 1, .frames = 2, .angle = 1.0, .seed = 7), 1,
            sizes[i] <= 1 || sizes[i] == 256 || sizes[i] == 257);
}

TEST(all_frame_counts)
{
    static const int counts[] = {1, 2, 8, 15, 16, 17, 33};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        compare_plan(
            PLAN(.vertices = 40, .joints = 3, .influences = 3, .frames = counts[i], .angle = 0.5, .seed = 3),
            2, counts[i] == 33);
}

/* Reorders the vertices of a rig; order[new] is the old index. */
static void vertices_order(Dataset *dataset, const int32_t *order)
{
    const size_t count = (size_t)dataset->mesh.vertex_count, slots = (size_t)dataset->rig.influence_count;
    OWNED float *rest = memory_table(count, 3, sizeof *rest),
                *weights = memory_table(count, slots, sizeof *weights);
    OWNED int32_t *joints = memory_table(count, slots, sizeof *joints);
    assert_true(rest && weights && joints);
    for (size_t i = 0; i < count; i++) {
        const size_t old = (size_t)order[i];
        memcpy(rest + 3 * i, dataset->mesh.rest + 3 * old, 3 * sizeof *rest);
        memcpy(weights + slots * i, dataset->rig.weight_values + slots * old, slots * sizeof *weights);
        memcpy(joints + slots * i, dataset->rig.weight_joints + slots * old, slots * sizeof *joints);
    }
    memcpy(dataset->mesh.rest, rest, 3 * count * sizeof *rest);
    memcpy(dataset->rig.weight_values, weights, slots * count * sizeof *weights);
    memcpy(dataset->rig.weight_joints, joints, slots * count * sizeof *joints);
}

/* Tests three orders of the vertices in the file: the order of the joint sets, its reverse, and a random
 * order. In the first, results are written in runs. The vertices form several chunks, processed on one
 * thread and on two. */
TEST(all_file_orders)
{
    enum { VERTICES = 1100 };
    static const char *const names[] = {"lbs", "dqs", "sbs"}; /* any that are built */
    OWNED_RIG(dataset, .vertices = VERTICES, .joints = 7, .influences = 3, .frames = 3, .angle = 0.3,
              .seed = 31);
    int32_t order[VERTICES];
    for (int way = 0; way < 3; way++) {
        if (way == 1) {
            CLEANUP(joint_sets_clear) JointSets sets = {0};
            assert_ok(joint_sets_init(&dataset->rig, VERTICES, INFLUENCES_BY_JOINT, &sets));
            vertices_order(dataset, sets.vertices);
        } else if (way == 2) {
            for (int i = 0; i < VERTICES; i++)
                order[i] = VERTICES - 1 - i;
            vertices_order(dataset, order);
        }
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (skinning_entry_find(names[i]))
                compare_method(options_of(skinning_entry_find(names[i]), &backend_reference),
                               &(SkinComparison){dataset, "file orders", 1.0, 2, false});
    }
}

/* Tests results that do not fit in the second-level cache. In one case all chunks process a few frames
 * together, with a shorter last group. In the other case frames are too large for that. */
TEST(many_frames)
{
    static const struct {
        int vertices, frames;
    } sizes[] = {{1300, 70}, {11500, 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && skinning_entry_find("lbs"); i++) {
        OWNED_RIG(dataset, .vertices = sizes[i].vertices, .joints = 7, .influences = 3,
                  .frames = sizes[i].frames, .angle = 0.3, .seed = 32);
        SkinnerOptions options = options_of(skinning_entry_find("lbs"), &backend_reference);
        CLEANUP(result_clear) Result truth = skin(&options, dataset);
        truth.slack = 1.0;
        options.backend = &backend_simd;
        for (options.threads = 1; options.threads <= 2; options.threads++)
            compare_options(&options, dataset, &truth, "many frames");
    }
}

/* Tests devices without normals. Also logs which backends were compared with the reference. */
TEST(positions_alone_on_devices)
{
    OWNED_RIG(dataset, .vertices = 90, .joints = 5, .influences = 4, .frames = 2, .angle = 0.5, .seed = 9);
    for (int kind = 1; kind < BACKEND_COUNT; kind++) {
        char text[256];
        Status status = backend_at(kind)->probe(text, sizeof text);
        print_message("%s: %s\n", backend_at(kind)->name, status.code == STATUS_OK ? text : status.text);
        for (int m = 0; backend_at(kind)->is_device && status.code == STATUS_OK && m < skinning_entry_count();
             m++) {
            if (!supports_influences(skinning_entry_at(m)->method, dataset))
                continue;
            SkinnerOptions options = options_of(skinning_entry_at(m), &backend_reference);
            options.normals = false;
            CLEANUP(result_clear) Result truth = skin(&options, dataset);
            truth.slack = 1.0;
            options.backend = backend_at(kind);
            compare_options(&options, dataset, &truth, "positions alone");
        }
    }
}

/* Joints rotate by multiples of 60 degrees about three axes. Neighbours differ by half turns, the chain
 * makes full turns, and quaternions are opposite or orthogonal. Tests every value of every parameter. */
TEST(turns_of_many_sixths)
{
    OWNED_RIG(dataset, .vertices = 60, .joints = 6, .influences = 4, .frames = 7, .seed = 21);
    for (int frame = 0; frame < 7; frame++)
        for (int joint = 0; joint < 6; joint++) {
            Transform *own = &dataset->rig.transforms[frame * 6 + joint];
            Quat turn = quat_about(AXES[(joint / 2 + frame) % 3], frame * 3.14159265358979323846 / 3.0);
            *own = transform_product(joint > 0 ? own[-1] : transform_identity(),
                                     transform_about(turn, vec3_make(joint, 0.0, 0.0), ORIGIN));
        }
    save_centers(dataset);
    compare_choices((SkinComparison){dataset, "turns of many sixths", 1.0, 1, true});
}

TEST(zero_and_negative_weights)
{
    OWNED_RIG(dataset, .vertices = 80, .joints = 6, .influences = 4, .frames = 3, .angle = 0.3, .seed = 22);
    for (int vertex = 0; vertex < 80; vertex++) {
        float *weights = dataset->rig.weight_values + 4 * (size_t)vertex;
        weights[vertex % 4] = vertex % 3 ? 0.0f : -0.1f;
        float sum = weights[0] + weights[1] + weights[2] + weights[3];
        if (sum < 0.2f) { /* the weight left for further joints is too small, so use a single joint */
            memset(weights, 0, 4 * sizeof *weights);
            sum = weights[vertex % 4] = 1.0f;
        }
        for (int k = 0; k < 4; k++)
            weights[k] /= sum;
    }
    save_centers(dataset);
    compare_choices((SkinComparison){dataset, "zero and negative weights", 1.0, 1, true});
}

/* Some rigs came with the positions of their LBS skin. Every backend must match them to 1e-5 of the
 * bounding-box diagonal. */
TEST(data_known_rigs)
{
    static const char *const names[] = {"wolf.h5", "cylinder.h5"};
    for (int i = 0; i < 2; i++) {
        OWNED_DATA(dataset, names[i]);
        for (int kind = 0; kind < BACKEND_COUNT; kind++) {
            SkinnerOptions options = options_of(skinning_entry_find("lbs"), backend_at(kind));
            if (!is_here(backend_at(kind)))
                continue;
            options.normals = false;
            CLEANUP(result_clear) Result result = skin(&options, dataset);
            double max = 0.0;
            for (int at = 0; at < result.count; at++)
                max = fmax(max, fabs(result.positions[at] - (double)dataset->animation.positions[at]));
            assert_at_most(max, 1e-5 * diagonal_of(&dataset->mesh));
        }
    }
}

/* Tests every method on every backend with a real character: 13,380 vertices, 163 joints and up to 9
 * influences. */
TEST(data_makehuman_on_all_backends)
{
    OWNED_DATA(dataset, "makehuman.h5");
    dataset->rig.frame_count = 2; /* only the first 2 of 64 frames */
    save_centers(dataset);
    save_smoothed(dataset);
    compare_methods(&(SkinComparison){dataset, "makehuman.h5", 1.0, 2, true});
}

TEST(lbs_is_the_mean_of_the_joints)
{
    OWNED_RIG(dataset, .vertices = 50, .joints = 6, .influences = 5, .frames = 2, .angle = 0.5, .seed = 5);
    const Rig *rig = &dataset->rig;
    SkinnerOptions options = options_of(skinning_entry_find("lbs"), &backend_reference);
    CLEANUP(result_clear) Result result = skin(&options, dataset);
    for (int row = 0; row < 100; row++) {
        int frame = row / 50, vertex = row % 50;
        Vec3 mean = ORIGIN;
        for (int k = 0; k < rig->influence_count; k++) {
            int slot = vertex * rig->influence_count + k;
            Vec3 moved = transform_point(rig->transforms[frame * rig->joint_count + rig->weight_joints[slot]],
                                         point_at(dataset->mesh.rest, vertex));
            mean = vec3_add_scaled(mean, moved, (double)rig->weight_values[slot]);
        }
        assert_vec3(vec3_at(result.positions, row), mean, 1e-12);
    }
}

/* A frame can be given as a weighted sum of the rig's frames. Its skin must equal the skin of the summed
 * transformations. Tests lbs and a method that poses several frames together. The joints only translate, so
 * the sums stay rigid. */
TEST(shapes_are_posed_as_their_sums)
{
    enum { FRAMES = 11 };
    static const char *const methods[] = {"lbs", "dqs"};
    OWNED_RIG(dataset, .vertices = 40, .joints = 5, .influences = 3, .frames = FRAMES, .seed = 3);
    const Rig *rig = &dataset->rig;
    Transform sums[FRAMES * 5];
    float shares[FRAMES * FRAMES];
    for (int i = 0; i < FRAMES * 5; i++)
        rig->transforms[i] = transform_translate(i % 3 == 0 ? vec3_make(i / 64.0, -0.5, 0.25 * (i % 5))
                                                            : vec3_make(0.0, 0.0, 0.0));
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < 5; j++) {
            Vec3 moved = vec3_make(0.0, 0.0, 0.0);
            for (int k = 0; k < FRAMES; k++) {
                shares[f * FRAMES + k] = (float)((f + 2 * k) % 5) / 8.0f;
                moved = vec3_add_scaled(moved, transform_translation(rig->transforms[k * 5 + j]),
                                        (f + 2 * k) % 5 / 8.0);
            }
            sums[f * 5 + j] = transform_translate(moved);
        }
    for (int m = 0; m < 2 && skinning_entry_find(methods[m]); m++)
        for (int form = SHAPES_SPARSE; form <= SHAPES_EXACT; form++) {
            const Backend *backend = form == SHAPES_EXACT ? &backend_reference : &backend_simd;
            SkinnerOptions options = options_of(skinning_entry_find(methods[m]), backend);
            float of_sums[FRAMES * 120], of_shares[FRAMES * 120];
            options.shapes = (ShapeForm)form;
            BOUND(skinner, &options, dataset);
            assert_ok(skinner_pose(skinner, sums, NULL, FRAMES));
            assert_ok(skinner_skin_frames(skinner, of_sums, NULL));
            assert_ok(skinner_pose_shapes(skinner, shares, FRAMES));
            assert_ok(skinner_skin_frames(skinner, of_shares, NULL));
            for (int i = 0; i < FRAMES * 120; i++) /* products of eighths and 64ths are exact in floats */
                assert_float_equal(of_shares[i], of_sums[i], 0.0f);
        }
    SkinnerOptions options = options_of(skinning_entry_find("lbs"), NULL);
    BOUND(skinner, &options, dataset);
    assert_refused(STATUS_USAGE, "bound without them", skinner_pose_shapes(skinner, shares, 1));
}
