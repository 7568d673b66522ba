/* Tests mistakes by the author of a method. Each must be refused where it is made, with a message that
 * names it. */
#include "methods/registry.h"
#include "tests/rigs.h"

#include "methods/runtime/skinner.h"

/* Numbers of values that the test method declares for a joint, a joint set and a vertex. Each test makes it
 * write more or fewer. */
enum { PER_JOINT = 12, PER_SET = 3, PER_VERTEX = 2 };

static int written_per_joint, written_per_set, written_per_vertex, variant;

static void rows_write(double *values, int rows, int written)
{
    for (int i = 0; i < rows * written; i++)
        values[i] = 1.0;
}

static Status author_bind(const SkinningBinding *binding, double *vertex_values, UNUSED void **state)
{
    rows_write(vertex_values, binding->sets->vertex_count, written_per_vertex);
    return status_ok();
}

static Status author_pose(const SkinningBinding *binding, UNUSED const void *state, const SkinningPose *pose)
{
    rows_write(pose->joint_values, binding->rig->joint_count, written_per_joint);
    rows_write(pose->set_values, binding->sets->set_count, written_per_set);
    pose->set_variants[0] = (uint8_t)variant;
    return status_ok();
}

static const SkinningMethod author = {.name = "lbs", /* name of the kernel that the method runs with */
                                      .title = "An author's",
                                      .citation = "none",
                                      .floats_per_joint = PER_JOINT,
                                      .floats_per_set = PER_SET,
                                      .floats_per_vertex = PER_VERTEX,
                                      .tolerance = 1e-5,
                                      .bind = author_bind,
                                      .pose = author_pose};

static Status run(const SkinningMethod *method)
{
    OWNED_RIG(dataset, .vertices = 30, .joints = 5, .influences = 3, .frames = 2, .angle = 0.3, .seed = 71);
    SkinningEntry entry = *skinning_entry_find("lbs");
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    SkinningMethod copy = *method;
    if (!copy.parameters) /* the kernel of lbs always reads its parameters */
        copy.parameters = entry.method->parameters;
    entry.method = &copy;
    SkinnerOptions options = {.entry = &entry, .check_outputs = true};
    STATUS_TRY(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    return skinner_pose(skinner, dataset->rig.transforms, NULL, dataset->rig.frame_count);
}

static Status run_writing(int per_joint, int per_set, int per_vertex)
{
    written_per_joint = per_joint;
    written_per_set = per_set;
    written_per_vertex = per_vertex;
    return run(&author);
}

TEST(too_many_and_too_few_values)
{
    static const struct {
        int joint, set, vertex; /* by how many values the method exceeds (positive) or misses (negative) the
                                   declared numbers */
        const char *message;
    } cases[] = {
        {1, 0, 0, "method lbs writes past the values of the last joint; its floats_per_joint is 12"},
        {PER_JOINT, 0, 0, "method lbs writes past the values of the last joint"},
        {-1, 0, 0, "method lbs leaves 5 of the 12 values of joint 4 unset"},
        {-PER_JOINT, 0, 0, "method lbs leaves 12 of the 12 values of joint 0 unset"},
        {0, 1, 0, "method lbs writes past the values of the last joint set; its floats_per_set is 3"},
        {0, -1, 0, "of the 3 values of joint set"}, /* the message ends before the number of the set, because
                                                       the test rig depends on the compiler */
        {0, 0, 1, "method lbs writes past the values of the last vertex; its floats_per_vertex is 2"},
        {0, 0, -1, "method lbs leaves 2 of the 2 values of vertex 15 unset"}};
    assert_ok(run_writing(PER_JOINT, PER_SET, PER_VERTEX));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(
            STATUS_USAGE, cases[i].message,
            run_writing(PER_JOINT + cases[i].joint, PER_SET + cases[i].set, PER_VERTEX + cases[i].vertex));
}

/* A method that declares fewer than twelve values per joint is refused, because the kernel of lbs reads
 * values 0 to 11. */
TEST(a_kernel_that_reads_past_its_values)
{
    SkinningMethod narrow = author;
    narrow.floats_per_joint = 11;
    assert_refused(STATUS_CHECK_FAILED,
                   "method lbs: its kernel reads a value that does not exist (value 11 of a joint, but "
                   "floats_per_joint is 11)",
                   run(&narrow));
    /* The mistake is found only while a frame is skinned, because the table changes after the first check
     * of the method. */
    OWNED_RIG(dataset, .vertices = 30, .joints = 5, .influences = 3, .frames = 2, .angle = 0.3, .seed = 71);
    SkinningEntry entry = *skinning_entry_find("dib");
    SkinningMethod method = *entry.method;
    entry.method = &method;
    SkinnerOptions options = {
        .entry = &entry, .parameters = parameters_default(method.parameters), .threads = 2};
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    assert_ok(skinner_skin(skinner));
    method.parameters = NULL;
    assert_refused(STATUS_CHECK_FAILED, "method dib: its kernel reads a value that does not exist (parameter",
                   skinner_skin(skinner));
}

TEST(a_variant_that_the_kernel_has_not)
{
    variant = 3;
    assert_refused(STATUS_USAGE, "method lbs: joint set 0 has variant 3, but variant_count is 0",
                   run_writing(PER_JOINT, PER_SET, PER_VERTEX));
    variant = 0;
}

/* A method for rigid transformations need not check them itself. It must never receive transformations with
 * a scale. */
TEST(affine_transformations_of_a_rigid_method)
{
    OWNED_RIG(dataset, .vertices = 30, .joints = 5, .influences = 3, .frames = 11, .angle = 0.3, .seed = 71);
    SkinningEntry entry = *skinning_entry_find("lbs");
    SkinningMethod method = *entry.method;
    SkinnerOptions options = {.entry = &entry};
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    entry.method = &method;
    method.rigid_only = true;
    assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    dataset->rig.transforms[5 + 2].m00 *= 1.01;
    assert_bad_input("frame 1, joint 2 is not rigid: its matrix is",
                     skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    skinner_free(skinner);
    /* Tests a frame that is posed together with several other frames. */
    options.entry = skinning_entry_find("sbs");
    assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
    assert_bad_input("frame 1, joint 2 is not rigid: its matrix is",
                     skinner_pose(skinner, dataset->rig.transforms, NULL, 11));
    dataset->rig.transforms[5 + 2].m00 /= 1.01;
    assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, 11));
}

