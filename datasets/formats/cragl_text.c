/* Reads the text files of a rig: points and bones of a skeleton (.tgf), and a matrix of weights (.DMAT). */
#include "datasets/formats/cragl_text.h"

#include "datasets/formats/file_mesh.h"
#include "datasets/formats/number_text.h"
#include "datasets/io/store.h"

Status skeleton_parse(const SequenceText *file, Skeleton *skeleton)
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
                return status_make(STATUS_BAD_INPUT, "%s:%d: point %lld is numbered %lld", text.place,
                                   text.line, (long long)number, (long long)printed);
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
                    return status_make(STATUS_BAD_INPUT, "%s:%d: bone %lld names point %lld, there are %d",
                                       text.place, text.line, (long long)number, (long long)ends[i],
                                       skeleton->point_count);
            }
            GROW(skeleton->bones, skeleton->bone_count, "a skeleton");
            skeleton->bones[skeleton->bone_count++] = (SkeletonBone){(int)ends[0] - 1, (int)ends[1] - 1};
        }
    } while (marks < 2 && line_text_step(&text));
    if (skeleton->bone_count == 0 || skeleton->bone_count > STORE_JOINTS_MAX)
        return status_make(STATUS_BAD_INPUT, "%s:%d: is a skeleton of %d points and %d bones", file->place,
                           text.line, skeleton->point_count, skeleton->bone_count);
    return status_ok();
}

void skeleton_clear(Skeleton *skeleton)
{
    memory_free(skeleton->points);
    memory_free(skeleton->bones);
    *skeleton = (Skeleton){0};
}

Status weight_matrix_parse(const SequenceText *file, int vertex_count, int bone_count, double **out)
{
    LineText text = {.next = file->text, .end = file->text + file->length, .place = file->place, .line = 1};
    int64_t columns = 0, rows = 0;
    OWNED double *weights = NULL;
    STATUS_TRY(line_text_integer(&text, "matrix", 1, &columns));
    STATUS_TRY(line_text_integer(&text, "matrix", 1, &rows));
    if (columns != bone_count || rows != vertex_count)
        return status_make(STATUS_BAD_INPUT,
                           "%s:1: has %lld columns and %lld rows, the rig has %d bones and %d vertices",
                           file->place, (long long)columns, (long long)rows, bone_count, vertex_count);
    if ((uint64_t)columns * (uint64_t)rows > file->length / 2) { /* a digit and the end of its line */
        return status_make(STATUS_BAD_INPUT, "%s: has %zu bytes, too few for %lld weights", file->place,
                           file->length, (long long)(columns * rows));
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
