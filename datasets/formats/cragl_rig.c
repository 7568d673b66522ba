/* Imports the ground-truth rigs of CraGL/Hyperspectral-Inverse-Skinning.
 *
 *   NAME.tgf   the skeleton: numbered points, and bones as edges between them
 *   NAME.DMAT  the weights, column by column
 *
 * Each pose is in a folder poses-* beside these files. A pose has a skinned mesh (.obj) and, for each bone,
 * a rotation about its head that its descendants inherit (.json, quaternions with 17 digits). A third file
 * (.Tmat) has the transforms of the bones with 6 digits. It is used only to check that the hierarchy found
 * here is the one that the authors used. */
#include "datasets/formats/formats.h"
#include "datasets/formats/mesh_file.h"
#include "datasets/formats/number_text.h"
#include "datasets/formats/sequence.h"
#include "datasets/geometry/turn.h"
#include "datasets/io/file_name.h"
#include "datasets/io/json_file.h"
#include "datasets/model/evaluate.h"

#include <unistd.h>

/* ---- skeleton and weights ---- */

typedef struct SkeletonBone {
    int head, tail; /* indices of two skeleton points, from 0 */
} SkeletonBone;

typedef struct Skeleton {
    Vec3 *points;        /* [point_count] */
    SkeletonBone *bones; /* [bone_count] */
    int point_count, bone_count;
} Skeleton;

/* Reads NAME.tgf into `skeleton`, which must be {0}. The file has a line `number x y z` per point (numbered
 * from 1), a line #, a line `head tail` per bone, and then # or the end of the file. STATUS_BAD_INPUT if
 * there are no bones. Release with skeleton_clear, even on failure. */
static Status skeleton_parse(const SequenceText *file, Skeleton *skeleton)
{
    LineText text = {.next = file->text, .end = file->text + file->length, .place = file->place, .line = 1};
    int marks = 0;
    do {
        if (line_text_ends(&text))
            continue;
        if (*text.next == '#')
            marks++;
        else if (marks == 0) {
            const int64_t number = skeleton->point_count + 1;
            int64_t printed = 0;
            Vec3 point;
            STATUS_TRY(line_text_integer(&text, "point", number, &printed));
            if (printed != number || number > FILE_MESH_COUNT_MAX)
                return bad_input("%s:%d: point %lld is numbered %lld", text.place, text.line,
                                 (long long)number, (long long)printed);
            STATUS_TRY(line_text_real(&text, "point", number, &point.x));
            STATUS_TRY(line_text_real(&text, "point", number, &point.y));
            STATUS_TRY(line_text_real(&text, "point", number, &point.z));
            GROW(skeleton->points, skeleton->point_count, "a skeleton");
            skeleton->points[skeleton->point_count++] = point;
        } else {
            const int64_t number = skeleton->bone_count + 1;
            int64_t ends[2];
            for (int i = 0; i < 2; i++) {
                STATUS_TRY(line_text_integer(&text, "bone", number, &ends[i]));
                if (ends[i] < 1 || ends[i] > skeleton->point_count)
                    return bad_input("%s:%d: bone %lld refers to point %lld, but there are %d points",
                                     text.place, text.line, (long long)number, (long long)ends[i],
                                     skeleton->point_count);
            }
            GROW(skeleton->bones, skeleton->bone_count, "a skeleton");
            skeleton->bones[skeleton->bone_count++] = (SkeletonBone){(int)ends[0] - 1, (int)ends[1] - 1};
        }
    } while (marks < 2 && line_text_step(&text));
    if (skeleton->bone_count == 0 || skeleton->bone_count > STORE_JOINTS_MAX)
        return bad_input("%s:%d: a skeleton of %d points and %d bones cannot be read", file->place, text.line,
                         skeleton->point_count, skeleton->bone_count);
    return status_ok();
}

/* Reads NAME.DMAT: the number of columns (bones) and of rows (vertices), then one number per line, column
 * by column. *out is [vertex_count][bone_count] and unchanged on failure. Release it with memory_free. */
static Status weight_matrix_parse(const SequenceText *file, int vertex_count, int bone_count, double **out)
{
    LineText text = {.next = file->text, .end = file->text + file->length, .place = file->place, .line = 1};
    int64_t columns = 0, rows = 0;
    OWNED double *weights = NULL;
    STATUS_TRY(line_text_integer(&text, "matrix", 1, &columns));
    STATUS_TRY(line_text_integer(&text, "matrix", 1, &rows));
    if (columns != bone_count || rows != vertex_count)
        return bad_input("%s:1: has %lld columns and %lld rows, but the rig has %d bones and %d vertices",
                         file->place, (long long)columns, (long long)rows, bone_count, vertex_count);
    if ((uint64_t)columns * (uint64_t)rows >
        file->length / 2) { /* each weight takes at least two bytes: a digit and a line end */
        return bad_input("%s: has %zu bytes, too few for %lld weights", file->place, file->length,
                         (long long)(columns * rows));
    }
    ALLOCATE_TABLE(weights, rows, columns, "weights");
    line_text_step(&text);
    for (int64_t i = 0; i < columns * rows; i++) {
        STATUS_TRY(line_text_find(&text, "weight", i + 1, columns * rows));
        STATUS_TRY(line_text_real(&text, "weight", i + 1, &weights[i % rows * columns + i / rows]));
        line_text_step(&text);
    }
    *out = TAKE(weights);
    return status_ok();
}

