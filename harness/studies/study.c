/* The studies there are, and what they share: parameters, a method on `reference`, measures. */
#include "harness/studies/study.h"

#include "harness/records/results.h"
#include "methods/registry.h"
#include <math.h>
#include <string.h>

extern const Study study_bar_shape, study_center_search, study_discontinuity, study_kernel_instructions,
    study_method_distance, study_orthogonality, study_reduction, study_rig_size, study_rotation_path,
    study_screw_bound;

/* One row each, in the order of their names, closed by NULL. */
static const Study *const studies[] = {
    &study_bar_shape,
    &study_center_search,
    &study_discontinuity,
    &study_kernel_instructions,
    &study_method_distance,
    &study_orthogonality,
    &study_reduction,
    &study_rig_size,
    &study_rotation_path,
    &study_screw_bound,
    NULL,
};

const Study *study_find(const char *name)
{
    for (int i = 0; studies[i]; i++)
        if (strcmp(studies[i]->name, name) == 0)
            return studies[i];
    return NULL;
}

double study_number(const StudyInput *input, const char *name, double fallback)
{
    double value = json_number_at(input->parameters, name);
    return isnan(value) ? fallback : value;
}

const char *study_text(const StudyInput *input, const char *name, const char *fallback)
{
    const char *text = json_string_value(json_object_get(input->parameters, name));
    return text ? text : fallback;
}

Status study_method(const StudyInput *input, const char *name, const char *settings, SkinnerOptions *out)
{
    const SkinningEntry *entry = skinning_entry_find(name);
    if (!entry)
        return status_make(STATUS_UNAVAILABLE, "the method '%s' is not built in", name);
    const SkinningMethod *method = entry->method;
    *out = (SkinnerOptions){.entry = entry,
                            .parameters = parameters_default(method->parameters, method->parameter_count),
                            .backend = &backend_reference,
                            .threads = input->threads};
    const json_t *list = settings ? json_object_get(input->parameters, settings) : NULL, *setting;
    size_t i;
    Status status = status_ok();
    json_array_foreach(list, i, setting) if (json_is_string(setting)) STATUS_TRY(parameters_set(
        method->parameters, method->parameter_count, name, json_string_value(setting), &out->parameters));
done:
    return status;
}

Status study_skin(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, int frame,
                  double *positions)
{
    Skinner *skinner = NULL;
    Status status;
    STATUS_TRY(skinner_create(options, mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig->transforms + (size_t)frame * (size_t)rig->joint_count, NULL, 1));
    STATUS_TRY(skinner_skin(skinner));
    STATUS_TRY(skinner_read_double(skinner, 0, positions, NULL));
done:
    skinner_free(skinner);
    return status;
}

void study_measure(json_t *measures, const char *name, double value)
{
    json_object_set_new(measures, name, json_number_or_null(value));
}

void study_curve(json_t *measures, const char *name, const double *values, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_number_or_null(values[i]));
    json_object_set_new(measures, name, array);
}
