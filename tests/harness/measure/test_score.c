/* Compares the scores of predicted rigs with closed forms, and with the numbers that were measured once
 * outside this program (makehuman.h5). */
#include "harness/measure/score/assignment.h"
#include "harness/measure/score/score_parts.h"
#include "tests/rigs.h"

/* A cube with edges of 2, so the unit `box` is 2. Its triangles are not needed: tolerances are given. */
static float cube[8 * 3] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                            -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
static const Mesh cube_mesh = {.vertex_count = 8, .rest = cube};

/* Makes a chain of joints along x, from -0.8 in steps of 0.4, named a, b, ... Vertex v belongs to joint v %
 * joints with 0.75, and to the next one with 0.25. */
static void chain_make(Rig *rig, int joints)
{
    assert_ok(rig_allocate(rig, 8, joints, 1, 2));
    for (int j = 0; j < joints; j++) {
        rig->joint_names[j] = memory_text((char[]){(char)('a' + j), '\0'});
        rig->parents[j] = j - 1;
        rig->rest[j] = transform_translate(vec3_make(-0.8 + 0.4 * j, 0.0, 0.0));
        rig->transforms[j] = transform_identity();
    }
    for (int v = 0; v < 8; v++) {
        rig->weight_joints[2 * v] = v % joints;
        rig->weight_joints[2 * v + 1] = (v + 1) % joints;
        rig->weight_values[2 * v] = 0.75f;
        rig->weight_values[2 * v + 1] = 0.25f;
    }
}

/* Scores a rig with settings, separated by blanks. */
static Score score_of(const Rig *rig, const Rig *truth, const char *settings)
{
    ScoreTask task = {.mesh = &cube_mesh,
                      .truth = truth,
                      .rig_mesh = &cube_mesh,
                      .rig = rig,
                      .parameters = parameters_default(score_parameters)};
    Score score;
    for (const char *next = settings; *next;) {
        char setting[64];
        const int length = (int)strcspn(next, " ");
        snprintf(setting, sizeof setting, "%.*s", length, next);
        assert_ok(parameters_set(score_parameters, "score", setting, &task.parameters));
        next += length + (next[length] == ' ');
    }
    assert_ok(score_rigs(&task, &score));
    return score;
}

#define NEAR(score, id, expected) assert_near((score).values[id], expected, 1e-9)

TEST(a_rig_equals_itself)
{
    CLEANUP(rig_clear) Rig rig = {0};
    chain_make(&rig, 5);
    static const int zero[] = {SCORE_CD_J2J,   SCORE_CD_J2B, SCORE_CD_B2B,           SCORE_TREE_EDIT,
                               SCORE_MPJPE,    SCORE_S_EMD,  SCORE_L1_ROW,           SCORE_L1_COLUMN,
                               SCORE_BLEED,    SCORE_MISSED, SCORE_DEFORMATION_MEAN, SCORE_DEFORMATION_WORST,
                               SCORE_J2J_PAIRS};
    static const int one[] = {SCORE_JOINT_IOU,         SCORE_JOINT_PRECISION, SCORE_JOINT_RECALL,
                              SCORE_NEAREST_PRECISION, SCORE_CONNECTIVITY,    SCORE_WEIGHT_PRECISION,
                              SCORE_WEIGHT_RECALL,     SCORE_SKIN_IOU,        SCORE_WITHIN};
    const Score score = score_of(&rig, &rig, "tolerance=0.1");
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++)
        NEAR(score, zero[i], 0.0);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        NEAR(score, one[i], 1.0);
    /* the points of UniRig's code leave out the parent's end, so the root is a hundredth of its bone,
     * 0.4 / 2, from the nearest point; both halves of the mean over 5 joints count it */
    NEAR(score_of(&rig, &rig, "variant=unirig tolerance=0.1"), SCORE_CD_J2B, 0.2 / 100.0 / 5.0);
}

