/* Checks a rig, binds a method to it, and hands the stages to a backend. */
#include "methods/runtime/skinner.h"

#include "datasets/base/memory.h"
#include "datasets/geometry/points.h"
#include "datasets/model/validate.h"
#include "methods/runtime/backends/implementation.h"
#include "methods/runtime/two_phase.h"

#include <math.h>
#include <omp.h>
#include <string.h>

struct Skinner {
    const SkinningEntry *entry;
    const Backend *backend;
    void *backend_state;
    ParameterValues parameters;
    JointSets sets;
    const Mesh *mesh;
    const Rig *rig;
    SkinningBinding binding;
    void *method_state;
    bool normals, two_phase;
    bool first_phase; /* something blends the first of two phases */
    int frame_count;  /* posed; 0: nothing to skin */
    bool skinned;
};

/* What a thread of the pose stage works in: the method's values for one frame. */
typedef struct PoseRoom {
    double *joint_values, *set_values;
    uint8_t *set_variants;
    size_t joint_count, set_count;    /* of values */
    Transform *first, *second, *rest; /* [P] of two-phase skinning */
    double *first_values;             /* [P][12] or NULL: no first phase */
    void *method;                     /* what the method's pose_room asks for */
} PoseRoom;

static Status rig_check(const SkinningMethod *method, bool two_phase, const Mesh *mesh, const Rig *rig)
{
    int64_t bad = float_not_finite(mesh->rest, 3 * (int64_t)mesh->vertex_count);
    if (bad >= 0)
        return status_make(STATUS_BAD_INPUT, "rest position of vertex %d is not finite", (int)(bad / 3));
    if (rig->joint_count <= 0)
        return status_make(STATUS_BAD_INPUT, "there is no rig: %s needs joints and weights", method->name);
    if (rig->scale && !two_phase)
        return status_make(STATUS_BAD_INPUT,
                           "the rig has scale (rig/scale), which %s applies in two phases only (two-phase)",
                           method->name);
    return status_ok();
}

/* Area-weighted normals of the rest pose, unit, or zero at a vertex without area; [N][3] in file order. */
static Status rest_normals(const Mesh *mesh, double *normals)
{
    Status status = mesh_corners_check(mesh);
    if (status.code != STATUS_OK)
        return status;
    vertex_normals(mesh->triangles, mesh->triangle_count, mesh->vertex_count, mesh->rest, normals);
    for (size_t i = 0; i < (size_t)mesh->vertex_count; i++) {
        Vec3 unit = vec3_normalize(vec3_make(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]));
        normals[3 * i] = unit.x;
        normals[3 * i + 1] = unit.y;
        normals[3 * i + 2] = unit.z;
    }
    return status;
}

/* Refuses a vertex with more influences than the method blends. */
static Status influences_check(const SkinningMethod *method, const JointSets *sets)
{
    if (method->max_influences == 0 || sets->max_influences <= method->max_influences)
        return status_ok();
    int set = 0;
    while (sets->first_slot[set + 1] - sets->first_slot[set] <= method->max_influences)
        set++;
    return status_make(STATUS_BAD_INPUT, "vertex %d has %d influences, %s blends up to %d",
                       sets->vertices[sets->first_vertex[set]],
                       sets->first_slot[set + 1] - sets->first_slot[set], method->name,
                       method->max_influences);
}

