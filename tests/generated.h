/* Generated data sets with chosen parameters. */
#pragma once

#include "datasets/generate/generate.h"
#include "datasets/model/validate.h"
#include "tests/support.h"

/* Generates a data set. `assignments` is a list of texts "name=value" that ends with NULL, or NULL for
 * none. */
static inline Status generated_try(const char *name, const char *const *assignments, const Progress *progress,
                                   Dataset **out)
{
    const Generator *generator = generator_find(name);
    assert_non_null(generator);
    ParameterValues values = parameters_default(generator->parameters);
    for (; assignments && *assignments; assignments++)
        assert_ok(parameters_set(generator->parameters, name, *assignments, &values));
    return generator_run(generator, values.values, progress, out);
}

/* Generates a data set and fails the test on an error: GENERATED("bar", "along=41", "frames=2"). */
#define ASSIGNMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define GENERATED(name, ...) generated(name, ASSIGNMENTS(__VA_ARGS__))
static inline Dataset *generated(const char *name, const char *const *assignments)
{
    Dataset *dataset = NULL;
    assert_ok(generated_try(name, assignments, NULL, &dataset));
    assert_ok(dataset_validate(dataset, name));
    return dataset;
}
