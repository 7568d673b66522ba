/* Finds seed points by clusters of weights, then searches the triangles breadth first (CoR 3.2;
 * center_search.h). */
#include "methods/skinning/cor/center_search.h"

/* Points of the refined mesh, clustered by their skinning weights. Clusters make it possible to find the
 * points whose weights are near those of a vertex without visiting all points (CoR 3.2, "approximate
 * nearest neighbor search"). The answers are exact: a cluster is skipped only if its centre and radius
 * prove that none of its points is near enough.
 *
 * Each centre is the point farthest from the previous centres. The paper uses sets of large minimum
 * distance (Schloemer and others 2011). Their additional sweeps are omitted, because they would only change
 * how many points are skipped. */
typedef struct WeightClusters {
    /* [points + 1] index of each point's first weight. Weights of 0 are left out, and the others are in the
     * order of their joints. */
    int64_t *first;
    int32_t *joints;
    double *weights;
    int cluster_count;   /* about the square root of the number of points */
    int32_t *centers;    /* [cluster_count] points */
    double *radii;       /* [cluster_count] */
    Grouping members;    /* points of each cluster */
    double *distances;   /* [points] distance of each point from the centre of its cluster */
    int32_t *cluster_of; /* [points] */
} WeightClusters;

static SparseRow weight_clusters_point(const WeightClusters *clusters, int point)
{
    int64_t first = clusters->first[point];
    return (SparseRow){(int)(clusters->first[point + 1] - first), clusters->joints + first,
                       clusters->weights + first};
}

/* Writes joints and weights of a point of the refined mesh; either pointer may be NULL. Returns the number
 * of weights. */
static int point_weights(const WeightSurface *surface, int point, int32_t *joints, double *weights)
{
    if (point < surface->vertex_count) {
        SparseRow row = weight_surface_vertex(surface, point);
        if (joints) {
            memcpy(joints, row.joints, (size_t)row.count * sizeof *joints);
            memcpy(weights, row.weights, (size_t)row.count * sizeof *weights);
        }
        return row.count;
    }
    const WeightSurfacePoint *place = &surface->points[point];
    const int32_t *corners = surface->corners + 3 * (int64_t)place->triangle;
    int next[3] = {0}, count = 0;
    for (int64_t i = surface->first_joint[place->triangle]; i < surface->first_joint[place->triangle + 1];
         i++) {
        double weight = 0.0;
        for (int corner = 0; corner < 3; corner++) {
            SparseRow row = weight_surface_vertex(surface, corners[corner]);
            if (next[corner] < row.count && row.joints[next[corner]] == surface->joints[i])
                weight += place->share[corner] * row.weights[next[corner]++];
        }
        if (weight == 0.0)
            continue;
        if (joints) {
            joints[count] = surface->joints[i];
            weights[count] = weight;
        }
        count++;
    }
    return count;
}

static double distance2(SparseRow one, SparseRow other)
{
    double sum = 0.0;
    int i = 0, k = 0;
    while (i < one.count || k < other.count) {
        int32_t left = i < one.count ? one.joints[i] : INT32_MAX;
        int32_t right = k < other.count ? other.joints[k] : INT32_MAX;
        double difference = 0.0;
        if (left <= right)
            difference += one.weights[i++];
        if (right <= left)
            difference -= other.weights[k++];
        sum += difference * difference;
    }
    return sum;
}

/* Clusters the points of a surface that was built with `refined`. */
static Status weight_clusters_build(const WeightSurface *surface, WeightClusters *out)
{
    /* collect the weights of all points */
    const int count = surface->point_count;
    ALLOCATE(out->first, (size_t)count + 1, "the clusters of weights");
    for (int i = 0; i < count; i++)
        out->first[i + 1] = out->first[i] + point_weights(surface, i, NULL, NULL);
    ALLOCATE(out->joints, out->first[count], "the clusters of weights");
    ALLOCATE(out->weights, out->first[count], "the clusters of weights");
    for (int i = 0; i < count; i++)
        point_weights(surface, i, out->joints + out->first[i], out->weights + out->first[i]);
    const int max = (int)ceil(sqrt((double)count));
    ALLOCATE(out->centers, max, "the clusters of weights");
    ALLOCATE(out->radii, max, "the clusters of weights");
    ALLOCATE(out->distances, count, "the clusters of weights");
    ALLOCATE(out->cluster_of, count, "the clusters of weights");
    /* choose the centres; every point joins the nearest centre, or on a tie the one chosen first */
    int farthest = 0;
    for (int i = 0; i < count; i++)
        out->distances[i] = INFINITY;
    while (out->cluster_count < max && out->distances[farthest] > 0.0) {
        const int cluster = out->cluster_count++;
        const SparseRow center = weight_clusters_point(out, farthest);
        out->centers[cluster] = farthest;
        int next = 0;
        for (int i = 0; i < count; i++) {
            double distance = sqrt(distance2(center, weight_clusters_point(out, i)));
            if (distance < out->distances[i]) {
                out->distances[i] = distance;
                out->cluster_of[i] = cluster;
            }
            next = out->distances[i] > out->distances[next] ? i : next;
        }
        farthest = next;
    }
    for (int i = 0; i < count; i++)
        out->radii[out->cluster_of[i]] = fmax(out->radii[out->cluster_of[i]], out->distances[i]);
    return grouping_init(out->cluster_of, (size_t)count, out->cluster_count, "the clusters of weights",
                         &out->members);
}