/* Makes the arrays in bound order that the backend copies, runs the method's bind stage and the backend's. */
static Status skinner_bind(Skinner *skinner, const SkinnerOptions *options)
{
    const SkinningMethod *method = skinner->entry->method;
    const size_t count = (size_t)skinner->sets.vertex_count;
    Status status = status_ok();
    double *file_normals = memory_table(skinner->normals ? count : 0, 3, sizeof(double));
    double *normals = memory_table(skinner->normals ? count : 0, 3, sizeof(double));
    double *rest = memory_table(count, 3, sizeof(double));
    double *vertex_values = memory_table(count, (size_t)method->floats_per_vertex, sizeof(double));
    if (!file_normals || !normals || !rest || !vertex_values) {
        status = status_out_of_memory("the rest pose");
        goto done;
    }
    if (skinner->normals)
        STATUS_TRY(rest_normals(skinner->mesh, file_normals));
    for (size_t i = 0; i < count; i++) {
        size_t vertex = (size_t)skinner->sets.vertices[i];
        for (size_t axis = 0; axis < 3; axis++) {
            rest[3 * i + axis] = (double)skinner->mesh->rest[3 * vertex + axis];
            if (skinner->normals)
                normals[3 * i + axis] = file_normals[3 * vertex + axis];
        }
    }
    if (method->bind)
        STATUS_TRY(method->bind(&skinner->binding, vertex_values, &skinner->method_state));
    BackendBinding binding = {
        .entry = skinner->entry,
        .sets = &skinner->sets,
        .rest = rest,
        .normals = skinner->normals ? normals : NULL,
        .vertex_values = vertex_values,
        .parameters = skinner->parameters.values,
        .joint_count = skinner->rig->joint_count,
        .threads = skinner->binding.threads,
        .first_phase = skinner->two_phase && method->rigid_only ? options->first_phase : NULL,
        .simd_level = options->simd_level,
    };
    STATUS_TRY(skinner->backend->create(&binding, &skinner->backend_state));
done:
    memory_free(file_normals);
    memory_free(normals);
    memory_free(rest);
    memory_free(vertex_values);
    return status;
}

Status skinner_create(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, Skinner **out)
{
    *out = NULL;
    const SkinningEntry *entry = options->entry;
    const SkinningMethod *method = entry->method;
    if (entry->reference->variant_count != (method->variant_count > 1 ? method->variant_count : 1))
        return status_make(STATUS_USAGE, "method %s: its table and its kernel tell different variants",
                           method->name);
    Status status = rig_check(method, options->two_phase, mesh, rig);
    if (status.code != STATUS_OK)
        return status;
    Skinner *skinner = memory_array(1, sizeof *skinner);
    if (!skinner)
        return status_out_of_memory("a skinner");
    skinner->entry = entry;
    skinner->backend = options->backend ? options->backend : &backend_reference;
    skinner->parameters = options->parameters;
    skinner->mesh = mesh;
    skinner->rig = rig;
    skinner->normals = options->normals;
    skinner->two_phase = options->two_phase;
    skinner->first_phase = options->first_phase != NULL;
    skinner->binding = (SkinningBinding){
        .mesh = mesh,
        .rig = rig,
        .sets = &skinner->sets,
        .parameters = skinner->parameters.values,
        .threads = options->threads > 0 ? options->threads : 1,
    };
    InfluenceOrder order =
        method->influence_order ? method->influence_order(skinner->parameters.values) : INFLUENCES_BY_JOINT;
    STATUS_TRY(joint_sets_build(rig, mesh->vertex_count, order, &skinner->sets));
    STATUS_TRY(influences_check(method, &skinner->sets));
    STATUS_TRY(skinner_bind(skinner, options));
    *out = skinner;
done:
    if (status.code != STATUS_OK)
        skinner_free(skinner);
    return status;
}

void skinner_free(Skinner *skinner)
{
    if (!skinner)
        return;
    if (skinner->backend_state)
        skinner->backend->functions->release(skinner->backend_state);
    if (skinner->method_state && skinner->entry->method->release)
        skinner->entry->method->release(skinner->method_state);
    joint_sets_clear(&skinner->sets);
    memory_free(skinner);
}

static Status transforms_check(const Transform *transforms, int joint_count)
{
    for (int joint = 0; joint < joint_count; joint++) {
        const double *values = &transforms[joint].m00;
        for (int i = 0; i < 12; i++)
            if (!isfinite(values[i]))
                return status_make(STATUS_BAD_INPUT, "joint %d: transform[%d,%d] is %g", joint, i / 4, i % 4,
                                   values[i]);
    }
    return status_ok();
}

