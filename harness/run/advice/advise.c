/* Decides which methods compete on a rig and times a frame of each in interleaved rounds. */
#include "harness/run/advice/advise.h"

#include "datasets/model/compact_weights.h"
#include "harness/measure/environment/environment.h"
#include "harness/measure/metrics/metrics_stream.h"
#include "harness/measure/timing/statistics.h"
#include "harness/run/advice/contest.h"
#include "harness/run/advice/elastic_shape.h"
#include "harness/run/fit/helper_joints.h"
#include "methods/registry.h"

enum {
    OWN_POSES_CAP = 16,
    JOINTS_CAP = 16,
    POSE_BLOCK = 8,       /* poses per block */
    SAVED_INFLUENCES = 4, /* number of influences that the pruned variant of lbs keeps at most */
    HELPER_POSES = 96,    /* number of poses to which helper joints are fitted */
    ROUNDS_MINIMUM = 15,
    ROUNDS_CAP_OF_ADVICE = 200
};
static const double SLOW_FRAME_S = 0.002;
static const size_t BLOCK_BYTES = (size_t)256 << 20;

static void contest_clear(Contest *contest)
{
    for (int i = 0; contest->contenders && i < contest->contender_count; i++) {
        Contender *contender = &contest->contenders[i];
        skinner_free(contender->skinner);
        rig_clear(&contender->helped);
        FREE_ALL(contender->transforms, contender->positions, contender->wears, contender->joints,
                 contender->holes, contender->task.samples);
    }
    FREE_ALL(contest->contenders, contest->pruned.weight_joints, contest->pruned.weight_values,
             contest->joints, contest->elastic);
    skin_at_rest_clear(&contest->rest);
    gauntlet_clear(&contest->gauntlet);
}

/* A variant of a method. Variants compete in addition to the registry's methods with their defaults. */
typedef struct AdvicePlan {
    const char *method, *name,
        *title;  /* `name` and `title` are appended to the name and title of the method */
    bool pruned; /* use the rig with fewer influences */
    int helpers; /* number of helper joints that are added to the rig and fitted to the reference; 0: none */
    const char *settings[4];
} AdvicePlan;

enum { PRUNED, FIRST_OF_REFERENCE };
#define DDM "direct-delta-mush"
#define SMALL "threshold=1e-3", "influences=4"
static const AdvicePlan plans[] = {
    [PRUNED] = {"lbs", "-4", ", 4 influences", .pruned = true},
    {"lbs", "-helpers-1", ", 1 helper joint", .helpers = 1},
    {"lbs", "-helpers-4", ", 4 helper joints", .helpers = 4},
    {"lbs", "-helpers-8", ", 8 helper joints", .helpers = 8},
    {"lbs", "-helpers-16", ", 16 helper joints", .helpers = 16},
    {"dqs", "-4", ", 4 influences", .pruned = true},
    {DDM, "-4", ", 4 influences", .settings = {SMALL}},
    {DDM, "-4-v2", ", 4 influences, v2", .settings = {SMALL, "variant=v2"}},
    {DDM, "-4-v5", ", 4 influences, v5", .settings = {SMALL, "variant=v5"}},
};
enum { PLAN_COUNT = sizeof plans / sizeof *plans };

/* Returns the number of bytes per vertex that a bound method stores, shared by all frames. */
static double data_bytes(const SkinningMethod *table, const Skinner *skinner, int vertices)
{
    const JointSets *sets = skinner_joint_sets(skinner);
    double influences = 0.0;
    for (int set = 0; set < sets->set_count; set++)
        influences +=
            (double)joint_set_size(sets, set) * (sets->first_vertex[set + 1] - sets->first_vertex[set]);
    return 4.0 * (influences / vertices * (2 + table->floats_per_influence) + table->floats_per_vertex);
}

/* Returns the shapes [F][N][3] of the rig's frames; NULL if the file has none. */
static const float *file_shapes(const Contest *contest)
{
    const Dataset *dataset = contest->dataset;
    return dataset->animation.frame_count == dataset->rig.frame_count ? dataset->animation.positions : NULL;
}

/* Gives a contender a copy of the rig with helper joints, which make lbs resemble the reference. The helper
 * joints are fitted to the file's shapes. Without them, they are fitted to the reference method, within the
 * range of all poses. */
