/* Checks whether the rest pose matches the frames, and whether floats are fine enough for the mesh. Bending
 * hardly changes distances between neighbours, so changed distances reveal another unit or another order of
 * vertices. The spread along the principal axes tells whether it is flat. To find a mirrored rest pose, small
 * patches are mapped to the frames by the best proper and the best mirrored similarity transformation (Horn
 * 1987). */
#include "datasets/model/check.h"

#include "datasets/geometry/jacobi.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"

enum { FRAMES = 8, POINTS = 2048, PATCHES = 32, MEMBERS = 24, PAIRS = PATCHES * (MEMBERS - 1) };

/* Thresholds for at most FRAMES evenly spaced frames. On generated and real animations the measured spread
 * is at most 0.06, and ratios lie between 0.95 and 1.1. If the vertices are in another order, the spread is
 * 0.43. */
static const double SPREAD = 0.25, SCALE_TOLERANCE = 1.5, GROWTH = 1.3;
/* A rest pose is flat if it is thinner than THIN_REST, relative to its size. A frame that is thicker than
 * THIN_FRAME is not flat. */
static const double THIN_REST = 1e-5, THIN_FRAME = 1e-3;
static const double STEP_SHARE = 1e-4; /* largest gap between floats, relative to the mesh size */
static const double MIRROR_SHARE =
    0.5; /* a frame looks mirrored if its mirrored residual is below this fraction of its proper residual */

typedef struct RestView {
    int frames, mirrored; /* number of examined frames; number of examined frames that a mirrored similarity
                             fits far better than a proper one */
    double low, high; /* smallest and largest median, over the frames, of the ratio of posed to rest lengths;
                         0: unknown */
    double spread;    /* smallest spread of any frame: the median deviation of the logarithms of its length
                         ratios */
    double left[2];   /* sums of the squared residuals of the best similarities: [0] proper, [1] mirrored */
    bool point;       /* whether the rest pose is a single point but the frames are not */
    int dimensions;   /* of the rest pose: 0 for a point, 1 for a line, 2 for a plane, 3 */
    int first_dimensions, most_dimensions; /* of the first frame, and the largest of any frame */
} RestView;

/* Returns the number of principal axes along which points spread by at least the fraction `least` of their
 * largest spread. */
static int dimensions_of(const float *points, int count, double least)
{
    double moments[3][3] = {{0.0}}, vectors[9], max = 0.0;
    Vec3 middle = vec3_make(0.0, 0.0, 0.0);
    int dimensions = 0;
    for (int v = 0; v < count; v++)
        middle = vec3_add_scaled(middle, point_at(points, v), 1.0 / count);
    for (int v = 0; v < count; v++) {
        const Vec3 off = vec3_sub(point_at(points, v), middle);
        const double at[3] = {off.x, off.y, off.z};
        for (int k = 0; k < 9; k++)
            moments[k / 3][k % 3] += at[k / 3] * at[k % 3];
    }
    jacobi_eigen(moments[0], 3, vectors);
    for (int i = 0; i < 3; i++)
        max = fmax(max, moments[i][i]);
    for (int i = 0; i < 3; i++)
        dimensions += max > 0.0 && moments[i][i] >= least * least * max;
    return dimensions;
}

static double median_of(double *values, int count)
{
    values_sort(values, (size_t)count);
    return values[count / 2];
}

static int item_of(int index, int count, int all)
{
    return (int)((int64_t)index * all / count);
}

/* Patches of neighbouring vertices. Each has one vertex and the vertices nearest to it, chosen among at
 * most POINTS vertices of the first frame. Bending moves such a patch almost rigidly. */
typedef int32_t Patches[PATCHES][MEMBERS];

/* Chooses the patches. Returns the number of vertices in each, or 0 if the mesh is too small. */
static int patches_choose(const float *frame, int vertices, Patches patches)
{
    const int points = vertices < POINTS ? vertices : POINTS, members = points < MEMBERS ? points : MEMBERS;
    for (int p = 0; p < PATCHES; p++) {
        const Vec3 middle = point_at(frame, item_of(p, PATCHES, vertices));
        double distances[MEMBERS];
        for (int i = 0, count = 0; i < points; i++) {
            const int32_t v = item_of(i, points, vertices);
            const double distance = vec3_length(vec3_sub(point_at(frame, v), middle));
            if (count == members && !(distance < distances[count - 1]))
                continue;
            int slot = count < members ? count++ : members - 1;
            for (; slot > 0 && distance < distances[slot - 1]; slot--) {
                distances[slot] = distances[slot - 1];
                patches[p][slot] = patches[p][slot - 1];
            }
            distances[slot] = distance;
            patches[p][slot] = v;
        }
    }
    return members >= 2 ? members : 0;
}

/* Compares distances within patches in a frame with those in the rest pose. Returns the median of their
 * ratios, or 0 if there is no ratio. *spread is the median deviation of the logarithms of the ratios from
 * their median. */
