/* Measures the numbers of a gate. Bleed needs no true rig: the vertices with weight for a joint should be
 * connected within each part of the mesh, so a weight in a small region apart from the heaviest one was
 * probably painted or computed by mistake. */
#include "harness/measure/gate/gate.h"

#include "datasets/base/grouping.h"
#include "datasets/model/check.h"
#include "datasets/model/compact_weights.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/validate.h"
#include "datasets/model/welding.h"
#include "harness/measure/score/score.h"

const GateRow gate_rows[GATE_COUNT] = {
    [GATE_ERRORS] = {"errors", "kinds of errors that check finds", "", 0.0},
    [GATE_NOT_FINITE] = {"not-finite", "numbers that are NaN or infinite", "", 0.0},
    [GATE_SUMS] = {"sums", "largest difference of a sum of weights from 1", "", 0.001},
    [GATE_INFLUENCES] = {"influences", "vertices with too many influences", "", 0.0},
    [GATE_FEW_INFLUENCES] = {"few-influences", "largest error of the largest influences alone", "%", 1.0},
    [GATE_QUANTISED] = {"quantised", "largest error of rounded weights", "%", 1.0},
    [GATE_SEAMS] = {"seams", "largest gap between vertices in one place", "%", 0.1},
    [GATE_BLEED] = {"bleed", "largest weight in a small region apart from the joint's", "", 0.1},
    [GATE_UNREACHED] = {"unreached", "joints that move no vertex, nor does any joint below them", "",
                        INFINITY},
};

__attribute__((format(printf, 4, 5))) static void gate_note(Gate *gate, GateNumber number, double value,
                                                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    gate->values[number] = value;
    text_format(gate->places[number], GATE_PLACE_BYTES, format, arguments);
    va_end(arguments);
}

static const char *joint_name(const Rig *rig, int joint)
{
    return rig->joint_names[joint] ? rig->joint_names[joint] : "(unnamed)";
}

/* ---- the file ---- */

static void finite_check(Gate *gate, const char *name, int64_t index, double value)
{
    if (isfinite(value))
        return;
    if (gate->values[GATE_NOT_FINITE] == 0.0)
        gate_note(gate, GATE_NOT_FINITE, 0.0, "%s[%" PRId64 "]", name, index);
    gate->values[GATE_NOT_FINITE] += 1.0;
}

static void floats_check(Gate *gate, const char *name, const float *values, int64_t count)
{
    for (int64_t i = 0; values && i < count; i++)
        finite_check(gate, name, i, (double)values[i]);
}

static Status file_measure(const GateTask *task, Gate *gate)
{
    const Dataset *data = task->dataset;
    const Rig *rig = &data->rig;
    const int64_t vertices = data->mesh.vertex_count, slots = rig->influence_count;
    const int64_t poses = (int64_t)rig->frame_count * rig->joint_count;
    CheckReport report;
    STATUS_TRY(dataset_check(data, &report));
    gate->values[GATE_ERRORS] = report.error_count;
    for (int i = report.finding_count; i-- > 0;)
        if (report.findings[i].severity == CHECK_ERROR)
            gate_note(gate, GATE_ERRORS, report.error_count, "%s: %s", report.findings[i].code,
                      report.findings[i].text);
    gate->values[GATE_NOT_FINITE] = 0.0;
    floats_check(gate, "rest pose", data->mesh.rest, 3 * vertices);
    floats_check(gate, "weights", rig->weight_values, vertices * slots);
    floats_check(gate, "positions", data->animation.positions, 3 * vertices * data->animation.frame_count);
    for (int64_t i = 0; i < poses; i++) {
        double values[12];
        memcpy(values, &rig->transforms[i], sizeof values);
        for (int64_t k = 0; k < 12; k++)
            finite_check(gate, "transforms", 12 * i + k, values[k]);
    }
    gate->values[GATE_SUMS] = fmax(fabs(task->sum_low - 1.0), fabs(task->sum_high - 1.0));
    for (int64_t v = 0; v < vertices; v++) {
        double sum = 0.0;
        for (int64_t k = v * slots; k < (v + 1) * slots; k++)
            sum += (double)rig->weight_values[k];
        if (fabs(sum - 1.0) > gate->values[GATE_SUMS])
            gate_note(gate, GATE_SUMS, fabs(sum - 1.0), "vertex %" PRId64 " has the sum %.6g", v, sum);
    }
    return status_ok();
}

/* ---- the skin ---- */

/* A vertex and its place, to sort vertices by place. */
typedef struct PlacedVertex {
    float place[3];
    int32_t vertex;
} PlacedVertex;

static int placed_compare(const void *a, const void *b)
{
    const PlacedVertex *one = a, *other = b;
    for (int i = 0; i < 3; i++)
        if (one->place[i] != other->place[i])
            return one->place[i] < other->place[i] ? -1 : 1;
    return (one->vertex > other->vertex) - (one->vertex < other->vertex);
}

