/* EigenSkin: fits a rig by another method and adds low-rank corrections to its rest pose (Kry, James and
 * Pai 2002). */
#include "datasets/model/evaluate.h"
#include "methods/fitting/correction_solve.h"
#include "methods/fitting/decomposition_method.h"
#include "methods/reduction/reduction.h"

/* Returns the solution x of m x = right by Cramer's rule. The vectors a, b and c are the columns of m. */
static Vec3 solve(Vec3 a, Vec3 b, Vec3 c, Vec3 right, double determinant)
{
    return vec3_make(vec3_dot(right, vec3_cross(b, c)) / determinant,
                     vec3_dot(a, vec3_cross(right, c)) / determinant,
                     vec3_dot(a, vec3_cross(b, right)) / determinant);
}

/* Returns L^-1 e, where L is the linear part of `map`. If L is nearly singular, returns the damped solution
 * (L^T L + s 1)^-1 L^T e. */
static Vec3 pull_back(Transform map, Vec3 e, double least_determinant, int64_t *singular)
{
    const double DAMPING = 0.05;
    Vec3 a = vec3_make(map.m00, map.m10, map.m20), b = vec3_make(map.m01, map.m11, map.m21),
         c = vec3_make(map.m02, map.m12, map.m22);
    double determinant = vec3_dot(a, vec3_cross(b, c));
    double square = (vec3_dot(a, a) + vec3_dot(b, b) + vec3_dot(c, c)) / 3.0;
    if (fabs(determinant) > least_determinant * square * sqrt(square))
        return solve(a, b, c, e, determinant);
    ++*singular;
    if (!(square > 0.0))
        return vec3_make(0.0, 0.0, 0.0);
    double damping = DAMPING * square;
    Vec3 x = vec3_make(vec3_dot(a, a) + damping, vec3_dot(a, b), vec3_dot(a, c));
    Vec3 y = vec3_make(vec3_dot(b, a), vec3_dot(b, b) + damping, vec3_dot(b, c));
    Vec3 z = vec3_make(vec3_dot(c, a), vec3_dot(c, b), vec3_dot(c, c) + damping);
    Vec3 right = vec3_make(vec3_dot(a, e), vec3_dot(b, e), vec3_dot(c, e));
    return solve(x, y, z, right, vec3_dot(x, vec3_cross(y, z)));
}

/* Converts the error of every vertex and frame to a displacement of the rest pose:
 *   u = L^-1 (a - (L v + t)), where L and t are the linear part and the translation of the vertex's blend.
 * If the determinant of L is below least_determinant times that of a rotation of the same size, uses the
 * damped least-squares solution and counts it in *singular.
 *   model  a result with rig and rest pose;
 *   out    F rows, 3N columns, column 3j + axis for vertex j; its values [3N][F] are set */
static void corrections_pull_back(const DecompositionInput *input, const DecompositionResult *model,
                                  Trajectories *out, double least_determinant, int threads, int64_t *singular)
{
    int vertices = input->mesh->vertex_count, frames = out->row_count;
    int64_t sum = 0;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : sum)
    for (int j = 0; j < vertices; j++) {
        float *x = out->values + 3 * (ptrdiff_t)j * frames, *y = x + frames, *z = y + frames;
        Vec3 rest = point_at(model->rest, j);
        for (int frame = 0; frame < frames; frame++) {
            Transform map = rig_blend(&model->rig, frame, j);
            Vec3 target = point_at(input->animation->positions, (ptrdiff_t)frame * vertices + j);
            Vec3 missing = vec3_sub(target, transform_point(map, rest));
            Vec3 change = pull_back(map, missing, least_determinant, &sum);
            x[frame] = (float)change.x;
            y[frame] = (float)change.y;
            z[frame] = (float)change.z;
        }
    }
    *singular += sum;
}

/* Returns the squared error of all vertices with their corrections, summed in a fixed order. With `select`,
 * corrections that increase the error of their vertex in the posed frames are set to zero. */
