/* skinbench weights ACTION FILE -o OUT: changes the weights of a rig. */
#include "harness/commands/commands.h"

#include "datasets/geometry/points.h"
#include "datasets/model/compact_weights.h"
#include "datasets/rigging/binding.h"
#include "datasets/rigging/transfer.h"
#include "harness/records/files/record_json.h"
#include "harness/run/peers/external.h"

const CommandOption weights_options[] = {
    {"influences", "K",
     "prune, bone-heat, falloff, predict, transfer: number of largest weights to keep per vertex (default "
     "4)"},
    {"external", "NAME|PROGRAM.json",
     "predict: program that predicts the weights of the joints, or joints and weights "
     "(packaging/external/README.md)"},
    {"skeleton", "FILE",
     "bone-heat, falloff: use joints and motion of this file's rig instead of FILE's own"},
    {"order", "joint-sets|original",
     "sort the vertices by joint set, which skins fastest, or restore the original order; the file "
     "always stores the original order, which measure and export use"},
    {"bits", "N", "quantise: round weights to multiples of 1 / (2^N - 1), N from 1 to 16 (default 8)"},
    {"output", "FILE", "the data set file to write"},
    {NULL, NULL, NULL},
};

enum { ACTION_OPTIONS_MAX = 2 };

/* An action on weights. In addition, every kind of binding (binding.h) is an action. */
typedef struct WeightsAction {
    const char *name;
    const char *options[ACTION_OPTIONS_MAX]; /* options that the action reads, besides --output and --order */
    /* Changes a data set that has a rig. *text is printed after the file is written; release with free. */
    Status (*change)(const CommandLine *line, Dataset *dataset, char **text);
} WeightsAction;

static Status prune_change(const CommandLine *line, Dataset *dataset, char **text)
{
    int influences = 0;
    (void)text;
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences));
    return rig_prune(&dataset->rig, dataset->mesh.vertex_count, influences);
}

static Status quantise_change(const CommandLine *line, Dataset *dataset, char **text)
{
    int bits = 0;
    SkinDistance cost;
    STATUS_TRY(command_line_integer(line, "bits", 8, 1, QUANTISE_BITS_MAX, &bits));
    STATUS_TRY(rig_quantise(&dataset->rig, &dataset->mesh, bits, &line->progress, &cost));
    const int32_t *originals = dataset->mesh.original_vertices;
    const int vertex = originals ? originals[cost.vertex] : cost.vertex;
    const double diagonal = bounds_of(dataset->mesh.rest, dataset->mesh.vertex_count).diagonal;
    const double share = diagonal > 0.0 ? 100.0 / diagonal : 0.0;
    if (line->json)
        return output_json_line(json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:i, s:i}", "bits", bits, "frames",
                                          dataset->rig.frame_count, "greatest", cost.max, "greatest_percent",
                                          share * cost.max, "rms", cost.rms, "rms_percent", share * cost.rms,
                                          "frame", cost.frame, "vertex", vertex),
                                text);
    const size_t SIZE = 256;
    *text = memory_for_library(SIZE);
    ALLOCATED(*text, "the output");
    snprintf(*text, SIZE,
             "%d bits, linear blend over %d frames: largest distance %.6g (%.4g %% of the diagonal, vertex "
             "%d, frame %d), rms %.6g (%.4g %%)",
             bits, dataset->rig.frame_count, cost.max, share * cost.max, vertex, cost.frame, cost.rms,
             share * cost.rms);
    return status_ok();
}

static Status bind_change(const CommandLine *line, Dataset *dataset, char **text)
{
    const Binding *binding = binding_find(command_line_argument(line, 0));
    CLEANUP(rig_bones_clear) RigBones bones = {NULL, 0};
    ParameterValues values;
    int influences = 0;
    (void)text;
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences));
    STATUS_TRY(command_line_parameters(line, binding->parameters, binding->name, &values));
    STATUS_TRY(rig_bones_init(&dataset->rig, &dataset->mesh, &bones));
    return rig_bind_to_bones(binding, values.values, &dataset->mesh, &bones, influences, &line->progress,
                             &dataset->rig);
}

/* Takes the rig of `from` with its frames. Clips and frame rate go with them, unless the file has an
 * animation of its own. */
static void rig_take(Dataset *dataset, Dataset *from)
{
    rig_clear(&dataset->rig);
    dataset->rig = from->rig;
    from->rig = (Rig){0};
    if (dataset->animation.frame_count > 0)
        return;
    clips_clear(&dataset->clips);
    dataset->clips = from->clips;
    from->clips = (Clips){0};
    dataset->fps = from->fps;
}

/* Lets an external program predict weights for the joints, or a whole rig. */
static Status predict_change(const CommandLine *line, Dataset *dataset, char **text)
{
    OWNED External *program = NULL;
    OWNED_BY(dataset_free) Dataset *made = NULL;
    const char *name = NULL;
    ExternalTask task = {
        .data = dataset, .bones = EXTERNAL_BONES_MAX, .threads = 1, .seed = 1, .progress = &line->progress};
    STATUS_TRY(command_line_required(line, "external", &name));
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &task.influences));
    STATUS_TRY(external_read(name, &program));
    if (program->kind != EXTERNAL_WEIGHTS && program->kind != EXTERNAL_RIG)
        return bad_usage("the program %s is of the kind '%s', but predictions need 'weights' or 'rig'",
                         program->name, external_kind_names[program->kind]);
    if (program->kind == EXTERNAL_WEIGHTS && dataset->rig.joint_count == 0)
        return bad_input("%s: has no rig, whose joints %s needs", command_line_argument(line, 1),
                         program->name);
    STATUS_TRY(external_run(program, &task, &made));
    if (line->json)
        STATUS_TRY(output_json_line(external_facts_to_json(&program->facts), text));
    if (program->kind == EXTERNAL_WEIGHTS) {
        rig_weights_replace(&dataset->rig, made->rig.influence_count, made->rig.weight_joints,
                            made->rig.weight_values);
        made->rig.weight_joints = NULL;
        made->rig.weight_values = NULL;
        return status_ok();
    }
    rig_take(dataset, made);
    return status_ok();
}

