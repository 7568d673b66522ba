/* All methods skin blocks of the same poses, lbs first; what each does to the skin is measured, then a frame
 * of each is timed in interleaved rounds. */
#include "harness/run/advice/advise.h"

#include "datasets/base/clock.h"
#include "datasets/model/prune.h"
#include "datasets/model/validate.h"
#include "harness/measure/metrics/metrics_stream.h"
#include "harness/measure/timing/rounds.h"
#include "harness/measure/timing/statistics.h"
#include "harness/run/advice/gauntlet.h"
#include "harness/run/advice/skin_wear.h"
#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <limits.h>

enum {
    OWN_POSES_CAP = 16,
    JOINTS_CAP = 16,
    BLOCK = 8,            /* poses at a time */
    SAVED_INFLUENCES = 4, /* of lbs with fewer influences than the file has */
    ROUNDS_MINIMUM = 15,
    ROUNDS_CAP_OF_ADVICE = 200
};
static const size_t BLOCK_BYTES = (size_t)256 << 20;
static const char *const pose_words[] = {
    [POSE_BEND] = "bent", [POSE_TWIST] = "twisted", [POSE_CHAIN] = "twisted along its chain"};

/* A method at work. */
typedef struct Contender {
    const Rig *rig;
    Skinner *skinner;   /* NULL: it does not take this rig */
    float *positions;   /* [BLOCK][N][3] */
    SkinWear *wears;    /* [F] */
    JointWear *joints;  /* [F][P] */
    double *holes;      /* scratch */
    double jump, error; /* error: sum of squares of distances from the reference */
    TimedTask task;
    const Transform *timed; /* the poses that it is timed in */
    const Mat3 *timed_scale;
    int timed_count;
    Status status;
} Contender;

typedef struct Contest {
    const Dataset *dataset;
    const AdviseOptions *options;
    SkinAtRest rest;
    Gauntlet gauntlet;
    Rig pruned; /* its weights are its own, all else is the rig's */
    Contender *contenders;
    int contender_count, block;
    int reference;   /* the method that errors are against; -1: the file's shapes, or none */
    int error_poses; /* that count in errors */
    int *joints;     /* [joint_used of the advice] which joint of the rig each is */
} Contest;

static void contest_clear(Contest *contest)
{
    for (int i = 0; contest->contenders && i < contest->contender_count; i++) {
        Contender *contender = &contest->contenders[i];
        skinner_free(contender->skinner);
        memory_free(contender->positions);
        memory_free(contender->wears);
        memory_free(contender->joints);
        memory_free(contender->holes);
        memory_free(contender->task.samples);
    }
    memory_free(contest->contenders);
    memory_free(contest->pruned.weight_joints);
    memory_free(contest->pruned.weight_values);
    memory_free(contest->joints);
    skin_at_rest_clear(&contest->rest);
    gauntlet_clear(&contest->gauntlet);
}

static void contender_drop(AdviceMethod *method, Contender *contender, Status failure)
{
    snprintf(method->reason, sizeof method->reason, "%s", failure.text);
    skinner_free(contender->skinner);
    contender->skinner = NULL;
}

/* A method beside those of the registry with their defaults. */
typedef struct AdvicePlan {
    const char *method, *name, *title; /* name and title go behind the method's */
    bool pruned;                       /* takes the rig with fewer influences */
    const char *settings[4];
} AdvicePlan;

enum { PRUNED, FIRST_OF_REFERENCE };
static const AdvicePlan plans[] = {
    [PRUNED] = {"lbs", "-4", ", 4 influences", true, {NULL}},
    {"dqs", "-4", ", 4 influences", true, {NULL}},
    {"direct-delta-mush", "-4", ", 4 influences", false, {"threshold=1e-3", "influences=4"}},
    {"direct-delta-mush",
     "-4-v2",
     ", 4 influences, v2",
     false,
     {"threshold=1e-3", "influences=4", "variant=v2"}},
    {"direct-delta-mush",
     "-4-v5",
     ", 4 influences, v5",
     false,
     {"threshold=1e-3", "influences=4", "variant=v5"}},
};
enum { PLAN_COUNT = sizeof plans / sizeof *plans };