static Status helpers_make(const Contest *contest, const AdviseOptions *how, int helpers,
                           Contender *contender)
{
    const Gauntlet *gauntlet = &contest->gauntlet;
    const Dataset *dataset = contest->dataset;
    const size_t joints = (size_t)gauntlet->joint_count;
    const SkinningEntry *target = skinning_entry_find(how->reference);
    const float *shapes = contest->elastic ? contest->elastic : file_shapes(contest);
    const HelperOptions options = {.target = target,
                                   .shapes = target ? NULL : shapes,
                                   .helpers = helpers,
                                   .poses = HELPER_POSES,
                                   .quadratic = true,
                                   .seed = how->seed,
                                   .threads = how->threads};
    HelperFit fit = {.count = 0};
    Rig rig = dataset->rig;
    if (!options.target && !options.shapes)
        return bad_input("has no shapes that helper joints could imitate");
    if (target || contest->elastic) {
        rig.frame_count = gauntlet->pose_count;
        rig.transforms = gauntlet->transforms;
    }
    const Status status = helper_joints_fit(&dataset->mesh, &rig, &options, &fit);
    contender->helped = fit.rig;
    STATUS_TRY(status);
    contender->rig = &contender->helped;
    const size_t all = (size_t)contender->helped.joint_count;
    ALLOCATE_TABLE(contender->transforms, gauntlet->pose_count, all, "skinned poses");
    for (int p = 0; p < gauntlet->pose_count; p++) {
        Transform *pose = contender->transforms + (size_t)p * all;
        memcpy(pose, gauntlet->transforms + (size_t)p * joints, joints * sizeof *pose);
        helper_joints_pose(fit.models, fit.count, (int)joints, pose);
    }
    return status_ok();
}

static Status contender_make(Contest *contest, const SkinningEntry *entry, const AdvicePlan *plan,
                             AdviceMethod *method, Contender *contender)
{
    const SkinningMethod *table = entry->method;
    const Rig *rig = plan && plan->pruned ? &contest->pruned : &contest->dataset->rig;
    const size_t vertices = (size_t)contest->dataset->mesh.vertex_count,
                 poses = (size_t)contest->gauntlet.pose_count;
    *contender = (Contender){.rig = rig,
                             .contest = contest,
                             .status = status_ok(),
                             .options = {.entry = entry,
                                         .parameters = parameters_default(table->parameters),
                                         .backend = &backend_simd,
                                         .threads = 1,
                                         .two_phase = rig->scale != NULL,
                                         .first_phase = skinning_first_phase()}};
    snprintf(method->name, sizeof method->name, "%s%s", table->name, plan ? plan->name : "");
    snprintf(method->title, sizeof method->title, "%s%s", table->title, plan ? plan->title : "");
    for (int i = 0; plan && plan->settings[i]; i++)
        STATUS_TRY(parameters_set(table->parameters, table->name, plan->settings[i],
                                  &contender->options.parameters));
    method->table = table;
    method->bytes_per_joint = 4 * table->floats_per_joint;
    method->bytes_per_set = 4 * table->floats_per_set;
    method->bytes_per_vertex = 4 * table->floats_per_vertex;
    method->dominated_by = -1;
    method->cost = method->cost_low = method->cost_high = method->ns_per_vertex = NAN;
    method->device_cost = method->device_ns_per_vertex = NAN;
    for (int i = 0; i < ADVICE_MEASURES; i++)
        method->values[i] = method->beyond[i] = NAN;
    ALLOCATE_TABLE(contender->positions, (size_t)contest->block, 3 * vertices, "skinned poses");
    ALLOCATE(contender->wears, poses, "skinned poses");
    ALLOCATE_TABLE(contender->joints, poses, contest->gauntlet.joint_count, "skinned poses");
    ALLOCATE_TABLE(contender->holes, contest->rest.surface.hole_count, 4, "skinned poses");
    const double start = clock_now_s();
    Status status = plan && plan->helpers ? helpers_make(contest, contest->options, plan->helpers, contender)
                                          : status_ok();
    if (status.code == STATUS_OK)
        status =
            skinner_create(&contender->options, &contest->dataset->mesh, contender->rig, &contender->skinner);
    method->precompute_s = clock_now_s() - start;
    if (status.code == STATUS_BAD_INPUT || status.code == STATUS_UNAVAILABLE) {
        contender_drop(method, contender, status);
        return status_ok();
    }
    if (status.code == STATUS_OK)
        method->data_bytes =
            data_bytes(table, contender->skinner, int_clamp(contest->dataset->mesh.vertex_count, 1, INT_MAX));
    return status;
}

