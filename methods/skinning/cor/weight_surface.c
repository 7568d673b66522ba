/* Divides the triangles of a surface into pieces and takes a sample of each piece (CoR section 3.2). Weights
 * are linear on a triangle. A piece is therefore given by barycentric coordinates, and its lengths in weight
 * space follow from the triangle's three edges by the formula of the median. The longest edge is always
 * halved. Whether an edge is halved depends only on its own length, so two triangles divide their common edge
 * at the same points. */
#include "methods/skinning/cor/weight_surface.h"

#include "datasets/geometry/topology.h"
#include "datasets/model/validate.h"

SparseRow weight_surface_vertex(const WeightSurface *surface, int vertex)
{
    int64_t first = surface->first_weight[vertex];
    return (SparseRow){(int)(surface->first_weight[vertex + 1] - first), surface->weight_joints + first,
                       surface->weights + first};
}

SparseRow weight_surface_sample(const WeightSurface *surface, int sample)
{
    int32_t triangle = surface->triangles[sample];
    int64_t first = surface->first_joint[triangle];
    int count = (int)(surface->first_joint[triangle + 1] - first);
    int64_t value =
        surface->first_value[triangle] + (int64_t)(sample - surface->first_sample[triangle]) * count;
    return (SparseRow){count, surface->joints + first, surface->values + value};
}

/* Collects the weights of all vertices in file order from the rig's joint sets. */
static Status weights_gather(const Rig *rig, WeightSurface *surface)
{
    const size_t vertices = (size_t)surface->vertex_count;
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    STATUS_TRY(joint_sets_init(rig, surface->vertex_count, INFLUENCES_BY_JOINT, &sets));
    const size_t total = (size_t)sets.first_weight[sets.set_count];
    ALLOCATE(surface->first_weight, vertices + 1, "the weights of the vertices");
    ALLOCATE(surface->weight_joints, total, "the weights of the vertices");
    ALLOCATE(surface->weights, total, "the weights of the vertices");
    for (int i = 0; i < sets.vertex_count; i++) {
        int set = sets.set_of_vertex[i];
        surface->first_weight[sets.vertices[i] + 1] = sets.first_slot[set + 1] - sets.first_slot[set];
    }
    for (size_t v = 0; v < vertices; v++)
        surface->first_weight[v + 1] += surface->first_weight[v];
    for (int i = 0; i < sets.vertex_count; i++) {
        int set = sets.set_of_vertex[i], lane = i - sets.first_vertex[set];
        int members = sets.first_vertex[set + 1] - sets.first_vertex[set];
        int64_t target = surface->first_weight[sets.vertices[i]];
        for (int k = 0; k < sets.first_slot[set + 1] - sets.first_slot[set]; k++) {
            surface->weight_joints[target + k] = sets.joints[sets.first_slot[set] + k];
            surface->weights[target + k] = sets.weights[sets.first_weight[set] + (int64_t)k * members + lane];
        }
    }
    return status_ok();
}

