/* Reads the meshes of a glTF file by concatenating their primitives. Section numbers are those of the glTF
 * 2.0 specification. */
#include "datasets/formats/gltf_mesh.h"

#include "datasets/base/parameters.h"
#include "datasets/formats/gltf_accessor.h"
#include "datasets/io/store.h"

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

enum { MODE_TRIANGLES = GLTF_TRIANGLES, MODE_STRIP, MODE_FAN, SETS_MAX = 64 };

/* Whether a member has equal values in two objects, or is missing in both. */
static bool same_member(const json_t *a, const json_t *b, const char *name)
{
    const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);
    return x == y || json_equal(x, y);
}

/* Whether two primitives use the same accessors for all vertex attributes that are read. */
static bool same_vertices(const GltfPrimitive *a, const GltfPrimitive *b)
{
    bool same = a->set_count == b->set_count && a->target_count == b->target_count &&
                same_member(a->attributes, b->attributes, "POSITION");
    for (int set = 0; set < a->set_count && same; set++)
        same = same_member(a->attributes, b->attributes, gltf_place("JOINTS_%d", set).text) &&
               same_member(a->attributes, b->attributes, gltf_place("WEIGHTS_%d", set).text);
    for (size_t t = 0; t < (size_t)a->target_count && same; t++)
        same = same_member(json_array_get(json_object_get(a->object, "targets"), t),
                           json_array_get(json_object_get(b->object, "targets"), t), "POSITION");
    return same;
}

static Status primitive_open(GltfReading *reading, const char *mesh_place, int number, json_t *object,
                             const GltfPrimitive *primitives, GltfPrimitive *out)
{
    const GltfFile *file = &reading->file;
    GltfAccessor accessor;
    json_t *targets = NULL;
    int64_t mode = 0, position = 0;
    *out = (GltfPrimitive){.place = gltf_place("%s.primitives[%d]", mesh_place, number),
                           .object = object,
                           .twin = -1,
                           .attributes = json_object_get(object, "attributes")};
    const char *place = out->place.text;
    STATUS_TRY(gltf_integer(file, object, place, "mode", MODE_TRIANGLES, MODE_FAN, &mode));
    out->mode = (int)mode;
    if (mode < MODE_TRIANGLES) {
        format_note(reading->notes, "%s is dropped: it has %s instead of triangles", place,
                    mode == 0 ? "points" : "lines");
        return status_ok();
    }
    STATUS_TRY(gltf_integer(file, out->attributes, place, "POSITION", GLTF_NEEDED, INT_MAX, &position));
    STATUS_TRY(gltf_integer(file, object, place, "indices", -1, INT_MAX, &out->indices));
    STATUS_TRY(gltf_array(file, object, place, "targets", &targets, &out->target_count));
    STATUS_TRY(gltf_accessor_open(file, position, place, 3, -1, &accessor));
    out->vertex_count = out->corner_count = (int)accessor.count;
    while (out->set_count < SETS_MAX &&
           json_object_get(out->attributes, gltf_place("WEIGHTS_%d", out->set_count).text))
        out->set_count++;
    if (out->indices >= 0) {
        STATUS_TRY(gltf_accessor_open(file, out->indices, place, 1, -1, &accessor));
        out->corner_count = (int)accessor.count;
    }
    if (mode == MODE_TRIANGLES && out->corner_count % 3 != 0)
        STATUS_TRY(gltf_failure(file, place, "has %d corners of triangles, expected a multiple of 3",
                                out->corner_count));
    out->triangle_count = mode == MODE_TRIANGLES ? out->corner_count / 3 : int_max(out->corner_count - 2, 0);
    for (int i = 0; i < number && out->twin < 0; i++)
        if (primitives[i].mode >= MODE_TRIANGLES && primitives[i].twin < 0 &&
            same_vertices(&primitives[i], out))
            out->twin = i;
    return status_ok();
}

/* Returns corner k of triangle t as an index into the corners of a primitive. In strips, every second
 * triangle is reversed (section 3.7.2.1 of the glTF specification). */
static int corner_of(int mode, int t, int k)
{
    if (mode == MODE_TRIANGLES)
        return 3 * t + k;
    if (mode == MODE_FAN)
        return k == 2 ? 0 : t + 1 + k;
    return k == 0 ? t : t + (t % 2 == 0 ? k : 3 - k);
}

