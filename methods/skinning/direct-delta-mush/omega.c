/* Computes Omega joint by joint. For each joint it smooths the 10 moments w_kj u_k u_k^T, u = (v, 1), with
 * the step lambda, and the weights w_kj with the step kappa. */
#include "methods/skinning/direct-delta-mush/omega.h"

#include "datasets/model/joint_sets.h"
#include "datasets/model/validate.h"
#include "datasets/model/welding.h"

enum { BLOCK_JOINTS = 4, BLOCK_COLUMNS = BLOCK_JOINTS * OMEGA_VALUES };

/* Omega of one joint, stored only for the vertices at which the joint's weight exceeds the threshold. */
typedef struct JointOmega {
    int32_t count;
    int32_t *vertices;
    double *values; /* [count][OMEGA_VALUES] */
} JointOmega;

/* State of the computation. Here N is the number of welded vertices; values_spread copies their values to
 * all vertices in the same place. */
typedef struct OmegaTask {
    Welding welding;
    const Mesh *mesh; /* mesh of the welded vertices */
    const JointSets *sets;
    const OmegaOptions *options;
    Laplacian rotations, translations;
    int joint_count;
    double *places;     /* [N][3] p_i */
    JointOmega *joints; /* [P] */
} OmegaTask;

static void omega_task_clear(OmegaTask *task)
{
    welding_clear(&task->welding);
    laplacian_clear(&task->rotations);
    laplacian_clear(&task->translations);
    for (int joint = 0; task->joints && joint < task->joint_count; joint++) {
        FREE_ALL(task->joints[joint].vertices, task->joints[joint].values);
    }
    FREE_ALL(task->joints, task->places);
}

/* Adds weight * u u^T with u = (v, 1) to `out`. */
static void moment_add(const float *v, double weight, double *out)
{
    const double u[4] = {(double)v[0], (double)v[1], (double)v[2], 1.0};
    for (int row = 0, i = 0; row < 3; row++)
        for (int column = row; column < 3; column++)
            out[i++] += weight * u[row] * u[column];
    for (int i = 0; i < 4; i++)
        out[OMEGA_PLACE + i] += weight * u[i];
}

/* Computes Omega_ij = (1 - alpha) Psi_ij + alpha w'_ij (p, 1) (p, 1)^T. */
static void omega_mix(const double *psi, double weight, const double *place, double alpha, double *out)
{
    const double u[4] = {place[0], place[1], place[2], 1.0};
    for (int row = 0, i = 0; row < 3; row++)
        for (int column = row; column < 3; column++, i++)
            out[i] = (1.0 - alpha) * psi[i] + alpha * weight * u[row] * u[column];
    for (int i = 0; i < 4; i++)
        out[OMEGA_PLACE + i] = (1.0 - alpha) * psi[OMEGA_PLACE + i] + alpha * weight * u[i];
}

