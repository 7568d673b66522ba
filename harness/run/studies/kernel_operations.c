/* Counts the floating-point operations of a method's kernel for one vertex. Unlike the instructions that
 * kernel_instructions.c counts, they need no compiler for GPUs. Comparisons are not counted.
 *
 *   parameters
 *     method
 *     variant      how signs are chosen (methods/kernel/hemisphere.h): 0 (default) in the palette
 *     influences   4 by default
 *   measures
 *     additions, multiplications, divisions; a square root counts as a division
 *     operations   their sum */
#include "harness/run/studies/study.h"

enum { INFLUENCES_MAX = 16 };

Status study_kernel_operations(const StudyInput *input, Measures *measures)
{
    const char *name = study_text(input, "method", "cor");
    const SkinningEntry *entry = skinning_entry_find(name);
    const int variant = (int)study_number(input, "variant", 0.0);
    const int influences = (int)study_number(input, "influences", 4.0);
    if (!entry || !entry->counter || !COUNTED_REAL)
        return status_make(STATUS_UNAVAILABLE,
                           entry ? "the operations of '%s' cannot be counted in this build"
                                 : "this build does not have the method '%s'",
                           name);
    if (influences < 1 || influences > INFLUENCES_MAX || variant < 0 ||
        variant >= entry->method->variant_count)
        return bad_usage("%s has no kernel for variant %d with %d influences", name, variant, influences);
    const SkinningMethod *method = entry->method;
    const size_t per_joint = (size_t)method->floats_per_joint, joint_values = per_joint * (size_t)influences;
    const int parameter_count = parameters_count(method->parameters);
    int32_t positions[INFLUENCES_MAX];
    double weights[INFLUENCES_MAX];
    LOCAL_ARRAY(double, values, joint_values + (size_t)method->floats_per_set + (size_t)parameter_count + 1,
                "a kernel to count");
    for (size_t i = 0; i < joint_values; i++) /* any values but 0, so that no quaternion vanishes */
        values[i] = 0.5 + 0.01 * (double)(i % per_joint);
    for (int k = 0; k < influences; k++) {
        positions[k] = k;
        weights[k] = 1.0 / influences;
    }
    KernelSample sample = {.influences = influences,
                           .variant = variant,
                           .values_per_joint = method->floats_per_joint,
                           .values_per_set = method->floats_per_set,
                           .values_per_vertex = method->floats_per_vertex,
                           .values_per_influence = method->floats_per_influence,
                           .parameter_count = parameter_count,
                           .joint_values = values,
                           .joints = positions,
                           .weights = weights,
                           .set_values = values + joint_values,
                           .parameters = values + joint_values + method->floats_per_set,
                           .positions = positions,
                           .rest = {1.0, 2.0, 3.0, 0.0, 0.6, 0.8}};
    LOCAL_ARRAY(CountedReal, workspace, kernel_sample_values(influences, &sample), "a kernel to count");
    sample.workspace = workspace;
    const OperationCounts counts = entry->counter(&sample);
    measures_add(measures, "additions", counts.additions);
    measures_add(measures, "multiplications", counts.multiplications);
    measures_add(measures, "divisions", counts.divisions);
    measures_add(measures, "operations", counts.additions + counts.multiplications + counts.divisions);
    return status_ok();
}
