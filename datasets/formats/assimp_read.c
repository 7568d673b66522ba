/* Reads Collada files into scenes with assimp, which runs in a confined process (datasets/io/confined.h). If
 * a file makes that process crash or take too long, the result is STATUS_BAD_INPUT. The process sends the
 * scene as one stream of bytes. The stream is trusted no more than the file: every count is compared with the
 * bytes that are left, and scene_check checks the values. */
#include "datasets/formats/assimp_scene.h"
#include "datasets/io/confined.h"
#include "datasets/io/input_file.h"
#include "datasets/io/store.h"

#include <sys/mman.h>

enum { PIECE_BYTES = 4 << 20 };

/* ---- the stream: one description of a scene for both processes ---- */

typedef struct SceneStream {
    const char *path;
    bool writes; /* true: values are appended to `bytes`; false: they are read from it */
    unsigned char *bytes;
    size_t size, used, capacity; /* used: bytes read; capacity: of a stream that is written */
} SceneStream;

static void stream_clear(SceneStream *stream)
{
    memory_free(stream->bytes);
}

static Status bytes_pass(SceneStream *stream, void *values, size_t size)
{
    if (!stream->writes && size > stream->size - stream->used)
        return bad_input("%s: cannot be read: the reading process sent too little data", stream->path);
    if (stream->writes && size > stream->capacity - stream->size) {
        stream->capacity = 2 * (stream->size + size);
        unsigned char *larger = memory_array(stream->capacity, 1);
        ALLOCATED(larger, "a scene");
        if (stream->size > 0)
            memcpy(larger, stream->bytes, stream->size);
        memory_free(stream->bytes);
        stream->bytes = larger;
    }
    if (size > 0 && stream->writes)
        memcpy(stream->bytes + stream->size, values, size);
    else if (size > 0)
        memcpy(values, stream->bytes + stream->used, size);
    *(stream->writes ? &stream->size : &stream->used) += size;
    return status_ok();
}

static Status count_pass(SceneStream *stream, int *count)
{
    STATUS_TRY(bytes_pass(stream, count, sizeof *count));
    if (*count < 0 || *count > STORE_VERTICES_MAX)
        return bad_input("%s: cannot be read: a count of %d", stream->path, *count);
    return status_ok();
}

/* Allocates `count` elements of an array, unless the stream is written. Fails if fewer than `each` bytes of
 * the stream are left for each of them. */
static Status array_allocate(const SceneStream *stream, void **array, size_t count, size_t each, size_t size)
{
    if (stream->writes)
        return status_ok();
    if (count > (stream->size - stream->used) / each)
        return bad_input("%s: cannot be read: the reading process sent too little data", stream->path);
    *array = memory_table(count, 1, size);
    ALLOCATED(*array, "a scene");
    return status_ok();
}

static Status array_pass(SceneStream *stream, void **array, size_t count, size_t size)
{
    STATUS_TRY(array_allocate(stream, array, count, size, size));
    return bytes_pass(stream, *array, count * size);
}

static Status text_pass(SceneStream *stream, char **text)
{
    int size = stream->writes ? (int)strlen(*text) + 1 : 0;
    STATUS_TRY(count_pass(stream, &size));
    STATUS_TRY(array_pass(stream, (void **)text, (size_t)size, 1));
    if (size == 0 || (*text)[size - 1] != '\0')
        return bad_input("%s: cannot be read: a name without end", stream->path);
    return status_ok();
}

#define PASS(value) STATUS_TRY(bytes_pass(stream, &(value), sizeof(value)))
#define PASS_ARRAY(array, count)                                                                             \
    STATUS_TRY(array_pass(stream, (void **)&(array), (size_t)(count), sizeof *(array)))
/* Passes the number of structs in a list, each of which begins with a count or number. */
#define PASS_LIST(list, count)                                                                               \
    do {                                                                                                     \
        int count_ = (count);                                                                                \
        STATUS_TRY(count_pass(stream, &count_));                                                             \
        STATUS_TRY(array_allocate(stream, (void **)&(list), (size_t)count_, sizeof(int), sizeof *(list)));   \
        (count) = count_;                                                                                    \
    } while (0)

