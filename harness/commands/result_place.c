/* Chooses the result file of a run, and makes its folder if the user did not name the file. */
#include "harness/commands/result_place.h"

#include "harness/measure/environment/environment.h"

#include <sys/stat.h>

void result_place_clear(ResultPlace *place)
{
    temporary_folder_remove(place->temporary);
    place->temporary = NULL;
}

/* Names a file for the results of a command in this build. The time of the program's file tells two builds
 * of one commit apart, whose sources may differ. Returns false if results are not to be kept. */
static bool build_file_name(const char *command, const Environment *environment, char *path, size_t size)
{
    const char *chosen = getenv("SKINBENCH_RECORDS"), *state = getenv("XDG_STATE_HOME"),
               *home = getenv("HOME");
    struct stat program = {0};
    int used = 0;
    if (chosen)
        used = chosen[0] ? snprintf(path, size, "%s/", chosen) : 0;
    else if (state && state[0] == '/')
        used = snprintf(path, size, "%s/skinbench/", state);
    else if (home && home[0] == '/')
        used = snprintf(path, size, "%s/.local/state/skinbench/", home);
    if (used <= 0 || (size_t)used >= size || stat("/proc/self/exe", &program) != 0)
        return false;
    used += snprintf(path + used, size - (size_t)used, "%s-%.12s-%llx.jsonl", command, environment->commit,
                     (unsigned long long)program.st_mtime);
    return (size_t)used < size;
}

Status result_place_open(const CommandLine *line, ResultPlace *place, Bench *bench)
{
    const char *output = command_line_value(line, "output"), *parent = temporary_folder_parent();
    bench->path = place->file;
    if (output && snprintf(place->file, sizeof place->file, "%s", output) >= (int)sizeof place->file)
        return bad_usage("%.200s...: the path is too long", output);
    if (output)
        return bench_open(bench);
    Environment environment;
    STATUS_TRY(environment_describe(bench->threads, &environment));
    if (build_file_name(line->command->name, &environment, place->file, sizeof place->file)) {
        /* make the folders of the path; their errors show when the file is opened */
        for (char *slash = place->file + 1; !bench->forecast && (slash = strchr(slash, '/'));
             *slash++ = '/') {
            *slash = '\0';
            (void)mkdir(place->file, 0777);
        }
        const Status status = bench_open(bench);
        if (status.code == STATUS_OK && !bench->forecast)
            output_note(line,
                        "the results are kept in %s, where the next run continues (--output names "
                        "another file)",
                        place->file);
        if (status.code == STATUS_OK || bench->forecast)
            return status;
        output_note(line, "%s; the results of this run are not kept", status.text);
        bench_close(bench);
    }
    STATUS_TRY(temporary_folder_make(parent, parent, &place->temporary));
    if (snprintf(place->file, sizeof place->file, "%s/results.jsonl",
                 temporary_folder_path(place->temporary)) >= (int)sizeof place->file)
        return bad_usage("%.200s...: the path is too long", parent);
    return bench_open(bench);
}
