/* Imports rigs and weights that learned predictors write as NumPy arrays: .npz files of UniRig and
 * SkinTokens, and dense arrays of weights for a rig that is known. */
#include "datasets/formats/blendshapes.h"
#include "datasets/formats/formats.h"
#include "datasets/formats/number_bytes.h"
#include "datasets/geometry/points.h"
#include "datasets/io/atomic_path.h"

Status npz_mesh_read(const Npz *npz, double scale, const char *rest_name, const char *faces_name, Mesh *mesh)
{
    const char *path = npz->path;
    OWNED double *rest = NULL, *faces = NULL;
    int64_t points[2] = {0}, corners[2] = {0};
    STATUS_TRY(npz_array_read(npz, rest_name, 2, points, &rest));
    STATUS_TRY(npz_array_read(npz, faces_name, 2, corners, &faces));
    if (!rest || !faces || points[1] != 3 || corners[1] < 3 || corners[1] > 4 || points[0] > INT32_MAX / 4 ||
        corners[0] > INT32_MAX / 8)
        return bad_input("%s: expected the arrays %s [N, 3] and %s [T, 3 or 4]", path, rest_name, faces_name);
    const int sides = (int)corners[1] - 2;
    STATUS_TRY(mesh_allocate(mesh, (int)points[0], sides * (int)corners[0]));
    for (int64_t i = 0; i < 3 * points[0]; i++)
        mesh->rest[i] = (float)(rest[i] * scale);
    for (ptrdiff_t t = 0; t < mesh->triangle_count; t++)
        for (int i = 0; i < 3; i++) {
            const double vertex = faces[t / sides * corners[1] + (i > 0 ? i + t % sides : 0)];
            if (!(vertex >= 0.0 && vertex < (double)points[0]))
                return bad_input("%s:%s.npy: face %d refers to vertex %g, but there are %d vertices", path,
                                 faces_name, (int)(t / sides), vertex, mesh->vertex_count);
            mesh->triangles[3 * t + i] = (int32_t)vertex;
        }
    return status_ok();
}

Status weights_from_dense(const char *place, const double *dense, int vertices, int joints,
                          int32_t **weight_joints, float **weight_values, int *influences)
{
    OWNED int32_t *slots = NULL;
    OWNED float *values = NULL;
    LOCAL_ARRAY(double, sums, vertices, "weights");
    int max = 1;
    for (ptrdiff_t v = 0; v < vertices; v++) {
        int used = 0;
        for (int j = 0; j < joints; j++) {
            const double weight = dense[v * joints + j];
            if (!(weight >= 0.0) || !isfinite(weight))
                return bad_input("%s: vertex %td has the weight %g, expected at least 0", place, v, weight);
            used += weight > 0.0;
            sums[v] += weight;
        }
        if (!(sums[v] > 0.0) || !isfinite(sums[v]))
            return bad_input("%s: vertex %td has no weights", place, v);
        max = int_max(max, used);
    }
    if (max > STORE_INFLUENCES_MAX)
        return bad_input("%s: a vertex has %d influences, but at most %d can be read", place, max,
                         STORE_INFLUENCES_MAX);
    ALLOCATE_TABLE(slots, vertices, max, "weights");
    ALLOCATE_TABLE(values, vertices, max, "weights");
    for (ptrdiff_t v = 0; v < vertices; v++)
        for (int j = 0, used = 0; j < joints; j++)
            if (dense[v * joints + j] > 0.0) {
                slots[v * max + used] = j;
                values[v * max + used++] = (float)(dense[v * joints + j] / sums[v]);
            }
    *influences = max;
    *weight_joints = TAKE(slots);
    *weight_values = TAKE(values);
    return status_ok();
}

/* Writes a character as UTF-8 and returns its length. Surrogates become invalid bytes, which are escaped
 * wherever names are shown. */
static size_t utf8_write(uint32_t code, char *out)
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(lead[length] | code);
    return length;
}

