/* Makes the skin of a figure: a tube around each chain of bones, and weights that depend on the distances
 * to the bones. */
#include "datasets/generate/figure.h"

#include "datasets/generate/tube.h"
#include "datasets/geometry/points.h"

/* A chain of bones: the joint that starts it and the joints that follow, each the child of the joint
 * before. */
typedef struct Chain {
    int first, count;
    double length, area; /* area: measure of the chain's surface; chains with more area get more vertices */
    int rings, around;
} Chain;

enum { CHAINS_MAX = FIGURE_JOINTS_MAX, CAP_RINGS = 2 };

static double bone_length(const FigureJoint *joint)
{
    return vec3_length(vec3_sub(joint->tail, joint->head));
}

/* Distributes vertices over the chains so that the mesh faces are roughly square. Returns the number of
 * vertices used; the caller adds the remaining vertices to rings. */
static int chains_divide(Chain *chains, int count, const Figure *figure, int vertex_count)
{
    double area = 0.0;
    int used = 0;
    for (int i = 0; i < count; i++)
        area += chains[i].area;
    for (int i = 0; i < count; i++) {
        Chain *chain = &chains[i];
        int share = (int)floor((vertex_count - 2 * count) * chain->area / area);
        double circumference = 6.2831853 * figure->joints[chain->first].radius0;
        int rings = (int)lround(sqrt(share * chain->length / circumference));
        rings = rings < CAP_RINGS + 2 ? CAP_RINGS + 2 : rings;
        chain->around = share / rings < 3 ? 3 : share / rings;
        chain->rings = share / chain->around < 2 ? 2 : share / chain->around;
        used += chain->rings * chain->around + 2;
    }
    return used;
}

Status figure_skin(const Figure *figure, int vertex_count, Mesh *mesh)
{
    Chain chains[CHAINS_MAX];
    int count = 0;
    for (int j = 0; j < figure->joint_count; j++) {
        if (figure->joints[j].starts_chain || count == 0)
            chains[count++] = (Chain){.first = j};
        Chain *chain = &chains[count - 1];
        chain->count++;
        chain->length += bone_length(&figure->joints[j]);
        /* Thin limbs get more vertices than their area suggests, as artists do. */
        chain->area += bone_length(&figure->joints[j]) * sqrt(figure->joints[j].radius0);
    }
    if (vertex_count < FIGURE_VERTICES_MIN)
        return bad_usage("the figure would have %d vertices, expected at least %d", vertex_count,
                         FIGURE_VERTICES_MIN);
    int left = vertex_count - chains_divide(chains, count, figure, vertex_count);
    int rings_left = 0, rings_max = 0, vertex = 0, triangle = 0;
    for (int i = 0; i < count; i++) {
        rings_left += chains[i].rings;
        rings_max = int_max(rings_max, chains[i].rings);
    }
    LOCAL_ARRAY(TubeRing, rings, rings_max, "a figure");
    STATUS_TRY(mesh_allocate(mesh, vertex_count, 2 * (vertex_count - 2 * count)));
    for (int i = 0; i < count; i++) {
        /* The last chain gets all remaining vertices, so that the number is exact. */
        int extra = (int)((int64_t)left * chains[i].rings / rings_left);
        left -= extra;
        rings_left -= chains[i].rings;
        const Chain *chain = &chains[i];
        for (int r = 0; r < chain->rings; r++) {
            /* find the bone, and the position along it */
            const double distance = chain->length * (r + 0.5) / chain->rings;
            double on_bone = distance;
            int j = chain->first, last = chain->first + chain->count - 1;
            while (j < last && on_bone > bone_length(&figure->joints[j]))
                on_bone -= bone_length(&figure->joints[j++]);
            const FigureJoint *joint = &figure->joints[j];
            const double share = on_bone / bone_length(joint), mix = fabs(share - 0.5);
            Vec3 along = vec3_normalize(vec3_sub(joint->tail, joint->head));
            /* Near the next bone, interpolate between the directions of the two bones. */
            const FigureJoint *other = joint;
            if (share < 0.5 && j > chain->first)
                other--;
            else if (share >= 0.5 && j < last)
                other++;
            Vec3 aside = vec3_normalize(vec3_sub(other->tail, other->head));
            const Vec3 center = vec3_add_scaled(joint->head, along, on_bone);
            const Vec3 direction = vec3_normalize(vec3_add_scaled(vec3_scale(along, 1.0 - mix), aside, mix));
            double radius = joint->radius0 * (1.0 - mix) + other->radius0 * mix;
            double end = fmin(distance, chain->length - distance) / radius;
            radius *= end < 1.0 ? sqrt(end * (2.0 - end)) : 1.0;
            Vec3 helper = fabs(direction.z) < 0.7 ? vec3_make(0.0, 0.0, 1.0) : vec3_make(1.0, 0.0, 0.0);
            Vec3 u = vec3_normalize(vec3_cross(helper, direction));
            rings[r] =
                (TubeRing){.center = center,
                           .u = u,
                           .v = vec3_cross(direction, u),
                           .radius_u = radius,
                           .radius_v = radius,
                           .vertices = chain->around + extra / chain->rings + (r < extra % chain->rings)};
        }
        tube_fill(rings, chains[i].rings, mesh, &vertex, &triangle);
    }
    return status_ok();
}