/* The bytes of a bound method that stay the same from frame to frame. */
static double data_bytes(const SkinningMethod *table, const Skinner *skinner, int vertices)
{
    const JointSets *sets = skinner_joint_sets(skinner);
    double influences = 0.0;
    for (int set = 0; set < sets->set_count; set++)
        influences +=
            (double)joint_set_size(sets, set) * (sets->first_vertex[set + 1] - sets->first_vertex[set]);
    return 4.0 * (influences / vertices * (2 + table->floats_per_influence) + table->floats_per_vertex);
}

static Status contender_make(Contest *contest, const SkinningEntry *entry, const AdvicePlan *plan,
                             AdviceMethod *method, Contender *contender)
{
    const SkinningMethod *table = entry->method;
    const Rig *rig = plan && plan->pruned ? &contest->pruned : &contest->dataset->rig;
    SkinnerOptions options = {.entry = entry,
                              .parameters = parameters_default(table->parameters, table->parameter_count),
                              .backend = &backend_simd,
                              .threads = 1,
                              .two_phase = rig->scale != NULL,
                              .first_phase = skinning_first_phase()};
    const size_t vertices = (size_t)contest->dataset->mesh.vertex_count,
                 poses = (size_t)contest->gauntlet.pose_count;
    *contender = (Contender){.rig = rig, .status = status_ok()};
    snprintf(method->name, sizeof method->name, "%s%s", table->name, plan ? plan->name : "");
    snprintf(method->title, sizeof method->title, "%s%s", table->title, plan ? plan->title : "");
    for (int i = 0; plan && plan->settings[i]; i++)
        STATUS_TRY(parameters_set(table->parameters, table->parameter_count, table->name, plan->settings[i],
                                  &options.parameters));
    method->bytes_per_joint = 4 * table->floats_per_joint;
    method->bytes_per_set = 4 * table->floats_per_set;
    method->bytes_per_vertex = 4 * table->floats_per_vertex;
    method->dominated_by = -1;
    method->cost = method->cost_low = method->cost_high = method->ns_per_vertex = NAN;
    for (int i = 0; i < ADVICE_MEASURES; i++)
        method->values[i] = NAN;
    ALLOCATE_TABLE(contender->positions, (size_t)contest->block, 3 * vertices, "skinned poses");
    ALLOCATE(contender->wears, poses, "skinned poses");
    ALLOCATE_TABLE(contender->joints, poses, contest->gauntlet.joint_count, "skinned poses");
    ALLOCATE_TABLE(contender->holes, contest->rest.surface.hole_count, 4, "skinned poses");
    const double start = clock_now_s();
    const Status status = skinner_create(&options, &contest->dataset->mesh, rig, &contender->skinner);
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

/* A rig of its own with fewer influences. */
static Status rig_pruned(const Rig *rig, int vertices, Rig *out)
{
    const size_t slots = (size_t)vertices * (size_t)rig->influence_count;
    LOCAL_ARRAY(int32_t, joints, slots, "the weights");
    LOCAL_ARRAY(float, values, slots, "the weights");
    memcpy(joints, rig->weight_joints, slots * sizeof *joints);
    memcpy(values, rig->weight_values, slots * sizeof *values);
    *out = *rig;
    out->centers = NULL;
    out->weight_joints = TAKE(joints);
    out->weight_values = TAKE(values);
    return rig_prune(out, vertices, SAVED_INFLUENCES);
}

/* Every method of the registry, and lbs with fewer influences where the rig has many. */
static Status contenders_make(Contest *contest, Advice *advice)
{
    const Rig *rig = &contest->dataset->rig;
    const bool many = rig->influence_count > SAVED_INFLUENCES;
    const int first = many ? PRUNED : FIRST_OF_REFERENCE,
              last = contest->options->reference ? PLAN_COUNT : FIRST_OF_REFERENCE,
              own = skinning_entry_count(), methods = own + last - first;
    const size_t frame_bytes = 3 * sizeof(float) * (size_t)contest->dataset->mesh.vertex_count;
    contest->block = int_clamp((int)(BLOCK_BYTES / ((size_t)methods * frame_bytes + 1)), 2, BLOCK);
    ALLOCATE(advice->methods, methods, "the methods");
    ALLOCATE(contest->contenders, methods, "the methods");
    if (many)
        STATUS_TRY(rig_pruned(rig, contest->dataset->mesh.vertex_count, &contest->pruned));
    advice->lbs = contest->reference = -1;
    for (int i = 0; i < methods; i++) {
        const AdvicePlan *plan = i < own ? NULL : &plans[first + i - own];
        const SkinningEntry *entry = plan ? skinning_entry_find(plan->method) : skinning_entry_at(i);
        if (!entry || (plan && plan->pruned && !many))
            continue; /* not built in */
        const int at = advice->method_count++;
        contest->contender_count = advice->method_count;
        advice->lbs = !plan && strcmp(entry->name, "lbs") == 0 ? at : advice->lbs;
        contest->reference = !plan && strcmp(entry->name, advice->reference) == 0 ? at : contest->reference;
        STATUS_TRY(contender_make(contest, entry, plan, &advice->methods[at], &contest->contenders[at]));
        if (!progress_report(contest->options->progress, "binding", 0.3 * (i + 1) / methods))
            return status_make(STATUS_STOPPED, "stopped while methods were bound");
    }
    if (advice->lbs < 0 || skinning_entry_find("lbs") == NULL)
        return status_make(STATUS_UNAVAILABLE, "this build has no lbs, which methods are compared with");
    const AdviceMethod *lbs = &advice->methods[advice->lbs];
    return lbs->reason[0] ? status_make(STATUS_BAD_INPUT, "%s", lbs->reason) : status_ok();
}

/* ---- measuring ---- */

static Status block_skin(const Contest *contest, Contender *contender, int first, int count)
{
    const size_t offset = (size_t)first * (size_t)contest->gauntlet.joint_count;
    STATUS_TRY(skinner_pose(contender->skinner, contest->gauntlet.transforms + offset,
                            contest->gauntlet.scale ? contest->gauntlet.scale + offset : NULL, count));
    STATUS_TRY(skinner_skin_frames(contender->skinner, contender->positions, NULL));
    const int64_t bad =
        float_not_finite(contender->positions, 3 * (int64_t)count * contest->dataset->mesh.vertex_count);
    return bad < 0 ? status_ok() : status_make(STATUS_BAD_INPUT, "a vertex is not finite");
}

static double greatest_way(const float *from, const float *to, int vertices)
{
    double most = 0.0;
    for (int v = 0; v < vertices; v++)
        most = fmax(most, vec3_length(vec3_sub(point_at(from, v), point_at(to, v))));
    return most;
}

/* Poses that the rig meets: ties, which all but all methods differ in, count for the jump alone. */
static bool pose_counts(const Pose *pose)
{
    return pose->kind != POSE_TIE && pose->kind != POSE_AFTER_TIE;
}

/* What a pose is compared with; NULL: nothing. */
static const float *reference_shape(const Contest *contest, int block, int pose)
{
    const size_t values = 3 * (size_t)contest->dataset->mesh.vertex_count;
    const Pose *of = &contest->gauntlet.poses[pose];
    if (contest->reference >= 0)
        return pose_counts(of) ? contest->contenders[contest->reference].positions + values * (size_t)block
                               : NULL;
    return contest->options->reference && of->kind == POSE_OWN
               ? contest->dataset->animation.positions + values * (size_t)of->number
               : NULL;
}

static double distance_squares(const float *one, const float *other, int vertices)
{
    double sum = 0.0;
    for (int i = 0; i < 3 * vertices; i++) {
        const double difference = (double)one[i] - (double)other[i];
        sum += difference * difference;
    }
    return sum;
}

static void block_judge(const Contest *contest, const float *linear, Contender *contender, int first,
                        int count)
{
    const int vertices = contest->dataset->mesh.vertex_count, joints = contest->gauntlet.joint_count;
    for (int i = 0; i < count; i++) {
        const size_t frame = 3 * (size_t)i * (size_t)vertices, pose = (size_t)first + (size_t)i;
        const float *positions = contender->positions + frame;
        contender->wears[pose] =
            skin_wear(&contest->rest, contest->gauntlet.transforms + pose * (size_t)joints, positions,
                      linear + frame, contender->joints + pose * (size_t)joints, contender->holes);
        const float *shape = reference_shape(contest, i, (int)pose);
        contender->error += shape ? distance_squares(positions, shape, vertices) : 0.0;
        if (contest->gauntlet.poses[pose].kind == POSE_AFTER_TIE && i > 0)
            contender->jump =
                fmax(contender->jump, greatest_way(positions - 3 * (size_t)vertices, positions, vertices));
    }
}

/* How many poses a block has: a tie and the pose after it stay together. */
static int block_count(const Contest *contest, int first)
{
    const int count = int_min(contest->block, contest->gauntlet.pose_count - first);
    return count > 1 && contest->gauntlet.poses[first + count - 1].kind == POSE_TIE ? count - 1 : count;
}

static Status poses_judge(Contest *contest, Advice *advice)
{
    const int poses = contest->gauntlet.pose_count, methods = contest->contender_count;
    for (int first = 0; first < poses;) {
        const int count = block_count(contest, first);
        const float *linear = contest->contenders[advice->lbs].positions;
        /* lbs is there for all others before they are judged */
#pragma omp parallel for schedule(dynamic) num_threads(contest->options->threads)
        for (int i = 0; i < methods; i++)
            if (contest->contenders[i].skinner)
                contest->contenders[i].status = block_skin(contest, &contest->contenders[i], first, count);
#pragma omp parallel for schedule(dynamic) num_threads(contest->options->threads)
        for (int i = 0; i < methods; i++)
            if (contest->contenders[i].skinner && contest->contenders[i].status.code == STATUS_OK)
                block_judge(contest, linear, &contest->contenders[i], first, count);
        for (int i = 0; i < methods; i++) {
            const Status status = contest->contenders[i].status;
            if (status.code != STATUS_OK &&
                (i == advice->lbs || i == contest->reference || status.code != STATUS_BAD_INPUT))
                return status;
            if (status.code != STATUS_OK)
                contender_drop(&advice->methods[i], &contest->contenders[i], status);
            contest->contenders[i].status = status_ok();
        }
        first += count;
        if (!progress_report(contest->options->progress, "skinning", 0.3 + 0.4 * first / poses))
            return status_make(STATUS_STOPPED, "stopped after %d of %d poses", first, poses);
    }
    return status_ok();
}

/* Own poses and gauntlet weigh one half each where there are both. */
static void method_average(const Contest *contest, Contender *contender, double *values)
{
    double sums[2][3] = {{0.0}}, counts[2] = {0.0, 0.0}, gap = 0.0;
    for (int p = 0; p < contest->gauntlet.pose_count; p++) {
        const Pose *pose = &contest->gauntlet.poses[p];
        const SkinWear *wear = &contender->wears[p];
        if (!pose_counts(pose))
            continue;
        double *sum = sums[pose->kind == POSE_OWN];
        sum[0] += wear->volume;
        sum[1] += wear->stretch;
        sum[2] += wear->area;
        counts[pose->kind == POSE_OWN] += 1.0;
        gap = fmax(gap, wear->gap);
    }
    static const AdviceMeasure measures[] = {ADVICE_VOLUME, ADVICE_STRETCH, ADVICE_AREA};
    for (int m = 0; m < 3; m++) {
        double mean = 0.0;
        int groups = 0;
        for (int group = 0; group < 2; group++)
            if (counts[group] > 0.0) {
                mean += sums[group][m] / counts[group];
                groups++;
            }
        values[measures[m]] = 100.0 * mean / groups;
    }
    values[ADVICE_GAP] = 100.0 * gap;
    values[ADVICE_JUMP] =
        contest->options->own_poses ? NAN : 100.0 * contender->jump / contest->rest.diagonal;
}

/* The greatest of a joint's wear over the poses, as per cent. */
static double joint_most(const Contest *contest, const Contender *contender, int joint, size_t member,
                         int *pose)
{
    double most = -1.0;
    for (int p = 0; p < contest->gauntlet.pose_count; p++) {
        const JointWear *wear =
            &contender->joints[(size_t)p * (size_t)contest->gauntlet.joint_count + (size_t)joint];
        float value = 0.0f;
        memcpy(&value, (const char *)wear + member, sizeof value);
        if (!pose_counts(&contest->gauntlet.poses[p]) || (double)value <= most)
            continue;
        most = (double)value;
        if (pose)
            *pose = p;
    }
    return 100.0 * most;
}

/* Collapse, bulge and difference of every method at every joint. */
static Status joints_judge(Contest *contest, Advice *advice)
{
    const Rig *rig = &contest->dataset->rig;
    ALLOCATE(advice->joints, rig->joint_count, "the joints");
    ALLOCATE(contest->joints, rig->joint_count, "the joints");
    for (int j = 0; j < rig->joint_count; j++) {
        if (contest->rest.skin[j] == 0)
            continue;
        AdviceJoint *joint = &advice->joints[advice->joint_used];
        contest->joints[advice->joint_used++] = j;
        joint->vertex_count = contest->rest.skin[j];
        if (rig->joint_names && rig->joint_names[j])
            snprintf(joint->name, sizeof joint->name, "%s", rig->joint_names[j]);
        else
            snprintf(joint->name, sizeof joint->name, "joint %d", j);
        ALLOCATE(joint->collapse, advice->method_count, "the joints");
        ALLOCATE(joint->bulge, advice->method_count, "the joints");
        for (int m = 0; m < advice->method_count; m++) {
            const Contender *contender = &contest->contenders[m];
            if (!contender->skinner)
                continue;
            joint->collapse[m] = joint_most(contest, contender, j, offsetof(JointWear, collapse), NULL);
            joint->bulge[m] = joint_most(contest, contender, j, offsetof(JointWear, bulge), NULL);
        }
    }
    for (int m = 0; m < advice->method_count; m++) {
        double *values = advice->methods[m].values, collapse = 0.0, bulge = 0.0, difference = 0.0;
        if (!contest->contenders[m].skinner)
            continue;
        method_average(contest, &contest->contenders[m], values);
        for (int j = 0; j < advice->joint_used; j++) {
            collapse += advice->joints[j].collapse[m] / advice->joint_used;
            bulge += advice->joints[j].bulge[m] / advice->joint_used;
            difference = fmax(difference, joint_most(contest, &contest->contenders[m], contest->joints[j],
                                                     offsetof(JointWear, difference), NULL));
        }
        values[ADVICE_COLLAPSE] = collapse;
        if (contest->options->reference)
            values[ADVICE_ERROR] = 100.0 *
                                   sqrt(contest->contenders[m].error /
                                        ((double)contest->error_poses *
                                         int_clamp(contest->rest.mesh.vertex_count, 1, INT_MAX))) /
                                   contest->rest.diagonal;
        values[ADVICE_BULGE] = bulge;
        values[ADVICE_DIFFERENCE] = difference;
    }
    return status_ok();
}

/* E_RMS over all frames, where the file has shapes of them. */
static Status method_e_rms(const Contest *contest, Contender *contender, double *e_rms)
{
    const Dataset *dataset = contest->dataset;
    const Rig *rig = &dataset->rig;
    const size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    OWNED_BY(metrics_stream_close) MetricsStream *stream = NULL;
    CLEANUP(metrics_clear) Metrics metrics = {0};
    if (!dataset->animation.positions || dataset->animation.frame_count != rig->frame_count ||
        rig->frame_count == 0)
        return status_ok();
    STATUS_TRY(metrics_stream_open(&dataset->mesh, dataset->animation.positions, rig->frame_count,
                                   contest->options->threads, NULL, &stream));
    for (int first = 0; first < rig->frame_count; first += contest->block) {
        const int count = int_min(contest->block, rig->frame_count - first);
        const size_t offset = (size_t)first * (size_t)rig->joint_count;
        STATUS_TRY(skinner_pose(contender->skinner, rig->transforms + offset,
                                rig->scale ? rig->scale + offset : NULL, count));
        STATUS_TRY(skinner_skin_frames(contender->skinner, contender->positions, NULL));
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
    STATUS_TRY(
        skinner_pose(contender->skinner, contender->timed, contender->timed_scale, contender->timed_count));
    return skinner_skin_frames(contender->skinner, contender->positions, NULL);
}

static Status costs_measure(Contest *contest, Advice *advice)
{
    const int count = int_min(contest->block, contest->gauntlet.pose_count);
    LOCAL_ARRAY(TimedTask, tasks, contest->contender_count, "the times");
    LOCAL_ARRAY(int, method_of, contest->contender_count, "the times");
    LOCAL_ARRAY(int, order, contest->contender_count, "the times");
    LOCAL_ARRAY(double, scratch, 3 * ROUNDS_CAP_OF_ADVICE, "the times");
    RoundsEnd end;
    int used = 0, lbs = 0;
    for (int m = 0; m < contest->contender_count; m++) {
        Contender *contender = &contest->contenders[m];
        if (!contender->skinner)
            continue;
        contender->timed = contest->gauntlet.transforms;
        contender->timed_scale = contest->gauntlet.scale;
        contender->timed_count = count;
        ALLOCATE(contender->task.samples, ROUNDS_CAP_OF_ADVICE, "the times");
        lbs = m == advice->lbs ? used : lbs;
        method_of[used] = m;
        tasks[used++] = (TimedTask){
            .run = frame_run, .context = contender, .samples = contender->task.samples, .alone = true};
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
        return status_make(STATUS_STOPPED, "stopped while methods were timed");
    for (int i = 0; i < used; i++) {
        AdviceMethod *method = &advice->methods[method_of[i]];
        const size_t samples = (size_t)tasks[i].sample_count;
        const Statistics ratios =
            statistics_of_ratios(tasks[i].samples, tasks[lbs].samples, samples, options.seed, scratch);
        const Statistics times = statistics_of(tasks[i].samples, samples, options.seed, scratch);
        method->cost = ratios.median;
        method->cost_low = ratios.interval_low;
        method->cost_high = ratios.interval_high;
        method->ns_per_vertex = 1e9 * times.median / count / contest->dataset->mesh.vertex_count;
    }
    return status_ok();
}

/* ---- the places to look at ---- */

static int joints_by_difference(const void *a, const void *b)
{
    const AdviceJoint *first = a, *second = b;
    return (first->difference < second->difference) - (first->difference > second->difference);
}

/* The ball around the skin of a joint in a pose. */
static void view_center(const Contest *contest, int joint, AdviceView *view)
{
    const float *positions = view->positions[0];
    Vec3 low = vec3_make(INFINITY, INFINITY, INFINITY), high = vec3_scale(low, -1.0);
    for (int v = 0; v < contest->rest.mesh.vertex_count; v++) {
        if (contest->rest.joint_of[v] != joint)
            continue;
        const Vec3 place = point_at(positions, v);
        low = vec3_make(fmin(low.x, place.x), fmin(low.y, place.y), fmin(low.z, place.z));
        high = vec3_make(fmax(high.x, place.x), fmax(high.y, place.y), fmax(high.z, place.z));
    }
    view->center = vec3_scale(vec3_add(low, high), 0.5);
    view->radius = fmax(0.5 * vec3_length(vec3_sub(high, low)), 0.02 * contest->rest.diagonal);
}

static Status view_make(Contest *contest, int joint, int pose, AdviceView *view)
{
    const size_t values = 3 * (size_t)contest->rest.mesh.vertex_count;
    const Pose *of = &contest->gauntlet.poses[pose];
    if (of->kind == POSE_OWN)
        snprintf(view->pose, sizeof view->pose, "frame %d", of->number);
    else
        snprintf(view->pose, sizeof view->pose, "%s by %d degrees", pose_words[of->kind], of->number);
    for (int i = 0; i < view->method_count; i++) {
        Contender *contender = &contest->contenders[view->methods[i]];
        STATUS_TRY(block_skin(contest, contender, pose, 1));
        ALLOCATE(view->positions[i], values, "a view");
        ALLOCATE(view->changes[i], contest->rest.mesh.vertex_count, "a view");
        memcpy(view->positions[i], contender->positions, values * sizeof(float));
        STATUS_TRY(skin_area_changes(&contest->rest, view->positions[i], view->changes[i]));
    }
    view->joint = joint;
    view_center(contest, contest->joints[joint], view);
    return status_ok();
}

/* Which methods are shown beside lbs: those that are named, else those that are not dominated and differ the
 * most. */
static int methods_choose(const Advice *advice, int methods[4])
{
    int count = 0;
    methods[count++] = advice->lbs;
    for (int pass = 0; pass < 2; pass++)
        while (count < 4) {
            int best = -1;
            for (int m = 0; m < advice->method_count; m++) {
                bool taken = advice->methods[m].reason[0] != '\0' ||
                             (pass == 0 ? !advice_names(advice, m)
                                        : advice->methods[m].dominated_by >= 0 ||
                                              advice_tears(&advice->methods[m]) || count > 2);
                for (int i = 0; i < count; i++)
                    taken = taken || methods[i] == m;
                if (!taken && (best < 0 || advice->methods[m].harm < advice->methods[best].harm))
                    best = m;
            }
            if (best < 0)
                break;
            methods[count++] = best;
        }
    return count;
}

/* How much the methods that are not dominated differ at each joint, which the joints are sorted by; and views
 * of the first few. */
static Status views_make(Contest *contest, Advice *advice)
{
    int shown[4];
    const int shown_count = methods_choose(advice, shown);
    LOCAL_ARRAY(int, poses, contest->dataset->rig.joint_count, "the views");
    for (int j = 0; j < advice->joint_used; j++) {
        AdviceJoint *joint = &advice->joints[j];
        for (int i = 1; i < shown_count; i++) {
            int pose = 0;
            const double difference = joint_most(contest, &contest->contenders[shown[i]], contest->joints[j],
                                                 offsetof(JointWear, difference), &pose);
            if (difference > joint->difference) {
                joint->difference = difference;
                poses[j] = pose;
            }
        }
    }
    for (; advice->view_count < int_min(ADVICE_VIEWS, advice->joint_used); advice->view_count++) {
        int best = -1;
        for (int j = 0; j < advice->joint_used; j++) {
            bool taken = false;
            for (int i = 0; i < advice->view_count; i++)
                taken = taken || advice->views[i].joint == j;
            if (!taken && (best < 0 || advice->joints[j].difference > advice->joints[best].difference))
                best = j;
        }
        AdviceView *view = &advice->views[advice->view_count];
        view->method_count = shown_count;
        memcpy(view->methods, shown, sizeof shown);
        STATUS_TRY(view_make(contest, best, poses[best], view));
    }
    /* views name joints in their new order, in which they stand first */
    qsort(advice->joints, (size_t)advice->joint_used, sizeof *advice->joints, joints_by_difference);
    for (int i = 0; i < advice->view_count; i++)
        advice->views[i].joint = i;
    return status_ok();
}

/* The reference is there, and there are poses of it. */
static Status reference_check(Contest *contest, const Advice *advice)
{
    const Dataset *dataset = contest->dataset;
    const bool file = strcmp(advice->reference, "file") == 0;
    if (!advice->reference[0])
        return status_ok();
    if (file && (!dataset->animation.positions || dataset->animation.frame_count != dataset->rig.frame_count))
        return status_make(STATUS_BAD_INPUT, "has no shapes of its frames to be the reference");
    if (!file && contest->reference < 0)
        return status_make(STATUS_USAGE, "the reference is '%s', expected file or a method: %s",
                           advice->reference, "`skinbench list methods`");
    if (!file && advice->methods[contest->reference].reason[0])
        return status_make(STATUS_BAD_INPUT, "%s", advice->methods[contest->reference].reason);
    for (int p = 0; p < contest->gauntlet.pose_count; p++)
        contest->error_poses += reference_shape(contest, 0, p) != NULL;
    return contest->error_poses > 0 ? status_ok()
                                    : status_make(STATUS_BAD_INPUT, "has no poses of the reference");
}

Status advise(const Dataset *dataset, const AdviseOptions *options, Advice *out)
{
    CLEANUP(contest_clear) Contest contest = {.dataset = dataset, .options = options};
    OWNED_BY(advice_clear) Advice *unfinished = out;
    const Rig *rig = &dataset->rig;
    *out = (Advice){.budget = options->budget, .seed = options->seed, .joint_count = rig->joint_count};
    snprintf(out->name, sizeof out->name, "%s", dataset->name);
    if (rig->joint_count == 0)
        return status_make(STATUS_BAD_INPUT, "has no rig to advise on");
    STATUS_TRY(skin_at_rest_make(&dataset->mesh, rig, &contest.rest));
    const GauntletOptions poses = {options->own_poses, OWN_POSES_CAP, JOINTS_CAP, options->seed};
    STATUS_TRY(gauntlet_make(rig, contest.rest.skin, &poses, &contest.gauntlet));
    for (int p = 0; p < contest.gauntlet.pose_count; p++)
        *(contest.gauntlet.poses[p].kind == POSE_OWN ? &out->own_poses : &out->gauntlet_poses) += 1;
    if (options->reference)
        snprintf(out->reference, sizeof out->reference, "%s", options->reference);
    STATUS_TRY(contenders_make(&contest, out));
    STATUS_TRY(reference_check(&contest, out));
    STATUS_TRY(poses_judge(&contest, out));
    STATUS_TRY(joints_judge(&contest, out));
    for (int m = 0; m < out->method_count; m++)
        if (contest.contenders[m].skinner)
            STATUS_TRY(method_e_rms(&contest, &contest.contenders[m], &out->methods[m].values[ADVICE_E_RMS]));
    STATUS_TRY(costs_measure(&contest, out));
    advice_dominate(out);
    STATUS_TRY(views_make(&contest, out));
    advice_conclude(out);
    out->mesh = contest.rest.mesh;
    contest.rest.mesh = (Mesh){0};
    unfinished = NULL;
    return status_ok();
}