/* Adds every method of the registry, and lbs with fewer influences if the rig has many. */
static Status contenders_make(Contest *contest, Advice *advice)
{
    const Rig *rig = &contest->dataset->rig;
    const bool many = rig->influence_count > SAVED_INFLUENCES;
    const int first = many ? PRUNED : FIRST_OF_REFERENCE,
              last = contest->options->reference ? PLAN_COUNT : FIRST_OF_REFERENCE,
              entries = skinning_entry_count(), methods = entries + last - first;
    const size_t frame_bytes = 3 * sizeof(float) * (size_t)contest->dataset->mesh.vertex_count;
    contest->block = int_clamp((int)(BLOCK_BYTES / ((size_t)methods * frame_bytes + 1)), 2, POSE_BLOCK);
    ALLOCATE(advice->methods, methods, "the methods");
    ALLOCATE(contest->contenders, methods, "the methods");
    if (many) {
        STATUS_TRY(rig_with_weights(rig, contest->dataset->mesh.vertex_count, &contest->pruned));
        STATUS_TRY(rig_prune(&contest->pruned, contest->dataset->mesh.vertex_count, SAVED_INFLUENCES));
    }
    advice->lbs = contest->reference = -1;
    for (int i = 0; i < methods; i++) {
        const AdvicePlan *plan = i < entries ? NULL : &plans[first + i - entries];
        const SkinningEntry *entry = plan ? skinning_entry_find(plan->method) : skinning_entry_at(i);
        if (!entry || (plan && plan->pruned && !many))
            continue; /* skip a method that is not built in, and a variant that this rig does not need */
        const int slot = advice->method_count++;
        contest->contender_count = advice->method_count;
        advice->lbs = !plan && strcmp(entry->name, "lbs") == 0 ? slot : advice->lbs;
        contest->reference = !plan && strcmp(entry->name, advice->reference) == 0 ? slot : contest->reference;
        STATUS_TRY(contender_make(contest, entry, plan, &advice->methods[slot], &contest->contenders[slot]));
        if (!progress_report(contest->options->progress, "binding", 0.3 * (i + 1) / methods))
            return status_make(STATUS_STOPPED, "stopped while the methods were being prepared");
    }
    if (advice->lbs < 0)
        return status_make(STATUS_UNAVAILABLE,
                           "this build does not have the method 'lbs', with which all methods are compared");
    const AdviceMethod *lbs = &advice->methods[advice->lbs];
    return lbs->reason[0] ? bad_input("%s", lbs->reason) : status_ok();
}

/* Computes E_RMS of a method over all frames; NAN if the file has no shapes. */
static Status method_e_rms(const Contest *contest, Contender *contender, double *e_rms)
{
    const Dataset *dataset = contest->dataset;
    const Rig *rig = contender->rig;
    const size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    OWNED_BY(metrics_stream_close) MetricsStream *stream = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    if (!file_shapes(contest) || rig->frame_count == 0 || contender->transforms)
        return status_ok();
    STATUS_TRY(metrics_stream_open(&dataset->mesh, dataset->animation.positions, rig->frame_count,
                                   contest->options->threads, NULL, &stream));
    for (int first = 0; first < rig->frame_count; first += contest->block) {
        const int count = int_min(contest->block, rig->frame_count - first);
        STATUS_TRY(skinner_skin_rig(contender->skinner, first, count, contender->positions, NULL));
        STATUS_TRY(metrics_stream_add(stream, count, dataset->animation.positions + (size_t)first * values,
                                      contender->positions));
    }
    STATUS_TRY(metrics_stream_finish(stream, &metrics));
    *e_rms = metric_named("e_rms", &metrics);
    return status_ok();
}

