/* The shared object skinbench_draco: unpacks meshes of KHR_draco_mesh_compression with Draco's decoder.
 * Runs in the confined process that gltf_draco.c starts. Compiled only if libdraco-dev and a C++ compiler
 * are installed. */
#include "datasets/formats/gltf_draco_plugin.h"

#include <cstdio>
#include <cstring>
#include <draco/compression/decode.h>
#include <new>

extern "C" __attribute__((visibility("default"))) DracoUnpack skinbench_draco_unpack;

namespace
{

char reason[256];

template <typename... Values> const char *refuse(const char *format, Values... values)
{
    std::snprintf(reason, sizeof reason, format, values...);
    return reason;
}

/* Converts an attribute to numbers of one type. Normalised integers stay integers. */
template <typename Number>
bool attribute_store(const draco::PointAttribute &from, const DracoMesh &mesh, const DracoAttribute &to,
                     unsigned char *out)
{
    Number values[4];
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        const draco::AttributeValueIndex index = from.mapped_index(draco::PointIndex(v));
        if (index.value() >= from.size() ||
            !from.ConvertValue<Number>(index, static_cast<int8_t>(to.width), values))
            return false;
        std::memcpy(out + to.offset + v * to.stride, values, static_cast<size_t>(to.width) * sizeof(Number));
    }
    return true;
}

bool attribute_store(const draco::PointAttribute &from, const DracoMesh &mesh, const DracoAttribute &to,
                     unsigned char *out)
{
    switch (to.component) {
    case 5120:
        return attribute_store<int8_t>(from, mesh, to, out);
    case 5121:
        return attribute_store<uint8_t>(from, mesh, to, out);
    case 5122:
        return attribute_store<int16_t>(from, mesh, to, out);
    case 5123:
        return attribute_store<uint16_t>(from, mesh, to, out);
    case 5125:
        return attribute_store<uint32_t>(from, mesh, to, out);
    case 5126:
        return attribute_store<float>(from, mesh, to, out);
    default:
        return false;
    }
}

const char *unpack(const DracoMesh &mesh, unsigned char *out)
{
    draco::DecoderBuffer buffer;
    draco::Decoder decoder;
    buffer.Init(reinterpret_cast<const char *>(mesh.bytes), mesh.size);
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok())
        return refuse("is damaged: %.200s", decoded.status().error_msg());
    const draco::Mesh &found = *decoded.value();
    if (found.num_points() != mesh.vertex_count || found.num_faces() != mesh.triangle_count)
        return refuse("unpacks to %u vertices and %u triangles, its accessors have %u and %u",
                      found.num_points(), found.num_faces(), mesh.vertex_count, mesh.triangle_count);
    for (uint32_t t = 0; t < mesh.triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t corner = found.face(draco::FaceIndex(t))[k].value();
            std::memcpy(out + 4 * (3 * static_cast<size_t>(t) + k), &corner, 4);
        }
    for (int i = 0; i < mesh.attribute_count; i++) {
        const DracoAttribute &to = mesh.attributes[i];
        const draco::PointAttribute *from = found.GetAttributeByUniqueId(to.id);
        if (!from || from->num_components() != to.width || !attribute_store(*from, mesh, to, out))
            return refuse("has no attribute with the unique id %u, %d numbers a vertex", to.id, to.width);
    }
    return nullptr;
}

} // namespace

const char *skinbench_draco_unpack(const DracoMesh *mesh, unsigned char *out)
{
    try {
        return unpack(*mesh, out);
    } catch (const std::bad_alloc &) {
        return "takes more memory to unpack than its size allows";
    } catch (...) {
        return "is damaged";
    }
}