static Status gltf_attribute_open(const GltfFile *file, const GltfPrimitive *primitive, const char *name,
                                  int width, GltfAccessor *accessor)
{
    int64_t index = 0;
    STATUS_TRY(
        gltf_integer(file, primitive->attributes, primitive->place.text, name, GLTF_NEEDED, INT_MAX, &index));
    return gltf_accessor_open(file, index, gltf_place("%s %s", primitive->place.text, name).text, width,
                              primitive->vertex_count, accessor);
}

static Status primitive_read(const GltfFile *file, const GltfPrimitive *primitive, SceneMesh *mesh)
{
    GltfAccessor accessor;
    /* triangles */
    LOCAL_ARRAY(int32_t, corners, primitive->corner_count, "the indices of a mesh");
    for (int i = 0; i < primitive->corner_count; i++)
        corners[i] = i;
    if (primitive->indices >= 0) {
        STATUS_TRY(gltf_accessor_open(file, primitive->indices, primitive->place.text, 1,
                                      primitive->corner_count, &accessor));
        STATUS_TRY(gltf_accessor_integers(file, &accessor, corners));
    }
    for (int i = 0; i < primitive->corner_count; i++) {
        if (primitive->vertex_count == 0)
            STATUS_TRY(gltf_failure(file, primitive->place.text, "has indices, but no vertices"));
        if ((uint32_t)corners[i] >= (uint32_t)primitive->vertex_count)
            STATUS_TRY(gltf_failure(file, primitive->place.text, "has the index %u at %d, expected 0 to %d",
                                    (uint32_t)corners[i], i, primitive->vertex_count - 1));
        corners[i] += primitive->first_vertex;
    }
    int32_t *triangles = mesh->triangles + 3 * (ptrdiff_t)primitive->first_triangle;
    for (int t = 0; t < primitive->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            triangles[3 * (ptrdiff_t)t + k] = corners[corner_of(primitive->mode, t, k)];
    if (primitive->twin >= 0)
        return status_ok();
    STATUS_TRY(gltf_attribute_open(file, primitive, "POSITION", 3, &accessor));
    STATUS_TRY(
        gltf_accessor_floats(file, &accessor, mesh->positions + 3 * (ptrdiff_t)primitive->first_vertex));
    /* JOINTS_n and WEIGHTS_n fill slots 4n to 4n + 3 (section 3.7.3.3 of the glTF specification) */
    LOCAL_TABLE(int32_t, joints, primitive->vertex_count, 4, "the weights of a mesh");
    LOCAL_TABLE(float, weights, primitive->vertex_count, 4, "the weights of a mesh");
    for (int set = 0; set < primitive->set_count; set++) {
        STATUS_TRY(gltf_attribute_open(file, primitive, gltf_place("JOINTS_%d", set).text, 4, &accessor));
        STATUS_TRY(gltf_accessor_integers(file, &accessor, joints));
        STATUS_TRY(gltf_attribute_open(file, primitive, gltf_place("WEIGHTS_%d", set).text, 4, &accessor));
        STATUS_TRY(gltf_accessor_floats(file, &accessor, weights));
        for (int v = 0; v < primitive->vertex_count; v++) {
            const size_t slot =
                (size_t)(primitive->first_vertex + v) * (size_t)mesh->influence_count + 4 * (size_t)set;
            memcpy(mesh->weight_joints + slot, joints + 4 * (ptrdiff_t)v, 4 * sizeof *joints);
            memcpy(mesh->weight_values + slot, weights + 4 * (ptrdiff_t)v, 4 * sizeof *weights);
        }
    }
    /* custom scalars (section 3.7.2.1 of the glTF specification): `_NAME` becomes the attribute NAME */
    const char *name = NULL;
    json_t *number = NULL;
    json_object_foreach((json_t *)primitive->attributes, name, number)
    {
        float *values = NULL;
        const json_t *object =
            json_array_get(json_object_get(file->root, "accessors"), (size_t)json_integer_value(number));
        const char *type = gltf_text(object, "type");
        if (name[0] != '_' || !attribute_name_is_sound(name + 1) || !type || strcmp(type, "SCALAR") != 0)
            continue;
        STATUS_TRY(gltf_attribute_open(file, primitive, name, 1, &accessor));
        STATUS_TRY(status_in(primitive->place.text, mesh_attribute_add(&mesh->painted, name + 1, &values)));
        STATUS_TRY(gltf_accessor_floats(file, &accessor, values + primitive->first_vertex));
    }
    /* morph targets */
    const json_t *targets = json_object_get(primitive->object, "targets");
    for (int t = 0; t < primitive->target_count; t++) {
        const GltfPlace place = gltf_place("%s.targets[%d]", primitive->place.text, t);
        int64_t index = -1;
        STATUS_TRY(gltf_integer(file, json_array_get(targets, (size_t)t), place.text, "POSITION", -1, INT_MAX,
                                &index));
        if (index < 0)
            continue;
        float *values =
            mesh->targets + 3 * ((size_t)t * (size_t)mesh->vertex_count + (size_t)primitive->first_vertex);
        STATUS_TRY(gltf_accessor_open(file, index, place.text, 3, primitive->vertex_count, &accessor));
        STATUS_TRY(gltf_accessor_floats(file, &accessor, values));
    }
    return status_ok();
}

Status gltf_primitives_open(GltfReading *reading, int mesh, GltfPrimitive **out, int *count)
{
    const GltfPlace place = gltf_place("meshes[%d]", mesh);
    OWNED GltfPrimitive *primitives = NULL;
    json_t *object = NULL, *list = NULL;
    const GltfPrimitive *before = NULL;
    int64_t vertices = 0, triangles = 0;
    STATUS_TRY(gltf_element(&reading->file, "meshes", mesh, "meshes", &object));
    STATUS_TRY(gltf_array(&reading->file, object, place.text, "primitives", &list, count));
    ALLOCATE(primitives, *count, "a mesh");
    for (int k = 0; k < *count; k++) {
        GltfPrimitive *primitive = &primitives[k];
        STATUS_TRY(
            primitive_open(reading, place.text, k, json_array_get(list, (size_t)k), primitives, primitive));
        if (primitive->mode < MODE_TRIANGLES)
            continue;
        if (before && before->target_count != primitive->target_count)
            return gltf_failure(&reading->file, primitive->place.text,
                                "has %d morph targets, but the previous primitive has %d",
                                primitive->target_count, before->target_count);
        const bool owner = primitive->twin < 0;
        primitive->first_vertex = owner ? (int)vertices : primitives[primitive->twin].first_vertex;
        primitive->first_triangle = (int)triangles;
        vertices += owner ? primitive->vertex_count : 0;
        triangles += primitive->triangle_count;
        if (vertices > STORE_VERTICES_MAX || triangles > STORE_VERTICES_MAX)
            return gltf_failure(&reading->file, place.text, "has more than %d vertices or triangles",
                                STORE_VERTICES_MAX);
        before = primitive;
    }
    *out = TAKE(primitives);
    return status_ok();
}

Status gltf_meshes_read(GltfReading *reading)
{
    Scene *scene = reading->scene;
    json_t *meshes = NULL;
    STATUS_TRY(gltf_array(&reading->file, reading->file.root, "", "meshes", &meshes, &scene->mesh_count));
    ALLOCATE(scene->meshes, scene->mesh_count, "the meshes");
    for (int i = 0; i < scene->mesh_count; i++) {
        SceneMesh *mesh = &scene->meshes[i];
        json_t *object = NULL;
        OWNED GltfPrimitive *primitives = NULL;
        int count = 0;
        double painted = 0.0; /* upper bound of the number of attributes */
        STATUS_TRY(gltf_element(&reading->file, "meshes", i, "meshes", &object));
        STATUS_TRY(gltf_name_copy(object, "mesh", i, &mesh->name));
        STATUS_TRY(gltf_primitives_open(reading, i, &primitives, &count));
        ALLOCATED(primitives, "a mesh");
        for (int p = 0; p < count; p++) {
            if (primitives[p].mode < MODE_TRIANGLES)
                continue;
            mesh->vertex_count += primitives[p].twin < 0 ? primitives[p].vertex_count : 0;
            mesh->triangle_count += primitives[p].triangle_count;
            mesh->target_count = primitives[p].target_count;
            painted = fmin(painted + (double)json_object_size(primitives[p].attributes), MESH_ATTRIBUTES_MAX);
            mesh->influence_count = int_max(mesh->influence_count, 4 * primitives[p].set_count);
        }
        STATUS_TRY(
            gltf_bytes_add(reading,
                           (12.0 + 4.0 * painted + 8.0 * mesh->influence_count + 12.0 * mesh->target_count) *
                                   mesh->vertex_count +
                               12.0 * mesh->triangle_count,
                           gltf_place("meshes[%d]", i).text));
        STATUS_TRY(scene_mesh_allocate(mesh));
        mesh->painted.vertex_count = mesh->vertex_count;
        for (int p = 0; p < count; p++)
            if (primitives[p].mode >= MODE_TRIANGLES)
                STATUS_TRY(primitive_read(&reading->file, &primitives[p], mesh));
    }
    return status_ok();
}
