/* Reads or generates a data set for benchmarking and computes its digest. */
#include "harness/records/record/subject.h"

#include "datasets/formats/formats.h"
#include "datasets/generate/generate.h"
#include "datasets/io/sha256.h"
#include "datasets/model/compact_weights.h"

Status subject_read(const char *path, const Progress *progress, Subject *out)
{
    UNDO_ON_FAILURE(subject_clear) Subject *unfinished = out;
    *out = (Subject){0};
    STATUS_TRY(dataset_load(path, progress, &out->dataset));
    STATUS_TRY(file_sha256(path, out->sha256));
    text_escape(out->name, sizeof out->name, out->dataset->name);
    if (out->name[0] == '\0') {
        const char *slash = strrchr(path, '/');
        text_escape(out->name, sizeof out->name, slash ? slash + 1 : path);
    }
    unfinished = NULL;
    return status_ok();
}

static void digest_arrays(const Dataset *dataset, char digest[65])
{
    const Mesh *mesh = &dataset->mesh;
    const Rig *rig = &dataset->rig;
    size_t vertices = (size_t)mesh->vertex_count, joints = (size_t)rig->joint_count;
    size_t slots = vertices * (size_t)rig->influence_count, poses = joints * (size_t)rig->frame_count;
    size_t values = 3 * vertices * (size_t)dataset->animation.frame_count;
    int32_t counts[] = {mesh->vertex_count, mesh->triangle_count, rig->joint_count,
                        rig->frame_count,   rig->influence_count, dataset->animation.frame_count};
    Sha256 sum;
    sha256_begin(&sum);
    sha256_add(&sum, counts, sizeof counts);
    sha256_add(&sum, mesh->rest, 3 * vertices * sizeof *mesh->rest);
    sha256_add(&sum, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof *mesh->triangles);
    if (joints > 0) {
        sha256_add(&sum, rig->parents, joints * sizeof *rig->parents);
        sha256_add(&sum, rig->rest, joints * sizeof *rig->rest);
        sha256_add(&sum, rig->transforms, poses * sizeof *rig->transforms);
        if (rig->scale)
            sha256_add(&sum, rig->scale, poses * sizeof *rig->scale);
        sha256_add(&sum, rig->weight_joints, slots * sizeof *rig->weight_joints);
        sha256_add(&sum, rig->weight_values, slots * sizeof *rig->weight_values);
    }
    if (values > 0 && dataset->animation.positions)
        sha256_add(&sum, dataset->animation.positions, values * sizeof(float));
    sha256_end(&sum, digest);
}

static Status generator_set(const char *generator_name, const char *const *settings, int count,
                            const Generator **generator, ParameterValues *values)
{
    STATUS_TRY(generator_named(generator_name, generator));
    const Parameter *rows = (*generator)->parameters;
    *values = parameters_default(rows);
    for (int i = 0; i < count; i++)
        STATUS_TRY(parameters_set(rows, generator_name, settings[i], values));
    return status_ok();
}

Status subject_generate_check(const char *generator_name, const char *const *settings, int count)
{
    const Generator *generator = NULL;
    ParameterValues values;
    return generator_set(generator_name, settings, count, &generator, &values);
}

void subject_generated_name(const char *generator_name, const char *const *settings, int count,
                            char name[SUBJECT_NAME_BYTES])
{
    snprintf(name, SUBJECT_NAME_BYTES, "%s", generator_name);
    for (int i = 0; i < count; i++)
        text_append(name, SUBJECT_NAME_BYTES, " %s", settings[i]);
}

Status subject_generate(const char *generator_name, const char *const *settings, int count,
                        const Progress *progress, Subject *out)
{
    *out = (Subject){0};
    const Generator *generator = NULL;
    ParameterValues values;
    STATUS_TRY(generator_set(generator_name, settings, count, &generator, &values));
    subject_generated_name(generator_name, settings, count, out->name);
    STATUS_TRY(generator_run(generator, values.values, progress, &out->dataset));
    digest_arrays(out->dataset, out->sha256);
    return status_ok();
}

Status subject_prune(Subject *subject, int influences)
{
    Dataset *dataset = subject->dataset;
    if (dataset->rig.joint_count == 0 || dataset->rig.influence_count <= influences)
        return status_ok();
    STATUS_TRY(rig_prune(&dataset->rig, dataset->mesh.vertex_count, influences));
    text_append(subject->name, sizeof subject->name, ", %d influences", influences);
    digest_arrays(dataset, subject->sha256);
    return status_ok();
}

void subject_clear(Subject *subject)
{
    dataset_free(subject->dataset);
    *subject = (Subject){0};
}

CellDataset subject_cell_dataset(const Subject *subject)
{
    const Dataset *dataset = subject->dataset;
    int frames =
        dataset->animation.frame_count > 0 ? dataset->animation.frame_count : dataset->rig.frame_count;
    CellDataset out = {.vertices = dataset->mesh.vertex_count,
                       .triangles = dataset->mesh.triangle_count,
                       .frames = frames,
                       .joints = dataset->rig.joint_count,
                       .influences = dataset->rig.influence_count};
    snprintf(out.name, sizeof out.name, "%s", subject->name);
    snprintf(out.sha256, sizeof out.sha256, "%s", subject->sha256);
    return out;
}
