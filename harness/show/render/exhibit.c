/* Shows files side by side: finds a camera that sees everything, measures the distance of each vertex from
 * the target, and renders each file. */
#include "harness/show/render/exhibit.h"

#include "datasets/model/validate.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/show/render/tracer.h"

/* Margin around the contents, as a fraction of each side of the picture. */
static const double FREE_SHARE = 0.08;
typedef struct Panel {
    FrameSource *source;
    const Mesh *mesh;
    float *positions;      /* [N][3] positions in the frame read last */
    float *shares;         /* [N] errors as fractions of the colour scale, or NULL */
    unsigned char *colors; /* [N][3], or NULL */
} Panel;

struct Exhibit {
    const ExhibitOptions *options;
    Panel panels[EXHIBIT_FILES_MAX];
    FrameSource *target;
    float *target_positions;
    double target_diagonal;
    int frame_count;
    Camera camera;
    Vec3 *middles; /* [frame_count] centre of the first file's bounding box in each frame surveyed; NULL
                      unless the camera follows the file */
    double ground_level, range_percent;
};

static Status panel_open(Exhibit *exhibit, int file)
{
    const ExhibitOptions *options = exhibit->options;
    const char *path = options->paths[file];
    Panel *panel = &exhibit->panels[file];
    STATUS_TRY(frame_source_open(path, options->threads, options->progress, &panel->source));
    const Dataset *dataset = panel->source->dataset;
    panel->mesh = &dataset->mesh;
    if (panel->mesh->triangle_count == 0)
        return bad_input("%s: has no triangles, so there is no surface to be shaded", path);
    const int frames = panel->source->frame_count;
    exhibit->frame_count = file == 0 ? frames : int_min(frames, exhibit->frame_count);
    ALLOCATE_TABLE(panel->positions, panel->mesh->vertex_count, 3, "a frame");
    if (options->color == EXHIBIT_BONES)
        STATUS_TRY(bone_colors_make(dataset, path, &panel->colors));
    if (!exhibit->target)
        return status_ok();
    const Mesh *mesh = &exhibit->target->dataset->mesh;
    if (mesh->vertex_count != panel->mesh->vertex_count)
        return bad_input("%s has %d vertices, but %s has %d", options->target, mesh->vertex_count, path,
                         panel->mesh->vertex_count);
    if (exhibit->target->frame_count != frames)
        return bad_input("%s has %d frames, but %s has %d", options->target, exhibit->target->frame_count,
                         path, frames);
    ALLOCATE(panel->shares, mesh->vertex_count, "errors");
    return status_ok();
}

Status exhibit_open(const ExhibitOptions *options, Exhibit **out)
{
    OWNED_BY(exhibit_close) Exhibit *exhibit = NULL;
    *out = NULL;
    ALLOCATE(exhibit, 1, "a picture");
    exhibit->options = options;
    if (options->camera)
        STATUS_TRY(
            camera_parse(options->camera, options->up, options->width, options->height, &exhibit->camera));
    else
        STATUS_TRY(
            camera_view(options->view, options->up, options->width, options->height, &exhibit->camera));
    if (options->target) {
        STATUS_TRY(frame_source_open(options->target, options->threads, options->progress, &exhibit->target));
        const int vertices = exhibit->target->dataset->mesh.vertex_count;
        ALLOCATE_TABLE(exhibit->target_positions, vertices, 3, "a frame");
        STATUS_TRY(frame_source_read(exhibit->target, 0, 1, exhibit->target_positions));
        exhibit->target_diagonal = bounds_of(exhibit->target_positions, vertices).diagonal;
        if (!(exhibit->target_diagonal > 0.0))
            return bad_input("%s: all vertices of the first frame coincide", options->target);
    }
    for (int file = 0; file < options->file_count; file++)
        STATUS_TRY(panel_open(exhibit, file));
    *out = TAKE(exhibit);
    return status_ok();
}

void exhibit_close(Exhibit *exhibit)
{
    if (!exhibit)
        return;
    for (int file = 0; file < exhibit->options->file_count; file++) {
        Panel *panel = &exhibit->panels[file];
        frame_source_close(panel->source);
        FREE_ALL(panel->positions, panel->shares, panel->colors);
    }
    frame_source_close(exhibit->target);
    FREE_ALL(exhibit->target_positions, exhibit->middles, exhibit);
}

int exhibit_frame_count(const Exhibit *exhibit)
{
    return exhibit->frame_count;
}

double exhibit_fps(const Exhibit *exhibit)
{
    return exhibit->panels[0].source->dataset->fps;
}

static Status frame_read_finite(FrameSource *source, int frame, float *positions)
{
    STATUS_TRY(frame_source_read(source, frame, 1, positions));
    const int64_t bad = float_not_finite(positions, 3 * (int64_t)source->dataset->mesh.vertex_count);
    return bad < 0 ? status_ok()
                   : bad_input("%s: in frame %d, vertex %lld has a coordinate that is not finite",
                               source->name, frame, (long long)bad / 3);
}

static Status target_read(Exhibit *exhibit, int frame)
{
    return exhibit->target ? frame_read_finite(exhibit->target, frame, exhibit->target_positions)
                           : status_ok();
}