static Status mesh_pass(SceneStream *stream, SceneMesh *mesh)
{
    STATUS_TRY(text_pass(stream, &mesh->name));
    int *const counts[] = {&mesh->vertex_count, &mesh->triangle_count, &mesh->influence_count,
                           &mesh->target_count};
    for (int i = 0; i < 4; i++)
        STATUS_TRY(count_pass(stream, counts[i]));
    const size_t vertices = (size_t)mesh->vertex_count, slots = vertices * (size_t)mesh->influence_count;
    PASS_ARRAY(mesh->positions, 3 * vertices);
    PASS_ARRAY(mesh->triangles, 3 * (size_t)mesh->triangle_count);
    PASS_ARRAY(mesh->weight_joints, slots);
    PASS_ARRAY(mesh->weight_values, slots);
    PASS_ARRAY(mesh->targets, 3 * vertices * (size_t)mesh->target_count);
    return status_ok();
}

static Status channel_pass(SceneStream *stream, SceneChannel *channel)
{
    int path = (int)channel->path;
    PASS(channel->node);
    STATUS_TRY(count_pass(stream, &path));
    STATUS_TRY(count_pass(stream, &channel->key_count));
    STATUS_TRY(count_pass(stream, &channel->width));
    PASS_ARRAY(channel->times, channel->key_count);
    PASS_ARRAY(channel->values, (size_t)channel->key_count * (size_t)channel->width);
    channel->path = (ScenePath)int_min(path, SCENE_WEIGHTS);
    channel->interpolation = SCENE_LINEAR;
    return status_ok();
}

static Status scene_pass(SceneStream *stream, Scene *scene, AssimpFacts *facts)
{
    PASS(facts->dropped);
    PASS(facts->curves);
    PASS_LIST(scene->nodes, scene->node_count);
    for (int i = 0; i < scene->node_count; i++) {
        SceneNode *node = &scene->nodes[i];
        STATUS_TRY(text_pass(stream, &node->name));
        PASS(node->parent);
        PASS(node->matrix);
        node->has_matrix = true;
    }
    PASS_LIST(scene->meshes, scene->mesh_count);
    for (int i = 0; i < scene->mesh_count; i++)
        STATUS_TRY(mesh_pass(stream, &scene->meshes[i]));
    PASS_LIST(scene->skins, scene->skin_count);
    for (int i = 0; i < scene->skin_count; i++) {
        SceneSkin *skin = &scene->skins[i];
        STATUS_TRY(text_pass(stream, &skin->name));
        STATUS_TRY(count_pass(stream, &skin->joint_count));
        PASS_ARRAY(skin->joints, skin->joint_count);
        PASS_ARRAY(skin->inverse_binds, skin->joint_count);
    }
    PASS_LIST(scene->instances, scene->instance_count);
    for (int i = 0; i < scene->instance_count; i++) {
        SceneInstance *instance = &scene->instances[i];
        PASS(instance->node);
        PASS(instance->mesh);
        PASS(instance->skin);
        if (instance->mesh < 0 || instance->mesh >= scene->mesh_count)
            return bad_input("%s: a node refers to a mesh that does not exist", scene->path);
        PASS_ARRAY(instance->target_weights, scene->meshes[instance->mesh].target_count);
    }
    PASS_LIST(scene->clips, scene->clip_count);
    for (int i = 0; i < scene->clip_count; i++) {
        SceneClip *clip = &scene->clips[i];
        STATUS_TRY(text_pass(stream, &clip->name));
        PASS_LIST(clip->channels, clip->channel_count);
        for (int c = 0; c < clip->channel_count; c++)
            STATUS_TRY(channel_pass(stream, &clip->channels[c]));
    }
    return status_ok();
}

/* ---- in the confined process ---- */

typedef struct AssimpShared {
    size_t first; /* offset of the requested bytes in the stream */
    size_t whole_bytes, piece_bytes;
    _Alignas(64) unsigned char piece[PIECE_BYTES];
} AssimpShared;

typedef struct AssimpTask {
    Scene scene;
    double size_bytes;  /* size of the file */
    SceneStream stream; /* empty until the file is read */
} AssimpTask;