/* Sorts triangles by component. */
static Status triangles_order(const Mesh *mesh, bool apart, WeightSurface *surface)
{
    const size_t triangles = (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
    LOCAL_ARRAY(int32_t, triangles_of, vertices, "the components of the mesh");
    LOCAL_ARRAY(int32_t, component_of, triangles, "the components of the mesh");
    ALLOCATE(surface->vertex_component, vertices, "the components of the mesh");
    ALLOCATE_TABLE(surface->corners, triangles, 3, "the components of the mesh");
    if (apart) {
        /* number the components in the order of their first vertices */
        int32_t *parents = surface->vertex_component;
        mesh_pieces_find(mesh->triangles, mesh->triangle_count, mesh->vertex_count, parents);
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            parents[v] = union_find_root(parents, v);
        for (int64_t i = 0; i < mesh->triangle_count; i++)
            triangles_of[parents[mesh->triangles[3 * i]]]++;
        /* the root of a component is visited before its other vertices; it is replaced by the component's
         * number */
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            if (parents[v] != v)
                parents[v] = parents[parents[v]];
            else
                parents[v] = triangles_of[v] > 0 ? surface->component_count++ : -1;
    } else {
        surface->component_count = 1; /* all zeros */
    }
    for (size_t i = 0; i < triangles; i++)
        component_of[i] = surface->vertex_component[mesh->triangles[3 * i]];
    STATUS_TRY(grouping_init(component_of, triangles, surface->component_count, "the components of the mesh",
                             &surface->components));
    for (size_t i = 0; i < triangles; i++)
        memcpy(surface->corners + 3 * i, mesh->triangles + 3 * (size_t)surface->components.members[i],
               3 * sizeof(int32_t));
    return status_ok();
}

/* Writes the joints that influence the corners of a triangle to `joints` (if not NULL), in ascending order
 * without duplicates. Returns their number. */
static int joints_unite(const WeightSurface *surface, int64_t triangle, int32_t *joints)
{
    const int32_t *corners = surface->corners + 3 * triangle;
    SparseRow rows[3]; /* weights of each corner that are not merged yet */
    int count = 0;
    for (int i = 0; i < 3; i++)
        rows[i] = weight_surface_vertex(surface, corners[i]);
    for (;;) {
        int32_t lowest = INT32_MAX;
        for (int i = 0; i < 3; i++)
            if (rows[i].count > 0 && *rows[i].joints < lowest)
                lowest = *rows[i].joints;
        if (lowest == INT32_MAX)
            return count;
        for (int i = 0; i < 3; i++)
            if (rows[i].count > 0 && *rows[i].joints == lowest) {
                rows[i].count--;
                rows[i].joints++;
            }
        if (joints)
            joints[count] = lowest;
        count++;
    }
}

typedef struct TrianglePiece {
    double share[3][3]; /* barycentric coordinates of the corners */
    double length2[3];  /* squared length in weight space of the edge from corner i to corner (i + 1) % 3 */
    int32_t points[3];  /* indices of the corner points */
    int depth;          /* number of halvings that made the piece; its area is 2^-depth of the triangle's */
} TrianglePiece;

/* Returns the longest edge (the first one on a tie), or -1 if no edge is longer than epsilon. */
static int edge_to_halve(const TrianglePiece *piece, double epsilon)
{
    int longest = 0;
    for (int i = 1; i < 3; i++)
        if (piece->length2[i] > piece->length2[longest])
            longest = i;
    return piece->length2[longest] > epsilon * epsilon ? longest : -1;
}

/* Halves the edge from a to b of a piece (a, b, c). `near` becomes (a, middle, c), and `far` becomes
 * (middle, b, c). The caller sets the index of the middle point. */
static void piece_halve(const TrianglePiece *piece, int a, TrianglePiece *near, TrianglePiece *far)
{
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const int near_from[] = {a, a, c}, far_from[] = {a, b, c}; /* the middle is set below */
    double ab = piece->length2[a], bc = piece->length2[b], ca = piece->length2[c];
    double median = (2.0 * bc + 2.0 * ca - ab) / 4.0; /* Apollonius */
    median = median > 0.0 ? median : 0.0;
    for (int k = 0; k < 3; k++) {
        near->points[k] = piece->points[near_from[k]];
        far->points[k] = piece->points[far_from[k]];
        for (int i = 0; i < 3; i++) {
            near->share[k][i] = piece->share[near_from[k]][i];
            far->share[k][i] = piece->share[far_from[k]][i];
        }
    }
    for (int i = 0; i < 3; i++)
        near->share[1][i] = far->share[0][i] = 0.5 * (piece->share[a][i] + piece->share[b][i]);
    near->length2[0] = far->length2[0] = ab / 4.0;
    near->length2[1] = far->length2[2] = median;
    near->length2[2] = ca;
    far->length2[1] = bc;
    near->depth = far->depth = piece->depth + 1;
}

/* Returns the number of pieces of a triangle. Stops counting above `limit`. */
static int64_t pieces_count(const TrianglePiece *piece, double epsilon, int64_t limit)
{
    int edge = edge_to_halve(piece, epsilon);
    if (edge < 0)
        return 1;
    TrianglePiece near, far;
    piece_halve(piece, edge, &near, &far);
    int64_t count = pieces_count(&near, epsilon, limit);
    return count > limit ? count : count + pieces_count(&far, epsilon, limit - count);
}

/* Working state of the refinement. */
typedef struct Refinery {
    WeightSurface *surface;
    int32_t triangle;
    int width;       /* number of joints that influence the triangle */
    double *weights; /* [3][width] weights of the corners */
    double positions[3][3], area;
    int32_t sample; /* index of the next sample */
    /* Hash table of midpoints by the indices of their end points, with open addressing. The number of slots
     * is a power of 2, and free slots are -1. uthash would need 64 bytes and an allocation that can fail
     * per point. With it, `skinbench centers makehuman.h5 --set search=clustered --set epsilon=0.05` took
     * 21.9 s of processor time instead of 21.0. */
    int32_t *slots;
    int32_t (*ends)[2]; /* [point_count] */
    size_t slot_count;
} Refinery;

/* Loads weights and shape of a triangle into the working state. Returns the whole triangle as a piece. */
static TrianglePiece triangle_load(Refinery *refinery, const Mesh *mesh, int32_t triangle)
{
    const WeightSurface *surface = refinery->surface;
    const int32_t *corners = surface->corners + 3 * (int64_t)triangle;
    const int32_t *joints = surface->joints + surface->first_joint[triangle];
    const int width = (int)(surface->first_joint[triangle + 1] - surface->first_joint[triangle]);
    refinery->triangle = triangle;
    refinery->width = width;
    for (int i = 0; i < 3; i++) {
        SparseRow row = weight_surface_vertex(surface, corners[i]);
        for (int k = 0, next = 0; k < width; k++) {
            bool match = next < row.count && row.joints[next] == joints[k];
            refinery->weights[i * width + k] = match ? row.weights[next] : 0.0;
            next += match;
        }
        for (int axis = 0; axis < 3; axis++)
            refinery->positions[i][axis] = (double)mesh->rest[3 * (size_t)corners[i] + (size_t)axis];
    }
    const double(*p)[3] = (const double(*)[3])refinery->positions;
    Vec3 one = vec3_make(p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]);
    Vec3 other = vec3_make(p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]);
    refinery->area = 0.5 * vec3_length(vec3_cross(one, other));
    TrianglePiece whole = {.share = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                           .points = {corners[0], corners[1], corners[2]}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < width; k++) {
            double difference = refinery->weights[(i + 1) % 3 * width + k] - refinery->weights[i * width + k];
            whole.length2[i] += difference * difference;
        }
    return whole;
}

