/* Computes the memory of a method: floats per joint in its palette, per joint set and per vertex (DQS 5:
 * 12, 8 and 20 scalars per joint). With a data set, also relates their size to that of the mesh. Also
 * counts three floats for the centre of each nontrivial joint set (SBS 5).
 *
 *   parameters
 *     method      name of the method
 *     two_phase   whether to add the matrices C'_j of phase one */
#include "harness/run/studies/study.h"

#include "methods/posing/set_centers.h"

enum { FLOAT_BYTES = 4 };

Status study_method_size(const StudyInput *input, Measures *measures)
{
    const char *name = study_text(input, "method", "dqs");
    const SkinningEntry *entry = skinning_entry_find(name), *lbs = skinning_entry_find("lbs");
    if (!entry || !lbs)
        return status_make(STATUS_UNAVAILABLE, "this build does not have the method '%s'",
                           entry ? "lbs" : name);
    const SkinningMethod *method = entry->method;
    const bool two_phase = study_flag(input, "two_phase") && method->rigid_only;
    if (input->dataset && input->dataset->rig.joint_count > 0) {
        const Dataset *dataset = input->dataset;
        CLEANUP(joint_sets_clear) JointSets sets = {0};
        OWNED_BY(set_centers_free) SetCenters *centers = NULL;
        STATUS_TRY(joint_sets_init(&dataset->rig, dataset->mesh.vertex_count, INFLUENCES_BY_JOINT, &sets));
        STATUS_TRY(set_centers_bind(
            &(SkinningBinding){.mesh = &dataset->mesh, .rig = &dataset->rig, .sets = &sets}, &centers));
        const double vertices = dataset->mesh.vertex_count;
        /* three floats for each rest position, and a weight and a joint index for each influence */
        const double mesh_bytes = FLOAT_BYTES * vertices * (3.0 + 2.0 * dataset->rig.influence_count);
        const double set_bytes = (double)FLOAT_BYTES * method->floats_per_set * sets.set_count;
        const double vertex_bytes = FLOAT_BYTES * method->floats_per_vertex * vertices;
        measures_add(measures, "joint_sets", sets.set_count);
        measures_add(measures, "set_bytes", set_bytes);
        measures_add(measures, "set_percent", 100.0 * set_bytes / mesh_bytes);
        measures_add(measures, "vertex_bytes", vertex_bytes);
        measures_add(measures, "vertex_percent", 100.0 * vertex_bytes / mesh_bytes);
        measures_add(measures, "center_percent",
                     100.0 * 3 * FLOAT_BYTES * set_centers_nontrivial(centers) / mesh_bytes);
    }
    measures_add(measures, "floats_per_joint",
                 method->floats_per_joint + (two_phase ? lbs->method->floats_per_joint : 0));
    measures_add(measures, "floats_per_set", method->floats_per_set);
    measures_add(measures, "floats_per_vertex", method->floats_per_vertex);
    return status_ok();
}