/* Computes Omega of joints `first` to first + count - 1; `count` is at most BLOCK_JOINTS. */
static Status joints_find(const OmegaTask *task, int first, int count)
{
    const JointSets *sets = task->sets;
    const OmegaOptions *options = task->options;
    const size_t vertices = (size_t)task->mesh->vertex_count;
    /* the heaviest joint always exceeds this threshold, because weights sum to 1 */
    const double threshold = fmin(options->threshold, 1.0 / (task->joint_count + 1));
    bool used = false;
    LOCAL_TABLE(double, moments, vertices, BLOCK_COLUMNS, "the smoothed moments");
    LOCAL_TABLE(double, smoothed, vertices, BLOCK_JOINTS, "the smoothed weights");
    for (int i = 0; i < sets->vertex_count; i++) {
        const int set = sets->set_of_vertex[i],
                  in_set = sets->first_vertex[set + 1] - sets->first_vertex[set];
        const double *weights = sets->weights + sets->first_weight[set] + i - sets->first_vertex[set];
        const size_t v = (size_t)task->welding.welded_of[sets->vertices[i]];
        if (task->welding.vertex_of[v] != sets->vertices[i])
            continue;
        double sum = 0.0; /* sum of the vertex's weights; differs from 1 only by the rounding of floats */
        for (int k = 0; k < joint_set_size(sets, set); k++)
            sum += weights[(size_t)k * (size_t)in_set];
        for (int k = 0; k < joint_set_size(sets, set); k++) {
            const int column = sets->joints[sets->first_slot[set] + k] - first;
            const double weight = weights[(size_t)k * (size_t)in_set] / (sum != 0.0 ? sum : 1.0);
            if (column < 0 || column >= count)
                continue;
            used = true;
            smoothed[v * BLOCK_JOINTS + (size_t)column] = weight;
            moment_add(task->mesh->rest + 3 * v, weight,
                       moments + v * BLOCK_COLUMNS + (size_t)column * OMEGA_VALUES);
        }
    }
    if (!used)
        return status_ok();
    STATUS_TRY(laplacian_smooth(&task->rotations, options->iterations, BLOCK_COLUMNS, moments));
    STATUS_TRY(laplacian_smooth(&task->translations, options->iterations, BLOCK_JOINTS, smoothed));
    for (int column = 0; column < count; column++) {
        JointOmega *joint = &task->joints[first + column];
        LOCAL_TABLE(double, values, vertices, OMEGA_VALUES, "the matrices of a joint");
        LOCAL_ARRAY(int32_t, members, vertices, "the matrices of a joint");
        int32_t kept = 0;
        for (size_t v = 0; v < vertices; v++) {
            double *matrix = values + (size_t)kept * OMEGA_VALUES;
            omega_mix(moments + v * BLOCK_COLUMNS + (size_t)column * OMEGA_VALUES,
                      smoothed[v * BLOCK_JOINTS + (size_t)column], task->places + 3 * v, options->alpha,
                      matrix);
            if (fabs(matrix[OMEGA_WEIGHT]) > threshold)
                members[kept++] = (int32_t)v;
        }
        joint->count = kept;
        ALLOCATE_TABLE(joint->values, kept, OMEGA_VALUES, "the matrices of a joint");
        ALLOCATE(joint->vertices, kept, "the matrices of a joint");
        memcpy(joint->values, values, (size_t)kept * OMEGA_VALUES * sizeof *values);
        memcpy(joint->vertices, members, (size_t)kept * sizeof *members);
    }
    return status_ok();
}

/* Converts the lists by joint to lists by welded vertex. */
static Status vertices_gather(const OmegaTask *task, JointValues *out)
{
    const size_t vertices = (size_t)task->mesh->vertex_count;
    ALLOCATE(out->first, vertices + 1, "the matrices of the joints");
    LOCAL_ARRAY(int64_t, next, vertices, "the matrices of the joints");
    for (int joint = 0; joint < task->joint_count; joint++)
        for (int32_t i = 0; i < task->joints[joint].count; i++)
            out->first[task->joints[joint].vertices[i] + 1]++;
    for (size_t v = 0; v < vertices; v++) {
        next[v] = out->first[v];
        out->first[v + 1] += out->first[v];
    }
    ALLOCATE(out->joints, out->first[vertices], "the matrices of the joints");
    ALLOCATE_TABLE(out->values, out->first[vertices], OMEGA_VALUES, "the matrices of the joints");
    for (int joint = 0; joint < task->joint_count; joint++)
        for (int32_t i = 0; i < task->joints[joint].count; i++) {
            const int64_t entry = next[task->joints[joint].vertices[i]]++;
            out->joints[entry] = joint;
            memcpy(out->values + entry * OMEGA_VALUES,
                   task->joints[joint].values + (ptrdiff_t)i * OMEGA_VALUES,
                   OMEGA_VALUES * sizeof *out->values);
        }
    return status_ok();
}