/* Takes the joints of the rig that argument 1 names, with weights for the mesh. */
static Status transfer_change(const CommandLine *line, Dataset *dataset, char **text)
{
    OWNED_BY(dataset_free) Dataset *from = NULL;
    ParameterValues values;
    TransferCounts counts;
    const char *path = command_line_argument(line, 1);
    int influences = 0;
    STATUS_TRY(command_line_integer(line, "influences", 4, 1, STORE_INFLUENCES_MAX, &influences));
    STATUS_TRY(command_line_parameters(line, transfer_parameters, "transfer", &values));
    STATUS_TRY(dataset_load_any(path, NULL, &line->progress, &from));
    if (dataset->low_rank.rank > 0)
        return bad_input("%s: has a low-rank model, which belongs to its rig",
                         command_line_argument(line, 2));
    STATUS_TRY(status_in(
        path, weights_transfer(from, values.values, influences, &line->progress, dataset, &counts)));
    if (line->json)
        return output_json_line(json_pack("{s:i, s:i, s:i}", "matched", counts.matched, "inpainted",
                                          counts.inpainted, "unmatched", counts.unmatched),
                                text);
    const size_t SIZE = 256;
    ALLOCATED(*text = memory_for_library(SIZE), "the output");
    snprintf(*text, SIZE, "%d places matched, %d inpainted, %d in pieces without a match", counts.matched,
             counts.inpainted, counts.unmatched);
    return status_ok();
}

static Status keep_change(const CommandLine *line, Dataset *dataset, char **text)
{
    (void)dataset;
    (void)text;
    return command_line_value(line, "order") ? status_ok()
                                             : bad_usage("weights keep does nothing without --order");
}

static const WeightsAction actions[] = {
    {"keep", {NULL}, keep_change},
    {"predict", {"external", "influences"}, predict_change},
    {"transfer", {"influences"}, transfer_change},
    {"prune", {"influences"}, prune_change},
    {"quantise", {"bits"}, quantise_change},
};
static const WeightsAction bind_action = {"bind", {"influences", "skeleton"}, bind_change};

Status weights_run(const CommandLine *line)
{
    VertexOrdering ordering = NULL;
    const bool transfers = strcmp(command_line_argument(line, 0), "transfer") == 0;
    const char *input = command_line_argument(line, transfers ? 2 : 1), *output = NULL;
    const WeightsAction *action = NULL;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(free) char *text = NULL;
    /* find the action and the options that it reads */
    const char *name = command_line_argument(line, 0);
    char names[128] = "";
    action = binding_find(name) ? &bind_action : NULL;
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (strcmp(actions[i].name, name) == 0)
            action = &actions[i];
        text_append(names, sizeof names, "%s%s", i ? ", " : "", actions[i].name);
    }
    for (const Binding *const *row = bindings; *row; row++)
        text_append(names, sizeof names, ", %s", (*row)->name);
    if (!action)
        return bad_usage("weights has no action '%s', expected %s", name, names);
    if (line->argument_count != (transfers ? 3 : 2))
        return bad_usage("weights %s takes %s", name, transfers ? "two files, FROM and TO" : "one file");
    /* refuse options that the action does not read */
    for (const CommandOption *row = weights_options; row->name; row++) {
        bool read = strcmp(row->name, "output") == 0 || strcmp(row->name, "order") == 0;
        for (int i = 0; i < ACTION_OPTIONS_MAX && action->options[i]; i++)
            read = read || strcmp(row->name, action->options[i]) == 0;
        if (!read && command_line_flag(line, row->name))
            return bad_usage("weights %s takes no --%s", command_line_argument(line, 0), row->name);
    }
    /* change the weights and write */
    STATUS_TRY(vertex_ordering_named(command_line_value(line, "order"), &ordering));
    STATUS_TRY(command_line_output(line, &output));
    STATUS_TRY(dataset_load(input, &line->progress, &dataset));
    if (action == &bind_action && command_line_value(line, "skeleton")) {
        const char *path = command_line_value(line, "skeleton");
        OWNED_BY(dataset_free) Dataset *other = NULL;
        STATUS_TRY(dataset_load(path, &line->progress, &other));
        if (other->rig.joint_count == 0)
            return bad_input("%s: has no rig", path);
        if (dataset->low_rank.rank > 0)
            return bad_input("%s: the weights cannot use another skeleton, because the file's low-rank model "
                             "belongs to this one",
                             command_line_argument(line, 1));
        rig_take(dataset, other);
        rig_weights_replace(&dataset->rig, 0, NULL, NULL);
    }
    if (dataset->rig.joint_count == 0 && action->change != predict_change && !transfers)
        return bad_input("%s: has no rig", input);
    STATUS_TRY(action->change(line, dataset, &text));
    if (ordering)
        STATUS_TRY(ordering(dataset));
    STATUS_TRY(dataset_write(dataset, output));
    if (text)
        puts(text);
    return status_ok();
}