/* Reads `count` texts into names, whose elements are released with memory_free. *found is false if there is
 * no such array. */
static Status texts_read(const Npz *npz, const char *name, int64_t count, char **names, bool *found)
{
    enum { NAME_CHARACTERS_MAX = 4096 };
    char place[NPZ_PLACE_BYTES];
    const NpzArray *member = npz_find(npz, name, place);
    *found = member != NULL;
    if (!member)
        return status_ok();
    const unsigned char *bytes = (const unsigned char *)member->bytes;
    const size_t length = member->length;
    /* characters of 4 bytes, padded with zeros: "{'descr': '<U12', ..." */
    const size_t start = length < 10 ? length : 10 + (size_t)word_load(bytes + 8, 2, false);
    const char *descr = length > 10 ? strstr(member->bytes + 10, "<U") : NULL;
    const size_t characters = descr ? strtoul(descr + 2, NULL, 10) : 0;
    if (characters == 0 || characters > NAME_CHARACTERS_MAX || length < start ||
        length - start != 4 * characters * (size_t)count)
        return bad_input("%s: is not an array of %" PRId64 " texts of little-endian Unicode", place, count);
    LOCAL_ARRAY(char, text, 4 * characters + 1, "names");
    for (int64_t i = 0; i < count; i++) {
        size_t used = 0;
        for (size_t c = 0; c < characters; c++) {
            const unsigned char *at = bytes + start + 4 * ((size_t)i * characters + c);
            const uint32_t code = (uint32_t)word_load(at, 4, false);
            if (code == 0)
                break;
            used += utf8_write(code, text + used);
        }
        text[used] = '\0';
        COPY_TEXT(names[i], text, "names");
    }
    return status_ok();
}

static void names_free(char ***names)
{
    for (char **name = *names; name && *name; name++)
        memory_free(*name);
    memory_free(*names);
}

/* Reads the names of joints, [count + 1] with a NULL behind the last. *names stays NULL if there are none. */
static Status names_read(const Npz *npz, int count, char ***names)
{
    bool found = false;
    CLEANUP(names_free) char **made = NULL;
    ALLOCATE(made, (size_t)count + 1, "names");
    STATUS_TRY(texts_read(npz, "names", count, made, &found));
    if (!found)
        STATUS_TRY(texts_read(npz, "joint_names", count, made, &found));
    *names = found ? TAKE(made) : NULL;
    return status_ok();
}

Status npz_rig_import(const ImportOptions *options, const Npz *npz, const double *parents, int joints,
                      const char *output)
{
    const char *path = options->inputs[0];
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED double *places = NULL, *skin = NULL;
    CLEANUP(names_free) char **names = NULL;
    OWNED int32_t *weight_joints = NULL;
    OWNED float *weight_values = NULL;
    int64_t extents[2] = {0}, sizes[2] = {0};
    int influences = 1;
    char place[512];
    STATUS_TRY(npz_array_read(npz, "joints", 2, extents, &places));
    if (!places || extents[0] != joints || extents[1] != 3)
        return bad_input("%s: has %d parents, but no array joints [%d, 3]", path, joints, joints);
    STATUS_TRY(names_read(npz, joints, &names));
    STATUS_TRY(npz_array_read(npz, "skin", 2, sizes, &skin));
    STATUS_TRY(format_dataset_create(options, &dataset));
    STATUS_TRY(mesh_allocate(&dataset->mesh, 0, 0));
    if (skin) {
        STATUS_TRY(npz_mesh_read(npz, options->scale, "vertices", "faces", &dataset->mesh));
        if (sizes[0] != dataset->mesh.vertex_count || sizes[1] != joints)
            return bad_input("%s:skin.npy: expected an array [%d, %d]", path, dataset->mesh.vertex_count,
                             joints);
        snprintf(place, sizeof place, "%s:skin.npy", path);
        STATUS_TRY(weights_from_dense(place, skin, dataset->mesh.vertex_count, joints, &weight_joints,
                                      &weight_values, &influences));
    }
    Rig *rig = &dataset->rig;
    STATUS_TRY(rig_allocate(rig, dataset->mesh.vertex_count, joints, 0, influences));
    if (skin)
        rig_weights_replace(rig, influences, TAKE(weight_joints), TAKE(weight_values));
    for (int j = 0; j < joints; j++) {
        if (!(parents[j] >= -1.0 && parents[j] < j))
            return bad_input("%s:parents.npy: joint %d has the parent %g, expected -1 or an earlier joint",
                             path, j, parents[j]);
        rig->parents[j] = (int32_t)parents[j];
        const double *at = places + 3 * (ptrdiff_t)j;
        rig->rest[j] = transform_translate(vec3_scale(vec3_make(at[0], at[1], at[2]), options->scale));
        if (names)
            COPY_TEXT(rig->joint_names[j], names[j], "a joint's name");
    }
    return format_dataset_write(options, dataset, output);
}

