/* Chooses the data sets and records that the 3D view shows, and produces the scenes within a time limit. */
#include "harness/show/scenes/scenes.h"

#include "datasets/geometry/points.h"
#include "datasets/model/validate.h"
#include "harness/measure/metrics/frame_source.h"
#include "harness/records/papers/published_table.h"
#include "harness/show/render/image.h"
#include "harness/show/scenes/scene_plan.h"
#include "harness/show/text/report_file.h"
#include <sys/stat.h>

enum {
    SHAPES_MAX = SCENE_METHODS_MAX, /* number of shapes side by side, including a target */
    FRAMES_MAX = 60,
    VALUE_BYTES = 7 /* number of values per vertex and frame before packing: three coordinates and an error */
};
/* Size limit in bytes for all scenes together, and a cautious estimate of the ratio of packed to unpacked
 * size. */
static const double ALL_BYTES = 48e6, PACKED_SHARE = 0.9;
/* Fraction of the time for all scenes that one method may take. The method's time is estimated from its
 * record. */
static const double SHAPE_SHARE = 0.15;
/* Tolerance for E_RMS when a fit is repeated. On the same build and machine the result is the same.
 * Elsewhere sums are rounded differently, and a search for the best bones may find another model. */
static const double E_RMS_DIFFERENCE = 1e-3;

static const char TIME_OVER[] = "the time limit for scenes was reached";

/* Stops work at a given time, or when the user asks for it. */
typedef struct Deadline {
    const Progress *user;
    double end_s;
} Deadline;

static bool deadline_report(void *context, const char *what, double share)
{
    const Deadline *deadline = context;
    (void)what;
    (void)share;
    return clock_now_s() < deadline->end_s && !progress_stopped(deadline->user);
}

typedef struct SceneWork {
    const RecordStore *store;
    const SceneSources *sources;
    const char *folder;
    const RecordView *views; /* [view_count] views of the records, one for each machine */
    int view_count;
    Deadline deadline;
    Progress progress; /* the deadline's */
    ReportScenes *out;
} SceneWork;

