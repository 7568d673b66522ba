/* Checks of whether the rest pose belongs to the frames, and of whether floats resolve the mesh. A frame that
 * bends keeps the lengths of edges, so edges tell another unit and another order of vertices. The best
 * similarity of the rest pose to a frame, proper and mirrored (Horn 1987), tells a mirrored one. */
#include "datasets/model/check_rows.h"

#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"

enum { FRAMES = 8, PAIRS = 512, POINTS = 2048 };

/* What was seen in FRAMES frames at most, spread evenly. Thresholds are far from what was measured on
 * generated and real animations: a spread up to 0.13, ratios from 0.95 to 1.1. */
static const double SPREAD = 0.5, SCALE_TOLERANCE = 1.5, GROWTH = 1.3;
static const double STEP_SHARE = 1e-4;  /* of the mesh's size, that floats may step by */
static const double MIRROR_SHARE = 0.5; /* of the proper similarity's squared residual */

typedef struct RestView {
    int frames, mirrored;    /* looked at; where the mirrored similarity is nearer by far */
    double low, high;        /* median ratio of lengths, frame to rest pose, over the frames; 0: unknown */
    double spread;           /* least over the frames: median deviation of that ratio's logarithm */
    double proper, improper; /* squared residuals of the similarities, as shares of the frames' sizes */
    bool point;              /* the rest pose is one point, the frames are not */
} RestView;

static int numbers_compare(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

static double median_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, numbers_compare);
    return values[count / 2];
}

static int item_of(int index, int count, int all)
{
    return (int)((int64_t)index * all / count);
}

/* Vertices whose distance a frame that bends keeps: edges, or without triangles nearest neighbours, among
 * some vertices, in the first frame. Returns their number. */
static int pairs_choose(const Mesh *mesh, const float *frame, int32_t pairs[PAIRS][2])
{
    const bool edges = mesh->triangle_count > 0;
    const int all = edges ? mesh->triangle_count : mesh->vertex_count, wanted = all < PAIRS ? all : PAIRS;
    int count = 0;
    for (int i = 0; i < wanted; i++) {
        const int item = item_of(i, wanted, all);
        double nearest = INFINITY;
        if (edges && check_triangle_sound(mesh, item)) {
            pairs[count][0] = mesh->triangles[3 * (ptrdiff_t)item + i % 3];
            pairs[count++][1] = mesh->triangles[3 * (ptrdiff_t)item + (i + 1) % 3];
        }
        for (int k = 0; k < wanted && !edges; k++) {
            const int other = item_of(k, wanted, all);
            const double distance = vec3_length(vec3_sub(point_at(frame, other), point_at(frame, item)));
            if (distance > 0.0 && distance < nearest) {
                nearest = distance;
                pairs[count][0] = item;
                pairs[count][1] = other;
            }
        }
        count += !edges && nearest < INFINITY;
    }
    return count;
}

/* The ratios of a frame's lengths to the rest pose's: their median (0: no lengths), and the median deviation
 * of their logarithms. */
