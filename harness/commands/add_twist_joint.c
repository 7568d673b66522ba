/* skinbench add-twist-joint FILE --joint NAME -o OUT: adds a joint between the two ends of a bone and
 * splits the weights of the bone between the old and the new joint, so that the skin follows a twist along
 * the bone. */
#include "harness/commands/commands.h"

#include "datasets/base/nearest_name.h"
#include "datasets/model/twist_joint.h"
#include "harness/commands/name_list.h"

const CommandOption add_twist_joint_options[] = {
    {"joint", "NAME", "the joint where the bone starts"},
    {"end", "NAME", "the child joint where the bone ends (needed if there are several)"},
    {"at", "start|end", "end of the bone whose twist is spread along it: start or end (default: end)"},
    {"share", "S", "fraction of the twist that is spread, 0 to 1 (default: 1)"},
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

static Status joint_named(const Rig *rig, const char *path, const char *name, int *joint)
{
    NearestName nearest = {.given = name};
    char known[384] = "";
    *joint = rig_joint_find(rig, name);
    if (*joint >= 0)
        return status_ok();
    for (int j = 0; j < rig->joint_count; j++) {
        const char *other = rig->joint_names[j] ? rig->joint_names[j] : "";
        nearest_name_add_candidate(&nearest, other);
        if (strlen(known) < 256)
            text_append(known, sizeof known, "%s%s", j > 0 ? ", " : "", other);
    }
    return nearest_name_suggest(&nearest, bad_usage("%s: has no joint '%s'; it has %s%s", path, name, known,
                                                    strlen(known) < 256 ? "" : " and more"));
}

Status add_twist_joint_run(const CommandLine *line)
{
    const char *input = command_line_argument(line, 0), *joint = NULL, *output = NULL;
    const char *end = command_line_value(line, "end");
    int side = 1;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    TwistJointPlan plan = {.end = -1};
    STATUS_TRY(option_choice(line, "at", &side));
    plan.at_start = side == 0;
    STATUS_TRY(command_line_required(line, "joint", &joint));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_real(line, "share", 1.0, 0.0, 1.0, &plan.share));
    STATUS_TRY(dataset_load(input, &line->progress, &dataset));
    STATUS_TRY(joint_named(&dataset->rig, input, joint, &plan.joint));
    if (end)
        STATUS_TRY(joint_named(&dataset->rig, input, end, &plan.end));
    STATUS_TRY(rig_add_twist_joint(&dataset->rig, &dataset->mesh, &plan));
    /* The animation was made with the old rig and does not belong to the new one. */
    animation_clear(&dataset->animation);
    return dataset_write(dataset, output);
}