static Status pose_room_make(const Skinner *skinner, PoseRoom *room)
{
    const SkinningMethod *method = skinner->entry->method;
    room->joint_count = (size_t)skinner->rig->joint_count * (size_t)method->floats_per_joint;
    room->set_count = (size_t)skinner->sets.set_count * (size_t)method->floats_per_set;
    room->joint_values = memory_array(room->joint_count, sizeof(double));
    room->set_values = memory_array(room->set_count, sizeof(double));
    room->set_variants = memory_array((size_t)skinner->sets.set_count, 1);
    const size_t joints = skinner->two_phase ? (size_t)skinner->rig->joint_count : 0;
    room->first = memory_array(joints, sizeof(Transform));
    room->second = memory_array(joints, sizeof(Transform));
    room->rest = memory_array(joints, sizeof(Transform));
    room->method = memory_array(method->pose_room ? method->pose_room(skinner->method_state) : 0, 1);
    if (!room->joint_values || !room->set_values || !room->set_variants || !room->first || !room->second ||
        !room->rest || !room->method)
        return status_out_of_memory("the pose stage");
    return status_ok();
}

static void pose_room_clear(PoseRoom *room)
{
    memory_free(room->joint_values);
    memory_free(room->set_values);
    memory_free(room->set_variants);
    memory_free(room->first);
    memory_free(room->second);
    memory_free(room->rest);
    memory_free(room->method);
}

/* Splits a frame with scale for the two phases; what the method is posed with is in *transforms and *rest. */
static Status room_split(const Skinner *skinner, const Transform **transforms, const Transform **rest,
                         const Mat3 *scale, PoseRoom *room)
{
    Status status = two_phase_split(skinner->rig, *transforms, scale, room->first, room->second, room->rest);
    if (status.code != STATUS_OK)
        return status;
    *transforms = room->second;
    *rest = room->rest;
    if (skinner->entry->method->rigid_only) {
        room->first_values = &room->first->m00;
        return status;
    }
    two_phase_join(skinner->rig->joint_count, room->first, room->second);
    return status;
}

/* Runs the method's pose stage for one frame. */
static Status room_pose(const Skinner *skinner, const Transform *transforms, const Mat3 *scale,
                        PoseRoom *room)
{
    Status status = transforms_check(transforms, skinner->rig->joint_count);
    if (status.code != STATUS_OK)
        return status;
    memset(room->joint_values, 0, room->joint_count * sizeof(double));
    memset(room->set_values, 0, room->set_count * sizeof(double));
    memset(room->set_variants, 0, (size_t)skinner->sets.set_count);
    const Transform *rest = skinner->rig->rest;
    if (scale)
        status = room_split(skinner, &transforms, &rest, scale, room);
    if (status.code != STATUS_OK)
        return status;
    SkinningPose pose = {
        .transforms = transforms,
        .rest = rest,
        .joint_values = room->joint_values,
        .set_values = room->set_values,
        .set_variants = room->set_variants,
        .room = room->method,
    };
    return skinner->entry->method->pose(&skinner->binding, skinner->method_state, &pose);
}

static Status frame_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame,
                         PoseRoom *room)
{
    Status status = room_pose(skinner, transforms, scale, room);
    PosedFrame posed = {room->joint_values, room->set_values, room->set_variants, room->first_values};
    if (status.code == STATUS_OK)
        skinner->backend->functions->pose(skinner->backend_state, frame, &posed);
    return status;
}

/* The number a message gives a frame: that in the rig when the transforms are the rig's own. */
static int frame_number(const Skinner *skinner, const Transform *transforms, int frame)
{
    uintptr_t first = (uintptr_t)skinner->rig->transforms, given = (uintptr_t)transforms;
    uintptr_t frame_bytes = (uintptr_t)skinner->rig->joint_count * sizeof(Transform);
    if (given >= first && given < first + frame_bytes * (uintptr_t)skinner->rig->frame_count)
        frame += (int)((given - first) / frame_bytes);
    return frame;
}

