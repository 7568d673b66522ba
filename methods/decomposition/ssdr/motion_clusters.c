/* Clusters vertices that move alike by repeatedly splitting clusters in two. The motions of the clusters
 * are the initial bones of Le and Deng 2012. */
#include "methods/decomposition/ssdr/ssdr_steps.h"

enum { ROUNDS = 4 };

/* Splits the clusters of largest error, at most `max` of them; *split receives the number of clusters
 * split. The seed of a new cluster is the vertex with the largest product of distance from the centre, root
 * of its error and a random factor. The new cluster takes the vertices nearer to the seed than to the
 * centre. */
static Status clusters_split(const SkinFit *fit, int max, Random *random, int32_t *label_of,
                             const double *errors, int *split)
{
    const int clusters = fit->bone_count;
    LOCAL_TABLE(double, middles, clusters, 3, "the clusters");
    LOCAL_ARRAY(double, sums, clusters, "the clusters");
    LOCAL_ARRAY(double, scores, clusters, "the clusters");
    LOCAL_ARRAY(int32_t, seeds, clusters, "the clusters");
    LOCAL_ARRAY(int32_t, sizes, clusters, "the clusters");
    LOCAL_ARRAY(int32_t, halves, clusters, "the clusters");
    for (int i = 0; i < fit->vertex_count; i++) {
        sizes[label_of[i]]++;
        sums[label_of[i]] += errors[i];
        for (int axis = 0; axis < 3; axis++)
            middles[3 * label_of[i] + axis] += fit->rest[(ptrdiff_t)3 * i + axis];
    }
    for (int i = 0; i < 3 * clusters; i++)
        middles[i] /= int_max(sizes[i / 3], 1);
    for (int i = 0; i < fit->vertex_count; i++) {
        const double *v = fit->rest + (ptrdiff_t)3 * i, *middle = middles + (ptrdiff_t)3 * label_of[i];
        const double dx = v[0] - middle[0], dy = v[1] - middle[1], dz = v[2] - middle[2];
        const double chance = random ? random_unit(random) : 1.0;
        const double score = chance * sqrt(errors[i] * (dx * dx + dy * dy + dz * dz));
        if (score > scores[label_of[i]]) {
            scores[label_of[i]] = score;
            seeds[label_of[i]] = i;
        }
    }
    *split = 0;
    for (int cluster = 0; cluster < clusters; cluster++) {
        int worse = 0;
        for (int other = 0; other < clusters; other++)
            worse += scores[other] > 0.0 &&
                     (sums[other] > sums[cluster] || (sums[other] == sums[cluster] && other < cluster));
        halves[cluster] = scores[cluster] > 0.0 && worse < max ? clusters + (*split)++ : -1;
    }
    for (int i = 0; i < fit->vertex_count; i++) {
        const int label = label_of[i];
        if (halves[label] < 0)
            continue;
        const double *v = fit->rest + (ptrdiff_t)3 * i, *seed = fit->rest + (ptrdiff_t)3 * seeds[label];
        double nearer = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double to_seed = v[axis] - seed[axis], to_middle = v[axis] - middles[3 * label + axis];
            nearer += to_middle * to_middle - to_seed * to_seed;
        }
        if (nearer > 0.0)
            label_of[i] = halves[label];
    }
    return status_ok();
}

Status motion_clusters_make(SkinFit *fit, int wanted, bool rigid, uint64_t start)
{
    Random random = {start};
    LOCAL_ARRAY(int32_t, label_of, fit->vertex_count, "the clusters");
    LOCAL_ARRAY(double, errors, fit->vertex_count, "the clusters");
    for (int clusters = 1, split = 1; split > 0;) {
        const int before = fit->bone_count;
        for (int round = 0; round < ROUNDS; round++) {
            CLEANUP(groups_clear) Groups groups = {0};
            STATUS_TRY(groups_of_vertices(label_of, fit->vertex_count, clusters, &groups));
            STATUS_TRY(skin_fit_maps(fit, &groups, rigid));
            STATUS_TRY(skin_fit_assign(fit, label_of, errors));
            clusters = fit->bone_count;
        }
        if (clusters <= before) /* stop if the split clusters have merged again */
            break;
        STATUS_TRY(
            clusters_split(fit, wanted - clusters, start > 0 ? &random : NULL, label_of, errors, &split));
        clusters += split;
    }
    STATUS_TRY(skin_fit_reseed(fit, wanted, rigid, label_of));
    for (ptrdiff_t i = 0; i < fit->vertex_count; i++) {
        fit->bones[i * fit->influence_count] = label_of[i];
        fit->weights[i * fit->influence_count] = 1.0;
    }
    return status_ok();
}
