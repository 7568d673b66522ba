/* Compares the unpacked size of a mesh with the memory limit of scenes. Then unpacks the mesh in a confined
 * process, which loads the decoder as a shared object. */
#define _GNU_SOURCE /* dladdr */
#include "datasets/formats/gltf_draco.h"

#include "datasets/formats/gltf_draco_plugin.h"
#include "datasets/formats/scene.h"
#include "datasets/io/confined.h"

#include <dlfcn.h>
#include <unistd.h>

static const char NAME[] = "KHR_draco_mesh_compression";

bool gltf_draco_find(char path[PATH_MAX])
{
    static const char file[] = "skinbench_draco.so";
    static const char *const folders[] = {"", "skinbench/", SKINBENCH_LIBRARY_FROM_PROGRAM "/"};
    char places[2][PATH_MAX] = {"", ""};
    Dl_info info;
    const ssize_t length = readlink("/proc/self/exe", places[0], sizeof places[0] - 1);
    places[0][length > 0 ? length : 0] = '\0';
    if (dladdr(folders, &info) != 0 &&
        info.dli_fname) /* the path of libskinbench, in case another program has loaded it */
        snprintf(places[1], sizeof places[1], "%s", info.dli_fname);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
            const char *slash = strrchr(places[i], '/');
            const int used = snprintf(path, PATH_MAX, "%.*s%s%s", slash ? (int)(slash - places[i]) + 1 : 0,
                                      places[i], folders[k], file);
            if (slash && used < PATH_MAX && access(path, R_OK) == 0)
                return true;
        }
    return false;
}

/* A compressed mesh and the accessors that describe it: one for each attribute, then one for the
 * indices. */
typedef struct DracoTask {
    GltfPlace place;
    DracoMesh mesh;
    json_t *accessors[DRACO_ATTRIBUTES_MAX + 1];
    size_t bytes; /* unpacked size */
} DracoTask;

typedef struct DracoShared {
    int task;
    _Alignas(8) unsigned char out[];
} DracoShared;

typedef struct DracoUnpacking {
    GltfFile *file;
    char decoder[PATH_MAX];
    DracoTask *tasks;
    int task_count;
    size_t largest;
} DracoUnpacking;

static void unpacking_clear(DracoUnpacking *unpacking)
{
    memory_free(unpacking->tasks);
}

/* Unpacks one mesh. Runs in the confined process. */
static Status draco_answer(void *context, void *memory)
{
    const DracoUnpacking *unpacking = context;
    DracoShared *shared = memory;
    const DracoTask *task = &unpacking->tasks[shared->task];
    void *library = dlopen(
        unpacking->decoder,
        RTLD_NOW | RTLD_LOCAL); /* the library is loaded only once; later calls return the same handle */
    void *symbol = library ? dlsym(library, DRACO_UNPACK) : NULL;
    DracoUnpack *unpack = NULL;
    memcpy(&unpack, &symbol,
           sizeof symbol); /* ISO C does not allow casting an object pointer to a function pointer */
    if (!unpack)
        return status_make(STATUS_SYSTEM, "%s cannot be loaded: %s", unpacking->decoder, dlerror());
    const char *reason = unpack(&task->mesh, shared->out);
    return reason ? bad_input("%s: %s %s (%s)", unpacking->file->path, task->place.text, reason, NAME)
                  : status_ok();
}

