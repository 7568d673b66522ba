/* Joins the instances of a scene into one mesh and their joints into a rig, and evaluates the clips. All
 * steps are in one file because they share the struct SceneImport. */
#include "datasets/formats/scene_dataset.h"

#include "datasets/formats/scene_pose.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/io/store.h"
#include "datasets/model/check.h"
#include "datasets/model/two_phase.h"
#include "datasets/model/validate.h"

/* Largest accepted deviation from a rotation with uniform scale. It allows for rounding errors of products
 * of float matrices, which assimp computes. Rigid methods accept twice as much. */
static const double UNIFORM_TOLERANCE = 5e-5;

typedef struct SceneImport {
    const Scene *scene;
    const ImportOptions *options;
    SceneRig joints;
    SceneFrames frames;
    Dataset *dataset;
    bool skinned;       /* whether an instance has a skin */
    SceneLocal *locals; /* [node_count] */
    Transform *globals; /* [node_count] */
    int unbound,
        uneven; /* number of vertices without influences; number of vertices whose weights did not sum to 1 */
    double sum_low, sum_high;
} SceneImport;

/* ---- mesh and weights ---- */

static const SceneMesh *mesh_of(const Scene *scene, int instance)
{
    return &scene->meshes[scene->instances[instance].mesh];
}

/* Applies weighted morph targets to the vertices of a mesh. The result is morphed [N][3]. */
static void mesh_morph(const SceneMesh *mesh, const double *weights, float *morphed)
{
    const size_t values = 3 * (size_t)mesh->vertex_count;
    for (size_t i = 0; i < values; i++) {
        double value = (double)mesh->positions[i];
        for (int t = 0; t < mesh->target_count; t++)
            value += weights[t] * (double)mesh->targets[(size_t)t * values + i];
        morphed[i] = (float)value;
    }
}

/* Collects the influences of a vertex and returns their number. Influences on the same joint are summed. The
 * arrays `joints` and `weights` must have room for all influences of a vertex of the mesh, and for at least
 * one. */
static int vertex_influences(SceneImport *import, int number, int vertex, int32_t *joints, double *weights)
{
    const double SUM_TOLERANCE = 1e-4;
    const SceneInstance *instance = &import->scene->instances[number];
    const SceneMesh *mesh = mesh_of(import->scene, number);
    const SceneRig *rig = &import->joints;
    int count = 0;
    double sum = 0.0;
    if (instance->skin < 0) {
        joints[0] = rig->instance_joints[number];
        weights[0] = 1.0;
        return 1;
    }
    const int32_t *skin = rig->skin_joints + rig->skin_first[instance->skin];
    const size_t first = (size_t)vertex * (size_t)mesh->influence_count;
    for (size_t k = first; k < first + (size_t)mesh->influence_count; k++) {
        const double weight = (double)mesh->weight_values[k];
        int slot = 0;
        if (weight == 0.0)
            continue;
        while (slot < count && joints[slot] != skin[mesh->weight_joints[k]])
            slot++;
        joints[slot] = skin[mesh->weight_joints[k]];
        weights[slot] = slot == count ? weight : weights[slot] + weight;
        count += slot == count;
        sum += weight;
    }
    if (!(sum > 0.0)) {
        import->unbound++;
        joints[0] = skin[0];
        weights[0] = 1.0;
        return 1;
    }
    if (fabs(sum - 1.0) > SUM_TOLERANCE) {
        import->uneven++;
        import->sum_low = fmin(import->sum_low, sum);
        import->sum_high = fmax(import->sum_high, sum);
    }
    if (fabs(sum - 1.0) > 1e-6)
        for (int k = 0; k < count; k++)
            weights[k] /= sum;
    return count;
}

/* Visits the influences of all vertices. The first call counts the slots per vertex, the second fills
 * them. */
static Status weights_visit(SceneImport *import, int *slots, Rig *rig)
{
    const Scene *scene = import->scene;
    int max = 1;
    for (int i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].skin >= 0 && mesh_of(scene, i)->influence_count > max)
            max = mesh_of(scene, i)->influence_count;
    LOCAL_ARRAY(int32_t, joints, max, "the weights");
    LOCAL_ARRAY(double, weights, max, "the weights");
    size_t vertex = 0;
    import->unbound = import->uneven = 0;
    for (int i = 0; i < scene->instance_count; i++)
        for (int v = 0; v < mesh_of(scene, i)->vertex_count; v++, vertex++) {
            const int count = vertex_influences(import, i, v, joints, weights);
            *slots = int_max(*slots, count);
            for (int k = 0; rig && k < count; k++) {
                rig->weight_joints[vertex * (size_t)*slots + (size_t)k] = joints[k];
                rig->weight_values[vertex * (size_t)*slots + (size_t)k] = (float)weights[k];
            }
        }
    return status_ok();
}

