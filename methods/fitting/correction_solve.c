/* Sets up and solves the normal equations of one frame or one vertex (correction_solve.h). */
#include "methods/fitting/correction_solve.h"

#include "datasets/model/evaluate.h"
#include "methods/reduction/dense.h"
#include "methods/reduction/reduction.h"

#include <omp.h>

/* Products L^T L and L^T e of one vertex in one frame. L is the linear part of the vertex's blend, and e is
 * the vertex's residual. */
typedef struct Pulled {
    double inner[3][3], back[3];
} Pulled;

static Pulled pulled_make(const FrameSolve *solve, int frame, int vertex)
{
    Transform m = rig_blend(solve->rig, frame, vertex);
    Vec3 e = frame_residual(solve, &m, frame, vertex);
    Vec3 column[3];
    transform_axes(m, column);
    Pulled pulled;
    for (int p = 0; p < 3; p++) {
        pulled.back[p] = vec3_dot(column[p], e);
        for (int q = 0; q < 3; q++)
            pulled.inner[p][q] = vec3_dot(column[p], column[q]);
    }
    return pulled;
}

/* Adds normal equations whose unknowns 3k + axis multiply `factors` [count] along each axis. The factors
 * are a frame's rows of the basis, or a vertex's coefficients. Fills the lower triangle of matrix [3
 * count][3 count]. */
static void coordinates_add(const Pulled *pulled, const double *factors, int count, double *matrix,
                            double *right)
{
    ptrdiff_t n = 3 * (ptrdiff_t)count;
    for (int k = 0; k < count; k++)
        for (int p = 0; p < 3 && factors[k] != 0.0; p++) {
            double *row = matrix + (3 * (ptrdiff_t)k + p) * n;
            right[3 * k + p] += factors[k] * pulled->back[p];
            for (int l = 0; l <= k; l++) {
                double both = factors[k] * factors[l];
                for (int q = 0; q < 3; q++)
                    row[3 * l + q] += both * pulled->inner[p][q];
            }
        }
}

/* Adds normal equations for coefficients of displacement vectors: unknown k is the coefficient of the
 * vector at displacements[3k]. The matrix is [count][count]. */
static void factors_add(const Pulled *pulled, const double *displacements, int count, double *matrix,
                        double *right)
{
    for (int k = 0; k < count; k++) {
        const double *u = displacements + 3 * (ptrdiff_t)k;
        double image[3];
        for (int p = 0; p < 3; p++)
            image[p] = pulled->inner[p][0] * u[0] + pulled->inner[p][1] * u[1] + pulled->inner[p][2] * u[2];
        right[k] += u[0] * pulled->back[0] + u[1] * pulled->back[1] + u[2] * pulled->back[2];
        for (int l = 0; l <= k; l++) {
            const double *v = displacements + 3 * (ptrdiff_t)l;
            matrix[(ptrdiff_t)k * count + l] += image[0] * v[0] + image[1] * v[1] + image[2] * v[2];
        }
    }
}

/* Normal equations of one frame or one vertex, zero at first, and workspace for its values. */
typedef struct System {
    int unknowns;
    double *matrix, *right, *numbers; /* [unknowns][unknowns], [unknowns], [rank] */
} System;

static Status frame_solve_corrections(const FrameSolve *solve, int frame, bool shared, const System *system)
{
    LowRank *model = solve->low_rank;
    ptrdiff_t rank = model->rank;
    bool singular = false;
    for (int i = 0; i < solve->vertex_count; i++) {
        Pulled pulled = pulled_make(solve, frame, i);
        for (ptrdiff_t k = 0; k < rank; k++)
            system->numbers[k] = (double)model->coefficients[k * solve->vertex_count + i];
        if (shared)
            factors_add(&pulled, system->numbers, system->unknowns, system->matrix, system->right);
        else
            coordinates_add(&pulled, system->numbers, model->rank, system->matrix, system->right);
    }
    STATUS_TRY(dense_solve(system->matrix, system->unknowns, system->right, 1, &singular));
    for (ptrdiff_t axis = 0; axis < 3; axis++)
        for (ptrdiff_t k = 0; k < rank; k++) {
            double *cell = model->basis + (3 * frame + axis) * rank + k;
            if (shared)
                *cell = k % 3 == axis ? system->right[k / 3] : 0.0;
            else
                *cell = system->right[3 * k + axis];
        }
    return status_ok();
}

static Status vertex_solve_corrections(const FrameSolve *solve, int vertex, const System *system)
{
    LowRank *model = solve->low_rank;
    int count = model->rank / 3;
    bool singular = false;
    for (int i = 0; i < solve->frame_count; i++) {
        Pulled pulled = pulled_make(solve, solve->frames[i], vertex);
        const double *row = model->basis + (ptrdiff_t)3 * solve->frames[i] * model->rank;
        for (int k = 0; k < count; k++)
            system->numbers[k] = row[3 * k];
        coordinates_add(&pulled, system->numbers, count, system->matrix, system->right);
    }
    STATUS_TRY(dense_solve(system->matrix, system->unknowns, system->right, 1, &singular));
    for (ptrdiff_t k = 0; k < model->rank; k++)
        model->coefficients[k * solve->vertex_count + vertex] = (float)system->right[k];
    return status_ok();
}

/* Solves the listed systems independently. Each system belongs to one frame or to one vertex. */
static Status all_solve(const FrameSolve *solve, bool frames, bool shared, int unknowns)
{
    const int count = frames ? solve->frame_count : solve->vertex_count;
    const size_t size = (size_t)unknowns * (size_t)(unknowns + 1), rank = (size_t)solve->low_rank->rank;
    LOCAL_TABLE(double, work, solve->threads, size + rank, "the corrections of a rest pose");
    Status failure = status_ok();
#pragma omp parallel for schedule(dynamic, 8) num_threads(solve->threads)
    for (int i = 0; i < count; i++) {
        double *matrix = work + (size_t)omp_get_thread_num() * (size + rank);
        const System system = {unknowns, matrix, matrix + (ptrdiff_t)unknowns * unknowns, matrix + size};
        memset(matrix, 0, size * sizeof *matrix);
        const Status status = frames ? frame_solve_corrections(solve, solve->frames[i], shared, &system)
                                     : vertex_solve_corrections(solve, i, &system);
        if (status.code != STATUS_OK)
#pragma omp critical
            failure = status;
    }
    return failure;
}

Status frames_solve_corrections(const FrameSolve *solve)
{
    int rank = solve->low_rank->rank;
    bool shared = low_rank_is_of_displacements(solve->low_rank);
    return all_solve(solve, true, shared, shared ? rank / 3 : 3 * rank);
}

Status vertices_solve_corrections(const FrameSolve *solve)
{
    return all_solve(solve, false, true, solve->low_rank->rank);
}
