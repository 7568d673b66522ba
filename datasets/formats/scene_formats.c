#include "datasets/formats/formats.h"
#include "datasets/formats/gltf_read.h"
#include "datasets/formats/scene_dataset.h"

typedef Status (*SceneReader)(const ImportOptions *options, Scene *out);

static Status scene_file_import(const ImportOptions *options, const char *output, SceneReader read)
{
    CLEANUP(scene_clear) Scene scene = {0};
    if (options->input_count != 1)
        return bad_usage("only one scene can be imported at a time, not %d files", options->input_count);
    STATUS_TRY(read(options, &scene));
    return scene_import(&scene, options, output);
}

Status gltf_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, gltf_read);
}

Status fbx_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, fbx_read);
}

#ifdef SKINBENCH_ASSIMP
Status collada_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, assimp_read);
}
#endif
