/* The search has two stages. First, all methods with all hemisphere policies skin the rig as it is. If none
 * is within the tolerance, the three nearest methods, lbs and dqs are tried with fewer influences and
 * rounded weights. If the nearest variant departs, single causes are tried on one vertex: a lost influence,
 * a flipped sign. */
#include "harness/run/identify/identify.h"

#include "datasets/geometry/affine_parts.h"
#include "datasets/geometry/angles.h"
#include "datasets/geometry/nearest_rotation.h"
#include "datasets/geometry/points.h"
#include "datasets/model/compact_weights.h"
#include "datasets/model/evaluate.h"
#include "datasets/model/two_phase.h"
#include "harness/measure/metrics/frame_distance.h"

static const double POSITIONS_MAX = 5e5;
enum { NEAREST_METHODS = 3, REFINED_METHODS = NEAREST_METHODS + 2 };

typedef struct IdentifySearch {
    const IdentifyTask *task;
    Identification *out;
    double diagonal;
    int step; /* every step-th frame is compared */
} IdentifySearch;

void identify_variant_format(const IdentifyVariant *variant, char *text, size_t size)
{
    const Parameter *rows = variant->entry->method->parameters;
    snprintf(text, size, "%s", variant->entry->method->name);
    if (variant->hemisphere_row >= 0)
        text_append(text, size, " hemisphere=%s",
                    parameter_word(&rows[variant->hemisphere_row],
                                   (int)variant->parameters.values[variant->hemisphere_row]));
    if (variant->by_joint)
        text_append(text, size, ", influences by joint");
    if (variant->two_phase)
        text_append(text, size, ", two phases");
    if (variant->influences > 0)
        text_append(text, size, ", %d influence%s", variant->influences, variant->influences > 1 ? "s" : "");
    if (variant->bits > 0)
        text_append(text, size, ", weights of %d bits", variant->bits);
}

bool identify_variant_make(const SkinningEntry *entry, int number, IdentifyVariant *out)
{
    const SkinningMethod *method = entry->method;
    const Parameter *rows = method->parameters;
    *out = (IdentifyVariant){.entry = entry, .parameters = parameters_default(rows), .hemisphere_row = -1};
    for (int r = 0; rows && rows[r].name; r++)
        if (strcmp(rows[r].name, "hemisphere") == 0)
            out->hemisphere_row = r;
    if (out->hemisphere_row < 0)
        return number == 0;
    for (int policy = 0; rows[out->hemisphere_row].choices[policy]; policy++) {
        out->parameters.values[out->hemisphere_row] = policy;
        const bool order_matters = method->influence_order &&
                                   method->influence_order(out->parameters.values) == INFLUENCES_AS_LISTED;
        if (number <= order_matters) {
            out->by_joint = number == 1;
            return true;
        }
        number -= 1 + order_matters;
    }
    return false;
}

/* ---- one variant ---- */

static bool weights_change(const IdentifyVariant *variant)
{
    return variant->influences > 0 || variant->bits > 0 || variant->by_joint;
}

void identify_rig_clear(Rig *changed)
{
    FREE_ALL(changed->weight_joints, changed->weight_values);
}

/* Sorts the influences of each vertex by joint. */
static void influences_sort(Rig *rig, int vertices)
{
    const int slots = rig->influence_count;
    for (ptrdiff_t first = 0; first < (ptrdiff_t)vertices * slots; first += slots)
        for (int i = 1; i < slots; i++) {
            const int32_t joint = rig->weight_joints[first + i];
            const float weight = rig->weight_values[first + i];
            ptrdiff_t k = first + i;
            for (; k > first && rig->weight_joints[k - 1] > joint; k--) {
                rig->weight_joints[k] = rig->weight_joints[k - 1];
                rig->weight_values[k] = rig->weight_values[k - 1];
            }
            rig->weight_joints[k] = joint;
            rig->weight_values[k] = weight;
        }
}

