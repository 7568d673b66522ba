/* skinbench kernels --cuda ARCHITECTURES -o FOLDER: compiles every program that the CUDA backend may need,
 * for machines that have a driver but no NVRTC (kernel_ahead_load). */
#include "harness/commands/commands.h"

#include "harness/commands/name_list.h"
#include "harness/run/studies/device_limits.h"
#include "methods/registry.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/kernel_cache.h"

#include <sys/stat.h>

const CommandOption kernels_options[] = {
    {"cuda", "sm_80,sm_90",
     "GPU architectures to compile for; a note names architectures that NVRTC does not know, which are left "
     "out"},
    {"methods", "METHOD,...", "compile the kernels of only these methods (default: all)"},
    {"output", "FOLDER",
     "folder for the kernels; existing kernels are kept. SKINBENCH_KERNELS tells the program to use this "
     "folder"},
    {NULL, NULL, NULL},
};

typedef struct Architectures {
    int all[KERNEL_ARCHITECTURES_MAX], count; /* in ascending order */
} Architectures;

/* Reads a list such as "sm_80,sm_90". Drops architectures that the compiler does not support. */
static Status architectures_read(const char *text, Architectures *out)
{
    *out = (Architectures){.count = 0};
    for (const char *cursor = text; *cursor; cursor += strcspn(cursor, ","), cursor += *cursor == ',') {
        char *end = NULL;
        const long number = strncmp(cursor, "sm_", 3) == 0 ? strtol(cursor + 3, &end, 10) : 0;
        int known = 0;
        if (number < 10 || number > 999 || (*end && *end != ','))
            return bad_usage("--cuda is '%s', expected comma-separated names such as sm_80", text);
        const Status status = cuda_architecture((int)number, &known);
        if (status.code != STATUS_OK && strstr(status.text, "knows no") == NULL)
            return status;
        if (known != number)
            fprintf(stderr, "skinbench kernels: NVRTC does not know sm_%ld, which is left out\n", number);
        else if (out->count + 1 >= KERNEL_ARCHITECTURES_MAX ||
                 (out->count > 0 && out->all[out->count - 1] >= known))
            return bad_usage("--cuda has more than %d architectures, or they are not in ascending order",
                             KERNEL_ARCHITECTURES_MAX - 1);
        else
            out->all[out->count++] = known;
    }
    return out->count > 0
               ? status_ok()
               : status_make(STATUS_UNAVAILABLE, "NVRTC knows none of the architectures '%s'", text);
}

typedef struct Program {
    const char *name;
    char *text;
} Program;

enum { METHOD_PROGRAMS_MAX = 2 * 2 * 2 * KERNEL_VARIANTS_MAX + 8 }; /* for method_programs */

typedef struct Programs {
    Program *all;
    int count;
} Programs;

static void programs_clear(Programs *programs)
{
    for (int i = 0; i < programs->count; i++)
        memory_free(programs->all[i].text);
    memory_free(programs->all);
}

/* Adds a program unless it has been added before. Takes ownership of its text, and fails as out of memory
 * if the text is NULL. */
static Status program_add(Programs *out, const char *name, char *text)
{
    ALLOCATED(text, "a program");
    for (int i = 0; i < out->count; i++)
        if (strcmp(out->all[i].text, text) == 0) {
            memory_free(text);
            return status_ok();
        }
    out->all[out->count++] = (Program){name, text};
    return status_ok();
}

/* Adds all programs of a method: with and without normals, with and without a first phase, and for rigs
 * with up to 4 or with more influences per vertex. For linear blending, also adds the programs that `table
 * devices` compares. */
static Status method_programs(const SkinningEntry *entry, Programs *out)
{
    const SkinningMethod *method = entry->method;
    const SkinningEntry *first = skinning_first_phase();
    const int most = method->max_influences == 0 || method->max_influences > 4 ? 8 : 4;
    for (int influences = 4; influences <= most; influences += 4)
        for (int normals = 0; normals < 2; normals++)
            for (int phases = 1; phases <= (first && method->rigid_only ? 2 : 1); phases++)
                for (int variant = 0; variant < int_max(method->variant_count, 1); variant++) {
                    const DeviceKernel kernel = {cuda_shape, variant, normals, influences};
                    STATUS_TRY(program_add(out, method->name,
                                           device_program(entry, phases == 2 ? first : NULL, &kernel, NULL)));
                }
    for (const int *frames = device_tuning_frames; entry == first && *frames; frames++) {
        DeviceKernel kernel = {.shape = cuda_shape, .max_influences = 4};
        kernel.shape.frames = *frames;
        if (*frames != cuda_shape.frames)
            STATUS_TRY(program_add(out, method->name, device_program(entry, NULL, &kernel, NULL)));
    }
    return status_ok();
}

