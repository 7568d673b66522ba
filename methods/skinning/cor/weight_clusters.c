/* Farthest-point clusters of weights, and queries by the triangle inequality (CoR section 3.2). */
#include "methods/skinning/cor/weight_clusters.h"

#include "datasets/base/memory.h"

#include <math.h>
#include <string.h>

static SparseRow weight_clusters_point(const WeightClusters *clusters, int point)
{
    int64_t first = clusters->first[point];
    return (SparseRow){(int)(clusters->first[point + 1] - first), clusters->joints + first,
                       clusters->weights + first};
}

/* Weights of point of the refined mesh to joints [], weights [] or nowhere (NULL); their number is returned.
 */
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

static Status points_gather(const WeightSurface *surface, WeightClusters *clusters)
{
    const int count = surface->point_count;
    clusters->point_count = count;
    clusters->first = memory_array((size_t)count + 1, sizeof *clusters->first);
    if (!clusters->first)
        return status_out_of_memory("the clusters of weights");
    for (int i = 0; i < count; i++)
        clusters->first[i + 1] = clusters->first[i] + point_weights(surface, i, NULL, NULL);
    clusters->joints = memory_array((size_t)clusters->first[count], sizeof *clusters->joints);
    clusters->weights = memory_array((size_t)clusters->first[count], sizeof *clusters->weights);
    if (!clusters->joints || !clusters->weights)
        return status_out_of_memory("the clusters of weights");
    for (int i = 0; i < count; i++)
        point_weights(surface, i, clusters->joints + clusters->first[i],
                      clusters->weights + clusters->first[i]);
    return status_ok();
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

/* Chooses the centres; every point ends with the nearest, the earliest of equals. */
static void centers_choose(WeightClusters *clusters)
{
    int wanted = (int)ceil(sqrt((double)clusters->point_count)), farthest = 0;
    for (int i = 0; i < clusters->point_count; i++)
        clusters->distances[i] = INFINITY;
    while (clusters->cluster_count < wanted && clusters->distances[farthest] > 0.0) {
        const int cluster = clusters->cluster_count++;
        const SparseRow center = weight_clusters_point(clusters, farthest);
        clusters->centers[cluster] = farthest;
        int next = 0;
        for (int i = 0; i < clusters->point_count; i++) {
            double distance = sqrt(distance2(center, weight_clusters_point(clusters, i)));
            if (distance < clusters->distances[i]) {
                clusters->distances[i] = distance;
                clusters->cluster_of[i] = cluster;
            }
            next = clusters->distances[i] > clusters->distances[next] ? i : next;
        }
        farthest = next;
    }
}

Status weight_clusters_build(const WeightSurface *surface, WeightClusters *out)
{
    *out = (WeightClusters){0};
    Status status = points_gather(surface, out);
    const size_t points = (size_t)out->point_count, most = (size_t)ceil(sqrt((double)points));
    if (status.code != STATUS_OK)
        goto done;
    out->centers = memory_array(most, sizeof *out->centers);
    out->radii = memory_array(most, sizeof *out->radii);
    out->distances = memory_array(points, sizeof *out->distances);
    out->cluster_of = memory_array(points, sizeof *out->cluster_of);
    if (!out->centers || !out->radii || !out->distances || !out->cluster_of) {
        status = status_out_of_memory("the clusters of weights");
        goto done;
    }
    if (points > 0)
        centers_choose(out);
    for (size_t i = 0; i < points; i++)
        out->radii[out->cluster_of[i]] = fmax(out->radii[out->cluster_of[i]], out->distances[i]);
    status =
        grouping_make(out->cluster_of, points, out->cluster_count, "the clusters of weights", &out->members);
done:
    if (status.code != STATUS_OK)
        weight_clusters_clear(out);
    return status;
}

void weight_clusters_clear(WeightClusters *clusters)
{
    memory_free(clusters->first);
    memory_free(clusters->joints);
    memory_free(clusters->weights);
    memory_free(clusters->centers);
    memory_free(clusters->radii);
    grouping_clear(&clusters->members);
    memory_free(clusters->distances);
    memory_free(clusters->cluster_of);
    *clusters = (WeightClusters){0};
}

int weight_clusters_query(const WeightClusters *clusters, SparseRow row, double omega, int32_t *found)
{
    int count = 0;
    for (int c = 0; c < clusters->cluster_count; c++) {
        double from_center = sqrt(distance2(row, weight_clusters_point(clusters, clusters->centers[c])));
        if (from_center > omega + clusters->radii[c])
            continue;
        for (int64_t i = clusters->members.first[c]; i < clusters->members.first[c + 1]; i++) {
            const int point = clusters->members.members[i];
            if (fabs(from_center - clusters->distances[point]) <= omega &&
                distance2(row, weight_clusters_point(clusters, point)) < omega * omega)
                found[count++] = point;
        }
    }
    return count;
}
