/* skinbench render FILE... -o OUT: renders frames of one or more files side by side, as one picture, a
 * contact sheet, a folder of pictures, or a video. */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "harness/commands/name_list.h"
#include "harness/show/render/exhibit.h"
#include "harness/show/render/picture.h"
#include "harness/show/render/video.h"
#include <sys/stat.h>

enum { LABEL_BYTES = 256, NAME_BYTES = 64, SHEET_SIDE_MAX = 64, CELL_SIDE_MAX = 8192 };

const CommandOption render_options[] = {
    {"output", "OUT", "a picture (.png), a video (.mp4 or .webm, by ffmpeg), or else a folder of pictures"},
    {"target", "FILE", "colour vertices by their distance from the vertices of this file"},
    {"frame", "N",
     "index of the frame, from 0 (default: the frame with the largest error if there is a target, else the "
     "middle one)"},
    {"frames", "A:B[:S]", "frames A to B, every S-th, for a sheet, a folder or a video (default: all)"},
    {"sheet", "CxR", "one picture with C columns and R rows of evenly spaced frames"},
    {"size", "WxH", "size of each file's picture in pixels (default: 480x480)"},
    {"view", "front|side|top|three-quarter",
     "direction from which the camera sees everything that is shown (default: three-quarter)"},
    {"camera", "CAMERA",
     "\"EX,EY,EZ TX,TY,TZ ANGLE\" instead of a view: eye, target, vertical angle in degrees"},
    {"follow", NULL, "the camera follows the first file; --camera is relative to its centre"},
    {"up", "y|z", "the axis that points up (default: y)"},
    {"color", "error|bones|none", "what the colours show (default: error with a target, else none)"},
    {"range", "MAX",
     "error that the last colour of the scale shows, in % of the diagonal (default: 99th percentile)"},
    {"samples", "N", "number of rays along each side of a pixel, which gets N x N rays (default: 4)"},
    {"label", "TEXT",
     "label under a file's picture; repeat it for the next files (default: each file's name and frame)"},
    {"no-ground", NULL, "draw no shadow on the ground"},
    {"fps", "N", "pictures per second of a video (default: the first file's)"},
    {NULL, NULL, NULL},
};

/* The options of the command, and the progress of rendering. */
typedef struct RenderRequest {
    const CommandLine *line;
    ExhibitOptions exhibit;
    const char *output;
    OutputKind output_kind;
    int columns, rows; /* grid of a contact sheet; 0: no sheet */
    int *frames;       /* [frame_count] indices of the frames to show */
    int frame_count;
    int rendered; /* number of pictures rendered so far, one per file and frame */
    ExhibitErrors errors;
} RenderRequest;

/* Reads two numbers separated by x, each from 1 to `max`. */
static Status pair_read(const CommandLine *line, const char *name, int max, int pair[2])
{
    const char *text = command_line_value(line, name);
    double numbers[2] = {0.0, 0.0};
    if (!text)
        return status_ok();
    bool sound = text_numbers(text, "x", numbers) == 2;
    for (int i = 0; i < 2; i++) {
        sound = sound && numbers[i] >= 1.0 && numbers[i] <= max && numbers[i] == floor(numbers[i]);
        pair[i] = sound ? (int)numbers[i] : 0;
    }
    if (!sound)
        return bad_usage("--%s is '%s', expected two numbers from 1 to %d such as 4x3", name, text, max);
    return status_ok();
}

static Status output_read(RenderRequest *request)
{
    const CommandLine *line = request->line;
    int sheet[2] = {0, 0};
    STATUS_TRY(command_line_required(line, "output", &request->output));
    STATUS_TRY(pair_read(line, "sheet", SHEET_SIDE_MAX, sheet));
    request->columns = sheet[0];
    request->rows = sheet[1];
    const bool picture = path_ends(request->output, ".png"),
               several = command_line_value(line, "frames") != NULL;
    if (request->columns > 0 && !picture)
        return bad_usage("--sheet makes one picture: name a file that ends in .png");
    if (several && picture && request->columns == 0)
        return bad_usage("several frames need --sheet, a folder, or a file name that ends in .mp4 or .webm");
    if (command_line_value(line, "frame") && (several || !picture || request->columns > 0))
        return bad_usage("--frame makes one picture: name a file that ends in .png");
    const char *ending = strrchr(request->output + output_path_folder_length(request->output), '.');
    if (!picture && !video_is_named(request->output) && ending && ending[1] != '\0' && ending[1] != '/')
        return bad_usage("%s: pictures are .png, videos .mp4 or .webm, and folders have no dot",
                         request->output);
    request->output_kind = picture || video_is_named(request->output) ? OUTPUT_FILE : OUTPUT_FOLDER;
    return output_path_resolve(request->output, request->output_kind, NULL);
}

/* Chooses the frames to show: all frames of A:B:S, evenly spaced frames that fill a contact sheet, or a
 * single frame. */
