/* Compressed skinning (Kavan et al. 2024): blends a few linearised transformations. They are fitted to
 * shapes by Adam, with a projection after each step. */
#include "datasets/geometry/topology.h"
#include "methods/decomposition/compressed-skinning/refinement.h"
#include "methods/fitting/skin_fit.h"
#include "methods/reduction/reduction.h"

typedef enum CompressedParameter {
    COMPRESSED_ENTRIES,
    COMPRESSED_LAPLACIAN,
    COMPRESSED_STEPS,
    COMPRESSED_FREE,
    COMPRESSED_REFINE,
    COMPRESSED_POWER,
    COMPRESSED_PARAMETER_COUNT
} CompressedParameter;

static const char *const refine_choices[] = {"no", "yes", NULL};

static const Parameter parameters[COMPRESSED_PARAMETER_COUNT + 1] = {
    [COMPRESSED_ENTRIES] =
        {"entries", "maximum number of non-zero values in all transformations; a transformation has 6 values",
         PARAMETER_INTEGER, 6000, 1, 1e9, NULL},
    [COMPRESSED_LAPLACIAN] =
        {"laplacian", "weight of the smoothness term (Laplacian of the displacements) relative to the error",
         PARAMETER_REAL, 10, 0, 1e6, NULL},
    [COMPRESSED_STEPS] = {"steps", "number of steps of Adam in each iteration", PARAMETER_INTEGER, 1000, 1,
                          1e6, NULL},
    [COMPRESSED_FREE] = {"free",
                         "number of iterations at the start in which weights are not divided by their sum",
                         PARAMETER_INTEGER, 7, 0, 1e6, NULL},
    [COMPRESSED_REFINE] = {"refine",
                           "yes: after `free` iterations, solve exactly for weights and entries in turn, and "
                           "exchange entries; no: the published algorithm",
                           PARAMETER_CHOICE, 1, 0, 0, refine_choices},
    [COMPRESSED_POWER] = {"power", "exponent p; the exact steps minimise the sum of |distance|^p",
                          PARAMETER_REAL, 1.5, 1, 2, NULL},
};

/* Root mean square distance of the vertices of a head from its centre, in centimetres. The learning rates
 * of the paper assume a mesh of this size. */
static const double HEAD = 12.0;

/* Copies the bones, weights and maps of the optimiser to the fit. Only the K largest weights of a vertex
 * are copied, scaled to the sum 1. Each map is v -> (1 + R) v + t about the origin of the data set, so that
 * entries of R and t that are zero here are also zero in the file. */
static void fit_update(const ProximalAdam *adam, SkinFit *fit)
{
    const int rows = fit->target.row_count, bones = adam->bone_count;
    for (ptrdiff_t i = 0; i < fit->vertex_count; i++) {
        double sum = 0.0;
        int used = 0;
        for (int k = 0; k < fit->influence_count; k++) {
            fit->bones[i * fit->influence_count + k] = 0;
            fit->weights[i * fit->influence_count + k] = 0.0;
        }
        for (int j = 0; j < bones; j++)
            sum += fmax((double)adam->weights[i * bones + j], 0.0);
        for (int j = 0; j < bones && used < fit->influence_count; j++)
            if (adam->weights[i * bones + j] > 0.0f) {
                fit->bones[i * fit->influence_count + used] = j;
                fit->weights[i * fit->influence_count + used++] = (double)adam->weights[i * bones + j] / sum;
            }
        if (used == 0)
            fit->weights[i * fit->influence_count] = 1.0;
    }
    for (int bone = 0; bone < bones; bone++)
        for (int row = 0; row < rows; row++) {
            const int axis = row % 3;
            const float *entry = adam->entries + ((ptrdiff_t)(row / 3) * bones + bone) * FREE;
            const double turn[3][3] = {{0, -(double)entry[2], (double)entry[1]},
                                       {(double)entry[2], 0, -(double)entry[0]},
                                       {-(double)entry[1], (double)entry[0], 0}};
            double *map = fit->maps + (ptrdiff_t)4 * bone * rows + row;
            for (int c = 0; c < 3; c++)
                map[(ptrdiff_t)c * rows] = fit->units.unit * ((c == axis) + turn[axis][c]);
            map[(ptrdiff_t)3 * rows] = fit->units.center[axis] - fit->target.offset[row] +
                                       (double)entry[3 + axis] * fit->units.unit / HEAD;
            for (int c = 0; c < 3; c++)
                map[(ptrdiff_t)3 * rows] += turn[axis][c] * fit->units.center[c];
        }
}

/* Computes the displacements from the rest pose, in units in which the mesh has the size of a head. *square
 * receives the sum of their squares. */