/* The middle of five joints is moved by 0.3 at right angles to the chain, 0.15 of the cube's edge. */
TEST(a_moved_joint_has_known_distances)
{
    CLEANUP(rig_clear) Rig rig = {0}, truth = {0};
    chain_make(&rig, 5);
    chain_make(&truth, 5);
    rig.rest[2].m13 = 0.3;
    const Score score = score_of(&rig, &truth, "variant=exact tolerance=0.1");
    NEAR(score, SCORE_CD_J2J, 0.15 / 5.0);
    /* the true joint's nearest bone leads from (-0.2, 0) to (0, 0.15) */
    NEAR(score, SCORE_CD_J2B, 0.5 * (0.15 / 5.0 + 0.12 / 5.0));
    /* all bones touch the true chain */
    NEAR(score, SCORE_CD_B2B, 0.0);
    NEAR(score, SCORE_MPJPE, 0.15 / 5.0);
    NEAR(score, SCORE_MAE, 0.15 / 15.0);
    NEAR(score, SCORE_JOINT_IOU, 0.8);
    NEAR(score, SCORE_JOINT_JACCARD, 4.0 / 6.0);
    NEAR(score, SCORE_CONNECTIVITY, 1.0); /* joints of one name belong together, however far they are */
    NEAR(score_of(&rig, &truth, "match=hungarian tolerance=0.1"), SCORE_PAIRS, 4.0);
    NEAR(score_of(&rig, &truth, "bones=exact tolerance=0.15"), SCORE_JOINT_IOU, 0.8); /* strictly below */
    NEAR(score_of(&rig, &truth, "bones=exact tolerance=0.151"), SCORE_JOINT_IOU, 1.0);
    /* the other units */
    NEAR(score_of(&rig, &truth, "unit=file tolerance=0.1"), SCORE_CD_J2J, 0.3 / 5.0);
    NEAR(score_of(&rig, &truth, "unit=box2 tolerance=0.1"), SCORE_CD_J2J, 0.3 / 5.0);
    NEAR(score_of(&rig, &truth, "unit=diagonal tolerance=0.1"), SCORE_CD_J2J, 0.3 / sqrt(12.0) / 5.0);
    NEAR(score_of(&rig, &truth, "unit=box-joints tolerance=0.1"), SCORE_CD_J2J, 0.15 / 5.0);
    NEAR(score_of(&rig, &truth, "variant=nbs tolerance=0.1"), SCORE_CD_J2J, 0.09 / 5.0);
    assert_true(isnan(score_of(&rig, &truth, "variant=nbs tolerance=0.1").values[SCORE_JOINT_IOU]));
}

/* The chain lacks its joint c, and its weights went to b. */
TEST(a_merged_joint_is_missed)
{
    CLEANUP(rig_clear) Rig rig = {0}, truth = {0};
    chain_make(&truth, 4);
    assert_ok(rig_allocate(&rig, 8, 3, 1, 2));
    static const int left[3] = {0, 1, 3}, column[4] = {0, 1, 1, 2};
    for (int j = 0; j < 3; j++) {
        rig.joint_names[j] = memory_text(truth.joint_names[left[j]]);
        rig.parents[j] = j - 1;
        rig.rest[j] = truth.rest[left[j]];
    }
    for (int i = 0; i < 16; i++) {
        rig.weight_joints[i] = column[truth.weight_joints[i]];
        rig.weight_values[i] = truth.weight_values[i];
    }
    const Score score = score_of(&rig, &truth, "tolerance=0.05 match=names");
    NEAR(score, SCORE_TREE_EDIT, 1.0);
    NEAR(score, SCORE_JOINT_RECALL, 0.75);
    NEAR(score, SCORE_JOINT_PRECISION, 1.0);
    NEAR(score, SCORE_JOINT_IOU, 6.0 / 7.0);
    NEAR(score, SCORE_PAIRS, 3.0);
    /* of the four kinds of vertices, c has 0.25, 0.75 and no weight in two */
    NEAR(score, SCORE_BLEED, (0.0 + 0.0 + 0.75 + 0.0) / 4.0);
    NEAR(score, SCORE_MISSED, (0.25 + 0.75) / 4.0);
    NEAR(score, SCORE_L1_ROW, 2.0 * (0.25 + 0.75) / 4.0);
    NEAR(score, SCORE_L1_MAX, 1.5);
    NEAR(score, SCORE_L1_ENTRY, 0.5 / 4.0);
    /* 7 of the 8 weights of four vertices are left; 6 of them are true */
    NEAR(score, SCORE_WEIGHT_PRECISION, 6.0 / 7.0);
    NEAR(score, SCORE_WEIGHT_RECALL, 6.0 / 8.0);
    /* b's neighbours are a and c, so d has a wrong parent */
    NEAR(score, SCORE_CONNECTIVITY, 2.0 / 4.0);
    /* a joint without a name of the truth has its own column, or its parent's */
    memory_free(rig.joint_names[2]);
    rig.joint_names[2] = memory_text("other");
    NEAR(score_of(&rig, &truth, "tolerance=0.05 match=names"), SCORE_BLEED, (0.75 + 0.25 + 0.75) / 4.0);
    NEAR(score_of(&rig, &truth, "tolerance=0.05 match=names unmatched=parent"), SCORE_BLEED,
         (0.75 + 0.25 + 0.75) / 4.0);
}