static Status corrections_select(const DecompositionInput *input, DecompositionResult *model, bool select,
                                 int threads, double *squared_error)
{
    const int vertices = input->mesh->vertex_count;
    LOCAL_ARRAY(double, errors, vertices, "the errors of the vertices");
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int j = 0; j < vertices; j++) {
        const Vec3 rest = point_at(model->rest, j);
        double with = 0.0, without = 0.0;
        for (int frame = 0; frame < input->animation->frame_count; frame++) {
            const Transform map = rig_blend(&model->rig, frame, j);
            const Vec3 target = point_at(input->animation->positions, (ptrdiff_t)frame * vertices + j);
            const Vec3 change =
                low_rank_point(&model->low_rank, frame, vertices, j, vec3_make(0.0, 0.0, 0.0));
            const Vec3 plain = vec3_sub(transform_point(map, rest), target);
            const Vec3 corrected = vec3_sub(transform_point(map, vec3_add(rest, change)), target);
            without += vec3_dot(plain, plain);
            with += vec3_dot(corrected, corrected);
        }
        errors[j] = with;
        if (with <= without || !select)
            continue;
        errors[j] = without;
        for (int k = 0; k < model->low_rank.rank; k++)
            model->low_rank.coefficients[(ptrdiff_t)k * vertices + j] = 0.0f;
    }
    *squared_error = 0.0;
    for (int j = 0; j < vertices; j++)
        *squared_error += errors[j];
    return status_ok();
}

/* Maximum number of displacements that are refined. The cost of a vertex's system grows with the cube of
 * this number, and more displacements gain little. */
enum { REFINED_MAX = 64 };

typedef enum EigenskinParameter {
    EIGENSKIN_PRESET,
    EIGENSKIN_BASE,
    EIGENSKIN_RANK,
    EIGENSKIN_ROUNDS,
    EIGENSKIN_SELECT,
    EIGENSKIN_REST_POSE,
    EIGENSKIN_PARAMETER_COUNT
} EigenskinParameter;

static const char *const preset_words[] = {"best", "", "paper", "rounds=0 select=no rest-pose=first", NULL};
static const char *const base_words[] = {"sma", "sad", "coordinate-descent", NULL};

static const Parameter parameters[EIGENSKIN_PARAMETER_COUNT + 1] = {
    [EIGENSKIN_PRESET] =
        {"preset", "best: the best this method can do; paper: the published algorithm, also for the base",
         PARAMETER_PRESET, 0, 0, 0, preset_words},
    [EIGENSKIN_BASE] =
        {"base", "method that fits the rig; with preset=paper, its preset=paper, otherwise its defaults",
         PARAMETER_CHOICE, 0, 0, 0, base_words},
    [EIGENSKIN_RANK] = {"rank", "number of displacements of the rest pose; each has one factor per frame",
                        PARAMETER_INTEGER, 10, 1, 100000, NULL},
    [EIGENSKIN_ROUNDS] = {"rounds",
                          "number of rounds that fit factors and displacements in turn to the posed frames",
                          PARAMETER_INTEGER, 4, 0, 1000, NULL},
    [EIGENSKIN_SELECT] =
        {"select", "leave out the corrections of a vertex if they increase its error in the posed frames",
         PARAMETER_FLAG, 1, 0, 0, NULL},
    [EIGENSKIN_REST_POSE] = REST_POSE_PARAMETER(REST_POSE_FILE),
};

/* Reports the progress of the base fit as the first part of the progress of the whole fit. */
static bool base_report(void *context, const char *what, double share)
{
    return progress_report(context, what, 0.7 * share);
}

/* Alternates between displacements and their factors. Solves for each by least squares of the error in the
 * posed frames. */
static Status corrections_refine(const DecompositionInput *input, const DecompositionOptions *options,
                                 double started_s, DecompositionResult *result)
{
    FrameSolve solve = {.target = input->animation,
                        .vertex_count = input->mesh->vertex_count,
                        .rest = result->rest,
                        .frame_count = input->animation->frame_count,
                        .rig = &result->rig,
                        .low_rank = &result->low_rank,
                        .threads = options->threads};
    int rounds = (int)options->parameters[EIGENSKIN_ROUNDS];
    LOCAL_ARRAY(int32_t, frames, solve.frame_count, "the frames");
    for (int frame = 0; frame < solve.frame_count; frame++)
        frames[frame] = frame;
    solve.frames = frames;
    for (int round = 0; round < rounds; round++) {
        if (decomposition_must_end(options, started_s, round, "corrections", 0.7 + 0.3 * round / rounds,
                                   &result->end))
            break;
        STATUS_TRY(vertices_solve_corrections(&solve));
        STATUS_TRY(frames_solve_corrections(&solve));
    }
    if (rounds > 0)
        STATUS_TRY(vertices_solve_corrections(&solve));
    return status_ok();
}

