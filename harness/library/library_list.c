/* Lists methods, generators, backends, metrics and scores. One table has a row for each kind. */
#include "harness/library/library.h"

#include "datasets/generate/generate.h"
#include "harness/measure/score/score.h"
#include "methods/registry.h"
#include "methods/runtime/backend.h"

/* An entry of a list, with its parameters. */
typedef struct Listed {
    SkinbenchEntry entry;
    const Parameter *parameters;
} Listed;

static Listed skinning_listed(int index)
{
    const SkinningMethod *method = skinning_entry_at(index)->method;
    return (Listed){{method->name, method->title, method->citation, parameters_count(method->parameters)},
                    method->parameters};
}

static Listed decomposition_listed(int index)
{
    const DecompositionMethod *method = decomposition_method_at(index);
    return (Listed){{method->name, method->title, method->citation, parameters_count(method->parameters)},
                    method->parameters};
}

static Listed generator_listed(int index)
{
    const Generator *generator = generator_at(index);
    return (Listed){{generator->name, generator->title, "", parameters_count(generator->parameters)},
                    generator->parameters};
}

static int backend_count(void)
{
    return BACKEND_COUNT;
}

static Listed backend_listed(int index)
{
    return (Listed){{backend_at(index)->name, backend_at(index)->title, "", 0}, NULL};
}

static int metric_count(void)
{
    int count = 0;
    (void)metric_rows(&count);
    return count;
}

static Listed metric_listed(int index)
{
    int count = 0;
    const Metric *metric = &metric_rows(&count)[index];
    return (Listed){{metric->name, metric->title, metric->unit, 0}, NULL};
}

static int score_count(void)
{
    return SCORE_COUNT;
}

static Listed score_listed(int index)
{
    return (Listed){{score_rows[index].name, score_rows[index].title, "", SCORE_PARAMETERS},
                    score_parameters};
}

static const struct {
    int (*count)(void);
    Listed (*listed)(int index);
} kinds[] = {
    [SKINBENCH_SKINNING_METHODS] = {skinning_entry_count, skinning_listed},
    [SKINBENCH_DECOMPOSITION_METHODS] = {decomposition_method_count, decomposition_listed},
    [SKINBENCH_GENERATORS] = {generator_count, generator_listed},
    [SKINBENCH_BACKENDS] = {backend_count, backend_listed},
    [SKINBENCH_METRICS] = {metric_count, metric_listed},
    [SKINBENCH_SCORES] = {score_count, score_listed},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

int skinbench_count(SkinbenchKind kind)
{
    return (unsigned)kind < KINDS ? kinds[kind].count() : 0;
}

int skinbench_entry(SkinbenchKind kind, int index, SkinbenchEntry *out)
{
    if (index < 0 || index >= skinbench_count(kind))
        return 0;
    *out = kinds[kind].listed(index).entry;
    return 1;
}

int skinbench_index(SkinbenchKind kind, const char *name)
{
    for (int i = 0; name && i < skinbench_count(kind); i++)
        if (strcmp(kinds[kind].listed(i).entry.name, name) == 0)
            return i;
    return -1;
}

int skinbench_parameter(SkinbenchKind kind, int index, int parameter, SkinbenchParameter *out)
{
    if (index < 0 || index >= skinbench_count(kind))
        return 0;
    const Listed listed = kinds[kind].listed(index);
    if (parameter < 0 || parameter >= listed.entry.parameter_count)
        return 0;
    const Parameter *row = &listed.parameters[parameter];
    *out = (SkinbenchParameter){
        .name = row->name, .meaning = row->meaning, .type = parameter_type_name(row->type)};
    parameter_default_format(row, out->default_text, sizeof out->default_text);
    parameter_range_format(row, out->range, sizeof out->range);
    return 1;
}

SkinbenchStatus skinbench_backend_check(const char *name)
{
    const long failures = memory_failures();
    const Backend *backend = NULL;
    char device[STATUS_TEXT_BYTES];
    LIBRARY_TRY(library_given(name, "backend"));
    LIBRARY_TRY(backend_find(name, &backend));
    return library_status(backend->probe(device, sizeof device), failures);
}