/* Copies the values of welded vertices to all vertices in the same place. */
static Status values_spread(const Welding *welding, const JointValues *welded, JointValues *out)
{
    const size_t vertices = (size_t)welding->vertex_count;
    ALLOCATE(out->first, vertices + 1, "the matrices of the joints");
    for (size_t v = 0; v < vertices; v++) {
        const int64_t *first = welded->first + welding->welded_of[v];
        out->first[v + 1] = out->first[v] + first[1] - first[0];
    }
    ALLOCATE(out->joints, out->first[vertices], "the matrices of the joints");
    ALLOCATE_TABLE(out->values, out->first[vertices], OMEGA_VALUES, "the matrices of the joints");
    for (size_t v = 0; v < vertices; v++) {
        const int64_t from = welded->first[welding->welded_of[v]], to = out->first[v];
        const size_t count = (size_t)(out->first[v + 1] - to);
        memcpy(out->joints + to, welded->joints + from, count * sizeof *out->joints);
        memcpy(out->values + to * OMEGA_VALUES, welded->values + from * OMEGA_VALUES,
               count * OMEGA_VALUES * sizeof *out->values);
    }
    return status_ok();
}

Status omega_compute(const Mesh *mesh, const Rig *rig, const OmegaOptions *options, JointValues *out)
{
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    CLEANUP(joint_values_clear) JointValues made = {0};
    CLEANUP(omega_task_clear)
    OmegaTask task = {.sets = &sets, .options = options, .joint_count = rig->joint_count};
    STATUS_TRY(mesh_corners_check(mesh));
    STATUS_TRY(joint_sets_init(rig, mesh->vertex_count, INFLUENCES_BY_JOINT, &sets));
    STATUS_TRY(welding_find(mesh, rig, &task.welding));
    task.mesh = &task.welding.mesh;
    const size_t vertices = (size_t)task.mesh->vertex_count;
    ALLOCATE_TABLE(task.places, vertices, 3, "the smoothed vertices");
    ALLOCATE(task.joints, rig->joint_count, "the matrices of the joints");
    STATUS_TRY(
        laplacian_init(task.mesh, options->laplacian, STEPS_IMPLICIT, options->lambda, &task.rotations));
    STATUS_TRY(
        laplacian_init(task.mesh, options->laplacian, STEPS_IMPLICIT, options->kappa, &task.translations));
    /* compute p_i, the sum of the last column of Psi_ij over all joints */
    LOCAL_TABLE(double, sums, vertices, 4, "the smoothed vertices");
    for (size_t v = 0; v < vertices; v++) {
        for (size_t axis = 0; axis < 3; axis++)
            sums[4 * v + axis] = (double)task.mesh->rest[3 * v + axis];
        sums[4 * v + 3] = 1.0;
    }
    STATUS_TRY(laplacian_smooth(&task.rotations, options->iterations, 4, sums));
    for (size_t v = 0; v < vertices; v++)
        for (size_t axis = 0; axis < 3; axis++)
            task.places[3 * v + axis] = sums[4 * v + axis] / sums[4 * v + 3];
    const int blocks = (rig->joint_count + BLOCK_JOINTS - 1) / BLOCK_JOINTS;
    const int threads = int_max(1, int_min(options->threads, blocks));
    Status failure = status_ok();
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        Status status = status_ok();
#pragma omp for schedule(dynamic, 1)
        for (int block = 0; block < blocks; block++)
            if (status.code == STATUS_OK)
                status = joints_find(&task, block * BLOCK_JOINTS,
                                     int_min(BLOCK_JOINTS, rig->joint_count - block * BLOCK_JOINTS));
#pragma omp critical(omega_failure)
        if (status.code != STATUS_OK)
            failure = status;
    }
    STATUS_TRY(failure);
    STATUS_TRY(vertices_gather(&task, &made));
    if (welding_joins(&task.welding))
        return values_spread(&task.welding, &made, out);
    *out = made;
    made = (JointValues){0};
    return status_ok();
}