TEST(pruned_weights_have_known_scores)
{
    CLEANUP(rig_clear) Rig rig = {0};
    chain_make(&rig, 4);
    /* each vertex keeps one of its influences, 0.75 and 0.25, which grows to 1 */
    const Score score = score_of(&rig, &rig, "variant=puppeteer prune-relative=0.5 tolerance=0.1");
    NEAR(score, SCORE_L1_ROW, 0.5);
    NEAR(score, SCORE_WEIGHT_PRECISION, 1.0);
    NEAR(score, SCORE_WEIGHT_RECALL, 0.5);
    NEAR(score, SCORE_INFLUENCES_MEAN, 1.0);
    const Score whole = score_of(&rig, &rig, "variant=puppeteer prune-relative=0.33 tolerance=0.1");
    NEAR(whole, SCORE_L1_ROW, 0.0);
    /* weights of 0.25 are below the threshold, so both sides lose them */
    const Score high = score_of(&rig, &rig, "influence=0.5 tolerance=0.1");
    NEAR(high, SCORE_WEIGHT_RECALL, 1.0);
}

/* One bone turns about its joint a at (-0.8, 0, 0). The prediction's joint is moved by d along y, so every
 * vertex that follows it is off by |(R - 1) d|: 2 sin(angle / 2) d for a turn about z. */
TEST(a_moved_joint_moves_the_skin)
{
    CLEANUP(rig_clear) Rig rig = {0}, truth = {0};
    chain_make(&rig, 2);
    chain_make(&truth, 2);
    rig.rest[0].m13 = 0.1;
    for (int i = 0; i < 16; i++)
        rig.weight_joints[i] = truth.weight_joints[i] = 0;
    const Vec3 turns[4] = {vec3_make(0.0, 0.0, 1.0), vec3_make(0.0, 0.0, 0.0), vec3_make(0.0, 0.0, 0.5),
                           vec3_make(0.0, 0.0, 0.0)};
    const ScoreTask task = {.mesh = &cube_mesh,
                            .truth = &truth,
                            .rig_mesh = &cube_mesh,
                            .rig = &rig,
                            .parameters = parameters_default(score_parameters),
                            .turns = turns,
                            .pose_count = 2};
    Score score;
    assert_ok(score_rigs(&task, &score));
    const double one = 2.0 * sin(0.5) * 0.1 / 2.0, half = 2.0 * sin(0.25) * 0.1 / 2.0;
    NEAR(score, SCORE_DEFORMATION_MEAN, 0.5 * (one + half));
    NEAR(score, SCORE_DEFORMATION_MAX, 0.5 * (one + half));
    NEAR(score, SCORE_DEFORMATION_WORST, one);
}

/* A prediction without joints is refused, and counts as one joint in the middle of the box. */
TEST(a_failure_counts)
{
    CLEANUP(rig_clear) Rig truth = {0}, none = {0};
    chain_make(&truth, 5);
    const ScoreTask task = {.mesh = &cube_mesh,
                            .truth = &truth,
                            .rig_mesh = &cube_mesh,
                            .rig = &none,
                            .parameters = parameters_default(score_parameters)};
    Score score;
    assert_bad_input("the predicted rig has no joints", score_rigs(&task, &score));
    assert_ok(score_failure(&task, &score));
    /* joints at -0.4, -0.2, 0, 0.2 and 0.4 of the edge; one of them is in the middle */
    NEAR(score, SCORE_CD_J2J, 0.5 * (0.0 + 1.2 / 5.0));
    NEAR(score, SCORE_MPJPE, 1.2 / 5.0);
    NEAR(score, SCORE_L1_ROW, 2.0);
    NEAR(score, SCORE_BLEED, 1.0);
    NEAR(score, SCORE_MISSED, 1.0);
    NEAR(score, SCORE_JOINT_IOU, 0.0);
    NEAR(score, SCORE_WEIGHT_PRECISION, 0.0);
    NEAR(score, SCORE_TREE_EDIT, 4.0);
    truth.rest[3].m03 = NAN;
    assert_bad_input("joint 3 of the true rig is not finite", score_rigs(&task, &score));
}