static double ratio_of(const Mesh *mesh, const float *frame, int members, Patches patches, double *spread)
{
    double logs[PAIRS];
    int used = 0;
    for (int i = 0; i < PATCHES * (members - 1); i++) {
        const int32_t a = patches[i / (members - 1)][0],
                      b = patches[i / (members - 1)][i % (members - 1) + 1];
        const double rest = vec3_length(vec3_sub(point_at(mesh->rest, a), point_at(mesh->rest, b)));
        const double posed = vec3_length(vec3_sub(point_at(frame, a), point_at(frame, b)));
        logs[used] = log(posed / rest);
        used += rest > 0.0 && posed > 0.0 && isfinite(logs[used]);
    }
    *spread = 0.0;
    if (used == 0)
        return 0.0;
    const double middle = median_of(logs, used);
    for (int i = 0; i < used; i++)
        logs[i] = fabs(logs[i] - middle);
    *spread = median_of(logs, used);
    return exp(middle);
}

/* Returns the maximum of trace(R^T M) over all rotations R. */
static double rotation_gain(double m[3][3])
{
    double rotation[3][3], sum = 0.0;
    nearest_rotation((const double(*)[3])m, rotation);
    for (int i = 0; i < 9; i++)
        sum += rotation[i / 3][i % 3] * m[i / 3][i % 3];
    return sum;
}

/* Fits two similarities, the best proper and the best mirrored one, that map a patch of the rest pose to a
 * frame. Adds their residuals to the sums. */
static void similarity_examine(const Mesh *mesh, const float *frame, int members, const int32_t *patch,
                               double left[2])
{
    double m[3][3] = {{0.0}}, mirror[3][3], sizes[2] = {0.0, 0.0};
    Vec3 middles[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < members; i++) {
        middles[0] = vec3_add_scaled(middles[0], point_at(mesh->rest, patch[i]), 1.0 / members);
        middles[1] = vec3_add_scaled(middles[1], point_at(frame, patch[i]), 1.0 / members);
    }
    for (int i = 0; i < members; i++) {
        const Vec3 rest = vec3_sub(point_at(mesh->rest, patch[i]), middles[0]);
        const Vec3 posed = vec3_sub(point_at(frame, patch[i]), middles[1]);
        const double from[3] = {rest.x, rest.y, rest.z}, to[3] = {posed.x, posed.y, posed.z};
        for (int k = 0; k < 9; k++)
            m[k / 3][k % 3] += to[k / 3] * from[k % 3];
        sizes[0] += vec3_dot(rest, rest);
        sizes[1] += vec3_dot(posed, posed);
    }
    const double size = sizes[0] * sizes[1];
    if (!isfinite(size) || size == 0.0)
        return;
    for (int k = 0; k < 9; k++)
        mirror[k / 3][k % 3] = -m[k / 3][k % 3];
    left[0] += 1.0 - pow(rotation_gain(m), 2.0) / size;
    left[1] += 1.0 - pow(rotation_gain(mirror), 2.0) / size;
}

static bool is_mirrored(const double left[2])
{
    return left[1] < MIRROR_SHARE * left[0] - 1e-4;
}

static void rest_examine(const Dataset *dataset, RestView *view)
{
    const Mesh *mesh = &dataset->mesh;
    const float *positions = dataset->animation.positions;
    const int all = dataset->animation.frame_count, frames = all < FRAMES ? all : FRAMES;
    Patches patches;
    *view = (RestView){.low = INFINITY, .spread = INFINITY};
    if (all == 0 || mesh->vertex_count < 2 || !positions || !mesh->rest)
        return;
    const int members = patches_choose(positions, mesh->vertex_count, patches);
    const double size = bounds_of(positions, mesh->vertex_count).diagonal;
    view->point = bounds_of(mesh->rest, mesh->vertex_count).diagonal < 1e-6 * size;
    view->dimensions = dimensions_of(mesh->rest, mesh->vertex_count, THIN_REST);
    for (int f = 0; f < frames; f++) {
        const ptrdiff_t index = frames > 1 ? (ptrdiff_t)f * (all - 1) / (frames - 1) : 0;
        const float *frame = positions + 3 * index * mesh->vertex_count;
        double spread = 0.0, left[2] = {0.0, 0.0};
        const double ratio = ratio_of(mesh, frame, members, patches, &spread);
        for (int p = 0; p < PATCHES; p++)
            similarity_examine(mesh, frame, members, patches[p], left);
        view->mirrored += is_mirrored(left);
        view->left[0] += left[0];
        view->left[1] += left[1];
        view->low = fmin(view->low, ratio);
        view->high = fmax(view->high, ratio);
        view->spread = fmin(view->spread, spread);
        const int dimensions = dimensions_of(frame, mesh->vertex_count, THIN_FRAME);
        view->first_dimensions = f == 0 ? dimensions : view->first_dimensions;
        view->most_dimensions = int_max(view->most_dimensions, dimensions);
        view->frames++;
    }
}

