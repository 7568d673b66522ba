#include "datasets/formats/fbx_read.h"
#include "datasets/formats/formats.h"
#include "datasets/formats/gltf_read.h"
#include "datasets/formats/scene_dataset.h"

#ifdef SKINBENCH_ASSIMP
#include "datasets/formats/assimp_read.h"
#endif

typedef Status (*SceneReader)(const ImportOptions *options, Scene *out);

static Status scene_file_import(const ImportOptions *options, const char *output, SceneReader read)
{
    CLEANUP(scene_clear) Scene scene = {0};
    if (options->input_count != 1)
        return bad_usage("only one scene can be imported at a time, not %d files", options->input_count);
    STATUS_TRY(read(options, &scene));
    return scene_import(&scene, options, output);
}

static Status gltf_file_read(const ImportOptions *options, Scene *out)
{
    return gltf_read(options->inputs[0], options->notes, out);
}

Status gltf_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, gltf_file_read);
}

static Status fbx_file_read(const ImportOptions *options, Scene *out)
{
    return fbx_read(options->inputs[0], options->notes, out);
}

Status fbx_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, fbx_file_read);
}

#ifdef SKINBENCH_ASSIMP
static Status collada_file_read(const ImportOptions *options, Scene *out)
{
    return assimp_read(options->inputs[0], options, out);
}

Status collada_import(const ImportOptions *options, const char *output)
{
    return scene_file_import(options, output, collada_file_read);
}
#endif
