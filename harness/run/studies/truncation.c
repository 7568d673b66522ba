/* Measures the error of a skin stored with few bits: with quantised weights (as by `weights quantise`),
 * with rigid transformations stored as quantised quaternions and translations, and with both. A distance is
 * the root mean square over the vertices and up to 16 frames, between two skins of the same method.
 *
 *   parameters
 *     methods   names of the methods
 *     bits      2 to 16, or 32 for floats */
#include "harness/run/studies/study.h"

#include "datasets/geometry/affine_parts.h"
#include "datasets/model/compact_weights.h"
#include "methods/fitting/frame_solve.h"

enum { FRAMES = 16, FLOAT_BITS = 32, FEW_JOINTS = 8 };

typedef struct Truncated {
    const Mesh *mesh;
    Rig rig;    /* rig with its own copy of the weights; all other data are borrowed from the subject */
    int frames; /* F, the number of frames: at most FRAMES, evenly spread */
    Transform *transforms; /* [F][P] */
    Transform *rounded;    /* [F][P] */
    size_t points;         /* F N */
    float *skins;          /* [2][2][points][3] skins of a method, with weights and transformations that are
                              exact or stored with few bits */
} Truncated;

static void truncated_clear(Truncated *truncated)
{
    FREE_ALL(truncated->rig.weight_joints, truncated->rig.weight_values, truncated->transforms,
             truncated->rounded, truncated->skins);
}

static double rounded_to(double value, double max, int bits)
{
    const double steps = ldexp(1.0, bits - 1) - 1.0;
    if (bits == FLOAT_BITS)
        return (double)(float)value;
    return max > 0.0 ? round(value / max * steps) * max / steps : 0.0;
}

static Status truncated_make(const Dataset *dataset, int bits, const Progress *progress, Truncated *out)
{
    const Rig *rig = &dataset->rig;
    const size_t joints = (size_t)rig->joint_count;
    *out = (Truncated){.mesh = &dataset->mesh, .frames = int_min(FRAMES, rig->frame_count)};
    out->points = (size_t)out->frames * (size_t)dataset->mesh.vertex_count;
    STATUS_TRY(rig_with_weights(rig, dataset->mesh.vertex_count, &out->rig));
    ALLOCATE_TABLE(out->transforms, out->frames, joints, "the poses");
    ALLOCATE_TABLE(out->rounded, out->frames, joints, "the poses");
    ALLOCATE_TABLE(out->skins, 12, out->points, "the skins");
    for (int f = 0; f < out->frames; f++)
        memcpy(out->transforms + (size_t)f * joints,
               rig->transforms + (size_t)((f + 1) * rig->frame_count / out->frames - 1) * joints,
               joints * sizeof(Transform));
    /* Round quaternions to multiples of s = 1 / (2^(bits - 1) - 1), and translations to multiples of s
     * times the largest translation. */
    const int count = out->frames * out->rig.joint_count;
    double max = 0.0;
    for (int i = 0; i < count; i++) {
        const Transform *t = &out->transforms[i];
        max = fmax(max, fmax(fabs(t->m03), fmax(fabs(t->m13), fabs(t->m23))));
    }
    for (int i = 0; i < count; i++) {
        const Transform *t = &out->transforms[i];
        Quat q = affine_parts(*t).rotation;
        q = quat_make(rounded_to(q.w, 1.0, bits), rounded_to(q.x, 1.0, bits), rounded_to(q.y, 1.0, bits),
                      rounded_to(q.z, 1.0, bits));
        out->rounded[i] = transform_rigid(quat_normalize(q), vec3_make(rounded_to(t->m03, max, bits),
                                                                       rounded_to(t->m13, max, bits),
                                                                       rounded_to(t->m23, max, bits)));
    }
    return bits == FLOAT_BITS ? status_ok() : rig_quantise(&out->rig, &dataset->mesh, bits, progress, NULL);
}

/* Binds a rig with exact or quantised weights once, and skins it with exact and with rounded
 * transformations. skins [2][points][3] */
