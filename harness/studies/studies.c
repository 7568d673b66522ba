#include "harness/studies/study.h"

#include "harness/records/results.h"
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

double study_number(const StudyInput *input, const char *name, double standard)
{
    double value = json_number_at(input->parameters, name);
    return isnan(value) ? standard : value;
}

const char *study_text(const StudyInput *input, const char *name, const char *standard)
{
    const char *text = json_string_value(json_object_get(input->parameters, name));
    return text ? text : standard;
}

int study_settings(const StudyInput *input, const char *name, const char **settings, int room)
{
    const json_t *set = json_object_get(input->parameters, name);
    int count = 0;
    for (size_t i = 0; i < json_array_size(set) && count < room; i++)
        if (json_is_string(json_array_get(set, i)))
            settings[count++] = json_string_value(json_array_get(set, i));
    return count;
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