/* Makes the clips of the data set, and the times of its frames. */
static Status clips_make(SceneImport *import)
{
    const SceneFrames *frames = &import->frames;
    Clips *clips = &import->dataset->clips;
    int count = 0;
    char name[CHECK_NAME_BYTES_MAX + 1];
    if (frames->clip_count == 0)
        return status_ok();
    STATUS_TRY(clips_allocate(clips, frames->clip_count, frames->count));
    for (int f = 0; f < frames->count; f++) {
        clips->times_s[f] = frames->frames[f].time_s;
        if (f > 0 && frames->frames[f].clip == frames->frames[f - 1].clip)
            continue;
        clips->first[count] = f;
        (void)text_escape(name, sizeof name, frames->frames[f].clip->name);
        clips->names[count] = memory_text(name);
        ALLOCATED(clips->names[count++], "the clips");
    }
    return status_ok();
}

Status scene_mesh_make(const Scene *scene, const SceneRig *joints, Mesh *mesh)
{
    int64_t vertices = 0, triangles = 0;
    int first = 0, first_triangle = 0, painted = 0;
    for (int i = 0; i < scene->instance_count; i++) {
        painted = int_min(painted + mesh_of(scene, i)->painted.attribute_count, MESH_ATTRIBUTES_MAX);
        vertices += mesh_of(scene, i)->vertex_count;
        triangles += mesh_of(scene, i)->triangle_count;
    }
    if (vertices < 1 || vertices > STORE_VERTICES_MAX || triangles > STORE_VERTICES_MAX)
        return bad_input("%s: has %lld vertices and %lld triangles, expected 1 to %d vertices", scene->path,
                         (long long)vertices, (long long)triangles, STORE_VERTICES_MAX);
    STATUS_TRY(scene_memory_check(scene, (24.0 + 4.0 * painted) * (double)vertices + 12.0 * (double)triangles,
                                  "%lld vertices and %lld triangles", (long long)vertices,
                                  (long long)triangles));
    STATUS_TRY(mesh_allocate(mesh, (int)vertices, (int)triangles));
    LOCAL_TABLE(float, morphed, vertices, 3, "a scene");
    for (int i = 0; i < scene->instance_count; i++) {
        const SceneMesh *from = mesh_of(scene, i);
        mesh_morph(from, scene->instances[i].target_weights, morphed);
        for (int v = 0; v < from->vertex_count; v++)
            point_set(mesh->rest, first + v, transform_point(joints->placements[i], point_at(morphed, v)));
        for (ptrdiff_t c = 0; c < 3 * (ptrdiff_t)from->triangle_count; c++)
            mesh->triangles[3 * (ptrdiff_t)first_triangle + c] = from->triangles[c] + first;
        for (int k = 0; k < from->painted.attribute_count; k++) {
            float *values = NULL;
            STATUS_TRY(
                status_in(scene->path, mesh_attribute_add(mesh, from->painted.attribute_names[k], &values)));
            memcpy(values + first, from->painted.attributes + (ptrdiff_t)k * from->vertex_count,
                   (size_t)from->vertex_count * sizeof *values);
        }
        first += from->vertex_count;
        first_triangle += from->triangle_count;
    }
    return status_ok();
}

/* ---- the rig ---- */

/* Computes C_j = F_j inverse bind_j for all joints in a frame, where F_j is the place of the joint's
 * node. */
static void import_pose(SceneImport *import, int frame, Transform *transforms)
{
    const SceneFrame *instant = &import->frames.frames[frame];
    scene_pose(import->scene, instant->clip, instant->time_s, import->locals, import->globals);
    for (int j = 0; j < import->joints.joint_count; j++) {
        const SceneJoint *joint = &import->joints.joints[j];
        transforms[j] = transform_product(import->globals[joint->node], joint->inverse_bind);
    }
}

/* Returns how far a transformation is from a rotation times `scale`: the largest error of the dot products
 * of its axes. */
static double rigid_departure(const Transform *t, double scale)
{
    Vec3 axes[3];
    double worst = transform_determinant(*t) > 0.0 ? 0.0 : INFINITY;
    transform_axes(*t, axes);
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            worst = fmax(worst, fabs(vec3_dot(axes[i], axes[k]) / (scale * scale) - (i == k)));
    return worst;
}