typedef struct Walk {
    const SurfaceSearch *search;
    WeightClusters clusters;
    /* The corners of the triangle pieces, grouped by the point at which they lie. A corner is given as 3 *
     * piece + corner. */
    Grouping corners;
    /* Edge 3 * piece + i of a triangle piece runs from corner i to corner (i + 1) % 3. next_edge leads from
     * each edge to an edge of another piece between the same two points. All edges between the same points
     * form a ring. */
    int32_t *next_edge; /* [3 S] */
} Walk;

/* Workspace of one thread. */
typedef struct WalkWorkspace {
    double *dense;  /* [P] weights of the vertex */
    int32_t *found; /* [points] */
    int32_t *seen;  /* [S] 1 + index of the last vertex whose search reached the piece */
    int32_t *queue; /* [S] */
} WalkWorkspace;

/* Considers a candidate for the next edge after `edge` in its ring. If the candidate has the given ends,
 * updates the lowest index of such an edge, and the lowest such index above `edge`. */
static void ring_compare(const WeightSurface *surface, int32_t candidate, const int32_t ends[2], int32_t edge,
                         int32_t *lowest, int32_t *after)
{
    int32_t one = surface->pieces[candidate];
    int32_t other = surface->pieces[candidate - candidate % 3 + (candidate + 1) % 3];
    if (!(one == ends[0] && other == ends[1]) && !(one == ends[1] && other == ends[0]))
        return;
    *lowest = candidate < *lowest ? candidate : *lowest;
    *after = candidate > edge && candidate < *after ? candidate : *after;
}

/* Returns the next edge, in ascending order, between the same two points; the first edge follows the last.
 * This also works if more than two pieces meet at an edge or a piece has an edge twice. An edge of length
 * zero is linked to itself. */
static int32_t edge_link(const Walk *walk, int32_t edge)
{
    const WeightSurface *surface = walk->search->surface;
    const int32_t ends[2] = {surface->pieces[edge], surface->pieces[edge - edge % 3 + (edge + 1) % 3]};
    int32_t lowest = edge, after = INT32_MAX;
    if (ends[0] == ends[1])
        return edge;
    /* search the corners at the end with the lower index; every edge of the ring has this end */
    const int32_t point = ends[0] < ends[1] ? ends[0] : ends[1];
    for (int64_t i = walk->corners.first[point]; i < walk->corners.first[point + 1]; i++) {
        const int32_t corner = walk->corners.members[i];
        ring_compare(surface, corner, ends, edge, &lowest, &after);
        ring_compare(surface, corner - corner % 3 + (corner + 2) % 3, ends, edge, &lowest, &after);
    }
    return after < INT32_MAX ? after : lowest;
}

/* Queues a piece of a triangle if the search for this vertex has not reached it yet. */
static void piece_reach(WalkWorkspace *workspace, int32_t vertex, int32_t piece, int *queued)
{
    if (workspace->seen[piece] == vertex + 1)
        return;
    workspace->seen[piece] = vertex + 1;
    workspace->queue[(*queued)++] = piece;
}

/* Visits all pieces of the surface that contribute to a vertex, seed points first. Returns the number of
 * pieces evaluated. */
