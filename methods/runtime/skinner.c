/* Checks a rig, binds a method to it, and passes the stages to a backend. All functions of the Skinner are
 * in this file, because only they know its struct. */
#include "methods/runtime/skinner.h"

#include "datasets/geometry/points.h"
#include "datasets/model/check.h"
#include "datasets/model/two_phase.h"
#include "datasets/model/validate.h"
#include "methods/runtime/backends/implementation.h"
#include "methods/runtime/rigid_check.h"
#include "methods/runtime/watched_values.h"

#include <omp.h>

struct Skinner {
    const SkinningEntry *entry;
    const Backend *backend;
    void *backend_state;
    ParameterValues parameters;
    JointSets sets;
    double *own_vertex_values; /* [N][floats_per_vertex] in file order until vertices are bound; NULL if there
                                  are none */
    double *influence_values;  /* values per influence in the order of the weights of `sets`, if the method
                                  computes its influences */
    const Mesh *mesh;
    const Rig *rig;
    SkinningBinding binding;
    void *method_state;
    ShapeTransforms shapes;
    bool normals, two_phase, check_outputs;
    bool first_phase; /* whether the options name a method for the first phase of two-phase skinning */
    int frame_count;  /* number of posed frames; 0: no frame is posed */
    bool skinned;
    /* Skinned frames in file order, if the method has a whole-frame stage. */
    double *frames, *frame_normals; /* [frames_kept][N][3] */
    int frames_kept;
    struct PoseWorkspace
        *workspaces; /* [threads] workspaces; all zeros for a thread that has not posed a frame yet */
};

/* Workspace of one thread of the pose stage, for one frame or for the frames that the method poses
 * together. */
typedef struct PoseWorkspace {
    int frames;        /* number of frames posed together; 0: nothing is allocated yet */
    SkinningPose pose; /* the method's input and output, in the arrays below */
    WatchedValues joint_values, set_values;
    Transform *first, *second, *rest; /* [P] for two-phase skinning */
    Transform *blended;               /* [frames][P] blends of shapes */
    const double *first_values;       /* [P][FIRST_VALUES_PER_JOINT], or NULL without a first phase */
} PoseWorkspace;

static void workspace_clear(PoseWorkspace *work)
{
    FREE_ALL(work->joint_values.values, work->set_values.values, work->pose.set_variants,
             work->pose.workspace, work->first, work->second, work->rest, work->blended);
    *work = (PoseWorkspace){.frames = 0};
}
DEFINE_OWNED_BY(PoseWorkspace, workspace_clear)

/* Checks that a method given for the first phase blends transformations and needs nothing else. */
static Status first_phase_check(const SkinningEntry *first)
{
    const SkinningMethod *method = first ? first->method : NULL;
    if (!first || (method->floats_per_joint == FIRST_VALUES_PER_JOINT && method->floats_per_set == 0 &&
                   method->floats_per_vertex == 0 && method->variant_count <= 1))
        return status_ok();
    return bad_usage(
        "method %s cannot blend the first of two phases, because it needs more than joint matrices",
        method->name);
}

static InfluenceOrder influence_order(const Skinner *skinner)
{
    const SkinningMethod *method = skinner->entry->method;
    return method->influence_order ? method->influence_order(skinner->parameters.values)
                                   : INFLUENCES_BY_JOINT;
}

static void influences_clear(SkinningInfluences *influences)
{
    FREE_ALL(influences->first, influences->joints, influences->weights, influences->values,
             influences->vertex_values);
}

void skinner_cache_clear(SkinnerCache *cache)
{
    if (cache->prepared)
        cache->method->prepared_release(cache->prepared);
    *cache = (SkinnerCache){.threads = 0};
}

/* Prepares the rig, unless the cache has what the method needs. */
static Status skinner_prepare(Skinner *skinner, SkinnerCache *cache)
{
    const SkinningMethod *method = skinner->entry->method;
    cache->saved_s = cache->seconds;
    if (cache->method != method || cache->threads != skinner->binding.threads) {
        skinner_cache_clear(cache);
        cache->method = method;
        const double start_s = clock_now_s();
        if (method->prepare)
            STATUS_TRY(method->prepare(&skinner->binding, &cache->prepared));
        cache->seconds = clock_now_s() - start_s;
        cache->threads = skinner->binding.threads; /* at least 1, whereas 0 remains after a failure */
    }
    skinner->binding.prepared = cache->prepared;
    return status_ok();
}