/* Binds a variant to a mesh and a rig. The weights of the rig must be changed already as the variant asks. */
static Status variant_skinner(const IdentifyVariant *variant, const Mesh *mesh, const Rig *rig, bool normals,
                              int threads, Skinner **out)
{
    const SkinnerOptions options = {.entry = variant->entry,
                                    .parameters = variant->parameters,
                                    .threads = threads,
                                    .normals = normals && mesh->triangle_count > 0,
                                    .two_phase = variant->two_phase,
                                    .first_phase = skinning_first_phase()};
    return skinner_create(&options, mesh, rig, out);
}

Status identify_bind(const IdentifyVariant *variant, const Dataset *dataset, bool normals, int threads,
                     Rig *changed, Skinner **out)
{
    const int vertices = dataset->mesh.vertex_count;
    if (!weights_change(variant))
        return variant_skinner(variant, &dataset->mesh, &dataset->rig, normals, threads, out);
    STATUS_TRY(rig_with_weights(&dataset->rig, vertices, changed));
    if (variant->influences > 0)
        STATUS_TRY(rig_prune(changed, vertices, variant->influences));
    if (variant->bits > 0)
        STATUS_TRY(rig_quantise(changed, &dataset->mesh, variant->bits, NULL, NULL));
    if (variant->by_joint)
        influences_sort(changed, vertices);
    return variant_skinner(variant, &dataset->mesh, changed, normals, threads, out);
}

/* Skins the compared frames, and measures the distances. */
static Status variant_compare(const IdentifySearch *search, IdentifyVariant *variant)
{
    const IdentifyTask *task = search->task;
    CLEANUP(identify_rig_clear) Rig changed = {0};
    const int vertices = task->rig->mesh.vertex_count;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    LOCAL_TABLE(float, skinned, vertices, 3, "positions");
    double squares = 0.0;
    STATUS_TRY(identify_bind(variant, task->rig, task->normals != NULL, task->threads, &changed, &skinner));
    variant->max = 0.0;
    variant->apart = 0;
    variant->frame = variant->vertex = -1;
    for (int f = 0; f < task->rig->rig.frame_count; f += search->step) {
        const float *given = task->positions + 3 * (size_t)f * (size_t)vertices;
        STATUS_TRY(skinner_skin_rig(skinner, f, 1, skinned, NULL));
        for (int v = 0; v < vertices; v++) {
            const double distance =
                vec3_length(vec3_sub(point_at(skinned, v), point_at(given, v))) / search->diagonal;
            squares += distance * distance;
            variant->max = fmax(variant->max, distance);
            variant->apart += distance > search->out->tolerance;
            if (distance > search->out->tolerance && variant->frame < 0) {
                variant->frame = f;
                variant->vertex = v;
            }
        }
    }
    variant->rms = sqrt(squares / ((double)search->out->frames_compared * vertices));
    return status_ok();
}

/* Compares a variant and appends it. A method that refuses the rig is left out. */
static Status variant_try(IdentifySearch *search, IdentifyVariant variant)
{
    const IdentifyTask *task = search->task;
    char name[128];
    identify_variant_format(&variant, name, sizeof name);
    if (!progress_report(task->progress, name, 0.0))
        return status_make(STATUS_STOPPED, "stopped while identifying");
    if (search->out->count == IDENTIFY_VARIANTS_MAX)
        return status_ok();
    const Status status = variant_compare(search, &variant);
    if (status.code == STATUS_OK)
        search->out->variants[search->out->count++] = variant;
    return status.code == STATUS_SYSTEM || status.code == STATUS_STOPPED ? status : status_ok();
}

/* ---- the search ---- */

