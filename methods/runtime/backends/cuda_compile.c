/* Compiles CUDA kernels with NVRTC. Its functions are declared here, so that no CUDA header is needed. */
#include "methods/runtime/backends/cuda_compile.h"

#include "methods/runtime/backends/dynamic.h"

typedef struct NvrtcProgram *NvrtcHandle;
enum { NVRTC_OK = 0, PATH_BYTES = 512, NAMES_MAX = 24 };

/* Library functions used here: X(result, member, name in the library, arguments). */
#define NVRTC_FUNCTIONS(X)                                                                                   \
    X(int, create, "nvrtcCreateProgram",                                                                     \
      (NvrtcHandle * program, const char *text, const char *name, int header_count,                          \
       const char *const *headers, const char *const *header_names))                                         \
    X(int, destroy, "nvrtcDestroyProgram", (NvrtcHandle * program))                                          \
    X(int, compile, "nvrtcCompileProgram",                                                                   \
      (NvrtcHandle program, int option_count, const char *const *options))                                   \
    X(int, ptx_size, "nvrtcGetPTXSize", (NvrtcHandle program, size_t * size))                                \
    X(int, ptx, "nvrtcGetPTX", (NvrtcHandle program, char *ptx))                                             \
    X(int, cubin_size, "nvrtcGetCUBINSize", (NvrtcHandle program, size_t * size))                            \
    X(int, cubin, "nvrtcGetCUBIN", (NvrtcHandle program, char *cubin))                                       \
    X(int, log_size, "nvrtcGetProgramLogSize", (NvrtcHandle program, size_t * size))                         \
    X(int, log, "nvrtcGetProgramLog", (NvrtcHandle program, char *log))                                      \
    X(int, version, "nvrtcVersion", (int *major, int *minor))                                                \
    X(int, architecture_count, "nvrtcGetNumSupportedArchs", (int *count))                                    \
    X(int, architectures, "nvrtcGetSupportedArchs", (int *architectures))                                    \
    X(const char *, error_text, "nvrtcGetErrorString", (int error))

typedef struct NvrtcFunctions {
#define MEMBER(result, member, name, arguments) result(*member) arguments;
    NVRTC_FUNCTIONS(MEMBER)
#undef MEMBER
} NvrtcFunctions;

static const DynamicRow nvrtc_rows[] = {
#define ROW(result, member, name, arguments) {name, offsetof(NvrtcFunctions, member)},
    NVRTC_FUNCTIONS(ROW)
#undef ROW
        {NULL, 0},
};

/* Opens the library. First tries its names since release 11.2 on the loader's path, then the toolkit's
 * folders. */
static Status nvrtc_load(NvrtcFunctions *nvrtc)
{
    static const char *const sonames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so"};
    const char *const folders[] = {NULL, getenv("CUDA_PATH"), getenv("CUDA_HOME"), "/usr/local/cuda",
                                   "/opt/cuda"};
    enum { SONAMES = sizeof sonames / sizeof *sonames, FOLDERS = sizeof folders / sizeof *folders };
    char paths[SONAMES * FOLDERS][PATH_BYTES];
    const char *names[SONAMES * FOLDERS + 1] = {NULL};
    int count = 0;
    for (int folder = 0; folder < FOLDERS; folder++)
        for (int i = 0; i < SONAMES; i++) {
            if (folder > 0 && !folders[folder])
                continue;
            snprintf(paths[count], PATH_BYTES, "%s%s%s", folder > 0 ? folders[folder] : "",
                     folder > 0 ? "/lib64/" : "", sonames[i]);
            names[count] = paths[count];
            count++;
        }
    void *library = NULL;
    STATUS_TRY(dynamic_open(names, "NVRTC", &library));
    return dynamic_load(library, "NVRTC", nvrtc_rows, nvrtc);
}

static Status nvrtc_failure(const NvrtcFunctions *nvrtc, int error, const char *call)
{
    return status_make(STATUS_UNAVAILABLE, "NVRTC: %s: %s", call, nvrtc->error_text(error));
}

#define NVRTC_TRY(call, name)                                                                                \
    do {                                                                                                     \
        int nvrtc_error = (call);                                                                            \
        if (nvrtc_error != NVRTC_OK)                                                                         \
            return nvrtc_failure(&nvrtc, nvrtc_error, name);                                                 \
    } while (0)