/* A method can have a first phase only if its palette consists of matrices, because only matrices can be
 * blended there. */
TEST(a_first_phase_that_is_none)
{
    OWNED_RIG(dataset, .vertices = 30, .joints = 5, .influences = 3, .frames = 2, .angle = 0.3, .seed = 71);
    Skinner *skinner = NULL;
    SkinnerOptions options = {
        .entry = skinning_entry_find("lbs"), .first_phase = skinning_entry_find("dqs"), .two_phase = true};
    assert_refused(STATUS_USAGE, "method dqs cannot blend the first of two phases",
                   skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
}

TEST(tables_that_are_not_in_order)
{
    static const char *const words[] = {"one", "two", NULL};
    static const Parameter twice[3] = {{"p", "m", PARAMETER_FLAG, 0, 0, 0, NULL},
                                       {"p", "m", PARAMETER_FLAG, 0, 0, 0, NULL}};
    static const Parameter high[2] = {{"p", "m", PARAMETER_REAL, 2.0, 0.0, 1.0, NULL}};
    static const Parameter word[2] = {{"p", "m", PARAMETER_CHOICE, 2.0, 0.0, 0.0, words}};
    static const Parameter wordless[2] = {{"p", "m", PARAMETER_CHOICE, 0.0, 0.0, 0.0, NULL}};
    static const Parameter whole[2] = {{"p", "m", PARAMETER_INTEGER, 0.5, 0.0, 1.0, NULL}};
    static const Parameter loud[2] = {{"P", "m", PARAMETER_FLAG, 0, 0, 0, NULL}};
    static const Parameter mute[2] = {{"p", "", PARAMETER_FLAG, 0, 0, 0, NULL}};
    static Parameter many[PARAMETERS_MAX + 2];
    for (int i = 0; i <= PARAMETERS_MAX; i++)
        many[i].name = "p";
    static const SkinningCounter counter[] = {{"c", "counted"}};
#define AUTHOR(...)                                                                                          \
    {                                                                                                        \
        .name = "lbs", .title = "t", .citation = "c", .floats_per_joint = PER_JOINT, .tolerance = 1e-5,      \
        .pose = author_pose, __VA_ARGS__                                                                     \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
    const struct {
        const char *message;
        SkinningMethod method;
    } cases[] = {
        {"method lbs: its table has no pose stage", AUTHOR(.pose = NULL)},
        {"method 'LBS': its name must consist of lower-case letters, digits and -", AUTHOR(.name = "LBS")},
        {"method '': its name must consist of lower-case letters", AUTHOR(.name = NULL)},
        {"method lbs: its table is named 'dqs'; the two names must be the same", AUTHOR(.name = "dqs")},
        {"method lbs: its table has no title or no citation", AUTHOR(.citation = NULL)},
        {"method lbs: its floats_per_set is -1, expected 0 to", AUTHOR(.floats_per_set = -1)},
        {"method lbs: its variant_count is 9, expected 0 to 5", AUTHOR(.variant_count = 9)},
        {"method lbs: its table has 2 variants, but its kernel has 1", AUTHOR(.variant_count = 2)},
        {"no bind stage to fill them", AUTHOR(.floats_per_vertex = 3)},
        {"method lbs: its tolerance is 0.5, expected more than 0 and at most 0.0001",
         AUTHOR(.tolerance = 0.5)},
        {"method lbs: its tolerance is 0, expected", AUTHOR(.tolerance = 0.0)},
        {"lbs: two parameters are named 'p'", AUTHOR(.parameters = twice)},
        {"lbs: parameter p has the default 2, which is not an allowed value", AUTHOR(.parameters = high)},
        {"lbs: parameter p has the default 2, which is not an allowed value", AUTHOR(.parameters = word)},
        {"lbs: parameter p has the default 0.5, which is not an allowed value", AUTHOR(.parameters = whole)},
        {"lbs: parameter p has no words to choose from", AUTHOR(.parameters = wordless)},
        {"lbs: the name of parameter 0, 'P', must consist of lower-case letters", AUTHOR(.parameters = loud)},
        {"lbs: parameter p has no explanation", AUTHOR(.parameters = mute)},
        {"lbs: its table has 33 parameters, expected 0 to 32", AUTHOR(.parameters = many)},
        {"method lbs: the number of its counters is 9, expected 0 to 8", AUTHOR(.counter_count = 9)},
        {"method lbs: its table lacks the rows of its counters, or the function that fills them in",
         AUTHOR(.counters = counter, .counter_count = 1)}};
#pragma GCC diagnostic pop
    written_per_joint = PER_JOINT;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(STATUS_USAGE, cases[i].message, run(&cases[i].method));
}

static Status never_fit(UNUSED const DecompositionInput *input, UNUSED const DecompositionOptions *options,
                        UNUSED DecompositionResult *result)
{
    return status_ok();
}

TEST(decomposition_tables)
{
    DecompositionMethod method = {.name = "mine", .title = "t", .citation = "c", .fit = never_fit};
    assert_ok(decomposition_method_check(&method, "mine"));
    assert_refused(STATUS_USAGE, "method theirs: its table is named 'mine'; the two names must be the same",
                   decomposition_method_check(&method, "theirs"));
    const Parameter bones[2] = {{"bones", "another meaning", PARAMETER_FLAG, 0, 0, 0, NULL}};
    method.parameters = bones;
    assert_refused(STATUS_USAGE, "the parameter 'bones' has the name of an option that every fit has",
                   decomposition_method_check(&method, "mine"));
    method.fit = NULL;
    assert_refused(STATUS_USAGE, "method mine: its table has no function `fit`",
                   decomposition_method_check(&method, "mine"));
    method.title = "";
    assert_refused(STATUS_USAGE, "method mine: its table has no title",
                   decomposition_method_check(&method, "mine"));
    method.name = "my method";
    assert_refused(STATUS_USAGE, "method 'my method': its name must consist of",
                   decomposition_method_check(&method, "mine"));
}

TEST(every_method_is_in_order)
{
    assert_ok(registry_check());
    for (int i = 0; i < skinning_entry_count(); i++) {
        OWNED_RIG(dataset, .vertices = 40, .joints = 5, .influences = 2, .frames = 2, .angle = 0.3,
                  .seed = 72);
        SkinnerOptions options = {.entry = skinning_entry_at(i), .check_outputs = true, .normals = true};
        const SkinningMethod *method = options.entry->method;
        options.parameters = parameters_default(method->parameters);
        OWNED_BY(skinner_free) Skinner *skinner = NULL;
        assert_ok(skinner_create(&options, &dataset->mesh, &dataset->rig, &skinner));
        assert_ok(skinner_pose(skinner, dataset->rig.transforms, NULL, 2));
    }
}
