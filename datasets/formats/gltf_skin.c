/* Makes the nodes of a skin, with bind matrices and keys. Sorts the influences of a rig, and compares the
 * linear blend of the rig with that of the exported nodes. */
#include "datasets/formats/gltf_skin.h"

#include "datasets/model/compact_weights.h"
#include "datasets/model/evaluate.h"

/* Largest shear that is ignored, relative to the norm of a joint's linear part. Smaller shear comes from
 * rounding: transformations are stored as floats and multiplied. */
#define SHEAR_ROUNDING 1e-6

static bool is_sheared(Transform t)
{
    return affine_parts_loss(t, affine_parts(t)) > SHEAR_ROUNDING;
}

/* Computes the place of a node relative to its parent from the places of all nodes in the scene. Returns
 * false if the place of the parent has no inverse. */
static bool local_transform(const JointNodes *nodes, const Transform *places, int joint, Transform *out)
{
    const int parent = nodes->parented ? nodes->parents[joint] : -1;
    Transform back;
    *out = places[joint];
    if (parent < 0)
        return true;
    if (!transform_inverse(places[parent], &back))
        return false;
    *out = transform_product(back, places[joint]);
    return true;
}

static void world_transforms(const JointNodes *nodes, const Rig *rig, int frame, Transform *places)
{
    const Transform *transforms = rig->transforms + (ptrdiff_t)frame * rig->joint_count;
    for (int joint = 0; joint < rig->joint_count; joint++)
        places[joint] = transform_product(transforms[joint], nodes->binds[joint]);
}

/* Whether the nodes can keep the rig's hierarchy: no joint may be sheared relative to its parent in any
 * frame. */
static bool can_export_hierarchy(const JointNodes *nodes, const Rig *rig, Transform *places)
{
    bool any = false;
    for (int joint = 0; joint < rig->joint_count; joint++) {
        Transform back;
        any = any || rig->parents[joint] >= 0;
        if (!transform_inverse(nodes->binds[joint], &back))
            return false;
    }
    for (int frame = 0; frame < rig->frame_count && any; frame++) {
        world_transforms(nodes, rig, frame, places);
        for (int joint = 0; joint < rig->joint_count; joint++) {
            Transform local;
            if (!local_transform(nodes, places, joint, &local) || is_sheared(local))
                return false;
        }
    }
    return any;
}

static bool joint_is_sheared(const Rig *rig, int joint, Transform bind)
{
    for (int frame = 0; frame < rig->frame_count; frame++)
        if (is_sheared(transform_product(rig->transforms[(ptrdiff_t)frame * rig->joint_count + joint], bind)))
            return true;
    return false;
}

/* Chooses the bind transformations of joints without a hierarchy. */
static Status flat_binds(const Mesh *mesh, const Rig *rig, JointNodes *nodes)
{
    bool rest_says_nothing = true; /* whether all rest frames are equal */
    for (int i = 0; i < 12 * rig->joint_count; i++)
        rest_says_nothing =
            rest_says_nothing && (&rig->rest[i / 12].m00)[i % 12] == (&rig->rest[0].m00)[i % 12];
    LOCAL_TABLE(double, middles, rig->joint_count, 4, "joints");
    LOCAL_ARRAY(Mat3, metrics, rig->frame_count, "joints");
    /* The origin of a joint's bind transformation is the centroid of the vertices that it moves, weighted
     * by squared weights. A joint that moves no vertex gets the origin of the scene. */
    for (int v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < rig->influence_count; k++) {
            const ptrdiff_t slot = (ptrdiff_t)v * rig->influence_count + k;
            const double weight = (double)rig->weight_values[slot], square = weight * weight;
            double *sum = middles + (ptrdiff_t)4 * rig->weight_joints[slot];
            const Vec3 point = point_at(mesh->rest, v);
            sum[0] += square * point.x;
            sum[1] += square * point.y;
            sum[2] += square * point.z;
            sum[3] += square;
        }
    for (int joint = 0; joint < rig->joint_count; joint++)
        for (int axis = 0; axis < 3; axis++)
            middles[4 * joint + axis] /= middles[4 * joint + 3] > 0.0 ? middles[4 * joint + 3] : 1.0;
    for (int joint = 0; joint < rig->joint_count; joint++) {
        Transform back, *bind = &nodes->binds[joint];
        if (!rest_says_nothing && transform_inverse(*bind, &back) && !joint_is_sheared(rig, joint, *bind))
            continue;
        /* Along these axes, the deformations of the joint in all frames are closest to pure scales. metrics
         * [F] is workspace. */
        for (int frame = 0; frame < rig->frame_count; frame++) {
            const double *m = &rig->transforms[(ptrdiff_t)frame * rig->joint_count + joint].m00;
            double *metric = &metrics[frame].m00;
            for (int i = 0; i < 9; i++)
                metric[i] = m[i / 3] * m[i % 3] + m[4 + i / 3] * m[4 + i % 3] + m[8 + i / 3] * m[8 + i % 3];
        }
        const Mat3 q = metrics_diagonalize(metrics, rig->frame_count);
        const double *middle = middles + (ptrdiff_t)4 * joint;
        *bind = (Transform){q.m00, q.m01,     q.m02, middle[0], q.m10, q.m11,
                            q.m12, middle[1], q.m20, q.m21,     q.m22, middle[2]};
        nodes->sheared_count += joint_is_sheared(rig, joint, *bind);
    }
    return status_ok();
}

