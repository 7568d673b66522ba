#include "datasets/formats/gltf_read.h"
#include "datasets/formats/scene_dataset.h"

Status gltf_import(const ImportOptions *options, const char *output)
{
    Scene scene;
    Status status = status_ok();
    if (options->input_count != 1)
        return status_make(STATUS_USAGE, "one glTF file is imported at a time, not %d", options->input_count);
    status = gltf_read(options->inputs[0], options->notes, &scene);
    if (status.code == STATUS_OK)
        status = scene_import(&scene, options, output);
    scene_clear(&scene);
    return status;
}
