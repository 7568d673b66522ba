/* skinbench doctor: lists which libraries, devices and data are present, and what does not work without the
 * missing ones. Always succeeds, because no command needs all of them. */
#include "harness/commands/commands.h"

#include "datasets/base/blas_kernels.h"
#include "datasets/formats/gltf_draco.h"
#include "datasets/formats/gltf_meshopt.h"
#include "datasets/generate/generate.h"
#include "datasets/io/confined.h"
#include "datasets/io/stream.h"
#include "datasets/io/temporary_folder.h"
#include "harness/commands/known_data.h"
#include "harness/measure/environment/processors.h"
#include "harness/records/papers/published.h"
#include "harness/show/figures/gnuplot.h"
#include "harness/show/render/video.h"
#include "methods/runtime/kernel_cache.h"

const CommandOption doctor_options[] = {
    {"data", "FOLDER", "folder in which to look for the data sets of the catalogue"},
    {NULL, NULL, NULL},
};

typedef struct Finding {
    const CommandLine *line;
    int present, lacking;
    Status status; /* reason why printing failed; STATUS_SYSTEM means that memory ran out, so later lines may
                      be wrong */
} Finding;

/* Stores a failure of the machine itself, such as lack of memory. All other failures only mean that the
 * checked item is missing. */
static void finding_fail(Finding *finding, Status status)
{
    if (status.code == STATUS_SYSTEM)
        finding->status = status;
}

/* Prints whether an item is present, with `detail`, or with `lacking` if it is missing. */
static void finding_choose(Finding *finding, const char *what, const char *name, bool present,
                           const char *detail, const char *lacking)
{
    *(present ? &finding->present : &finding->lacking) += 1;
    if (finding->status.code != STATUS_OK)
        return;
    if (finding->line->json)
        finding->status =
            output_json(json_pack("{s:s, s:o, s:b, s:o}", "what", what, "name", json_text(name), "present",
                                  present, "detail", json_text(present ? detail : lacking)));
    else
        terminal_print("  %-9s %-12s %-8s %s\n", what, name, present ? "ok" : "missing",
                       present ? detail : lacking);
}

static void finding_print(Finding *finding, const char *what, const char *name, bool present,
                          const char *detail)
{
    finding_choose(finding, what, name, present, detail, detail);
}

/* Prints what a probe says about a program or a backend. */
static void probe_print(Finding *finding, const char *what, const char *name,
                        Status (*probe)(char *text, size_t size))
{
    char text[STATUS_TEXT_BYTES] = "";
    const Status status = probe(text, sizeof text);
    finding_fail(finding, status);
    finding_choose(finding, what, name, status.code == STATUS_OK, text, status.text);
}

static void backends_print(Finding *finding)
{
    for (int i = 0; i < BACKEND_COUNT; i++)
        probe_print(finding, "backend", backend_at(i)->name, backend_at(i)->probe);
    char folder[KERNEL_CACHE_PATH_BYTES];
    finding_choose(
        finding, "data", "kernels", kernel_cache_folder(folder), folder,
        "every run compiles them again, because SKINBENCH_CACHE is empty or there is no home folder");
    const char *levels[SIMD_LEVELS_MAX];
    char text[128] = "";
    int count = simd_levels_here(levels);
    for (int i = 0; i < count; i++)
        text_append(text, sizeof text, "%s%s", i ? ", " : "", levels[i]);
    finding_print(finding, "machine", "simd levels", count > 0, text);
}

static void data_sets_print(Finding *finding, const char *folder)
{
    char path[KNOWN_DATA_PATH_BYTES], text[PUBLISHED_PATH_BYTES];
    CLEANUP(catalogue_clear) Catalogue catalogue = {0};
    const Status status = known_data_read(&catalogue);
    known_data_path(path);
    finding_fail(finding, status);
    finding_choose(finding, "data", "catalogue", status.code == STATUS_OK, path, status.text);
    snprintf(text, sizeof text, "%d generators", generator_count());
    finding_print(finding, "data", "generated", generator_count() > 0, text);
    for (int i = 0; folder && i < catalogue.count; i++) {
        const CatalogueEntry *entry = &catalogue.entries[i];
        snprintf(text, sizeof text, "%s/%s.h5", folder, entry->name);
        if (entry->file && access(text, R_OK) != 0)
            snprintf(text, sizeof text, "%s/%s", folder, entry->file);
        finding_print(finding, "data", entry->name, access(text, R_OK) == 0, text);
    }
}

static void left_append(void *context, const char *path)
{
    text_append(context, STATUS_TEXT_BYTES, "%s%s", ((char *)context)[0] ? ", " : "", path);
}

