/* Wolfe's nearest-point method (1976) on the Gram matrix of a simplex' corners (FESAM section 4.4). */
#include "methods/decomposition/coordinate-descent/simplex.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { CORNERS = SIMPLEX_CORNERS_MAX };

/* The face the search stands on. */
typedef struct SimplexFace {
    int size;
    int corners[CORNERS];
    double weights[CORNERS]; /* positive, sum 1 */
} SimplexFace;

/* L D L^T of a small system, lower triangle, solved in place; false when it is singular to rounding. With n
 * constant the loops unroll. */
static inline bool small_solve(double matrix[CORNERS][CORNERS], double right[CORNERS], int n)
{
    double inverse[CORNERS], scaled[CORNERS];
    for (int i = 0; i < n; i++) {
        double pivot = matrix[i][i];
        for (int j = 0; j < i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= scaled[k] * matrix[j][k];
            scaled[j] = sum;
            matrix[i][j] = sum * inverse[j];
            pivot -= sum * matrix[i][j];
            right[i] -= matrix[i][j] * right[j];
        }
        if (!(pivot > 1e-13 * matrix[i][i]))
            return false;
        inverse[i] = 1.0 / pivot;
    }
    for (int i = n - 1; i >= 0; i--) {
        right[i] *= inverse[i];
        for (int k = i + 1; k < n; k++)
            right[i] -= matrix[k][i] * right[k];
    }
    return true;
}

/* Weights (of any sign, sum 1) of the point nearest to the target on the affine hull of a face of n + 1
 * corners; false when they are dependent. */
static inline bool hull_solve(const SimplexFace *face, const double *gram, int n, double weights[CORNERS])
{
    double matrix[CORNERS][CORNERS], right[CORNERS];
    const double *origin = gram + (ptrdiff_t)face->corners[n] * CORNERS;
    double corner = origin[face->corners[n]];
    for (int i = 0; i < n; i++) {
        const double *row = gram + (ptrdiff_t)face->corners[i] * CORNERS;
        right[i] = corner - origin[face->corners[i]];
        for (int j = 0; j <= i; j++)
            matrix[i][j] =
                row[face->corners[j]] - origin[face->corners[i]] - origin[face->corners[j]] + corner;
    }
    if (!small_solve(matrix, right, n))
        return false;
    weights[n] = 1.0;
    for (int i = 0; i < n; i++) {
        weights[i] = right[i];
        weights[n] -= right[i];
    }
    return true;
}

static bool hull_nearest(const SimplexFace *face, const double *gram, double weights[CORNERS])
{
    switch (face->size) {
    case 1:
        weights[0] = 1.0;
        return true;
    case 2:
        return hull_solve(face, gram, 1, weights);
    case 3:
        return hull_solve(face, gram, 2, weights);
    case 4:
        return hull_solve(face, gram, 3, weights);
    default:
        return hull_solve(face, gram, face->size - 1, weights);
    }
}

static void face_remove(SimplexFace *face, int slot)
{
    face->size--;
    for (int i = slot; i < face->size; i++) {
        face->corners[i] = face->corners[i + 1];
        face->weights[i] = face->weights[i + 1];
    }
}

/* Moves from the face's point towards `goal` until a weight vanishes; that corner leaves the face. */
static void face_step(SimplexFace *face, const double goal[CORNERS])
{
    double step = 1.0;
    int leaving = -1;
    for (int i = 0; i < face->size; i++)
        if (goal[i] <= 0.0) {
            double reach = face->weights[i] > 0.0 ? face->weights[i] / (face->weights[i] - goal[i]) : 0.0;
            if (leaving < 0 || reach < step) {
                step = reach;
                leaving = i;
            }
        }
    for (int i = 0; i < face->size; i++)
        face->weights[i] += step * (goal[i] - face->weights[i]);
    if (leaving >= 0)
        face_remove(face, leaving);
}

/* Brings the face to the point nearest to the target within it, dropping corners on the way. False when the
 * corner added last depends on the others. */
static bool face_settle(SimplexFace *face, const double *gram)
{
    for (;;) {
        double goal[CORNERS];
        if (!hull_nearest(face, gram, goal))
            return false;
        bool inside = true;
        for (int i = 0; i < face->size; i++)
            inside = inside && goal[i] > 0.0;
        if (inside) {
            for (int i = 0; i < face->size; i++)
                face->weights[i] = goal[i];
            return true;
        }
        face_step(face, goal);
    }
}

/* The squared distance of the face's point; slopes [count]: x . (phi_k - y), x the vector from target to
 * point. */
static double face_measure(const SimplexFace *face, int count, const double *gram, double slopes[CORNERS])
{
    double square = 0.0;
    for (int k = 0; k < count; k++) {
        slopes[k] = 0.0;
        for (int i = 0; i < face->size; i++)
            slopes[k] += face->weights[i] * gram[face->corners[i] * CORNERS + k];
    }
    for (int i = 0; i < face->size; i++)
        square += face->weights[i] * slopes[face->corners[i]];
    return square > 0.0 ? square : 0.0;
}

/* From a face that is settled: corners enter while one lies before the face's point. */
static double face_search(SimplexFace *face, int count, const double *gram)
{
    double scale = 0.0, slopes[CORNERS] = {0.0};
    for (int k = 0; k < count; k++)
        if (gram[k * CORNERS + k] > scale)
            scale = gram[k * CORNERS + k];
    double square = face_measure(face, count, gram, slopes);
    for (int round = 0; round < 8 * CORNERS && face->size < count; round++) {
        int entering = 0;
        for (int k = 1; k < count; k++)
            if (slopes[k] < slopes[entering])
                entering = k;
        if (slopes[entering] >= square - 16.0 * DBL_EPSILON * scale)
            break;
        SimplexFace next = *face;
        next.corners[next.size] = entering;
        next.weights[next.size++] = 0.0;
        if (!face_settle(&next, gram))
            break;
        double next_slopes[CORNERS] = {0.0};
        double next_square = face_measure(&next, count, gram, next_slopes);
        if (next_square >= square)
            break;
        *face = next;
        square = next_square;
        for (int k = 0; k < count; k++)
            slopes[k] = next_slopes[k];
    }
    return square;
}

static void face_store(const SimplexFace *face, int count, double *weights)
{
    for (int k = 0; k < count; k++)
        weights[k] = 0.0;
    for (int i = 0; i < face->size; i++)
        weights[face->corners[i]] = face->weights[i];
}

double simplex_nearest(int count, const double *gram, double *weights)
{
    SimplexFace face = {.size = 1, .weights = {1.0}};
    for (int k = 0; k < count; k++)
        if (gram[k * CORNERS + k] < gram[face.corners[0] * CORNERS + face.corners[0]])
            face.corners[0] = k;
    double square = face_search(&face, count, gram);
    face_store(&face, count, weights);
    return square;
}

double simplex_improve(int count, const double *gram, unsigned tried, double *weights)
{
    SimplexFace face = {.size = 0};
    for (int k = 0; k < count; k++)
        if (tried >> k & 1) {
            face.weights[face.size] = weights[k];
            face.corners[face.size++] = k;
        }
    if (!face_settle(&face, gram))
        return simplex_nearest(count, gram, weights);
    double square = face_search(&face, count, gram);
    face_store(&face, count, weights);
    return square;
}