/* Groups the vertices by the joints of the rig, or by the joints that the method computes. */
static Status sets_make(Skinner *skinner)
{
    const SkinningMethod *method = skinner->entry->method;
    const size_t vertices = (size_t)skinner->mesh->vertex_count;
    if (!method->influences)
        return joint_sets_init(skinner->rig, skinner->mesh->vertex_count, influence_order(skinner),
                               &skinner->sets);
    CLEANUP(influences_clear) SkinningInfluences computed = {0};
    STATUS_TRY(method->influences(&skinner->binding, &computed));
    size_t max = 0;
    for (size_t v = 0; v < vertices; v++)
        max = size_max(max, (size_t)(computed.first[v + 1] - computed.first[v]));
    /* group the vertices of a rig with float weights, then replace the weights by the method's own */
    LOCAL_TABLE(int32_t, joints, vertices, max, "the influences of a method");
    LOCAL_TABLE(float, weights, vertices, max, "the influences of a method");
    Rig rig = *skinner->rig;
    rig.influence_count = (int)max;
    rig.weight_joints = joints;
    rig.weight_values = weights;
    for (size_t v = 0; v < vertices; v++)
        for (size_t source = (size_t)computed.first[v], k = v * max; source < (size_t)computed.first[v + 1];
             source++, k++) {
            joints[k] = computed.joints[source];
            weights[k] = 1.0f;
        }
    STATUS_TRY(joint_sets_init(&rig, skinner->mesh->vertex_count, INFLUENCES_BY_JOINT, &skinner->sets));
    const JointSets *sets = &skinner->sets;
    const size_t per_influence = (size_t)method->floats_per_influence;
    ALLOCATE_TABLE(skinner->influence_values, sets->first_weight[sets->set_count], per_influence,
                   "the influences of a method");
    for (int i = 0; i < sets->vertex_count; i++) {
        const int set = sets->set_of_vertex[i],
                  in_set = sets->first_vertex[set + 1] - sets->first_vertex[set];
        size_t source = (size_t)computed.first[sets->vertices[i]];
        size_t target = (size_t)(sets->first_weight[set] + i - sets->first_vertex[set]);
        for (int k = 0; k < joint_set_size(sets, set); k++, source++, target += (size_t)in_set) {
            sets->weights[target] = computed.weights[source];
            memcpy(skinner->influence_values + target * per_influence,
                   computed.values + source * per_influence, per_influence * sizeof *computed.values);
        }
    }
    skinner->own_vertex_values = TAKE(computed.vertex_values);
    return status_ok();
}

static void watched_values_clear(WatchedValues *vertex_values)
{
    memory_free(vertex_values->values);
}