static Status assimp_answer(void *context, void *memory)
{
    AssimpTask *task = context;
    AssimpShared *shared = memory;
    SceneStream *stream = &task->stream;
    if (stream->size == 0) {
        AssimpFacts facts = {0};
        void *file = mmap(NULL, (size_t)task->size_bytes, PROT_READ, MAP_PRIVATE, CONFINED_FILE, 0);
        if (file == MAP_FAILED)
            return status_make(STATUS_SYSTEM, "%s: cannot be mapped", stream->path);
        STATUS_TRY(assimp_scene_make(file, (size_t)task->size_bytes, &task->scene, &facts));
        STATUS_TRY(scene_pass(stream, &task->scene, &facts));
    }
    const size_t first = size_min(shared->first, stream->size);
    shared->piece_bytes = size_min(stream->size - first, PIECE_BYTES);
    shared->whole_bytes = stream->size;
    memcpy(shared->piece, stream->bytes + first, shared->piece_bytes);
    return status_ok();
}

/* ---- in the calling process ---- */

/* Fetches the whole stream from the confined process. */
static Status stream_fetch(Confined *confined, const Progress *progress, double bytes_max, SceneStream *out)
{
    char place[STATUS_TEXT_BYTES];
    AssimpShared *shared = confined_shared(confined);
    snprintf(place, sizeof place, "%s: ", out->path);
    for (size_t done = 0; done == 0 || done < out->size;) {
        shared->first = done;
        STATUS_TRY(confined_ask(confined, place, progress));
        const size_t piece = shared->piece_bytes;
        if (done == 0) {
            out->size = shared->whole_bytes;
            if ((double)out->size > bytes_max)
                return bad_input("%s: holds %.0f MB of meshes, more than a file of this size should; "
                                 "use --memory-limit SIZE to allow it",
                                 out->path, (double)out->size / (1 << 20));
            ALLOCATE(out->bytes, out->size, out->path);
        }
        if (piece == 0 || piece > PIECE_BYTES || piece > out->size - done)
            return bad_input("%s: cannot be read", out->path);
        memcpy(out->bytes + done, shared->piece, piece);
        done += piece;
    }
    return status_ok();
}

/* assimp gives every corner of a polygon its own vertex. Vertices of a mesh are welded again if their
 * positions, influences and morph targets are equal bit by bit. Polygons become triangles, and each pair of
 * a node and a material becomes one mesh. Keys are interpolated linearly, as assimp delivers them. */
Status assimp_read(const ImportOptions *options, Scene *out)
{
    /* These limits stop a process that reads less than 1 MB/s. assimp needs up to a hundred bytes of memory
     * for each byte of the file. */
    const double MEMORY_BYTES = 1e9, MEMORY_PER_BYTE = 200.0, PROCESSOR_S = 10.0, BYTES_PER_S = 1e6;
    const char *path = options->inputs[0];
    CLEANUP(descriptor_close) int file = -1;
    OWNED_BY(confined_end) Confined *confined = NULL;
    CLEANUP(stream_clear) SceneStream stream = {.path = path};
    AssimpTask reading = {.stream = {.path = path, .writes = true}};
    AssimpFacts facts = {0};
    *out = (Scene){.path = path, .clips_place = "clips"};
    STATUS_TRY(input_file_open(path, &file, &reading.size_bytes));
    if (reading.size_bytes < 1.0 || reading.size_bytes > INT32_MAX)
        return bad_input("%s: has %.0f bytes, expected 1 to %d", path, reading.size_bytes, INT32_MAX);
    out->memory_bytes = input_contents_limit(reading.size_bytes);
    reading.scene = *out;
    const ConfinedTask task = {.file = file,
                               .shared_bytes = sizeof(AssimpShared),
                               .answer = assimp_answer,
                               .context = &reading,
                               .memory_of_file = true,
                               .memory_bytes = (size_t)(MEMORY_BYTES + MEMORY_PER_BYTE * reading.size_bytes),
                               .processor_s = PROCESSOR_S + reading.size_bytes / BYTES_PER_S};
    STATUS_TRY(status_in(path, confined_start(&task, &confined)));
    STATUS_TRY(stream_fetch(confined, options->progress, out->memory_bytes, &stream));
    STATUS_TRY(scene_pass(&stream, out, &facts));
    format_note(options->notes, "y is up, lengths are in metres (assimp rotates and scales the scene by the "
                                "file's up_axis and unit)");
    if (facts.curves)
        format_note(options->notes,
                    "keys of the file have other curves (STEP, BEZIER, ...), but assimp interpolates all "
                    "linearly: frames between keys may differ");
    long long corners = 0;
    for (int i = 0; i < out->mesh_count; i++)
        corners += out->meshes[i].vertex_count;
    return scene_weld(out, options->notes, corners, facts.dropped);
}
