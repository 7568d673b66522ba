/* What it takes to compute centres of rotation ahead (CoR Table 1) and how near they come to brute force: the
 * method cor's `precompute` with the row's `set`, against its search=brute-force at every `stride`-th vertex,
 * from whose time that of all vertices is estimated. A distance is a share of the bounding box' diagonal. */
#include "harness/studies/study.h"

#include "datasets/base/clock.h"
#include "datasets/base/memory.h"
#include "datasets/geometry/points.h"
#include "harness/timing/statistics.h"
#include <float.h>
#include <math.h>

enum { POSES_MAX = 8, REPEATS_MAX = 15 };

typedef struct SearchStudy {
    SkinnerOptions options; /* of the method cor, with the row's `set` */
    const Mesh *mesh;
    Rig rig; /* borrowed but for its centres */
    int stride;
} SearchStudy;

/* One search; its centres replace those of the rig. counts [SKINNING_COUNTERS_MAX] */
static Status centers_time(SearchStudy *search, const ParameterValues *parameters, int stride, double *counts,
                           double *time_s)
{
    const SkinningPrecomputation work = {.mesh = search->mesh,
                                         .parameters = parameters->values,
                                         .threads = search->options.threads,
                                         .stride = stride};
    double start_s = clock_now_s();
    Status status = search->options.entry->method->precompute(&work, &search->rig, counts);
    *time_s = clock_now_s() - start_s;
    return status;
}

static Status search_time(const StudyInput *input, SearchStudy *search, Measures *measures)
{
    const double asked = study_number(input, "repeats", 3.0);
    const int repeats = (int)fmax(1.0, fmin(asked, REPEATS_MAX));
    double times[REPEATS_MAX], counts[SKINNING_COUNTERS_MAX] = {0.0};
    for (int i = 0; i < repeats; i++) {
        Status status = centers_time(search, &search->options.parameters, 1, counts, &times[i]);
        if (status.code != STATUS_OK)
            return status;
    }
    for (int i = 0; i < search->options.entry->method->precompute_counter_count; i++)
        measures_add(measures, search->options.entry->method->precompute_counters[i].name, counts[i]);
    measures_add_samples(measures, "time_s", times, repeats);
    return status_ok();
}

/* Brute force at every stride-th vertex, and the time of all: what the vertices looked at take, without what
 * comes before them, times as many. */
static Status brute_force_time(SearchStudy *search, double *time_s)
{
    ParameterValues brute = search->options.parameters;
    double counts[SKINNING_COUNTERS_MAX], before_s = 0.0, sample_s = 0.0;
    const int vertices = search->mesh->vertex_count;
    const SkinningMethod *method = search->options.entry->method;
    Status status;
    STATUS_TRY(
        parameters_set(method->parameters, method->parameter_count, "cor", "search=brute-force", &brute));
    if (search->stride > 1)
        STATUS_TRY(centers_time(search, &brute, vertices > 1 ? vertices : 2, counts, &before_s));
    STATUS_TRY(centers_time(search, &brute, search->stride, counts, &sample_s));
    *time_s = before_s + (sample_s - before_s) * vertices / ceil((double)vertices / search->stride);
done:
    return status;
}

/* Quantiles of the distances at every stride-th vertex. one, other [N][3] */
static void distances_add(const SearchStudy *search, const float *one, const float *other, double *distances,
                          size_t *count)
{
    for (size_t v = 0; v < (size_t)search->mesh->vertex_count; v += (size_t)search->stride) {
        double sum = 0.0;
        for (size_t axis = 0; axis < 3; axis++)
            sum += pow((double)one[3 * v + axis] - (double)other[3 * v + axis], 2.0);
        distances[(*count)++] = sqrt(sum);
    }
}

static void quantiles_report(Measures *measures, const char *p99, const char *most, double *distances,
                             size_t count, double diagonal)
{
    if (count == 0)
        return;
    values_sort(distances, count);
    measures_add(measures, p99, quantile_of_sorted(distances, count, 0.99) / diagonal);
    measures_add(measures, most, distances[count - 1] / diagonal);
}

/* The poses that are compared: POSES_MAX, spread over the frames. */
static int pose_count(const Rig *rig)
{
    return rig->frame_count < POSES_MAX ? rig->frame_count : POSES_MAX;
}

