/* skinbench identify RIG POSITIONS: says how an engine skinned. */
#include "harness/commands/commands.h"

#include "datasets/model/vertex_order.h"
#include "harness/run/identify/conformance.h"

const CommandOption identify_options[] = {
    {"normals", "FILE", "the engine's normals of all frames, in any format for positions, such as .npy"},
    {"pack", "FOLDER",
     "judge the folder RESULTS, which has a file for each case, by a pack that `skinbench conformance` "
     "wrote"},
    {"method", "lbs|dqs", "with --pack: the method that the engine should use; default: any"},
    {NULL, NULL, NULL},
};

enum { SHOWN_MAX = 6 };

/* Reads positions or normals of all frames, in any format that can be imported. */
static Status frames_read(const CommandLine *line, const char *path, const Dataset *rig, Dataset **out)
{
    STATUS_TRY(dataset_load_any(path, NULL, &line->progress, out));
    STATUS_TRY(dataset_order_restore(*out));
    if ((*out)->animation.frame_count == 0)
        return bad_input("%s: has no positions of frames; a rig must be baked first", path);
    if (rig->rig.frame_count == 0)
        return bad_input("%s: is for a rig with frames, but the rig has none, or moves its morph targets, "
                         "which only --pack judges",
                         path);
    if ((*out)->mesh.vertex_count != rig->mesh.vertex_count ||
        (*out)->animation.frame_count != rig->rig.frame_count)
        return bad_input("%s: has %d vertices in %d frames, but the rig has %d vertices in %d frames", path,
                         (*out)->mesh.vertex_count, (*out)->animation.frame_count, rig->mesh.vertex_count,
                         rig->rig.frame_count);
    return status_ok();
}

static const char *joint_of(const Dataset *rig, int joint)
{
    return joint >= 0 && rig->rig.joint_names[joint] ? rig->rig.joint_names[joint] : "";
}

static Status json_print(const Dataset *rig, const Identification *found)
{
    json_auto_t *variants = json_array();
    for (int i = 0; i < found->count; i++) {
        const IdentifyVariant *variant = &found->variants[i];
        const Parameter *rows = variant->entry->method->parameters;
        json_t *row =
            json_pack("{s:s, s:b, s:b, s:i, s:i, s:f, s:f, s:b}", "method", variant->entry->method->name,
                      "two_phase", variant->two_phase, "influences_by_joint", variant->by_joint, "influences",
                      variant->influences, "bits", variant->bits, "distance_max", variant->max,
                      "distance_rms", variant->rms, "matches", variant->max <= found->tolerance);
        if (variant->hemisphere_row >= 0)
            json_set(row, "hemisphere",
                     json_string(parameter_word(&rows[variant->hemisphere_row],
                                                (int)variant->parameters.values[variant->hemisphere_row])));
        json_array_append_new(variants, row);
    }
    json_t *object = json_pack("{s:b, s:i, s:i, s:f, s:O}", "identified", found->matches > 0, "matches",
                               found->matches, "frames_compared", found->frames_compared, "tolerance",
                               found->tolerance, "variants", variants);
    if (found->matches == 0) {
        const IdentifyVariant *departing = &found->variants[found->departing];
        json_set(object, "departure",
                 json_pack("{s:i, s:i, s:o, s:s, s:o}", "frame", departing->frame, "vertex",
                           departing->vertex, "joint", json_text(joint_of(rig, found->joint)), "looks_like",
                           departing->entry->method->name, "looks", json_text(found->looks)));
    }
    if (!isnan(found->normal_max_degrees))
        json_set(object, "normals",
                 json_pack("{s:f, s:s}", "angle_max_degrees", found->normal_max_degrees, "looks",
                           found->normal_looks));
    return output_json(object);
}

static void text_print(const Dataset *rig, const Identification *found)
{
    char text[256];
    int shown = 0, same = 0;
    for (int i = 0; i < found->count && (i < found->matches || shown < SHOWN_MAX); i++) {
        const IdentifyVariant *variant = &found->variants[i];
        /* hemisphere policies differ only if a joint turns far */
        same = i > 0 && variant->entry == variant[-1].entry && variant->max == variant[-1].max &&
                       variant->influences == variant[-1].influences && variant->bits == variant[-1].bits &&
                       variant->two_phase == variant[-1].two_phase
                   ? same + 1
                   : 0;
        if (same > 1)
            continue;
        if (same == 1) {
            terminal_print("         other hemisphere policies and orders give the same positions\n");
            continue;
        }
        shown++;
        identify_variant_format(variant, text, sizeof text);
        terminal_print("%-8s %-60s largest distance %.3g, rms %.3g of the diagonal\n",
                       variant->max <= found->tolerance ? "is"
                       : i == 0                         ? "nearest"
                                                        : "",
                       text, variant->max, variant->rms);
    }
    if (found->matches == 0) {
        const IdentifyVariant *departing = &found->variants[found->departing];
        identify_variant_format(departing, text, sizeof text);
        terminal_print("%s departs first in frame %d at vertex %d, whose heaviest joint is %s\n", text,
                       departing->frame, departing->vertex, joint_of(rig, found->joint));
        if (found->looks[0])
            terminal_print("it looks like %s, except that %s\n", departing->entry->method->name,
                           found->looks);
    } else if (found->matches > 1) {
        terminal_print("%d variants cannot be told apart on this rig\n", found->matches);
    }
    if (!isnan(found->normal_max_degrees))
        terminal_print("normals: largest angle %.3g degrees; %s\n", found->normal_max_degrees,
                       found->normal_looks);
}