static double ratio_of(const Mesh *mesh, const float *frame, int count, const int32_t pairs[PAIRS][2],
                       double *spread)
{
    double logs[PAIRS];
    int used = 0;
    for (int i = 0; i < count; i++) {
        const int32_t a = pairs[i][0], b = pairs[i][1];
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

/* max trace(R^T M) over rotations R. */
static double rotation_gain(double m[3][3])
{
    double rotation[3][3], sum = 0.0;
    nearest_rotation((const double(*)[3])m, rotation);
    for (int i = 0; i < 9; i++)
        sum += rotation[i / 3][i % 3] * m[i / 3][i % 3];
    return sum;
}

/* Adds what the best similarities of the rest pose to a frame leave of it, and looks for a rest pose that is
 * one point. */
static void similarity_look(const Mesh *mesh, const float *frame, RestView *view)
{
    const int count = mesh->vertex_count < POINTS ? mesh->vertex_count : POINTS;
    double m[3][3] = {{0.0}}, mirror[3][3], sizes[2] = {0.0, 0.0};
    Vec3 middles[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < count; i++) {
        const int v = item_of(i, count, mesh->vertex_count);
        middles[0] = vec3_add_scaled(middles[0], point_at(mesh->rest, v), 1.0 / count);
        middles[1] = vec3_add_scaled(middles[1], point_at(frame, v), 1.0 / count);
    }
    for (int i = 0; i < count; i++) {
        const int v = item_of(i, count, mesh->vertex_count);
        const Vec3 rest = vec3_sub(point_at(mesh->rest, v), middles[0]);
        const Vec3 posed = vec3_sub(point_at(frame, v), middles[1]);
        const double from[3] = {rest.x, rest.y, rest.z}, to[3] = {posed.x, posed.y, posed.z};
        for (int k = 0; k < 9; k++)
            m[k / 3][k % 3] += to[k / 3] * from[k % 3];
        sizes[0] += vec3_dot(rest, rest);
        sizes[1] += vec3_dot(posed, posed);
    }
    if (!isfinite(sizes[0]) || !isfinite(sizes[1]) || sizes[1] == 0.0)
        return;
    if (sizes[0] <= 1e-12 * sizes[1]) {
        view->point = true;
        return;
    }
    for (int k = 0; k < 9; k++)
        mirror[k / 3][k % 3] = -m[k / 3][k % 3];
    const double proper = 1.0 - pow(rotation_gain(m), 2.0) / (sizes[0] * sizes[1]);
    const double improper = 1.0 - pow(rotation_gain(mirror), 2.0) / (sizes[0] * sizes[1]);
    view->proper += proper;
    view->improper += improper;
    view->mirrored += improper < MIRROR_SHARE * proper - 1e-6;
}

static void rest_look(const Dataset *dataset, RestView *view)
{
    const Mesh *mesh = &dataset->mesh;
    const float *positions = dataset->animation.positions;
    const int all = dataset->animation.frame_count, frames = all < FRAMES ? all : FRAMES;
    int32_t pairs[PAIRS][2];
    *view = (RestView){.low = INFINITY, .spread = INFINITY};
    if (all == 0 || mesh->vertex_count < 2 || !positions || !mesh->rest)
        return;
    const int count = pairs_choose(mesh, positions, pairs);
    for (int f = 0; f < frames; f++) {
        const ptrdiff_t at = frames > 1 ? (ptrdiff_t)f * (all - 1) / (frames - 1) : 0;
        const float *frame = positions + 3 * at * mesh->vertex_count;
        double spread = 0.0;
        const double ratio = ratio_of(mesh, frame, count, (const int32_t(*)[2])pairs, &spread);
        similarity_look(mesh, frame, view);
        view->low = fmin(view->low, ratio);
        view->high = fmax(view->high, ratio);
        view->spread = fmin(view->spread, spread);
        view->frames++;
    }
}

/* The rows of this file but one, by their codes. */
static void check_rest(const Dataset *dataset, CheckFinding *finding)
{
    RestView view;
    rest_look(dataset, &view);
    const bool known = view.frames > 0 && !view.point, disorder = known && view.spread > SPREAD;
    const bool scaled = view.low > 0.0 && (view.low > SCALE_TOLERANCE || view.high < 1.0 / SCALE_TOLERANCE);
    const bool mirrored = view.improper < MIRROR_SHARE * view.proper - 1e-6;
    const char *const first = "fit --set rest-pose=first starts from the first frame";
    if (strcmp(finding->code, "rest-point") == 0 && view.point)
        check_fault(finding, "all vertices of the rest pose are one point; %s", first);
    else if (strcmp(finding->code, "rest-order") == 0 && disorder)
        check_fault(finding,
                    "edges of rest pose and frames disagree, typically by a factor of %.3g, as if the "
                    "vertices were in another order; %s",
                    exp(view.spread), first);
    else if (strcmp(finding->code, "rest-scale") == 0 && known && !disorder && scaled)
        check_fault(finding, "the rest pose is %.4g times the size of the frames; %s",
                    1.0 / sqrt(view.low * view.high), first);
    else if (strcmp(finding->code, "rest-mirrored") == 0 && known && !disorder && mirrored)
        check_fault(finding, "the rest pose is mirrored against all frames; %s", first);
    else if (strcmp(finding->code, "frame-mirrored") == 0 && known && !disorder && !mirrored &&
             view.mirrored > 0)
        check_fault(finding,
                    "%d of %d frames looked at are mirrored against the rest pose, which rigid bones cannot "
                    "follow",
                    view.mirrored, view.frames);
    else if (strcmp(finding->code, "frame-scale") == 0 && known && !disorder && view.low > 0.0 &&
             view.high > GROWTH * view.low)
        check_fault(finding,
                    "edges are %.3g to %.3g times those of the rest pose, a scale which rigid bones lack",
                    view.low, view.high);
}

/* Floats near a coordinate c step by some 1e-7 c, which is coarse where a small mesh is far from the
 * origin. */
static void check_float_step(const Dataset *dataset, CheckFinding *finding)
{
    const float *positions = dataset->animation.positions;
    const int vertices = dataset->mesh.vertex_count, all = dataset->animation.frame_count;
    for (int f = -1; f < (positions ? (all < FRAMES ? all : FRAMES) : 0) && finding->count == 0; f++) {
        const ptrdiff_t at = all > FRAMES ? (ptrdiff_t)f * (all - 1) / (FRAMES - 1) : f;
        const Bounds box = bounds_of(f < 0 ? dataset->mesh.rest : positions + 3 * at * vertices, vertices);
        float far = 0.0f;
        for (int axis = 0; axis < 3; axis++)
            far = fmaxf(far, (float)fmax(fabs(box.low[axis]), fabs(box.high[axis])));
        const double step = (double)(nextafterf(far, INFINITY) - far);
        if (isfinite(step) && box.diagonal > 0.0 && step > STEP_SHARE * box.diagonal)
            check_fault(finding,
                        "coordinates near %.3g step by %.3g as floats, %.2g %% of the mesh's size: export "
                        "it nearer to the origin",
                        (double)far, step, 100.0 * step / box.diagonal);
    }
}

const CheckRow check_rest_rows[] = {
    {"rest-point", CHECK_ERROR, "the rest pose is more than one point", check_rest, CHECK_REPORTED, NULL},
    {"rest-order", CHECK_ERROR, "rest pose and animation have their vertices in the same order", check_rest,
     CHECK_REPORTED, NULL},
    {"rest-scale", CHECK_ERROR, "rest pose and animation have the same scale", check_rest, CHECK_REPORTED,
     NULL},
    {"rest-mirrored", CHECK_ERROR, "the rest pose is not mirrored", check_rest, CHECK_REPORTED, NULL},
    {"frame-mirrored", CHECK_WARNING, "no frame is mirrored", check_rest, CHECK_REPORTED, NULL},
    {"frame-scale", CHECK_NOTE, "frames neither grow nor shrink", check_rest, CHECK_REPORTED, NULL},
    {"float-step", CHECK_WARNING, "floats resolve the mesh where it stands", check_float_step, CHECK_REPORTED,
     NULL},
    {.code = NULL},
};
