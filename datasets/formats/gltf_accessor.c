/* Reads accessors. Every offset is checked against the size of its buffer. */
#include "datasets/formats/gltf_accessor.h"

#include "datasets/formats/number_bytes.h"
#include "datasets/model/validate.h"

/* The component types (section 3.6.2.2 of the glTF 2.0 specification), and the divisors of normalised
 * integers (section 3.11). */
static const struct {
    int component;
    NumberType type;
    double max;
} component_types[] = {{5120, NUMBER_INT8, 127.0},    {5121, NUMBER_UINT8, 255.0},
                       {5122, NUMBER_INT16, 32767.0}, {5123, NUMBER_UINT16, 65535.0},
                       {5125, NUMBER_UINT32, 1.0},    {5126, NUMBER_FLOAT32, 1.0}};
enum { COMPONENT_TYPES = sizeof component_types / sizeof *component_types };

static bool component_unsigned(int kind)
{
    const NumberType type = component_types[kind].type;
    return type == NUMBER_UINT8 || type == NUMBER_UINT16 || type == NUMBER_UINT32;
}

static size_t component_bytes(int kind)
{
    return number_bytes(component_types[kind].type);
}

/* Reads a component type. Refuses an unknown type and, if `integers` is set, any type but unsigned
 * integers. */
static Status component_read(const GltfFile *file, const json_t *object, const char *place, bool integers,
                             int *kind)
{
    int64_t component = 0;
    *kind = 0;
    STATUS_TRY(gltf_integer(file, object, place, "componentType", GLTF_NEEDED, INT_MAX, &component));
    while (*kind < COMPONENT_TYPES && component_types[*kind].component != component)
        ++*kind;
    if (*kind == COMPONENT_TYPES || (integers && !component_unsigned(*kind)))
        return gltf_failure(file, place, "has the componentType %lld, expected %s", (long long)component,
                            integers ? "5121, 5123 or 5125 (unsigned integers)"
                                     : "5120 to 5123, 5125 or 5126");
    return status_ok();
}

static int type_width(const char *type)
{
    static const struct {
        const char *name;
        int width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type && i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].width;
    return 0;
}

/* Finds elements in a buffer view: `count` elements of `element` bytes each, beginning at `offset`. Returns
 * the first byte and the stride. */
static Status view_open(const GltfFile *file, int64_t index, const char *place, int64_t offset, int64_t count,
                        size_t element, const unsigned char **bytes, size_t *stride)
{
    const int64_t STRIDE_MAX = 252;
    json_t *view = NULL;
    GltfRange range;
    int64_t given_stride = 0;
    const GltfPlace view_place = gltf_place("bufferViews[%lld]", (long long)index);
    STATUS_TRY(gltf_element(file, "bufferViews", index, place, &view));
    STATUS_TRY(gltf_range_read(file, view, view_place.text, &range));
    STATUS_TRY(gltf_integer(file, view, view_place.text, "byteStride", 0, STRIDE_MAX, &given_stride));
    *stride = given_stride > 0 ? (size_t)given_stride : element;
    if (*stride < element)
        STATUS_TRY(gltf_failure(file, view_place.text,
                                "has the byteStride %zu, but elements of %s have %zu bytes", *stride, place,
                                element));
    const int64_t end = count > 0 ? offset + (count - 1) * (int64_t)*stride + (int64_t)element : offset;
    if (end > range.length)
        STATUS_TRY(gltf_failure(file, place, "has %lld elements up to byte %lld of %s, which has %lld bytes",
                                (long long)count, (long long)end, view_place.text, (long long)range.length));
    *bytes = range.bytes ? range.bytes + offset : NULL;
    return status_ok();
}

Status gltf_accessor_open(const GltfFile *file, int64_t index, const char *used_by, int width, int64_t count,
                          GltfAccessor *out)
{
    json_t *object = NULL;
    int64_t view = -1, offset = 0;
    *out = (GltfAccessor){.place = gltf_place("accessors[%lld]", (long long)index), .width = width};
    const char *place = out->place.text;
    STATUS_TRY(gltf_element(file, "accessors", index, used_by, &object));
    STATUS_TRY(gltf_integer(file, object, place, "count", GLTF_NEEDED, INT_MAX / 4, &out->count));
    STATUS_TRY(component_read(file, object, place, false, &out->component));
    STATUS_TRY(gltf_integer(file, object, place, "bufferView", -1, INT_MAX, &view));
    STATUS_TRY(gltf_integer(file, object, place, "byteOffset", 0, GLTF_BYTES_MAX, &offset));
    const char *type = gltf_text(object, "type");
    const size_t element = component_bytes(out->component) * (size_t)width;
    if (type_width(type) != width)
        STATUS_TRY(gltf_failure(file, place, "has the type %s, but %s needs %d numbers per element",
                                type ? type : "none", used_by, width));
    if (count >= 0 && out->count != count)
        STATUS_TRY(gltf_failure(file, place, "has %lld elements, but %s needs %lld", (long long)out->count,
                                used_by, (long long)count));
    if (view < 0 && count < 0 && (double)out->count > file->total_bytes)
        STATUS_TRY(gltf_failure(file, place, "has %lld elements and no bufferView, in a file of %.0f bytes",
                                (long long)out->count, file->total_bytes));
    out->normalized = json_is_true(json_object_get(object, "normalized"));
    if (view >= 0)
        STATUS_TRY(view_open(file, view, place, offset, out->count, element, &out->bytes, &out->stride));
    const json_t *sparse = json_object_get(object, "sparse");
    if (sparse) {
        const json_t *indices = json_object_get(sparse, "indices"),
                     *values = json_object_get(sparse, "values");
        size_t stride = 0;
        STATUS_TRY(gltf_integer(file, sparse, place, "count", GLTF_NEEDED, out->count, &out->sparse_count));
        STATUS_TRY(gltf_integer(file, indices, place, "bufferView", GLTF_NEEDED, INT_MAX, &view));
        STATUS_TRY(gltf_integer(file, indices, place, "byteOffset", 0, GLTF_BYTES_MAX, &offset));
        STATUS_TRY(component_read(file, indices, place, true, &out->sparse_component));
        STATUS_TRY(view_open(file, view, place, offset, out->sparse_count,
                             component_bytes(out->sparse_component), &out->sparse_indices, &stride));
        STATUS_TRY(gltf_integer(file, values, place, "bufferView", GLTF_NEEDED, INT_MAX, &view));
        STATUS_TRY(gltf_integer(file, values, place, "byteOffset", 0, GLTF_BYTES_MAX, &offset));
        STATUS_TRY(
            view_open(file, view, place, offset, out->sparse_count, element, &out->sparse_values, &stride));
    }
    return status_ok();
}

