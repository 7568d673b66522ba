/* Writes and reads the arrays of external programs. */
#include "harness/run/peers/external_arrays.h"

#include "datasets/formats/blendshapes.h"
#include "datasets/io/npy.h"
#include "datasets/io/store.h"
#include "datasets/io/stream.h"

#include <sys/stat.h>

/* Writes the array FOLDER/name of up to four extents; an extent of 0 ends them. Nothing is written if there
 * are no values. */
static Status array_write(const char *folder, const char *name, NpyElement element, const void *values,
                          const int64_t extents[4])
{
    static const size_t sizes[] = {[NPY_FLOAT32] = 4, [NPY_FLOAT64] = 8, [NPY_INT32] = 4};
    char path[EXTERNAL_PATH_BYTES];
    size_t count = 1;
    int rank = 0;
    for (; rank < 4 && extents[rank] > 0; rank++)
        count *= (size_t)extents[rank];
    if (!values || rank == 0)
        return status_ok();
    snprintf(path, sizeof path, "%.3800s/%s.npy", folder, name);
    FILE *file = fopen(path, "wbe");
    if (!file)
        return status_make(STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    npy_write_header(file, element, extents, rank);
    fwrite(values, sizes[element], count, file);
    const int error = stream_close(file);
    return error == 0 ? status_ok() : status_make(STATUS_SYSTEM, "%s: %s", path, strerror(error));
}

static Status rig_write(const Rig *rig, int64_t vertices, const char *folder)
{
    const int64_t joints = rig->joint_count;
    LOCAL_TABLE(double, places, joints, 3, "joints");
    LOCAL_TABLE(float, dense, vertices, rig->weight_values ? joints : 0, "weights");
    for (int j = 0; j < rig->joint_count; j++) {
        const Vec3 place = rig_joint_place(rig, j);
        memcpy(places + 3 * (size_t)j, (double[]){place.x, place.y, place.z}, 3 * sizeof *places);
    }
    for (int64_t v = 0; v < vertices && rig->weight_values; v++)
        for (int64_t slot = v * rig->influence_count; slot < (v + 1) * rig->influence_count; slot++)
            dense[v * joints + rig->weight_joints[slot]] += rig->weight_values[slot];
    STATUS_TRY(array_write(folder, "joints", NPY_FLOAT64, places, (int64_t[4]){joints, 3}));
    STATUS_TRY(array_write(folder, "parents", NPY_INT32, rig->parents, (int64_t[4]){joints}));
    STATUS_TRY(array_write(folder, "transforms", NPY_FLOAT64, rig->transforms,
                           (int64_t[4]){rig->frame_count, joints, 3, 4}));
    return array_write(folder, "weights", NPY_FLOAT32, rig->weight_values ? dense : NULL,
                       (int64_t[4]){vertices, joints});
}

Status external_arrays_write(const Dataset *data, const char *folder)
{
    const int64_t vertices = data->mesh.vertex_count;
    if (mkdir(folder, 0777) != 0)
        return status_make(STATUS_SYSTEM, "%s: %s", folder, strerror(errno));
    STATUS_TRY(array_write(folder, "rest", NPY_FLOAT32, data->mesh.rest, (int64_t[4]){vertices, 3}));
    STATUS_TRY(array_write(folder, "triangles", NPY_INT32, data->mesh.triangles,
                           (int64_t[4]){data->mesh.triangle_count, 3}));
    STATUS_TRY(array_write(folder, "positions", NPY_FLOAT32, data->animation.positions,
                           (int64_t[4]){data->animation.frame_count, vertices, 3}));
    return data->rig.joint_count > 0 ? rig_write(&data->rig, vertices, folder) : status_ok();
}

/* Reads the array FOLDER/name. Extents that are positive on entry are required. STATUS_BAD_INPUT if the file
 * is missing. */
static Status array_read(const char *folder, const char *name, int rank, int64_t *extents, double **values)
{
    char path[EXTERNAL_PATH_BYTES];
    int64_t wanted[4] = {0};
    memcpy(wanted, extents, (size_t)rank * sizeof *extents);
    snprintf(path, sizeof path, "%.3800s/%s.npy", folder, name);
    STATUS_TRY(npy_array_read(path, rank, extents, values));
    for (int i = 0; i < rank; i++)
        if (wanted[i] > 0 && extents[i] != wanted[i])
            return bad_input("%s: has the extent %" PRId64 " in dimension %d, expected %" PRId64, path,
                             extents[i], i, wanted[i]);
    return status_ok();
}

/* Reads weights [N, P] and makes a rig of them, with `frames` frames. */
static Status rig_read(const char *folder, int vertices, int joints, int frames, Rig *rig)
{
    OWNED double *dense = NULL;
    OWNED int32_t *weight_joints = NULL;
    OWNED float *weight_values = NULL;
    int influences = 1;
    STATUS_TRY(array_read(folder, "weights", 2, (int64_t[]){vertices, joints}, &dense));
    STATUS_TRY(weights_from_dense("weights.npy", dense, vertices, joints, &weight_joints, &weight_values,
                                  &influences));
    STATUS_TRY(rig_allocate(rig, vertices, joints, frames, influences));
    rig_weights_replace(rig, influences, TAKE(weight_joints), TAKE(weight_values));
    for (int j = 0; j < joints; j++) {
        rig->parents[j] = -1;
        rig->rest[j] = transform_identity();
    }
    return status_ok();
}

static Status fit_read(const char *folder, const Dataset *data, Dataset *made)
{
    const int vertices = data->mesh.vertex_count;
    char path[EXTERNAL_PATH_BYTES];
    OWNED double *transforms = NULL, *rest = NULL;
    int64_t extents[4] = {data->animation.frame_count, 0, 3, 4};
    STATUS_TRY(array_read(folder, "transforms", 4, extents, &transforms));
    if (extents[1] > vertices)
        return bad_input("transforms.npy: has %" PRId64 " bones for %d vertices", extents[1], vertices);
    STATUS_TRY(rig_read(folder, vertices, (int)extents[1], (int)extents[0], &made->rig));
    memcpy(made->rig.transforms, transforms, (size_t)(extents[0] * extents[1]) * sizeof(Transform));
    snprintf(path, sizeof path, "%.3800s/rest.npy", folder);
    if (access(path, F_OK) != 0)
        return status_ok();
    STATUS_TRY(array_read(folder, "rest", 2, (int64_t[]){vertices, 3}, &rest));
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)vertices; i++)
        made->mesh.rest[i] = (float)rest[i];
    return status_ok();
}