/* Counts the pieces of all triangles and allocates memory for their samples. */
static Status samples_allocate(Refinery *refinery, const Mesh *mesh, const WeightSurfaceOptions *options)
{
    const double epsilon = options->epsilon;
    WeightSurface *surface = refinery->surface;
    const size_t triangles = (size_t)surface->triangle_count;
    ALLOCATE(surface->first_sample, triangles + 1, "the samples");
    ALLOCATE(surface->first_value, triangles + 1, "the samples");
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        TrianglePiece whole = triangle_load(refinery, mesh, i);
        int64_t workspace = WEIGHT_SURFACE_SAMPLES_MAX - surface->first_sample[i];
        int64_t count = options->at_points ? 3 : pieces_count(&whole, epsilon, workspace);
        if (count > workspace)
            return bad_usage("epsilon %g cuts the mesh into more than %d pieces; use a larger epsilon",
                             epsilon, WEIGHT_SURFACE_SAMPLES_MAX);
        surface->first_sample[i + 1] = surface->first_sample[i] + (int32_t)count;
        surface->first_value[i + 1] = surface->first_value[i] + count * refinery->width;
    }
    const size_t samples = (size_t)surface->first_sample[triangles];
    surface->sample_count = (int)samples;
    ALLOCATE(surface->values, surface->first_value[triangles], "the samples");
    ALLOCATE(surface->triangles, samples, "the samples");
    ALLOCATE(surface->areas, samples, "the samples");
    ALLOCATE_TABLE(surface->centroids, samples, 3, "the samples");
    return status_ok();
}

