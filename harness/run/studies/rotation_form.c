/* Compares DQS eq. 15, which rotates a vector by a quaternion with cross products, with the products q v q*
 * of Lemma 4: their operations, their results, and the code that a compiler for GPUs makes of them.
 *
 *   parameters
 *     form        "cross" (eq. 15) or "products" (q v q*)
 *     compiled    whether to count the instructions that NVRTC generates, instead of operations
 *   measures
 *     additions, multiplications, operations (their sum), and apart: the largest distance between the results
 *     of both forms over 64 random rotations of vectors of at most unit length per axis
 *     instructions   if compiled: arithmetic on floats */
#include "harness/run/studies/study.h"

#include "harness/run/studies/gpu_code.h"
#include "harness/run/studies/rotation_count.h"
#include "methods/runtime/backends/cuda_compile.h"

enum { ROTATIONS = 64 };

/* Both forms, in the words of the paper: a quaternion product (eq. 14), and eq. 15. */
static const char program[] =
    "struct Q { float w, x, y, z; };\n"
    "__device__ Q mul(Q a, Q b) {\n"
    "  return Q{a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * "
    "b.y,\n"
    "           a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z, a.w * b.z + a.z * b.w + a.x * b.y - a.y * "
    "b.x}; }\n"
    "__device__ float3 cross(float3 a, float3 b) {\n"
    "  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }\n"
    "extern \"C\" __global__ void products(const Q *q, const float3 *v, float3 *out) {\n"
    "  const Q a = *q, r = mul(mul(a, Q{0.0f, v->x, v->y, v->z}), Q{a.w, -a.x, -a.y, -a.z});\n"
    "  *out = make_float3(r.x, r.y, r.z); }\n"
    "extern \"C\" __global__ void cross_form(const Q *q, const float3 *v, float3 *out) {\n"
    "  const float3 r = make_float3(q->x, q->y, q->z), p = *v, c = cross(r, p);\n"
    "  const float3 d = cross(r, make_float3(c.x + q->w * p.x, c.y + q->w * p.y, c.z + q->w * p.z));\n"
    "  *out = make_float3(p.x + 2.0f * d.x, p.y + 2.0f * d.y, p.z + 2.0f * d.z); }\n";

static Status instructions_add(bool products, Measures *measures)
{
    const CudaCompileOptions options = {.fast_math = true};
    OWNED char *ptx = NULL;
    size_t size = 0;
    STATUS_TRY(cuda_compile("rotation", program, &options, &ptx, &size));
    const PtxCounts counts = ptx_count(ptx, products ? "products" : "cross_form");
    if (counts.arithmetic == 0)
        return status_make(STATUS_UNAVAILABLE, "the instructions that NVRTC generates cannot be counted");
    measures_add(measures, "instructions", counts.arithmetic);
    return status_ok();
}

Status study_rotation_form(const StudyInput *input, Measures *measures)
{
    const char *form = study_text(input, "form", "cross");
    const bool products = strcmp(form, "products") == 0;
    Random random = {15};
    OperationCounts counts = {0.0, 0.0, 0.0};
    double apart = 0.0;
    if (!products && strcmp(form, "cross") != 0)
        return bad_usage("the parameter form must be cross or products");
    if (study_flag(input, "compiled"))
        return instructions_add(products, measures);
    if (!COUNTED_REAL)
        return status_make(STATUS_UNAVAILABLE, "operations cannot be counted on this processor");
    for (int i = 0; i < ROTATIONS; i++) {
        double q[4], v[3], one[3], other[3], square = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k] = random_signed(&random);
            square += q[k] * q[k];
        }
        for (int k = 0; k < 4; k++)
            q[k] /= sqrt(square);
        for (int k = 0; k < 3; k++)
            v[k] = random_signed(&random);
        counts = rotation_count(products, q, v, one);
        (void)rotation_count(!products, q, v, other);
        apart = fmax(apart, study_distance(one, other));
    }
    measures_add(measures, "additions", counts.additions);
    measures_add(measures, "multiplications", counts.multiplications);
    measures_add(measures, "operations", counts.additions + counts.multiplications);
    measures_add(measures, "apart", apart);
    return status_ok();
}