/* Returns the first line of the compiler's log as a status. */
static Status nvrtc_log(const NvrtcFunctions *nvrtc, NvrtcHandle program, const char *method)
{
    size_t size = 0;
    OWNED char *log = NULL;
    if (nvrtc->log_size(program, &size) == NVRTC_OK && (log = memory_array(size + 1, 1)) != NULL)
        nvrtc->log(program, log);
    return status_make(STATUS_UNAVAILABLE, "NVRTC cannot compile the kernel of %s: %.*s", method,
                       log ? (int)strcspn(log, "\n") : 0, log ? log : "");
}

Status cuda_architecture(int architecture, int *chosen)
{
    NvrtcFunctions nvrtc;
    int count = 0;
    OWNED int *all = NULL;
    *chosen = 0;
    STATUS_TRY(nvrtc_load(&nvrtc));
    if (nvrtc.architecture_count(&count) == NVRTC_OK && count > 0 &&
        (all = memory_array((size_t)count, sizeof *all)) != NULL && nvrtc.architectures(all) == NVRTC_OK)
        for (int i = 0; i < count; i++) /* architectures are in ascending order */
            if (all[i] <= architecture || (i == 0 && architecture == 0))
                *chosen = all[i];
    return *chosen > 0
               ? status_ok()
               : status_make(STATUS_UNAVAILABLE,
                             "NVRTC supports no architecture that runs on a GPU of architecture compute_%d",
                             architecture);
}

Status cuda_compiler_version(char text[CUDA_VERSION_BYTES])
{
    NvrtcFunctions nvrtc;
    int major = 0, minor = 0;
    STATUS_TRY(nvrtc_load(&nvrtc));
    NVRTC_TRY(nvrtc.version(&major, &minor), "nvrtcVersion");
    snprintf(text, CUDA_VERSION_BYTES, "NVRTC %d.%d", major, minor);
    return status_ok();
}

typedef struct NvrtcProgram {
    NvrtcFunctions functions;
    NvrtcHandle handle;
} NvrtcProgram;

static void nvrtc_program_clear(NvrtcProgram *program)
{
    if (program->handle)
        program->functions.destroy(&program->handle);
}

Status cuda_compile(const char *name, const char *text, const CudaCompileOptions *options, char **code,
                    size_t *size)
{
    CLEANUP(nvrtc_program_clear) NvrtcProgram program = {.handle = NULL};
    char file[64], target[64];
    *code = NULL;
    *size = 0;
    STATUS_TRY(nvrtc_load(&program.functions));
    const NvrtcFunctions nvrtc = program.functions;
    snprintf(file, sizeof file, "%s.kernel.cu", name);
    NVRTC_TRY(nvrtc.create(&program.handle, text, file, 0, NULL, NULL), "nvrtcCreateProgram");
    int architecture = options->architecture;
    if (architecture == 0)
        STATUS_TRY(cuda_architecture(0, &architecture));
    snprintf(target, sizeof target, "--gpu-architecture=%s_%d", options->machine_code ? "sm" : "compute",
             architecture);
    const char *arguments[4] = {target};
    int count = 1;
    if (options->fast_math)
        arguments[count++] = "--use_fast_math";
    if (options->near_division) {
        arguments[count++] = "--prec-div=false";
        arguments[count++] = "--prec-sqrt=false";
    }
    if (nvrtc.compile(program.handle, count, arguments) != NVRTC_OK)
        return nvrtc_log(&nvrtc, program.handle, name);
    char **const wanted[2] = {options->ptx, code};
    for (int i = 0; i < 2; i++) {
        const bool machine = i == 1 && options->machine_code;
        if (!wanted[i])
            continue;
        NVRTC_TRY((machine ? nvrtc.cubin_size : nvrtc.ptx_size)(program.handle, size), "the code's size");
        LOCAL_ARRAY(char, compiled, *size + 1, "the code of a kernel");
        NVRTC_TRY((machine ? nvrtc.cubin : nvrtc.ptx)(program.handle, compiled), "the code");
        *wanted[i] = TAKE(compiled);
    }
    return status_ok();
}
