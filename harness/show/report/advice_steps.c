/* Writes the commands that put an advice into a file. Helper joints make plain linear blending, which every
 * engine has, imitate the advised method. */
#include "harness/show/report/advice_steps.h"

#include "datasets/io/atomic_path.h"
#include "datasets/io/stream.h"
#include "harness/show/text/targets.h"

enum { HELPERS = 6 };
static const char HELPED[] = "lbs-helpers-"; /* variants of lbs that have helper joints already */

const char *advice_helper_target(const Advice *advice, int *helpers)
{
    const AdviceMethod *chosen = &advice->methods[advice->chosen];
    const bool is_helped = strncmp(chosen->name, HELPED, sizeof HELPED - 1) == 0;
    *helpers = is_helped ? atoi(chosen->name + sizeof HELPED - 1) : HELPERS;
    if (is_helped)
        return strcmp(advice->reference, "elastic") == 0 ? NULL : advice->reference;
    return chosen->table == advice->methods[advice->lbs].table ? NULL : chosen->table->name;
}

char *advice_steps(const Advice *advice, const AdviceFile *file)
{
    int helpers = 0;
    const char *target = advice_helper_target(advice, &helpers);
    const char *name = file->path + output_path_folder_length(file->path), *dot = strrchr(name, '.');
    char base[256];
    size_t length = 0;
    char *text = NULL;
    snprintf(base, sizeof base, "%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
    FILE *stream = open_memstream(&text, &length);
    ShellFile *shell = shell_file(stream);
    if (!shell)
        return NULL;
    if (target && text_is_printable(file->path)) {
        char dataset[300], fitted[300], output[300];
        snprintf(dataset, sizeof dataset, "%s.h5", base);
        snprintf(fitted, sizeof fitted, "%s-helpers.h5", base);
        snprintf(output, sizeof output, "%s-helpers.glb", base);
        if (!file->is_dataset)
            shell_print(shell, "skinbench import %s -o %s\n", file->path, dataset);
        shell_print(shell, "skinbench fit %s --method helper-joints --set target=%s --bones %d -o %s\n",
                    file->is_dataset ? file->path : dataset, target, helpers, fitted);
        shell_print(shell, "skinbench export glb %s", fitted);
        if (file->is_gltf)
            shell_print(shell, " --into %s", file->path);
        shell_print(shell, " -o %s\n", output);
    }
    return stream_close(stream) == 0 ? text : NULL;
}

const char *advice_engine(const Advice *advice, int engine)
{
    const char *known = advice->methods[advice->chosen].table->engines[engine];
    return known ? known : (engine <= ENGINE_MAYA ? "by a plug-in of your own" : "by a shader of your own");
}