/* Returns the index of the point halfway between two points. */
static int32_t point_between(Refinery *refinery, int32_t one, int32_t other, const double share[3])
{
    int32_t low = one < other ? one : other, high = one < other ? other : one;
    uint64_t hash = ((uint64_t)low << 32 | (uint64_t)high) * 0x9e3779b97f4a7c15u;
    size_t slot = (size_t)(hash >> 20) & (refinery->slot_count - 1);
    for (int32_t point; (point = refinery->slots[slot]) >= 0; slot = (slot + 1) & (refinery->slot_count - 1))
        if (refinery->ends[point][0] == low && refinery->ends[point][1] == high)
            return point;
    int32_t point = refinery->surface->point_count++;
    refinery->slots[slot] = point;
    refinery->ends[point][0] = low;
    refinery->ends[point][1] = high;
    refinery->surface->points[point] =
        (WeightSurfacePoint){refinery->triangle, {share[0], share[1], share[2]}};
    return point;
}

static void sample_append(Refinery *refinery, const TrianglePiece *piece)
{
    WeightSurface *surface = refinery->surface;
    const int32_t sample = refinery->sample++;
    const int width = refinery->width;
    double *values = surface->values + surface->first_value[refinery->triangle] +
                     (int64_t)(sample - surface->first_sample[refinery->triangle]) * width;
    double *centroid = surface->centroids + 3 * (int64_t)sample;
    for (int i = 0; i < 3; i++) {
        double share = (piece->share[0][i] + piece->share[1][i] + piece->share[2][i]) / 3.0;
        for (int k = 0; k < width; k++)
            values[k] += share * refinery->weights[i * width + k];
        for (int axis = 0; axis < 3; axis++)
            centroid[axis] += share * refinery->positions[i][axis];
    }
    surface->triangles[sample] = refinery->triangle;
    surface->areas[sample] = ldexp(refinery->area, -piece->depth);
    if (surface->pieces)
        memcpy(surface->pieces + 3 * (int64_t)sample, piece->points, sizeof piece->points);
}

/* Halves the longest edge of a piece until no edge is longer than epsilon, and takes a sample of each final
 * piece. */
static void piece_refine(Refinery *refinery, double epsilon, const TrianglePiece *piece)
{
    int edge = edge_to_halve(piece, epsilon);
    if (edge < 0) {
        sample_append(refinery, piece);
        return;
    }
    TrianglePiece near, far;
    piece_halve(piece, edge, &near, &far);
    if (refinery->slots)
        near.points[1] = far.points[0] =
            point_between(refinery, piece->points[edge], piece->points[(edge + 1) % 3], near.share[1]);
    piece_refine(refinery, epsilon, &near);
    piece_refine(refinery, epsilon, &far);
}

/* Computes for each corner of a triangle the fraction of the area that is nearest to it (Voronoi). In an
 * obtuse triangle, the obtuse corner gets half and each other corner a quarter (Meyer and others 2003). */
static void corner_shares(const Refinery *refinery, double shares[3])
{
    const double(*p)[3] = (const double(*)[3])refinery->positions;
    double opposite2[3], dots[3];
    for (int i = 0; i < 3; i++) {
        const double *here = p[i], *next = p[(i + 1) % 3], *last = p[(i + 2) % 3];
        opposite2[i] = dots[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            opposite2[i] += (next[k] - last[k]) * (next[k] - last[k]);
            dots[i] += (next[k] - here[k]) * (last[k] - here[k]);
        }
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3, last = (i + 2) % 3;
        /* The cotangent at a corner is its dot product divided by twice the area. It weights the opposite
         * edge, which borders the cells of the other two corners. */
        shares[i] = (opposite2[next] * dots[next] + opposite2[last] * dots[last]) /
                    (16.0 * refinery->area * refinery->area);
        if (dots[0] < 0.0 || dots[1] < 0.0 || dots[2] < 0.0)
            shares[i] = dots[i] < 0.0 ? 0.5 : 0.25;
    }
}