/* Makes the arrays in bound order that the backend copies; runs the bind stages of method and backend. */
static Status skinner_bind(Skinner *skinner, const SkinnerOptions *options)
{
    const SkinningMethod *method = skinner->entry->method;
    const size_t count = (size_t)skinner->sets.vertex_count;
    LOCAL_TABLE(double, file_normals, skinner->normals ? count : 0, 3, "the rest pose");
    LOCAL_TABLE(double, normals, skinner->normals ? count : 0, 3, "the rest pose");
    LOCAL_TABLE(double, rest, count, 3, "the rest pose");
    CLEANUP(watched_values_clear) WatchedValues vertex_values = {0};
    STATUS_TRY(watched_values_init(&vertex_values, count, method->floats_per_vertex, skinner->check_outputs,
                                   "the rest pose"));
    if (skinner->normals) {
        /* compute unit area-weighted normals of the rest pose, zero at a vertex without area */
        STATUS_TRY(mesh_corners_check(skinner->mesh));
        vertex_normals(skinner->mesh->triangles, skinner->mesh->triangle_count, skinner->mesh->vertex_count,
                       skinner->mesh->rest, file_normals);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t vertex = (size_t)skinner->sets.vertices[i];
        vector_store(point_at(skinner->mesh->rest, (ptrdiff_t)vertex), rest + 3 * i);
        if (skinner->normals)
            vector_store(vec3_normalize(vector_at(file_normals, vertex)), normals + 3 * i);
    }
    watched_values_begin(&vertex_values);
    const size_t per_vertex = (size_t)method->floats_per_vertex;
    for (size_t i = 0; skinner->own_vertex_values && i < count; i++)
        memcpy(vertex_values.values + i * per_vertex,
               skinner->own_vertex_values + (size_t)skinner->sets.vertices[i] * per_vertex,
               per_vertex * sizeof(double));
    if (method->bind)
        STATUS_TRY(method->bind(&skinner->binding, vertex_values.values, &skinner->method_state));
    STATUS_TRY(watched_values_end(&vertex_values, method->name, "vertex", "floats_per_vertex"));
    BackendBinding binding = {
        .backend = skinner->backend,
        .entry = skinner->entry,
        .sets = &skinner->sets,
        .rest = rest,
        .normals = skinner->normals ? normals : NULL,
        .vertex_values = vertex_values.values,
        .influence_values = skinner->influence_values,
        .parameters = skinner->parameters.values,
        .joint_count = skinner->rig->joint_count,
        .threads = skinner->binding.threads,
        .joints_ascend = influence_order(skinner) == INFLUENCES_BY_JOINT,
        .first_phase = skinner->two_phase && method->rigid_only ? options->first_phase : NULL,
        .simd_level = options->simd_level,
        .device_frames = options->device_frames,
        .device_group = options->device_group,
    };
    return skinner->backend->create(&binding, &skinner->backend_state);
}

Status skinner_create(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, Skinner **out)
{
    *out = NULL;
    const SkinningEntry *entry = options->entry;
    const SkinningMethod *method = entry->method;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinning_entry_check(entry));
    STATUS_TRY(skinning_entry_read_check(entry));
    STATUS_TRY(first_phase_check(options->first_phase));
    int64_t bad = float_not_finite(mesh->rest, 3 * (int64_t)mesh->vertex_count);
    if (bad >= 0)
        return bad_input("rest position of vertex %d is not finite", (int)(bad / 3));
    if (rig->joint_count <= 0)
        return bad_input("there is no rig: %s needs joints and weights", method->name);
    if (rig->scale && method->frames)
        return bad_input("the rig has scale (rig/scale), which %s does not support", method->name);
    if (rig->scale && !options->two_phase && method->rigid_only)
        return bad_input(
            "the rig has scale (rig/scale), which %s supports only in two-phase skinning; use --two-phase",
            method->name);
    if (rig->scale && options->shapes != SHAPES_NONE)
        return bad_input("the rig has scale (rig/scale), which blends of shapes do not support");
    STATUS_TRY(weight_sums_check(mesh, rig));
    ALLOCATE(skinner, 1, "a skinner");
    skinner->entry = entry;
    skinner->backend = options->backend ? options->backend : &backend_reference;
    skinner->parameters = options->parameters;
    skinner->mesh = mesh;
    skinner->rig = rig;
    skinner->normals = options->normals;
    skinner->two_phase = options->two_phase || rig->scale;
#ifdef NDEBUG
    skinner->check_outputs = options->check_outputs;
#else
    skinner->check_outputs = true;
#endif
    skinner->first_phase = options->first_phase != NULL;
    skinner->binding = (SkinningBinding){
        .mesh = mesh,
        .rig = rig,
        .sets = &skinner->sets,
        .parameters = skinner->parameters.values,
        .threads = int_max(options->threads, 1),
        .in_floats = skinner->backend != &backend_reference,
    };
    if (options->parameters.attribute[0])
        STATUS_TRY(status_in(method->name, mesh_attribute_find(mesh, options->parameters.attribute,
                                                               &skinner->binding.painted)));
    CLEANUP(skinner_cache_clear) SkinnerCache own = {.threads = 0};
    STATUS_TRY(skinner_prepare(skinner, options->cache ? options->cache : &own));
    STATUS_TRY(sets_make(skinner));
    /* refuse a vertex with more influences than the method can blend */
    if (!(method->max_influences == 0 || skinner->sets.max_influences <= method->max_influences)) {
        int set = 0;
        while (joint_set_size(&skinner->sets, set) <= method->max_influences)
            set++;
        return bad_input("vertex %d has %d influences, but %s blends at most %d",
                         skinner->sets.vertices[skinner->sets.first_vertex[set]],
                         joint_set_size(&skinner->sets, set), method->name, method->max_influences);
    }
    STATUS_TRY(skinner_bind(skinner, options));
    skinner->binding.prepared = NULL;
    if (options->shapes != SHAPES_NONE)
        STATUS_TRY(shape_transforms_make(rig, skinner->binding.in_floats ? options->shapes : SHAPES_EXACT,
                                         &skinner->shapes));
    *out = TAKE(skinner);
    return status_ok();
}