/* Finds the largest gap, in the frames, between vertices that are in one place at rest. */
static Status seams_measure(const Mesh *mesh, const Rig *rig, double percent, Gate *gate)
{
    const int vertices = mesh->vertex_count;
    LOCAL_ARRAY(PlacedVertex, placed, vertices, "the vertices by place");
    for (int v = 0; v < vertices; v++) {
        placed[v].vertex = v;
        for (int i = 0; i < 3; i++)
            placed[v].place[i] = mesh->rest[3 * (size_t)v + (size_t)i] + 0.0f; /* -0 becomes 0 */
    }
    qsort(placed, (size_t)vertices, sizeof *placed, placed_compare);
    gate->values[GATE_SEAMS] = 0.0;
    for (int i = 1; i < vertices; i++) {
        const int32_t one = placed[i - 1].vertex, other = placed[i].vertex;
        const float *before = placed[i - 1].place, *here = placed[i].place;
        if (before[0] != here[0] || before[1] != here[1] || before[2] != here[2])
            continue;
        for (int f = 0; f < rig->frame_count; f++) {
            const Vec3 rest = point_at(mesh->rest, one);
            const Vec3 there = rig_skin_point(rig, f, other, rest, vec3_make(0.0, 0.0, 0.0));
            const double gap =
                percent * vec3_length(rig_skin_point(rig, f, one, rest, vec3_scale(there, -1.0)));
            if (gap > gate->values[GATE_SEAMS])
                gate_note(gate, GATE_SEAMS, gap, "vertices %d and %d in frame %d", one, other, f);
        }
    }
    return status_ok();
}

/* Measures the error of weights that an engine can store. */
static Status errors_measure(const GateTask *task, const Rig *rig, double percent, Gate *gate)
{
    const Mesh *mesh = &task->dataset->mesh;
    SkinDistance cost;
    for (int i = 0; i < 2; i++) {
        const GateNumber number = i == 0 ? GATE_FEW_INFLUENCES : GATE_QUANTISED;
        const size_t slots = (size_t)mesh->vertex_count * (size_t)rig->influence_count;
        OWNED int32_t *joints = NULL;
        OWNED float *values = NULL;
        ALLOCATE(joints, slots, "weights");
        ALLOCATE(values, slots, "weights");
        memcpy(joints, rig->weight_joints, slots * sizeof *joints);
        memcpy(values, rig->weight_values, slots * sizeof *values);
        Rig stored = *rig; /* borrows all but the weights */
        stored.weight_joints = TAKE(joints);
        stored.weight_values = TAKE(values);
        stored.centers = NULL;
        stored.smoothed = (JointValues){0};
        const Status status = i == 0 ? rig_prune(&stored, mesh->vertex_count, task->influences)
                                     : rig_quantise(&stored, mesh, task->bits, task->progress, NULL);
        const Status measured =
            status.code == STATUS_OK ? skin_distance(rig, &stored, mesh, task->progress, &cost) : status;
        FREE_ALL(stored.weight_joints, stored.weight_values);
        if (measured.code == STATUS_BAD_INPUT) /* negative weights cannot be rounded */
            gate_note(gate, number, NAN, "%s", measured.text);
        else if (measured.code != STATUS_OK)
            return measured;
        else
            gate_note(gate, number, percent * cost.max, "vertex %d in frame %d", cost.vertex, cost.frame);
    }
    return status_ok();
}

/* ---- the weights ---- */

static void influences_measure(const GateTask *task, Gate *gate)
{
    const Rig *rig = &task->dataset->rig;
    double count = 0.0;
    int max = 0;
    for (int64_t v = 0; v < task->dataset->mesh.vertex_count; v++) {
        int used = 0;
        for (int64_t k = v * rig->influence_count; k < (v + 1) * rig->influence_count; k++)
            used += rig->weight_values[k] != 0.0f;
        count += used > task->influences;
        if (used > max && used > task->influences)
            gate_note(gate, GATE_INFLUENCES, 0.0, "vertex %" PRId64 " has %d", v, used);
        max = int_max(max, used);
    }
    gate->values[GATE_INFLUENCES] = count;
}

static Status unreached_measure(const Rig *rig, int vertices, Gate *gate)
{
    LOCAL_ARRAY(bool, reached, rig->joint_count, "joints");
    for (int64_t k = 0; k < (int64_t)vertices * rig->influence_count; k++)
        reached[rig->weight_joints[k]] |= rig->weight_values[k] != 0.0f;
    double count = 0.0;
    for (int j = rig->joint_count; j-- > 0;) {
        if (reached[j] && rig->parents[j] >= 0)
            reached[rig->parents[j]] = true;
        count += !reached[j];
    }
    gate->values[GATE_UNREACHED] = count;
    for (int j = rig->joint_count; j-- > 0;)
        if (!reached[j])
            gate_note(gate, GATE_UNREACHED, count, "joint %s", joint_name(rig, j));
    return status_ok();
}

