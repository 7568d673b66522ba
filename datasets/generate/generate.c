/* The table of generators, and the functions that run a generator. */
#include "datasets/generate/generate.h"

#include "datasets/base/nearest_name.h"
#include "datasets/io/store.h"

#define GENERATOR_ROW(name) &generator_##name,
static const Generator *const generators[] = {GENERATORS(GENERATOR_ROW)};

int generator_count(void)
{
    return (int)(sizeof generators / sizeof generators[0]);
}

const Generator *generator_at(int index)
{
    return generators[index];
}

const Generator *generator_find(const char *name)
{
    for (int i = 0; i < generator_count(); i++)
        if (strcmp(generators[i]->name, name) == 0)
            return generators[i];
    return NULL;
}

Status generator_named(const char *name, const Generator **out)
{
    NearestName nearest = {.given = name};
    *out = generator_find(name);
    for (int i = 0; i < generator_count(); i++)
        nearest_name_add_candidate(&nearest, generator_at(i)->name);
    return *out ? status_ok()
                : nearest_name_suggest(
                      &nearest, bad_usage("no generator '%s'; `skinbench list datasets` lists them", name));
}

/* Makes everything except the positions, which the generator makes frame by frame. */
static Status dataset_begin(const Generator *generator, const double *parameters, const Progress *progress,
                            Dataset **out)
{
    char source[64];
    snprintf(source, sizeof source, "skinbench generate %s", generator->name);
    STATUS_TRY(dataset_create(generator->name, generator->dataset_title, source, "MIT", out));
    (*out)->fps = 30.0;
    Status status = generator->fill(parameters, progress, *out);
    if (status.code != STATUS_OK) {
        dataset_free(*out);
        *out = NULL;
    }
    return status;
}

Status generator_run(const Generator *generator, const double *parameters, const Progress *progress,
                     Dataset **out)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    *out = NULL;
    STATUS_TRY(dataset_begin(generator, parameters, progress, &dataset));
    Animation *animation = &dataset->animation;
    if (generator->frame) {
        const size_t values = 3 * (size_t)dataset->mesh.vertex_count;
        STATUS_TRY(animation_allocate(animation, animation->frame_count, dataset->mesh.vertex_count, 0));
        for (int f = 0; f < animation->frame_count; f++) {
            generator->frame(parameters, dataset, f, animation->positions + (size_t)f * values);
            STATUS_TRY(progress_try(progress, "making the frames", (f + 1.0) / animation->frame_count, NULL));
        }
    }
    *out = TAKE(dataset);
    return status_ok();
}

Status generator_write(const Generator *generator, const double *parameters, int threads,
                       const Progress *progress, const char *path)
{
    OWNED_BY(dataset_free) Dataset *dataset = NULL;
    OWNED_BY(dataset_writer_abandon) DatasetWriter *writer = NULL;
    if (!generator->frame) {
        STATUS_TRY(generator_run(generator, parameters, progress, &dataset));
        return dataset_write(dataset, path);
    }
    STATUS_TRY(dataset_begin(generator, parameters, progress, &dataset));
    STATUS_TRY(dataset_writer_open(path, dataset, false, &writer));
    /* make the frames block by block, and write each block */
    threads = int_max(threads, 1);
    enum { BLOCK_BYTES = 64 << 20 };
    const int frames = dataset->animation.frame_count;
    const size_t values = 3 * (size_t)dataset->mesh.vertex_count;
    const size_t max = values > 0 ? BLOCK_BYTES / (values * sizeof(float)) : 1;
    const int block = max > (size_t)frames ? frames : int_max((int)max, threads);
    LOCAL_TABLE(float, positions, block, values, "a block of frames");
    for (int first = 0; first < frames; first += block) {
        const int count = frames - first < block ? frames - first : block;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
        for (int f = 0; f < count; f++)
            generator->frame(parameters, dataset, first + f, positions + (size_t)f * values);
        STATUS_TRY(dataset_write_frames(writer, count, positions, NULL));
        STATUS_TRY(progress_try(progress, "making the frames", (first + count + 0.0) / frames, NULL));
    }
    return dataset_writer_commit(TAKE(writer));
}