/* Weights below this limit are dropped. They are noise of the solver that computed the weights, too small
 * to change a sum of 1 in float32. */
#define WEIGHT_MIN 1e-7

typedef struct RigImport {
    const ImportOptions *options;
    Skeleton skeleton;
    FileMesh rest, pose;
    const char *rest_place;
    Quat *turns; /* [bone_count] rotations of the bones in the current pose */
    Dataset *dataset;
} RigImport;

/* ---- the rig ---- */

/* Selects the significant weights of a vertex and scales them to sum 1. They are sorted in descending
 * order; equal weights are sorted by joint. Returns their number. If `joints` is NULL, only counts them. */
static int weights_choose(const double *row, int bone_count, int32_t *joints, float *values)
{
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < bone_count; j++) {
        if (fabs(row[j]) < WEIGHT_MIN)
            continue;
        int slot = count++;
        sum += row[j];
        for (; joints && slot > 0 && row[joints[slot - 1]] < row[j]; slot--)
            joints[slot] = joints[slot - 1];
        if (joints)
            joints[slot] = j;
    }
    for (int k = 0; joints && k < count; k++)
        values[k] = (float)(row[joints[k]] / sum);
    return count;
}

/* Fills in the mesh, weights and joints, and allocates transforms for `frame_count` frames. */
static Status rig_to_dataset(RigImport *import, const char *place, const double *weights, int frame_count)
{
    Dataset *dataset = import->dataset;
    const FileMesh *rest = &import->rest;
    const int bones = import->skeleton.bone_count, vertices = rest->vertex_count;
    int max = 1;
    for (int i = 0; i < vertices; i++) {
        const int count = weights_choose(weights + (size_t)i * (size_t)bones, bones, NULL, NULL);
        max = count > max ? count : max;
        if (count > STORE_INFLUENCES_MAX)
            return bad_input("%s: vertex %d has %d weights, but at most %d can be read", place, i, count,
                             STORE_INFLUENCES_MAX);
    }
    STATUS_TRY(file_mesh_copy(rest, &dataset->mesh));
    STATUS_TRY(rig_allocate(&dataset->rig, vertices, bones, frame_count, max));
    STATUS_TRY(animation_allocate(&dataset->animation, frame_count, vertices, 0));
    for (size_t i = 0; i < (size_t)vertices; i++)
        weights_choose(weights + i * (size_t)bones, bones, dataset->rig.weight_joints + i * (size_t)max,
                       dataset->rig.weight_values + i * (size_t)max);
    const Skeleton *skeleton = &import->skeleton;
    Rig *rig = &dataset->rig;
    LOCAL_ARRAY(int, ending, skeleton->point_count, "a skeleton");
    for (int j = 0; j < skeleton->bone_count; j++) {
        const SkeletonBone bone = skeleton->bones[j];
        const Vec3 head = skeleton->points[bone.head];
        const Vec3 along = vec3_sub(skeleton->points[bone.tail], head);
        char name[48];
        snprintf(name, sizeof name, "bone %d-%d", bone.head + 1, bone.tail + 1);
        if (ending[bone.tail] || !(vec3_length(along) > 0.0))
            return bad_input("%s: %s %s", place, name,
                             ending[bone.tail] ? "ends where another bone does" : "has no length");
        ending[bone.tail] = j + 1;
        rig->parents[j] = ending[bone.head] - 1;
        /* The rest frame of a bone has its origin at the head of the bone and its first axis along the
         * bone. Its second axis is near the coordinate axis that is least aligned with the bone. The choice
         * does not affect the transforms. */
        const Vec3 x = vec3_normalize(along);
        const double min[] = {fabs(x.x), fabs(x.y), fabs(x.z)};
        const int axis = min[0] <= min[1] && min[0] <= min[2] ? 0 : min[1] <= min[2] ? 1 : 2;
        const Vec3 unit = vec3_make(axis == 0, axis == 1, axis == 2);
        const Vec3 y = vec3_normalize(vec3_add_scaled(unit, x, -vec3_dot(unit, x)));
        const Vec3 z = vec3_cross(x, y);
        rig->rest[j] = (Transform){x.x, y.x, z.x, head.x, x.y, y.y, z.y, head.y, x.z, y.z, z.z, head.z};
        COPY_TEXT(rig->joint_names[j], name, "a joint's name");
    }
    /* The loop above finds a parent only if it is listed before its child. */
    for (int j = 0; j < skeleton->bone_count; j++)
        if (ending[skeleton->bones[j].head] - 1 != rig->parents[j])
            return bad_input("%s: %s is listed before its parent bone", place, rig->joint_names[j]);
    return status_ok();
}