static Status attribute_add(const GltfFile *file, DracoTask *task, const char *name, const json_t *id,
                            const json_t *attributes)
{
    static const char *const types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const char *place = task->place.text;
    DracoMesh *mesh = &task->mesh;
    int64_t number = 0, component = 0, count = 0;
    if (mesh->attribute_count == DRACO_ATTRIBUTES_MAX)
        return gltf_failure(file, place, "has more than %d packed attributes", DRACO_ATTRIBUTES_MAX);
    json_t **accessor = &task->accessors[mesh->attribute_count];
    DracoAttribute *attribute = &mesh->attributes[mesh->attribute_count++];
    STATUS_TRY(gltf_integer(file, attributes, place, name, GLTF_NEEDED, INT_MAX, &number));
    STATUS_TRY(gltf_element(file, "accessors", number, place, accessor));
    STATUS_TRY(gltf_integer(file, *accessor, place, "count", GLTF_NEEDED, INT_MAX / 4, &count));
    STATUS_TRY(gltf_integer(file, *accessor, place, "componentType", GLTF_NEEDED, INT_MAX, &component));
    const char *type = gltf_text(*accessor, "type");
    while (attribute->width < 4 && (!type || strcmp(types[attribute->width], type) != 0))
        attribute->width++;
    if (attribute->width++ == 4 || component < 5120 || component > 5126 || !json_is_integer(id))
        return gltf_failure(file, place,
                            "has a packed %s of type %s and componentType %lld, which is not supported", name,
                            type ? type : "none", (long long)component);
    if (mesh->attribute_count > 1 && count != mesh->vertex_count)
        return gltf_failure(file, place, "has %u vertices, but %lld values of %s", mesh->vertex_count,
                            (long long)count, name);
    mesh->vertex_count = (uint32_t)count;
    const size_t component_bytes = component < 5122 ? 1 : component < 5124 ? 2 : 4;
    attribute->id = (uint32_t)json_integer_value(id);
    attribute->component = (int)component;
    attribute->stride = (component_bytes * (size_t)attribute->width + 3) / 4 * 4;
    attribute->offset = task->bytes;
    task->bytes += attribute->stride * mesh->vertex_count;
    return status_ok();
}

/* Adds a primitive to the list of tasks if it is compressed. */
static Status primitive_add(DracoUnpacking *unpacking, json_t *primitive, GltfPlace place)
{
    enum { TRIANGLES = 4 };
    const GltfFile *file = unpacking->file;
    json_t *extensions = json_object_get(primitive, "extensions"), *id = NULL, *position = NULL,
           *indices = NULL, *view = NULL;
    json_auto_t *extension = json_incref(json_object_get(extensions, NAME));
    const json_t *attributes = json_object_get(primitive, "attributes");
    int64_t number = 0, mode = 0, corners = 0;
    const char *name = NULL;
    if (!json_is_object(extension))
        return status_ok();
    json_object_del(extensions, NAME); /* after unpacking, the primitive no longer has the extension */
    STATUS_TRY(gltf_integer(file, attributes, place.text, "POSITION", GLTF_NEEDED, INT_MAX, &number));
    STATUS_TRY(gltf_element(file, "accessors", number, place.text, &position));
    if (json_object_get(position, "bufferView"))
        return status_ok();
    if (!unpacking->decoder[0] && !gltf_draco_find(unpacking->decoder))
        return status_make(
            STATUS_UNAVAILABLE,
            "%s: %s is compressed by %s, which this skinbench cannot read: build it with libdraco-dev, or "
            "export the file without compression, from Blender or with `gltf-transform copy IN.glb OUT.glb`",
            file->path, place.text, NAME);
    STATUS_TRY(gltf_integer(file, primitive, place.text, "indices", GLTF_NEEDED, INT_MAX, &number));
    STATUS_TRY(gltf_element(file, "accessors", number, place.text, &indices));
    STATUS_TRY(gltf_integer(file, indices, place.text, "count", GLTF_NEEDED, INT_MAX / 4, &corners));
    STATUS_TRY(gltf_integer(file, primitive, place.text, "mode", TRIANGLES, INT_MAX, &mode));
    if (mode != TRIANGLES || corners % 3 != 0)
        return gltf_failure(file, place.text, "has %lld corners in mode %lld, expected triangles (%s)",
                            (long long)corners, (long long)mode, NAME);
    GROW(unpacking->tasks, unpacking->task_count, file->path);
    DracoTask *task = &unpacking->tasks[unpacking->task_count++];
    *task = (DracoTask){.place = place, .bytes = 4 * (size_t)corners};
    task->mesh.triangle_count = (uint32_t)(corners / 3);
    GltfRange packed;
    STATUS_TRY(gltf_integer(file, extension, place.text, "bufferView", GLTF_NEEDED, INT_MAX, &number));
    STATUS_TRY(gltf_element(file, "bufferViews", number, place.text, &view));
    STATUS_TRY(gltf_range_read(file, view, place.text, &packed));
    task->mesh.bytes = packed.bytes;
    task->mesh.size = (size_t)packed.length;
    json_object_foreach(json_object_get(extension, "attributes"), name, id)
        STATUS_TRY(attribute_add(file, task, name, id, attributes));
    task->accessors[task->mesh.attribute_count] = indices;
    unpacking->largest = size_max(unpacking->largest, task->bytes);
    return status_ok();
}