void skinner_free(Skinner *skinner)
{
    if (!skinner)
        return;
    if (skinner->backend_state)
        skinner->backend->functions->release(skinner->backend_state);
    if (skinner->method_state && skinner->entry->method->release)
        skinner->entry->method->release(skinner->method_state);
    for (int i = 0; skinner->workspaces && i < skinner->binding.threads; i++)
        workspace_clear(&skinner->workspaces[i]);
    memory_free(skinner->workspaces);
    joint_sets_clear(&skinner->sets);
    shape_transforms_clear(&skinner->shapes);
    FREE_ALL(skinner->influence_values, skinner->frames, skinner->frame_normals, skinner->own_vertex_values,
             skinner);
}

/* Returns whether all values are finite, that is, no exponent has all bits set. The test uses integers, so
 * that the compiler may reorder the reduction. */
WIDEST_VECTORS static bool all_finite(const double *values, size_t count)
{
    const uint64_t exponent = UINT64_C(0x7ff0000000000000);
    uint64_t bad = 0;
#pragma omp simd reduction(| : bad)
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bad |= (bits & exponent) == exponent;
    }
    return bad == 0;
}

static Status transforms_check(const Transform *transforms, int joint_count)
{
    if (all_finite(&transforms->m00, 12 * (size_t)joint_count))
        return status_ok();
    for (int joint = 0; joint < joint_count; joint++) {
        const double *values = &transforms[joint].m00;
        for (int i = 0; i < 12; i++)
            if (!isfinite(values[i]))
                return bad_input("joint %d: transform[%d,%d] is %g, expected a finite number", joint, i / 4,
                                 i % 4, values[i]);
    }
    return status_ok();
}

/* Allocates a thread's workspace. `work` is all zeros on entry, and again after a failure. */
static Status workspace_make(const Skinner *skinner, PoseWorkspace *work)
{
    static const char what[] = "the pose stage";
    const SkinningMethod *method = skinner->entry->method;
    const size_t joints = (size_t)skinner->rig->joint_count, split = skinner->two_phase ? joints : 0;
    UNDO_ON_FAILURE(workspace_clear) PoseWorkspace *unfinished = work;
    work->frames = method->pose_frames && !skinner->two_phase ? POSE_FRAMES : 1;
    const size_t sets = (size_t)skinner->sets.set_count;
    STATUS_TRY(watched_values_init(&work->joint_values, joints, method->floats_per_joint,
                                   skinner->check_outputs, what));
    STATUS_TRY(
        watched_values_init(&work->set_values, sets, method->floats_per_set, skinner->check_outputs, what));
    SkinningPose *pose = &work->pose;
    pose->joint_values = work->joint_values.values;
    pose->set_values = work->set_values.values;
    pose->workspace =
        memory_array(method->pose_workspace ? method->pose_workspace(skinner->method_state) : 0, 1);
    ALLOCATED(pose->workspace, what);
    ALLOCATE(pose->set_variants, sets, what);
    ALLOCATE(work->first, split, what);
    ALLOCATE(work->second, split, what);
    ALLOCATE(work->rest, split, what);
    ALLOCATE_TABLE(work->blended, skinner->shapes.form != SHAPES_NONE ? work->frames : 0, joints, what);
    unfinished = NULL;
    return status_ok();
}

/* Begins the method's pose stage for at most work->frames frames, and prepares `work` for the first of
 * them. */
