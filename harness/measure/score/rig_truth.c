/* Compares the rig of a candidate with the target's, by some of the numbers of score.h. */
#include "harness/measure/metrics/further.h"

#include "harness/measure/score/score.h"

/* Whether every joint is at the origin, as in the rigs of fits that find no skeleton. */
static bool joints_are_unplaced(const Rig *rig)
{
    for (int i = 0; i < rig->joint_count; i++)
        if (vec3_length(rig_joint_place(rig, i)) > 0.0)
            return false;
    return true;
}

Status rig_truth_find(const Mesh *mesh, const Rig *truth, const Rig *rig, const int32_t *rows, RigTruth *out)
{
    ScoreTask task = {.mesh = mesh,
                      .truth = truth,
                      .rig_mesh = mesh,
                      .rig = rig,
                      .rows = rows,
                      .parameters = parameters_default(score_parameters)};
    Score score;
    *out = (RigTruth){NAN, NAN, NAN, NAN, NAN};
    if (!truth || truth->joint_count == 0 || !rig || rig->joint_count == 0 || mesh->vertex_count == 0 ||
        rig->joint_count > SCORE_JOINTS_MAX || truth->joint_count > SCORE_JOINTS_MAX)
        return status_ok();
    STATUS_TRY(score_compare(&task, SCORE_QUICK, &score));
    if (!joints_are_unplaced(rig))
        out->cd_j2j = score.values[SCORE_CD_J2J];
    out->box = score.box;
    if (score.values[SCORE_PAIRS] == rig->joint_count) { /* every joint has a name of the true rig */
        out->precision = 100.0 * score.values[SCORE_WEIGHT_PRECISION];
        out->recall = 100.0 * score.values[SCORE_WEIGHT_RECALL];
        out->l1 = score.values[SCORE_L1_ROW];
    }
    return status_ok();
}