JointKey joint_key(AffineParts place)
{
    const Vec3 t = place.translation, s = place.scale;
    const Quat q = place.rotation;
    return (JointKey){.translation = {(float)t.x, (float)t.y, (float)t.z},
                      .rotation = {(float)q.x, (float)q.y, (float)q.z, (float)q.w},
                      .scale = {(float)s.x, (float)s.y, (float)s.z}};
}

void inverse_bind_columns(Transform bind, float columns[16])
{
    Transform back = transform_identity();
    (void)transform_inverse(bind, &back);
    const double *rows = &back.m00;
    for (int i = 0; i < 12; i++)
        columns[4 * (i % 4) + i / 4] = (float)rows[i];
    columns[3] = columns[7] = columns[11] = 0.0f;
    columns[15] = 1.0f;
}

/* Converts the place of a node to a key. A rotation has two quaternions; the key gets the one closer to the
 * previous key. */
static JointKey key_of(Transform place, const JointKey *before)
{
    AffineParts parts = affine_parts(place);
    const Quat q = parts.rotation;
    const double beside = before ? q.x * (double)before->rotation[0] + q.y * (double)before->rotation[1] +
                                       q.z * (double)before->rotation[2] + q.w * (double)before->rotation[3]
                                 : q.w;
    parts.rotation = quat_scale(q, beside < 0.0 ? -1.0 : 1.0);
    return joint_key(parts);
}

static Status joint_nodes_init(const Mesh *mesh, const Rig *rig, JointNodes *out)
{
    const size_t joints = (size_t)rig->joint_count;
    *out = (JointNodes){.joint_count = rig->joint_count,
                        .frame_count = rig->frame_count,
                        .parents = rig->parents,
                        .parented = true};
    LOCAL_ARRAY(Transform, places, joints, "joints");
    ALLOCATE(out->binds, joints, "joints");
    ALLOCATE_TABLE(out->inverse_binds, joints, 16, "joints");
    ALLOCATE(out->rest, joints, "joints");
    ALLOCATE_TABLE(out->keys, joints, rig->frame_count, "joints");
    memcpy(out->binds, rig->rest, joints * sizeof *out->binds);
    out->parented = can_export_hierarchy(out, rig, places);
    if (!out->parented)
        STATUS_TRY(flat_binds(mesh, rig, out));
    /* compute the keys of all frames */
    Transform local;
    for (int joint = 0; joint < rig->joint_count; joint++) {
        (void)local_transform(out, out->binds, joint, &local);
        out->rest[joint] = key_of(local, NULL);
    }
    for (int frame = 0; frame < rig->frame_count; frame++) {
        world_transforms(out, rig, frame, places);
        for (int joint = 0; joint < rig->joint_count; joint++) {
            JointKey *key = &out->keys[(ptrdiff_t)joint * rig->frame_count + frame];
            (void)local_transform(out, places, joint,
                                  &local); /* cannot fail: can_export_hierarchy has checked the inverses */
            *key = key_of(local, frame > 0 ? key - 1 : &out->rest[joint]);
        }
    }
    for (int joint = 0; joint < out->joint_count; joint++)
        inverse_bind_columns(out->binds[joint], out->inverse_binds + (ptrdiff_t)16 * joint);
    return status_ok();
}

/* Computes the transforms [P] that move rest points in a frame, using the rounded values in the file. Each
 * transform is the node's place in the scene times its inverse bind matrix. */
