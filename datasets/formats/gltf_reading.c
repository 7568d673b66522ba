#include "datasets/formats/gltf_reading.h"

Status gltf_bytes_add(GltfReading *reading, double bytes, const char *place)
{
    reading->read_bytes += bytes;
    return scene_memory_check(reading->scene, reading->read_bytes, "the arrays up to %s", place);
}

Status gltf_name_copy(const json_t *object, const char *kind, int number, char **out)
{
    const char *name = gltf_text(object, "name");
    *out = memory_text(name && name[0] ? name : gltf_place("%s %d", kind, number).text);
    return *out ? status_ok() : status_out_of_memory("a name");
}