/* Compiles a program for a target into a folder, unless the file exists already. */
static Status program_compile(const Program *program, const CudaCompileOptions *target, const char *folder)
{
    char name[32], key[SHA256_TEXT_BYTES];
    OWNED void *there = NULL;
    OWNED char *code = NULL;
    size_t size = 0;
    snprintf(name, sizeof name, "%s_%d", target->machine_code ? "sm" : "compute", target->architecture);
    kernel_ahead_key(name, program->text, key);
    STATUS_TRY(kernel_file_load(folder, key, &there, &size));
    if (there)
        return status_ok();
    STATUS_TRY(cuda_compile(program->name, program->text, target, &code, &size));
    return kernel_file_write(folder, key, code, size);
}

Status kernels_run(const CommandLine *line)
{
    const char *output = NULL, *cuda = command_line_value(line, "cuda");
    Architectures architectures;
    CLEANUP(programs_clear) Programs programs = {.count = 0};
    NameList names;
    STATUS_TRY(names_split(line, "methods", &names));
    STATUS_TRY(methods_check(&names));
    STATUS_TRY(command_line_required(line, "output", &output));
    if (!cuda)
        return bad_usage("--cuda is missing");
    STATUS_TRY(architectures_read(cuda, &architectures));
    ALLOCATE(programs.all, skinning_entry_count() * METHOD_PROGRAMS_MAX + LIMIT_KERNELS, "programs");
    for (int i = 0; i < skinning_entry_count(); i++)
        if (names_hold(&names, skinning_entry_at(i)->method->name))
            STATUS_TRY(method_programs(skinning_entry_at(i), &programs));
    for (int kernel = 0; kernel < LIMIT_KERNELS; kernel++)
        STATUS_TRY(program_add(&programs, "a device's limit", limit_program((LimitKernel)kernel)));
    if (mkdir(output, 0755) != 0 && errno != EEXIST)
        return status_make(STATUS_SYSTEM, "%s: cannot be created: %s", output, strerror(errno));

    /* compile each program as PTX for the lowest architecture and as machine code for all architectures */
    const int targets = architectures.count + 1, files = programs.count * targets;
    Status status = status_ok();
    int begun = 0;
#pragma omp parallel for schedule(dynamic) num_threads(line->threads)
    for (int i = 0; i < files; i++) {
        const Program *program = &programs.all[i / targets];
        const int target = i % targets;
        const CudaCompileOptions options = {.near_division = true,
                                            .architecture = architectures.all[target > 0 ? target - 1 : 0],
                                            .machine_code = target > 0};
        bool stops = false;
#pragma omp critical(kernels)
        {
            if (status.code == STATUS_OK &&
                !progress_report(&line->progress, program->name, (double)begun++ / files))
                status = status_make(STATUS_STOPPED, "stopped");
            stops = status.code != STATUS_OK;
        }
        const Status result = stops ? status_ok() : program_compile(program, &options, output);
#pragma omp critical(kernels)
        if (status.code == STATUS_OK)
            status = result;
    }
    STATUS_TRY(status);
    char list[KERNEL_ARCHITECTURES_MAX * 8] = "", key[SHA256_TEXT_BYTES];
    text_append(list, sizeof list, "%d", architectures.all[0]);
    for (int i = 0; i < architectures.count; i++)
        text_append(list, sizeof list, " %d", architectures.all[i]);
    kernel_ahead_key(KERNEL_ARCHITECTURES, "", key);
    STATUS_TRY(kernel_file_write(output, key, list, strlen(list) + 1));
    if (line->json)
        return output_json(json_pack("{s:o, s:i, s:i}", "output", json_text(output), "programs",
                                     programs.count, "architectures", architectures.count));
    terminal_print("%d CUDA programs, each as PTX and for %d architectures, in %s\n", programs.count,
                   architectures.count, output);
    return status_ok();
}