static Status rig_skin(const SkinnerOptions *options, const Truncated *truncated, const Rig *rig,
                       float *skins)
{
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    STATUS_TRY(skinner_create(options, truncated->mesh, rig, &skinner));
    STATUS_TRY(skinner_pose(skinner, truncated->transforms, NULL, truncated->frames));
    STATUS_TRY(skinner_skin_frames(skinner, skins, NULL));
    STATUS_TRY(skinner_pose(skinner, truncated->rounded, NULL, truncated->frames));
    return skinner_skin_frames(skinner, skins + 3 * truncated->points, NULL);
}

/* Measures the error with quantised weights, with quantised transformations, and with both. */
static Status method_run(const StudyInput *input, Truncated *truncated, const char *method,
                         Measures *measures)
{
    static const char *const parts[4] = {NULL, "transforms", "weights", "both"};
    Rig exact = input->dataset->rig;
    SkinnerOptions options;
    Status statuses[2];
    exact.centers = NULL; /* the centres are recomputed from the weights */
    exact.smoothed = (JointValues){0};
    STATUS_TRY(study_method(input, method, NULL, &options));
    const Rig *const rigs[2] = {&exact, &truncated->rig};
    /* skin both rigs at once if they have few joints, because one of them would keep only one thread busy */
#pragma omp parallel for num_threads(input->threads) if (exact.joint_count <= FEW_JOINTS)
    for (int i = 0; i < 2; i++)
        statuses[i] =
            rig_skin(&options, truncated, rigs[i], truncated->skins + 6 * (size_t)i * truncated->points);
    for (int i = 0; i < 2; i++)
        STATUS_TRY(statuses[i]);
    const double diagonal = bounds_of(truncated->mesh->rest, truncated->mesh->vertex_count).diagonal;
    for (int part = 1; part < 4; part++) {
        /* compute the error over all frames, in per cent of the diagonal */
        const float *positions = truncated->skins + 3 * (size_t)part * truncated->points;
        double sum = 0.0;
        for (size_t i = 0; i < truncated->points; i++) {
            const Vec3 way =
                vec3_sub(point_at(truncated->skins, (ptrdiff_t)i), point_at(positions, (ptrdiff_t)i));
            sum += vec3_dot(way, way);
        }
        study_number_add(measures, 100.0 * sqrt(sum / (double)truncated->points) / diagonal, "%s_%s_percent",
                         method, parts[part]);
    }
    return status_ok();
}

Status study_truncation(const StudyInput *input, Measures *measures)
{
    CLEANUP(truncated_clear) Truncated truncated = {0};
    const Dataset *dataset = input->dataset;
    if (!dataset || dataset->rig.frame_count == 0 || dataset->mesh.vertex_count == 0)
        return bad_input("there is no rig with transforms to skin with");
    const int bits = (int)study_number(input, "bits", 8.0);
    if (dataset->rig.scale || !rig_is_rigid(&dataset->rig) || bits < 2 ||
        (bits > QUANTISE_BITS_MAX && bits != FLOAT_BITS))
        return bad_input("needs a rig without scale, and the parameter 'bits' must be 2 to %d, or %d",
                         QUANTISE_BITS_MAX, FLOAT_BITS);
    STATUS_TRY(truncated_make(dataset, bits, input->progress, &truncated));
    const Argument *methods = argument_find(input->parameters, "methods");
    for (int i = 0; i < argument_count(methods); i++) {
        const char *method = argument_text(argument_at(methods, i), NULL);
        STATUS_TRY(method ? method_run(input, &truncated, method, measures)
                          : bad_input("methods[%d] is not a string", i));
    }
    const Rig *rig = &dataset->rig;
    double used = 0.0;
    for (size_t slot = 0; slot < (size_t)dataset->mesh.vertex_count * (size_t)rig->influence_count; slot++)
        used += rig->weight_values[slot] != 0.0f;
    measures_add(measures, "weight_bytes", used / dataset->mesh.vertex_count * bits / 8.0);
    measures_add(measures, "transform_bytes", 7.0 * bits / 8.0);
    return status_ok();
}
