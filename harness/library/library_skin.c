/* Direct skinning: uses a skinner of methods/runtime, and skins any number of frames in blocks. */
#include "harness/library/library.h"

#include "methods/registry.h"
#include "methods/runtime/skinner.h"
#include <pthread.h>

struct SkinbenchSkinner {
    pthread_mutex_t turn; /* ensures that only one thread uses the skinner at a time, because the skinner
                             stores the current poses */
    Skinner *own;
    const Dataset *dataset;
    bool two_phase;
    int block; /* number of frames skinned per call */
};

DEFINE_OWNED_BY(SkinbenchSkinner, skinbench_skinner_free)

SkinbenchStatus skinbench_skinner_create(const SkinbenchDataset *dataset, const SkinbenchSkinOptions *options,
                                         SkinbenchSkinner **out)
{
    const long failures = memory_failures();
    SkinnerOptions skinner_options = {.backend = &backend_simd, .first_phase = skinning_first_phase()};
    OWNED_BY(skinbench_skinner_free) SkinbenchSkinner *skinner = NULL;
    *out = NULL;
    LIBRARY_TRY(library_given(dataset, "data set"));
    LIBRARY_TRY(library_given(options, "option"));
    LIBRARY_TRY(library_given(options->method, "method"));
    LIBRARY_TRY(skinning_entry_named(options->method, &skinner_options.entry));
    if (options->backend)
        LIBRARY_TRY(backend_find(options->backend, &skinner_options.backend));
    const SkinningMethod *method = skinner_options.entry->method;
    LIBRARY_TRY(library_settings(method->parameters, method->name, options->settings, options->setting_count,
                                 &skinner_options.parameters));
    LIBRARY_TRY(library_threads(options->threads, &skinner_options.threads));
    skinner_options.normals = options->normals != 0;
    skinner_options.two_phase = options->two_phase != 0;
    const Dataset *source = dataset->own;
    if (source->rig.joint_count == 0)
        return library_status(bad_input("there is no rig to skin with"), failures);
    skinner = memory_array(1, sizeof *skinner);
    if (!skinner)
        return library_status(status_out_of_memory("a skinner"), failures);
    pthread_mutex_init(&skinner->turn, NULL);
    skinner->dataset = source;
    skinner->two_phase = skinner_options.two_phase;
    skinner->block = skinner_block_frames(source->mesh.vertex_count);
    LIBRARY_TRY(skinner_create(&skinner_options, &source->mesh, &source->rig, &skinner->own));
    *out = TAKE(skinner);
    return library_status(status_ok(), failures);
}

static Status blocks_skin_alone(SkinbenchSkinner *skinner, const Transform *transforms, const Mat3 *scale,
                                int count, float *positions, float *normals)
{
    const size_t values = 3 * (size_t)skinner->dataset->mesh.vertex_count;
    const size_t joints = (size_t)skinner->dataset->rig.joint_count;
    for (int first = 0; first < count; first += skinner->block) {
        const int frames = int_min(count - first, skinner->block);
        const size_t offset = (size_t)first * joints;
        STATUS_TRY(skinner_pose(skinner->own, transforms + offset, scale ? scale + offset : NULL, frames));
        const size_t start = (size_t)first * values;
        STATUS_TRY(skinner_skin_frames(skinner->own, positions + start, normals ? normals + start : NULL));
    }
    return status_ok();
}

static Status blocks_skin(SkinbenchSkinner *skinner, const Transform *transforms, const Mat3 *scale,
                          int count, float *positions, float *normals)
{
    pthread_mutex_lock(&skinner->turn);
    const Status status = blocks_skin_alone(skinner, transforms, scale, count, positions, normals);
    pthread_mutex_unlock(&skinner->turn);
    return status;
}

SkinbenchStatus skinbench_skin_frames(SkinbenchSkinner *skinner, int first, int count, float *positions,
                                      float *normals)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(skinner, "skinner"));
    LIBRARY_TRY(library_given(positions, "array for positions"));
    const Rig *rig = &skinner->dataset->rig;
    if (first < 0 || count < 0 || count > rig->frame_count - first)
        return library_status(bad_usage("%d frames from frame %d on are requested, but the rig has %d", count,
                                        first, rig->frame_count),
                              failures);
    const size_t offset = (size_t)first * (size_t)rig->joint_count;
    return library_status(blocks_skin(skinner, rig->transforms + offset,
                                      rig->scale ? rig->scale + offset : NULL, count, positions, normals),
                          failures);
}

SkinbenchStatus skinbench_skin_poses(SkinbenchSkinner *skinner, const double *transforms, const double *scale,
                                     int count, float *positions, float *normals)
{
    const long failures = memory_failures();
    LIBRARY_TRY(library_given(skinner, "skinner"));
    LIBRARY_TRY(library_given(transforms, "transform"));
    LIBRARY_TRY(library_given(positions, "array for positions"));
    if (count < 0)
        return library_status(bad_usage("%d frames are requested", count), failures);
    return library_status(
        blocks_skin(skinner, (const Transform *)transforms, (const Mat3 *)scale, count, positions, normals),
        failures);
}

void skinbench_skinner_free(SkinbenchSkinner *skinner)
{
    if (!skinner)
        return;
    skinner_free(skinner->own);
    pthread_mutex_destroy(&skinner->turn);
    memory_free(skinner);
}