static Status frames_choose(RenderRequest *request, Exhibit *exhibit)
{
    const CommandLine *line = request->line;
    const int count = exhibit_frame_count(exhibit), cells = request->columns * request->rows;
    const char *text = command_line_value(line, "frames");
    int first = 0, last = count - 1, step = 1;
    if (path_ends(request->output, ".png") && cells == 0) {
        int frame = count / 2;
        STATUS_TRY(command_line_integer(line, "frame", -1, 0, count - 1, &first));
        if (first < 0 && request->exhibit.target)
            STATUS_TRY(exhibit_worst_frame(exhibit, &frame));
        first = last = first < 0 ? frame : first;
    } else if (text) {
        double numbers[3] = {0.0, 0.0, 1.0};
        bool sound = text_numbers(text, "::", numbers) >= 2 && numbers[0] >= 0.0 &&
                     numbers[1] >= numbers[0] && numbers[1] < count && numbers[2] >= 1.0 &&
                     numbers[2] <= INT_MAX;
        for (int i = 0; i < 3; i++)
            sound = sound && numbers[i] == floor(numbers[i]);
        if (!sound)
            return bad_usage("--frames is '%s', expected A:B or A:B:S with 0 <= A <= B <= %d", text,
                             count - 1);
        first = (int)numbers[0];
        last = (int)numbers[1];
        step = (int)numbers[2];
    }
    const int listed = (last - first) / step + 1, chosen = cells > 0 ? int_min(cells, listed) : listed;
    ALLOCATE(request->frames, chosen, "the frames");
    request->frame_count = chosen;
    for (int i = 0; i < chosen;
         i++) /* show the first and the last frame, and evenly spaced frames between them */
        request->frames[i] =
            first +
            step * (chosen > 1 ? (int)(((int64_t)i * (listed - 1) + (chosen - 1) / 2) / (chosen - 1)) : 0);
    return status_ok();
}

/* Renders `count` frames of all files into one picture, on a grid of `columns` by `rows` frames. */
static Status picture_make(RenderRequest *request, Exhibit *exhibit, const int *frames, int count,
                           int columns, int rows, Image *out)
{
    const ExhibitOptions *shown = &request->exhibit;
    const PictureLayout layout = {columns * shown->file_count, rows, shown->width, shown->height,
                                  shown->color == EXHIBIT_ERROR};
    const int all = request->frame_count * shown->file_count;
    STATUS_TRY(picture_start(&layout, out));
    for (int cell = 0; cell < count * shown->file_count; cell++) {
        const int file = cell % shown->file_count, frame = frames[cell / shown->file_count];
        char label[LABEL_BYTES];
        Image content;
        STATUS_TRY(exhibit_render(exhibit, file, frame, &content));
        const char *path = request->exhibit.paths[file],
                   *given = command_line_value_at(request->line, "label", file);
        const char *name = given ? given : path + output_path_folder_length(path);
        const int length = (int)strlen(name) - (!given && path_ends(name, ".h5") ? 3 : 0);
        if (given && request->frame_count == 1)
            snprintf(label, LABEL_BYTES, "%s", given);
        else
            snprintf(label, LABEL_BYTES, "%.*s, frame %d", int_min(length, 200), name, frame);
        picture_cell(out, &layout, cell, &content, label);
        image_clear(&content);
        if (!progress_report(shown->progress, "tracing", (double)++request->rendered / all))
            return status_make(STATUS_STOPPED, "stopped after %d of %d pictures; nothing is written",
                               request->rendered, all);
    }
    if (layout.scaled) {
        char title[LABEL_BYTES];
        double max = 0.0;
        for (int file = 0; file < shown->file_count; file++)
            max = fmax(max, request->errors.most_percent[file]);
        snprintf(title, sizeof title, "vertex error, %% of the diagonal (largest: %.3g)", max);
        picture_scale(out, &layout, request->errors.range_percent, false, title);
    }
    return status_ok();
}

static Status single_write(RenderRequest *request, Exhibit *exhibit, const char *path)
{
    const bool sheet = request->columns > 0;
    CLEANUP(image_clear) Image image = {0};
    STATUS_TRY(picture_make(request, exhibit, request->frames, request->frame_count,
                            sheet ? request->columns : 1, sheet ? request->rows : 1, &image));
    return image_png_write(&image, path, request->output);
}

static Status folder_write(RenderRequest *request, Exhibit *exhibit, const char *folder)
{
    for (int i = 0; i < request->frame_count; i++) {
        CLEANUP(image_clear) Image image = {0};
        LOCAL_ARRAY(char, path, strlen(folder) + NAME_BYTES, "the name of a picture");
        STATUS_TRY(picture_make(request, exhibit, &request->frames[i], 1, 1, 1, &image));
        snprintf(path, strlen(folder) + NAME_BYTES, "%s/%04d.png", folder, request->frames[i]);
        STATUS_TRY(image_png_write(&image, path, request->output));
    }
    return status_ok();
}