static void joint_nodes_pose(const JointNodes *nodes, int frame, Transform *transforms)
{
    for (int joint = 0; joint < nodes->joint_count; joint++) {
        const int parent = nodes->parented ? nodes->parents[joint] : -1;
        const JointKey *key = &nodes->keys[(ptrdiff_t)joint * nodes->frame_count + frame];
        const float *t = key->translation, *q = key->rotation, *s = key->scale;
        const Transform local =
            affine_parts_join((AffineParts){vec3_make((double)t[0], (double)t[1], (double)t[2]),
                                            quat_make((double)q[3], (double)q[0], (double)q[1], (double)q[2]),
                                            vec3_make((double)s[0], (double)s[1], (double)s[2])});
        transforms[joint] = parent >= 0 ? transform_product(transforms[parent], local) : local;
    }
    for (int joint = 0; joint < nodes->joint_count; joint++) {
        const float *columns = nodes->inverse_binds + (ptrdiff_t)16 * joint;
        Transform back;
        double *rows = &back.m00;
        for (int i = 0; i < 12; i++)
            rows[i] = (double)columns[4 * (i % 4) + i / 4];
        transforms[joint] = transform_product(transforms[joint], back);
    }
}

Status gltf_skin_init(const Mesh *mesh, const Rig *rig, const char *path, const Progress *progress,
                      GltfSkin *out)
{
    *out = (GltfSkin){0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)mesh->vertex_count * rig->influence_count; i++)
        if (rig->weight_values[i] < 0.0f)
            return bad_input("%s: a weight of vertex %lld is %g, but glTF allows none below 0; --baked "
                             "writes positions instead of a skin",
                             path, (long long)(i / rig->influence_count), (double)rig->weight_values[i]);
    const size_t slots = (size_t)mesh->vertex_count * (size_t)rig->influence_count;
    CLEANUP(rig_clear)
    Rig ordered = {.joint_count = rig->joint_count, .influence_count = rig->influence_count};
    ALLOCATE(ordered.weight_joints, slots, "the weights");
    ALLOCATE(ordered.weight_values, slots, "the weights");
    if (slots > 0) {
        memcpy(ordered.weight_joints, rig->weight_joints, slots * sizeof *ordered.weight_joints);
        memcpy(ordered.weight_values, rig->weight_values, slots * sizeof *ordered.weight_values);
        STATUS_TRY(rig_prune(&ordered, mesh->vertex_count, rig->influence_count));
    }
    out->influence_count = ordered.influence_count;
    out->weight_joints = TAKE(ordered.weight_joints);
    out->weight_values = TAKE(ordered.weight_values);
    STATUS_TRY(joint_nodes_init(mesh, rig, &out->nodes));
    const int joints = rig->joint_count, vertices = mesh->vertex_count;
    LOCAL_ARRAY(Transform, posed, joints, "the transforms of joints in a frame");
    /* the exported skin, represented by a rig with one frame */
    const Rig written = {.joint_count = joints,
                         .frame_count = 1,
                         .influence_count = out->influence_count,
                         .transforms = posed,
                         .weight_joints = out->weight_joints,
                         .weight_values = out->weight_values};
    const Vec3 zero = vec3_make(0.0, 0.0, 0.0);
    double squared = 0.0, max = 0.0;
    for (int f = 0; f < rig->frame_count; f++) {
        if (!progress_report(progress, "comparing the skin", (double)f / rig->frame_count))
            return status_make(STATUS_STOPPED, "stopped while the skin was compared");
        joint_nodes_pose(&out->nodes, f, posed);
        for (int v = 0; v < vertices; v++) {
            const Vec3 rest = point_at(mesh->rest, v);
            const Vec3 apart =
                vec3_sub(rig_skin_point(&written, 0, v, rest, zero), rig_skin_point(rig, f, v, rest, zero));
            const double distance = vec3_dot(apart, apart);
            squared += distance;
            max = distance > max ? distance : max;
        }
    }
    const double count = (double)rig->frame_count * vertices;
    out->loss_max = sqrt(max);
    out->loss_rms = count > 0.0 ? sqrt(squared / count) : 0.0;
    return status_ok();
}

void gltf_skin_clear(GltfSkin *skin)
{
    const JointNodes *nodes = &skin->nodes;
    FREE_ALL(nodes->binds, nodes->inverse_binds, nodes->rest, nodes->keys, skin->weight_joints,
             skin->weight_values);
    *skin = (GltfSkin){0};
}