static Status eigenskin_fit(const DecompositionInput *input, const DecompositionOptions *options,
                            DecompositionResult *result)
{
    const double started_s = clock_now_s();
    /* The result of the base fit becomes the result of this method. The record of errors then has two
     * entries: the last error of the base fit, and the error with corrections. */
    Progress outer = options->progress ? *options->progress : (Progress){0};
    const Progress progress = {base_report, &outer};
    DecompositionOptions inner_options = *options;
    inner_options.progress = &progress;
    STATUS_TRY(decomposition_fit_other("eigenskin", base_words[(int)options->parameters[EIGENSKIN_BASE]],
                                       options->parameters[EIGENSKIN_PRESET] != 0.0 ? "preset=paper" : NULL,
                                       input, &inner_options, result));
    /* keep only the last error of the base fit */
    LOCAL_ARRAY(double, errors, 2, "the record of errors");
    LOCAL_ARRAY(double, times, 2, "the record of errors");
    errors[0] = result->squared_error[result->iteration_count];
    times[0] = result->initialization_s = clock_now_s() - started_s;
    FREE_ALL(result->squared_error, result->elapsed_s);
    result->squared_error = TAKE(errors);
    result->elapsed_s = TAKE(times);
    result->iteration_count = 0;
    result->sweeps_s = 0.0;
    if (result->end == FIT_STOPPED || !progress_report(options->progress, "corrections", 0.7)) {
        result->end = FIT_STOPPED;
        return status_ok();
    }
    /* compute the errors of the rig as displacements of the rest pose */
    const int vertices = input->mesh->vertex_count, frames = input->animation->frame_count;
    const int rank = (int)options->parameters[EIGENSKIN_RANK];
    CLEANUP(trajectories_clear)
    Trajectories missing = {.row_count = frames, .vertex_count = 3 * vertices, .threads = options->threads};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    int64_t singular = 0;
    ALLOCATE_TABLE(missing.values, 3 * (size_t)vertices, frames, "the errors of the rig");
    ALLOCATE(missing.offset, frames, "the errors of the rig");
    /* A nearly flat blend magnifies displacements, and few basis vectors would be dominated by them. If
     * there are enough basis vectors for all displacements, the magnified ones do no harm. */
    const bool sparse = rank < frames && rank < 3 * vertices;
    corrections_pull_back(input, result, &missing, sparse ? 0.2 : 1e-4, missing.threads, &singular);
    /* approximate the displacements by a few basis vectors */
    const ReductionOptions reducing = {
        .strategy = REDUCTION_GRAM, .dimension_max = rank, .threads = options->threads};
    STATUS_TRY(reduction_of_trajectories(&missing, &reducing, &reduction));
    trajectories_clear(&missing);
    STATUS_TRY(low_rank_of_displacements(&reduction, &result->low_rank));
    if (reduction.dimension <= REFINED_MAX && (sparse || singular > 0))
        STATUS_TRY(corrections_refine(input, options, started_s, result));
    STATUS_TRY(corrections_select(input, result, options->parameters[EIGENSKIN_SELECT] != 0.0,
                                  options->threads, &result->squared_error[1]));
    result->singular_systems += (int)int64_min(singular, INT32_MAX / 2);
    result->iteration_count = 1;
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod eigenskin_method = {
    .name = "eigenskin",
    .title = "EigenSkin corrections",
    .citation = "Kry, James, Pai 2002, EigenSkin; as used in James and Twigg 2005 and in FESAM section 5",
    .summary = "Adds displacements of the rest pose, compressed by a principal component analysis, to the "
               "bones of another fit.",
    .parameters = parameters,
    .rest_pose_row = EIGENSKIN_REST_POSE,
    .makes_rig = true,
    .fit = eigenskin_fit,
};