/* Compares the least sum with all permutations. */
TEST(assignments_are_best)
{
    Random random = {3};
    for (int turn = 0; turn < 50; turn++) {
        const int rows = 1 + turn % 5, columns = 1 + turn / 7 % 5, most = int_max(rows, columns);
        double costs[25], best = INFINITY, sum = 0.0;
        int32_t found[5];
        for (int i = 0; i < rows * columns; i++)
            costs[i] = floor(4.0 * random_unit(&random));
        for (int code = 0; code < 3125; code++) { /* place of each row, in digits of base 5 */
            int places[5], rest = code, used = 0;
            double total = 0.0;
            bool sound = true;
            for (int i = 0; i < most; i++, rest /= 5) {
                places[i] = rest % 5;
                sound = sound && places[i] < most && !(used >> places[i] & 1);
                used |= 1 << places[i];
                if (sound && i < rows && places[i] < columns)
                    total += costs[i * columns + places[i]];
            }
            best = sound ? fmin(best, total) : best;
        }
        assert_ok(assignment_find(costs, rows, columns, found));
        for (int i = 0, seen = 0; i < rows; i++) {
            if (found[i] < 0)
                continue;
            assert_false(seen >> found[i] & 1);
            seen |= 1 << found[i];
            sum += costs[i * columns + found[i]];
        }
        assert_near(sum, best, 1e-12);
    }
}

/* A fork a(b, c(d)) and the chain a(c(d)): b is deleted. In a(c(d), b) the order of the children differs, so
 * b is deleted and inserted elsewhere. */
TEST(trees_have_known_distances)
{
    int32_t fork[4] = {-1, 0, 0, 2}, chain[3] = {-1, 0, 1}, turned[4] = {-1, 0, 1, 0},
            star[4] = {-1, 0, 0, 0};
    const BoneGraph a = {.joint_count = 4, .parents = fork}, b = {.joint_count = 3, .parents = chain},
                    c = {.joint_count = 4, .parents = turned}, d = {.joint_count = 4, .parents = star};
    double distance = 0.0;
    assert_ok(tree_edit_distance(&a, &b, &distance));
    assert_near(distance, 1.0, 0.0);
    assert_ok(tree_edit_distance(&a, &c, &distance));
    assert_near(distance, 2.0, 0.0);
    assert_ok(tree_edit_distance(&a, &d, &distance));
    assert_near(distance, 2.0, 0.0);
    assert_ok(tree_edit_distance(&d, &b, &distance));
    assert_near(distance, 3.0, 0.0);
}

/* Numbers measured outside this program: the truth against itself after Puppeteer's pruning, and the number
 * of joints that MagicArticulate's clean-up leaves. */
TEST(data_makehuman_has_known_floors)
{
    OWNED_DATA(human, "makehuman.h5");
    ScoreTask task = {.mesh = &human->mesh,
                      .truth = &human->rig,
                      .rig_mesh = &human->mesh,
                      .rig = &human->rig,
                      .parameters = parameters_default(score_parameters)};
    Score score;
    assert_ok(parameters_set(score_parameters, "score", "variant=puppeteer", &task.parameters));
    assert_ok(parameters_set(score_parameters, "score", "poses=0", &task.parameters));
    assert_ok(score_rigs(&task, &score));
    assert_near(score.values[SCORE_L1_ROW], 0.076, 5e-4);
    assert_near(score.values[SCORE_WEIGHT_RECALL], 0.64, 5e-3);
    assert_ok(parameters_set(score_parameters, "score", "prune-relative=0.35", &task.parameters));
    assert_ok(score_rigs(&task, &score));
    assert_near(score.values[SCORE_L1_ROW], 0.192, 5e-4);
    assert_near(score.values[SCORE_WEIGHT_RECALL], 0.51, 5e-3);
    const Bounds box = bounds_of(human->mesh.rest, human->mesh.vertex_count);
    const ScoreFrame frame = {.unit = score.box,
                              .box = score.box,
                              .middle = vec3_make(0.5 * (box.low[0] + box.high[0]),
                                                  0.5 * (box.low[1] + box.high[1]),
                                                  0.5 * (box.low[2] + box.high[2]))};
    CLEANUP(bone_graph_clear) BoneGraph merged = {0};
    assert_ok(bone_graph_init(&human->rig, &frame, &task.parameters, &merged));
    assert_int_equal(human->rig.joint_count, 163);
    assert_int_equal(merged.joint_count, 137);
}
