/* skinbench kernels --cuda ARCHITECTURES -o FOLDER: every program that the CUDA backend may ask for, compiled
 * ahead of time, so that it runs where there is a driver and no NVRTC (kernel_ahead_load). */
#include "harness/commands/commands.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/json_file.h"
#include "harness/commands/name_list.h"
#include "harness/run/studies/device_limits.h"
#include "methods/registry.h"
#include "methods/runtime/backends/cuda_compile.h"
#include "methods/runtime/backends/device_binding.h"
#include "methods/runtime/kernel_cache.h"

#include <errno.h>
#include <sys/stat.h>

const CommandOption kernels_options[] = {
    {"cuda", "sm_80,sm_90", "the GPUs' architectures; those that NVRTC does not know are left out and named"},
    {"methods", "METHOD,...", "only these methods (default: all)"},
    {"output", "FOLDER", "where the kernels go; SKINBENCH_KERNELS names it for the program"},
    {NULL, NULL, NULL},
};

typedef struct Architectures {
    int all[KERNEL_ARCHITECTURES_MAX], count; /* in ascending order */
} Architectures;

/* "sm_80,sm_90", but for what the compiler does not know. */
static Status architectures_read(const char *text, Architectures *out)
{
    *out = (Architectures){.count = 0};
    for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
        char *end = NULL;
        const long number = strncmp(at, "sm_", 3) == 0 ? strtol(at + 3, &end, 10) : 0;
        int known = 0;
        if (number < 10 || number > 999 || (*end && *end != ','))
            return bad_usage("--cuda is '%s', expected names as sm_80, with commas between", text);
        const Status status = cuda_architecture((int)number, &known);
        if (status.code != STATUS_OK && strstr(status.text, "knows no") == NULL)
            return status;
        if (known != number)
            fprintf(stderr, "skinbench kernels: NVRTC does not know sm_%ld, which is left out\n", number);
        else if (out->count + 1 >= KERNEL_ARCHITECTURES_MAX ||
                 (out->count > 0 && out->all[out->count - 1] >= known))
            return bad_usage("--cuda has more than %d architectures, or not in ascending order",
                             KERNEL_ARCHITECTURES_MAX - 1);
        else
            out->all[out->count++] = known;
    }
    return out->count > 0
               ? status_ok()
               : status_make(STATUS_UNAVAILABLE, "NVRTC knows none of the architectures '%s'", text);
}

/* Where programs go, and how many there are. */
typedef struct Compiled {
    const Architectures *architectures;
    const char *folder;
    int count;
} Compiled;

/* One program for every architecture, and as PTX for the least. It owns the text; NULL: memory gave out. */
static Status program_compile(const char *name, char *text, Compiled *out)
{
    OWNED char *own = text;
    ALLOCATED(own, "a program");
    for (int i = -1; i < out->architectures->count; i++) {
        const CudaCompileOptions one = {.architecture = out->architectures->all[i < 0 ? 0 : i],
                                        .machine_code = i >= 0};
        char target[32], key[SHA256_TEXT_BYTES];
        OWNED char *code = NULL;
        size_t size = 0;
        snprintf(target, sizeof target, "%s_%d", one.machine_code ? "sm" : "compute", one.architecture);
        kernel_ahead_key(target, own, key);
        STATUS_TRY(cuda_compile(name, own, &one, &code, &size));
        STATUS_TRY(kernel_file_write(out->folder, key, code, size));
    }
    out->count++;
    return status_ok();
}

/* All programs of a method: with and without normals and a first phase, for rigs of up to 4, 8 and more
 * influences; of linear blending also those that `table devices` tries. */
static Status method_compile(const SkinningEntry *entry, Compiled *out)
{
    static const int influences[] = {4, 8, 12};
    const SkinningMethod *method = entry->method;
    const SkinningEntry *first = skinning_first_phase();
    for (int k = 0;
         k < 3 && (k == 0 || method->max_influences == 0 || method->max_influences > influences[k - 1]); k++)
        for (int normals = 0; normals < 2; normals++)
            for (int phases = 1; phases <= (first && method->rigid_only ? 2 : 1); phases++)
                for (int variant = 0; variant < method->variant_count || variant == 0; variant++) {
                    const DeviceKernel kernel = {cuda_shape, variant, normals, influences[k]};
                    STATUS_TRY(program_compile(
                        method->name, device_program(entry, phases == 2 ? first : NULL, &kernel, NULL), out));
                }
    for (const int *frames = device_tuning_frames; entry == first && *frames; frames++) {
        DeviceKernel kernel = {.shape = cuda_shape, .max_influences = 4};
        kernel.shape.frames = *frames;
        if (*frames != cuda_shape.frames)
            STATUS_TRY(program_compile(method->name, device_program(entry, NULL, &kernel, NULL), out));
    }
    return status_ok();
}

Status kernels_run(const CommandLine *line)
{
    const char *output = NULL, *cuda = command_line_value(line, "cuda");
    Architectures architectures;
    CLEANUP(atomic_path_discard) AtomicPath path = {0};
    NameList names;
    STATUS_TRY(names_split(line, "methods", &names));
    STATUS_TRY(methods_check(&names));
    STATUS_TRY(command_line_output(line, &output));
    if (!cuda)
        return bad_usage("--cuda is missing");
    STATUS_TRY(architectures_read(cuda, &architectures));
    STATUS_TRY(atomic_path_start(output, OUTPUT_FOLDER, &path));
    if (mkdir(path.temporary, 0755) != 0)
        return status_make(STATUS_SYSTEM, "%s: cannot be made: %s", output, strerror(errno));
    Compiled compiled = {.architectures = &architectures, .folder = path.temporary};
    for (int i = 0; i < skinning_entry_count(); i++) {
        const SkinningEntry *entry = skinning_entry_at(i);
        if (!progress_report(&line->progress, entry->method->name, (double)i / skinning_entry_count()))
            return status_make(STATUS_STOPPED, "stopped");
        if (names_hold(&names, entry->method->name))
            STATUS_TRY(method_compile(entry, &compiled));
    }
    for (int kernel = 0; kernel < LIMIT_KERNELS; kernel++)
        STATUS_TRY(program_compile("a device's limit", limit_program((LimitKernel)kernel), &compiled));
    /* the PTX's, then those of machine code */
    char file[4096], text[KERNEL_ARCHITECTURES_MAX * 8] = "";
    text_append(text, sizeof text, "%d", architectures.all[0]);
    for (int i = 0; i < architectures.count; i++)
        text_append(text, sizeof text, " %d", architectures.all[i]);
    snprintf(file, sizeof file, "%s/" KERNEL_ARCHITECTURES_FILE, path.temporary);
    FILE *list = fopen(file, "we");
    const bool written = list && fprintf(list, "%s\n", text) > 0;
    if ((list && fclose(list) != 0) || !written)
        return status_make(STATUS_SYSTEM, "%s: cannot be written: %s", file, strerror(errno));
    OWNED_BY(free) char *json = NULL;
    if (line->json)
        STATUS_TRY(output_json_line(json_pack("{s:o, s:i, s:i}", "output", json_text(output), "programs",
                                              compiled.count, "architectures", architectures.count),
                                    &json));
    STATUS_TRY(atomic_path_commit_folder(&path, true));
    if (json)
        puts(json);
    else
        output_line("%d programs of CUDA, each as PTX and for %d architectures, in %s", compiled.count,
                    architectures.count, output);
    return status_ok();
}