/* ---- cost ---- */

static Status frame_run(void *context)
{
    Contender *contender = context;
    return poses_skin(contender->contest, contender, contender->timed, 0, contender->frames_timed);
}

/* Measures the time of every contender whose member `timed` is set. Uses the backend simd, or the device of
 * the advice. */
static Status costs_measure(Contest *contest, Advice *advice, bool on_device)
{
    LOCAL_ARRAY(TimedTask *, tasks, contest->contender_count, "the times");
    LOCAL_ARRAY(int, method_of, contest->contender_count, "the times");
    LOCAL_ARRAY(int, order, contest->contender_count, "the times");
    LOCAL_ARRAY(double, scratch, 3 * ROUNDS_CAP_OF_ADVICE, "the times");
    RoundsEnd end;
    int used = 0, lbs = 0;
    for (int m = 0; m < contest->contender_count; m++) {
        Contender *contender = &contest->contenders[m];
        if (!contender->timed)
            continue;
        if (!contender->task.samples)
            ALLOCATE(contender->task.samples, ROUNDS_CAP_OF_ADVICE, "the times");
        /* let a slow method skin one pose per round, so that time is left for more rounds */
        const double start = clock_now_s();
        contender->frames_timed = 1;
        STATUS_TRY(frame_run(contender));
        if (clock_now_s() - start < SLOW_FRAME_S)
            contender->frames_timed = int_min(contest->block, contest->gauntlet.pose_count);
        lbs = m == advice->lbs ? used : lbs;
        method_of[used] = m;
        contender->task = (TimedTask){
            .run = frame_run, .context = contender, .samples = contender->task.samples, .alone = true};
        tasks[used++] = &contender->task;
    }
    const RoundsOptions options = {.rounds_minimum = ROUNDS_MINIMUM,
                                   .rounds_cap = ROUNDS_CAP_OF_ADVICE,
                                   .precision = 0.02,
                                   .time_budget_s = contest->options->timing_s,
                                   .seed = contest->options->seed,
                                   .progress = contest->options->progress,
                                   .progress_what = "timing"};
    STATUS_TRY(rounds_run(tasks, used, &options, order, scratch, &end));
    if (end == ROUNDS_STOPPED)
        return status_make(STATUS_STOPPED, "stopped while the methods were being timed");
    for (int i = 0; i < used; i++)
        for (int sample = 0; sample < tasks[i]->sample_count; sample++)
            tasks[i]->samples[sample] /= contest->contenders[method_of[i]].frames_timed;
    for (int i = 0; i < used; i++) {
        AdviceMethod *method = &advice->methods[method_of[i]];
        const size_t samples = (size_t)tasks[i]->sample_count;
        const Statistics times = statistics_of(tasks[i]->samples, samples, options.seed, scratch);
        const double ns = 1e9 * times.median / contest->dataset->mesh.vertex_count;
        const Statistics ratios =
            statistics_of_ratios(tasks[i]->samples, tasks[lbs]->samples, samples, options.seed, scratch);
        *(on_device ? &method->device_cost : &method->cost) = ratios.median;
        *(on_device ? &method->device_ns_per_vertex : &method->ns_per_vertex) = ns;
        if (!on_device) {
            method->cost_low = ratios.interval_low;
            method->cost_high = ratios.interval_high;
        }
    }
    return status_ok();
}

/* Measures times on simd and, if there is a reference and a device, on the device. Device times include the
 * transfer of results to the host. */
static Status costs_find(Contest *contest, Advice *advice)
{
    const Backend *device = NULL;
    char text[256];
    for (int m = 0; m < contest->contender_count; m++)
        contest->contenders[m].timed = contest->contenders[m].skinner;
    STATUS_TRY(costs_measure(contest, advice, false));
    for (int i = 0; i < BACKEND_COUNT && contest->options->reference; i++)
        if (backend_at(i)->is_device && backend_at(i)->probe(text, sizeof text).code == STATUS_OK)
            device = backend_at(i);
    if (!device)
        return status_ok();
    snprintf(advice->device, sizeof advice->device, "%s", device->name);
    for (int m = 0; m < contest->contender_count; m++) {
        Contender *contender = &contest->contenders[m];
        contender->timed = NULL;
        contender->options.backend = device;
        if (contender->skinner &&
            skinner_create(&contender->options, &contest->dataset->mesh, contender->rig, &contender->timed)
                    .code == STATUS_OK &&
            frame_run(contender).code != STATUS_OK) {
            skinner_free(contender->timed);
            contender->timed = NULL;
        }
    }
    const Status measured =
        contest->contenders[advice->lbs].timed ? costs_measure(contest, advice, true) : status_ok();
    for (int m = 0; m < contest->contender_count; m++)
        skinner_free(contest->contenders[m].timed);
    return measured;
}

