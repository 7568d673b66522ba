/* Allocates and releases the arrays of meshes, rigs, animations and low-rank models. */
#include "datasets/model/dataset.h"

#include "datasets/base/nearest_name.h"

void mesh_clear(Mesh *mesh)
{
    for (int i = 0; i < mesh->attribute_count; i++)
        memory_free(mesh->attribute_names[i]);
    FREE_ALL(mesh->rest, mesh->triangles, mesh->original_vertices, mesh->attribute_names, mesh->attributes);
    *mesh = (Mesh){0};
}

void rig_clear(Rig *rig)
{
    for (int i = 0; rig->joint_names && i < rig->joint_count; i++)
        memory_free(rig->joint_names[i]);
    FREE_ALL(rig->joint_names, rig->parents, rig->rest, rig->transforms, rig->scale, rig->weight_joints,
             rig->weight_values, rig->centers);
    joint_values_clear(&rig->smoothed);
    *rig = (Rig){0};
}

void animation_clear(Animation *animation)
{
    FREE_ALL(animation->positions, animation->normals);
    *animation = (Animation){0};
}

void low_rank_clear(LowRank *low_rank)
{
    FREE_ALL(low_rank->basis, low_rank->coefficients);
    *low_rank = (LowRank){0};
}

void clips_clear(Clips *clips)
{
    for (int i = 0; clips->names && i < clips->count; i++)
        memory_free(clips->names[i]);
    FREE_ALL(clips->names, clips->first, clips->times_s);
    *clips = (Clips){0};
}

Status mesh_allocate(Mesh *mesh, int vertex_count, int triangle_count)
{
    mesh_clear(mesh);
    if (vertex_count < 0 || triangle_count < 0)
        return bad_input("mesh with %d vertices and %d triangles", vertex_count, triangle_count);
    UNDO_ON_FAILURE(mesh_clear) Mesh *unfinished = mesh;
    ALLOCATE_TABLE(mesh->rest, vertex_count, 3, "the mesh");
    ALLOCATE_TABLE(mesh->triangles, triangle_count, 3, "the mesh");
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    unfinished = NULL;
    return status_ok();
}

/* Returns the values of an attribute, or NULL if the mesh has none of this name. */
static float *attribute_values(const Mesh *mesh, const char *name)
{
    for (int i = 0; i < mesh->attribute_count; i++)
        if (strcmp(mesh->attribute_names[i], name) == 0)
            return mesh->attributes + (ptrdiff_t)i * mesh->vertex_count;
    return NULL;
}

Status mesh_copy(const Mesh *from, Mesh *out)
{
    STATUS_TRY(mesh_allocate(out, from->vertex_count, from->triangle_count));
    if (from->vertex_count > 0)
        memcpy(out->rest, from->rest, 3 * (size_t)from->vertex_count * sizeof *out->rest);
    if (from->triangle_count > 0)
        memcpy(out->triangles, from->triangles, 3 * (size_t)from->triangle_count * sizeof *out->triangles);
    return status_ok();
}

Status mesh_attribute_add(Mesh *mesh, const char *name, float **values)
{
    const size_t count = (size_t)mesh->attribute_count, vertices = (size_t)mesh->vertex_count;
    *values = attribute_values(mesh, name);
    if (*values)
        return status_ok();
    if (mesh->attribute_count == MESH_ATTRIBUTES_MAX)
        return bad_input("the mesh has more than %d attributes", MESH_ATTRIBUTES_MAX);
    LOCAL_TABLE(float, grown, count + 1, vertices, "the attributes of a mesh");
    GROW(mesh->attribute_names, count, "the attributes of a mesh");
    COPY_TEXT(mesh->attribute_names[count], name, "the attributes of a mesh");
    if (count * vertices > 0)
        memcpy(grown, mesh->attributes, count * vertices * sizeof *grown);
    memory_free(mesh->attributes);
    mesh->attributes = TAKE(grown);
    mesh->attribute_count++;
    *values = mesh->attributes + count * vertices;
    return status_ok();
}

Status mesh_attributes_copy(const Mesh *from, Mesh *mesh)
{
    for (int i = 0; i < from->attribute_count; i++) {
        const size_t vertices = (size_t)from->vertex_count;
        float *values = NULL;
        STATUS_TRY(mesh_attribute_add(mesh, from->attribute_names[i], &values));
        if (vertices > 0)
            memcpy(values, from->attributes + (size_t)i * vertices, vertices * sizeof *values);
    }
    return status_ok();
}

Status mesh_attribute_find(const Mesh *mesh, const char *name, const float **values)
{
    char names[256] = "";
    NearestName nearest = {.given = name};
    *values = attribute_values(mesh, name);
    if (*values)
        return status_ok();
    for (int i = 0; i < mesh->attribute_count; i++) {
        text_append(names, sizeof names, "%s%s", i ? ", " : "", mesh->attribute_names[i]);
        nearest_name_add_candidate(&nearest, mesh->attribute_names[i]);
    }
    return nearest_name_suggest(
        &nearest, bad_input("the mesh has no attribute '%s'; it has %s", name, names[0] ? names : "none"));
}