/* Prints the cause that most of the failed cases share, if several do. */
static void common_cause_print(const ConformanceVerdict *verdicts, int count)
{
    int most = 1, failed = 0;
    const char *cause = NULL;
    for (int i = 0; i < count; i++) {
        int same = 0;
        failed += !verdicts[i].passed;
        for (int k = 0; k < count && verdicts[i].cause[0]; k++)
            same += strcmp(verdicts[k].cause, verdicts[i].cause) == 0;
        if (same > most) {
            most = same;
            cause = verdicts[i].cause;
        }
    }
    if (cause)
        terminal_print("%d of the %d failed cases: %s\n", most, failed, cause);
}

/* Prints the verdicts of a pack. */
static Status pack_judge(const CommandLine *line, const char *pack)
{
    OWNED ConformanceVerdict *verdicts = NULL;
    json_auto_t *cases = json_array();
    int count = 0, passed = 0;
    const ConformanceTask task = {.pack = pack,
                                  .results = command_line_argument(line, 0),
                                  .method = command_line_value(line, "method"),
                                  .threads = line->threads,
                                  .progress = &line->progress};
    STATUS_TRY(conformance_judge(&task, &verdicts, &count));
    for (int i = 0; i < count; i++) {
        const ConformanceVerdict *verdict = &verdicts[i];
        passed += verdict->passed;
        json_array_append_new(cases,
                              json_pack("{s:s, s:b, s:s, s:o, s:o, s:o}", "case", verdict->name, "passed",
                                        verdict->passed, "method", verdict->method, "distance",
                                        json_number_or_null(verdict->distance), "angle_max_degrees",
                                        json_number_or_null(verdict->angle_degrees), "reason",
                                        json_text(verdict->reason)));
        if (line->json)
            continue;
        terminal_print("%-6s %-18s", verdict->passed ? "passes" : "FAILS", verdict->name);
        if (verdict->method[0])
            terminal_print(" %-24s distance %-8.2g", verdict->method, verdict->distance);
        if (!isnan(verdict->angle_degrees))
            terminal_print(" normals %.2g degrees", verdict->angle_degrees);
        terminal_print(" %s\n", verdict->reason);
    }
    if (line->json)
        STATUS_TRY(output_json(json_pack("{s:i, s:i, s:i, s:O}", "version", CONFORMANCE_VERSION, "passed",
                                         passed, "count", count, "cases", cases)));
    else {
        common_cause_print(verdicts, count);
        terminal_print("%d of %d cases pass\n", passed, count);
    }
    return passed == count && count > 0 ? status_ok()
                                        : status_make(STATUS_CHECK_FAILED, "%s: %d of %d cases fail",
                                                      task.results, count - passed, count);
}

Status identify_command_run(const CommandLine *line)
{
    const char *pack = command_line_value(line, "pack");
    if (line->argument_count != (pack ? 1 : 2))
        return bad_usage(pack ? "--pack takes one folder of results" : "expected RIG and POSITIONS");
    if (pack ? command_line_value(line, "normals") != NULL : command_line_value(line, "method") != NULL)
        return bad_usage(pack ? "--pack reads normals from RESULTS" : "--method is for --pack");
    if (pack)
        return pack_judge(line, pack);
    OWNED_BY(dataset_free) Dataset *rig = NULL, *positions = NULL, *normals = NULL;
    OWNED Identification *found = NULL;
    const char *normals_path = command_line_value(line, "normals");
    STATUS_TRY(dataset_load_any(command_line_argument(line, 0), NULL, &line->progress, &rig));
    STATUS_TRY(dataset_order_restore(rig));
    STATUS_TRY(frames_read(line, command_line_argument(line, 1), rig, &positions));
    if (normals_path)
        STATUS_TRY(frames_read(line, normals_path, rig, &normals));
    ALLOCATE(found, 1, "what was identified");
    const IdentifyTask task = {.rig = rig,
                               .positions = positions->animation.positions,
                               .normals = normals ? normals->animation.positions : NULL,
                               .threads = line->threads,
                               .progress = &line->progress};
    STATUS_TRY(status_in(command_line_argument(line, 0), identify_run(&task, found)));
    if (line->json)
        STATUS_TRY(json_print(rig, found));
    else
        text_print(rig, found);
    return found->matches > 0 ? status_ok()
                              : status_make(STATUS_CHECK_FAILED, "%s: no method gives these positions",
                                            command_line_argument(line, 1));
}