Status skinner_pose(Skinner *skinner, const Transform *transforms, const Mat3 *scale, int frame_count)
{
    const size_t joints = (size_t)skinner->rig->joint_count;
    skinner->frame_count = 0;
    skinner->skinned = false;
    if (scale && !skinner->two_phase)
        return status_make(STATUS_BAD_INPUT, "the pose has scale, which %s applies in two phases only",
                           skinner->entry->method->name);
    const bool first_phase = scale && skinner->entry->method->rigid_only;
    if (first_phase && !skinner->first_phase)
        return status_make(STATUS_UNAVAILABLE, "two-phase skinning needs the kernel of lbs");
    Status status = skinner->backend->functions->reserve(skinner->backend_state, frame_count, first_phase);
    if (status.code != STATUS_OK)
        return status;
    int threads = skinner->binding.threads < frame_count ? skinner->binding.threads : frame_count;
    int failed_frame = frame_count;
#pragma omp parallel num_threads(threads > 1 ? threads : 1) if (threads > 1)
    {
        PoseRoom room = {0};
        Status own = pose_room_make(skinner, &room);
        /* Frames in one run per thread, so that none writes into another's cache lines for long. */
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
        int frame = (int)((int64_t)frame_count * thread / team);
        int end = (int)((int64_t)frame_count * (thread + 1) / team);
        while (own.code == STATUS_OK && frame < end) {
            own = frame_pose(skinner, transforms + (size_t)frame * joints,
                             scale ? scale + (size_t)frame * joints : NULL, frame, &room);
            frame += own.code == STATUS_OK;
        }
        pose_room_clear(&room);
        if (own.code != STATUS_OK) {
#pragma omp critical(skinner_pose_failure)
            if (frame < failed_frame) { /* the earliest, whatever the number of threads */
                failed_frame = frame;
                status = own;
            }
        }
    }
    if (status.code == STATUS_BAD_INPUT)
        return status_make(STATUS_BAD_INPUT, "frame %d, %s", frame_number(skinner, transforms, failed_frame),
                           status.text);
    if (status.code == STATUS_OK)
        status = skinner->backend->functions->commit(skinner->backend_state);
    if (status.code == STATUS_OK)
        skinner->frame_count = frame_count;
    return status;
}

Status skinner_skin(Skinner *skinner)
{
    Status status = skinner->backend->functions->skin(skinner->backend_state);
    skinner->skinned = status.code == STATUS_OK;
    return status;
}

Status skinner_count(const Skinner *skinner, const Transform *transforms,
                     double counts[SKINNING_COUNTERS_MAX])
{
    const SkinningMethod *method = skinner->entry->method;
    if (!method->count)
        return status_ok();
    PoseRoom room = {0};
    Status status = pose_room_make(skinner, &room);
    if (status.code == STATUS_OK)
        status = room_pose(skinner, transforms, NULL, &room);
    SkinningPose posed = {transforms,      skinner->rig->rest, room.joint_values,
                          room.set_values, room.set_variants,  room.method};
    if (status.code == STATUS_OK)
        status = method->count(&skinner->binding, skinner->method_state, &posed, counts);
    pose_room_clear(&room);
    return status;
}

double skinner_device_time_s(const Skinner *skinner)
{
    return skinner->backend->functions->device_time_s
               ? skinner->backend->functions->device_time_s(skinner->backend_state)
               : -1.0;
}

static Status frame_read(Skinner *skinner, int frame, SkinTarget target)
{
    if (!skinner->skinned || frame < 0 || frame >= skinner->frame_count)
        return status_make(STATUS_USAGE, "frame %d is not skinned: there are %d", frame,
                           skinner->skinned ? skinner->frame_count : 0);
    if ((target.normals || target.normals_double) && !skinner->normals)
        return status_make(STATUS_USAGE, "normals are read but were not skinned");
    target.vertices = skinner->sets.vertices;
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

double skinner_bytes_per_vertex(const Skinner *skinner)
{
    const SkinningMethod *method = skinner->entry->method;
    const JointSets *sets = &skinner->sets;
    if (sets->vertex_count == 0)
        return 0.0;
    const double components = skinner->normals ? 6.0 : 3.0, vertices = sets->vertex_count;
    double weights = (double)sets->first_weight[sets->set_count] / vertices;
    double per_pass = components + weights + method->floats_per_vertex;
    double palette = ((double)skinner->rig->joint_count * method->floats_per_joint +
                      (double)sets->set_count * method->floats_per_set) /
                     vertices;
    double real_size = skinner->backend->double_precision ? sizeof(double) : sizeof(float);
    return real_size * (per_pass / skinner->backend->frames_per_pass + palette + components);
}

const JointSets *skinner_joint_sets(const Skinner *skinner)
{
    return &skinner->sets;
}