Status rig_allocate(Rig *rig, int vertex_count, int joint_count, int frame_count, int influence_count)
{
    rig_clear(rig);
    if (vertex_count < 0 || joint_count < 0 || frame_count < 0 || influence_count < 0)
        return bad_input("rig with %d vertices, %d joints, %d frames and %d influences", vertex_count,
                         joint_count, frame_count, influence_count);
    UNDO_ON_FAILURE(rig_clear) Rig *unfinished = rig;
    ALLOCATE(rig->joint_names, joint_count, "the rig");
    ALLOCATE(rig->parents, joint_count, "the rig");
    ALLOCATE(rig->rest, joint_count, "the rig");
    ALLOCATE_TABLE(rig->transforms, frame_count, joint_count, "the rig");
    ALLOCATE_TABLE(rig->weight_joints, vertex_count, influence_count, "the rig");
    ALLOCATE_TABLE(rig->weight_values, vertex_count, influence_count, "the rig");
    rig->joint_count = joint_count;
    rig->frame_count = frame_count;
    rig->influence_count = influence_count;
    unfinished = NULL;
    return status_ok();
}

Status animation_allocate(Animation *animation, int frame_count, int vertex_count, int with_normals)
{
    animation_clear(animation);
    if (frame_count < 0 || vertex_count < 0)
        return bad_input("animation with %d frames of %d vertices", frame_count, vertex_count);
    size_t frames = (size_t)frame_count, values = 3 * (size_t)vertex_count;
    animation->positions = memory_table(frames, values, sizeof(float));
    if (with_normals)
        animation->normals = memory_table(frames, values, sizeof(float));
    if (!animation->positions || (with_normals && !animation->normals)) {
        animation_clear(animation);
        return status_out_of_memory("the animation");
    }
    animation->frame_count = frame_count;
    return status_ok();
}

Status clips_allocate(Clips *clips, int clip_count, int frame_count)
{
    clips_clear(clips);
    ALLOCATE(clips->names, clip_count, "the clips");
    ALLOCATE(clips->first, clip_count, "the clips");
    ALLOCATE(clips->times_s, frame_count, "the clips");
    clips->count = clip_count;
    clips->frame_count = frame_count;
    return status_ok();
}

Status clips_copy(const Clips *clips, Clips *out)
{
    STATUS_TRY(clips_allocate(out, clips->count, clips->frame_count));
    for (int i = 0; i < clips->count; i++) {
        out->first[i] = clips->first[i];
        COPY_TEXT(out->names[i], clips->names[i], "the clips");
    }
    if (clips->frame_count > 0)
        memcpy(out->times_s, clips->times_s, (size_t)clips->frame_count * sizeof *out->times_s);
    return status_ok();
}

int clip_frame_count(const Clips *clips, int clip)
{
    return (clip + 1 < clips->count ? clips->first[clip + 1] : clips->frame_count) - clips->first[clip];
}

Status dataset_create(const char *name, const char *title, const char *source, const char *license,
                      Dataset **out)
{
    *out = NULL;
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    ALLOCATE(dataset, 1, "a data set");
    dataset->name = memory_text(name);
    dataset->title = memory_text(title);
    dataset->source = memory_text(source);
    dataset->license = memory_text(license);
    ALLOCATED(dataset->name && dataset->title && dataset->source && dataset->license, "a data set");
    *out = TAKE(dataset);
    return status_ok();
}

void dataset_free(Dataset *dataset)
{
    if (!dataset)
        return;
    FREE_ALL(dataset->name, dataset->title, dataset->source, dataset->license);
    mesh_clear(&dataset->mesh);
    rig_clear(&dataset->rig);
    animation_clear(&dataset->animation);
    low_rank_clear(&dataset->low_rank);
    clips_clear(&dataset->clips);
    memory_free(dataset);
}

Status animation_block(const Animation *animation, int vertex_count, PositionBlock block, float *positions)
{
    if (block.first_frame < 0 || block.frames < 0 ||
        block.frames > animation->frame_count - block.first_frame || block.first_vertex < 0 ||
        block.vertices < 0 || block.vertices > vertex_count - block.first_vertex ||
        (!animation->positions && !animation->source))
        return bad_usage("the requested positions are not in the animation");
    if (!animation->positions)
        return animation->source->read(animation->source->context, block, positions);
    const size_t row = 3 * (size_t)block.vertices;
    for (size_t f = 0; f < (size_t)block.frames; f++)
        memcpy(positions + f * row,
               animation->positions +
                   3 * (((size_t)block.first_frame + f) * (size_t)vertex_count + (size_t)block.first_vertex),
               row * sizeof *positions);
    return status_ok();
}

void joint_values_clear(JointValues *values)
{
    FREE_ALL(values->first, values->joints, values->values);
    *values = (JointValues){0};
}

void rig_weights_replace(Rig *rig, int influences, int32_t *joints, float *values)
{
    FREE_ALL(rig->weight_joints, rig->weight_values, rig->centers);
    joint_values_clear(&rig->smoothed);
    rig->weight_joints = joints;
    rig->weight_values = values;
    rig->influence_count = influences;
    rig->centers = NULL;
}

Status rig_with_weights(const Rig *rig, int vertices, Rig *out)
{
    const size_t slots = (size_t)vertices * (size_t)rig->influence_count;
    LOCAL_ARRAY(int32_t, joints, slots, "weights");
    LOCAL_ARRAY(float, values, slots, "weights");
    memcpy(joints, rig->weight_joints, slots * sizeof *joints);
    memcpy(values, rig->weight_values, slots * sizeof *values);
    *out = *rig;
    out->centers = NULL;
    out->smoothed = (JointValues){0};
    out->weight_joints = TAKE(joints);
    out->weight_values = TAKE(values);
    return status_ok();
}

int rig_joint_find(const Rig *rig, const char *name)
{
    for (int j = 0; j < rig->joint_count; j++)
        if (rig->joint_names[j] && strcmp(rig->joint_names[j], name) == 0)
            return j;
    return -1;
}
