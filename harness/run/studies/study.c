/* Finds a study by name, and implements the functions that studies share: parameters, fits and skins. */
#include "harness/run/studies/study.h"

#include "harness/measure/metrics/metrics_stream.h"

Study *study_find(const char *name)
{
#define STUDY_ROW(identifier, name) {name, study_##identifier},
    static const struct {
        const char *name;
        Study *study;
    } rows[] = {STUDY_NAMES(STUDY_ROW)};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].study;
    return NULL;
}

double study_number(const StudyInput *input, const char *name, double fallback)
{
    return argument_number_of(input->parameters, name, fallback);
}

const char *study_text(const StudyInput *input, const char *name, const char *fallback)
{
    return argument_text(argument_find(input->parameters, name), fallback);
}

bool study_flag(const StudyInput *input, const char *name)
{
    return argument_flag(argument_find(input->parameters, name));
}

int study_rounds(const StudyInput *input, double fallback)
{
    return int_clamp((int)study_number(input, "rounds", fallback), 1, STUDY_ROUNDS_MAX);
}

void study_numbers(const StudyInput *input, const char *name, double *out, int count)
{
    const Argument *values = argument_find(input->parameters, name);
    for (int i = 0; i < count; i++)
        out[i] = argument_count(values) == count ? argument_number(argument_at(values, i), NAN) : NAN;
}

Status study_settings(const StudyInput *input, const char *name, const Parameter *rows, const char *owner,
                      ParameterValues *values)
{
    const Argument *list = argument_find(input->parameters, name);
    for (int i = 0; i < argument_count(list); i++)
        STATUS_TRY(parameters_set(rows, owner, argument_text(argument_at(list, i), ""), values));
    return status_ok();
}

Status study_method(const StudyInput *input, const char *name, const char *settings, SkinnerOptions *out)
{
    const SkinningEntry *entry = skinning_entry_find(name);
    if (!entry)
        return status_make(STATUS_UNAVAILABLE, "this build does not have the method '%s'", name);
    const SkinningMethod *method = entry->method;
    *out = (SkinnerOptions){.entry = entry,
                            .parameters = parameters_default(method->parameters),
                            .backend = &backend_reference,
                            .threads = input->threads};
    return settings ? study_settings(input, settings, method->parameters, name, &out->parameters)
                    : status_ok();
}

Status study_fit(const StudyInput *input, const DecompositionMethod *method, DecompositionOptions options,
                 DecompositionResult *out)
{
    DecompositionInput given = {.mesh = &input->dataset->mesh, .animation = &input->dataset->animation};
    STATUS_TRY(metrics_unit_radius(given.animation, given.mesh->vertex_count, &given.unit_radius));
    options.threads = input->threads;
    options.progress = input->progress;
    options.methods = decomposition_registry;
    return decomposition_fit(method, &given, &options, out);
}

Status study_fit_as_paper(const StudyInput *input, int iterations, DecompositionResult *out)
{
    const DecompositionMethod *method = decomposition_method_find("coordinate-descent");
    if (!method)
        return status_make(STATUS_UNAVAILABLE, "this build does not have coordinate-descent");
    ParameterValues values = parameters_default(method->parameters);
    STATUS_TRY(parameters_set(method->parameters, method->name, "preset=paper", &values));
    const DecompositionOptions options = {.bones = (int)fmax(study_number(input, "bones", 10.0), 1.0),
                                          .influences = 4,
                                          .iterations = iterations,
                                          .parameters = values.values};
    return study_fit(input, method, options, out);
}

double study_distance(const double *a, const double *b)
{
    return vec3_length(vec3_sub(vector_at(a, 0), vector_at(b, 0)));
}

void study_number_add(Measures *measures, double value, const char *format, ...)
{
    char name[MEASURE_NAME_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    measures_add(measures, name, value);
}

void study_add_times(Measures *measures, const char *const names[2], const double *const times[2], int count,
                     const char *ratio)
{
    double ratios[STUDY_ROUNDS_MAX];
    for (int i = 0; i < count; i++)
        ratios[i] = times[1][i] / times[0][i];
    measures_add_samples(measures, names[0], times[0], count);
    measures_add_samples(measures, names[1], times[1], count);
    measures_add_samples(measures, ratio, ratios, count);
}

Status study_skin(const SkinnerOptions *options, const Mesh *mesh, const Rig *rig, int frame,
                  double *positions)
{
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(options, mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, rig->transforms + (size_t)frame * (size_t)rig->joint_count, NULL, 1));
    STATUS_TRY(skinner_skin(skinner));
    return skinner_read_double(skinner, 0, positions, NULL);
}