/* Counts what is unusual about a variant: engines have lbs and dqs, mostly with all weights as they are. */
static int variant_oddity(const IdentifyVariant *variant)
{
    const SkinningMethod *method = variant->entry->method;
    const int row = variant->hemisphere_row;
    const int rarity = strcmp(method->name, "lbs") == 0 ? 0 : strcmp(method->name, "dqs") == 0 ? 1 : 3;
    return rarity + (variant->influences > 0) + (variant->bits > 0) + variant->by_joint + variant->two_phase +
           (row >= 0 && variant->parameters.values[row] != method->parameters[row].default_value);
}

/* Distances that differ by less than 1 % are equal, and so are all within the tolerance. Then the most usual
 * variant comes first. */
static int variant_order(const void *a, const void *b)
{
    const IdentifyVariant *one = a, *other = b;
    if (one->apart != other->apart)
        return one->apart < other->apart ? -1 : 1;
    const double steps[] = {floor(100.0 * log(one->rms)), floor(100.0 * log(other->rms))};
    if (one->apart > 0 && steps[0] != steps[1])
        return steps[0] < steps[1] ? -1 : 1;
    const int odd = variant_oddity(one) - variant_oddity(other);
    return odd != 0 ? odd : strcmp(one->entry->method->name, other->entry->method->name);
}

static Status methods_try(IdentifySearch *search)
{
    const bool scaled = search->task->rig->rig.scale != NULL;
    IdentifyVariant variant;
    for (int m = 0; m < skinning_entry_count(); m++)
        for (int i = 0; identify_variant_make(skinning_entry_at(m), i, &variant); i++)
            for (int phases = 0; phases <= scaled; phases++) {
                variant.two_phase = phases == 1;
                STATUS_TRY(variant_try(search, variant));
            }
    return status_ok();
}

/* Tries the nearest methods, and those that engines have (lbs and dqs), with fewer influences, with rounded
 * weights, and with both. */
static Status refine(IdentifySearch *search)
{
    static const int bits[] = {8, 16};
    Identification *out = search->out;
    IdentifyVariant starts[REFINED_METHODS];
    int start_count = 0;
    for (int i = 0; i < out->count; i++) {
        const char *name = out->variants[i].entry->method->name;
        bool is_wanted =
            start_count < NEAREST_METHODS || strcmp(name, "lbs") == 0 || strcmp(name, "dqs") == 0;
        for (int k = 0; k < start_count; k++)
            is_wanted = is_wanted && starts[k].entry != out->variants[i].entry;
        if (is_wanted)
            starts[start_count++] = out->variants[i];
    }
    for (int i = 0; i < start_count; i++) {
        const int first = out->count;
        IdentifyVariant nearest = starts[i];
        for (int influences = 1; influences < int_min(search->task->rig->rig.influence_count, 13);
             influences++) {
            IdentifyVariant variant = starts[i];
            variant.influences = influences;
            STATUS_TRY(variant_try(search, variant));
        }
        for (int k = first; k < out->count; k++)
            nearest = variant_order(&out->variants[k], &nearest) < 0 ? out->variants[k] : nearest;
        for (size_t b = 0; b < sizeof bits / sizeof bits[0] && nearest.influences != 1; b++) {
            nearest.bits = bits[b];
            STATUS_TRY(variant_try(search, nearest));
        }
    }
    return status_ok();
}

/* ---- what a difference looks like ---- */

/* x -> scale R x + moved */
typedef struct Similarity {
    double scale, degrees;
    Vec3 moved;
} Similarity;

/* Finds the similarity that moves the expected points of a frame closest to the given ones. Returns whether
 * it explains the frame. */
