/* Tests the values that the pose stage of spherical blend skinning computes for the kernel. The stage
 * processes eight frames together, one per vector lane. */
#include "methods/posing/sbs_stages.h"
#include "tests/rigs.h"

enum { JOINTS = 7, VERTICES = 60, FLOATS_PER_JOINT = 16 };

typedef struct SbsFixture {
    Dataset *dataset;
    JointSets sets;
    void *state, *workspace;
} SbsFixture;

static void fixture_clear(SbsFixture *fixture)
{
    sbs_release(fixture->state);
    memory_free(fixture->workspace);
    joint_sets_clear(&fixture->sets);
    dataset_free(fixture->dataset);
}

/* Frames that are posed together in lanes must have the same values for each joint set as frames posed
 * separately. These values are the centre r and, for sets of at most SET_CENTER_JOINTS joints, its images
 * C_k r. */
TEST(frames_in_lanes_are_those_one_by_one)
{
    static const Parameter rows[] = {SBS_PARAMETERS, {0}};
    ParameterValues parameters = parameters_default(rows);
    for (int solver = 0; solver < 2; solver++) {
        CLEANUP(fixture_clear)
        SbsFixture fixture = {.dataset =
                                  rig_make(PLAN(.vertices = VERTICES, .joints = JOINTS, .influences = 6,
                                                .frames = POSE_FRAMES, .angle = 0.5, .seed = 17))};
        const Rig *rig = &fixture.dataset->rig;
        assert_ok(joint_sets_init(rig, VERTICES, INFLUENCES_BY_JOINT, &fixture.sets));
        parameters.values[SBS_CENTERS] = solver == 0 ? SET_CENTERS_FAST : SET_CENTERS_SVD;
        const SkinningBinding binding = {.mesh = &fixture.dataset->mesh,
                                         .rig = rig,
                                         .sets = &fixture.sets,
                                         .parameters = parameters.values};
        const size_t sets = (size_t)fixture.sets.set_count;
        assert_ok(sbs_bind(&binding, NULL, &fixture.state));
        fixture.workspace = memory_array(sbs_workspace(fixture.state), 1);
        OWNED double *joints = memory_table(JOINTS, FLOATS_PER_JOINT, sizeof *joints);
        OWNED double *values = memory_table(sets, SET_CENTER_FLOATS, sizeof *values);
        OWNED float *floats = memory_table(POSE_FRAMES * sets, SET_CENTER_FLOATS, sizeof *floats);
        uint8_t variants[VERTICES] = {0};
        SkinningPose pose = {.frame_count = POSE_FRAMES,
                             .transforms = rig->transforms,
                             .rest = rig->rest,
                             .joint_values = joints,
                             .set_values = values,
                             .set_floats = floats,
                             .set_variants = variants,
                             .workspace = fixture.workspace};
        int compared = 0, large = 0;
        assert_ok(sbs_pose_frames(&binding, fixture.state, &pose));
        pose.set_floats = NULL; /* the centres of the frames stay in the workspace */
        for (; pose.frame < POSE_FRAMES; pose.frame++, pose.transforms += JOINTS) {
            assert_ok(sbs_pose(&binding, fixture.state, &pose));
            for (size_t set = 0; set < sets; set++) {
                const double *own = values + set * SET_CENTER_FLOATS;
                const float *lanes = floats + ((size_t)pose.frame * sets + set) * SET_CENTER_FLOATS;
                const Vec3 center = vec3_make(own[0], own[1], own[2]);
                const int count = joint_set_size(&fixture.sets, (int)set);
                const int32_t *joints_of = fixture.sets.joints + fixture.sets.first_slot[set];
                assert_vec3(vec3_make((double)lanes[0], (double)lanes[1], (double)lanes[2]), center,
                            1e-6 * (1.0 + vec3_length(center)));
                large += count > SET_CENTER_JOINTS;
                for (int k = 0; k < count && count <= SET_CENTER_JOINTS; k++, compared++) {
                    const float *moved = lanes + SET_CENTER_MOVED + 3 * k;
                    assert_vec3(vec3_make((double)moved[0], (double)moved[1], (double)moved[2]),
                                transform_point(pose.transforms[joints_of[k]], center),
                                1e-6 * (1.0 + vec3_length(center)));
                }
            }
        }
        assert_true(compared > 0 && large > 0);
    }
}
