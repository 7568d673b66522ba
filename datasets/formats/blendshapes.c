/* Imports blendshapes, and the rigs fitted to them, as animations. Shape k of a rig moves vertex i by
 *
 *   sum_j w_ij N_kj (v_i, 1)
 *
 * so joint j has the transformation I + N_kj in frame k (Kavan et al. 2024, eq. 5). The resulting shapes
 * are the frames of the animation. */
#include "datasets/formats/blendshapes.h"

#include "datasets/formats/formats.h"
#include "datasets/model/evaluate.h"

static Status shapes_read(const ImportOptions *options, const double *deltas, const int64_t *extents,
                          Dataset *dataset)
{
    const Mesh *mesh = &dataset->mesh;
    if (extents[1] != mesh->vertex_count || extents[2] != 3 || extents[0] > INT32_MAX)
        return bad_input("%s:deltas.npy: expected an array [shapes, %d, 3]", options->inputs[0],
                         mesh->vertex_count);
    STATUS_TRY(animation_allocate(&dataset->animation, (int)extents[0], mesh->vertex_count, 0));
    for (int64_t i = 0; i < extents[0] * extents[1] * 3; i++)
        dataset->animation.positions[i] =
            (float)((double)mesh->rest[i % (extents[1] * 3)] + deltas[i] * options->scale);
    return status_ok();
}

static Status fit_read(const ImportOptions *options, const Npz *npz, const double *shapes,
                       const int64_t *extents, Dataset *dataset)
{
    const char *path = options->inputs[0];
    const int vertices = dataset->mesh.vertex_count;
    OWNED double *weights = NULL;
    int64_t sizes[2] = {0};
    Rig *rig = &dataset->rig;
    STATUS_TRY(npz_array_read(npz, "weights", 2, sizes, &weights));
    if (!weights || sizes[0] != vertices || sizes[1] > STORE_JOINTS_MAX || extents[0] % 3 != 0 ||
        extents[1] != 4 * sizes[1] || extents[0] > INT32_MAX)
        return bad_input("%s: expected the arrays weights [%d, P] and shapeXform [3S, 4P]", path, vertices);
    const int joints = (int)sizes[1], frames = (int)extents[0] / 3;
    char place[512];
    snprintf(place, sizeof place, "%s:weights.npy", path);
    OWNED int32_t *weight_joints = NULL;
    OWNED float *weight_values = NULL;
    int influences = 0;
    STATUS_TRY(
        weights_from_dense(place, weights, vertices, joints, &weight_joints, &weight_values, &influences));
    STATUS_TRY(rig_allocate(rig, vertices, joints, frames, influences));
    rig_weights_replace(rig, influences, TAKE(weight_joints), TAKE(weight_values));
    STATUS_TRY(format_bones_name(rig));
    for (int joint = 0; joint < joints; joint++)
        for (int frame = 0; frame < frames; frame++) {
            double *out = &rig->transforms[(ptrdiff_t)frame * joints + joint].m00;
            for (int i = 0; i < 12; i++)
                out[i] = (i % 5 == 0) +
                         (i % 4 == 3 ? options->scale : 1.0) *
                             shapes[(3 * (ptrdiff_t)frame + i / 4) * extents[1] + 4 * joint + i % 4];
        }
    STATUS_TRY(animation_allocate(&dataset->animation, frames, vertices, 0));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)frames * vertices; i++) {
        const int vertex = (int)(i % vertices);
        const Vec3 rest = point_at(dataset->mesh.rest, vertex);
        point_set(dataset->animation.positions, i,
                  rig_skin_point(rig, (int)(i / vertices), vertex, rest, (Vec3){0.0, 0.0, 0.0}));
    }
    return status_ok();
}

Status npz_import(const ImportOptions *options, const char *output)
{
    static const char *const members[] = {"rest",    "quads",  "rest_verts",  "rest_faces",
                                          "weights", "joints", "vertices",    "faces",
                                          "skin",    "names",  "joint_names", NULL};
    const char *path = options->inputs[0];
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(npz_clear) Npz npz = {.path = path};
    OWNED double *deltas = NULL, *shapes = NULL, *parents = NULL;
    int64_t delta_extents[3] = {0}, shape_extents[2] = {0};
    if (options->input_count > 1)
        return bad_usage("%s: an .npz file must be the only input", options->inputs[1]);
    STATUS_TRY(npz_read(path, (const char *const[]){"shapeXform", "deltas", "parents", NULL}, &npz));
    STATUS_TRY(npz_array_read(&npz, "shapeXform", 2, shape_extents, &shapes));
    if (!shapes)
        STATUS_TRY(npz_array_read(&npz, "deltas", 3, delta_extents, &deltas));
    if (!shapes && !deltas)
        STATUS_TRY(npz_array_read(&npz, "parents", 1, shape_extents, &parents));
    if (!shapes && !deltas && (!parents || shape_extents[0] > STORE_JOINTS_MAX))
        return npz_frames_import(options, output);
    STATUS_TRY(npz_read(path, members, &npz));
    if (parents)
        return npz_rig_import(options, &npz, parents, (int)shape_extents[0], output);
    STATUS_TRY(format_dataset_create(options, &dataset));
    STATUS_TRY(npz_mesh_read(&npz, options->scale, shapes ? "rest" : "rest_verts",
                             shapes ? "quads" : "rest_faces", &dataset->mesh));
    STATUS_TRY(shapes ? fit_read(options, &npz, shapes, shape_extents, dataset)
                      : shapes_read(options, deltas, delta_extents, dataset));
    return format_dataset_write(options, dataset, output);
}