static Status video_write(RenderRequest *request, Exhibit *exhibit, const char *path)
{
    double fps = exhibit_fps(exhibit);
    CLEANUP(video_abandon) Video video = {0};
    STATUS_TRY(command_line_real(request->line, "fps", fps > 0.0 ? fps : 30.0, 0.01, 1000.0, &fps));
    for (int i = 0; i < request->frame_count; i++) {
        CLEANUP(image_clear) Image image = {0};
        STATUS_TRY(picture_make(request, exhibit, &request->frames[i], 1, 1, 1, &image));
        if (i == 0)
            STATUS_TRY(video_start(path, image.width, image.height, fps, &video));
        STATUS_TRY(video_add(&video, &image));
    }
    return video_finish(&video);
}

/* Writes the request as JSON. Errors are null without a target. */
static Status request_to_json(const RenderRequest *request, char **json)
{
    const bool measured = request->exhibit.target != NULL;
    json_t *files = json_array(), *frames = json_array();
    for (int file = 0; file < request->exhibit.file_count; file++) {
        const double max = measured ? request->errors.most_percent[file] : NAN;
        json_t *entry = json_pack("{s:o, s:o}", "file", json_text(request->exhibit.paths[file]),
                                  "greatest_error_percent", json_number_or_null(max));
        json_array_append_new(files, entry);
    }
    for (int i = 0; i < request->frame_count; i++)
        json_array_append_new(frames, json_integer(request->frames[i]));
    json_t *range = json_number_or_null(measured ? request->errors.range_percent : NAN);
    return output_json_line(json_pack("{s:o, s:o, s:o, s:o}", "output", json_text(request->output), "files",
                                      files, "frames", frames, "range_percent", range),
                            json);
}

Status render_run(const CommandLine *line)
{
    RenderRequest request = {.line = line};
    OWNED_BY(exhibit_close) Exhibit *exhibit = NULL;
    OWNED_BY(free) char *json = NULL;
    const char *view = command_line_value(line, "view");
    static const ExhibitColor colors[] = {EXHIBIT_ERROR, EXHIBIT_BONES, EXHIBIT_PLAIN};
    int size[2] = {480, 480}, up = 0, color = command_line_flag(line, "target") ? 0 : 2;
    STATUS_TRY(option_choice(line, "up", &up));
    request.exhibit = (ExhibitOptions){.target = command_line_value(line, "target"),
                                       .view = view ? view : "three-quarter",
                                       .camera = command_line_value(line, "camera"),
                                       .up = "yz"[up],
                                       .ground = !command_line_flag(line, "no-ground"),
                                       .follow = command_line_flag(line, "follow"),
                                       .threads = line->threads,
                                       .progress = &line->progress};
    if (view && request.exhibit.camera)
        return bad_usage("--view and --camera cannot be used together");
    request.exhibit.file_count = line->argument_count;
    for (int i = 0; i < request.exhibit.file_count; i++)
        request.exhibit.paths[i] = command_line_argument(line, i);
    if (command_line_value_at(line, "label", request.exhibit.file_count))
        return bad_usage("there are more labels than files (%d)", request.exhibit.file_count);
    STATUS_TRY(option_choice(line, "color", &color));
    request.exhibit.color = colors[color];
    if (request.exhibit.color == EXHIBIT_ERROR && !request.exhibit.target)
        return bad_usage("--color error needs --target");
    STATUS_TRY(pair_read(line, "size", CELL_SIDE_MAX, size));
    request.exhibit.width = size[0];
    request.exhibit.height = size[1];
    STATUS_TRY(command_line_real(line, "range", 0.0, 1e-9, 1e9, &request.exhibit.range_percent));
    STATUS_TRY(command_line_integer(line, "samples", 4, 1, 16, &request.exhibit.samples));
    STATUS_TRY(output_read(&request));
    if (pictures_lacking())
        return status_make(STATUS_UNAVAILABLE, "pictures need %s when skinbench is built",
                           pictures_lacking());
    STATUS_TRY(exhibit_open(&request.exhibit, &exhibit));
    STATUS_TRY(frames_choose(&request, exhibit));
    OWNED int *frames = request.frames;
    STATUS_TRY(exhibit_survey(exhibit, request.frames, request.frame_count, &request.errors));
    if (line->json)
        STATUS_TRY(request_to_json(&request, &json));
    /* write under a temporary name, then rename the file */
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    STATUS_TRY(atomic_path_start(request.output, request.output_kind, &path));
    if (request.output_kind == OUTPUT_FOLDER && mkdir(path.temporary, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be created: %s", request.output, strerror(errno));
    if (request.output_kind == OUTPUT_FOLDER)
        STATUS_TRY(folder_write(&request, exhibit, path.temporary));
    else if (!video_is_named(request.output))
        STATUS_TRY(single_write(&request, exhibit, path.temporary));
    else {
        const Status made = video_write(&request, exhibit, path.temporary);
        STATUS_TRY(made.code == STATUS_SYSTEM ? status_in(request.output, made) : made);
    }
    STATUS_TRY(atomic_path_commit(&path));
    if (json)
        puts(json);
    else if (request.frame_count == 1)
        output_note(line, "wrote %s: frame %d", request.output, request.frames[0]);
    else
        output_note(line, "wrote %s: %d frames, %d to %d", request.output, request.frame_count,
                    request.frames[0], request.frames[request.frame_count - 1]);
    return status_ok();
}
