/* SMA (skinning mesh animations): finds near-rigid parts by mean shift on the rotations of triangles, makes
 * a bone for each part, and solves for weights by non-negative least squares. */
#include "methods/decomposition/sma/mean_shift.h"
#include "methods/fitting/skin_fit.h"

typedef enum SmaParameter {
    SMA_PRESET,
    SMA_KERNEL,
    SMA_BANDWIDTH,
    SMA_SAMPLES,
    SMA_DRAW,
    SMA_SMALLEST,
    SMA_SPLIT,
    SMA_SURPLUS,
    SMA_TRANSFORMS,
    SMA_CHOICE,
    SMA_PENALTY,
    SMA_TRUNCATE,
    SMA_REST_POSE,
    SMA_PARAMETER_COUNT
} SmaParameter;

static const char *const preset_words[] = {
    "best", "", "paper", "kernel=fams split=no surplus=1 choice=prediction rest-pose=first", NULL};
static const char *const kernel_words[] = {"flat", "fams", NULL};
static const char *const transforms_words[] = {"affine", "rigid", NULL};
static const char *const choice_words[] = {"greedy", "prediction", NULL};

static const Parameter parameters[SMA_PARAMETER_COUNT + 1] = {
    [SMA_PRESET] = {"preset", "best: the best this method can do; paper: the published algorithm",
                    PARAMETER_PRESET, 0, 0, 0, preset_words},
    [SMA_KERNEL] = {"kernel",
                    "kernel of mean shift; fams: (1 - distance / bandwidth)^2, as in the public program FAMS",
                    PARAMETER_CHOICE, 0, 0, 0, kernel_words},
    [SMA_BANDWIDTH] = {"bandwidth",
                       "bandwidth of mean shift, a root mean square Frobenius distance of rotations; "
                       "0: search for the bandwidth that gives the requested number of bones",
                       PARAMETER_REAL, 0, 0, 3, NULL},
    [SMA_SAMPLES] = {"samples",
                     "maximum number of random triangles that represent all triangles in mean shift",
                     PARAMETER_INTEGER, 1024, 1, 100000, NULL},
    [SMA_DRAW] = {"draw", "selects, together with --seed, the random triangles and the projection",
                  PARAMETER_INTEGER, 0, 0, 1e6, NULL},
    [SMA_SMALLEST] = {"smallest",
                      "a mesh part counts if its area is at least this share of total area / number of bones",
                      PARAMETER_REAL, 0.05, 0, 1, NULL},
    [SMA_SPLIT] = {"split", "split clusters whose triangles are not connected", PARAMETER_FLAG, 1, 0, 0,
                   NULL},
    [SMA_SURPLUS] = {"surplus",
                     "number of mesh parts from which bones are chosen, divided by the number of bones",
                     PARAMETER_REAL, 10, 1, 100, NULL},
    [SMA_TRANSFORMS] = {"transforms",
                        "affine bones (James and Twigg: flexible), or rigid bones (a rotation and a "
                        "translation in each frame)",
                        PARAMETER_CHOICE, 0, 0, 0, transforms_words},
    [SMA_CHOICE] = {"choice",
                    "how bones are chosen for a vertex: greedily, or by their individual predictions",
                    PARAMETER_CHOICE, 0, 0, 0, choice_words},
    [SMA_PENALTY] =
        {"penalty",
         "penalty if weights do not sum to 1, in units of the mean square of the bones' predictions",
         PARAMETER_REAL, 10, 0, 1e9, NULL},
    [SMA_TRUNCATE] = {"truncate",
                      "weights by the truncated SVD, without singular values below this fraction of the "
                      "largest; 0: by non-negative least squares",
                      PARAMETER_REAL, 0, 0, 1, NULL},
    [SMA_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

/* ---- near-rigid parts of the mesh ---- */

typedef struct Parts {
    int count;     /* at least 1 */
    double *sizes; /* [count] area of each part of the mesh. Unlike the number of triangles, the area does not
                      depend on how finely a part is meshed. */
    int32_t
        *part_of; /* [triangles of the sketch] part of the mesh to which each triangle belongs; -1: none */
} Parts;

static void parts_clear(Parts *parts)
{
    FREE_ALL(parts->sizes, parts->part_of);
    *parts = (Parts){0};
}

/* Makes the parts of the mesh from core triangles, which lie within the bandwidth of their cluster's mode.
 * If `incidence` is given, core triangles of a cluster that are not connected form separate parts. If it is
 * NULL, each cluster is one part. If there is no core triangle, all triangles form one part. Release with
 * parts_clear. */
static Status parts_init(const RotationSketch *sketch, const Cells *cells, const Clusters *clusters,
                         double bandwidth, const Grouping *incidence, Parts *out)
{
    size_t count = (size_t)sketch->count;
    LOCAL_ARRAY(int32_t, labels, count, "the parts of the mesh");
    LOCAL_ARRAY(int32_t, parents, count, "the parts of the mesh");
    LOCAL_ARRAY(int32_t, first, clusters->count, "the parts of the mesh");
    *out = (Parts){0};
    ALLOCATE(out->sizes, count, "the parts of the mesh");
    ALLOCATE(out->part_of, count, "the parts of the mesh");
    /* find the cluster of each triangle, or -1 if it is not a core triangle */
    for (int i = 0; i < sketch->count; i++) {
        const double *point = sketch->points + (ptrdiff_t)i * SKETCH_SIZE;
        labels[i] = clusters->cluster_of[cells->cell_of[i]];
        const double *mode = clusters->modes + (ptrdiff_t)labels[i] * SKETCH_SIZE;
        double square = 0.0;
        for (int k = 0; k < SKETCH_SIZE; k++)
            square += (point[k] - mode[k]) * (point[k] - mode[k]);
        if (square > bandwidth * bandwidth)
            labels[i] = -1;
    }
    union_find_init(parents, sketch->count);
    if (incidence) {
        /* join triangles of the same cluster that share a vertex; the root of a set is its lowest
         * triangle */
        for (int vertex = 0; vertex < incidence->group_count; vertex++)
            for (int64_t a = incidence->first[vertex]; a < incidence->first[vertex + 1]; a++)
                for (int64_t b = incidence->first[vertex]; b < a; b++) {
                    int32_t one = incidence->members[a] / 3, other = incidence->members[b] / 3;
                    if (labels[one] >= 0 && labels[one] == labels[other])
                        union_find_union(parents, one, other);
                }
    } else {
        /* join all triangles of the same cluster */
        for (int i = sketch->count - 1; i >= 0; i--)
            if (labels[i] >= 0)
                first[labels[i]] = i;
        for (int i = 0; i < sketch->count; i++)
            if (labels[i] >= 0)
                parents[i] = first[labels[i]];
    }
    /* number the parts by the index of their lowest triangle; without a core triangle, all form one part */
    for (int i = 0; i < sketch->count; i++) {
        const int32_t root = labels[i] < 0 ? -1 : union_find_root(parents, i);
        out->part_of[i] = root < 0 ? -1 : (root == i ? out->count++ : out->part_of[root]);
    }
    if (out->count == 0) {
        out->count = 1;
        memset(out->part_of, 0, count * sizeof *out->part_of);
    }
    for (int i = 0; i < sketch->count; i++)
        if (out->part_of[i] >= 0)
            out->sizes[out->part_of[i]] += sketch->areas[i];
    return status_ok();
}

/* A search for the bandwidth of mean shift that gives the wanted number of parts. */
typedef struct BandwidthSearch {
    const DecompositionOptions *options;
    const RotationSketch *sketch;
    const Grouping *incidence; /* corners of the triangles at each vertex; NULL if clusters are not split */
    Cells cells;
    int wanted;        /* parts */
    double smallest;   /* minimum area of a part of the mesh that counts */
    double deadline_s; /* time of clock_now_s at which the search must end and keep its best result so far; 0:
                          no limit */
    Parts best;
    int best_count; /* number of parts in `best` that are large enough to count; -1 before the first bandwidth
                       is tried */
} BandwidthSearch;

static void bandwidth_search_clear(BandwidthSearch *search)
{
    cells_clear(&search->cells);
    parts_clear(&search->best);
}

static int count_of(const Parts *parts, double smallest)
{
    int count = 0;
    for (int i = 0; i < parts->count; i++)
        count += parts->sizes[i] >= smallest;
    return count;
}

/* Returns whether a bandwidth that gives `count` parts is better than one that gives `than` parts. A number
 * of parts that reaches `wanted` beats one below `wanted`. Otherwise the number nearer to `wanted` is
 * better. */
static bool count_better(int count, int than, int wanted)
{
    if (than < 0 || (count >= wanted) != (than >= wanted))
        return than < 0 || count >= wanted;
    return count >= wanted ? count < than : count > than;
}

/* Tries a bandwidth and keeps the result if it is better. *splittable receives whether narrower bandwidths
 * may give more parts. */
static Status search_try(BandwidthSearch *search, double bandwidth, int *count, bool *splittable)
{
    CLEANUP(clusters_clear) Clusters clusters = {0};
    CLEANUP(parts_clear) Parts parts = {0};
    STATUS_TRY(mean_shift(&search->cells, (MeanShiftKernel)search->options->parameters[SMA_KERNEL], bandwidth,
                          search->options->threads, &clusters));
    STATUS_TRY(parts_init(search->sketch, &search->cells, &clusters, bandwidth, search->incidence, &parts));
    *count = count_of(&parts, search->smallest);
    *splittable = clusters.count < search->cells.count;
    if (count_better(*count, search->best_count, search->wanted)) {
        parts_clear(&search->best);
        search->best = parts;
        search->best_count = *count;
        parts = (Parts){0};
    }
    return status_ok();
}

/* Reports progress and sets *continues to whether the search may go on. Fails with STATUS_STOPPED if the
 * user stopped it. */
static Status progress_check(const BandwidthSearch *search, double share, bool *continues)
{
    STATUS_TRY(decomposition_ask(search->options, "mean shift", share));
    *continues = search->best_count < 0 || search->deadline_s == 0.0 || clock_now_s() < search->deadline_s;
    return status_ok();
}

static Status search_run(BandwidthSearch *search)
{
    enum { SCANS = 24, HALVINGS = 6 };
    const double WIDEST = 2.0, SHRINK = 0.75;
    int wanted = search->wanted, count = 0;
    double narrow = WIDEST, wide = WIDEST;
    bool splittable = true, continues = true;
    for (int scan = 0; scan < SCANS && count < wanted && splittable; scan++) {
        STATUS_TRY(progress_check(search, 0.2 + 0.3 * scan / SCANS, &continues));
        if (!continues)
            return status_ok();
        wide = narrow;
        narrow = WIDEST * pow(SHRINK, scan);
        STATUS_TRY(search_try(search, narrow, &count, &splittable));
    }
    for (int halving = 0; halving < HALVINGS && search->best_count > wanted; halving++) {
        STATUS_TRY(progress_check(search, 0.5 + 0.2 * halving / HALVINGS, &continues));
        if (!continues)
            return status_ok();
        double middle = sqrt(narrow * wide);
        STATUS_TRY(search_try(search, middle, &count, &splittable));
        *(count >= wanted ? &narrow : &wide) = middle;
    }
    return status_ok();
}

/* Runs mean shift with the given bandwidth, or searches for one. The search narrows the bandwidth until
 * there are enough parts. Then it bisects the last interval for the wanted number of parts, or slightly
 * more. If no bandwidth gives enough parts, small parts count too. The `wanted` largest parts are kept.
 * Fails with STATUS_STOPPED if the progress callback asks to stop. */
static Status parts_find(BandwidthSearch *search)
{
    const double bandwidth = search->options->parameters[SMA_BANDWIDTH];
    Parts *best = &search->best;
    int count = 0, kept = 0;
    bool splittable = false;
    if (bandwidth > 0.0)
        STATUS_TRY(search_try(search, bandwidth, &count, &splittable));
    else
        STATUS_TRY(search_run(search));
    if (bandwidth <= 0.0 &&
        search->best_count < search->wanted) { /* search again, and count small parts this time */
        search->smallest = 0.0;
        search->best_count = count_of(best, 0.0);
        STATUS_TRY(search_run(search));
    }
    /* keep the `wanted` largest parts in their order (of equal ones, the first); the triangles of all other
     * parts get no part */
    LOCAL_ARRAY(int32_t, numbers, best->count, "the parts of the mesh");
    for (int i = 0; i < best->count; i++) {
        int before = 0;
        for (int other = 0; other < best->count; other++)
            before +=
                best->sizes[other] > best->sizes[i] || (best->sizes[other] == best->sizes[i] && other < i);
        numbers[i] = before < search->wanted ? kept++ : -1;
    }
    for (int i = 0; i < best->count; i++)
        if (numbers[i] >= 0)
            best->sizes[numbers[i]] = best->sizes[i];
    for (int i = 0; i < search->sketch->count; i++)
        best->part_of[i] = best->part_of[i] < 0 ? -1 : numbers[best->part_of[i]];
    best->count = kept;
    return status_ok();
}

/* Finds near-rigid parts by mean shift on the rotations of the triangles. A mesh without triangles has no
 * rotations: all its vertices form one part. */
static Status sma_cluster(const DecompositionInput *input, const DecompositionOptions *options,
                          const RotationSketch *sketch, uint64_t seed, double started_s, Groups *groups)
{
    static const char what[] = "the triangles of the bones";
    const Mesh *mesh = input->mesh;
    if (sketch->count == 0) {
        LOCAL_ARRAY(int32_t, group_of, mesh->vertex_count, what);
        return groups_of_vertices(group_of, mesh->vertex_count, 1, groups);
    }
    const size_t corners = 3 * (size_t)sketch->count;
    const double limit_s = options->time_limit_s;
    const double wanted = ceil(options->parameters[SMA_SURPLUS] * options->bones);
    CLEANUP(grouping_clear) Grouping incidence = {0};
    CLEANUP(bandwidth_search_clear)
    BandwidthSearch search = {.options = options,
                              .sketch = sketch,
                              .incidence = options->parameters[SMA_SPLIT] != 0.0 ? &incidence : NULL,
                              .wanted = wanted < sketch->count ? (int)wanted : sketch->count,
                              .smallest = options->parameters[SMA_SMALLEST] * sketch->area / options->bones,
                              .deadline_s = limit_s > 0.0 ? started_s + limit_s : 0.0,
                              .best_count = -1};
    LOCAL_ARRAY(int32_t, part_of, corners, what);
    STATUS_TRY(
        cells_sample(sketch, (int)options->parameters[SMA_SAMPLES], seed, options->threads, &search.cells));
    /* corner i (0, 1 or 2) of triangle t of the sketch has index 3 t + i */
    for (size_t i = 0; i < corners; i++)
        part_of[i] = mesh->triangles[3 * (size_t)sketch->triangles[i / 3] + i % 3];
    STATUS_TRY(grouping_init(part_of, corners, mesh->vertex_count, what, &incidence));
    STATUS_TRY(parts_find(&search));
    /* collect the corners of each part's triangles, weighted by area */
    Grouping *vertices = &groups->vertices;
    *groups = (Groups){0};
    ALLOCATE(groups->masses, corners, what);
    for (size_t i = 0; i < corners; i++)
        part_of[i] = search.best.part_of[i / 3];
    STATUS_TRY(grouping_init(part_of, corners, search.best.count, what, vertices));
    for (int64_t member = 0; member < vertices->first[vertices->group_count]; member++) {
        int corner = vertices->members[member] % 3, triangle = vertices->members[member] / 3;
        vertices->members[member] = mesh->triangles[(ptrdiff_t)3 * sketch->triangles[triangle] + corner];
        groups->masses[member] = sketch->areas[triangle];
    }
    return status_ok();
}

static Status sma_fit(const DecompositionInput *input, const DecompositionOptions *options,
                      DecompositionResult *result)
{
    const double started_s = clock_now_s();
    /* random seed; the parameter `draw` changes it, and draw 0 keeps the seed of the options */
    const uint64_t seed = options->seed + ((uint64_t)options->parameters[SMA_DRAW] << 32);
    CLEANUP(rotation_sketch_clear) RotationSketch sketch = {0};
    CLEANUP(groups_clear) Groups groups = {0};
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    STATUS_TRY(decomposition_result_begin(result, options->bones, 0));
    STATUS_TRY(decomposition_ask(options, "rotations", 0.0));
    STATUS_TRY(rotation_sketch_init(input->mesh, input->animation, seed, options->threads, &sketch));
    STATUS_TRY(decomposition_ask(options, "mean shift", 0.2));
    const double clustering_started_s = clock_now_s();
    STATUS_TRY(sma_cluster(input, options, &sketch, seed, started_s, &groups));
    result->clustering_s = clock_now_s() - clustering_started_s;
    /* fit a map to each part, and choose the best maps as bones */
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(skin_fit_maps(&fit, &groups, options->parameters[SMA_TRANSFORMS] != 0.0));
    STATUS_TRY(skin_fit_choose(&fit, options->bones));
    if (options->parameters[SMA_PRESET] == 0.0) {
        LOCAL_ARRAY(int32_t, label_of, fit.vertex_count, "the seeds");
        STATUS_TRY(
            skin_fit_reseed(&fit, options->bones, options->parameters[SMA_TRANSFORMS] != 0.0, label_of));
    }
    result->initialization_s = clock_now_s() - started_s;
    STATUS_TRY(decomposition_ask(options, "weights", 0.8));
    STATUS_TRY(skin_fit_weights(&fit, options->parameters[SMA_CHOICE] == 0.0,
                                options->parameters[SMA_PENALTY], options->parameters[SMA_TRUNCATE]));
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[0]));
    result->end = FIT_COMPLETE;
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod sma_method = {
    .name = "sma",
    .title = "Skinning mesh animations",
    .citation = "James and Twigg 2005, Skinning Mesh Animations",
    .summary = "Finds bones by clustering the motions of triangles with mean shift, then fits the weights.",
    .parameters = parameters,
    .rest_pose_row = SMA_REST_POSE,
    .makes_rig = true,
    .fit = sma_fit,
};
