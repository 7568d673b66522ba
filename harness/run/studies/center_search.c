/* Measures the time to precompute centres of rotation (CoR Table 1), and their distance from those of a
 * brute-force search. Runs `precompute` of the method cor with the row's settings. The brute-force search
 * runs at every `stride`-th vertex, and its time is extrapolated to all vertices. Distances are fractions
 * of the bounding box's diagonal. */

#include "harness/measure/timing/statistics.h"
#include "harness/run/studies/center_rig.h"

enum { REPEATS_MAX = 15 };

/* Times the brute-force search at every stride-th vertex and extrapolates to all vertices. *time_s is the
 * extrapolated time, without the preparation. *each_s is the time per vertex and surface piece. *terms is
 * the extrapolated number of evaluated terms. */
static Status brute_force_time(CenterRig *search, double *time_s, double *each_s, double *terms)
{
    ParameterValues brute = search->options.parameters;
    double counts[SKINNING_COUNTERS_MAX], before_s = 0.0, sample_s = 0.0;
    const int vertices = search->mesh->vertex_count;
    const SkinningMethod *method = search->options.entry->method;
    STATUS_TRY(parameters_set(method->parameters, "cor", "search=brute-force", &brute));
    if (search->stride > 1)
        STATUS_TRY(center_rig_search(search, &brute, vertices > 1 ? vertices : 2, counts, &before_s));
    STATUS_TRY(center_rig_search(search, &brute, search->stride, counts, &sample_s));
    const double looked_at = ceil((double)vertices / search->stride);
    *time_s = before_s + (sample_s - before_s) * vertices / looked_at;
    *each_s = (sample_s - before_s) / looked_at;
    *terms = center_rig_terms(search, counts) * vertices / looked_at;
    return status_ok();
}

/* Appends the distances between two sets of points [N][3] at every stride-th vertex. */
static void distances_add(const CenterRig *search, const float *one, const float *other, double *distances,
                          size_t *count)
{
    for (int v = 0; v < search->mesh->vertex_count; v += search->stride)
        distances[(*count)++] = vec3_length(vec3_sub(point_at(one, v), point_at(other, v)));
}

static void quantiles_report(Measures *measures, const char *p99, const char *max, double *distances,
                             size_t count, double diagonal)
{
    if (count == 0)
        return;
    values_sort(distances, count);
    measures_add(measures, p99, quantile_of_sorted(distances, count, 0.99) / diagonal);
    measures_add(measures, max, distances[count - 1] / diagonal);
}

Status study_center_search(const StudyInput *input, Measures *measures)
{
    CLEANUP(center_rig_clear) CenterRig search = {0};
    STATUS_TRY(center_rig_open(input, &search));
    const int repeats = int_clamp((int)study_number(input, "repeats", 3.0), 1, REPEATS_MAX);
    double times[REPEATS_MAX], counts[SKINNING_COUNTERS_MAX] = {0.0};
    for (int i = 0; i < repeats; i++)
        STATUS_TRY(center_rig_search(&search, &search.options.parameters, 1, counts, &times[i]));
    for (int i = 0; i < search.options.entry->method->precompute_counter_count; i++)
        measures_add(measures, search.options.entry->method->precompute_counters[i].name, counts[i]);
    measures_add_samples(measures, "time_s", times, repeats);
    /* measure how far the centres are from those found by brute force */
    const size_t vertices = (size_t)search.mesh->vertex_count;
    LOCAL_TABLE(double, distances, vertices, CENTER_POSES_MAX, "distances of centres");
    OWNED float *result = search.rig.centers;
    double brute_s = 0.0, each_s = 0.0, terms = 0.0,
           diagonal = bounds_of(search.mesh->rest, search.mesh->vertex_count).diagonal;
    size_t count = 0;
    search.rig.centers = NULL;
    STATUS_TRY(brute_force_time(&search, &brute_s, &each_s, &terms));
    if (!result || !search.rig.centers)
        return bad_input("the method '%s' does not compute centres of rotation",
                         search.options.entry->method->name);
    measures_add_timed(measures, "brute_force_s", brute_s);
    /* Estimate brute force on one thread for a model of the size named in CoR 3.2: 30,000 vertices and
     * twice as many triangles. The number of surface pieces grows with the triangles. Processor time is
     * used, because other work on the machine does not affect it. */
    const double size = 30000.0, triangles = 2.0 * size;
    CenterRig alone = search;
    double all_s = 0.0, each_alone_s = 0.0, all_terms = 0.0;
    alone.options.threads = 1;
    alone.of_processor = true;
    alone.rig.centers = NULL;
    Status status = brute_force_time(&alone, &all_s, &each_alone_s, &all_terms);
    center_rig_clear(&alone);
    measures_add_timed(measures, "brute_force_30000_s",
                       each_alone_s * size * triangles / search.mesh->triangle_count);
    STATUS_TRY(status);
    measures_add(measures, "terms_gain", terms / measures_value(measures, "evaluated"));
    measures_add_timed(measures, "gain", brute_s / measures_value(measures, "time_s"));
    distances_add(&search, result, search.rig.centers, distances, &count);
    quantiles_report(measures, "distance_p99", "distance_max", distances, count, diagonal);
    /* measure how far the skin is from the skin with brute-force centres */
    const size_t poses = (size_t)center_rig_poses(&search.rig);
    count = 0;
    LOCAL_TABLE(float, shapes, poses, 3 * vertices, "poses");
    LOCAL_TABLE(float, exact, poses, 3 * vertices, "poses");
    STATUS_TRY(center_rig_skin(&search, result, shapes));
    STATUS_TRY(center_rig_skin(&search, search.rig.centers, exact));
    for (size_t pose = 0; pose < poses; pose++)
        distances_add(&search, shapes + 3 * pose * vertices, exact + 3 * pose * vertices, distances, &count);
    quantiles_report(measures, "skin_p99", "skin_max", distances, count, diagonal);
    return status_ok();
}
