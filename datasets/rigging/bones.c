/* Derives bones from the rest frames of joints. The bones of joints without children end near the
 * surface. */
#include "datasets/rigging/bones.h"

#include "datasets/geometry/points.h"
#include "datasets/geometry/triangle_grid.h"

static const double LEAF_SHARE = 0.8;

/* Returns the end of the bone of a joint without children. */
static Vec3 leaf_tail(const Rig *rig, int joint, const TriangleGrid *grid, double reach)
{
    const Vec3 head = rig_joint_place(rig, joint);
    if (rig->parents[joint] < 0)
        return head;
    const Vec3 along = vec3_normalize(vec3_sub(head, rig_joint_place(rig, rig->parents[joint])));
    const double hit =
        triangle_grid_hit(grid, head, vec3_add_scaled(head, along, reach), (const int32_t[]){-1, -1});
    return hit <= 1.0 ? vec3_add_scaled(head, along, LEAF_SHARE * hit * reach) : head;
}

static Status joints_spread(const Rig *rig)
{
    for (int j = 1; j < rig->joint_count; j++)
        if (vec3_length(vec3_sub(rig_joint_place(rig, j), rig_joint_place(rig, 0))) > 0.0)
            return status_ok();
    return rig->joint_count < 2
               ? status_ok()
               : bad_input("all %d joints have the same position in rig/rest: there are no bones",
                           rig->joint_count);
}

Status rig_bones_init(const Rig *rig, const Mesh *mesh, RigBones *out)
{
    CLEANUP(triangle_grid_clear) TriangleGrid grid = {0};
    *out = (RigBones){NULL, 0};
    STATUS_TRY(joints_spread(rig));
    STATUS_TRY(
        triangle_grid_init(mesh->rest, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &grid));
    /* Upper bound of the number of bones: one for each child, and one for each joint without children. */
    ALLOCATE_TABLE(out->bones, 2, rig->joint_count, "the bones");
    LOCAL_ARRAY(unsigned char, inner, rig->joint_count, "the bones");
    for (int j = 0; j < rig->joint_count; j++)
        if (rig->parents[j] >= 0)
            inner[rig->parents[j]] = 1;
    const double reach = bounds_of(mesh->rest, mesh->vertex_count).diagonal;
    for (int j = 0; j < rig->joint_count; j++) {
        const Vec3 head = rig_joint_place(rig, j);
        for (int child = j + 1; inner[j] && child < rig->joint_count; child++)
            if (rig->parents[child] == j)
                out->bones[out->count++] = (RigBone){head, rig_joint_place(rig, child), j};
        if (!inner[j])
            out->bones[out->count++] = (RigBone){head, leaf_tail(rig, j, &grid, reach), j};
    }
    return status_ok();
}

void rig_bones_clear(RigBones *bones)
{
    memory_free(bones->bones);
    *bones = (RigBones){NULL, 0};
}

bool joint_bone(const Rig *rig, int joint, Vec3 *from, Vec3 *to)
{
    Vec3 sum = vec3_make(0.0, 0.0, 0.0);
    int children = 0;
    if (!rig->rest)
        return false;
    *from = *to = rig_joint_place(rig, joint);
    for (int j = joint + 1; j < rig->joint_count; j++)
        if (rig->parents[j] == joint) {
            sum = vec3_add(sum, rig_joint_place(rig, j));
            children++;
        }
    if (children > 0)
        *to = vec3_scale(sum, 1.0 / children);
    if ((children == 0 || !(vec3_length(vec3_sub(*to, *from)) > 0.0)) && rig->parents[joint] >= 0)
        *to = vec3_sub(vec3_scale(*from, 2.0), rig_joint_place(rig, rig->parents[joint]));
    return vec3_length(vec3_sub(*to, *from)) > 0.0;
}