/* Runs the row of the table that finding->code names. Several rows, which compare the rest pose with the
 * frames, share this function. */
static void check_rest(const Dataset *dataset, CheckFinding *finding)
{
    RestView view;
    rest_examine(dataset, &view);
    const bool known = view.frames > 0 && !view.point, disorder = known && view.spread > SPREAD;
    const bool scaled = view.low > 0.0 && (view.low > SCALE_TOLERANCE || view.high < 1.0 / SCALE_TOLERANCE);
    const bool mirrored = is_mirrored(view.left);
    const char *const first = "fit --set rest-pose=first starts from the first frame";
    if (strcmp(finding->code, "rest-point") == 0 && view.point)
        check_fault(finding, "all vertices of the rest pose are at one point; %s", first);
    else if (strcmp(finding->code, "rest-flat") == 0 && known && view.dimensions < view.most_dimensions)
        check_fault(
            finding,
            "the vertices of the rest pose are %s and those of the frames are not, which limits affine "
            "bones; %s",
            view.dimensions == 1 ? "on one line" : "in one plane",
            view.dimensions < view.first_dimensions ? first : "coordinate-descent can move the rest pose");
    else if (strcmp(finding->code, "rest-order") == 0 && disorder)
        check_fault(
            finding,
            "lengths in the rest pose and the frames disagree, typically by a factor of %.3g, as if the "
            "vertices were in another order; %s",
            exp(view.spread), first);
    else if (strcmp(finding->code, "rest-scale") == 0 && known && !disorder && scaled)
        check_fault(finding, "the rest pose is %.4g times the size of the frames; %s",
                    1.0 / sqrt(view.low * view.high), first);
    else if (strcmp(finding->code, "rest-mirrored") == 0 && known && !disorder && mirrored)
        check_fault(finding, "the rest pose is a mirror image of all frames; %s", first);
    else if (strcmp(finding->code, "frame-mirrored") == 0 && known && !disorder && !mirrored &&
             view.mirrored > 0)
        check_fault(finding,
                    "%d of %d examined frames are mirror images of the rest pose, which rigid bones cannot "
                    "follow",
                    view.mirrored, view.frames);
    else if (strcmp(finding->code, "frame-scale") == 0 && known && !disorder && view.low > 0.0 &&
             view.high > GROWTH * view.low)
        check_fault(finding,
                    "lengths are %.3g to %.3g times those of the rest pose, but rigid bones cannot scale",
                    view.low, view.high);
}

/* Checks that floats are fine enough for the mesh. Neighbouring floats near a coordinate c differ by about
 * 1e-7 c, which is coarse for a small mesh far from the origin. */
static void check_float_step(const Dataset *dataset, CheckFinding *finding)
{
    const float *positions = dataset->animation.positions;
    const int vertices = dataset->mesh.vertex_count, all = dataset->animation.frame_count;
    for (int f = -1; f < (positions ? (all < FRAMES ? all : FRAMES) : 0) && finding->count == 0; f++) {
        const ptrdiff_t index = all > FRAMES ? (ptrdiff_t)f * (all - 1) / (FRAMES - 1) : f;
        const Bounds box = bounds_of(f < 0 ? dataset->mesh.rest : positions + 3 * index * vertices, vertices);
        float far = 0.0f;
        for (int axis = 0; axis < 3; axis++)
            far = fmaxf(far, (float)fmax(fabs(box.low[axis]), fabs(box.high[axis])));
        const double step = (double)(nextafterf(far, INFINITY) - far);
        if (isfinite(step) && box.diagonal > 0.0 && step > STEP_SHARE * box.diagonal)
            check_fault(
                finding,
                "floats near the coordinate %.3g are %.3g apart, which is %.2g %% of the mesh's size: export "
                "the mesh closer to the origin",
                (double)far, step, 100.0 * step / box.diagonal);
    }
}

const CheckRow check_rest_rows[] = {
    {"rest-point", CHECK_ERROR, "the vertices of the rest pose are not all at one point", .look = check_rest},
    {"rest-flat", CHECK_NOTE, "the rest pose is not flat if the frames are not", .look = check_rest},
    {"rest-order", CHECK_ERROR, "rest pose and animation have their vertices in the same order",
     .look = check_rest},
    {"rest-scale", CHECK_ERROR, "rest pose and animation have the same scale", .look = check_rest},
    {"rest-mirrored", CHECK_ERROR, "the rest pose is not mirrored", .look = check_rest},
    {"frame-mirrored", CHECK_NOTE, "no frame is mirrored", .look = check_rest},
    {"frame-scale", CHECK_NOTE, "frames neither grow nor shrink", .look = check_rest},
    {"float-step", CHECK_WARNING, "floats are fine enough for the mesh at its position",
     .look = check_float_step},
    {.code = NULL},
};