static Status frames_begin(const Skinner *skinner, const Transform *transforms, const Mat3 *scale,
                           int frame_count, PoseWorkspace *work)
{
    const SkinningMethod *method = skinner->entry->method;
    const int joints = frame_count * skinner->rig->joint_count;
    STATUS_TRY(transforms_check(transforms, joints));
    work->pose.frame_count = frame_count;
    work->pose.frame = 0;
    work->pose.transforms = transforms;
    work->pose.rest = skinner->rig->rest;
    work->first_values = NULL;
    if (scale) {
        /* split a frame with scale into two phases; `pose` then holds the transformations of the second
         * phase */
        STATUS_TRY(two_phase_split(skinner->rig, work->pose.transforms, scale, work->first, work->second,
                                   work->rest));
        work->pose.transforms = work->second;
        work->pose.rest = work->rest;
        if (method->rigid_only)
            work->first_values = &work->first->m00;
        else
            two_phase_join(skinner->rig->joint_count, work->first, work->second);
    }
    if (method->rigid_only)
        STATUS_TRY(rigid_check(method->name, work->pose.transforms, joints));
    if (method->pose_frames)
        STATUS_TRY(method->pose_frames(&skinner->binding, skinner->method_state, &work->pose));
    return status_ok();
}

/* Runs the per-frame part of the pose stage for the frame in `work`. */
static Status frame_pose(const Skinner *skinner, PoseWorkspace *work)
{
    const SkinningMethod *method = skinner->entry->method;
    watched_values_begin(&work->joint_values);
    watched_values_begin(&work->set_values);
    memset(work->pose.set_variants, 0, (size_t)skinner->sets.set_count);
    STATUS_TRY(method->pose(&skinner->binding, skinner->method_state, &work->pose));
    /* check that the pose stage has set all values announced in the method's table */
    STATUS_TRY(watched_values_end(&work->joint_values, method->name, "joint", "floats_per_joint"));
    STATUS_TRY(watched_values_end(&work->set_values, method->name, "joint set", "floats_per_set"));
    for (size_t set = 0; skinner->check_outputs && set < work->set_values.rows; set++)
        if (work->pose.set_variants[set] > 0 && work->pose.set_variants[set] >= method->variant_count)
            return bad_usage("method %s: joint set %zu has variant %d, but variant_count is %d", method->name,
                             set, work->pose.set_variants[set], method->variant_count);
    return status_ok();
}

/* Poses frames from transforms or, if `shares` is not NULL, from shares of shapes. */
static Status frames_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale,
                          const float *shares, int frame, int frame_count, PoseWorkspace *work)
{
    for (int i = 0; shares && i < frame_count; i++)
        shape_transforms_blend(&skinner->shapes, shares + (ptrdiff_t)i * skinner->rig->frame_count,
                               work->blended + (ptrdiff_t)i * skinner->rig->joint_count);
    SkinningPose *pose = &work->pose;
    const BackendFunctions *backend = skinner->backend->functions;
    pose->set_floats = frame_count > 1 && backend->set_floats && !skinner->check_outputs
                           ? backend->set_floats(skinner->backend_state, frame)
                           : NULL;
    STATUS_TRY(frames_begin(skinner, shares ? work->blended : transforms, scale, frame_count, work));
    for (; pose->frame < frame_count; pose->frame++, pose->transforms += skinner->rig->joint_count) {
        STATUS_TRY(frame_pose(skinner, work));
        const PosedFrame posed = {pose->joint_values, pose->set_floats ? NULL : pose->set_values,
                                  pose->set_variants, work->first_values};
        backend->pose(skinner->backend_state, frame + pose->frame, &posed);
    }
    return status_ok();
}

/* Returns the number of a frame for messages. If the transforms belong to the rig, it is the number of the
 * frame in the rig. */
static int frame_number(const Skinner *skinner, const Transform *transforms, int frame)
{
    uintptr_t first = (uintptr_t)skinner->rig->transforms, given = (uintptr_t)transforms;
    uintptr_t frame_bytes = (uintptr_t)skinner->rig->joint_count * sizeof(Transform);
    if (given >= first && given < first + frame_bytes * (uintptr_t)skinner->rig->frame_count)
        frame += (int)((given - first) / frame_bytes);
    return frame;
}

/* Poses the frames *frame to end - 1 in one thread, in blocks. On failure, *frame is the frame that
 * failed. */