/* Whether two joints are at most three steps apart in the skeleton. The weights of a finger can thus extend
 * through the hand to the next finger. The weights of a hand do not extend to a thigh beside it. */
static bool joints_related(const Figure *figure, int a, int b)
{
    int steps = 0;
    /* Climb from the joint with the larger number, because it cannot be an ancestor of the other. */
    for (; a != b && a >= 0 && b >= 0; steps++)
        if (a > b)
            a = figure->joints[a].parent;
        else
            b = figure->joints[b].parent;
    return a == b && steps <= 3;
}

/* Computes the influences of one vertex. The candidates are the nearby bones that are related to the
 * nearest bone. A weight is a power of the distance and reaches 0 at a distance of REACH radii. Keeps the
 * four largest weights, scaled to sum 1. */
static void vertex_bind(const Figure *figure, Vec3 p, int32_t *joints, float *values)
{
    /* Vary the distances around the limb, differently for every joint. The weights then resemble painted
     * weights, and each joint occurs in several joint sets, as in real rigs. */
    const double REACH = 1.9, UNEVEN = 0.27;
    double distances[FIGURE_JOINTS_MAX], sum = 0.0, weights[FIGURE_INFLUENCES] = {0.0};
    int nearest = 0, count = 0;
    for (int j = 0; j < figure->joint_count; j++) {
        /* distance to the bone, relative to its radius */
        const FigureJoint *joint = &figure->joints[j];
        Vec3 bone = vec3_sub(joint->tail, joint->head), offset = vec3_sub(p, joint->head);
        double share = segment_share(p, joint->head, joint->tail);
        Vec3 away = vec3_scale(vec3_add_scaled(offset, bone, -share), 1.0 / joint->radius0);
        distances[j] = INFINITY; /* for a joint that no variation can bring into reach */
        if (j > 0 && (1.0 - 2.0 * UNEVEN) * vec3_length(away) > fmax(distances[nearest], 0.95 + REACH))
            continue;
        double uneven = sin(2.0 * away.x + 2.4 * j) * sin(2.0 * away.y + 1.1 * j + 1.0) +
                        sin(2.0 * away.z + 1.7 * j + 2.0);
        distances[j] = vec3_length(away) * (1.0 + UNEVEN * uneven);
        nearest = distances[j] < distances[nearest] ? j : nearest;
    }
    for (int j = 0; j < figure->joint_count; j++) {
        double closeness = 1.0 - (distances[j] - fmin(distances[nearest], 0.95)) / REACH;
        double weight = j == nearest ? 1.0 : pow(fmax(closeness, 0.0), 4.0);
        if (!joints_related(figure, nearest, j) || weight < 0.01)
            continue;
        count = largest_insert(weight, j, count, FIGURE_INFLUENCES, weights, joints);
    }
    for (int k = 0; k < count; k++)
        sum += weights[k];
    for (int k = 0; k < count; k++)
        values[k] = (float)(weights[k] / sum);
}

Status figure_rig(const Figure *figure, int vertex_count, int frame_count, int influences, Rig *rig)
{
    STATUS_TRY(rig_allocate(rig, vertex_count, figure->joint_count, frame_count, influences));
    for (int j = 0; j < figure->joint_count; j++) {
        const FigureJoint *joint = &figure->joints[j];
        COPY_TEXT(rig->joint_names[j], joint->name, "a figure");
        rig->parents[j] = joint->parent;
        rig->rest[j] = transform_translate(joint->head);
    }
    return status_ok();
}

Status figure_bind(const Figure *figure, const Mesh *mesh, int frame_count, Rig *rig)
{
    STATUS_TRY(figure_rig(figure, mesh->vertex_count, frame_count, FIGURE_INFLUENCES, rig));
    for (size_t v = 0; v < (size_t)mesh->vertex_count; v++)
        vertex_bind(figure, point_at(mesh->rest, (ptrdiff_t)v), rig->weight_joints + FIGURE_INFLUENCES * v,
                    rig->weight_values + FIGURE_INFLUENCES * v);
    return status_ok();
}