/* Joins the corners of triangles that both belong to `member`, or all corners if it is NULL. */
static void corners_join(const Mesh *mesh, const float *member, int32_t *parents)
{
    for (const int32_t *corner = mesh->triangles;
         corner < mesh->triangles + 3 * (ptrdiff_t)mesh->triangle_count; corner += 3)
        for (int i = 0; i < 3; i++) {
            const int32_t one = corner[i], other = corner[(i + 1) % 3];
            if (!member || (member[one] > 0.0f && member[other] > 0.0f))
                union_find_union(parents, one, other);
        }
}

/* Finds the largest weight for a joint in a small region, apart from the joint's heaviest region in that part
 * of the mesh. */
static Status bleed_measure(const Mesh *file_mesh, const Rig *rig, Gate *gate)
{
    const float NOTED = 0.01f; /* smaller weights have no visible effect */
    const double SMALL = 0.1;  /* a region with more than this share of the heaviest is there on purpose */
    CLEANUP(welding_clear) Welding welding = {0};
    STATUS_TRY(welding_find(file_mesh, NULL, &welding));
    const int vertices = welding.mesh.vertex_count;
    LOCAL_ARRAY(int32_t, parts, vertices, "the parts of the mesh");
    LOCAL_ARRAY(int32_t, regions, vertices, "the regions of a joint");
    LOCAL_ARRAY(int32_t, heaviest, vertices, "the regions of a joint"); /* by part */
    LOCAL_ARRAY(float, member, vertices, "the weights of a joint");
    LOCAL_ARRAY(double, sums, vertices, "the regions of a joint"); /* by region */
    union_find_init(parts, vertices);
    corners_join(&welding.mesh, NULL, parts);
    gate->values[GATE_BLEED] = 0.0;
    for (int j = 0; j < rig->joint_count; j++) {
        for (int v = 0; v < vertices; v++) {
            const int64_t row = (int64_t)welding.vertex_of[v] * rig->influence_count;
            member[v] = 0.0f;
            for (int64_t k = row; k < row + rig->influence_count; k++)
                member[v] += rig->weight_joints[k] == j && rig->weight_values[k] > NOTED
                                 ? rig->weight_values[k]
                                 : 0.0f;
            sums[v] = 0.0;
            heaviest[v] = -1;
        }
        union_find_init(regions, vertices);
        corners_join(&welding.mesh, member, regions);
        for (int v = 0; v < vertices; v++)
            sums[union_find_root(regions, v)] += (double)member[v];
        for (int v = 0; v < vertices; v++) {
            const int32_t region = union_find_root(regions, v), part = union_find_root(parts, v);
            if (member[v] > 0.0f && (heaviest[part] < 0 || sums[region] > sums[heaviest[part]]))
                heaviest[part] = region;
        }
        for (int v = 0; v < vertices; v++)
            if ((double)member[v] > gate->values[GATE_BLEED] &&
                sums[union_find_root(regions, v)] < SMALL * sums[heaviest[union_find_root(parts, v)]])
                gate_note(gate, GATE_BLEED, (double)member[v], "vertex %d, joint %s", welding.vertex_of[v],
                          joint_name(rig, j));
    }
    return status_ok();
}

Status gate_measure(const GateTask *task, Gate *out)
{
    const Dataset *data = task->dataset;
    const double diagonal = bounds_of(data->mesh.rest, data->mesh.vertex_count).diagonal;
    const double percent = diagonal > 0.0 ? 100.0 / diagonal : 0.0;
    for (int i = 0; i < GATE_COUNT; i++)
        gate_note(out, (GateNumber)i, NAN, "%s", "");
    STATUS_TRY(file_measure(task, out));
    if (dataset_validate(data, "").code != STATUS_OK || data->rig.joint_count == 0)
        return status_ok();
    influences_measure(task, out);
    STATUS_TRY(unreached_measure(&data->rig, data->mesh.vertex_count, out));
    STATUS_TRY(bleed_measure(&data->mesh, &data->rig, out));
    OWNED Transform *drawn = NULL;
    Rig posed = data->rig;
    if (posed.frame_count == 0) {
        const double ANGLE = 30.0 * 3.14159265358979323846 / 180.0;
        ALLOCATE_TABLE(drawn, GATE_POSES, posed.joint_count, "poses");
        posed.transforms = drawn;
        posed.frame_count = GATE_POSES;
        STATUS_TRY(rig_pose_randomly(&posed, ANGLE, 1, drawn));
    }
    STATUS_TRY(errors_measure(task, &posed, percent, out));
    return seams_measure(&data->mesh, &posed, percent, out);
}
