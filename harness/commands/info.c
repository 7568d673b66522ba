/* skinbench info FILE: prints the contents of a data set file. */
#include "harness/commands/commands.h"

#include "datasets/geometry/enclosing_ball.h"
#include "datasets/geometry/points.h"
#include "datasets/io/sha256.h"
#include "datasets/model/joint_sets.h"

/* All facts about a file that the command prints. */
typedef struct Info {
    const char *path;
    char sha256[65];
    const Dataset *header;
    RigStatistics rig;
    Bounds rest;
    double first_frame_radius; /* radius of the smallest ball around the first frame; 0 if there is no
                                  animation */
} Info;

static Status radius_find(DatasetReader *reader, Info *info)
{
    int vertices = info->header->mesh.vertex_count;
    if (info->header->animation.frame_count == 0 || vertices == 0)
        return status_ok();
    LOCAL_TABLE(float, positions, vertices, 3, "a frame");
    Ball ball = {{0.0}, 0.0};
    STATUS_TRY(dataset_read_frames(reader, 0, 1, positions));
    STATUS_TRY(enclosing_ball(positions, vertices, &ball));
    info->first_frame_radius = ball.radius;
    return status_ok();
}

static json_t *info_rig_json(const Info *info)
{
    const Rig *rig = &info->header->rig;
    if (rig->joint_count == 0)
        return json_null();
    json_t *histogram = json_array();
    for (int i = 0; i < INFLUENCE_HISTOGRAM_SIZE; i++)
        json_array_append_new(histogram, json_integer(info->rig.histogram[i]));
    return json_pack("{s:i, s:i, s:i, s:b, s:i, s:i, s:f, s:o, s:i, s:i}", "joints", rig->joint_count,
                     "joints_used", info->rig.joints_used, "frames", rig->frame_count, "scale",
                     rig->scale != NULL, "influence_slots", rig->influence_count, "most_influences",
                     info->rig.most_influences, "mean_influences", info->rig.mean_influences,
                     "influence_histogram", histogram, "joint_sets", info->rig.joint_sets,
                     "joint_sets_blended", info->rig.joint_sets_blended);
}

/* Finds the smallest and largest value of an attribute. Both are 0 if there are no vertices. */
static void attribute_range(const Mesh *mesh, int attribute, double *low, double *high)
{
    const float *values = mesh->attributes + (ptrdiff_t)attribute * mesh->vertex_count;
    *low = *high = mesh->vertex_count > 0 ? (double)values[0] : 0.0;
    for (int v = 1; v < mesh->vertex_count; v++) {
        *low = fmin(*low, (double)values[v]);
        *high = fmax(*high, (double)values[v]);
    }
}

static json_t *info_attributes_json(const Mesh *mesh)
{
    json_t *list = json_array();
    for (int i = 0; i < mesh->attribute_count; i++) {
        double low, high;
        attribute_range(mesh, i, &low, &high);
        json_array_append_new(list, json_pack("{s:o, s:f, s:f}", "name", json_text(mesh->attribute_names[i]),
                                              "low", low, "high", high));
    }
    return list;
}

static json_t *info_clips_json(const Clips *clips)
{
    json_t *list = json_array();
    for (int c = 0; c < clips->count; c++) {
        const int first = clips->first[c], frames = clip_frame_count(clips, c);
        json_array_append_new(list,
                              json_pack("{s:o, s:i, s:i, s:f, s:f}", "name", json_text(clips->names[c]),
                                        "first_frame", first, "frames", frames, "start_s",
                                        clips->times_s[first], "end_s", clips->times_s[first + frames - 1]));
    }
    return list;
}