Status weights_import(const ImportOptions *options, const char *output)
{
    const char *path = options->inputs[0];
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    CLEANUP(npz_clear) Npz npz = {.path = path};
    OWNED double *given = NULL;
    CLEANUP(names_free) char **names = NULL;
    OWNED int32_t *weight_joints = NULL;
    OWNED float *weight_values = NULL;
    int64_t extents[2] = {0};
    int influences = 0;
    if (!options->mesh || options->input_count > 1)
        return bad_usage("%s: expected one array, and --mesh with the rig that gets the weights", path);
    const bool is_archive = path_ends(path, ".npz");
    if (is_archive)
        STATUS_TRY(
            npz_read(path, (const char *const[]){"weights", "skin", "names", "joint_names", NULL}, &npz));
    STATUS_TRY(is_archive ? npz_array_read(&npz, "weights", 2, extents, &given)
                          : npy_array_read(path, 2, extents, &given));
    if (!given)
        STATUS_TRY(npz_array_read(&npz, "skin", 2, extents, &given));
    if (!given)
        return bad_input("%s: expected an array weights or skin [vertices, joints]", path);
    STATUS_TRY(dataset_read(options->mesh, options->progress, &dataset));
    STATUS_TRY(dataset_order_restore(dataset)); /* exports are in this order */
    Rig *rig = &dataset->rig;
    const int joints = rig->joint_count, vertices = dataset->mesh.vertex_count;
    if (extents[1] <= STORE_JOINTS_MAX && is_archive)
        STATUS_TRY(names_read(&npz, (int)extents[1], &names));
    if (joints == 0 || extents[0] != vertices || (!names && extents[1] != joints))
        return bad_input("%s: is an array [%" PRId64 ", %" PRId64
                         "], but the rig has %d vertices and %d joints",
                         path, extents[0], extents[1], vertices, joints);
    /* put the columns into the order of the rig's joints */
    LOCAL_TABLE(double, dense, vertices, joints, "weights");
    LOCAL_ARRAY(bool, given_joint, joints, "weights");
    for (int c = 0; c < (int)extents[1]; c++) {
        const int joint = names ? rig_joint_find(rig, names[c]) : c;
        if (joint < 0)
            return bad_input("%s: the rig has no joint '%s'", path, names[c]);
        if (given_joint[joint])
            return bad_input("%s: has weights for the joint '%s' twice", path, names[c]);
        given_joint[joint] = true;
        for (ptrdiff_t v = 0; v < vertices; v++)
            dense[v * joints + joint] += given[v * extents[1] + c];
    }
    STATUS_TRY(
        weights_from_dense(path, dense, vertices, joints, &weight_joints, &weight_values, &influences));
    rig_weights_replace(rig, influences, TAKE(weight_joints), TAKE(weight_values));
    return format_dataset_write(options, dataset, output);
}