static Status thread_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale,
                          const float *shares, int *frame, int end, PoseWorkspace *work)
{
    const size_t joints = (size_t)skinner->rig->joint_count;
    if (work->frames == 0)
        STATUS_TRY(workspace_make(skinner, work));
    int block = work->frames;
    while (*frame < end) {
        const int count = end - *frame < block ? 1 : block;
        const Status status = frames_pose(
            skinner, transforms ? transforms + (size_t)*frame * joints : NULL,
            scale ? scale + (size_t)*frame * joints : NULL,
            shares ? shares + (ptrdiff_t)*frame * skinner->rig->frame_count : NULL, *frame, count, work);
        if (status.code == STATUS_OK)
            *frame += count;
        else if (count == 1)
            return status;
        else
            block = 1; /* find the faulty frame by posing the frames one by one */
    }
    return status_ok();
}

/* Poses all frames, either from transforms or from shares of shapes (weights with which the rig's frames
 * are blended). */
static Status pose_all(Skinner *skinner, const Transform *transforms, const Mat3 *scale, const float *shares,
                       int frame_count)
{
    skinner->frame_count = 0;
    skinner->skinned = false;
    if (scale && !skinner->two_phase)
        return bad_input("the pose contains scale, which %s supports only in two-phase skinning",
                         skinner->entry->method->name);
    const bool first_phase = scale && skinner->entry->method->rigid_only;
    if (first_phase && !skinner->first_phase)
        return status_make(STATUS_UNAVAILABLE, "two-phase skinning needs the kernel of lbs");
    Status status = status_ok();
    STATUS_TRY(skinner->backend->functions->reserve(skinner->backend_state, frame_count, first_phase));
    if (!skinner->workspaces)
        ALLOCATE(skinner->workspaces, skinner->binding.threads, "the pose stage");
    const int threads = int_min(skinner->binding.threads, frame_count);
    int failed_frame = frame_count;
#pragma omp parallel num_threads(int_max(threads, 1)) if (threads > 1)
    {
        /* give each thread consecutive frames, so that threads rarely write to the same cache lines */
        const int thread = omp_get_thread_num(), team = omp_get_num_threads();
        int frame = (int)((int64_t)frame_count * thread / team);
        const int end = (int)((int64_t)frame_count * (thread + 1) / team);
        const Status thread_status =
            thread_pose(skinner, transforms, scale, shares, &frame, end, &skinner->workspaces[thread]);
        if (thread_status.code != STATUS_OK) {
#pragma omp critical(skinner_pose_failure)
            if (frame <
                failed_frame) { /* report the failure of the earliest frame, whatever the number of threads */
                failed_frame = frame;
                status = thread_status;
            }
        }
    }
    if (status.code == STATUS_BAD_INPUT)
        return bad_input("frame %d, %s", frame_number(skinner, transforms, failed_frame), status.text);
    STATUS_TRY(status);
    if (skinner->backend->functions->commit)
        STATUS_TRY(skinner->backend->functions->commit(skinner->backend_state));
    skinner->frame_count = frame_count;
    return status_ok();
}

Status skinner_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame_count)
{
    return pose_all(skinner, transforms, scale, NULL, frame_count);
}

Status skinner_pose_frames(Skinner *skinner, int first, int frame_count)
{
    const Rig *rig = skinner->rig;
    const size_t pose = (size_t)first * (size_t)rig->joint_count;
    return pose_all(skinner, rig->transforms + pose, rig->scale ? rig->scale + pose : NULL, NULL,
                    frame_count);
}

Status skinner_pose_shapes(Skinner *skinner, const float *shares, int frame_count)
{
    return skinner->shapes.form != SHAPES_NONE
               ? pose_all(skinner, NULL, NULL, shares, frame_count)
               : bad_usage("shapes cannot be posed, because the method was bound without them");
}

int skinner_block_frames(int vertex_count)
{
    enum {
        FRAMES = 16, /* a block has a multiple of the number of frames that a host thread skins together */
        FRAMES_MAX = 1024,       /* maximum number of frames in a block */
        BYTES = 32 * 1024 * 1024 /* maximum size of a block, in bytes of positions */
    };
    const size_t frame_bytes = 3 * sizeof(float) * (size_t)int_max(vertex_count, 1);
    const size_t frames = BYTES / frame_bytes / FRAMES * FRAMES;
    return (int)size_max(FRAMES, size_min(frames, FRAMES_MAX));
}