static int vertex_walk(const Walk *walk, WalkWorkspace *workspace, int32_t vertex)
{
    const SurfaceSearch *search = walk->search;
    const WeightSurface *surface = search->surface;
    const SparseRow vertex_row = weight_surface_vertex(surface, vertex);
    int queued = 0;
    if (vertex_row.count < 2 || surface->vertex_component[vertex] < 0)
        return 0;
    /* find the points whose weights differ by less than omega from those of the vertex */
    const double omega = search->options->omega;
    int seeds = 0;
    for (int c = 0; c < walk->clusters.cluster_count; c++) {
        double from_center =
            sqrt(distance2(vertex_row, weight_clusters_point(&walk->clusters, walk->clusters.centers[c])));
        if (from_center > omega + walk->clusters.radii[c])
            continue;
        for (int64_t i = walk->clusters.members.first[c]; i < walk->clusters.members.first[c + 1]; i++) {
            const int point = walk->clusters.members.members[i];
            if (fabs(from_center - walk->clusters.distances[point]) <= omega &&
                distance2(vertex_row, weight_clusters_point(&walk->clusters, point)) < omega * omega)
                workspace->found[seeds++] = point;
        }
    }
    for (int i = 0; i < seeds; i++)
        for (int64_t c = walk->corners.first[workspace->found[i]];
             c < walk->corners.first[workspace->found[i] + 1]; c++) {
            const int32_t piece = walk->corners.members[c] / 3;
            const int32_t corner = surface->corners[3 * (int64_t)surface->triangles[piece]];
            if (surface->vertex_component[corner] == surface->vertex_component[vertex])
                piece_reach(workspace, vertex, piece, &queued);
        }
    /* visit these pieces, then the similar pieces next to them; neighbours are always of one component */
    CenterSum sum = {{0.0}, 0.0};
    weights_scatter(vertex_row, workspace->dense);
    for (int i = 0; i < queued; i++) {
        const int32_t piece = workspace->queue[i];
        double s =
            search_similarity(search, vertex_row, workspace->dense, weight_surface_sample(surface, piece));
        center_add(&sum, surface, piece, s);
        if (s < search->options->cutoff)
            continue;
        for (int32_t edge = 3 * piece; edge < 3 * piece + 3; edge++)
            for (int32_t next = walk->next_edge[edge]; next != edge; next = walk->next_edge[next])
                piece_reach(workspace, vertex, next / 3, &queued);
    }
    weights_unscatter(vertex_row, workspace->dense);
    search->sums[vertex] = sum;
    return queued;
}

static void walk_clear(Walk *walk)
{
    WeightClusters *clusters = &walk->clusters;
    FREE_ALL(clusters->first, clusters->joints, clusters->weights, clusters->centers, clusters->radii,
             clusters->distances, clusters->cluster_of, walk->next_edge);
    grouping_clear(&clusters->members);
    grouping_clear(&walk->corners);
}

Status search_clustered(SurfaceSearch *search)
{
    CLEANUP(walk_clear) Walk walk = {.search = search};
    const WeightSurface *surface = search->surface;
    STATUS_TRY(weight_clusters_build(surface, &walk.clusters));
    const size_t corners = 3 * (size_t)surface->sample_count;
    ALLOCATE(walk.next_edge, corners, "the refined mesh");
    STATUS_TRY(
        grouping_init(surface->pieces, corners, surface->point_count, "the refined mesh", &walk.corners));
    for (int32_t edge = 0; edge < 3 * surface->sample_count; edge++)
        walk.next_edge[edge] = edge_link(&walk, edge);
    /* Process the vertices in file order. Threads take them dynamically, which balances the load; the paper
     * shuffles the vertices instead. */
    const int threads = search->options->threads;
    bool failed = false;
    int64_t count = 0;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(|| : failed) reduction(+ : count)
    {
        WalkWorkspace workspace = {0};
        const size_t samples = (size_t)surface->sample_count;
        workspace.dense = memory_array((size_t)search->joint_count, sizeof *workspace.dense);
        workspace.found = memory_array((size_t)surface->point_count, sizeof *workspace.found);
        workspace.seen = memory_array(samples, sizeof *workspace.seen);
        workspace.queue = memory_array(samples, sizeof *workspace.queue);
        failed = !(workspace.dense && workspace.found && workspace.seen && workspace.queue);
#pragma omp for schedule(dynamic, 16)
        for (int vertex = 0; vertex < surface->vertex_count; vertex++)
            if (!failed && search_wants(search, vertex))
                count += vertex_walk(&walk, &workspace, vertex);
        FREE_ALL(workspace.dense, workspace.found, workspace.seen, workspace.queue);
    }
    search->evaluated = count;
    return failed ? status_out_of_memory("a search for centres") : status_ok();
}