/* Returns the distance of a vertex from the target in the frames read last, in per cent of the diagonal. */
static double vertex_error_percent(const Exhibit *exhibit, const Panel *panel, int vertex)
{
    const Vec3 apart =
        vec3_sub(point_at(panel->positions, vertex), point_at(exhibit->target_positions, vertex));
    return 100.0 * vec3_length(apart) / exhibit->target_diagonal;
}

Status exhibit_worst_frame(Exhibit *exhibit, int *frame)
{
    double worst = -1.0;
    for (int f = 0; f < exhibit->frame_count; f++) {
        STATUS_TRY(target_read(exhibit, f));
        for (int file = 0; file < exhibit->options->file_count; file++) {
            Panel *panel = &exhibit->panels[file];
            double sum = 0.0;
            STATUS_TRY(frame_read_finite(panel->source, f, panel->positions));
            for (int v = 0; v < panel->mesh->vertex_count; v++) {
                const double error = vertex_error_percent(exhibit, panel, v);
                sum += error * error;
            }
            const double mean_square = sum / panel->mesh->vertex_count;
            *frame = mean_square > worst ? f : *frame;
            worst = fmax(worst, mean_square);
        }
        if (!progress_report(exhibit->options->progress, "measuring", (f + 1.0) / exhibit->frame_count))
            return status_make(STATUS_STOPPED, "stopped after measuring %d frames", f + 1);
    }
    return status_ok();
}

/* If the camera follows the first file, moves the points of the frame read last so that the centre of that
 * file's bounding box becomes the origin. */
static void panel_follow(const Exhibit *exhibit, Panel *panel, int frame)
{
    for (int v = 0; exhibit->middles && v < panel->mesh->vertex_count; v++)
        point_set(panel->positions, v, vec3_sub(point_at(panel->positions, v), exhibit->middles[frame]));
}

Status exhibit_survey(Exhibit *exhibit, const int *frames, int count, ExhibitErrors *errors)
{
    const ExhibitOptions *options = exhibit->options;
    Framing framing = framing_start(&exhibit->camera, FREE_SHARE);
    ErrorRange range = {.total = 0};
    *errors = (ExhibitErrors){0};
    exhibit->ground_level = INFINITY;
    if (options->follow && !exhibit->middles)
        ALLOCATE(exhibit->middles, exhibit->frame_count, "positions of the camera");
    for (int i = 0; i < count; i++) {
        STATUS_TRY(target_read(exhibit, frames[i]));
        for (int file = 0; file < options->file_count; file++) {
            Panel *panel = &exhibit->panels[file];
            STATUS_TRY(frame_read_finite(panel->source, frames[i], panel->positions));
            const Vec3 up = camera_world_up(options->up);
            for (int v = 0; v < panel->mesh->vertex_count; v++) {
                const double error = exhibit->target ? vertex_error_percent(exhibit, panel, v) : 0.0;
                if (error > errors->most_percent[file]) /* comparison instead of fmax, because gcc 12 crashes
                                                           on such loops for aarch64 */
                    errors->most_percent[file] = error;
                error_range_add(&range, error);
            }
            if (exhibit->middles && panel == exhibit->panels) {
                const Bounds box = bounds_of(panel->positions, panel->mesh->vertex_count);
                exhibit->middles[frames[i]] =
                    vec3_make(0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1]),
                              0.5 * (box.low[2] + box.high[2]));
            }
            panel_follow(exhibit, panel, frames[i]);
            framing_add(&framing, panel->positions, panel->mesh->vertex_count);
            for (int v = 0; v < panel->mesh->vertex_count; v++) {
                const double level = vec3_dot(up, point_at(panel->positions, v));
                if (level < exhibit->ground_level)
                    exhibit->ground_level = level;
            }
        }
        if (progress_stopped(options->progress))
            return status_make(STATUS_STOPPED, "stopped while placing the camera");
    }
    exhibit->camera = options->camera ? exhibit->camera : framing_finish(&framing);
    exhibit->range_percent = options->range_percent > 0.0 ? options->range_percent : error_range_end(&range);
    errors->range_percent = exhibit->range_percent;
    return status_ok();
}

Status exhibit_render(Exhibit *exhibit, int file, int frame, Image *out)
{
    const ExhibitOptions *options = exhibit->options;
    Panel *panel = &exhibit->panels[file];
    TracerShape shape = {.mesh = panel->mesh, .positions = panel->positions, .colors = panel->colors};
    const TracerOptions tracer = {.width = options->width,
                                  .height = options->height,
                                  .samples = options->samples,
                                  .threads = options->threads,
                                  .ground = options->ground,
                                  .ground_level = exhibit->ground_level,
                                  .world_up = camera_world_up(options->up)};
    *out = (Image){0};
    STATUS_TRY(frame_read_finite(panel->source, frame, panel->positions));
    if (options->color == EXHIBIT_ERROR) {
        STATUS_TRY(target_read(exhibit, frame));
        for (int v = 0; v < panel->mesh->vertex_count; v++)
            panel->shares[v] = (float)(vertex_error_percent(exhibit, panel, v) / exhibit->range_percent);
        shape.shares = panel->shares;
    }
    panel_follow(exhibit, panel, frame);
    return tracer_render(&shape, &exhibit->camera, &tracer, options->progress, out, NULL);
}
