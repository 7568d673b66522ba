/* Tests of every generator: equal parameters give identical bytes, the smallest parameters are legal, and
 * running out of memory returns a status. */
#include "tests/generated.h"

#include "datasets/io/sha256.h"
#include "datasets/io/store.h"

/* Returns whether a generator takes seconds. Only the generators of bodies do. test_bodies.c tests those in
 * the same way, so the loops here use only the smallest body. */
static bool slow(const Generator *generator)
{
    static const char *const names[] = {"hand", "biped", "biped-large", "creature"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(generator->name, names[i]) == 0)
            return true;
    return false;
}

TEST(same_parameters_same_bytes)
{
    char first[65], second[65];
    const char *path = path_of("a.h5");
    for (int i = 0; i < generator_count(); i++) {
        const Generator *generator = generator_at(i);
        if (slow(generator))
            continue;
        ParameterValues values = parameters_default(generator->parameters);
        for (int row = 0; generator->parameters[row].name; row++) {
            const Parameter *parameter = &generator->parameters[row];
            assert_true(
                parameter->type == PARAMETER_CHOICE ||
                (parameter->default_value >= parameter->minimum || parameter->type == PARAMETER_FLAG));
            if (strcmp(parameter->name, "vertices") == 0 || strcmp(parameter->name, "frames") == 0)
                values.values[row] = parameter->minimum;
        }
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_ok(generator_run(generator, values.values, NULL, &dataset));
        assert_ok(dataset_write(dataset, path));
        assert_ok(file_sha256(path, first));
        /* The file is the same whether it is written from memory or while several threads generate it. */
        assert_ok(generator_write(generator, values.values, 3, NULL, path));
        assert_ok(file_sha256(path, second));
        assert_string_equal(first, second);
    }
    /* Generate more frames than fit in one block, so that a second block is partly filled. */
    const Generator *jelly = generator_find("jelly");
    ParameterValues many = parameters_default(jelly->parameters);
    const char *const *settings = ASSIGNMENTS("around=1500", "along=1000", "frames=5");
    OWNED_BY(dataset_free) Dataset *whole = generated("jelly", settings), *read = NULL;
    for (; *settings; settings++)
        assert_ok(parameters_set(jelly->parameters, "jelly", *settings, &many));
    assert_ok(generator_write(jelly, many.values, 2, NULL, path));
    assert_ok(dataset_read(path, NULL, &read));
    assert_memory_equal(read->animation.positions, whole->animation.positions,
                        5 * 3 * (size_t)whole->mesh.vertex_count * sizeof(float));
}

/* Every number parameter may have its minimum, alone or together with all others. */
TEST(least_parameters_are_legal)
{
    for (int i = 0; i < generator_count(); i++) {
        const Generator *generator = generator_at(i);
        if (slow(generator))
            continue;
        ParameterValues all = parameters_default(generator->parameters);
        for (int row = 0; generator->parameters[row].name; row++) {
            const Parameter *parameter = &generator->parameters[row];
            if (parameter->type != PARAMETER_INTEGER && parameter->type != PARAMETER_REAL)
                continue;
            all.values[row] = parameter->minimum;
            OWNED_BY(dataset_free) Dataset *dataset = NULL;
            assert_ok(generator_run(generator, all.values, NULL, &dataset));
            assert_ok(dataset_validate(dataset, generator->name));
        }
    }
}

TEST(no_memory_is_a_status)
{
    for (int i = 0; i < generator_count(); i++) {
        const Generator *generator = generator_at(i);
        if (slow(generator) || strcmp(generator->name, "arm") == 0)
            continue;
        ParameterValues values = parameters_default(generator->parameters);
        for (int row = 0; generator->parameters[row].name; row++)
            if (generator->parameters[row].type == PARAMETER_INTEGER)
                values.values[row] = generator->parameters[row].minimum;
        OWNED_BY(dataset_free) Dataset *dataset = NULL;
        assert_allocations_may_fail(5, generator_run(generator, values.values, NULL, &dataset),
                                    assert_null(dataset));
    }
}