/* Converts `count` elements, `stride` bytes apart, to float values. */
static void elements_load(const GltfAccessor *accessor, const unsigned char *bytes, size_t stride,
                          int64_t count, float *values)
{
    const NumberType type = component_types[accessor->component].type;
    const size_t width = (size_t)accessor->width, size = number_bytes(type);
    const double max = accessor->normalized ? component_types[accessor->component].max : 1.0;
    if (stride == width * size && max == 1.0) {
        numbers_load(bytes, type, false, (size_t)count * width, values);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        for (size_t k = 0; k < width; k++) {
            const double value = number_load(bytes + (size_t)i * stride + k * size, type, false) / max;
            values[(size_t)i * width + k] = (float)(max > 1.0 ? fmax(value, -1.0) : value);
        }
}

/* Reads an unsigned integer. Returns -1 if it exceeds INT32_MAX. */
static int32_t integer_load(const unsigned char *bytes, NumberType type)
{
    const double value = number_load(bytes, type, false);
    return value <= INT32_MAX ? (int32_t)value : -1;
}

/* Returns the number of the element that sparse value k replaces, or -1 if that number is out of range. */
static int64_t sparse_index(const GltfAccessor *accessor, int64_t k)
{
    const NumberType type = component_types[accessor->sparse_component].type;
    const int32_t index = integer_load(accessor->sparse_indices + (size_t)k * number_bytes(type), type);
    return index < accessor->count ? index : -1;
}

static Status sparse_failure(const GltfFile *file, const GltfAccessor *accessor, int64_t k)
{
    return gltf_failure(file, accessor->place.text, "has the sparse index %lld beyond its %lld elements",
                        (long long)k, (long long)accessor->count);
}

Status gltf_accessor_floats(const GltfFile *file, const GltfAccessor *accessor, float *values)
{
    const size_t width = (size_t)accessor->width, element = width * component_bytes(accessor->component);
    if (accessor->bytes)
        elements_load(accessor, accessor->bytes, accessor->stride, accessor->count, values);
    else
        memset(values, 0, (size_t)accessor->count * width * sizeof *values);
    for (int64_t s = 0; s < accessor->sparse_count; s++) {
        const int64_t index = sparse_index(accessor, s);
        if (index < 0)
            return sparse_failure(file, accessor, s);
        elements_load(accessor, accessor->sparse_values + (size_t)s * element, element, 1,
                      values + (size_t)index * width);
    }
    const int64_t bad = float_not_finite(values, accessor->count * accessor->width);
    return bad < 0 ? status_ok()
                   : gltf_failure(file, accessor->place.text,
                                  "has the number %g in element %lld, expected a finite number",
                                  (double)values[bad], (long long)bad / accessor->width);
}

Status gltf_accessor_integers(const GltfFile *file, const GltfAccessor *accessor, int32_t *values)
{
    const size_t width = (size_t)accessor->width, size = component_bytes(accessor->component);
    const NumberType type = component_types[accessor->component].type;
    if (!component_unsigned(accessor->component))
        return gltf_failure(file, accessor->place.text,
                            "has the componentType %d, expected unsigned integers",
                            component_types[accessor->component].component);
    if (!accessor->bytes)
        memset(values, 0, (size_t)accessor->count * width * sizeof *values);
    for (int64_t i = 0; accessor->bytes && i < accessor->count; i++)
        for (size_t k = 0; k < width; k++)
            values[(size_t)i * width + k] =
                integer_load(accessor->bytes + (size_t)i * accessor->stride + k * size, type);
    for (int64_t s = 0; s < accessor->sparse_count; s++) {
        const int64_t index = sparse_index(accessor, s);
        if (index < 0)
            return sparse_failure(file, accessor, s);
        for (size_t k = 0; k < width; k++)
            values[(size_t)index * width + k] =
                integer_load(accessor->sparse_values + ((size_t)s * width + k) * size, type);
    }
    return status_ok();
}