Status skinner_skin(Skinner *skinner)
{
    skinner->skinned = false;
    STATUS_TRY(skinner->backend->functions->skin(skinner->backend_state));
    if (skinner->entry->method->frames) {
        /* run the method's whole-frame stage on all frames */
        const SkinningMethod *method = skinner->entry->method;
        const size_t reals = 3 * (size_t)skinner->sets.vertex_count, frames = (size_t)skinner->frame_count;
        if (skinner->frame_count > skinner->frames_kept) {
            skinner->frames_kept = 0;
            memory_release(&skinner->frames);
            memory_release(&skinner->frame_normals);
            ALLOCATE_TABLE(skinner->frames, frames, reals, "the skinned frames");
            ALLOCATE_TABLE(skinner->frame_normals, skinner->normals ? frames : 0, reals,
                           "the skinned frames");
            skinner->frames_kept = skinner->frame_count;
        }
        for (size_t frame = 0; frame < frames; frame++) {
            const SkinTarget target = {.vertices = skinner->sets.vertices,
                                       .positions_double = skinner->frames + frame * reals,
                                       .normals_double =
                                           skinner->normals ? skinner->frame_normals + frame * reals : NULL};
            STATUS_TRY(skinner->backend->functions->read(skinner->backend_state, (int)frame, &target));
        }
        STATUS_TRY(method->frames(&skinner->binding, skinner->method_state, skinner->frame_count,
                                  skinner->frames, skinner->normals ? skinner->frame_normals : NULL));
    }
    skinner->skinned = true;
    return status_ok();
}

Status skinner_count(const Skinner *skinner, const Transform *transforms,
                     double counts[SKINNING_COUNTERS_MAX])
{
    const SkinningMethod *method = skinner->entry->method;
    if (!method->count)
        return status_ok();
    CLEANUP(workspace_clear) PoseWorkspace work = {.first = NULL};
    STATUS_TRY(workspace_make(skinner, &work));
    STATUS_TRY(frames_begin(skinner, transforms, NULL, 1, &work));
    STATUS_TRY(frame_pose(skinner, &work));
    return method->count(&skinner->binding, skinner->method_state, &work.pose, counts);
}

double skinner_frame_straight(const Skinner *skinner)
{
    const BackendFunctions *functions = skinner->backend->functions;
    return functions->straight ? functions->straight(skinner->backend_state) : NAN;
}

bool skinner_device_times(const Skinner *skinner, DeviceTimes *out)
{
    const BackendFunctions *functions = skinner->backend->functions;
    *out = functions->device_times ? functions->device_times(skinner->backend_state) : (DeviceTimes){0};
    return functions->device_times != NULL;
}

Status skinner_device_measure(Skinner *skinner, DeviceSample *out)
{
    const BackendFunctions *functions = skinner->backend->functions;
    *out = (DeviceSample){0};
    if (!functions->device_measure)
        return status_make(STATUS_UNAVAILABLE, "%s is not a device backend", skinner->backend->name);
    if (!skinner->skinned || skinner->frame_count == 0 || skinner->sets.vertex_count == 0)
        return bad_usage("nothing is skinned yet: call skinner_skin first");
    return functions->device_measure(skinner->backend_state, out);
}

/* Copies values as floats and as doubles; either may be NULL. */
static void values_copy(const double *restrict values, size_t count, float *restrict floats,
                        double *restrict doubles)
{
    for (size_t i = 0; i < count && floats; i++)
        floats[i] = (float)values[i];
    if (doubles)
        memcpy(doubles, values, count * sizeof *doubles);
}