static Status skeleton_read(const char *folder, const Dataset *data, Dataset *made)
{
    OWNED double *places = NULL, *parents = NULL;
    int64_t extents[2] = {0, 3};
    STATUS_TRY(array_read(folder, "joints", 2, extents, &places));
    if (extents[0] > STORE_JOINTS_MAX)
        return bad_input("joints.npy: has %" PRId64 " joints", extents[0]);
    const int joints = (int)extents[0];
    STATUS_TRY(array_read(folder, "parents", 1, (int64_t[]){joints}, &parents));
    STATUS_TRY(rig_read(folder, data->mesh.vertex_count, joints, 0, &made->rig));
    for (int j = 0; j < joints; j++) {
        const double *place = places + 3 * (ptrdiff_t)j;
        if (!(parents[j] >= -1.0 && parents[j] < j))
            return bad_input("parents.npy: joint %d has the parent %g, expected -1 or an earlier joint", j,
                             parents[j]);
        made->rig.parents[j] = (int32_t)parents[j];
        made->rig.rest[j] = transform_translate(vec3_make(place[0], place[1], place[2]));
    }
    return status_ok();
}

/* Reads weights for the joints of `data`. */
static Status weights_read(const char *folder, const Dataset *data, Dataset *made)
{
    const Rig *rig = &data->rig;
    STATUS_TRY(rig_read(folder, data->mesh.vertex_count, rig->joint_count, 0, &made->rig));
    for (int j = 0; j < rig->joint_count; j++) {
        made->rig.parents[j] = rig->parents[j];
        made->rig.rest[j] = rig->rest[j];
        COPY_TEXT(made->rig.joint_names[j], rig->joint_names[j], "a joint's name");
    }
    return status_ok();
}

static Status positions_read(const char *folder, const Dataset *data, Dataset *made)
{
    const int vertices = data->mesh.vertex_count, frames = data->rig.frame_count;
    OWNED double *positions = NULL;
    STATUS_TRY(array_read(folder, "positions", 3, (int64_t[]){frames, vertices, 3}, &positions));
    STATUS_TRY(animation_allocate(&made->animation, frames, vertices, 0));
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)frames * vertices; i++)
        made->animation.positions[i] = (float)positions[i];
    return status_ok();
}

Status external_arrays_read(ExternalKind kind, const char *folder, const Dataset *data, Dataset **out)
{
    static Status (*const readers[EXTERNAL_KIND_COUNT])(const char *, const Dataset *,
                                                        Dataset *) = {[EXTERNAL_FIT] = fit_read,
                                                                      [EXTERNAL_WEIGHTS] = weights_read,
                                                                      [EXTERNAL_RIG] = skeleton_read,
                                                                      [EXTERNAL_SKIN] = positions_read};
    OWNED_BY(dataset_free) Dataset *made = NULL;
    *out = NULL;
    STATUS_TRY(dataset_create(data->name, NULL, NULL, NULL, &made));
    STATUS_TRY(mesh_copy(&data->mesh, &made->mesh));
    STATUS_TRY(readers[kind](folder, data, made));
    *out = TAKE(made);
    return status_ok();
}