/* Finds a scale that most transforms have in common, such as the 100 of Blender's armatures in FBX, and
 * multiplies it into the rest pose. */
static void common_scale_move(SceneImport *import)
{
    Rig *rig = &import->dataset->rig;
    Mesh *mesh = &import->dataset->mesh;
    const size_t transforms = (size_t)rig->frame_count * (size_t)rig->joint_count;
    double scale = 1.0;
    size_t votes = 0, rigid = 0; /* the majority vote (Boyer and Moore 1981) finds a candidate, whose votes
                                    are then counted */
    for (size_t i = 0; i < transforms; i++) {
        const bool agrees = votes > 0 && rigid_departure(&rig->transforms[i], scale) < UNIFORM_TOLERANCE;
        if (votes == 0)
            scale = cbrt(fabs(transform_determinant(rig->transforms[i])));
        votes = votes == 0 || agrees ? votes + 1 : votes - 1;
    }
    for (size_t i = 0; i < transforms; i++)
        rigid += rigid_departure(&rig->transforms[i], scale) < UNIFORM_TOLERANCE;
    if (fabs(scale - 1.0) < UNIFORM_TOLERANCE || rigid <= transforms / 2)
        return;
    for (size_t i = 0; i < transforms; i++) {
        Transform *t = &rig->transforms[i];
        *t = transform_moved_to(transform_scale(*t, 1.0 / scale), transform_translation(*t));
    }
    for (int j = 0; j < rig->joint_count; j++)
        rig->rest[j] = transform_moved_to(rig->rest[j], vec3_scale(rig_joint_place(rig, j), scale));
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)mesh->vertex_count; i++)
        mesh->rest[i] = (float)(scale * (double)mesh->rest[i]);
    format_note(import->options->notes,
                "%s joints are scaled by %.9g in all frames: the rest pose is scaled instead",
                rigid == transforms ? "all" : "most", scale);
}

/* Separates transforms that are not rigid into rigid motion and scale. Transforms that a rig cannot store
 * in this way are not changed. */
static Status scale_separate(SceneImport *import)
{
    Rig *rig = &import->dataset->rig;
    const size_t joints = (size_t)rig->joint_count, transforms = (size_t)rig->frame_count * joints;
    double worst = 0.0;
    bool held = true; /* whether rig->scale can store all scales */
    for (size_t i = 0; i < transforms; i++)
        worst = fmax(worst, rigid_departure(&rig->transforms[i], 1.0));
    if (worst < UNIFORM_TOLERANCE)
        return status_ok();
    ALLOCATE_TABLE(rig->scale, rig->frame_count, joints, "the joints' scales");
    for (int f = 0; f < rig->frame_count; f++)
        two_phase_separate(rig, rig->transforms + (size_t)f * joints, rig->scale + (size_t)f * joints);
    for (size_t i = 0; i < 9 * transforms && held; i++)
        held = fabs((&rig->scale->m00)[i]) <= check_bound(CHECK_BOUND_SCALE);
    if (held) {
        if (isfinite(worst))
            format_note(
                import->options->notes,
                "joints deviate from rigid motion by up to %.3g: their scale is stored in rig/scale (skin "
                "--two-phase)",
                worst);
        else
            format_note(import->options->notes, "joints are mirrored or scaled to zero: their scale is "
                                                "stored in rig/scale (skin --two-phase)");
        return status_ok();
    }
    memory_free(rig->scale);
    rig->scale = NULL;
    for (int f = 0; f < rig->frame_count; f++)
        import_pose(import, f, rig->transforms + (size_t)f * joints);
    format_note(import->options->notes,
                "joints are scaled by more than %g, which rig/scale cannot store; the transforms stay affine",
                check_bound(CHECK_BOUND_SCALE));
    return status_ok();
}