Status doctor_run(const CommandLine *line)
{
    Finding finding = {.line = line, .status = status_ok()};
    Environment environment;
    char text[STATUS_TEXT_BYTES] = "", usable[PROCESSORS_TEXT_BYTES], setting[EXECUTION_TEXT_BYTES];
    STATUS_TRY(environment_describe(line->threads, &environment));
    char build[2 * ENVIRONMENT_TEXT_BYTES + 72];
    finding_print(&finding, "machine", "processor", true, environment.cpu_model);
    snprintf(build, sizeof build, "%s, %s%s", environment.compiler, environment.build_type,
             environment_one_loop(&environment)
                 ? ", one plain loop per kernel (SKINBENCH_ONE_LOOP): not for times"
                 : "");
    finding_print(&finding, "build", "compiler", true, build);
    snprintf(build, sizeof build, "%.12s%s", environment.commit,
             environment.dirty ? ", with uncommitted changes" : "");
    finding_choose(&finding, "build", "seccomp", confined_filters(),
                   "untrusted files are read by a process whose system calls are filtered",
                   "system calls are not filtered while untrusted files are read (needs libseccomp-dev)");
    finding_choose(&finding, "build", "pictures", !pictures_lacking(), "traced by Embree, written by libpng",
                   "render needs libembree-dev and libpng-dev when skinbench is built");
    finding_choose(
        &finding, "build", "meshopt", gltf_meshopt_built, "glTF packed by EXT_meshopt_compression is read",
        "glTF packed by EXT_meshopt_compression needs libmeshoptimizer-dev when skinbench is built");
    char decoder[PATH_MAX];
    finding_choose(&finding, "build", "draco", gltf_draco_find(decoder), decoder,
                   "glTF packed by KHR_draco_mesh_compression needs libdraco-dev and a C++ compiler when "
                   "skinbench is built");
    for (int i = 0; i < format_count(); i++)
        if (format_at(i)->package)
            finding_print(&finding, "build", format_at(i)->name, false, format_at(i)->lacking);
    finding_print(&finding, "build", "commit", strcmp(environment.commit, "unknown") != 0, build);
    const char *governor = environment.governor;
    finding_print(&finding, "machine", "governor", strcmp(governor, "performance") == 0,
                  governor[0]
                      ? governor
                      : "not reported by this machine; the clock rate may change during measurements");
    const Processors processors = processors_usable("");
    processors_format(&processors, usable);
    finding_print(&finding, "machine", "threads", true, usable);
    execution_waiting_format(setting);
    finding_print(&finding, "machine", "waiting", true, setting);
    const bool best = blas_kernels_format(setting, sizeof setting);
    finding_print(&finding, "machine", "OpenBLAS", best, setting);
    backends_print(&finding);
    snprintf(text, sizeof text, "%d direct, %d decomposition", skinning_entry_count(),
             decomposition_method_count());
    finding_print(&finding, "methods", "built in",
                  skinning_entry_count() > 0 && decomposition_method_count() > 0, text);
    /* what scripts/bundle recorded about the archive or wheel that this program came in, if it came in one */
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/portable", environment_home());
    OWNED_BY(fclose) FILE *portable = fopen(path, "re");
    if (portable && fgets(text, sizeof text, portable)) {
        text[strcspn(text, "\n")] = '\0';
        finding_print(&finding, "build", "portable", true, text);
    }
    probe_print(&finding, "program", "gnuplot", gnuplot_probe);
    finding_choose(
        &finding, "program", "its confines", gnuplot_is_confined(),
        "gnuplot can neither start programs nor open connections",
        "gnuplot is missing, or only the quoting of texts keeps it from starting programs (a filter "
        "needs libseccomp-dev)");
    probe_print(&finding, "program", "ffmpeg", video_probe);
    probe_print(&finding, "program", "MPI", launch_probe);
    finding_print(&finding, "data", "home", access(environment_home(), X_OK) == 0, environment_home());
    CLEANUP(published_tables_clear) PublishedTables tables = {.count = 0};
    const Status status = published_tables_read(NULL, &tables);
    snprintf(text, sizeof text, "%d published tables", tables.count);
    if (status.code != STATUS_OK)
        text_append(text, sizeof text, "; %s", status.text);
    finding_fail(&finding, status);
    finding_print(&finding, "data", "tables", status.code == STATUS_OK && tables.count > 0, text);
    /* Look for temporary folders that killed processes left behind. */
    char left[STATUS_TEXT_BYTES] = "";
    temporary_folders_left("", left_append, left);
    temporary_folders_left(temporary_folder_parent(), left_append, left);
    if (left[0])
        text_append(left, sizeof left, " (removed by the next command that writes there)");
    finding_print(&finding, "data", "left over", true, left[0] ? left : "no files left by killed processes");
    data_sets_print(&finding, command_line_value(line, "data"));
    if (!line->json)
        terminal_print("%d present, %d missing; commands skip and count what is missing\n", finding.present,
                       finding.lacking);
    return finding.status;
}