static Status displacements_make(const DecompositionInput *input, double unit, Animation *out, double *square)
{
    const int frames = input->animation->frame_count, vertices = input->mesh->vertex_count;
    STATUS_TRY(animation_allocate(out, frames, vertices, 0));
    for (ptrdiff_t i = 0; i < (ptrdiff_t)3 * vertices * frames; i++) {
        const double delta =
            (double)input->animation->positions[i] - (double)input->mesh->rest[i % ((ptrdiff_t)3 * vertices)];
        out->positions[i] = (float)(delta * HEAD / unit);
        *square += pow((double)out->positions[i], 2.0);
    }
    return status_ok();
}

/* Lists the neighbours of every vertex along edges; ends->first holds the position of each vertex's first
 * neighbour in the list. */
static Status neighbours_make(const Mesh *mesh, Grouping *ends, int32_t **neighbours)
{
    static const char what[] = "the neighbours of the vertices";
    OWNED MeshEdge *edges = NULL;
    int edge_count = 0;
    STATUS_TRY(
        mesh_edges_make(mesh->triangles, mesh->triangle_count, mesh->vertex_count, &edges, &edge_count));
    LOCAL_ARRAY(int32_t, vertices, 2 * (size_t)edge_count, what);
    for (int i = 0; i < 2 * edge_count; i++)
        vertices[i] = i % 2 ? edges[i / 2].high : edges[i / 2].low;
    STATUS_TRY(grouping_init(vertices, 2 * (size_t)edge_count, mesh->vertex_count, what, ends));
    for (int i = 0; i < 2 * edge_count; i++)
        vertices[i] =
            ends->members[i] % 2 ? edges[ends->members[i] / 2].low : edges[ends->members[i] / 2].high;
    *neighbours = TAKE(vertices);
    return status_ok();
}

/* Clips negative weights to 0. A vertex that never moved has no weights and gets the first bone. */
static void weights_clip(ProximalAdam *adam)
{
    for (ptrdiff_t i = 0; i < adam->vertex_count; i++) {
        float *weights = adam->weights + i * adam->bone_count, sum = 0.0f;
        for (int j = 0; j < adam->bone_count; j++)
            sum += weights[j] = fmaxf(weights[j], 0.0f);
        if (!(sum > 1e-6f))
            weights[0] = 1.0f;
    }
}