/* Skins the poses with these centres: positions [poses][N][3]. */
static Status poses_skin(const SearchStudy *search, float *centers, float *positions)
{
    Rig rig = search->rig;
    rig.centers = centers;
    SkinnerOptions options = search->options;
    options.parameters =
        parameters_default(options.entry->method->parameters, options.entry->method->parameter_count);
    Skinner *skinner = NULL;
    Status status;
    STATUS_TRY(skinner_create(&options, search->mesh, &rig, &skinner));
    for (int pose = 0; pose < pose_count(&rig); pose++) {
        const int frame = (int)((int64_t)pose * rig.frame_count / pose_count(&rig));
        STATUS_TRY(skinner_pose(skinner, rig.transforms + (size_t)frame * (size_t)rig.joint_count, NULL, 1));
        STATUS_TRY(skinner_skin(skinner));
        STATUS_TRY(skinner_read(skinner, 0, positions + 3 * (size_t)pose * (size_t)search->mesh->vertex_count,
                                NULL));
    }
done:
    skinner_free(skinner);
    return status;
}

/* How far the skin is from that of the true centres. */
static Status skins_compare(const SearchStudy *search, float *own, float *truth, double *distances,
                            double diagonal, Measures *measures)
{
    const size_t poses = (size_t)pose_count(&search->rig), vertices = (size_t)search->mesh->vertex_count;
    float *skins[2] = {memory_table(poses, vertices, 3 * sizeof(float)),
                       memory_table(poses, vertices, 3 * sizeof(float))};
    size_t count = 0;
    Status status = skins[0] && skins[1] ? status_ok() : status_out_of_memory("poses");
    STATUS_TRY(status);
    STATUS_TRY(poses_skin(search, own, skins[0]));
    STATUS_TRY(poses_skin(search, truth, skins[1]));
    for (size_t pose = 0; pose < poses; pose++)
        distances_add(search, skins[0] + 3 * pose * vertices, skins[1] + 3 * pose * vertices, distances,
                      &count);
    quantiles_report(measures, "skin_p99", "skin_max", distances, count, diagonal);
done:
    memory_free(skins[0]);
    memory_free(skins[1]);
    return status;
}

static Status search_compare(SearchStudy *search, Measures *measures)
{
    const size_t vertices = (size_t)search->mesh->vertex_count;
    double *distances = memory_table(vertices, POSES_MAX, sizeof *distances);
    float *own = search->rig.centers;
    double brute_s = 0.0, diagonal = bounds_of(search->mesh->rest, search->mesh->vertex_count).diagonal;
    size_t count = 0;
    search->rig.centers = NULL;
    Status status = distances ? status_ok() : status_out_of_memory("distances of centres");
    STATUS_TRY(status);
    STATUS_TRY(brute_force_time(search, &brute_s));
    if (!own || !search->rig.centers)
        STATUS_TRY(status_make(STATUS_BAD_INPUT, "the method '%s' computes no centres",
                               search->options.entry->method->name));
    measures_add(measures, "brute_force_s", brute_s);
    measures_add(measures, "gain", brute_s / measures_value(measures, "time_s"));
    distances_add(search, own, search->rig.centers, distances, &count);
    quantiles_report(measures, "distance_p99", "distance_max", distances, count, diagonal);
    STATUS_TRY(skins_compare(search, own, search->rig.centers, distances, diagonal, measures));
done:
    memory_free(distances);
    memory_free(own);
    return status;
}

static Status center_search_run(const StudyInput *input, Measures *measures)
{
    SearchStudy search = {.mesh = NULL};
    if (!input->subject || input->subject->dataset->rig.joint_count == 0)
        return status_make(STATUS_BAD_INPUT, "there is no rig to compute centres for");
    Status status = status_ok();
    const Dataset *dataset = input->subject->dataset;
    search = (SearchStudy){
        .mesh = &dataset->mesh, .rig = dataset->rig, .stride = (int)study_number(input, "stride", 1.0)};
    search.rig.centers = NULL;
    STATUS_TRY(study_method(input, "cor", "set", &search.options));
    if (!search.options.entry->method->precompute)
        STATUS_TRY(status_make(STATUS_UNAVAILABLE, "the method 'cor' computes nothing ahead"));
    if (search.stride < 1) {
        status = status_make(STATUS_BAD_INPUT, "stride is %d, expected 1 or more", search.stride);
        goto done;
    }
    STATUS_TRY(search_time(input, &search, measures));
    STATUS_TRY(search_compare(&search, measures));
done:
    memory_free(search.rig.centers);
    return status;
}

const Study study_center_search = {"center-search",
                                   "time and accuracy of computing centres of rotation ahead (CoR Table 1)",
                                   center_search_run};