static void refinery_clear(Refinery *refinery)
{
    FREE_ALL(refinery->weights, refinery->slots, refinery->ends);
}

Status weight_surface_init(const Mesh *mesh, const Rig *rig, const WeightSurfaceOptions *options,
                           WeightSurface *out)
{
    *out = (WeightSurface){.vertex_count = mesh->vertex_count, .triangle_count = mesh->triangle_count};
    CLEANUP(refinery_clear) Refinery refinery = {.surface = out};
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY(weights_gather(rig, out));
    STATUS_TRY(triangles_order(mesh, options->apart, out));
    /* list the joints of each triangle */
    const int64_t triangles = out->triangle_count;
    ALLOCATE(out->first_joint, (size_t)triangles + 1, "the joints of the triangles");
    int widest = 0;
    for (int64_t i = 0; i < triangles; i++) {
        int count = joints_unite(out, i, NULL);
        out->first_joint[i + 1] = out->first_joint[i] + count;
        widest = int_max(widest, count);
    }
    ALLOCATE(out->joints, out->first_joint[triangles], "the joints of the triangles");
    for (int64_t i = 0; i < triangles; i++)
        joints_unite(out, i, out->joints + out->first_joint[i]);
    ALLOCATE_TABLE(refinery.weights, 3, widest, "the weights of a triangle");
    STATUS_TRY(samples_allocate(&refinery, mesh, options));
    if (options->refined) {
        /* every halving of a triangle piece adds one piece and at most one point */
        const size_t samples = (size_t)out->sample_count;
        const size_t max = (size_t)out->vertex_count + samples - (size_t)out->triangle_count;
        refinery.slot_count = 1;
        while (refinery.slot_count < 2 * (max + 1))
            refinery.slot_count *= 2;
        ALLOCATE(refinery.slots, refinery.slot_count, "the refined mesh");
        ALLOCATE(refinery.ends, max, "the refined mesh");
        ALLOCATE_TABLE(out->pieces, samples, 3, "the refined mesh");
        ALLOCATE(out->points, max, "the refined mesh");
        memset(refinery.slots, 0xff, refinery.slot_count * sizeof *refinery.slots);
        out->point_count = out->vertex_count;
    }
    for (int32_t i = 0; i < out->triangle_count; i++) {
        TrianglePiece whole = triangle_load(&refinery, mesh, i);
        if (options->at_points) {
            const int width = refinery.width;
            double shares[3];
            corner_shares(&refinery, shares);
            for (int k = 0; k < 3; k++) {
                const int32_t sample = refinery.sample++;
                memcpy(out->values + out->first_value[refinery.triangle] + (int64_t)k * width,
                       refinery.weights + (ptrdiff_t)k * width, (size_t)width * sizeof(double));
                memcpy(out->centroids + 3 * (int64_t)sample, refinery.positions[k], 3 * sizeof(double));
                out->triangles[sample] = refinery.triangle;
                out->areas[sample] = refinery.area > 0.0 ? refinery.area * shares[k] : 0.0;
            }
        } else
            piece_refine(&refinery, options->epsilon, &whole);
    }
    return status_ok();
}

void weight_surface_clear(WeightSurface *surface)
{
    FREE_ALL(surface->vertex_component, surface->corners);
    grouping_clear(&surface->components);
    FREE_ALL(surface->first_joint, surface->joints, surface->first_sample, surface->first_value,
             surface->values, surface->triangles, surface->areas, surface->centroids, surface->pieces,
             surface->points, surface->first_weight, surface->weight_joints, surface->weights);
    *surface = (WeightSurface){0};
}