static Status compressed_fit(const DecompositionInput *input, const DecompositionOptions *options,
                             DecompositionResult *result)
{
    const double started_s = clock_now_s();
    const Mesh *mesh = input->mesh;
    const int frames = input->animation->frame_count, vertices = mesh->vertex_count;
    const int steps = (int)options->parameters[COMPRESSED_STEPS];
    CLEANUP(skin_fit_clear) SkinFit fit = {0};
    CLEANUP(kept_fit_clear) KeptFit kept = {0};
    CLEANUP(reduction_clear) Reduction reduction = {0};
    CLEANUP(grouping_clear) Grouping ends = {0};
    CLEANUP(proximal_adam_clear) ProximalAdam adam = {0};
    CLEANUP(animation_clear) Animation deltas = {0};
    OWNED int32_t *neighbours = NULL;
    double energy = 0.0;
    STATUS_TRY(decomposition_result_begin(result, options->bones, options->iterations));
    STATUS_TRY(skin_fit_make(input, options, &fit));
    STATUS_TRY(decomposition_ask(options, "reducing the shapes", 0.0));
    fit.bone_count = int_min(options->bones, vertices);
    ALLOCATE_TABLE(fit.maps, 4 * (size_t)fit.bone_count, 3 * (size_t)frames, "the maps of the bones");
    /* compute displacements and a basis of their span */
    STATUS_TRY(displacements_make(input, fit.units.unit, &deltas, &energy));
    const double SHARE = 0.003; /* maximum error of the reduction, relative to the displacements. It is about
                                   a tenth of the fit's error, and the squares of both errors add up. */
    const ReductionOptions reducing = {.threshold = SHARE * sqrt(energy), .threads = options->threads};
    STATUS_TRY(reduction_init(&deltas, vertices, &reducing, &reduction));
    result->reduction_s = clock_now_s() - started_s;
    result->reduced_dimension = reduction.dimension;
    const size_t depth = (size_t)reduction.dimension;
    LOCAL_TABLE(float, rest, vertices, 4, "the rest pose");
    LOCAL_TABLE(float, basis, depth, 3 * (size_t)frames, "the basis");
    LOCAL_TABLE(float, coords, vertices, depth, "the coordinates");
    for (ptrdiff_t i = 0; i < (ptrdiff_t)4 * vertices; i++)
        rest[i] =
            i % 4 == 3
                ? 1.0f
                : (float)(HEAD * (fit.rest[i / 4 * 3 + i % 4] + fit.units.center[i % 4] / fit.units.unit));
    for (size_t i = 0; i < depth * 3 * (size_t)frames; i++)
        basis[i] = (float)reduction.basis[i];
    for (size_t i = 0; i < depth * (size_t)vertices; i++)
        coords[i] = (float)reduction.coordinates[i];
    STATUS_TRY(neighbours_make(mesh, &ends, &neighbours));
    adam = (ProximalAdam){.vertex_count = vertices,
                          .shape_count = frames,
                          .bone_count = fit.bone_count,
                          .dimension = reduction.dimension,
                          .influence_count = int_min(options->influences, fit.bone_count),
                          .entry_count = (int)options->parameters[COMPRESSED_ENTRIES],
                          .threads = options->threads,
                          .rate = 1e-3f,
                          .laplacian = (float)options->parameters[COMPRESSED_LAPLACIAN],
                          .power = (float)options->parameters[COMPRESSED_POWER],
                          .least = 1e-4f, /* lower bound of a distance |r|: a thousandth of a millimetre */
                          .rest = rest,
                          .targets = deltas.positions,
                          .basis = basis,
                          .coords = coords,
                          .first = ends.first,
                          .neighbours = neighbours};
    STATUS_TRY(proximal_adam_init(&adam, options->seed));
    const bool refine = options->parameters[COMPRESSED_REFINE] != 0.0;
    if (refine) { /* the first model that refinement compares with is the mesh at rest */
        ProximalAdam still = adam;
        double squared_error = 0.0;
        LOCAL_TABLE(float, zeros, (size_t)frames *(size_t)fit.bone_count, FREE, "the entries");
        still.entries = zeros;
        fit_update(&still, &fit);
        STATUS_TRY(skin_fit_error(&fit, &squared_error));
        STATUS_TRY(skin_fit_keep(&fit, &squared_error, &kept));
    }
    result->initialization_s = clock_now_s() - started_s;
    result->end = FIT_ITERATION_CAP;
    const int free_iterations = (int)options->parameters[COMPRESSED_FREE];
    const double LITTLE = 0.01; /* share of the squared error by which another iteration must lower it */
    double before = INFINITY;   /* squared error before the last iteration of exact steps */
    bool ended = false;
    for (int iteration = 0; iteration <= options->iterations && !ended; iteration++) {
        const bool normalised = iteration > free_iterations;
        if (iteration == free_iterations + 1) {
            proximal_adam_restart(&adam);
            weights_clip(&adam);
        }
        /* number of steps of Adam that take about as much time as one round of exact refinement */
        enum { STEPS_OF_ROUND = 8 };
        const bool exact = refine && normalised;
        for (int step = 0; step < steps && iteration > 0 && !ended; step += exact ? STEPS_OF_ROUND : 1) {
            if (step % STEPS_OF_ROUND == 0 &&
                decomposition_must_end(options, started_s, iteration - 1, "iterations",
                                       (iteration - 1.0 + (double)step / steps) / options->iterations,
                                       &result->end)) {
                ended = true;
            } else if (exact) {
                STATUS_TRY(weights_refine(&adam));
                STATUS_TRY(entries_refine(&adam, true));
                STATUS_TRY(entries_refine(&adam, false));
            } else {
                proximal_adam_step(&adam, normalised);
            }
        }
        double squared_error = 0.0;
        fit_update(&adam, &fit);
        STATUS_TRY(skin_fit_error(&fit, &squared_error));
        if (refine) /* With refinement, the result is the best model found. The published method returns the
                       model of the last step. */
            STATUS_TRY(skin_fit_keep(&fit, &squared_error, &kept));
        decomposition_result_record(result, iteration, squared_error, started_s);
        if (exact && !ended && before - squared_error < LITTLE * before) {
            result->end = FIT_COMPLETE;
            ended = true;
        }
        before = exact ? squared_error : INFINITY;
    }
    skin_fit_return(&kept, &fit);
    STATUS_TRY(skin_fit_deliver(&fit, result, &result->squared_error[result->iteration_count]));
    /* restore zeros that were lost to rounding in the conversion to the units of the file */
    for (ptrdiff_t i = 0; i < (ptrdiff_t)12 * frames * result->rig.joint_count; i++) {
        double *value = &result->rig.transforms[i / 12].m00 + i % 12;
        const double identity = i % 12 % 5 == 0, noise = 1e-12 * (i % 4 == 3 ? fit.units.unit : 1.0);
        *value = fabs(*value - identity) < noise ? identity : *value;
    }
    decomposition_result_finish(result, options, started_s);
    return status_ok();
}

const DecompositionMethod compressed_skinning_method = {
    .name = "compressed-skinning",
    .title = "Compressed skinning",
    .citation = "Kavan, Doublestein, Prazak, Cioffi, Roble 2024, Compressed Skinning for Facial Blendshapes",
    .summary =
        "Finds sparse bone transformations and weights for facial shapes by proximal gradient descent.",
    .parameters = parameters,
    .makes_rig = true,
    .bounds_itself = true,
    .fit = compressed_fit,
};
