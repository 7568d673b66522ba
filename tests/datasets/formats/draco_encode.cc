#include "tests/datasets/formats/draco_encode.h"

#include <cstring>
#include <draco/compression/encode.h>

namespace
{

/* Adds an attribute of one value for each vertex. */
void attribute_add(draco::Mesh *mesh, draco::GeometryAttribute::Type kind, draco::DataType type, int8_t width,
                   uint32_t id, const void *values)
{
    const size_t bytes = static_cast<size_t>(draco::DataTypeLength(type)) * static_cast<size_t>(width);
    draco::GeometryAttribute attribute;
    attribute.Init(kind, nullptr, width, type, false, static_cast<int64_t>(bytes), 0);
    const int number = mesh->AddAttribute(attribute, true, mesh->num_points());
    for (uint32_t v = 0; v < mesh->num_points(); v++)
        mesh->attribute(number)->SetAttributeValue(draco::AttributeValueIndex(v),
                                                   static_cast<const char *>(values) + bytes * v);
    mesh->attribute(number)->set_unique_id(id);
}

} // namespace

size_t draco_encode(int vertices, const float *positions, const uint16_t *joints, const float *weights,
                    int triangles, const int32_t *corners, int sequential, unsigned char *out, size_t size)
{
    draco::Mesh mesh;
    draco::EncoderBuffer buffer;
    draco::Encoder encoder;
    mesh.set_num_points(static_cast<uint32_t>(vertices));
    attribute_add(&mesh, draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 3, 7, positions);
    if (weights) {
        attribute_add(&mesh, draco::GeometryAttribute::GENERIC, draco::DT_UINT16, 4, 3, joints);
        attribute_add(&mesh, draco::GeometryAttribute::GENERIC, draco::DT_FLOAT32, 4, 5, weights);
    }
    for (int t = 0; t < triangles; t++) {
        draco::Mesh::Face face;
        for (int k = 0; k < 3; k++)
            face[static_cast<size_t>(k)] = draco::PointIndex(static_cast<uint32_t>(corners[3 * t + k]));
        mesh.AddFace(face);
    }
    encoder.SetEncodingMethod(sequential ? draco::MESH_SEQUENTIAL_ENCODING
                                         : draco::MESH_EDGEBREAKER_ENCODING);
    if (!encoder.EncodeMeshToBuffer(mesh, &buffer).ok() || buffer.size() > size)
        return 0;
    std::memcpy(out, buffer.data(), buffer.size());
    return buffer.size();
}