/* Stores the unpacked values out [task->bytes] of a mesh in its accessors. */
static Status accessors_set(GltfFile *file, const DracoTask *task, const unsigned char *out)
{
    enum { UINT32 = 5125 };
    const DracoMesh *mesh = &task->mesh;
    json_t *views = json_object_get(file->root, "bufferViews");
    GltfBuffer *buffer = NULL;
    STATUS_TRY(gltf_buffer_append(file, task->bytes, &buffer));
    memcpy(buffer->owned, out, task->bytes);
    for (int i = 0; i <= mesh->attribute_count; i++) {
        const DracoAttribute *from = &mesh->attributes[i];
        const bool indices = i == mesh->attribute_count;
        json_t *accessor = task->accessors[i];
        const int view = (int)json_array_size(views);
        const size_t size = indices ? 12 * (size_t)mesh->triangle_count : from->stride * mesh->vertex_count;
        json_array_append_new(views, json_pack("{s:i, s:I, s:I}", "buffer", file->buffer_count - 1,
                                               "byteOffset", (json_int_t)(indices ? 0 : from->offset),
                                               "byteLength", (json_int_t)size));
        if (!indices)
            json_object_set_new(json_array_get(views, (size_t)view), "byteStride",
                                json_integer((json_int_t)from->stride));
        else
            json_object_set_new(accessor, "componentType", json_integer(UINT32));
        json_object_del(accessor, "byteOffset");
        if (json_object_set_new(accessor, "bufferView", json_integer(view)) != 0 ||
            json_array_size(views) == (size_t)view)
            return status_out_of_memory(file->path);
    }
    return status_ok();
}

Status gltf_draco_unpack(GltfFile *file)
{
    const double PROCESSOR_S = 10.0, BYTES_PER_S = 1e6;
    const size_t MEMORY_BYTES = (size_t)256 << 20, MEMORY_PER_BYTE = 16;
    const Scene limits = {.path = file->path, .memory_bytes = input_contents_limit(file->total_bytes)};
    CLEANUP(unpacking_clear) DracoUnpacking unpacking = {.file = file};
    OWNED_BY(confined_end) Confined *confined = NULL;
    json_t *mesh = NULL, *primitive = NULL;
    double bytes = 0.0;
    size_t m = 0, p = 0;
    json_array_foreach(json_object_get(file->root, "meshes"), m, mesh)
        json_array_foreach(json_object_get(mesh, "primitives"), p, primitive)
            STATUS_TRY(primitive_add(&unpacking, primitive, gltf_place("meshes[%zu].primitives[%zu]", m, p)));
    for (int i = 0; i < unpacking.task_count; i++)
        bytes += (double)unpacking.tasks[i].bytes;
    STATUS_TRY(scene_memory_check(&limits, bytes, "%d packed meshes", unpacking.task_count));
    if (unpacking.task_count == 0)
        return status_ok();
    const ConfinedTask task = {.file = fileno(file->stream),
                               .memory_bytes = MEMORY_BYTES + MEMORY_PER_BYTE * unpacking.largest,
                               .processor_s = PROCESSOR_S + (double)unpacking.largest / BYTES_PER_S,
                               .shared_bytes = sizeof(DracoShared) + unpacking.largest,
                               .answer = draco_answer,
                               .context = &unpacking};
    STATUS_TRY(status_in(file->path, confined_start(&task, &confined)));
    DracoShared *shared = confined_shared(confined);
    for (int i = 0; i < unpacking.task_count; i++) {
        char place[STATUS_TEXT_BYTES];
        snprintf(place, sizeof place, "%s: %s (%s) ", file->path, unpacking.tasks[i].place.text, NAME);
        shared->task = i;
        STATUS_TRY(confined_ask(confined, place, NULL));
        STATUS_TRY(accessors_set(file, &unpacking.tasks[i], shared->out));
    }
    return status_ok();
}