static Status info_print_json(const Info *info)
{
    const Dataset *header = info->header;
    const Bounds *rest = &info->rest;
    json_t *object =
        json_pack("{s:s, s:o, s:i, s:i, s:i, s:{s:[f,f,f], s:[f,f,f], s:f}, s:f, s:o, s:i, s:b}", "sha256",
                  info->sha256, "fps", json_number_or_null(header->fps), "vertices",
                  header->mesh.vertex_count, "triangles", header->mesh.triangle_count, "frames",
                  header->animation.frame_count, "rest_bounds", "low", rest->low[0], rest->low[1],
                  rest->low[2], "high", rest->high[0], rest->high[1], rest->high[2], "diagonal",
                  rest->diagonal, "first_frame_radius", info->first_frame_radius, "rig", info_rig_json(info),
                  "model_rank", header->low_rank.rank, "reordered", header->mesh.original_vertices != NULL);
    json_set(object, "file", json_text(info->path));
    json_set(object, "name", json_text(header->name));
    json_set(object, "title", json_text(header->title));
    json_set(object, "source", json_text(header->source));
    json_set(object, "license", json_text(header->license));
    json_set(object, "attributes", info_attributes_json(&header->mesh));
    json_set(object, "clips", info_clips_json(&header->clips));
    return output_json(object);
}

Status info_run(const CommandLine *line)
{
    OWNED_BY(dataset_reader_close) DatasetReader *reader = NULL;
    Info info = {.path = command_line_argument(line, 0)};
    STATUS_TRY(dataset_open(info.path, &line->progress, &reader, &info.header));
    STATUS_TRY(file_sha256(info.path, info.sha256));
    STATUS_TRY(rig_statistics(&info.header->rig, info.header->mesh.vertex_count, &info.rig));
    STATUS_TRY(radius_find(reader, &info));
    info.rest = bounds_of(info.header->mesh.rest, info.header->mesh.vertex_count);
    if (line->json)
        return info_print_json(&info);
    const Dataset *header = info.header;
    terminal_print("file          %s\n", info.path);
    terminal_print("name          %s\n", header->name);
    terminal_print("title         %s\n", header->title);
    terminal_print("source        %s\n", header->source);
    terminal_print("license       %s\n", header->license);
    terminal_print("sha256        %s\n", info.sha256);
    terminal_print("vertices      %d\ntriangles     %d\n", header->mesh.vertex_count,
                   header->mesh.triangle_count);
    if (header->mesh.original_vertices)
        terminal_print("order         sorted; mesh/original_vertices restores the original order\n");
    for (int i = 0; i < header->mesh.attribute_count; i++) {
        double low, high;
        attribute_range(&header->mesh, i, &low, &high);
        terminal_print("%-13s %s: %g to %g\n", i > 0 ? "" : "attributes", header->mesh.attribute_names[i],
                       low, high);
    }
    terminal_print("rest bounds   %g %g %g to %g %g %g, diagonal %g\n", info.rest.low[0], info.rest.low[1],
                   info.rest.low[2], info.rest.high[0], info.rest.high[1], info.rest.high[2],
                   info.rest.diagonal);
    if (header->animation.frame_count > 0)
        terminal_print("animation     %d frames, fps %g, smallest ball around the first frame: radius %.9g\n",
                       header->animation.frame_count, header->fps, info.first_frame_radius);
    if (header->rig.joint_count > 0) {
        const Rig *rig = &info.header->rig;
        terminal_print("joints        %d (%d move vertices), %d frames%s\n", rig->joint_count,
                       info.rig.joints_used, rig->frame_count, rig->scale ? ", with scale" : "");
        terminal_print("influences    %d slots, at most %d used, %.2f on average\n", rig->influence_count,
                       info.rig.most_influences, info.rig.mean_influences);
        for (int i = 0; i < INFLUENCE_HISTOGRAM_SIZE; i++)
            if (info.rig.histogram[i] > 0)
                terminal_print("  %2d%s         %d vertices\n", i,
                               i == INFLUENCE_HISTOGRAM_SIZE - 1 ? "+" : " ", info.rig.histogram[i]);
        terminal_print("joint sets    %d (%d with two or more joints)\n", info.rig.joint_sets,
                       info.rig.joint_sets_blended);
    }
    for (int c = 0; c < header->clips.count; c++) {
        const Clips *clips = &header->clips;
        const int first = clips->first[c], frames = clip_frame_count(clips, c);
        terminal_print("%-13s '%s': frames %d to %d, %.9g s to %.9g s\n", c > 0 ? "" : "clips",
                       clips->names[c], first, first + frames - 1, clips->times_s[first],
                       clips->times_s[first + frames - 1]);
    }
    if (header->low_rank.rank > 0)
        terminal_print("model         rank %d, %d frames\n", header->low_rank.rank,
                       header->low_rank.row_count / 3);
    return status_ok();
}
