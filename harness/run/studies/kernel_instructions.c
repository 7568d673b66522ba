/* Counts the instructions of a method's kernel, specialised to 4 influences and unrolled (DQS Figure 19),
 * as compiled by NVRTC, which needs no GPU. The entry point is specific to this study
 * (instructions.kernel.h).
 *
 *   parameters
 *     method
 *     variant        how signs are chosen (methods/kernel/hemisphere.h): 0 precomputed,
 *                    1 per vertex by the first influence, 2 per vertex by the heaviest influence
 *     normals        whether normals are skinned
 *     two_phase      whether the blend of C'_j is applied first
 *     influences     4 by default
 *     fast_math      whether the compiler may use approximate mathematics
 *     architecture   0 (default): the lowest that the compiler knows */
#include "harness/run/studies/study.h"

#include "harness/run/studies/gpu_code.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"

enum { CONSTANTS_BYTES = 256 };

typedef struct Counts {
    PtxCounts ptx;
    int machine;
} Counts;

typedef struct Kernel {
    const SkinningEntry *entry;
    int influences, variant, architecture;
    bool normals, two_phase, fast_math;
} Kernel;

/* instructions.kernel.h, embedded. */
extern const char instructions_kernel_text[];

/* Returns the source of the entry point, preceded by its constants. Release it with memory_free; NULL if
 * out of memory. */
static char *entry_write(const Kernel *kernel)
{
    const SkinningMethod *method = kernel->entry->method;
    const size_t size = CONSTANTS_BYTES + strlen(instructions_kernel_text) + 1;
    char *text = memory_array(size, 1);
    if (text)
        snprintf(text, size,
                 "#define COUNT %d\n#define VARIANT %d\n#define PER_JOINT %d\n#define PER_SET %d\n"
                 "#define PER_VERTEX %d\n#define NORMALS %d\n#define TWO_PHASE %d\n%s",
                 kernel->influences, kernel->variant, method->floats_per_joint, method->floats_per_set,
                 method->floats_per_vertex + kernel->influences * method->floats_per_influence,
                 kernel->normals, kernel->two_phase, instructions_kernel_text);
    return text;
}

static Status kernel_count(const Kernel *kernel, Counts *out)
{
    static const char ENTRY[] = "count_instructions";
    const char *name = kernel->entry->method->name;
    OWNED char *entry = entry_write(kernel), *program = NULL, *ptx = NULL, *cubin = NULL;
    size_t size = 0;
    CudaCompileOptions options = {.architecture = kernel->architecture, .fast_math = kernel->fast_math};
    if (entry)
        program = device_program(kernel->entry, NULL, NULL, entry);
    ALLOCATED(program, "the text of a kernel");
    STATUS_TRY(cuda_compile(name, program, &options, &ptx, &size));
    options.machine_code = true;
    STATUS_TRY(cuda_compile(name, program, &options, &cubin, &size));
    out->ptx = ptx_count(ptx, ENTRY);
    out->machine = cubin_count(cubin, size, ENTRY);
    if (out->ptx.all == 0 || out->machine <= 0)
        return status_make(STATUS_UNAVAILABLE,
                           "the instructions that NVRTC generates for %s cannot be counted", name);
    return status_ok();
}

Status study_kernel_instructions(const StudyInput *input, Measures *measures)
{
    Counts counts, lbs;
    const char *name = study_text(input, "method", "dqs");
    Kernel kernel = {.entry = skinning_entry_find(name),
                     .influences = (int)study_number(input, "influences", 4.0),
                     .variant = (int)study_number(input, "variant", 0.0),
                     .architecture = (int)study_number(input, "architecture", 0.0),
                     .normals = study_flag(input, "normals"),
                     .two_phase = study_flag(input, "two_phase"),
                     .fast_math = study_flag(input, "fast_math")};
    if (!kernel.entry)
        return status_make(STATUS_UNAVAILABLE, "this build does not have the method '%s'", name);
    if (kernel.influences < 1 || kernel.influences > 16 || kernel.variant < 0 ||
        kernel.variant >= kernel.entry->method->variant_count)
        return bad_usage("%s has no kernel for variant %d with %d influences", name, kernel.variant,
                         kernel.influences);
    STATUS_TRY(kernel_count(&kernel, &counts));
    measures_add(measures, "ptx", counts.ptx.all);
    measures_add(measures, "ptx_arithmetic", counts.ptx.arithmetic);
    measures_add(measures, "ptx_loads", counts.ptx.loads);
    measures_add(measures, "machine", counts.machine);
    Kernel plain = kernel;
    plain.entry = skinning_entry_find("lbs");
    plain.variant = 0;
    plain.two_phase = false;
    if (plain.entry) {
        STATUS_TRY(kernel_count(&plain, &lbs));
        measures_add(measures, "ptx_arithmetic_over_lbs", (double)counts.ptx.arithmetic / lbs.ptx.arithmetic);
        measures_add(measures, "machine_over_lbs", (double)counts.machine / lbs.machine);
    }
    if (kernel.two_phase) {
        Kernel one = kernel;
        one.two_phase = false;
        STATUS_TRY(kernel_count(&one, &lbs));
        measures_add(measures, "ptx_arithmetic_of_first_phase", counts.ptx.arithmetic - lbs.ptx.arithmetic);
        measures_add(measures, "ptx_arithmetic_of_first_phase_of_four",
                     (counts.ptx.arithmetic - lbs.ptx.arithmetic) / 4.0);
        measures_add(measures, "machine_of_first_phase", counts.machine - lbs.machine);
    }
    kernel.normals = !kernel.normals;
    STATUS_TRY(kernel_count(&kernel, &counts));
    measures_add(measures, kernel.normals ? "machine_with_normals" : "machine_without_normals",
                 counts.machine);
    return status_ok();
}
