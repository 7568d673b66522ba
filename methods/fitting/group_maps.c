/* Computes the moments of each group, and then the group's map in each frame (skin_fit.h). */
#include "methods/fitting/skin_fit.h"

#include "datasets/geometry/nearest_rotation.h"

#include <omp.h>

void groups_clear(Groups *groups)
{
    grouping_clear(&groups->vertices);
    memory_free(groups->masses);
    *groups = (Groups){0};
}

Status groups_of_vertices(const int32_t *group_of, int vertex_count, int count, Groups *groups)
{
    Grouping *vertices = &groups->vertices;
    *groups = (Groups){0};
    STATUS_TRY(grouping_init(group_of, (size_t)vertex_count, count, "the groups of the vertices", vertices));
    vertices->group_count = 0;
    for (int group = 0; group < count; group++)
        if (vertices->first[group] < vertices->first[group + 1])
            vertices->first[vertices->group_count++] = vertices->first[group];
    vertices->first[vertices->group_count] = vertex_count;
    return status_ok();
}

static double mass_at(const Groups *groups, int64_t member)
{
    return groups->masses ? groups->masses[member] : 1.0;
}

/* The moments of one group. */
typedef struct Moments {
    double center[3];    /* centre of the rest positions */
    double square[3][3]; /* sum of mass times (v - center) (v - center)^T */
    double *mean;        /* [3F] mean positions of all frames */
    double *cross;       /* [3][3F] sum of mass times position times (v - center) */
    double *column;      /* [3F] workspace */
} Moments;

static void moments_gather(const SkinFit *fit, const Groups *groups, int group, Moments *moments)
{
    const Grouping *vertices = &groups->vertices;
    int rows = fit->target.row_count;
    double total = 0.0;
    memset(moments->center, 0, sizeof moments->center);
    memset(moments->square, 0, sizeof moments->square);
    memset(moments->mean, 0, (size_t)rows * sizeof(double));
    memset(moments->cross, 0, 3 * (size_t)rows * sizeof(double));
    for (int64_t member = vertices->first[group]; member < vertices->first[group + 1]; member++) {
        double mass = mass_at(groups, member);
        total += mass;
        for (int axis = 0; axis < 3; axis++)
            moments->center[axis] += mass * fit->rest[(ptrdiff_t)3 * vertices->members[member] + axis];
    }
    for (int axis = 0; axis < 3; axis++)
        moments->center[axis] /= total;
    for (int64_t member = vertices->first[group]; member < vertices->first[group + 1]; member++) {
        const double *v = fit->rest + (ptrdiff_t)3 * vertices->members[member];
        double x[3], mass = mass_at(groups, member);
        trajectories_block(&fit->target, vertices->members[member], 1, moments->column);
        for (int axis = 0; axis < 3; axis++)
            x[axis] = v[axis] - moments->center[axis];
        for (int i = 0; i < 9; i++)
            moments->square[i / 3][i % 3] += mass * x[i / 3] * x[i % 3];
        for (int i = 0; i < rows; i++)
            moments->mean[i] += mass / total * moments->column[i];
        for (int axis = 0; axis < 3; axis++) {
            double *cross = moments->cross + (ptrdiff_t)axis * rows, factor = mass * x[axis];
            for (int i = 0; i < rows; i++)
                cross[i] += factor * moments->column[i];
        }
    }
}

/* Computes the map L of one frame,
 *   L = (C + e R) (S + e 1)^-1,
 * which minimises sum m |L x - a|^2 + e |L - R|^2. R is the rotation of the rigid fit, scaled by the unit
 * of the rest pose. */
static void frame_map(const SkinFit *fit, const Moments *moments, int frame, bool rigid, double *map)
{
    enum { SHARE_INVERSE = 1000000000 };
    int rows = fit->target.row_count;
    double cross[3][3], rotation[3][3], square[3][3], inverse[3][3], linear[3][3];
    double trace = moments->square[0][0] + moments->square[1][1] + moments->square[2][2];
    double tether = trace > 0.0 ? trace / SHARE_INVERSE : 1.0;
    for (int i = 0; i < 9; i++) {
        cross[i / 3][i % 3] = moments->cross[(ptrdiff_t)(i % 3) * rows + 3 * frame + i / 3];
        square[i / 3][i % 3] = moments->square[i / 3][i % 3] + (i % 4 == 0 ? tether : 0.0);
    }
    nearest_rotation((const double(*)[3])cross, rotation);
    /* invert a symmetric positive definite matrix by cofactors; use the identity if the determinant
     * vanishes */
    double determinant = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            inverse[i][j] = square[a][c] * square[b][d] - square[a][d] * square[b][c];
        }
    for (int j = 0; j < 3; j++)
        determinant += square[0][j] * inverse[0][j];
    for (int i = 0; i < 9; i++)
        if (determinant > 0.0)
            inverse[i / 3][i % 3] /= determinant;
        else
            inverse[i / 3][i % 3] = i % 4 == 0 ? 1.0 : 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            linear[i][j] = rigid ? fit->units.unit * rotation[i][j] : 0.0;
            for (int k = 0; k < 3 && !rigid; k++)
                linear[i][j] += (cross[i][k] + tether * fit->units.unit * rotation[i][k]) * inverse[k][j];
        }
    for (int axis = 0; axis < 3; axis++) {
        double *row = map + 3 * frame + axis;
        row[(ptrdiff_t)3 * rows] = moments->mean[3 * frame + axis];
        for (int column = 0; column < 3; column++) {
            row[(ptrdiff_t)column * rows] = linear[axis][column];
            row[(ptrdiff_t)3 * rows] -= linear[axis][column] * moments->center[column];
        }
    }
}

Status skin_fit_maps(SkinFit *fit, const Groups *groups, bool rigid)
{
    int rows = fit->target.row_count;
    size_t workspace_size = 5 * (size_t)rows;
    LOCAL_TABLE(double, maps, 4 * (size_t)groups->vertices.group_count, rows, "the maps of the bones");
    LOCAL_TABLE(double, workspace, fit->threads, workspace_size, "the maps of the bones");
#pragma omp parallel for schedule(dynamic) num_threads(fit->threads)
    for (int group = 0; group < groups->vertices.group_count; group++) {
        double *local = workspace + (size_t)omp_get_thread_num() * workspace_size;
        Moments moments = {.mean = local, .cross = local + rows, .column = local + (ptrdiff_t)4 * rows};
        moments_gather(fit, groups, group, &moments);
        for (int frame = 0; frame < rows / 3; frame++)
            frame_map(fit, &moments, frame, rigid, maps + (ptrdiff_t)4 * group * rows);
    }
    memory_free(fit->maps);
    fit->maps = TAKE(maps);
    fit->bone_count = groups->vertices.group_count;
    return status_ok();
}
