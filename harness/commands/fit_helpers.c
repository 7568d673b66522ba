/* skinbench fit RIG --method helper-joints --bones H -o OUT: adds joints to a rig so that linear blending
 * resembles a more expensive method. */
#include "harness/commands/commands.h"

#include "harness/run/fit/helper_joints.h"
#include "methods/registry.h"

enum { TARGET, MODEL, POSES, PARAMETER_COUNT };
static const char *const targets[] = {"dqs",
                                      "cor",
                                      "direct-delta-mush",
                                      "delta-mush",
                                      "bulging-free-dqs",
                                      "file",
                                      "sbs",
                                      "sbs-spherical-average",
                                      "dib",
                                      "qb",
                                      "log-matrix",
                                      "sclerp",
                                      NULL};
static const char *const models[] = {"linear", "quadratic", NULL};
const Parameter helper_joint_parameters[PARAMETER_COUNT + 1] = {
    [TARGET] = {"target", "the method whose shapes lbs imitates, or `file` for the shapes stored in FILE",
                PARAMETER_CHOICE, 0, 0, 0, targets},
    [MODEL] = {"model", "how the motion of a helper joint depends on the rotation of a joint",
               PARAMETER_CHOICE, 1, 0, 0, models},
    [POSES] = {"poses", "number of poses sampled for the fit; the same number of other poses is held out",
               PARAMETER_INTEGER, 192, 4, 4096, NULL},
};

static json_t *errors_json(const HelperErrors *errors)
{
    return json_pack("{s:f, s:f}", "lbs", errors->before, "with_helpers", errors->after);
}

static json_t *rows_json(const double rows[3][HELPER_FEATURES], int count)
{
    json_t *out = json_array();
    for (int row = 0; row < 3; row++) {
        json_t *numbers = json_array();
        for (int i = 0; i < count; i++)
            json_array_append_new(numbers, json_real(rows[row][i]));
        json_array_append_new(out, numbers);
    }
    return out;
}

static void helper_errors_print(const char *part, const HelperErrors *errors)
{
    terminal_print("  %-22s %.6g, with lbs alone %.6g (%.1f %% of that)\n", part, errors->after,
                   errors->before, errors->before > 0.0 ? 100.0 * errors->after / errors->before : 0.0);
}

Status helper_joints_run(const CommandLine *line)
{
    const char *output = NULL;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(free) char *json = NULL;
    HelperFit fit = {.count = 0};
    ParameterValues values;
    HelperOptions options = {.threads = line->threads, .progress = &line->progress};
    int seed = 1;
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(command_line_parameters(line, helper_joint_parameters, "helper-joints", &values));
    STATUS_TRY(command_line_integer(line, "bones", 8, 1, HELPERS_MAX, &options.helpers));
    STATUS_TRY(command_line_integer(line, "seed", 1, 0, 1 << 30, &seed));
    const char *target = targets[(int)values.values[TARGET]];
    const bool file = strcmp(target, "file") == 0;
    if (!file)
        STATUS_TRY(skinning_entry_named(target, &options.target));
    options.quadratic = values.values[MODEL] != 0.0;
    options.poses = (int)values.values[POSES];
    options.seed = (uint64_t)seed;
    STATUS_TRY(dataset_load(command_line_argument(line, 0), &line->progress, &dataset));
    options.shapes = file ? dataset->animation.positions : NULL;
    if (file && (!options.shapes || dataset->animation.frame_count != dataset->rig.frame_count))
        return status_in(command_line_argument(line, 0),
                         bad_input("has no skinned shape for each of its frames"));
    const Status status = status_in(command_line_argument(line, 0),
                                    helper_joints_fit(&dataset->mesh, &dataset->rig, &options, &fit));
    CLEANUP(rig_clear) Rig old = dataset->rig;
    dataset->rig = fit.rig;
    if (status.code != STATUS_OK) {
        rig_clear(&dataset->rig);
        return status;
    }
    /* the animation was made with the old rig and does not belong to the new one */
    animation_clear(&dataset->animation);
    if (line->json) {
        json_t *helpers = json_array();
        const int count = options.quadratic ? HELPER_FEATURES : 3;
        for (int k = 0; k < fit.count; k++) {
            const HelperModel *model = &fit.models[k];
            json_array_append_new(
                helpers, json_pack("{s:o, s:i, s:[f, f, f], s:o, s:o}", "joint",
                                   json_text(fit.rig.joint_names[model->joint]), "vertices", model->vertices,
                                   "center", model->center.x, model->center.y, model->center.z, "turn",
                                   rows_json(model->turn, count), "move", rows_json(model->move, count)));
        }
        STATUS_TRY(output_json_line(json_pack("{s:o, s:s, s:s, s:o, s:o, s:o, s:o}", "input",
                                              json_text(command_line_argument(line, 0)), "method",
                                              "helper-joints", "target", target, "fitted",
                                              errors_json(&fit.fitted), "held_out", errors_json(&fit.held),
                                              "own_frames", errors_json(&fit.own), "helpers", helpers),
                                    &json));
    }
    STATUS_TRY(dataset_write(dataset, output));
    if (json) {
        puts(json);
        return status_ok();
    }
    terminal_print("%d helper joints, root mean square distance from %s:\n", fit.count, target);
    helper_errors_print("poses fitted to", &fit.fitted);
    helper_errors_print("samples held out", &fit.held);
    helper_errors_print("frames held out", &fit.own);
    for (int h = 0; h < fit.count; h++)
        terminal_print("  %-22s %d vertices\n", fit.rig.joint_names[dataset->rig.joint_count - fit.count + h],
                       fit.models[h].vertices);
    terminal_print("  written to             %s\n", output);
    return status_ok();
}