static Status import_rig(SceneImport *import)
{
    const SceneRig *joints = &import->joints;
    Rig *rig = &import->dataset->rig;
    const int vertices = import->dataset->mesh.vertex_count, frames = import->frames.count;
    int slots = 1;
    STATUS_TRY(weights_visit(import, &slots, NULL));
    if (joints->joint_count > STORE_JOINTS_MAX || slots > STORE_INFLUENCES_MAX)
        return bad_input("%s: has %d joints and %d influences per vertex, more than a rig can have",
                         import->scene->path, joints->joint_count, slots);
    STATUS_TRY(scene_memory_check(import->scene,
                                  (double)sizeof(Transform) * 2.0 * frames * joints->joint_count +
                                      8.0 * slots * vertices,
                                  "%d frames of %d joints, and %d influences of %d vertices", frames,
                                  joints->joint_count, slots, vertices));
    STATUS_TRY(rig_allocate(rig, vertices, joints->joint_count, frames, slots));
    STATUS_TRY(weights_visit(import, &slots, rig));
    for (int j = 0; j < joints->joint_count; j++) {
        const SceneJoint *from = &joints->joints[j];
        rig->parents[j] = from->parent;
        /* the rigid frame nearest to the inverse of the inverse bind matrix, or to the rest pose's frame if
         * there is no inverse */
        Transform frame = transform_identity();
        double matrix[3][3];
        (void)transform_inverse(from->inverse_bind, &frame);
        transform_matrix(frame, matrix);
        nearest_rotation((const double(*)[3])matrix, matrix);
        rig->rest[j] = transform_of_matrix((const double(*)[3])matrix, transform_translation(frame));
        /* a joint is named after its node; if another joint has this name already, the name of the skin is
         * added */
        const char *node = import->scene->nodes[from->node].name;
        char whole[2 * CHECK_NAME_BYTES_MAX], name[CHECK_NAME_BYTES_MAX + 1];
        (void)text_escape(name, sizeof name, node);
        if (from->skin >= 0 && rig_joint_find(rig, name) >= 0) {
            snprintf(whole, sizeof whole, "%s (%s)", node, import->scene->skins[from->skin].name);
            (void)text_escape(name, sizeof name, whole);
        }
        COPY_TEXT(rig->joint_names[j], name, "the joints' names");
    }
    for (int f = 0; f < frames; f++)
        import_pose(import, f, rig->transforms + (size_t)f * (size_t)joints->joint_count);
    if (import->skinned)
        common_scale_move(import);
    STATUS_TRY(scale_separate(import));
    if (import->unbound > 0)
        format_note(import->options->notes,
                    "%d vertices have no weights above 0: they follow their skin's first joint",
                    import->unbound);
    if (import->uneven > 0 && import->options->weight_sums)
        memcpy(import->options->weight_sums, (double[]){import->sum_low, import->sum_high},
               2 * sizeof(double));
    if (import->uneven > 0)
        format_note(import->options->notes,
                    "the weights of %d vertices sum to %.6g to %.6g: they are scaled to sum to 1",
                    import->uneven, import->sum_low, import->sum_high);
    return status_ok();
}

/* ---- positions ---- */

static Status positions_write(SceneImport *import, const Rig *weights, const char *output)
{
    const Scene *scene = import->scene;
    const int frames = import->frames.count;
    int vertices = 0, targets = 0; /* of the instance that has most */
    for (int i = 0; i < scene->instance_count; i++) {
        vertices = int_max(vertices, mesh_of(scene, i)->vertex_count);
        targets = int_max(targets, mesh_of(scene, i)->target_count);
    }
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    LOCAL_TABLE(float, positions, import->dataset->mesh.vertex_count, 3, "a frame");
    LOCAL_ARRAY(Transform, posed, import->joints.joint_count, "a frame");
    LOCAL_ARRAY(double, target_weights, targets, "a frame");
    LOCAL_TABLE(float, morphed, vertices, 3, "a frame");
    Dataset header = *import->dataset; /* a copy of the data set in which the number of frames is set */
    header.animation.frame_count = frames;
    STATUS_TRY(dataset_validate(&header, scene->path));
    STATUS_TRY(dataset_writer_open(output, &header, 0, &writer));
    for (int f = 0; f < frames; f++) {
        /* positions of all vertices in a frame, computed directly from the nodes and morph targets */
        const SceneFrame *instant = &import->frames.frames[f];
        ptrdiff_t vertex = 0;
        import_pose(import, f, posed);
        for (int i = 0; i < scene->instance_count; i++) {
            scene_target_weights(scene, instant->clip, &scene->instances[i], instant->time_s, target_weights);
            mesh_morph(mesh_of(scene, i), target_weights, morphed);
            for (int v = 0; v < mesh_of(scene, i)->vertex_count; v++, vertex++) {
                const Vec3 rest = transform_point(import->joints.placements[i], point_at(morphed, v));
                Vec3 sum = vec3_make(0.0, 0.0, 0.0);
                for (ptrdiff_t k = vertex * weights->influence_count;
                     k < (vertex + 1) * weights->influence_count; k++)
                    sum = vec3_add_scaled(sum, transform_point(posed[weights->weight_joints[k]], rest),
                                          (double)weights->weight_values[k]);
                point_set(positions, vertex, vec3_scale(sum, import->options->scale));
            }
        }
        /* a fault is in the input, not in the output */
        STATUS_TRY(frames_validate(positions, f, 1, 0, header.mesh.vertex_count, scene->path, "frames"));
        STATUS_TRY(dataset_write_frames(writer, 1, positions, NULL));
        if (!progress_report(import->options->progress, "importing frames", (f + 1.0) / frames))
            return status_make(STATUS_STOPPED, "stopped after %d of %d frames", f + 1, frames);
    }
    return dataset_writer_commit(TAKE(writer));
}