static void left_out(ReportScenes *scenes, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void left_out(ReportScenes *scenes, const char *format, ...)
{
    const size_t used = strlen(scenes->left_out);
    char line[2 * REASON_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (used + strlen(line) + 2 < sizeof scenes->left_out)
        snprintf(scenes->left_out + used, sizeof scenes->left_out - used, "%s\n", line);
}

/* A scene under construction. */
typedef struct SceneMaking {
    const ScenePlan *plan;
    Subject subject;
    ViewerScene scene;
    bool has_target;            /* whether the first shape is the data set's own positions */
    char without[REASON_BYTES]; /* omitted methods, each with its reason */
} SceneMaking;

/* Appends a name to a list with commas. */
static void name_add(char *list, size_t size, const char *name)
{
    text_append(list, size, "%s%s", list[0] ? ", " : "", name);
}

static void method_leave_out(SceneMaking *making, const Record *record, const char *reason)
{
    char text[STATUS_TEXT_BYTES];
    snprintf(text, sizeof text, "%s (%.400s)", record->cell.method, reason);
    name_add(making->without, sizeof making->without, text);
}

/* Whether there is time to repeat a record. If not, adds its method to the list of omitted methods, with
 * this reason. */
static bool is_affordable(const SceneWork *work, SceneMaking *making, const Record *record)
{
    const double time_s = scene_record_time_s(record);
    char reason[64];
    if (time_s <= SHAPE_SHARE * work->sources->budget_s && clock_now_s() + time_s < work->deadline.end_s)
        return true;
    snprintf(reason, sizeof reason, "it took %.2g s, longer than scenes may take", time_s);
    method_leave_out(making, record, reason);
    return false;
}

/* Makes one shape by repeating a record. It fails if the record cannot be repeated. */
static Status shape_make(const SceneWork *work, const SceneMaking *making, const Record *record,
                         ViewerShape *shape)
{
    const SceneMaker *maker = &work->sources->maker;
    const ViewerScene *scene = &making->scene;
    double e_rms = NAN;
    /* find the name under which the page lists the record */
    char name[RECORD_NAME_BYTES];
    int view = 0;
    while (view + 1 < work->view_count && strcmp(work->views[view].machine, record->machine) != 0)
        view++;
    if (!record_name(&work->views[view], record, name))
        return status_out_of_memory("the name of a record");
    snprintf(shape->record, sizeof shape->record, "%s", name);
    ALLOCATE_TABLE(shape->positions, scene->frame_count, 3 * (size_t)scene->mesh->vertex_count,
                   "the frames of a scene");
    STATUS_TRY(maker->repeat(maker->context, record, &making->subject, scene->frame_step, scene->frame_count,
                             &work->progress, shape->positions, &e_rms));
    if (record->cell.kind == CELL_DECOMPOSITION) {
        const char *preset = scene_record_preset(record);
        const double before = record_metric(record, "e_rms");
        snprintf(shape->label, sizeof shape->label, "%s%s%s, E_RMS %.3g", record->cell.method,
                 preset[0] ? ", " : "", preset, e_rms);
        if (fabs(e_rms - before) > E_RMS_DIFFERENCE * before)
            text_append(shape->label, sizeof shape->label, " (its record has %.3g)", before);
    }
    const int64_t values = 3 * (int64_t)scene->frame_count * scene->mesh->vertex_count;
    if (float_not_finite(shape->positions, values) >= 0)
        return status_make(STATUS_CHECK_FAILED, "its result is not finite");
    return status_ok();
}

/* Adds a shape to a scene. A shape that cannot be made is left out, and its reason is noted. Fails only if
 * memory runs out or the user stops. */
static Status shape_add(const SceneWork *work, SceneMaking *making, const Record *record)
{
    ViewerScene *scene = &making->scene;
    ViewerShape *shape = &scene->shapes[scene->shape_count];
    char name[VIEWER_TEXT_BYTES];
    *shape = (ViewerShape){.positions = NULL};
    if (!is_affordable(work, making, record))
        return status_ok();
    snprintf(name, sizeof name, "%s%s%s", record->cell.method, scene_record_preset(record)[0] ? "-" : "",
             scene_record_preset(record));
    file_name_from_text("", name, shape->name);
    snprintf(shape->label, sizeof shape->label, "%s", record->cell.method);
    const Status status = shape_make(work, making, record, shape);
    if (status.code == STATUS_OK) {
        scene->shape_count++;
        return status;
    }
    memory_free(shape->positions);
    if (status.code == STATUS_SYSTEM || progress_stopped(work->deadline.user))
        return status;
    method_leave_out(making, record, status.code == STATUS_STOPPED ? TIME_OVER : status.text);
    return status_ok();
}

/* Chooses how many frames to show, evenly spaced. A mesh is never simplified, so a large mesh gets fewer
 * frames. Space that earlier scenes left unused is available to later ones. */
static void frames_thin(const ReportScenes *scenes, SceneMaking *making)
{
    const Dataset *dataset = making->subject.dataset;
    ViewerScene *scene = &making->scene;
    const int all = making->plan->first->cell.kind == CELL_SKINNING ? dataset->rig.frame_count
                                                                    : dataset->animation.frame_count;
    double left = ALL_BYTES;
    for (int i = 0; i < scenes->count; i++)
        left -= (double)scenes->items[i].size_bytes;
    const double frame_bytes = PACKED_SHARE * VALUE_BYTES * SHAPES_MAX * (double)dataset->mesh.vertex_count;
    const double max = fmin(FRAMES_MAX, floor(left / (SCENES_MAX - scenes->count) / frame_bytes));
    scene->frame_step = max >= 1.0 && all > max ? (int)ceil(all / max) : 1;
    scene->frame_count = max >= 1.0 ? (all + scene->frame_step - 1) / scene->frame_step : 0;
    scene->fps = dataset->fps / scene->frame_step;
}

/* Gives the scene a name. If an earlier data set has the same name, the digest is added. */
static void scene_name(const ReportScenes *scenes, const ScenePlan *plan, ViewerScene *scene)
{
    const CellDataset *dataset = &plan->first->cell.dataset;
    char start[VIEWER_NAME_BYTES], name[CELL_NAME_BYTES + CELL_SHA256_BYTES];
    scene->kind = cell_kind_names[plan->first->cell.kind];
    snprintf(start, sizeof start, "%s-", scene->kind);
    file_name_from_text(start, dataset->name, scene->name);
    snprintf(name, sizeof name, "%s\n%s", dataset->name, dataset->sha256);
    for (int i = 0; i < scenes->count; i++)
        if (strcmp(scenes->items[i].name, scene->name) == 0)
            file_name_from_text(start, name, scene->name);
    if (plan->bones > 0)
        snprintf(scene->title, sizeof scene->title, "%.180s: fits with %d bones", dataset->name, plan->bones);
    else
        snprintf(scene->title, sizeof scene->title, "%.180s: direct methods", dataset->name);
}

/* Makes a scene and writes it. Fails with STATUS_CHECK_FAILED if there is nothing to show. */
static Status scene_steps(const SceneWork *work, SceneMaking *making)
{
    const SceneMaker *maker = &work->sources->maker;
    ViewerScene *scene = &making->scene;
    bool found = false;
    STATUS_TRY(maker->find(maker->context, making->plan->first->cell.dataset.sha256, &work->progress,
                           &making->subject, &found));
    if (!found)
        return status_make(STATUS_CHECK_FAILED, "its data are not in the folder given by --data");
    scene->mesh = &making->subject.dataset->mesh;
    scene->rig = making->plan->first->cell.kind == CELL_SKINNING ? &making->subject.dataset->rig : NULL;
    scene_name(work->out, making->plan, scene);
    frames_thin(work->out, making);
    if (scene->frame_count < 1 || scene->mesh->triangle_count < 1)
        return status_make(STATUS_CHECK_FAILED, "%s",
                           scene->frame_count < 1 ? "one of its frames is too large to be shown"
                                                  : "it has no triangles");
    /* add the data set's own positions, then the methods */
    making->has_target = making->subject.dataset->animation.frame_count > 0;
    if (making->has_target) {
        scene->shapes[0] = (ViewerShape){.name = "target", .label = "the data set's own"};
        scene->shape_count = 1;
        ViewerShape *shape = &scene->shapes[0];
        OWNED_BY(frame_source_close) FrameSource *source = NULL;
        STATUS_TRY(frame_source_of_parts(making->subject.name, scene->mesh,
                                         &making->subject.dataset->animation, NULL, NULL, 1, &source));
        ALLOCATE_TABLE(shape->positions, scene->frame_count, 3 * (size_t)scene->mesh->vertex_count,
                       "the frames of a scene");
        STATUS_TRY(frame_source_read_every(source, scene->frame_step, scene->frame_count, shape->positions));
    }
    for (int i = 0; i < making->plan->chosen_count; i++)
        if (scene->shape_count < SHAPES_MAX)
            STATUS_TRY(shape_add(work, making, making->plan->chosen[i]));
    if (scene->shape_count < 2 + making->has_target)
        return status_make(STATUS_CHECK_FAILED, "fewer than two methods remain");
    /* Measure errors of every shape against the target. Without a target, show how the skin stretches and
     * shrinks instead. */
    const ViewerShape *against = &scene->shapes[0];
    const double diagonal = bounds_of(against->positions, scene->mesh->vertex_count).diagonal;
    if (making->has_target)
        snprintf(scene->error_title, sizeof scene->error_title, "distance from the data set's own positions");
    else
        snprintf(scene->error_title, sizeof scene->error_title,
                 "change of area relative to the rest pose, because the data set has no animated positions "
                 "to compare with");
    scene->changes = !making->has_target;
    if (!(diagonal > 0.0))
        return bad_input("all its vertices are at the same point");
    for (int i = 0; i < scene->shape_count; i++) {
        if (scene->changes)
            STATUS_TRY(viewer_shape_measure_area(scene, &scene->shapes[i]));
        else if (i > 0)
            STATUS_TRY(viewer_shape_measure(scene, &scene->shapes[i], against->positions, diagonal));
    }
    viewer_scene_survey(scene);
    ReportScene *out = &work->out->items[work->out->count];
    char path[PUBLISHED_PATH_BYTES];
    *out = (ReportScene){.picture_count = 0};
    snprintf(path, sizeof path, "%s/scenes", work->folder);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return status_make(STATUS_SYSTEM, "the folder scenes cannot be created: %s", strerror(errno));
    snprintf(out->name, sizeof out->name, "%s", scene->name);
    snprintf(out->title, sizeof out->title, "%s", scene->title);
    snprintf(out->file, sizeof out->file, "scenes/%s.js", scene->name);
    snprintf(path, sizeof path, "%s/%s", work->folder, out->file);
    STATUS_TRY(viewer_scene_write(scene, path, work->deadline.user, &out->size_bytes));
    for (int i = 0; i < scene->shape_count && !pictures_lacking(); i++) {
        char *name = out->pictures[out->picture_count++];
        snprintf(name, sizeof out->pictures[0], "scenes/%s--%s.png", scene->name, scene->shapes[i].name);
        snprintf(path, sizeof path, "%s/%s", work->folder, name);
        STATUS_TRY(viewer_picture_write(scene, &scene->shapes[i], work->sources->threads, path,
                                        work->deadline.user));
    }
    work->out->count++;
    return status_ok();
}

Status report_scenes_write(const RecordStore *store, const SceneSources *sources, const char *folder,
                           const Progress *progress, ReportScenes *out)
{
    SceneWork work = {.store = store, .sources = sources, .folder = folder, .out = out};
    OWNED ScenePlan *skins = NULL, *fits = NULL;
    OWNED RecordView *views = NULL;
    int counts[2] = {0, 0};
    char passed[REASON_BYTES] = "";
    *out = (ReportScenes){.count = 0};
    if (sources->budget_s <= 0.0)
        return status_ok();
    const double plan_s = SHAPE_SHARE * sources->budget_s;
    work.deadline = (Deadline){progress, clock_now_s() + sources->budget_s};
    work.progress = (Progress){deadline_report, &work.deadline};
    STATUS_TRY(record_views(store, &views, &work.view_count));
    work.views = views;
    STATUS_TRY(scene_plans_make(store, CELL_SKINNING, plan_s, &skins, &counts[0]));
    STATUS_TRY(scene_plans_make(store, CELL_DECOMPOSITION, plan_s, &fits, &counts[1]));
    const ScenePlan *const plans[2] = {skins, fits};
    /* Alternate between direct methods and fits, so that neither kind uses up all scenes. Give no scene
     * more than twice its share of the time. */
    const double end_s = work.deadline.end_s;
    int left = counts[0] + counts[1];
    for (int i = 0; i < 2 * int_max(counts[0], counts[1]); i++) {
        if (i / 2 >= counts[i % 2])
            continue;
        const ScenePlan *plan = &plans[i % 2][i / 2];
        const int places = int_min(SCENES_MAX - out->count, left);
        const double now_s = clock_now_s(), share_s = 2.0 * (end_s - now_s) / int_max(places, 1);
        left--;
        work.deadline.end_s = fmin(end_s, now_s + share_s);
        if (places > 0 && now_s < end_s) {
            /* Write one scene, or say why it is omitted. */
            SceneMaking making = {.plan = plan};
            Status status = scene_steps(&work, &making);
            const bool fatal = status.code == STATUS_SYSTEM || progress_stopped(work.deadline.user);
            if (status.code != STATUS_OK || making.without[0])
                left_out(work.out, "%s%s%s%s%s.", plan->first->cell.dataset.name,
                         status.code == STATUS_OK ? "" : " is not shown: ",
                         status.code == STATUS_STOPPED ? TIME_OVER : status.text,
                         making.without[0] ? ": without " : "", making.without);
            viewer_scene_clear(&making.scene);
            subject_clear(&making.subject);
            if (fatal)
                return status;
        } else
            name_add(passed, sizeof passed, plan->first->cell.dataset.name);
    }
    if (passed[0])
        left_out(out, "Not shown, because %s: %s.",
                 out->count == SCENES_MAX ? "there are already as many scenes as a report can have"
                                          : TIME_OVER,
                 passed);
    return status_ok();
}