static bool similarity_find(const IdentifySearch *search, const float *expected, const float *given,
                            Similarity *out)
{
    const int vertices = search->task->rig->mesh.vertex_count;
    Vec3 mean[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double matrix[3][3] = {{0.0}}, rotation[3][3], squares[2] = {0.0}, max = 0.0;
    for (int v = 0; v < vertices; v++) {
        mean[0] = vec3_add_scaled(mean[0], point_at(expected, v), 1.0 / vertices);
        mean[1] = vec3_add_scaled(mean[1], point_at(given, v), 1.0 / vertices);
    }
    for (int v = 0; v < vertices; v++) {
        const Vec3 p = vec3_sub(point_at(expected, v), mean[0]), q = vec3_sub(point_at(given, v), mean[1]);
        const double from[3] = {p.x, p.y, p.z}, into[3] = {q.x, q.y, q.z};
        squares[0] += vec3_dot(p, p);
        squares[1] += vec3_dot(q, q);
        for (int i = 0; i < 9; i++)
            matrix[i / 3][i % 3] += into[i / 3] * from[i % 3];
    }
    if (!(squares[0] > 0.0))
        return false;
    out->scale = sqrt(squares[1] / squares[0]);
    nearest_rotation((const double(*)[3])matrix, rotation);
    const Transform turn = transform_of_matrix((const double(*)[3])rotation, vec3_make(0.0, 0.0, 0.0));
    const double trace = rotation[0][0] + rotation[1][1] + rotation[2][2];
    out->degrees = acos(fmin(fmax(0.5 * (trace - 1.0), -1.0), 1.0)) * 180.0 / PI;
    out->moved = vec3_add_scaled(mean[1], transform_direction(turn, mean[0]), -out->scale);
    for (int v = 0; v < vertices; v++) {
        const Vec3 place =
            vec3_add_scaled(out->moved, transform_direction(turn, point_at(expected, v)), out->scale);
        max = fmax(max, vec3_length(vec3_sub(place, point_at(given, v))) / search->diagonal);
    }
    return max <= 3.0 * search->out->tolerance * fmax(out->scale, 1.0);
}

/* Names the similarity of the first departing frame, if one explains every compared frame: in a frame where
 * methods agree, each of them seems to be the one that is scaled. */
static Status similarity_look(const IdentifySearch *search, const IdentifyVariant *variant, Skinner *skinner,
                              float *expected)
{
    const IdentifyTask *task = search->task;
    Similarity first = {.scale = 1.0};
    for (int f = 0; f < task->rig->rig.frame_count; f += search->step) {
        Similarity here;
        STATUS_TRY(skinner_skin_rig(skinner, f, 1, expected, NULL));
        if (!similarity_find(search, expected,
                             task->positions + 3 * (size_t)f * (size_t)task->rig->mesh.vertex_count, &here))
            return status_ok();
        first = f == variant->frame ? here : first;
    }
    const bool scales = fabs(first.scale - 1.0) >= 1e-4, turns = first.degrees >= 0.01,
               moves =
                   vec3_length(first.moved) >= fmax(1e-4, 10.0 * search->out->tolerance) * search->diagonal;
    if (!scales && !turns && !moves)
        return status_ok(); /* the frame is not moved as a whole */
    char *looks = search->out->looks;
    text_append(looks, IDENTIFY_LOOKS_BYTES, "the whole frame is the expected one");
    if (scales)
        text_append(looks, IDENTIFY_LOOKS_BYTES, ", scaled by %.6g about the origin", first.scale);
    if (turns)
        text_append(looks, IDENTIFY_LOOKS_BYTES, ", turned by %.4g degrees about the origin", first.degrees);
    if (moves)
        text_append(looks, IDENTIFY_LOOKS_BYTES, ", moved by %.4g", vec3_length(first.moved));
    if (scales && !turns && !moves)
        text_append(looks, IDENTIFY_LOOKS_BYTES, ", as with another unit, or with weights that sum to %.6g",
                    first.scale);
    return status_ok();
}

/* Skins one vertex with other weights. They need to sum to 1 unless the method is lbs. */
static Status vertex_skin(const IdentifySearch *search, const IdentifyVariant *variant, const int32_t *joints,
                          const float *weights, Vec3 *out)
{
    const Rig *rig = &search->task->rig->rig;
    const Transform *frame = rig->transforms + (ptrdiff_t)variant->frame * rig->joint_count;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    float positions[3];
    const Mesh mesh = {.vertex_count = 1,
                       .rest = search->task->rig->mesh.rest + 3 * (ptrdiff_t)variant->vertex};
    Rig alone = *rig;
    alone.frame_count = 1;
    alone.transforms = (Transform *)frame;
    alone.scale = rig->scale ? rig->scale + (ptrdiff_t)variant->frame * rig->joint_count : NULL;
    alone.weight_joints = (int32_t *)joints;
    alone.weight_values = (float *)weights;
    alone.centers = NULL;
    alone.smoothed = (JointValues){0};
    if (strcmp(variant->entry->method->name, "lbs") == 0) { /* a skinner would scale the weights */
        *out = rig_skin_point(&alone, 0, 0, point_at(mesh.rest, 0), vec3_make(0.0, 0.0, 0.0));
        return status_ok();
    }
    STATUS_TRY(variant_skinner(variant, &mesh, &alone, false, 1, &skinner));
    STATUS_TRY(skinner_skin_rig(skinner, 0, 1, positions, NULL));
    *out = point_at(positions, 0);
    return status_ok();
}

/* Tries single causes at the vertex where a variant departs. */
static Status vertex_look(const IdentifySearch *search, const IdentifyVariant *variant, Vec3 given)
{
    const Rig *rig = &search->task->rig->rig;
    const int slots = rig->influence_count;
    const ptrdiff_t first = (ptrdiff_t)variant->vertex * slots;
    LOCAL_ARRAY(float, weights, slots, "weights");
    for (int k = 0; k < slots; k++)
        for (int cause = 0; cause < 3 && rig->weight_values[first + k] != 0.0f; cause++) {
            static const char *const texts[] = {"missing, and the others are scaled to sum 1",
                                                "missing, and the others are not scaled", "flipped"};
            Vec3 skinned;
            memcpy(weights, rig->weight_values + first, (size_t)slots * sizeof *weights);
            weights[k] = cause == 2 ? -weights[k] : 0.0f;
            double sum = 0.0;
            for (int i = 0; i < slots; i++)
                sum += (double)weights[i];
            for (int i = 0; i < slots && cause != 1 && sum > 0.0; i++)
                weights[i] = (float)((double)weights[i] / sum);
            const Status status =
                sum > 0.0 ? vertex_skin(search, variant, rig->weight_joints + first, weights, &skinned)
                          : bad_input("no weights");
            if (status.code == STATUS_SYSTEM)
                return status;
            if (status.code != STATUS_OK ||
                vec3_length(vec3_sub(skinned, given)) > 2.0 * search->out->tolerance * search->diagonal)
                continue;
            const int joint = rig->weight_joints[first + k];
            const char *name = rig->joint_names[joint] ? rig->joint_names[joint] : "(unnamed)";
            text_append(search->out->looks, IDENTIFY_LOOKS_BYTES,
                        "at this vertex, the %s of joint %s (weight %.4g) is %s",
                        cause == 2 ? "sign" : "influence", name, (double)rig->weight_values[first + k],
                        texts[cause]);
            return status_ok();
        }
    return status_ok();
}

/* Tries joints whose scale an engine has dropped: in each joint, or when it converted matrices to dual
 * quaternions, which leaves the effect of the scale on the translations. */
static Status scale_look(const IdentifySearch *search, const IdentifyVariant *variant, const float *given)
{
    static const char *const texts[] = {"the scale of the joints is missing",
                                        "the matrices of the joints lost their scale"};
    const Mesh *mesh = &search->task->rig->mesh;
    const size_t joints = (size_t)search->task->rig->rig.joint_count;
    IdentifyVariant rigid = *variant;
    Rig alone = search->task->rig->rig;
    LOCAL_TABLE(float, skinned, mesh->vertex_count, 3, "positions");
    LOCAL_TABLE(Transform, parts, 3, joints, "joints");
    if (!alone.scale)
        return status_ok();
    const Mat3 *scale = alone.scale + (size_t)variant->frame * joints;
    rigid.two_phase = false;
    alone.transforms += (size_t)variant->frame * joints; /* without scale, which is apart */
    alone.scale = NULL;
    alone.frame_count = 1;
    for (int cause = 0; cause < 2 && !search->out->looks[0]; cause++) {
        OWNED_BY(skinner_free) Skinner *skinner = NULL;
        if (cause == 1) {
            STATUS_TRY(
                two_phase_split(&alone, alone.transforms, scale, parts, parts + joints, parts + 2 * joints));
            two_phase_join(alone.joint_count, parts, parts + joints);
            alone.transforms = parts + joints;
            for (size_t j = 0; j < joints; j++) {
                AffineParts place = affine_parts(alone.transforms[j]);
                place.scale = vec3_make(1.0, 1.0, 1.0);
                alone.transforms[j] = affine_parts_join(place);
            }
        }
        STATUS_TRY(variant_skinner(&rigid, mesh, &alone, search->task->normals != NULL, search->task->threads,
                                   &skinner));
        STATUS_TRY(skinner_skin_rig(skinner, 0, 1, skinned, NULL));
        if (frame_distance_in_floats(skinned, given, mesh->vertex_count) <=
            search->out->tolerance * search->diagonal)
            text_append(search->out->looks, IDENTIFY_LOOKS_BYTES, "%s", texts[cause]);
    }
    return status_ok();
}

/* Looks for a single cause of the first departure of a variant. */
static Status departure_look(const IdentifySearch *search, const IdentifyVariant *variant)
{
    const IdentifyTask *task = search->task;
    const int vertices = task->rig->mesh.vertex_count;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    LOCAL_TABLE(float, expected, vertices, 3, "positions");
    const float *given = task->positions + 3 * (size_t)variant->frame * (size_t)vertices;
    STATUS_TRY(scale_look(search, variant, given));
    if (search->out->looks[0])
        return status_ok();
    STATUS_TRY(variant_skinner(variant, &task->rig->mesh, &task->rig->rig, task->normals != NULL,
                               task->threads, &skinner));
    for (int frame = variant->frame - 1; frame <= variant->frame + 1; frame += 2) {
        if (frame < 0 || frame >= task->rig->rig.frame_count)
            continue;
        STATUS_TRY(skinner_skin_rig(skinner, frame, 1, expected, NULL));
        if (frame_distance_in_floats(expected, given, vertices) <=
            search->out->tolerance * search->diagonal) {
            text_append(search->out->looks, IDENTIFY_LOOKS_BYTES, "it is frame %d of the rig", frame);
            return status_ok();
        }
    }
    STATUS_TRY(similarity_look(search, variant, skinner, expected));
    return search->out->looks[0] ? status_ok()
                                 : vertex_look(search, variant, point_at(given, variant->vertex));
}

/* ---- normals ---- */

/* Compares the normals of the nearest variant. */
static Status normals_compare(const IdentifySearch *search)
{
    CLEANUP(identify_rig_clear) Rig changed = {0};
    const IdentifyVariant *variant = &search->out->variants[0];
    const IdentifyTask *task = search->task;
    const int vertices = task->rig->mesh.vertex_count;
    OWNED_BY(skinner_free) Skinner *skinner = NULL;
    LOCAL_TABLE(float, positions, vertices, 3, "positions");
    LOCAL_TABLE(float, normals, vertices, 3, "normals");
    double cosine_min = 1.0, length_low = INFINITY, length_high = 0.0;
    int opposite = 0, compared = 0;
    STATUS_TRY(identify_bind(variant, task->rig, true, task->threads, &changed, &skinner));
    for (int f = 0; f < task->rig->rig.frame_count; f += search->step) {
        STATUS_TRY(skinner_skin_rig(skinner, f, 1, positions, normals));
        for (int v = 0; v < vertices; v++) {
            const Vec3 given = point_at(task->normals, (ptrdiff_t)f * vertices + v);
            const double length = vec3_length(given);
            if (vec3_length(point_at(normals, v)) == 0.0)
                continue;
            /* a normal of length 0 has no direction, which counts as a right angle */
            const double cosine = length > 0.0 ? vec3_dot(given, point_at(normals, v)) / length : 0.0;
            length_low = fmin(length_low, length);
            length_high = fmax(length_high, length);
            cosine_min = fmin(cosine_min, cosine);
            opposite += cosine < -0.999;
            compared++;
        }
    }
    search->out->normal_max_degrees = acos(fmax(cosine_min, -1.0)) * 180.0 / PI;
    if (length_high > 1.001 || length_low < 0.999)
        text_append(search->out->normal_looks, IDENTIFY_LOOKS_BYTES,
                    "their lengths are %.4g to %.4g instead of 1; ", length_low, length_high);
    if (compared > 0 && opposite == compared)
        text_append(search->out->normal_looks, IDENTIFY_LOOKS_BYTES, "all point the other way; ");
    return status_ok();
}

Status identify_run(const IdentifyTask *task, Identification *out)
{
    const Rig *rig = &task->rig->rig;
    const Bounds bounds = bounds_of(task->rig->mesh.rest, task->rig->mesh.vertex_count);
    double size = 0.0;
    IdentifySearch search = {.task = task, .out = out, .diagonal = bounds.diagonal};
    *out = (Identification){.departing = -1, .joint = -1, .normal_max_degrees = NAN};
    if (rig->joint_count == 0 || rig->frame_count == 0 || !(bounds.diagonal > 0.0))
        return bad_input("the rig has no frames, or no extent");
    search.step =
        (int)ceil(fmax((double)rig->frame_count * task->rig->mesh.vertex_count / POSITIONS_MAX, 1.0));
    out->frames_compared = (rig->frame_count + search.step - 1) / search.step;
    /* far from the origin, the positions themselves are rounded */
    for (ptrdiff_t i = 0; i < 3 * (ptrdiff_t)task->rig->mesh.vertex_count; i++)
        size = fmax(size, fabs((double)task->positions[i]));
    out->tolerance = IDENTIFY_TOLERANCE + 4.0 * 0x1p-24 * size / bounds.diagonal;
    STATUS_TRY(methods_try(&search));
    if (out->count == 0)
        return bad_input("no method accepts the rig");
    qsort(out->variants, (size_t)out->count, sizeof *out->variants, variant_order);
    if (out->variants[0].max > out->tolerance) {
        STATUS_TRY(refine(&search));
        qsort(out->variants, (size_t)out->count, sizeof *out->variants, variant_order);
    }
    for (int i = 0; i < out->count; i++)
        out->matches += out->variants[i].max <= out->tolerance;
    if (task->normals && task->rig->mesh.triangle_count > 0)
        STATUS_TRY(normals_compare(&search));
    if (out->matches > 0)
        return status_ok();
    /* A fault of all frames can hide the method, so look at the methods in turn: first those that engines
     * have, then the others, the nearest first. */
    for (int i = 0; i < 2 * out->count && !out->looks[0]; i++) {
        const IdentifyVariant *variant = &out->variants[i % out->count];
        const bool usual = variant_oddity(variant) - variant->two_phase < 3;
        if (weights_change(variant) || usual != (i < out->count))
            continue;
        STATUS_TRY(departure_look(&search, variant));
        out->departing = i % out->count;
    }
    if (!out->looks[0])
        out->departing = 0;
    out->joint = rig_heaviest_joint(rig, out->variants[out->departing].vertex);
    return status_ok();
}
