/* Unpacks buffer views of EXT_meshopt_compression with meshoptimizer's decoders, after checking every
 * size. */
#include "datasets/formats/gltf_meshopt.h"

#ifdef SKINBENCH_MESHOPT
#include <meshoptimizer.h>
#endif

static const char NAME[] = "EXT_meshopt_compression";

#ifdef SKINBENCH_MESHOPT

const bool gltf_meshopt_built = true;

/* A compressed view: `count` elements of `stride` bytes, stored in part of a buffer. */
typedef struct PackedView {
    int64_t buffer, offset, length, stride, count;
    const char *mode, *filter;
} PackedView;

static Status packed_view_read(const GltfFile *file, const json_t *object, const char *place, int buffers,
                               PackedView *out)
{
    /* meshoptimizer packs 256 bytes of vertex data into at least four bytes, so a view is at most 64 times
     * larger than its packed data */
    enum { STRIDE_MAX = 256, PACKED_RATIO = 64, HEADER_BYTES = 1024 };
    static const int64_t MOST = (int64_t)1 << 40;
    STATUS_TRY(gltf_integer(file, object, place, "buffer", GLTF_NEEDED, buffers - 1, &out->buffer));
    STATUS_TRY(gltf_integer(file, object, place, "byteOffset", 0, MOST, &out->offset));
    STATUS_TRY(gltf_integer(file, object, place, "byteLength", GLTF_NEEDED, MOST, &out->length));
    STATUS_TRY(gltf_integer(file, object, place, "byteStride", GLTF_NEEDED, STRIDE_MAX, &out->stride));
    STATUS_TRY(gltf_integer(file, object, place, "count", GLTF_NEEDED, MOST, &out->count));
    out->mode = gltf_text(object, "mode");
    out->filter = gltf_text(object, "filter");
    out->filter = out->filter ? out->filter : "NONE";
    if (out->offset + out->length > (int64_t)file->buffers[out->buffer].size)
        return gltf_failure(file, place, "ends at byte %lld of a buffer of %zu bytes",
                            (long long)(out->offset + out->length), file->buffers[out->buffer].size);
    if (out->count * out->stride > PACKED_RATIO * out->length + HEADER_BYTES)
        return gltf_failure(file, place, "unpacks to %lld elements, more than its %lld bytes can hold",
                            (long long)out->count, (long long)out->length);
    return status_ok();
}

/* Calls the decoder. First checks the conditions that the decoder asserts. */
static Status view_unpack(const GltfFile *file, const PackedView *view, const char *place, unsigned char *out)
{
    const GltfBuffer *from = NULL;
    STATUS_TRY(gltf_buffer_read(file, view->buffer, place, &from));
    const unsigned char *bytes = from->bytes + view->offset;
    const size_t count = (size_t)view->count, stride = (size_t)view->stride, size = (size_t)view->length;
    const bool attributes = view->mode && strcmp(view->mode, "ATTRIBUTES") == 0,
               triangles = view->mode && strcmp(view->mode, "TRIANGLES") == 0 && count % 3 == 0,
               indices = view->mode && strcmp(view->mode, "INDICES") == 0;
    const bool none = strcmp(view->filter, "NONE") == 0, octahedral = strcmp(view->filter, "OCTAHEDRAL") == 0,
               rotations = strcmp(view->filter, "QUATERNION") == 0,
               exponents = strcmp(view->filter, "EXPONENTIAL") == 0;
    const bool fits = attributes ? stride > 0 && stride % 4 == 0 : (stride == 2 || stride == 4) && none;
    const bool filtered =
        none || exponents || (octahedral && (stride == 4 || stride == 8)) || (rotations && stride == 8);
    if (!(attributes || triangles || indices) || !fits || !filtered)
        return gltf_failure(
            file, place,
            "is packed as %s with the filter %s in %zu elements of %zu bytes, which is not supported",
            view->mode ? view->mode : "nothing", view->filter, count, stride);
    const int failed = attributes  ? meshopt_decodeVertexBuffer(out, count, stride, bytes, size)
                       : triangles ? meshopt_decodeIndexBuffer(out, count, stride, bytes, size)
                                   : meshopt_decodeIndexSequence(out, count, stride, bytes, size);
    if (failed != 0)
        return gltf_failure(file, place, "is damaged: its %zu bytes cannot be unpacked (%s)", size, NAME);
    if (octahedral)
        meshopt_decodeFilterOct(out, count, stride);
    else if (rotations)
        meshopt_decodeFilterQuat(out, count, stride);
    else if (exponents)
        meshopt_decodeFilterExp(out, count, stride);
    return status_ok();
}

Status gltf_meshopt_unpack(GltfFile *file)
{
    json_t *views = json_object_get(file->root, "bufferViews"), *view = NULL;
    const int buffers = file->buffer_count;
    size_t i = 0;
    json_array_foreach(views, i, view)
    {
        const json_t *object = json_object_get(json_object_get(view, "extensions"), NAME);
        const GltfPlace place = gltf_place("bufferViews[%zu]", i);
        PackedView packed;
        if (!json_is_object(object))
            continue;
        STATUS_TRY(packed_view_read(file, object, place.text, buffers, &packed));
        GltfBuffer *buffer = NULL;
        STATUS_TRY(gltf_buffer_append(file, (size_t)(packed.count * packed.stride), &buffer));
        STATUS_TRY(view_unpack(file, &packed, place.text, buffer->owned));
        if (json_object_set_new(view, "buffer", json_integer(file->buffer_count - 1)) != 0 ||
            json_object_set_new(view, "byteOffset", json_integer(0)) != 0)
            return status_out_of_memory(file->path);
    }
    return status_ok();
}

#else

const bool gltf_meshopt_built = false;

Status gltf_meshopt_unpack(GltfFile *file)
{
    for (int i = 0; i < file->buffer_count; i++)
        if (file->buffers[i].size == 0)
            return status_make(STATUS_UNAVAILABLE,
                               "%s: is compressed by %s, which this skinbench cannot read: build it with "
                               "libmeshoptimizer-dev, or export the file without compression",
                               file->path, NAME);
    return status_ok();
}

#endif
