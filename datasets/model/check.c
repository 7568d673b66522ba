/* Runs the rows of the checks (check_rows.h) and gathers what they find. */
#include "datasets/model/check.h"
#include "datasets/model/check_rows.h"

#include <assert.h>

typedef struct CheckRow {
    const char *code;
    CheckSeverity severity;
    const char *meaning;
    Status (*run)(const Dataset *dataset, CheckFinding *finding);
} CheckRow;

static const CheckRow rows[] = {
    {"rest-finite", CHECK_ERROR, "rest coordinates are numbers", check_rest_finite},
    {"triangle-range", CHECK_ERROR, "triangles name vertices there are", check_triangle_range},
    {"triangle-degenerate", CHECK_WARNING, "triangles have three corners and an area",
     check_triangle_degenerate},
    {"triangle-duplicate", CHECK_WARNING, "no three vertices are joined twice", check_triangle_duplicate},
    {"edge-manifold", CHECK_WARNING, "at most two triangles meet at an edge", check_edge_manifold},
    {"edge-orientation", CHECK_WARNING, "neighbouring triangles turn the same way", check_edge_orientation},
    {"edge-boundary", CHECK_NOTE, "the surface is closed", check_edge_boundary},
    {"vertex-unreferenced", CHECK_WARNING, "every vertex is in a triangle", check_vertex_unreferenced},
    {"parent-order", CHECK_ERROR, "parents stand before their children", check_parent_order},
    {"joint-names", CHECK_WARNING, "joints have names of their own", check_joint_names},
    {"joint-range", CHECK_ERROR, "weights name joints there are", check_joint_range},
    {"joint-duplicate", CHECK_WARNING, "no vertex lists a joint twice", check_joint_duplicate},
    {"joint-unused", CHECK_NOTE, "every joint moves a vertex", check_joint_unused},
    {"weight-finite", CHECK_ERROR, "weights are numbers", check_weight_finite},
    {"weight-none", CHECK_ERROR, "every vertex has an influence", check_weight_none},
    {"weight-sum", CHECK_ERROR, "weights of a vertex sum to 1", check_weight_sum},
    {"weight-negative", CHECK_NOTE, "weights are not negative", check_weight_negative},
    {"rest-frame-finite", CHECK_ERROR, "rest frames are numbers", check_rest_frame_finite},
    {"rest-frame-singular", CHECK_ERROR, "rest frames can be inverted", check_rest_frame_singular},
    {"rest-frame-rigid", CHECK_NOTE, "rest frames are rigid", check_rest_frame_rigid},
    {"transform-finite", CHECK_ERROR, "transforms are numbers", check_transform_finite},
    {"transform-rigid", CHECK_NOTE, "transforms are rigid (affine rigs are legal)", check_transform_rigid},
    {"transform-mirrored", CHECK_WARNING, "transforms do not mirror", check_transform_mirrored},
    {"rig-away", CHECK_WARNING, "joints are near the mesh", check_rig_away},
    {"fps", CHECK_NOTE, "the frame rate is known", check_fps},
    {"positions-finite", CHECK_ERROR, "positions are numbers", check_positions_finite},
    {"normals-finite", CHECK_ERROR, "normals are numbers", check_normals_finite},
    {"normals-unit", CHECK_WARNING, "normals have length 1", check_normals_unit},
    {"frame-counts", CHECK_ERROR, "rig and animation have the same frames", check_frame_counts},
    {"rest-scale", CHECK_ERROR, "rest pose and animation have one scale", check_rest_scale},
    {"model-finite", CHECK_ERROR, "the low-rank model is numbers", check_model_finite},
    {"model-frames", CHECK_ERROR, "low-rank model and animation have the same frames", check_model_frames},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };
static_assert((int)ROW_COUNT <= (int)CHECK_ROWS_MAX, "the report has space for every row");

Status dataset_check(const Dataset *dataset, CheckReport *report)
{
    *report = (CheckReport){.finding_count = 0};
    int *const counts[] = {&report->note_count, &report->warning_count, &report->error_count};
    for (int i = 0; i < ROW_COUNT; i++) {
        CheckFinding finding = {.code = rows[i].code, .severity = rows[i].severity};
        Status status = rows[i].run(dataset, &finding);
        if (status.code != STATUS_OK)
            return status;
        if (finding.count == 0)
            continue;
        report->findings[report->finding_count++] = finding;
        ++*counts[finding.severity];
    }
    return status_ok();
}

int check_row_count(void)
{
    return ROW_COUNT;
}

const char *check_row_code(int index)
{
    return rows[index].code;
}

const char *check_row_meaning(int index)
{
    return rows[index].meaning;
}

CheckSeverity check_row_severity(int index)
{
    return rows[index].severity;
}