/* Checks that the reference exists and has poses. */
static Status reference_check(Contest *contest, const Advice *advice)
{
    const bool file = strcmp(advice->reference, "file") == 0, method = !file && !contest->elastic;
    if (!advice->reference[0])
        return status_ok();
    if (file && !file_shapes(contest))
        return bad_input(
            "has no shapes of its frames (animation/positions), which the reference `file` needs");
    if (method && contest->reference < 0)
        return bad_usage("the reference is '%s'; expected elastic, file or the name of a method (see %s)",
                         advice->reference, "`skinbench list methods`");
    if (method && advice->methods[contest->reference].reason[0])
        return bad_input("%s", advice->methods[contest->reference].reason);
    for (int p = 0; p < contest->gauntlet.pose_count; p++)
        contest->error_poses += reference_shape(contest, 0, p) != NULL;
    return contest->error_poses > 0 ? status_ok()
                                    : bad_input("has no pose for which the reference has a shape");
}

Status advise(const Dataset *dataset, const AdviseOptions *options, Advice *out)
{
    CLEANUP(contest_clear) Contest contest = {.dataset = dataset, .options = options};
    const Rig *rig = &dataset->rig;
    *out = (Advice){.budget = options->budget, .seed = options->seed, .joint_count = rig->joint_count};
    snprintf(out->name, sizeof out->name, "%s", dataset->name);
    if (rig->joint_count == 0)
        return bad_input("has no rig to advise on (`skinbench fit` makes one from an animation)");
    STATUS_TRY(environment_kernel_times_check());
    STATUS_TRY(skin_at_rest_make(&dataset->mesh, rig, &contest.rest));
    const GauntletOptions poses = {options->own_poses, OWN_POSES_CAP, JOINTS_CAP, options->seed};
    STATUS_TRY(gauntlet_make(rig, contest.rest.skin, &poses, &contest.gauntlet));
    for (int p = 0; p < contest.gauntlet.pose_count; p++)
        *(contest.gauntlet.poses[p].kind == POSE_OWN ? &out->own_poses
          : contest.gauntlet.poses[p].is_beyond      ? &out->poses_beyond
                                                     : &out->gauntlet_poses) += 1;
    if (options->reference)
        snprintf(out->reference, sizeof out->reference, "%s", options->reference);
    if (strcmp(out->reference, "elastic") == 0) {
        if (rig->scale)
            return bad_input("has scale (rig/scale), which the elastic reference does not apply");
        ALLOCATE_TABLE(contest.elastic, contest.gauntlet.pose_count, 3 * (size_t)dataset->mesh.vertex_count,
                       "the reference");
        STATUS_TRY(elastic_shapes(&dataset->mesh, rig, contest.gauntlet.transforms,
                                  contest.gauntlet.pose_count, options->threads, options->progress,
                                  contest.elastic));
    }
    STATUS_TRY(contenders_make(&contest, out));
    STATUS_TRY(reference_check(&contest, out));
    STATUS_TRY(poses_measure(&contest, out));
    STATUS_TRY(joints_measure(&contest, out));
    for (int m = 0; m < out->method_count; m++)
        if (contest.contenders[m].skinner)
            STATUS_TRY(method_e_rms(&contest, &contest.contenders[m], &out->methods[m].values[ADVICE_E_RMS]));
    STATUS_TRY(costs_find(&contest, out));
    advice_dominate(out);
    STATUS_TRY(views_make(&contest, out));
    advice_conclude(out);
    out->mesh = contest.rest.mesh;
    contest.rest.mesh = (Mesh){0};
    return status_ok();
}