static Status frame_read(Skinner *skinner, int frame, SkinTarget target)
{
    if (!skinner->skinned || frame < 0 || frame >= skinner->frame_count)
        return bad_usage("frame %d has not been skinned; the number of skinned frames is %d", frame,
                         skinner->skinned ? skinner->frame_count : 0);
    if ((target.normals || target.normals_double) && !skinner->normals)
        return bad_usage("normals were requested, but only positions were skinned");
    target.vertices = skinner->sets.vertices;
    if (skinner->entry->method->frames) {
        const size_t reals = 3 * (size_t)skinner->sets.vertex_count;
        const double *positions = skinner->frames + (size_t)frame * reals;
        const double *normals = skinner->normals ? skinner->frame_normals + (size_t)frame * reals : NULL;
        values_copy(positions, reals, target.positions, target.positions_double);
        values_copy(normals, reals, target.normals, target.normals_double);
        return status_ok();
    }
    return skinner->backend->functions->read(skinner->backend_state, frame, &target);
}

Status skinner_read(Skinner *skinner, int frame, float *positions, float *normals)
{
    return frame_read(skinner, frame, (SkinTarget){.positions = positions, .normals = normals});
}

Status skinner_read_double(Skinner *skinner, int frame, double *positions, double *normals)
{
    return frame_read(skinner, frame, (SkinTarget){.positions_double = positions, .normals_double = normals});
}

Status skinner_skin_frames(Skinner *skinner, float *positions, float *normals)
{
    const BackendFunctions *functions = skinner->backend->functions;
    const size_t frame_values = 3 * (size_t)skinner->sets.vertex_count;
    if (normals && !skinner->normals)
        return bad_usage("normals were requested, but only positions were skinned");
    if (functions->skin_frames && !skinner->entry->method->frames) {
        skinner->skinned = false;
        const SkinTarget target = {
            .vertices = skinner->sets.vertices, .positions = positions, .normals = normals};
        return functions->skin_frames(skinner->backend_state, &target);
    }
    STATUS_TRY(skinner_skin(skinner));
    for (size_t frame = 0; frame < (size_t)skinner->frame_count; frame++)
        STATUS_TRY(skinner_read(skinner, (int)frame, positions + frame * frame_values,
                                normals ? normals + frame * frame_values : NULL));
    skinner->skinned = false;
    return status_ok();
}

Status skinner_skin_rig(Skinner *skinner, int first, int frame_count, float *positions, float *normals)
{
    STATUS_TRY(skinner_pose_frames(skinner, first, frame_count));
    return skinner_skin_frames(skinner, positions, normals);
}

const char *skinner_note(const Skinner *skinner)
{
    const SkinningMethod *method = skinner->entry->method;
    return method->note ? method->note(skinner->method_state) : "";
}

const char *skinner_simd_level(const Skinner *skinner)
{
    KernelTiling tiling;
    const BackendFunctions *functions = skinner->backend->functions;
    return functions->tiling && functions->tiling(skinner->backend_state, &tiling) ? tiling.level : NULL;
}

Status skinner_work(const Skinner *skinner, const Transform *transforms, int vector_lanes, KernelWork *out)
{
    const SkinningEntry *entry = skinner->entry;
    const SkinningMethod *method = entry->method;
    const BackendFunctions *functions = skinner->backend->functions;
    KernelSample sample = {.values_per_joint = method->floats_per_joint,
                           .values_per_set = method->floats_per_set,
                           .values_per_vertex = method->floats_per_vertex,
                           .values_per_influence = method->floats_per_influence,
                           .parameter_count = parameters_count(method->parameters),
                           .normals = skinner->normals,
                           .parameters = skinner->parameters.values,
                           .rest = {1.0, 2.0, 3.0, 0.0, 0.6, 0.8}};
    KernelTiling tiling;
    CLEANUP(workspace_clear) PoseWorkspace work = {.first = NULL};
    if (!COUNTED_REAL || !entry->counter || skinner->two_phase || !functions->tiling ||
        !functions->tiling(skinner->backend_state, &tiling))
        return status_make(STATUS_UNAVAILABLE, "the operations of %s on %s cannot be counted", method->name,
                           skinner->backend->name);
    STATUS_TRY(workspace_make(skinner, &work));
    STATUS_TRY(frames_begin(skinner, transforms, NULL, 1, &work));
    STATUS_TRY(frame_pose(skinner, &work));
    sample.joint_values = work.pose.joint_values;
    return kernel_work_count(entry->counter, sample, &skinner->sets, work.pose.set_values,
                             work.pose.set_variants, &tiling, vector_lanes, out);
}

const JointSets *skinner_joint_sets(const Skinner *skinner)
{
    return &skinner->sets;
}
