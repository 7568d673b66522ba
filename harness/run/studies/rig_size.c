/* Computes the size of a rig, and how its vertices are divided into joint sets (SBS Table 1 and section
 * 4.2). */
#include "harness/run/studies/study.h"

Status study_rig_size(const StudyInput *input, Measures *measures)
{
    CLEANUP(joint_sets_clear) JointSets sets = {0};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.joint_count == 0)
        return bad_input("there is no rig to measure");
    STATUS_TRY(joint_sets_init(&dataset->rig, dataset->mesh.vertex_count, INFLUENCES_BY_JOINT, &sets));
    double influences = 0.0, vertices = dataset->mesh.vertex_count;
    for (int s = 0; s < sets.set_count; s++)
        influences += (double)(sets.first_slot[s + 1] - sets.first_slot[s]) *
                      (sets.first_vertex[s + 1] - sets.first_vertex[s]);
    measures_add(measures, "vertices", vertices);
    measures_add(measures, "triangles", dataset->mesh.triangle_count);
    measures_add(measures, "joints", dataset->rig.joint_count);
    measures_add(measures, "joint_sets", sets.set_count);
    measures_add(measures, "vertices_per_set", vertices / sets.set_count);
    measures_add(measures, "influences_mean", influences / vertices);
    measures_add(measures, "influences_max", sets.max_influences);
    return status_ok();
}