/* ---- a pose ---- */

/* Copies `path` and replaces the ending `suffix` of the copy by `other`. */
static char *path_replace(const char *path, const char *suffix, const char *other)
{
    const size_t length = strlen(path) - strlen(suffix), size = length + strlen(other) + 1;
    char *made = memory_array(size, 1);
    if (made)
        snprintf(made, size, "%.*s%s", (int)length, path, other);
    return made;
}

/* Reads the rotation of every bone about its head. The file has entries "dQ-0": [x, y, z, w], ... */
static Status turns_read(const char *path, int bone_count, Quat *turns)
{
    json_auto_t *json = NULL;
    STATUS_TRY(json_file_read(path, &json));
    for (int j = 0; j < bone_count; j++) {
        char key[32];
        Quat q;
        snprintf(key, sizeof key, "dQ-%d", j);
        if (json_unpack(json_object_get(json, key), "[F,F,F,F!]", &q.x, &q.y, &q.z, &q.w) != 0 ||
            !(fabs(quat_dot(q, q) - 1.0) < 1e-6))
            return bad_input("%s: %s is not a unit quaternion of four numbers", path, key);
        turns[j] = quat_scale(q, 1.0 / sqrt(quat_dot(q, q)));
    }
    char more[32];
    snprintf(more, sizeof more, "dQ-%d", bone_count);
    if (json_object_get(json, more))
        return bad_input("%s: has %s, but the rig has %d bones", path, more, bone_count);
    return status_ok();
}

/* Compares the computed transforms with the transforms in the file, to 6 digits. If they differ, the
 * hierarchy is not the one that the authors used. The file has four rows for each bone: three for the
 * transposed rotation and one for the translation. */
static Status transforms_compare(const char *path, const Transform *transforms, int bone_count)
{
    CLEANUP(sequence_text_clear) SequenceText file = {0};
    STATUS_TRY(sequence_text_read(path, &file));
    LineText text = {.next = file.text, .end = file.text + file.length, .place = file.place, .line = 1};
    for (int j = 0; j < bone_count; j++) {
        const Transform t = transforms[j];
        const double expected[4][3] = {
            {t.m00, t.m10, t.m20}, {t.m01, t.m11, t.m21}, {t.m02, t.m12, t.m22}, {t.m03, t.m13, t.m23}};
        for (int i = 0; i < 12; i++) {
            double value = 0.0;
            if (i % 3 == 0)
                STATUS_TRY(line_text_find(&text, "row", 4 * j + i / 3 + 1, 4 * (int64_t)bone_count));
            STATUS_TRY(line_text_real(&text, "row", 4 * j + i / 3 + 1, &value));
            if (fabs(value - expected[i / 3][i % 3]) > 2e-5 * fmax(1.0, fabs(value)))
                return bad_input(
                    "%s:%d: bone %d has %g in its matrix, but its rotation and those of its parents give %g",
                    path, text.line, j, value, expected[i / 3][i % 3]);
            if (i % 3 == 2)
                line_text_step(&text);
        }
    }
    return status_ok();
}

static Status pose_import(void *context, int frame, const SequenceText *text)
{
    RigImport *import = context;
    Dataset *dataset = import->dataset;
    const int bones = dataset->rig.joint_count, vertices = dataset->mesh.vertex_count;
    Transform *transforms = dataset->rig.transforms + (size_t)frame * (size_t)bones;
    OWNED char *turns = path_replace(text->place, ".obj", ".json"),
               *printed = path_replace(text->place, ".obj", ".Tmat");
    ALLOCATED(turns && printed, "a file name");
    STATUS_TRY(obj_format.parse(text->text, text->length, text->place, &import->pose));
    STATUS_TRY(file_mesh_same_topology(&import->rest, import->rest_place, &import->pose, text->place));
    memcpy(dataset->animation.positions + 3 * (size_t)frame * (size_t)vertices, import->pose.positions,
           3 * (size_t)vertices * sizeof(float));
    STATUS_TRY(turns_read(turns, bones, import->turns));
    const Rig *rig = &import->dataset->rig;
    for (int j = 0; j < rig->joint_count; j++) {
        const int parent = rig->parents[j];
        const Vec3 head = import->skeleton.points[import->skeleton.bones[j].head];
        if (parent >= 0)
            import->turns[j] = quat_mul(import->turns[parent], import->turns[j]);
        /* rotate about the bone's head, then move the head along with the parent */
        const Vec3 moved = parent >= 0 ? transform_point(transforms[parent], head) : head;
        transforms[j] =
            transform_rigid(import->turns[j], vec3_sub(moved, quat_rotate(import->turns[j], head)));
    }
    if (access(printed, F_OK) == 0)
        STATUS_TRY(transforms_compare(printed, transforms, bones));
    if (!progress_report(import->options->progress, "importing poses",
                         (frame + 1.0) / dataset->animation.frame_count))
        return status_make(STATUS_STOPPED, "stopped after %d of %d poses", frame + 1,
                           dataset->animation.frame_count);
    return status_ok();
}

