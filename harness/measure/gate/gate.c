/* Measures the numbers of a gate. Bleed needs no true rig: the vertices with weight for a joint should be
 * connected within each part of the mesh, so a weight in a small region apart from the heaviest one was
 * probably painted or computed by mistake. */
#include "harness/measure/gate/gate.h"

#include "datasets/geometry/angles.h"
#include "datasets/geometry/topology.h"
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
            gate_note(gate, GATE_SUMS, fabs(sum - 1.0), "vertex %" PRId64 " has the sum %.9g", v, sum);
    }
    return status_ok();
}

/* ---- the skin ---- */

/* Finds the largest gap, in the frames, between vertices that are in one place at rest. */
static Status seams_measure(const Mesh *mesh, const Rig *rig, double percent, Gate *gate)
{
    const Animation none = {0}; /* without frames, the place at rest alone counts */
    CLEANUP(welding_clear) Welding welding = {0};
    STATUS_TRY(welding_find_in_motion(mesh, &none, NULL, &welding));
    gate->values[GATE_SEAMS] = 0.0;
    for (int32_t other = 0; other < mesh->vertex_count; other++) {
        const int32_t one = welding_lowest(&welding, other);
        for (int f = 0; f < rig->frame_count && one != other; f++) {
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
        Rig stored;
        STATUS_TRY(rig_with_weights(rig, mesh->vertex_count, &stored));
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
        const int64_t row = v * rig->influence_count;
        int used = 0; /* joints; slots of the same joint count once */
        for (int64_t k = row; k < row + rig->influence_count; k++) {
            bool counts = rig->weight_values[k] != 0.0f;
            for (int64_t i = row; i < k; i++)
                counts = counts &&
                         (rig->weight_values[i] == 0.0f || rig->weight_joints[i] != rig->weight_joints[k]);
            used += counts;
        }
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
    mesh_pieces_find(welding.mesh.triangles, welding.mesh.triangle_count, vertices, parts);
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
        for (int64_t corner = 0; corner < 3 * (int64_t)welding.mesh.triangle_count; corner++) {
            const int32_t one = welding.mesh.triangles[corner],
                          other = welding.mesh.triangles[corner - corner % 3 + (corner + 1) % 3];
            if (member[one] > 0.0f && member[other] > 0.0f)
                union_find_union(regions, one, other);
        }
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
        const double ANGLE = 30.0 * PI / 180.0;
        ALLOCATE_TABLE(drawn, GATE_POSES, posed.joint_count, "poses");
        posed.transforms = drawn;
        posed.frame_count = GATE_POSES;
        STATUS_TRY(rig_pose_randomly(&posed, ANGLE, 1, drawn));
    }
    STATUS_TRY(errors_measure(task, &posed, percent, out));
    return seams_measure(&data->mesh, &posed, percent, out);
}