/* ---- the whole import ---- */

static void scene_import_clear(SceneImport *import)
{
    dataset_free(import->dataset);
    scene_rig_clear(&import->joints);
    FREE_ALL(import->frames.frames, import->locals, import->globals);
}

/* All meshes become one, instance after instance, with the vertices in file order. The joints are those of
 * scene_rig.h. In the frames of scene_pose.h, joint j has the transform C_j = F_j inverse bind_j, where F_j
 * is the place of its node. A scale that most transforms have in common is multiplied into the rest pose.
 * Any other scale is stored in rig/scale, if that can represent it. All influences are kept. Influences of
 * a vertex on the same joint are summed, and weights are scaled to sum 1.
 *
 * If nodes move meshes without a skin, animation/positions is written in addition to the rig. If clips
 * change the weights of morph targets, animation/positions replaces the rig. A scene without motion becomes
 * a mesh, with a rig of one frame if there is a skin. */
Status scene_import(const Scene *scene, const ImportOptions *options, const char *output)
{
    CLEANUP(scene_import_clear)
    SceneImport import = {.scene = scene, .options = options, .sum_low = INFINITY, .sum_high = -INFINITY};
    CLEANUP(rig_clear) Rig weights = {0}; /* weights of a data set without a rig */
    LOCAL_ARRAY(unsigned char, watched, scene->node_count, "the nodes");
    STATUS_TRY(scene_rig_init(scene, options->notes, &import.joints));
    for (int i = 0; i < scene->instance_count; i++)
        import.skinned = import.skinned || scene->instances[i].skin >= 0;
    ALLOCATE(import.locals, scene->node_count, "a scene");
    ALLOCATE(import.globals, scene->node_count, "a scene");
    /* mark the nodes that have a joint or a mesh, and their ancestors */
    for (int j = 0; j < import.joints.joint_count; j++)
        watched[import.joints.joints[j].node] = 1;
    for (int i = scene->node_count - 1; i >= 0; i--) {
        const int node = scene->order[i], parent = scene->nodes[node].parent;
        if (parent >= 0)
            watched[parent] |= watched[node];
    }
    STATUS_TRY(scene_frames_make(scene, options, watched, &import.frames));
    STATUS_TRY(format_dataset_create(options, &import.dataset));
    import.dataset->fps = import.frames.fps;
    STATUS_TRY(clips_make(&import));
    STATUS_TRY(scene_mesh_make(scene, &import.joints, &import.dataset->mesh));
    STATUS_TRY(import_rig(&import));
    /* apply --scale to all lengths */
    Dataset *dataset = import.dataset;
    const double scale = options->scale;
    Rig *rig = &dataset->rig;
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)dataset->mesh.vertex_count; i++)
        dataset->mesh.rest[i] = (float)(scale * (double)dataset->mesh.rest[i]);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)rig->joint_count * (rig->frame_count + 1); i++) {
        Transform *t = i < rig->joint_count ? &rig->rest[i] : &rig->transforms[i - rig->joint_count];
        *t = transform_moved_to(*t, vec3_scale(transform_translation(*t), scale));
    }
    format_note(options->notes, "%d vertices of %d meshes, %d joints, at most %d influences per vertex",
                dataset->mesh.vertex_count, scene->instance_count, rig->joint_count, rig->influence_count);
    if (import.frames.morphs || (!import.skinned && import.frames.clip_count == 0)) {
        weights = *rig;
        *rig = (Rig){0};
    }
    if (import.frames.morphs)
        format_note(
            options->notes,
            "morph targets are animated: animation/positions contains the frames, and there is no rig");
    const bool stored = import.frames.morphs || (!import.skinned && import.frames.clip_count > 0);
    if (stored && options->ordering == dataset_order_by_joint_sets)
        return bad_input("%s: has no skin, so there are no joint sets to order its vertices by", scene->path);
    if (stored)
        return positions_write(&import, import.frames.morphs ? &weights : rig, output);
    return format_dataset_write(options, dataset, output);
}
