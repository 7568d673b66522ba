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
    const CudaCompileOptions options = {.architecture = kernel->architecture,
                                        .machine_code = true,
                                        .fast_math = kernel->fast_math,
                                        .ptx = &ptx};
    if (entry)
        program = device_program(kernel->entry, NULL, NULL, entry);
    ALLOCATED(program, "the text of a kernel");
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
    enum { ASKED, LBS, FIRST_PHASE_OFF, OTHER_NORMALS, KERNELS };
    const char *name = study_text(input, "method", "dqs");
    const Kernel kernel = {.entry = skinning_entry_find(name),
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
    /* compile the kernel and those with which it is compared, on all threads */
    Kernel kernels[KERNELS] = {kernel, kernel, kernel, kernel};
    kernels[LBS].entry = skinning_entry_find("lbs");
    kernels[LBS].variant = 0;
    kernels[LBS].two_phase = kernels[FIRST_PHASE_OFF].two_phase = false;
    kernels[OTHER_NORMALS].normals = !kernel.normals;
    if (!kernel.two_phase)
        kernels[FIRST_PHASE_OFF].entry = NULL;
    Counts counts[KERNELS];
    Status statuses[KERNELS];
#pragma omp parallel for schedule(dynamic) num_threads(input->threads)
    for (int i = 0; i < KERNELS; i++)
        statuses[i] = kernels[i].entry ? kernel_count(&kernels[i], &counts[i]) : status_ok();
    for (int i = 0; i < KERNELS; i++)
        STATUS_TRY(statuses[i]);
    const Counts *asked = &counts[ASKED], *lbs = &counts[LBS], *off = &counts[FIRST_PHASE_OFF];
    measures_add(measures, "ptx", asked->ptx.all);
    measures_add(measures, "ptx_arithmetic", asked->ptx.arithmetic);
    measures_add(measures, "ptx_loads", asked->ptx.loads);
    measures_add(measures, "machine", asked->machine);
    if (kernels[LBS].entry) {
        measures_add(measures, "ptx_arithmetic_over_lbs",
                     (double)asked->ptx.arithmetic / lbs->ptx.arithmetic);
        measures_add(measures, "machine_over_lbs", (double)asked->machine / lbs->machine);
    }
    if (kernel.two_phase) {
        const int added = asked->ptx.arithmetic - off->ptx.arithmetic;
        measures_add(measures, "ptx_arithmetic_of_first_phase", added);
        measures_add(measures, "ptx_arithmetic_of_first_phase_of_four", added / 4.0);
        measures_add(measures, "machine_of_first_phase", asked->machine - off->machine);
    }
    measures_add(measures, kernel.normals ? "machine_without_normals" : "machine_with_normals",
                 counts[OTHER_NORMALS].machine);
    return status_ok();
}