/* ---- the files ---- */

/* Returns the pattern "FOLDER/poses-*" joined to "/NAME-*.obj", with wildcard characters in FOLDER and NAME
 * escaped. */
static char *poses_pattern(const char *stem)
{
    const char *name = path_name(stem);
    const size_t size = 2 * strlen(stem) + sizeof "poses-*/-*.obj";
    char *pattern = memory_array(size, 1);
    size_t used = 0;
    for (const char *next = stem; pattern && *next; next++) {
        if (next == name)
            used += (size_t)snprintf(pattern + used, size - used, "poses-*/");
        if (strchr("*?[", *next))
            pattern[used++] = '\\';
        pattern[used++] = *next;
    }
    if (pattern)
        snprintf(pattern + used, size - used, "-*.obj");
    return pattern;
}

static void rig_import_clear(RigImport *import)
{
    FREE_ALL(import->turns, import->skeleton.points, import->skeleton.bones);
    import->skeleton = (Skeleton){0};
    file_mesh_clear(&import->rest);
    file_mesh_clear(&import->pose);
    dataset_free(import->dataset);
}

Status cragl_rig_import(const ImportOptions *options, const char *output)
{
    const char *input = options->inputs[0];
    CLEANUP(rig_import_clear) RigImport import = {.options = options, .rest_place = options->rest};
    CLEANUP(sequence_text_clear) SequenceText skeleton = {0}, matrix = {0}, rest = {0};
    CLEANUP(sequence_close) FileSequence poses = {0};
    OWNED double *weights = NULL;
    OWNED char *stem = NULL, *own_rest = NULL, *matrix_path = NULL, *pattern = NULL;
    STATUS_TRY(format_rest_check(options));
    STATUS_TRY(sequence_text_read(input, &skeleton));
    STATUS_TRY(skeleton_parse(&skeleton, &import.skeleton));
    if (options->input_count > 1 || strlen(input) < 5 || strcmp(input + strlen(input) - 4, ".tgf") != 0)
        return bad_input("%s: expected one skeleton, NAME.tgf", input);
    stem = path_replace(input, ".tgf", "");
    own_rest = path_replace(input, ".tgf", ".obj");
    matrix_path = path_replace(input, ".tgf", ".DMAT");
    pattern = stem ? poses_pattern(stem) : NULL;
    ALLOCATE(import.turns, import.skeleton.bone_count, "a file name");
    ALLOCATED(own_rest && matrix_path && pattern, "a file name");
    import.rest_place = options->rest ? options->rest : own_rest;
    STATUS_TRY(sequence_text_read(import.rest_place, &rest));
    STATUS_TRY(obj_format.parse(rest.text, rest.length, rest.place, &import.rest));
    STATUS_TRY(sequence_text_read(matrix_path, &matrix));
    STATUS_TRY(weight_matrix_parse(&matrix, import.rest.vertex_count, import.skeleton.bone_count, &weights));
    STATUS_TRY(sequence_open((const char *const[]){pattern}, 1, ".obj", NULL, &poses));
    STATUS_TRY(format_dataset_create(options, &import.dataset));
    import.dataset->fps = options->fps > 0.0 ? options->fps : 1.0;
    STATUS_TRY(rig_to_dataset(&import, input, weights, poses.frame_count));
    STATUS_TRY(sequence_visit(&poses, pose_import, &import));
    STATUS_TRY(format_dataset_write(options, import.dataset, output));
    const Dataset *dataset = import.dataset;
    double worst = 0.0;
    for (int f = 0; f < dataset->animation.frame_count; f++)
        for (int i = 0; i < dataset->mesh.vertex_count; i++) {
            const ptrdiff_t target = (ptrdiff_t)f * dataset->mesh.vertex_count + i;
            const Vec3 start = vec3_scale(point_at(dataset->animation.positions, target), -1.0);
            worst = fmax(worst, vec3_length(rig_skin_point(&dataset->rig, f, i,
                                                           point_at(dataset->mesh.rest, i), start)));
        }
    format_note(import.options->notes, "the rig's linear blend reproduces the poses within %.2g", worst);
    return status_ok();
}
